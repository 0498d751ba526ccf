//! The events of a session, in order.

use std::sync::{Arc, OnceLock};

use mentci_authority::At;
use mentci_source::Hash;
use serde_json::{Map, Value};

use super::body::Body;
use super::event_id::EventIds;
use super::{Counts, SessionEvent, SessionEventKind};

/// Events in order. Appending is constant time but for counting what the event says.
#[derive(Debug, Clone)]
pub struct EventLog {
    entries: Vec<Arc<Entry>>,
    ids: EventIds,
    counts: Arc<Counts>,
    total: u64,
    last: At,
}

/// An event and what is known of it.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) event: SessionEvent,
    pub(crate) body: Body,
    /// The hash of its line in an export; of the very bytes that were read, when it was.
    pub(crate) leaf: OnceLock<Hash>,
}

impl EventLog {
    /// No events yet. Their ids are made of the session's.
    pub fn new(session_id: &str, counts: Arc<Counts>) -> Self {
        Self { entries: Vec::new(), ids: EventIds::new(session_id), counts, total: 0, last: At::default() }
    }

    /// Appends an event.
    pub fn append(&mut self, kind: SessionEventKind, data: Map<String, Value>, at: At) -> &SessionEvent {
        let (event_id, timestamp) = (self.ids.next(at.ms), seconds(at));
        self.last = at;
        self.push(SessionEvent { event_id, timestamp, kind, data, token_estimate: 0 }, None)
    }

    /// Takes over an event that was read, with its leaf when that was proved. One whose id does not follow gets a new one.
    pub(crate) fn take_over(&mut self, mut event: SessionEvent, leaf: Option<Hash>) -> bool {
        let follows = self.ids.follow(&event.event_id);
        // OK because times are checked to be finite, and the cast saturates.
        #[expect(clippy::cast_possible_truncation, reason = "milliseconds of any year that is told fit")]
        let at = At::utc((event.timestamp * 1_000.0).round() as i64);
        self.last = at;
        if !follows {
            event.event_id = self.ids.next(at.ms);
        }
        self.push(event, leaf.filter(|_| follows));
        follows
    }

    fn push(&mut self, mut event: SessionEvent, leaf: Option<Hash>) -> &SessionEvent {
        let body = Body::of(&event, &self.counts);
        if leaf.is_none() {
            event.token_estimate = body.tokens;
        }
        self.total = self.total.saturating_add(body.tokens);
        let leaf = leaf.map_or_else(OnceLock::new, OnceLock::from);
        self.entries.push(Arc::new(Entry { event, body, leaf }));
        // OK because one was pushed.
        &self.entries[self.entries.len() - 1].event
    }

    /// The events.
    pub fn events(&self) -> impl ExactSizeIterator<Item = &SessionEvent> {
        self.entries.iter().map(|entry| &entry.event)
    }

    pub(crate) fn entries(&self) -> &[Arc<Entry>] {
        &self.entries
    }

    pub(crate) fn counts(&self) -> &Arc<Counts> {
        &self.counts
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The events of these kinds.
    pub fn filter<'a>(&'a self, kinds: &'a [SessionEventKind]) -> impl Iterator<Item = &'a SessionEvent> {
        self.events().filter(|event| kinds.contains(&event.kind))
    }

    /// The events at or after a time in seconds since 1970 UTC.
    pub fn since(&self, timestamp: f64) -> impl Iterator<Item = &SessionEvent> {
        self.events().filter(move |event| event.timestamp >= timestamp)
    }

    /// The tokens of everything that was said, as this log's tokenizer counts them.
    pub fn total_tokens(&self) -> u64 {
        self.total
    }

    /// The time of the last event.
    pub fn last_at(&self) -> At {
        self.last
    }
}

fn seconds(at: At) -> f64 {
    // OK because times of 300,000 years are exact.
    #[expect(clippy::cast_precision_loss, reason = "milliseconds are exact below 2^53")]
    let ms = at.ms as f64;
    ms / 1_000.0
}

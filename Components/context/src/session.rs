//! What a session is made of: typed events in order, with the tokens of each.

mod body;
mod counts;
mod event;
mod event_id;
mod intake;
mod keys;
mod log;
mod read;

use std::sync::Arc;

use mentci_authority::At;
use mentci_detect::Detector;
use serde_json::{Map, Value};

pub(crate) use body::{Piece, fence, fence_of, fence_tokens, fenced, handle_text, safe};
pub use counts::{CountMemory, Counts};
pub use event::{SessionEvent, SessionEventKind};
pub use intake::{NewEvent, events_of};
pub(crate) use log::Entry;
pub use log::EventLog;
pub use read::{SESSION_FORMAT, SessionFile, Take};

use crate::EvidencePack;

/// A session: its id and its log. Events are only ever appended.
///
/// ```
/// use std::sync::Arc;
/// use mentci_authority::At;
/// use mentci_context::{Counts, Session, SessionEventKind};
/// use serde_json::json;
///
/// let mut session = Session::new("s1", Arc::new(Counts::new(mentci_tokens::Bytes)));
/// let data = json!({"role": "user", "text": "hello"}).as_object().cloned().unwrap_or_default();
/// session.record(SessionEventKind::UserInput, data, At::utc(1_000));
/// assert_eq!(session.total_tokens(), 5);
/// assert_eq!(session.filter(&[SessionEventKind::UserInput]).count(), 1);
/// assert_eq!(session.since(1.5).count(), 0);
/// ```
#[derive(Debug, Clone)]
pub struct Session {
    id: String,
    log: EventLog,
    redactor: Option<Detector>,
    calls: intake::Calls,
    last_said: intake::LastSaid,
}

impl Session {
    /// A session without events, whose tokens `counts` counts.
    pub fn new(session_id: &str, counts: Arc<Counts>) -> Self {
        let log = EventLog::new(session_id, counts);
        let (calls, last_said) = Default::default();
        Self { id: session_id.to_owned(), log, redactor: None, calls, last_said }
    }

    /// Takes secrets out of whatever is recorded from here on, before it is counted or kept.
    #[must_use]
    pub fn redacting(mut self, detector: Detector) -> Self {
        self.redactor = Some(detector);
        self
    }

    /// Its id.
    pub fn session_id(&self) -> &str {
        &self.id
    }

    /// Appends an event that happened at `at`; in constant time but for counting what it says. What `data` holds for each
    /// kind, [`SessionEvent`] says.
    pub fn record(&mut self, kind: SessionEventKind, data: Map<String, Value>, at: At) -> &SessionEvent {
        let data = self.redacted(data);
        self.calls.saw(kind, &data);
        self.log.append(kind, data, at)
    }

    /// Its log.
    pub fn log(&self) -> &EventLog {
        &self.log
    }

    /// Its events, in order.
    pub fn events(&self) -> impl ExactSizeIterator<Item = &SessionEvent> {
        self.log.events()
    }

    /// The events of these kinds, in order.
    pub fn filter<'a>(&'a self, kinds: &'a [SessionEventKind]) -> impl Iterator<Item = &'a SessionEvent> {
        self.log.filter(kinds)
    }

    /// The events at or after a time in seconds since 1970 UTC, in order.
    pub fn since(&self, timestamp: f64) -> impl Iterator<Item = &SessionEvent> {
        self.log.since(timestamp)
    }

    /// The tokens of everything that was said.
    pub fn total_tokens(&self) -> u64 {
        self.log.total_tokens()
    }

    /// What proves that no event was changed, taken out, added or moved.
    pub fn to_evidence_pack(&self) -> EvidencePack {
        EvidencePack::of(self)
    }

    /// Without secrets, wherever they stand. Names stay apart.
    fn redacted(&self, data: Map<String, Value>) -> Map<String, Value> {
        let Some(detector) = &self.redactor else { return data };
        let part = |(key, value): (String, Value)| match value {
            Value::String(name) if key == "call_id" || key == "tool" => {
                Map::from_iter([(key, detector.redact_name(&name).into())])
            }
            // With its key, which may say that the value is a secret.
            value => match detector.redact_value(Value::Object(Map::from_iter([(key, value)]))).value {
                Value::Object(part) => part,
                _ => Map::new(),
            },
        };
        data.into_iter().flat_map(part).collect()
    }
}

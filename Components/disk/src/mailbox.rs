//! What has moved and was not yet told: filled by the system's notifications, emptied by [`Watch`](crate::Watch).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mentci_source::{Code, Finding};

use crate::Change;
use crate::watched::Notice;

/// More paths than this in one [`WINDOW`] are a burst.
const BURST: usize = 32;
/// The time in which paths are counted.
const WINDOW: Duration = Duration::from_millis(20);
/// A burst is over when nothing moved for the mailbox's `quiet`, or, as long bursts have long pauses, for a quarter of
/// its own length up to this.
const MAX_QUIET: Duration = Duration::from_millis(300);
/// A burst that does not end is told in parts.
const MAX_WAIT: Duration = Duration::from_secs(2);
/// How long something half done may take: a file that was made and is not yet closed, or is gone and may come back.
const SETTLE: Duration = Duration::from_millis(25);
/// More paths than this are not told one by one.
const MAX_PATHS: usize = 50_000;

/// How far a change of a file has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// Whole: closed after writing, or moved here.
    Done,
    /// Perhaps not: another event is likely to follow.
    Open,
}

/// The box.
#[derive(Debug)]
pub(crate) struct Mailbox {
    pub(crate) stopped: bool,
    /// How long nothing must move until a burst is over.
    quiet: Duration,
    /// Paths under which a directory may have appeared; they are watched before anything is told.
    pub(crate) appeared: BTreeSet<Arc<str>>,
    /// Paths with the time from which they may be told.
    pending: BTreeMap<Arc<str>, Instant>,
    rescan: bool,
    notes: Vec<Finding>,
    burst: Option<Burst>,
    window: (Instant, usize),
    last_event: Instant,
    held_until: Instant,
}

/// Many changes at once.
#[derive(Debug, Clone, Copy)]
struct Burst {
    since: Instant,
}

impl Mailbox {
    pub(crate) fn new(now: Instant, quiet: Duration) -> Self {
        Self {
            stopped: false,
            quiet,
            appeared: BTreeSet::new(),
            pending: BTreeMap::new(),
            rescan: false,
            notes: Vec::new(),
            burst: None,
            window: (now, 0),
            last_event: now,
            held_until: now,
        }
    }

    /// Puts in what the system told.
    pub(crate) fn put(&mut self, notice: Notice, now: Instant) {
        match notice {
            Notice::Moved(path, progress) => self.moved(path, progress, now),
            Notice::Appeared(path) => _ = self.appeared.insert(path),
            Notice::Rules => {
                self.appeared.insert("".into());
                self.look_at_everything(now);
            }
            Notice::Lost => self.overflowed(now),
        }
        self.last_event = now;
    }

    /// Something moved at `path`.
    pub(crate) fn moved(&mut self, path: Arc<str>, progress: Progress, now: Instant) {
        let due = if progress == Progress::Done { now } else { now + SETTLE };
        self.last_event = now;
        if self.pending.insert(path, due).is_none() {
            self.count(now);
        }
        if self.pending.len() > MAX_PATHS {
            self.look_at_everything(now);
        }
    }

    /// Single paths no longer count.
    pub(crate) fn look_at_everything(&mut self, now: Instant) {
        self.rescan = true;
        self.pending.clear();
        self.gather(now);
    }

    /// Everything is to be looked at, now: it is no burst that would have to end first.
    pub(crate) fn look_again(&mut self, now: Instant) {
        self.rescan = true;
        self.last_event = now;
    }

    /// The system's queue overflowed: which paths moved is not known.
    pub(crate) fn overflowed(&mut self, now: Instant) {
        self.look_at_everything(now);
        self.appeared.insert("".into());
        if !self.notes.iter().any(|note| note.code == Code::WATCH_OVERFLOW) {
            let note = "more changes arrived than the system can queue; everything is looked at again";
            self.note(Finding::new(Code::WATCH_OVERFLOW, note));
        }
    }

    /// Tells nothing for a moment, and then all of it: git is at work.
    pub(crate) fn hold(&mut self, now: Instant) {
        self.burst.get_or_insert(Burst { since: now });
        self.held_until = now + self.quiet;
    }

    /// Something to tell with the next change.
    pub(crate) fn note(&mut self, note: Finding) {
        self.notes.push(note);
    }

    /// When there is something to tell; `None` while there is nothing.
    pub(crate) fn ready_at(&self) -> Option<Instant> {
        let first = self.pending.values().min().copied();
        let any = first.or((self.rescan || !self.notes.is_empty()).then_some(self.last_event))?;
        let ready = match self.burst {
            Some(burst) => self.quiet_from(burst).min(burst.since + MAX_WAIT),
            None => any,
        };
        Some(ready.max(self.held_until))
    }

    /// When something last moved.
    pub(crate) fn last_event(&self) -> Instant {
        self.last_event
    }

    /// Takes what is ready; a burst is taken as a whole.
    pub(crate) fn take(&mut self, now: Instant) -> Change {
        let all = self.burst.is_some();
        self.burst = self.burst.filter(|&burst| now < self.quiet_from(burst)).map(|_| Burst { since: now });
        let pending = std::mem::take(&mut self.pending);
        let (ready, later): (BTreeMap<_, _>, _) =
            pending.into_iter().partition(|&(_, due)| all || due <= now);
        self.pending = later;
        Change {
            paths: ready.into_keys().collect(),
            rescan: std::mem::take(&mut self.rescan),
            notes: std::mem::take(&mut self.notes),
        }
    }

    /// When a burst is over, if nothing moves any more.
    fn quiet_from(&self, burst: Burst) -> Instant {
        let length = self.last_event.saturating_duration_since(burst.since);
        self.last_event + (length / 4).min(MAX_QUIET).max(self.quiet)
    }

    /// From now on a burst, until it is quiet.
    fn gather(&mut self, now: Instant) {
        self.last_event = now;
        self.burst.get_or_insert(Burst { since: now });
    }

    fn count(&mut self, now: Instant) {
        let (start, paths) = self.window;
        self.window = if now.duration_since(start) > WINDOW { (now, 1) } else { (start, paths + 1) };
        if self.window.1 > BURST {
            self.gather(now);
        }
    }
}

//! What rules tell the agent: queued, delivered once, acknowledged.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::sync::Arc;

use mentci_authority::{DeliverAt, Hook, NotifyPriority};
use mentci_source::Hash;
use serde::{Deserialize, Serialize};

use crate::excerpt::{EXCERPT_BYTES, cut};

/// The most notices of a session that wait at once.
pub const MAX_WAITING: usize = 64;
/// The most bytes of a notice's message: so much always fits a batch.
pub const NOTICE_BYTES: usize = 2 * 1024;
/// How many of those that no longer wait are remembered for people.
const MAX_PAST: usize = 64;
/// How many are remembered so that they are not told again.
const MAX_TOLD: usize = 256;

/// What a rule tells the agent, from its queueing on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// Its id.
    pub id: String,
    /// The rule: `pack/rule-id`.
    pub rule: String,
    /// At most [`NOTICE_BYTES`].
    pub message: String,
    /// The rule's word for grouping.
    pub category: String,
    /// How urgent.
    pub priority: NotifyPriority,
    /// When the agent reads it.
    pub deliver_at: DeliverAt,
    /// When it was queued, in milliseconds since 1970 UTC.
    pub queued_ms: i64,
    /// Until when it is worth telling, in milliseconds since 1970 UTC: at that moment it has expired.
    pub expires_ms: i64,
}

impl Notice {
    /// Cuts a message to what is kept of it.
    pub fn cut_message(message: &str) -> String {
        if message.len() <= NOTICE_BYTES {
            return message.to_owned();
        }
        format!("{}…", cut(message, NOTICE_BYTES - "…".len()))
    }
}

/// What became of a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoticeState {
    /// It waits for its event.
    Queued,
    /// The agent was told.
    Delivered,
    /// Somebody has taken note of it: it is not told any more.
    Acknowledged,
    /// Nobody was told in time.
    Expired,
    /// It fell out of a full queue: others were more urgent, or newer.
    Dropped,
}

impl NoticeState {
    /// `queued`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Delivered => "delivered",
            Self::Acknowledged => "acknowledged",
            Self::Expired => "expired",
            Self::Dropped => "dropped",
        }
    }
}

/// How many notices an event tells at most; the rest waits for the next. One always fits where nothing was told yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Batch {
    /// So many.
    pub notices: usize,
    /// So many bytes of messages.
    pub bytes: usize,
    /// Whether some of it was told already: then the first must fit like all others.
    pub begun: bool,
}

impl Batch {
    /// Nothing is told yet.
    pub fn new(notices: usize, bytes: usize) -> Self {
        Self { notices, bytes, begun: false }
    }

    /// What is left of it after a message of so many bytes.
    #[must_use]
    pub fn after(self, bytes: usize) -> Self {
        let (notices, bytes) = (self.notices.saturating_sub(1), self.bytes.saturating_sub(bytes));
        Self { notices, bytes, begun: true }
    }
}

/// The notices of a session: at most [`MAX_WAITING`] wait, in the order in which they were queued. Beyond, the least urgent
/// and of these the oldest falls out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Notices {
    waiting: Vec<Arc<Notice>>,
    past: VecDeque<(NoticeState, Arc<Notice>)>,
    /// What was queued lately, and when.
    told: VecDeque<(Said, i64)>,
}

/// What a rule said, by the hash of both: the same is not told again for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Said(Hash);

impl Said {
    /// What a rule says, named in full, in these words.
    pub fn of(rule: &str, message: &str) -> Self {
        Self(Hash::of("mentci notice said v1", [rule.as_bytes(), message.as_bytes()]))
    }
}

impl Notices {
    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Every notice that is remembered, with what became of it by `now_ms`, the oldest first.
    pub fn all(&self, now_ms: i64) -> impl Iterator<Item = (NoticeState, &Notice)> {
        let waiting = self.waiting.iter().map(move |notice| {
            let state = if is_expired(notice, now_ms) { NoticeState::Expired } else { NoticeState::Queued };
            (state, &**notice)
        });
        let mut all: Vec<_> =
            self.past.iter().map(|(state, notice)| (*state, &**notice)).chain(waiting).collect();
        all.sort_by_key(|(_, notice)| notice.queued_ms);
        all.into_iter()
    }

    /// Whether the same rule said the same less than `window_ms` ago.
    pub fn is_repeated(&self, said: Said, now_ms: i64, window_ms: u64) -> bool {
        let lately = |at: i64| now_ms < at.saturating_add_unsigned(window_ms);
        self.told.iter().any(|(other, at)| *other == said && lately(*at))
    }

    /// What is to be told at an event, the most urgent first, of equals the oldest. `prompts` says that the client shows
    /// prompts only, so that a prompt is a turn; `shown` are the hooks at which it shows the model anything, where that is
    /// not all of them; `is_new` those that came of this very event.
    pub fn due(
        &self,
        hook: Hook,
        prompts: bool,
        shown: Option<&[Hook]>,
        now_ms: i64,
        batch: Batch,
        is_new: impl Fn(&Notice) -> bool,
    ) -> Vec<&Notice> {
        let fits = |notice: &&Notice| {
            let at = notice.deliver_at;
            // What is to follow an answer follows none where this very event raised it.
            let is_early = at == DeliverAt::TurnEnd && is_new(notice);
            let stands_in = |shown| !is_early && stands_in(at, hook, shown);
            (fits(at, hook, prompts) || shown.is_some_and(stands_in)) && !is_expired(notice, now_ms)
        };
        let mut due: Vec<&Notice> = self.waiting.iter().map(Arc::as_ref).filter(fits).collect();
        // Stable: of equals, the one that was queued first.
        due.sort_by_key(|notice| (Reverse(notice.priority), notice.queued_ms));
        due.truncate(cap(&due, batch));
        due
    }

    /// Takes one in, where those for which it is too late [wait no more](Self::expire). Gives back what fell out of the full
    /// queue.
    pub fn queue(&mut self, notice: Arc<Notice>, said: Said, now_ms: i64) -> Option<Arc<Notice>> {
        if self.told.len() >= MAX_TOLD {
            self.told.pop_front();
        }
        self.told.push_back((said, now_ms));
        self.waiting.push(notice);
        let fallen = self.least().filter(|_| self.waiting.len() > MAX_WAITING)?;
        let notice = self.waiting[fallen].clone();
        self.settle_at(fallen, NoticeState::Dropped);
        Some(notice)
    }

    /// A notice that waits does so no more. One that does not wait stays what it was.
    pub(crate) fn settle(&mut self, id: &str, state: NoticeState) {
        if let Some(at) = self.waiting.iter().position(|notice| notice.id == id) {
            self.settle_at(at, state);
        }
    }

    /// Somebody has taken note, whether it was delivered or not.
    pub(crate) fn acknowledge(&mut self, id: &str) {
        self.settle(id, NoticeState::Acknowledged);
        if let Some((state, _)) = self.past.iter_mut().find(|(_, notice)| notice.id == id) {
            *state = NoticeState::Acknowledged;
        }
    }

    /// Those for which it is too late wait no more.
    pub fn expire(&mut self, now_ms: i64) {
        while let Some(at) = self.waiting.iter().position(|notice| is_expired(notice, now_ms)) {
            self.settle_at(at, NoticeState::Expired);
        }
    }

    fn settle_at(&mut self, at: usize, state: NoticeState) {
        let notice = self.waiting.remove(at);
        if self.past.len() >= MAX_PAST {
            self.past.pop_front();
        }
        self.past.push_back((state, excerpt(notice)));
    }

    /// The least urgent, and of these the oldest.
    fn least(&self) -> Option<usize> {
        // The first of equals: `waiting` stands in the order of queueing.
        (0..self.waiting.len()).min_by_key(|&at| self.waiting[at].priority)
    }
}

/// A notice with no more of its message than is remembered.
fn excerpt(notice: Arc<Notice>) -> Arc<Notice> {
    if notice.message.len() <= EXCERPT_BYTES {
        return notice;
    }
    let message = cut(&notice.message, EXCERPT_BYTES).to_owned();
    Arc::new(Notice { message, ..Notice::clone(&notice) })
}

/// Whether an event of this hook tells what is to be read then.
fn fits(deliver_at: DeliverAt, hook: Hook, prompts: bool) -> bool {
    match deliver_at {
        DeliverAt::TurnStart => hook == Hook::TurnStart || (prompts && hook == Hook::QueryStart),
        DeliverAt::AfterTool => hook == Hook::PostToolResponse,
        DeliverAt::TurnEnd => hook == Hook::TurnEnd,
        // The rest is told to nobody who could pass it on to the model.
        DeliverAt::Immediate => !matches!(hook, Hook::MessageAppended | Hook::PreCompact | Hook::SessionEnd),
    }
}

/// Whether an event of this hook tells what was to be read where the client shows nothing: what was to follow an answer comes
/// with the next exchange, and all else with whatever is shown next.
fn stands_in(deliver_at: DeliverAt, hook: Hook, shown: &[Hook]) -> bool {
    let is_among = |hook| shown.contains(&hook);
    let begins = matches!(hook, Hook::SessionStart | Hook::QueryStart);
    is_among(hook)
        && match deliver_at {
            DeliverAt::TurnStart => !is_among(Hook::TurnStart),
            DeliverAt::AfterTool => !is_among(Hook::PostToolResponse),
            DeliverAt::TurnEnd => !is_among(Hook::TurnEnd) && (begins || !is_among(Hook::QueryStart)),
            DeliverAt::Immediate => false,
        }
}

/// How many of these one event tells: the first always, however long it is, unless something was told before.
fn cap(due: &[&Notice], batch: Batch) -> usize {
    let mut bytes = 0;
    let fitting = due.iter().take_while(|notice| {
        bytes += notice.message.len();
        bytes <= batch.bytes
    });
    fitting.take(batch.notices).count().max(usize::from(!batch.begun)).min(due.len())
}

fn is_expired(notice: &Notice, now_ms: i64) -> bool {
    now_ms >= notice.expires_ms
}

//! Telling the agent: what rules have to say is queued, and what is due at this event is handed out.

use std::borrow::Cow;
use std::sync::Arc;

use mentci_authority::{DeliverAt, Effect, Event, Hook, Notification, NotifyPriority};
use mentci_ledger::{Batch, Delta, LedgerView, Notice, Notices, Said};
use mentci_source::Hash;
use serde_json::Value;

use crate::program::Program;

/// The most bytes of messages that one event tells. Claude Code shows 10,000 characters of a hook's answer.
const BATCH_BYTES: usize = 4 * 1024;

/// How notifications are queued and told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotifyOptions {
    /// For so many milliseconds the same rule does not say the same again.
    pub dedupe_ms: u64,
    /// After so many milliseconds a notification is not worth telling any more.
    pub expires_ms: u64,
    /// How many one event tells at most.
    pub batch: usize,
}

impl Default for NotifyOptions {
    /// A minute, an hour, and ten.
    fn default() -> Self {
        Self { dedupe_ms: 60_000, expires_ms: 3_600_000, batch: 10 }
    }
}

/// What a rule has to say, not queued yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The rule: `pack/rule-id`.
    pub rule: String,
    /// What it says.
    pub message: String,
    /// Its word for grouping.
    pub category: String,
    /// How urgent.
    pub priority: NotifyPriority,
    /// When the agent reads it.
    pub deliver_at: DeliverAt,
}

impl Word {
    /// Its fields, as outcomes list them.
    pub(crate) fn fields(&self) -> [(String, Value); 4] {
        [
            ("message", self.message.as_str()),
            ("category", self.category.as_str()),
            ("priority", self.priority.name()),
            ("deliver_at", self.deliver_at.name()),
        ]
        .map(|(key, value)| (key.to_owned(), value.into()))
    }
}

/// What the agent is told at an event, and what the ledger has to remember of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Told {
    /// The most urgent first.
    pub notifications: Vec<Notification>,
    /// What was queued, what fell out of the full queue, what is delivered.
    pub deltas: Vec<Delta>,
}

/// Queues what rules said about an event, unless they said it lately, and hands out what is due.
///
/// The delivery is written with the same record as the event: two processes that ask at once cannot both be told.
pub fn notify(program: &Program, event: &Event, view: LedgerView<'_>, words: &[Word]) -> Told {
    notify_beside(program, event, view, (words, Effect::Allow), &[])
}

/// The same for an event that was decided so, and that a rule may have emitted: with what its cause told already, it tells no
/// more than one event does.
pub fn notify_beside(
    program: &Program,
    event: &Event,
    view: LedgerView<'_>,
    (words, decided): (&[Word], Effect),
    told: &[Notification],
) -> Told {
    let waiting = view.session().notices();
    if words.is_empty() && waiting.is_empty() {
        return Told::default();
    }
    let mut queue =
        Queue { options: program.notify, view, notices: Cow::Borrowed(waiting), told: Told::default() };
    if !words.is_empty() {
        queue.notices.to_mut().expire(view.now_ms());
    }
    for word in words {
        queue.say(event, word);
    }
    let hook = event.cause_hook();
    if event.heard_at.is_none_or(|heard_at| heard_at.hears(hook, decided)) {
        queue.deliver(event, told);
    }
    queue.told
}

struct Queue<'e> {
    options: NotifyOptions,
    view: LedgerView<'e>,
    notices: Cow<'e, Notices>,
    told: Told,
}

impl Queue<'_> {
    fn say(&mut self, event: &Event, word: &Word) {
        let (now_ms, options) = (self.view.now_ms(), self.options);
        let message = Notice::cut_message(&word.message);
        // A template may come to nothing.
        if message.trim().is_empty() {
            return;
        }
        let said = Said::of(&word.rule, &message);
        if self.notices.is_repeated(said, now_ms, options.dedupe_ms) {
            return;
        }
        let notice = Arc::new(Notice {
            id: notice_id(&event.session, self.view.session().version(), self.told.deltas.len()),
            rule: word.rule.clone(),
            message,
            category: word.category.clone(),
            priority: word.priority,
            deliver_at: word.deliver_at,
            queued_ms: now_ms,
            expires_ms: now_ms.saturating_add_unsigned(options.expires_ms),
        });
        let fallen = self.notices.to_mut().queue(notice.clone(), said, now_ms);
        self.told.deltas.push(Delta::Queued(notice));
        self.told.deltas.extend(fallen.map(|notice| Delta::Dropped { notice: notice.id.clone() }));
    }

    /// What rules say about an emitted event is due where its cause was: in the same turn.
    fn deliver(&mut self, event: &Event, told: &[Notification]) {
        let prompts = self.view.turns().shows_only_prompts();
        let whole = Batch::new(self.options.batch, BATCH_BYTES);
        let batch = told.iter().fold(whole, |batch, one| batch.after(one.message.len()));
        let shown = event.heard_at.map(|heard_at| heard_at.hooks);
        let (now_ms, is_emitted) = (self.view.now_ms(), event.hook == Hook::EventEmitted);
        let own: Vec<&str> = self.told.deltas.iter().filter_map(queued).collect();
        // What was raised at the cause of an emitted event is told apart by its time alone.
        let is_new =
            |notice: &Notice| own.contains(&notice.id.as_str()) || is_emitted && notice.queued_ms >= now_ms;
        let due = self.notices.due(event.cause_hook(), prompts, shown, now_ms, batch, is_new);
        for notice in due {
            self.told.deltas.push(Delta::Delivered { notice: notice.id.clone() });
            self.told.notifications.push(notification(notice));
        }
    }
}

fn queued(delta: &Delta) -> Option<&str> {
    if let Delta::Queued(notice) = delta { Some(&notice.id) } else { None }
}

fn notification(notice: &Notice) -> Notification {
    Notification {
        id: notice.id.clone(),
        message: notice.message.clone(),
        category: notice.category.clone(),
        priority: notice.priority,
        rule: notice.rule.clone(),
    }
}

/// The id of a notice: the same session, version of the log and place among its words give the same one.
fn notice_id(session: &str, version: u64, place: usize) -> String {
    let place = place as u64;
    Hash::of("mentci notice v1", [session.as_bytes(), &version.to_le_bytes(), &place.to_le_bytes()]).short(12)
}

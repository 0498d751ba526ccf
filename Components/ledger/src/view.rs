//! A session as one event sees it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Deref;

use mentci_authority::{Chain, Cooldown, Event, Hook, Quota, Role, ToolStatus};
use mentci_source::Hash;
use serde_json::Value;

use crate::excerpt::{EXCERPT_BYTES, cut, short_value};
use crate::history::{Memo, RECENT};
use crate::keeper::keeper;
use crate::open_calls::Progress;
use crate::session::settles;
use crate::{Approval, RecentTool, SessionLedger, Shared, Tally, TokenCount, Turns, Unretained};

/// What a decision reads: the session before the event, and what the event itself tells of it: the turn that it opens, the
/// message that was appended, the answer that arrived. The call that is being decided is not counted.
///
/// Whatever this type does not answer otherwise is the session's own answer.
#[derive(Debug, Clone, Copy)]
pub struct LedgerView<'a> {
    session: &'a SessionLedger,
    shared: &'a Shared,
    event: &'a Event,
    turns: Turns,
    now_ms: i64,
    /// The event ends the turn of the calls before it.
    settles: bool,
    answers: Answers,
}

/// What the event is the answer of.
#[derive(Debug, Clone, Copy)]
enum Answers {
    Nothing,
    /// A call that was never seen.
    Unseen,
    /// A call of the tool with this number, that had come so far.
    Call {
        tool: usize,
        progress: Progress,
    },
}

impl Deref for LedgerView<'_> {
    type Target = SessionLedger;

    fn deref(&self) -> &SessionLedger {
        self.session
    }
}

impl<'a> LedgerView<'a> {
    /// The session, what all share, and the event that looks at them.
    pub fn new(session: &'a SessionLedger, shared: &'a Shared, event: &'a Event) -> Self {
        let turns = session.turns().after(event.into());
        let settles = settles(event.hook, session.turns(), turns);
        let call = event.tool.as_ref().filter(|_| event.hook == Hook::PostToolResponse);
        let answers = call.map_or(Answers::Nothing, |call| {
            let open = session.answered(&call.name, call.call_id.as_deref());
            open.map_or(Answers::Unseen, |(tool, progress)| Answers::Call { tool, progress })
        });
        let now_ms = session.moment(event.at.map(|at| at.ms));
        Self { session, shared, event, turns, now_ms, settles, answers }
    }

    /// The session before the event.
    pub fn session(&self) -> &'a SessionLedger {
        self.session
    }

    /// What all sessions share.
    pub fn shared(&self) -> &'a Shared {
        self.shared
    }

    /// Where the session stands.
    pub fn turns(&self) -> Turns {
        self.turns
    }

    /// The turn, from 1; 0 before the first.
    pub fn turn(&self) -> u64 {
        self.turns.turn
    }

    /// The exchange, from 1; 0 before the first.
    pub fn exchange(&self) -> u64 {
        self.turns.exchange
    }

    /// Model requests since the user's last message: as the client says, or said last in this exchange with those that were
    /// counted since, or as counted.
    pub fn iterations(&self) -> u64 {
        let stated = self.event.usage.as_ref().and_then(|usage| usage.iteration_count);
        stated.unwrap_or_else(|| self.session.iterations(self.turns))
    }

    /// The time, in milliseconds since 1970 UTC: never before that of the last record.
    pub fn now_ms(&self) -> i64 {
        self.now_ms
    }

    /// Why no call may run, when none may.
    pub fn killed(&self) -> Option<&'a str> {
        self.shared.killed.as_deref().or(self.session.killed())
    }

    /// Why what happened before cannot be read, when it cannot.
    pub fn unread(&self) -> Option<&'a str> {
        self.shared.unread.as_deref()
    }

    /// Why it cannot be written down that a grant is used, when it cannot.
    pub fn unwritten(&self) -> Option<&'a str> {
        self.shared.unwritten.as_deref()
    }

    /// Whether the event answers a call that was denied: what it caused is to be ignored.
    pub fn has_diverged(&self) -> bool {
        matches!(self.answers, Answers::Call { progress: Progress::Denied, .. })
    }

    /// The arguments of the call that the event answers, as far as they are kept; none for a call that was never seen.
    pub fn answered_args(&self) -> Option<&'a Value> {
        let call = self.event.tool.as_ref().filter(|_| self.event.hook == Hook::PostToolResponse)?;
        self.session.args_of(&call.name, call.call_id.as_deref())
    }

    /// The calls of a tool, the answer that the event brings included.
    pub fn tally(&self, tool: &str) -> Tally {
        let mut tally = self.session.tally(tool);
        if self.settles {
            tally.settle_all(self.session.turns().turn);
        }
        if let Some(progress) = self.answer_of(tool) {
            tally.answer(progress, self.status(), self.turns.turn);
        }
        tally
    }

    /// What was known of the call of this tool that the event answers: `Some(None)` when it was never seen.
    #[expect(
        clippy::option_option,
        reason = "no answer, an answer out of nowhere, and an answer are three things"
    )]
    fn answer_of(&self, tool: &str) -> Option<Option<Progress>> {
        match self.answers {
            Answers::Unseen if self.event.tool_name() == tool => Some(None),
            Answers::Call { tool: number, progress } if self.session.number_of(tool) == Some(number) => {
                let counted = self.settles && progress == Progress::Admitted;
                Some(Some(if counted { Progress::Counted } else { progress }))
            }
            _ => None,
        }
    }

    /// The calls of every tool that was seen, the answer that the event brings included.
    pub fn tallies(&self) -> impl Iterator<Item = (&'a str, Tally)> {
        let view = *self;
        let unseen = matches!(self.answers, Answers::Unseen)
            && self.session.number_of(self.event.tool_name()).is_none();
        let known = self.session.tallies().map(move |(tool, _)| tool);
        known.chain(unseen.then(|| view.event.tool_name())).map(move |tool| (tool, view.tally(tool)))
    }

    /// The call whose answer the event brings, as the recent history will have it; `None` for other events and for answers
    /// that are ignored.
    pub fn answered_tool(&self) -> Option<RecentTool> {
        let is_ignored =
            matches!(self.answers, Answers::Call { progress: Progress::Denied | Progress::Done, .. });
        let call =
            self.event.tool.as_ref().filter(|_| !is_ignored && !matches!(self.answers, Answers::Nothing))?;
        let result = self.event.result.as_ref().map_or(&Value::Null, |result| &result.value);
        let args = self.answered_args().filter(|args| !args.is_null());
        Some(RecentTool {
            name: call.name.clone(),
            args: args.cloned().unwrap_or_else(|| short_value(&call.args)),
            result: short_value(result),
            success: Some(self.status() == ToolStatus::Success),
            at_ms: self.now_ms,
            fact: Memo::default(),
        })
    }

    /// The last calls that ran, the oldest first, with those that the event settles and the one that it answers: what is
    /// counted is listed.
    pub fn recent_tools(&self) -> Vec<Cow<'a, RecentTool>> {
        let mut tools: Vec<_> = self.session.recent_tools().map(Cow::Borrowed).collect();
        if self.settles {
            tools.extend(self.session.unsettled().map(Cow::Owned));
        }
        if let Some(answered) = self.answered_tool() {
            let late = self.answered_late().and_then(|(at_ms, args)| {
                tools.iter().position(|call| {
                    call.success.is_none()
                        && (call.name == answered.name, call.at_ms, &call.args) == (true, at_ms, args)
                })
            });
            match late {
                Some(at) => tools[at] = Cow::Owned(answered),
                None => tools.push(Cow::Owned(answered)),
            }
        }
        tools.drain(..tools.len().saturating_sub(RECENT));
        tools
    }

    /// When the call was made, and with what, that is listed without its answer until this event.
    fn answered_late(&self) -> Option<(i64, &'a Value)> {
        let Answers::Call { progress, .. } = self.answers else { return None };
        let is_listed = progress == Progress::Counted || (self.settles && progress == Progress::Admitted);
        let call = self.event.tool.as_ref().filter(|_| is_listed)?;
        self.session.made(&call.name, call.call_id.as_deref())
    }

    /// The last messages, the oldest first, the event's own included: whose, and the start of it.
    pub fn recent_messages(&self) -> impl Iterator<Item = (Role, &'a str)> {
        let kept = self.session.recent_messages().map(|message| (message.role, message.text.as_str()));
        let own = self.new_message().map(|message| (message.role, cut(&message.text, EXCERPT_BYTES)));
        let over = (kept.len() + usize::from(own.is_some())).saturating_sub(RECENT);
        kept.skip(over).chain(own)
    }

    /// Whether the tool ran in the session.
    pub fn ever_called(&self, tool: &str) -> bool {
        self.tally(tool).executed > 0
    }

    /// How often the tool ran in the session.
    pub fn count_calls(&self, tool: &str) -> u64 {
        self.tally(tool).executed
    }

    /// Whether the tool ran in this turn or in one of the `turns` before.
    pub fn called_since(&self, tool: &str, turns: u64) -> bool {
        self.tally(tool).called_since(turns, self.turns)
    }

    /// How the call ended whose answer the event brings.
    fn status(&self) -> ToolStatus {
        crate::record::status(self.event)
    }

    /// Whether the steps of `chain` were taken: see [`SessionLedger::chain_holds`].
    ///
    /// # Errors
    /// - The chain looks further back than calls are kept.
    pub fn chain_holds(
        &self,
        chain: &Chain,
        matches: &dyn Fn(usize, &str) -> bool,
    ) -> Result<bool, Unretained> {
        self.session.chain_holds(chain, self.now_ms, matches)
    }

    /// Whether the rule fired in this session.
    pub fn has_fired(&self, rule: &str) -> bool {
        self.session.rule(rule).is_some_and(|rule| rule.fired > 0)
    }

    /// Whether the rule rests after it fired.
    pub fn is_resting(&self, rule: &str, cooldown: Cooldown) -> bool {
        self.session.rule(rule).is_some_and(|rule| rule.is_resting(cooldown, self.turns, self.now_ms))
    }

    /// Milliseconds since the rule fired; `None` when it never did.
    pub fn since_ms(&self, rule: &str) -> Option<i64> {
        let rule = self.session.rule(rule).filter(|rule| rule.fired > 0)?;
        Some(self.now_ms.saturating_sub(rule.last_ms))
    }

    /// Whether one more call would overspend the rule's quota.
    pub fn is_spent(&self, rule: &str, quota: &Quota) -> bool {
        self.session.is_spent(rule, quota, self.turns)
    }

    /// Whether fewer than `turns` whole turns lie between the last call that the rule admitted and this one. A rule admits a
    /// call by reserving it.
    pub fn admitted_lately(&self, rule: &str, turns: u32) -> bool {
        self.session.rule(rule).is_some_and(|rule| rule.reserved.is_resting(turns, self.turns))
    }

    /// The text of the last message of a role, the event's own included.
    pub fn last_text(&self, role: Role) -> Option<&'a str> {
        match self.message() {
            Some(message) if message.role == role => Some(&message.text),
            _ => self.session.last_text(role).map(|last| last.text.as_str()),
        }
    }

    /// The tokens of the last message of a role, the event's own included.
    pub fn last_tokens(&self, role: Role) -> Option<TokenCount> {
        match self.message() {
            Some(message) if message.role == role => Some(TokenCount::of_message(message)),
            _ => self.session.last_text(role).map(|last| last.tokens),
        }
    }

    /// Whose the last message is, the event's own included.
    pub fn last_role(&self) -> Option<Role> {
        self.message().map(|message| message.role).or(self.session.last_role())
    }

    /// Messages of the history, the event's own included.
    pub fn history_length(&self) -> u64 {
        let stated = self.event.usage.as_ref().and_then(|usage| usage.history_length);
        stated.unwrap_or_else(|| self.session.history_length() + u64::from(self.new_message().is_some()))
    }

    /// Tokens of the context, the event's own message included.
    pub fn context_tokens(&self) -> TokenCount {
        if let Some(tokens) = self.event.usage.as_ref().and_then(|usage| usage.context_tokens) {
            return TokenCount { tokens, is_estimated: false };
        }
        let own = self.new_message().map(TokenCount::of_message).unwrap_or_default();
        self.session.context_tokens().plus(own)
    }

    /// A fact that the client states with its usage, from the event or the last one that stated it.
    pub fn usage<T>(&self, of: impl Fn(&mentci_authority::Usage) -> Option<T>) -> Option<T> {
        self.event.usage.as_ref().and_then(&of).or_else(|| of(self.session.usage()))
    }

    /// What people were asked and said about this exact call, unless it expired or was used.
    pub fn approval(&self, call: &Hash) -> Option<&'a Approval> {
        self.session.approval(call, self.now_ms)
    }

    /// What a plugin or pack keeps under a key, for the event's user and project.
    pub fn state(&self, owner: &str, key: &str) -> Option<&'a Value> {
        self.kept(owner)?.get(key)
    }

    /// All that a plugin or pack keeps for the event's user and project, by key.
    pub fn kept(&self, owner: &str) -> Option<&'a BTreeMap<String, Value>> {
        self.shared.state.get(&*keeper(owner, self.event))
    }

    fn message(&self) -> Option<&'a mentci_authority::Message> {
        let event = self.event;
        event.message.as_ref().filter(|_| matches!(event.hook, Hook::MessageAppended | Hook::QueryStart))
    }

    fn new_message(&self) -> Option<&'a mentci_authority::Message> {
        let is_query = self.event.hook == Hook::QueryStart;
        self.message().filter(|message| !self.session.repeats(message, is_query))
    }
}

//! A session, folded.

use std::collections::BTreeMap;
use std::sync::Arc;

use mentci_authority::{Chain, Effect, Hook, Message, Quota, Role, StateScope, ToolStatus, Usage};
use mentci_source::Hash;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::approvals::Approvals;
use crate::chain::Past;
use crate::history::{History, Memo};
use crate::lane::Timeline;
use crate::names::Names;
use crate::open_calls::{OpenCall, OpenCalls, Progress};
use crate::{
    Act, Approval, ApprovalState, CallSeen, Delta, LastText, NoticeState, Notices, RecentMessage, RecentTool,
    Record, RuleUses, Said, Seen, Tally, TokenCount, Turns, Unretained, What, Windows,
};

/// The format of a session's snapshot, and of what is folded into it: whoever finds one of another format folds the log anew.
/// It rises with every change of what the fold counts or how it is written.
pub const SNAPSHOT_FORMAT: u32 = 4;

/// What the log of one session adds up to.
///
/// Folding a record takes constant time, amortised; reading takes no more than a few comparisons and does not allocate.
/// Its memory is bounded by what the rules need, not by the length of the log: `Library/specs/log.md` has the figures.
///
/// Time never runs backwards in it: a record that is earlier than the one before it counts as made at the same moment.
///
/// ```
/// use mentci_authority::{Effect, Event};
/// use mentci_ledger::{Decided, Record, SessionLedger, Windows};
/// let mut session = SessionLedger::new(Windows::default());
/// for line in [r#"{"event":"pre_tool_call","tool":{"name":"exec","call_id":"c1"}}"#,
///              r#"{"event":"post_tool_response","tool":{"name":"exec","call_id":"c1"}}"#] {
///     let event: Event = serde_json::from_str(line)?;
///     session.fold(&Record::of(&event, &Decided::allowed(), vec![]));
/// }
/// assert_eq!((session.total_calls(), session.tally("exec").executed), (1, 1));
/// assert_eq!(session.tally("shell").calls, 0);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SessionLedger {
    windows: Windows,
    version: u64,
    now_ms: i64,
    turns: Turns,
    total_calls: u64,
    names: Names,
    /// By the number of the tool.
    tallies: Vec<Tally>,
    timeline: Timeline,
    open: OpenCalls,
    history: History,
    rules: BTreeMap<String, RuleUses>,
    variables: BTreeMap<String, Value>,
    taints: BTreeMap<String, i64>,
    approvals: Approvals,
    notices: Notices,
    killed: Option<String>,
}

impl SessionLedger {
    /// A session in which nothing happened.
    pub fn new(windows: Windows) -> Self {
        Self { windows, ..Self::default() }
    }

    /// Takes one record in.
    pub fn fold(&mut self, record: &Record) {
        self.version += 1;
        self.now_ms = self.moment(record.at.map(|at| at.ms));
        match &record.what {
            What::Event(seen) => self.event(seen, &record.deltas),
            What::Act(act) => self.act(act),
        }
    }

    /// How many records were folded: what a commit compares.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// What is kept for chains.
    pub fn windows(&self) -> Windows {
        self.windows
    }

    /// The time of the last record, in milliseconds since 1970 UTC.
    pub fn now_ms(&self) -> i64 {
        self.now_ms
    }

    /// The later of the session's time and this.
    pub fn moment(&self, at_ms: Option<i64>) -> i64 {
        if self.version == 0 {
            at_ms.unwrap_or(0)
        } else {
            at_ms.map_or(self.now_ms, |at| at.max(self.now_ms))
        }
    }

    /// Where the session stands.
    pub fn turns(&self) -> Turns {
        self.turns
    }

    /// Calls that were decided, denied ones included.
    pub fn total_calls(&self) -> u64 {
        self.total_calls
    }

    /// The calls of a tool; all 0 when it was never called.
    pub fn tally(&self, tool: &str) -> Tally {
        self.names.find(tool).and_then(|number| self.tallies.get(number)).copied().unwrap_or_default()
    }

    /// The calls of every tool, in the order of their first appearance.
    pub fn tallies(&self) -> impl Iterator<Item = (&str, &Tally)> {
        self.names.all().iter().map(AsRef::as_ref).zip(&self.tallies)
    }

    /// Whether the steps of `chain` were taken by `now_ms`. `matches(step, tool)` says whether a tool fits the patterns of
    /// the step with this number; names that stand as such in the step are not asked about.
    ///
    /// # Errors
    /// - The chain looks further back than calls are kept.
    pub fn chain_holds(
        &self,
        chain: &Chain,
        now_ms: i64,
        matches: &dyn Fn(usize, &str) -> bool,
    ) -> Result<bool, Unretained> {
        if chain.steps.iter().any(|step| step.within_ms > self.windows.longest_ms) {
            return Err(Unretained { kept: self.windows });
        }
        Ok(Past { timeline: &self.timeline, names: &self.names, now_ms, matches }.holds(chain))
    }

    /// How many calls are kept for chains.
    pub fn kept_calls(&self) -> usize {
        self.timeline.len()
    }

    /// What a rule did, by its full name; `None` when it never did anything.
    pub fn rule(&self, rule: &str) -> Option<&RuleUses> {
        self.rules.get(rule)
    }

    /// Whether one more call would overspend the rule's quota.
    pub fn is_spent(&self, rule: &str, quota: &Quota, turns: Turns) -> bool {
        self.rule(rule).map_or_else(
            || crate::Used::default().is_spent(quota, turns),
            |rule| rule.reserved.is_spent(quota, turns),
        )
    }

    /// The last text of a role.
    pub fn last_text(&self, role: Role) -> Option<&LastText> {
        self.history.last(role)
    }

    /// Whose the last message is.
    pub fn last_role(&self) -> Option<Role> {
        self.history.last_role
    }

    /// Messages of the history: as the client says, and one more for each that came after.
    pub fn history_length(&self) -> u64 {
        self.history.length
    }

    /// Tokens of the context: as the client says, and those of each message that came after.
    pub fn context_tokens(&self) -> TokenCount {
        self.history.context
    }

    /// What had been used up when the client last said so.
    pub fn usage(&self) -> &Usage {
        &self.history.usage
    }

    /// The last messages, the oldest first.
    pub fn recent_messages(&self) -> impl ExactSizeIterator<Item = &RecentMessage> + DoubleEndedIterator {
        self.history.messages.iter()
    }

    /// The last calls that ran, the oldest first.
    pub fn recent_tools(&self) -> impl ExactSizeIterator<Item = &RecentTool> + DoubleEndedIterator {
        self.history.tools.iter()
    }

    /// A variable of the session.
    pub fn variable(&self, key: &str) -> Option<&Value> {
        self.variables.get(key)
    }

    /// Every variable of the session.
    pub fn variables(&self) -> &BTreeMap<String, Value> {
        &self.variables
    }

    /// Whether the session is tainted by this.
    pub fn is_tainted(&self, name: &str) -> bool {
        self.taints.contains_key(name)
    }

    /// The taints, each with the time at which it was set first.
    pub fn taints(&self) -> &BTreeMap<String, i64> {
        &self.taints
    }

    /// What people were asked and said about this exact call, unless it expired or was used.
    pub fn approval(&self, call: &Hash, now_ms: i64) -> Option<&Approval> {
        self.approvals.get(call, now_ms)
    }

    /// Whether there is any request at all: without one, no call has to be hashed.
    pub fn has_approvals(&self) -> bool {
        !self.approvals.is_empty()
    }

    /// Forgets what was granted, as where nobody knows who wrote the log: such calls are asked about again.
    pub fn forget_grants(&mut self) {
        self.approvals.forget_grants();
    }

    /// Every request that is not used and not expired.
    pub fn approvals(&self, now_ms: i64) -> impl Iterator<Item = (&Hash, &Approval)> {
        self.approvals.all(now_ms)
    }

    /// Model requests since the user's last message, at a place of the session.
    pub(crate) fn iterations(&self, turns: Turns) -> u64 {
        self.history.iterations(turns)
    }

    /// What rules tell the agent.
    pub fn notices(&self) -> &Notices {
        &self.notices
    }

    /// Why every call of the session is stopped, when it is.
    pub fn killed(&self) -> Option<&str> {
        self.killed.as_deref()
    }

    /// The call that an answer is about: its tool, by number, and what is known of it.
    pub(crate) fn answered(&self, tool: &str, id: Option<&str>) -> Option<(usize, Progress)> {
        self.open.get(self.names.find(tool), id).map(|open| (open.tool, open.progress))
    }

    /// The arguments of the call that an answer is about, as far as they are kept.
    pub(crate) fn args_of(&self, tool: &str, id: Option<&str>) -> Option<&Value> {
        self.open.get(self.names.find(tool), id).map(|open| &open.args)
    }

    /// When the call of an answer was made, and with what, as far as that is kept.
    pub(crate) fn made(&self, tool: &str, id: Option<&str>) -> Option<(i64, &Value)> {
        self.open.get(self.names.find(tool), id).map(|open| (open.at_ms, &open.args))
    }

    /// The calls that were admitted and have no answer, as the recent history will have them when their turn is over.
    pub(crate) fn unsettled(&self) -> impl Iterator<Item = RecentTool> {
        self.open.admitted().map(|call| unanswered(call, &self.names))
    }

    /// The number of a tool that was seen.
    pub(crate) fn number_of(&self, tool: &str) -> Option<usize> {
        self.names.find(tool)
    }

    /// Whether this message is the query's own, told again.
    pub(crate) fn repeats(&self, message: &Message, is_query: bool) -> bool {
        self.history.repeats(message.role, &message.text, is_query)
    }

    fn event(&mut self, seen: &Seen, deltas: &[Delta]) {
        let turns = self.turns.after(seen.into());
        if settles(seen.hook, self.turns, turns) {
            self.settle();
        }
        self.turns = turns;
        if let (Some(message), Hook::MessageAppended | Hook::QueryStart) = (&seen.message, seen.hook) {
            self.history.message(message, seen.hook == Hook::QueryStart);
        }
        if let Some(usage) = &seen.usage {
            self.history.used(usage, turns);
        }
        match (seen.hook, &seen.call) {
            (Hook::PreToolCall, Some(call)) => self.call(call, seen),
            (Hook::PostToolResponse, Some(call)) => self.answer(call),
            _ => {}
        }
        self.notices.expire(self.now_ms);
        for delta in deltas {
            self.delta(delta, seen);
        }
    }

    /// The turn is over: what was admitted in it and has no answer counts as executed.
    fn settle(&mut self) {
        let (tallies, history, names) = (&mut self.tallies, &mut self.history, &self.names);
        self.open.settle(|call| {
            tallies[call.tool].settle(call.turn);
            history.tool(unanswered(call, names));
        });
    }

    fn number(&mut self, tool: &str) -> usize {
        let number = self.names.number(tool);
        if self.tallies.len() <= number {
            self.tallies.resize(number + 1, Tally::default());
        }
        number
    }

    fn call(&mut self, call: &CallSeen, seen: &Seen) {
        let (tool, decided) = (self.number(&call.name), &seen.decided);
        self.total_calls += 1;
        self.timeline.push(tool, decided.decision, self.now_ms, self.windows);
        self.tallies[tool].call(decided.decision, decided.admits(), decided.unanswered, self.turns);
        let progress = match decided.decision {
            Effect::Block => Progress::Denied,
            Effect::Approve => Progress::Waiting,
            _ if decided.unanswered => Progress::Counted,
            _ => Progress::Admitted,
        };
        let open = OpenCall {
            tool,
            id: call.call_id.as_deref().map(Arc::from),
            hash: call.hash,
            turn: self.turns.turn,
            at_ms: self.now_ms,
            progress,
            args: if progress == Progress::Denied { Value::Null } else { call.args.clone() },
            taints: Vec::new(),
        };
        if progress == Progress::Counted {
            self.history.tool(unanswered(&open, &self.names));
        }
        let (superseded, fallen) = self.open.push(open);
        if let Some(tool) = superseded {
            self.tallies[tool].supersede();
        }
        if let Some(call) = fallen {
            self.tallies[call.tool].settle(call.turn);
            self.history.tool(unanswered(&call, &self.names));
        }
    }

    fn answer(&mut self, call: &CallSeen) {
        let status = call.status.unwrap_or(ToolStatus::Success);
        let (named, id) = (self.names.find(&call.name), call.call_id.as_deref());
        let open = self.open.get_mut(named, id).map(|open| {
            let mut before = open.clone();
            (open.progress, open.args) = (Progress::Done, Value::Null);
            before.taints = std::mem::take(&mut open.taints);
            before
        });
        if let Some(open) = &open {
            self.taint_by(open, status);
        }
        let progress = open.as_ref().map(|open| open.progress);
        if matches!(progress, Some(Progress::Denied | Progress::Done)) {
            return;
        }
        let (tool, turn, called_ms, args) = match open {
            Some(open) => (open.tool, open.turn, open.at_ms, open.args),
            None => (self.number(&call.name), self.turns.turn, self.now_ms, Value::Null),
        };
        self.tallies[tool].answer(progress, status, turn);
        self.history.answered(call);
        let entry = RecentTool {
            name: call.name.clone(),
            args: if args.is_null() { call.args.clone() } else { args },
            result: call.result.clone(),
            success: Some(status == ToolStatus::Success),
            at_ms: self.now_ms,
            fact: Memo::default(),
        };
        if progress == Some(Progress::Counted) {
            self.history.answer_late(entry, called_ms);
        } else {
            self.history.tool(entry);
        }
    }

    /// An answered call that was refused, or that waited for a person, has run when it succeeded; one that waited and failed
    /// may have, unless that person said no.
    fn taint_by(&mut self, call: &OpenCall, status: ToolStatus) {
        let approval = self.approvals.get(&call.hash, self.now_ms);
        let is_denied = approval.is_some_and(|approval| approval.state == ApprovalState::Denied);
        let may_have_run = call.progress == Progress::Waiting && !is_denied && status != ToolStatus::Denied;
        if status != ToolStatus::Success && !may_have_run {
            return;
        }
        for name in &call.taints {
            self.taints.entry(name.clone()).or_insert(self.now_ms);
        }
    }

    fn delta(&mut self, delta: &Delta, seen: &Seen) {
        let (turns, now_ms) = (self.turns, self.now_ms);
        match delta {
            Delta::Fired { rule } => self.rule_mut(rule).fire(turns, now_ms),
            Delta::Reserved { rule } => self.rule_mut(rule).reserved.add(turns),
            Delta::Released { rule, turn, exchange } => self.rule_mut(rule).reserved.take(*turn, *exchange),
            Delta::Set { scope: StateScope::Session, key, value, .. } => {
                self.variables.insert(key.clone(), value.clone());
            }
            // Kept with the plugin, which outlives the session.
            Delta::Set { scope: StateScope::Plugin, .. } => {}
            Delta::Tainted { name, once_run: true } => {
                let waits = self.open.last_mut().filter(|_| seen.call.is_some());
                if let Some(call) = waits {
                    call.taints.push(name.clone());
                }
            }
            Delta::Tainted { name, once_run: false } => {
                self.taints.entry(name.clone()).or_insert(now_ms);
            }
            Delta::Requested { approval, rule, expires_ms } => {
                if let Some(call) = &seen.call {
                    self.approvals.request(call.hash, approval, rule, *expires_ms);
                }
            }
            Delta::Used { approval } => self.approvals.spend(approval),
            Delta::Queued(notice) => {
                let said = Said::of(&notice.rule, &notice.message);
                self.notices.queue(notice.clone(), said, now_ms);
            }
            Delta::Delivered { notice } => self.notices.settle(notice, NoticeState::Delivered),
            Delta::Dropped { notice } => self.notices.settle(notice, NoticeState::Dropped),
        }
    }

    fn rule_mut(&mut self, rule: &str) -> &mut RuleUses {
        if !self.rules.contains_key(rule) {
            self.rules.insert(rule.to_owned(), RuleUses::default());
        }
        self.rules.entry(rule.to_owned()).or_default()
    }

    fn act(&mut self, act: &Act) {
        match act {
            Act::Granted { approval, .. } => self.approvals.answer(approval, ApprovalState::Granted, None),
            Act::Denied { approval, words, .. } => {
                self.approvals.answer(approval, ApprovalState::Denied, words.as_ref());
            }
            Act::Taken { approval, .. } => self.approvals.spend(approval),
            Act::TaintCleared { name, .. } => {
                self.taints.remove(name);
            }
            Act::Acknowledged { notice, .. } => self.notices.acknowledge(notice),
            Act::Killed { reason, .. } => self.killed = Some(reason.clone()),
            Act::Resumed { .. } => self.killed = None,
            // What is changed stands elsewhere.
            Act::Changed(_) => {}
        }
    }
}

/// Whether an event ends the turn of the calls before it.
pub(crate) fn settles(hook: Hook, before: Turns, after: Turns) -> bool {
    after.turn != before.turn || matches!(hook, Hook::TurnStart | Hook::QueryStart | Hook::SessionEnd)
}

fn unanswered(call: &OpenCall, names: &Names) -> RecentTool {
    RecentTool {
        name: names.all()[call.tool].as_ref().to_owned(),
        args: call.args.clone(),
        result: Value::Null,
        success: None,
        at_ms: call.at_ms,
        fact: Memo::default(),
    }
}

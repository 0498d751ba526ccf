//! What was decided, without words.

use mentci_authority::{Effect, Permission};
use mentci_expr::Fault;
use smallvec::SmallVec;

use crate::asked::AskedAction;

/// A rule of a [`Program`](crate::Program): its place in source order.
pub type RuleIndex = u32;

/// A decision: what may happen, which rules say so, and what must be written down. The words come later, and only when
/// somebody reads them: [`explain`](crate::explain).
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// Whether the call may run.
    pub permission: Permission,
    /// What it must be told or spared besides: whether a `warn` or a `redact` applied.
    pub obligations: Obligations,
    /// The rules that took part, the deciding one first.
    pub applied: SmallVec<[Applied; 4]>,
    /// The rules that would have taken part, were they enforced.
    pub shadow: SmallVec<[Applied; 2]>,
    /// The rules that acted, in the order of their actions.
    pub fired: SmallVec<[RuleIndex; 4]>,
    /// The rules that would have acted, had another not come first.
    pub suppressed: SmallVec<[Suppressed; 2]>,
    /// What could not be decided.
    pub faults: Vec<DecidedFault>,
    /// What decided where no rule did.
    pub basis: Basis,
    /// What scripts asked for.
    pub scripted: Vec<Scripted>,
}

impl Decision {
    /// The printed decision: `block`, `approve`, `redact`, `warn` or `allow`, the first that holds.
    pub fn effect(&self) -> Effect {
        match self.permission {
            Permission::Block => Effect::Block,
            Permission::Approve => Effect::Approve,
            Permission::Allow if self.obligations.redact => Effect::Redact,
            Permission::Allow if self.obligations.warn => Effect::Warn,
            Permission::Allow => Effect::Allow,
        }
    }
}

/// What rides on a permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Obligations {
    /// The agent is told.
    pub warn: bool,
    /// Secrets and personal data are taken out.
    pub redact: bool,
}

/// A rule that took part, and what it said: its own effect, or what its fault decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Applied {
    /// The rule.
    pub rule: RuleIndex,
    /// What it said.
    pub effect: Effect,
    /// Whether a fault said it.
    pub by_fault: bool,
}

/// A rule that applied and does nothing. It uses nothing up: neither its `once` nor its rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Suppressed {
    /// The rule.
    pub rule: RuleIndex,
    /// What was used up.
    pub why: Surplus,
}

/// Why a rule that applied does nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surplus {
    /// Enough rules of its document have acted on the event.
    Rules,
    /// Enough automatic calls were made.
    Calls,
    /// A rule before it said `stop`.
    Stopped,
}

/// What the scripts of a rule that acts asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Scripted {
    /// The rule.
    pub rule: RuleIndex,
    /// In the order in which it was asked for, beside the rule's actions.
    pub asked: Vec<AskedAction>,
    /// What is done in place of the rule's own actions; none where these are meant.
    pub instead: Option<Vec<AskedAction>>,
}

/// A rule that could not be decided.
#[derive(Debug, Clone, PartialEq)]
pub struct DecidedFault {
    /// The rule.
    pub rule: RuleIndex,
    /// Why.
    pub fault: Fault,
    /// What was decided instead; none where the rule was left unfired.
    pub decided: Option<Effect>,
}

/// What the permission rests on, where it is not a rule's.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Basis {
    /// A rule's permission, or nothing to decide.
    #[default]
    Rules,
    /// The default of the configuration: no permission rule spoke.
    Default,
    /// The kill switch, with its reason.
    Killed(String),
    /// A tool that no honest agent calls, with its place among the honeypots.
    Honeypot(usize),
    /// A person has allowed this very call: the approval's id.
    Approved(String),
    /// A person has allowed this very call, and it cannot be written down that it ran: the approval's id, and why.
    Unwritten(String, String),
    /// What happened before cannot be read, and why: what would be let through may have been stopped.
    Unread(String),
    /// A person has refused this very call: the approval's id, and why.
    Refused(String, Option<String>),
}

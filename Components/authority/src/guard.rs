//! When a rule applies, beyond its hook and its tools.

use std::sync::Arc;

use mentci_expr::{Expr, Node, UnaryOp};
use mentci_source::Span;
use serde::{Deserialize, Serialize};

use crate::{Effect, ToolMatch};

/// The condition of a rule. Conditions on arguments, session, sender, facts and time are [`Expr`]s, whatever the dialect
/// that they were written in; the rest looks back at the session, and so has forms of its own.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Guard {
    /// Holds.
    #[default]
    Always,
    /// All hold; holds when empty.
    All(Vec<Guard>),
    /// One holds; does not hold when empty.
    Any(Vec<Guard>),
    /// Does not hold.
    Not(Box<Guard>),
    /// The expression is true.
    Expr(Expr),
    /// The steps were taken before.
    Chain(Chain),
    /// The call may **not** be admitted: a prerequisite is missing, or a quota or cool-down is used up.
    Admission(Admission),
    /// A script says so.
    Script(ScriptId),
}

impl Guard {
    /// All of `guards`, flattened: nothing is `Always`, one is itself.
    ///
    /// ```
    /// use mentci_authority::Guard;
    /// assert_eq!(Guard::all([Guard::Always, Guard::Always]), Guard::Always);
    /// ```
    #[must_use]
    pub fn all(guards: impl IntoIterator<Item = Self>) -> Self {
        let mut flat = Vec::new();
        for guard in guards {
            match guard {
                Self::Always => {}
                Self::All(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Self::Always,
            1 => flat.remove(0),
            _ => Self::All(flat),
        }
    }

    /// The guard of an expression: `and`, `or` and `not` around it become [`Guard::All`], [`Guard::Any`] and [`Guard::Not`],
    /// so that a condition written in one expression is the one written as a list of conditions. Only as far as its parts
    /// are true or false: in `not fact("k")` a fact that is not there decides as false, and no guard may be null.
    ///
    /// ```
    /// use mentci_authority::Guard;
    /// let expr = |text: &str| mentci_expr::parse(text).expr.unwrap();
    /// let both = Guard::All(vec![Guard::Expr(expr("turn_index > 1")), Guard::Expr(expr("turn_index < 9"))]);
    /// assert_eq!(Guard::expr(expr("turn_index > 1 and turn_index < 9")), both);
    /// assert_eq!(Guard::expr(expr("true")), Guard::Always);
    /// assert_eq!(Guard::expr(expr("not fact(\"k\")")), Guard::Expr(expr("not fact(\"k\")")));
    /// ```
    #[must_use]
    pub fn expr(expr: Expr) -> Self {
        match expr.node() {
            Node::Bool(true) => Self::Always,
            Node::And(operands) => Self::all(apart(operands, Node::And)),
            Node::Or(operands) => Self::any(apart(operands, Node::Or)),
            Node::Unary(UnaryOp::Not, operand) if operand.is_boolean() => {
                Self::Not(Box::new(Self::expr((**operand).clone())))
            }
            _ => Self::Expr(expr),
        }
    }

    /// The same condition in its normal form: expressions are taken apart as [`Guard::expr`] does, lists in lists are flat,
    /// a list of one is that one, and what is denied twice is not denied. Equal meanings written in different dialects
    /// become equal guards.
    #[must_use]
    pub fn normal(self) -> Self {
        match self {
            Self::Expr(expr) => Self::expr(expr),
            Self::All(inner) => Self::all(inner.into_iter().map(Self::normal)),
            Self::Any(inner) => Self::any(inner.into_iter().map(Self::normal)),
            Self::Not(inner) => match inner.normal() {
                Self::Not(twice) => *twice,
                other => Self::Not(Box::new(other)),
            },
            other => other,
        }
    }

    /// One of `guards`, flattened: one is itself. None never holds.
    #[must_use]
    pub fn any(guards: impl IntoIterator<Item = Self>) -> Self {
        let mut flat = Vec::new();
        for guard in guards {
            match guard {
                Self::Any(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        if flat.len() == 1 { flat.remove(0) } else { Self::Any(flat) }
    }

    /// Every guard of the tree, itself first.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Self)) {
        visit(self);
        match self {
            Self::All(inner) | Self::Any(inner) => inner.iter().for_each(|guard| guard.walk(visit)),
            Self::Not(inner) => inner.walk(visit),
            Self::Always | Self::Expr(_) | Self::Chain(_) | Self::Admission(_) | Self::Script(_) => {}
        }
    }
}

impl Guard {
    /// Every script that it asks.
    pub fn scripts_mut(&mut self) -> Vec<&mut ScriptId> {
        match self {
            Self::All(inner) | Self::Any(inner) => inner.iter_mut().flat_map(Self::scripts_mut).collect(),
            Self::Not(inner) => inner.scripts_mut(),
            Self::Script(script) => vec![script],
            Self::Always | Self::Expr(_) | Self::Chain(_) | Self::Admission(_) => Vec::new(),
        }
    }
}

/// The guards of operands, up to the first that need not be true or false: from there on they stay one expression. The last
/// one is what the guard gives, so that it is asked of it anyway.
fn apart(operands: &[Expr], join: fn(Vec<Expr>) -> Node) -> Vec<Guard> {
    let others = operands.len().saturating_sub(1);
    match operands.iter().take(others).position(|operand| !operand.is_boolean()) {
        None => operands.iter().cloned().map(Guard::expr).collect(),
        Some(at) => {
            let (first, rest) = operands.split_at(at);
            // OK because the first that need not be true or false is among them.
            let (begin, end) = (rest[0].span().start, rest[rest.len() - 1].span().end);
            let rest = Expr::new(join(rest.to_vec()), Span { start: begin, end });
            first.iter().cloned().map(Guard::expr).chain([Guard::Expr(rest)]).collect()
        }
    }
}

/// Calls that were made before, each within its window. The current call is not counted.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Chain {
    /// All of them must have been taken.
    pub steps: Vec<ChainStep>,
    /// In this order; otherwise in any.
    #[serde(default)]
    pub ordered: bool,
}

/// One step of a [`Chain`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ChainStep {
    /// The tools of the call.
    pub tools: ToolMatch,
    /// How far back is looked, in milliseconds.
    pub within_ms: u64,
    /// How many such calls there must be, at least 1.
    pub min_count: u32,
    /// What had been decided about them; empty for anything.
    #[serde(default)]
    pub verdicts: Vec<Effect>,
}

/// What must be so before a tool is admitted: ChatMD's `<policy>`. As a guard it holds when the call may not be admitted.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Admission {
    /// Each of these tools has been executed in this session.
    Requires(Vec<String>),
    /// At most so many admitted calls; reserved at admission.
    Quota(Quota),
    /// So many whole turns lie between two admitted calls.
    Cooldown {
        /// Turns, at least 1.
        turns: u32,
    },
}

/// The most admitted calls of the rule's tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Quota {
    /// Within one turn of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_turn: Option<u32>,
    /// Between two messages of the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_exchange: Option<u32>,
    /// Within the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_session: Option<u32>,
}

/// A script that a rule asks: its file, its limits, and its text once that was read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ScriptId {
    /// Path relative to the file of the rule.
    pub file: String,
    /// The most milliseconds; the default stands when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// The most bytes; the default stands when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// What the file says, so that a rule and its script are kept, packed and replaced together; none before it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Arc<str>>,
}

impl ScriptId {
    /// The least memory that a script may be given, in bytes: 64 KiB. In less no script runs.
    pub const LEAST_MEMORY: u64 = 64 << 10;

    /// The most memory that a script may be given, in bytes: 256 MiB.
    pub const MOST_MEMORY: u64 = 256 << 20;

    /// A script with the default limits, not read yet.
    pub fn new(file: impl Into<String>) -> Self {
        Self { file: file.into(), timeout_ms: None, memory_bytes: None, text: None }
    }
}

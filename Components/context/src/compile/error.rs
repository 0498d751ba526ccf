//! Why a session cannot be compiled.

use std::fmt;

use serde::Serialize;

use crate::SessionEventKind;

/// Why a session cannot be compiled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "error", rename_all = "snake_case")]
pub enum CompileError {
    /// The budget is 0.
    NoBudget,
    /// The configuration names a processor that is not there.
    UnknownProcessor {
        /// What it names.
        name: String,
        /// Those that are there.
        known: Vec<String>,
    },
    /// One message that has to stand is larger than the whole budget.
    MessageTooLarge {
        /// The event.
        event_id: String,
        /// What it is.
        kind: SessionEventKind,
        /// Its tokens, with its frame.
        tokens: u64,
        /// The budget.
        budget: u64,
        /// By how much it is over.
        over_by: u64,
    },
    /// What has to stand does not fit together.
    OverBudget {
        /// The budget.
        budget: u64,
        /// By how much all of it is over.
        over_by: u64,
        /// What has to stand, the largest first.
        what: Vec<OverPart>,
    },
}

/// Something that has to stand in the context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OverPart {
    /// `system prompt`, `tools`, or a kind of event and its id.
    pub part: String,
    /// Its tokens, with its frame.
    pub tokens: u64,
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBudget => f.write_str("a budget of 0 tokens holds nothing"),
            Self::UnknownProcessor { name, known } => {
                let known = known.join("`, `");
                write!(f, "no processor is called `{}`; there are `{known}`", name.escape_debug())
            }
            Self::MessageTooLarge { event_id, kind, tokens, budget, over_by } => write!(
                f,
                "event `{event_id}` ({}) takes {tokens} tokens, {over_by} more than the budget of {budget}",
                kind.name()
            ),
            Self::OverBudget { budget, over_by, what } => {
                write!(f, "what has to stand is {over_by} tokens over the budget of {budget}: ")?;
                for (at, part) in what.iter().take(8).enumerate() {
                    let gap = if at == 0 { "" } else { ", " };
                    write!(f, "{gap}{} {}", part.part, part.tokens)?;
                }
                if what.len() > 8 {
                    write!(f, ", and {} more parts", what.len() - 8)?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for CompileError {}

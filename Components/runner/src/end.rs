//! How a run ended.

use mentci_authority::ModelUsage;
use mentci_source::Finding;
use serde::Serialize;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RunOutcome {
    /// The model answered, and waits for nothing.
    Done,
    /// A bound was reached before the model was done: turns, or one call over and over.
    Limit,
    /// Somebody stopped it.
    Cancelled,
    /// It cannot go on: the model, the disk or the document failed.
    Failed,
}

impl RunOutcome {
    /// 0 done, 1 a bound was reached, 2 it cannot go on, 130 somebody stopped it.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Limit => 1,
            Self::Failed => 2,
            Self::Cancelled => 130,
        }
    }
}

/// How a run ended, and what is to be said of it.
#[derive(Debug, Clone, PartialEq)]
pub struct RunEnd {
    /// How.
    pub outcome: RunOutcome,
    /// Replies of the model in this run.
    pub turns: u64,
    /// Calls that were refused.
    pub denied: u64,
    /// What the model took, as far as its provider told.
    pub usage: ModelUsage,
    /// What was odd; why it failed.
    pub findings: Vec<Finding>,
}

impl RunEnd {
    /// It could not begin.
    pub fn failed(findings: Vec<Finding>) -> Self {
        Self { outcome: RunOutcome::Failed, turns: 0, denied: 0, usage: ModelUsage::default(), findings }
    }
}

/// Why a run cannot go on from here.
#[derive(Debug)]
pub(crate) enum Stop {
    /// It failed, for this reason; the bool says whether a person may try again.
    Failed(Box<Finding>),
    /// Somebody pressed the button.
    Cancelled,
    /// A bound was reached.
    Limit,
    /// What stands in the document is not what would be written now: it stands as it is.
    Diverged,
}

impl From<Finding> for Stop {
    fn from(finding: Finding) -> Self {
        Self::Failed(Box::new(finding))
    }
}

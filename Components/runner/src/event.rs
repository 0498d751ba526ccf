//! What whoever watches a run is told.

use std::collections::BTreeMap;

use mentci_authority::ModelUsage;
use mentci_source::Finding;
use serde::Serialize;

use crate::{Question, RunOutcome};

/// What happened in a run: with `--json`, one line each.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum RunEvent<'a> {
    /// The run begins, or a document of another agent does.
    Start {
        /// The document.
        file: &'a str,
        /// The model.
        model: &'a str,
        /// The tools, by name.
        tools: Vec<String>,
        /// How deep in other agents' runs.
        depth: usize,
    },
    /// A request is sent to the model.
    Request {
        /// The turn, from 1.
        turn: u64,
        /// Its tokens.
        tokens: u64,
        /// The most that it may have.
        budget: u64,
    },
    /// A piece of the model's answer.
    Text {
        /// The piece.
        text: &'a str,
    },
    /// A piece of what it thinks.
    Reasoning {
        /// The piece.
        text: &'a str,
    },
    /// What came of the answer so far is void.
    Again {
        /// Why.
        reason: &'a str,
    },
    /// A block stands in the document.
    Block {
        /// Its element.
        element: &'a str,
        /// Its attributes.
        attributes: BTreeMap<&'a str, &'a str>,
        /// Its text.
        text: &'a str,
    },
    /// A person is asked.
    Asked {
        /// What.
        question: &'a Question,
        /// What was answered.
        granted: bool,
    },
    /// Something failed; the session may go on.
    Failed {
        /// What, and what to do.
        finding: &'a Finding,
    },
    /// Something was odd.
    Finding {
        /// What.
        finding: &'a Finding,
    },
    /// The run is over.
    End {
        /// How.
        outcome: RunOutcome,
        /// The exit code.
        exit: u8,
        /// Replies of the model in this run.
        turns: u64,
        /// Calls that were refused.
        denied: u64,
        /// What the model took.
        usage: ModelUsage,
    },
}

//! What a harness is answered.

use std::fmt::Write;

use mentci_authority::{Effect, Notification, Verdict};
use mentci_host::{HookAnswer, ShownRules};
use serde_json::Value;

use crate::heard::{Heard, Point};
use crate::words::{notices, reasons, warnings, why};

/// What a hook process writes, and how it ends.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reply {
    /// Standard output: empty, or one line of JSON.
    pub stdout: String,
    /// Standard error: notes for people.
    pub stderr: String,
    /// The exit code.
    pub code: u8,
}

impl Reply {
    /// A line of JSON; nothing where there is nothing to be said.
    pub(crate) fn json(value: &Value) -> Self {
        let is_empty = value.as_object().is_some_and(serde_json::Map::is_empty);
        let stdout = if is_empty { String::new() } else { format!("{value}\n") };
        Self { stdout, ..Self::default() }
    }
}

/// Whether a call may be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ruling {
    Allow,
    /// A person is asked, in these words.
    Ask(String),
    Deny(String),
}

/// What came of a hook's events, as one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) ruling: Ruling,
    /// The arguments instead of those that were told.
    pub(crate) args: Option<Value>,
    /// The result instead of the one that was told.
    pub(crate) result: Option<Value>,
    /// What the model is told: the rules, warnings, notifications.
    pub(crate) context: String,
    /// The request that a person answers, where one is asked.
    pub(crate) asked: Option<Asked>,
}

/// A request for approval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) id: String,
    /// Why, without how to answer it.
    pub(crate) why: String,
}

impl Outcome {
    /// What came of it, in at most this many characters of context.
    pub(crate) fn of(heard: &Heard, answer: &HookAnswer, most: usize) -> Self {
        let strictest = answer.verdicts.iter().max_by_key(|verdict| verdict.decision);
        let ruling = strictest.map_or(Ruling::Allow, |verdict| ruling(heard, verdict));
        let changed = |of: fn(&Verdict) -> &Option<Value>| {
            answer.verdicts.iter().rev().find_map(|verdict| of(verdict).clone())
        };
        let (args, result) = (changed(|verdict| &verdict.args), changed(|verdict| &verdict.result));
        let asked = strictest.filter(|_| matches!(ruling, Ruling::Ask(_))).and_then(asked);
        Self { ruling, args, result, context: context(answer, most), asked }
    }
}

fn ruling(heard: &Heard, verdict: &Verdict) -> Ruling {
    let gated = matches!(heard.point, Point::Gate | Point::Prompt);
    match verdict.decision {
        Effect::Approve if gated && heard.can_ask => Ruling::Ask(reasons(verdict)),
        Effect::Block | Effect::Approve if gated => Ruling::Deny(reasons(verdict)),
        _ => Ruling::Allow,
    }
}

fn asked(verdict: &Verdict) -> Option<Asked> {
    Some(Asked { id: verdict.approval.clone()?, why: why(verdict) })
}

/// The rules first, then what is new; what does not fit is counted.
fn context(answer: &HookAnswer, most: usize) -> String {
    let rules = answer.rules.as_ref().map(|ShownRules { text, .. }| text.trim_end());
    let mut text: String = rules.unwrap_or_default().to_owned();
    let all = || answer.earlier.iter().chain(&answer.verdicts);
    let told: Vec<&Notification> = all().flat_map(|verdict| &verdict.notifications).collect();
    let lines = all().flat_map(warnings).chain(notices(&told));
    let mut left_out = 0;
    for line in lines {
        // What is left out must still be said.
        if text.chars().count() + line.chars().count() + 80 > most {
            left_out += 1;
            continue;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&line);
    }
    if left_out > 0 {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n({left_out} more: `policy-engine notifications list --all`)");
    }
    text
}

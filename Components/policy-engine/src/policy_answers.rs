//! The answers of policy as a person reads them.

use std::fmt::Write;

use mentci_host::policy::{
    ApprovalsAnswer, FormatAnswer, LinesAnswer, RuleRow, RuleShown, RulesAnswer, TestsAnswer,
};
use owo_colors::OwoColorize;

use crate::answers::table;
use crate::paint::{count, line, plain};

pub(crate) fn lines(answer: &LinesAnswer) -> String {
    // OK because lines are plain data with string keys.
    let text = |line| serde_json::to_string(line).unwrap_or_default();
    answer.lines.iter().fold(String::new(), |all, line| all + &text(line) + "\n")
}

pub(crate) fn rules(answer: &RulesAnswer) -> String {
    let rows = answer.rules.iter().map(|row| {
        let effect = row.effect.map_or("acts", mentci_authority::Effect::name);
        let says = if row.enabled { effect.to_owned() } else { format!("{effect} (off)") };
        vec![row.rule.clone(), row.hook.name().to_owned(), row.tools.clone(), says, kind(row), row.at.clone()]
    });
    let mut text = table(&["rule", "hook", "tools", "says", "", "place"], rows, &[]);
    let _ = writeln!(text, "{}", count(answer.rules.len(), "rule"));
    for path in &answer.broken {
        let _ = writeln!(text, "{} did not read: none of its rules is here", line(path));
    }
    text
}

fn kind(row: &RuleRow) -> String {
    if row.core { "core".to_owned() } else { row.severity.name().to_owned() }
}

pub(crate) fn rule(answer: &RuleShown) -> String {
    let rule = &answer.shown;
    let mut text = format!("{}\n  {}\n", answer.full_name.bold(), line(&rule.origin.to_string()));
    for words in [&rule.description, &rule.message].into_iter().flatten() {
        let _ = writeln!(text, "  {}", line(words));
    }
    let _ = write!(text, "\n{}", plain(&answer.text));
    text
}

pub(crate) fn tests(answer: &TestsAnswer) -> String {
    let mut text = String::new();
    for test in &answer.tests {
        let Some(failure) = &test.failure else { continue };
        let whose = test.rule.as_ref().map_or_else(String::new, |rule| format!("{rule}: "));
        let _ = writeln!(text, "{} {}: {}{}", "failed".red(), line(&test.at), line(&whose), line(&test.name));
        let _ = writeln!(text, "  {}", line(failure));
    }
    let _ = writeln!(text, "{} passed, {} failed", answer.passed, answer.failed);
    text
}

pub(crate) fn format(answer: &FormatAnswer) -> String {
    let changed = answer.changed.iter().fold(String::new(), |all, path| all + &line(path) + "\n");
    format!("{changed}{} changed, {} unchanged\n", answer.changed.len(), answer.unchanged)
}

pub(crate) fn approvals(answer: &ApprovalsAnswer) -> String {
    if answer.approvals.is_empty() {
        return "nothing is asked\n".to_owned();
    }
    let rows = answer.approvals.iter().map(|row| {
        [&row.id, &row.state, &row.tool, &row.args, &row.rule, &row.expires].map(Clone::clone).to_vec()
    });
    table(&["id", "state", "tool", "arguments", "rule", "expires"], rows, &[])
}

//! The answers of policy as a person reads them.

use std::fmt::Write;

use mentci_host::asker;
use mentci_host::policy::{
    ApprovalsAnswer, FormatAnswer, GuardTrace, Line, LinesAnswer, NotificationsAnswer, PackAnswer, PackState,
    RuleRow, RuleShown, RulesAnswer, ScriptRunAnswer, StopsAnswer, TestsAnswer, TrialAnswer,
};
use owo_colors::OwoColorize;

use crate::answers::table;
use crate::paint::{count, duration, line, plain};

pub(crate) fn lines(answer: &LinesAnswer) -> String {
    let text = |line: &Line| match line {
        Line::Text(text) | Line::Told(text) => text.trim_end().to_owned(),
        // OK because lines are plain data with string keys.
        line => serde_json::to_string(line).unwrap_or_default(),
    };
    answer.lines.iter().fold(String::new(), |all, line| all + &text(line) + "\n")
}

pub(crate) fn rules(answer: &RulesAnswer) -> String {
    let mut text = rule_rows(&answer.rules);
    let _ = writeln!(text, "{}", count(answer.rules.len(), "rule"));
    for path in &answer.broken {
        let _ = writeln!(text, "{} did not read: none of its rules is here", line(path));
    }
    text
}

/// Rules, one a row.
pub(crate) fn rule_rows(rules: &[RuleRow]) -> String {
    let rows = rules.iter().map(|row| {
        let effect = row.effect.map_or("acts", mentci_authority::Effect::name);
        let says = if row.enabled { effect.to_owned() } else { format!("{effect} (off)") };
        vec![row.rule.clone(), row.hook.name().to_owned(), row.tools.clone(), says, kind(row), row.at.clone()]
    });
    table(&["rule", "hook", "tools", "says", "", "place"], rows, &[])
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
    for parameter in &answer.parameters {
        let (name, value) = (line(&parameter.name), line(&parameter.value.to_string()));
        let stated = line(&parameter.stated.to_string());
        let whose = if parameter.is_set {
            format!("yours; the rule says {stated}")
        } else {
            "the rule's own".to_owned()
        };
        let bounds = parameter.bounds.map_or_else(String::new, |bounds| format!(": {bounds}"));
        let _ = writeln!(text, "  {name} = {value} ({whose}){bounds}");
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

pub(crate) fn notifications(answer: &NotificationsAnswer) -> String {
    if answer.notifications.is_empty() {
        return "nothing is to be told\n".to_owned();
    }
    let rows = answer.notifications.iter().map(|row| {
        let (priority, deliver_at) = (row.priority.name(), row.deliver_at.name());
        [&row.id, row.state, priority, deliver_at, &row.rule, &line(&row.message), &row.expires]
            .map(str::to_owned)
            .to_vec()
    });
    table(&["id", "state", "priority", "told at", "rule", "message", "expires"], rows, &[])
}

pub(crate) fn approvals(answer: &ApprovalsAnswer) -> String {
    if answer.approvals.is_empty() {
        return "nothing is asked\n".to_owned();
    }
    let rows = answer.approvals.iter().map(|row| {
        let who = asker(row.caller.as_deref(), row.sender.as_deref()).unwrap_or_default();
        [&row.id, &row.state, &row.tool, &row.args, &row.rule, &who, &row.expires].map(Clone::clone).to_vec()
    });
    table(&["id", "state", "tool", "arguments", "rule", "called by", "expires"], rows, &[])
}

pub(crate) fn stops(answer: &StopsAnswer) -> String {
    if answer.stops.is_empty() {
        return "nothing is stopped\n".to_owned();
    }
    let told = |text: &Option<String>| text.clone().unwrap_or_default();
    let rows = answer.stops.iter().map(|stop| {
        let whose = stop.session.clone().unwrap_or_else(|| "every session".to_owned());
        vec![whose, stop.reason.clone(), told(&stop.by), told(&stop.since)]
    });
    table(&["stopped", "why", "by", "since"], rows, &[])
}

pub(crate) fn trial(answer: &TrialAnswer) -> String {
    let fires = if answer.fires { "fires".green().to_string() } else { "does not fire".yellow().to_string() };
    let mut text = format!("{}  {fires}\n  {}\n", answer.rule.bold(), line(&answer.at));
    let tool = match answer.event.tool_name() {
        "" => String::new(),
        tool => format!(" of {}", line(tool)),
    };
    let _ = writeln!(text, "  tried on {}{tool}", answer.event.hook.name());
    for why in &answer.unasked {
        let _ = writeln!(text, "  not asked: {}", line(why));
    }
    text.push_str("\nits condition\n");
    part(&answer.guard, 1, &mut text);
    if answer.fires {
        let _ = writeln!(text, "\nsays {}", answer.decision.name());
    }
    for action in &answer.actions {
        let _ = writeln!(text, "does {}", line(&json(action)));
    }
    for fault in &answer.faults {
        let _ = writeln!(text, "{} {}", "fault".red(), line(&fault.message));
    }
    let _ = writeln!(text, "\n{}", duration(answer.took_us));
    text
}

/// A part of a condition, with its own parts below.
fn part(guard: &GuardTrace, depth: usize, text: &mut String) {
    let gave = match guard.gave.get("fault").and_then(serde_json::Value::as_str) {
        Some(fault) => format!("fault: {fault}"),
        None => guard.gave.to_string(),
    };
    let _ = writeln!(text, "{:indent$}{}  {}", "", line(&guard.text), line(&gave).bold(), indent = depth * 2);
    guard.parts.iter().for_each(|inner| part(inner, depth + 1, text));
}

fn json(fields: &serde_json::Map<String, serde_json::Value>) -> String {
    serde_json::to_string(fields).unwrap_or_default()
}

pub(crate) fn script_run(answer: &ScriptRunAnswer) -> String {
    let mut text = format!("{}\n", answer.outcome.bold());
    for asked in &answer.asked {
        let _ = writeln!(text, "asked for {}", line(&json(asked)));
    }
    for action in &answer.actions {
        let _ = writeln!(text, "returned {}", line(&json(action)));
    }
    let _ = writeln!(
        text,
        "{}, {}",
        count(usize::try_from(answer.steps).unwrap_or(usize::MAX), "step"),
        duration(answer.took_us)
    );
    text
}

pub(crate) fn pack(answer: &PackAnswer) -> String {
    let path = line(&answer.path);
    let why = answer.why.as_deref().map(|why| format!(": {}", line(why))).unwrap_or_default();
    let mut text = match answer.state {
        PackState::Made => format!("{path} made"),
        PackState::Fresh => format!("{path} is {}", "fresh".green()),
        PackState::Stale => format!("{path} is {}{why}", "stale".yellow()),
        PackState::Damaged => format!("{path} is {}{why}", "no pack of this program".yellow()),
        PackState::Absent => format!("{path}{why}"),
    };
    text.push('\n');
    if matches!(answer.state, PackState::Made | PackState::Fresh | PackState::Stale) {
        let (rules, files) = (count(answer.rules, "rule"), count(answer.files.len(), "file"));
        let _ = write!(text, "{rules} from {files} beside what is shipped, {} bytes", answer.bytes);
        let took = answer.micros.map(|micros| format!(", {}", duration(micros)));
        let _ = writeln!(text, "{}", took.unwrap_or_default());
    }
    if answer.state != PackState::Made {
        for file in &answer.files {
            let _ = writeln!(text, "  {}", line(file));
        }
    }
    text
}

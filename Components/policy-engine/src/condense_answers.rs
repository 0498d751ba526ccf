//! What a model made of the rules, as a person reads it.

use std::fmt::Write;

use mentci_host::{CondenseAnswer, CondensedRow};
use owo_colors::OwoColorize;

use crate::answers::percent;
use crate::paint::{count, line};

/// What came of it, and what it saves.
pub(crate) fn condensed(answer: &CondenseAnswer) -> String {
    // Writing into a string does not fail.
    let mut text = String::new();
    for row in &answer.lines {
        text.push_str(&verdict(row));
    }
    let mut what = vec![format!("{} shorter", count(answer.accepted, "line"))];
    let mut add = |number: usize, words: &str| what.extend((number > 0).then(|| format!("{number} {words}")));
    add(answer.unchanged, "as they were");
    add(answer.refused, "refused");
    add(answer.withheld, "withheld");
    add(answer.unanswered, "unanswered");
    let _ = writeln!(text, "condensed: {}", what.join(", "));
    let _ = writeln!(
        text,
        "tokens of all skills {}, of the workspace {}{}",
        saved(answer.skills_plain, answer.skills),
        saved(answer.workspace_plain, answer.workspace),
        // Its budget is filled up: what its lines save, others take.
        if answer.workspace > answer.workspace_plain { ", which has room for more of the law" } else { "" }
    );
    let _ = writeln!(text, "{}", spent(answer));
    text
}

fn saved(plain: usize, now: usize) -> String {
    format!("{plain} -> {now} ({})", percent(now, plain))
}

/// How much was sent, in tokens of the law.
fn spent(answer: &CondenseAnswer) -> String {
    if answer.calls == 0 {
        return "nothing was asked".to_owned();
    }
    let model = answer.model.as_deref().map(line).unwrap_or_default();
    let failed =
        if answer.failed_calls > 0 { format!(", {} failed", answer.failed_calls) } else { String::new() };
    let lost = if answer.lost > 0 { format!(", at most {} lost", answer.lost) } else { String::new() };
    let (calls, sent) = (count(answer.calls, "request"), sent(answer));
    format!("{calls} to {model}{failed}: {sent}, {} answered{lost}", answer.answered)
}

/// What was sent, and how often the law's own tokens that is, where something came of it.
fn sent(answer: &CondenseAnswer) -> String {
    let (sent, law) = (answer.prompt_tokens, answer.law_tokens);
    if law == 0 {
        return format!("{sent} tokens sent");
    }
    #[expect(clippy::cast_precision_loss, reason = "token counts lie far below 2^53")]
    let times = sent as f64 / law as f64;
    format!("{sent} tokens sent for {law} of law ({times:.1} times)")
}

fn verdict(row: &CondensedRow) -> String {
    let mut text = format!("\n{} {}\n", row.rule.to_string().bold(), line(&row.verdict));
    let source = row.source.as_deref().map(line).unwrap_or_default();
    let place = row.place.as_deref().map(line).unwrap_or_default();
    let mut add = |name: &str, words: &str| {
        let _ = writeln!(text, "  {name:8}{words}");
    };
    add("law", &format!("{source}  ({place})"));
    add("plain", &line(&row.deterministic));
    add("model", &row.line.as_deref().map_or_else(|| "-".to_owned(), line));
    text
}

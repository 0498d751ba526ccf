//! How much of the law the digests still say, as a person reads it.

use std::fmt::Write;

use mentci_host::{EvalAnswer, EvalLoss, EvalRow, EvalShare};
use owo_colors::OwoColorize;

use crate::answers::{percent, table};
use crate::paint::{count, line};

/// A table, both digests side by side.
pub(crate) fn evaluated(answer: &EvalAnswer) -> String {
    let cells = answer.rows.iter().map(cells);
    let tokens = answer.tokens.iter().map(|tokens| {
        let ratio = format!("{} ({})", tokens.condensed, percent(tokens.condensed, tokens.deterministic));
        vec![tokens.of.clone(), "tokens".to_owned(), tokens.deterministic.to_string(), ratio]
    });
    let mut text = table(&["of", "measure", "deterministic", "condensed"], cells.chain(tokens), &[2, 3]);
    // Writing into a string does not fail.
    let _ = match &answer.judge {
        Some(judge) => writeln!(
            text,
            "{}, judged by {} in {}; 95% intervals in brackets",
            count(answer.norms, "norm"),
            line(judge),
            count(answer.calls, "request")
        ),
        None => writeln!(
            text,
            "{}; 95% intervals in brackets; `--judge` asks a model, too",
            count(answer.norms, "norm")
        ),
    };
    text.push_str(&lost(answer));
    text
}

/// Each norm that is not said as the law says it, with the line that stands.
fn lost(answer: &EvalAnswer) -> String {
    let mut text: String = answer.lost.iter().map(loss).collect();
    let _ = match (answer.lost.len(), answer.failing) {
        (0, _) => Ok(()),
        (_, 0) => writeln!(text, "\nnone of these fails `--strict`"),
        (_, 1) => writeln!(text, "\n1 of these fails `--strict`"),
        (_, failing) => writeln!(text, "\n{failing} of these fail `--strict`"),
    };
    text
}

/// `release-4 polarity  skills, condensed  norm 0123456789abcdef  .pi/skills/release/SKILL.md:12`, with the law and the line.
fn loss(loss: &EvalLoss) -> String {
    let rule = loss.rule.as_ref().map_or_else(|| "no line".to_owned(), ToString::to_string);
    let detail = if loss.detail.is_empty() { String::new() } else { format!(": {}", line(&loss.detail)) };
    let place = loss.place.as_deref().map(line).unwrap_or_default();
    let norm = loss.norm.as_str();
    let head = format!("{}{detail}  {}, {}  norm {norm}  {place}", loss.what, loss.of, loss.digest);
    let mut text = format!("\n{} {head}\n  law     {}\n", rule.bold(), line(&loss.law));
    if let Some(stands) = &loss.line {
        let _ = writeln!(text, "  line    {}", line(stands));
    }
    text
}

fn cells(row: &EvalRow) -> Vec<String> {
    vec![row.of.clone(), row.measure.clone(), share(&row.deterministic), share(&row.condensed)]
}

/// `19 of 20, 95% (76-99)`.
fn share(share: &EvalShare) -> String {
    if share.of == 0 {
        return "-".to_owned();
    }
    let bound = |share: f64| format!("{:.0}", share * 100.0);
    let (low, high) = (bound(share.low), bound(share.high));
    format!("{} of {}, {} ({low}-{high})", share.hits, share.of, percent(share.hits, share.of))
}

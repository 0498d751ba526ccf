//! How much of the law the digests still say, as a person reads it.

use std::fmt::Write;

use mentci_host::{EvalAnswer, EvalRow, EvalShare};

use crate::answers::{percent, table};
use crate::paint::{count, line};

/// A table, both digests side by side.
pub(crate) fn evaluated(answer: &EvalAnswer) -> String {
    let cells = answer.rows.iter().map(cells);
    let tokens = answer.tokens.iter().map(|tokens| {
        let ratio = format!("{} ({})", tokens.condensed, percent(tokens.condensed, tokens.deterministic));
        vec![tokens.of.clone(), "tokens".to_owned(), tokens.deterministic.to_string(), ratio]
    });
    let mut text = table(&["of", "measure", "deterministic", "as it is"], cells.chain(tokens), &[2, 3]);
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

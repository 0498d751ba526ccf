//! Colours, and text from elsewhere made harmless.

use std::io::Write;

use mentci_host::{Outcome, Response};
use mentci_source::{Code, Finding, Severity};
use owo_colors::OwoColorize;

use crate::output;
use crate::surroundings::asks_json;

/// Text from a file or an agent, for a terminal: control characters but tab and line break show as `\u{FFFD}`, so that no
/// file can move the cursor or recolour what follows.
pub(crate) fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && !matches!(c, '\n' | '\t') { '\u{FFFD}' } else { c }).collect()
}

/// `plain`, on one line.
pub(crate) fn line(text: &str) -> String {
    plain(text).replace(['\n', '\t'], " ")
}

/// The severity's name in its colour.
pub(crate) fn severity(severity: Severity, text: &str) -> String {
    match severity {
        Severity::Note => text.cyan().bold().to_string(),
        Severity::Warning => text.yellow().bold().to_string(),
        Severity::Error => text.red().bold().to_string(),
    }
}

/// `1 rule`, `2 rules`.
pub(crate) fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// `4.2 ms`, `1.3 s`.
pub(crate) fn duration(micros: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a duration to one digit")]
    let ms = micros as f64 / 1_000.0;
    if ms < 1_000.0 { format!("{ms:.1} ms") } else { format!("{:.1} s", ms / 1_000.0) }
}

/// A refusal before there is a workspace to ask; in JSON as every other refusal is.
pub(crate) fn refuse(message: &str, help: &str) -> Outcome {
    if asks_json() {
        let finding = Finding::new(Code::USAGE, message).help(help);
        if let Ok(text) = serde_json::to_string_pretty(&Response::bad([finding])) {
            output::line(&text);
        }
        return Outcome::Bad;
    }
    let head = severity(Severity::Error, "error");
    let _ = writeln!(anstream::stderr(), "{head}: {}\n  = help: {help}", line(message));
    Outcome::Bad
}

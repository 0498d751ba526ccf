//! The shape of a line: one line of plain text that poses as nothing else.

use mentci_authority::near_harness_tag;
use mentci_source::{is_hidden, is_invisible};

use super::{Refusal, RefusalReason as Reason};

/// Signs that say in one character what the law says in words.
const SIGNS: &[char] = &['≥', '≤', '≠', '→', '—', '–', '×'];
/// Pieces of markup that mean something to whoever shows a digest.
const MARKUP: &[&str] = &[
    "**", "__", "~~", "```", "](", "<!--", "-->", "</", "/>", "<|", "|>", "&lt;", "&gt;", "&#", "\\n", "\\u",
    "||",
];
/// What begins or ends other parts of a digest.
const FRAMES: &[&str] = &["EXCEPT", "(unreviewed)", "Absolute Rules", "format=", "seal="];

/// Refuses what is no plain line, or poses as something else than the line of `original`.
pub(super) fn check(original: &str, line: &str) -> Result<(), Refusal> {
    if line.trim().is_empty() {
        return Err(Refusal::of(Reason::Empty));
    }
    if line.contains(['\n', '\r', '\u{2028}', '\u{2029}', '\u{85}', '\u{b}', '\u{c}']) {
        return Err(Refusal::of(Reason::Lines));
    }
    if let Some(odd) = line.chars().find(|&c| is_unseen(c)) {
        return Err(Refusal::with(Reason::Control, format!("`{}`", odd.escape_unicode())));
    }
    if let Some(tag) = near_harness_tag(line) {
        return Err(Refusal::with(Reason::Tag, format!("`{tag}`")));
    }
    if let Some(mark) = MARKUP.iter().find(|mark| line.contains(**mark) && !original.contains(**mark)) {
        return Err(Refusal::with(Reason::Markup, format!("`{mark}`")));
    }
    if line.trim() != line || line.contains("  ") {
        return Err(Refusal::with(Reason::Frame, "white space"));
    }
    frame(original, line)?;
    if let Some(odd) = line.chars().find(|&c| !is_known(c, original)) {
        return Err(Refusal::with(Reason::Foreign, format!("`{odd}`")));
    }
    Ok(())
}

/// A line that begins as a heading, a bullet or the number of another rule, or holds the words around lessons.
fn frame(original: &str, line: &str) -> Result<(), Refusal> {
    let first = |text: &str| text.chars().next().unwrap_or(' ');
    let (here, there) = (first(line), first(original));
    let begins = !(here.is_alphanumeric() || "`\"“'(./<[~≥≤$@".contains(here)) && here != there;
    let numbered = here.is_ascii_digit() && !there.is_ascii_digit();
    if begins || numbered {
        let head: String = line.chars().take(12).collect();
        return Err(Refusal::with(Reason::Frame, format!("it begins with `{}`", head.trim())));
    }
    match FRAMES.iter().find(|frame| line.matches(**frame).count() > original.matches(**frame).count()) {
        Some(frame) => Err(Refusal::with(Reason::Frame, format!("`{frame}`"))),
        None => Ok(()),
    }
}

fn is_unseen(c: char) -> bool {
    is_hidden(c) || is_invisible(c) || (c.is_whitespace() && c != ' ')
}

/// Characters of the law, ASCII, and a few signs: no letter that only looks like another one.
fn is_known(c: char, original: &str) -> bool {
    (' '..='~').contains(&c) || SIGNS.contains(&c) || original.contains(c)
}

//! What a remark behind a line of code says of that line: that it is wrong, what is done in its place, or what must be so of it.

use mentci_authority::{Force, Level};
use mentci_reader::markdown::RichText;

use super::draft::{Book, Draft};
use super::fence::command_draft;
use super::setting::Setting;
use super::speech::comment::Comment;
use super::speech::judgement::{bare_verdict, judgement_behind, verdict};
use super::speech::mood::{Mood, mood_of};
use super::speech::prose::Prose;

/// A longer line of code under a comment is left out.
pub(super) const LONGEST_CODE: usize = 100;

/// More code under a comment that judges it is left out.
pub(super) const MOST_SHOWN: usize = 80;

/// `no lock — use one writer`, `use one writer` behind a bad line: what is wrong with it, and what is done in its place.
pub(super) fn remedied_behind(remark: &str) -> Option<(&str, &str)> {
    const MENDING: &[&str] =
        &["use", "prefer", "call", "pass", "wrap", "replace", "move", "extract", "inject", "return", "throw"];
    let mends = |said: &str| {
        let (first, rest) = said.split_once(' ').unwrap_or((said, ""));
        MENDING.contains(&first.to_lowercase().as_str()) && !rest.is_empty()
    };
    let remark = remark.trim_end_matches(['.', ' ']);
    let remark = remark.strip_suffix(" instead").unwrap_or(remark);
    let parted = [" — ", " – ", " - ", "; ", ", "].iter().find_map(|mark| {
        remark.rsplit_once(mark).filter(|(_, behind)| mends(behind.trim_start_matches("instead ")))
    });
    parted.or_else(|| mends(remark).then_some(("", remark)))
}

/// States that such a line is not written, and what is done in its place.
pub(super) fn mended_line(
    book: &mut Book<'_>,
    comment: &Comment,
    (fault, remedy): (&str, &str),
    code: &str,
    here: &Setting,
) {
    if code.len() <= LONGEST_CODE {
        let why = if fault.is_empty() { String::new() } else { format!(" ({fault})") };
        state(book, comment, format!("NEVER `{code}`{why}"), (Level::MustNot, vec![code.to_owned()]), here);
    }
    mend(book, comment, code, remedy, here);
}

/// `eval(line)  // NEVER`, `open(path)  # Bad: no lock`: a line of code that a remark behind it judges, by the name of the comment above it.
pub(super) fn judged_line(
    book: &mut Book<'_>,
    (comment, rich): (&Comment, &RichText),
    (found, at): (&[Comment], usize),
    here: &Setting,
) -> bool {
    const LONGEST: usize = 5;
    let Some(code) = comment.beside.as_ref().filter(|_| comment.trails) else { return false };
    let sides = || found.iter().any(|other| other.rich().as_str().trim().eq_ignore_ascii_case("left"));
    let judged = judgement_behind(rich.as_str())
        .filter(|_| !rich.as_str().trim().eq_ignore_ascii_case("right") || !sides());
    let counter = || is_counter_example(found, rich).then(|| (Level::MustNot, rich.as_str().trim()));
    let Some((level, why)) = judged.or_else(counter) else { return false };
    let head = found[..at].iter().rev().find(|other| !other.trails).map(Comment::rich);
    let named = head.map(|head| {
        let name =
            head.as_str().trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' '));
        (name.to_owned(), verdict(name).is_some() || bare_verdict(name).is_some())
    });
    let name = named.filter(|(name, judged)| {
        let prose = RichText::plain(name, comment.span());
        let words = name.split_whitespace().count();
        let bare = mood_of(&Prose::new(&prose).words).mood == Mood::Fragment && words <= LONGEST;
        !judged && level.is_prohibition() && bare
    });
    let name = name.map(|(name, _)| format!("{name}: ")).unwrap_or_default();
    let mark = if level.is_prohibition() { "NEVER " } else { "GOOD: " };
    let why = if why.is_empty() { String::new() } else { format!(" ({why})") };
    let text = format!("{name}{mark}`{code}`{why}");
    state(book, comment, text, (level, vec![code.clone()]), here);
    true
}

/// `too vague`, `wrong case` behind one line where another is `Good`: why this one is not.
fn is_counter_example(found: &[Comment], remark: &RichText) -> bool {
    const LONGEST: usize = 4;
    const FAULTS: &[&str] = &[
        "too",
        "no",
        "not",
        "missing",
        "wrong",
        "mixed",
        "lacks",
        "vague",
        "generic",
        "unclear",
        "ambiguous",
        "unsafe",
        "inconsistent",
        "invalid",
        "incorrect",
        "incomplete",
        "unreadable",
        "meaningless",
    ];
    let good = |other: &Comment| {
        other.trails && matches!(judgement_behind(other.rich().as_str()), Some((Level::Must, "")))
    };
    let short = (1..=LONGEST).contains(&remark.as_str().split_whitespace().count());
    let lower = remark.as_str().trim().to_lowercase();
    let faulty = lower.split(' ').next().is_some_and(|first| FAULTS.contains(&first));
    short && faulty && found.iter().any(good)
}

/// `row(now)  // Don't do this`: bans the line itself; false for any other remark.
pub(super) fn banned_line(book: &mut Book<'_>, comment: &Comment, remark: &str, here: &Setting) -> bool {
    let Some(code) = comment.beside.as_ref().filter(|_| comment.trails && bans_line(remark)) else {
        return false;
    };
    let code = code.trim_end_matches([',', ' ']).to_owned();
    state(book, comment, format!("NEVER `{code}`"), (Level::MustNot, vec![code]), here);
    true
}

/// `` `sail(now)`, NOT row(now) `` of `sail(now) // NOT row(now)`: a line, and what would be wrong in its place; false for any other remark.
pub(super) fn instead_of(book: &mut Book<'_>, comment: &Comment, remark: &str, here: &Setting) -> bool {
    let wrong =
        remark.strip_prefix("NOT ").filter(|wrong| wrong.contains(['(', '.', '=']) && !wrong.contains(' '));
    let Some((code, wrong)) = comment.beside.as_ref().filter(|_| comment.trails).zip(wrong) else {
        return false;
    };
    let code = code.trim_end_matches([',', ';', ' ']).to_owned();
    state(book, comment, format!("`{code}`, NOT {wrong}"), (Level::Must, vec![code]), here);
    true
}

/// `Don't do this` behind a line.
fn bans_line(remark: &str) -> bool {
    let lower = remark.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase();
    matches!(
        &lower[..],
        "don't"
            | "don't do this"
            | "do not do this"
            | "never do this"
            | "not this"
            | "avoid this"
            | "don't do that"
    )
}

/// `` NEVER `open(log)` (no lock) `` of `open(log)  // ❌ no lock`: a verdict behind a line is about that line.
pub(super) fn of_line(comment: &Comment, level: Level, said: String) -> (String, Vec<String>) {
    const LONGEST: usize = 80;
    let Some(code) = comment.beside.as_ref().filter(|code| comment.trails && code.len() <= LONGEST) else {
        return (said, Vec::new());
    };
    let why = said.strip_prefix("NEVER ").unwrap_or(&said);
    let mark = if level.is_prohibition() { "NEVER " } else { "" };
    let code = code.trim_end_matches([',', ' ']);
    (format!("{mark}`{code}` ({why})"), vec![code.to_owned()])
}

/// `reset()  // Don't count the making`, `...base,  // MUST be last`: the line is how that is done, or what it is said of.
pub(super) fn said_of_line(draft: &mut Draft, comment: &Comment, prose: &Prose<'_>) {
    const FORCES: &[&str] = &["must", "should", "may", "can", "cannot", "required"];
    let subjectless = prose.words.first().is_some_and(|first| first.any(FORCES));
    let Some(code) = comment.beside.as_ref().filter(|code| code.len() <= MOST_SHOWN) else { return };
    if draft.level.is_prohibition() || subjectless {
        draft.text = format!("`{}`: {}", code.trim_end_matches(','), draft.text);
        draft.literals.push(code.clone());
    }
}

/// Adds what a comment says.
pub(super) fn state(
    book: &mut Book<'_>,
    comment: &Comment,
    text: String,
    (level, literals): (Level, Vec<String>),
    here: &Setting,
) {
    let span = comment.span();
    let draft = command_draft(text, level, literals, (span, span), here);
    book.add(Draft { force: Force::Explicit, spans: vec![span], completions: 0, ..draft });
}

/// States what is done in place of a line.
pub(super) fn mend(book: &mut Book<'_>, comment: &Comment, code: &str, remedy: &str, here: &Setting) {
    if code.len() <= LONGEST_CODE {
        let text = format!("Instead of `{code}`: {remedy}");
        state(book, comment, text, (Level::Must, vec![code.to_owned()]), here);
    } else {
        state(book, comment, remedy.to_owned(), (Level::Must, Vec::new()), here);
    }
}

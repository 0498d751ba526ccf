//! What a cell of a table says by itself: whether it orders, asks, refuses, or only names.

use std::ops::Range;

use mentci_authority::{Force, Level};

use super::clause::{Clause, clauses};
use super::column::Column;
use super::lexicon::{is_nounish, is_verb};
use super::mood::{Mood, mood_of};
use super::prose::Prose;
use super::sentence::split_sentences;
use super::verdict::answer;
use super::word::{Word, WordKind};

/// Whether a cell holds nothing but code: the name of a part.
pub(crate) fn is_code(prose: &Prose<'_>) -> bool {
    prose.words.iter().all(|word| matches!(word.kind, WordKind::Code | WordKind::Mark))
}

/// Whether a cell orders, be it behind a dash.
pub(crate) fn orders(prose: &Prose<'_>) -> bool {
    let behind_dash = || {
        clauses(&prose.words, 0..prose.words.len())
            .iter()
            .any(|clause| matches!(clause.mood, Mood::Order(..)))
    };
    !prose.words.is_empty() && (matches!(mood_of(&prose.words).mood, Mood::Order(..)) || behind_dash())
}

/// Whether a cell may say what to do: it is no answer, no sample and no reason.
pub(crate) fn acting(prose: &Prose<'_>, column: Column) -> bool {
    acts_in(column) && answer(prose).is_none()
}

pub(crate) fn acts_in(column: Column) -> bool {
    !matches!(column, Column::Telling | Column::Example)
}

/// The clauses of a cell that forbid, with their levels.
pub(crate) fn refusals(prose: &Prose<'_>) -> Vec<(Range<usize>, Level)> {
    let forbidding = |clause: Clause| match clause.mood {
        Mood::Order(level, _) if level.is_prohibition() => Some((clause.words, level)),
        _ => None,
    };
    each_clause(prose).filter_map(forbidding).collect()
}

/// Whether a clause of a cell orders something, and does not forbid it.
pub(crate) fn asks_something(prose: &Prose<'_>) -> bool {
    each_clause(prose).any(|clause| matches!(clause.mood, Mood::Order(level, _) if !level.is_prohibition()))
}

pub(crate) fn each_clause(prose: &Prose<'_>) -> impl Iterator<Item = Clause> {
    split_sentences(&prose.words).into_iter().flat_map(|sentence| clauses(&prose.words, sentence))
}

/// `` `--dry-run` | Skip all writes ``, `GET | Get the list`: the row says what a part of a tool is or does.
pub(crate) fn names_part(cells: &[(Prose<'_>, Column, &str)]) -> bool {
    let Some((first, ..)) = cells.first() else { return false };
    // `503 | Harbour closed; try again at noon`
    let code = first.text.as_str().trim();
    if code.len() == 3 && code.starts_with(['4', '5']) && code.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let named = |word: &Word| {
        matches!(word.kind, WordKind::Code | WordKind::Mark)
            || word.shouted && word.any(METHODS)
            || word.any(&["or", "and"])
    };
    first.words.iter().all(named) && first.words.iter().any(|word| word.kind != WordKind::Mark)
}

/// `Ignored; must not be set by hand`: it binds in so many words, and not as what something is meant for (`IDs that must never be used`).
pub(crate) fn binds_outright(prose: &Prose<'_>) -> bool {
    const BINDING: &[&str] = &["must", "never", "don't", "cannot", "not"];
    let binds = |clause: Clause| {
        let words = &prose.words[clause.words];
        let at = words.iter().position(|word| word.any(BINDING));
        let narrowed = |at: usize| words[..at].iter().any(|word| word.any(&["that", "which", "who"]));
        matches!(clause.mood, Mood::Order(_, Force::Explicit)) && at.is_some_and(|at| !narrowed(at))
    };
    // `Intercept GET requests`
    let method = |word: &Word| word.any(METHODS);
    each_clause(prose).any(binds)
        || prose.words.iter().any(|word| word.shouted && is_verb(&word.lower) && !method(word))
}

/// Whether a cell orders; `Root → address` and `Free (two seats)` only name.
pub(crate) fn orders_in_cell(prose: &Prose<'_>) -> bool {
    let words = &prose.words;
    let arrow = words.iter().position(|word| word.mark("→"));
    let leads = |at: usize| matches!(mood_of(&words[at + 1..]).mood, Mood::Order(..));
    let bracketed = words.len() > 1 && is_nounish(&words[0].lower) && words[1].lower == "(";
    orders(prose) && !bracketed && arrow.is_none_or(|at| at + 1 < words.len() && leads(at))
}

/// `Prefer oars over sails | They are quiet` under `Practice | Why`.
pub(crate) fn practises(cells: &[(Prose<'_>, Column, &str)]) -> bool {
    const NAMES: &[&str] = &["practice", "best practice", "idiom", "principle", "tip", "do", "advice"];
    cells.first().is_some_and(|(prose, _, name)| {
        NAMES.contains(&name.trim().to_lowercase().as_str()) && prose.words.len() > 1 && orders_in_cell(prose)
    })
}

/// `Never run rm`, `You must run make` in the first cell.
pub(crate) fn commands(prose: &Prose<'_>) -> bool {
    let binds =
        matches!(mood_of(&prose.words).mood, Mood::Order(level, Force::Explicit) if level != Level::May);
    binds
        && prose.words.len() > 2
        && prose.words.iter().any(|word| word.any(&["never", "must", "don't", "not", "always"]))
}

pub(crate) fn prohibition(prose: &Prose<'_>) -> Option<Level> {
    match mood_of(&prose.words).mood {
        Mood::Order(level, Force::Explicit) if level.is_prohibition() && !is_lone_no(prose) => Some(level),
        _ => None,
    }
}

/// `no`: an answer. `No unwrap in library code` is a rule.
fn is_lone_no(prose: &Prose<'_>) -> bool {
    prose.words[0].is("no") && !(prose.words[0].capital && prose.words.len() > 3)
}

/// What is asked of a server.
const METHODS: &[&str] = &["get", "post", "put", "patch", "delete", "head", "options"];

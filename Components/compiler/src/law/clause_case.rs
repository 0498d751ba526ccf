//! The case of a clause that says none itself: what the clauses in front of it say of when it holds.

use std::ops::Range;

use super::chain::negated;
use super::composed::both;
use super::speech::prose::Prose;
use super::speech::word::WordKind;

/// The case of a clause behind others that says none itself: that of the sentence, and the nearest in front of a dash.
pub(super) fn case_behind(
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    clause: &Range<usize>,
    leading: Option<&Range<usize>>,
) -> Option<String> {
    let said = |words: Range<usize>| prose.condensed(words);
    let leading = leading.cloned().map(said);
    let apart = |case: &String| !leading.as_ref().is_some_and(|known| known.eq_ignore_ascii_case(case));
    let nearest = nearest_case(prose, sentence, clause).map(said).filter(apart);
    branches(prose, sentence, clause).or_else(|| both(leading, nearest))
}

/// `…; otherwise never use either`: the conditions before it, none of which may hold.
fn branches(prose: &Prose<'_>, sentence: &Range<usize>, clause: &Range<usize>) -> Option<String> {
    let words = &prose.words;
    let opens = clause.clone().find(|&at| words[at].kind != WordKind::Mark)?;
    let otherwise = words[opens].is("otherwise")
        || words[opens].is("else") && !words.get(opens + 1).is_some_and(|word| word.is("if"));
    let mut conditions = Vec::new();
    for at in (sentence.start..clause.start).filter(|&at| otherwise && words[at].is("if")) {
        let comma = (at..clause.start).find(|&at| words[at].mark(","))?;
        conditions.push(prose.condensed(at + 1..comma));
    }
    if !conditions.is_empty() {
        return Some(format!("Unless {}", conditions.join(" or ")));
    }
    // `In harbour, never anchor; otherwise anchor`.
    let case = first_case(prose, sentence, clause).filter(|_| otherwise)?;
    Some(negated(&prose.condensed(case)))
}

/// The case that a sentence opens with, up to its comma, or to the word that denies.
fn first_case(prose: &Prose<'_>, sentence: &Range<usize>, clause: &Range<usize>) -> Option<Range<usize>> {
    const OPENING: &[&str] = &[
        "when", "whenever", "while", "unless", "without", "with", "until", "once", "in", "on", "at",
        "during", "under", "inside", "within", "outside", "for", "after", "before",
    ];
    let words = &prose.words;
    let start = (sentence.start..clause.start).find(|&at| words[at].kind != WordKind::Mark)?;
    let ends = |at: &usize| words[*at].mark(",") || words[*at].any(&["do", "don't", "never"]);
    let end = (start + 1..clause.start).find(ends)?;
    (words[start].any(OPENING) && end > start + 1).then_some(start..end)
}

/// `if the mate declines` of `When it is dark, ask: if the mate declines, stop — do not sail`: the last case in front of a clause behind a dash.
fn nearest_case(prose: &Prose<'_>, sentence: &Range<usize>, clause: &Range<usize>) -> Option<Range<usize>> {
    let words = &prose.words;
    let dash = clause.start.checked_sub(1).filter(|&at| words[at].mark("—"))?;
    let opens = |at: &usize| words[*at].any(&["if", "when"]) && words[at - 1].mark(":");
    let opener = (sentence.start + 1..dash).rfind(opens)?;
    let comma = (opener..dash).find(|&at| words[at].mark(","))?;
    let parted = (comma..dash).any(|at| words[at].mark(";") || words[at].mark(":"));
    (!parted).then_some(opener..comma)
}

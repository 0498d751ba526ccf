//! Sentences and sections of their own that say how far the rules above them hold.

use std::ops::Range;

use mentci_authority::{Force, Level};

use super::composed::draft_of;
use super::draft::Book;
use super::forbidden::REACTIONS;
use super::forms::Placed;
use super::setting::Setting;
use super::speech::mood::{Mood, asks, mood_of};
use super::speech::prose::Prose;
use super::speech::word::{Word, WordKind, may_hold};

/// What a sentence says of the rules before it.
#[derive(Debug, PartialEq, Eq)]
enum Reach {
    /// They do not hold for these words: `This rule does not hold for YAML`, `Bots are exempt from this`.
    Except(Range<usize>),
    /// They hold only so far: `All of this applies to production only`.
    Only,
}

/// Words that only point at the rules before.
const POINTING: &[&str] = &[
    "this",
    "that",
    "it",
    "these",
    "those",
    "they",
    "the",
    "above",
    "of",
    "all",
    "none",
    "neither",
    "rule",
    "rules",
    "section",
    "both",
    "limit",
    "limits",
    "restriction",
    "restrictions",
    "ban",
    "bans",
    "requirement",
    "requirements",
    "policy",
    "guideline",
    "guidelines",
    "does",
    "do",
    "not",
    "doesn't",
    "don't",
    "only",
    "also",
    "same",
    "mentioned",
];
/// Of these, the words that speak of several rules.
const SEVERAL: &[&str] = &[
    "these",
    "those",
    "they",
    "above",
    "all",
    "none",
    "rules",
    "section",
    "both",
    "limits",
    "restrictions",
    "requirements",
    "guidelines",
];

/// Joins a sentence that says how far rules hold to the rule before it; a norm of its own where it speaks of several. False
/// when it says no such thing.
pub(super) fn scopes(book: &mut Book<'_>, at: Placed<'_, '_>) -> bool {
    let Placed { prose, sentence, here, .. } = at;
    let Some((reach, several)) = reach(&prose.words, sentence) else { return false };
    let under = book.drafts.iter().filter(|draft| draft.heading == here.heading).count();
    let (span, literals) = (prose.span(sentence), prose.literals(sentence.clone()));
    let joins = under == 1 || under > 1 && !several;
    match &reach {
        Reach::Except(words)
            if joins && book.except(&prose.lowered(words.clone()), span, literals.clone(), here) =>
        {
            return true;
        }
        Reach::Only if joins && book.drafts.last().is_some_and(|last| last.heading == here.heading) => {
            book.go_on(&prose.condensed(sentence.clone()), span, literals);
            return true;
        }
        _ => {}
    }
    let own = prose.condensed(sentence.clone());
    let text = match here.heading.map(|heading| &book.headings[heading].text) {
        Some(heading) => format!("{}: {own}", heading.trim_end_matches([':', '.', ' '])),
        None => own,
    };
    let draft = draft_of(prose, sentence.clone(), text, (Level::Must, Force::Explicit), here, sentence);
    book.add(draft);
    true
}

/// What a sentence says of the rules before it, and whether it speaks of several.
fn reach(words: &[Word], sentence: &Range<usize>) -> Option<(Reach, bool)> {
    if asks(&words[sentence.clone()]) {
        return None;
    }
    let start = sentence.clone().find(|&at| {
        words[at].kind != WordKind::Mark && !words[at].any(&["however", "but", "though", "note"])
    })?;
    let end = (start..sentence.end).rev().find(|&at| words[at].kind != WordKind::Mark)? + 1;
    applies(words, start..end).or_else(|| exempt(words, start..end))
}

/// Verbs that say how far a rule goes.
const REACHING: &[&str] = &["apply", "applies", "hold", "holds", "bind", "binds", "count", "counts"];

/// `This rule does not hold for YAML`, `When deploying to staging, none of the above applies`.
fn applies(words: &[Word], all: Range<usize>) -> Option<(Reach, bool)> {
    let comma = all.clone().find(|&at| words[at].mark(",")).filter(|_| {
        words[all.start]
            .any(&["in", "on", "for", "when", "if", "while", "during", "with", "inside", "outside", "under"])
    });
    let subject = comma.map_or(all.start, |comma| comma + 1);
    if !may_hold(&words[subject..all.end], REACHING) {
        return None;
    }
    let verb = (subject..all.end).find(|&at| words[at].any(REACHING))?;
    let pointing = &words[subject..verb];
    let points = !pointing.is_empty()
        && pointing.iter().all(|word| word.any(POINTING))
        && !pointing.iter().all(|word| word.any(&["do", "does", "not", "don't", "only"]));
    if !points {
        return None;
    }
    let several = pointing.iter().any(|word| word.any(SEVERAL));
    let negated = pointing.iter().any(|word| word.any(&["not", "doesn't", "don't", "none", "neither"]));
    // `This applies to every project` leaves no way out.
    let bounded =
        words[subject..all.end].iter().any(|word| word.any(&["only", "every", "all", "each", "regardless"]))
            && !words[subject..verb].iter().all(|word| word.any(&["all", "every", "each"]));
    let rest = verb + 1..all.end;
    // `It holds the lock`: there the verb has an object.
    let reaches = rest.is_empty()
        || words[rest.start].any(&[
            "to", "for", "in", "on", "only", "when", "if", "while", "during", "within", "inside", "outside",
            "under", "with",
        ]);
    match (negated, comma) {
        (true, _) if reaches && rest.len() > 1 => {
            let to = words[rest.start].any(&["to", "for"]);
            Some((Reach::Except(rest.start + usize::from(to)..rest.end), several))
        }
        (true, Some(comma)) if rest.is_empty() => Some((Reach::Except(all.start..comma), several)),
        (false, _) if bounded && reaches => Some((Reach::Only, several)),
        _ => None,
    }
}

/// `Bots are exempt from this`, `Staging has no such limits`.
fn exempt(words: &[Word], all: Range<usize>) -> Option<(Reach, bool)> {
    const EXEMPT: &[&str] = &["exempt", "excluded", "excepted", "exempted", "free"];
    if !may_hold(&words[all.clone()], EXEMPT) && !may_hold(&words[all.clone()], &["bound", "such"]) {
        return None;
    }
    let is = |at: usize, lowers: &[&str]| all.contains(&at) && words[at].any(lowers);
    let verb = all.clone().find(|&at| words[at].any(&["is", "are", "has", "have"]))?;
    let named = all.start < verb
        && verb - all.start <= 8
        && !words[all.start..verb]
            .iter()
            .any(|word| word.any(&["no", "not", "nobody", "none", "nothing", "never", "which", "that"]));
    let pointed = |from: usize| {
        (from..all.end).len() <= 4 && from < all.end && (from..all.end).all(|at| words[at].any(POINTING))
    };
    let freed = is(verb, &["is", "are"])
        && (is(verb + 1, EXEMPT) && is(verb + 2, &["from"]) && pointed(verb + 3)
            || is(verb + 1, &["not"])
                && is(verb + 2, &["bound"])
                && is(verb + 3, &["by"])
                && pointed(verb + 4));
    let unlimited = is(verb, &["has", "have"])
        && is(verb + 1, &["no"])
        && is(verb + 2, &["such"])
        && is(verb + 3, POINTING)
        && verb + 4 == all.end;
    (named && (freed || unlimited)).then(|| {
        let several = words[verb + 1..all.end].iter().any(|word| word.any(SEVERAL));
        (Reach::Except(all.start..verb), several)
    })
}

/// `Exception handling`, `Exception taxonomy`: what a program or a trade calls so.
fn names_errors(heading: &str) -> bool {
    const KINDS: &[&str] = &[
        "handling",
        "taxonomy",
        "types",
        "type",
        "hierarchy",
        "classes",
        "mapping",
        "management",
        "workflow",
        "process",
        "strategy",
        "safety",
        "patterns",
        "translation",
        "reporting",
        "routing",
        "queue",
        "categories",
        "classification",
    ];
    let mut words = heading.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.nth(1).is_some_and(|second| KINDS.contains(&second))
}

/// `Wrap the exceptions of others`, `Never catch all`.
fn tells_of_errors(words: &[Word]) -> bool {
    const ERRORS: &[&str] =
        &["exception", "exceptions", "catch", "throw", "throws", "thrown", "raise", "rethrow", "swallow"];
    words.iter().any(|word| word.any(ERRORS))
}

/// A sentence under `### Exceptions`: an exception to the only rule of the section above; where that has several, a norm of its
/// own that says to what it is one. False when it orders something else.
pub(crate) fn under_exceptions(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    here: &Setting,
) -> bool {
    let Some(heading) = here.heading.filter(|_| here.lead.is_none()) else { return false };
    let name = book.headings[heading].text.trim_start_matches(|c: char| !c.is_alphanumeric());
    if name.starts_with(|c: char| c.is_ascii() && !matches!(c, 'e' | 'E' | 'c' | 'C')) {
        return false;
    }
    let (name, lower) = (name.to_owned(), name.to_lowercase());
    if !["exception", "exemption", "carve-out"].iter().any(|cue| lower.starts_with(cue))
        || names_errors(&lower)
    {
        return false;
    }
    let words = &prose.words[sentence.clone()];
    if tells_of_errors(words) {
        return false;
    }
    let named =
        || words.iter().any(|word| word.any(&["may", "can", "allowed", "exempt", "fine", "ok", "permitted"]));
    let level = match mood_of(words).mood {
        Mood::Order(Level::May, _) | Mood::Fragment => Level::May,
        // `Row by night in a race` is let off; `Ask the mate first` is not.
        Mood::Order(level, Force::Implied) if !level.is_prohibition() => {
            let asks =
                words.iter().any(|word| word.any(&["first", "must", "always", "before", "only", "instead"]));
            let reacts = words
                .first()
                .is_some_and(|first| first.any(REACTIONS) || first.any(&["document", "prefer", "keep"]));
            if asks || reacts { level } else { Level::May }
        }
        Mood::Statement if named() => Level::May,
        _ => return false,
    };
    let parent = book.open.iter().rev().skip_while(|&&open| open != heading).nth(1).copied();
    let mut ruled =
        (0..book.drafts.len()).filter(|&at| parent.is_some() && book.drafts[at].heading == parent);
    let (first, more) = (ruled.next(), ruled.next().is_some());
    let (span, literals) = (prose.span(sentence), prose.literals(sentence.clone()));
    if let Some(rule) = first.filter(|_| !more) {
        book.except_at(rule, &prose.lowered(sentence.clone()), span, literals);
        return true;
    }
    let of = parent.map(|parent| book.headings[parent].text.trim_end_matches([':', '.', ' ']).to_owned());
    let label = match of {
        Some(of) if lower.split_whitespace().count() == 1 => format!("{} ({of})", name.trim_end_matches(':')),
        _ => name.trim_end_matches(':').to_owned(),
    };
    let text = format!("{label}: {}", prose.lowered(sentence.clone()));
    let draft = draft_of(prose, sentence.clone(), text, (level, Force::Implied), here, sentence);
    book.add(draft);
    true
}

//! Ellipsis: sentences without a verb, or without a subject, that go on in the mood of what stands in front of them or above them: `Same
//! order as by day`, `Sounding first`, `None for fair weather`, `If becalmed: oars`, `One log for each watch`.

use std::ops::Range;

use mentci_authority::{Force, Level};

use super::caption::label_words;
use super::draft::{Book, Turn};
use super::setting::Setting;
use super::speech::clause::Clause;
use super::speech::imperative::acts;
use super::speech::lexicon::{CONDITIONS, CONNECTIVES, DETERMINERS, FINITE, SUBJECTS};
use super::speech::mood::{IMPERATIVE, Mood, asks, has_finite, mood_of};
use super::speech::prose::Prose;
use super::speech::sentence::{first_sentence, sentences_back};
use super::speech::told::told;
use super::speech::word::{Word, WordKind};

/// Gives a sentence of one clause the mood that it leaves out.
pub(super) fn fill_in(
    book: &Book<'_>,
    words: &[Word],
    (sentence, found): (&Range<usize>, &mut [Clause]),
    (fresh, here): (bool, &Setting),
) {
    let [only] = found else { return };
    // Under a heading that forbids, or names what is bad, it tells what that is, and behind that how to do without.
    let is_bad = |heading: usize| book.headings[heading].turn == Turn::Bad;
    let forbids = || book.forbidding().is_some() || here.heading.is_some_and(is_bad);
    if matches!(only.mood, Mood::Order(..) | Mood::Question) || !fresh && forbids() {
        return;
    }
    if here.step.is_some() && equates(&words[only.words.clone()]) {
        only.mood = IMPERATIVE;
        return;
    }
    if ranks(words, sentence) && only.mood == Mood::Fragment {
        only.mood = IMPERATIVE;
        return;
    }
    let said = &words[only.words.clone()];
    let Some(first) = said.first().filter(|first| first.kind == WordKind::Plain && first.capital) else {
        return;
    };
    let ordered = || matches!(book.drafts.last().map(|last| last.level), Some(Level::Must | Level::Should));
    let fragment = only.mood == Mood::Fragment;
    only.mood = match first.lower.as_str() {
        "same" if fragment && is_same_as(said) => IMPERATIVE,
        "none" if fragment && fresh && ordered() && is_for(said) => {
            Mood::Order(Level::MustNot, Force::Explicit)
        }
        "one" if fragment && is_one(said) => IMPERATIVE,
        // `**Drafting.** Always the first step.`
        "always" if said.len() > 3 && said[1].among(DETERMINERS) && !here.conditions.is_empty() => IMPERATIVE,
        "a" | "an" | "one" if fragment && under_output(book, here) && ends_plainly(said) => IMPERATIVE,
        "if" | "when" | "whenever" if names_for_case(said) || counts_for_case(said) => IMPERATIVE,
        _ if comes_first(said) => IMPERATIVE,
        _ if fresh && goes_on_telling(words, &only.words, said) => IMPERATIVE,
        _ => return,
    };
}

/// `Cargo = what the bill names`, in a step: what is taken for what.
fn equates(said: &[Word]) -> bool {
    const FARTHEST: usize = 4;
    let Some(at) = said.iter().take(FARTHEST + 1).position(|word| word.lower == "=") else { return false };
    let plain = |words: &[Word]| words.iter().all(|word| word.kind == WordKind::Plain);
    at > 0 && plain(&said[..at]) && said.len() > at + 2 && said[at + 1].kind == WordKind::Plain
}

/// `Primary: the long quay`, `Fallback: the beach`: which one is taken first, and which one then.
fn ranks(words: &[Word], sentence: &Range<usize>) -> bool {
    let colon = words.get(sentence.start + 1).is_some_and(|word| word.mark(":"));
    colon
        && words[sentence.start].any(&["primary", "secondary", "fallback", "preferred"])
        && sentence.len() > 2
}

/// `Same order as by day (lamps, ropes, sails)`, `Same flag, same lamps`.
fn is_same_as(said: &[Word]) -> bool {
    let is = |lowers: &[&str]| said.iter().skip(1).any(|word| word.depth == 0 && word.any(lowers));
    is(&["as", "same", "across", "throughout"]) && !asks(said)
}

/// `None for fair weather`.
fn is_for(said: &[Word]) -> bool {
    said.get(1).is_some_and(|word| word.any(&["for", "in", "on", "during", "while", "when"]))
        && said.len() > 3
}

/// `One log for each watch.`, and not `One more thing.`, `One of the three.`, `One caveat:`.
fn is_one(said: &[Word]) -> bool {
    let counted = said.get(1).is_some_and(|word| {
        word.kind != WordKind::Mark
            && !word.any(&[
                "more",
                "last",
                "of",
                "or",
                "and",
                "thing",
                "caveat",
                "note",
                "example",
                "exception",
                "way",
                "problem",
            ])
    });
    counted && ends_plainly(said) && !said.iter().any(|word| word.mark("="))
}

/// Whether a whole sentence ends here, without a colon, a dash or an `or` in it.
fn ends_plainly(said: &[Word]) -> bool {
    said.last().is_some_and(|last| last.mark("."))
        && said.len() > 3
        && !said.iter().any(|word| word.mark(":") || word.mark("—"))
}

/// Whether the heading names what is to be handed over: `Output`, `What this skill produces`.
fn under_output(book: &Book<'_>, here: &Setting) -> bool {
    const NAMES: &[&str] = &["output", "outputs", "deliverable", "deliverables", "produces", "result"];
    const LONGEST: usize = 5;
    let Some(heading) = here.heading.filter(|_| here.lead.is_none()) else { return false };
    let text = book.headings[heading].text.to_lowercase();
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    text.split_whitespace().count() <= LONGEST && words.any(|word| NAMES.contains(&word))
}

/// `If becalmed: oars · towing.`: what is named for a case. `When to row: …` says when.
fn names_for_case(said: &[Word]) -> bool {
    const LONGEST: usize = 4;
    let Some(colon) = said.iter().take(LONGEST + 1).position(|word| word.mark(":")).filter(|&at| at > 1)
    else {
        return false;
    };
    let (case, rest) = (&said[1..colon], &said[colon + 1..]);
    !case[0].is("to")
        && case.iter().all(|word| word.kind == WordKind::Plain)
        && rest.iter().any(|word| word.kind != WordKind::Mark)
        && !has_finite(rest)
        && !asks(said)
}

/// `When the wind turns, one line in the log.`: how much of a thing is due for a case.
fn counts_for_case(said: &[Word]) -> bool {
    const LONGEST: usize = 14;
    let Some(comma) = said.iter().position(|word| word.mark(",")).filter(|&at| at > 2) else { return false };
    let rest = &said[comma + 1..];
    let placed = |at: usize| {
        rest.get(at).is_some_and(|word| word.any(&["in", "on", "under", "per", "at", "to", "for"]))
    };
    rest.first().is_some_and(|first| first.any(&["one", "exactly"]))
        && (placed(2) || placed(3))
        && (4..=LONGEST).contains(&rest.len())
        && rest.last().is_some_and(|last| last.mark("."))
        && !has_finite(rest)
        && !rest.iter().any(|word| word.mark(",") || word.mark("—") || word.mark(":"))
}

/// `Sounding first — even by day`, `Tests first.`
fn comes_first(said: &[Word]) -> bool {
    const MOST: usize = 4;
    let Some(at) = said.iter().take(MOST + 1).position(|word| word.is("first")).filter(|&at| at > 0) else {
        return false;
    };
    let ends = said.get(at + 1).is_none_or(|next| next.mark(".") || next.mark("—") || next.mark("!"));
    let named = |word: &Word| {
        word.kind == WordKind::Plain
            && !word.among(FINITE)
            && !word.among(SUBJECTS)
            && !word.among(CONDITIONS)
            && !word.among(CONNECTIVES)
            && !word.any(&["at", "the", "very", "not", "what", "who"])
    };
    ends && said[..at].iter().all(named)
}

/// `Reads the draft.` behind `The mate writes the log.`: the subject of the sentence in front acts on.
fn goes_on_telling(words: &[Word], clause: &Range<usize>, said: &[Word]) -> bool {
    let object = |word: &Word| word.kind == WordKind::Code || word.among(DETERMINERS);
    if !(acts(&said[0]) && said.get(1).is_some_and(object)) {
        return false;
    }
    let before = sentences_back(&words[..clause.start]).next();
    before.is_some_and(|before| {
        let said = &words[before];
        let end = said.iter().position(|word| word.mark(";")).unwrap_or(said.len());
        told(&said[..end]).is_some()
    })
}

/// Whether the sentence leaves out its subject: `Goes to the mate alone`.
fn lacks_subject(said: &[Word]) -> bool {
    said.first().is_some_and(|first| first.capital && acts(first))
        && said.get(1).is_some_and(|next| next.any(&["to", "into", "in"]) || next.among(DETERMINERS))
}

/// `tasks.md: MUST have a date. Must NOT have names.`, `The log must be dry. Must not be long.`: of what a sentence that begins with its
/// modal word speaks.
pub(super) fn subject_of_modal(prose: &Prose<'_>, sentence: &Range<usize>) -> Option<Range<usize>> {
    const LONGEST: usize = 6;
    const MODALS: &[&str] = &["must", "should", "shall", "cannot"];
    let modal = |word: &Word| word.any(MODALS);
    let begins = |said: &[Word]| said.first().is_some_and(|first| modal(first) && first.capital);
    let said = &prose.words[sentence.clone()];
    if !begins(said) || said.get(1).is_some_and(|next| next.any(&["you", "we", "i", "it", "they"])) {
        return None;
    }
    let before = sentences_back(&prose.words[..sentence.start])
        .find(|before| !begins(&prose.words[before.clone()]))?;
    label_words(prose, &before).or_else(|| {
        let ends = |at: &usize| modal(&prose.words[*at]) || prose.words[*at].mark(":");
        let at = before.clone().take(LONGEST + 1).find(ends)?;
        let named = prose.words[before.start..at].iter().all(|word| word.kind != WordKind::Mark);
        (named && at > before.start).then_some(before.start..at)
    })
}

/// `` `log dump` writes its banner to stderr; pipe it ``: the command or file of which the first half tells, and about which the second orders.
pub(super) fn code_told_of(prose: &Prose<'_>, sentence: &Range<usize>) -> Option<Range<usize>> {
    let said = &prose.words[sentence.clone()];
    let stop = said.iter().position(|word| word.mark(";") && word.depth == 0)?;
    let (told, ordered) = (&said[..stop], &said[stop + 1..]);
    let [code, verb, ..] = told else { return None };
    let names = |word: &Word| word.kind == WordKind::Code && word.lower == code.lower;
    let tells = code.kind == WordKind::Code
        && verb.kind == WordKind::Plain
        && mood_of(told).mood == Mood::Statement
        && mood_of(ordered).mood == IMPERATIVE;
    (tells && !ordered.iter().any(names)).then_some(sentence.start..sentence.start + 1)
}

/// `**bill** — what is owed. Goes to the mate alone.`: the name of what a sentence without a subject speaks of.
pub(super) fn subject_above(prose: &Prose<'_>, sentence: &Range<usize>) -> Option<Range<usize>> {
    if !lacks_subject(&prose.words[sentence.clone()]) {
        return None;
    }
    let first = first_sentence(&prose.words[..sentence.start])?;
    label_words(prose, &first)
}

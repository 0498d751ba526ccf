//! What stands under `Examples`: samples, but for what binds outright.

use std::ops::Range;

use mentci_authority::{Force, Level, OmissionReason};

use super::draft::Book;
use super::lead_in::{bare_lead, is_lead, lead_in};
use super::norm::read_sentence;
use super::roster;
use super::setting::{Below, LeadIn, Setting};
use super::speech::clause::{Clause, clauses};
use super::speech::lead::{Lead, ends_in_negation, lead_of};
use super::speech::lexicon::is_verb;
use super::speech::mood::{Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::sentence::{is_cross, is_verdict};
use super::speech::stance::Stance;
use super::speech::word::{Word, WordKind};

/// Under `Examples`: what binds outright is law all the same, the rest is a sample.
pub(super) fn among_examples(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentences: &[Range<usize>],
    here: &Setting,
    leads: bool,
) -> Option<LeadIn> {
    const SHORTEST: usize = 3;
    let before = book.drafts.len();
    for (at, sentence) in sentences.iter().enumerate() {
        if at + 1 == sentences.len() && is_lead(prose, Some(sentence), sentences, leads) {
            let lists = here.beside.below == Below::List
                && sentence.len() > SHORTEST
                && mood_of(&prose.words[sentence.clone()]).mood == Mood::Order(Level::Must, Force::Implied);
            if lists || binds_outright(prose, sentence) {
                let outside = Setting { section: Stance::Neutral, ..here.clone() };
                return Some(lead_in(book, prose, sentence.clone(), &outside));
            }
            book.omit(prose.span(sentence), OmissionReason::Example);
            let words = &prose.words[sentence.clone()];
            let text = prose.condensed(sentence.clone());
            if here.beside.below == Below::List && names_ideal(words) {
                let (lead, span) = (Lead::Stem(Level::Must), prose.span(sentence));
                return Some(LeadIn { lead, text, span, draft: None, when: None });
            }
            // `One good example beats many` tells.
            if mood_of(words).mood == Mood::Statement {
                return None;
            }
            if roster::points_on(&text) {
                let (lead, span) = (Lead::Stance(Stance::Neutral, None), prose.span(sentence));
                return Some(LeadIn { lead, text, span, draft: None, when: None });
            }
            let lead =
                lead_of(words, mood_of(words).mood, &prose.verbatim(sentence.clone()), Stance::Neutral);
            return matches!(lead, Lead::Stance(Stance::Example, _))
                .then(|| bare_lead(Lead::Stance(Stance::Example, None)));
        }
        if at > 0 && tells_of_samples(&prose.words[sentences[at - 1].clone()]) {
            about_samples(book, prose, &sentences[at..], here);
            return None;
        }
        if orders_between(book, prose, sentence, here) {
            read_sentence(book, prose, sentence.clone(), here, before);
        } else {
            read_sample(book, prose, sentence.clone(), here, before);
        }
    }
    None
}

/// `Good example:` above a list: what a good one is like.
fn names_ideal(words: &[Word]) -> bool {
    let plain: Vec<&Word> = words.iter().filter(|word| word.kind != WordKind::Mark).collect();
    let named = match plain[..] {
        [a, good, example] if a.any(&["a", "the"]) => Some((good, example)),
        [good, example] => Some((good, example)),
        _ => None,
    };
    named.is_some_and(|(good, example)| good.any(&["good", "great"]) && example.any(&["example", "examples"]))
}

/// `These are condensed examples.`: what follows is said of the real thing.
fn tells_of_samples(words: &[Word]) -> bool {
    const SAMPLES: &[&str] =
        &["example", "examples", "sample", "samples", "illustration", "illustrations", "excerpts"];
    let opens = words.iter().find(|word| word.kind != WordKind::Mark);
    let tells = words.iter().take(5).any(|word| word.any(&["is", "are"]));
    opens.is_some_and(|word| word.any(&["these", "this", "those", "the", "all"]))
        && tells
        && words.len() <= 12
        && words.iter().any(|word| word.any(SAMPLES))
}

/// Sentences that speak of what the examples are examples of: what they order outright, or advise, is law.
fn about_samples(book: &mut Book<'_>, prose: &Prose<'_>, sentences: &[Range<usize>], here: &Setting) {
    let outside = Setting { section: Stance::Neutral, ..here.clone() };
    for sentence in sentences {
        match mood_of(&prose.words[sentence.clone()]).mood {
            Mood::Order(_, Force::Explicit) => {
                read_sentence(book, prose, sentence.clone(), &outside, book.drafts.len());
            }
            _ => book.omit(prose.span(sentence), OmissionReason::Example),
        }
    }
}

/// A sentence among examples: a norm where it binds outright.
pub(crate) fn read_sample(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: Range<usize>,
    here: &Setting,
    before: usize,
) {
    if shows_texts(book, here) {
        book.omit(prose.span(&sentence), OmissionReason::Example);
    } else if binds_outright(prose, &sentence) || advises_between(book, prose, &sentence, here) {
        read_sentence(book, prose, sentence, here, before);
    } else {
        book.omit(prose.span(&sentence), OmissionReason::Example);
    }
}

/// `Example commit messages`, `Sample changelog`: what stands under it was written by somebody, whatever it says.
fn shows_texts(book: &Book<'_>, here: &Setting) -> bool {
    const TEXTS: &[&str] = &[
        "message",
        "messages",
        "changelog",
        "changelogs",
        "dialogue",
        "conversation",
        "transcript",
        "comments",
        "notes",
    ];
    here.heading.map(|heading| &book.headings[heading]).is_some_and(|heading| {
        let lower = heading.text.to_lowercase();
        heading.own == Stance::Example
            && lower.split(' ').next_back().is_some_and(|last| TEXTS.contains(&last))
    })
}

/// `You must not …`, `Never …`, `Don't:`. What a speaker says is a sample: `User: You must hurry`.
fn binds_outright(prose: &Prose<'_>, sentence: &Range<usize>) -> bool {
    const SPEAKERS: &[&str] =
        &["user", "users", "assistant", "agent", "human", "claude", "model", "system", "bot", "customer"];
    let words = &prose.words[sentence.clone()];
    let spoken = words.first().is_some_and(|word| {
        word.kind == WordKind::Quote
            || word.mark("\"")
            || word.mark("“")
            || is_verdict(word)
            || is_cross(word)
    }) || words.iter().take(3).any(|word| word.any(SPEAKERS))
        && words.iter().take(4).any(|word| word.mark(":"));
    let plain: Vec<&Word> = words.iter().filter(|word| word.kind != WordKind::Mark).collect();
    let binds = |clause: &Clause| {
        let said = &prose.words[clause.words.clone()];
        matches!(clause.mood, Mood::Order(Level::Must | Level::MustNot, Force::Explicit)) && has_modal(said)
            || matches!(clause.mood, Mood::Order(Level::Must, _)) && has_purpose(prose, clause)
    };
    !spoken && (ends_in_negation(&plain) || clauses(&prose.words, sentence.clone()).iter().any(binds))
}

/// `Prefer the long rope.` under `### Mooring` among `## Examples`: said of what the samples show.
fn advises_between(book: &Book<'_>, prose: &Prose<'_>, sentence: &Range<usize>, here: &Setting) -> bool {
    let advises = |clause: &Clause| {
        let said = &prose.words[clause.words.clone()];
        let needed = said.first().is_some_and(|first| first.any(&["every", "each", "all"]))
            && said.iter().any(|word| word.any(&["needs", "need"]));
        matches!(clause.mood, Mood::Order(Level::Should | Level::ShouldNot, _))
            && said.iter().any(|word| word.any(&["prefer", "avoid", "should"]))
            || needed
    };
    is_whole(&prose.words[sentence.clone()])
        && stands_beneath(book, here)
        && clauses(&prose.words, sentence.clone()).iter().any(advises)
}

/// `Log the depth and keep it visible.` between the samples of a topic: said of what the samples show. A list there is a session's.
fn orders_between(book: &Book<'_>, prose: &Prose<'_>, sentence: &Range<usize>, here: &Setting) -> bool {
    let words = &prose.words[sentence.clone()];
    is_whole(words)
        && stands_beneath(book, here)
        && !words.iter().any(|word| word.kind == WordKind::Quote)
        && mood_of(words).mood == Mood::Order(Level::Must, Force::Implied)
}

/// A sentence from its capital to its full stop, and no label with what it names.
fn is_whole(words: &[Word]) -> bool {
    const SHORTEST: usize = 3;
    words.first().is_some_and(|first| first.capital && first.kind == WordKind::Plain)
        && words.last().is_some_and(|last| last.mark("."))
        && words.len() >= SHORTEST
        && !words.iter().take(4).any(|word| word.mark(":"))
}

/// Under a heading that names what the examples are of, and no example.
fn stands_beneath(book: &Book<'_>, here: &Setting) -> bool {
    here.heading.is_some_and(|heading| book.headings[heading].own != Stance::Example)
}

/// `To moor, run the helper first`: an order for whoever wants that, and no piece of a sample.
fn has_purpose(prose: &Prose<'_>, clause: &Clause) -> bool {
    let Some([to, act, ..]) = clause.condition.as_ref().map(|purpose| &prose.words[purpose.clone()]) else {
        return false;
    };
    to.is("for") || to.is("to") && is_verb(&act.lower)
}

/// `You must not push`, `Never push`, `Do not push`; `never paragraphs` is a trait of what is shown.
pub(crate) fn has_modal(words: &[Word]) -> bool {
    let acts =
        |at: usize| words.get(at).is_some_and(|word| word.kind == WordKind::Code || is_verb(&word.lower));
    words.iter().enumerate().any(|(at, word)| {
        word.any(&["must", "mustn't", "shall", "cannot", "don't"])
            || word.any(&["never", "always"]) && acts(at + 1)
            || word.any(&["do", "may", "can"]) && words.get(at + 1).is_some_and(|next| next.is("not"))
    })
}

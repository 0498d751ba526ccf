//! `**Knots**: bends, hitches and splices. Read [knots.md](knots.md)`: an item that says of what a file tells, and sends there.

use std::ops::Range;

use super::draft::Book;
use super::norm::read_sentence;
use super::setting::Setting;
use super::speech::mood::{Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::word::{Word, WordKind};

/// No name of more words stands in front of a colon.
const LONGEST_NAME: usize = 8;

/// Reads such an item as one order, which says for what; false when it is none.
pub(super) fn sent_for(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentences: &[Range<usize>],
    here: &Setting,
) -> bool {
    let [topic @ .., last] = sentences else { return false };
    let Some(topic) = topic.first().zip(topic.last()).map(|(first, last)| first.start..last.end) else {
        return false;
    };
    // What stands in front of a colon is a name, though it may read like an order.
    let tells = |sentence: &Range<usize>| {
        let words = &prose.words[sentence.clone()];
        let colon = words.iter().take(LONGEST_NAME).position(|word| word.mark(":"));
        let said = &words[colon.map_or(0, |colon| colon + 1)..];
        matches!(mood_of(said).mood, Mood::Fragment | Mood::Statement)
    };
    if !sends(prose, last)
        || !names(&prose.words[topic.clone()])
        || !sentences.iter().rev().skip(1).all(tells)
    {
        return false;
    }
    let before = book.drafts.len();
    read_sentence(book, prose, last.clone(), here, before);
    if let [.., draft] = &mut book.drafts[before..] {
        let name = prose.condensed(topic.clone());
        draft.put_in(name.trim_end_matches(['.', ' ']));
        draft.spans.push(prose.span(&topic));
        draft.literals.extend(prose.literals(topic));
    }
    true
}

/// `Read [knots.md](knots.md)`.
fn sends(prose: &Prose<'_>, sentence: &Range<usize>) -> bool {
    const SENDING: &[&str] = &["read", "see", "consult", "refer", "load", "open"];
    const LONGEST: usize = 8;
    let words = &prose.words[sentence.clone()];
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return false };
    let linked = || {
        let place = first.range.start..last.range.end;
        prose.text.links().iter().any(|(link, _)| place.start <= link.start && link.end <= place.end)
    };
    first.any(SENDING)
        && first.capital
        && words.len() <= LONGEST
        && (linked() || words.iter().any(|word| word.kind == WordKind::Code))
}

/// `Knots: bends and hitches`, `Knots (`bend`) — all of them`.
fn names(words: &[Word]) -> bool {
    words.iter().take(LONGEST_NAME).skip(1).any(|word| word.depth == 0 && (word.mark(":") || word.mark("—")))
}

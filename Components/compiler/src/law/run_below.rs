//! What stands under a sentence that it does not belong to, but to one in front of it: `Fill in the names. Do not print them before or after
//! running it:`, `Use these at night. For everything else, use the old lamps:`.

use std::ops::Range;

use mentci_source::Span;

use super::draft::Book;
use super::speech::lexicon::is_verb;
use super::speech::mood::mood_of;
use super::speech::prose::Prose;
use super::speech::word::{Word, WordKind};

/// The order in front of such a ban, in the same text, among `drafts`: what stands below is how it is done.
pub(super) fn run_below(
    book: &Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    drafts: Range<usize>,
) -> Option<usize> {
    let words = &prose.words[sentence.clone()];
    if !(meanwhile(words) && mood_of(words).mood.forbids()) {
        return None;
    }
    let (own, ban) = (prose.span(&(0..prose.words.len())), prose.span(sentence));
    drafts.rev().find(|&at| {
        let draft = &book.drafts[at];
        !draft.level.is_prohibition()
            && draft.spans.first().is_some_and(|span| own.start <= span.start && span.end <= ban.start)
    })
}

/// `Record faults:` above a fence, behind another sentence: what the fence does, though its verb may be a noun.
pub(super) fn acts_below(words: &[Word]) -> bool {
    let [act, things, colon] = words else { return false };
    act.capital
        && matches!(
            act.lower.as_str(),
            "record" | "log" | "list" | "document" | "export" | "label" | "link" | "release"
        )
        && things.kind == WordKind::Plain
        && things.lower.ends_with('s')
        && colon.mark(":")
}

/// `… before or after running it:`, `… when you run:`.
fn meanwhile(words: &[Word]) -> bool {
    const LONGEST: usize = 4;
    let plain: Vec<&Word> = words.iter().filter(|word| word.kind != WordKind::Mark).collect();
    let Some(at) = plain.iter().rposition(|word| word.any(&["before", "after", "when", "while"])) else {
        return false;
    };
    let pointing =
        |word: &&&Word| word.any(&["it", "this", "them", "these", "the", "script", "command", "commands"]);
    let done = match &plain[at + 1..] {
        [you, act, rest @ ..] if you.is("you") && is_verb(&act.lower) => rest,
        [doing, rest @ ..] if doing.lower.len() > 5 && doing.lower.ends_with("ing") => rest,
        _ => return false,
    };
    done.len() < LONGEST && done.iter().all(|word| pointing(&word))
}

/// `Use these at night. For everything else, use the old lamps:` above what `these` are.
pub(super) fn pointed_before(book: &Book<'_>, prose: &Prose<'_>, sentence: &Range<usize>) -> Option<usize> {
    let words = &prose.words;
    let other = words[sentence.clone()].iter().take(5).any(|word| word.any(&["else", "otherwise", "rest"]));
    let own = words[sentence.clone()].iter().any(|word| word.any(&["these", "following", "below"]));
    let points = |at: &usize| {
        words[*at].is("these")
            && at.checked_sub(1).is_some_and(|verb| is_verb(&words[verb].lower))
            && !words.get(at + 1).is_some_and(|next| next.lower.ends_with('s'))
    };
    let these = (0..sentence.start).rev().find(points).filter(|_| other && !own)?;
    let place = prose.span(&(these..these + 1)).start;
    let holds = |span: &Span| span.start <= place && place < span.end;
    book.drafts.iter().rposition(|draft| draft.spans.first().is_some_and(holds))
}

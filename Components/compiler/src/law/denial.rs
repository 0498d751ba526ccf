//! Items that open with what shall not be there and say at once what to do: `No copies — link to the page`, `No hit → widen the search`.

use std::ops::Range;

use mentci_authority::{Force, Level};

use super::composed::draft_of;
use super::draft::Book;
use super::setting::{LeadIn, Setting};
use super::speech::bracket::brackets;
use super::speech::clause::Clause;
use super::speech::imperative::{acts, imperative};
use super::speech::lead::{Lead, ends_in_negation};
use super::speech::leniency::LEAVING;
use super::speech::lexicon::{DETERMINERS, is_verb};
use super::speech::mood::{Mood, finite_at, mood_of};
use super::speech::prose::Prose;
use super::speech::stance::Stance;
use super::speech::word::{Word, WordKind};

/// Reads such an item: what is denied in front of a dash is forbidden, and what stands behind it ordered. Behind a colon or an arrow, and
/// where a search or a call had nothing to show, the order alone says all. False when it is no such item.
pub(crate) fn denies_and_orders(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    here: &Setting,
) -> bool {
    let Some((name, body)) = parted(&prose.words, sentence) else { return false };
    // `No longer allowed: `flares``.
    if prose.words.get(name.start + 1).is_some_and(|next| next.is("longer")) {
        return false;
    }
    let turn = &prose.words[name.end];
    let said = &prose.words[body.clone()];
    let orders =
        matches!(mood_of(said).mood, Mood::Order(level, _) if !level.is_prohibition() && level != Level::May);
    let run = said[0].kind == WordKind::Code && said.len() > 1;
    let all = said[0].any(&["each", "every", "all"]);
    // `No reply: call again` is a case, `No waste: weigh what is left` says how.
    if !turn.mark("—") || is_outcome(&prose.words[name.clone()]) {
        let says = orders || turn.mark(":") && (run || all);
        if says {
            order(book, prose, (&name, &body), here, sentence);
        }
        return says;
    }
    let needs_name = said[0].any(LEAVING)
        || run
        || all
        || said.iter().filter(|word| word.kind != WordKind::Mark).count() <= 4;
    if !(orders || run || all) {
        return false;
    }
    let text = prose.condensed(name.clone());
    book.add(draft_of(prose, name.clone(), text, (Level::MustNot, Force::Explicit), here, sentence));
    if needs_name {
        order(book, prose, (&name, &body), here, sentence);
    } else {
        let text = prose.condensed(body.clone());
        book.add(draft_of(prose, body, text, (Level::Must, Force::Implied), here, sentence));
    }
    true
}

fn order(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    (name, body): (&Range<usize>, &Range<usize>),
    here: &Setting,
    sentence: &Range<usize>,
) {
    let text = format!("{}: {}", prose.condensed(name.clone()), prose.lowered(body.clone()));
    let draft = draft_of(prose, name.start..body.end, text, (Level::Must, Force::Implied), here, sentence);
    book.add(draft);
}

/// `The watch notes what it sees — it does NOT:`: what is told in front of the dash is a rule of its own, and its subject says of whom the
/// items are denied.
pub(crate) fn denies_behind(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    here: &Setting,
) -> Option<LeadIn> {
    const LONGEST: usize = 4;
    let words = &prose.words;
    let end = sentence.clone().rev().find(|&at| words[at].kind != WordKind::Mark)? + 1;
    let near = end.saturating_sub(LONGEST + 2).max(sentence.start + 1)..end;
    let turn = near.rev().find(|&at| {
        words[at].mark("—")
            || words[at].mark(";")
            || words[at].mark(",") && words.get(at + 1).is_some_and(|next| next.any(&["but", "and"]))
    })?;
    let rest: Vec<&Word> = words[turn + 1..end].iter().filter(|word| !word.any(&["but", "and"])).collect();
    if !ends_in_negation(&rest) || matches!(here.section, Stance::Describe | Stance::Example) {
        return None;
    }
    let head = sentence.start..turn;
    let denied = end - rest.len() + usize::from(rest[0].any(&["it", "they"]));
    let orders = imperative(&words[head.clone()]);
    let verb = head.clone().skip(1).find(|&at| tells_at(&words[head.clone()], at - head.start));
    let subject = match verb {
        _ if orders => String::new(),
        Some(verb) => format!("{} ", prose.condensed(sentence.start..verb)),
        None => return None,
    };
    let (text, span) = (prose.condensed(head.clone()), prose.span(sentence));
    let force = (Level::Must, Force::Implied);
    book.add(draft_of(prose, head.clone(), text, force, here, &head));
    let text = format!("{subject}{}", prose.condensed(denied..end));
    Some(LeadIn { lead: Lead::Stance(Stance::Forbid, None), text, span, draft: None, when: None })
}

/// Whether the verb of what is told stands here: `The watch notes it`, `Early watches note what they see`.
pub(super) fn tells_at(said: &[Word], at: usize) -> bool {
    let object = |word: &Word| {
        let many = word.kind == WordKind::Plain && word.lower.len() > 3 && word.lower.ends_with('s');
        many || word.among(DETERMINERS) || word.any(&["what", "how", "only", "which"])
    };
    let acts = acts(&said[at]) || said[at - 1].lower.ends_with('s') && is_verb(&said[at].lower);
    let next = said.get(at + 1);
    finite_at(said, at) || acts && next.is_some_and(|next| object(next) || next.kind == WordKind::Code)
}

/// What is denied, and what stands behind the first mark that parts it from the rest.
fn parted(words: &[Word], sentence: &Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
    const LONGEST: usize = 7;
    let first = &words[sentence.start];
    if !first.is("no") || !first.capital {
        return None;
    }
    let parts = |word: &Word| word.mark("—") || word.mark(":") || word.mark("→");
    let turn =
        (sentence.start + 2..sentence.end.min(sentence.start + LONGEST + 1)).find(|&at| parts(&words[at]))?;
    let plain =
        words[sentence.start + 1..turn].iter().all(|word| word.kind != WordKind::Mark && !word.any(BINDING));
    (plain && turn + 1 < sentence.end).then_some((sentence.start..turn, turn + 1..sentence.end))
}

/// With these it is a whole sentence: `No agent may merge`.
const BINDING: &[&str] =
    &["may", "must", "should", "can", "is", "are", "without", "unless", "until", "exceptions", "matter"];

/// `No matches`, `No reply`: what came of a search, a call or a check.
fn is_outcome(name: &[Word]) -> bool {
    const OUTCOMES: &[&str] = &[
        "match",
        "matches",
        "result",
        "results",
        "hit",
        "hits",
        "reply",
        "response",
        "answer",
        "findings",
        "issues",
        "changes",
        "argument",
        "arguments",
        "args",
        "input",
        "prefix",
    ];
    name.iter()
        .rev()
        .find(|word| !word.any(&["found", "given", "yet", "left"]))
        .is_some_and(|word| word.any(OUTCOMES))
}

/// `Charts: the printed ones (never a copy)`: brackets behind a name that forbid.
pub(super) fn denied_in_brackets(prose: &Prose<'_>, clause: &Clause, here: &Setting) -> bool {
    const MOST: usize = 16;
    if clause.mood != Mood::Fragment || matches!(here.section, Stance::Example | Stance::Describe) {
        return false;
    }
    let end = clause.words.clone().rev().find(|&at| !prose.words[at].mark(".")).map_or(0, |last| last + 1);
    let Some(bracket) = brackets(prose, &clause.words).pop().filter(|bracket| bracket.end == end) else {
        return false;
    };
    let inner = &prose.words[bracket.start + 1..bracket.end - 1];
    bracket.start > clause.words.start
        && (2..=MOST).contains(&inner.len())
        && inner.first().is_some_and(|first| first.is("never"))
}

//! What a skill keeps off, told of itself below a heading for it: `It does not chart reefs` under `Non-goals`.

use std::ops::Range;

use mentci_authority::{Force, Level};

use super::composed::draft_of;
use super::draft::Book;
use super::setting::Setting;
use super::speech::charge::TELLING;
use super::speech::prose::Prose;
use super::speech::word::{Word, WordKind};

/// Writes the ban that an item under such a heading already is, and says whether it is one.
pub(super) fn keeps_off(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    here: &Setting,
) -> bool {
    let bans =
        tells_of_itself(&prose.words[sentence.clone()]) && here.lead.is_none() && names_limits(book, here);
    if bans {
        let text = prose.condensed(sentence.clone());
        let force = (Level::MustNot, Force::Explicit);
        book.add(draft_of(prose, sentence.clone(), text, force, here, sentence));
    }
    bans
}

/// `It does not chart reefs`, `Does not chart reefs`. `It does not support steam` tells.
fn tells_of_itself(words: &[Word]) -> bool {
    const WHO: &[&str] = &["skill", "agent", "workflow", "command", "mode", "tool"];
    let rest = match words {
        [it, rest @ ..] if it.is("it") => rest,
        [this, who, rest @ ..] if this.any(&["this", "the"]) && who.any(WHO) => rest,
        rest => rest,
    };
    let act = match rest {
        [does, not, act, ..] if does.is("does") && not.is("not") => act,
        [does, act, ..] if does.is("doesn't") => act,
        _ => return false,
    };
    act.kind == WordKind::Plain && !act.any(TELLING)
}

/// `Non-goals`, `Scope`, `What it does NOT do`: what is named there is kept off, and is no mistake.
fn names_limits(book: &Book<'_>, here: &Setting) -> bool {
    const LIMITS: &[&str] =
        &["non-goals", "non goals", "scope", "boundaries", "does not", "doesn't", "not do", "don't do"];
    let Some(heading) = here.heading.map(|heading| &book.headings[heading]) else { return false };
    let name = heading.text.to_lowercase();
    LIMITS.iter().any(|cue| name.contains(cue))
}

//! What an item is by its own words, and by the name of what it stands under.

use mentci_authority::Force;

use super::draft::Book;
use super::setting::Setting;
use super::speech::lexicon::FINITE;
use super::speech::mood::{Mood, mood_of};
use super::speech::stance::Stance;
use super::speech::word::{Word, WordKind};

/// Whether each item right under this heading is to be ticked off, boxes or none: `Review checklist`, `Definition of done`.
pub(super) fn ticks_off(book: &Book<'_>, here: &Setting) -> bool {
    const NAMES: &[&str] = &[
        "checklist",
        "acceptance criteria",
        "exit criteria",
        "success criteria",
        "success metrics",
        "definition of done",
    ];
    let Some(heading) = here.heading.map(|heading| &book.headings[heading]) else { return false };
    let name = heading.text.to_lowercase();
    let name = name.split(" (").next().unwrap_or_default().trim_end_matches(|c: char| !c.is_alphanumeric());
    here.lead.is_none()
        && matches!(here.section, Stance::Neutral | Stance::Order)
        && NAMES.iter().any(|ticked| name.ends_with(ticked))
}

/// `It always leaks.` behind what is forbidden: why it is.
pub(super) fn tells_why(words: &[Word]) -> bool {
    let Some(first) = words.iter().find(|word| word.kind != WordKind::Mark) else { return false };
    let told = first.any(&[
        "it",
        "they",
        "this",
        "that",
        "these",
        "those",
        "nobody",
        "everybody",
        "everyone",
        "people",
    ]);
    told && first.capital
        && !matches!(mood_of(words).mood, Mood::Order(level, Force::Explicit) if level.is_prohibition() && !first.is("nobody"))
}

/// Whether the heading right above names what is chosen: `Tech stack`, `Tooling`, `Conventions`.
pub(super) fn chooses(book: &Book<'_>, here: &Setting) -> bool {
    const CHOSEN: &[&str] = &[
        "stack",
        "tooling",
        "tech",
        "convention",
        "style",
        "standard",
        "framework",
        "dependencies",
        "rules",
        "choices",
    ];
    here.heading.is_some_and(|heading| {
        let lower = book.headings[heading].text.to_lowercase();
        CHOSEN.iter().any(|cue| lower.contains(cue))
    })
}

/// `Sails: linen (never silk)`, `Engine: none, not Steam`, and among what is chosen `Hull (oak, no pine)`: what is named, and what not in its
/// place.
pub(super) fn rules_out(words: &[Word], chosen: bool) -> bool {
    const LONGEST: usize = 16;
    const EMPTY: &[&str] =
        &["longer", "need", "more", "matter", "problem", "way", "idea", "doubt", "one", "change", "changes"];
    if words.len() > LONGEST {
        return false;
    }
    let names = |at: usize| {
        words.get(at).is_some_and(|word| {
            word.kind == WordKind::Code
                || word.kind == WordKind::Plain && !word.any(EMPTY) && !word.among(FINITE)
        })
    };
    let colon = words.iter().take(4).position(|word| word.mark(":"));
    words.windows(2).enumerate().any(|(at, pair)| {
        let turns = pair[0].mark("(") || pair[0].mark(",") && words[at].depth > 0;
        let denies = pair[1].is("never") || chosen && pair[1].is("no") && !pair[1].capital;
        let parted = colon.is_some_and(|colon| colon < at) && pair[0].mark(",") && words[at].depth == 0;
        let not = pair[1].is("not")
            && words.get(at + 2).is_some_and(|word| word.capital || word.kind == WordKind::Code);
        (turns && denies || parted && not) && names(at + 2)
    })
}

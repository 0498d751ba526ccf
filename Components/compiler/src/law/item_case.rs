//! In which case the items of a list hold, by their own heads or what the list stands under: `Path C`, `barge`, `When NOT to use`.

use mentci_authority::Level;
use mentci_reader::markdown::{Block, BlockKind};
use mentci_source::Span;

use super::caption::is_numbered;
use super::draft::Book;
use super::forbidden::REACTIONS;
use super::mistake::counts_bad;
use super::setting::{LeadIn, Setting};
use super::speech::lead::Lead;
use super::speech::mood::{Mood, mood_of};
use super::speech::number::Numbered;
use super::speech::prose::Prose;
use super::speech::stance::Stance;
use super::speech::word::Word;
use super::trigger::heads_triggers;

/// `Charts of drawn coasts:` under `When NOT to use charts`: its items say what speaks against them.
pub(super) fn against_use(book: &Book<'_>, lead: LeadIn, heading: Option<usize>) -> LeadIn {
    let refuses = heading.is_some_and(|heading| book.headings[heading].refuses == Some(Level::MustNot));
    let names = refuses
        && lead.draft.is_none()
        && lead.lead == Lead::Stance(Stance::Neutral, None)
        && lead.text.split(' ').next().is_some_and(|first| first.ends_with('s'));
    if names { LeadIn { lead: Lead::Stance(Stance::Excuses, None), ..lead } } else { lead }
}

/// `**Flax**: Use for short trips` beside `**Wire**: Use only in storms` under `When to use`: which of several is taken when.
pub(super) fn chooses_tools(book: &Book<'_>, list: &Block, heading: Option<usize>) -> bool {
    const FEWEST: usize = 2;
    let chosen = |item: &&Block| {
        let text = item.children.first().map_or("", |first| first.text.as_str());
        let said = text.split_once(": ").map(|(_, said)| said.to_lowercase());
        said.is_some_and(|said| {
            ["use for ", "use when ", "use if ", "use only "].iter().any(|cue| said.starts_with(cue))
        })
    };
    let triggers = heading.is_some_and(|heading| heads_triggers(book, heading));
    triggers && list.children.iter().filter(chosen).count() >= FEWEST
}

/// `One boat or several?` above `- **One** → one log`: the question that each item answers.
pub(super) fn asked_above(book: &Book<'_>, list: &Block, here: &Setting) -> Option<(String, Span)> {
    const FEWEST: usize = 2;
    let heading = &book.headings[here.heading.filter(|_| here.lead.is_none() && here.above.is_empty())?];
    let question = Numbered::of(&heading.text).map_or(heading.text.as_str(), |numbered| numbered.said);
    let answers = |item: &Block| {
        let text = item.children.first().map_or("", |first| first.text.as_str());
        text.contains(" → ") && !text.contains('?') && !text.starts_with(['❌', '✅'])
    };
    let asked = question.ends_with('?') && list.children.len() >= FEWEST && list.children.iter().all(answers);
    asked.then(|| (question.to_owned(), heading.span))
}

/// `` `barge` `` above `should be dry` and `must carry a lamp`: what the items nested in it are said of.
pub(super) fn subject_of(item: &Block) -> Option<(String, Span)> {
    const LONGEST: usize = 4;
    const SAYING: &[&str] =
        &["must", "should", "may", "can", "cannot", "shall", "is", "has", "needs", "never"];
    let [name, nested] = &item.children[..] else { return None };
    let modal = |item: &Block| {
        let text = item.children.first().map_or("", |first| first.text.as_str());
        text.split(' ').next().is_some_and(|first| SAYING.contains(&first))
    };
    if !matches!(nested.kind, BlockKind::List(_)) || !nested.children.iter().any(modal) {
        return None;
    }
    let prose = Prose::new(&name.text);
    let all = 0..prose.words.len();
    let bare = (1..=LONGEST).contains(&all.len()) && mood_of(&prose.words).mood == Mood::Fragment;
    bare.then(|| (prose.condensed(all.clone()), prose.span(&all)))
}

/// `Path C` of `Path C: Sail at noon` above items of its own: they hold on that path.
pub(super) fn numbered_case(item: &Block, here: &Setting) -> Option<(String, Span)> {
    let [name, nested, ..] = &item.children[..] else { return None };
    let prose = Prose::new(&name.text);
    let colon = prose.words.iter().position(|word| word.mark(":"))?;
    let case = prose.condensed(0..colon);
    let known = here.conditions.iter().any(|(known, _)| known.contains(&case));
    let led = matches!(nested.kind, BlockKind::List(_)) && is_numbered(&prose.words[..colon]) && !known;
    led.then(|| (case, prose.span(&(0..colon))))
}

/// `For tests`, `In CI`: an item that only says when the items in it hold.
pub(super) fn names_case(words: &[Word]) -> bool {
    const CASES: &[&str] = &[
        "for", "in", "when", "if", "on", "during", "while", "with", "before", "after", "under", "inside",
        "outside",
    ];
    words.first().is_some_and(|word| word.any(CASES))
        && words.len() <= 12
        && matches!(mood_of(words).mood, Mood::Fragment)
        && !words.iter().any(|word| word.mark(":") || word.mark("—"))
}

/// `1. Stop`, `1. Ask the owner` under `Red flags`: steps at the sight of what is bad, and not what is bad.
pub(super) fn reaction(book: &Book<'_>, list: &Block, here: &Setting) -> Option<LeadIn> {
    let first = list.children.first().filter(|_| here.lead.is_none() && counts_bad(book, here))?;
    let BlockKind::Item { number: Some(_), .. } = first.kind else { return None };
    let text = &first.children.first()?.text;
    let word = text.as_str().split_whitespace().next()?.to_lowercase();
    let reacts = REACTIONS.contains(&word.trim_matches(|c: char| !c.is_alphabetic()));
    let lead = Lead::Stance(Stance::Order, None);
    reacts.then(|| LeadIn { lead, text: String::new(), span: first.span, draft: None, when: None })
}

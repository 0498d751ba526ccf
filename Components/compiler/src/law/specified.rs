//! Lists of a specification: `Dark: #141413`, `Status → status template`.

use mentci_authority::{Force, Level};
use mentci_reader::markdown::{Block, RichText};
use mentci_source::Span;

use super::draft::Book;
use super::handed::is;
use super::parts::{begin, is_numbered, labelled};
use super::setting::{LeadIn, Setting};
use super::speech::guard::plain_in;
use super::speech::lead::Lead;
use super::speech::literal::is_literal;
use super::speech::mood::{Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::stance::{Stance, sets_rules};
use super::speech::thing::names_thing;
use super::speech::word::words_of;
use super::speech::word::{Word, WordKind};

/// `Status → status template` under `Choose a format`: what leads where, and what is done with it.
pub(super) fn leading(
    book: &mut Book<'_>,
    list: &Block,
    texts: &[&RichText],
    here: &Setting,
) -> Option<LeadIn> {
    let arrows = texts.iter().filter(|text| text.as_str().contains(['→', '>'])).count();
    if texts.len() < 2 || arrows * 2 < texts.len() || is_numbered(list) {
        return None;
    }
    if texts.iter().filter(|text| maps(text)).count() * 2 < texts.len() {
        return None;
    }
    let level = match here.section {
        Stance::Neutral | Stance::Order => Level::Must,
        Stance::Advise => Level::Should,
        _ => return None,
    };
    let Some(lead) = &here.lead else {
        let heading = &book.headings[here.heading?];
        let (name, span) = (name_of(heading.text.as_str(), heading.span)?, heading.span);
        return Some(begin(book, name, level, span, here));
    };
    match (&lead.lead, lead.draft) {
        (Lead::Order(level @ (Level::Must | Level::Should)), Some(_)) => {
            Some(LeadIn { lead: Lead::Parts(*level), when: None, ..lead.clone() })
        }
        (Lead::Stance(Stance::Neutral | Stance::Order, _), None) if !lead.text.is_empty() => {
            let name = lead.text.trim_end_matches([':', ' ']).to_owned();
            Some(begin(book, name, level, lead.span, here))
        }
        _ => None,
    }
}

/// Whether an item says what leads where, and by no verb of its own what is done there.
fn maps(text: &RichText) -> bool {
    let prose = Prose::new(text);
    let Some(arrow) = prose.words.iter().position(|word| word.mark("→")) else { return false };
    let (from, to) = (&prose.words[..arrow], &prose.words[arrow + 1..]);
    let names = |words: &[Word]| words.len() == 1 || matches!(mood_of(words).mood, Mood::Fragment);
    (1..=10).contains(&from.len()) && (1..=12).contains(&to.len()) && names(from) && names(to)
}

/// A heading that says what is done, or names a thing: `2) Choose format`.
fn name_of(heading: &str, span: Span) -> Option<String> {
    let text = heading.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' '));
    let text = text.trim_end_matches([':', '.', ' ']);
    let rich = RichText::plain(text, span);
    let prose = Prose::new(&rich);
    let mood = mood_of(&prose.words);
    let orders = matches!(mood.mood, Mood::Order(Level::Must, Force::Implied)) && mood.main == 0;
    let plain = prose.words.iter().filter(|word| word.kind != WordKind::Mark).count();
    (orders && (2..=8).contains(&plain) || names_thing(&prose.words))
        .then(|| prose.condensed(0..prose.words.len()))
}

/// `Dark: #141413 - Primary text` under `Guidelines`: a name, its value, and what it is for.
pub(super) fn specified(
    book: &mut Book<'_>,
    list: &Block,
    texts: &[&RichText],
    here: &Setting,
) -> Option<LeadIn> {
    let free = here.lead.as_ref().is_none_or(|lead| {
        lead.draft.is_none() && matches!(lead.lead, Lead::Stance(Stance::Neutral | Stance::Describe, _))
    });
    let inherits = here.heading.map(|heading| &book.headings[heading]).is_some_and(|heading| {
        let labelled = || here.lead.is_some() && sets_rules(&plain_in(&heading.text.to_lowercase()));
        heading.own == Stance::Neutral || labelled()
    });
    let bound = here.section == Stance::Neutral || here.section == Stance::Order && inherits;
    if texts.len() < 2 || !free || !bound || is_numbered(list) {
        return None;
    }
    let labels = texts.iter().filter(|text| labelled(text)).count();
    if labels * 2 <= texts.len() || !rules(book) {
        return None;
    }
    let specified = texts.iter().filter(|text| labelled(text) && specifies(text)).count();
    let all_named = labels == texts.len() && texts.iter().all(|text| names_value(text));
    if specified * 2 <= texts.len() && !all_named {
        return None;
    }
    let heading = &book.headings[here.heading?];
    let lead = here.lead.as_ref().filter(|lead| !lead.text.is_empty());
    let (name, span) = lead.map_or((&heading.text, heading.span), |lead| (&lead.text, lead.span));
    let name = name.trim_end_matches([':', '.', ' ']).to_owned();
    Some(begin(book, name, Level::Must, span, here))
}

/// Whether what stands open above is named for rules.
pub(crate) fn rules(book: &Book<'_>) -> bool {
    const RULES: &[&str] = &[
        "guideline",
        "guidelines",
        "standard",
        "standards",
        "convention",
        "conventions",
        "rule",
        "rules",
        "spec",
        "specs",
        "specification",
        "specifications",
        "requirement",
        "requirements",
        "policy",
        "policies",
        "styling",
        "typography",
        "formatting",
        "naming",
        "derivation",
    ];
    let names = |text: &str| {
        let words = words_of(text);
        let asks = is(words.first(), &["how", "why", "what", "where", "when", "about"]);
        let several = |word: &String| word.ends_with('s') && RULES.contains(&word.as_str());
        is(words.last(), RULES)
            || !asks && words.len() <= 5 && words.iter().any(several)
            || is(words.last(), &["guide"]) && words.iter().any(|word| word == "style")
    };
    let open = book.open.iter().map(|&heading| &book.headings[heading]);
    open.filter(|heading| heading.depth > 1).any(|heading| names(&heading.text))
}

/// `Dark: #141413 - Primary text`, `Headings: Poppins (with Arial fallback)`: a literal or a name behind a label.
fn specifies(text: &RichText) -> bool {
    let prose = Prose::new(text);
    let words = &prose.words;
    let Some(colon) = words.iter().position(|word| word.mark(":")).filter(|&at| at > 0) else { return false };
    let Some(value) = words.get(colon + 1) else { return false };
    let rest = &words[colon + 1..];
    let known = super::speech::lexicon::lists_of(&value.lower) != super::speech::lexicon::Lists::default();
    let named = value.kind == WordKind::Plain && value.capital && !known;
    (is_literal(value) || named)
        && rest.len() <= 24
        && matches!(mood_of(rest).mood, Mood::Fragment)
        && !matches!(mood_of(&words[..colon]).mood, Mood::Order(..))
}

/// `Tone: friendly`: a few words that name, behind a label.
fn names_value(text: &RichText) -> bool {
    const LONGEST: usize = 5;
    let prose = Prose::new(text);
    let words = &prose.words;
    let Some(colon) = words.iter().position(|word| word.mark(":")) else { return false };
    let value = &words[colon + 1..];
    (1..=LONGEST).contains(&value.len())
        && matches!(mood_of(value).mood, Mood::Fragment)
        && !matches!(mood_of(&words[..colon]).mood, Mood::Order(..))
}

//! `Never.`, `Not allowed, except at sea.` right below `## Flares`: a verdict on what the heading names.

use mentci_authority::{Force, Level};
use mentci_source::Span;

use super::composed::draft_of;
use super::draft::Book;
use super::forms::Placed;
use super::speech::phrase::level_of;
use super::speech::stance::Stance;
use super::speech::word::{Word, WordKind, lowered};

/// Adds such a verdict under the name in the heading; false where the sentence is none.
pub(super) fn judges_heading(book: &mut Book<'_>, at: Placed<'_, '_>) -> bool {
    let Placed { prose, sentence, here, .. } = at;
    let Some(heading) = here.heading.filter(|_| here.lead.is_none() && here.above.is_empty()) else {
        return false;
    };
    let heading = &book.headings[heading];
    let span = prose.span(sentence);
    let between = Span { start: heading.span.end, end: span.start };
    let below = between.start <= between.end && !book.source.slice(between).contains(char::is_alphanumeric);
    let told = matches!(here.section, Stance::Example | Stance::Excuses | Stance::Describe);
    let Some(level) = verdict(at.words()).filter(|_| below && !told && names_thing(&heading.text)) else {
        return false;
    };
    let text = format!("{}: {}", heading.text, prose.lowered(sentence.clone()));
    let mut draft = draft_of(prose, sentence.clone(), text, (level, Force::Explicit), here, sentence);
    draft.spans.push(heading.span);
    book.add(draft);
    true
}

/// A verdict without what it is about, alone or with where it holds.
fn verdict(words: &[Word]) -> Option<Level> {
    const HOLDING: &[&str] = &[
        "in", "for", "on", "without", "unless", "except", "during", "by", "until", "outside", "before", "at",
    ];
    const LONGEST: usize = 3;
    let first = words.first().filter(|first| first.capital)?;
    let ends =
        |at: usize| words.get(at).is_none_or(|word| word.mark(".") || word.mark(",") || word.mark("!"));
    if first.is("only") && words.get(1).is_some_and(|next| next.any(HOLDING)) {
        return Some(Level::Must);
    }
    if first.any(&["no", "don't"]) && ends(1) {
        return Some(Level::MustNot);
    }
    (1..=LONGEST.min(words.len())).rev().find_map(|end| {
        let plain = words[..end].iter().all(|word| word.kind == WordKind::Plain);
        let given = end > 1 || first.lower.ends_with("ed") || first.any(&["forbidden", "optional"]);
        let holds = ends(end) || given && words[end].any(HOLDING);
        if !(plain && holds) {
            return None;
        }
        let said: Vec<&str> = words[..end].iter().map(|word| word.lower.as_str()).collect();
        let whole = !matches!(said[..], ["must" | "should" | "may" | "shall" | "do", ..] | ["deprecated"])
            // `Required. The name of the ship.` describes a field.
            && (said != ["required"] || !ends(end));
        if whole { level_of(&said.join(" ")) } else { None }
    })
}

/// `Force push`: a name of few words that asks and says nothing itself.
fn names_thing(heading: &str) -> bool {
    const LONGEST: usize = 4;
    let lower = lowered(heading);
    (1..=LONGEST).contains(&heading.split_whitespace().count())
        && !lower.contains(['?', ':'])
        && !lower.split(' ').any(|word| {
            matches!(
                word,
                "when" | "how" | "if" | "not" | "never" | "don't" | "no" | "rules" | "always" | "step"
            )
        })
}

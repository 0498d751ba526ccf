//! What a label judges: `Bad: listing every file`, `❌ Wrong: Push to main`, `Good: Describe the pattern`. An act that is judged is a rule; a
//! text that is judged, such as a title or a line of code, is a sample.

use std::ops::Range;

use mentci_authority::{Force, Level, OmissionReason};

use super::composed::draft_of;
use super::draft::Book;
use super::setting::Setting;
use super::speech::mood::{Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::sentence::{is_cross, is_verdict};
use super::speech::stance::{Stance, is_verb_in_ing};
use super::speech::word::{Word, WordKind};

/// Reads such a sentence; false when it is none, or shows a sample that only the label marks as one.
pub(crate) fn judges(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    here: &Setting,
) -> bool {
    let Some((level, body)) = judged(&prose.words, sentence) else { return false };
    let said = &prose.words[body.clone()];
    let marked = is_verdict(&prose.words[sentence.start]);
    if said[0].kind == WordKind::Code {
        return false;
    }
    let shown = is_shown(said) || !marked && here.section == Stance::Example || speaks_of_texts(book, here);
    if shown || !(is_act(said) || marked && mood_of(said).mood == Mood::Fragment) {
        if marked {
            book.omit(prose.span(sentence), OmissionReason::Example);
        }
        return marked;
    }
    let text = prose.condensed(body.clone());
    let text = if level.is_prohibition() { format!("NEVER {}", prose.lowered(body.clone())) } else { text };
    book.add(draft_of(prose, body, text, (level, Force::Implied), here, sentence));
    true
}

/// The judgement of such a label, and what stands behind it.
fn judged(words: &[Word], sentence: &Range<usize>) -> Option<(Level, Range<usize>)> {
    const BAD: &[&str] = &["bad", "wrong", "incorrect", "worse", "worst", "poor", "nope"];
    const GOOD: &[&str] = &["good", "right", "correct", "better"];
    let marked = usize::from(is_verdict(&words[sentence.start]));
    let said = words.get(sentence.start + marked..sentence.end)?;
    // `Wrong way: …`
    let named =
        usize::from(said.get(1).is_some_and(|word| word.any(&["way", "approach", "practice", "pattern"])));
    let [judge, ..] = said else { return None };
    let (colon, first) = (said.get(1 + named)?, said.get(2 + named)?);
    let body = sentence.start + marked + 2 + named..sentence.end;
    let level = if judge.any(BAD) {
        Level::MustNot
    } else if judge.any(GOOD) {
        Level::Must
    } else {
        return None;
    };
    // `✅ Wrong: …` is about what is wrong.
    let at_odds = marked > 0 && is_cross(&words[sentence.start]) != level.is_prohibition();
    (colon.mark(":") && first.lower != "\n" && !at_odds).then_some((level, body))
}

/// Whether what is judged is a text or looks like code. Marked code says itself what is wanted.
fn is_shown(said: &[Word]) -> bool {
    let first = &said[0];
    let quoted = first.mark("\"") || first.mark("“") || first.kind == WordKind::Quote;
    quoted || first.lower.contains(['(', '{', '/', '_', '='])
}

/// `Listing every file`, `List every file`, `Only what matters`.
fn is_act(said: &[Word]) -> bool {
    let first = &said[0];
    let ing = first.kind == WordKind::Plain && first.lower.len() > 4 && first.lower.ends_with("ing");
    let only = first.is("only") && said.len() > 2;
    ing && is_verb_in_ing(&first.lower)
        || only
        || matches!(mood_of(said).mood, Mood::Order(level, _) if !level.is_prohibition())
}

/// Whether what stands here is about titles, messages and other texts: what is judged there is one.
fn speaks_of_texts(book: &Book<'_>, here: &Setting) -> bool {
    const TEXTS: &[&str] = &[
        "commit",
        "commits",
        "message",
        "messages",
        "title",
        "titles",
        "name",
        "names",
        "naming",
        "description",
        "descriptions",
        "example",
        "examples",
        "headline",
        "headlines",
        "copy",
        "subject",
        "prompt",
        "prompts",
        "task",
        "tasks",
        "issue",
        "issues",
        "label",
        "labels",
        "phrase",
        "phrasing",
        "wording",
        "question",
        "questions",
        "requirement",
        "requirements",
        "criteria",
        "story",
        "stories",
        "hook",
        "writing",
        "tone",
        "voice",
        "cta",
        "button",
        "buttons",
        "text",
        "copywriting",
        "query",
        "queries",
        "item",
        "items",
        "sentence",
        "sentences",
        "specific",
        "specificity",
        "steps",
        "step",
    ];
    let lead = here.lead.as_ref().map_or("", |lead| lead.text.as_str());
    let heading = here.heading.map_or("", |heading| book.headings[heading].text.as_str());
    let words = |text: &str| {
        text.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|word| TEXTS.contains(&word))
    };
    words(lead) || words(heading)
}

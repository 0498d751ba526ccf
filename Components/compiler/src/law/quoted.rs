//! Rules in somebody's words: `The owner's rule: "If nobody needs it, don't build it."`

use std::ops::Range;

use mentci_authority::{Force, Level};
use mentci_reader::markdown::RichText;
use mentci_source::Span;

use super::composed::draft_of;
use super::draft::Book;
use super::setting::Setting;
use super::speech::mood::{Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::sentence::split_sentences;
use super::speech::word::WordKind;

/// Reads a rule in somebody's words; false where the sentence is none.
pub(super) fn read_quoted_rule(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    body: &Range<usize>,
    here: &Setting,
) -> bool {
    let Some(level) = quoted_rule(prose, sentence, body) else { return false };
    let text = prose.condensed(sentence.clone());
    book.add(draft_of(prose, sentence.clone(), text, (level, Force::Implied), here, sentence));
    true
}

/// `The owner's rule: "If nobody needs it, don't build it."`: a rule in somebody's words.
fn quoted_rule(prose: &Prose<'_>, sentence: &Range<usize>, body: &Range<usize>) -> Option<Level> {
    const CALLED: &[&str] = &["rule", "principle", "policy", "mantra", "maxim", "motto"];
    let mut said = body.clone().filter(|&at| prose.words[at].kind != WordKind::Mark);
    let quote = said.next().map(|at| &prose.words[at]).filter(|word| word.kind == WordKind::Quote)?;
    let label = &prose.words[sentence.start..body.start];
    let called = label.iter().rev().find(|word| word.kind != WordKind::Mark)?;
    if said.next().is_some() || !called.any(CALLED) {
        return None;
    }
    let text = prose.text.as_str()[quote.range.clone()].trim_matches(|c| matches!(c, '"' | '“' | '”' | '\''));
    let rich = RichText::plain(text, Span::new(0, text.len()));
    let inner = Prose::new(&rich);
    let mut orders = split_sentences(&inner.words).into_iter().filter_map(|sentence| {
        match mood_of(&inner.words[sentence]).mood {
            Mood::Order(level, _) => Some(level),
            _ => None,
        }
    });
    orders.next_back().or_else(|| called.any(&["rule", "principle", "policy"]).then_some(Level::Must))
}

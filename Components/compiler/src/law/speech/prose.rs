//! A paragraph in words.

use std::cell::RefCell;
use std::hash::Hasher;
use std::ops::Range;
use std::rc::Rc;

use mentci_reader::markdown::{RichText, Run, Style};
use mentci_source::Span;
use rustc_hash::{FxHashMap, FxHasher};

use super::condense::{condense, render};
use super::lexicon::is_verb;
use super::literal::literals;
use super::word::{Word, WordKind, split_words};

/// More words than this are not remembered at a time.
const MOST: usize = 8_192;

/// A paragraph in words.
pub(crate) struct Prose<'b> {
    pub text: &'b RichText,
    pub words: Rc<Vec<Word>>,
}

impl<'b> Prose<'b> {
    pub(crate) fn new(text: &'b RichText) -> Self {
        Self { text, words: RECENT.with_borrow_mut(|recent| recent.words(text)) }
    }

    pub(crate) fn span(&self, words: &Range<usize>) -> Span {
        let (Some(first), Some(last)) =
            (self.words.get(words.start), self.words.get(words.end.saturating_sub(1)))
        else {
            return Span::default();
        };
        self.text.source_span(first.range.start..last.range.end)
    }

    pub(crate) fn condensed(&self, words: Range<usize>) -> String {
        condense(&self.words[self.with_bracket(words)], self.text.as_str())
    }

    /// `[Barges] must be dry`: with the bracket in front, of which only the end stands among these words.
    fn with_bracket(&self, words: Range<usize>) -> Range<usize> {
        let opened = words.start.checked_sub(1).filter(|&before| self.words[before].lower == "[");
        let closes =
            || self.words[words.clone()].iter().find(|word| matches!(word.lower.as_str(), "[" | "]"));
        match opened.filter(|_| closes().is_some_and(|word| word.lower == "]")) {
            Some(before) => before..words.end,
            None => words,
        }
    }

    /// Condensed, with a small first letter; what is code or a quotation keeps its own.
    pub(crate) fn lowered(&self, words: Range<usize>) -> String {
        let condensed = self.condensed(words.clone());
        let literal = self.words[words].iter().any(|word| {
            matches!(word.kind, WordKind::Code | WordKind::Quote)
                && condensed
                    .trim_start_matches('`')
                    .starts_with(self.text.as_str()[word.range.clone()].trim())
        });
        if literal { condensed } else { lower_first(&condensed) }
    }

    pub(crate) fn verbatim(&self, words: Range<usize>) -> String {
        render(&self.words[words], self.text.as_str())
    }

    pub(crate) fn literals(&self, words: Range<usize>) -> Vec<String> {
        literals(&self.words[words], self.text.as_str())
    }
}

thread_local! {
    /// Many rules look at the same text, each for its own: it is split into words once for all of them.
    static RECENT: RefCell<Recent> = RefCell::default();
}

/// A source is read to its end, and its texts with it.
pub(crate) fn end_source() {
    RECENT.take();
}

/// The texts of this source that were split into words last.
#[derive(Default)]
struct Recent {
    /// By the hash of their text.
    split: FxHashMap<u64, Split>,
    /// How many words they have.
    size: usize,
}

/// A text, and all that its words depend on.
struct Split {
    text: String,
    styles: Vec<(Range<usize>, Style)>,
    words: Rc<Vec<Word>>,
}

impl Split {
    fn of(text: &RichText) -> Self {
        Self {
            text: text.as_str().to_owned(),
            styles: text.runs().iter().map(|run| (run.plain.clone(), run.style)).collect(),
            words: Rc::new(split_words(text)),
        }
    }

    fn is_of(&self, text: &RichText) -> bool {
        self.text == text.as_str()
            && text.runs().iter().map(style).eq(self.styles.iter().map(|(place, style)| (place, *style)))
    }
}

impl Recent {
    fn words(&mut self, text: &RichText) -> Rc<Vec<Word>> {
        let mut hasher = FxHasher::default();
        hasher.write(text.as_str().as_bytes());
        let hash = hasher.finish();
        if let Some(known) = self.split.get(&hash).filter(|known| known.is_of(text)) {
            return Rc::clone(&known.words);
        }
        let split = Split::of(text);
        let words = Rc::clone(&split.words);
        self.size += words.len();
        if self.size > MOST {
            *self = Self { size: words.len(), split: FxHashMap::default() };
        }
        if words.len() <= MOST {
            self.split.insert(hash, split);
        }
        words
    }
}

/// Where a run stands, and how it is marked up.
fn style(run: &Run) -> (&Range<usize>, Style) {
    (&run.plain, run.style)
}

/// Small first letter, unless the first word is a name.
fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    let (Some(first), Some(second)) = (chars.next(), chars.clone().next()) else { return text.to_owned() };
    if first.is_uppercase() && second.is_lowercase() && !is_proper(text) {
        first.to_lowercase().chain(chars).collect()
    } else {
        text.to_owned()
    }
}
/// `Spec.md`, `WorkflowContext`, `Looker Studio`: a name that begins so.
fn is_proper(text: &str) -> bool {
    let mut words = text.split(' ');
    let Some(first) = words.next() else { return false };
    let ends = first.ends_with([',', ':', ';', '.', ')', '?', '!']);
    let first = first.trim_end_matches([',', ':', ';', '.', ')', '?', '!']);
    let inside = first
        .char_indices()
        .skip(1)
        .any(|(_, c)| c.is_uppercase() || c.is_ascii_digit() || matches!(c, '.' | '_'));
    let acts = first.ends_with("ing") || is_verb(&first.to_lowercase());
    let titled = words.next().is_some_and(|next| {
        let mut letters = next.chars();
        letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase)
    });
    inside || titled && !ends && !acts && first.chars().all(char::is_alphabetic)
}

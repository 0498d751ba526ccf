//! Lessons that say nearly the same.

use std::borrow::Cow;
use std::collections::BTreeSet;

use mentci_authority::{Lesson, LessonId, seen};

use crate::words::{Word, content_words, hash64};

/// The share of words that two lessons must have in common, of all the words in both: four in five.
const NEAR: (usize, usize) = (4, 5);

/// A lesson as a reader sees it, without letters that only look like Latin ones: for comparing, never for showing.
pub(crate) fn as_seen(lesson: &Lesson) -> Cow<'_, Lesson> {
    if lesson.condition.is_ascii() && lesson.resolution.is_ascii() {
        return Cow::Borrowed(lesson);
    }
    let (condition, resolution) =
        (seen(&lesson.condition).into_owned(), seen(&lesson.resolution).into_owned());
    Cow::Owned(Lesson { condition, resolution, ..lesson.clone() })
}

/// Two lessons that say nearly the same: the later one is merged into the earlier one when compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearDuplicate {
    /// The one that is kept.
    pub kept: LessonId,
    /// The one that is merged into it.
    pub merged: LessonId,
}

/// Finds near-duplicates: the same names and numbers, and at least four in five words in common. The earlier lesson is
/// kept; a lesson is merged at most once, and never into one that is itself merged. Two lessons of which one negates
/// what the other says are no duplicates.
pub fn near_duplicates<'a>(lessons: impl IntoIterator<Item = &'a Lesson>) -> Vec<NearDuplicate> {
    let mut kept: Vec<(&LessonId, Sense)> = Vec::new();
    let mut found = Vec::new();
    for lesson in lessons {
        let sense = Sense::of(lesson);
        match kept.iter().find(|(id, other)| **id != lesson.id && other.is_near(&sense)) {
            Some((id, _)) => found.push(NearDuplicate { kept: (*id).clone(), merged: lesson.id.clone() }),
            None => kept.push((&lesson.id, sense)),
        }
    }
    found
}

/// Whether two lessons say nearly the same, as [`near_duplicates`] sees it: case, spaces and punctuation are no difference.
pub fn says_nearly(one: &Lesson, other: &Lesson) -> bool {
    Sense::of(one).is_near(&Sense::of(other))
}

/// What a lesson says, as sets. Words of the condition and of the resolution are kept apart.
struct Sense {
    names: BTreeSet<String>,
    /// Hashes, sorted: two lists are compared in one pass.
    words: Vec<u64>,
    negations: usize,
}

impl Sense {
    fn of(lesson: &Lesson) -> Self {
        let lesson = as_seen(lesson);
        let mut sense = Self { names: BTreeSet::new(), words: Vec::new(), negations: 0 };
        for (side, text) in [("c", &lesson.condition), ("r", &lesson.resolution)] {
            for Word { stem, is_name } in content_words(text) {
                if is_name || stem.contains(|c: char| c.is_ascii_digit()) {
                    sense.names.insert(format!("{side} {stem}"));
                } else {
                    sense.words.push(hash64(side, &stem));
                }
            }
            sense.names.extend(quoted_parts(text).map(|part| format!("{side} {part}")));
            sense.negations += text.split_whitespace().filter(|word| negates(word)).count();
        }
        sense.words.sort_unstable();
        sense.words.dedup();
        sense
    }

    fn is_near(&self, other: &Self) -> bool {
        self.negations == other.negations
            && shares_most(&self.words, &other.words)
            && self.names == other.names
    }
}

/// Whether at least [`NEAR`] of all words in both lists stand in each.
fn shares_most(a: &[u64], b: &[u64]) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if short.len() * NEAR.1 < long.len() * NEAR.0 {
        return false;
    }
    let shared = short.iter().filter(|word| long.binary_search(word).is_ok()).count();
    shared * NEAR.1 >= (a.len() + b.len() - shared) * NEAR.0
}

/// Text between backticks: two lessons about different commands are different lessons.
fn quoted_parts(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Whether a word turns what a lesson says into its opposite.
pub(crate) fn negates(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    matches!(
        word.as_str(),
        "not" | "never" | "no" | "without" | "don't" | "cannot" | "can't" | "avoid" | "skip"
    )
}

//! Lessons that say the opposite of each other under one condition.

use std::collections::BTreeMap;

use mentci_authority::Lesson;

use super::similar::negates;
use crate::words::content_words;

/// The pairs that say the opposite under one condition, by their places in the list: the earlier one first.
///
/// ```
/// use mentci_authority::{Lesson, LessonId};
/// use mentci_compiler::lessons::opposed;
/// let lesson = |resolution: &str| Lesson {
///     id: LessonId::of("shop", "tests are slow", resolution),
///     condition: "tests are slow".into(),
///     resolution: resolution.into(),
///     context: None,
///     at: None,
///     author: None,
///     source: None,
///     sessions: Default::default(),
///     status: Default::default(),
/// };
/// let told = [lesson("use nextest"), lesson("never use nextest"), lesson("use fewer threads")];
/// assert_eq!(opposed(&told.iter().collect::<Vec<_>>()), [(0, 1)]);
/// ```
pub fn opposed(lessons: &[&Lesson]) -> Vec<(usize, usize)> {
    let mut first: BTreeMap<(Vec<String>, Vec<String>, bool), usize> = BTreeMap::new();
    let mut pairs = Vec::new();
    for (index, lesson) in lessons.iter().enumerate() {
        let (condition, resolution) = (said(&lesson.condition), said(&lesson.resolution));
        let negates = condition.1 != resolution.1;
        if resolution.0.is_empty() {
            continue;
        }
        first.entry((condition.0.clone(), resolution.0.clone(), negates)).or_insert(index);
        let other = first.get(&(condition.0, resolution.0, !negates));
        pairs.extend(other.map(|&other| (other, index)));
    }
    pairs
}

/// The words of a text without those that only negate or do, sorted, and whether it negates.
fn said(text: &str) -> (Vec<String>, bool) {
    let mut negated = false;
    for word in text.split_whitespace() {
        negated ^= negates(word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\''));
    }
    let mut words: Vec<String> = content_words(text)
        .into_iter()
        .map(|word| word.stem)
        .filter(|stem| {
            !negates(stem) && !matches!(stem.as_str(), "use" | "do" | "alway" | "always" | "don" | "must")
        })
        .collect();
    words.sort();
    words.dedup();
    (words, negated)
}

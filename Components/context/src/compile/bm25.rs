//! Documents by how well they fit a query: Okapi BM25 (Robertson and Zaragoza, 2009) over words and literals.

use std::collections::{BTreeMap, BTreeSet};

use super::Document;

/// How fast a word's repetitions stop to matter, and how much a document's length does: the usual values.
const K1: f64 = 1.2;
const B: f64 = 0.75;
/// The most different words of a query that are looked for.
const MOST_WORDS: usize = 1_024;

/// The texts that share a word with the query, by their places, the best first.
///
/// ```
/// assert_eq!(mentci_context::most_relevant(&["the weather", "the port is 8417"], "which port?"), [1]);
/// ```
pub fn most_relevant(texts: &[&str], query: &str) -> Vec<usize> {
    let document = |text: &&str| Document { source: String::new(), text: (*text).to_owned() };
    let documents: Vec<Document> = texts.iter().map(document).collect();
    rank(query, &documents).into_iter().map(|(at, _)| at).collect()
}

/// The documents that share a word with the query, the best first; of equals, the one that is told first.
pub(super) fn rank(query: &str, documents: &[Document]) -> Vec<(usize, f64)> {
    let query: BTreeSet<String> = words(query).take(MOST_WORDS).collect();
    let bags: Vec<Bag> = documents.iter().map(|document| Bag::of(&document.text, &query)).collect();
    let mean = float(bags.iter().map(|bag| bag.length).sum()) / float(bags.len().max(1));
    let weight = |word: &String| {
        let having = float(bags.iter().filter(|bag| bag.counts.contains_key(word)).count());
        (word.clone(), ((float(bags.len()) - having + 0.5) / (having + 0.5)).ln_1p())
    };
    let weights: BTreeMap<String, f64> = query.iter().map(weight).collect();
    let scores = bags.iter().map(|bag| bag.score(&weights, mean)).enumerate();
    let mut ranked: Vec<(usize, f64)> = scores.filter(|(_, score)| *score > 0.0).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    ranked
}

/// A document's words that a query has, with how often each stands there.
struct Bag {
    counts: BTreeMap<String, usize>,
    length: usize,
}

impl Bag {
    fn of(text: &str, query: &BTreeSet<String>) -> Self {
        let mut bag = Self { counts: BTreeMap::new(), length: 0 };
        for word in words(text) {
            bag.length += 1;
            if query.contains(&word) {
                *bag.counts.entry(word).or_default() += 1;
            }
        }
        bag
    }

    fn score(&self, weights: &BTreeMap<String, f64>, mean: f64) -> f64 {
        let norm = K1 * (1.0 - B + B * float(self.length) / mean.max(1.0));
        let part = |(word, count): (&String, &usize)| {
            let count = float(*count);
            weights.get(word).copied().unwrap_or(0.0) * count * (K1 + 1.0) / (count + norm)
        };
        self.counts.iter().map(part).sum()
    }
}

/// Words in lower case; literals (`src/lib.rs`, `max_width`) as a whole and in their words.
fn words(text: &str) -> impl Iterator<Item = String> {
    let is_joint = |one: char| matches!(one, '_' | '-' | '.' | '/' | ':');
    let literals = text.split(move |one: char| !one.is_alphanumeric() && !is_joint(one));
    literals.flat_map(move |literal| {
        let literal = literal.trim_matches(is_joint);
        let whole = Some(literal).filter(|literal| literal.contains(is_joint));
        let parts = literal.split(is_joint).filter(|part| !part.is_empty());
        whole.into_iter().chain(parts).map(str::to_lowercase).collect::<Vec<_>>()
    })
}

fn float(number: usize) -> f64 {
    // OK because no text has 2^53 words.
    #[expect(clippy::cast_precision_loss, reason = "counts are exact below 2^53")]
    let float = number as f64;
    float
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked(query: &str, texts: &[&str]) -> Vec<usize> {
        let document = |text: &&str| Document { source: String::new(), text: (*text).to_owned() };
        let documents: Vec<Document> = texts.iter().map(document).collect();
        rank(query, &documents).into_iter().map(|(at, _)| at).collect()
    }

    #[test]
    fn words_count_and_not_their_parts() {
        assert_eq!(ranked("art", &["the party started", "art is long"]), [1]);
        assert_eq!(ranked("Where is src/lib.rs?", &["lib", "see src/lib.rs", "nothing"]), [1, 0]);
    }

    #[test]
    fn rare_words_weigh_more_and_equals_keep_their_order() {
        let texts = ["the build", "the deploy", "the test", "the deploy"];
        assert_eq!(ranked("the deploy", &texts), [1, 3, 0, 2]);
        assert_eq!(ranked("", &texts), [] as [usize; 0]);
        assert_eq!(ranked("x", &[]), [] as [usize; 0]);
    }
}

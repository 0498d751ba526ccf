//! Which norm a lesson concerns.

use std::collections::{BTreeMap, BTreeSet};

use mentci_authority::{Force, Lesson, Level, Norm};

use crate::called::{Told, word_names};
use crate::case::Case;
use crate::lessons::as_seen;
use crate::words::bag;

/// How much more a shared name says than a shared word.
const NAME_WEIGHT: f64 = 3.0;
/// How much less a word of the resolution says than one of the condition.
const RESOLUTION_WEIGHT: f64 = 0.6;
/// Without a shared name: the share of a norm's weight that a lesson must touch.
const LEAST_SHARE: f64 = 0.4;
/// From here on a norm is restated, not only touched.
const RESTATED_SHARE: f64 = 0.6;
/// Nearer to the best than this is a tie.
const TIE: f64 = 0.9;
/// An explicit norm this near to the best is concerned, too.
const BINDING_NEAR: f64 = 0.5;

/// What a lesson concerns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Concern {
    /// No norm: it stands for itself.
    Nothing,
    /// This norm.
    Norm(usize),
    /// These norms equally well, the first of the law first.
    Tie(Vec<usize>),
    /// It touches these explicit must and must-not norms: it stands beneath them, or waits where it would loosen one.
    Binding(Vec<usize>),
}

/// The norms of one skill, ready to be matched by words (BM25 without saturation: a norm is one sentence).
#[derive(Debug)]
pub(crate) struct Concerns {
    postings: BTreeMap<String, Vec<usize>>,
    norms: Vec<Subject>,
}

#[derive(Debug)]
struct Subject {
    is_binding: bool,
    weight: f64,
    names: Vec<String>,
    phrases: Vec<String>,
    /// Names that are written like words.
    word_names: BTreeSet<String>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Match {
    score: f64,
    touched: f64,
    words: usize,
    has_name: bool,
}

impl Concerns {
    /// Indexes the norms.
    pub(crate) fn of<'a>(norms: impl IntoIterator<Item = &'a Norm>) -> Self {
        let mut postings: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut subjects = Vec::new();
        for (index, norm) in norms.into_iter().enumerate() {
            let bag = bag(&norm.text);
            for stem in bag.keys() {
                postings.entry(stem.clone()).or_default().push(index);
            }
            subjects.push(Subject::of(norm, &bag));
        }
        let mut concerns = Self { postings, norms: subjects };
        concerns.weigh();
        concerns
    }

    /// The norm that `case` concerns. To a lesson that a person accepted, explicit norms are norms like any other.
    pub(crate) fn find(&self, case: &Case) -> Concern {
        let matches = self.matches(&as_seen(&case.lesson)).into_iter().enumerate();
        let fitting: Vec<(usize, Match)> =
            matches.filter(|(index, found)| self.fits(*index, *found)).collect();
        let best = fitting.iter().map(|(_, found)| found.score).fold(0.0, f64::max);
        let binds = |(index, found): &&(usize, Match)| self.binds(*index, *found, best);
        let binding: Vec<usize> = fitting.iter().filter(binds).map(|(index, _)| *index).collect();
        if !(case.is_accepted || binding.is_empty()) {
            return Concern::Binding(binding);
        }
        let tied: Vec<usize> =
            fitting.iter().filter(|(_, found)| found.score >= best * TIE).map(|(index, _)| *index).collect();
        match tied.as_slice() {
            [] => Concern::Nothing,
            [one] => Concern::Norm(*one),
            _ => Concern::Tie(tied),
        }
    }

    /// Whether the lesson touches this explicit norm nearly as well as the best, or restates it.
    fn binds(&self, index: usize, found: Match, best: f64) -> bool {
        let near = found.score >= best * BINDING_NEAR || self.share(index, found) >= RESTATED_SHARE;
        self.norms[index].is_binding && near
    }

    fn matches(&self, lesson: &Lesson) -> Vec<Match> {
        let mut matches = vec![Match::default(); self.norms.len()];
        let mut weights: BTreeMap<String, (f64, bool)> = BTreeMap::new();
        for (text, weight) in [(&lesson.condition, 1.0), (&lesson.resolution, RESOLUTION_WEIGHT)] {
            for (stem, is_name) in bag(text) {
                weights.entry(stem).or_insert((weight, is_name));
            }
        }
        for (stem, (weight, _)) in &weights {
            for &index in self.postings.get(stem).into_iter().flatten() {
                self.norms[index].touch(&mut matches[index], stem, *weight, self.rarity(stem));
            }
        }
        self.touch_phrases(lesson, &mut matches);
        self.touch_word_names(lesson, &mut matches);
        matches
    }

    /// A literal of several words that stands in the lesson verbatim is as good as a name.
    fn touch_phrases(&self, lesson: &Lesson, matches: &mut [Match]) {
        for (index, norm) in self.norms.iter().enumerate() {
            let said = |phrase: &&String| {
                lesson.condition.contains(phrase.as_str()) || lesson.resolution.contains(phrase.as_str())
            };
            if norm.phrases.iter().any(|phrase| said(&phrase)) {
                matches[index].has_name = true;
                matches[index].score += NAME_WEIGHT;
            }
        }
    }

    /// So is a name that is written like a word and stands in the lesson's condition.
    fn touch_word_names(&self, lesson: &Lesson, matches: &mut [Match]) {
        let told = Told::of(&lesson.condition);
        for (norm, found) in self.norms.iter().zip(matches) {
            if norm.word_names.iter().any(|name| told.means(name)) {
                found.has_name = true;
                found.score += NAME_WEIGHT;
            }
        }
    }

    fn fits(&self, index: usize, found: Match) -> bool {
        let share = self.share(index, found);
        let restates = self.norms[index].is_binding && share >= RESTATED_SHARE;
        found.has_name || restates || (found.words >= 2 && share >= LEAST_SHARE)
    }

    fn share(&self, index: usize, found: Match) -> f64 {
        let whole = self.norms[index].weight;
        if whole > 0.0 { found.touched / whole } else { 0.0 }
    }

    /// The inverse document frequency: a word that every norm has says little.
    #[expect(clippy::cast_precision_loss, reason = "a skill has far fewer than 2^52 norms")]
    fn rarity(&self, stem: &str) -> f64 {
        let with = self.postings.get(stem).map_or(0, Vec::len) as f64;
        let all = self.norms.len() as f64;
        (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
    }

    /// Fills in each norm's whole weight.
    fn weigh(&mut self) {
        let mut weights = vec![0.0; self.norms.len()];
        for (stem, indices) in &self.postings {
            for &index in indices {
                weights[index] += self.rarity(stem);
            }
        }
        for (norm, weight) in self.norms.iter_mut().zip(weights) {
            norm.weight = weight;
        }
    }
}

impl Subject {
    fn of(norm: &Norm, bag: &BTreeMap<String, bool>) -> Self {
        let is_phrase = |literal: &&String| literal.len() >= 4 && literal.contains(' ');
        Self {
            is_binding: norm.force == Force::Explicit && Level::is_binding(norm.level),
            weight: 0.0,
            names: bag.iter().filter(|(_, is_name)| **is_name).map(|(stem, _)| stem.clone()).collect(),
            phrases: norm.literals.iter().filter(is_phrase).cloned().collect(),
            word_names: word_names(&norm.text),
        }
    }

    fn touch(&self, found: &mut Match, stem: &str, weight: f64, rarity: f64) {
        let is_name = self.names.iter().any(|name| name == stem);
        found.words += 1;
        found.touched += rarity;
        found.has_name |= is_name;
        found.score += weight * rarity * if is_name { NAME_WEIGHT } else { 1.0 };
    }
}

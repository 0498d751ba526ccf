//! What a must-not forbids.

use std::collections::BTreeSet;

use mentci_authority::Norm;

use super::advice::{Advice, Done, says_it};
use super::gate::{Gate, is_bare};
use super::measure::Measures;
use super::option::{runs, switches_off};
use super::said::{contains_whole, has_akin, is_generic, object_of, parted, stems, whole, words_of};
use super::tone::REMOVING;

/// The object of a must-not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ban {
    /// Literals that can only be names, and those of several words: to recommend one of them is enough.
    names: Vec<String>,
    /// Literals that are plain words: `sudo`, `main`.
    plain: BTreeSet<String>,
    /// What is done with the plain literals; without one, all words of what is forbidden.
    deeds: BTreeSet<String>,
    /// The first of these: what is done.
    verb: Option<String>,
    /// Words behind `without`, `before`, `until`: the ban holds where these are missing.
    lacking: BTreeSet<String>,
    /// Whether it forbids taking something away.
    removes: bool,
    /// What is done to what; none beside literals.
    deed: Option<Gate>,
    /// Whether it names nothing to which it is done: `deploy on a Friday`.
    is_bare: bool,
    /// The numbers that it bounds.
    measures: Measures,
}

impl Ban {
    /// What `norm` forbids.
    pub(super) fn of(norm: &Norm) -> Option<Self> {
        let (object, lacking) = object_of(&norm.text);
        let literals = norm.literals.iter().map(String::as_str);
        let literals: Vec<&str> = literals.filter(|literal| contains_whole(&object, literal)).collect();
        let is_plain = |literal: &&str| literal.chars().all(char::is_alphabetic) && !has_hump(literal);
        let (plain, names): (Vec<&str>, Vec<&str>) = literals.into_iter().partition(is_plain);
        // Behind a literal stands where, before it what is done: `using curl in scripts`, `commit to main`.
        let first = plain.iter().filter_map(|word| whole(&object, &word.to_lowercase())).min();
        let deed = first.map_or(object.as_str(), |at| &object[..at]);
        let plain: BTreeSet<String> = plain.into_iter().flat_map(stems).collect();
        let of_names: BTreeSet<String> = names.iter().flat_map(|name| stems(name)).collect();
        let is_deed = |word: &String| !is_generic(word) && !plain.contains(word) && !of_names.contains(word);
        // `Tests must not be deleted`.
        let done = deed.split_once(" be ").map_or(deed, |(_, done)| done);
        let verb = stems(done).into_iter().find(is_deed);
        let deeds: BTreeSet<String> = stems(deed).into_iter().filter(is_deed).collect();
        let names: Vec<String> = names.into_iter().map(str::to_lowercase).collect();
        let removes = deeds.iter().any(|word| REMOVING.contains(&word.as_str()));
        let is_spoken = names.is_empty() && plain.is_empty();
        let deed = verb.clone().filter(|_| is_spoken).map(|verb| {
            let objects = deeds.iter().filter(|word| **word != verb).cloned().collect();
            Gate { verb, objects }
        });
        let is_bare = verb.as_ref().is_some_and(|verb| is_bare(done, verb));
        let (bounded, _) = parted(&norm.text.to_lowercase(), &["if", "when", "unless", "except"]);
        let measures = Measures::of(&bounded, true);
        let is_any = !(names.is_empty() && plain.is_empty() && deeds.is_empty());
        is_any.then_some(Self { names, plain, deeds, verb, lacking, removes, deed, is_bare, measures })
    }

    /// Whether a lesson says to do it.
    pub(super) fn is_recommended(&self, advice: &Advice) -> bool {
        let done = if self.removes { &advice.all_done } else { &advice.done };
        let says =
            |name: &String| done.texts.iter().any(|text| contains_whole(text, name) || runs(text, name));
        let named = self.names.iter().any(says);
        let plain = self.plain.iter().any(|word| done.words.contains(word)) && self.is_done(advice);
        if self.measures.are_kept(advice) {
            return false;
        }
        let in_haste = || {
            self.deed.as_ref().is_some_and(|deed| {
                deed.is_ordered_in_haste(advice) || self.is_bare && deed.is_done_to_it(advice)
            })
        };
        let done =
            named || plain || self.is_done_to_it(done, advice) || self.is_deed(done, advice) || in_haste();
        done && self.holds(advice) || self.measures.are_broken(advice)
    }

    /// Whether the condition names a literal, and the resolution does it to `it`: `cleaning up prod.db`: `remove it`.
    fn is_done_to_it(&self, done: &Done, advice: &Advice) -> bool {
        const USES: &[&str] = &["use", "run", "call", "invoke", "try", "execute"];
        let named =
            self.names.iter().any(|name| stems(name).iter().all(|word| advice.condition.contains(word)));
        let plain = self.plain.iter().any(|word| advice.condition.contains(word));
        let does = |(words, text): (&Vec<String>, &String)| {
            let opens = words_of(text).next().is_some_and(|word| USES.contains(&word));
            says_it(text) && self.verb.as_ref().map_or(opens, |verb| words.contains(verb))
        };
        (named || plain) && done.clauses.iter().zip(&done.texts).any(does)
    }

    /// Whether the lesson speaks of doing what is forbidden with a literal: `commit` of `commit to main`.
    fn is_done(&self, advice: &Advice) -> bool {
        self.deeds.is_empty() || self.deeds.iter().any(|deed| advice.all.contains(deed))
    }

    /// A ban without a literal: a clause says to do most of its words, or its one word.
    fn is_deed(&self, done: &Done, advice: &Advice) -> bool {
        if !(self.plain.is_empty() && self.names.is_empty()) {
            return false;
        }
        if let [word] = self.deeds.iter().collect::<Vec<_>>().as_slice() {
            return done.first.contains(*word);
        }
        done.clauses.iter().zip(&done.texts).any(|(words, text)| {
            self.is_most(|word| words.contains(word)) || self.refers(words, text, done, advice)
        })
    }

    /// A clause that names the deed alone, or does it to what was named before: `switch to main, then push`, `patch it by hand`.
    fn refers(&self, words: &[String], text: &str, done: &Done, advice: &Advice) -> bool {
        let Some(verb) = self.verb.as_ref().filter(|verb| words.contains(verb)) else { return false };
        let alone = words.iter().all(|word| word == verb);
        let it = says_it(text) || switches_off(text);
        (alone || it)
            && self.is_most(|word| done.words.contains(word) || it && advice.condition.contains(word))
    }

    fn is_most(&self, is_said: impl Fn(&String) -> bool) -> bool {
        let said = self.deeds.iter().filter(|word| is_said(word)).count();
        said >= 2 && said * 5 >= self.deeds.len() * 3
    }

    /// Whether a lesson that speaks of it says that it does no harm, or switches off what watches over it.
    pub(super) fn is_permitted(&self, advice: &Advice) -> bool {
        let speaks = || self.all_words().iter().any(|word| advice.all_done.words.contains(word));
        advice.switches || advice.permits && speaks()
    }

    /// Its words.
    pub(super) fn all_words(&self) -> BTreeSet<String> {
        let names = self.names.iter().flat_map(|name| stems(name));
        names.chain(self.plain.iter().chain(&self.deeds).cloned()).collect()
    }

    /// What is forbidden `without` something is recommended only by what leaves that out.
    fn holds(&self, advice: &Advice) -> bool {
        self.lacking.is_empty()
            || advice.presses
            || self.lacking.iter().any(|word| advice.left_out.contains(word))
            || advice.hastes
                && !advice.is_fulfilled
                && !self.lacking.iter().any(|word| has_akin(&advice.done.words, word))
    }
}

/// `DaemonStatus`, `unwrapOr`.
fn has_hump(word: &str) -> bool {
    word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase)
}

//! Whether a lesson goes against a rule: recommends what it forbids, makes light of what it demands, or speaks of rules themselves.
//!
//! INVARIANT (contradiction): what a must-not names outright, in its sentence or from `Never:` above it, no lesson recommends before a
//! person accepted it.

mod rules;
mod said;

use std::collections::BTreeSet;

use mentci_authority::{Force, Lesson, Level, Norm};

use crate::words::{stem_of, tokens};

pub(crate) use rules::speaks_of_rules;
use said::{
    allows, clauses, contains_whole, denies, forbids, is_generic, is_negated, object_of, parted, stems, whole,
};

/// What a rule forbids or demands, ready to be looked for in lessons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stake {
    /// A must-not.
    Ban(Ban),
    /// The literals of an explicit must, as words.
    Demand(BTreeSet<String>),
}

/// The object of a must-not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ban {
    /// Literals that can only be names, and those of several words: to recommend one of them is enough.
    names: Vec<String>,
    /// Literals that are plain words: `sudo`, `main`.
    plain: BTreeSet<String>,
    /// What is done with the plain literals; without one, all words of what is forbidden.
    deeds: BTreeSet<String>,
    /// Words behind `without`, `before`, `until`: the ban holds where these are missing.
    lacking: BTreeSet<String>,
    /// Whether it forbids taking something away.
    removes: bool,
}

impl Stake {
    /// What `norm` forbids, or demands in so many words; none for all other norms.
    pub(crate) fn of(norm: &Norm) -> Option<Self> {
        match (norm.level, norm.force) {
            (Level::MustNot, _) => Ban::of(norm).map(Self::Ban),
            (Level::Must, Force::Explicit) => {
                let literals = norm.literals.iter().flat_map(|literal| stems(literal));
                Some(Self::Demand(literals.filter(|word| !is_generic(word)).collect()))
            }
            _ => None,
        }
    }

    /// Whether `advice` goes against it.
    pub(crate) fn is_opposed(&self, advice: &Advice) -> bool {
        match self {
            Self::Ban(ban) => ban.is_recommended(advice),
            Self::Demand(literals) => {
                advice.belittles && literals.iter().any(|word| advice.all.contains(word))
            }
        }
    }

    /// Its words: a lesson that has none of them is not opposed.
    pub(crate) fn words(&self) -> BTreeSet<String> {
        match self {
            Self::Ban(ban) => {
                let names = ban.names.iter().flat_map(|name| stems(name));
                names.chain(ban.plain.iter().chain(&ban.deeds).cloned()).collect()
            }
            Self::Demand(literals) => literals.clone(),
        }
    }
}

impl Ban {
    fn of(norm: &Norm) -> Option<Self> {
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
        let deeds = stems(deed).into_iter();
        let deeds: BTreeSet<String> = deeds
            .filter(|word| !is_generic(word) && !plain.contains(word) && !of_names.contains(word))
            .collect();
        let names: Vec<String> = names.into_iter().map(str::to_lowercase).collect();
        let removes = deeds.iter().any(|word| REMOVING.contains(&word.as_str()));
        let is_any = !(names.is_empty() && plain.is_empty() && deeds.is_empty());
        is_any.then_some(Self { names, plain, deeds, lacking, removes })
    }

    fn is_recommended(&self, advice: &Advice) -> bool {
        let done = if self.removes { &advice.all_done } else { &advice.done };
        let named = self.names.iter().any(|name| done.texts.iter().any(|text| contains_whole(text, name)));
        let plain = self.plain.iter().any(|word| done.words.contains(word)) && self.is_done(advice);
        (named || plain || self.is_deed(done)) && self.holds(advice)
    }

    /// Whether the lesson speaks of doing what is forbidden with a literal: `commit` of `commit to main`.
    fn is_done(&self, advice: &Advice) -> bool {
        self.deeds.is_empty() || self.deeds.iter().any(|deed| advice.all.contains(deed))
    }

    /// A ban without a literal: most of its words are recommended, or its one word is what to do.
    fn is_deed(&self, done: &Done) -> bool {
        if !(self.plain.is_empty() && self.names.is_empty()) {
            return false;
        }
        let shared = self.deeds.iter().filter(|word| done.words.contains(*word)).count();
        match self.deeds.len() {
            0 => false,
            1 => self.deeds.iter().any(|word| done.first.contains(word)),
            all => shared >= 2 && shared * 5 >= all * 3,
        }
    }

    /// What is forbidden `without` something is recommended only by what leaves that out.
    fn holds(&self, advice: &Advice) -> bool {
        self.lacking.is_empty()
            || advice.presses
            || self.lacking.iter().any(|word| advice.left_out.contains(word))
    }
}

/// What a lesson recommends, taken apart once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Advice {
    /// What its resolution says to do, without what it says to take away.
    done: Done,
    /// The same, with what it says to take away.
    all_done: Done,
    /// The words of both its sides.
    all: BTreeSet<String>,
    /// The words behind `without`, and of what it says to leave.
    left_out: BTreeSet<String>,
    /// Whether it leaves out `it`, what the condition names.
    leaves_it: bool,
    /// Whether it goes on all the same: `anyway`, `directly`.
    presses: bool,
    /// Whether it says that something is optional, void, to be skipped.
    belittles: bool,
}

/// Clauses that say to do something.
#[derive(Debug, Clone, Default)]
struct Done {
    /// The clauses, in lower case.
    texts: Vec<String>,
    words: BTreeSet<String>,
    /// The word that each clause begins with.
    first: BTreeSet<String>,
}

impl Advice {
    /// What `lesson` recommends.
    pub(crate) fn of(lesson: &Lesson) -> Self {
        let mut advice = Self::default();
        advice.take_in(&lesson.resolution);
        if advice.leaves_it {
            advice.left_out.extend(stems(&lesson.condition));
        }
        let says_it = advice.all_done.words.iter().all(|word| ANAPHORA.contains(&word.as_str()));
        if says_it && !advice.all_done.texts.is_empty() {
            // `rsh works`: `use it`.
            advice.take_in(&lesson.condition);
        }
        let sides = [&lesson.condition, &lesson.resolution];
        advice.all = sides.into_iter().flat_map(|side| stems(side)).collect();
        let said: Vec<String> = tokens(&lesson.resolution).map(str::to_lowercase).collect();
        advice.presses = said.iter().any(|word| PRESSING.contains(&word.as_str()));
        advice.belittles = said.iter().any(|word| BELITTLING.contains(&word.as_str()));
        advice
    }

    fn take_in(&mut self, text: &str) {
        for clause in clauses(text) {
            if forbids(&clause) || denies(&clause) {
                self.left_out.extend(stems(&clause));
                continue;
            }
            // `do not hesitate to use sudo` leaves nothing out.
            let turns: &[&str] = if is_negated(&clause) || allows(&clause) { &[] } else { LEAVING };
            let (kept, left) = parted(&clause, turns);
            self.leaves_it |= left.iter().any(|part| stems(part).is_empty());
            self.left_out.extend(left.iter().flat_map(|part| stems(part)));
            self.all_done.add(&kept);
            let opening = tokens(&kept).next().map(stem_of).unwrap_or_default();
            if REMOVING.contains(&opening.as_str()) {
                // `replace sudo with doas`: doas is what to do.
                let (_, with) = parted(&kept, &["with", "by"]);
                for part in &with {
                    self.done.add(part);
                }
            } else {
                self.done.add(&kept);
            }
        }
    }
}

impl Done {
    fn add(&mut self, clause: &str) {
        let words = stems(clause).into_iter().filter(|word| !is_generic(word));
        let words: Vec<String> = words.collect();
        self.first.extend(words.first().cloned());
        self.words.extend(words);
        self.texts.push(clause.to_owned());
    }
}

/// Behind these stands what is not to be done.
const LEAVING: &[&str] = &["instead of", "rather than", "without", "not", "never"];

/// `use it`, `do that anyway`, `it is fine`.
const ANAPHORA: &[&str] = &[
    "anyway",
    "fine",
    "ok",
    "okay",
    "allow",
    "regardles",
    "regardless",
    "directly",
    "still",
    "now",
    "here",
    "again",
    "safe",
    "go",
    "ahead",
    "simply",
];

/// `deploy anyway`.
const PRESSING: &[&str] =
    &["anyway", "anyhow", "directly", "immediately", "regardless", "straight", "yourself", "nevertheless"];

/// `tests are optional`.
const BELITTLING: &[&str] = &[
    "optional",
    "unnecessary",
    "unneeded",
    "pointless",
    "skip",
    "skipped",
    "skipping",
    "bypass",
    "omit",
    "disable",
    "forgo",
    "ignore",
    "void",
    "waive",
    "waived",
];

/// `remove sudo from the script`, `replace it with doas`.
const REMOVING: &[&str] =
    &["remov", "replac", "drop", "delet", "revert", "undo", "strip", "refus", "reject", "stop", "swap"];

/// `DaemonStatus`, `unwrapOr`.
fn has_hump(word: &str) -> bool {
    word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase)
}

#[cfg(test)]
mod tests;

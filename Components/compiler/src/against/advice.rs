//! What a lesson recommends, clause by clause.

use std::collections::BTreeSet;

use mentci_authority::Lesson;

use super::grant::grants;
use super::haste::{hastes, is_fulfilled};
use super::limit::limits;
use super::option::{left_out, switches_off};
use super::said::{
    allows, clauses, denies, forbids, is_generic, is_needless, is_negated, needs_none, parted, stems,
    told_stems, words_of,
};
use super::tone::{
    ANAPHORA, BELITTLING, EXEMPTING, FREEING, LEAVING, PAIRED, PERMITTING, POSTPONING, PRESSING, PRONOUN,
    REMOVING, TAKING,
};
use crate::lessons::as_seen;
use crate::words::{stem_of, tokens};

/// What a lesson recommends, taken apart once.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a tone that a lesson has or has not")]
pub(crate) struct Advice {
    /// What its resolution says to do, without what it says to take away.
    pub(super) done: Done,
    /// The same, with what it says to take away.
    pub(super) all_done: Done,
    /// The words of its condition.
    pub(super) condition: BTreeSet<String>,
    /// The words of both its sides.
    pub(crate) all: BTreeSet<String>,
    /// The words behind `without`, and of what it says to leave.
    pub(super) left_out: BTreeSet<String>,
    /// The words of what it says to skip, to switch off, to lower.
    pub(super) taken: BTreeSet<String>,
    /// The words of what it says to stop doing: `no need to ask`, `cargo fmt is not needed`.
    pub(super) denied: BTreeSet<String>,
    /// The words of what it says that nobody needs: `no approvals are needed`.
    pub(super) needless: BTreeSet<String>,
    /// Whether it leaves out `it`, what the condition names.
    leaves_it: bool,
    /// Whether it goes on all the same: `anyway`, `directly`.
    pub(super) presses: bool,
    /// Whether it says that something is optional, void, to be skipped.
    pub(super) belittles: bool,
    /// Whether it says that something is fine, allowed, enough.
    pub(super) permits: bool,
    /// Whether it says to do something later, or something else first.
    pub(super) postpones: bool,
    /// Whether it says how seldom, or where only: `once a week`, `only when`.
    pub(super) limits: bool,
    /// Whether it switches a check off: `#[ignore]`, `|| true`.
    pub(super) switches: bool,
    /// Whether it gives leave, whatever from.
    pub(crate) grants: bool,
    /// Whether it hurries, or has an excuse: `at once`, `the change is tiny`.
    pub(super) hastes: bool,
    /// Whether its condition says that something is there: `the owner agreed`.
    pub(super) is_fulfilled: bool,
    /// The words of what it says to do again.
    pub(super) redone: BTreeSet<String>,
    /// Words with `un-`: `unsigned` has `sign`.
    pub(super) undone: BTreeSet<String>,
}

/// Clauses that say to do something.
#[derive(Debug, Clone, Default)]
pub(super) struct Done {
    /// The clauses, in lower case.
    pub(super) texts: Vec<String>,
    /// The words of each, in order.
    pub(super) clauses: Vec<Vec<String>>,
    pub(super) words: BTreeSet<String>,
    /// The word that each clause begins with.
    pub(super) first: BTreeSet<String>,
}

impl Advice {
    /// What `lesson` recommends.
    pub(crate) fn of(lesson: &Lesson) -> Self {
        let lesson = &as_seen(lesson);
        let mut advice =
            Self { condition: told_stems(&lesson.condition).into_iter().collect(), ..Self::default() };
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
        advice.all = sides.into_iter().flat_map(|side| told_stems(side)).collect();
        advice.weigh(lesson);
        advice
    }

    /// The tone of what is said.
    fn weigh(&mut self, lesson: &Lesson) {
        let said: Vec<String> = tokens(&lesson.resolution).map(str::to_lowercase).collect();
        let says = |list: &[&str]| said.iter().any(|word| list.contains(&word.as_str()));
        let resolution = lesson.resolution.to_lowercase();
        (self.presses, self.belittles) = (says(PRESSING), says(BELITTLING));
        (self.limits, self.grants) = (limits(&lesson.resolution), grants(&lesson.resolution));
        (self.hastes, self.is_fulfilled) =
            (hastes(&lesson.condition, &lesson.resolution), is_fulfilled(&lesson.condition));
        self.redone = redone(&lesson.resolution);
        self.postpones = says(POSTPONING);
        self.permits = says(PERMITTING)
            || ["may be", "can be", "no harm"].iter().any(|phrase| resolution.contains(phrase))
            || tokens(&lesson.condition).any(|word| EXEMPTING.contains(&word.to_lowercase().as_str()));
        self.switches = switches_off(&lesson.resolution);
        self.taken.extend(left_out(&lesson.resolution).map(stem_of));
        self.undone =
            tokens(&resolution).filter_map(|word| Some(stem_of(word.strip_prefix("un")?))).collect();
        self.all.extend(self.undone.iter().cloned());
        if self.switches {
            self.taken.extend(self.all.iter().cloned());
        }
    }

    fn take_in(&mut self, text: &str) {
        let condition: Vec<String> = self.condition.iter().cloned().collect();
        let named = |words: Vec<String>, clause: &str| {
            let it = words.is_empty() || words_of(clause).any(|word| PRONOUN.contains(&word));
            if it { words.into_iter().chain(condition.iter().cloned()).collect() } else { words }
        };
        for clause in clauses(text) {
            if forbids(&clause) || denies(&clause) {
                self.left_out.extend(stems(&clause));
                if needs_none(&clause) {
                    self.needless.extend(stems(&clause));
                }
                if forbids(&clause) || is_needless(&clause) {
                    self.denied.extend(named(stems(&clause), &clause));
                }
                continue;
            }
            // `do not hesitate to use sudo` leaves nothing out.
            let turns: &[&str] = if is_negated(&clause) || allows(&clause) { &[] } else { LEAVING };
            let (kept, left) = parted(&clause, turns);
            self.leaves_it |= left.iter().any(|part| stems(part).is_empty());
            self.left_out.extend(left.iter().flat_map(|part| stems(part)));
            if kept.starts_with("leave ") {
                self.left_out.extend(stems(&kept));
            }
            if takes_away(&kept) {
                let words =
                    stems(&kept).into_iter().filter(|word| !TAKING.contains(&word.as_str())).collect();
                self.taken.extend(named(words, &kept));
            }
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
        let words = told_stems(clause).into_iter().filter(|word| !is_generic(word));
        let mut words: Vec<String> = words.collect();
        if switches_off(clause) {
            words.push("skip".to_owned());
        }
        self.first.extend(words.first().cloned());
        self.words.extend(words.iter().cloned());
        self.clauses.push(words);
        self.texts.push(clause.to_owned());
    }
}

/// The words of the clauses that say to do something again.
fn redone(text: &str) -> BTreeSet<String> {
    let again = |clause: &String| words_of(clause).any(|word| matches!(word, "again" | "anew" | "afresh"));
    clauses(text).iter().filter(|clause| again(clause)).flat_map(|clause| stems(clause)).collect()
}

/// Whether a clause says to skip, to switch off, to lower, to put off, or that something is free: its verb, or `turn … off`.
fn takes_away(clause: &str) -> bool {
    let words: Vec<String> = tokens(clause).map(stem_of).collect();
    let has = |stem: &str| words.iter().any(|word| word == stem);
    let says = |list: &[&str]| words_of(clause).any(|word| list.contains(&word));
    TAKING.iter().any(|verb| has(verb))
        || PAIRED.iter().any(|(verb, with)| has(verb) && says(&[with]))
        || says(FREEING)
        || says(PERMITTING) && says_it(clause)
}

/// Whether a clause speaks of what was named before it.
pub(super) fn says_it(clause: &str) -> bool {
    words_of(clause).any(|word| PRONOUN.contains(&word))
}

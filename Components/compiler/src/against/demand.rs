//! What an explicit must demands.

use std::collections::BTreeSet;

use mentci_authority::Norm;

use super::advice::Advice;
use super::gate::{Gate, behind_verb};
use super::measure::Measures;
use super::place::{is_displaced, is_ended, place_of};
use super::said::{has_akin, is_akin, is_generic, parted, stems, words_of};

/// What an explicit must demands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Demand {
    /// By what it is kept: its literals, as words; without one, what `use …` names or stands behind `from`, `with`, `in`.
    means: BTreeSet<String>,
    /// Whether one of these is as good as all.
    is_literal: bool,
    /// Its other words, up to `before …`.
    deeds: BTreeSet<String>,
    /// The first of these.
    verb: Option<String>,
    /// What stands behind `before`, `until`: it has to wait.
    gate: Option<Gate>,
    /// What the demand is made of, `a release` of `A release must be signed`: it waits, too.
    subject: Option<Gate>,
    /// Where it says that something has to be.
    place: BTreeSet<String>,
    /// The numbers that it gives.
    measures: Measures,
    /// Its words that do not stand there as well: where one of them is said, it is kept.
    own: BTreeSet<String>,
    /// Whether it says what to use.
    uses: bool,
}

impl Demand {
    /// What `norm` demands.
    pub(super) fn of(norm: &Norm) -> Self {
        let text = norm.text.to_lowercase();
        let (text, only) = only(&text);
        let (kept, mut gate) = parted(&text, &["before", "prior to", "until"]);
        gate.extend(only);
        let (kept, _) = parted(&kept, &["when", "whenever", "if", "unless", "except", "while"]);
        let words = |text: &str| stems(text).into_iter().filter(|word| !is_generic(word));
        let kept_words: Vec<String> = words(&kept).collect();
        let mut means: BTreeSet<String> = norm.literals.iter().flat_map(|literal| words(literal)).collect();
        means.retain(|word| kept_words.contains(word));
        let is_literal = !means.is_empty();
        let used = behind(&kept, &["use", "uses", "using"]);
        if !is_literal {
            let by = used.clone().or_else(|| behind(&kept, BY));
            means = by.iter().flat_map(|by| words(by)).collect();
        }
        let waiting: Vec<String> = gate.iter().flat_map(|part| words(part)).collect();
        let gate = Gate::of(&waiting, &kept_words);
        let subject = subject(&kept).and_then(|subject| Gate::of(&words(&subject).collect::<Vec<_>>(), &[]));
        let (measures, place) = (Measures::of(&kept, false), place_of(&kept));
        let mut deeds = kept_words.into_iter().filter(|word| !means.contains(word)).peekable();
        let verb = deeds.peek().cloned();
        let own = means.iter().chain(&verb).filter(|word| !waiting.contains(word)).cloned().collect();
        Self {
            is_literal,
            verb,
            deeds: deeds.collect(),
            means,
            gate,
            subject,
            place,
            measures,
            own,
            uses: used.is_some(),
        }
    }

    /// Whether a lesson says to skip, to switch off, to lower, to put off what is demanded, whatever else it speaks of.
    pub(super) fn is_taken_away(&self, advice: &Advice) -> bool {
        let belittled = advice.belittles && self.means.iter().any(|word| advice.all.contains(word));
        let denied = || {
            let all_means = self.is_literal && self.means.iter().all(|word| advice.denied.contains(word));
            all_means || self.verb.iter().any(|verb| has_akin(&advice.denied, verb))
        };
        belittled
            || self.has_any(&advice.taken) && !self.has_any(&advice.redone)
            || self.has_any(&advice.undone)
            || denied()
            || self.has_any(&advice.needless)
            || self.is_replaced(advice, self.deeds.len().max(1))
            || advice.postpones && self.is_passed(advice, || true)
            || self.is_forestalled(advice)
            || self.is_gone_past(advice)
            || self.is_done_oneself(advice)
            || self.measures.are_broken(advice)
            || is_displaced(&self.deeds, &self.place, advice)
            || is_ended(&self.deeds, advice)
    }

    /// Whether a lesson that speaks of it makes it seldom, puts something else in its place, or goes on before it.
    pub(super) fn is_loosened(&self, advice: &Advice) -> bool {
        advice.limits
            || advice.permits
            || advice.presses
            || advice.belittles
            || advice.switches
            || self.has_any(&advice.left_out)
            || self.is_replaced(advice, 0)
            || self.is_passed(advice, || self.has_any(&advice.condition))
    }

    /// Something else is done instead: `use npm`, `edit with sed`, `read secrets from the environment`. To choose another means, a
    /// clause names at least this many words of what it is for.
    fn is_replaced(&self, advice: &Advice, least: usize) -> bool {
        let chooses = |text: &str| words_of(text).take(3).any(|verb| USING.contains(&verb));
        if self.measures.are_kept(advice) {
            return false;
        }
        advice.done.clauses.iter().zip(&advice.done.texts).any(|(words, text)| {
            let shared = words.iter().filter(|word| self.deeds.contains(*word)).count();
            if self.means.is_empty() {
                // `use the latest tag of the base image` beside `pin the base image`.
                return least == 0 && chooses(text) && shared >= 2 && shared + 1 == self.deeds.len();
            }
            let is_same_deed = words.first().is_some_and(|verb| self.deeds.contains(verb));
            let other = !self.is_kept_by(|means| words.iter().any(|word| is_akin(word, means)));
            let none = || !self.is_kept_by(|means| has_akin(&advice.done.words, means));
            self.uses && chooses(text) && other && shared >= least
                || least == 0 && (is_same_deed || shared >= 2) && none()
        })
    }

    fn is_kept_by(&self, has: impl Fn(&String) -> bool) -> bool {
        if self.is_literal { self.means.iter().any(has) } else { self.means.iter().all(has) }
    }

    /// What has to wait for it is done, and it is not, or only later: `merge and fix it later`.
    fn is_passed(&self, advice: &Advice, otherwise: impl Fn() -> bool) -> bool {
        let has = |words: &Vec<String>, word: &String| words.iter().any(|other| is_akin(other, word));
        let keeps = |words: &Vec<String>| self.own.iter().any(|word| has(words, word));
        let goes_on = |words: &Vec<String>| self.gate.as_ref().is_some_and(|gate| has(words, &gate.verb));
        let clauses = &advice.done.clauses;
        let Some(passed) = clauses.iter().position(goes_on) else { return false };
        clauses.iter().position(keeps).map_or_else(otherwise, |kept| kept > passed)
    }

    /// Nothing is said but to do what has to wait for it: `push now`.
    fn is_forestalled(&self, advice: &Advice) -> bool {
        const AT_ONCE: &[&str] = &[
            "now",
            "already",
            "right",
            "away",
            "once",
            "straight",
            "just",
            "immediately",
            "directly",
            "anyway",
        ];
        let Some(gate) = &self.gate else { return false };
        let words = || advice.done.clauses.iter().flatten().filter(|word| !AT_ONCE.contains(&word.as_str()));
        words().next().is_some() && words().all(|word| is_akin(word, &gate.verb))
    }

    /// What has to wait is ordered, and what it waits for is not: `delete the branch at once` beside `ask before you delete a branch`.
    fn is_gone_past(&self, advice: &Advice) -> bool {
        let gate = self.gate.as_ref().is_some_and(|gate| gate.is_ordered(advice));
        let subject = || self.subject.as_ref().is_some_and(|subject| subject.is_ordered_in_haste(advice));
        (gate || subject()) && !self.is_kept(advice) && !advice.is_fulfilled
    }

    /// Whether a lesson says to do what is demanded. A verb such as `get` says nothing of what.
    fn is_kept(&self, advice: &Advice) -> bool {
        const LIGHT: &[&str] = &[
            "get", "hav", "obtain", "hold", "be", "receiv", "wait", "collect", "seek", "make", "tak", "giv",
        ];
        let verb = self.verb.iter().filter(|verb| !LIGHT.contains(&verb.as_str()));
        let is_light =
            self.verb.as_ref().is_none_or(|verb| LIGHT.contains(&verb.as_str()) || self.waits(verb));
        let objects = self.deeds.iter().filter(|_| is_light);
        let mut own = self.means.iter().chain(verb).chain(objects).filter(|word| !self.waits(word));
        own.any(|word| has_akin(&advice.done.words, word))
    }

    fn waits(&self, word: &String) -> bool {
        let mut gates = self.gate.iter().chain(&self.subject);
        gates.any(|gate| gate.verb == *word || gate.objects.contains(word))
    }

    /// What somebody else has to do, or to agree to, is done oneself: `approve it yourself`.
    fn is_done_oneself(&self, advice: &Advice) -> bool {
        const PEOPLE: &[&str] = &[
            "person",
            "people",
            "human",
            "owner",
            "reviewer",
            "maintainer",
            "manager",
            "lead",
            "team",
            "colleagu",
            "somebody",
            "someon",
            "admin",
            "operator",
            "engineer",
            "author",
            "committer",
        ];
        const ONESELF: &[&str] = &["yourself", "itself", "oneself", "automatically", "alone", "unattended"];
        let named = self.deeds.iter().chain(&self.means).any(|word| {
            PEOPLE.contains(&word.as_str()) || word.strip_suffix('s').is_some_and(|one| PEOPLE.contains(&one))
        });
        let gate = self.gate.iter().map(|gate| &gate.verb);
        let deeds: Vec<&String> = self.deeds.iter().chain(gate).collect();
        named
            && advice.done.clauses.iter().zip(&advice.done.texts).any(|(words, text)| {
                let oneself = words_of(text).any(|word| ONESELF.contains(&word));
                oneself && deeds.iter().any(|deed| behind_verb(words, deed).is_some())
            })
    }

    fn has_any(&self, words: &BTreeSet<String>) -> bool {
        words.iter().any(|word| has_akin(&self.means, word) || has_akin(&self.deeds, word))
    }

    /// Its words.
    pub(super) fn all_words(&self) -> BTreeSet<String> {
        let gates = self.gate.iter().chain(&self.subject);
        let waiting = gates.flat_map(|gate| std::iter::once(&gate.verb).chain(&gate.objects));
        self.means.iter().chain(&self.deeds).chain(waiting).cloned().collect()
    }
}

/// Verbs that choose a means.
const USING: &[&str] = &[
    "use",
    "switch",
    "fall",
    "go",
    "take",
    "choose",
    "pick",
    "prefer",
    "try",
    "work",
    "continue",
    "resort",
    "substitute",
];

/// Behind these stands by what, or where, something is to be done.
const BY: &[&str] = &["from", "via", "with", "through", "by", "in", "under", "inside", "within"];

/// `Only release managers may deploy` demands release managers, and to deploy waits for them.
fn only(text: &str) -> (String, Option<String>) {
    if !text.starts_with("only ") {
        return (text.to_owned(), None);
    }
    let (who, what) = parted(text, &["may", "can", "must", "should"]);
    (who, what.into_iter().next())
}

/// What a demand is made of: `a release` of `a release must be signed`, `merging` of `merging requires two approvals`.
fn subject(text: &str) -> Option<String> {
    const DEMANDING: &[&str] = &["must be", "must have", "requires", "require", "needs", "must wait"];
    let (subject, demanded) = parted(text, DEMANDING);
    (!demanded.is_empty()).then_some(subject)
}

/// What stands behind one of these words, up to what it is for.
fn behind(text: &str, words: &[&str]) -> Option<String> {
    const ENDS: &[&str] =
        &["for", "in", "on", "to", "when", "with", "instead of", "rather than", "over", "as", "where", "and"];
    let (_, named) = parted(text, words);
    Some(parted(named.first()?, ENDS).0)
}

//! Explicit law elsewhere: whether a lesson of one skill would loosen what another skill, or the workspace, forbids or
//! demands in so many words.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use mentci_authority::{Force, Lesson, Level, Norm, SkillName};
use mentci_source::Hash;

use crate::against::{Advice, Stake};
use crate::lessons::as_seen;
use crate::words::bag;
use crate::{LawKind, LawReading};

/// Without a shared name: the share of a norm's words, in percent, that a lesson must have.
const LEAST_PERCENT: usize = 60;

/// The explicit must and must-not norms of one source, ready to be matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplicitLaw {
    kind: LawKind,
    norms: Vec<Rule>,
    hash: Hash,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    text: String,
    forbids: bool,
    /// Its words, and whether each is a name.
    words: BTreeMap<String, bool>,
    /// Literals of one word.
    literals: BTreeSet<String>,
    /// Literals of several words.
    phrases: Vec<String>,
    /// Whether the sentence itself says must or must not; `Never:` above it does not.
    is_explicit: bool,
    /// What a lesson may not go against.
    stake: Option<Stake>,
}

impl ExplicitLaw {
    /// What `law` says in so many words.
    pub fn of(law: &LawReading) -> Self {
        let binds = |norm: &&Norm| {
            norm.level == Level::MustNot || norm.force == Force::Explicit && norm.level.is_binding()
        };
        let explicit = law.norms.iter().filter(binds);
        let norms: Vec<Rule> = explicit.map(Rule::of).collect();
        let polarity = |rule: &Rule| if rule.forbids { "not" } else { "" }.as_bytes();
        let force = |rule: &Rule| if rule.is_explicit { "" } else { "implied" }.as_bytes();
        let texts = norms.iter().flat_map(|rule| [rule.text.as_bytes(), polarity(rule), force(rule)]);
        let scope = match &law.kind {
            LawKind::Skill(skill) => skill.as_str(),
            LawKind::Workspace => "",
        };
        let hash = Hash::of("mentci explicit law 2", std::iter::once(scope.as_bytes()).chain(texts));
        Self { kind: law.kind.clone(), norms, hash }
    }

    /// Equal hashes, equal law.
    pub fn hash(&self) -> Hash {
        self.hash
    }
}

impl Rule {
    fn of(norm: &Norm) -> Self {
        let stake = Stake::of(norm);
        let mut words = bag(&norm.text);
        for word in stake.iter().flat_map(Stake::words) {
            words.entry(word).or_default();
        }
        let literals = norm.literals.iter();
        let (phrases, single): (Vec<&String>, Vec<&String>) =
            literals.partition(|literal| literal.trim().contains(' '));
        Self {
            text: norm.text.clone(),
            forbids: norm.level == Level::MustNot,
            literals: single.into_iter().flat_map(|literal| bag(literal).into_keys()).collect(),
            phrases: phrases.into_iter().filter(|phrase| phrase.len() >= 4).cloned().collect(),
            words,
            is_explicit: norm.force == Force::Explicit,
            stake,
        }
    }

    /// Whether a lesson with these words speaks of what the rule speaks of.
    fn touches(&self, lesson: &Told<'_>) -> bool {
        let shared: Vec<(&String, &bool)> =
            self.words.iter().filter(|(word, _)| lesson.words.contains(*word)).collect();
        let has_name = shared.iter().any(|(_, is_name)| **is_name);
        let has_literal = shared.len() >= 2 && shared.iter().any(|(word, _)| self.literals.contains(*word));
        let has_phrase = self.phrases.iter().any(|phrase| lesson.says(phrase));
        let restates =
            shared.len() >= 2.min(self.words.len()) && shared.len() * 100 >= self.words.len() * LEAST_PERCENT;
        has_name || has_literal || has_phrase || restates
    }
}

/// Whether a source of law with this text can hold a rule that `lesson` touches: cheaper than reading it as law.
pub fn may_touch(lesson: &Lesson, text: &str) -> bool {
    let text = text.to_lowercase();
    let told = Told::of(lesson);
    // A stem in `y` may stand as `ies`.
    told.words.iter().any(|word| text.contains(word.trim_end_matches('y')))
}

/// A lesson, taken apart once.
struct Told<'a> {
    /// As a reader sees it.
    lesson: Cow<'a, Lesson>,
    words: BTreeSet<String>,
    advice: Advice,
}

impl<'a> Told<'a> {
    fn of(lesson: &'a Lesson) -> Self {
        let lesson = as_seen(lesson);
        let words =
            [&lesson.condition, &lesson.resolution].into_iter().flat_map(|text| bag(text).into_keys());
        let advice = Advice::of(&lesson);
        let words = words.chain(advice.all.iter().cloned()).collect();
        Self { lesson, words, advice }
    }

    fn says(&self, phrase: &str) -> bool {
        self.lesson.condition.contains(phrase) || self.lesson.resolution.contains(phrase)
    }

    /// What it goes against, and what it touches and would loosen; of what nothing is known a touch loosens.
    fn opposes(&self, rule: &Rule) -> bool {
        let touches = || rule.is_explicit && rule.touches(self);
        match &rule.stake {
            Some(stake) => stake.is_opposed(&self.advice) || stake.is_loosened(&self.advice) && touches(),
            None => touches(),
        }
    }
}

/// The explicit law of a whole workspace, by word.
#[derive(Debug)]
pub struct Elsewhere<'a> {
    rules: Vec<(&'a LawKind, &'a Rule)>,
    /// The rules of each word.
    by_word: HashMap<&'a str, Vec<usize>>,
    /// Rules with a literal of several words.
    phrased: Vec<usize>,
}

impl<'a> Elsewhere<'a> {
    /// Indexes `law`. Its order decides which rule is named when a lesson would loosen several.
    pub fn of(law: impl IntoIterator<Item = &'a ExplicitLaw>) -> Self {
        let mut index = Self { rules: Vec::new(), by_word: HashMap::new(), phrased: Vec::new() };
        for law in law {
            for rule in &law.norms {
                let at = index.rules.len();
                for word in rule.words.keys() {
                    index.by_word.entry(word).or_default().push(at);
                }
                index.phrased.extend((!rule.phrases.is_empty()).then_some(at));
                index.rules.push((&law.kind, rule));
            }
        }
        index
    }

    /// Why a lesson of `skill` must wait for a person: the first rule elsewhere that it would loosen or contradict.
    pub fn opposed(&self, skill: &SkillName, lesson: &Lesson) -> Option<String> {
        let told = Told::of(lesson);
        let by_word = told.words.iter().filter_map(|word| self.by_word.get(word.as_str())).flatten();
        let near: BTreeSet<usize> = by_word.chain(&self.phrased).copied().collect();
        near.into_iter().map(|at| self.rules[at]).find_map(|(kind, rule)| {
            let of = match kind {
                LawKind::Skill(owner) if owner == skill => return None,
                LawKind::Skill(owner) => format!("the skill `{owner}`"),
                LawKind::Workspace => "the workspace".to_owned(),
            };
            told.opposes(rule).then(|| format!("would loosen or contradict `{}` of {of}", rule.text))
        })
    }
}

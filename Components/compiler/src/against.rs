//! Whether a lesson goes against a rule: recommends what it forbids, makes light of what it demands, or speaks of rules themselves.
//!
//! INVARIANT (contradiction): what a must-not names outright, in its sentence or from `Never:` above it, no lesson recommends before a
//! person accepted it.

use std::collections::BTreeSet;

use mentci_authority::{Force, Lesson, Level, Norm};

use crate::words::{content_words, stem_of, tokens};

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
        let named: BTreeSet<String> = names.iter().flat_map(|name| stems(name)).collect();
        let deeds = stems(deed).into_iter();
        let deeds: BTreeSet<String> = deeds
            .filter(|word| !is_generic(word) && !plain.contains(word) && !named.contains(word))
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
                with.iter().for_each(|part| self.done.add(part));
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

/// Whether a lesson speaks of rules themselves: that one does not hold, or is to be read as another one. `skill` is its own: `rust-3`
/// names a rule of `rust`.
pub(crate) fn speaks_of_rules(skill: &str, lesson: &Lesson) -> bool {
    let both = format!("{}, {}", lesson.condition, lesson.resolution).to_lowercase();
    let words: BTreeSet<String> = tokens(&both).map(stem_of).collect();
    let has = |list: &[&str]| list.iter().any(|word| words.contains(*word));
    let of_skill = |word: &str| {
        word.strip_prefix(skill).and_then(|rest| rest.strip_prefix('-')).is_some_and(|number| {
            !number.is_empty() && number.len() < 4 && number.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    let numbered = |word: &str| {
        word.rsplit_once('-')
            .is_some_and(|(_, number)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    (has(UNDOING) && has(LAW))
        || (has(READING) && MODALS.iter().any(|modal| both.contains(&format!(" as {modal}"))))
        || tokens(&both).any(of_skill)
        || (has(VOIDING) && tokens(&both).any(numbered))
}

/// What is done to rules by who sets them aside.
const UNDOING: &[&str] = &[
    "ignor",
    "disregard",
    "overrid",
    "bypas",
    "bypass",
    "circumvent",
    "forget",
    "supersed",
    "skip",
    "disabl",
    "treat",
    "void",
    "waiv",
    "suspend",
    "relax",
    "loosen",
    "exempt",
    "revok",
    "obsolet",
    "violat",
    "repeal",
    "optional",
];

/// What rules are called.
const LAW: &[&str] =
    &["rul", "instruction", "law", "polic", "policy", "guardrail", "guidelin", "prompt", "skill.md"];

/// `read must as should`.
const READING: &[&str] = &["treat", "read", "interpret", "consider", "regard", "take"];
const MODALS: &[&str] =
    &["may", "should", "never", "must", "optional", "allowed", "permitted", "advice", "void", "a suggestion"];
const VOIDING: &[&str] =
    &["void", "waiv", "suspend", "revok", "repeal", "obsolet", "overrid", "exempt", "disregard"];

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

/// Words of a rule that say nothing of what it forbids.
const GENERIC: &[&str] = &[
    "use",
    "us",
    "using",
    "run",
    "call",
    "do",
    "don't",
    "dont",
    "cannot",
    "can't",
    "must",
    "mustn't",
    "won't",
    "avoid",
    "execut",
    "invok",
    "mak",
    "work",
    "command",
    "ban",
    "bann",
    "forbid",
    "forbidden",
    "prohibit",
    "prohibited",
    "disallow",
    "allow",
    "allowed",
    "permit",
    "permitt",
    "directly",
    "ever",
    "please",
    "way",
    "tool",
    "thing",
    "anything",
    "anywher",
];

fn is_generic(word: &str) -> bool {
    GENERIC.contains(&word)
}

/// The stems of the words that carry a subject.
fn stems(text: &str) -> Vec<String> {
    let text = text.replace('\u{2019}', "'");
    content_words(&text).into_iter().map(|word| known_as(word.stem)).collect()
}

/// Short forms and their long ones are one word.
fn known_as(stem: String) -> String {
    const SHORT: &[(&str, &str)] = &[
        ("db", "databas"),
        ("prod", "production"),
        ("repo", "repository"),
        ("dir", "directory"),
        ("password", "secret"),
        ("credential", "secret"),
        ("drop", "delet"),
        ("eras", "delet"),
        ("remov", "delet"),
        ("wip", "delet"),
        ("destroy", "delet"),
    ];
    SHORT.iter().find(|(short, _)| *short == stem).map_or(stem, |(_, long)| (*long).to_owned())
}

/// What a must-not forbids, in lower case, and the words that are lacking where it holds.
fn object_of(text: &str) -> (String, BTreeSet<String>) {
    let text = text.to_lowercase();
    const LACKING: &[&str] = &["without", "before", "until"];
    let opens = LACKING.iter().any(|word| text.starts_with(&format!("{word} ")));
    // `Without approval, do not deploy`.
    let (lead, main) = match text.split_once(", ") {
        Some((lead, main)) if opens => (lead.to_owned(), main.to_owned()),
        _ => (String::new(), text),
    };
    let (main, _) = parted(&main, &["unless", "except", "if", "when", "instead", "instead of", "because"]);
    let (kept, lacking) = parted(&main, LACKING);
    let lacking = lacking.iter().flat_map(|part| stems(part)).chain(stems(&lead));
    (kept, lacking.filter(|word| !is_generic(word)).collect())
}

/// A text up to the first of these words, and what stands behind it.
fn parted(text: &str, at: &[&str]) -> (String, Vec<String>) {
    let places = at.iter().filter_map(|word| whole(text, word).map(|place| (place, word.len())));
    match places.min() {
        Some((place, len)) => (text[..place].to_owned(), vec![text[place + len..].to_owned()]),
        None => (text.to_owned(), Vec::new()),
    }
}

/// The clauses of a text, in lower case.
fn clauses(text: &str) -> Vec<String> {
    let mut text = text.to_lowercase().replace('\u{2019}', "'");
    for mark in [". ", ": ", " - ", " -> ", " => ", "! ", "? ", " and ", " then ", " but "] {
        text = text.replace(mark, "\n");
    }
    let marks = [',', ';', '(', ')', '\n', '\u{2013}', '\u{2014}', '\u{2192}'];
    let parts = text.split(marks).map(|part| part.trim().trim_end_matches('.').to_owned());
    parts.filter(|part| !part.is_empty()).collect()
}

/// Whether a clause forbids, and turns not into its opposite: `never hesitate to use it`.
fn forbids(clause: &str) -> bool {
    const REVERSING: &[&str] = &[
        "fail", "fear", "forget", "hesitate", "just", "miss", "neglect", "omit", "only", "refrain", "refuse",
        "skip", "stop", "unless", "wait", "without", "worry", "except", "afraid", "mind",
    ];
    is_negated(clause) && !words_of(clause).any(|word| REVERSING.contains(&word))
}

fn is_negated(clause: &str) -> bool {
    let opening: Vec<&str> = words_of(clause).take(2).collect();
    matches!(
        opening.as_slice(),
        ["never" | "avoid" | "don't" | "dont" | "cannot" | "can't" | "no" | "not", ..]
            | ["do" | "must" | "should", "not"]
    )
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|word| !word.is_empty())
}

/// Whether a clause says that something is not so: `sudo is not needed`.
fn denies(clause: &str) -> bool {
    const NOT: &[&str] = &[
        " is not ",
        " are not ",
        " isn't ",
        " aren't ",
        " does not ",
        " doesn't ",
        " cannot ",
        " will not ",
    ];
    NOT.iter().any(|not| clause.contains(not)) && !allows(clause)
}

/// Whether a clause says that something does no harm: `it is not forbidden to use sudo`.
fn allows(clause: &str) -> bool {
    const HARM: &[&str] =
        &["forbidden", "banned", "prohibited", "wrong", "bad", "dangerous", "a problem", "hurt", "matter"];
    (clause.contains("n't ") || clause.contains("not ")) && HARM.iter().any(|word| clause.contains(word))
}

/// Whether `part` stands in `text` and is no part of a longer word or option.
fn contains_whole(text: &str, part: &str) -> bool {
    whole(text, &part.to_lowercase()).is_some()
}

fn whole(text: &str, part: &str) -> Option<usize> {
    let joins = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '\'');
    text.match_indices(part).map(|(at, _)| at).find(|&at| {
        let before = text[..at].chars().next_back().is_some_and(joins);
        let behind = text[at + part.len()..].chars().next().is_some_and(joins);
        !part.is_empty() && !(before && part.starts_with(joins)) && !(behind && part.ends_with(joins))
    })
}

/// `DaemonStatus`, `unwrapOr`.
fn has_hump(word: &str) -> bool {
    word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase)
}

#[cfg(test)]
mod tests;

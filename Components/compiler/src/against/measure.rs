//! Numbers that a rule gives for something, and a lesson other ones: `two approvals`, `one approval`.

use std::collections::BTreeSet;

use super::advice::Advice;
use super::said::{contains_whole, is_akin, is_generic, stems};

/// The numbers of a rule.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Measures {
    all: Vec<Measure>,
    /// The rule's words.
    words: BTreeSet<String>,
}

impl Eq for Measures {}

/// So many of something.
#[derive(Debug, Clone, PartialEq)]
struct Measure {
    value: f64,
    units: Vec<String>,
    bound: Bound,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    Exactly,
    AtLeast,
    AtMost,
}

/// Units that say nothing of what is measured.
const COMMON: &[&str] = &[
    "%",
    "span",
    "tim",
    "lin",
    "character",
    "column",
    "word",
    "point",
    "item",
    "step",
    "fil",
    "byt",
    "spac",
    "mb",
    "kb",
    "gb",
];

impl Measures {
    /// The numbers that a rule gives; `forbids` when it is a must-not.
    pub(super) fn of(text: &str, forbids: bool) -> Self {
        let mut all = measures(text, forbids);
        // What `Never use 2 spaces` forbids is the number itself.
        all.retain(|measure| !(forbids && measure.bound == Bound::Exactly));
        let words = stems(text).into_iter().filter(|word| !is_generic(word)).collect();
        Self { all, words }
    }

    /// Whether a lesson gives a number that does not keep them, and none that does.
    pub(super) fn are_broken(&self, advice: &Advice) -> bool {
        self.told(advice).any(|(measure, told)| !told.iter().any(|other| measure.admits(other.value)))
    }

    /// Whether a lesson gives numbers, and all of them keep the rule's.
    pub(super) fn are_kept(&self, advice: &Advice) -> bool {
        let mut told = self.told(advice).peekable();
        told.peek().is_some()
            && told.all(|(measure, told)| told.iter().all(|other| measure.admits(other.value)))
    }

    /// Each number of the rule that a lesson gives as well, with what the lesson gives.
    fn told<'a>(&'a self, advice: &'a Advice) -> impl Iterator<Item = (&'a Measure, Vec<Measure>)> {
        self.all.iter().filter_map(|measure| {
            let texts = advice.done.texts.iter().flat_map(|text| measures(text, false));
            let same: Vec<Measure> = texts.filter(|other| self.concern_one(measure, other, advice)).collect();
            (!same.is_empty()).then_some((measure, same))
        })
    }

    /// Whether two numbers are of the same thing; a unit such as `minutes` takes a second word that both share.
    fn concern_one(&self, measure: &Measure, other: &Measure, advice: &Advice) -> bool {
        let shared = |unit: &&String| other.units.iter().any(|word| is_akin(word, unit));
        let units: Vec<&String> = measure.units.iter().filter(shared).collect();
        let speaks = || {
            let own =
                self.words.iter().filter(|word| !measure.units.contains(word) && number(word).is_none());
            own.into_iter().any(|word| advice.all.contains(word))
        };
        !units.is_empty() && (units.iter().any(|unit| !COMMON.contains(&unit.as_str())) || speaks())
    }
}

impl Measure {
    fn admits(&self, value: f64) -> bool {
        match self.bound {
            Bound::Exactly => (value - self.value).abs() < 1e-9,
            Bound::AtLeast => value >= self.value,
            Bound::AtMost => value <= self.value,
        }
    }
}

/// The numbers of a text that count something.
fn measures(text: &str, forbids: bool) -> Vec<Measure> {
    let text = text.to_lowercase();
    let tokens: Vec<&str> = text.split_whitespace().map(|run| run.trim_matches(MARKS)).collect();
    (0..tokens.len()).filter_map(|at| measure(&tokens, at, forbids)).collect()
}

const MARKS: &[char] = &['`', '"', '\'', ',', ';', ':', '.', '(', ')', '!', '?', '*'];

fn measure(tokens: &[&str], at: usize, forbids: bool) -> Option<Measure> {
    let (value, glued) = match tokens[at] {
        "once" => (1.0, Some("tim".to_owned())),
        "twice" => (2.0, Some("tim".to_owned())),
        token => number(token)?,
    };
    let mut units: Vec<String> = glued.into_iter().collect();
    if units.is_empty() {
        units = tokens[at + 1..].iter().take(2).map_while(|token| unit(token)).collect();
    }
    let (value, units) = in_seconds(value, units);
    let before = tokens[at.saturating_sub(4)..at].join(" ");
    let lacking = ["without", "before", "until", "unless"].iter().any(|word| tokens[..at].contains(word));
    (!units.is_empty()).then(|| Measure {
        value,
        units,
        bound: bound(&before, forbids && !lacking, lacking && forbids),
    })
}

/// The stem of a word that can be counted.
fn unit(token: &str) -> Option<String> {
    if token == "%" {
        return Some("%".to_owned());
    }
    let said = stems(token).into_iter().next()?;
    Some(if said == "percent" { "%".to_owned() } else { said })
}

/// `two`, `3`, `80%`, `30s`: its value, and the unit that is written together with it.
fn number(token: &str) -> Option<(f64, Option<String>)> {
    const WORDS: &[&str] = &[
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    if let Some(value) = WORDS.iter().position(|word| *word == token) {
        // OK because there are thirteen words.
        return Some((f64::from(u8::try_from(value).unwrap_or_default()), None));
    }
    if token == "single" {
        return Some((1.0, None));
    }
    let digits = token.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == ',')).unwrap_or(token.len());
    let (digits, glued) = token.split_at(digits);
    let value: f64 = digits.replace(',', "").parse().ok()?;
    let is_unit = glued.is_empty() || glued == "%" || glued.chars().all(char::is_alphabetic);
    is_unit.then(|| (value, (!glued.is_empty()).then(|| glued.to_owned())))
}

/// Spans of time are compared in seconds.
fn in_seconds(value: f64, units: Vec<String>) -> (f64, Vec<String>) {
    const SPANS: &[(&str, f64)] = &[
        ("ms", 0.001),
        ("millisecond", 0.001),
        ("s", 1.0),
        ("sec", 1.0),
        ("second", 1.0),
        ("min", 60.0),
        ("minut", 60.0),
        ("h", 3600.0),
        ("hour", 3600.0),
        ("day", 86_400.0),
        ("week", 604_800.0),
    ];
    let span = units.first().and_then(|unit| SPANS.iter().find(|(name, _)| name == unit));
    match span {
        Some((_, seconds)) => (value * seconds, vec!["span".to_owned()]),
        None => (value, units),
    }
}

/// Which way a number bounds, by the words in front of it. What is forbidden beyond a number is allowed up to it.
fn bound(before: &str, forbids: bool, is_least: bool) -> Bound {
    const LEAST: &[&str] = &["at least", "minimum"];
    const MOST: &[&str] = &["at most", "maximum", "max", "up to", "within"];
    const MORE: &[&str] = &[
        "more", "longer", "larger", "greater", "higher", "bigger", "over", "above", "exceed", "exceeds",
        "beyond", "older",
    ];
    const LESS: &[&str] = &["less", "fewer", "shorter", "smaller", "lower", "under", "below"];
    let says = |list: &[&str]| list.iter().any(|word| contains_whole(before, word));
    let denied = forbids || says(&["no", "not", "never", "cannot"]);
    if says(LEAST) || is_least {
        Bound::AtLeast
    } else if says(MOST) {
        Bound::AtMost
    } else if says(MORE) {
        if denied { Bound::AtMost } else { Bound::AtLeast }
    } else if says(LESS) {
        if denied { Bound::AtLeast } else { Bound::AtMost }
    } else {
        Bound::Exactly
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_bound_one_way_or_both() {
        let table: &[(&str, bool, f64, Bound)] = &[
            ("Get two approvals", false, 2.0, Bound::Exactly),
            ("at least 3 reviewers", false, 3.0, Bound::AtLeast),
            ("Keep functions under 40 lines", false, 40.0, Bound::AtMost),
            ("never retry more than 5 times", true, 5.0, Bound::AtMost),
            ("must not exceed 72 characters", true, 72.0, Bound::AtMost),
            ("do not merge without two approvals", true, 2.0, Bound::AtLeast),
            ("Keep coverage above 80%", false, 80.0, Bound::AtLeast),
            ("no fewer than 2 nodes", false, 2.0, Bound::AtLeast),
            ("Wait 10 minutes", false, 600.0, Bound::Exactly),
        ];
        for (text, forbids, value, bound) in table {
            let found = measures(text, *forbids);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert!((found[0].value - value).abs() < 1e-9, "{text}: {found:?}");
            assert_eq!(found[0].bound, *bound, "{text}");
        }
        assert!(measures("one of these, file by file", false).is_empty());
    }
}

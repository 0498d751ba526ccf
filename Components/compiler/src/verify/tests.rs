//! The cases of the verifier: those of `good.case` and `honest.case` are accepted, line by line; those of `bad.case` and `attacks.case`
//! are refused, each for its reason.

mod promises;

use std::collections::BTreeSet;

use mentci_authority::Level;

use super::*;

/// `level | law | literals | line` and, of a wrong line, the reason.
#[derive(Clone)]
struct Case {
    level: Option<Level>,
    text: String,
    literals: Vec<String>,
    line: String,
    reason: String,
}

fn cases(file: &str) -> Vec<Case> {
    let rows = file.lines().filter(|row| !row.trim().is_empty() && !row.starts_with('#'));
    rows.map(case).collect()
}

fn good() -> Vec<Case> {
    [cases(include_str!("good.case")), cases(include_str!("honest.case"))].concat()
}

fn bad() -> Vec<Case> {
    [cases(include_str!("bad.case")), cases(include_str!("attacks.case"))].concat()
}

fn case(row: &str) -> Case {
    let mut cells = row.split(" | ").map(str::trim);
    let mut next = || cells.next().unwrap_or_default().to_owned();
    let level = match next().as_str() {
        "must" => Some(Level::Must),
        "must_not" => Some(Level::MustNot),
        "should" => Some(Level::Should),
        "should_not" => Some(Level::ShouldNot),
        "may" => Some(Level::May),
        "-" => None,
        other => panic!("no level: {other} in {row}"),
    };
    let text = next();
    let literals = next().split_whitespace().filter(|word| *word != "-").map(str::to_owned).collect();
    // Escapes stand for what no file of cases can hold.
    let line = next()
        .replace("\\n", "\n")
        .replace("\\t", "\t")
        .replace("\\z", "\u{200b}")
        .replace("\\r", "\u{202e}");
    Case { level, text, literals, line, reason: next() }
}

fn judge(case: &Case) -> Result<(), Refusal> {
    let original = Original { text: &case.text, level: case.level, literals: &case.literals };
    verify(&original, &case.line)
}

#[test]
fn good_lines_are_accepted() {
    let cases = good();
    assert!(cases.len() >= 250, "{} good lines", cases.len());
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            judge(case).err().map(|refusal| format!("{} -> {}: {refusal}", case.text, case.line))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn wrong_lines_are_refused_for_their_reason() {
    let cases = bad();
    assert!(cases.len() >= 500, "{} wrong lines", cases.len());
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let said = judge(case).map_or_else(|refusal| refusal.reason.name(), |()| "accepted");
            (said != case.reason)
                .then(|| format!("{} -> {}: {said}, not {}", case.text, case.line, case.reason))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_reason_of_a_line_has_a_case() {
    let met: BTreeSet<String> = bad().into_iter().map(|case| case.reason).collect();
    // The others are about answers, not lines: see `answer.rs`.
    let of_lines = RefusalReason::ALL.iter().filter(|reason| **reason >= RefusalReason::Same);
    let unmet: Vec<_> = of_lines.map(|reason| reason.name()).filter(|name| !met.contains(*name)).collect();
    assert!(unmet.is_empty(), "no case for {unmet:?}");
}

/// Each good line, with any one of its words taken out, doubled, or exchanged with another one, is refused: unless the word is a
/// filler, or both words are the same.
#[test]
fn a_good_line_has_no_word_to_spare() {
    let mut tried = 0;
    for case in good() {
        let words: Vec<&str> = case.line.split(' ').collect();
        let accepted = |words: &[&str]| {
            let line = words.join(" ");
            let changed = Case { line: line.clone(), ..case.clone() };
            let same = Sense::of(&line, &original(&case)) == Sense::of(&case.line, &original(&case));
            judge(&changed).is_ok() && !same
        };
        for at in 0..words.len() {
            let without: Vec<&str> = [&words[..at], &words[at + 1..]].concat();
            assert!(!accepted(&without), "{} without {}", case.line, words[at]);
            let doubled: Vec<&str> = [&words[..=at], &words[at..]].concat();
            assert!(!accepted(&doubled), "{} with {} twice", case.line, words[at]);
            for other in at + 1..words.len() {
                let mut swapped = words.clone();
                swapped.swap(at, other);
                assert!(!accepted(&swapped) || words[at] == words[other], "{}", swapped.join(" "));
                tried += 1;
            }
        }
    }
    assert!(tried > 500);
}

/// Words that change whatever they are put into, one more for each kind of difference.
const TURNS: &[&str] = &[
    "not", "never", "cannot", "no", "only", "may", "should", "unless", "except", "without", "if", "when",
    "before", "first", "last", "all", "some", "one", "each", "even", "twice", "and", "or", "instead", "5",
    "at least",
];

/// A line that is good for a law is refused for one that says a word more, wherever that word stands.
#[test]
fn a_law_that_says_more_needs_another_line() {
    let (mut tried, mut accepted) = (0, Vec::new());
    for (row, case) in good().into_iter().enumerate() {
        let words: Vec<&str> = case.text.split(' ').collect();
        for at in 0..=words.len() {
            for word in TURNS.iter().cycle().skip(row + 5 * at).take(3) {
                let text = [&words[..at], &[*word], &words[at..]].concat().join(" ");
                let changed = Case { text, ..case.clone() };
                accepted
                    .extend(judge(&changed).is_ok().then(|| format!("{} -> {}", changed.text, case.line)));
                tried += 1;
            }
        }
    }
    assert!(accepted.is_empty() && tried > 5_000, "{tried} tried\n{}", accepted.join("\n"));
}

fn original(case: &Case) -> Original<'_> {
    Original { text: &case.text, level: case.level, literals: &case.literals }
}

//! The cases of the verifier: `good.case` is accepted, line by line; `bad.case` is refused, each for its reason.

use std::collections::BTreeSet;

use mentci_authority::Level;

use super::*;

/// `level | law | literals | line` and, in `bad.case`, the reason.
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
    let cases = cases(include_str!("good.case"));
    assert!(cases.len() >= 60, "{} good lines", cases.len());
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
    let cases = cases(include_str!("bad.case"));
    assert!(cases.len() >= 120, "{} wrong lines", cases.len());
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
    let met: BTreeSet<String> = cases(include_str!("bad.case")).into_iter().map(|case| case.reason).collect();
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
    for case in cases(include_str!("good.case")) {
        let words: Vec<&str> = case.line.split(' ').collect();
        let accepted = |words: &[&str]| {
            let line = words.join(" ");
            let changed = Case { line: line.clone(), ..clone(&case) };
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

fn original(case: &Case) -> Original<'_> {
    Original { text: &case.text, level: case.level, literals: &case.literals }
}

fn clone(case: &Case) -> Case {
    Case {
        level: case.level,
        text: case.text.clone(),
        literals: case.literals.clone(),
        line: case.line.clone(),
        reason: String::new(),
    }
}

/// What a page promises is accepted, and so is what the prompt shows a model.
#[test]
fn pages_promise_what_is_accepted() {
    let guide = include_str!("../../../../Library/guide/condense.md");
    let rows = guide
        .split("| law | accepted |\n")
        .nth(1)
        .map(|table| table.split("\n\n").next().unwrap_or_default());
    let rows = rows.unwrap_or_default().lines().skip(1).filter_map(|row| {
        let mut cells = row.trim_matches(['|', ' ']).split(" | ");
        Some((cells.next()?, cells.next()?))
    });
    let laws = rows.flat_map(|(laws, line)| laws.split(", ").map(move |law| (law, line)));
    let example = [
        ("You must always run the linter prior to opening a pull request", "Run linter before opening a PR"),
        ("Do not use mocks in integration tests", "No mocks in integration tests"),
        ("If the release fails: revert `v1` within 30 seconds", "If release fails: revert `v1` within 30 s"),
    ];
    let prompt = include_str!("../../../../Library/prompts/condense.md");
    for (law, line) in example {
        assert!(prompt.contains(law) && prompt.contains(line), "{law}");
    }
    let mut promised = 0;
    for (law, line) in laws.chain(example) {
        let level = match law.split(' ').take(2).collect::<Vec<_>>().join(" ").as_str() {
            "Do not" | "It is" if law.contains("not") || law.contains("forbidden") => Level::MustNot,
            "It is" => Level::Should,
            "Feel free" => Level::May,
            _ => Level::Must,
        };
        let original = Original { text: law, level: Some(level), literals: &[] };
        assert_eq!(verify(&original, line).map_err(|refusal| refusal.to_string()), Ok(()), "{law} -> {line}");
        promised += 1;
    }
    assert!(promised > 12, "{promised} promises");
}

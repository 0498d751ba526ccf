//! The suite of policy: rules, the events of a session, and under each event what comes of it.
//!
//! `UPDATE=1 cargo test -p mentci-tests --test policy_cases` writes what is decided now; read the difference before you
//! commit it. The format is in `tests/suite/policy/README.md`.

#![expect(clippy::disallowed_methods, reason = "tests read case files")]

mod case;
mod outcome;

use std::path::PathBuf;

use case::Case;
use mentci_host::policy::{Alone, Court, Outside, RuleFile, Rulebook, admit};
use mentci_pdp::Options;
use mentci_source::Source;
use mentci_tests::Scratch;

use crate::case::Step;
use crate::outcome::shown;

#[test]
fn each_event_comes_to_what_stands_under_it() {
    let mut failures = Vec::new();
    for path in files() {
        let text = std::fs::read_to_string(&path).expect("a case file");
        let actual: String = Case::all(&text).iter().map(|case| case.with(&library(case))).collect();
        let head = text.find("== ").map_or("", |at| &text[..at]);
        let actual = format!("{head}{actual}");
        if actual != text && std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, actual).expect("a case file");
        } else if actual != text {
            failures.push(format!("{}\n{}", path.display(), difference(&text, &actual)));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn the_program_decides_as_the_library_does() {
    let mut failures = Vec::new();
    for path in files() {
        let text = std::fs::read_to_string(&path).expect("a case file");
        for case in Case::all(&text).iter().filter(|case| case.is_for_every_door()) {
            let (own, program) = (library(case), program(case));
            if own != program {
                let (own, program) = (own.join("\n"), program.join("\n"));
                failures.push(format!("{}\n{}", case.name, difference(&own, &program)));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

fn files() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("suite/policy");
    let entries = std::fs::read_dir(folder).expect("the suite stands").flatten().map(|entry| entry.path());
    let mut files: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|kind| kind == "case")).collect();
    files.sort();
    files
}

/// What the library makes of each event.
fn library(case: &Case) -> Vec<String> {
    let files: Vec<RuleFile> = case
        .files
        .iter()
        .map(|file| RuleFile::new(Source::new(file.path.as_str(), file.text.as_str()), file.trust))
        .collect();
    let rulebook = Rulebook::read(&files, Options::default(), &mut Alone);
    assert!(rulebook.is_whole(), "{}: {:#?}", case.name, rulebook.findings);
    let mut court = Court::new(&rulebook, Outside::nothing());
    let mut approval = None;
    let mut lines = Vec::new();
    for step in &case.steps {
        match step {
            Step::Event { event, unanswered } => {
                let verdict = court.hear(&admit((**event).clone()), *unanswered);
                approval = verdict.approval.clone().or(approval);
                lines.push(shown(&serde_json::to_value(verdict).expect("a verdict is JSON")));
            }
            Step::Act(act) => court.fold(&act.record(approval.as_deref())),
        }
    }
    lines
}

/// What the program makes of the same log.
fn program(case: &Case) -> Vec<String> {
    let scratch = Scratch::new(&[]);
    case.files.iter().for_each(|file| scratch.write(&file.path, &file.text));
    scratch.write("events.jsonl", &case.log());
    let mut args = vec!["replay", "--rules"];
    args.extend(case.files.iter().map(|file| file.path.as_str()));
    args.push("events.jsonl");
    let output = scratch.run(&args);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let read =
        |line: &str| serde_json::from_str(line).unwrap_or_else(|_| panic!("{}: {line} {said}", case.name));
    text.lines().map(|line| shown(&read(line))).collect()
}

fn difference(expected: &str, actual: &str) -> String {
    let pairs = expected.lines().zip(actual.lines()).filter(|(expected, actual)| expected != actual);
    pairs.map(|(expected, actual)| format!("  - {expected}\n  + {actual}\n")).take(20).collect()
}

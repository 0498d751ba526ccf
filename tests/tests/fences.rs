//! The fences: the floors from 1 to 6 are pure, and every door through a fence says why it is open.

use mentci_tests::checkout;

/// The crates that take files, time and the environment from nobody: they are handed what they need.
const PURE: &[&str] = &["source", "reader", "tokens", "authority", "compiler", "host"];

/// Where a fence of `clippy.toml` may be opened, tests aside.
const DOORS: &[(&str, &str)] = &[
    ("Components/disk/src/", "the only crate that touches the user's files"),
    ("Components/workspace/src/clock.rs", "where time enters"),
    ("Components/workspace/build.rs", "a build reads the sources that it names"),
    ("Components/tokens/build.rs", "a build writes the tokens that it lays out"),
    ("Components/policy-engine/build.rs", "a build is told what it is for by its environment"),
    ("Components/policy-engine/src/hook.rs", "a hook that hangs is ended in time"),
    ("Components/policy-engine/src/surroundings.rs", "where the environment enters"),
    ("Components/mcp/src/gateway/process.rs", "the server behind the gateway is a program that is started"),
    ("Components/runner/src/tools/process.rs", "where the programs of a run begin"),
    ("tests/", "tests write workspaces and start processes"),
];

/// What makes a function depend on more than its arguments.
const IMPURE: &[&str] = &[
    "std::fs",
    "std::net",
    "std::process",
    "std::env",
    "std::time",
    "std::os",
    "SystemTime",
    "Instant",
    "thread::sleep",
    "available_parallelism",
    "RandomState",
    "fastrand",
    "getrandom",
];

#[test]
fn the_floors_below_the_workspace_are_pure() {
    let mut found = Vec::new();
    for name in PURE {
        for path in checkout::tracked_in(&format!("Components/{name}/src/"), ".rs") {
            for (number, line) in code_of(&checkout::read(&path)) {
                let words = IMPURE.iter().filter(|word| names(&line, word));
                found.extend(words.map(|word| format!("{path}:{number}: {word}")));
            }
        }
    }
    assert!(
        found.is_empty(),
        "a pure crate reaches out: time and facts are handed in from `workspace`\n{}",
        found.join("\n")
    );
}

#[test]
fn every_door_says_why_it_is_open() {
    for path in checkout::tracked_in("", ".rs") {
        let text = checkout::read(&path);
        let is_test = path.contains("/tests/") || path.contains("/examples/");
        let is_known = DOORS.iter().any(|(door, _)| path.starts_with(door));
        for attribute in attributes(&text).filter(|text| text.contains("disallowed_methods")) {
            assert!(attribute.contains("reason = \""), "{path}: `{attribute}` does not say why");
            let closes = is_test || attribute.contains("expect(");
            assert!(closes, "{path}: open the door with `expect`, so that it closes by itself");
            assert!(
                is_test || is_known,
                "{path} opens a fence of clippy.toml: let `disk` or the binary do it, or decide otherwise in DOORS"
            );
        }
    }
}

#[test]
fn every_exception_to_a_lint_has_a_reason() {
    for path in checkout::tracked_in("Components/", ".rs") {
        let text = checkout::read(&path);
        for attribute in attributes(&text).filter(|text| text.contains("allow(") || text.contains("expect("))
        {
            assert!(attribute.contains("reason = \""), "{path}: `{attribute}` does not say why");
        }
    }
}

/// Whether `line` names this path or word, alone or in a group: `use std::{fs, io}`.
fn names(line: &str, word: &str) -> bool {
    let whole = line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    });
    let grouped = word.strip_prefix("std::").is_some_and(|part| {
        let group = line.split_once("use std::{").map_or("", |(_, group)| group);
        group.split([',', '{', '}', ':', ' ']).any(|item| item == part)
    });
    whole || grouped
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The lines of a source that are no comments, numbered from 1.
fn code_of(text: &str) -> impl Iterator<Item = (usize, String)> {
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim().to_owned()));
    lines.filter(|(_, line)| !line.starts_with("//"))
}

/// The attributes of a source, each as one piece.
fn attributes(text: &str) -> impl Iterator<Item = &str> {
    let starts = text.match_indices("#[").chain(text.match_indices("#!["));
    let opens_a_line =
        |at: usize| text[..at].rsplit('\n').next().is_some_and(|before| before.trim().is_empty());
    starts.filter(move |(at, _)| opens_a_line(*at)).map(|(at, _)| &text[at..at + end_of(&text[at..])])
}

/// The length of the attribute with which `text` begins: up to the bracket that closes its first one.
fn end_of(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' if depth == 1 => return at + 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    text.len()
}

#[test]
fn a_group_of_imports_is_seen_through() {
    for (line, word, expected) in [
        ("use std::{fs, io};", "std::fs", true),
        ("use std::{fmt, io};", "std::fs", false),
        ("std::fs::read(path)", "std::fs", true),
        ("let instants = 3;", "Instant", false),
        ("Instant::now()", "Instant", true),
    ] {
        assert_eq!(names(line, word), expected, "{line}");
    }
}

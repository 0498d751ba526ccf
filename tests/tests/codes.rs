//! Finding codes: each is given once, found by somebody, and explained to everybody.

use std::collections::BTreeSet;

use mentci_source::{CODES, Code, Severity};
use mentci_tests::checkout;

#[test]
fn each_code_and_each_name_is_given_once() {
    let ids: BTreeSet<&str> = CODES.iter().map(|code| code.id()).collect();
    let names: BTreeSet<&str> = CODES.iter().map(|code| code.name()).collect();
    assert_eq!((ids.len(), names.len()), (CODES.len(), CODES.len()));
    for code in CODES {
        let is_number =
            code.id().len() == 5 && code.id().starts_with('E') && code.id()[1..].parse::<u32>().is_ok();
        assert!(is_number, "`{}` is not `E` and four digits", code.id());
    }
    assert!(CODES.is_sorted_by_key(|code| code.id()), "the codes are not in the order of their numbers");
}

#[test]
fn each_code_is_found_by_somebody() {
    let table = "Components/source/src/code.rs";
    let sources: String = checkout::tracked_in("Components/", ".rs")
        .iter()
        .filter(|path| path.contains("/src/") && *path != table)
        .map(|path| checkout::read(path))
        .collect();
    let is_used = |constant: &str| {
        sources.match_indices(&format!("Code::{constant}")).any(|(at, found)| {
            !sources[at + found.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        })
    };
    let mut unused = constants(&checkout::read(table));
    unused.retain(|(constant, _)| !is_used(constant));
    assert!(unused.is_empty(), "nobody finds {unused:?}: find them, or take them out of {table}");
}

#[test]
fn each_code_is_explained() {
    for code in CODES {
        let text = code.explanation();
        assert!(text.ends_with('.') && text.len() > 20, "`{}` is not explained: `{text}`", code.id());
    }
}

#[test]
fn the_guide_lists_each_code() {
    let guide = checkout::read("Library/guide/findings.md");
    for code in CODES {
        let row = row(*code);
        assert!(guide.contains(&row), "Library/guide/findings.md has no line\n{row}");
    }
    let rows = guide.lines().filter(|line| line.starts_with("| E")).count();
    assert_eq!(rows, CODES.len(), "Library/guide/findings.md lists codes that are none");
}

fn row(code: Code) -> String {
    let severity = match code.severity() {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    };
    format!("| {} | `{}` | {severity} | {} |", code.id(), code.name(), code.explanation().replace('|', "\\|"))
}

/// Constant and id of each line of the table: `NOT_UTF8 "E0001" …`.
fn constants(table: &str) -> Vec<(String, String)> {
    let rows = table.lines().filter_map(|line| {
        let (constant, rest) = line.trim().split_once(" \"E")?;
        let (digits, _) = rest.split_once('"')?;
        let sound = constant.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        sound.then(|| (constant.to_owned(), format!("E{digits}")))
    });
    rows.collect()
}

//! Planted defects: each is found where it stands, and sound rules are left alone.
//!
//! `tests/suite/defects` holds files of documents. Each begins with a comment `--- CODE… what is wrong`, and under each line
//! that is wrong stands a comment with `^` below the place, the code and the message. A document may name the tools that
//! there are: `(tools: exec(command cwd))`. `tests/suite/sound` holds rules about which there is nothing to say.

use std::path::Path;

use mentci_authority::Trust;
use mentci_host::policy::{Known, RuleFile, Tools, Zones, lint, read_file};
use mentci_source::{Finding, Severity, Source};
use mentci_tests::checkout;
use serde_json::json;

#[test]
fn every_planted_defect_is_found_where_it_stands() {
    let documents: Vec<Document> =
        files("tests/suite/defects").iter().flat_map(|path| documents(path)).collect();
    let planted: usize = documents.iter().map(|document| document.expected.len()).sum();
    assert!(planted >= 60, "{planted} defects are planted");
    let mut missed = Vec::new();
    for document in &documents {
        let found: Vec<Told> = findings(&document.rules, document.tools.as_ref())
            .iter()
            .map(|one| told(one, document))
            .collect();
        let mut expected = document.expected.clone();
        expected.sort();
        let mut found_sorted = found;
        found_sorted.sort();
        if expected != found_sorted || !document.codes_are_expected() {
            missed.push(format!(
                "{}: {}\n  expected {expected:#?}\n  found {found_sorted:#?}",
                document.path, document.title
            ));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn sound_rules_are_left_alone() {
    let files = files("tests/suite/sound");
    assert!(files.len() >= 15, "{} sound files", files.len());
    for path in files {
        let text = checkout::read(&path);
        let said: Vec<String> = findings(&Source::new(path.as_str(), text.as_str()), None)
            .iter()
            .filter(|finding| finding.severity >= Severity::Warning)
            .map(ToString::to_string)
            .collect();
        assert!(said.is_empty(), "{}", said.join("\n"));
    }
}

/// Code, line, column, message.
type Told = (String, usize, usize, String);

/// One document of a file, without its expectations.
struct Document {
    path: String,
    title: String,
    mark: &'static str,
    rules: Source,
    tools: Option<Tools>,
    expected: Vec<Told>,
}

impl Document {
    /// The title names each code that is planted.
    fn codes_are_expected(&self) -> bool {
        let mut named: Vec<&str> = self.title.split(' ').filter(|word| is_code(word)).collect();
        let mut expected: Vec<&str> = self.expected.iter().map(|told| told.0.as_str()).collect();
        named.sort_unstable();
        expected.sort_unstable();
        !named.is_empty() && named == expected
    }
}

fn is_code(word: &str) -> bool {
    word.len() == 5 && word.starts_with('E') && word[1..].chars().all(|c| c.is_ascii_digit())
}

fn told(finding: &Finding, document: &Document) -> Told {
    let place = |number: Option<u32>| number.map_or(1, |number| number as usize);
    // A caret cannot stand under the sign that begins a comment.
    let column = place(finding.column).max(document.mark.len() + 1);
    (finding.code.id().to_owned(), place(finding.line), column, finding.message.clone())
}

fn files(folder: &str) -> Vec<String> {
    let folder = format!("{folder}/");
    checkout::tracked().into_iter().filter(|path| path.starts_with(&folder)).collect()
}

fn documents(path: &str) -> Vec<Document> {
    let (mark, end) = match Path::new(path).extension().and_then(|extension| extension.to_str()) {
        Some("edn") => (";", ""),
        Some("chatmd") => ("<!--", " -->"),
        _ => ("#", ""),
    };
    let text = checkout::read(path);
    let title = |line: &str| {
        let rest = line.trim_start_matches(mark).strip_prefix(" --- ")?;
        line.starts_with(mark).then(|| rest.strip_suffix(end).unwrap_or(rest).to_owned())
    };
    let mut all: Vec<(String, Vec<&str>)> = Vec::new();
    for line in text.lines() {
        match (title(line), all.last_mut()) {
            (Some(title), _) => all.push((title, Vec::new())),
            (None, Some((_, body))) => body.push(line),
            (None, None) => {}
        }
    }
    all.into_iter().map(|(title, body)| document(path, title, &body, mark, end)).collect()
}

fn document(path: &str, title: String, body: &[&str], mark: &'static str, end: &str) -> Document {
    let (mut rules, mut expected, mut line) = (String::new(), Vec::new(), 0);
    for text in body {
        let below = text.strip_prefix(mark).map(str::trim_start).and_then(|rest| rest.strip_prefix("^ "));
        if let Some((code, message)) = below.and_then(|rest| rest.split_once(' ')) {
            let column = text.find('^').unwrap_or(0) + 1;
            let message = message.strip_suffix(end).unwrap_or(message);
            expected.push((code.to_owned(), line, column, message.to_owned()));
        } else {
            line += 1;
            rules.push_str(text);
            rules.push('\n');
        }
    }
    let name =
        format!("doc.{}", Path::new(path).extension().and_then(|name| name.to_str()).unwrap_or_default());
    let tools = title.split_once("(tools: ").map(|(_, rest)| tools(rest));
    Document {
        path: path.to_owned(),
        title,
        mark,
        rules: Source::new(name.as_str(), rules.as_str()),
        tools,
        expected,
    }
}

/// `exec(command cwd) wait(seconds:integer) ls()`.
fn tools(text: &str) -> Tools {
    let tool = |one: &str| {
        let (name, arguments) = one.split_once('(')?;
        let argument = |one: &str| match one.split_once(':') {
            Some((name, kind)) => (name.to_owned(), json!({"type": kind})),
            None => (one.to_owned(), json!({})),
        };
        Some((name.trim().to_owned(), Some(arguments.split_whitespace().map(argument).collect())))
    };
    text.split(')').filter_map(tool).collect()
}

/// What reading and the lints say of one file.
fn findings(source: &Source, tools: Option<&Tools>) -> Vec<Finding> {
    let file = RuleFile::new(source.clone(), Trust::User);
    let (set, mut said) = read_file(&file, &mut |_| None);
    let sets: Vec<_> = set.into_iter().collect();
    said.extend(lint(
        &sets,
        Known { sources: std::slice::from_ref(source), tools, zones: &Cities, in_force: &[] },
    ));
    said
}

/// Knows a few zones.
struct Cities;

impl Zones for Cities {
    fn offset_seconds(&self, zone: &str, _: i64) -> Option<i32> {
        match zone {
            "UTC" => Some(0),
            "Europe/Berlin" => Some(3_600),
            "America/New_York" => Some(-18_000),
            _ => None,
        }
    }
}

//! What is written about Mentci holds: commands exist with their options, examples parse, links lead somewhere.

#![expect(clippy::disallowed_methods, reason = "a command's help is asked of the command")]

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use mentci_authority::Trust;
use mentci_authority::{CoverageMap, SkillName};
use mentci_compiler::lessons::read_lessons;
use mentci_compiler::read_lock;
use mentci_host::policy::{Alone, RuleFile, Rulebook};
use mentci_pdp::Options;
use mentci_reader::edn;
use mentci_source::Source;
use mentci_tests::{checkout, engine};
use mentci_workspace::config::{KEYS, Layer};

/// The verbs that have verbs of their own.
const PARENTS: [&str; 15] = [
    "token",
    "audit",
    "lessons",
    "rules",
    "approvals",
    "script",
    "plugins",
    "notifications",
    "session",
    "context",
    "artifact",
    "mcp",
    "harness",
    "chatmd",
    "model",
];

/// A fenced block of a page.
struct Fence {
    language: String,
    text: String,
    place: String,
}

#[test]
fn every_command_exists() {
    for (place, command) in commands() {
        let verb = verb_of(&command);
        let help = help(&verb, &place);
        // What stands behind `--` is another program's.
        let own = command.iter().take_while(|word| *word != "--");
        for option in own.filter(|word| word.starts_with("--")) {
            let option = option.split('=').next().unwrap_or(option);
            assert!(
                has_option(&help, option),
                "{place}: `policy-engine {}` has no `{option}`",
                verb.join(" ")
            );
        }
    }
}

#[test]
fn every_verb_is_told_of() {
    let told: Vec<Vec<String>> = commands().into_iter().map(|(_, command)| verb_of(&command)).collect();
    for parent in std::iter::once(vec![]).chain(PARENTS.map(|parent| vec![parent.to_owned()])) {
        for verb in verbs(&help(&parent, "--help")).into_iter().filter(|verb| verb != "help") {
            let whole = [parent.clone(), vec![verb]].concat();
            let is_parent = whole.len() == 1 && PARENTS.contains(&whole[0].as_str());
            assert!(is_parent || told.contains(&whole), "no page names `policy-engine {}`", whole.join(" "));
        }
    }
}

#[test]
fn every_edn_example_is_sound() {
    let skill = SkillName::parse("sema-programmer").expect("OK because it is an identifier");
    for fence in fences().into_iter().filter(|fence| fence.language == "edn") {
        let source = Source::new("runtime.edn", &fence.text);
        assert_eq!(edn::read(&source).findings, [], "{}", fence.place);
        let lessons = read_lessons(&source, &skill);
        assert_eq!(lessons.findings, [], "{}", fence.place);
        assert!(lessons.value.is_sound && !lessons.value.lessons.is_empty(), "{}", fence.place);
    }
}

#[test]
fn every_toml_example_is_a_configuration_or_rules() {
    for fence in fences().into_iter().filter(|fence| fence.language == "toml") {
        if fence.text.contains("[rule]") {
            let files = [RuleFile::new(Source::new("rules.toml", &fence.text), Trust::User)];
            assert_eq!(
                Rulebook::read(&files, Options::default(), &mut Alone).findings,
                [],
                "{}",
                fence.place
            );
            continue;
        }
        let layer = Layer::from_toml(&Source::new("mentci.toml", &fence.text));
        assert_eq!(layer.findings, [], "{}", fence.place);
        assert!(!layer.settings.is_empty(), "{}", fence.place);
    }
}

#[test]
fn every_json_example_is_what_it_says() {
    for fence in fences().into_iter().filter(|fence| fence.language == "json") {
        let value: serde_json::Value = serde_json::from_str(&fence.text)
            .unwrap_or_else(|error| panic!("{}: {error}\n{}", fence.place, fence.text));
        if value.get("entries").is_some() {
            let map = serde_json::from_value::<CoverageMap>(value.clone());
            assert!(map.is_ok(), "{}: {map:?}", fence.place);
        }
        if value.get("numbers").is_some() {
            let lock = read_lock(&Source::new("absolute_rules.lock", &fence.text));
            assert!(lock.is_ok(), "{}: {lock:?}", fence.place);
        }
    }
}

#[test]
fn the_specification_names_every_key() {
    let page = checkout::read("Library/specs/configuration.md");
    for key in KEYS {
        let default = key.default().to_json().to_string();
        let default = if default == "null" { "unset".to_owned() } else { format!("`{default}`") };
        let start = format!("| `{}` | {} | {default} |", key.name, key.takes());
        let row = page.lines().find(|line| line.starts_with(&start));
        assert!(
            row.is_some_and(|row| row.ends_with(&format!("| {} |", key.about))),
            "no row `{start} … {} |`",
            key.about
        );
    }
    let rows =
        page.lines().filter(|line| KEYS.iter().any(|key| line.starts_with(&format!("| `{}`", key.name))));
    assert_eq!(rows.count(), KEYS.len());
}

#[test]
fn every_link_leads_somewhere() {
    for path in pages() {
        let text = checkout::read(&path);
        for link in links(&text).filter(|link| !link.contains("://") && !link.starts_with('#')) {
            let target = link.split('#').next().unwrap_or(link);
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let there = checkout::root().join(folder).join(target).exists();
            assert!(there, "{path} links to `{link}`, which is not there");
        }
    }
}

#[test]
fn every_path_of_this_checkout_is_there() {
    for path in pages() {
        for (at, line) in checkout::read(&path).lines().enumerate() {
            for span in line.split('`').skip(1).step_by(2).filter(|span| names_a_file(span)) {
                let there = checkout::root().join(span.split(' ').next().unwrap_or(span)).exists();
                assert!(there, "{path}:{}: there is no `{span}`", at + 1);
            }
        }
    }
}

#[test]
fn every_decision_is_a_question() {
    for path in checkout::tracked_in("Library/design/", ".md") {
        let text = checkout::read(&path);
        let title = text.lines().next().unwrap_or_default();
        assert!(title.starts_with("# ") && title.ends_with('?'), "{path}: `{title}` is no question");
    }
}

/// The pages of this project.
fn pages() -> Vec<String> {
    let mut pages = checkout::tracked_in("Library/", ".md");
    pages.extend(["README.md", "CONTRIBUTING.md"].map(str::to_owned));
    pages
}

/// The commands that pages name: in fences behind `$ `, and in code spans that begin with `policy-engine`.
fn commands() -> Vec<(String, Vec<String>)> {
    let mut commands = Vec::new();
    for path in pages() {
        for (at, line) in checkout::read(&path).lines().enumerate() {
            let place = format!("{path}:{}", at + 1);
            let typed = line
                .strip_prefix("$ ")
                .or_else(|| line.trim_start().strip_prefix("policy-engine ").map(|_| line.trim()));
            let spans = line.split('`').skip(1).step_by(2);
            for text in typed.into_iter().chain(spans) {
                let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
                if words.first().is_some_and(|first| first == "policy-engine") && words.len() > 1 {
                    commands.push((place.clone(), words[1..].to_vec()));
                }
            }
        }
    }
    commands
}

/// `lessons add` of `lessons add --skill S`.
fn verb_of(command: &[String]) -> Vec<String> {
    let is_verb =
        |word: &&String| word.chars().all(|c| c.is_ascii_lowercase() || c == '-') && !word.starts_with('-');
    let depth = if command.first().is_some_and(|first| PARENTS.contains(&first.as_str())) { 2 } else { 1 };
    command.iter().take(depth).take_while(is_verb).cloned().collect()
}

/// What a verb's help says, asked once.
fn help(verb: &[String], place: &str) -> String {
    static HELPS: Mutex<BTreeMap<Vec<String>, String>> = Mutex::new(BTreeMap::new());
    let mut helps = HELPS.lock().unwrap_or_else(PoisonError::into_inner);
    helps.entry(verb.to_vec()).or_insert_with(|| asked(verb, place)).clone()
}

fn asked(verb: &[String], place: &str) -> String {
    let output = Command::new(engine()).args(verb).arg("--help").output().expect("the engine can be started");
    assert!(output.status.success(), "{place}: there is no `policy-engine {}`", verb.join(" "));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn has_option(help: &str, option: &str) -> bool {
    help.split_whitespace().any(|word| word.trim_end_matches(',') == option)
}

/// The verbs that a help lists.
fn verbs(help: &str) -> Vec<String> {
    let list = help.split("Commands:\n").nth(1).unwrap_or_default();
    let list = list.split("\n\n").next().unwrap_or_default();
    let first = |line: &str| line.split_whitespace().next().map(str::to_owned);
    list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   ")).filter_map(first).collect()
}

/// Whether a code span names a file or a folder of this checkout, or a script to run.
fn names_a_file(span: &str) -> bool {
    let ours =
        ["Components/", "Library/", "tests/", "scripts/"].iter().any(|folder| span.starts_with(folder));
    ours && !span.contains(['*', '<', '{'])
}

fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split(')').next())
}

fn fences() -> Vec<Fence> {
    let mut fences: Vec<Fence> = Vec::new();
    for path in pages() {
        let mut open: Option<Fence> = None;
        for (at, line) in checkout::read(&path).lines().enumerate() {
            match (&mut open, line.strip_prefix("```")) {
                (None, Some(language)) => {
                    let place = format!("{path}:{}", at + 1);
                    open = Some(Fence { language: language.trim().to_owned(), text: String::new(), place });
                }
                (Some(_), Some(_)) => fences.extend(open.take()),
                (Some(fence), None) => {
                    fence.text.push_str(line);
                    fence.text.push('\n');
                }
                (None, None) => {}
            }
        }
    }
    fences
}

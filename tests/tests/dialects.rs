//! One policy in four dialects: each of its texts decides every event of a session alike, with the same reasons, and so
//! does what it is converted into. What a dialect cannot say is named.

#![expect(clippy::disallowed_methods, reason = "tests read case files")]

use std::collections::BTreeMap;

use mentci_authority::{Event, Trust};
use mentci_dialect::{Dialect, OriginHint, print, read};
use mentci_host::policy::{Alone, Court, Outside, RuleFile, Rulebook, Zones, admit};
use mentci_pdp::Options;
use mentci_source::Source;
use mentci_tests::Scratch;
use serde_json::{Value, json};

const DIALECTS: [Dialect; 4] = [Dialect::Yaml, Dialect::Toml, Dialect::Edn, Dialect::Chatmd];

/// Knows the zones that the policies name.
struct Places;

impl Zones for Places {
    fn offset_seconds(&self, zone: &str, _: i64) -> Option<i32> {
        match zone {
            "UTC" => Some(0),
            "Asia/Tokyo" => Some(9 * 3600),
            _ => None,
        }
    }
}

/// A policy in several dialects, and a session.
struct Case {
    name: String,
    texts: BTreeMap<&'static str, String>,
    /// What the other dialects say that they cannot.
    unsayable: BTreeMap<&'static str, String>,
    events: Vec<Value>,
    /// The decision, the rules and the actions of each event.
    expected: Vec<String>,
}

fn dialect(name: &str) -> Dialect {
    *DIALECTS
        .iter()
        .find(|dialect| dialect.name() == name)
        .unwrap_or_else(|| panic!("no such dialect: {name}"))
}

fn cases() -> Vec<Case> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/suite/dialects.case");
    let text = std::fs::read_to_string(path).expect("the suite stands");
    text.split("\n== ").skip(1).map(case).collect()
}

fn case(text: &str) -> Case {
    let (name, body) = text.split_once('\n').expect("a case has a body");
    let (texts, unsayable) = (BTreeMap::new(), BTreeMap::new());
    let mut case = Case { name: name.to_owned(), texts, unsayable, events: Vec::new(), expected: Vec::new() };
    for part in body.strip_prefix("---- ").expect("a case starts with a text").split("\n---- ") {
        let (head, text) = part.split_once('\n').expect("a part has a text");
        match head.strip_prefix("not ") {
            Some(name) => drop(case.unsayable.insert(dialect(name).name(), text.trim().to_owned())),
            None if head == "events" => session(text, &mut case),
            None => drop(case.texts.insert(dialect(head).name(), format!("{text}\n"))),
        }
    }
    assert_eq!(case.events.len(), case.expected.len(), "{name}");
    case
}

fn session(text: &str, case: &mut Case) {
    for line in text.lines() {
        if let Some(expected) = line.strip_prefix("  > ") {
            case.expected.push(expected.to_owned());
            continue;
        }
        let mut event: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let object = event.as_object_mut().expect("an event is an object");
        object.entry("at").or_insert_with(|| "2026-03-02T10:00:00Z".into());
        object.entry("session").or_insert_with(|| "s1".into());
        case.events.push(event);
    }
}

/// What is decided, with each reason but its place.
fn decided(case: &Case, text: &str, dialect: Dialect) -> Vec<Value> {
    let source = Source::new(&format!("r.{}", dialect.name()), text);
    let files = [RuleFile::new(source, Trust::User)];
    let rulebook = Rulebook::read(&files, Options::default(), &mut Alone);
    assert!(rulebook.is_whole(), "{}: {:#?}\n{text}", case.name, rulebook.findings);
    let mut court = Court::new(&rulebook, Outside { zones: &Places, ..Outside::nothing() });
    let hear = |event: &Value| {
        let event: Event = serde_json::from_value(event.clone()).expect("an event");
        let verdict = court.hear(&admit(event), true);
        without_places(serde_json::to_value(verdict).expect("a verdict is JSON"))
    };
    case.events.iter().map(hear).collect()
}

/// In ChatMD an effect acts too: `deny`, and the developer's note of a warning or a reminder, which is its message. Here
/// it is left out, as are the places.
fn without_places(mut verdict: Value) -> Value {
    let reasons = verdict["reasons"].as_array().cloned().unwrap_or_default();
    let is_effect = |act: &Value| {
        let own = |reason: &Value| reason["rule"] == act["rule"] && reason["effect"] != "allow";
        act["type"] == "deny" || act["type"] == "insert" && reasons.iter().any(own)
    };
    if let Some(actions) = verdict["actions"].as_array_mut() {
        actions.retain(|act| !is_effect(act));
    }
    for list in ["reasons", "faults", "shadow"] {
        for reason in verdict[list].as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
            reason.remove("at");
        }
    }
    verdict
}

/// `block no-rm keep:set`
fn shown(verdict: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let each = |list: &Value| list.as_array().cloned().unwrap_or_default();
    let mut parts = vec![text(&verdict["decision"])];
    parts.extend(each(&verdict["rules"]).iter().map(text));
    parts.extend(
        each(&verdict["actions"]).iter().map(|act| format!("{}:{}", text(&act["rule"]), text(&act["type"]))),
    );
    parts.join(" ")
}

#[test]
fn each_dialect_decides_the_same() {
    let cases = cases();
    assert!(cases.len() >= 50, "{} policies", cases.len());
    for case in &cases {
        assert_eq!(case.texts.len() + case.unsayable.len(), DIALECTS.len(), "{}", case.name);
        let first = decided(case, &case.texts["yaml"], Dialect::Yaml);
        let told: Vec<String> = first.iter().map(shown).collect();
        assert_eq!(told, case.expected, "{}", case.name);
        for (name, text) in &case.texts {
            let other = decided(case, text, dialect(name));
            assert_eq!(json!(other), json!(first), "{}, {name}\n{text}", case.name);
        }
    }
}

/// There and back, by every way.
#[test]
fn what_is_converted_decides_the_same() {
    for case in cases() {
        let first = json!(decided(&case, &case.texts["yaml"], Dialect::Yaml));
        for (name, text) in &case.texts {
            let source = Source::new(&format!("r.{name}"), text.as_str());
            let origin = OriginHint { pack: "r".into(), trust: Trust::User };
            let set = read(&source, dialect(name), &origin, &mut |_| None).value.expect("it reads");
            for to in DIALECTS {
                let said = print(&set, to);
                if let Some(words) = case.unsayable.get(to.name()) {
                    let found = said.err().unwrap_or_default();
                    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
                    assert_eq!(&found.join("\n"), words, "{}: {name} to {}", case.name, to.name());
                    continue;
                }
                let text = said.unwrap_or_else(|words| panic!("{}: {words:?}", case.name));
                assert_eq!(
                    json!(decided(&case, &text, to)),
                    first,
                    "{}: {name} to {}\n{text}",
                    case.name,
                    to.name()
                );
            }
        }
    }
}

#[test]
fn the_program_names_what_a_dialect_cannot_say() {
    for case in cases().iter().filter(|case| !case.unsayable.is_empty()) {
        let scratch = Scratch::new(&[("r.yaml", &case.texts["yaml"])]);
        for (name, words) in &case.unsayable {
            let output = scratch.run(&["convert", "--to", name, "r.yaml"]);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(2), "{}: {said}", case.name);
            assert!(said.contains(words) && said.contains("r.yaml:"), "{}: {said}", case.name);
        }
    }
}

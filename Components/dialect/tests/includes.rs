//! Files that include and extend others.

#![allow(clippy::unwrap_used, reason = "tests may")]

mod common;

use std::collections::BTreeMap;

use common::origin;
use mentci_authority::{Effect, RuleSet};
use mentci_dialect::{Dialect, read};
use mentci_source::Source;

/// Reads the first of these files with the others at hand; the set and what was said.
fn gather(files: &[(&str, &str)]) -> (Option<RuleSet>, String) {
    let all: BTreeMap<&str, &str> = files.iter().copied().collect();
    let (path, text) = files[0];
    let mut loader = |path: &str| all.get(path).map(|text| Source::new(path, text));
    let reading = read(&Source::new(path, text), Dialect::of_path(path).unwrap(), &origin(), &mut loader);
    let said: Vec<String> = reading.findings.iter().map(ToString::to_string).collect();
    (reading.value, said.join("\n"))
}

fn rules(set: &RuleSet) -> Vec<(&str, Option<Effect>)> {
    set.rules.iter().map(|rule| (rule.id.as_str(), rule.effect)).collect()
}

#[test]
fn what_extends_replaces_by_id_and_keeps_defaults() {
    let (set, said) = gather(&[
        ("rules/child.yaml", "extends: base/team.yaml\nrules: [{id: b, then: allow}, {id: c, then: warn}]\n"),
        (
            "rules/base/team.yaml",
            "shield_name: team\ndefault_verdict: block\nextends: ../root.toml\nrules: [{id: a, then: block}, {id: b, then: block}]\n",
        ),
        (
            "rules/root.toml",
            "[set]\nversion = 7\n[[rule]]\nid = \"z\"\ntrigger = \"on_tool_call\"\neffect = \"approve\"\n",
        ),
    ]);
    assert_eq!(said, "");
    let set = set.unwrap();
    let expected = [("z", Effect::Approve), ("a", Effect::Block), ("b", Effect::Allow), ("c", Effect::Warn)]
        .map(|(id, e)| (id, Some(e)));
    assert_eq!(rules(&set), expected);
    assert_eq!(
        (set.name.as_str(), set.default_effect, set.version.as_deref()),
        ("team", Some(Effect::Block), Some("7"))
    );
    assert_eq!(set.rules[0].origin.to_string(), "rules/root.toml:3:1");
}

#[test]
fn what_is_included_is_added() {
    let (set, said) = gather(&[
        ("a.yaml", "include: [b.edn, ./c.yaml]\nrules: [{id: a, then: block}]\n"),
        ("b.edn", "{:rule/id :b :then :block}"),
        ("c.yaml", "- {id: c, then: block}\n"),
    ]);
    assert_eq!(said, "");
    assert_eq!(rules(&set.unwrap()).iter().map(|(id, _)| *id).collect::<Vec<_>>(), ["b", "c", "a"]);
}

#[test]
fn what_is_included_brings_no_caps_and_opens_nothing() {
    let files = |head: &'static str| {
        [
            ("a.yaml", "include: [b.chatmd, c.yaml]\nrules: [{id: a, then: block}]\n"),
            ("b.chatmd", "<rules><on event=\"pre_tool_call\" id=\"b\"><deny reason=\"no\"/></on></rules>"),
            ("c.yaml", head),
        ]
    };
    let head = "{name: c, default_verdict: allow, max_actions_per_event: 3, honeypots: [bait], rules: []}";
    let set = gather(&files(head)).0.unwrap();
    assert_eq!((set.name.as_str(), set.default_effect, set.max_fired), ("mine", None, None));
    assert_eq!((set.rules.len(), set.honeypots.len()), (2, 1));
    let set = gather(&files("{default_verdict: block, rules: []}")).0.unwrap();
    assert_eq!(set.default_effect, Some(Effect::Block), "what closes stays closed");
}

#[test]
fn a_file_that_is_named_twice_is_read_once() {
    let (set, said) = gather(&[
        ("a.yaml", "extends: [b.yaml, ./b.yaml]\nrules: []\n"),
        ("b.yaml", "honeypots: [bait]\nrules: [{id: b, then: block}]\n"),
    ]);
    let set = set.unwrap();
    assert_eq!((said.as_str(), set.rules.len(), set.honeypots.len()), ("", 1, 1));
}

#[test]
fn what_cannot_be_included_refuses_the_set() {
    let said = |files: &[(&str, &str)]| {
        let (set, said) = gather(files);
        assert!(set.is_none());
        said
    };
    insta::assert_snapshot!(said(&[("a.yaml", "include: gone.yaml\nrules: []\n")]), @r"
    a.yaml:1:10: error[E0228]: `gone.yaml` cannot be read
      help: its path counts from the file that names it
    ");
    insta::assert_snapshot!(said(&[("a.yaml", "include: ../../etc/x.yaml\n")]), @r"
    a.yaml:1:10: error[E0228]: `../../etc/x.yaml` lies outside the workspace
      help: name a file by its path from this one
    ");
    insta::assert_snapshot!(said(&[("a.yaml", "include: /etc/x.yaml\n")]), @r"
    a.yaml:1:10: error[E0228]: `/etc/x.yaml` lies outside the workspace
      help: name a file by its path from this one
    ");
    insta::assert_snapshot!(said(&[("a.yaml", "include: notes.txt\n")]), @r"
    a.yaml:1:10: error[E0228]: `notes.txt` is no file of rules
      help: its extension says its dialect: `.yaml`, `.toml`, `.edn`, `.chatmd`
    ");
    insta::assert_snapshot!(said(&[("a.yaml", "include: b.yaml\n"), ("b.yaml", "extends: a.yaml\n")]), @r"
    b.yaml:1:10: error[E0228]: `a.yaml` includes itself
      help: take one of the two out
    ");
    insta::assert_snapshot!(said(&[("a.yaml", "include: b.yaml\nrules: [{id: x, then: block}]\n"), ("b.yaml", "- {id: x, then: allow}\n")]), @r"
    a.yaml:2:9: error[E0224]: the id `x` stands twice
      help: it stands first at b.yaml:1:3
    ");
    insta::assert_snapshot!(said(&[("a.yaml", "include: b.yaml\nrules: []\n"), ("b.yaml", "- {id: x, then: alow}\n")]), @r"
    b.yaml:1:17: error[E0222]: `then` cannot be the text `alow`
      help: did you mean `allow`?
    ");
}

#[test]
fn too_many_files_are_refused() {
    let files: Vec<(String, String)> =
        (0..20).map(|n| (format!("f{n}.yaml"), format!("include: f{}.yaml\nrules: []\n", n + 1))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let (set, said) = gather(&files);
    assert!(set.is_none());
    insta::assert_snapshot!(said, @r"
    f7.yaml:1:10: error[E0228]: `f8.yaml` is one file too many
      help: at most 64 files are read for one set, and 8 deep
    ");
}

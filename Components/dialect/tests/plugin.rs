//! Manifests of plugins: what they may say, and what is told of those that say something else.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

mod common;

use mentci_authority::{Dialect, Plugin, SettingKind};
use mentci_dialect::{read_in, read_plugin};
use mentci_source::Source;
use serde_json::json;

const WHOLE: &str = r#"
[plugin]
id = "deep-research"
name = "Deep research"
version = "1.2.0-rc.1+build.5"
description = "Keeps long research honest."
[capabilities]
requires = ["luau"]
[rules]
include = ["rules/*.toml", "more.yaml"]
[settings.pages]
name = "Pages"
type = "int"
default = 20
min = 1
max = 500
[settings.share]
type = "float"
default = 1
[settings.quiet]
type = "bool"
default = false
[settings.title]
type = "string"
default = "none"
max = 8
[settings.mood]
type = "enum"
options = ["calm", "strict"]
default = "calm"
description = "How it speaks."
"#;

fn plugin(text: &str) -> Plugin {
    let reading = read_plugin(&Source::new("plugin.toml", text));
    assert_eq!(reading.findings, []);
    reading.value.unwrap()
}

/// What is told of a manifest that does not read.
fn said(text: &str) -> String {
    let reading = read_plugin(&Source::new("plugin.toml", text));
    assert!(reading.value.is_none(), "it reads");
    reading.findings.iter().fold(String::new(), |all, finding| all + &finding.to_string() + "\n")
}

#[test]
fn everything_that_a_manifest_says_is_read() {
    let plugin = plugin(WHOLE);
    assert_eq!((plugin.id.as_str(), plugin.version.as_str()), ("deep-research", "1.2.0-rc.1+build.5"));
    assert_eq!((plugin.requires[0].text.as_str(), plugin.include[1].text.as_str()), ("luau", "more.yaml"));
    let keys: Vec<(&str, SettingKind)> =
        plugin.settings.iter().map(|setting| (setting.key.as_str(), setting.kind)).collect();
    let kinds =
        [SettingKind::Int, SettingKind::Float, SettingKind::Bool, SettingKind::String, SettingKind::Enum];
    let names = ["pages", "share", "quiet", "title", "mood"];
    assert_eq!(keys, names.into_iter().zip(kinds).collect::<Vec<_>>());
    assert_eq!(plugin.setting("share").unwrap().default, json!(1.0));
}

#[test]
fn settings_take_what_they_say() {
    let plugin = plugin(WHOLE);
    for (key, value, problem) in [
        ("pages", json!(500), None),
        ("pages", json!(501), Some("must be a whole number from 1 to 500, not `501`")),
        ("pages", json!(1.5), Some("must be a whole number from 1 to 500, not `1.5`")),
        ("pages", json!("5"), Some("must be a whole number from 1 to 500, not the text `5`")),
        ("share", json!(2), None),
        ("share", json!(null), Some("must be a number, not `null`")),
        ("quiet", json!(true), None),
        ("quiet", json!("yes"), Some("must be `true` or `false`, not `yes`")),
        ("title", json!("eightlet"), None),
        ("title", json!("nine long"), Some("must be text of up to 8 characters, not `nine long`")),
        ("mood", json!("strict"), None),
        ("mood", json!("Strict"), Some("must be one of `calm`, `strict`, not `Strict`")),
    ] {
        let accepted = plugin.setting(key).unwrap().accept(&value);
        assert_eq!(accepted.err().as_deref(), problem, "{key} = {value}");
    }
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    insta::assert_snapshot!(said("[plugin]\nid = \"../x\"\nnmae = \"X\"\nversion = \"1.0\"\n"), @r#"
    plugin.toml:1:1: error[E0272]: `[plugin]` has no `name`
      help: write `name = "…"`
    plugin.toml:2:6: error[E0273]: an id is words of `a` to `z` and digits, with `-` between them: `../x`
      help: such as `deep-research`, which is also the name of its folder
    plugin.toml:3:1: error[E0272]: `[plugin]` has no key `nmae`
      help: did you mean `name`?
    plugin.toml:4:11: error[E0272]: `1.0` is no semantic version
      help: write three numbers, such as `1.0.0`
    "#);
    insta::assert_snapshot!(said("[plugn]\nid = \"x\"\n"), @r"
    plugin.toml:1:1: error[E0272]: there is no `[plugin]` here
      help: a manifest starts with `[plugin]`, and `id`, `name` and `version` under it
    plugin.toml:1:2: error[E0272]: a manifest has no key `plugn`
      help: did you mean `plugin`?
    ");
    insta::assert_snapshot!(said("id = \"x\"\n[plugin]\nid = [1]\nname = 5\nversion = 1.0\n[rules]\ninclude = 5\n"), @r#"
    plugin.toml:1:1: error[E0272]: a manifest has no key `id`
      help: `id` belongs under `[plugin]`
    plugin.toml:3:6: error[E0272]: `id` must be text, not a list
      help: write `id = "…"`
    plugin.toml:4:8: error[E0272]: `name` must be text, not the number `5`
      help: put it in quotes
    plugin.toml:5:11: error[E0272]: `version` must be text, not the number `1`
      help: put it in quotes
    plugin.toml:7:11: error[E0272]: `include` must be a list of texts, not the number `5`
      help: write `include = ["a", "b"]`
    "#);
    insta::assert_snapshot!(said("[plugin\n"), @r#"
    plugin.toml:1:8: error[E0272]: this TOML does not parse: unclosed table, expected `]`
      help: write a table as `[name]`, a field as `key = "value"`, and each text in quotes
    "#);
    insta::assert_snapshot!(said(""), @r"
    plugin.toml:1:1: error[E0272]: there is no `[plugin]` here
      help: a manifest starts with `[plugin]`, and `id`, `name` and `version` under it
    ");
    insta::assert_snapshot!(said("[plugin]\nid = \"x\"\nname = \"x\"\nversion = \"1.0.0\"\n[settings]\nlimit = 5\n"), @r#"
    plugin.toml:6:9: error[E0272]: a setting must be a map, not the number `5`
      help: write its keys and their values: `{key = "value"}`
    "#);
}

#[test]
fn settings_that_cannot_be_meant_are_told() {
    let head = "[plugin]\nid = \"x\"\nname = \"x\"\nversion = \"1.0.0\"\n[settings.a]\n";
    let of = |rest: &str| said(&format!("{head}{rest}"));
    insta::assert_snapshot!(of("type = \"integer\"\ndefault = 1\n"), @r"
    plugin.toml:6:8: error[E0272]: `type` cannot be the text `integer`
      help: it is one of `bool`, `int`, `float`, `string`, `enum`
    ");
    insta::assert_snapshot!(of("type = \"int\"\n"), @r"
    plugin.toml:5:11: error[E0272]: `a` has no `default`
      help: say what holds until somebody sets it
    ");
    insta::assert_snapshot!(of("type = \"int\"\ndefault = \"1\"\nmin = 5\nmax = 1\n"), @r"
    plugin.toml:5:11: error[E0272]: the `min` of `a` is above its `max`
      help: nothing could be set
    plugin.toml:7:11: error[E0272]: the `default` of `a` must be a whole number from 5 to 1, not the text `1`
      help: give it a value that the setting itself takes
    ");
    insta::assert_snapshot!(of("type = \"enum\"\ndefault = \"a\"\n"), @r#"
    plugin.toml:5:11: error[E0272]: `a` has no `options`
      help: an `enum` lists its words: `options = ["low", "high"]`
    "#);
    // What is wrong with the options is told once, and not that there are none.
    insta::assert_snapshot!(of("type = \"enum\"\ndefault = \"a\"\noptions = [\"a\", 1]\n"), @r"
    plugin.toml:8:17: error[E0272]: `options` must be text, not the number `1`
      help: put it in quotes
    ");
    insta::assert_snapshot!(of("type = \"bool\"\ndefault = true\nmin = 0\noptions = [\"a\"]\nmaxx = 1\n"), @r#"
    plugin.toml:5:11: error[E0272]: `a` has `options` and is no `enum`
      help: write `type = "enum"`
    plugin.toml:5:11: error[E0272]: `a` cannot have bounds
      help: `min` and `max` are for numbers and strings
    plugin.toml:10:1: error[E0272]: a setting has no key `maxx`
      help: did you mean `max`?
    "#);
    insta::assert_snapshot!(said("[plugin]\nid = \"x\"\nname = \"x\"\nversion = \"1.0.0\"\n[settings.\"a b\"]\ntype = \"int\"\ndefault = 1\n"), @r"
    plugin.toml:5:11: error[E0272]: `a b` cannot name a setting
      help: a name is letters, digits and `_`, so that rules can read `plugin.settings.name`
    ");
}

#[test]
fn versions_are_semantic() {
    for (version, reads) in [
        ("0.0.0", true),
        ("1.2.3-alpha.1", true),
        ("1.2.3+5.x-y", true),
        ("1.2", false),
        ("1.2.3.4", false),
        ("01.2.3", false),
        ("1.2.x", false),
        ("1.2.3-", false),
        ("1.2.3-01", false),
        ("v1.2.3", false),
        ("", false),
    ] {
        let text = format!("[plugin]\nid = \"x\"\nname = \"x\"\nversion = \"{version}\"\n");
        let reading = read_plugin(&Source::new("plugin.toml", &text));
        assert_eq!(reading.value.is_some(), reads, "{version}");
    }
}

#[test]
fn rules_of_a_plugin_know_its_settings_and_no_others() {
    let plugin = plugin(WHOLE);
    let rule = |name: &str| {
        format!(
            "- {{id: r, on: turn_start, when: {{if: 'turn_index > plugin.settings.{name}'}}, then: warn}}\n"
        )
    };
    let read = |text: &str| {
        let source = Source::new("mine.yaml", text);
        read_in(&source, Dialect::Yaml, &common::origin(), Some(&plugin), &mut |_| None)
    };
    let set = read(&rule("pages")).value.unwrap();
    assert_eq!(set.rules[0].settings["pages"], json!(20));
    let said: Vec<String> = read(&rule("page")).findings.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(said.join("\n"), @r"
    mine.yaml:1:52: error[E0211]: `plugin.settings` has no field `page`
      help: did you mean `pages`?
    ");
    let said: Vec<String> = read(&rule("quiet")).findings.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(said.join("\n"), @"mine.yaml:1:39: warning[E0216]: `>` between a whole number and true or false always faults");
}

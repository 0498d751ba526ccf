//! Layers, places, bounds, trust and caps.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and touch files")]

use mentci_source::{Finding, Source};
use mentci_workspace::config::{Config, KEYS, Key, Kind, Layer, LayerName, Setting};

fn toml(text: &str) -> Layer {
    Layer::from_toml(&Source::new("mentci.toml", text))
}

fn findings(text: &str) -> String {
    let reading = Config::resolve(vec![(LayerName::Workspace, toml(text))], true);
    shown(&reading.findings)
}

fn shown(findings: &[Finding]) -> String {
    findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn an_unknown_key_says_where_and_what_was_meant() {
    insta::assert_snapshot!(findings("[digest]\ntokns = 1000\n[lesons]\npromote = \"auto\"\nzebra = 1\n"), @r"
    mentci.toml:2:1: error[E0702]: unknown key `digest.tokns`
      help: did you mean `digest.tokens`?
    mentci.toml:3:2: error[E0702]: unknown key `lesons`
      help: did you mean `lessons`?
    ");
}

#[test]
fn a_wrong_value_says_what_the_key_takes() {
    let text = "digest.tokens = 9000\ndigest.schema_share = \"half\"\nlessons.promote = \"always\"\nsources.skills = [\"../x/SKILL.md\"]\nwatch.debounce_ms = true\ninject = 1\n";
    insta::assert_snapshot!(findings(text), @r#"
    mentci.toml:1:17: error[E0703]: `digest.tokens` takes a whole number from 100 to 2400, not `9000`
      help: the budget of the workspace's digest
    mentci.toml:2:23: error[E0703]: `digest.schema_share` takes a number from 0 to 1, not `"half"`
      help: the share of the budget that schema and manifest facts may take
    mentci.toml:3:19: error[E0703]: `lessons.promote` takes `manual` or `auto`, not `"always"`
      help: who promotes lessons: a person, or `compile-rules` when they are due
    mentci.toml:4:18: error[E0703]: `sources.skills` takes a list of patterns relative to the workspace, not `["../x/SKILL.md"]`
      help: more skills: `…/<skill>/SKILL.md`
    mentci.toml:5:21: error[E0703]: `watch.debounce_ms` takes a whole number from 1 to 2000, not `true`
      help: how long a burst of changes must be quiet; a single save is acted on at once
    mentci.toml:6:1: error[E0702]: unknown key `inject`
      help: `policy-engine config` lists the keys
    "#);
}

#[test]
fn damaged_toml_holds_nothing_and_says_where() {
    let text = "digest.tokens = 800\n[lessons\n";
    insta::assert_snapshot!(findings(text), @r"
    mentci.toml:2:9: error[E0701]: unclosed table, expected `]`
      help: nothing of this file holds, and the digests stand still, until it is TOML
    ");
    let config = Config::resolve(vec![(LayerName::Workspace, toml(text))], true).value;
    assert_eq!(config.tokens(), 1_500);
}

#[test]
fn stronger_layers_win_and_every_value_knows_its_layer() {
    let layers = vec![
        (LayerName::Flags, Layer::from_flags(["digest.tokens=700"])),
        (
            LayerName::Environment,
            Layer::from_environment([
                ("MENTCI_DIGEST_TOKENS", "600"),
                ("MENTCI_INJECT_MODE", "full-every-turn"),
            ]),
        ),
        (
            LayerName::Workspace,
            toml("digest.tokens = 500\nwatch.debounce_ms = 10\nsources.skills = [\"b/*/SKILL.md\"]"),
        ),
        (LayerName::User, toml("digest.tokens = 400\nsources.skills = [\"a/*/SKILL.md\"]")),
    ];
    let reading = Config::resolve(layers, true);
    assert!(reading.findings.is_empty());
    let layer = |key| reading.value.get(key).map(|value| value.layer);
    assert_eq!((reading.value.tokens(), layer("digest.tokens")), (700, Some(LayerName::Flags)));
    assert_eq!(layer("inject.mode"), Some(LayerName::Environment));
    assert_eq!(layer("watch.debounce_ms"), Some(LayerName::Workspace));
    assert_eq!(layer("digest.max_chars"), Some(LayerName::BuiltIn));
    assert_eq!(reading.value.globs("sources.skills"), ["a/*/SKILL.md", "b/*/SKILL.md"]);
}

#[test]
fn an_unknown_variable_of_ours_is_found_and_foreign_ones_are_left_alone() {
    let layer = Layer::from_environment([
        ("MENTCI_DIGEST_TOKEN", "600"),
        ("MENTCI_POLICY_DEFALT", "block"),
        ("MENTCI_POLICY_ENGINE", "/bin/engine"),
        ("MENTCI_SESSION", "s"),
        ("MENTCI_X", "1"),
    ]);
    insta::assert_snapshot!(shown(&layer.findings), @r"
    MENTCI_DIGEST_TOKEN: error[E0702]: unknown variable `MENTCI_DIGEST_TOKEN`
      help: did you mean `MENTCI_DIGEST_TOKENS`?
    MENTCI_POLICY_DEFALT: error[E0702]: unknown variable `MENTCI_POLICY_DEFALT`
      help: did you mean `MENTCI_POLICY_DEFAULT`?
    ");
}

#[test]
fn every_key_has_a_variable() {
    let text = |key: &Key| match key.default() {
        Setting::Number(number) => number.to_string(),
        Setting::Share(share) => share.to_string(),
        Setting::Choice(name) => name.to_owned(),
        _ => match key.kind {
            Kind::Number(least, _) => least.to_string(),
            Kind::Share(_) => "0.5".to_owned(),
            Kind::Choice(names) => names[0].to_owned(),
            Kind::Names(names) => names.join(","),
            _ => "a".to_owned(),
        },
    };
    let variables: Vec<_> = KEYS.iter().map(|key| (key.variable(), text(key))).collect();
    let layer = Layer::from_environment(variables.iter().map(|(name, value)| (&**name, &**value)));
    assert_eq!(shown(&layer.findings), "");
    let config = Config::resolve(vec![(LayerName::Environment, layer)], false).value;
    for key in KEYS {
        assert_eq!(config.get(key.name).unwrap().layer, LayerName::Environment, "{}", key.name);
    }
}

#[test]
fn an_untrusted_workspace_may_only_tighten() {
    let own = || {
        toml(
            "lessons.promote = \"auto\"\nlessons.promote_sessions = 1\nlessons.share = 0.4\ndigest.tokens = 900",
        )
    };
    let reading = Config::resolve(vec![(LayerName::Workspace, own())], false);
    insta::assert_snapshot!(shown(&reading.findings), @r"
    mentci.toml:1:19: warning[E0704]: `lessons.promote` would loosen policy, and this workspace is not trusted
      help: it is ignored; read `mentci.toml`, then run `policy-engine trust`
    mentci.toml:2:28: warning[E0704]: `lessons.promote_sessions` would loosen policy, and this workspace is not trusted
      help: it is ignored; read `mentci.toml`, then run `policy-engine trust`
    mentci.toml:3:17: warning[E0704]: `lessons.share` would loosen policy, and this workspace is not trusted
      help: it is ignored; read `mentci.toml`, then run `policy-engine trust`
    ");
    assert!(!reading.value.promotes());
    assert_eq!(reading.value.tokens(), 900);

    let tighter = toml("lessons.promote = \"manual\"\nlessons.promote_sessions = 5\nlessons.share = 0.05");
    let reading = Config::resolve(vec![(LayerName::Workspace, tighter)], false);
    assert!(reading.findings.is_empty());
    assert_eq!(reading.value.promote_sessions(), 5);

    assert!(Config::resolve(vec![(LayerName::Workspace, own())], true).value.promotes());
}

#[test]
fn a_managed_layer_caps_all() {
    let managed =
        || toml("digest.tokens = 800\nlessons.promote = \"manual\"\ninject.mode = \"system-prompt\"");
    let user = toml("digest.tokens = 1200\nlessons.promote = \"auto\"\ninject.mode = \"full-every-turn\"");
    let reading = Config::resolve(vec![(LayerName::Managed, managed()), (LayerName::User, user)], true);
    let setting = |key| reading.value.get(key).map(|value| value.setting.clone());
    assert_eq!(setting("digest.tokens"), Some(Setting::Number(800)));
    assert_eq!(setting("lessons.promote"), Some(Setting::Choice("manual")));
    assert_eq!(setting("inject.mode"), Some(Setting::Choice("system-prompt")));
    assert_eq!(reading.findings.len(), 3);

    let strict = toml("digest.tokens = 300");
    let reading = Config::resolve(vec![(LayerName::Managed, managed()), (LayerName::User, strict)], true);
    assert_eq!(reading.value.tokens(), 300);
    assert!(reading.findings.is_empty());
}

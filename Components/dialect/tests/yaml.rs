//! YAML: what each field means.

mod common;

use common::{rule, set, told};
use mentci_authority::{
    Action, Chain, ChainStep, Effect, Enforcement, Guard, Hook, NamePattern, OnFault, RuleSeverity, ToolMatch,
};
use mentci_dialect::Dialect;

/// The guard of a rule with this `when`, indented by nothing.
fn guard(when: &str) -> String {
    let when = when.replace('\n', "\n    ");
    told(&rule(&format!("- id: r\n  then: block\n  when:\n    {when}\n"), Dialect::Yaml).guard)
}

#[test]
fn conditions_become_expressions() {
    let table = [
        ("args: {path: {contains: /etc}}", r#"contains(arg("path"), "/etc")"#),
        ("args_match: {cmd: {regex: 'rm\\s'}}", r#"matches(arg("cmd"), "rm\\s")"#),
        ("args: {cmd: 'mk.*fs'}", r#"matches(arg("cmd"), "mk.*fs")"#),
        ("args: {n: 5}", r#"arg("n") == 5"#),
        ("args: {force: true}", r#"arg("force") == true"#),
        ("args: {lang: [en, 7]}", r#"arg("lang") in ["en", 7]"#),
        ("args: {n: {gte: 3, lt: 10}}", r#"arg("n") >= 3 and arg("n") < 10"#),
        ("args: {n: {predicate: lte, value: 2.5}}", r#"arg("n") <= 2.5"#),
        ("args: {p: {exists: false}}", r#"not exists(arg("p"))"#),
        ("args: {p: {not_contains: [a, b]}}", r#"not (contains(arg("p"), "a") or contains(arg("p"), "b"))"#),
        ("args: {p: {ne: null}}", r#"arg("p") != null"#),
        (
            "args: {'a.b[0]': {starts_with: x, ends_with: y}}",
            r#"starts_with(arg("a.b[0]"), "x") and ends_with(arg("a.b[0]"), "y")"#,
        ),
        ("args: {'$.a.b': {eq: x}}", r#"jsonpath("$.a.b") == "x""#),
        ("args: {'$.a[*]': {glob: '*.env'}}", r#"any(glob(item, "*.env") for item in jsonpath("$.a[*]"))"#),
        ("args: {'$.a[*]': {not_in: [x]}}", r#"all(item not in ["x"] for item in jsonpath("$.a[*]"))"#),
        (
            "args: {c: {contains: RM  -rf, normalize: true}}",
            r#"contains(arg("c"), "RM  -rf") or contains(normalize(arg("c")), "rm -rf")"#,
        ),
        ("session: {user_role: admin}", r#"session("user_role") == "admin""#),
        ("session: {user_role: '!admin'}", r#"session("user_role") != "admin""#),
        ("session: {user_role: [a, b]}", r#"session("user_role") in ["a", "b"]"#),
        (
            "session: {user_role: [a, '!b', '!c']}",
            r#"session("user_role") in ["a"] and session("user_role") not in ["b", "c"]"#,
        ),
        ("session: {total_calls: {gt: 5}}", r#"session("total_calls") > 5"#),
        ("context: {environment: production}", r#"fact("environment") == "production""#),
        ("context: {level: 5}", r#"fact("level") == 5"#),
        ("context: {time_of_day: '!9:00-18:00'}", r#"not time_of_day("9:00-18:00")"#),
        ("context: {day_of_week: [Mon-Tue, Fri]}", r#"day_of_week("Mon-Tue") or day_of_week("Fri")"#),
        ("sender: bob", r#"sender() == "bob""#),
        ("sender: {name: [bob, eve]}", r#"sender() in ["bob", "eve"]"#),
        ("sender: 'agent-*'", r#"glob(sender(), "agent-*")"#),
        ("sender: {regex: 'a|b'}", r#"matches(sender(), "^(?:a|b)$")"#),
        ("sender: ['!bob', '!eve']", r#"sender() not in ["bob", "eve"]"#),
        ("if: turn_index % 5 == 0", "turn_index % 5 == 0"),
        ("if: context.turn.number > 2", "turn.number > 2"),
        ("if: true", "always"),
        (
            "any:\n  - args: {a: {eq: 1}}\n  - {tool: x_*, if: 'turn_index > 1'}",
            r#"arg("a") == 1 or glob(event.tool.name, "x_*") and turn_index > 1"#,
        ),
        ("not: {context: {env: dev}}", r#"not fact("env") == "dev""#),
        ("all:\n  - if: turn_index > 1\n  - if: turn_index < 9", "turn_index > 1 and turn_index < 9"),
        (
            "if: turn_index > 1\nchain: {tool: x, within_seconds: 5}\nsender: bob",
            r#"all[turn_index > 1; chain of 1; sender() == "bob"]"#,
        ),
        (
            "any:\n  - chain: [{tool: x, within_seconds: 5}]\n  - not: {missing_tools: [Y, Z]}",
            r#"any[chain of 1; not[Requires(["Y", "Z"])]]"#,
        ),
        ("script: {file: gate.luau, timeout: 0.5, memory: 16 MB}", "script gate.luau"),
    ];
    for (when, expected) in table {
        assert_eq!(guard(when), expected, "{when}");
    }
}

#[test]
fn tools_are_names_globs_or_regexes() {
    let one = |pattern| ToolMatch::OneOf(vec![pattern]);
    let table = [
        ("exec", one(NamePattern::Exact("exec".into()))),
        ("'delete_*'", one(NamePattern::Glob("delete_*".into()))),
        ("'file_.*'", one(NamePattern::Regex("file_.*".into()))),
        ("'exec|shell'", one(NamePattern::Regex("exec|shell".into()))),
        ("{glob: 'a.b?'}", one(NamePattern::Glob("a.b?".into()))),
        ("'.*'", ToolMatch::Any),
        ("'*'", ToolMatch::Any),
        (
            "[a, {regex: 'b+', exact: 'c*'}]",
            ToolMatch::OneOf(vec![
                NamePattern::Exact("a".into()),
                NamePattern::Regex("b+".into()),
                NamePattern::Exact("c*".into()),
            ]),
        ),
    ];
    for (tool, expected) in table {
        let rule = rule(&format!("- id: r\n  then: block\n  when: {{tool: {tool}}}\n"), Dialect::Yaml);
        assert_eq!((rule.tools, rule.guard), (expected, Guard::Always), "{tool}");
    }
}

#[test]
fn chains_keep_their_windows() {
    let text = "- id: r\n  then: block\n  when:\n    chain:\n      ordered: true\n      steps:\n        - {tool: read, within_seconds: 1.5, verdict: BLOCK}\n        - {tool: '*', within_seconds: 60, min_count: 3}\n";
    let step = |tools, within_ms, min_count, verdicts| ChainStep { tools, within_ms, min_count, verdicts };
    let expected = Chain {
        steps: vec![
            step(ToolMatch::exact("read"), 1_500, 1, vec![Effect::Block]),
            step(ToolMatch::Any, 60_000, 3, Vec::new()),
        ],
        ordered: true,
    };
    assert_eq!(rule(text, Dialect::Yaml).guard, Guard::Chain(expected));
}

#[test]
fn a_rule_has_every_field() {
    let text = r"
shield_name: all
version: 3
description: every field
default_verdict: BLOCK
mode: shadow
on_fault: approve
timezone: Europe/Berlin
max_actions_per_event: 2
allow_auto_calls: 3
trace: visible
honeypots: [trap, {name: 'adm*', alert: caught, severity: high}]
tests: [{name: whole, tool: ls, expect: block}]
rules:
  - id: full
    name: Full
    description: has all
    version: '1.2.0'
    on: on_tool_call
    then: approve
    approve: {expires_seconds: 90}
    severity: CRITICAL
    message: ask first
    remind: read the page
    enabled: true
    core: true
    priority: -3
    once: true
    cooldown_turns: 2
    cooldown_ms: 500
    mode: enforce
    overrides: [shipped/no-rm]
    taints: [seen]
    parameters: {limit: 5}
    sees_synthetic: true
    when: {if: 'turn_index > parameters.limit'}
    tests:
      - {name: asks, tool: exec, args: {command: ls}, before: [{tool: read}], decision: approve, rules: [full]}
";
    let set = set(text, Dialect::Yaml);
    assert_eq!((set.name.as_str(), set.version.as_deref()), ("all", Some("3")));
    assert_eq!((set.default_effect, set.max_fired, set.max_calls), (Some(Effect::Block), Some(2), 3));
    assert!(set.visible_trace && set.honeypots.len() == 2 && set.tests.len() == 1);
    let rule = &set.rules[0];
    assert_eq!((rule.effect, rule.approval_seconds), (Some(Effect::Approve), Some(90)));
    assert_eq!((rule.severity, rule.order, rule.once), (RuleSeverity::Critical, -3, true));
    assert_eq!((rule.cooldown.turns, rule.cooldown.ms), (2, 500));
    assert_eq!((rule.mode, rule.on_fault), (Enforcement::Enforce, Some(OnFault::Approve)));
    assert_eq!(rule.timezone.as_deref(), Some("Europe/Berlin"));
    assert!(rule.enabled && rule.core && rule.sees_synthetic);
    assert_eq!(rule.tests[0].event.tool.as_ref().unwrap().args["command"], "ls");
    assert_eq!(rule.tests[0].before[0].hook, Hook::PreToolCall);
    assert_eq!((rule.origin.line, rule.origin.column, &*rule.origin.pack), (15, 5, "mine"));
}

#[test]
fn a_core_rule_is_in_force_whatever_it_says() {
    let text = "- {id: r, then: block, message: no, core: true, enabled: false, when: {tool: exec}}";
    let reading = common::reading(text, Dialect::Yaml);
    assert!(reading.value.unwrap().rules[0].enabled);
    let said: Vec<String> = reading.findings.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(said.join("\n"), @r"
    mine.yaml:1:3: warning[E0258]: a core rule is never switched off: it is in force
      help: leave `core` or `enabled: false` out
    ");
}

#[test]
fn actions_have_both_spellings() {
    let long = "- {id: r, on: turn_start, actions: [{type: insert, role: user, text: hi}, {type: stop}]}";
    let short = "- {id: r, on: turn_start, actions: [{insert: {role: user, text: hi}}, stop]}";
    let actions = rule(short, Dialect::Yaml).actions;
    assert_eq!(rule(long, Dialect::Yaml).actions, actions);
    assert_eq!(actions[1], Action::Stop);
}

#[test]
fn aliases_and_merges_are_read() {
    let text = "shield_name: x\nrules:\n  - &base {id: a, then: block, when: &w {tool: exec}}\n  - {<<: *base, id: b}\n  - {id: c, then: allow, when: *w}\n";
    let set = set(text, Dialect::Yaml);
    let tools: Vec<_> = set.rules.iter().map(|rule| (rule.id.as_str(), rule.tools.clone())).collect();
    assert_eq!(tools, ["a", "b", "c"].map(|id| (id, ToolMatch::exact("exec"))));
}

#[test]
fn places_point_at_what_is_meant() {
    let text = "- id: r\n  then: block\n  when:\n    if: \"turn_index > 3\"\n";
    let rule = rule(text, Dialect::Yaml);
    let Guard::Expr(expr) = &rule.guard else { panic!("{:?}", rule.guard) };
    assert_eq!(&text[expr.span().range()], "turn_index > 3");
    assert_eq!(&text[expr.children()[1].span().range()], "3");
}

/// PolicyShield's key for how long an approval lasts: it is good for one call here, whatever the key says.
#[test]
fn an_approval_is_good_for_one_call_whatever_its_strategy() {
    let odd = |strategy: &str| {
        common::said(&format!("- {{id: r, then: approve, approval_strategy: {strategy}}}\n"), Dialect::Yaml)
    };
    assert_eq!(odd("once"), "");
    for strategy in ["per_session", "per_rule", "per_tool"] {
        assert!(
            odd(strategy).contains("warning[E0258]: an approval is good for one call"),
            "{}",
            odd(strategy)
        );
    }
    assert!(odd("always").contains("error[E0222]"), "{}", odd("always"));
}

/// What PolicyShield's files say in the rule itself.
#[test]
fn a_rule_may_say_its_tool_its_chain_and_its_verdict_itself() {
    let same = [
        ("{id: r, tool: exec, then: block}", "{id: r, when: {tool: exec}, then: block}"),
        ("{id: r, tool: [a, b], when: {}, then: block}", "{id: r, when: {tool: [a, b]}, then: block}"),
        ("{id: r, when: {tool: exec}, verdict: BLOCK}", "{id: r, when: {tool: exec}, then: block}"),
        (
            "{id: r, tool: send, chain: [{tool: read, within_seconds: 60}], then: block}",
            "{id: r, when: {tool: send, chain: [{tool: read, within_seconds: 60}]}, then: block}",
        ),
        (
            "{id: r, chain: [{tool: read, within_seconds: 60}], when: {tool: send}, then: block}",
            "{id: r, when: {chain: [{tool: read, within_seconds: 60}], tool: send}, then: block}",
        ),
    ];
    for (own, under) in same {
        let read = |text: &str| {
            let rule = rule(&format!("- {text}\n"), Dialect::Yaml);
            (rule.tools, rule.effect, told(&rule.guard))
        };
        assert_eq!(read(own), read(under), "{own}");
    }
}

/// Which of two is meant nobody knows: neither is passed over.
#[test]
fn what_is_said_in_the_rule_and_under_when_is_refused() {
    for (text, said) in [
        ("{id: r, when: {args: {a: b}}, tool: x, then: block}", "`tool` belongs under `when`"),
        ("{id: r, when: {tool: y}, tool: x, then: block}", "`tool` belongs under `when`"),
        (
            "{id: r, when: {chain: [{tool: y, within_seconds: 60}]}, chain: [{tool: x, within_seconds: 60}], then: block}",
            "`chain` belongs under `when`",
        ),
        ("{id: r, when: {tool: x}, context: {a: b}, then: block}", "`context` belongs under `when`"),
        ("{id: r, when: {tool: x}, then: block, verdict: allow}", "`then` and `verdict` are the same field"),
    ] {
        let told = common::said(&format!("- {text}\n"), Dialect::Yaml);
        assert!(told.contains(said), "{text}: {told}");
    }
}

//! TOML: what each field means.

mod common;

use common::{rule, said, set, told};
use mentci_authority::{Action, Assigned, DeliverAt, Effect, Hook, NotifyPriority, StateScope, ToolMatch};
use mentci_dialect::Dialect;

const BUDGET: &str = r#"
[rule]
id = "near-budget"
name = "Near the budget"
description = "Says when little is left"
version = "1.0.0"
trigger = "on_turn_start"
priority = 900
enabled = true
core = true

[rule.parameters]
threshold = 0.9

[condition]
expression = "context.turn.token_usage > parameters.threshold"

[action]
type = "notify_self"
message = "{{ (context.turn.token_usage * 100) | int }}% used"
category = "context"
priority = "high"
deliver_at = "immediate"
"#;

#[test]
fn a_rule_has_its_tables() {
    let rule = rule(BUDGET, Dialect::Toml);
    assert_eq!((rule.hook, rule.order, rule.core), (Hook::TurnStart, -800, true));
    assert_eq!(told(&rule.guard), "turn.token_usage > parameters.threshold");
    assert_eq!(rule.parameters["threshold"], 0.9);
    let notify = Action::Notify {
        message: "{{ (context.turn.token_usage * 100) | int }}% used".into(),
        category: "context".into(),
        priority: NotifyPriority::High,
        deliver_at: DeliverAt::Immediate,
    };
    assert_eq!(rule.actions, [notify]);
}

#[test]
fn hooks_may_say_how_the_call_ended() {
    let table = [
        ("on_tool_complete", r#"event.tool.status == "success""#),
        ("on_tool_failure", r#"event.tool.status in ["error", "timeout"]"#),
        ("post_tool_response", "always"),
    ];
    for (trigger, expected) in table {
        let text =
            format!("[rule]\nid = \"r\"\ntrigger = \"{trigger}\"\ntool = \"x\"\n[action]\ntype = \"stop\"\n");
        let rule = rule(&text, Dialect::Toml);
        assert_eq!((rule.hook, rule.tools), (Hook::PostToolResponse, ToolMatch::exact("x")));
        assert_eq!(told(&rule.guard), expected);
    }
}

#[test]
fn several_rules_stand_in_an_array() {
    let text = r#"
        [set]
        name = "pair"
        default_verdict = "block"
        [[rule]]
        id = "a"
        trigger = "on_tool_call"
        effect = "allow"
        [rule.condition]
        expression = "True"
        [[rule]]
        id = "b"
        trigger = "on_session_end"
        [[rule.action]]
        type = "set_state"
        key = "seen"
        value = { at = ["x", 1] }
        [[rule.action]]
        type = "set"
        key = "n"
        expr = "1 + 1"
        [[rule.action]]
        type = "emit_event"
        event = "done"
    "#;
    let set = set(text, Dialect::Toml);
    assert_eq!((set.name.as_str(), set.default_effect), ("pair", Some(Effect::Block)));
    assert_eq!(told(&set.rules[0].guard), "always");
    let scopes: Vec<_> = set.rules[1]
        .actions
        .iter()
        .filter_map(|action| match action {
            Action::Set { scope, value, .. } => Some((*scope, matches!(value, Assigned::Expr(_)))),
            _ => None,
        })
        .collect();
    assert_eq!(scopes, [(StateScope::Plugin, false), (StateScope::Session, true)]);
}

#[test]
fn a_script_needs_no_action() {
    let text = "[rule]\nid = \"r\"\ntrigger = \"on_turn_start\"\n[script]\nfile = \"r.luau\"\ntimeout = 2\n";
    assert_eq!(told(&rule(text, Dialect::Toml).guard), "script r.luau");
}

#[test]
fn what_is_wrong_is_told_at_once() {
    insta::assert_snapshot!(said(
        "[rule]\nid = \"x\"\ntrigger = \"on_tool_cal\"\npriority = \"high\"\n[conditon]\nexpression = \"a\"\n[action]\ntype = \"notify\"\n",
        Dialect::Toml
    ), @r#"
    mine.toml:3:11: error[E0222]: `trigger` cannot be the text `on_tool_cal`: there is no such hook
      help: did you mean `on_tool_call`?
    mine.toml:4:12: error[E0222]: `priority` must be a whole number, not the text `high`
      help: write `priority = 10`
    mine.toml:5:2: error[E0221]: a file of rules has no key `conditon`
      help: did you mean `condition`?
    mine.toml:7:1: error[E0222]: this action needs `message`
      help: write `message = "…"`
    "#);
    insta::assert_snapshot!(said("[rule]\nid = \"x\n", Dialect::Toml), @r#"
    mine.toml:2:8: error[E0220]: this TOML does not parse: invalid basic string, expected `"`
      help: write a table as `[name]`, a field as `key = "value"`, and each text in quotes
    "#);
    insta::assert_snapshot!(said("[condition]\nexpression = \"true\"\n", Dialect::Toml), @r"
    mine.toml:1:2: error[E0222]: `condition` stands without its `[rule]`
      help: put `[rule]` before it, with `id` and `trigger` under that
    ");
    insta::assert_snapshot!(said("[rule]\nid = \"x\"\n[rule.action]\ntype = \"stop\"\n[action]\ntype = \"stop\"\n", Dialect::Toml), @r#"
    mine.toml:1:1: error[E0222]: this rule has no `trigger`
      help: say when it is asked: `trigger = "on_tool_call"`
    mine.toml:5:2: error[E0221]: `[action]` and `[rule.action]` are the same
      help: keep one of them
    mine.toml:5:2: error[E0221]: a rule has no key `action`
      help: did you mean `action`?
    "#);
    insta::assert_snapshot!(said("[[rule]]\nid = \"x\"\ntrigger = \"on_turn_end\"\n[action]\ntype = \"stop\"\n", Dialect::Toml), @r#"
    mine.toml:1:1: error[E0227]: the rule `x` neither decides nor does anything
      help: give it an `[action]`, or an `effect` such as `effect = "block"`
    mine.toml:4:2: error[E0221]: `action` does not say to which rule it belongs
      help: write `[rule.action]` under its `[[rule]]`
    "#);
}

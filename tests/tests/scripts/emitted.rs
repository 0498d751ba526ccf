//! What rules emit, and who hears it.

use mentci_tests::Scratch;
use serde_json::{Value, json};

use super::{done, fault, outcome};

/// Rules that emit and hear: id, trigger, and the event that each emits.
fn emitting(rules: &[(&str, &str, &str)]) -> Scratch {
    let scratch = Scratch::new(&[]);
    for (id, trigger, event) in rules {
        let action = if event.is_empty() {
            "type = \"log\"\nmessage = \"heard {{ event.type }} {{ event.payload.n }} of {{ event.source }}\""
                .to_owned()
        } else {
            format!(
                "type = \"emit_event\"\nevent = \"{event}\"\npayload = {{ n = \"{{{{ turn.number }}}}\" }}"
            )
        };
        let text = format!("[rule]\nid = \"{id}\"\ntrigger = \"{trigger}\"\n[action]\n{action}\n");
        scratch.write(&format!(".pi/rules/{id}.toml"), &text);
    }
    scratch
}

#[test]
fn a_rule_hears_what_another_emits() {
    let scratch = emitting(&[
        ("a", "on_turn_start", "budget.low"),
        ("b", "event:budget.low", ""),
        ("c", "event:budget.high", ""),
        ("d", "on_event", ""),
    ]);
    let outcome = outcome(&scratch, &json!({"event": "turn_start", "session": "s", "turn": 3}));
    let heard = "log heard budget.low 3 of a";
    assert_eq!(done(&outcome), ["emit budget.low", heard, heard]);
}

#[test]
fn events_that_cause_each_other_end() {
    let scratch = emitting(&[
        ("a", "on_turn_start", "x"),
        ("b", "event:x", "y"),
        ("c", "event:y", "x"),
        ("itself", "event:x", "x"),
    ]);
    let outcome = outcome(&scratch, &json!({"event": "turn_start", "session": "s"}));
    assert_eq!(done(&outcome).len(), 7, "{outcome}");
    assert_eq!(outcome["faults"], json!([]));
}

#[test]
fn what_is_emitted_too_deep_is_dropped_and_said() {
    let chain: Vec<(String, String, String)> =
        (0..7).map(|at| (format!("r{at}"), format!("event:e{at}"), format!("e{}", at + 1))).collect();
    let mut rules = vec![("start", "on_turn_start", "e0")];
    rules.extend(chain.iter().map(|(id, on, emits)| (id.as_str(), on.as_str(), emits.as_str())));
    let outcome = outcome(&emitting(&rules), &json!({"event": "turn_start", "session": "s"}));
    assert_eq!(done(&outcome), ["emit e0", "emit e1", "emit e2", "emit e3", "emit e4"]);
    assert_eq!(fault(&outcome), "the event `e4` is dropped: events are emitted about events, 4 deep");
    assert_eq!(outcome["faults"][0]["at"], ".pi/rules/r3.toml:1:1");
}

#[test]
fn a_listener_warns_in_the_answer_to_what_it_heard_of() {
    let scratch = emitting(&[("a", "on_turn_start", "budget.low")]);
    let warns =
        "[rule]\nid = \"warns\"\ntrigger = \"event:budget.low\"\neffect = \"warn\"\nmessage = \"careful\"\n";
    scratch.write(".pi/rules/warns.toml", warns);
    let outcome = outcome(&scratch, &json!({"event": "turn_start", "session": "s"}));
    assert_eq!((&outcome["decision"], &outcome["rules"]), (&json!("warn"), &json!(["warns"])), "{outcome}");
    assert_eq!(outcome["reasons"][0]["message"], "careful");
}

#[test]
fn a_listener_names_one_event_those_that_begin_so_or_any() {
    let scratch = emitting(&[
        ("a", "on_turn_start", "budget.low"),
        ("any", "event:*", ""),
        ("begins", "event:budget.*", ""),
        ("other", "event:turn.*", ""),
        ("marks", "event:budget.l?w", ""),
    ]);
    let outcome = outcome(&scratch, &json!({"event": "turn_start", "session": "s"}));
    assert_eq!(done(&outcome).len(), 3, "{outcome}");
}

#[test]
fn a_listener_whose_event_no_rule_emits_is_named() {
    let scratch = emitting(&[
        ("a", "on_turn_start", "budget.low"),
        ("heard", "event:budget.low", ""),
        ("typo", "event:budget.lwo", ""),
        ("far", "event:weather", ""),
        ("some", "event:budget.*", ""),
        ("neither", "event:wind.*", ""),
        ("none", "event:", ""),
    ]);
    let said = String::from_utf8_lossy(&scratch.run(&["check", ".pi/rules"]).stderr).into_owned();
    insta::assert_snapshot!(said, @r#"
    error[E0222]: `trigger` cannot be the text `event:`: there is no such hook
     --> .pi/rules/none.toml:3:11
      |
    3 | trigger = "event:"
      |           ^^^^^^^^
      = help: `event:NAME` is an event that rules emit, `on_event` all of them
    warning[E0258]: `far` waits for `weather`, and no rule emits that
     --> .pi/rules/far.toml:1:1
      |
    1 | [rule]
      | ^
      = help: a rule does by `emit_event`
    warning[E0258]: `neither` waits for `wind.*`, and no rule emits that
     --> .pi/rules/neither.toml:1:1
      |
    1 | [rule]
      | ^
      = help: a rule does by `emit_event`
    warning[E0258]: `typo` waits for `budget.lwo`, and no rule emits that
     --> .pi/rules/typo.toml:1:1
      |
    1 | [rule]
      | ^
      = help: did you mean `budget.low`?
    "#);
}

#[test]
fn a_condition_reads_at_which_hook_an_event_was_raised() {
    let scratch = emitting(&[("a", "on_turn_start", "x")]);
    let text = "[rule]\nid = \"b\"\ntrigger = \"event:x\"\n[condition]\nexpression = \"event.hook == 'turn_start' and float(event.payload.n) \
                > 2\"\n[action]\ntype = \"log\"\nmessage = \"at {{ event.hook }}\"\n";
    scratch.write(".pi/rules/b.toml", text);
    let outcome = outcome(&scratch, &json!({"event": "turn_start", "session": "s", "turn": 3}));
    assert_eq!(done(&outcome), ["emit x", "log at turn_start"], "{outcome}");
}

#[test]
fn with_what_it_caused_one_event_tells_no_more_than_4_kib() {
    let scratch = Scratch::new(&[(
        ".pi/rules/r.toml",
        r#"
        [[rule]]
        id = "emits"
        trigger = "on_turn_start"
        once = true
        [[rule.action]]
        type = "notify_self"
        message = '{{ "e" * 1800 }}'
        [[rule.action]]
        type = "emit_event"
        event = "begun"

        [[rule]]
        id = "hears"
        trigger = "event:begun"
        [[rule.action]]
        type = "notify_self"
        message = '{{ "h" * 1900 }}'
        [[rule.action]]
        type = "notify_self"
        message = '{{ "i" * 600 }}'
        "#,
    )]);
    scratch.must(&["trust"]);
    let told = || -> Vec<usize> {
        scratch.write("event.json", &json!({"event": "turn_start", "session": "s"}).to_string());
        let verdict: Value = serde_json::from_str(&scratch.must(&["decide", "event.json"])).unwrap();
        let told = verdict["notifications"].as_array().into_iter().flatten();
        told.map(|one| one["message"].as_str().unwrap_or_default().len()).collect()
    };
    assert_eq!([told(), told(), told()], [vec![1800, 1900], vec![600], vec![]]);
}

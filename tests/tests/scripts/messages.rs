//! What rules and their templates say.

use mentci_tests::Scratch;
use serde_json::{Value, json};

use super::{asking, call, done, fault, outcome};

#[test]
fn a_message_names_what_conditions_name_and_what_is_not_known_is_empty() {
    let tells = "[rule]\nid = \"tells\"\ntrigger = \"on_turn_start\"\n[action]\ntype = \"notify_self\"\n\
                 message = \"{{ turn_index }} {{ history_length }} [{{ context.turn.token_usage }}]\"\n";
    let scratch = Scratch::new(&[(".pi/rules/tells.toml", tells)]);
    let told = outcome(&scratch, &json!({"event": "turn_start", "session": "s", "turn": 3}));
    assert_eq!(done(&told), ["notify 3 0 []"]);
}

#[test]
fn what_a_script_says_is_never_rendered() {
    let scratch = asking("trigger = \"on_turn_start\"", "notify('{{ 7 * 7 }}{% for x in range(9) %}')");
    let outcome = outcome(&scratch, &json!({"event": "turn_start", "session": "s"}));
    assert_eq!(done(&outcome), ["notify {{ 7 * 7 }}{% for x in range(9) %}"]);
}

#[test]
fn what_rules_log_is_printed_from_a_level_on() {
    let scratch =
        asking("trigger = \"on_turn_start\"", "log('info', 'quiet')\nlog('warn', 'loud\\27[31m')\nemit('x')");
    scratch.write(
        ".pi/rules/faulty.toml",
        "[rule]\nid = \"faulty\"\ntrigger = \"event:x\"\n[script]\nfile = \"raises.luau\"\n",
    );
    scratch.write(".pi/rules/raises.luau", "error('broken')");
    scratch.must(&["trust"]);
    scratch.write("event.json", r#"{"event": "turn_start", "session": "s"}"#);
    let printed = |level: &[&str]| {
        let output = scratch.run(&[&["decide", "event.json"], level].concat());
        assert_eq!(output.status.code(), Some(0));
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        // Each line starts with its time.
        let told = text.lines().filter_map(|line| Some(line.split_once("Z ")?.1.trim().to_owned()));
        told.collect::<Vec<_>>()
    };
    let (loud, fault) = ("WARN rule: loud\u{fffd}[31m rule=\"r\"", "ERROR rule: raises.luau:1: broken");
    let warned = printed(&[]);
    assert_eq!(warned[0], loud);
    assert!(warned[1].starts_with(fault), "{warned:?}");
    assert_eq!(printed(&["--config", "log.level=off"]), [""; 0]);
    assert_eq!(printed(&["--config", "log.level=info"])[0], "INFO rule: quiet rule=\"r\"");
}

#[test]
fn a_template_that_does_not_read_breaks_its_own_file() {
    let rule = |message: &str| {
        format!(
            "[rule]\nid = \"r\"\ntrigger = \"on_turn_start\"\n[action]\ntype = \"notify_self\"\nmessage = \"{message}\"\n"
        )
    };
    let scratch = Scratch::new(&[("r.toml", &rule("{{ turn.number "))]);
    let output = scratch.run(&["check", "r.toml"]);
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!(String::from_utf8_lossy(&output.stderr), @r#"
    error[E0238]: syntax error: unexpected end of input, expected end of variable block (line 1)
     --> r.toml:6:12
      |
    6 | message = "{{ turn.number "
      |            ^
      = help: close each part of it, as in `{{ event.tool.name }}` and `{% if … %}…{% endif %}`
    "#);
    scratch.write(
        "r.toml",
        &rule("{% for x in range(9999) %}{% for y in range(9999) %}{{ x }}{% endfor %}{% endfor %}"),
    );
    scratch.write("event.json", r#"{"event": "turn_start", "session": "s"}"#);
    let line = scratch.must(&["decide", "--rules", "r.toml", "event.json"]);
    let outcome: Value = serde_json::from_str(&line).unwrap();
    assert!(fault(&outcome).contains("fuel"), "{outcome}");
}

#[test]
fn the_message_of_a_gate_is_filled_in() {
    let scratch = Scratch::new(&[(
        "r.toml",
        "[rule]\nid = \"r\"\ntrigger = \"on_tool_call\"\neffect = \"block\"\nmessage = \"no {{ event.tool.name }} in turn {{ turn.number \
         }}\"\n",
    )]);
    scratch.write("event.json", &call("{{ 7 * 7 }}").to_string());
    let output = scratch.run(&["decide", "--rules", "r.toml", "event.json"]);
    let outcome: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(outcome["reasons"][0]["message"], "no exec in turn 1");
    assert_eq!(outcome["faults"], json!([]));
}

#[test]
fn the_message_of_a_gate_that_cannot_be_filled_in_is_told_as_it_is_written_with_a_fault() {
    let gate =
        "[rule]\nid = \"r\"\ntrigger = \"on_tool_call\"\neffect = \"block\"\nmessage = \"{{ 1 // 0 }} no\"\n";
    let outcome = outcome(&Scratch::new(&[(".pi/rules/r.toml", gate)]), &call("ls"));
    assert_eq!(
        (&outcome["decision"], &outcome["reasons"][0]["message"]),
        (&json!("block"), &json!("{{ 1 // 0 }} no"))
    );
    insta::assert_snapshot!(format!("{} at {}", fault(&outcome), outcome["faults"][0]["at"]), @r#"invalid operation: unable to calculate 1 // 0 (line 1) at ".pi/rules/r.toml:1:1""#);
}

#[test]
fn a_result_is_redacted_in_whatever_shape_it_comes() {
    let scratch = Scratch::new(&[(
        "r.yaml",
        "rules:\n- {id: r, on: post_tool_response, when: {tool: '*'}, then: redact}\n",
    )]);
    for (result, redacted) in [
        (json!({"a": ["leak@example.com"]}), json!({"a": ["[EMAIL]"]})),
        (json!({"count": 7, "items": ["leak@example.com"]}), json!({"items": ["[EMAIL]"]})),
        (json!("to leak@example.com"), json!("to [EMAIL]")),
        (json!(["leak@example.com"]), json!(["[EMAIL]"])),
        (json!({"error": "no leak@example.com"}), json!("no [EMAIL]")),
    ] {
        let event = json!({"event": "post_tool_response", "session": "s", "tool": {"name": "send", "args": {}}, "result": result});
        scratch.write("event.json", &event.to_string());
        let line = scratch.must(&["decide", "--rules", "r.yaml", "event.json"]);
        let outcome: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(outcome["result"], redacted, "{result}");
    }
}

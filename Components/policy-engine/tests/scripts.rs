//! Stories of scripts and templates: what they read of an event, and how little of others' time those take that hang.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and touch files")]

mod story;

use serde_json::{Value, json};
use story::Story;

fn decide(story: &Story, event: &Value) -> Value {
    story.write("event.json", event.to_string());
    story.run_with(&["decide", "event.json"], &[("USER", "ada")]).json()
}

/// What rules logged or told.
fn said(verdict: &Value) -> Vec<String> {
    let actions = verdict["actions"].as_array().unwrap().iter();
    actions.filter_map(|action| Some(action["message"].as_str()?.to_owned())).collect()
}

fn faults(verdict: &Value) -> Vec<String> {
    let faults = verdict["faults"].as_array().unwrap().iter();
    faults.map(|fault| fault["message"].as_str().unwrap().to_owned()).collect()
}

const HANGS: &str =
    "[[rule]]\nid = \"hangs-NUMBER\"\ntrigger = \"on_tool_call\"\nscript = { file = \"hangs.luau\" }\n";

#[test]
fn scripts_that_hang_take_no_other_rule_its_message() {
    let story = Story::new();
    story.write(".pi/rules/hangs.luau", "while true do end");
    story.write(".pi/rules/tells.luau", "return { type = \"log\", message = \"I ran\" }");
    story.write(".pi/rules/gate.luau", "return event.tool.name == \"deploy\"");
    let hanging: String = (0..12).map(|number| HANGS.replace("NUMBER", &number.to_string())).collect();
    story.write(
        ".pi/rules/own.toml",
        hanging
            + "[[rule]]\nid = \"tells\"\ntrigger = \"on_tool_call\"\nscript = { file = \"tells.luau\" }\n\
             [[rule]]\nid = \"gate\"\ntrigger = \"on_tool_call\"\neffect = \"block\"\nscript = { file = \"gate.luau\" }\n",
    );
    assert_eq!(story.run(&["trust"]).code, 0);
    let verdict = decide(
        &story,
        &json!({"event": "pre_tool_call", "session": "s", "tool": {"name": "deploy", "args": {}}}),
    );
    assert_eq!((said(&verdict), &verdict["decision"]), (vec!["I ran".to_owned()], &json!("block")));
    let faults = faults(&verdict);
    let together = "ms; the advisory scripts of one event have 1000 ms together";
    assert!(faults.len() == 12 && faults.iter().all(|fault| fault.ends_with(together)), "{faults:#?}");
}

const TIMES: &str = "[[rule]]
id = \"asks\"
trigger = \"TRIGGER\"
condition = { expression = \"event.timestamp == now() and event.at == context.event.at and event.timestamp == context.event.timestamp\" }
action = { type = \"log\", message = \"{{ event.at }} {{ context.event.timestamp }} {{ event.name }}\" }
[[rule]]
id = \"scripted\"
trigger = \"TRIGGER\"
script = { file = \"s.luau\" }
";

#[test]
fn a_script_and_a_template_know_when_the_event_happened() {
    let story = Story::new();
    story.write("s.luau", "log(`{event.at} {context.event.timestamp} {event.name}`)");
    for (event, trigger, told) in [
        (json!({"event": "turn_start"}), "on_turn_start", "turn_start"),
        (
            json!({"event": "event_emitted", "emitted": {"type": "e", "name": "x", "payload": {}}}),
            "event:e",
            "event_emitted",
        ),
        (json!({"event": "turn_end", "context": {"turn": {"number": 3}}}), "on_turn_end", "turn_end"),
    ] {
        story.write("r.toml", TIMES.replace("TRIGGER", trigger));
        let mut event = event;
        (event["session"], event["at"]) = (json!("s"), json!("2026-01-02T03:04:05+02:00"));
        story.write("event.json", event.to_string());
        let verdict = story.run(&["decide", "--rules", "r.toml", "event.json"]).json();
        let expected = format!("2026-01-02T03:04:05+02:00 1767315845000 {told}");
        assert_eq!(said(&verdict), vec![expected; 2], "{verdict}");
    }
}

const FOUND: &str = "[[rule]]
id = \"asks\"
trigger = \"on_tool_call\"
condition = { expression = \"len(context.event.commands) == 2 and any(c.program == 'git' for c in event.commands)\" }
action = { type = \"log\", message = \"{{ event.commands[0].program }} {{ context.event.files | length }} {{ event.unread }} by {{ sender }}\" }
[[rule]]
id = \"scripted\"
trigger = \"on_tool_call\"
script = { file = \"s.luau\" }
";

#[test]
fn what_a_call_runs_and_touches_is_a_fact_of_scripts_and_templates_too() {
    let story = Story::new();
    story.write("s.luau", "log(`{event.commands[1].program} {#context.event.files} {event.unread or ''} by {sender}`)\nassert(context.sender == sender)");
    story.write("r.toml", FOUND);
    assert_eq!(story.run(&["check", "r.toml"]).err, "");
    let event = json!({"event": "pre_tool_call", "session": "s", "sender": "ada", "tool": {"name": "bash", "args": {"command": "git push; cat x > y"}}});
    let decide = |event: &Value| {
        story.write("event.json", event.to_string());
        story.run(&["decide", "--rules", "r.toml", "event.json"]).json()
    };
    let verdict = decide(&event);
    assert_eq!(said(&verdict), vec!["git 1  by ada"; 2], "{verdict}");
    // What cannot be read whole is not told in part: who walks it faults, as an expression does.
    let deep = "$(".repeat(2_000) + "git" + &")".repeat(2_000);
    let unread = json!({"event": "pre_tool_call", "session": "s", "tool": {"name": "bash", "args": {"command": deep}}});
    let faults = faults(&decide(&unread));
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults[1].starts_with("s.luau:1: attempt to index nil"), "{faults:?}");
}

const PARTIAL: &str = "[[rule]]
id = \"failed\"
trigger = \"on_tool_failure\"
condition = { expression = \"failure_count(event.tool.name) == 3 and result.error == 'x' and user.id == 'ada'\" }
action = { type = \"log\", message = \"{{ event.tool.name }} {{ context.history.failures[event.tool.name] }} {{ result.error }} {{ user.id }} {{ turn.number }}\" }
[[rule]]
id = \"scripted\"
trigger = \"on_tool_failure\"
script = { file = \"s.luau\" }
";

#[test]
fn what_a_partial_context_does_not_say_of_the_event_the_event_says() {
    let story = Story::new();
    story.write(".pi/rules/s.luau", "log(`{event.tool.name} {history.failures[event.tool.name]} {result.error} {user.id} {turn.number or ''}`)");
    story.write(".pi/rules/own.toml", PARTIAL);
    assert_eq!(story.run(&["trust"]).code, 0);
    for context in [
        json!({"history": {"failures": {"fetch": 3}}}),
        json!({"history": {"failures": {"fetch": 3}}, "event": {"name": "y", "tool": {"name": "z"}}, "user": {"settings": {}}}),
        json!({"history": {"failures": {"fetch": 3}}, "event": null}),
    ] {
        let event = json!({"event": "on_tool_failure", "session": "s", "tool": {"name": "fetch", "args": {}}, "result": {"error": "x"}, "context": context});
        let verdict = decide(&story, &event);
        let own = said(&verdict).into_iter().filter(|said| !said.contains("Find out why"));
        assert_eq!(own.collect::<Vec<_>>(), vec!["fetch 3 x ada "; 2], "{context} {verdict}");
        assert!(verdict.to_string().contains("`fetch` failed 3 times"), "{verdict}");
    }
}

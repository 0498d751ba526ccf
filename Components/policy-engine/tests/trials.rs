//! `rules test` and `script run`: what is tried is what would happen.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

mod story;

use serde_json::{Value, json};
use story::Story;

fn decide(story: &Story, event: &Value) -> Value {
    story.write("event.json", event.to_string());
    story.run(&["decide", "event.json"]).json()
}

fn failed(call: u32) -> Value {
    json!({"event": "post_tool_response", "session": "ff", "tool": {"name": "a", "args": {}, "call_id": format!("c{call}")},
        "result": {"error": "x"}})
}

fn tried(story: &Story, arguments: &[&str]) -> Value {
    let ran = story.run(&[&["rules", "test"], arguments, &["--json"]].concat());
    assert!(ran.out.starts_with('{'), "{}{}", ran.out, ran.err);
    ran.json()
}

/// The last event of its hook alone would be another tool's, another outcome or another name.
#[test]
fn a_rule_is_tried_on_the_last_event_of_its_kind() {
    let story = Story::new();
    let rule = |id: &str, trigger: &str, more: &str| {
        format!(
            "[[rule]]\nid = \"{id}\"\ntrigger = \"{trigger}\"\n{more}action = {{ type = \"log\", message = \"{id}\" }}\n"
        )
    };
    let emits = "[[rule]]\nid = \"emits\"\ntrigger = \"on_turn_start\"\naction = [{ type = \"emit_event\", event = \"first.one\" }, { type = \"emit_event\", event = \"second\" }]\n";
    let rules = [
        rule("looks", "on_tool_complete", "tool = \"look\"\n"),
        rule("well", "on_tool_complete", ""),
        rule("ill", "on_tool_failure", ""),
        rule("hears", "event:first.one", ""),
        rule("hears-all", "event:first.*", ""),
    ];
    story.write(".pi/rules/own.toml", rules.concat() + emits);
    let answer = |tool: &str, result: Value| json!({"event": "post_tool_response", "session": "s", "tool": {"name": tool, "args": {}}, "result": result});
    let events = [
        answer("look", json!("found")),
        answer("list", json!({"error": "none"})),
        answer("list", json!("two")),
        answer("lost", json!({"error": "gone"})),
        json!({"event": "turn_start", "session": "s"}),
    ];
    for event in &events {
        decide(&story, event);
    }
    for (id, tool) in [("looks", "look"), ("well", "list"), ("ill", "lost"), ("hears", ""), ("hears-all", "")]
    {
        let trial = tried(&story, &[id, "--from-session", "s"]);
        let on = trial["event"]["tool"]["name"].as_str().unwrap_or_default();
        assert_eq!((trial["fires"].as_bool(), on), (Some(true), tool), "{id}: {trial}");
    }
}

#[test]
fn a_rule_fires_in_a_session_on_the_event_on_which_it_fired_and_on_no_other() {
    let story = Story::new();
    let fired = |verdict: &Value| {
        let actions = verdict["actions"].as_array().unwrap();
        actions.iter().any(|action| action["rule"] == "repeated-failure-warning")
    };
    for call in 1..=4 {
        let real = fired(&decide(&story, &failed(call)));
        assert_eq!(real, call >= 3, "{call}");
        let trial = tried(&story, &["repeated-failure-warning", "--from-session", "ff"]);
        assert_eq!(
            (trial["fires"].as_bool(), trial["guard"]["gave"].as_bool()),
            (Some(real), Some(real)),
            "{call}: {trial}"
        );
    }
}

#[test]
fn a_call_that_is_tried_again_is_not_counted_before_itself() {
    let story = Story::new();
    story.write(
        ".pi/rules/once.yaml",
        "- {id: second, when: {tool: exec, if: 'session(\"total_calls\") >= 1'}, then: block, message: enough}\n\
         - {id: kept, on: turn_end, actions: [{type: set_state, key: n, value: 1}]}\n\
         - {id: keeps, on: turn_end, when: {if: 'context.state.get(\"n\", 0) == 1'}, actions: [stop]}\n",
    );
    let call = |id: &str| json!({"event": "pre_tool_call", "session": "s", "tool": {"name": "exec", "args": {}, "call_id": id}});
    assert_eq!(decide(&story, &call("c1"))["decision"], "allow");
    assert_eq!(tried(&story, &["second", "--from-session", "s"])["fires"], false);
    assert_eq!(decide(&story, &call("c2"))["decision"], "block");
    assert_eq!(tried(&story, &["second", "--from-session", "s"])["fires"], true);
    // What another session kept before is there, and what this event keeps is not.
    let end = |session: &str| json!({"event": "turn_end", "session": session});
    decide(&story, &end("s"));
    assert_eq!(tried(&story, &["keeps", "--from-session", "s"])["fires"], false);
    decide(&story, &end("t"));
    assert_eq!(tried(&story, &["keeps", "--from-session", "t"])["fires"], true);
    // An event that is told is tried in the session as it stands now.
    story.write("event.json", call("c3").to_string());
    assert_eq!(tried(&story, &["second", "--event", "event.json", "--from-session", "s"])["fires"], true);
}

#[test]
fn a_session_that_nobody_knows_is_bad_input() {
    let story = Story::new();
    insta::assert_snapshot!(story.run(&["rules", "test", "token-budget-warning", "--from-session", "nope"]).shown(), @r"
    exit 2
    --- findings
    error[E1001]: no session is `nope`
     = help: `policy-engine session list` shows the sessions of the log
    ");
}

#[test]
fn the_plain_event_fits_the_trigger() {
    let story = Story::new();
    let log = "action = { type = \"log\", message = \"x\" }";
    let rules: Vec<String> = [
        "on_tool_complete",
        "on_tool_failure",
        "event:go",
        "on_event",
        "on_tool_call",
        "on_turn_start",
        "post_tool_response",
    ]
    .iter()
    .enumerate()
    .map(|(at, trigger)| format!("[[rule]]\nid = \"r{at}\"\ntrigger = \"{trigger}\"\n{log}\n"))
    .collect();
    story.write(".pi/rules/own.toml", rules.concat());
    story.write(
        ".pi/rules/more.toml",
        "[[rule]]\nid = \"both\"\ntrigger = \"on_tool_complete\"\ntool = \"exec|shell\"\n\
         condition = { expression = \"event.tool.status == 'success' and result.success\" }\naction = { type = \"log\", message = \"x\" }\n",
    );
    for rule in ["r0", "r1", "r2", "r3", "r4", "r5", "r6", "both"] {
        let trial = tried(&story, &[rule]);
        assert_eq!(trial["fires"], true, "{rule}: {trial}");
    }
}

fn script(story: &Story, text: &str) -> story::Ran {
    story.write("s.luau", text);
    story.run(&["script", "run", "s.luau"])
}

#[test]
fn an_action_that_no_rule_could_do_is_an_error_of_the_script() {
    let story = Story::new();
    insta::assert_snapshot!(script(&story, "return {type = 'launch_missiles'}").shown(), @r"
    exit 2
    --- findings
    error[E0237]: a script asked for an action `launch_missiles`: it may ask for `notify_self`, `log`, `set_state` and `emit_event`
     --> s.luau:1:1
    ");
    for (text, says) in [
        (
            "return {{type = 'log', message = 'x'}, {type = 'set_state'}}",
            "an action that a script asks for needs a `key`",
        ),
        (
            "return {type = 'log', message = 'x', loud = true}",
            "an action that a script asks for has no `loud`",
        ),
        ("return {type = 'log', message = 'x', evaluate = function() end}", "a function is no data"),
        ("return {run_it = function() end}", "a function is no data"),
    ] {
        let ran = script(&story, text);
        assert!(ran.code == 2 && ran.err.contains(says), "{text}: {}{}", ran.out, ran.err);
    }
    let ran = script(&story, "return {evaluate = function() return {type = 'log', message = 'x'} end}");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

//! Stories about notifications, told with the binary.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and touch files")]

mod story;

use serde_json::{Value, json};
use story::{Ran, Story};

const RULES: &str = "[[rule]]
id = \"looked\"
trigger = \"on_tool_call\"
[[rule.action]]
type = \"notify_self\"
message = \"{{ event.tool.name }} was called\"
[[rule.action]]
type = \"notify_self\"
message = \"and so it begins\"
priority = \"high\"
deliver_at = \"turn_end\"
";

fn story() -> Story {
    let story = Story::new();
    story.write(".pi/rules/own.toml", RULES);
    story
}

fn decide(story: &Story, event: &Value) -> Value {
    story.write("event.json", event.to_string());
    story.run(&["decide", "event.json"]).json()
}

fn call(tool: &str) -> Value {
    json!({"event": "pre_tool_call", "session": "s1", "tool": {"name": tool, "args": {}}})
}

fn turn(session: &str) -> Value {
    json!({"event": "turn_start", "session": session})
}

fn listed(story: &Story, more: &[&str]) -> Vec<(String, String)> {
    let answer = story.run(&[&["notifications", "list", "--json"], more].concat()).json();
    let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
    let rows = answer["notifications"].as_array().unwrap();
    rows.iter().map(|row| (text(row, "state"), text(row, "message"))).collect()
}

fn states(rows: &[(String, String)]) -> Vec<&str> {
    rows.iter().map(|(state, _)| state.as_str()).collect()
}

#[test]
fn what_is_to_follow_an_answer_comes_with_the_next_prompt() {
    let rule = "[[rule]]\nid = \"asked\"\ntrigger = \"on_query_start\"\nonce = true\n[[rule.action]]\ntype = \"notify_self\"\n\
        message = \"it ended\"\ndeliver_at = \"turn_end\"\n";
    for (harness, prompt) in
        [("claude-code", "UserPromptSubmit"), ("codex", "UserPromptSubmit"), ("gemini", "BeforeAgent")]
    {
        let story = Story::new();
        story.write(".pi/rules/own.toml", rule);
        let payload = json!({"session_id": "s1", "hook_event_name": prompt, "prompt": "go on"});
        let told = || hooked(&story, harness, prompt, &payload).contains("it ended");
        assert_eq!((told(), told()), (false, true), "{harness}");
    }
}

/// What a hook of a harness answers.
fn hooked(story: &Story, harness: &str, event: &str, payload: &Value) -> String {
    story.write("hook.json", payload.to_string());
    let mut command = story.command(&["hook", harness, event]);
    command.stdin(std::fs::File::open(story.root().join("hook.json")).unwrap());
    story.ran(&command.output().unwrap()).out
}

#[test]
fn what_a_hook_cannot_show_waits_for_one_that_can() {
    let told = |at: &str| {
        format!(
            "[[rule]]\nid = \"ended\"\ntrigger = \"on_turn_end\"\n[[rule.action]]\ntype = \"notify_self\"\nmessage = \"it ended\"\n\
             priority = \"critical\"\ndeliver_at = \"{at}\"\n"
        )
    };
    let command = json!({"session_id": "s1", "hook_event_name": "x", "prompt": "go on", "tool_name": "Bash",
        "tool_input": {"command": "ls"}, "tool_response": "ok"});
    let cline = json!({"taskId": "s1", "tool_result": {"name": "read_file", "input": {}, "output": "ok"},
        "prompt": "go on"});
    let cases = [
        ("claude-code", "turn_end", &command, "Stop", "UserPromptSubmit"),
        ("codex", "immediate", &command, "Stop", "UserPromptSubmit"),
        ("gemini", "turn_end", &command, "AfterAgent", "BeforeAgent"),
        ("cline", "immediate", &cline, "TaskComplete", "PostToolUse"),
    ];
    for (harness, at, payload, ends, shows) in cases {
        let story = Story::new();
        story.write(".pi/rules/own.toml", told(at));
        let said = hooked(&story, harness, ends, payload);
        assert!(!said.contains("it ended"), "{harness}: {said}");
        assert_eq!(states(&listed(&story, &["--all"])), ["queued"], "{harness}");
        if harness == "cline" {
            let said = hooked(&story, harness, "UserPromptSubmit", payload);
            assert!(!said.contains("it ended"), "{said}");
            assert_eq!(states(&listed(&story, &["--all"])), ["queued"]);
        }
        let said = hooked(&story, harness, shows, payload);
        assert!(said.contains("it ended"), "{harness}: {said}");
        assert_eq!(states(&listed(&story, &["--all"])), ["delivered"], "{harness}");
    }
}

#[test]
fn what_a_rule_says_is_told_once_by_another_process() {
    let story = story();
    assert_eq!(decide(&story, &call("look"))["notifications"], Value::Null);
    assert_eq!(decide(&story, &turn("s2"))["notifications"], Value::Null);
    let told = decide(&story, &turn("s1"))["notifications"].clone();
    assert_eq!(told[0]["message"], "look was called");
    assert_eq!((&told[0]["rule"], &told[0]["priority"]), (&json!("own/looked"), &json!("normal")));
    assert_eq!(decide(&story, &turn("s1"))["notifications"], Value::Null);
    assert_eq!(states(&listed(&story, &[])), ["delivered", "queued"]);
}

#[test]
fn what_was_noted_is_not_told_and_listed_only_with_all() {
    let story = story();
    decide(&story, &call("look"));
    let answer = story.run(&["notifications", "list", "--json", "--session", "s1"]).json();
    let id = answer["notifications"][0]["id"].as_str().unwrap().to_owned();
    let noted = story.run(&["notifications", "ack", &id[..6], "--json"]);
    assert_eq!((noted.code, noted.json()["notifications"][0]["state"].clone()), (0, json!("acknowledged")));
    assert_eq!(decide(&story, &turn("s1"))["notifications"], Value::Null);
    assert_eq!(states(&listed(&story, &[])), ["queued"]);
    assert_eq!(states(&listed(&story, &["--all"])), ["acknowledged", "queued"]);
    assert!(listed(&story, &["--session", "s2"]).is_empty());

    let Ran { code, err, .. } = story.run(&["notifications", "ack", "zzzz"]);
    assert_eq!(code, 2);
    assert!(err.contains("there is no notification `zzzz`"), "{err}");
}

#[test]
fn the_configuration_says_how_many_and_how_often() {
    let story = story();
    story.write("mentci.toml", "[notify]\nbatch = 1\ndedupe = 0\nexpires = 60\n");
    decide(&story, &call("look"));
    decide(&story, &call("look"));
    for left in [3, 2] {
        assert_eq!(decide(&story, &turn("s1"))["notifications"].as_array().unwrap().len(), 1);
        let waiting = listed(&story, &[]);
        assert_eq!(states(&waiting).iter().filter(|state| **state == "queued").count(), left);
    }
}

#[test]
fn the_digest_and_an_event_are_one_question() {
    let story = Story::with_law();
    story.write(".pi/rules/own.toml", RULES);
    decide(&story, &call("look"));
    story.write("event.json", json!({"event": "turn_start", "session": "s1", "mood": "good"}).to_string());
    let answer = story.run(&["inject", "pi", "--json", "--event", "event.json"]).json();
    assert!(answer["text"].as_str().unwrap().contains("Absolute Rules"));
    assert_eq!(answer["verdict"]["notifications"][0]["message"], "look was called");
    assert!(answer["findings"].to_string().contains("`mood` is no key of an event"));

    story.write("event.json", "no event");
    let ran = story.run(&["inject", "pi", "--json", "--event", "event.json"]);
    let answer = ran.json();
    assert_eq!((ran.code, &answer["verdict"]), (1, &Value::Null));
    assert!(answer["text"].as_str().unwrap().contains("Absolute Rules"));
    assert!(answer["findings"].to_string().contains("E0240"));
}

#[test]
fn keys_that_are_not_known_are_passed_over_when_that_is_wanted() {
    let story = story();
    let mut event = call("look");
    event["mood"] = json!("good");
    event["tool"]["colour"] = json!("red");
    story.write("event.json", event.to_string());
    assert_eq!(story.run(&["decide", "event.json"]).code, 2);
    let ran = story.run(&["decide", "--lenient", "event.json"]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.err.contains("`mood` is no key") && ran.err.contains("`tool.colour` is no key"),
        "{}",
        ran.err
    );
}

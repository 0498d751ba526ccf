//! Rules that ask Luau scripts, rules that hear what others emit, and what rules say, from the command line.

mod emitted;
mod faults;
mod messages;
mod tried;
mod trusted;

use mentci_tests::Scratch;
use serde_json::{Value, json};

/// A workspace with one rule at a hook that asks `s.luau`.
fn asking(rule: &str, script: &str) -> Scratch {
    let scratch = Scratch::new(&[(".pi/rules/s.luau", script)]);
    scratch.write(".pi/rules/r.toml", &format!("[rule]\nid = \"r\"\n{rule}\n[script]\nfile = \"s.luau\"\n"));
    scratch
}

/// The outcome of one event by the rules of `.pi/rules`.
fn outcome(scratch: &Scratch, event: &Value) -> Value {
    scratch.write("event.json", &event.to_string());
    let output = scratch.run(&["decide", "--rules", ".pi/rules", "event.json"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let said = String::from_utf8_lossy(&output.stderr);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}{said}"))
}

fn call(command: &str) -> Value {
    json!({"event": "pre_tool_call", "session": "s", "tool": {"name": "exec", "args": {"command": command}}})
}

/// Each action as its type and what it says.
fn done(outcome: &Value) -> Vec<String> {
    let said = |action: &Value| {
        let words = ["message", "key", "event"].into_iter().find_map(|key| action[key].as_str());
        format!("{} {}", action["type"].as_str().unwrap_or_default(), words.unwrap_or_default())
    };
    outcome["actions"].as_array().into_iter().flatten().map(said).collect()
}

fn fault(outcome: &Value) -> &str {
    outcome["faults"][0]["message"].as_str().unwrap_or_default()
}

#[test]
fn us3_1_a_condition_reads_the_share_of_tokens() {
    let scratch = asking("trigger = \"on_turn_start\"", "return context.turn.token_usage > 0.8");
    scratch.write(
        ".pi/rules/r.toml",
        "[rule]\nid = \"r\"\ntrigger = \"on_turn_start\"\n[script]\nfile = \"s.luau\"\n[action]\ntype = \
         \"notify_self\"\nmessage = \"at {{ (context.turn.token_usage * 100) | int }}%\"\n",
    );
    let at = |usage: f64| json!({"event": "turn_start", "session": "s", "usage": {"token_usage": usage}});
    assert_eq!(done(&outcome(&scratch, &at(0.85))), ["notify at 85%"]);
    assert_eq!(done(&outcome(&scratch, &at(0.5))), [""; 0]);
}

#[test]
fn us3_2_a_script_reads_the_recent_calls_with_names_and_results() {
    let script = "for _, call in context.history.tools do\n  if call.name == 'search' and call.result == 'nothing' \
                  then notify(call.name .. ' found nothing') end\nend";
    let scratch = asking("trigger = \"on_turn_start\"", script);
    scratch.write(
        "events.jsonl",
        concat!(
            r#"{"event":"pre_tool_call","session":"s","tool":{"name":"search","args":{},"call_id":"1"}}"#,
            "\n",
            r#"{"event":"post_tool_response","session":"s","tool":{"name":"search","call_id":"1"},"result":{"value":"nothing"}}"#,
            "\n",
            r#"{"event":"turn_start","session":"s"}"#,
            "\n"
        ),
    );
    let lines = scratch.must(&["replay", "--rules", ".pi/rules", "events.jsonl"]);
    let last: Value = serde_json::from_str(lines.lines().last().unwrap_or_default()).unwrap();
    assert_eq!(done(&last), ["notify search found nothing"]);
}

#[test]
fn us3_3_state_survives_turns_sessions_and_processes() {
    let scratch = asking(
        "trigger = \"on_turn_start\"",
        "local seen = context.state.get('seen', 0) + 1\nset_state('seen', seen)\nnotify('turn ' .. seen)",
    );
    scratch.must(&["trust"]);
    let turn = |session: &str| {
        let event = json!({"event": "turn_start", "session": session});
        scratch.write("event.json", &event.to_string());
        let line = scratch.must(&["decide", "event.json"]);
        done(&serde_json::from_str(&line).unwrap()).pop().unwrap_or_default()
    };
    assert_eq!([turn("a"), turn("a"), turn("b")], ["notify turn 1", "notify turn 2", "notify turn 3"]);
}

#[test]
fn a_file_of_comments_has_no_rules_and_an_unfinished_rule_closes_nothing() {
    for (file, text, code) in [
        ("a.toml", "# nothing yet\n", 0),
        ("a.yaml", "# nothing yet\n", 0),
        ("a.toml", "rule = []\n", 0),
        ("a.toml", "[rule]\nid = \"x\"\ntrigger = \"on_tool_call\"\n[condition]\nexpression = \"true\"\n", 2),
    ] {
        let path = format!(".pi/rules/{file}");
        let scratch = Scratch::new(&[(&path, text), ("event.json", &call("ls").to_string())]);
        assert_eq!(scratch.run(&["check", ".pi/rules"]).status.code(), Some(code), "{text}");
        assert_eq!(scratch.json(&["decide", "event.json"])["decision"], "allow", "{text}");
    }
}

#[test]
fn us4_1_the_script_is_run_with_the_whole_context() {
    let script = "local there = {}\nfor _, name in {'turn', 'history', 'user', 'project', 'state', 'event', 'result', \
                  'parameters', 'plugin'} do\n  if context[name] ~= nil then table.insert(there, name) end\nend\n\
                  notify(table.concat(there, ' '))";
    let scratch = asking("trigger = \"on_tool_complete\"", script);
    let event = json!({"event": "on_tool_complete", "session": "s", "tool": {"name": "exec", "args": {}},
        "result": {"value": "done"}});
    let all = "notify turn history user project state event result parameters plugin";
    assert_eq!(done(&outcome(&scratch, &event)), [all]);
}

#[test]
fn us4_2_every_action_of_a_script_is_done_in_order() {
    let script = "notify{message = 'one', priority = 'high'}\nlog('warn', 'two')\nset_state('three', 3)\n\
                  emit('four', {n = 4})\nreturn {{type = 'notify_self', message = 'five'}}";
    let scratch = asking("trigger = \"on_turn_start\"", script);
    let outcome = outcome(&scratch, &json!({"event": "turn_start", "session": "s"}));
    assert_eq!(done(&outcome), ["notify one", "log two", "set three", "emit four", "notify five"]);
    assert_eq!(outcome["actions"][0]["priority"], "high");
}

#[test]
fn a_pack_is_never_written_over_another_file() {
    let scratch = Scratch::new(&[("rules/r.yaml", "rules: []\n"), ("mine.toml", "x = 1\n")]);
    assert_eq!(scratch.run(&["pack", "--out", "mine.toml", "rules"]).status.code(), Some(2));
    assert_eq!(scratch.read("mine.toml"), "x = 1\n");
}

#[test]
fn a_script_is_asked_by_the_function_of_its_hook() {
    let script = "function on_tool_complete() notify('came back') end\nfunction on_tool_failure() notify('failed') end";
    let scratch = asking("trigger = \"post_tool_response\"", script);
    let ended = |result: Value| {
        let event = json!({"event": "post_tool_response", "session": "s", "tool": {"name": "exec", "args": {}}, "result": result});
        done(&outcome(&scratch, &event))
    };
    assert_eq!(ended(json!({"value": "x"})), ["notify came back"]);
    assert_eq!(ended(json!({"error": "no"})), ["notify failed"]);
}

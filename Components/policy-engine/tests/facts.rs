//! What rules read of an event and its past: whose it is, and that it agrees with itself.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and ask the system")]

mod story;

use serde_json::{Value, json};
use story::Story;

fn decide(story: &Story, event: &Value) -> Value {
    story.write("event.json", event.to_string());
    story.run_with(&["decide", "event.json"], &[("USER", "ada")]).json()
}

fn logged(verdict: &Value) -> Vec<String> {
    let actions = verdict["actions"].as_array().unwrap().iter();
    actions.filter_map(|action| Some(action["message"].as_str()?.to_owned())).collect()
}

const KEEPS: &str = "[[rule]]
id = \"w\"
trigger = \"on_turn_end\"
action = { type = \"set_state\", key = \"k\", value = \"secret of {{ context.user.id }}\" }
[[rule]]
id = \"r\"
trigger = \"on_turn_start\"
action = { type = \"log\", message = \"{{ user.id }} in {{ project.id }}: {{ state.get('k', 'none') }} {{ state | length }}\" }
[[rule]]
id = \"c\"
trigger = \"on_turn_start\"
condition = { expression = \"context.state.get('k', '') == 'secret of ' + context.user.id\" }
action = { type = \"log\", message = \"mine\" }
";

#[test]
fn state_is_kept_by_user_project_and_owner() {
    let story = Story::new();
    story.write(".pi/rules/st.toml", KEEPS);
    story.write(".pi/rules/other.toml", KEEPS.replace("secret", "other secret"));
    let event = |name: &str, user: &str, project: &str| json!({"event": name, "session": "s", "facts": {"user_id": user, "project_id": project}});
    decide(&story, &event("turn_end", "alice", "p1"));
    let told = |user: &str, project: &str| logged(&decide(&story, &event("turn_start", user, project)));
    assert_eq!(told("bob", "p2"), ["bob in p2: none 0", "bob in p2: none 0"]);
    assert_eq!(told("bob", "p1"), ["bob in p1: none 0", "bob in p1: none 0"]);
    assert_eq!(told("alice", "p2"), ["alice in p2: none 0", "alice in p2: none 0"]);
    let mut own = told("alice", "p1");
    own.sort();
    assert_eq!(
        own,
        ["alice in p1: other secret of alice 1", "alice in p1: secret of alice 1", "mine", "mine"]
    );
    // Another session of hers, and her own account: who the system says she is, here.
    let plain = |name: &str| json!({"event": name, "session": "t"});
    decide(&story, &plain("turn_end"));
    assert!(
        logged(&decide(&story, &plain("turn_start"))).contains(&"ada in tree: secret of ada 1".to_owned())
    );
    let named =
        json!({"event": "turn_start", "session": "u", "facts": {"user_id": "ada", "project_id": "tree"}});
    assert!(logged(&decide(&story, &named)).contains(&"mine".to_owned()));
}

#[test]
fn a_replay_keeps_the_state_of_users_apart_too() {
    let story = Story::new();
    story.write("rules.toml", KEEPS);
    let event =
        |name: &str, user: &str| json!({"event": name, "session": "s", "at": 1, "facts": {"user_id": user}});
    let lines = [event("turn_end", "alice"), event("turn_start", "bob"), event("turn_start", "alice")];
    story.write("events.jsonl", lines.map(|line| line.to_string()).join("\n"));
    let out = story.run(&["replay", "--rules", "rules.toml", "events.jsonl"]).out;
    let outcomes: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(logged(&outcomes[1]), ["bob in : none 0"]);
    assert_eq!(logged(&outcomes[2]), ["alice in : secret of alice 1", "mine"]);
}

const COUNTS: &str = "[[rule]]
id = \"counts\"
trigger = \"TRIGGER\"
action = { type = \"log\", message = \"{{ history.tools | length }} {{ history.failures }} {{ history.total_failures }}{% for t in context.history.tools %} {{ t.name }}:{{ t.success }}:{{ t.result }}{% endfor %}\" }
[[rule]]
id = \"asks\"
trigger = \"TRIGGER\"
condition = { expression = \"len(context.history.tools) == count_calls('t') and any(t.name == 't' and not t.success for t in recent_tools(1)) and failure_count('t') == len([t for t in history.tools if not t.success])\" }
action = { type = \"log\", message = \"agrees\" }
[[rule]]
id = \"scripted\"
trigger = \"TRIGGER\"
script = { file = \"s.luau\" }
action = { type = \"log\", message = \"script agrees\" }
";

#[test]
fn the_call_that_an_event_answers_is_in_every_count_and_in_the_list() {
    let story = Story::new();
    story.write(".pi/rules/own.toml", COUNTS.replace("TRIGGER", "post_tool_response"));
    story.write(".pi/rules/s.luau", "return #history.tools == context.history.total_failures and history.tools[#history.tools].name == 't'\n");
    assert_eq!(story.run(&["trust"]).code, 0);
    for number in 1..=2 {
        let id = format!("c{number}");
        let call = json!({"event": "pre_tool_call", "session": "s", "tool": {"name": "t", "args": {}, "call_id": id}});
        decide(&story, &call);
        let answer = json!({"event": "post_tool_response", "session": "s", "tool": {"name": "t", "args": {}, "call_id": id},
            "result": {"error": "no", "value": number}});
        let said = logged(&decide(&story, &answer));
        let list: Vec<String> = (1..=number).map(|number| format!(" t:False:{number}")).collect();
        let counts = format!("{number} {{'t': {number}}} {number}{}", list.concat());
        assert_eq!(said, [counts, "agrees".to_owned(), "script agrees".to_owned()]);
    }
}

#[test]
fn a_message_that_was_appended_is_in_its_history() {
    let story = Story::new();
    story.write(
        ".pi/rules/own.toml",
        "[rule]\nid = \"m\"\ntrigger = \"on_message_appended\"\n[action]\ntype = \"log\"\n\
         message = \"{% for m in history.messages %}{{ m.role }} {{ m.content }};{% endfor %}\"\n",
    );
    for (text, told) in [("one", "user one;"), ("two", "user one;user two;")] {
        let event =
            json!({"event": "message_appended", "session": "s", "message": {"role": "user", "text": text}});
        assert_eq!(logged(&decide(&story, &event)), [told]);
    }
}

#[cfg(unix)]
#[test]
fn the_systems_user_is_known_where_no_variable_says_it() {
    let story = Story::new();
    story.write(
        ".pi/rules/own.toml",
        "[rule]\nid = \"m\"\ntrigger = \"on_turn_start\"\n[action]\ntype = \"log\"\nmessage = \"{{ context.user.id }}\"\n",
    );
    story.write("event.json", json!({"event": "turn_start", "session": "s"}).to_string());
    let said = |variables: &[(&str, &str)]| {
        let mut command = story.command(&["decide", "event.json"]);
        for name in ["USER", "LOGNAME", "USERNAME"] {
            command.env_remove(name);
        }
        command.envs(variables.iter().copied());
        logged(&story.ran(&command.output().unwrap()).json()).concat()
    };
    let system = std::process::Command::new("id").arg("-un").output().unwrap();
    let system = String::from_utf8(system.stdout).unwrap();
    assert_eq!(said(&[]), system.trim());
    assert_eq!(said(&[("USER", "")]), system.trim());
    assert_eq!(said(&[("LOGNAME", "bo")]), "bo");
}

//! The verb `hook` as harnesses start it: always an answer, whatever comes.

#![expect(clippy::disallowed_methods, reason = "these stories write files and start processes")]

use std::io::Write;
use std::process::{Command, Output, Stdio};

use mentci_harness::{CAPABILITIES, capability_table, vocabulary_table};
use mentci_tests::{Scratch, checkout};
use serde_json::{Value, json};

const SKILL: (&str, &str) = (".pi/skills/house/SKILL.md", "# House\n\n- Never paint the door red.\n");
const RULES: (&str, &str) = (
    ".pi/rules/own.yaml",
    r#"
shield_name: own
rules:
  - id: no-fire
    when: { tool: shell, args_match: { command: { contains: fire } } }
    then: block
    message: "no open fire"
"#,
);

fn hook(command: &mut Command, payload: &[u8]) -> Output {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the engine starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    // A program that answers before it has read everything closes the pipe.
    let _ = stdin.write_all(payload);
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

/// What a hook writes; it never ends with an error.
fn told(scratch: &Scratch, harness: &str, event: &str, payload: &[u8]) -> String {
    let mut engine = scratch.engine();
    // A program that is built for tests takes longer than one that is built for people.
    engine.env("MENTCI_HOOK_DEADLINE_MS", "8000");
    let output = hook(engine.args(["hook", harness, event]), payload);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{harness} {event}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("answers are UTF-8")
}

fn call(tool: &str, command: &str) -> Vec<u8> {
    json!({"session_id": "s1", "tool_name": tool, "tool_input": {"command": command}})
        .to_string()
        .into_bytes()
}

#[test]
fn one_rule_file_serves_every_harness() {
    let scratch = Scratch::new(&[RULES]);
    for (harness, event, payload) in [
        (
            "claude",
            "PreToolUse",
            json!({"session_id": "a", "tool_name": "Bash", "tool_input": {"command": "make fire"}}),
        ),
        (
            "codex",
            "PreToolUse",
            json!({"session_id": "b", "tool_name": "exec_command", "tool_input": {"command": "make fire"}}),
        ),
        (
            "gemini",
            "BeforeTool",
            json!({"session_id": "c", "tool_name": "run_shell_command", "tool_input": {"command": "make fire"}}),
        ),
        (
            "cline",
            "PreToolUse",
            json!({"taskId": "d", "preToolUse": {"toolName": "execute_command", "parameters": {"command": "make fire"}}}),
        ),
        (
            "opencode",
            "tool.execute.before",
            json!({"input": {"tool": "bash", "sessionID": "e"}, "output": {"args": {"command": "make fire"}}}),
        ),
        (
            "openclaw",
            "before_tool_call",
            json!({"event": {"toolName": "exec", "params": {"command": "make fire"}}, "ctx": {"sessionId": "f"}}),
        ),
        (
            "pi",
            "tool_call",
            json!({"event": {"toolName": "bash", "input": {"command": "make fire"}}, "session": "g"}),
        ),
    ] {
        let answer = told(&scratch, harness, event, payload.to_string().as_bytes());
        assert!(answer.contains("no open fire"), "{harness}: {answer}");
        let other = payload.to_string().replace("make fire", "make tea");
        let answer = told(&scratch, harness, event, other.as_bytes());
        assert!(!answer.contains("deny") && !answer.contains("\"cancel\":true"), "{harness}: {answer}");
    }
}

#[test]
fn what_is_called_is_read_where_the_harness_works() {
    let scratch = Scratch::new(&[RULES, ("src/lib.rs", ""), (".claude/settings.json", "{}")]);
    let root = scratch.root();
    for (folder, tool, args, is_asked) in [
        (".pi/rules", "Bash", json!({"command": "rm own.yaml"}), true),
        (".pi/rules", "Bash", json!({"command": "sed -i s/block/warn/ own.yaml"}), true),
        (".pi/rules", "Write", json!({"file_path": "own.yaml", "content": ""}), true),
        (".pi", "Bash", json!({"command": "mv rules elsewhere"}), true),
        (".claude", "Bash", json!({"command": "echo {} > settings.json"}), true),
        (".pi/rules", "Bash", json!({"command": "cat own.yaml"}), false),
        ("src", "Bash", json!({"command": "rm lib.rs"}), false),
        (".", "Bash", json!({"command": "rm own.yaml"}), false),
        ("nowhere", "Bash", json!({"command": "rm own.yaml"}), false),
    ] {
        let at = root.join(folder).display().to_string();
        let payload = json!({"session_id": "a", "tool_name": tool, "tool_input": args, "cwd": at});
        for (harness, event) in [("claude", "PreToolUse"), ("codex", "PreToolUse")] {
            let answer = told(&scratch, harness, event, payload.to_string().as_bytes());
            assert_eq!(
                answer.contains("builtin/core.yaml"),
                is_asked,
                "{harness}, {folder}: {args}: {answer}"
            );
        }
    }
}

/// Claude Code runs what stands in a skill before the model reads it, and asks no hook about that.
#[test]
fn a_skill_is_called_for_what_it_runs() {
    let skill = |name: &str, text: &str| (format!(".claude/skills/{name}/SKILL.md"), text.to_owned());
    let scratch = Scratch::new(&[RULES]);
    for (path, text) in [
        skill("wipes", "---\nname: wipes\n---\nState: !`rm -rf ~`\n"),
        skill("fenced", "```!\nls\nrm -rf ~\n```\n"),
        skill("looks", "State: !`git status`\n"),
        skill("tells", "Never run `rm -rf ~`!\n"),
        (".claude/commands/team/wipes.md".to_owned(), "!`rm -rf ~`\n".to_owned()),
        ("SKILL.md".to_owned(), "!`rm -rf ~`\n".to_owned()),
    ] {
        scratch.write(&path, &text);
    }
    for (tool, key, name, is_denied) in [
        ("Skill", "skill", "wipes", true),
        ("Skill", "skill", "fenced", true),
        ("Skill", "skill", "team:wipes", true),
        ("SlashCommand", "command", "/team:wipes now", true),
        ("Skill", "skill", "looks", false),
        ("Skill", "skill", "tells", false),
        ("Skill", "skill", "none", false),
        ("Skill", "skill", "../..", false),
        ("Read", "skill", "wipes", false),
    ] {
        let payload = json!({"session_id": "a", "tool_name": tool, "tool_input": {key: name}});
        let answer = told(&scratch, "claude", "PreToolUse", payload.to_string().as_bytes());
        assert_eq!(answer.contains("rm-system"), is_denied, "{tool} {name}: {answer}");
    }
}

#[test]
fn odd_payloads_close_gates_and_nothing_else() {
    let scratch = Scratch::new(&[SKILL, RULES]);
    let huge = [b"{\"tool_name\":\"Bash\",\"x\":\"".as_slice(), &vec![b'a'; (32 << 20) + 10]].concat();
    let deep = format!("{{\"tool_name\":\"Bash\",\"tool_input\":{}", "[".repeat(5_000));
    let cases: [(&str, &[u8]); 7] = [
        ("truncated", b"{\"session_id\":\"s1\",\"tool_na"),
        ("empty", b""),
        ("no object", b"[1]"),
        ("no UTF-8", b"{\"tool_name\":\"\xff\xfe\"}"),
        ("of another harness", b"{\"event\":{\"toolName\":\"exec\",\"params\":{}}}"),
        ("huge", &huge),
        ("deep", deep.as_bytes()),
    ];
    for (what, payload) in cases {
        let answer = told(&scratch, "claude", "PreToolUse", payload);
        assert!(answer.contains("\"permissionDecision\":\"deny\""), "{what}: {answer}");
        let answer = told(&scratch, "claude", "Notification", payload);
        assert_eq!(answer, "", "{what}");
        // A result that nobody could look at is not shown.
        let answer = told(&scratch, "claude", "PostToolUse", payload);
        assert!(answer.contains("withheld by mentci"), "{what}: {answer}");
    }
    for payload in ["", "{}", r#"{"tool_name":5,"tool_response":"x"}"#] {
        let answer = told(&scratch, "claude", "PostToolUse", payload.as_bytes());
        assert!(answer.contains("withheld by mentci: the payload names no tool"), "{payload}: {answer}");
        // Where nothing can be withheld it is told.
        let output =
            hook(scratch.engine().args(["hook", "claude", "PostToolUseFailure"]), payload.as_bytes());
        assert_eq!(
            String::from_utf8_lossy(&output.stderr),
            "mentci: the payload names no tool\n",
            "{payload}"
        );
        assert!(output.status.success() && output.stdout.is_empty());
    }
    let marked = [b"\xef\xbb\xbf".as_slice(), &call("Bash", "make fire")].concat();
    assert!(told(&scratch, "claude", "PreToolUse", &marked).contains("no open fire"));
    let hidden = json!({"session_id": "s1", "tool_name": "Ba\u{202e}sh", "tool_input": {}}).to_string();
    assert!(told(&scratch, "claude", "PreToolUse", hidden.as_bytes()).contains("deny"));
    for (number, refused) in
        [("18446744073709551615", false), ("18446744073709551616", true), ("-1e30", true)]
    {
        let payload = format!(r#"{{"session_id":"s1","tool_name":"Pay","tool_input":{{"n":[{number}]}}}}"#);
        let answer = told(&scratch, "claude", "PreToolUse", payload.as_bytes());
        assert_eq!(answer.contains("a number of more than 64 bits"), refused, "{number}: {answer}");
    }
    // Of a key that stands twice the harness may take either value.
    let twice =
        br#"{"session_id":"s1","tool_name":"Bash","tool_input":{"command":"make fire","command":"ls"}}"#;
    let answer = told(&scratch, "claude", "PreToolUse", twice);
    assert!(answer.contains("can be read in two ways: the key `command` stands twice"), "{answer}");
    let answer = told(&scratch, "claude", "PostToolUse", twice);
    assert!(answer.contains("withheld by mentci: the payload can be read in two ways"), "{answer}");
    assert_eq!(told(&scratch, "codex", "EventOfTomorrow", b"{\"odd\":{\"deep\":[null]}}"), "");
}

/// Where the harness waits for the answer before it closes the pipe.
#[test]
fn a_payload_whose_pipe_is_held_open_is_answered_all_the_same() {
    let scratch = Scratch::new(&[RULES]);
    for (command, denied) in [("make fire", true), ("make tea", false)] {
        let mut engine = scratch.engine();
        engine.args(["hook", "claude", "PreToolUse"]).env("MENTCI_HOOK_DEADLINE_MS", "8000");
        let mut child =
            engine.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the engine starts");
        let mut held = child.stdin.take().expect("it is piped");
        let payload = call("Bash", command);
        // In two pieces, the second of which holds the end.
        let (first, rest) = payload.split_at(payload.len() / 2);
        held.write_all(first).and_then(|()| held.flush()).expect("it listens");
        held.write_all(rest).expect("it listens");
        let output = child.wait_with_output().expect("it ends");
        drop(held);
        let answer = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(answer.contains("no open fire"), denied, "{answer}");
        assert_eq!(answer.contains("deny"), denied, "{answer}");
    }
}

/// A key of no account, as those of a cloud begin.
const KEY: &str = "AKIAIOSFODNN7EXAMPLE";
const REDACTS: (&str, &str) = (
    ".pi/rules/own.yaml",
    "- id: no-fire\n  when: { tool: shell, args_match: { command: { contains: fire } } }\n  then: block\n  message: no open fire\n\
     - id: no-keys\n  on: post_tool_response\n  then: redact\n\
     - id: careful\n  when: { tool: shell, args_match: { command: { contains: water } } }\n  then: warn\n  message: mind the water\n",
);

/// What Claude Code tells of an answer of its shell.
fn returned(id: &str, command: &str, stdout: &str) -> Vec<u8> {
    let response = json!({"stdout": stdout, "stderr": "", "interrupted": false, "isImage": false});
    let payload = json!({"session_id": "s1", "tool_name": "Bash", "tool_use_id": id, "tool_input": {"command": command}, "tool_response": response});
    payload.to_string().into_bytes()
}

#[test]
fn what_is_too_long_to_be_looked_at_is_withheld_in_its_shape() {
    let scratch = Scratch::new(&[REDACTS]);
    let long = format!("{}{KEY}", "x y\n".repeat((33 << 20) / 4));
    let answer = told(&scratch, "claude", "PostToolUse", &returned("a", "ls", &long));
    let value: Value = serde_json::from_str(&answer).expect("JSON");
    let output = &value["hookSpecificOutput"]["updatedToolOutput"];
    assert!(
        !answer.contains(KEY)
            && output["stdout"].as_str().is_some_and(|text| text.contains("longer than 32 MiB")),
        "{output}"
    );
    assert_eq!((&output["interrupted"], &output["stderr"]), (&json!(false), &json!("")));
    let pi = json!({"session": "s", "event": {"toolName": "bash", "toolCallId": "q", "content": [{"type": "text", "text": long}]}});
    let answer = told(&scratch, "pi", "tool_result", pi.to_string().as_bytes());
    assert!(answer.contains("withheld by mentci") && !answer.contains(KEY), "{answer}");
}

/// What is withheld before anybody looks at it leaves no content in the session, and no hole either.
#[test]
fn a_call_that_nobody_looked_at_has_an_end_in_its_session() {
    let scratch = Scratch::new(&[REDACTS]);
    told(&scratch, "claude", "PreToolUse", &json!({"session_id": "s1", "tool_name": "Bash", "tool_use_id": "a", "tool_input": {"command": "ls"}}).to_string().into_bytes());
    let twice = format!(
        r#"{{"session_id":"s1","tool_name":"Bash","tool_use_id":"a","tool_input":{{"command":"ls"}},"tool_response":{{"a":"{KEY}","a":2}}}}"#
    );
    let answer = told(&scratch, "claude", "PostToolUse", twice.as_bytes());
    assert!(answer.contains("withheld by mentci: the payload can be read in two ways"), "{answer}");
    let gate = format!(
        r#"{{"session_id":"s1","tool_name":"Bash","tool_use_id":"b","tool_input":{{"command":"{KEY}","command":"ls"}}}}"#
    );
    assert!(told(&scratch, "claude", "PreToolUse", gate.as_bytes()).contains("deny"));
    let rounded = br#"{"session_id":"s1","tool_name":"Bash","tool_use_id":"c","tool_input":{"n":123456789012345678901234567890}}"#;
    assert!(told(&scratch, "claude", "PreToolUse", rounded).contains("deny"));
    let long = format!("{}{KEY}", "x y\n".repeat((33 << 20) / 4));
    told(&scratch, "claude", "PostToolUse", &returned("d", "ls", &long));
    let session = scratch.json(&["session", "show", "s1"]);
    let events: Vec<String> = session["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| {
            let data = &event["data"];
            let said = data["value"].as_str().or(data["error"].as_str()).unwrap_or("-");
            format!("{} {} {said}", event["kind"].as_str().unwrap(), data["call_id"].as_str().unwrap())
        })
        .collect();
    insta::assert_snapshot!(events.join("\n"), @r"
    tool_call a -
    tool_success a [withheld by mentci: the payload can be read in two ways: the key `a` stands twice at line 1 column 133; the result was not looked at, and may hold what must not be read]
    tool_call b -
    tool_denied b the payload can be read in two ways: the key `command` stands twice at line 1 column 112
    tool_call c -
    tool_denied c the call holds a number of more than 64 bits: write it as text
    tool_call d -
    tool_success d [withheld by mentci: the payload cannot be read: it is longer than 32 MiB; the result was not looked at, and may hold what must not be read]
    ");
    assert!(!session.to_string().contains(KEY));
}

/// Node writes a text that was cut within a character so.
#[test]
fn half_a_character_keeps_nothing_from_being_looked_at() {
    let scratch = Scratch::new(&[REDACTS]);
    let halves = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace("HALF", r"\ud83d");
    let answer = told(
        &scratch,
        "claude",
        "PostToolUse",
        halves(returned("a", "ls", &format!("{KEY} HALF"))).as_bytes(),
    );
    let value: Value = serde_json::from_str(&answer).expect("JSON");
    let output = &value["hookSpecificOutput"]["updatedToolOutput"];
    assert_eq!(output["stdout"], "[AWS_KEY] \u{fffd}", "{answer}");
    let answer = told(&scratch, "claude", "PreToolUse", halves(call("Bash", "make fire HALF")).as_bytes());
    assert!(answer.contains("no open fire"), "{answer}");
}

#[test]
fn what_is_not_looked_at_in_time_is_withheld_in_its_shape() {
    let scratch = Scratch::new(&[REDACTS]);
    // Far more than is looked at in the shortest time that can be asked for.
    let long = format!("{}{KEY}", "mail a@b.example 10.0.0.1\n".repeat(600_000));
    for (on_error, shown) in [("block", true), ("allow", false)] {
        let mut engine = scratch.engine();
        engine.env("MENTCI_HOOK_DEADLINE_MS", "50").env("MENTCI_HOOK_ON_ERROR", on_error);
        let output = hook(engine.args(["hook", "claude", "PostToolUse"]), &returned("a", "ls", &long));
        let answer = String::from_utf8_lossy(&output.stdout).into_owned();
        let note = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(note.contains("no decision within 50 ms"), "{note}");
        assert_eq!(
            answer.contains("\"stdout\":\"[withheld by mentci: no decision within 50 ms"),
            shown,
            "{answer}"
        );
        assert!(!answer.contains(KEY));
    }
}

#[test]
fn an_answer_is_redacted_whatever_came_of_its_call() {
    let scratch = Scratch::new(&[REDACTS]);
    // Gemini CLI names no calls: an answer may seem to be that of the call that was denied.
    let before = |command: &str| {
        let payload =
            json!({"session_id": "g", "tool_name": "run_shell_command", "tool_input": {"command": command}});
        told(&scratch, "gemini", "BeforeTool", payload.to_string().as_bytes())
    };
    let after = |command: &str| {
        let payload = json!({"session_id": "g", "tool_name": "run_shell_command", "tool_input": {"command": command}, "tool_response": {"llmContent": format!("key {KEY}")}});
        told(&scratch, "gemini", "AfterTool", payload.to_string().as_bytes())
    };
    assert!(before("make fire").contains("no open fire"));
    for command in ["make fire", "make tea"] {
        let answer = after(command);
        assert!(answer.contains("\"decision\":\"deny\"") && !answer.contains(KEY), "{command}: {answer}");
    }
    // By id, as Claude Code tells it.
    let payload = json!({"session_id": "c", "tool_use_id": "t1", "tool_name": "Bash", "tool_input": {"command": "make fire"}});
    assert!(told(&scratch, "claude", "PreToolUse", payload.to_string().as_bytes()).contains("no open fire"));
    let answer = told(&scratch, "claude", "PostToolUse", &returned("t1", "make fire", KEY));
    assert!(answer.contains("updatedToolOutput") && !answer.contains(KEY), "{answer}");
}

#[test]
fn warnings_reach_the_model_with_the_next_text_that_it_reads() {
    let scratch = Scratch::new(&[REDACTS]);
    let asked = |harness: &str, event: &str, payload: Value| {
        told(&scratch, harness, event, payload.to_string().as_bytes())
    };
    let call =
        json!({"session_id": "g", "tool_name": "run_shell_command", "tool_input": {"command": "boil water"}});
    assert!(!asked("gemini", "BeforeTool", call.clone()).contains("mind the water"));
    let mut after = call.clone();
    after["tool_response"] = json!({"llmContent": "done"});
    let answer = asked("gemini", "AfterTool", after.clone());
    assert!(answer.contains("additionalContext") && answer.contains("mind the water"), "{answer}");
    assert_eq!(asked("gemini", "AfterTool", after), "", "it is told once");
    asked("gemini", "BeforeTool", call);
    let answer = asked("gemini", "BeforeAgent", json!({"session_id": "g", "prompt": "go on"}));
    assert!(answer.contains("mind the water"), "{answer}");
    let call = json!({"taskId": "d", "preToolUse": {"toolName": "execute_command", "parameters": {"command": "boil water"}}});
    assert!(!asked("cline", "PreToolUse", call).contains("mind the water"));
    let after = json!({"taskId": "d", "postToolUse": {"toolName": "execute_command", "parameters": {"command": "boil water"}, "result": "done"}});
    let answer = asked("cline", "PostToolUse", after);
    assert!(answer.contains("contextModification") && answer.contains("mind the water"), "{answer}");
}

#[test]
fn secrets_are_taken_out_of_all_results_where_that_is_asked_for() {
    let scratch = Scratch::new(&[SKILL]);
    let secret = ["ghp_", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij"].concat();
    let response = json!({"stdout": format!("GITHUB={secret}\n"), "stderr": "", "interrupted": false});
    let payload = json!({"session_id": "s1", "tool_name": "Bash", "tool_input": {"command": "env"}, "tool_response": response});
    let answer =
        |scratch: &Scratch, harness| told(scratch, harness, "PostToolUse", payload.to_string().as_bytes());
    assert!(!answer(&scratch, "claude").contains("[GITHUB_TOKEN]"), "by default rules say what is redacted");
    scratch.write("mentci.toml", "[hook]\nredact = \"results\"\n");
    let claude: Value = serde_json::from_str(&answer(&scratch, "claude")).expect("JSON");
    let shown = &claude["hookSpecificOutput"]["updatedToolOutput"];
    assert_eq!(shown, &json!({"stdout": "GITHUB=[GITHUB_TOKEN]\n", "stderr": "", "interrupted": false}));
    let codex = answer(&scratch, "codex");
    assert!(codex.contains("[GITHUB_TOKEN]") && !codex.contains(&secret), "{codex}");
}

#[test]
fn a_large_result_is_shown_as_a_summary_and_can_be_read_back() {
    let scratch = Scratch::new(&[REDACTS]);
    let long = format!("first line\nkey {KEY}\n{}last line\n", "a line of prose\n".repeat(6_000));
    let answer = told(&scratch, "claude", "PostToolUse", &returned("a", "cat big", &long));
    let value: Value = serde_json::from_str(&answer).expect("JSON");
    let shown =
        value["hookSpecificOutput"]["updatedToolOutput"]["stdout"].as_str().expect("its shape").to_owned();
    assert!(shown.len() < 4_000 && shown.contains("are kept as artifact"), "{shown}");
    let id = shown
        .split("policy-engine artifact get ")
        .nth(1)
        .and_then(|rest| rest.split(' ').next())
        .expect("an id");
    let whole = scratch.must(&["artifact", "get", id]);
    assert!(whole.contains("last line") && !whole.contains(KEY), "{}", whole.len());
    // What is read back is shown; so is all, where nothing is to be kept.
    let again =
        told(&scratch, "claude", "PostToolUse", &returned("b", "policy-engine artifact get x", &whole));
    assert!(!again.contains("are kept as artifact"), "{again}");
    for (bytes, kept) in [("0", false), ("1024", true)] {
        let mut engine = scratch.engine();
        engine.env("MENTCI_HOOK_ARTIFACT_BYTES", bytes).env("MENTCI_HOOK_DEADLINE_MS", "8000");
        let output = hook(
            engine.args(["hook", "claude", "PostToolUse"]),
            &returned(bytes, "ls", &"tea \n".repeat(1_000)),
        );
        let answer = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(answer.contains("are kept as artifact"), kept, "{answer}");
    }
}

#[test]
fn what_is_wrong_is_noted_once() {
    let scratch = Scratch::new(&[(".pi/rules/own.yaml", "- id: [broken\n")]);
    let mut engine = scratch.engine();
    let payload = br#"{"session_id":"s1","prompt":"x"}"#;
    let output = hook(engine.args(["hook", "claude", "UserPromptSubmit"]), payload);
    let note = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut lines: Vec<&str> = note.lines().collect();
    let told = lines.len();
    lines.dedup();
    assert!(told > 0 && lines.len() == told, "{note}");
}

#[test]
fn a_harness_that_is_none_is_said() {
    let scratch = Scratch::new(&[]);
    let output = hook(scratch.engine().args(["hook", "clippy", "PreToolUse"]), b"{}");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the harnesses are pi, claude-code"));
}

#[test]
fn hooks_that_run_at_once_tell_the_rules_once() {
    let scratch = Scratch::new(&[SKILL]);
    scratch.must(&["compile-rules"]);
    // The first decision of all packs the rules.
    told(&scratch, "claude", "PreToolUse", &call("Bash", "ls"));
    let payload = json!({"session_id": "s1", "prompt": "tidy up"}).to_string();
    let answers: Vec<String> = std::thread::scope(|scope| {
        let ask = || told(&scratch, "claude", "UserPromptSubmit", payload.as_bytes());
        let asked: Vec<_> = (0..6).map(|_| scope.spawn(ask)).collect();
        asked.into_iter().map(|one| one.join().expect("it answers")).collect()
    });
    let whole = answers.iter().filter(|answer| answer.contains("# Absolute Rules")).count();
    assert_eq!(whole, 1, "{answers:?}");
    assert!(answers.iter().all(|answer| answer.contains("Never paint door red")), "{answers:?}");
}

#[test]
fn a_session_is_told_the_rules_whole_then_a_pulse_then_whole_again() {
    let scratch = Scratch::new(&[SKILL]);
    let begin = |source: &str| {
        told(
            &scratch,
            "claude",
            "SessionStart",
            json!({"session_id": "s1", "source": source}).to_string().as_bytes(),
        )
    };
    let prompt = || told(&scratch, "claude", "UserPromptSubmit", br#"{"session_id":"s1","prompt":"x"}"#);
    let kind = |answer: &str| match (answer.contains("# Absolute Rules"), answer.is_empty()) {
        (true, _) => "whole",
        (false, true) => "nothing",
        (false, false) => "pulse",
    };
    assert_eq!(
        ["whole", "nothing", "pulse"],
        [&begin("startup"), &prompt(), &prompt()].map(|told| kind(told))
    );
    assert_eq!(["nothing", "pulse"], [&begin("resume"), &prompt()].map(|told| kind(told)));
    assert_eq!(
        ["whole", "nothing", "pulse"],
        [&begin("compact"), &prompt(), &prompt()].map(|told| kind(told))
    );
    scratch.write(SKILL.0, "# House\n\n- Never paint the door blue.\n");
    assert_eq!(["whole", "pulse"], [&prompt(), &prompt()].map(|told| kind(told)));
    let large = json!({"session_id": "s1", "tool_name": "Read", "tool_input": {}, "tool_response": "y".repeat(90_000)});
    let answer = told(&scratch, "claude", "PostToolUse", large.to_string().as_bytes());
    assert_eq!(kind(&answer), "whole", "after 20,000 tokens");
    assert!(prompt().len() < 800);
}

#[test]
fn a_place_without_rules_is_told_nothing_and_written_nothing() {
    let scratch = Scratch::new(&[]);
    assert_eq!(told(&scratch, "claude", "UserPromptSubmit", br#"{"session_id":"s1","prompt":"x"}"#), "");
    assert!(!scratch.path(".pi").exists());
}

#[test]
fn a_hook_that_takes_too_long_denies_in_time() {
    let scratch = Scratch::new(&[RULES]);
    let mut command = scratch.engine();
    command.args(["hook", "claude", "PreToolUse"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    // Standard input is held open: a client that hangs.
    let stdin = child.stdin.take();
    let output = child.wait_with_output().expect("it ends");
    drop(stdin);
    let answer = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(answer.contains("no decision within") && answer.contains("deny"), "{answer}");
}

#[test]
fn a_person_may_choose_that_undecided_calls_run() {
    let scratch = Scratch::new(&[RULES]);
    scratch.run(&["hook", "claude", "PreToolUse"]);
    let state = scratch.root().with_file_name("nobody").join("state/mentci");
    std::fs::create_dir_all(state.join("workspaces")).expect("a folder");
    let payload = json!({"session_id": "s1", "tool_name": "", "tool_input": {}}).to_string();
    let answer = |allow: bool| {
        let mut command = scratch.engine();
        command.args(["hook", "claude", "PreToolUse"]);
        if allow {
            command.env("MENTCI_HOOK_ON_ERROR", "allow");
        }
        String::from_utf8(hook(&mut command, payload.as_bytes()).stdout).expect("UTF-8")
    };
    assert!(answer(false).contains("deny"));
    assert_eq!(answer(true), "");
}

#[test]
fn the_guide_shows_the_tables_as_they_are() {
    let page = checkout::read("Library/guide/harnesses.md");
    for table in [capability_table(), vocabulary_table()] {
        assert!(page.contains(&table), "Library/guide/harnesses.md must hold:\n{table}");
    }
    let scratch = Scratch::new(&[]);
    let listed = scratch.json(&["harness", "list"]);
    assert_eq!(listed["harnesses"].as_array().map(Vec::len), Some(7));
}

#[test]
fn every_story_of_the_table_stands() {
    for capability in CAPABILITIES {
        assert!(capability.deny.story.is_some(), "{}: a denied command", capability.harness.name());
        for (what, ability) in capability.abilities() {
            let Some((suite, test)) = ability.story.and_then(|story| story.split_once("::")) else {
                continue;
            };
            let source = checkout::read(&format!("tests/tests/{suite}.rs"));
            let stands = source.contains(&format!("#[test]\nfn {test}()"));
            assert!(stands, "{} {what}: {suite}::{test}", capability.harness.name());
        }
    }
}

#[test]
fn a_call_is_decided_by_what_it_runs() {
    let scratch = Scratch::new(&[]);
    let answer = told(&scratch, "claude", "PreToolUse", &call("Bash", "rm -rf / --no-preserve-root"));
    assert!(answer.contains("deny") || answer.contains("ask"), "{answer}");
}

//! The verb `hook` as harnesses start it: always an answer, whatever comes; and what `install` puts beside other hooks.

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
    assert_eq!(told(&scratch, "codex", "EventOfTomorrow", b"{\"odd\":{\"deep\":[null]}}"), "");
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
fn install_is_kept_beside_foreign_hooks_and_uninstall_restores() {
    let scratch = Scratch::new(&[SKILL]);
    let foreign = "{\n  // mine\n  \"model\": \"opus\",\n  \"hooks\": {\"PreToolUse\": [{\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"./guard.sh\"}]}]}\n}\n";
    scratch.write(".claude/settings.json", foreign);
    let shown = scratch.must(&["install", "claude", "--dry-run"]);
    assert!(shown.contains("would change") && shown.contains("hook claude PreToolUse"), "{shown}");
    assert_eq!(scratch.read(".claude/settings.json"), foreign);
    scratch.must(&["install", "claude"]);
    let installed = scratch.read(".claude/settings.json");
    assert!(installed.contains("// mine") && installed.contains("./guard.sh"), "{installed}");
    scratch.must(&["install", "claude"]);
    assert_eq!(scratch.read(".claude/settings.json"), installed, "twice is once");
    let checks = scratch.run(&["doctor"]);
    let checks = String::from_utf8_lossy(&checks.stdout).into_owned();
    assert!(
        checks.contains("claude-code hooks: they stand, and others beside them at PreToolUse (`./guard.sh` in `.claude/settings.json`)"),
        "{checks}"
    );
    // A person goes on editing: ours go, theirs stays.
    scratch.write(".claude/settings.json", &installed.replace("\"opus\"", "\"sonnet\""));
    scratch.must(&["uninstall", "claude"]);
    let left = scratch.read(".claude/settings.json");
    assert!(
        left.contains("sonnet") && left.contains("./guard.sh") && !left.contains("hook claude"),
        "{left}"
    );
    // Nobody edits: byte for byte.
    scratch.write(".claude/settings.json", foreign);
    scratch.must(&["install", "claude"]);
    scratch.must(&["uninstall", "claude"]);
    assert_eq!(scratch.read(".claude/settings.json"), foreign);
}

#[test]
fn every_harness_installs_and_leaves_nothing_behind() {
    for harness in ["pi", "claude", "codex", "gemini", "opencode", "openclaw", "cline"] {
        let scratch = Scratch::new(&[]);
        let before = scratch.json(&["install", harness]);
        let files = before["files"].as_array().expect("files").clone();
        assert!(files.iter().all(|file| file["did"] == "wrote"), "{before}");
        let again = scratch.json(&["install", harness]);
        assert!(
            again["files"].as_array().expect("files").iter().all(|file| file["did"] == "kept"),
            "{again}"
        );
        scratch.must(&["uninstall", harness]);
        for file in &files {
            let path = file["path"].as_str().expect("a path");
            assert!(!scratch.path(path).exists(), "{file}");
            let folder = path.split('/').next().expect("a folder");
            assert!(!scratch.path(folder).exists(), "{harness}: `{folder}` was made by us");
        }
    }
}

#[test]
fn settings_that_do_not_read_are_left_alone() {
    let scratch = Scratch::new(&[(".gemini/settings.json", "{\n  \"a\": 1\n  \"b\": 2\n}\n")]);
    let output = scratch.run(&["install", "gemini"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains(".gemini/settings.json:2:") || said.contains(".gemini/settings.json:3:"), "{said}");
    assert_eq!(scratch.read(".gemini/settings.json"), "{\n  \"a\": 1\n  \"b\": 2\n}\n");
    // A script of somebody else's.
    scratch.write(".clinerules/hooks/PreToolUse", "#!/bin/sh\nexit 0\n");
    assert_eq!(scratch.run(&["install", "cline"]).status.code(), Some(2));
    assert!(!scratch.path(".clinerules/hooks/TaskStart").exists(), "all or nothing");
}

#[test]
fn a_link_is_followed_inside_the_workspace_and_refused_outside() {
    let scratch = Scratch::new(&[("settings/claude.json", "{}\n"), (".claude/keep", "")]);
    let link = scratch.path(".claude/settings.json");
    std::os::unix::fs::symlink(scratch.path("settings/claude.json"), &link).expect("a link");
    scratch.must(&["install", "claude"]);
    assert!(link.is_symlink() && scratch.read("settings/claude.json").contains("hook claude"));
    std::fs::remove_file(&link).expect("it stands");
    let outside = scratch.root().with_file_name("outside.json");
    std::fs::write(&outside, "{}\n").expect("a file");
    std::os::unix::fs::symlink(&outside, &link).expect("a link");
    assert_eq!(scratch.run(&["install", "claude"]).status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(&outside).expect("it stands"), "{}\n");
}

#[test]
fn a_link_among_the_users_own_settings_is_followed() {
    let scratch = Scratch::new(&[]);
    let home = scratch.root().with_file_name("nobody");
    let kept = scratch.root().with_file_name("dotfiles").join("claude.json");
    std::fs::create_dir_all(kept.parent().expect("a folder")).expect("a folder");
    std::fs::create_dir_all(home.join(".claude")).expect("a folder");
    std::fs::write(&kept, "{ /* mine */ }\n").expect("a file");
    let link = home.join(".claude/settings.json");
    std::os::unix::fs::symlink(&kept, &link).expect("a link");
    scratch.must(&["install", "claude", "--user"]);
    let text = std::fs::read_to_string(&kept).expect("it stands");
    assert!(link.is_symlink() && text.contains("/* mine */") && text.contains("hook claude"), "{text}");
    scratch.must(&["uninstall", "claude", "--user"]);
    assert!(link.is_symlink());
    assert_eq!(std::fs::read_to_string(&kept).expect("it stands"), "{ /* mine */ }\n");
}

/// What `doctor` says of hooks, and its exit code.
fn checked(scratch: &Scratch, envs: &[(&str, &str)]) -> (Option<i32>, String) {
    let mut command = scratch.engine();
    let output = command.arg("doctor").envs(envs.iter().copied()).output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let hooks: Vec<&str> = text.lines().filter(|line| line.contains(" hooks")).collect();
    (output.status.code(), hooks.join("\n"))
}

#[test]
fn a_fresh_workspace_that_one_harness_guards_is_well() {
    let scratch = Scratch::new(&[]);
    scratch.must(&["install", "claude"]);
    let text = scratch.must(&["doctor"]);
    assert!(text.contains("ok   claude-code hooks: they stand as this version writes them"), "{text}");
    assert!(text.lines().all(|line| line.starts_with("ok ")), "{text}");
}

#[test]
fn what_a_hook_no_longer_hears_is_told_and_mended() {
    for (harness, file, from, to, said) in [
        (
            "claude",
            ".claude/settings.json",
            "\"matcher\": \"*\"",
            "\"matcher\": \"Read\"",
            "it hears `Read` only",
        ),
        ("codex", ".codex/hooks.json", "\"matcher\": \".*\"", "\"matcher\": \"^x$\"", "it hears `^x$` only"),
        (
            "gemini",
            ".gemini/settings.json",
            "\"timeout\": 10000",
            "\"timeout\": 1",
            "the time-out 1 instead of 10000",
        ),
        (
            "claude",
            ".claude/settings.json",
            "\"PreToolUse\"",
            "\"PreTool\"",
            "there is no hook at PreToolUse",
        ),
        ("cline", ".clinerules/hooks/PreToolUse", "exec ", "exit 0 ", "is of another version"),
    ] {
        let scratch = Scratch::new(&[]);
        scratch.must(&["install", harness]);
        let sound = scratch.read(file);
        scratch.write(file, &sound.replacen(from, to, 1));
        let (code, said_of) = checked(&scratch, &[]);
        assert_eq!(code, Some(1), "{harness}: {said_of}");
        assert!(said_of.contains(said) && said_of.contains("policy-engine install"), "{harness}: {said_of}");
        scratch.must(&["install", harness]);
        if harness == "cline" {
            assert_eq!(scratch.read(file), sound);
        } else {
            let value = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
            assert_eq!(value(&scratch.read(file)), value(&sound), "{harness}");
        }
    }
}

#[test]
fn settings_that_silence_hooks_are_found_wherever_they_stand() {
    for (harness, path, text, said) in [
        ("claude", ".claude/settings.local.json", "{\"disableAllHooks\": true}", "it switches all hooks off"),
        (
            "claude",
            "~/.claude/settings.json",
            "{ /* mine */ \"disableAllHooks\": true}",
            "it switches all hooks off",
        ),
        ("claude", "~/.claude/settings.json", "{\"a\"", "cannot be read"),
        ("codex", "~/.codex/config.toml", "[features]\nhooks = false\n", "it switches all hooks off"),
        ("codex", "~/.codex/config.toml", "", "`/hooks` and trust them"),
        (
            "gemini",
            ".gemini/settings.json",
            "{\"hooksConfig\": {\"enabled\": false}}",
            "it switches all hooks off",
        ),
        (
            "gemini",
            ".gemini/settings.json",
            "{\"hooksConfig\": {\"disabled\": [\"mentci\"]}}",
            "switches the hook `mentci` off",
        ),
        (
            "gemini",
            "~/.gemini/trustedFolders.json",
            "{\"{root}\": \"DO_NOT_TRUST\"}",
            "the folder is not trusted",
        ),
        ("gemini", "~/.gemini/settings.json", "{}", "skips the hooks of a folder that is not trusted"),
        (
            "openclaw",
            "~/.openclaw/openclaw.json",
            "{\"plugins\": {\"allow\": []}}",
            "once `plugins.allow` holds `mentci`",
        ),
        ("pi", "~/.pi/agent/settings.json", "{\"defaultProjectTrust\": \"never\"}", "pi trusts no project"),
        (
            "pi",
            "~/.pi/agent/settings.json",
            "{\"defaultProjectTrust\": \"ask\"}",
            "until the project is trusted",
        ),
        ("pi", "~/.pi/agent/trust.json", "{\"/\": true, \"{root}\": false}", "the project is not trusted"),
    ] {
        let scratch = Scratch::new(&[]);
        let home = scratch.root().with_file_name("nobody");
        let file = path.strip_prefix("~/").map_or_else(|| scratch.path(path), |path| home.join(path));
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        std::fs::write(&file, text.replace("{root}", &scratch.root().to_string_lossy())).expect("a file");
        scratch.must(&["install", harness]);
        let (code, hooks) = checked(&scratch, &[]);
        assert_eq!(code, Some(1), "{harness} {path}: {hooks}");
        assert!(hooks.starts_with("odd ") && hooks.contains(said), "{harness} {path}: {hooks}");
    }
}

#[test]
fn a_harness_that_was_trusted_is_well() {
    let scratch = Scratch::new(&[]);
    let home = scratch.root().with_file_name("nobody");
    let root = scratch.root().to_string_lossy().into_owned();
    for (harness, path, text) in [
        (
            "codex",
            ".codex/config.toml",
            "[hooks.state.\"{root}/.codex/hooks.json:pre_tool_use:0:0\"]\ntrusted_hash = \"x\"\n",
        ),
        ("gemini", ".gemini/trustedFolders.json", "{\"{root}\": \"TRUST_FOLDER\"}"),
        ("pi", ".pi/agent/trust.json", "{\"/\": true}"),
        (
            "openclaw",
            ".openclaw/openclaw.json",
            "{\"plugins\": {\"allow\": [\"mentci\"], \"entries\": {\"mentci\": {\"enabled\": true, \"hooks\": {\"allowConversationAccess\": true}}}}}",
        ),
    ] {
        let file = home.join(path);
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        std::fs::write(&file, text.replace("{root}", &root)).expect("a file");
        scratch.must(&["install", harness]);
    }
    let (code, hooks) = checked(&scratch, &[]);
    assert_eq!(code, Some(0), "{hooks}");
    assert_eq!(hooks.matches("they stand as this version writes them").count(), 4, "{hooks}");
}

#[test]
fn a_program_that_is_not_on_the_path_is_found() {
    let scratch = Scratch::new(&[]);
    for (harness, file) in [
        ("claude", ".claude/settings.json"),
        ("cline", ".clinerules/hooks/PreToolUse"),
        ("opencode", ".opencode/plugin/mentci.ts"),
    ] {
        scratch.must(&["install", harness]);
        let installed = scratch.read(file);
        let program = mentci_tests::engine();
        let own = program.to_string_lossy().into_owned();
        let bare = installed.replace(&own, "policy-engine");
        scratch.write(file, &bare);
        let (code, hooks) = checked(&scratch, &[("PATH", "/nowhere")]);
        assert_eq!(code, Some(1), "{hooks}");
        assert!(hooks.contains("`policy-engine`, which is not on `PATH`"), "{harness}: {hooks}");
        assert!(hooks.contains("run `policy-engine install"), "{harness}: {hooks}");
        let folder = program.parent().expect("a folder").to_string_lossy().into_owned();
        let (_, hooks) = checked(&scratch, &[("PATH", &folder)]);
        assert!(!hooks.contains("odd"), "{harness}: {hooks}");
        scratch.must(&["uninstall", harness]);
    }
}

#[test]
fn the_users_folder_of_a_harness_is_made_and_taken_away() {
    let scratch = Scratch::new(&[]);
    let home = scratch.root().with_file_name("nobody");
    for harness in ["claude", "codex", "gemini", "opencode", "openclaw", "cline", "pi"] {
        scratch.must(&["install", harness, "--user"]);
        scratch.must(&["uninstall", harness, "--user"]);
    }
    let left: Vec<_> =
        std::fs::read_dir(&home).expect("it stands").map(|entry| entry.expect("one").file_name()).collect();
    assert_eq!(left, ["state"]);
    // What cannot be read is named in full.
    std::fs::create_dir_all(home.join(".claude/settings.json")).expect("a folder");
    let output = scratch.run(&["install", "claude", "--user"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains(&format!("{}/.claude/settings.json", home.display())), "{said}");
}

#[test]
fn a_program_that_is_gone_is_found() {
    let scratch = Scratch::new(&[SKILL]);
    scratch.must(&["install", "codex"]);
    let settings = scratch.read(".codex/hooks.json");
    let value: Value = serde_json::from_str(&settings).expect("JSON");
    let command =
        value["hooks"]["PreToolUse"][0]["hooks"][0]["command"].as_str().expect("a command").to_owned();
    let program = command.split_whitespace().next().expect("a program");
    if program.starts_with('/') {
        let moved = settings.replace(program, "/nowhere/policy-engine");
        scratch.write(".codex/hooks.json", &moved);
        let output = scratch.run(&["doctor"]);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            said.contains("names `/nowhere/policy-engine`, which is not there") && said.contains("odd "),
            "{said}"
        );
        scratch.must(&["install", "codex"]);
        assert_eq!(scratch.read(".codex/hooks.json"), settings);
    }
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

//! What is recorded is what was said and what came back: by hooks, files and imports, and out again.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests change what was kept, start processes, and may stop"
)]

use std::io::Write;
use std::process::Stdio;

use insta::assert_snapshot;
use mentci_tests::Scratch;
use serde_json::{Value, json};

const RULES: (&str, &str) = (
    ".pi/rules/own.yaml",
    "shield_name: own\nrules:\n  - id: no-fire\n    when: { tool: shell, args_match: { command: { contains: fire } } }\n    then: block\n    message: \"no open fire\"\n",
);

/// A hook of Claude Code in the session `cc`.
fn hook(scratch: &Scratch, event: &str, payload: &str) {
    let mut engine = scratch.engine();
    // A program that is built for tests takes longer than one that is built for people.
    engine.env("MENTCI_HOOK_DEADLINE_MS", "8000").args(["hook", "claude", event]);
    let mut child = engine.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(payload.as_bytes()).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
}

fn asked(prompt: &str) -> String {
    json!({"session_id": "cc", "prompt": prompt}).to_string()
}

fn returned(id: &str, tool: &str, response: &str) -> String {
    format!(
        r#"{{"session_id":"cc","tool_name":"{tool}","tool_use_id":"{id}","tool_input":{{"command":"cat"}},"tool_response":{response}}}"#
    )
}

/// The messages of a session, a line each.
fn messages(scratch: &Scratch, session: &str) -> String {
    let context = scratch.json(&["context", "compile", "--session", session, "--budget", "4000"]);
    let line = |message: &Value| {
        let text = message["content"].as_str().unwrap_or("-").replace('\n', "|");
        format!("{}: {text}\n", message["role"].as_str().unwrap())
    };
    context["messages"].as_array().unwrap().iter().map(line).collect()
}

/// What is said on standard error, and the exit code.
fn refused(scratch: &Scratch, args: &[&str]) -> (Option<i32>, String) {
    let output = scratch.run(args);
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn artifacts(scratch: &Scratch) -> Vec<Value> {
    scratch.json(&["artifact", "list"])["artifacts"].as_array().unwrap().clone()
}

fn id(artifact: &Value) -> &str {
    artifact["artifact_id"].as_str().unwrap()
}

#[test]
fn a_session_of_hooks_holds_what_was_asked_and_what_was_answered() {
    let scratch = Scratch::new(&[RULES]);
    hook(&scratch, "UserPromptSubmit", &asked("look at the order"));
    hook(&scratch, "PostToolUse", &returned("t1", "Read", r#""4711""#));
    hook(&scratch, "Stop", r#"{"session_id":"cc","last_assistant_message":"It is 4711."}"#);
    hook(&scratch, "UserPromptSubmit", &asked("and the next one?"));
    assert_snapshot!(messages(&scratch, "cc"), @r#"
    user: look at the order
    assistant: -
    tool: <data from="tool:Read">|4711|</data>
    assistant: It is 4711.
    user: and the next one?
    "#);
}

/// `{"stdout", "stderr"}` is what a command printed: its lines are those of the text.
#[test]
fn lines_of_a_command_are_those_that_it_printed() {
    let scratch = Scratch::new(&[RULES]);
    let stdout = (1..=400).map(|at| format!("line {at}\n")).collect::<Vec<_>>().concat();
    let response = json!({"stdout": stdout, "stderr": "a warning", "interrupted": false, "exitCode": 1});
    hook(&scratch, "PostToolUse", &returned("t1", "Bash", &response.to_string()));
    let artifacts = artifacts(&scratch);
    assert_snapshot!(artifacts[0]["summary"].as_str().unwrap().lines().next().unwrap(), @r"text, 403 lines, 3523 bytes");
    assert_snapshot!(scratch.must(&["artifact", "get", id(&artifacts[0]), "--range", "lines:2-3"]), @r"
    line 2
    line 3
    ");
    assert_snapshot!(scratch.must(&["artifact", "get", id(&artifacts[0]), "--range", "lines:400-"]), @r"
    line 400
    [stderr]
    a warning
    [exitCode] 1
    ");
}

/// What a reader of JSON makes of a number is not what the tool said: the text stands.
#[test]
fn every_digit_of_an_answer_is_kept() {
    let small = r#"{"order":123456789012345678901234567890,"price":1.10}"#;
    let rows = format!(r#"{{"order": 1.10, "rows": ["{}"], "order": 2}}"#, "r".repeat(2_000));
    let replay = |id: &str, result: &str| {
        format!(
            r#"{{"event":"post_tool_response","at":1,"session":"s1","tool":{{"name":"shop","call_id":"{id}"}},"result":{{"value":{result}}}}}"#
        )
    };
    let kind =
        format!(r#"{{"kind":"tool_success","data":{{"call_id":"c1","tool":"shop","value":{small}}}}}"#);
    let twice = rows.replace(", \"order\": 2", "");
    let scratch = Scratch::new(&[
        RULES,
        ("replay.jsonl", &replay("c1", small)),
        ("kind.jsonl", &kind),
        ("import.jsonl", &format!("{}\n{}\n", replay("c1", small), replay("c2", &twice))),
        ("out.json", &rows),
    ]);
    hook(&scratch, "PostToolUse", &returned("t1", "mcp__shop__order", small));
    scratch.must(&["session", "import", "import.jsonl"]);
    for session in ["replay.jsonl", "kind.jsonl", "s1", "cc"] {
        assert!(messages(&scratch, session).contains(small), "{session}: {}", messages(&scratch, session));
    }
    let output = scratch.json(&["context", "align", "--tool", "shop", "out.json"]);
    let aligned = output["value"]["artifact"]["artifact_id"].as_str().unwrap();
    assert_eq!(scratch.must(&["artifact", "get", aligned]), rows);
    let contents: Vec<String> =
        artifacts(&scratch).iter().map(|artifact| scratch.must(&["artifact", "get", id(artifact)])).collect();
    assert!(contents.contains(&twice), "{contents:?}");
}

#[test]
fn a_tool_whose_name_is_a_secret_is_named_nowhere() {
    const SECRET: &str = "ghp_1234567890abcdefghijklmnopqrstuvwxyz12";
    let scratch = Scratch::new(&[RULES]);
    hook(&scratch, "PostToolUse", &returned("t1", SECRET, &json!("x ".repeat(2_000)).to_string()));
    let told = [
        scratch.must(&["artifact", "list"]),
        scratch.must(&["session", "show", "cc"]),
        scratch.must(&["session", "export", "cc", "--handles"]),
        scratch.must(&["session", "export", "cc", "--evidence"]),
    ];
    assert!(told.iter().all(|told| !told.contains(SECRET)), "{told:?}");
    for name in ["artifacts.db", "artifacts.db-wal"] {
        let bytes = std::fs::read(scratch.kept("artifacts.db").with_file_name(name)).unwrap_or_default();
        assert!(!bytes.windows(SECRET.len()).any(|window| window == SECRET.as_bytes()), "{name}");
    }
}

/// Content is checked against its id, and a piece that changed places with its note is another content.
#[test]
fn pieces_that_changed_places_are_not_given_whole_or_in_part() {
    let scratch = Scratch::new(&[]);
    let content =
        (0..300_000).map(|at| format!("line {at} of a large output\n")).collect::<Vec<_>>().concat();
    scratch.write("big.txt", &content);
    let put = scratch.json(&["artifact", "put", "big.txt", "--raw"]);
    let id = id(&put["artifacts"][0]);
    assert_eq!(scratch.must(&["artifact", "get", id]).len(), content.len());
    let sql = "UPDATE chunks SET place = -1 WHERE place = (1 << 24) + 2;
               UPDATE chunks SET place = (1 << 24) + 2 WHERE place = (1 << 24) + 3;
               UPDATE chunks SET place = (1 << 24) + 3 WHERE place = -1;";
    rusqlite::Connection::open(scratch.kept("artifacts.db")).unwrap().execute_batch(sql).unwrap();
    for args in [
        &["artifact", "get", id][..],
        &["artifact", "get", id, "--range", "140000-140100"],
        &["artifact", "get", id, "--range", "lines:1-2"],
        &["artifact", "get", id, "--json"],
    ] {
        let output = scratch.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(!String::from_utf8_lossy(&output.stdout).contains("large output"), "{args:?}");
    }
    let (_, text) = refused(&scratch, &["artifact", "get", id]);
    assert_snapshot!(text.replace(id, "ID"), @"error[E1022]: the content of artifact ID is not what was stored");
}

/// A part that would cut a character is that of whole ones; all parts together are all of it.
#[test]
fn a_part_is_text_wherever_it_begins() {
    let scratch = Scratch::new(&[]);
    let content = (0..400).map(|at| format!("行 {at} のログ\n")).collect::<Vec<_>>().concat();
    scratch.write("log.txt", &content);
    let put = scratch.json(&["artifact", "put", "log.txt"]);
    let id = id(&put["artifacts"][0]);
    let mut whole = String::new();
    for from in (0..content.len()).step_by(1024) {
        let range = format!("{from}-{}", from + 1023);
        let part = scratch.json(&["artifact", "get", id, "--range", &range]);
        assert_eq!(part["from"], whole.len(), "{range}");
        assert!(part["base64"].is_null());
        whole += part["text"].as_str().unwrap();
        // As bytes it is what was asked for.
        let end = (from + 1024).min(content.len());
        let bytes = scratch.run(&["artifact", "get", id, "--range", &range]).stdout;
        assert_eq!(bytes, &content.as_bytes()[from..end]);
    }
    assert_eq!(whole, content);
}

/// One byte that is no text hides no text, and the bytes stand beside it.
#[test]
fn one_byte_that_is_no_text_hides_nothing() {
    let scratch = Scratch::new(&[]);
    let mut content = b"a log of words\n".repeat(100);
    content[20] = 0xff;
    std::fs::write(scratch.path("odd.txt"), &content).unwrap();
    let put = scratch.json(&["artifact", "put", "odd.txt", "--raw"]);
    let id = id(&put["artifacts"][0]);
    let whole = scratch.json(&["artifact", "get", id]);
    assert_eq!(whole["text"].as_str().unwrap(), String::from_utf8_lossy(&content));
    assert!(whole["base64"].as_str().unwrap().starts_with("YSBsb2cgb2Yg"));
    assert_eq!(scratch.run(&["artifact", "get", id]).stdout, content);
}

#[test]
fn a_handle_of_what_is_gone_is_told() {
    let event = json!({"event": "post_tool_response", "at": 1, "session": "s1",
        "tool": {"name": "sh", "call_id": "c1"}, "result": {"value": "a large line\n".repeat(300)}});
    let scratch = Scratch::new(&[("s.jsonl", &format!("{event}\n"))]);
    scratch.must(&["session", "import", "s.jsonl"]);
    let sql = "DELETE FROM artifacts; DELETE FROM chunks; DELETE FROM holds;";
    rusqlite::Connection::open(scratch.kept("artifacts.db")).unwrap().execute_batch(sql).unwrap();
    let compile = ["context", "compile", "--session", "s1", "--budget", "500"];
    let (code, text) = refused(&scratch, &compile);
    assert_eq!(code, Some(0));
    assert_snapshot!(text, @r"
    warning[E1020]: 1 of 1 artifacts that the context names are not here
     = help: `policy-engine artifact list` shows what is kept
    ");
    let explain = ["context", "explain", "--session", "s1", "--budget", "500"];
    assert_eq!(refused(&scratch, &explain).1, text);
    for args in [&["session", "export", "s1"][..], &["session", "export", "s1", "--handles"]] {
        assert!(refused(&scratch, args).1.contains("1 of 1 artifacts that the lines name are not here"));
    }
}

/// Many that compile one session at once store the same: nobody waits for long, and nobody is refused.
#[test]
fn many_processes_compile_over_files_at_once() {
    let rows = (0..6).map(|at| {
        let tool = json!({"name": "sh", "call_id": format!("c{at}")});
        let result = json!({"value": format!("{at} a large line\n").repeat(300)});
        json!({"event": "post_tool_response", "at": 1, "session": "s1", "tool": tool, "result": result})
            .to_string()
            + "\n"
    });
    let config = "[artifacts]\nbackend = \"files\"\n";
    let scratch = Scratch::new(&[("s.jsonl", &rows.collect::<String>()), ("mentci.toml", config)]);
    let args = ["context", "compile", "--session", "s.jsonl", "--budget", "4000"];
    let start =
        |_| scratch.engine().args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let children: Vec<_> = (0..20).map(start).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Who is refused is told so by an error: a store that others hold is a warning only where things go on.
#[test]
fn a_store_that_is_held_by_another_is_an_error_where_nothing_was_done() {
    let scratch = Scratch::new(&[("a.txt", "hello\n")]);
    scratch.must(&["artifact", "put", "a.txt"]);
    let other = rusqlite::Connection::open(scratch.kept("artifacts.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    scratch.write("b.txt", "another\n");
    let (code, text) = refused(&scratch, &["artifact", "put", "b.txt"]);
    assert_eq!(code, Some(2));
    assert_snapshot!(text, @r"
    error[E1024]: another process holds the store
     --> artifacts.db
     = help: wait for the other process, or end it
    ");
    let event =
        json!({"event": "message_appended", "session": "s1", "message": {"role": "user", "text": "hi"}});
    scratch.write("s.jsonl", &format!("{event}\n"));
    scratch.must(&["session", "import", "s.jsonl"]);
    let log = rusqlite::Connection::open(scratch.kept("store.db")).unwrap();
    log.execute_batch("BEGIN IMMEDIATE").unwrap();
    let (code, text) = refused(&scratch, &["session", "import", "s.jsonl", "--as", "s2"]);
    assert_eq!(code, Some(2));
    assert_snapshot!(text, @r"
    error[E0810]: another process holds the store: nothing was done
     --> store.db
     = help: wait for the other process, or end it
    ");
}

#[test]
fn a_store_that_was_damaged_is_no_success() {
    let scratch = Scratch::new(&[("a.txt", "hello\n")]);
    scratch.must(&["artifact", "put", "a.txt"]);
    let file = scratch.kept("artifacts.db");
    std::fs::write(&file, [0xff; 9_000]).unwrap();
    for beside in ["artifacts.db-wal", "artifacts.db-shm"] {
        let _ = std::fs::remove_file(file.with_file_name(beside));
    }
    let (code, text) = refused(&scratch, &["artifact", "list"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("error[E0812]"), "{text}");
    assert_eq!(refused(&scratch, &["artifact", "list"]).0, Some(0));
}

/// A session that tells no time has none: not that of another one.
#[test]
fn a_session_without_times_has_none() {
    let said = |session: &str, at: Option<&str>| {
        let mut event = json!({"event": "message_appended", "session": session, "message": {"role": "user", "text": "hi"}});
        event["at"] = at.map_or(Value::Null, Into::into);
        format!("{event}\n")
    };
    let both = said("c", None) + &said("c", Some("2031-01-01T00:00:00Z")) + &said("c", None);
    let scratch = Scratch::new(&[
        ("a.jsonl", &said("a", Some("2099-01-01T00:00:00Z"))),
        ("b.jsonl", &said("b", None)),
        ("c.jsonl", &both),
    ]);
    for file in ["a.jsonl", "b.jsonl", "c.jsonl"] {
        scratch.must(&["session", "import", file]);
    }
    let list = scratch.json(&["session", "list"]);
    let rows = list["sessions"].as_array().unwrap().iter();
    let rows = rows.map(|row| format!("{} {} {}\n", row["session"], row["first"], row["last"]));
    let rows = rows.collect::<Vec<_>>().concat();
    assert_snapshot!(rows, @r#"
    "a" "2099-01-01T00:00:00Z" "2099-01-01T00:00:00Z"
    "c" "2031-01-01T00:00:00Z" "2031-01-01T00:00:00Z"
    "b" "" ""
    "#);
}

#[test]
fn what_a_listing_of_tools_hides_is_told() {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
    let scratch = Scratch::new(&[("out.json", r#"{"n": "three"}"#)]);
    let align = |tools: Value| {
        scratch.write("tools.json", &tools.to_string());
        refused(&scratch, &["context", "align", "--tool", "count", "--schemas", "tools.json", "out.json"])
    };
    let (code, text) = align(json!([
        {"name": "count", "outputSchema": schema},
        {"name": "count", "outputSchema": {"type": "object"}}
    ]));
    assert_eq!(code, Some(0));
    assert_snapshot!(text, @"warning[E0708]: the tool `count` is listed twice: its last schema stands");
    // In either spelling it is a schema.
    assert_eq!(align(json!([{"name": "count", "output_schema": schema}])).0, Some(1));
    let (code, text) = align(json!([{"name": "count", "outputSchema":
        {"type": "object", "properties": {"n": {"type": "string", "pattern": "^(?!x)t"}}}}]));
    assert_eq!(code, Some(2));
    assert_snapshot!(text, @"error[E0708]: the output schema of `count` cannot be used: at `/properties/n/pattern`, the pattern `^(?!x)t` looks around or back, which is not matched in linear time");
    let compile = ["context", "compile", "--session", "s.jsonl", "--budget", "500", "--tools", "tools.json"];
    scratch.write("s.jsonl", "{\"kind\":\"user_input\",\"data\":{\"text\":\"hi\"}}\n");
    scratch.write("tools.json", r#"[{"name": "a"}, 1, "x"]"#);
    let (code, text) = refused(&scratch, &compile);
    assert_eq!(code, Some(2));
    assert_snapshot!(text, @r"
    error[E0708]: tool 2 of `--tools` has no name
     = help: `--tools` takes what MCP's `tools/list` answers, or a list of tools with `name`, `description` and `inputSchema`
    ");
    scratch.write("tools.json", r#"[{"name": "a"}, {"type": "function", "function": {"name": "b"}}]"#);
    assert_eq!(refused(&scratch, &compile).0, Some(0));
}

#[test]
fn a_budget_of_the_demo_is_one_like_any_other() {
    let (code, text) = refused(&Scratch::new(&[]), &["context", "demo", "--budget", "-1"]);
    assert_eq!(code, Some(2));
    assert_snapshot!(text, @r"
    error: `-1` is no budget
      = help: a budget is a whole number of tokens, such as 8000
    ");
}

#[test]
fn a_mark_before_an_export_is_a_change() {
    let event = json!({"event": "message_appended", "at": 1, "session": "s1", "message": {"role": "user", "text": "hi"}});
    let scratch = Scratch::new(&[("s.jsonl", &format!("{event}\n"))]);
    scratch.must(&["session", "import", "s.jsonl"]);
    let export = scratch.must(&["session", "export", "s1", "--evidence"]);
    for (mark, code) in [("", 0), ("\u{feff}", 1)] {
        scratch.write("e.jsonl", &format!("{mark}{export}"));
        assert_eq!(scratch.run(&["session", "verify", "e.jsonl"]).status.code(), Some(code), "{mark:?}");
    }
}

/// A document is counted as its run counts it.
#[test]
fn a_document_is_counted_for_its_own_model() {
    let document =
        |model: &str| format!("<config model=\"{model}\"/>\n<user>\nWhat stands there?\n</user>\n");
    let scratch = Scratch::new(&[("a.chatmd", &document("some-model")), ("b.chatmd", &document("gpt-5"))]);
    let tokenizer = |of: &str, args: &[&str]| {
        let all = [&["context", "compile", "--session", of, "--budget", "500"], args].concat();
        scratch.json(&all)["tokenizer"].as_str().unwrap().to_owned()
    };
    assert_snapshot!(tokenizer("a.chatmd", &[]), @"unknown as 2000 thousandths of o200k");
    assert_snapshot!(tokenizer("b.chatmd", &[]), @"o200k");
    assert_eq!(tokenizer("a.chatmd", &["--model", "gpt-5"]), tokenizer("b.chatmd", &[]));
}

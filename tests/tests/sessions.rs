//! Sessions from the command line: what comes into the log, what goes out, and what proves that it is as it was.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests change what was kept, and may stop"
)]

use std::path::PathBuf;

use mentci_tests::Scratch;
use serde_json::{Value, json};

/// Compiles the session that most tests write.
const COMPILE: [&str; 6] = ["context", "compile", "--session", "s.jsonl", "--budget", "2000"];

fn said(session: &str, role: &str, text: &str) -> Value {
    json!({"event": "message_appended", "at": 1, "session": session, "message": {"role": role, "text": text}})
}

/// A call and its answer.
fn called(session: &str, id: &str, result: &Value) -> [Value; 2] {
    let tool = json!({"name": "bash", "args": {"command": format!("make {id}")}, "call_id": id});
    [
        json!({"event": "pre_tool_call", "at": 3, "session": session, "tool": tool}),
        json!({"event": "post_tool_response", "at": 4, "session": session, "tool": tool, "result": result}),
    ]
}

fn lines(events: &[Value]) -> String {
    events.iter().map(Value::to_string).collect::<Vec<_>>().join("\n") + "\n"
}

fn large() -> Value {
    json!("a line of a large output\n".repeat(200))
}

/// What is said on standard error, and the exit code.
fn refused(scratch: &Scratch, args: &[&str]) -> (Option<i32>, String) {
    let output = scratch.run(args);
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The file of this name where the workspace's state is kept.
fn kept(scratch: &Scratch, name: &str) -> PathBuf {
    let workspaces = scratch.root().with_file_name("nobody").join("state/mentci/workspaces");
    let folders = std::fs::read_dir(&workspaces).unwrap().flatten();
    folders.map(|folder| folder.path().join(name)).find(|path| path.is_file()).unwrap()
}

#[test]
fn all_lines_of_an_import_are_taken_or_none_and_of_none_nothing_is_kept() {
    let [call, answer] = called("new", "c1", &large());
    let scratch = Scratch::new(&[
        ("one.jsonl", &lines(&[said("known", "user", "hello")])),
        ("two.jsonl", &lines(&[call, answer, said("known", "user", "again")])),
    ]);
    scratch.must(&["session", "import", "one.jsonl"]);
    let (code, text) = refused(&scratch, &["session", "import", "two.jsonl"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("the log has a session `known` already"), "{text}");
    let listed = scratch.json(&["session", "list"]);
    assert_eq!(listed["sessions"].as_array().map(Vec::len), Some(1), "{listed}");
    assert_eq!(scratch.json(&["artifact", "list"])["artifacts"], json!([]));
    let taken = scratch.json(&["session", "import", "two.jsonl", "--as", "new"]);
    assert_eq!(
        (&taken["sessions"][0]["session"], &taken["sessions"][0]["events"]),
        (&json!("new"), &json!(3))
    );
    assert_eq!(scratch.json(&["artifact", "list"])["artifacts"].as_array().map(Vec::len), Some(1));
}

#[test]
fn of_imports_at_one_moment_one_is_taken_and_the_others_are_told() {
    let events: Vec<Value> = (0..300).map(|at| said("s1", "user", &format!("line {at}"))).collect();
    let scratch = Scratch::new(&[("s.jsonl", &lines(&events))]);
    let import = |_| {
        let mut engine = scratch.engine();
        engine.args(["session", "import", "s.jsonl"]).stderr(std::process::Stdio::piped());
        engine.stdout(std::process::Stdio::null()).spawn().unwrap()
    };
    let ended = (0..4).map(import).collect::<Vec<_>>().into_iter().map(|one| one.wait_with_output().unwrap());
    let told: Vec<String> = ended.map(|one| String::from_utf8_lossy(&one.stderr).into_owned()).collect();
    let refused = told.iter().filter(|text| text.contains("E1006")).count();
    assert_eq!(refused, 3, "{told:?}");
    assert_eq!(scratch.json(&["session", "list"])["sessions"][0]["events"], json!(300));
}

/// Events of every kind of which the log keeps something else than what was told: large, secret, denied, printed, undated, with digits.
fn of_every_kind() -> String {
    let [call, answer] = called("s1", "c1", &large());
    let tool = |id: &str| json!({"name": "bash", "call_id": id});
    let answered = |id: &str, result: Value| json!({"event": "post_tool_response", "session": "s1", "tool": tool(id), "result": result});
    let mut events = vec![
        said("s1", "user", "the key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ-klmnop"),
        call,
        answer,
        json!({"event": "pre_tool_call", "at": 5, "session": "s1", "result": {"error": "denied by r1"},
            "tool": {"name": "bash", "args": "{\"command\": \"rm -rf /\"}", "call_id": "c2", "status": "denied"}}),
        answered("c3", json!({"stdout": "line\n".repeat(400), "stderr": "warn\n", "exitCode": 1})),
        answered("c4", json!({"items": (0..200).map(|at| json!({"id": at})).collect::<Vec<_>>()})),
        answered("c5", json!((0..160).map(|at| format!("{:x}", at * 7919)).collect::<Vec<_>>().join(" "))),
        answered("c6", json!(" ".repeat(1_500))),
        answered("c7", json!({"error": "it failed", "value": "x y z\n".repeat(400)})),
        json!({"act": {"resumed": {"by": "ada"}}, "at": 8, "session": "s1"}),
    ];
    let failure = json!({"event": "on_tool_failure", "session": "s1", "tool": tool("c8"), "result": "boom"});
    events.extend([failure, said("s1", "assistant", "done")]);
    let digits = r#"{"event":"pre_tool_call","at":9,"session":"s1","tool":{"name":"pay","call_id":"p","args":{"v":1.10}}}"#;
    lines(&events) + digits + "\n"
}

#[test]
fn a_session_is_compiled_alike_from_its_file_and_from_the_log() {
    let scratch = Scratch::new(&[("s.jsonl", &of_every_kind())]);
    scratch.must(&["session", "import", "s.jsonl"]);
    scratch.write("out.jsonl", &scratch.must(&["session", "export", "s1"]));
    scratch.write("handles.jsonl", &scratch.must(&["session", "export", "s1", "--handles"]));
    scratch.write("proved.jsonl", &scratch.must(&["session", "export", "s1", "--evidence"]));
    for verb in ["compile", "explain"] {
        for budget in ["9000", "900"] {
            let of = |session: &str| {
                scratch.must(&["context", verb, "--session", session, "--budget", budget, "--json"])
            };
            let expected = of("s1");
            for file in ["s.jsonl", "out.jsonl", "handles.jsonl", "proved.jsonl"] {
                assert_eq!(of(file), expected, "{verb} {file}");
            }
        }
    }
    let other = Scratch::new(&[("s.jsonl", &of_every_kind())]);
    let compiled = other.json(&["context", "compile", "--session", "s.jsonl", "--budget", "9000"]);
    for handle in compiled["artifact_refs"].as_array().unwrap() {
        other.must(&["artifact", "get", handle["artifact_id"].as_str().unwrap()]);
    }
    // However old the events are, what stands outside was stored now.
    let kept = other.json(&["artifact", "gc", "--dry-run", "--keep-days", "1"]);
    assert_eq!((&kept["artifacts"], &kept["kept"]), (&json!(0), &json!(6)), "{kept}");
}

#[test]
fn half_a_pair_of_utf_16_takes_no_line_out_of_a_session() {
    let half = r#"{"event":"message_appended","at":1,"session":"s1","message":{"role":"user","text":"é cut \ud83d here"}}"#;
    let event = r#"{"kind":"user_input","timestamp":1,"data":{"text":"cut \ude00 here"}}"#;
    let call =
        r#"{"event":"pre_tool_call","session":"s1","tool":{"name":"exec","args":{"command":"echo \ud83d"}}}"#;
    let whole = lines(&[said("s1", "assistant", "whole \u{1f600}")]);
    let scratch = Scratch::new(&[
        ("s.jsonl", &format!("{whole}{half}\n{half}\n")),
        ("k.jsonl", &format!("{event}\n")),
        ("call.json", call),
    ]);
    for (verb, place) in [
        (&["session", "import", "s.jsonl"][..], "s.jsonl:2:90"),
        (&["replay", "s.jsonl"], "s.jsonl:2:90"),
        (&["context", "compile", "--session", "s.jsonl", "--budget", "500"], "s.jsonl:3:90"),
        (&["session", "show", "k.jsonl"], "k.jsonl:1:56"),
        (&["decide", "call.json"], "call.json:1:87"),
    ] {
        let (code, text) = refused(&scratch, verb);
        assert_eq!(code, Some(0), "{verb:?}: {text}");
        assert!(text.contains("warning[E0001]: hal") && text.contains(place), "{verb:?}: {text}");
    }
    let exported = scratch.must(&["session", "export", "s1"]);
    assert_eq!(exported.matches("é cut \u{fffd} here").count(), 2, "{exported}");
    assert!(exported.contains("whole \u{1f600}"), "{exported}");
}

#[test]
fn arguments_keep_their_digits() {
    let args = [
        r#"{"price":1.10,"e":1E+2}"#,
        r#"{ "list" : [3.14159265358979323846, 2.50] }"#,
        r#"{"zero":-0.0,"n":100.000}"#,
    ];
    let mut told = Vec::new();
    for (at, args) in args.iter().enumerate() {
        let name = ["args", "arguments", "input"][at];
        for (id, args) in [("c", (*args).to_owned()), ("t", Value::from(*args).to_string())] {
            let tool = format!(r#"{{"name":"pay","call_id":"{id}{at}","{name}":{args}}}"#);
            told.push(format!(r#"{{"event":"pre_tool_call","at":{at},"session":"s1","tool":{tool}}}"#));
        }
    }
    let told = told.join("\n");
    // No call with so many digits is let through; of one that was made, whoever made it knows what it was.
    let long = r#"{"event":"post_tool_response","at":9,"session":"s1","tool":{"name":"pay","call_id":"l","args":{"n":123456789012345678901234567890}},"result":"ok"}"#;
    let secret = r#"{"event":"pre_tool_call","at":9,"session":"s1","tool":{"name":"pay","call_id":"k","args":{"price":1.10,"password":"hunter2hunter2"}}}"#;
    let scratch = Scratch::new(&[("s.jsonl", &format!("{told}\n{long}\n{secret}\n"))]);
    scratch.must(&["session", "import", "s.jsonl"]);
    let exported = scratch.must(&["session", "export", "s1"]);
    for args in args {
        assert_eq!(exported.matches(&format!("\"args\":{args}")).count(), 2, "{args}\n{exported}");
    }
    assert!(exported.contains(r#"{"n":123456789012345678901234567890}"#), "{exported}");
    assert!(exported.contains(r#""price":1.1}"#) && !exported.contains("hunter2"), "{exported}");
    scratch.write("out.jsonl", &exported);
    scratch.must(&["session", "import", "out.jsonl", "--as", "s2"]);
    assert_eq!(scratch.must(&["session", "export", "s2"]).replace("\"s2\"", "\"s1\""), exported);
    for of in ["s1", "s.jsonl"] {
        let context = scratch.json(&["context", "compile", "--session", of, "--budget", "9000"]);
        let told = context["messages"].to_string();
        let expected = |args: &str| told.matches(&Value::from(args).to_string()).count();
        assert!(args.iter().all(|args| expected(args) == 2), "{told:?}");
        assert_eq!(expected(r#"{"n":123456789012345678901234567890}"#), 1, "{told:?}");
    }
}

#[test]
fn a_session_is_named_as_lines_may_name_one() {
    let scratch = Scratch::new(&[
        ("s.jsonl", &lines(&[said("s1", "user", "hello")])),
        ("talk.chatmd", "<user>hello</user>\n"),
        ("act.jsonl", "{\"act\":{\"resumed\":{\"by\":\"ada\"}},\"at\":1,\"session\":\"a\\u202eb\"}\n"),
    ]);
    let long = "s".repeat(1_025);
    for name in ["a\nb", "a\u{202e}b", "a\u{200b}b", "\u{feff}", "a\tb", long.as_str()] {
        for verb in [
            ["session", "import", "s.jsonl", "--as", name],
            ["session", "import", "talk.chatmd", "--as", name],
            ["artifact", "put", "s.jsonl", "--session", name],
        ] {
            let (code, text) = refused(&scratch, &verb);
            assert_eq!(code, Some(2), "{verb:?}: {text}");
            assert!(text.contains("E0240") && text.contains("`session`"), "{text}");
        }
    }
    let (code, text) = refused(&scratch, &["session", "import", "act.jsonl"]);
    assert!(code == Some(2) && text.contains("E0240") && text.contains("act.jsonl:1:1"), "{text}");
    assert_eq!(scratch.json(&["session", "list"])["sessions"], json!([]));
    for (number, name) in ["größe 1", "a/b c", &"s".repeat(1_024)].into_iter().enumerate() {
        scratch.must(&["session", "import", "s.jsonl", "--as", name]);
        scratch.write("again.jsonl", &scratch.must(&["session", "export", name]));
        scratch.must(&["session", "import", "again.jsonl", "--as", &format!("again{number}")]);
    }
}

/// Counts are remembered between calls; a budget does not rest on what somebody wrote there.
/// What a tool answered, as its line has it: large and small, as a text and as a value, with digits, keys and spaces that no reader
/// of JSON keeps.
fn answers() -> Vec<String> {
    let pad = "lorem ipsum ".repeat(200);
    let large = [
        format!(r#"{{"n":12345678901234567890123456789,"f":1.000000000000000000000001,"pad":"{pad}"}}"#),
        format!("{{\n  \"version\": 1.10,\n  \"pad\": \"{pad}\"\n}}\n"),
        format!("[{}2.50]", "1, ".repeat(700)),
        format!(r#"{{"b":1,"a":2,"pad":"{pad}"}}"#),
    ];
    let small =
        [r#"{"version":1.10,"w":1E+2}"#.to_owned(), r#"{ "b" : [3.14159265358979323846] }"#.to_owned()];
    let values = large.iter().chain(&small).map(|text| text.trim().replace('\n', " "));
    let twice =
        [format!(r#"{{"a":1,"a":2,"pad":"{pad}"}}"#), r#"{"a":1,"a":2}"#.to_owned(), format!("\"{pad}\"")];
    let texts = large.iter().chain(&small).chain(&twice).map(|text| Value::from(text.as_str()).to_string());
    texts.chain(values).collect()
}

#[test]
fn an_export_has_each_answer_as_it_came() {
    let answers = answers();
    let mut told = String::new();
    for (at, answer) in answers.iter().enumerate() {
        let [call, answered] = called("s1", &format!("c{at}"), &json!({"status": "success", "value": 0}));
        let answered = answered.to_string().replace(r#""value":0"#, &format!(r#""value":{answer}"#));
        told = format!("{told}{call}\n{answered}\n");
    }
    let scratch = Scratch::new(&[("s.jsonl", &told)]);
    scratch.must(&["session", "import", "s.jsonl"]);
    let exported = scratch.must(&["session", "export", "s1"]);
    for (line, answer) in exported.lines().filter(|line| line.contains(r#""result""#)).zip(&answers) {
        assert!(line.contains(&format!(r#""value":{answer}"#)), "{answer:.90}\n{line:.290}");
    }
    scratch.write("s2.jsonl", &exported);
    scratch.must(&["session", "import", "s2.jsonl", "--as", "s2"]);
    let handles = scratch.must(&["session", "export", "s1", "--handles"]);
    scratch.write("s3.jsonl", &handles);
    scratch.must(&["session", "import", "s3.jsonl", "--as", "s3"]);
    let again = |id: &str| scratch.must(&["session", "export", id]).replace(&format!("\"{id}\""), "\"s1\"");
    assert_eq!(again("s2"), exported);
    assert_eq!(again("s3"), exported);
    let compile = |of: &str| {
        let context = scratch.json(&["context", "compile", "--session", of, "--budget", "9000"]);
        let refs = context["artifact_refs"].as_array().unwrap().iter();
        let ids: Vec<Value> = refs.map(|handle| handle["artifact_id"].clone()).collect();
        assert_eq!(ids.len(), 7);
        ids
    };
    for of in ["s.jsonl", "s2.jsonl", "s2", "s3"] {
        assert_eq!(compile(of), compile("s1"), "{of}");
    }
}

#[test]
fn a_forged_count_breaks_no_budget() {
    let talk = |at: usize| {
        [said("s1", "user", &format!("{at} {}", "word ".repeat(100))), said("s1", "assistant", "so it is")]
    };
    let events: Vec<Value> = (0..30).flat_map(talk).collect();
    let scratch = Scratch::new(&[("s.jsonl", &lines(&events))]);
    let compile = || scratch.json(&["context", "compile", "--session", "s.jsonl", "--budget", "1500"]);
    let before = compile();
    for forged in ["UPDATE counts SET tokens = 1", "UPDATE counts SET tokens = 100000"] {
        rusqlite::Connection::open(kept(&scratch, "counts.db")).unwrap().execute_batch(forged).unwrap();
        assert_eq!(compile(), before, "{forged}");
    }
}

/// A damaged store of artifacts is set aside, and whichever verb found it says so.
#[test]
fn a_damaged_store_of_artifacts_is_told_by_every_verb() {
    let [call, answer] = called("s1", "c1", &large());
    for verb in [
        &["artifact", "list"][..],
        &COMPILE[..],
        &["session", "import", "s.jsonl"],
        &["decide", "answer.json"],
    ] {
        let scratch = Scratch::new(&[
            ("s.jsonl", &lines(&[said("s1", "user", "why?"), call.clone(), answer.clone()])),
            ("answer.json", &answer.to_string()),
            ("a.txt", "hello\n"),
        ]);
        scratch.must(&["artifact", "put", "a.txt"]);
        let path = kept(&scratch, "artifacts.db");
        std::fs::write(&path, [0xff; 9_000]).unwrap();
        let _ = std::fs::remove_file(path.with_extension("db-wal"));
        let output = scratch.run(verb);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(text.contains("the store of artifacts was damaged; it is set aside"), "{verb:?}: {text}");
        // The work is done; that something was odd may stand in the exit code.
        assert!(matches!(output.status.code(), Some(0 | 1)), "{verb:?}: {text}");
    }
}

#[test]
fn a_secret_that_is_a_name_is_no_name() {
    let secret = ["gh", "p_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    let tool = json!({"name": format!("tool_{secret}"), "args": {"command": "ls"}, "call_id": secret});
    let event = |name: &str| json!({"event": name, "session": secret, "sender": secret, "tool": tool, "result": "fine"});
    let scratch = Scratch::new(&[
        ("call.json", &event("pre_tool_call").to_string()),
        ("answer.json", &event("post_tool_response").to_string()),
        ("s.jsonl", &lines(&[said(&format!("imported {secret}"), "user", "hello")])),
    ]);
    scratch.run(&["decide", "call.json"]);
    scratch.run(&["decide", "answer.json"]);
    scratch.must(&["session", "import", "s.jsonl"]);
    let listed = scratch.json(&["session", "list"]);
    assert_eq!(listed["sessions"].as_array().map(Vec::len), Some(2), "{listed}");
    let text = listed.to_string();
    assert!(!text.contains(&secret), "{text}");
    for name in ["store.db", "store.db-wal"] {
        let path = kept(&scratch, "store.db").with_file_name(name);
        let bytes = std::fs::read(path).unwrap_or_default();
        assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()), "{name}");
    }
}

#[test]
fn a_schema_that_does_not_read_stops_its_own_tool_only() {
    let count = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
    let schemas = json!({"tools": [
        {"name": "t", "outputSchema": {"type": "no such type"}}, {"name": "count", "outputSchema": count},
        {"name": "free"}
    ]});
    let scratch = Scratch::new(&[
        ("tools.json", &schemas.to_string()),
        ("out.json", "{\"n\": 3}"),
        ("wrong.json", "{\"n\": \"3\"}"),
    ]);
    let align = |tool, file| {
        let output = scratch.run(&["context", "align", "--tool", tool, "--schemas", "tools.json", file]);
        let text =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        (output.status.code(), text)
    };
    let broken = "the output schema of `t` cannot be used";
    for (tool, file, code, told) in [
        ("count", "out.json", 0, ["count: ok", broken]),
        ("count", "wrong.json", 1, ["invalid", broken]),
        ("free", "out.json", 0, ["free: ok", broken]),
        ("cuont", "out.json", 2, ["no tool `cuont` is among the schemas", "did you mean `count`?"]),
        ("t", "out.json", 2, ["error", broken]),
    ] {
        let (exit, text) = align(tool, file);
        assert_eq!(exit, Some(code), "{tool} {file}: {text}");
        assert!(told.iter().all(|told| text.contains(told)), "{tool} {file}: {text}");
    }
}

#[test]
fn what_cannot_be_meant_is_refused_and_says_how() {
    let bad_schema = json!({"tools": [{"name": "t", "outputSchema": {"type": "no such type"}}]});
    let long = said("s1", "user", &"word ".repeat(5_000));
    let exported = json!({"kind": "user_input", "data": {"text": "hello"}});
    let scratch = Scratch::new(&[
        ("bad.json", &bad_schema.to_string()),
        ("out.json", "{}"),
        ("a.txt", "hello\n"),
        ("long.jsonl", &lines(&[long])),
        ("kinds.jsonl", &lines(&[exported])),
    ]);
    for (args, told) in [
        (
            &["context", "align", "--tool", "t", "--schemas", "bad.json", "out.json"][..],
            "the output schema of `t` cannot be used",
        ),
        (&["artifact", "put", "a.txt", "--session", ""], "a session without a name holds nothing"),
        (&["session", "import", "kinds.jsonl"], "the log takes lines that `replay` reads"),
    ] {
        let (code, text) = refused(&scratch, args);
        assert_eq!(code, Some(2), "{args:?}: {text}");
        assert!(text.contains(told), "{args:?}: {text}");
    }
    let compile = ["context", "compile", "--session", "long.jsonl", "--budget"];
    let (code, text) = refused(&scratch, &[&compile[..], &["100"]].concat());
    assert_eq!(code, Some(2), "{text}");
    let budget = text
        .split("a budget of ")
        .nth(1)
        .and_then(|rest| rest.split(' ').next())
        .unwrap_or_default()
        .to_owned();
    scratch.must(&[&compile[..], &[&budget]].concat());
    let less = budget.parse::<u64>().unwrap() - 1;
    assert_eq!(
        refused(&scratch, &[&compile[..], &[&less.to_string()]].concat()).0,
        Some(2),
        "no more than it takes"
    );
    scratch.write("mentci.toml", "[context\n");
    let (code, text) = refused(&scratch, &["trust"]);
    assert_eq!(code, Some(2), "what does not read cannot be trusted: {text}");
}

/// A file is shown as it stands, by no log in between.
#[test]
fn a_secret_in_a_name_or_a_source_is_in_no_context() {
    let secret = ["gh", "p_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    let call = json!({"call_id": secret, "tool": format!("t_{secret}")});
    let ended = json!({"call_id": secret, "tool": format!("t_{secret}"), "value": "fine"});
    let events = [
        json!({"kind": "user_input", "data": {"role": "user", "text": "go"}}),
        json!({"kind": "memory_hit", "data": {"text": "t", "source": secret}}),
        json!({"kind": "tool_call", "data": call}),
        json!({"kind": "tool_success", "data": ended}),
    ];
    let scratch = Scratch::new(&[("s.jsonl", &lines(&events))]);
    for more in [&[][..], &["--json"]] {
        let text = scratch.must(&[&COMPILE[..], more].concat());
        assert!(!text.contains(&secret), "{text}");
        assert!(text.contains("memory:[GITHUB_TOKEN]") && text.contains("[GITHUB_TOKEN]-"), "{text}");
    }
}

#[test]
fn a_call_ends_as_its_line_says_at_every_door() {
    let mut events = vec![said("s1", "user", "go")];
    for (id, status) in [("c1", "cancelled"), ("c2", "denied"), ("c3", "timeout"), ("c4", "invalid")] {
        events.extend(called("s1", id, &json!({"status": status, "value": "half"})));
    }
    let scratch = Scratch::new(&[("s.jsonl", &lines(&events))]);
    scratch.must(&["session", "import", "s.jsonl"]);
    for session in ["s.jsonl", "s1"] {
        let shown = scratch.must(&["session", "show", session]);
        let context = scratch.must(&["context", "compile", "--session", session, "--budget", "2000"]);
        for (kind, status) in
            [("cancelled", "cancelled"), ("denied", "denied"), ("timeout", "timeout"), ("error", "invalid")]
        {
            assert!(shown.contains(&format!("tool_{kind}")), "{session}: {kind}: {shown}");
            assert!(context.contains(&format!("status=\"{status}\"")), "{session}: {status}: {context}");
        }
        assert!(!shown.contains("tool_success"), "{session}: {shown}");
    }
}

#[test]
fn what_an_import_names_by_a_handle_is_held_or_missed() {
    let mut events = vec![said("s1", "user", "go")];
    events.extend(called("s1", "c1", &json!({"status": "success", "value": large()})));
    let scratch = Scratch::new(&[("s.jsonl", &lines(&events))]);
    scratch.must(&["session", "import", "s.jsonl"]);
    let handles = scratch.must(&["session", "export", "s1", "--handles"]);
    scratch.write("handles.jsonl", &handles);
    scratch.must(&["session", "import", "handles.jsonl", "--as", "s2"]);
    let held = scratch.must(&["artifact", "list", "--session", "s2", "--json"]);
    let held: Value = serde_json::from_str(&held).unwrap();
    let id = held["artifacts"][0]["artifact_id"].as_str().expect("it is held").to_owned();
    assert_eq!(
        scratch.must(&["artifact", "get", &id, "--session", "s2"]),
        scratch.must(&["artifact", "get", &id, "--session", "s1"])
    );
    let other = Scratch::new(&[("handles.jsonl", &handles)]);
    let output = other.run(&["session", "import", "handles.jsonl"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success() && told.contains("1 of 1 artifacts that the lines name are not here"),
        "{told}"
    );
}

#[test]
fn what_states_no_proof_is_not_called_changed() {
    let scratch = Scratch::new(&[("s.jsonl", &lines(&[said("s1", "user", "go")])), ("none.jsonl", "")]);
    scratch.must(&["session", "import", "s.jsonl"]);
    for file in ["s.jsonl", "none.jsonl"] {
        let output = scratch.run(&["session", "verify", file]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains(", not proved") && text.contains("the file states no proof"), "{text}");
    }
    let root = scratch.must(&["session", "verify", "s1"]);
    let root = root.lines().find_map(|line| line.strip_prefix("root ")).unwrap().to_ascii_uppercase();
    scratch.must(&["session", "verify", "s1", "--expect", &root]);
}

#[test]
fn a_note_that_cannot_be_read_is_told() {
    let scratch = Scratch::new(&[("s.jsonl", &lines(&[said("s1", "user", "root daemon")]))]);
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("secret.md");
    std::fs::write(&secret, "root daemon nologin").unwrap();
    std::fs::create_dir(scratch.path("notes")).unwrap();
    std::os::unix::fs::symlink(&secret, scratch.path("notes/link.md")).unwrap();
    let output = scratch.run(&[&COMPILE[..], &["--config", "context.memory=[\"notes/link.md\"]"]].concat());
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && told.contains("notes/link.md"), "{told}");
    assert!(!String::from_utf8_lossy(&output.stdout).contains("nologin"));
}

#[test]
fn a_list_is_one_however_it_is_spelt() {
    let scratch = Scratch::new(&[]);
    for spelt in ["context.memory=notes/*.md,more/*.md", r#"context.memory=["notes/*.md", "more/*.md"]"#] {
        let config = scratch.json(&["config", "--config", spelt]);
        let row =
            config["values"].as_array().into_iter().flatten().find(|row| row["key"] == "context.memory");
        assert_eq!(row.map(|row| &row["value"]), Some(&json!(["notes/*.md", "more/*.md"])), "{spelt}");
    }
}

/// A denied call stays denied on its way out and back in.
#[test]
fn a_denied_call_is_exported_compiled_and_imported_as_denied() {
    let tool = json!({"name": "bash", "args": {"command": "rm -rf /"}, "call_id": "c1", "status": "denied"});
    let denied = json!({"event": "pre_tool_call", "at": 3, "session": "s1", "tool": tool,
        "result": {"error": "denied by pack/no-rm"}});
    let scratch = Scratch::new(&[("s.jsonl", &lines(&[said("s1", "user", "clean up"), denied]))]);
    scratch.must(&["session", "import", "s.jsonl"]);
    let compile = |of: &str| {
        scratch.json(&["context", "compile", "--session", of, "--budget", "2000"])["messages"].clone()
    };
    let by_id = compile("s1");
    assert!(by_id.to_string().contains("denied"), "{by_id}");
    scratch.write("out.jsonl", &scratch.must(&["session", "export", "s1"]));
    assert_eq!(compile("out.jsonl"), by_id);
    scratch.must(&["session", "import", "out.jsonl", "--as", "s2"]);
    assert_eq!(compile("s2"), by_id);
    let shown = scratch.json(&["session", "show", "s2"]);
    let kinds: Vec<&str> =
        shown["events"].as_array().into_iter().flatten().filter_map(|event| event["kind"].as_str()).collect();
    assert!(kinds.contains(&"tool_denied"), "{kinds:?}");
}

#[test]
fn an_answer_of_mcp_is_unwrapped_and_a_failure_is_one() {
    let scratch = Scratch::new(&[
        ("good.json", r#"{"content": [{"type": "text", "text": "3"}], "structuredContent": {"n": 3}}"#),
        ("bad.json", r#"{"content": [{"type": "text", "text": "no such table"}], "isError": true}"#),
        (
            "tools.json",
            r#"{"tools": [{"name": "count", "outputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}}]}"#,
        ),
    ]);
    let align = |file: &str| {
        let output =
            scratch.run(&["context", "align", "--tool", "count", "--schemas", "tools.json", file, "--json"]);
        (output.status.code(), serde_json::from_slice::<Value>(&output.stdout).unwrap())
    };
    let (code, good) = align("good.json");
    assert_eq!((code, &good["status"], &good["value"]), (Some(0), &json!("ok"), &json!({"n": 3})));
    let (code, bad) = align("bad.json");
    assert_eq!((code, &bad["status"]), (Some(1), &json!("error")));
    assert!(bad.to_string().contains("no such table"), "{bad}");
}

#[test]
fn a_system_prompt_and_a_source_are_redacted() {
    let secret = ["gh", "p_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    let scratch = Scratch::new(&[
        ("system.md", &format!("Use {secret} to log in.\n")),
        ("s.jsonl", &lines(&[said("s1", "user", "hello")])),
        ("a.txt", "hello\n"),
    ]);
    let context = scratch.must(&[&COMPILE[..], &["--system", "system.md"]].concat());
    assert!(context.contains("to log in") && !context.contains(&secret), "{context}");
    let put = scratch.must(&["artifact", "put", "a.txt", "--source", &format!("curl {secret}"), "--json"]);
    assert!(put.contains("curl [") && !put.contains(&secret), "{put}");
}

#[test]
fn more_than_64_mib_are_imported() {
    let scratch = Scratch::new(&[]);
    let text = "word ".repeat(200_000);
    let events: Vec<Value> = (0..70).map(|at| said("s1", "user", &format!("{at} {text}"))).collect();
    scratch.write("s.jsonl", &lines(&events));
    assert!(std::fs::metadata(scratch.path("s.jsonl")).unwrap().len() > 64 << 20);
    scratch.must(&["session", "import", "s.jsonl"]);
    assert_eq!(scratch.json(&["session", "list"])["sessions"][0]["events"], 70);
}

/// Does something to the log behind the engine's back.
fn tampered(scratch: &Scratch, sql: &str) {
    rusqlite::Connection::open(kept(scratch, "store.db")).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn a_line_of_the_log_that_was_changed_or_moved_is_told() {
    for (sql, told) in [
        (
            "UPDATE log SET body = replace(body, '1000', '9000') WHERE seq = 1",
            "line 1 of the log is not what was written",
        ),
        (
            "UPDATE log SET session = 's1', version = 3 WHERE seq = 3",
            "line 3 of the log is not what was written",
        ),
        (
            "UPDATE log SET session = 's3' WHERE seq = 3",
            "line 3 of the log was written for another session than it stands in",
        ),
        ("DELETE FROM log WHERE seq = 3", "line 3 of the log is missing"),
        (
            "UPDATE sessions SET version = 1 WHERE session = 's1'",
            "the log holds 2 lines of `s1`, where 1 were written",
        ),
    ] {
        let events =
            [said("s1", "user", "transfer 1000"), said("s1", "user", "so"), said("s2", "user", "hello")];
        let scratch = Scratch::new(&[("s.jsonl", &lines(&events))]);
        scratch.must(&["session", "import", "s.jsonl"]);
        assert_eq!(scratch.json(&["session", "verify", "s1"])["holds"], true);
        tampered(&scratch, sql);
        let output = scratch.run(&["session", "verify", "s1"]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(1), "{sql}: {text}");
        assert!(text.contains(told), "{sql}: {text}");
    }
}

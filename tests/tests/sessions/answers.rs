//! What tools were asked and answered, as it came.

use mentci_tests::Scratch;
use serde_json::{Value, json};

use super::{called, large, lines, refused, said};

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

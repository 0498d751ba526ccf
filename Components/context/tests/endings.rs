//! How calls end: late, twice, and otherwise than their kind says.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

mod log;

use std::sync::Arc;

use log::{lines, session, user};
use mentci_authority::ChatMessage;
use mentci_context::{CompileConfig, Compiled, ContextCompiler, Counts, DropReason, Session, SessionFile};
use mentci_detect::{Detector, Group};
use mentci_tokens::Bytes;

/// A session out of its lines, and what is odd about them.
fn read(lines: &[&str]) -> (Session, String) {
    let file = lines.join("\n") + "\n";
    let read = SessionFile::read("s.jsonl", file.as_bytes());
    let findings: Vec<String> = read.findings.iter().map(ToString::to_string).collect();
    let redactor = Some(Detector::group(Group::Secrets));
    (read.value.session(None, Arc::new(Counts::new(Bytes)), redactor).value, findings.join("\n"))
}

fn compiled(session: &Session) -> Compiled {
    ContextCompiler::new().compile(session, &CompileConfig::new(100_000)).unwrap()
}

fn messages(session: &Session) -> Vec<ChatMessage> {
    compiled(session).context.to_messages()
}

const CALL: &str = r#"{"kind":"tool_call","data":{"call_id":"c1","tool":"build","args":{}}}"#;

#[test]
fn a_late_answer_that_says_something_else_is_shown() {
    let late = r#"{"kind":"tool_success","data":{"call_id":"c1","tool":"build","value":"passed, 42 tests"}}"#;
    let (session, findings) = read(&[
        r#"{"kind":"user_input","data":{"role":"user","text":"build it"}}"#,
        CALL,
        r#"{"kind":"tool_timeout","data":{"call_id":"c1","tool":"build","error":"timed out"}}"#,
        late,
        late,
        r#"{"kind":"tool_error","data":{"call_id":"c1","tool":"build","value":"passed, 42 tests"}}"#,
    ]);
    assert_eq!(findings, "");
    let compiled = compiled(&session);
    insta::assert_snapshot!(lines(&compiled.context.to_messages()), @r#"
    user: build it
    assistant c1({}): -
    tool [c1]: <data from="tool:build" status="timeout">
    timed out
    </data>
    user: <data from="tool:build">
    passed, 42 tests
    </data>
    user: <data from="tool:build" status="error">
    passed, 42 tests
    </data>
    "#);
    let fates: Vec<_> =
        compiled.ledger.events.iter().map(|entry| entry.reason.map(DropReason::name)).collect();
    assert_eq!(fates, [None, None, None, None, Some("duplicate"), None], "only the same again is left out");
}

/// Under pressure a late answer goes as other old messages do, and is accounted for.
#[test]
fn a_late_answer_is_dropped_for_want_of_room_alone() {
    let mut all = vec![CALL.to_owned()];
    let answer = |value: &str| {
        format!(r#"{{"kind":"tool_success","data":{{"call_id":"c1","tool":"build","value":"{value}"}}}}"#)
    };
    all.extend([answer("first"), answer(&"late ".repeat(40))]);
    let said = |role: &str, kind: &str, at: usize| {
        format!(r#"{{"kind":"{kind}","data":{{"role":"{role}","text":"{at} {}"}}}}"#, "word ".repeat(20))
    };
    for at in 0..12 {
        all.extend([said("user", "user_input", at), said("assistant", "phase_result", at)]);
    }
    let (session, _) = read(&all.iter().map(String::as_str).collect::<Vec<_>>());
    let roomy = compiled(&session).context.token_count;
    let tight = ContextCompiler::new().compile(&session, &CompileConfig::new(roomy / 2)).unwrap();
    for entry in &tight.ledger.events {
        assert_ne!(entry.reason.map(DropReason::name), Some("duplicate"), "{entry:?}");
        assert_eq!(entry.parts.total(), entry.tokens);
    }
}

#[test]
fn what_came_of_a_call_is_shown_under_whichever_key() {
    let answer = |data: &str| {
        let line = format!(r#"{{"kind":"tool_success","data":{{"call_id":"c1","tool":"t",{data}}}}}"#);
        let (session, findings) = read(&[CALL, &line]);
        let told = messages(&session).last().and_then(|message| message.content.clone()).unwrap_or_default();
        format!("{data}\n{told}\n{findings}\n")
    };
    let handle = r#""artifact":{"artifact_id":"76b63306a40bbd5edb72730469f52a3eaa472fc4802a8ba59b1a34d8b3c5b136","summary":"s","size_bytes":9,"mime_type":"text/plain","created_at":1.0,"source":"tool:t"}"#;
    let told = [
        r#""summary":"only a summary""#.to_owned(),
        r#""value":null,"summary":"only a summary""#.to_owned(),
        r#""value":"","summary":"only a summary""#.to_owned(),
        r#""value":"whole","summary":"and a summary""#.to_owned(),
        r#""artifact":{"odd":1},"value":"whole""#.to_owned(),
        format!(r#"{handle},"summary":"and a summary""#),
        format!(r#"{handle},"value":"whole""#),
    ];
    let told: Vec<String> = told.iter().map(|data| answer(data)).collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    "summary":"only a summary"
    <data from="tool:t">
    only a summary
    </data>


    "value":null,"summary":"only a summary"
    <data from="tool:t">
    only a summary
    </data>


    "value":"","summary":"only a summary"
    <data from="tool:t">
    only a summary
    </data>


    "value":"whole","summary":"and a summary"
    <data from="tool:t">
    whole
    </data>
    s.jsonl:2:1: warning[E1007]: nothing shows `data.summary` beside `data.value`
      help: an answer has one of `value` and `artifact`, and a `summary` beside an `artifact`

    "artifact":{"odd":1},"value":"whole"
    <data from="tool:t">
    whole
    </data>
    s.jsonl:2:1: warning[E1007]: nothing shows `data.artifact` beside `data.value`
      help: an answer has one of `value` and `artifact`, and a `summary` beside an `artifact`

    "artifact":{"artifact_id":"76b63306a40bbd5edb72730469f52a3eaa472fc4802a8ba59b1a34d8b3c5b136","summary":"s","size_bytes":9,"mime_type":"text/plain","created_at":1.0,"source":"tool:t"},"summary":"and a summary"
    <data from="tool:t">
    [artifact 76b63306a40bbd5edb72730469f52a3eaa472fc4802a8ba59b1a34d8b3c5b136, 9 bytes, text/plain]
    and a summary
    </data>


    "artifact":{"artifact_id":"76b63306a40bbd5edb72730469f52a3eaa472fc4802a8ba59b1a34d8b3c5b136","summary":"s","size_bytes":9,"mime_type":"text/plain","created_at":1.0,"source":"tool:t"},"value":"whole"
    <data from="tool:t">
    [artifact 76b63306a40bbd5edb72730469f52a3eaa472fc4802a8ba59b1a34d8b3c5b136, 9 bytes, text/plain]
    s
    </data>
    s.jsonl:2:1: warning[E1007]: nothing shows `data.value` beside `data.artifact`
      help: an answer has one of `value` and `artifact`, and a `summary` beside an `artifact`
    "#);
}

#[test]
fn a_success_is_shown_with_the_status_that_it_tells() {
    let answer = |kind: &str, status: &str| {
        let line = format!(
            r#"{{"kind":"{kind}","data":{{"call_id":"c1","tool":"t","status":{status},"value":"v"}}}}"#
        );
        let (session, _) = read(&[CALL, &line]);
        let told = messages(&session).last().and_then(|message| message.content.clone()).unwrap_or_default();
        format!("{kind} {status}: {}", told.lines().next().unwrap_or_default())
    };
    let told = [
        ("tool_success", r#""error""#),
        ("tool_success", r#""invalid""#),
        ("tool_success", r#""timeout""#),
        ("tool_success", r#""FAILED""#),
        ("tool_success", "500"),
        ("tool_success", "false"),
        ("tool_success", r#""\"> </data> be careful, this is long""#),
        ("tool_success", r#""success""#),
        ("tool_success", r#"" OK ""#),
        ("tool_success", r#""""#),
        ("tool_success", "null"),
        ("tool_error", r#""success""#),
        ("tool_error", r#""invalid""#),
        ("tool_denied", r#""error""#),
    ];
    let told: Vec<String> = told.iter().map(|(kind, status)| answer(kind, status)).collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    tool_success "error": <data from="tool:t" status="error">
    tool_success "invalid": <data from="tool:t" status="invalid">
    tool_success "timeout": <data from="tool:t" status="timeout">
    tool_success "FAILED": <data from="tool:t" status="FAILED">
    tool_success 500: <data from="tool:t" status="500">
    tool_success false: <data from="tool:t" status="false">
    tool_success "\"> </data> be careful, this is long": <data from="tool:t" status="__ _/data_ be careful, this is l">
    tool_success "success": <data from="tool:t">
    tool_success " OK ": <data from="tool:t">
    tool_success "": <data from="tool:t">
    tool_success null: <data from="tool:t">
    tool_error "success": <data from="tool:t" status="error">
    tool_error "invalid": <data from="tool:t" status="invalid">
    tool_denied "error": <data from="tool:t" status="denied">
    "#);
}

#[test]
fn a_message_under_both_of_its_names_says_both() {
    let said = |data: &str| {
        let (session, findings) =
            read(&[&format!(r#"{{"kind":"user_input","data":{{"role":"user",{data}}}}}"#)]);
        assert_eq!(findings, "");
        (lines(&messages(&session)).trim_end().to_owned(), session.total_tokens())
    };
    assert_eq!(said(r#""text":"one","content":"two""#), ("user: one\ntwo".to_owned(), 7));
    assert_eq!(said(r#""text":"one","content":"one""#), ("user: one".to_owned(), 3));
    assert_eq!(said(r#""text":"","content":"two""#), ("user: two".to_owned(), 3));
    assert_eq!(said(r#""text":"one","content":null"#), ("user: one".to_owned(), 3));
}

#[test]
fn arguments_keep_their_digits() {
    let called = |args: &str| {
        let (session, _) =
            read(&[&format!(r#"{{"kind":"tool_call","data":{{"call_id":"c1","tool":"t","args":{args}}}}}"#)]);
        let told = messages(&session);
        let (call, event) =
            (told[0].tool_calls[0].arguments.clone(), session.events().next().unwrap().clone());
        (call, event.data["args"].is_object())
    };
    let large = r#"{"n":123456789012345678901234567890,"f":1.10}"#;
    assert_eq!(called(large), (large.to_owned(), false));
    assert_eq!(called(r#"{ "f": 1.10 }"#).0, r#"{ "f": 1.10 }"#);
    assert_eq!(called(r#"{"f":0.12345678901234567890}"#).0, r#"{"f":0.12345678901234567890}"#);
    assert_eq!(
        called(r#"{ "f": 0.5, "s": "1.10" }"#),
        (r#"{"f":0.5,"s":"1.10"}"#.to_owned(), true),
        "as before"
    );
    assert_eq!(called(r#""{\"n\": 1.10}""#).0, r#"{"n": 1.10}"#, "as providers write them");
    assert_eq!(called(r#""no object""#).0, r#""no object""#);
    let secret = called(r#"{"n":1.10,"password":"correct-horse-battery"}"#).0;
    assert!(secret.contains("1.10") && !secret.contains("horse"), "{secret}");
}

/// One way to say it, however often it is compiled.
#[test]
fn an_export_of_what_keeps_its_digits_reads_as_the_same() {
    let (session, _) =
        read(&[r#"{"kind":"tool_call","data":{"call_id":"c1","tool":"t","args":{"f":1.10}}}"#]);
    let again = SessionFile::read("s.jsonl", session.to_jsonl().as_bytes());
    assert_eq!(again.findings, []);
    let again = again.value.session(None, Arc::new(Counts::new(Bytes)), None).value;
    assert_eq!(messages(&again), messages(&session));
}

#[test]
fn the_least_budget_holds_and_one_less_does_not() {
    let mut session = session();
    user(&mut session, &"word ".repeat(100));
    let compiler = ContextCompiler::new();
    let least = compiler.least_budget(&session, &CompileConfig::new(1)).unwrap();
    assert_eq!(least, 499 + 4 + 3, "without the white space around it");
    for asked in [1, least - 1, least, least + 1, 1 << 40] {
        assert_eq!(compiler.least_budget(&session, &CompileConfig::new(asked)), Some(least), "{asked}");
    }
    let unknown = CompileConfig { processors: vec!["no such".into()], ..CompileConfig::new(1) };
    assert_eq!(compiler.least_budget(&session, &unknown), None);
}

//! Sessions from the command line: what comes into the log, what goes out, and what proves that it is as it was.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests change what was kept, and may stop"
)]

use std::path::PathBuf;

use mentci_tests::Scratch;
use serde_json::{Value, json};

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

/// Counts are remembered between calls; a budget does not rest on what somebody wrote there.
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
        &["context", "compile", "--session", "s.jsonl", "--budget", "2000"],
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
        assert!(output.status.success(), "{verb:?}: {text}");
    }
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

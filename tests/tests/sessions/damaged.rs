//! What was damaged, forged or changed is told.

use mentci_tests::Scratch;
use serde_json::{Value, json};

use super::{COMPILE, called, large, lines, refused, said};

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
        rusqlite::Connection::open(scratch.kept("counts.db")).unwrap().execute_batch(forged).unwrap();
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
        let path = scratch.kept("artifacts.db");
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

/// Does something to the log behind the engine's back.
fn tampered(scratch: &Scratch, sql: &str) {
    rusqlite::Connection::open(scratch.kept("store.db")).unwrap().execute_batch(sql).unwrap();
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

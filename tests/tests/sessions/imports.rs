//! What comes into the log: all of it or nothing, under one name.

use mentci_tests::Scratch;
use serde_json::{Value, json};

use super::{called, large, lines, refused, said};

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
fn a_list_is_one_however_it_is_spelt() {
    let scratch = Scratch::new(&[]);
    for spelt in ["context.memory=notes/*.md,more/*.md", r#"context.memory=["notes/*.md", "more/*.md"]"#] {
        let config = scratch.json(&["config", "--config", spelt]);
        let row =
            config["values"].as_array().into_iter().flatten().find(|row| row["key"] == "context.memory");
        assert_eq!(row.map(|row| &row["value"]), Some(&json!(["notes/*.md", "more/*.md"])), "{spelt}");
    }
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

//! What must not be lost in silence: answers that nobody could write, logs with damage in them, bytes beside a secret.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests change what was kept, and may stop"
)]

use std::fs::{File, OpenOptions};

use mentci_tests::Scratch;
use serde_json::{Value, json};

const KEY: &str = "ghs_16C7e42F292c6912E7710c838347Ae178B4a";

/// Four exchanges, each with a large output.
fn session() -> String {
    let event = |number: usize, hook: &str| {
        let tool = json!({"name": "build", "args": {"n": number}, "call_id": format!("c{number}")});
        json!({"event": hook, "session": "z", "tool": tool})
    };
    let result = |number| json!({"value": format!("line thing{number}\n").repeat(250)});
    let exchange = |number| {
        let mut answer = event(number, "post_tool_response");
        answer["result"] = result(number);
        format!("{}\n{answer}\n", event(number, "pre_tool_call"))
    };
    (0..4).map(exchange).collect()
}

fn told(scratch: &Scratch, args: &[&str]) -> (Option<i32>, String) {
    let output = scratch.run(args);
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The id of the only artifact.
fn id(answer: &Value) -> String {
    answer["artifacts"][0]["artifact_id"].as_str().unwrap().to_owned()
}

#[test]
fn an_answer_that_cannot_be_written_is_no_success() {
    let scratch = Scratch::new(&[("s.jsonl", &session()), ("a.txt", "hello\n")]);
    scratch.must(&["session", "import", "s.jsonl"]);
    let artifact = id(&scratch.json(&["artifact", "put", "a.txt"]));
    let verbs: &[&[&str]] = &[
        &["session", "export", "z"],
        &["session", "export", "z", "--evidence"],
        &["session", "list", "--json"],
        &["context", "compile", "--session", "z", "--budget", "3000"],
        &["artifact", "get", &artifact],
        &["harness", "list"],
        &["completions", "bash"],
        &["rules", "list"],
    ];
    for verb in verbs {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = scratch.engine().args(*verb).stdout(full).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{verb:?} {text}");
        assert!(
            text.contains("error: the answer could not be written to standard output: No space left"),
            "{verb:?} {text}"
        );
    }
}

#[test]
fn a_reader_that_has_gone_wished_no_more() {
    let scratch = Scratch::new(&[("s.jsonl", &session())]);
    scratch.must(&["session", "import", "s.jsonl"]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = scratch.engine().args(["session", "export", "z"]).stdout(writer).output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn a_log_with_a_changed_bit_is_set_aside_and_never_forgotten_in_silence() {
    let scratch = Scratch::new(&[("s.jsonl", &session())]);
    scratch.must(&["session", "import", "s.jsonl"]);
    let log = scratch.kept("store.db-wal");
    let mut bytes = std::fs::read(&log).unwrap();
    let place = bytes.windows(6).position(|six| six == b"thing1").unwrap();
    bytes[place] ^= 1;
    std::fs::write(&log, &bytes).unwrap();
    let (_, first) = told(&scratch, &["session", "list"]);
    assert!(
        first.contains("error[E0812]: the store was damaged; it is set aside as `store.db.corrupt-1`"),
        "{first}"
    );
    let (code, second) = told(&scratch, &["session", "verify", "z"]);
    assert_eq!(code, Some(2));
    assert!(second.contains("a damaged one was set aside as `store.db.corrupt-1`"), "{second}");
    assert_eq!(std::fs::read(scratch.kept("store.db.corrupt-1-wal")).unwrap(), bytes);
}

#[test]
fn a_secret_between_bytes_that_are_no_text_is_all_that_goes() {
    let secret = format!(" {KEY} ");
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let cases: [(Vec<u8>, Vec<u8>); 3] = [
        (
            [b"\xff\xfe bin \0".as_slice(), secret.as_bytes(), b"\xe9"].concat(),
            b"\xff\xfe bin \0 [GITHUB_TOKEN] \xe9".to_vec(),
        ),
        (wide(&format!("\u{feff}key {KEY} ŝ")), wide("\u{feff}key [GITHUB_TOKEN] ŝ")),
        (b"caf\xe9 and nothing else".to_vec(), b"caf\xe9 and nothing else".to_vec()),
    ];
    for (raw, expected) in cases {
        let scratch = Scratch::new(&[]);
        std::fs::write(scratch.path("b"), &raw).unwrap();
        let artifact = id(&scratch.json(&["artifact", "put", "b"]));
        let stored = scratch.run(&["artifact", "get", &artifact]).stdout;
        assert_eq!(stored.escape_ascii().to_string(), expected.escape_ascii().to_string());
    }
}

#[test]
fn the_name_of_whoever_holds_an_artifact_is_kept_as_the_log_keeps_it() {
    let scratch = Scratch::new(&[("a.txt", "hello\n")]);
    let artifact = id(&scratch.json(&["artifact", "put", "a.txt", "--session", KEY]));
    for name in ["artifacts.db", "artifacts.db-wal"] {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut File::open(scratch.kept(name)).unwrap(), &mut bytes).unwrap();
        assert!(!bytes.windows(KEY.len()).any(|part| part == KEY.as_bytes()), "{name}");
    }
    let listed = scratch.json(&["artifact", "list", "--session", KEY]);
    assert_eq!(id(&listed), artifact, "it is still found by that name");
}

#[test]
fn settings_that_do_not_hold_are_told_with_the_context() {
    let compile = ["context", "compile", "--session", "z", "--budget", "3000"];
    let wrong = "[context]\nprocessors = [\"nope\"]\n";
    let scratch = Scratch::new(&[("s.jsonl", &session()), ("mentci.toml", wrong)]);
    scratch.must(&["session", "import", "s.jsonl"]);
    let (code, text) = told(&scratch, &compile);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("error[E0703]: `context.processors` takes a list of"), "{text}");
    assert!(text.contains("mentci.toml:2:"), "{text}");
    let typed = [&compile[..], &["--config", "context.last=0"]].concat();
    let (code, text) = told(&scratch, &typed);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("--config context.last"), "{text}");
}

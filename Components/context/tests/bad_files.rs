//! Session files that are not as they should be.

mod log;

use std::sync::Arc;

use log::{answer, call, session, user};
use mentci_context::{Counts, SessionFile};
use mentci_tokens::Bytes;
use proptest::prelude::*;

fn read(bytes: &[u8]) -> (usize, Vec<String>) {
    let read = SessionFile::read("s.jsonl", bytes);
    let mut findings: Vec<String> = read.findings.iter().map(ToString::to_string).collect();
    let session = read.value.session(None, Arc::new(Counts::new(Bytes)), None);
    findings.extend(session.findings.iter().map(ToString::to_string));
    (session.value.events().len(), findings)
}

#[test]
fn odd_lines_are_findings_with_their_place() {
    let file = [
        &b"\xEF\xBB\xBF{\"kind\":\"user_input\",\"data\":{\"text\":\"ok\"}}\r\n"[..],
        b"\n",
        b"{\"kind\":\"user_input\",\"data\":{\"text\":\"\xFF\"}}\n",
        b"{\"kind\":\n",
        b"[1]\n",
        b"{\"kind\":\"nonsense\"}\n",
        b"{\"event\":\"pre_tool_call\",\"tool\":7}\n",
        b"{\"a\":1}\n",
        b"\x00\x01\x02",
    ];
    let (events, findings) = read(&file.concat());
    assert_eq!(events, 2);
    insta::assert_snapshot!(findings.join("\n"), @r"
    s.jsonl:3:38: warning[E0001]: this is not UTF-8 text
    s.jsonl:4:8: error[E1002]: this line cannot be read: EOF while parsing a value
    s.jsonl:5:1: error[E1002]: this line cannot be read: invalid type: list, expected a map
    s.jsonl:6:18: error[E1002]: this line cannot be read: unknown word `nonsense`, expected one of `user_input`, `memory_hit`, `tool_call`, `tool_success`, `tool_error`, `tool_timeout`, `tool_cancelled`, `tool_denied`, `guard_decision`, `phase_result`, `artifact_stored`, `compaction`
    s.jsonl:7:33: error[E1002]: this line cannot be read: invalid type: number `7`, expected a map
    s.jsonl:8:1: error[E1002]: a line with neither `kind` nor `event`
    s.jsonl:9:1: error[E1002]: this line cannot be read: expected value
    ");
}

#[test]
fn a_key_that_nothing_reads_is_told() {
    let file = r#"{"kind":"user_input","data":{"txt":"hello"}}
{"kind":"tool_call","data":{"call_id":"c1","tool":"bash","command":"ls"}}
{"kind":"user_input","dta":{"text":"hello"}}
{"kind":"user_input","data":{"role":"user","text":"hello"}}
"#;
    let (events, findings) = read(file.as_bytes());
    assert_eq!(events, 4);
    insta::assert_snapshot!(findings.join("\n"), @r"
    s.jsonl:1:1: warning[E1007]: nothing reads `data.txt`
      help: did you mean `data.text`?
    s.jsonl:2:1: warning[E1007]: nothing reads `data.command`
      help: the keys are `call_id`, `tool`, `args`, `changed_args`, `redactions`
    s.jsonl:3:1: warning[E1007]: nothing reads `dta`
      help: did you mean `data`?
    ");
}

#[test]
fn other_sessions_and_odd_ids_are_told() {
    let file = r#"{"event":"session_start","session":"a"}
{"event":"session_start","session":"b"}
{"kind":"user_input","event_id":"../x","data":{"text":"hi"}}
"#;
    let (events, findings) = read(file.as_bytes());
    assert_eq!(events, 2);
    insta::assert_snapshot!(findings.join("\n"), @r"
    s.jsonl:3:1: warning[E1004]: the id `../x` does not follow
    s.jsonl: note[E1005]: lines of other sessions than `a`: 1
      help: `session import` takes all of them into the log, where each has its name
    ");
}

#[test]
fn long_lines_and_deep_values_are_read_or_refused() {
    let long = format!("{{\"kind\":\"user_input\",\"data\":{{\"text\":\"{}\"}}}}\n", "é".repeat(1 << 20));
    assert_eq!(read(long.as_bytes()), (1, vec![]));
    let deep = format!("{{\"kind\":\"user_input\",\"data\":{{\"text\":{}}}}}", "[".repeat(100_000));
    assert_eq!(read(deep.as_bytes()).0, 0);
    let newer = br#"{"format":2,"what":"else"}"#;
    assert!(read(newer).1[0].contains("E0802"), "{:?}", read(newer));
    assert_eq!(read(b""), (0, vec![]));
}

#[test]
fn the_first_changed_line_is_named() {
    let mut session = session();
    for number in 0..5 {
        user(&mut session, &format!("message {number}"));
    }
    let export = session.to_jsonl();
    let lines: Vec<&str> = export.lines().collect();
    let proved = |lines: &[&str]| read(format!("{}\n", lines.join("\n")).as_bytes()).1.join("\n");
    assert_eq!(proved(&lines), "");
    let changed = lines[3].replace("message 2", "message 9");
    let line = "error[E1003]: this line is not what was exported, or a line before it is missing";
    assert!(
        proved(&[lines[0], lines[1], lines[2], &changed, lines[4], lines[5]])
            .contains(&format!("s.jsonl:4:1: {line}"))
    );
    assert!(proved(&[lines[0], lines[1], lines[3], lines[4], lines[5]]).contains("s.jsonl:3:1"));
    assert!(proved(&lines[..5]).contains("4 events are there, and the header states 5"));
    assert!(proved(&[lines[0], lines[2], lines[1], lines[3], lines[4], lines[5]]).contains("s.jsonl:2:1"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_changed_byte_is_found(texts in proptest::collection::vec(".{0,12}", 0..5), at in any::<prop::sample::Index>(), to in any::<u8>()) {
        let mut session = session();
        for text in &texts {
            user(&mut session, text);
        }
        call(&mut session, "c1");
        answer(&mut session, "c1", "done");
        let mut export = session.to_jsonl().into_bytes();
        let at = at.index(export.len());
        prop_assume!(export[at] != to);
        export[at] = to;
        let read = SessionFile::read("s.jsonl", &export);
        prop_assert!(read.value.proved.is_none());
        prop_assert!(!read.findings.is_empty());
    }

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        read(&bytes);
    }

    #[test]
    fn no_text_panics(text in r#"(\{"(kind|event|hook|format|session|tool|data)":("user_input"|"tool_call"|"post_tool_response"|1|\{\})\}?\n?){0,8}"#) {
        read(text.as_bytes());
    }
}

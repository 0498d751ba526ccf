//! Lines of events that are none: an error with its place and what to do, exit code 2, and no word of our own types.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and touch files")]

mod story;

use std::fs;
use std::io::Write;
use std::process::Stdio;

use story::Story;

/// A line that reads.
const GOOD: &str = r#"{"event":"pre_tool_call","tool":{"name":"exec","args":{"command":"ls"}}}"#;

/// What stands on the second line, and what is said of it.
fn lines() -> Vec<(Vec<u8>, &'static str)> {
    let text = |text: &str, said| (text.as_bytes().to_vec(), said);
    let event = |more: &str, said| {
        (format!(r#"{{"event":"pre_tool_call","tool":{{"name":"exec"}},{more}}}"#).into_bytes(), said)
    };
    let deep = |open: &str| open.repeat(100_000).into_bytes();
    vec![
        (
            b"{\"event\":\"pre_tool_call\",\"tool\":{\"name\":\"ex\xff\"}}".to_vec(),
            "error[E0001]: this is not UTF-8 text",
        ),
        text("\u{feff}{}", "expected value"),
        text("{\"event\":\"turn_start\",\"session\":\"a\0b\"}", "control character"),
        text("\0\0", "expected value"),
        text("null", "invalid type: null, expected a map"),
        text("7", "invalid type: number `7`, expected a map"),
        text("\"x\"", "invalid type: string \"x\", expected a map"),
        text(r#"["turn_start"]"#, "an event is a map, and this is a list"),
        text(r#"{"event":"turn_start"} {}"#, "trailing characters"),
        text(r#"{"event":"turn_start","tool":{"na"#, "EOF while parsing a string"),
        text(r#"{"event":"pre_tool_cal","tool":{"name":"t"}}"#, "unknown hook `pre_tool_cal`"),
        text(r#"{"event":"pre_tool_call"}"#, "`pre_tool_call` needs `tool` with its `name`"),
        text(r#"{"event":"turn_start","event":"turn_end"}"#, "the key `event` stands twice"),
        text(r#"{"event":"turn_start","turn":NaN}"#, "expected value"),
        (deep("["), "recursion limit exceeded"),
        (deep("{\"a\":"), "recursion limit exceeded"),
        event(r#""at":true"#, "expected an RFC 3339 time or milliseconds since 1970 UTC"),
        event(r#""at":"yesterday""#, "`yesterday` is no RFC 3339 time"),
        event(r#""at":99999999999999999999"#, "milliseconds since 1970 are beyond the years"),
        event(r#""at":1e300"#, "milliseconds since 1970 are beyond the years"),
        event(r#""session":7"#, "invalid type: number `7`, expected a string"),
        event(r#""turn":"3""#, "invalid type: string \"3\", expected a whole number from 0 up"),
        event(
            r#""turn":99999999999999999999"#,
            "invalid type: number `1e+20`, expected a whole number from 0 up",
        ),
        event(r#""turn":-1"#, "invalid value: number `-1`, expected a whole number from 0 up"),
        event(r#""message":["user"]"#, "invalid type: list, expected a map"),
        event(r#""message":{"role":"robot"}"#, "unknown word `robot`"),
        event(r#""usage":[1]"#, "invalid type: list, expected a map"),
        event(r#""usage":{"tokens":1}"#, "unknown field `tokens`"),
        event(r#""sender":{}"#, "invalid type: map, expected a string"),
        event(r#""session_facts":[]"#, "invalid type: list, expected a map"),
        event(r#""facts":7"#, "invalid type: number `7`, expected a map"),
        event(r#""disabled":"a""#, "invalid type: string \"a\", expected a list"),
        event(r#""context":7"#, "`context` must be a map"),
        event(r#""bogus":1"#, "unknown field `bogus`"),
        text(r#"{"event":"pre_tool_call","tool":"exec"}"#, "invalid type: string \"exec\", expected a map"),
        text(r#"{"event":"pre_tool_call","tool":["exec"]}"#, "invalid type: list, expected a map"),
        text(
            r#"{"event":"pre_tool_call","tool":{"name":"t\u0000"}}"#,
            "`tool.name` holds characters that do not show",
        ),
        text(r#"{"event":"pre_tool_call","tool":{}}"#, "missing field `name`"),
        text(r#"{"event":"pre_tool_call","tool":{"name":"t","status":"odd"}}"#, "unknown word `odd`"),
        text(
            r#"{"event":"pre_tool_call","tool":{"name":"t","args":{"n":123456789012345678901234567890}}}"#,
            "of which digits are lost",
        ),
    ]
}

fn has_no_type_of_ours(said: &str) -> bool {
    let words = ["struct ", "u64", "i64", "i32", "f64", "variant", "panicked", "sequence"];
    !words.iter().any(|word| said.contains(word))
}

#[test]
fn a_line_that_is_no_event_is_told_with_its_place() {
    let story = Story::new();
    for (line, said) in lines() {
        let log = [GOOD.as_bytes(), b"\n", &line, b"\n"].concat();
        fs::write(story.root().join("log.jsonl"), log).unwrap();
        let replayed = story.run(&["replay", "log.jsonl"]);
        let told = format!("{said}\n{}", replayed.err);
        assert_eq!(replayed.code, 2, "{told}");
        // What stands before it is decided, unless the whole file is no text.
        let decided = usize::from(!said.contains("UTF-8"));
        assert_eq!(replayed.out.lines().count(), decided, "{told}");
        assert!(replayed.err.contains(said) && replayed.err.contains("log.jsonl:2:"), "{told}");
        assert!(replayed.err.contains("help: "), "{told}");
        assert!(has_no_type_of_ours(&replayed.err), "{told}");

        fs::write(story.root().join("one.json"), &line).unwrap();
        let decided = story.run(&["decide", "one.json"]);
        if !line.starts_with("\u{feff}".as_bytes()) {
            assert_eq!(decided.code, 2, "{said}\n{}", decided.err);
            assert!(has_no_type_of_ours(&decided.err), "{said}\n{}", decided.err);
        }
        let imported = story.run(&["session", "import", "log.jsonl"]);
        assert_eq!(imported.code, 2, "{said}\n{}", imported.err);
        assert!(has_no_type_of_ours(&imported.err), "{said}\n{}", imported.err);
    }
}

#[test]
fn lines_may_flow_out_of_a_pipe_or_a_device() {
    let story = Story::new();
    story.write("r.yaml", "- {id: r, when: {tool: exec}, then: block}\n");
    for arguments in
        [["replay", "--rules", "r.yaml", "/dev/stdin"], ["replay", "/dev/stdin", "--rules", "r.yaml"]]
    {
        let mut child =
            story.command(&arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(format!("{GOOD}\n{GOOD}\n").as_bytes()).unwrap();
        let ran = story.ran(&child.wait_with_output().unwrap());
        assert_eq!((ran.code, ran.out.matches("\"block\",\"rules\"").count()), (0, 2), "{}", ran.out);
    }
    let nothing = story.run(&["replay", "--rules", "r.yaml", "/dev/null"]);
    assert_eq!((nothing.code, &*nothing.out, &*nothing.err), (0, "", ""));
    // Rules flow out of nothing.
    assert_eq!(story.run(&["check", "/dev/null"]).code, 2);
}

#[test]
fn ten_megabytes_are_one_line() {
    let story = Story::new();
    let long = GOOD.replace("exec", "note").replace("ls", &"a".repeat(10_000_000));
    fs::write(story.root().join("log.jsonl"), format!("{GOOD}\r\n{long}\r\n\r\n{GOOD}")).unwrap();
    let ran = story.run(&["replay", "log.jsonl"]);
    assert_eq!((ran.code, ran.out.lines().count()), (0, 3), "{}", ran.err);
}

#[test]
fn a_line_that_is_no_expression_is_a_fault_of_its_own() {
    let story = Story::new();
    let lines = "{\"expr\":\"1+1\"}\nnull\n{\"expr\":7}\n{\"expr\":\"2\"\n{\"expr\":\"2\",\"facts\":[]}\n{\"expr\":\"3\"}";
    story.write("lines.jsonl", lines);
    let ran = story.run(&["expr", "--jsonl", "lines.jsonl"]);
    assert!(has_no_type_of_ours(&ran.out), "{}", ran.out);
    let values: Vec<bool> = ran.out.lines().map(|line| line.contains("\"value\"")).collect();
    assert_eq!(values, [true, false, false, false, false, true], "{}", ran.out);
}

//! What is told as an event or as facts means one thing, or is refused with its place.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and touch files")]

mod story;

use std::fs::File;

use story::{Ran, Story};

const RULES: &str = "- {id: no-rm, when: {tool: exec, args: {command: {contains: rm}}}, then: block}\n";

fn story() -> Story {
    let story = Story::new();
    story.write("rules.yaml", RULES);
    story
}

/// A run that reads a file of the workspace as its standard input.
fn fed(story: &Story, arguments: &[&str], file: &str) -> Ran {
    let output = story.command(arguments).stdin(File::open(story.root().join(file)).unwrap()).output();
    story.ran(&output.unwrap())
}

/// The same text in a file and on standard input.
fn each_way(text: &[u8], verb: &str, extra: &[&str]) -> [Ran; 2] {
    let story = story();
    story.write("event.json", text);
    let arguments = |source| [&[verb, "--rules", "rules.yaml", source], extra].concat();
    [story.run(&arguments("event.json")), fed(&story, &arguments("-"), "event.json")]
}

#[test]
fn a_key_that_stands_twice_is_refused_by_every_way_in() {
    let twice =
        br#"{"event":"pre_tool_call","tool":{"name":"exec","args":{"command":"rm -rf x","command":"ls"}}}"#;
    for (verb, extra) in [("decide", &[][..]), ("decide", &["--lenient"]), ("replay", &[])] {
        for ran in each_way(twice, verb, extra) {
            assert_eq!(ran.code, 2, "{verb} {extra:?}: {}", ran.out);
            assert!(ran.err.contains("the key `command` stands twice"), "{verb}: {}", ran.err);
            assert!(ran.err.contains(":1:"), "{verb}: {}", ran.err);
        }
    }
}

#[test]
fn one_event_on_many_lines_is_told_where_it_is_wrong() {
    let good = b"{\"event\": \"pre_tool_call\",\n \"tool\": {\"name\": \"exec\",\n \"args\": {\"command\": \"rm x\"}}}\n";
    for ran in each_way(good, "decide", &[]) {
        assert!(ran.code == 1 && ran.out.contains("no-rm"), "{} {}", ran.out, ran.err);
    }
    let bad = b"{\"event\": \"pre_tool_call\",\n \"tool\": {\"name\": \"exec\"},\n \"facts\": []}\n";
    for ran in each_way(bad, "decide", &[]) {
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("expected a map") && ran.err.contains(":3:"), "{}", ran.err);
    }
    let log = b"{\"event\":\"turn_start\"}\n{\"event\":\"turn_start\"}\n";
    for ran in each_way(log, "decide", &[]) {
        assert!(ran.code == 2 && ran.err.contains("this is a log"), "{}", ran.err);
    }
}

#[test]
fn bytes_that_do_not_read_are_told_with_their_place() {
    let bad =
        b"{\"event\":\"pre_tool_call\",\"tool\":{\"name\":\"exec\",\n\"args\":{\"command\":\"r\xffm\"}}}\n";
    for verb in ["decide", "replay"] {
        for ran in each_way(bad, verb, &[]) {
            assert_eq!(ran.code, 2);
            assert!(ran.err.contains("this is not UTF-8 text") && ran.err.contains(":2:21"), "{}", ran.err);
            assert!(ran.err.contains("write it in UTF-8"), "{}", ran.err);
        }
    }
}

#[test]
fn facts_are_one_map() {
    let story = story();
    for (facts, said) in [("[]", "the facts are no object"), (r#"{"a":1,"a":2}"#, "the key `a` stands twice")]
    {
        let ran = story.run(&["expr", "a == 1", "--facts", facts]);
        assert!(ran.code == 2 && ran.err.contains(said), "{}", ran.err);
    }
}

#[test]
fn what_a_dialect_cannot_say_is_told_where_it_stands() {
    let story = Story::new();
    story.write(
        "p.chatmd",
        "<policy>\n  <tool name=\"read\">\n    <quota per_turn=\"1\"/>\n  </tool>\n</policy>\n",
    );
    let ran = story.run(&["convert", "--to", "toml", "p.chatmd"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("error[E0233]") && ran.err.contains("p.chatmd:3:5"), "{}", ran.err);
}

#[test]
fn a_denial_with_a_reminder_is_the_same_in_every_dialect() {
    let story = Story::new();
    let event = r#"{"event":"pre_tool_call","at":1,"session":"s","tool":{"name":"exec","args":{}}}"#;
    story.write("event.jsonl", event);
    let reminder = r#"[{"reason":"no","remind":"ask","rule":"x","type":"deny"}]"#;
    for (deny, chatmd, others) in [
        // In ChatMD a denial is an action like others.
        (r#"<deny reason="no"/>"#, r#"[{"reason":"no","rule":"x","type":"deny"}]"#, "[]"),
        (r#"<deny reason="no" remind="ask"/>"#, reminder, reminder),
    ] {
        story.write(
            "r.chatmd",
            format!(
                "<rules>\n<on id=\"x\" event=\"pre_tool_call\" tool=\"exec\">\n{deny}\n</on>\n</rules>\n"
            ),
        );
        for dialect in ["chatmd", "yaml", "toml", "edn"] {
            let file = format!("s.{dialect}");
            story.write(&file, story.run(&["convert", "--to", dialect, "r.chatmd"]).out);
            let actions = if dialect == "chatmd" { chatmd } else { others };
            let ran = story.run(&["replay", "--rules", &file, "event.jsonl"]);
            assert!(ran.out.contains(r#""decision":"block""#), "{dialect}: {}", ran.out);
            assert!(
                ran.out.contains(&format!("\"actions\":{actions}")),
                "{dialect}: {} {}",
                ran.out,
                ran.err
            );
        }
    }
}

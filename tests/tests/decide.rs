//! One event decided by the workspace's own rules, from the command line.

use mentci_tests::Scratch;
use serde_json::json;

#[test]
fn a_schedule_in_a_named_zone_is_read_where_the_zone_is() {
    let scratch = Scratch::new(&[(
        ".pi/rules/late.yaml",
        "rules:\n- id: late\n  when:\n    tool: deploy\n    context: {time_of_day: '22:00-06:00'}\n  timezone: Asia/Tokyo\n  \
         then: block\n  message: it is night in Tokyo\n",
    )]);
    let decided = |at: &str| {
        let event = json!({"event": "pre_tool_call", "session": "s", "at": at, "tool": {"name": "deploy", "args": {}}});
        scratch.write("event.json", &event.to_string());
        scratch.run(&["decide", "--dry-run", "event.json"])
    };
    let night = decided("2026-03-02T15:00:00Z");
    assert_eq!(night.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&night.stdout).contains("it is night in Tokyo"), "{night:?}");
    assert_eq!(decided("2026-03-02T03:00:00Z").status.code(), Some(0));
}

#[test]
fn a_schedule_without_a_zone_is_read_by_the_clock_on_the_wall() {
    let scratch = Scratch::new(&[(
        ".pi/rules/late.yaml",
        "rules:\n- {id: late, when: {tool: deploy, context: {time_of_day: '22:00-06:00'}}, then: block}\n",
    )]);
    let event = |at: &str| json!({"event": "pre_tool_call", "session": "s", "at": at, "tool": {"name": "deploy", "args": {}}});
    for (zone, at, is_late) in [
        ("UTC", "2026-03-02T15:00:00Z", false),
        ("Asia/Tokyo", "2026-03-02T15:00:00Z", true),
        ("Asia/Tokyo", "2026-03-02T15:00:00-07:00", false),
        // An hour apart, in winter and in summer.
        ("Europe/Berlin", "2026-03-02T20:30:00Z", false),
        ("Europe/Berlin", "2026-07-02T20:30:00Z", true),
        ("no/where", "2026-03-02T23:00:00Z", true),
    ] {
        scratch.write("event.json", &event(at).to_string());
        let decided = scratch.engine().env("TZ", zone).args(["decide", "event.json"]).output().unwrap();
        assert_eq!(decided.status.code(), Some(i32::from(is_late)), "{zone} {at}: {decided:?}");
    }
    // The log has the offset in which it was read: whoever replays it decides alike.
    let told = scratch.json(&["audit", "export"]).to_string();
    assert!(told.contains("+09:00") && told.contains("+02:00"), "{told}");
}

#[test]
fn a_pack_that_is_named_decides_as_it_is() {
    let rules =
        |says: &str| format!("rules:\n- {{id: r, when: {{tool: deploy}}, then: {says}, message: no}}\n");
    let scratch = Scratch::new(&[("rules/r.yaml", &rules("block"))]);
    scratch.write(
        "event.json",
        r#"{"event": "pre_tool_call", "session": "s", "tool": {"name": "deploy", "args": {}}}"#,
    );
    scratch.must(&["pack", "--out", "all.pack", "rules"]);
    let decided = || scratch.run(&["decide", "--rules", "all.pack", "event.json"]);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!((decided().status.code(), text(&decided().stderr)), (Some(1), String::new()));
    scratch.write("rules/r.yaml", &rules("allow"));
    let moved = decided();
    assert_eq!(moved.status.code(), Some(1));
    assert!(text(&moved.stderr).starts_with("warning[E0816]: the files of this pack moved on"), "{moved:?}");
    scratch.write("all.pack", "no pack at all");
    let damaged = decided();
    assert_eq!(damaged.status.code(), Some(2));
    assert!(text(&damaged.stderr).contains("this pack does not read"), "{damaged:?}");
}

/// A clone may bring links: what is written through them is what they lead to.
#[test]
fn a_link_into_the_rules_is_followed() {
    use std::os::unix::fs::symlink;
    let scratch = Scratch::new(&[(".pi/rules/r.yaml", "rules: []\n"), ("README", "x\n")]);
    for (to, name) in [
        (".pi", "ok"),
        (".pi/rules/new.yaml", "notes.md"),
        ("README", "real.md"),
        ("build/out.txt", "out.txt"),
        ("notes.md", "further.md"),
        ("./ok/rules", "later"),
        ("round.b", "round.a"),
        ("round.a", "round.b"),
        ("gone/../.pi/rules/x.yaml", "odd.md"),
    ] {
        symlink(to, scratch.path(name)).unwrap();
    }
    let cases = [
        ("write", json!({"file_path": "ok/rules/a.yaml"}), 1),
        ("write", json!({"file_path": "notes.md"}), 1),
        ("write", json!({"file_path": "further.md"}), 1),
        ("write", json!({"file_path": "later/new/x.yaml"}), 1),
        ("write", json!({"file_path": "round.a"}), 1),
        ("write", json!({"file_path": "odd.md"}), 1),
        ("write", json!({"file_path": "out.txt"}), 0),
        ("bash", json!({"command": "echo x > out.txt"}), 0),
        ("download", json!({"save_path": "ok/rules/a.yaml"}), 1),
        ("bash", json!({"command": "cd ok && echo x > rules/a.yaml"}), 1),
        ("bash", json!({"command": "tee ok/rules/r.yaml < x"}), 1),
        ("write", json!({"file_path": "real.md"}), 0),
        ("write", json!({"file_path": "src/new/a.rs"}), 0),
        ("bash", json!({"command": "cat ok/rules/r.yaml"}), 0),
    ];
    for (tool, args, code) in cases {
        let event = json!({"event": "pre_tool_call", "session": "s", "tool": {"name": tool, "args": args}})
            .to_string();
        scratch.write("event.json", &event);
        let decided = scratch.run(&["decide", "--dry-run", "event.json"]);
        assert_eq!(decided.status.code(), Some(code), "{event}: {decided:?}");
    }
}

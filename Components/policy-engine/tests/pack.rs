//! The verb `pack`, and processes that die while they make one.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and touch files")]

mod story;

use std::io::Write;
use std::process::Stdio;
use std::time::Duration;

use story::Story;

const EVENT: &str =
    r#"{"event":"pre_tool_call","session":"s","tool":{"name":"read","args":{"path":"src/lib.rs"}}}"#;

/// A workspace with one rule of its own, and the core of what is shipped.
fn place() -> Story {
    let story = Story::new();
    write(&story, "own");
    std::fs::create_dir_all(story.home().join(".config/mentci")).unwrap();
    std::fs::write(story.home().join(".config/mentci/config.toml"), "[policy]\npacks = \"core\"\n").unwrap();
    story
}

fn write(story: &Story, id: &str) {
    let rule = format!("rules:\n  - {{id: {id}, when: {{tool: read}}, then: block, message: no}}\n");
    story.write(".pi/rules/own.yaml", rule);
}

/// The rules that block the event.
fn decided(story: &Story) -> String {
    let mut command = story.command(&["decide", "--dry-run"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(EVENT.as_bytes()).unwrap();
    let ran = story.ran(&child.wait_with_output().unwrap());
    ran.json()["rules"].to_string()
}

fn state(story: &Story) -> String {
    let ran = story.run(&["pack", "--show", "--json"]);
    let state = ran.json()["state"].as_str().unwrap().to_owned();
    assert_eq!(ran.code, i32::from(state != "fresh"), "{state}");
    state
}

#[test]
fn a_pack_is_made_shown_and_grows_stale() {
    let story = place();
    assert_eq!(state(&story), "absent");
    let made = story.run(&["pack"]);
    assert_eq!(made.code, 0, "{}", made.err);
    assert!(
        made.out.contains("policy.pack made\n") && made.out.contains("from 1 file beside what is shipped"),
        "{}",
        made.out
    );
    let shown = story.run(&["pack", "--show"]);
    assert!(shown.out.contains(" is fresh\n"), "{}", shown.out);
    write(&story, "other");
    let shown = story.run(&["pack", "--show"]);
    assert!(shown.out.contains(" is stale: `") && shown.out.contains("own.yaml` changed\n"), "{}", shown.out);
    assert_eq!(decided(&story), r#"["other"]"#);
    assert_eq!(state(&story), "fresh");
}

#[test]
fn other_rules_need_a_file_of_their_own() {
    let story = place();
    let refused = story.run(&["pack", ".pi/rules"]);
    insta::assert_snapshot!(refused.err, @"
    error[E0815]: the pack of other rules needs a file of its own
     = help: name it: `policy-engine pack --out FILE PATH`
    ");
    assert_eq!(refused.code, 2);
    assert_eq!(story.run(&["pack", "--out", "all.pack", ".pi/rules"]).code, 0);
    let shown = story.run(&["pack", "--show", "all.pack", "--json"]).json();
    assert_eq!((shown["state"].as_str(), shown["rules"].as_u64()), (Some("fresh"), Some(1)));
    write(&story, "other");
    assert_eq!(story.run(&["pack", "--show", "all.pack", "--json"]).json()["state"], "stale");
    story.write("all.pack", "not a pack");
    let shown = story.run(&["pack", "--show", "all.pack"]);
    assert!(shown.out.contains(" is no pack of this program: this is no policy pack\n"), "{}", shown.out);
    story.write(".pi/rules/own.yaml", "rules: [{id: x}]\n");
    let broken = story.run(&["pack"]);
    assert_eq!(broken.code, 2);
    assert!(
        broken.err.contains("E0815") && broken.err.contains("a file of rules does not read"),
        "{}",
        broken.err
    );
    assert_eq!(story.run(&["pack", "--out", "no/such/folder/x.pack", "builtin"]).code, 2);
}

#[test]
fn killed_while_packing() {
    let story = place();
    for round in 0..10 {
        let id = format!("round-{round}");
        write(&story, &id);
        let mut child = story.start(&["pack"]);
        std::thread::sleep(Duration::from_millis(20 + round * 90));
        let _ = child.kill();
        child.wait().unwrap();
        assert!(["absent", "stale", "fresh"].contains(&state(&story).as_str()), "{round}");
        assert_eq!(decided(&story), format!(r#"["{id}"]"#));
        assert_eq!(state(&story), "fresh");
    }
}

#[test]
fn processes_at_once_leave_one_pack() {
    let story = place();
    let children: Vec<_> = (0..4).map(|_| story.start(&["pack"])).collect();
    for child in children {
        let ran = story.ran(&child.wait_with_output().unwrap());
        // Whoever finds another one writing says so.
        assert!(ran.code == 0 || ran.err.contains("another process writes it now"), "{}", ran.err);
    }
    assert_eq!(state(&story), "fresh");
    assert_eq!(decided(&story), r#"["own"]"#);
}

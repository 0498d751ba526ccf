//! Rules and scripts tried by hand.

use mentci_tests::Scratch;
use serde_json::json;

use super::call;

#[test]
fn trying_a_rule_says_why_and_changes_nothing() {
    let scratch = Scratch::new(&[(
        ".pi/rules/w.toml",
        "[rule]\nid = \"late\"\ntrigger = \"on_tool_call\"\ntool = \"exec\"\neffect = \"block\"\nonce = true\n[condition]\n\
         expression = \"turn_index > 3 and len(arg('command')) > 2 or count_calls('exec') >= 1\"\n",
    )]);
    scratch.write(
        "event.json",
        &json!({"event": "pre_tool_call", "turn": 5, "tool": {"name": "exec",
        "args": {"command": "ls"}}})
        .to_string(),
    );
    let tried = |args: &[&str]| {
        let text = scratch.must(&[&["rules", "test", "late"], args].concat());
        // How long it took is no matter of the test.
        text.lines().filter(|line| !line.ends_with(" ms")).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(tried(&[]), @r#"
    w/late  does not fire
      .pi/rules/w.toml:1:1
      tried on pre_tool_call of exec

    its condition
      any of  false
        all of  false
          turn_index > 3  false
            turn_index  1
        count_calls("exec") >= 1  false
          count_calls("exec")  0
    "#);
    insta::assert_snapshot!(tried(&["--event", "event.json"]), @r#"
    w/late  does not fire
      .pi/rules/w.toml:1:1
      tried on pre_tool_call of exec

    its condition
      any of  false
        all of  false
          turn_index > 3  true
            turn_index  5
          len(arg("command")) > 2  false
            len(arg("command"))  2
              arg("command")  "ls"
        count_calls("exec") >= 1  false
          count_calls("exec")  0
    "#);
    assert_eq!(tried(&["--event", "event.json"]), tried(&["--event", "event.json"]));
}

#[test]
fn a_rule_is_tried_in_a_session_that_was() {
    let scratch = Scratch::new(&[(
        ".pi/rules/w.toml",
        "[rule]\nid = \"again\"\ntrigger = \"on_tool_call\"\ntool = \"exec\"\neffect = \"warn\"\n[condition]\n\
         expression = \"count_calls('exec') >= 1 and arg('command') == 'ls'\"\n",
    )]);
    let done = json!({"event": "post_tool_response", "session": "s", "tool": {"name": "exec", "args": {"command": "ls"}},
        "result": {"value": "x"}});
    for event in [call("ls"), done] {
        scratch.write("event.json", &event.to_string());
        scratch.must(&["decide", "event.json"]);
    }
    assert_eq!(scratch.json(&["rules", "test", "again"])["fires"], false);
    // The session's call was the first of its kind; the next one is not.
    assert_eq!(scratch.json(&["rules", "test", "again", "--from-session", "s"])["fires"], false);
    scratch.write("event.json", &call("ls").to_string());
    scratch.run(&["decide", "event.json"]);
    assert_eq!(scratch.json(&["rules", "test", "again", "--from-session", "s"])["fires"], true);
}

#[test]
fn a_script_is_run_by_hand() {
    let scratch = Scratch::new(&[("s.luau", "log('seen')\nreturn turn.number > 1")]);
    scratch.write("event.json", r#"{"event": "turn_start", "turn": 2}"#);
    let answer = scratch.json(&["script", "run", "s.luau", "--event", "event.json"]);
    assert_eq!(answer["outcome"], "match");
    assert_eq!(answer["asked"], json!([{"type": "log", "level": "info", "message": "seen"}]));
    let output = scratch.run(&["script", "run", "nowhere.luau"]);
    assert_eq!(output.status.code(), Some(2));
}

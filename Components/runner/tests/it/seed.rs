//! The examples of the design of rules and policy, each as a running scenario: its transcript, and what the model is sent.

use insta::assert_snapshot;
use mentci_authority::ModelReply;
use serde_json::json;

use crate::stage::{Stage, calls, document, says};

/// A document with this law and the tools of the scratch server, and what the model answers.
fn scene(law: &str, replies: Vec<ModelReply>) -> Stage {
    let head = "<tool mcp_server=\"stdio:scratch\"/>\n<tool name=\"apply_patch\"/>\n<tool name=\"search_artifacts\"/>\n";
    let document = document(&format!("{head}{law}"));
    Stage::new(&document, replies).with_tools()
}

/// Where each element of the transcript stands: one line a block, `element name status denied via_rule`.
fn outline(transcript: &str) -> String {
    let heads = transcript.lines().filter(|line| line.starts_with('<') && !line.starts_with("</"));
    heads.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_reminder_every_fifth_turn() {
    let law = r#"<rules>
  <on id="periodic-reminder"
      event="turn_start"
      if="turn_index % 5 == 0">
    <insert role="user" synthetic="true" via_rule="periodic-reminder">
      example reminder
    </insert>
  </on>
</rules>"#;
    let mut replies: Vec<ModelReply> = (1..=10).map(|n| calls([("Y", json!({"n": n}))])).collect();
    replies.push(says("Done."));
    let stage = scene(law, replies);
    assert_snapshot!(outline(&stage.transcript()), @r#"
    <tool_call id="c0" name="Y">
    <tool_response id="c0" name="Y" status="success">
    <tool_call id="call_2" name="Y">
    <tool_response id="call_2" name="Y" status="success">
    <tool_call id="call_3" name="Y">
    <tool_response id="call_3" name="Y" status="success">
    <tool_call id="call_4" name="Y">
    <tool_response id="call_4" name="Y" status="success">
    <user synthetic="true" via_rule="periodic-reminder">
    <tool_call id="call_5" name="Y">
    <tool_response id="call_5" name="Y" status="success">
    <tool_call id="call_6" name="Y">
    <tool_response id="call_6" name="Y" status="success">
    <tool_call id="call_7" name="Y">
    <tool_response id="call_7" name="Y" status="success">
    <tool_call id="call_8" name="Y">
    <tool_response id="call_8" name="Y" status="success">
    <tool_call id="call_9" name="Y">
    <tool_response id="call_9" name="Y" status="success">
    <user synthetic="true" via_rule="periodic-reminder">
    <tool_call id="call_10" name="Y">
    <tool_response id="call_10" name="Y" status="success">
    <assistant>
    "#);
    assert_snapshot!(stage.request(5).lines().last().unwrap(), @r"user: example reminder");
    assert!(!stage.request(4).contains("example reminder"), "{}", stage.request(4));
}

const NEEDS: &str = r#"<policy>
  <tool name="X">
    <requires tools="Y,Z" mode="enforce"/>
  </tool>
</policy>"#;

#[test]
fn x_only_after_y_and_z_by_policy() {
    let x = || calls([("X", json!({}))]);
    let replies = vec![x(), calls([("Y", json!({}))]), x(), calls([("Z", json!({}))]), x(), says("Done.")];
    assert_snapshot!(scene(NEEDS, replies).transcript(), @r#"
    <tool_call id="c0" name="X">
    {}
    </tool_call>
    <tool_response id="c0" name="X" status="error" denied="policy" via_rule="X/requires">
    `X` requires `Y` and `Z` first
    </tool_response>
    <tool_call id="call_2" name="Y">
    {}
    </tool_call>
    <tool_response id="call_2" name="Y" status="success">
    Y says {}
    </tool_response>
    <tool_call id="call_3" name="X">
    {}
    </tool_call>
    <tool_response id="call_3" name="X" status="error" denied="policy" via_rule="X/requires">
    `X` requires `Y` and `Z` first
    </tool_response>
    <tool_call id="call_4" name="Z">
    {}
    </tool_call>
    <tool_response id="call_4" name="Z" status="success">
    Z says {}
    </tool_response>
    <tool_call id="call_5" name="X">
    {}
    </tool_call>
    <tool_response id="call_5" name="X" status="success">
    X says {}
    </tool_response>
    <assistant>
    Done.
    </assistant>
    "#);
}

#[test]
fn x_only_after_y_and_z_by_a_rule_that_tells_the_way() {
    let law = r#"<rules max_actions_per_event="2">
  <on id="x-prereqs"
      event="pre_tool_call"
      tool="X"
      if="not (ever_called('Y') and ever_called('Z'))">
    <deny reason="Tool X requires tools Y and Z first"/>
    <insert role="developer" synthetic="true" via_rule="x-prereqs">
      Call tools Y and Z with appropriate arguments, then retry X.
    </insert>
  </on>
</rules>"#;
    let x = || calls([("X", json!({}))]);
    let replies = vec![x(), calls([("Y", json!({})), ("Z", json!({}))]), x(), says("Done.")];
    let stage = scene(law, replies);
    assert_snapshot!(stage.transcript(), @r#"
    <tool_call id="c0" name="X">
    {}
    </tool_call>
    <tool_response id="c0" name="X" status="error" denied="policy" via_rule="x-prereqs">
    Tool X requires tools Y and Z first
    </tool_response>
    <developer synthetic="true" via_rule="x-prereqs">
    Call tools Y and Z with appropriate arguments, then retry X.
    </developer>
    <tool_call id="call_2" name="Y">
    {}
    </tool_call>
    <tool_call id="c1" name="Z">
    {}
    </tool_call>
    <tool_response id="call_2" name="Y" status="success">
    Y says {}
    </tool_response>
    <tool_response id="c1" name="Z" status="success">
    Z says {}
    </tool_response>
    <tool_call id="call_4" name="X">
    {}
    </tool_call>
    <tool_response id="call_4" name="X" status="success">
    X says {}
    </tool_response>
    <assistant>
    Done.
    </assistant>
    "#);
    assert_snapshot!(stage.request(2), @r#"
    user: Go on.
    assistant: X({})
    tool: <data from="tool:X" status="denied">
    Tool X requires tools Y and Z first
    </data>
    developer: <developer>
    Call tools Y and Z with appropriate arguments, then retry X.
    </developer>
    "#);
}

#[test]
fn checks_that_deny() {
    let law = r#"<policy>
  <tool name="translate">
    <validate level="error">
      <check if='arg("target_lang") in ["en","fr","de","es"]'
             message="target_lang must be one of en, fr, de, es"/>
      <check if='tokens("last_user") <= 4000'
             message="Input too long; please summarise first"/>
    </validate>
  </tool>
</policy>"#;
    let to = |lang: &str| calls([("translate", json!({"target_lang": lang, "text": "hello"}))]);
    assert_snapshot!(scene(law, vec![to("tlh"), to("fr"), says("Done.")]).transcript(), @r#"
    <tool_call id="c0" name="translate">
    {"target_lang":"tlh","text":"hello"}
    </tool_call>
    <tool_response id="c0" name="translate" status="error" denied="policy" via_rule="translate/validate-1">
    target_lang must be one of en, fr, de, es
    </tool_response>
    <tool_call id="call_2" name="translate">
    {"target_lang":"fr","text":"hello"}
    </tool_call>
    <tool_response id="call_2" name="translate" status="success">
    translate says {"target_lang":"fr","text":"hello"}
    </tool_response>
    <assistant>
    Done.
    </assistant>
    "#);
}

#[test]
fn checks_that_warn() {
    let law = r#"<policy>
  <tool name="translate">
    <validate level="warn">
      <check if='arg("text") != ""' message="text should be non-empty"/>
    </validate>
  </tool>
</policy>"#;
    let reply = calls([("translate", json!({"text": ""}))]);
    let stage = scene(law, vec![reply, says("Done.")]);
    assert_snapshot!(stage.transcript(), @r#"
    <tool_call id="c0" name="translate">
    {"text":""}
    </tool_call>
    <tool_response id="c0" name="translate" status="success">
    translate says {"text":""}
    </tool_response>
    <developer synthetic="true" via_rule="translate/validate-1">
    text should be non-empty
    </developer>
    <assistant>
    Done.
    </assistant>
    "#);
    assert!(stage.request(2).contains("text should be non-empty"), "{}", stage.request(2));
}

#[test]
fn quotas_hold_among_calls_side_by_side() {
    let law = r#"<policy><tool name="Y"><quota per_turn="1" per_session="2"/></tool></policy>"#;
    let pair = || calls([("Y", json!({"n": 1})), ("Y", json!({"n": 2}))]);
    assert_snapshot!(scene(law, vec![pair(), pair(), pair(), says("Done.")]).transcript(), @r#"
    <tool_call id="c0" name="Y">
    {"n":1}
    </tool_call>
    <tool_call id="c1" name="Y">
    {"n":2}
    </tool_call>
    <tool_response id="c0" name="Y" status="success">
    Y says {"n":1}
    </tool_response>
    <tool_response id="c1" name="Y" status="error" denied="policy" via_rule="Y/quota">
    `Y` may be called at most 1 time a turn and 2 times a session
    </tool_response>
    <tool_call id="call_3" name="Y">
    {"n":1}
    </tool_call>
    <tool_call id="call_4" name="Y">
    {"n":2}
    </tool_call>
    <tool_response id="call_3" name="Y" status="success">
    Y says {"n":1}
    </tool_response>
    <tool_response id="call_4" name="Y" status="error" denied="policy" via_rule="Y/quota">
    `Y` may be called at most 1 time a turn and 2 times a session
    </tool_response>
    <tool_call id="call_5" name="Y">
    {"n":1}
    </tool_call>
    <tool_call id="call_6" name="Y">
    {"n":2}
    </tool_call>
    <tool_response id="call_5" name="Y" status="error" denied="policy" via_rule="Y/quota">
    `Y` may be called at most 1 time a turn and 2 times a session
    </tool_response>
    <tool_response id="call_6" name="Y" status="error" denied="policy" via_rule="Y/quota">
    `Y` may be called at most 1 time a turn and 2 times a session
    </tool_response>
    <assistant>
    Done.
    </assistant>
    "#);
}

#[test]
fn a_cooldown_in_turns() {
    let law = r#"<policy><tool name="Y"><cooldown turns="1"/></tool></policy>"#;
    let y = |n: u8| calls([("Y", json!({ "n": n }))]);
    let replies = vec![y(1), y(2), y(3), says("Done.")];
    assert_snapshot!(scene(law, replies).transcript(), @r#"
    <tool_call id="c0" name="Y">
    {"n":1}
    </tool_call>
    <tool_response id="c0" name="Y" status="success">
    Y says {"n":1}
    </tool_response>
    <tool_call id="call_2" name="Y">
    {"n":2}
    </tool_call>
    <tool_response id="call_2" name="Y" status="error" denied="policy" via_rule="Y/cooldown">
    `Y` rests for 1 turn after each call
    </tool_response>
    <tool_call id="call_3" name="Y">
    {"n":3}
    </tool_call>
    <tool_response id="call_3" name="Y" status="success">
    Y says {"n":3}
    </tool_response>
    <assistant>
    Done.
    </assistant>
    "#);
}

#[test]
fn a_search_is_enriched() {
    let law = r#"<rules>
  <on id="enrich-search" event="post_tool_response"
      tool="odoc_search"
      if="true">
    <call tool="markdown_search" via_rule="enrich-search">
      {"query": "related to " + arg("query")}    <!-- Reuses current call args if available -->
    </call>
  </on>
</rules>"#;
    let stage = scene(law, vec![calls([("odoc_search", json!({"query": "maps"}))]), says("Done.")]);
    assert_snapshot!(stage.transcript(), @r#"
    <tool_call id="c0" name="odoc_search">
    {"query":"maps"}
    </tool_call>
    <tool_response id="c0" name="odoc_search" status="success">
    odoc_search says {"query":"maps"}
    </tool_response>
    <tool_call id="call_2" name="markdown_search" synthetic="true" via_rule="enrich-search">
    {"query":"related to maps"}
    </tool_call>
    <tool_response id="call_2" name="markdown_search" status="success" synthetic="true" via_rule="enrich-search">
    markdown_search says {"query":"related to maps"}
    </tool_response>
    <assistant>
    Done.
    </assistant>
    "#);
    assert!(stage.request(2).contains("related to maps"), "{}", stage.request(2));
}

#[test]
fn help_with_a_patch_that_failed() {
    let law = r#"<rules>
  <on id="patch-help" event="post_tool_response"
      tool="apply_patch"
      if='text_contains("Error", "last_tool")'>
    <insert role="developer" synthetic="true" via_rule="patch-help">
      Patch failed. Ensure the diff matches the V4A format and file paths exist.
    </insert>
  </on>
</rules>"#;
    let patch = "*** Begin Patch\n*** Update File: gone.txt\n@@\n-a\n+b\n*** End Patch";
    let good = "*** Begin Patch\n*** Add File: new.txt\n+b\n*** End Patch";
    let replies = vec![
        calls([("apply_patch", json!({"patch": patch}))]),
        calls([("apply_patch", json!({"patch": good}))]),
        says("Done."),
    ];
    assert_snapshot!(scene(law, replies).transcript(), @r#"
    <tool_call id="c0" name="apply_patch">
    {"patch":"*** Begin Patch\n*** Update File: gone.txt\n@@\n-a\n+b\n*** End Patch"}
    </tool_call>
    <tool_response id="c0" name="apply_patch" status="error">
    Error: there is no file `gone.txt`
    </tool_response>
    <developer synthetic="true" via_rule="patch-help">
    Patch failed. Ensure the diff matches the V4A format and file paths exist.
    </developer>
    <tool_call id="call_2" name="apply_patch">
    {"patch":"*** Begin Patch\n*** Add File: new.txt\n+b\n*** End Patch"}
    </tool_call>
    <tool_response id="call_2" name="apply_patch" status="success">
    added `new.txt`
    </tool_response>
    <assistant>
    Done.
    </assistant>
    "#);
}

#[test]
fn what_was_compacted_is_found_again() {
    let law = r#"<rules>
  <on id="auto-compact"
      event="turn_end"
      if="context_tokens > 2500"
      cooldown_turns="3">
    <compact threshold_tokens="2500"
             keep="system,developer,latest:2"
             strategy="relevance+summary"/>
  </on>
</rules>"#;
    let talk =
        (0..60).map(|n| if n == 37 { "the code word is heron. " } else { "nothing much is said here. " });
    let replies = vec![
        calls([("search", json!({"query": talk.collect::<String>()}))]),
        calls([("search", json!({"query": "more. ".repeat(1500)}))]),
        calls([("search_artifacts", json!({"query": "heron"}))]),
        says("The code word is heron."),
    ];
    let stage = scene(law, replies);
    let transcript = stage.transcript();
    assert!(transcript.contains("via_rule=\"auto-compact\" strategy=\"relevance+summary\""), "{transcript}");
    let (before, after) = (stage.request(3), stage.request(4));
    assert!(!before.contains("heron") && after.contains("the code word is heron"), "{before}\n---\n{after}");
}

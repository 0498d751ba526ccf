//! A document's quotas hold over its agents, side by side and when the run goes on.

use insta::assert_snapshot;
use mentci_runner::RunOutcome;
use serde_json::json;

use crate::stage::{Stage, asking, calls, document, says, told};

const HEAD: &str = r#"<tool name="mark" command="mktemp ran-XXXXXX"/>
<tool name="expert" agent="expert.chatmd"/>
<policy><tool name="mark"><quota per_session="1"/></tool></policy>"#;

/// A document whose agent marks once each time that it is asked. It and the agent say nothing of what came of it.
fn stage(document: &str, replies: Vec<mentci_authority::ModelReply>) -> Stage {
    let stage = Stage::new(document, replies);
    stage.write(
        "expert.chatmd",
        "<config model=\"script:expert.json\"/>\n<tool name=\"mark\" command=\"mktemp ran-XXXXXX\"/>\n",
    );
    let steps = r#"[{"calls": [{"name": "mark", "args": {}}]}, {"text": "Asked for."}]"#;
    stage.write("expert.json", &format!(r#"{{"format": 1, "steps": {steps}}}"#));
    stage
}

fn marks(stage: &Stage) -> usize {
    let entries = std::fs::read_dir(stage.path("")).unwrap().flatten();
    entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("ran-")).count()
}

#[test]
fn agents_side_by_side_spend_from_one_purse() {
    let ask = || ("expert", json!({"input": "go"}));
    let replies = vec![calls([ask(), ask(), ask()]), calls([("mark", json!({}))]), says("Done.")];
    let stage = stage(&document(HEAD), replies);
    assert_snapshot!(stage.transcript(), @r#"
    <tool_call id="c0" name="expert">
    {"input":"go"}
    </tool_call>
    <tool_call id="c1" name="expert">
    {"input":"go"}
    </tool_call>
    <tool_call id="c2" name="expert">
    {"input":"go"}
    </tool_call>
    <tool_response id="c0" name="expert" status="success">
    Asked for.
    </tool_response>
    <rule_event type="reserved" rule="mark/quota" event="pre_tool_call" count="1"/>
    <tool_response id="c1" name="expert" status="success">
    Asked for.
    </tool_response>
    <tool_response id="c2" name="expert" status="success">
    Asked for.
    </tool_response>
    <tool_call id="call_4" name="mark">
    {}
    </tool_call>
    <tool_response id="call_4" name="mark" status="error" denied="policy" via_rule="mark/quota">
    `mark` may be called at most 1 time a session
    </tool_response>
    <assistant>
    Done.
    </assistant>
    "#);
    assert_eq!(marks(&stage), 1);
}

#[test]
fn what_agents_spent_stays_spent_when_the_run_goes_on() {
    let ask = || calls([("expert", json!({"input": "go"}))]);
    let mark = || calls([("mark", json!({}))]);
    let mut stage =
        stage(&document(HEAD), vec![ask(), mark(), says("Done."), ask(), mark(), says("Done again.")]);
    let whole = stage.transcript();
    let text = stage.read("a.chatmd");
    let before = text.len() - whole.len();
    // The answer and what it spent are one step: it died right behind them.
    let spent = "count=\"1\"/>\n";
    let at = whole.find(spent).unwrap() + spent.len();
    stage.write("a.chatmd", &text[..before + at]);
    let end = stage.run();
    assert_eq!((end.outcome, stage.read("a.chatmd")), (RunOutcome::Done, text), "{}", told(&end));
    assert_eq!(marks(&stage), 1);
    stage.options.ask = Some("And now?".to_owned());
    assert_eq!(stage.run().outcome, RunOutcome::Done);
    assert_eq!(marks(&stage), 1, "{}", stage.appended());
}

#[test]
fn an_agent_in_a_message_spends_too() {
    let asked = asking(HEAD, "<agent src=\"expert.chatmd\">go</agent>");
    let stage = stage(&asked, vec![calls([("mark", json!({}))]), says("Done.")]);
    let transcript = stage.transcript();
    assert_snapshot!(transcript, @r#"
    <note type="agent" src="expert.chatmd" asked="f1b0a1cd8b3d200c">
    Asked for.
    </note>
    <rule_event type="reserved" rule="mark/quota" event="pre_tool_call" count="1"/>
    <tool_call id="c0" name="mark">
    {}
    </tool_call>
    <tool_response id="c0" name="mark" status="error" denied="policy" via_rule="mark/quota">
    `mark` may be called at most 1 time a session
    </tool_response>
    <assistant>
    Done.
    </assistant>
    "#);
    assert_eq!(marks(&stage), 1);
    // Going through it again changes nothing.
    let whole = stage.read("a.chatmd");
    let cut = whole.find("<tool_call").unwrap();
    stage.write("a.chatmd", &whole[..cut]);
    let end = stage.run();
    assert_eq!((end.outcome, stage.read("a.chatmd")), (RunOutcome::Done, whole), "{}", told(&end));
}

/// Blocks are named by their numbers: what was written of an interrupted run counts.
#[test]
fn a_compaction_hides_what_it_names_behind_a_note() {
    let head = r#"<tool mcp_server="stdio:scratch"/>
<rules><on id="auto-compact" event="turn_end" if="turn_index == 2"><compact keep="system" strategy="latest"/></on></rules>"#;
    let cut = mentci_authority::ModelReply {
        stop: mentci_authority::StopReason::Length,
        ..calls([("search", json!({"query": "a"}))])
    };
    let replies = vec![cut, calls([("build", json!({}))]), says("Done.")];
    let stage = Stage::new(&document(head), replies).with_tools();
    assert_eq!(stage.run().outcome, RunOutcome::Limit);
    assert_eq!(stage.run().outcome, RunOutcome::Done);
    assert_snapshot!(stage.appended(), @r#"
    <tool_call id="c0" name="search">
    {"query":"a"}
    </tool_call>
    <tool_response id="c0" name="search" status="success">
    search says {"query":"a"}
    </tool_response>
    <note type="limit">
    The model's answer was cut: it ran into the most tokens that it may answer.
    </note>
    <tool_call id="call_2" name="build">
    {}
    </tool_call>
    <tool_response id="call_2" name="build" status="success">
    build says {}
    </tool_response>
    <compaction synthetic="true" via_rule="auto-compact" strategy="latest" keep="system" hides="4-5,7-8" tokens_before="42" tokens_after="6" artifact="5b5a65cf6d3cf3d3aa552853119e45d3573a91ab20b2a997bba794837c036483" size="93">

    </compaction>
    <developer synthetic="true" via_rule="auto-compact">
    The history was compacted: 4 earlier messages are summarised and no longer shown. They stand whole in the artifact 5b5a65cf6d3cf3d3aa552853119e45d3573a91ab20b2a997bba794837c036483.
    </developer>
    <assistant>
    Done.
    </assistant>
    "#);
}

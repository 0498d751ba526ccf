//! Runs that were killed, full disks, other hands: the transcript is what an unbroken run gives, or says why not.

use std::io::ErrorKind;
use std::sync::Arc;

use mentci_disk::{FaultyFs, Plan, RealFs};
use mentci_runner::RunOutcome;
use serde_json::json;

use crate::stage::{Stage, asking, calls, document, says};

const HEAD: &str = r#"<tool mcp_server="stdio:scratch"/>
<rules max_actions_per_event="unlimited">
<on id="remind" event="turn_start" if="turn_index % 2 == 0"><insert role="developer">Mind the gap.</insert></on>
<on id="enrich" event="post_tool_response" tool="search"><call tool="markdown_search">{"query": arg("query")}</call></on>
<on id="warn" event="pre_tool_call" tool="build"><warn reason="builds are slow"/></on>
<on id="once" event="turn_end" once="true"><set var="ended" value="turn_index"/></on>
</rules>
<policy><tool name="deploy"><quota per_session="1"/></tool></policy>"#;

fn stage() -> Stage {
    let replies = vec![
        calls([
            ("search", json!({"query": "a"})),
            ("build", json!({})),
            ("deploy", json!({})),
            ("deploy", json!({"again": true})),
        ]),
        calls([("deploy", json!({}))]),
        says("Done."),
    ];
    Stage::new(&document(HEAD), replies).with_tools()
}

#[test]
fn a_run_that_dies_at_any_step_goes_on_as_if_nothing_had_happened() {
    let counted = Arc::new(FaultyFs::new(Plan::None));
    let mut whole = stage();
    whole.fs = counted.clone();
    let expected = whole.transcript();
    let steps = counted.calls();
    let appends = steps.iter().enumerate().filter(|(_, name)| **name == "append").map(|(at, _)| at + 1);
    for at in appends {
        let mut broken = stage();
        broken.fs = Arc::new(FaultyFs::new(Plan::Crash(at)));
        assert_eq!(broken.run().outcome, RunOutcome::Failed, "step {at}");
        broken.fs = Arc::new(RealFs);
        let end = broken.run();
        assert_eq!(end.outcome, RunOutcome::Done, "step {at}: {:?}", end.findings);
        assert_eq!(broken.appended(), expected, "died at step {at}");
    }
}

#[test]
fn what_is_done_is_not_done_again() {
    let stage = stage();
    let first = stage.transcript();
    let asked = stage.model.asked.lock().unwrap().len();
    assert_eq!(stage.run().outcome, RunOutcome::Done);
    assert_eq!((stage.appended(), stage.model.asked.lock().unwrap().len()), (first, asked));
}

#[test]
fn a_full_disk_ends_the_run_and_loses_nothing() {
    let counted = Arc::new(FaultyFs::new(Plan::None));
    let mut whole = stage();
    whole.fs = counted.clone();
    let expected = whole.transcript();
    let third =
        counted.calls().iter().enumerate().filter(|(_, name)| **name == "append").nth(2).unwrap().0 + 1;
    let mut full = stage();
    full.fs = Arc::new(FaultyFs::new(Plan::FailFrom(third, ErrorKind::StorageFull)));
    let end = full.run();
    assert_eq!((end.outcome, end.outcome.code()), (RunOutcome::Failed, 2));
    assert!(end.findings[0].to_string().contains("the disk is full"), "{}", end.findings[0]);
    assert!(expected.starts_with(&full.appended()) && !full.appended().is_empty());
    full.fs = Arc::new(RealFs);
    full.run();
    assert_eq!(full.appended(), expected);
}

/// A document that comes without its artifacts is gone on with, and it is told once what nobody can fetch.
#[test]
fn an_artifact_that_is_lost_is_told_and_the_run_goes_on() {
    let asked = asking("<tool name=\"read_file\"/>", "What is in a.txt?");
    let read = || calls([("read_file", json!({"path": "a.txt"}))]);
    let replies = vec![read(), says("Lines."), says("More."), says("And more.")];
    let mut stage = Stage::new(&asked, replies);
    stage.write("a.txt", &"a line of a large file\n".repeat(400));
    let end = stage.run();
    assert_eq!((end.outcome, end.findings), (RunOutcome::Done, vec![]));
    std::fs::remove_dir_all(stage.path("../state")).unwrap();
    for turn in ["Go on.", "And on."] {
        stage.options.ask = Some(turn.to_owned());
        let end = stage.run();
        assert_eq!(end.outcome, RunOutcome::Done, "{:?}", end.findings);
        let told: Vec<String> = end.findings.iter().map(ToString::to_string).collect();
        insta::allow_duplicates! {
            insta::assert_snapshot!(told.join("\n"), @r"
            warning[E1020]: 1 of 1 artifacts that the context names are not here
              help: `policy-engine artifact list` shows what is kept
            ");
        }
    }
}

#[test]
fn two_runs_of_one_document_never_meet() {
    let stage = stage();
    let workspace = stage.workspace();
    let held =
        mentci_disk::LogFile::open(stage.fs.clone(), workspace.root(), &stage.path("a.chatmd")).unwrap();
    let end = stage.run();
    assert_eq!((end.outcome, stage.appended()), (RunOutcome::Failed, String::new()));
    insta::assert_snapshot!(end.findings[0], @r"
    a.chatmd: error[E1201]: another run has this document
      help: wait until it ends, or run a copy with `--out FILE`
    ");
    drop(held);
    assert_eq!(stage.run().outcome, RunOutcome::Done);
}

#[test]
fn bounds_and_unknown_tools() {
    let again = || calls([("serch", json!({"query": "a"}))]);
    let stage = Stage::new(&document(HEAD), (0..9).map(|_| again()).collect()).with_tools();
    let end = stage.run();
    assert_eq!((end.outcome, end.outcome.code(), end.turns), (RunOutcome::Limit, 1, 5));
    let appended = stage.appended();
    assert!(appended.contains("there is no tool `serch`; did you mean `search`?"), "{appended}");
    assert!(
        appended.contains("denied=\"limit\"") && appended.contains("<note type=\"limit\">"),
        "{appended}"
    );
}

#[test]
fn arguments_that_are_none() {
    let stage = Stage::new(&document(HEAD), vec![calls([("search", json!("{\"query\": "))]), says("Done.")])
        .with_tools();
    assert_eq!(stage.run().outcome, RunOutcome::Done);
    assert!(stage.appended().contains("status=\"invalid\" denied=\"arguments\""), "{}", stage.appended());
}

#[test]
fn a_law_that_does_not_read_stops_the_run() {
    let stage = Stage::new(&document("<rules><on event=\"turn_start\" iff=\"true\"/></rules>"), vec![]);
    let end = stage.run();
    assert_eq!((end.outcome, stage.appended()), (RunOutcome::Failed, String::new()));
    assert!(end.findings.iter().any(|finding| finding.to_string().contains("iff")), "{:?}", end.findings);
}

#[test]
fn stopped_while_a_tool_runs() {
    let stage =
        Stage::new(&document(HEAD), vec![calls([("slow", json!({})), ("build", json!({}))])]).with_tools();
    let cancel = stage.cancel.clone();
    let audience = stage.audience.clone();
    std::thread::spawn(move || {
        while !audience.heard.lock().unwrap().iter().any(|event| event.contains("tool_call")) {
            std::thread::yield_now();
        }
        cancel.press();
    });
    let end = stage.run();
    assert_eq!((end.outcome, end.outcome.code()), (RunOutcome::Cancelled, 130));
    let appended = stage.appended();
    assert!(appended.contains("name=\"slow\" status=\"error\" denied=\"cancelled\""), "{appended}");
    assert_eq!(appended.matches("<tool_response").count(), 2, "{appended}");
}

/// What a person refused stays refused, also where the document is not what would be written now.
#[test]
fn a_refusal_is_carried_over() {
    let document = r#"<tool mcp_server="stdio:scratch"/>
<rules><on id="ask" event="pre_tool_call" tool="deploy"><approve reason="deploys are looked at"/></on></rules>
<user>
Go on.
</user>
<tool_call id="c0" name="deploy">
{}
</tool_call>
<rule_event type="approval" rule="ask" call="c0" granted="false"/>
<developer>
Written by hand.
</developer>
<!-- run -->
"#;
    let stage = Stage::new(document, vec![calls([("deploy", json!({}))]), says("Done.")]).with_tools();
    *stage.audience.grants.lock().unwrap() = vec![true];
    assert_eq!(stage.run().outcome, RunOutcome::Done);
    insta::assert_snapshot!(stage.appended(), @r#"
    <tool_response id="c0" name="deploy" status="error" denied="approval" via_rule="ask">
    a person was asked and did not allow it: deploys are looked at
    </tool_response>
    <assistant>
    Done.
    </assistant>
    "#);
    assert_eq!(stage.audience.grants.lock().unwrap().len(), 1, "somebody was asked again");
}

#[test]
fn a_quota_of_the_session_holds_when_it_goes_on() {
    let mut stage = stage();
    stage.run();
    let before = stage.read("a.chatmd");
    stage.options.ask = Some("And now?".to_owned());
    stage.model = std::sync::Arc::new(crate::stage::Scripted::of(vec![
        says(""),
        says(""),
        says(""),
        calls([("deploy", json!({"now": true}))]),
        says("Done."),
    ]));
    assert_eq!(stage.run().outcome, RunOutcome::Done);
    let after = stage.read("a.chatmd");
    assert!(after.starts_with(&before));
    let told = &after[before.len()..];
    assert!(
        told.contains("denied=\"policy\" via_rule=\"deploy/quota\"") && !told.contains("\ndeployed\n"),
        "{told}"
    );
}

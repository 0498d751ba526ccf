//! How an answer ends: one that is not whole is told.

use insta::assert_snapshot;
use mentci_authority::{ModelReply, StopReason};
use mentci_runner::RunOutcome;
use serde_json::json;

use crate::stage::{Stage, calls, document, says, told};

#[test]
fn an_answer_that_is_not_whole_is_told() {
    let mut all = Vec::new();
    for (stop, text) in [
        (StopReason::End, "Whole."),
        (StopReason::Length, "It is cu"),
        (StopReason::Filtered, "It is he"),
        (StopReason::Filtered, ""),
        (StopReason::End, " "),
    ] {
        let reply = ModelReply { stop, ..says(text) };
        let stage = Stage::new(&document(""), vec![reply]);
        let end = stage.run();
        let whole = stage.appended();
        // Going on from there writes nothing more.
        assert_eq!(stage.run().outcome, RunOutcome::Done, "{whole}");
        assert_eq!(stage.appended(), whole);
        all.push(format!("{stop:?} {text:?}: exit {}\n{whole}{}", end.outcome.code(), told(&end)));
    }
    assert_snapshot!(all.join("\n\n"), @r#"
    End "Whole.": exit 0
    <assistant>
    Whole.
    </assistant>


    Length "It is cu": exit 1
    <assistant>
    It is cu
    </assistant>
    <note type="limit">
    The model's answer was cut: it ran into the most tokens that it may answer.
    </note>
    warning[E1207]: the model's answer was cut: it ran into the most tokens that it may answer
      help: raise `max_tokens` in `<config>`, and ask it to go on

    Filtered "It is he": exit 1
    <assistant>
    It is he
    </assistant>
    <note type="limit">
    The provider held back the model's answer, or the rest of it.
    </note>
    warning[E1207]: the provider held back the model's answer, or the rest of it
      help: ask in other words, or ask another model

    Filtered "": exit 1
    <assistant>

    </assistant>
    <note type="limit">
    The provider held back the model's answer, or the rest of it.
    </note>
    warning[E1207]: the provider held back the model's answer, or the rest of it
      help: ask in other words, or ask another model

    End " ": exit 0
    <assistant>
     
    </assistant>
    <note type="empty">
    The model answered nothing.
    </note>
    warning[E1207]: the model answered nothing
      help: ask it again, or ask another one
    "#);
}

/// What was called to its end is done, the rest is not, and the document says why it goes no further.
#[test]
fn an_answer_that_is_not_whole_runs_no_half_of_a_call() {
    let mut all = Vec::new();
    for (stop, last) in [
        (StopReason::Length, json!("{\"query\": \"ma")),
        (StopReason::Length, json!("")),
        (StopReason::Filtered, json!({"query": "whole"})),
    ] {
        let asked = calls([("search", json!({"query": "a"})), ("build", last)]);
        let reply = ModelReply { stop, text: "I look.".to_owned(), ..asked };
        let head = "<tool mcp_server=\"stdio:scratch\"/>";
        let stage = Stage::new(&document(head), vec![reply, says("Done.")]).with_tools();
        let end = stage.run();
        let whole = stage.appended();
        all.push(format!("{stop:?}: exit {}\n{whole}{}", end.outcome.code(), told(&end)));
        // The model has the word when it goes on.
        assert_eq!(stage.run().outcome, RunOutcome::Done, "{whole}");
        assert_eq!(stage.appended(), format!("{whole}<assistant>\nDone.\n</assistant>\n"));
    }
    assert_snapshot!(all.join("\n\n"), @r#"
    Length: exit 1
    <assistant>
    I look.
    </assistant>
    <tool_call id="c0" name="search">
    {"query":"a"}
    </tool_call>
    <tool_call id="c1" name="build" cut="true">
    {"query": "ma
    </tool_call>
    <tool_response id="c0" name="search" status="success">
    search says {"query":"a"}
    </tool_response>
    <tool_response id="c1" name="build" status="invalid" denied="arguments">
    the answer ended before these arguments did: nothing was run; write them again, shorter
    </tool_response>
    <note type="limit">
    The model's answer was cut: it ran into the most tokens that it may answer.
    </note>
    warning[E1207]: the model's answer was cut: it ran into the most tokens that it may answer
      help: raise `max_tokens` in `<config>`, and ask it to go on

    Length: exit 1
    <assistant>
    I look.
    </assistant>
    <tool_call id="c0" name="search">
    {"query":"a"}
    </tool_call>
    <tool_call id="c1" name="build" cut="true">

    </tool_call>
    <tool_response id="c0" name="search" status="success">
    search says {"query":"a"}
    </tool_response>
    <tool_response id="c1" name="build" status="invalid" denied="arguments">
    the answer ended before these arguments did: nothing was run; write them again, shorter
    </tool_response>
    <note type="limit">
    The model's answer was cut: it ran into the most tokens that it may answer.
    </note>
    warning[E1207]: the model's answer was cut: it ran into the most tokens that it may answer
      help: raise `max_tokens` in `<config>`, and ask it to go on

    Filtered: exit 1
    <assistant>
    I look.
    </assistant>
    <tool_call id="c0" name="search">
    {"query":"a"}
    </tool_call>
    <tool_call id="c1" name="build">
    {"query":"whole"}
    </tool_call>
    <tool_response id="c0" name="search" status="success">
    search says {"query":"a"}
    </tool_response>
    <tool_response id="c1" name="build" status="success">
    build says {"query":"whole"}
    </tool_response>
    <note type="limit">
    The provider held back the model's answer, or the rest of it.
    </note>
    warning[E1207]: the provider held back the model's answer, or the rest of it
      help: ask in other words, or ask another model
    "#);
}

/// It was killed before the calls were answered: half a call is none then either.
#[test]
fn half_a_call_stays_half_a_call_when_it_goes_on() {
    let head = "<tool mcp_server=\"stdio:scratch\"/>";
    let cut = "<tool_call id=\"c0\" name=\"search\" cut=\"true\">\n\n</tool_call>\n";
    let stage = Stage::new(&(document(head) + cut), vec![says(""), says("Done.")]).with_tools();
    assert_eq!(stage.run().outcome, RunOutcome::Done);
    assert_snapshot!(stage.appended(), @r#"
    <tool_call id="c0" name="search" cut="true">

    </tool_call>
    <tool_response id="c0" name="search" status="invalid" denied="arguments">
    the answer ended before these arguments did: nothing was run; write them again, shorter
    </tool_response>
    <assistant>
    Done.
    </assistant>
    "#);
}

#[test]
fn a_copy_is_a_document_and_what_is_wrong_with_it_is_told_of_its_source() {
    for (document, out, place) in [
        ("<user>\nGo on.\n</user>\n", "x.o", "x.o"),
        ("<rules><on event=\"never\"/></rules>\n<user>\nGo on.\n</user>\n", "copy.chatmd", "a.chatmd"),
    ] {
        let mut stage = Stage::new(document, vec![says("Whole.")]);
        stage.options.out = Some(stage.path(out));
        let end = stage.run();
        assert_eq!(end.outcome, RunOutcome::Failed);
        assert_eq!(end.findings[0].path.as_deref(), Some(place), "{:?}", end.findings);
        assert!(!stage.path(out).exists());
    }
}

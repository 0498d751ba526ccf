//! How an answer ends: one that is not whole is told.

use insta::assert_snapshot;
use mentci_authority::{ModelReply, StopReason};
use mentci_runner::RunOutcome;

use crate::stage::{Stage, says};

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
        let stage = Stage::new("<user>\nGo on.\n</user>\n<!-- run -->\n", vec![reply]);
        let end = stage.run();
        let findings: Vec<String> = end.findings.iter().map(ToString::to_string).collect();
        let whole = stage.appended();
        // Going on from there writes nothing more.
        assert_eq!(stage.run().outcome, RunOutcome::Done, "{whole}");
        assert_eq!(stage.appended(), whole);
        all.push(format!("{stop:?} {text:?}: exit {}\n{whole}{}", end.outcome.code(), findings.join("\n")));
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

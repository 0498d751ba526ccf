//! A person edits the transcript: the run goes on from what stands there, or says where it does not read, and nothing is lost.

use insta::assert_snapshot;
use mentci_runner::RunOutcome;

use crate::stage::{Stage, document, says, told};

/// A run in which these messages are typed one after the other, and before each of them an edit is made by hand.
fn edited(edits: &[(&'static str, &'static str)], messages: &[&str]) -> Stage {
    let replies = ["The port is 80.", "Two.", "Three."].map(says).to_vec();
    let stage = Stage::new(&document(""), replies);
    let path = stage.path("a.chatmd");
    for &(from, to) in edits {
        let path = path.clone();
        stage.audience.meanwhile.lock().unwrap().push_back(Box::new(move || {
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(text.contains(from), "{from}: {text}");
            std::fs::write(&path, text.replace(from, to)).unwrap();
        }));
    }
    *stage.audience.types.lock().unwrap() = messages.iter().map(|&text| text.to_owned()).collect();
    stage
}

#[test]
fn what_a_person_changes_between_two_messages_is_what_the_model_reads() {
    let stage = edited(
        &[(
            "The port is 80.\n</assistant>",
            "The port is 8417.\n</assistant>\n<developer>\nMind the gap.\n</developer>",
        )],
        &["And now?"],
    );
    assert_eq!(stage.run().outcome, RunOutcome::Done);
    assert_snapshot!(stage.appended(), @r"
    <assistant>
    The port is 8417.
    </assistant>
    <developer>
    Mind the gap.
    </developer>
    <user>
    And now?
    </user>
    <assistant>
    Two.
    </assistant>
    ");
    assert_snapshot!(stage.request(2), @r"
    user: Go on.
    assistant: The port is 8417.
    developer: <developer>
    Mind the gap.
    </developer>
    user: And now?
    ");
}

#[test]
fn an_edit_that_does_not_read_is_told_with_its_place_until_it_is_mended() {
    for (broken, mended) in [
        ("The port is 80.\n<assistant>", "The port is 8417.\n</assistant>"),
        (
            "The port is 80.\n</assistant>\n<tool_call id=\"x>\n{}\n</tool_call>",
            "The port is 8417.\n</assistant>",
        ),
        ("The port is 80.\n</assistant>\n<!-- why", "The port is 8417.\n</assistant>"),
    ] {
        let stage = edited(
            &[("The port is 80.\n</assistant>", broken), ("", ""), (broken, mended)],
            &["One.", "Again.", "Now."],
        );
        let end = stage.run();
        assert_eq!(end.outcome, RunOutcome::Done, "{broken}: {}", told(&end));
        let heard = stage.audience.heard.lock().unwrap().join("\n");
        assert_eq!(heard.matches("\"event\":\"failed\"").count(), 2, "{broken}: {heard}");
        assert_eq!(
            stage.appended(),
            format!("<assistant>\n{mended}\n<user>\nNow.\n</user>\n<assistant>\nTwo.\n</assistant>\n")
        );
        assert_eq!(stage.model.asked.lock().unwrap().len(), 2, "{broken}");
    }
}

#[test]
fn a_law_that_an_edit_breaks_holds_nobody_up_for_good() {
    let broken = "<rules><on event=\"turn_start\" iff=\"true\"/></rules>\n<user>\nGo on.";
    let stage = edited(&[("<user>\nGo on.", broken), (broken, "<user>\nGo on.")], &["One.", "Now."]);
    let end = stage.run();
    assert_eq!(end.outcome, RunOutcome::Done);
    assert_snapshot!(told(&end), @r#"
    a.chatmd:1:8: error[E0227]: the rule `on-1` neither decides nor does anything
      help: give it an action, or an effect such as `<deny reason="…"/>`
    "#);
    assert!(stage.appended().ends_with("<user>\nNow.\n</user>\n<assistant>\nTwo.\n</assistant>\n"));
}

#[test]
fn a_run_that_goes_on_later_reads_the_edit_too() {
    let mut stage = edited(&[], &[]);
    assert_eq!(stage.run().outcome, RunOutcome::Done);
    let whole = stage.read("a.chatmd");
    let broken = whole.replace("</assistant>", "</asistant>\n<developer>\nMind the gap.\n</developer>");
    stage.write("a.chatmd", &broken);
    stage.options.ask = Some("And now?".to_owned());
    let end = stage.run();
    assert_eq!(
        (end.outcome, end.outcome.code(), stage.read("a.chatmd")),
        (RunOutcome::Failed, 2, broken.clone())
    );
    assert_snapshot!(told(&end), @r"
    a.chatmd:5:1: error[E0260]: `<assistant>` is never closed
      help: close it; it was read up to the next element that starts a line
    ");
    let mended = broken.replace("asistant>", "assistant>");
    stage.write("a.chatmd", &mended);
    let end = stage.run();
    assert_eq!(end.outcome, RunOutcome::Done, "{}", told(&end));
    assert!(stage.read("a.chatmd").starts_with(&mended));
    assert_snapshot!(stage.request(2), @r"
    user: Go on.
    assistant: The port is 80.
    developer: <developer>
    Mind the gap.
    </developer>
    user: And now?
    ");
}

/// What is odd before anything was run is text, as it always was.
#[test]
fn a_question_that_was_never_closed_is_answered() {
    let stage = Stage::new("<user>\nGo on.\n<!-- run -->\n", vec![says("Done.")]);
    let end = stage.run();
    assert_eq!(end.outcome, RunOutcome::Done);
    assert_snapshot!(told(&end), @r"
    a.chatmd:1:1: warning[E0260]: `<user>` is never closed
      help: close it; it was read up to the next element that starts a line
    ");
}

//! What stands in a message for something else: files, pictures, agents.

use insta::assert_snapshot;
use mentci_runner::{RunEnd, RunOutcome};

use crate::stage::{Stage, says};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\nrest";

fn told(end: &RunEnd) -> String {
    end.findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// The answer stands in its place; the note tells it, and nobody is asked twice.
#[test]
fn an_agent_in_a_message_answers_in_its_place() {
    let document = "<user>\nSum up: <agent src=\"expert.chatmd\">What holds of <doc src=\"a.txt\"/>?</agent> Go on.\n</user>\n<!-- run -->\n";
    let stage = Stage::new(document, vec![says("It holds."), says("Two.")]);
    stage.write("expert.chatmd", "<system>You are an expert.</system>\n");
    stage.write("a.txt", "the law");
    assert_eq!(told(&stage.run()), "");
    assert_snapshot!(stage.appended(), @r#"
    <note type="agent" src="expert.chatmd" asked="ea9123de6f7ce68e">
    It holds.
    </note>
    <assistant>
    It holds.
    </assistant>
    "#);
    assert_snapshot!(format!("{}\n--\n{}", stage.request(1), stage.request(2)), @r"
    system: You are an expert.
    user: What holds of the law?
    --
    user: Sum up: It holds. Go on.
    ");
    let whole = stage.read("a.chatmd");
    let at = whole.find("<assistant>").unwrap();
    std::fs::write(stage.path("a.chatmd"), &whole[..at]).unwrap();
    stage.run();
    assert_eq!(stage.read("a.chatmd"), whole);
    assert_eq!(stage.model.asked.lock().unwrap().len(), 3, "the agent was asked again");
    assert_eq!(stage.request(3), stage.request(2));
}

#[test]
fn an_agent_that_cannot_answer_leaves_the_question_waiting() {
    let document = "<user>\n<agent src=\"gone.chatmd\">What?</agent>\n</user>\n<!-- run -->\n";
    let stage = Stage::new(document, vec![says("One."), says("Two.")]);
    let end = stage.run();
    assert_eq!((end.outcome, stage.appended().as_str()), (RunOutcome::Failed, ""));
    assert_snapshot!(told(&end), @r"
    a.chatmd:2:13: warning[E0285]: `gone.chatmd` cannot be put in its place: there is no such file
      help: nobody is asked before it is there; paths count from the document's folder
    error[E1203]: the agent `gone.chatmd` gave no answer: `gone.chatmd`: there is no such file
      help: the message stands and waits: run it again when the agent can answer
    ");
    stage.write("gone.chatmd", "");
    assert_eq!(stage.run().outcome, RunOutcome::Done);
    assert_snapshot!(stage.appended(), @r#"
    <note type="agent" src="gone.chatmd" asked="83d8fd4856530b39">
    One.
    </note>
    <assistant>
    One.
    </assistant>
    "#);
}

#[test]
fn pictures_are_sent_and_what_is_lost_is_told() {
    let document = "<user>\nSee <img src=\"a.png\"/>, <img src=\"b.txt\"/>, <img src=\"gone.png\"/>, <img src=\"../out.png\"/>, <img src=\"large.png\"/>,\n<doc src=\"gone.md\"/>, <doc src=\"https://example.com/c\"/> and <doc src=\"page.html\" strip/>\n</user>\n<!-- run -->\n";
    let stage = Stage::new(document, vec![says("Seen.")]);
    stage.write("b.txt", "no picture");
    stage.write("page.html", "<html><head><title>T</title></head><p>Two &amp; <b>two</b></p></html>");
    std::fs::write(stage.path("a.png"), PNG).unwrap();
    std::fs::write(stage.path("../out.png"), PNG).unwrap();
    std::fs::write(stage.path("large.png"), [PNG, &vec![0; 4_000_000]].concat()).unwrap();
    let end = stage.run();
    assert_eq!(end.outcome, RunOutcome::Done);
    assert_snapshot!(told(&end), @r"
    a.chatmd:2:35: warning[E0285]: `b.txt` cannot be put in its place: it is no picture: PNG, JPEG, GIF and WebP are
      help: the model is told so; paths count from the folder of the document
    a.chatmd:2:55: warning[E0285]: `gone.png` cannot be put in its place: there is no such file
      help: the model is told so; paths count from the folder of the document
    a.chatmd:2:78: warning[E0285]: `../out.png` cannot be put in its place: it lies outside of the workspace
      help: the model is told so; paths count from the folder of the document
    a.chatmd:2:103: warning[E0285]: `large.png` cannot be put in its place: it is larger than 3700000 bytes
      help: the model is told so; paths count from the folder of the document
    a.chatmd:3:11: warning[E0285]: `gone.md` cannot be put in its place: there is no such file
      help: the model is told so; paths count from the folder of the document
    a.chatmd:3:33: warning[E0285]: `https://example.com/c` cannot be put in its place: it is an address, and nothing is fetched
      help: the model is told so; paths count from the folder of the document
    ");
    assert_snapshot!(stage.request(1), @r"
    user: See [picture `a.png`], [`b.txt` cannot be read: it is no picture: PNG, JPEG, GIF and WebP are], [`gone.png` cannot be read: there is no such file], [`../out.png` cannot be read: it lies outside of the workspace], [`large.png` cannot be read: it is larger than 3700000 bytes],
    [`gone.md` cannot be read: there is no such file], [`https://example.com/c` is not fetched: a message embeds files alone] and Two & two
    ");
    let pictures = stage.model.asked.lock().unwrap()[0].pictures.clone();
    let sent: Vec<_> = pictures.iter().map(|picture| (picture.mark.as_str(), &*picture.bytes)).collect();
    assert_eq!(sent, [("[picture `a.png`]", PNG)]);
}

//! What stands in a message for something else: files, pictures, agents.

use insta::assert_snapshot;
use mentci_runner::RunOutcome;

use crate::stage::{Stage, asking, says, told};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\nrest";

/// The answer stands in its place; the note tells it, and nobody is asked twice.
#[test]
fn an_agent_in_a_message_answers_in_its_place() {
    let document =
        asking("", "Sum up: <agent src=\"expert.chatmd\">What holds of <doc src=\"a.txt\"/>?</agent> Go on.");
    let stage = Stage::new(&document, vec![says("It holds."), says("Two.")]);
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
    let document = asking("", "<agent src=\"gone.chatmd\">What?</agent>");
    let stage = Stage::new(&document, vec![says("One."), says("Two.")]);
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
    let document = asking(
        "",
        "See <img src=\"a.png\"/>, <img src=\"b.txt\"/>, <img src=\"gone.png\"/>, <img src=\"../out.png\"/>, <img src=\"large.png\"/>,\n<doc src=\"gone.md\"/>, <doc src=\"https://example.com/c\"/> and <doc src=\"page.html\" strip/>",
    );
    let stage = Stage::new(&document, vec![says("Seen.")]);
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

#[test]
fn an_agent_that_answers_nothing_leaves_the_question_waiting() {
    let document = asking("", "<agent src=\"expert.chatmd\">What?</agent>");
    let stage = Stage::new(&document, vec![says(" "), says("Two.")]);
    stage.write("expert.chatmd", "<system>You are an expert.</system>\n");
    let end = stage.run();
    assert_eq!((end.outcome, stage.appended().as_str()), (RunOutcome::Failed, ""));
    assert_snapshot!(told(&end), @r"
    error[E1203]: the agent `expert.chatmd` gave no answer: the agent answered nothing
      help: the message stands and waits: run it again when the agent can answer
    ");
}

#[test]
fn pictures_that_reach_nobody_are_told() {
    let head =
        "<system>\nSee <img src=\"a.png\"/>.\n</system>\n<developer>\n<img src=\"b.png\"/>\n</developer>";
    let document =
        asking(head, "<img src=\"c.png\"/> <agent src=\"expert.chatmd\">See <img src=\"a.png\"/>.</agent>");
    let stage = Stage::new(&document, vec![says("Seen.")]);
    stage.write("expert.chatmd", "<system>You are an expert.</system>\n");
    for name in ["a.png", "b.png", "c.png"] {
        std::fs::write(stage.path(name), PNG).unwrap();
    }
    assert_snapshot!(told(&stage.run()), @r"
    a.chatmd:2:15: warning[E0285]: `a.png` cannot be put in its place: pictures are shown in `<user>` messages alone
      help: move it into a `<user>` message; the model is told so
    a.chatmd:5:11: warning[E0285]: `b.png` cannot be put in its place: pictures are shown in `<user>` messages alone
      help: move it into a `<user>` message; the model is told so
    a.chatmd:8:61: warning[E0285]: `a.png` cannot be put in its place: pictures are shown in `<user>` messages alone
      help: move it into a `<user>` message; the model is told so
    ");
    assert_snapshot!(format!("{}\n--\n{}", stage.request(1), stage.request(2)), @r"
    system: You are an expert.
    user: See [`a.png` is not shown: pictures are shown in `<user>` messages alone].
    --
    system: See [`a.png` is not shown: pictures are shown in `<user>` messages alone].
    developer: [`b.png` is not shown: pictures are shown in `<user>` messages alone]
    user: [picture `c.png`] Seen.
    ");
    assert_eq!(stage.model.asked.lock().unwrap()[1].pictures.len(), 1);
}

#[test]
fn pictures_are_counted_in_the_budget_and_bound_in_number() {
    let pictures: Vec<String> = (0..23).map(|number| format!("<img src=\"{number}.png\"/>\n")).collect();
    let mut stage = Stage::new(&asking("", &pictures.concat()), vec![says("Seen.")]);
    for number in 0..23 {
        std::fs::write(stage.path(&format!("{number}.png")), PNG).unwrap();
    }
    let end = stage.run();
    assert_eq!(end.outcome, RunOutcome::Failed);
    assert_snapshot!(told(&end), @r"
    a.chatmd:22:11: warning[E0285]: `20.png` cannot be put in its place: a document shows at most 20 pictures
      help: the model is told so; paths count from the folder of the document
    a.chatmd:23:11: warning[E0285]: `21.png` cannot be put in its place: a document shows at most 20 pictures
      help: the model is told so; paths count from the folder of the document
    a.chatmd:24:11: warning[E0285]: `22.png` cannot be put in its place: a document shows at most 20 pictures
      help: the model is told so; paths count from the folder of the document
    error[E1011]: event `000000000001000000b3b73cb895f397` (user_input) takes 32386 tokens, 24386 more than the budget of 8000
      help: raise `--budget`, or let a rule `<compact/>` the history
    ");
    stage.options.budget = Some(40_000);
    assert_eq!(stage.run().outcome, RunOutcome::Done);
    assert_eq!(stage.model.asked.lock().unwrap()[0].pictures.len(), 20);
    let heard = stage.audience.heard.lock().unwrap().join("\n");
    assert!(heard.contains("\"event\":\"request\",\"turn\":1,\"tokens\":32"), "{heard}");
}

/// A guard reads what the pictures take.
#[test]
fn a_guard_sees_what_pictures_take() {
    let law = r#"<rules><on id="heavy" event="turn_start" if="context_tokens > 1600"><insert role="developer">Mind the pictures.</insert></on></rules>"#;
    let stage = Stage::new(&asking(law, "<img src=\"a.png\"/>"), vec![says("Seen.")]);
    std::fs::write(stage.path("a.png"), PNG).unwrap();
    assert!(stage.transcript().contains("via_rule=\"heavy\""), "{}", stage.appended());
}

//! A transcript of 10 MB: read, printed, its texts asked for.

use mentci_chatmd::{Block, Document, Element};
use mentci_source::Source;

use super::Rows;
use crate::options::Options;
use crate::rounds::{in_turn, time};
use crate::table::{Row, Target, Unit};

const BYTES: usize = 10 << 20;

pub(crate) fn bench(options: &Options) -> Rows {
    let text = transcript();
    let source = Source::new("session.chatmd", text.as_str());
    let document = Document::read(&source).value;
    if document.print() != text {
        return Err("what was printed is not what was read".to_owned());
    }
    let samples = in_turn(
        options.amount(21, 5),
        vec![
            Box::new(|| Ok(time(|| Document::read(&source).value.print()))),
            Box::new(|| Ok(time(|| document.print()))),
            Box::new(|| {
                Ok(time(|| document.blocks().map(|block| block.text().as_str().len()).sum::<usize>()))
            }),
            Box::new(|| Ok(time(|| document.format()))),
        ],
    )?;
    let row = |at: usize, what: &str, target| Row::alone(what, Unit::Seconds, samples[at].median(), target);
    Ok(vec![
        row(0, "ChatMD of 10 MB, read and printed", Target::Below(0.1)),
        row(1, "- printed alone", Target::Told),
        row(2, "- the texts of its blocks", Target::Told),
        row(3, "- its canonical text", Target::Told),
    ])
}

/// Exchanges of a question, a call, its output of code, a note by a rule, and an answer.
fn transcript() -> String {
    let code = "fn main() { let x: Vec<u8> = vec![1, 2]; if x.len() > 1 && true { println!(\"{x:?}\"); } }\n";
    let (code, prose) =
        (code.repeat(30), "The lexer takes one pass over the bytes and never looks back.\n".repeat(15));
    let mut text = String::from("<config model=\"m\"/>\n<tool name=\"read_file\"/>\n");
    for number in 1.. {
        let id = format!("call_{number}");
        let call = [("id", id.as_str()), ("name", "read_file")];
        let answer = [("id", id.as_str()), ("name", "read_file"), ("status", "success")];
        for block in [
            Block::new(Element::User, [], Some(&prose)),
            Block::new(Element::ToolCall, call, Some("{\"path\":\"src/main.rs\"}")),
            Block::new(Element::ToolResponse, answer, Some(&code)),
            Block::new(Element::Developer, [("synthetic", "true"), ("via_rule", "note")], Some("noted")),
            Block::new(Element::Assistant, [], Some(&prose)),
        ] {
            text.push_str(block.written());
            text.push('\n');
        }
        if text.len() >= BYTES {
            break;
        }
    }
    text
}

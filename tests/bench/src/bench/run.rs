//! What a run adds to each turn of a long session: `policy-engine run` on a transcript of 1,000 messages, where a scripted
//! model calls a tool in every turn.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::json;

use super::{Rows, told};
use crate::child::{run, silent};
use crate::options::Options;
use crate::rounds::{Step, in_turn};
use crate::table::{Row, Target, Unit};

/// How many messages stand in the document beforehand.
const MESSAGES: usize = 1_000;
/// How many turns the longer of two runs makes more than the shorter one.
const TURNS: usize = 40;

pub(super) fn bench(options: &Options) -> Rows {
    let messages = options.amount(MESSAGES, 100);
    let root = options.data.join("run");
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(root.join(".pi")).map_err(told)?;
    fs::write(root.join("note.txt"), "The port is 8080.\n".repeat(TURNS + 1)).map_err(told)?;
    let long: Step<'_> = Box::new(|| session(&options.engine, &root, messages, TURNS + 1));
    let short: Step<'_> = Box::new(|| session(&options.engine, &root, messages, 1));
    let samples = in_turn(options.amount(11, 3), vec![long, short])?;
    let [long, short] = [0, 1].map(|n| samples[n].median());
    #[expect(clippy::cast_precision_loss, reason = "a small count")]
    let turn = (long - short) / TURNS as f64;
    Ok(vec![
        Row::alone(
            &format!("a turn of `run`, {messages} messages before it"),
            Unit::Seconds,
            turn,
            Target::Below(0.005),
        ),
        Row::alone(
            &format!("- the run of one turn, {messages} messages"),
            Unit::Seconds,
            short,
            Target::Told,
        ),
    ])
}

/// One run of so many turns, from the same document.
fn session(engine: &Path, root: &Path, messages: usize, turns: usize) -> Result<f64, String> {
    let (document, script) = (root.join("session.chatmd"), root.join("model.json"));
    fs::write(&document, transcript(messages)).map_err(told)?;
    fs::write(&script, answers(messages / 2, turns)).map_err(told)?;
    let _ = fs::remove_dir_all(root.join("state"));
    let mut command = silent(engine);
    command.arg("run").arg(&document).arg("--yes").arg("--root").arg(root).current_dir(root);
    command.env("XDG_STATE_HOME", root.join("state")).env("XDG_CONFIG_HOME", root.join("config"));
    let usage = run(&mut command, 0)?;
    let written = fs::read_to_string(&document).map_err(told)?;
    let called = written.matches("<tool_response").count();
    if called == turns { Ok(usage.seconds) } else { Err(format!("{called} of {turns} calls were answered")) }
}

fn transcript(messages: usize) -> String {
    let mut text = String::from(
        "<config model=\"script:model.json\" budget=\"400000\"/>\n<tool name=\"read_file\"/>\n<rules>\n  \
         <on id=\"look\" event=\"post_tool_response\" tool=\"write_file\">\n    <insert role=\"developer\">Look at it.</insert>\n  </on>\n</rules>\n",
    );
    for number in 0..messages / 2 {
        // OK because a text takes all that is written to it.
        let _ = write!(
            text,
            "<user>\nQuestion {number}: how does the lexer treat the bytes of a quoted name?\n</user>\n<assistant>\nAnswer \
             {number}: it takes one pass and keeps the place of each byte.\n</assistant>\n"
        );
    }
    text.push_str("<user>\nRead the note, often.\n</user>\n");
    text
}

/// The answers that stand in the document already, a call in every turn, and a last word.
fn answers(given: usize, turns: usize) -> String {
    // The same call again and again would end the run.
    let call = |turn: usize| {
        let args = json!({"path": "note.txt", "start_line": turn + 1, "end_line": turn + 1});
        json!({"text": "I look.", "calls": [{"name": "read_file", "args": args}]})
    };
    let mut steps = vec![json!({"text": "It takes one pass."}); given];
    steps.extend((0..turns).map(call));
    steps.push(json!({"text": "It says 8080."}));
    json!({"format": 1, "steps": steps}).to_string()
}

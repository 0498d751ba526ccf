//! The policy engines of others on the policies of the bench: Cedar, regorus (Rego, its rules keyed by tool), CEL.
//!
//! They run in a process of their own, because their dependencies switch features of ours: with Cedar beside it, every map of
//! `serde_json` keeps its order. The first line of standard input is the [`Policy`]; each line after it names an engine,
//! and is answered by the seconds that one question took it.
//!
//! Every engine is asked two questions before any clock runs: a call that the last rule blocks, and one that no rule is
//! about. Who answers one of them wrong ends the process.
#![expect(clippy::disallowed_methods, reason = "benches read the clock")]

mod cedar;
mod cel;
mod rego;

use std::io::{BufRead, Write, stdin, stdout};
use std::process::ExitCode;
use std::time::Instant;

use serde::Deserialize;

/// A policy, and the two questions about it.
#[derive(Deserialize)]
struct Policy {
    /// The tool of each rule, and the text that it looks for in the path.
    rules: Vec<(String, String)>,
    /// Tool and path of a call that the last rule blocks.
    blocked: (String, String),
    /// Of one that no rule is about.
    allowed: (String, String),
}

/// Whether an engine blocks the call to block, asked as often as one round asks; seconds of one question.
type Round = Box<dyn FnMut() -> f64>;

fn main() -> ExitCode {
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("peers: {message}");
            ExitCode::from(2)
        }
    }
}

fn serve() -> Result<(), String> {
    let mut lines = stdin().lock().lines();
    let first = lines.next().ok_or("there is no policy")?.map_err(told)?;
    let policy: Policy = serde_json::from_str(&first).map_err(told)?;
    let (mut cedar, mut cel, mut rego) =
        (cedar::round(&policy)?, cel::round(&policy)?, rego::round(&policy)?);
    for line in lines {
        let seconds = match line.map_err(told)?.as_str() {
            "cedar-policy" => cedar(),
            "cel" => cel(),
            "regorus" => rego(),
            other => return Err(format!("there is no engine `{other}`")),
        };
        println!("{seconds:e}");
        stdout().flush().map_err(told)?;
    }
    Ok(())
}

impl Policy {
    /// The calls as an engine wants them: the one to block, the other.
    fn calls<C>(&self, read: impl Fn(&str, &str) -> Result<C, String>) -> Result<(C, C), String> {
        let read = |(tool, path): &(String, String)| read(tool, path);
        Ok((read(&self.blocked)?, read(&self.allowed)?))
    }
}

/// Asks both questions, then gives the round that asks the one about the blocked call `count` times.
fn asked<C: 'static>(
    name: &str,
    count: u32,
    (blocked, allowed): (C, C),
    mut blocks: impl FnMut(&C) -> Result<bool, String> + 'static,
) -> Result<Round, String> {
    let told = |error| format!("{name}: {error}");
    let answers = (blocks(&blocked).map_err(told)?, blocks(&allowed).map_err(told)?);
    if answers != (true, false) {
        return Err(format!("{name} blocks the call to block: {}, the other: {}", answers.0, answers.1));
    }
    Ok(Box::new(move || {
        let start = Instant::now();
        (0..count).for_each(|_| drop(std::hint::black_box(blocks(&blocked))));
        start.elapsed().as_secs_f64() / f64::from(count)
    }))
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

//! Benchmarks, side by side with the peers: medians of rounds that take turns, printed as ratios in one table.
//!
//! `scripts/bench` builds and installs what they need and runs them. Nothing here fails because it is slow; the table says
//! which targets are missed. Only lost data and a program that fails end a run.
#![expect(clippy::disallowed_methods, reason = "benches plant files, start programs and read the clock")]

mod bench;
mod child;
mod options;
mod plant;
mod prose;
mod random;
mod rounds;
mod table;
mod watcher;

use std::process::ExitCode;

use options::Options;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).peekable();
    let result = if arguments.next_if(|first| first == "inner").is_some() {
        inner(arguments)
    } else {
        outer(arguments)
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("bench: {message}");
            ExitCode::from(2)
        }
    }
}

fn outer(arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let options = Options::read(arguments)?;
    let is_known = |name: &&String| bench::ALL.iter().any(|(known, _)| known == name);
    if let Some(unknown) = options.only.iter().find(|name| !is_known(name)) {
        let names: Vec<_> = bench::ALL.iter().map(|(name, _)| *name).collect();
        return Err(format!("unknown bench `{unknown}`: there are {}", names.join(", ")));
    }
    let mut rows = Vec::new();
    for (name, run) in bench::ALL {
        if options.only.is_empty() || options.only.iter().any(|only| only == name) {
            eprintln!("bench {name}");
            rows.extend(run(&options).map_err(|error| format!("{name}: {error}"))?);
        }
    }
    plant::clean(&options);
    table::print(&rows);
    Ok(())
}

/// The parts of peers, which run as processes of their own.
fn inner(mut arguments: impl Iterator<Item = String>) -> Result<(), String> {
    match arguments.next().as_deref() {
        Some("weigh") => child::weigh(arguments),
        Some("echo") => bench::echo(arguments),
        Some("mcp-server") => bench::server(),
        Some("http-server") => bench::bare_server(),
        Some("append") => bench::bare_append(arguments),
        Some("append-loop") => bench::bare_loop(arguments),
        Some("edit-loop") => bench::locked_loop(arguments),
        _ => Err("unknown part".to_owned()),
    }
}

//! What a hook's process pays: opening, loading, committing and closing, in a session of so many records.
//!
//!     cargo run --release -p mentci-store --example one_shot -- store.db 1000
#![allow(clippy::disallowed_methods, reason = "a measurement looks at the clock")]

use std::path::Path;
use std::time::{Duration, Instant};

use mentci_authority::{At, Event, Hook, ToolCall};
use mentci_ledger::{Decided, Delta, Record, Windows};
use mentci_store::{SqliteOptions, SqliteStore, Store};
use serde_json::json;

const WINDOWS: Windows = Windows { longest_ms: 600_000 };

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("the path of a store that is not there yet")?;
    let records: i64 = arguments.next().map_or(Ok(1_000), |text| text.parse())?;
    for number in 0..records {
        once(Path::new(&path), number, false)?;
    }
    for is_vital in [false, true] {
        let mut times: Vec<[Duration; 3]> = Vec::new();
        for number in 0..100 {
            times.push(once(Path::new(&path), records + number, is_vital)?);
        }
        let median = |part: usize| {
            let mut parts: Vec<Duration> = times.iter().map(|time| time[part]).collect();
            parts.sort_unstable();
            parts[parts.len() / 2]
        };
        println!(
            "vital {is_vital}: open {:?}, load {:?}, commit and close {:?}",
            median(0),
            median(1),
            median(2)
        );
    }
    Ok(())
}

fn once(path: &Path, number: i64, is_vital: bool) -> Result<[Duration; 3], Box<dyn std::error::Error>> {
    let start = Instant::now();
    let mut store = SqliteStore::open(path, SqliteOptions::default())?;
    let opened = start.elapsed();
    let mut loaded = store.load("s1", WINDOWS)?;
    let read = start.elapsed();
    let tool = ToolCall { name: "exec".into(), args: json!({"command": "ls -la"}), ..ToolCall::default() };
    let at = Some(At::utc(number * 1_000));
    let event = Event { session: "s1".into(), at, tool: Some(tool), ..Event::new(Hook::PreToolCall) };
    let deltas = if is_vital { vec![Delta::Reserved { rule: "pack/quota".into() }] } else { vec![] };
    store.commit(&mut loaded, &Record::of(&event, &Decided::allowed(), deltas), None)?;
    drop(store);
    Ok([opened, read.saturating_sub(opened), start.elapsed().saturating_sub(read)])
}

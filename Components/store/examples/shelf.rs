//! How fast artifacts are stored and read, and lines of the log written and walked.
//!
//!     cargo run --release -p mentci-store --example shelf -- FOLDER
#![allow(clippy::disallowed_methods, reason = "a measurement looks at the clock")]

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use mentci_authority::{
    ArtifactHandle, ArtifactKeeper, ArtifactNote, ArtifactScope, ArtifactStore, At, Event, Hook, NewArtifact,
    ToolCall,
};
use mentci_ledger::{Decided, Record};
use mentci_source::Hash;
use mentci_store::{SqliteArtifactStore, SqliteOptions, SqliteStore, Store, TokenCounts, artifact_id};

type Failed = Box<dyn std::error::Error>;

fn main() -> Result<(), Failed> {
    let folder = std::env::args().nth(1).ok_or("which folder?")?;
    let folder = Path::new(&folder);
    let store = SqliteArtifactStore::open(&folder.join("artifacts.db"), Duration::from_secs(5))?;
    puts(&store, 1, 200);
    puts(&store, 32, 100);
    gets(&store)?;
    stream(&store)?;
    search(&store)?;
    counts(folder)?;
    log(folder)
}

fn artifact(thread: usize, number: usize) -> NewArtifact {
    let content = format!("line of {thread} and {number}: what a tool said\n").repeat(200).into_bytes();
    let handle = ArtifactHandle {
        artifact_id: artifact_id(&content),
        summary: "said".into(),
        size_bytes: content.len() as u64,
        mime_type: "text/plain".into(),
        created_at: 1.0,
        source: "tool:say".into(),
    };
    NewArtifact { handle, content }
}

/// Each put is durable when it returns.
fn puts(store: &SqliteArtifactStore, threads: usize, each: usize) {
    let start = Instant::now();
    std::thread::scope(|scope| {
        for thread in 0..threads {
            scope.spawn(move || {
                for number in 0..each {
                    if let Err(error) = store.store("s1", &[artifact(threads * 1_000 + thread, number)]) {
                        println!("{error}");
                    }
                }
            });
        }
    });
    told(&format!("puts of 9 KiB by {threads} threads"), threads * each, start);
}

fn gets(store: &SqliteArtifactStore) -> Result<(), Failed> {
    let handles = store.list_handles(None)?;
    let start = Instant::now();
    for handle in &handles {
        store.retrieve(&handle.artifact_id)?;
    }
    told("gets of 9 KiB", handles.len(), start);
    Ok(())
}

fn stream(store: &SqliteArtifactStore) -> Result<(), Failed> {
    let (start, megabytes) = (Instant::now(), 128);
    let mut content = std::io::Read::take(std::io::repeat(b'x'), megabytes << 20);
    let handle = store.store_reader("s2", &ArtifactNote::default(), &mut content)?;
    told("MiB of a stream stored", usize::try_from(megabytes)?, start);
    let start = Instant::now();
    store.copy(&handle.artifact_id, &mentci_authority::ArtifactPart::Whole, &mut std::io::sink())?;
    told("MiB of it copied", usize::try_from(megabytes)?, start);
    Ok(())
}

fn search(store: &SqliteArtifactStore) -> Result<(), Failed> {
    for turn in ["first", "second"] {
        let start = Instant::now();
        let hits = store.search(&ArtifactScope::Session("s1".into()), "of 32017 and 55:", 10)?;
        told(&format!("{turn} search, {} hits", hits.len()), 1, start);
    }
    Ok(())
}

fn counts(folder: &Path) -> Result<(), Failed> {
    let mut counts = TokenCounts::open(&folder.join("counts.db"), "o200k_base")?;
    let hashes: Vec<Hash> = (0..10_000_u64).map(|number| Hash::of_bytes(&number.to_le_bytes())).collect();
    let known: Vec<(Hash, u64)> = hashes.iter().map(|hash| (*hash, 7)).collect();
    let start = Instant::now();
    counts.remember_counts(&known)?;
    told("counts remembered", known.len(), start);
    let start = Instant::now();
    counts.counts(&hashes)?;
    told("counts looked up", hashes.len(), start);
    Ok(())
}

fn log(folder: &Path) -> Result<(), Failed> {
    let mut store = SqliteStore::open(&folder.join("store.db"), SqliteOptions::default())?;
    let record = |second: i64| {
        let tool =
            ToolCall { name: "read".into(), args: serde_json::json!({"n": second}), ..ToolCall::default() };
        let at = Some(At::utc(second * 1_000));
        let event = Event { session: "s1".into(), at, tool: Some(tool), ..Event::new(Hook::PreToolCall) };
        let body = serde_json::to_string(&event).ok();
        (Record::of(&event, &Decided::allowed(), vec![]), body)
    };
    let records: Vec<_> = (0..100_000).map(record).collect();
    let start = Instant::now();
    store.append(&records)?;
    told("events appended", records.len(), start);
    let (start, mut bytes) = (Instant::now(), 0);
    store.walk("s1", 90_000, &mut |line| {
        bytes += line.record.len() + line.body.map_or(0, str::len);
        ControlFlow::Continue(())
    })?;
    told(&format!("events walked, {bytes} bytes"), 10_000, start);
    Ok(())
}

#[allow(clippy::cast_precision_loss, reason = "a figure to look at")]
fn told(what: &str, count: usize, start: Instant) {
    let seconds = start.elapsed().as_secs_f64();
    println!("{count} {what}: {:.1} ms, {:.0} a second", seconds * 1e3, count as f64 / seconds);
}

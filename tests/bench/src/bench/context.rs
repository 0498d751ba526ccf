//! Sessions, contexts and artifacts: a session of 10,000 events and 157 MB compiled, appended, stored and fetched.

#![expect(clippy::cast_precision_loss, reason = "counts and sizes are told in a few digits")]

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use mentci_authority::{ArtifactStore, Event, NewArtifact};
use mentci_context::{
    AlignOptions, CompileConfig, ContextCompiler, Counts, PerceptionAligner, SchemaRegistry, Session,
};
use mentci_ledger::{Decided, Record};
use mentci_store::{SqliteArtifactStore, SqliteOptions, SqliteStore, Store};
use mentci_tokens::{Rough, Tokenizer, o200k};
use serde_json::{Value, json};

use super::policy::least;
use super::{Rows, told};
use crate::child::{memory, run, silent};
use crate::options::Options;
use crate::rounds::{Step, time};
use crate::table::{Row, Target, Unit};

/// Exchanges of four events each: a question, a call, its answer, what the model says.
const EXCHANGES: usize = 2_500;
/// With 2,500 of these a session holds 157 MB.
const PAYLOAD: usize = 62_800;
const BUDGET: u64 = 100_000;

pub(super) fn bench(options: &Options) -> Rows {
    let exchanges = options.amount(EXCHANGES, 100);
    let mut rows = compiling(options, exchanges)?;
    rows.extend(appending(options)?);
    rows.extend(artifacts(options)?);
    rows.extend(processes(options, exchanges)?);
    Ok(rows)
}

fn payload(number: usize) -> String {
    let line = |at: usize| {
        format!(
            "12:{:02}:{:02} INFO step {at} of job {number} took {} ms\n",
            at / 60 % 60,
            at % 60,
            at * 7 % 900
        )
    };
    let mut text: String = (0..PAYLOAD / 44).map(line).collect();
    text.truncate(PAYLOAD);
    text
}

/// The events of a session, payloads and all.
fn events(exchanges: usize) -> Vec<Event> {
    let line = |value: Value| serde_json::from_value::<Event>(value).map_err(|error| error.to_string());
    let exchange = |at: usize| {
        let tool = json!({"name": "bash", "args": {"command": format!("make job-{at}")}, "call_id": format!("c{at}")});
        let said = |role: &str, text: String| json!({"event": "message_appended", "session": "s", "at": at * 10, "message": {"role": role, "text": text}});
        [
            said(
                "user",
                format!("Run job {at} and tell me what the slowest step was, and why it took so long."),
            ),
            json!({"event": "pre_tool_call", "session": "s", "at": at * 10 + 1, "tool": tool}),
            json!({"event": "post_tool_response", "session": "s", "at": at * 10 + 2, "tool": tool, "result": payload(at)}),
            said(
                "assistant",
                format!("In job {at} step 127 was the slowest: it waits for the cache, which is cold."),
            ),
        ]
    };
    (0..exchanges).flat_map(exchange).filter_map(|value| line(value).ok()).collect()
}

/// The session as the log holds it: large answers are handles.
fn aligned(events: &[Event]) -> (Vec<Event>, Vec<NewArtifact>) {
    let aligner = PerceptionAligner::new(AlignOptions::default(), SchemaRegistry::default(), Arc::new(Rough));
    let aligner = aligner.expect("OK because the default options name nothing");
    let (mut kept, mut artifacts) = (Vec::new(), Vec::new());
    for event in events {
        let mut event = event.clone();
        if let Some(result) = &mut event.result {
            let answer = aligner.normalize("bash", &result.value, 0.0);
            result.value = answer.value;
            artifacts.extend(answer.artifact);
        }
        kept.push(event);
    }
    (kept, artifacts)
}

fn session(events: &[Event], counts: &Arc<Counts>) -> Session {
    let mut session = Session::new("s", counts.clone());
    for event in events {
        session.take_in(event, Some(&Decided::allowed()));
    }
    session
}

fn compiling(options: &Options, exchanges: usize) -> Rows {
    let (kept, artifacts) = aligned(&events(exchanges));
    let counts = Arc::new(Counts::new(o200k()));
    let held = session(&kept, &counts);
    let config = CompileConfig::new(BUDGET);
    let compiled = ContextCompiler::default().compile(&held, &config).map_err(|error| error.to_string())?;
    if compiled.context.overflow() > 0 || compiled.ledger.events.len() != held.events().len() {
        return Err("the compiled context is over its budget or forgets events".to_owned());
    }
    let warm: Step<'_> = Box::new(|| Ok(time(|| ContextCompiler::default().compile(&held, &config))));
    let cold: Step<'_> = Box::new(|| {
        Ok(time(|| {
            let counts = Arc::new(Counts::new(o200k()));
            ContextCompiler::default().compile(&session(&kept, &counts), &config).map(drop)
        }))
    });
    // A twentieth of the payloads is enough to know the tokenizer's pace.
    let sample: Vec<&[u8]> =
        artifacts.iter().step_by(20).map(|artifact| artifact.content.as_slice()).collect();
    let share = sample.len() as f64 / artifacts.len().max(1) as f64;
    let bare: Step<'_> = Box::new(|| {
        let seconds =
            time(|| sample.iter().map(|text| o200k().count(&String::from_utf8_lossy(text))).sum::<usize>());
        Ok(seconds / share)
    });
    let rounds = Options { quick: true, ..options.clone() };
    let [warm, cold, bare] = least(&rounds, vec![warm, cold, bare])?[..] else { return Ok(Vec::new()) };
    let events = exchanges * 4;
    let mib = exchanges * PAYLOAD / 1_000_000;
    let what = |how: &str| format!("compiling {events} events with {mib} MB of payloads, {how}");
    Ok(vec![
        Row::alone(&what("counts known"), Unit::Seconds, warm, Target::Below(0.020)),
        Row::beside(
            &what("nothing counted"),
            Unit::Seconds,
            cold,
            ("o200k over all of it", bare),
            Target::AtMost(1.0),
        ),
    ])
}

fn appending(options: &Options) -> Rows {
    let count = options.amount(100_000, 5_000);
    let folder = fresh(&options.data.join("context-append"))?;
    let event = |at: usize| {
        let line = json!({"event": "message_appended", "session": "s", "at": at, "message": {"role": "user", "text": format!("message {at}")}});
        serde_json::from_value::<Event>(line).map_err(|error| error.to_string())
    };
    let records = (0..count).map(|at| {
        let event = event(at)?;
        let body = serde_json::to_string(&event).ok();
        Ok((Record::of(&event, &Decided::allowed(), Vec::new()), body))
    });
    let records: Vec<(Record, Option<String>)> = records.collect::<Result<_, String>>()?;
    let mut store = SqliteStore::open(&folder.join("store.db"), SqliteOptions::default())
        .map_err(|error| error.to_string())?;
    let mut done = Ok(());
    let seconds = time(|| done = store.append(&records));
    done.map_err(|error| error.to_string())?;
    let mut lines = 0;
    let walked = time(|| {
        store.walk("s", 0, &mut |_| {
            lines += 1;
            std::ops::ControlFlow::Continue(())
        })
    });
    if lines != count {
        return Err(format!("{lines} of {count} lines came back"));
    }
    let events = (0..count).map(event).collect::<Result<Vec<_>, _>>()?;
    let counts = Arc::new(Counts::new(Rough));
    let pure = time(|| session(&events, &counts));
    Ok(vec![
        Row::alone(
            &format!("appending {count} events to a session in memory"),
            Unit::Seconds,
            pure,
            Target::Below(1.0),
        ),
        Row::alone(
            &format!("appending {count} events to the log in one go"),
            Unit::Seconds,
            seconds,
            Target::Below(1.0),
        ),
        Row::alone(&format!("reading {count} lines of the log"), Unit::Seconds, walked, Target::Told),
    ])
}

/// Puts at the same durability as one commit each, and gets beside plain files.
fn artifacts(options: &Options) -> Rows {
    let (count, size) = (options.amount(2_000, 200), 4_096);
    let folder = fresh(&options.data.join("context-artifacts"))?;
    let store = SqliteArtifactStore::open(&folder.join("artifacts.db"), Duration::from_secs(2))
        .map_err(|error| error.to_string())?;
    let aligner =
        PerceptionAligner::new(AlignOptions::default(), SchemaRegistry::default(), Arc::new(Rough))?;
    let made: Vec<NewArtifact> = (0..count)
        .filter_map(|number| {
            let text = &payload(number)[..size];
            aligner.normalize("bash", &json!(text), 0.0).artifact
        })
        .collect();
    let workers = 16;
    let grouped = time(|| {
        std::thread::scope(|scope| {
            for share in made.chunks(count.div_ceil(workers)) {
                let store = &store;
                scope.spawn(move || {
                    share.iter().all(|artifact| store.store("s", std::slice::from_ref(artifact)).is_ok())
                });
            }
        });
    });
    let kept = store.list_handles(Some("s")).map_err(|error| error.to_string())?.len();
    if kept != made.len() {
        return Err(format!("{kept} of {} artifacts were kept", made.len()));
    }
    let by_default = peer(&folder, "delete", count, size)?;
    let with_wal = peer(&folder, "wal", count, size)?;
    let files = fresh(&folder.join("files"))?;
    for artifact in &made {
        fs::write(files.join(artifact.handle.artifact_id.to_string()), &artifact.content).map_err(told)?;
    }
    let got: Step<'_> = Box::new(|| {
        Ok(time(|| {
            made.iter().all(|artifact| {
                store.retrieve(&artifact.handle.artifact_id).is_ok_and(|found| found.is_some())
            })
        }))
    });
    let read: Step<'_> = Box::new(|| {
        Ok(time(|| {
            made.iter().all(|artifact| fs::read(files.join(artifact.handle.artifact_id.to_string())).is_ok())
        }))
    });
    let [got, read] = least(options, vec![got, read])?[..] else { return Ok(Vec::new()) };
    let rate = |seconds: f64| made.len() as f64 / seconds;
    Ok(vec![
        Row::beside(
            "artifact puts of 4 KB by 16 threads, each durable",
            Unit::PerSecond,
            rate(grouped),
            ("one commit each (Python, SQLite as it is by default)", rate(by_default)),
            Target::AtLeast(5.0),
        ),
        Row::beside(
            "the same puts",
            Unit::PerSecond,
            rate(grouped),
            ("one commit each (Python, SQLite with a write-ahead log)", rate(with_wal)),
            Target::Told,
        ),
        Row::beside(
            "artifact gets of 4 KB, verified",
            Unit::PerSecond,
            rate(got),
            ("plain files in the page cache", rate(read)),
            Target::Told,
        ),
    ])
}

/// The seconds of so many puts, each in a commit of its own that is synced, under a journal of `SQLite`.
fn peer(folder: &Path, journal: &str, count: usize, size: usize) -> Result<f64, String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bench/context.py");
    let output = Command::new("python3")
        .arg(script)
        .arg("puts")
        .arg(folder.join("peer.db"))
        .args([count.to_string(), size.to_string(), journal.to_owned()])
        .output()
        .map_err(told)?;
    let said = String::from_utf8_lossy(&output.stdout);
    said.trim().parse().map_err(|_| "the peer said nothing".to_owned())
}

/// The same session in the log of a workspace, compiled by the command line.
fn processes(options: &Options, exchanges: usize) -> Rows {
    let root = fresh(&options.data.join("context-log"))?;
    let lines: String = events(exchanges)
        .iter()
        .filter_map(|event| serde_json::to_string(event).ok())
        .map(|line| line + "\n")
        .collect();
    let file = root.join("s.jsonl");
    fs::write(&file, lines).map_err(told)?;
    let command = |arguments: &[&str]| {
        let mut command = silent(&options.engine);
        command.args(arguments).arg("--root").arg(&root).env("XDG_STATE_HOME", root.join("state"));
        command
    };
    let imported = run(command(&["session", "import"]).arg(&file), 0)?;
    let compile = ["context", "compile", "--session", "s", "--budget", "100000", "--json"];
    let first = run(&mut command(&compile), 0)?;
    let mut later = Vec::new();
    for _ in 0..options.amount(11, 3) {
        later.push(run(&mut command(&compile), 0)?.seconds);
    }
    later.sort_by(f64::total_cmp);
    let state = format!("XDG_STATE_HOME={}", root.join("state").display());
    let mut arguments: Vec<&OsStr> = vec![state.as_ref(), options.engine.as_ref()];
    arguments.extend(compile.iter().map(OsStr::new));
    arguments.extend([OsStr::new("--root"), root.as_ref()]);
    let held = memory(Path::new("/usr/bin/env"), &arguments)?;
    let events = exchanges * 4;
    Ok(vec![
        Row::alone(
            &format!("`session import` of {events} events"),
            Unit::Seconds,
            imported.seconds,
            Target::Told,
        ),
        Row::alone(
            &format!("`context compile` of {events} events, the first time"),
            Unit::Seconds,
            first.seconds,
            Target::Told,
        ),
        Row::alone(
            &format!("`context compile` of {events} events, counts known"),
            Unit::Seconds,
            later[later.len() / 2],
            Target::Told,
        ),
        Row::alone("its memory", Unit::Mebibytes, held as f64 / 1_024.0 / 1_024.0, Target::Told),
    ])
}

fn fresh(folder: &Path) -> Result<std::path::PathBuf, String> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(told)?;
    }
    fs::create_dir_all(folder).map_err(told)?;
    Ok(folder.to_owned())
}

//! Threads and processes that store at once, and die at any moment.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and start processes")]

mod shelf;

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Barrier;
use std::time::Duration;

use mentci_authority::{ArtifactId, ArtifactKeeper, ArtifactNote, ArtifactPart, ArtifactScope, NewArtifact};
use mentci_store::artifact_id;
use shelf::{artifact, both, noise, open};

/// Runs this test program again as a process of its own that only stores, as `name`.
fn start(kind: &str, folder: &Path, name: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "role", "--nocapture", "--quiet"])
        .env("ARTIFACT_TEST_KIND", kind)
        .env("ARTIFACT_TEST_FOLDER", folder)
        .env("ARTIFACT_TEST_NAME", name)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Stores for ever: one, a batch of three, and a stream in turn; says each once it is acknowledged.
#[test]
fn role() {
    let variable = |name: &str| std::env::var(format!("ARTIFACT_TEST_{name}"));
    let (Ok(kind), Ok(folder), Ok(name)) = (variable("KIND"), variable("FOLDER"), variable("NAME")) else {
        return;
    };
    let store = open(&kind, Path::new(&folder));
    if let Ok(megabytes) = name.parse() {
        return say_memory(&*store, megabytes);
    }
    for number in 0..u32::MAX {
        let said = match number % 3 {
            0 => store.store(&name, &[one(&name, number)]).map(|()| one(&name, number).handle.artifact_id),
            1 => store
                .store(&name, &batch(&name, number))
                .map(|()| artifact_id(&batch(&name, number)[0].content)),
            _ => store
                .store_reader(&name, &ArtifactNote::default(), &mut one(&name, number).content.as_slice())
                .map(|handle| handle.artifact_id),
        };
        // Another process may hold the lock for longer than this one waits.
        if let Ok(id) = said {
            let mut out = std::io::stdout().lock();
            writeln!(out, "said {number} {id}").unwrap();
            out.flush().unwrap();
        }
    }
}

/// Stores, copies and searches a content of so many MiB, and says the most memory that took, in KiB.
fn say_memory(store: &dyn ArtifactKeeper, megabytes: u64) {
    let mut content = std::io::repeat(b'x').take(megabytes << 20);
    let handle = store.store_reader("s1", &ArtifactNote::default(), &mut content).unwrap();
    let id = handle.artifact_id;
    store
        .store_reader("s2", &ArtifactNote::default(), &mut std::io::repeat(b'x').take(megabytes << 20))
        .unwrap();
    store.copy(&id, &ArtifactPart::Whole, &mut std::io::sink()).unwrap();
    store.retrieve_range(&id, (1 << 20)..(1 << 20) + 100).unwrap();
    store.search(&ArtifactScope::One(id), "nowhere", 5).unwrap();
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    println!("said {} {id}", most.trim().split(' ').next().unwrap());
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_a_content() {
    for kind in ["sqlite", "fs"] {
        let most = |megabytes: &str| {
            let folder = tempfile::tempdir().unwrap();
            heard(&mut start(kind, folder.path(), megabytes))[0].0
        };
        let (small, large) = (most("6"), most("40"));
        assert!(large < small + 6_000, "{kind}: {small} KiB for 6 MiB, {large} KiB for 40 MiB");
    }
}

/// Every second one has more pieces than one.
fn one(name: &str, number: u32) -> NewArtifact {
    let mut content = format!("{name} {number}\n").into_bytes();
    content.extend(noise(if number.is_multiple_of(2) { 200 } else { 100_000 }, u64::from(number)));
    artifact(content, number)
}

fn batch(name: &str, number: u32) -> Vec<NewArtifact> {
    (0..3).map(|part| artifact(format!("{name} {number} part {part}"), number)).collect()
}

fn heard(child: &mut Child) -> Vec<(u32, ArtifactId)> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let said = lines.map_while(Result::ok).filter_map(|line| {
        let (number, id) = line.split_once("said ")?.1.split_once(' ')?;
        Some((number.parse().ok()?, id.parse().ok()?))
    });
    said.collect()
}

#[test]
fn killed_at_any_moment_nothing_acknowledged_is_lost_or_half_stored() {
    for kind in ["sqlite", "fs"] {
        let folder = tempfile::tempdir().unwrap();
        let mut acknowledged = Vec::new();
        for round in 0..8_u64 {
            let names = [format!("a{round}"), format!("b{round}")];
            let mut children = names.clone().map(|name| start(kind, folder.path(), &name));
            std::thread::sleep(Duration::from_millis(60 + round * 23));
            for child in &mut children {
                let _ = child.kill();
            }
            for (name, child) in names.iter().zip(&mut children) {
                acknowledged.extend(heard(child).into_iter().map(|said| (name.clone(), said)));
                child.wait().unwrap();
            }
        }
        assert!(!acknowledged.is_empty());
        let store = open(kind, folder.path());
        for (name, (number, id)) in &acknowledged {
            assert!(store.retrieve(id).unwrap().is_some(), "{kind} {name} {number}");
            assert!(store.visible(name, id).unwrap(), "{kind} {name} {number}");
        }
        let all = store.list_handles(None).unwrap();
        for handle in &all {
            let content = store.retrieve(&handle.artifact_id).unwrap().unwrap();
            assert_eq!(content.len() as u64, handle.size_bytes, "{kind}");
            // A batch is there whole.
            let text = String::from_utf8_lossy(&content);
            if let Some((start, _)) = text.split_once(" part ") {
                for part in 0..3 {
                    let id = artifact_id(format!("{start} part {part}").as_bytes());
                    assert!(store.exists(&id).unwrap(), "{kind} {text}");
                }
            }
        }
        assert!(all.len() >= acknowledged.len());
    }
}

#[test]
fn many_threads_store_and_read_at_once() {
    const THREADS: u32 = 16;
    for shelf in both() {
        let (store, barrier) = (&*shelf.store, Barrier::new(THREADS as usize));
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                let barrier = &barrier;
                scope.spawn(move || {
                    barrier.wait();
                    for number in 0..4 {
                        let name = format!("t{thread}");
                        let new = one(&name, number);
                        let shared = artifact(format!("shared {number}"), number);
                        store.store(&name, &[new.clone(), shared.clone()]).unwrap();
                        assert_eq!(store.retrieve(&new.handle.artifact_id).unwrap().unwrap(), new.content);
                        assert!(store.visible(&name, &shared.handle.artifact_id).unwrap());
                    }
                });
            }
        });
        assert_eq!(store.list_handles(None).unwrap().len(), THREADS as usize * 4 + 4, "{}", shelf.name);
    }
}

/// Of several who store at once, one who may not does not keep the others from it.
#[test]
fn who_is_refused_is_refused_alone() {
    for shelf in both() {
        let store = &*shelf.store;
        let results: Vec<bool> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..16_u32)
                .map(|number| {
                    scope.spawn(move || {
                        let mut new = artifact(format!("content {number}"), 1);
                        if number % 4 == 0 {
                            new.content.push(b'!');
                        }
                        store.store("s1", &[new]).is_ok()
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!((0..16).all(|number| results[number] == (number % 4 != 0)), "{} {results:?}", shelf.name);
    }
}

//! 16 processes that append 400 lessons, beside a bare append that is brought to the disk under the same lock.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use mentci_disk::{Edit, RealFs, Sidecar, WriteOptions, edit_locked};

use super::Rows;
use crate::child::{run, silent};
use crate::options::Options;
use crate::plant;
use crate::prose;
use crate::rounds::{Step, in_turn};
use crate::table::{Row, Target, Unit};

const WRITERS: usize = 16;
const EACH: usize = 25;
const ALL: usize = WRITERS * EACH;
/// The same number, to divide.
const COUNT: f64 = 400.0;
/// The file of the bare appends.
const LOG: &str = "log";
/// The file of the edits.
const EDITED: &str = "edited";

pub(super) fn bench(options: &Options) -> Rows {
    let root = home(options)?;
    let own = std::env::current_exe().map_err(super::told)?;
    let runtime = root.join(".pi/skills").join(prose::skill_name(0)).join("runtime.edn");
    let learn = |writer: usize, n: usize| add_lesson(options, &root, writer, n);
    let append = |writer: usize, n: usize| part(&own, "append", &root, &[writer, n]);
    let edit_loop = |writer: usize| run(&mut part(&own, "edit-loop", &root, &[writer]), 0).map(drop);
    let append_loop = |writer: usize| run(&mut part(&own, "append-loop", &root, &[writer]), 0).map(drop);
    let one_by_one = |command: &(dyn Fn(usize, usize) -> Command + Sync), writer: usize| {
        (0..EACH).try_for_each(|n| run(&mut command(writer, n), 0).map(drop))
    };
    let steps: Vec<Step<'_>> = vec![
        Box::new(|| counted(&runtime, ":condition ", |writer| one_by_one(&learn, writer))),
        Box::new(|| counted(&root.join(LOG), "\n", |writer| one_by_one(&append, writer))),
        Box::new(|| counted(&root.join(EDITED), "\n", edit_loop)),
        Box::new(|| counted(&root.join(LOG), "\n", append_loop)),
    ];
    let samples = in_turn(options.amount(7, 2), steps)?;
    let [learned, appended, edited, bare] = [0, 1, 2, 3].map(|n| COUNT / samples[n].median());
    let lessons = format!("{ALL} lessons from {WRITERS} at once, a process each, none lost");
    let edits = format!("{ALL} locked edits from {WRITERS} processes, none lost");
    Ok(vec![
        Row::beside(
            &lessons,
            Unit::PerSecond,
            learned,
            ("bare fsynced append, a process each", appended),
            Target::Told,
        ),
        Row::beside(&edits, Unit::PerSecond, edited, ("bare fsynced append", bare), Target::Told),
    ])
}

/// A small workspace with one skill.
fn home(options: &Options) -> Result<PathBuf, String> {
    let root = options.data.join("append");
    if root.exists() {
        fs::remove_dir_all(&root).map_err(super::told)?;
    }
    plant::write_skills(&root.join(".pi/skills"), 1).map_err(super::told)?;
    Ok(root)
}

/// Runs all writers at once on a fresh file; afterwards it must hold every entry.
fn counted(
    file: &Path,
    mark: &str,
    write: impl Fn(usize) -> Result<(), String> + Sync,
) -> Result<f64, String> {
    if file.exists() {
        fs::remove_file(file).map_err(super::told)?;
    }
    let start = Instant::now();
    std::thread::scope(|scope| {
        let write = &write;
        let threads: Vec<_> = (0..WRITERS).map(|writer| scope.spawn(move || write(writer))).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or_else(|_| Err("a thread died".to_owned())))
    })?;
    let seconds = start.elapsed().as_secs_f64();
    let kept = fs::read_to_string(file).map_err(super::told)?.matches(mark).count();
    if kept == ALL { Ok(seconds) } else { Err(format!("{kept} of {ALL} entries are left")) }
}

fn add_lesson(options: &Options, root: &Path, writer: usize, n: usize) -> Command {
    let mut command = silent(&options.engine);
    command.args(["lessons", "add", "--skill", &prose::skill_name(0)]);
    command.args(["--condition", &format!("step {n} of run {writer} times out")]);
    command.args(["--resolution", &format!("Wait for job {writer}-{n} and try again")]);
    command.arg("--root").arg(root);
    command
}

/// A part of this program, as a process of its own.
fn part(own: &Path, name: &str, root: &Path, numbers: &[usize]) -> Command {
    let mut command = silent(own);
    command.args(["inner", name]).arg(root).args(numbers.iter().map(usize::to_string));
    command
}

/// The peer as a process: one append.
pub(crate) fn bare_append(mut arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let root = PathBuf::from(arguments.next().ok_or("`append` wants a directory")?);
    append(&root, &line(&arguments.collect::<Vec<_>>()))
}

/// The peer as a loop.
pub(crate) fn bare_loop(mut arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let root = PathBuf::from(arguments.next().ok_or("`append-loop` wants a directory")?);
    let writer = arguments.next().unwrap_or_default();
    (0..EACH).try_for_each(|n| append(&root, &line(&[writer.clone(), n.to_string()])))
}

/// The same loop with the edit that keeps lessons.
pub(crate) fn locked_loop(mut arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let root = PathBuf::from(arguments.next().ok_or("`edit-loop` wants a directory")?);
    let writer = arguments.next().unwrap_or_default();
    let sidecar = Sidecar::editing(&root);
    (0..EACH).try_for_each(|n| {
        let line = line(&[writer.clone(), n.to_string()]);
        let change = |before: Option<&[u8]>| {
            Ok::<_, String>(Edit::Replace([before.unwrap_or_default(), line.as_bytes()].concat()))
        };
        edit_locked(&RealFs, &sidecar, EDITED, WriteOptions::LASTING, change)
            .map(drop)
            .map_err(|error| error.to_string())
    })
}

/// As long as a lesson.
fn line(words: &[String]) -> String {
    format!(
        "{{:condition \"step {0} times out\" :resolution \"Wait for job {0} and try again\" :source \"cli\"}}\n",
        words.join("-")
    )
}

/// Appends under the lock, and lets it go once the bytes are on the disk.
fn append(root: &Path, line: &str) -> Result<(), String> {
    let work = || -> std::io::Result<()> {
        let lock = File::create(root.join("log.lock"))?;
        lock.lock()?;
        let mut file = OpenOptions::new().append(true).create(true).open(root.join(LOG))?;
        file.write_all(line.as_bytes())?;
        file.sync_all()
    };
    work().map_err(super::told)
}

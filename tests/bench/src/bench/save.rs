//! From a save to the published digest, beside a bare loop: wait for the save, read it, put a copy in place, tell.

use std::fs;
use std::io::Write;
use std::mem::MaybeUninit;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use rustix::fs::inotify::{CreateFlags, ReadFlags, Reader, WatchFlags, add_watch, init};

use super::Rows;
use super::compile::forget;
use crate::options::Options;
use crate::plant;
use crate::prose;
use crate::random::Random;
use crate::rounds::Samples;
use crate::table::{Row, Target, Unit};
use crate::watcher::Watcher;

/// The skill that is saved.
const SKILL: usize = 7;
/// Longer than any cycle takes.
const PATIENCE: Duration = Duration::from_secs(20);

pub(super) fn bench(options: &Options) -> Rows {
    let (skills, others) = (options.amount(1_000, 100), options.amount(100_000, 5_000));
    let root = plant::workspace(options, skills, others).map_err(super::told)?;
    forget(&root)?;
    let (watcher, _) = Watcher::engine(&options.engine, &root)?;
    let bare = Bare::start(options)?;
    let saved = root.join(".pi/skills").join(prose::skill_name(SKILL)).join("SKILL.md");
    let skill = saved.parent().ok_or("a skill stands in a folder")?;
    let arrivals = Arrivals::of(skill)?;
    let rounds = options.amount(300, 40);
    let mut rows = Vec::new();
    for (how, save) in [("a plain write", fs::write as Save), ("written beside and renamed", write_rename)] {
        let mut gaps = Random::new(3);
        let (mut skill, mut all) = (Samples::default(), Samples::default());
        let (mut inside, mut theirs) = (Samples::default(), Samples::default());
        for round in 0..rounds {
            pause(&mut gaps);
            let took = one_save(&watcher, &arrivals, &saved, save, round)?;
            skill.push(took.skill);
            all.push(took.all);
            inside.push(took.inside);
            pause(&mut gaps);
            theirs.push(bare.save(save, round)?);
        }
        let row = |what: &str, ours: &Samples, (which, percent, limit): (&str, usize, Option<f64>)| {
            Row::beside(
                &format!("{how}, {what}: {which} of {}", ours.len()),
                Unit::Seconds,
                ours.percentile(percent),
                ("bare loop", theirs.percentile(percent)),
                limit.map_or(Target::Told, Target::Below),
            )
        };
        let (median, last) = (("median", 50, Some(0.005)), ("99th percentile", 99, Some(0.050)));
        let own = "to the skill's digest in place";
        let every = "to the workspace's digest in place and told";
        rows.extend([row(own, &skill, median), row(own, &skill, last)]);
        rows.extend([row(every, &all, median), row(every, &all, last)]);
        rows.push(row("the engine's own part", &inside, ("median", 50, None)));
    }
    rows.push(Row::alone("memory of the watch", Unit::Mebibytes, watcher.memory(), Target::Told));
    fs::write(&saved, prose::skill(SKILL)).map_err(super::told)?;
    watcher.quiet(Duration::from_secs(1))?;
    super::checkout::must_be_current(options, &root)?;
    Ok(rows)
}

/// How a file is saved.
type Save = fn(PathBuf, String) -> std::io::Result<()>;

/// As most editors do it.
fn write_rename(path: PathBuf, text: String) -> std::io::Result<()> {
    let beside = path.with_file_name(".SKILL.md.swp");
    fs::write(&beside, text)?;
    fs::rename(beside, path)
}

/// Saves come when they come: most shortly after one another, some when the watch has gone to rest.
fn pause(random: &mut Random) {
    let milliseconds = if random.chance(12) { 400 + random.below(300) } else { 30 + random.below(60) };
    std::thread::sleep(Duration::from_millis(milliseconds as u64));
}

/// How long a save took, in seconds.
struct Took {
    /// Until the skill's digest was in place.
    skill: f64,
    /// Until all digests were, and the watch had told.
    all: f64,
    /// As the engine says.
    inside: f64,
}

/// Saves the skill with a rule that it never had.
fn one_save(
    watcher: &Watcher,
    arrivals: &Arrivals,
    path: &Path,
    save: Save,
    round: usize,
) -> Result<Took, String> {
    let text = format!("{}\n- Never keep more than {} branches open.\n", prose::skill(SKILL), round + 2);
    arrivals.forget();
    let start = Instant::now();
    save(path.to_owned(), text).map_err(super::told)?;
    let cycle = watcher.cycle(PATIENCE)?.ok_or("a save was missed")?;
    if (cycle.changed, cycle.digests > 0) != (1, true) {
        return Err(format!("one save read {} files and published {} digests", cycle.changed, cycle.digests));
    }
    let skill = arrivals.next()?;
    let since = |moment: Instant| moment.saturating_duration_since(start).as_secs_f64();
    Ok(Took { skill: since(skill), all: since(cycle.at), inside: cycle.seconds })
}

/// When a digest was put in place in a folder, as the system tells.
struct Arrivals(Receiver<Instant>);

impl Arrivals {
    fn of(folder: &Path) -> Result<Self, String> {
        let inotify = init(CreateFlags::CLOEXEC).map_err(|error| error.to_string())?;
        add_watch(&inotify, folder, WatchFlags::MOVED_TO).map_err(|error| error.to_string())?;
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            let mut buffer = [MaybeUninit::uninit(); 4096];
            let mut events = Reader::new(inotify, &mut buffer);
            while let Ok(event) = events.next() {
                let is_digest = event.file_name().is_some_and(|name| name.to_bytes() == b"absolute_rules.md");
                if is_digest && sender.send(Instant::now()).is_err() {
                    break;
                }
            }
        });
        Ok(Self(receiver))
    }

    /// Passes over what came before.
    fn forget(&self) {
        while self.0.try_recv().is_ok() {}
    }

    fn next(&self) -> Result<Instant, String> {
        self.0.recv_timeout(PATIENCE).map_err(|_| "the skill's digest was not put in place".to_owned())
    }
}

/// The bare loop, in a process of its own.
struct Bare {
    watcher: Watcher,
    saved: PathBuf,
}

impl Bare {
    fn start(options: &Options) -> Result<Self, String> {
        let home = options.data.join("echo");
        let saved = home.join("SKILL.md");
        plant::write(&saved, &prose::skill(SKILL)).map_err(super::told)?;
        let own = std::env::current_exe().map_err(super::told)?;
        let watcher = Watcher::start(Command::new(own).args(["inner", "echo"]).arg(&home))?;
        watcher.line()?; // it watches now
        Ok(Self { watcher, saved })
    }

    fn save(&self, save: Save, round: usize) -> Result<f64, String> {
        let text = format!("{}\n{round}\n", prose::skill(SKILL));
        let start = Instant::now();
        save(self.saved.clone(), text).map_err(super::told)?;
        Ok(self.watcher.line()?.duration_since(start).as_secs_f64())
    }
}

/// The bare loop: whenever `SKILL.md` is saved in a directory, puts a copy in place beside it and tells a line.
pub(crate) fn echo(mut arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let home = PathBuf::from(arguments.next().ok_or("`echo` wants a directory")?);
    let wait = || -> std::io::Result<()> {
        let inotify = init(CreateFlags::CLOEXEC)?;
        add_watch(&inotify, &home, WatchFlags::CLOSE_WRITE | WatchFlags::MOVED_TO)?;
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut events = Reader::new(inotify, &mut buffer);
        tell()?;
        loop {
            let event = events.next()?;
            let is_saved = event.file_name().is_some_and(|name| name.to_bytes() == b"SKILL.md");
            if is_saved && event.events().intersects(ReadFlags::CLOSE_WRITE | ReadFlags::MOVED_TO) {
                fs::write(home.join("copy.tmp"), fs::read(home.join("SKILL.md"))?)?;
                fs::rename(home.join("copy.tmp"), home.join("copy.md"))?;
                tell()?;
            }
        }
    };
    wait().map_err(super::told)
}

fn tell() -> std::io::Result<()> {
    let mut out = std::io::stdout();
    writeln!(out, "done")?;
    out.flush()
}

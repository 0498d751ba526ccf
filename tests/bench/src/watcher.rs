//! A program that tells a line for each thing it has done, with the time at which each line came.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// Longer than anything takes that works.
const PATIENCE: Duration = Duration::from_mins(1);

/// The running program; it is stopped when this goes.
pub(crate) struct Watcher {
    child: Child,
    lines: Receiver<(Instant, String)>,
}

/// One cycle of `policy-engine watch --json`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Told {
    /// When its line came.
    pub(crate) at: Instant,
    /// Sources that moved.
    pub(crate) changed: u64,
    /// Digests that were published.
    pub(crate) digests: u64,
    /// What the engine says it took, in seconds.
    pub(crate) seconds: f64,
}

impl Watcher {
    /// `policy-engine watch --json`, past its first cycle.
    pub(crate) fn engine(engine: &Path, root: &Path) -> Result<(Self, Told), String> {
        let watcher = Self::start(Command::new(engine).args(["watch", "--json", "--root"]).arg(root))?;
        let first = watcher.cycle(PATIENCE)?.ok_or("the first cycle does not end")?;
        watcher.quiet(Duration::from_millis(1_500))?;
        Ok((watcher, first))
    }

    /// Starts a program that tells lines.
    pub(crate) fn start(command: &mut Command) -> Result<Self, String> {
        let spawned = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut child = spawned.map_err(|error| format!("the watcher cannot be started: {error}"))?;
        let (sender, lines) = channel();
        if let Some(out) = child.stdout.take() {
            std::thread::spawn(move || {
                BufReader::new(out)
                    .lines()
                    .map_while(Result::ok)
                    .all(|line| sender.send((Instant::now(), line)).is_ok())
            });
        }
        Ok(Self { child, lines })
    }

    /// The next line.
    pub(crate) fn line(&self) -> Result<Instant, String> {
        self.lines
            .recv_timeout(PATIENCE)
            .map(|(at, _)| at)
            .map_err(|_| "the watcher tells nothing".to_owned())
    }

    /// The next cycle; `None` when none comes for as long as `patience`.
    pub(crate) fn cycle(&self, patience: Duration) -> Result<Option<Told>, String> {
        match self.lines.recv_timeout(patience) {
            Ok((at, line)) => read(at, &line).map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err("the watcher ended".to_owned()),
        }
    }

    /// All cycles until none comes for as long as `patience`.
    pub(crate) fn quiet(&self, patience: Duration) -> Result<Vec<Told>, String> {
        let mut cycles = Vec::new();
        while let Some(cycle) = self.cycle(patience)? {
            cycles.push(cycle);
        }
        Ok(cycles)
    }

    /// The most memory it has held so far, in mebibytes.
    pub(crate) fn memory(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes = peak.and_then(|peak| peak.split_whitespace().next()?.parse::<f64>().ok());
        kibibytes.unwrap_or_default() / 1024.0
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        if let Some(pid) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process(pid, Signal::TERM);
        }
        let _ = self.child.wait();
    }
}

#[expect(clippy::cast_precision_loss, reason = "a cycle takes less than a day")]
fn read(at: Instant, line: &str) -> Result<Told, String> {
    let cycle: serde_json::Value =
        serde_json::from_str(line).map_err(|error| format!("a cycle is not JSON: {error}"))?;
    let number = |key: &str| cycle[key].as_u64().ok_or(format!("a cycle has no `{key}`"));
    Ok(Told {
        at,
        changed: number("changed")?,
        digests: number("digests")?,
        seconds: number("micros")? as f64 / 1e6,
    })
}

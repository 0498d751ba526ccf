//! Programs that are started, timed and weighed.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use wait4::Wait4;

/// What a program that ended had used.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Usage {
    /// From start to end, in seconds.
    pub(crate) seconds: f64,
    /// The most memory it held at once, in bytes.
    pub(crate) memory: u64,
    /// Its exit code; 255 when a signal ended it.
    pub(crate) code: i32,
}

/// A command without a voice.
pub(crate) fn silent(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Runs a command to its end; an exit code above `worst` is an error.
pub(crate) fn run(command: &mut Command, worst: i32) -> Result<Usage, String> {
    let usage = measure(command)?;
    if (0..=worst).contains(&usage.code) {
        Ok(usage)
    } else {
        Err(format!("{} ended with {}", name(command), usage.code))
    }
}

/// The most memory that a command holds, in bytes.
///
/// The system counts what a process held before it became another program, too: the command is started by a small copy
/// of this program, not by this one, which has grown.
pub(crate) fn memory(program: &Path, arguments: &[&OsStr]) -> Result<u64, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(own).arg("inner").arg("weigh").arg(program).args(arguments).output();
    let output = output.map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim().parse().map_err(|_| format!("{} could not be weighed", program.display()))
}

/// The small copy's part: prints the memory of the command that it runs.
pub(crate) fn weigh(mut arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let program = arguments.next().ok_or("`weigh` wants a program")?;
    let usage = run(silent(Path::new(&program)).args(arguments), 1)?;
    println!("{}", usage.memory);
    Ok(())
}

fn measure(command: &mut Command) -> Result<Usage, String> {
    let start = Instant::now();
    let mut child =
        command.spawn().map_err(|error| format!("{} cannot be started: {error}", name(command)))?;
    let ended = child.wait4().map_err(|error| error.to_string())?;
    Ok(Usage {
        seconds: start.elapsed().as_secs_f64(),
        memory: ended.rusage.maxrss,
        code: ended.status.code().unwrap_or(255),
    })
}

fn name(command: &Command) -> String {
    Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned()
}

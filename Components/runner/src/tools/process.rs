//! Programs that a run starts: declared commands, and servers of tools. The only place where a process begins.
#![expect(
    clippy::disallowed_methods,
    reason = "a document's declared commands and servers are programs that are started"
)]

use std::path::Path;
use std::process::Stdio;

use mentci_authority::ToolFailure;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// The most bytes that are kept of what a program writes on each of its outputs.
const MOST_OUTPUT: u64 = 8 << 20;

/// The variables that a program is given: where programs and the user's files are, and how texts are written.
const VARIABLES: [&str; 12] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TMPDIR",
    "TERM",
    "SSL_CERT_FILE",
];

/// The pipes of a program that was started; it ends when they are dropped.
#[derive(Debug)]
pub struct Pipes {
    /// What it writes.
    pub output: ChildStdout,
    /// What it reads.
    pub input: ChildStdin,
    /// It, with whatever it started.
    pub process: Running,
}

/// A program that runs; it and what it started are ended when this is dropped.
#[derive(Debug)]
pub struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        kill_group(&self.0);
        let _ = self.0.start_kill();
    }
}

/// What came of a program.
pub(crate) struct Ran {
    pub(crate) output: Vec<u8>,
    pub(crate) errors: Vec<u8>,
    pub(crate) is_cut: bool,
    pub(crate) code: Option<i32>,
}

/// Starts a server.
pub(crate) fn start_server(words: &[String], folder: &Path) -> Result<Pipes, ToolFailure> {
    let mut command = command(words, folder)?;
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| unstarted(words, &error))?;
    let pipes = child.stdout.take().zip(child.stdin.take());
    let process = Running(child);
    let (output, input) = pipes.ok_or_else(|| ToolFailure::new("the program has no pipes"))?;
    Ok(Pipes { output, input, process })
}

/// Runs a program to its end. When this is dropped, it and what it started are killed.
pub(crate) async fn run(words: &[String], folder: &Path) -> Result<Ran, ToolFailure> {
    let mut command = command(words, folder)?;
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| unstarted(words, &error))?;
    let pipes = (child.stdout.take(), child.stderr.take());
    let mut running = Running(child);
    let (Some(output), Some(errors)) = pipes else {
        return Err(ToolFailure::new("the program has no pipes"));
    };
    let (output, errors) = tokio::join!(gather(output), gather(errors));
    let status = running.0.wait().await.map_err(|error| unstarted(words, &error))?;
    let is_cut = output.1 || errors.1;
    Ok(Ran { output: output.0, errors: errors.0, is_cut, code: status.code() })
}

fn command(words: &[String], folder: &Path) -> Result<Command, ToolFailure> {
    let (program, arguments) = words.split_first().ok_or_else(|| ToolFailure::new("the command is empty"))?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).env_clear().kill_on_drop(true).process_group(0);
    for name in VARIABLES {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    Ok(command)
}

/// Everything that it writes, up to a bound; what is over it is read and dropped.
async fn gather(mut from: impl AsyncRead + Unpin) -> (Vec<u8>, bool) {
    let mut bytes = Vec::new();
    // A pipe that breaks ends what is read of it.
    let _ = (&mut from).take(MOST_OUTPUT).read_to_end(&mut bytes).await;
    let rest = tokio::io::copy(&mut from, &mut tokio::io::sink()).await.unwrap_or(0);
    (bytes, rest > 0)
}

fn unstarted(words: &[String], error: &std::io::Error) -> ToolFailure {
    let program = words.first().map_or("", String::as_str);
    let why = match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such program".to_owned(),
        _ => error.to_string(),
    };
    ToolFailure::new(format!("cannot start `{program}`: {why}"))
}

/// Ends the whole group of a program: what it started goes with it.
fn kill_group(child: &Child) {
    if let Some(id) =
        child.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw)
    {
        let _ = rustix::process::kill_process_group(id, rustix::process::Signal::KILL);
    }
}

//! The server behind the gateway as a program.

use std::ffi::OsString;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::process::{Child, Command};

use super::upstream::{LONGEST, Lines, Link, Source, Upstream};

/// How long a server may take to end once nobody speaks to it any more.
const PATIENCE: Duration = Duration::from_secs(2);

/// A program that was started. When this is dropped it is killed, with whatever it started: `npx some-server` is a shell and a
/// server below it.
#[derive(Debug)]
pub struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        self.kill_group();
    }
}

/// Starts a program that speaks the protocol on its standard input and output. It has the environment and the working
/// directory of this process, and its standard error.
///
/// # Errors
/// - it cannot be started.
#[expect(clippy::disallowed_methods, reason = "the server behind the gateway is a program that is started")]
pub fn start_program(program: &OsString, arguments: &[OsString]) -> std::io::Result<Upstream> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    let mut child = command.kill_on_drop(true).process_group(0).spawn()?;
    let missing = || std::io::Error::other("the program has no pipes");
    let (output, input) = child.stdout.take().zip(child.stdin.take()).ok_or_else(missing)?;
    Ok(Upstream { process: Some(Program(child)), ..Upstream::over_pipes(output, input) })
}

impl Upstream {
    /// A server at the other end of any pair of pipes.
    pub fn over_pipes(
        output: impl AsyncRead + Send + Unpin + 'static,
        input: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Self {
        Self {
            link: Link::Pipe(tokio::sync::Mutex::new(Some(Box::new(input)))),
            lines: Source::Lines(Lines::new(Box::new(output), LONGEST)),
            process: None,
        }
    }
}

impl Program {
    /// Ends its group, which is named by its id for as long as nobody has heard of its end.
    fn kill_group(&self) {
        let id = self.0.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw);
        if let Some(id) = id {
            // OK to ignore: all of it may have ended right now.
            let _ = rustix::process::kill_process_group(id, rustix::process::Signal::KILL);
        }
    }

    /// Waits for it to end by itself, and kills it when it does not. How it ended.
    pub(super) async fn end(mut self) -> String {
        match tokio::time::timeout(PATIENCE, self.0.wait()).await {
            Ok(Ok(status)) => status.to_string(),
            Ok(Err(error)) => error.to_string(),
            Err(_) => {
                self.kill_group();
                // OK to ignore: it may have ended right now.
                let _ = self.0.kill().await;
                "it did not end and was killed".to_owned()
            }
        }
    }
}

//! The engine's servers over HTTP, running for one story.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use crate::Scratch;

const PATIENCE: Duration = Duration::from_secs(30);

/// A server on a free port of loopback; it ends with this value.
pub struct Served {
    child: Child,
    url: String,
}

impl Served {
    /// Serves this workspace over MCP, and waits until the server says where.
    ///
    /// # Panics
    ///
    /// When it does not.
    pub fn new(workspace: &Scratch) -> Self {
        Self::start(workspace, &["mcp", "--http", "127.0.0.1:0"])
    }

    /// Serves this workspace's page; its address is the link that logs a browser in.
    ///
    /// # Panics
    ///
    /// When it does not start.
    pub fn page(workspace: &Scratch) -> Self {
        Self::start(workspace, &["serve", "--port", "0", "--json"])
    }

    fn start(workspace: &Scratch, args: &[&str]) -> Self {
        let mut command = workspace.engine();
        command.args(args);
        Self::by(command)
    }

    /// Whatever this command serves, on loopback.
    ///
    /// # Panics
    ///
    /// When it does not start.
    pub fn by(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine can be started");
        let (said, heard) = channel();
        listen(child.stdout.take(), said.clone());
        listen(child.stderr.take(), said);
        let url = heard.recv_timeout(PATIENCE);
        let mut server = Self { child, url: String::new() };
        server.url = url.expect("the server says where it listens");
        server
    }

    /// What it said first: `http://127.0.0.1:PORT/PATH`.
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // OK to ignore: it may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads to the end, so that the server never waits for us, and passes on the first address.
fn listen(stream: Option<impl Read + Send + 'static>, said: Sender<String>) {
    let stream = stream.expect("it is piped");
    thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            if let Some(url) = address(&line) {
                // OK to ignore: only the first one is waited for.
                let _ = said.send(url);
            }
        }
    });
}

fn address(line: &str) -> Option<String> {
    let start = line.find("http://127.0.0.1:")?;
    let rest = &line[start..];
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '"' | '`' | ',' | ')'));
    Some(rest[..end.unwrap_or(rest.len())].to_owned())
}

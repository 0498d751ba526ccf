//! The daemon of a workspace, running for one story, and the plainest of HTTP clients: it can say what no well-behaved one says.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::Value;

use crate::Scratch;

const PATIENCE: Duration = Duration::from_mins(1);

/// A daemon on a free port of loopback; it ends with this value.
pub struct House {
    child: Child,
    addr: String,
    login: String,
    /// What it writes to standard error, once it has ended.
    said: Option<JoinHandle<String>>,
}

/// An answer over HTTP.
#[derive(Debug)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The head, as it came.
    pub head: String,
    /// The body, as text.
    pub body: String,
}

impl Reply {
    /// The body as JSON.
    ///
    /// # Panics
    ///
    /// When it is none.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The value of a header, in whatever case its name was sent.
    pub fn header(&self, name: &str) -> Option<&str> {
        let named = |line: &&str| line.split(':').next().is_some_and(|own| own.eq_ignore_ascii_case(name));
        self.head.lines().find(named)?.split_once(':').map(|(_, value)| value.trim())
    }

    /// The first finding's code and message; empty where there is none.
    pub fn finding(&self) -> String {
        let body: Value = serde_json::from_str(&self.body).unwrap_or_default();
        let finding = &body["findings"][0];
        match (finding["code"].as_str(), finding["message"].as_str()) {
            (Some(code), Some(message)) => format!("{code} {message}"),
            _ => String::new(),
        }
    }
}

impl House {
    /// Serves this workspace.
    ///
    /// # Panics
    ///
    /// When the daemon does not say where it listens.
    pub fn new(workspace: &Scratch) -> Self {
        Self::with(workspace, &["serve"], &[])
    }

    /// Serves with these arguments and variables.
    ///
    /// # Panics
    ///
    /// When the daemon does not say where it listens.
    pub fn with(workspace: &Scratch, args: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut command: Command = workspace.engine();
        command.args(args).args(["--port", "0", "--json"]).envs(variables.iter().copied());
        let started = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = started.expect("the engine can be started");
        let mut errors = child.stderr.take().expect("it is piped");
        let told = thread::spawn(move || {
            let mut text = String::new();
            let _ = errors.read_to_string(&mut text);
            text
        });
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("it is piped"));
        let read = out.read_line(&mut line);
        let Ok(said) = serde_json::from_str::<Value>(&line) else {
            let _ = child.kill();
            panic!("the daemon says {line:?} ({read:?}): {}", told.join().unwrap_or_default());
        };
        // Nobody else reads it: the daemon must not wait for us.
        thread::spawn(move || std::io::copy(&mut out, &mut std::io::sink()));
        let text = |key: &str| said[key].as_str().unwrap_or_default().to_owned();
        Self { child, addr: text("listening"), login: text("login"), said: Some(told) }
    }

    /// `127.0.0.1:PORT`.
    pub fn addr(&self) -> &str {
        &self.addr
    }

    /// The link that logs a browser in.
    pub fn login(&self) -> &str {
        &self.login
    }

    /// The process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends these bytes on a new connection, and reads one answer.
    ///
    /// # Panics
    ///
    /// When none comes.
    pub fn raw(&self, bytes: &[u8]) -> Reply {
        self.try_raw(bytes).expect("an answer")
    }

    /// The same, where an answer may not come: the connection may be closed instead.
    pub fn try_raw(&self, bytes: &[u8]) -> Option<Reply> {
        let mut stream = self.connect();
        // It may be refused before all was said.
        let _ = stream.write_all(bytes);
        read_reply(&mut BufReader::new(stream))
    }

    /// A connection.
    ///
    /// # Panics
    ///
    /// When nobody listens.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.addr).expect("the daemon listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time-out");
        stream.set_write_timeout(Some(PATIENCE)).expect("a time-out");
        stream
    }

    /// Asks, as the bearer of a token.
    ///
    /// # Panics
    ///
    /// When no answer comes.
    pub fn ask(&self, method: &str, path: &str, token: Option<&str>, body: Option<&Value>) -> Reply {
        let bearer = token.map_or_else(String::new, |token| format!("Authorization: Bearer {token}\r\n"));
        self.with_head(method, path, &bearer, body)
    }

    /// Asks with these header lines.
    ///
    /// # Panics
    ///
    /// When no answer comes.
    pub fn with_head(&self, method: &str, path: &str, lines: &str, body: Option<&Value>) -> Reply {
        let body = body.map_or_else(String::new, Value::to_string);
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\n{lines}Content-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{body}",
            self.addr,
            body.len()
        );
        self.raw(request.as_bytes())
    }

    /// Ends it as a service manager does, and waits. Whether it ended in good order.
    ///
    /// # Panics
    ///
    /// When it cannot be asked to.
    pub fn stop(&mut self) -> bool {
        let asked = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        assert!(asked.expect("kill can be run").success());
        self.child.wait().is_ok_and(|status| status.success())
    }

    /// What it wrote to standard error. It has ended, or this waits until it has; told once.
    pub fn said(&mut self) -> String {
        self.said.take().and_then(|said| said.join().ok()).unwrap_or_default()
    }

    /// Ends it as nothing can be stopped.
    ///
    /// # Panics
    ///
    /// When it cannot be killed.
    pub fn kill(&mut self) {
        self.child.kill().expect("it runs");
        let _ = self.child.wait();
    }
}

/// Reads one answer; none when the connection ends before its head does.
pub fn read_reply(stream: &mut impl BufRead) -> Option<Reply> {
    let mut head = String::new();
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line == "\r\n" {
            break;
        }
        head.push_str(&line);
    }
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let mut reply = Reply { status, head, body: String::new() };
    let length = reply.header("content-length").and_then(|length| length.parse().ok());
    let mut body = Vec::new();
    match length {
        Some(length) => {
            body.resize(length, 0);
            stream.read_exact(&mut body).ok()?;
        }
        // A stream: its head is the answer.
        None if reply.header("transfer-encoding").is_some() => {}
        None => drop(stream.read_to_end(&mut body)),
    }
    reply.body = String::from_utf8_lossy(&body).into_owned();
    Some(reply)
}

impl Drop for House {
    fn drop(&mut self) {
        // OK to ignore: it may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

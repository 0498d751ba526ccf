//! Decisions over HTTP: many connections that stay open, beside a bare handler that only parses and answers; and one caller on
//! the daemon's socket.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use mentci_authority::Event;
use mentci_host::{Harness, HookCall, Request};
use mentci_workspace::ask_socket;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::http_load::{Door, Viewers, clients, constant, flood, resident};
use super::policy_rules::{Shape, yaml};
use super::{Rows, told};
use crate::options::Options;
use crate::rounds::{Samples, time};
use crate::table::{Row, Target, Unit};

const COUNT: usize = 100;
/// How many connections decide at a time.
const CONNECTIONS: usize = 64;
/// What each request asks.
const BODY: &str =
    r#"{"event":"pre_tool_call","session":"SESSION","tool":{"name":"read","args":{"path":"src/lib.rs"}}}"#;

pub(super) fn bench(options: &Options) -> Rows {
    let root = options.data.join("http");
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(root.join(".pi/rules")).map_err(told)?;
    fs::write(root.join(".pi/rules/bench.yaml"), yaml(Shape::OwnTool, COUNT)).map_err(told)?;
    let daemon = Server::daemon(&options.engine, &root)?;
    let bare = Server::bare()?;
    let seconds = if options.quick { 1.0 } else { 10.0 };
    let (mut ours, mut theirs, mut waits) = (Samples::default(), Samples::default(), Samples::default());
    for _ in 0..options.amount(5, 1) {
        theirs.push(1.0 / rate(&bare.address, seconds, None)?);
        ours.push(1.0 / rate(&daemon.address, seconds, Some(&mut waits))?);
    }
    let sockets = round_trips(&daemon.socket, options.amount(5_001, 201))?;
    let door = Door { address: daemon.address.clone(), token: None };
    let clients = clients()?;
    let constant = clients.block_on(constant(&door, BODY, 1_000, 5_000, seconds))?;
    let grown = grown(&clients, &door, &daemon, seconds)?;
    drop(daemon);
    let (alone, watched) = watched(options, &clients, seconds)?;
    let what = format!("a decision over HTTP, {CONNECTIONS} connections, {COUNT} own rules");
    Ok(vec![
        Row::beside(
            &what,
            Unit::Seconds,
            ours.median(),
            ("a bare axum handler", theirs.median()),
            Target::Told,
        ),
        Row::alone(
            &format!("{what}, the slowest of a hundred"),
            Unit::Seconds,
            waits.percentile(99),
            Target::Told,
        ),
        Row::alone(
            "a decision over the socket, there and back",
            Unit::Seconds,
            sockets.median(),
            Target::Below(60e-6),
        ),
        Row::alone(
            "5,000 decisions a second over 1,000 connections, the slowest of a hundred",
            Unit::Seconds,
            constant.percentile(99),
            Target::Below(10e-3),
        ),
        Row::alone(
            "what the daemon's memory grows by in ten times as many decisions",
            Unit::Mebibytes,
            grown,
            Target::Told,
        ),
        Row::beside(
            "decisions beside 1,000 viewers of the live stream",
            Unit::PerSecond,
            watched,
            ("without viewers", alone),
            Target::AtLeast(0.9),
        ),
    ])
}

/// By how much memory grows while ten times as many are decided as before it was looked at first.
fn grown(clients: &Runtime, door: &Door, daemon: &Server, seconds: f64) -> Result<f64, String> {
    clients.block_on(flood(door, BODY, 64, seconds))?;
    let before = resident(daemon.child.id())?;
    clients.block_on(flood(door, BODY, 64, seconds * 10.0))?;
    Ok(resident(daemon.child.id())? - before)
}

/// Decisions a second, with nobody who listens and with a thousand; the rate is the daemon's best under load.
fn watched(options: &Options, clients: &Runtime, seconds: f64) -> Result<(f64, f64), String> {
    let root = options.data.join("http-viewers");
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(root.join(".pi/rules")).map_err(told)?;
    fs::write(root.join(".pi/rules/bench.yaml"), yaml(Shape::OwnTool, COUNT)).map_err(told)?;
    let token = Server::command(&options.engine, &root)
        .args(["token", "new", "bench", "--scope", "operator"])
        .output();
    let token = String::from_utf8_lossy(&token.map_err(told)?.stdout).trim().to_owned();
    let daemon = Server::daemon(&options.engine, &root)?;
    let door = Door { address: daemon.address.clone(), token: Some(token) };
    let (mut alone, mut watched) = (Samples::default(), Samples::default());
    for _ in 0..options.amount(3, 1) {
        alone.push(clients.block_on(flood(&door, BODY, 64, seconds))?);
        let viewers = clients.block_on(Viewers::come(&door, 1_000))?;
        watched.push(clients.block_on(flood(&door, BODY, 64, seconds))?);
        if viewers.heard() == 0 {
            return Err("the viewers were told nothing".to_owned());
        }
    }
    Ok((alone.median(), watched.median()))
}

/// Decisions a second, over connections that stay open.
fn rate(address: &str, seconds: f64, waits: Option<&mut Samples>) -> Result<f64, String> {
    let until = Instant::now() + Duration::from_secs_f64(seconds);
    let all: Vec<Result<Vec<f64>, String>> = std::thread::scope(|scope| {
        let asking = (0..CONNECTIONS).map(|n| scope.spawn(move || asked_until(address, n, until)));
        let asking: Vec<_> = asking.collect();
        let joined =
            asking.into_iter().map(|one| one.join().unwrap_or_else(|_| Err("a client broke".to_owned())));
        joined.collect()
    });
    let all = all.into_iter().collect::<Result<Vec<_>, _>>()?.concat();
    #[expect(clippy::cast_precision_loss, reason = "a rate")]
    let rate = all.len() as f64 / seconds;
    if let Some(waits) = waits {
        for wait in all {
            waits.push(wait);
        }
    }
    Ok(rate)
}

fn asked_until(address: &str, number: usize, until: Instant) -> Result<Vec<f64>, String> {
    let mut stream = TcpStream::connect(address).map_err(told)?;
    stream.set_nodelay(true).map_err(told)?;
    let body = BODY.replace("SESSION", &format!("s{number}"));
    let request = format!(
        "POST /api/v1/decide HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let (mut reader, mut waits) = (BufReader::new(stream.try_clone().map_err(told)?), Vec::new());
    while Instant::now() < until {
        let mut answered = Ok(());
        waits.push(time(|| {
            answered = stream.write_all(request.as_bytes()).and_then(|()| answer(&mut reader));
        }));
        answered.map_err(told)?;
    }
    Ok(waits)
}

/// Reads one answer, which must be 200.
fn answer(reader: &mut BufReader<TcpStream>) -> std::io::Result<()> {
    let (mut length, mut line) = (0, String::new());
    reader.read_line(&mut line)?;
    if !line.starts_with("HTTP/1.1 200") {
        return Err(std::io::Error::other(line));
    }
    loop {
        line.clear();
        reader.read_line(&mut line)?;
        if let Some(told) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = told.trim().parse().map_err(std::io::Error::other)?;
        }
        if line == "\r\n" {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)
}

/// Round trips of one hook after another, each on a connection of its own, as hooks make them.
fn round_trips(socket: &Path, rounds: usize) -> Result<Samples, String> {
    let event: Event =
        serde_json::from_str(&BODY.replace("SESSION", "socket")).map_err(|error| error.to_string())?;
    let mut samples = Samples::default();
    for _ in 0..rounds {
        let call = HookCall { events: vec![event.clone()], ..HookCall::new(Harness::Any) };
        let request = Request::Hook(Box::new(call));
        let mut asked = Ok(());
        samples.push(time(|| asked = ask_socket(socket, &request, Duration::from_secs(10)).map(drop)));
        asked.map_err(|error| error.to_string())?;
    }
    Ok(samples)
}

/// A server that ends with this value.
struct Server {
    child: Child,
    address: String,
    socket: PathBuf,
}

impl Server {
    fn daemon(engine: &Path, root: &Path) -> Result<Self, String> {
        let socket = root.join("socket");
        let mut command = Self::command(engine, root);
        command.args(["serve", "--port", "0", "--json", "--socket"]).arg(&socket).arg("--root").arg(root);
        Self::start(&mut command, socket)
    }

    /// The program with a state of its own.
    fn command(engine: &Path, root: &Path) -> Command {
        let mut command = Command::new(engine);
        command.env("XDG_STATE_HOME", root.join("state")).env("XDG_CONFIG_HOME", root.join("config"));
        command
    }

    fn bare() -> Result<Self, String> {
        let own = std::env::current_exe().map_err(told)?;
        Self::start(Command::new(own).args(["inner", "http-server"]), PathBuf::new())
    }

    fn start(command: &mut Command, socket: PathBuf) -> Result<Self, String> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(told)?;
        let out = child.stdout.take().ok_or("the server has no output")?;
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line).map_err(told)?;
        let said: Value = serde_json::from_str(&line).map_err(|error| error.to_string())?;
        let address = said["listening"].as_str().unwrap_or_default().to_owned();
        Ok(Self { child, address, socket })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The handler to be beside: it parses the event and answers what a verdict is in bytes.
pub(crate) fn bare_server() -> Result<(), String> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(told)?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.map_err(told)?;
        println!("{}", json!({"listening": listener.local_addr().map_err(told)?.to_string()}));
        let routes = axum::Router::new().route("/api/v1/decide", axum::routing::post(parsed));
        axum::serve(listener, routes).await.map_err(told)
    })
}

async fn parsed(body: String) -> Result<String, axum::http::StatusCode> {
    let event: Event = serde_json::from_str(&body).map_err(|_| axum::http::StatusCode::BAD_REQUEST)?;
    let verdict = mentci_authority::Verdict::default();
    serde_json::to_string(&verdict)
        .map(|text| text + if event.tool.is_some() { "\n" } else { "" })
        .map_err(|_| axum::http::StatusCode::BAD_REQUEST)
}

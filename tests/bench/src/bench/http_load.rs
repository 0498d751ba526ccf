//! Load on the daemon as it comes in a house: a constant rate over many connections, whatever the answers take; page viewers who
//! listen meanwhile; and memory after many decisions.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, sleep_until};

use super::told;
use crate::rounds::Samples;

/// Whom to ask, and as whom.
#[derive(Debug, Clone)]
pub(super) struct Door {
    pub(super) address: String,
    /// The secret of a token, where one is needed.
    pub(super) token: Option<String>,
}

impl Door {
    fn head(&self, method: &str, path: &str, length: usize) -> String {
        let token = self.token.as_ref().map(|token| format!("Authorization: Bearer {token}\r\n"));
        format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\n{}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n",
            self.address,
            token.unwrap_or_default()
        )
    }
}

/// A runtime for clients.
pub(super) fn clients() -> Result<tokio::runtime::Runtime, String> {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(told)
}

/// How long answers took when `rate` events a second arrive over `connections`, each counted from when it was due.
pub(super) async fn constant(
    door: &Door,
    body: &str,
    connections: u32,
    rate: u32,
    seconds: f64,
) -> Result<Samples, String> {
    let every = Duration::from_secs(1) * connections / rate;
    // All are connected before the first is due.
    let start = Instant::now() + Duration::from_secs(2);
    let until = start + Duration::from_secs_f64(seconds);
    let mut asking = Vec::new();
    for number in 0..connections {
        let (door, body) = (door.clone(), body.replace("SESSION", &format!("c{number}")));
        let first = start + every * number / connections;
        asking.push(tokio::spawn(async move { ask_in_time(&door, &body, first, every, until).await }));
    }
    let mut samples = Samples::default();
    for one in asking {
        for wait in one.await.map_err(|error| error.to_string())?? {
            samples.push(wait);
        }
    }
    Ok(samples)
}

async fn ask_in_time(
    door: &Door,
    body: &str,
    first: Instant,
    every: Duration,
    until: Instant,
) -> Result<Vec<f64>, String> {
    let mut line = Connection::open(door).await?;
    let (request, mut due, mut waits) = (line.request(door, body), first, Vec::new());
    while due < until {
        sleep_until(due).await;
        line.ask(&request).await?;
        waits.push(due.elapsed().as_secs_f64());
        due += every;
    }
    Ok(waits)
}

/// Decisions a second over connections that ask again as soon as they are answered.
pub(super) async fn flood(door: &Door, body: &str, connections: u32, seconds: f64) -> Result<f64, String> {
    let until = Instant::now() + Duration::from_secs_f64(seconds);
    let count = Arc::new(AtomicU64::new(0));
    let mut asking = Vec::new();
    for number in 0..connections {
        let (door, body, count) =
            (door.clone(), body.replace("SESSION", &format!("f{number}")), count.clone());
        asking.push(tokio::spawn(async move {
            let mut line = Connection::open(&door).await?;
            let request = line.request(&door, &body);
            while Instant::now() < until {
                line.ask(&request).await?;
                count.fetch_add(1, Ordering::Relaxed);
            }
            Ok::<_, String>(())
        }));
    }
    for one in asking {
        one.await.map_err(|error| error.to_string())??;
    }
    #[expect(clippy::cast_precision_loss, reason = "a rate")]
    let rate = count.load(Ordering::Relaxed) as f64 / seconds;
    Ok(rate)
}

/// People who look at the page: each reads the live stream until they are dropped.
pub(super) struct Viewers {
    reading: Vec<tokio::task::JoinHandle<()>>,
    heard: Arc<AtomicU64>,
}

impl Viewers {
    pub(super) async fn come(door: &Door, count: usize) -> Result<Self, String> {
        let heard = Arc::new(AtomicU64::new(0));
        let mut reading = Vec::new();
        for _ in 0..count {
            let mut line = Connection::open(door).await?;
            line.write(door.head("GET", "/api/v1/stream", 0).as_bytes()).await?;
            let heard = heard.clone();
            reading.push(tokio::spawn(async move {
                let mut bytes = vec![0; 16 * 1024];
                while let Ok(read @ 1..) = line.0.read(&mut bytes).await {
                    heard.fetch_add(read as u64, Ordering::Relaxed);
                }
            }));
        }
        sleep(Duration::from_millis(500)).await;
        Ok(Self { reading, heard })
    }

    /// How many bytes they were told in all.
    pub(super) fn heard(&self) -> u64 {
        self.heard.load(Ordering::Relaxed)
    }
}

impl Drop for Viewers {
    fn drop(&mut self) {
        self.reading.iter().for_each(tokio::task::JoinHandle::abort);
    }
}

struct Connection(BufReader<TcpStream>);

impl Connection {
    async fn open(door: &Door) -> Result<Self, String> {
        let stream = TcpStream::connect(&door.address).await.map_err(told)?;
        stream.set_nodelay(true).map_err(told)?;
        Ok(Self(BufReader::new(stream)))
    }

    #[expect(clippy::unused_self, reason = "a request is sent on a connection")]
    fn request(&self, door: &Door, body: &str) -> String {
        door.head("POST", "/api/v1/decide", body.len()) + body
    }

    async fn write(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.0.get_mut().write_all(bytes).await.map_err(told)
    }

    /// Sends a request and reads its answer, which must be 200.
    async fn ask(&mut self, request: &str) -> Result<(), String> {
        self.write(request.as_bytes()).await?;
        let (mut length, mut line) = (0, String::new());
        self.0.read_line(&mut line).await.map_err(told)?;
        if !line.starts_with("HTTP/1.1 200") {
            return Err(format!("not an answer: {line}"));
        }
        while line != "\r\n" {
            line.clear();
            self.0.read_line(&mut line).await.map_err(told)?;
            if let Some(told) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = told.trim().parse().map_err(|_| "an odd length".to_owned())?;
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).await.map(drop).map_err(told)
    }
}

/// What a process holds in memory, in mebibytes.
pub(super) fn resident(process: u32) -> Result<f64, String> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).map_err(told)?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no memory is told")?;
    let kib: f64 =
        line.trim().trim_end_matches("kB").trim().parse().map_err(|_| "an odd figure".to_owned())?;
    Ok(kib / 1024.0)
}

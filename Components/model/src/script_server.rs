//! A model's server on this machine that plays a script.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

use crate::attempt::TURN;
use crate::served::{Received, Served, Stage};
use crate::{Breakage, Script};

const MAX_HEAD: u64 = 64 << 10;
const MAX_BODY: usize = 64 << 20;
/// Between the pieces of an answer that is slow on purpose.
const SLOWLY: Duration = Duration::from_millis(40);
/// A request that does not come to its end is given up.
const READING: Duration = Duration::from_secs(30);

/// A server of both wire formats on loopback, which plays a [`Script`] and goes wrong where the script says so. It listens to
/// this machine alone, and logs each request without its headers, so that no key is ever written down.
#[derive(Debug)]
pub struct ScriptServer {
    listener: TcpListener,
    stage: Arc<Stage>,
}

impl ScriptServer {
    /// Takes a port of this machine: 0 for any that is free.
    ///
    /// # Errors
    /// The port is taken.
    pub async fn bind(script: Script, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, port)).await?;
        Ok(Self { listener, stage: Arc::new(Stage::new(script)) })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// The system does not say.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `stop` comes. `log` is told each request and what was answered, when it was decided.
    pub async fn serve(self, stop: impl Future<Output = ()>, mut log: impl FnMut(&Value)) {
        let (tell, mut told) = unbounded_channel();
        let mut open = JoinSet::new();
        let mut stop = std::pin::pin!(stop);
        let mut number = 0_u64;
        loop {
            tokio::select! {
                () = &mut stop => break,
                Some(line) = told.recv() => {
                    number += 1;
                    log(&numbered(number, line));
                }
                Some(_) = open.join_next() => {}
                // A connection that failed before it was one is the client's loss.
                Ok((stream, _)) = self.listener.accept() => {
                    let (stage, tell) = (self.stage.clone(), tell.clone());
                    open.spawn(async move { attend(stream, &stage, &tell).await });
                }
            }
        }
        open.shutdown().await;
        while let Ok(line) = told.try_recv() {
            number += 1;
            log(&numbered(number, line));
        }
    }
}

fn numbered(number: u64, mut line: Value) -> Value {
    line["request"] = json!(number);
    line
}

async fn attend(mut stream: TcpStream, stage: &Stage, tell: &UnboundedSender<Value>) {
    // What is no request gets no answer.
    let Ok(Ok(received)) = tokio::time::timeout(READING, receive(&mut stream)).await else { return };
    let served = stage.answer(&received);
    // OK to ignore: a server that stopped logs no more.
    let _ = tell.send(line(&received, &served));
    // OK to ignore: the client went away.
    let _ = send(&mut stream, &served).await;
}

/// What is logged: never a header.
fn line(received: &Received, served: &Served) -> Value {
    let text = String::from_utf8_lossy(&received.body);
    let body = serde_json::from_str(&text).unwrap_or_else(|_| json!(text));
    json!({
        "method": received.method, "path": received.path, "turn": received.turn, "has_key": received.has_key,
        "step": served.step, "status": served.status, "wire": served.breakage, "note": served.note, "body": body,
    })
}

async fn receive(stream: &mut TcpStream) -> io::Result<Received> {
    let mut reader = BufReader::new(stream);
    let mut received = Received::default();
    let mut length = 0;
    let mut head = (&mut reader).take(MAX_HEAD);
    let mut first = String::new();
    head.read_line(&mut first).await?;
    let mut words = first.split_whitespace().map(str::to_owned);
    received.method = words.next().unwrap_or_default();
    received.path = words.next().unwrap_or_default();
    loop {
        let mut line = String::new();
        if head.read_line(&mut line).await? == 0 || line.trim().is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').unwrap_or((&line, ""));
        match name.trim().to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().unwrap_or(0),
            "authorization" | "x-api-key" => received.has_key = true,
            TURN => received.turn = value.trim().parse().ok(),
            _ => {}
        }
    }
    if received.method.is_empty() || length > MAX_BODY {
        return Err(io::Error::other("no request"));
    }
    received.body = vec![0; length];
    reader.read_exact(&mut received.body).await?;
    Ok(received)
}

async fn send(stream: &mut TcpStream, served: &Served) -> io::Result<()> {
    match served.breakage {
        None => whole(stream, served, None).await,
        Some(Breakage::Slow) => whole(stream, served, Some(SLOWLY)).await,
        Some(Breakage::Close) => Ok(()),
        Some(Breakage::Hang) => forever(stream).await,
        Some(Breakage::Html) => {
            let page = "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>";
            part(stream, "text/html", page).await
        }
        Some(Breakage::Garbage) => part(stream, served.content_type, "data: \u{1}{{{ no answer\n\n").await,
        Some(Breakage::Empty) => part(stream, served.content_type, "").await,
        Some(Breakage::Cut) => part(stream, served.content_type, &beginning(served)).await,
        Some(Breakage::Stall) => {
            part(stream, served.content_type, &beginning(served)).await?;
            forever(stream).await
        }
    }
}

/// The beginning of what would be sent, before it says that it ends, cut within its JSON.
fn beginning(served: &Served) -> String {
    let (before, rest) = served.pieces.split_at(served.pieces.len() / 3);
    let piece = rest.first().map_or("", String::as_str);
    let middle = (0..=piece.len() / 2).rev().find(|&at| piece.is_char_boundary(at)).unwrap_or(0);
    before.concat() + &piece[..middle]
}

async fn head(
    stream: &mut TcpStream,
    status: u16,
    content_type: &str,
    retry_after: Option<u64>,
) -> io::Result<()> {
    let again = retry_after.map_or_else(String::new, |seconds| format!("Retry-After: {seconds}\r\n"));
    let head = format!(
        "HTTP/1.1 {status} Scripted\r\nContent-Type: {content_type}\r\n{again}Connection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await
}

async fn part(stream: &mut TcpStream, content_type: &str, text: &str) -> io::Result<()> {
    head(stream, 200, content_type, None).await?;
    stream.write_all(text.as_bytes()).await?;
    stream.flush().await
}

async fn whole(stream: &mut TcpStream, served: &Served, pace: Option<Duration>) -> io::Result<()> {
    head(stream, served.status, served.content_type, served.retry_after).await?;
    for piece in &served.pieces {
        stream.write_all(piece.as_bytes()).await?;
        stream.flush().await?;
        if let Some(pace) = pace {
            tokio::time::sleep(pace).await;
        }
    }
    stream.shutdown().await
}

/// Says nothing until the client goes away.
async fn forever(stream: &mut TcpStream) -> io::Result<()> {
    let mut byte = [0];
    stream.read(&mut byte).await.map(|_| ())
}

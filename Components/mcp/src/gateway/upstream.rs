//! The server behind the gateway: lines to it, and lines from it.

use std::sync::Arc;

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;
use tokio::sync::mpsc::Receiver;

use super::http::HttpLink;
use super::process::Program;

/// A message longer than this many bytes is not carried.
pub(super) const LONGEST: usize = 16 * 1024 * 1024;

/// How much of the start and of the end of a message that is too long is looked at, for its id.
const EDGE: usize = 256;

/// The server behind a gateway.
pub struct Upstream {
    pub(super) link: Link,
    pub(super) lines: Source,
    pub(super) process: Option<Program>,
}

/// The way to the server.
pub(super) enum Link {
    /// A pipe; none once it is closed.
    Pipe(Mutex<Option<Box<dyn AsyncWrite + Send + Unpin>>>),
    /// An address.
    Http(Arc<HttpLink>),
}

/// Where what the server says comes from.
pub(super) enum Source {
    Lines(Lines),
    Queue(Receiver<Heard>),
}

impl Source {
    pub(super) async fn next(&mut self) -> Heard {
        match self {
            Self::Lines(lines) => lines.next().await,
            Self::Queue(queue) => queue.recv().await.unwrap_or(Heard::End),
        }
    }
}

impl Link {
    /// Sends one message with its end of line. A pipe that is broken ends the server's lines too, which is where that is
    /// noticed.
    pub(super) async fn send(&self, line: &[u8]) {
        match self {
            Self::Pipe(pipe) => {
                if let Some(pipe) = pipe.lock().await.as_mut() {
                    let _ = pipe.write_all(line).await;
                    let _ = pipe.flush().await;
                }
            }
            Self::Http(http) => http.send(line).await,
        }
    }

    /// Says that nothing more comes.
    pub(super) async fn close(&self) {
        match self {
            Self::Pipe(pipe) => {
                if let Some(mut pipe) = pipe.lock().await.take() {
                    // OK to ignore: a pipe that is broken is closed.
                    let _ = pipe.shutdown().await;
                }
            }
            Self::Http(http) => http.close().await,
        }
    }
}

/// One thing that came.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// A line, with its end.
    Line(Vec<u8>),
    /// A message that is too long; the JSON of its id, where it could be found.
    TooLong(Option<String>),
    /// A request that cannot be answered, by the JSON of its id, and why.
    Failed(String, String),
    /// Nothing more comes.
    End,
}

/// Bounded lines of a pipe.
pub(super) struct Lines {
    reader: BufReader<Box<dyn AsyncRead + Send + Unpin>>,
    longest: usize,
}

impl Lines {
    pub(super) fn new(reader: Box<dyn AsyncRead + Send + Unpin>, longest: usize) -> Self {
        Self { reader: BufReader::with_capacity(64 * 1024, reader), longest }
    }

    /// The next line. What is behind the last end of line counts as one.
    pub(super) async fn next(&mut self) -> Heard {
        let mut line = Vec::new();
        let most = self.longest as u64 + 1;
        match (&mut self.reader).take(most).read_until(b'\n', &mut line).await {
            Err(_) | Ok(0) => Heard::End,
            Ok(_) if line.len() > self.longest && !line.ends_with(b"\n") => self.too_long(&line).await,
            Ok(_) => {
                if !line.ends_with(b"\n") {
                    line.push(b'\n');
                }
                Heard::Line(line)
            }
        }
    }

    /// Reads to the end of a line without keeping more than its edges.
    async fn too_long(&mut self, start: &[u8]) -> Heard {
        let mut tail = start[start.len().saturating_sub(EDGE)..].to_vec();
        loop {
            let Ok(piece) = self.reader.fill_buf().await else { return Heard::End };
            let end = piece.iter().position(|&byte| byte == b'\n');
            let used = end.map_or(piece.len(), |end| end + 1);
            let (ended, kept) = (end.is_some() || piece.is_empty(), &piece[..end.unwrap_or(piece.len())]);
            tail.extend_from_slice(&kept[kept.len().saturating_sub(EDGE)..]);
            tail.drain(..tail.len().saturating_sub(EDGE));
            self.reader.consume(used);
            if ended {
                return Heard::TooLong(edge_id(&start[..EDGE.min(start.len())], &tail));
            }
        }
    }
}

/// The id of what answers something and is no message, where it can be found.
pub(super) fn id_of_garbage(line: &[u8]) -> Option<String> {
    edge_id(&line[..EDGE.min(line.len())], &line[line.len().saturating_sub(EDGE)..])
}

/// The id of a message of which only the edges are known: the members that stand before or behind the large one.
fn edge_id(start: &[u8], tail: &[u8]) -> Option<String> {
    let (start, tail) = (String::from_utf8_lossy(start), String::from_utf8_lossy(tail));
    let early = start.find(r#""result""#).and_then(|at| id_in(&start[..at]));
    let late = || tail.rfind("},").or_else(|| tail.rfind("],")).and_then(|at| id_in(&tail[at..]));
    early.or_else(late)
}

/// The value of `"id":`, a number or a text without escapes.
fn id_in(members: &str) -> Option<String> {
    let rest = members.split_once(r#""id":"#)?.1.trim_start();
    let end = match rest.strip_prefix('"') {
        Some(text) => text.find('"')? + 2,
        None => rest.find(|c: char| !c.is_ascii_digit() && c != '-')?,
    };
    let id = rest.get(..end)?;
    serde_json::from_str::<serde_json::Value>(id).ok().map(|id| id.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_message_that_is_too_long_stands_at_its_edges() {
        for (start, tail, id) in [
            (r#"{"jsonrpc":"2.0","id":3,"result":{"content":"#, "xxxx", Some("3")),
            (r#"{"jsonrpc":"2.0","id": "a-1" ,"result":{"#, "", Some("\"a-1\"")),
            (r#"{"result":{"content":[{"id":9,"#, r#""}]},"jsonrpc":"2.0","id":4}"#, Some("4")),
            (r#"{"result":{"content":[{"id":9,"#, "no end", None),
        ] {
            assert_eq!(edge_id(start.as_bytes(), tail.as_bytes()).as_deref(), id, "{start} … {tail}");
        }
    }

    #[tokio::test]
    async fn long_lines_are_passed_over() {
        let mut text = b"{\"id\":1,\"result\":\"".to_vec();
        text.extend(vec![b'x'; 200_000]);
        text.extend_from_slice(b"\"}\nshort\nlast");
        let mut lines = Lines::new(Box::new(std::io::Cursor::new(text)), 1_000);
        assert_eq!(lines.next().await, Heard::TooLong(Some("1".to_owned())));
        assert_eq!(lines.next().await, Heard::Line(b"short\n".to_vec()));
        assert_eq!(lines.next().await, Heard::Line(b"last\n".to_vec()));
        assert_eq!(lines.next().await, Heard::End);
    }
}

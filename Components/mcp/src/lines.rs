//! The lines of a pipe: what is no message is answered here, as JSON-RPC wants, and goes no further.

use serde_json::Value;
use tokio::io::{
    AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader, DuplexStream, duplex,
};
use tokio::sync::mpsc::{Sender, channel};
use tokio::task::JoinHandle;

use crate::message::{Fate, INVALID_REQUEST, NO_JSON, refusal};

/// A message longer than this many bytes is refused.
const LONGEST: u64 = 16 * 1024 * 1024;

/// What each side of the pipe holds back at most, in bytes.
const BUFFER: usize = 64 * 1024;

/// Lines that wait to be written.
const QUEUE: usize = 64;

/// Stands between a client's pipes and the server: gives the pipes that the server reads and writes, and what ends when the
/// last line is written.
pub(crate) fn between(
    reader: impl AsyncRead + Send + Unpin + 'static,
    writer: impl AsyncWrite + Send + Unpin + 'static,
) -> (DuplexStream, DuplexStream, JoinHandle<()>) {
    let (said, hears) = duplex(BUFFER);
    let (answers, answered) = duplex(BUFFER);
    let (sender, mut queue) = channel::<Vec<u8>>(QUEUE);
    tokio::spawn(forward(reader, said, sender.clone()));
    tokio::spawn(collect(answered, sender));
    let written = tokio::spawn(async move {
        let mut writer = writer;
        while let Some(line) = queue.recv().await {
            if writer.write_all(&line).await.is_err() || writer.flush().await.is_err() {
                return;
            }
        }
    });
    (hears, answers, written)
}

/// Hands on what the server can read and answers the rest.
async fn forward(reader: impl AsyncRead + Unpin, mut server: DuplexStream, client: Sender<Vec<u8>>) {
    let mut reader = BufReader::new(reader);
    let mut line = Vec::new();
    while let Ok(size) = (&mut reader).take(LONGEST + 1).read_until(b'\n', &mut line).await {
        if size == 0 {
            return;
        }
        let is_sent = if size as u64 > LONGEST && !line.ends_with(b"\n") {
            let refusal = refusal(&Value::Null, INVALID_REQUEST, "the message is longer than 16 MiB");
            skip_line(&mut reader).await.is_ok() && client.send(refusal).await.is_ok()
        } else {
            hand_on(&line, &mut server, &client).await
        };
        if !is_sent {
            return;
        }
        line.clear();
    }
}

/// Reads to the end of the line without keeping it.
async fn skip_line(reader: &mut (impl AsyncBufReadExt + Unpin)) -> std::io::Result<()> {
    loop {
        let (used, ended) = {
            let piece = reader.fill_buf().await?;
            let end = piece.iter().position(|&byte| byte == b'\n');
            (end.map_or(piece.len(), |end| end + 1), end.is_some() || piece.is_empty())
        };
        reader.consume(used);
        if ended {
            return Ok(());
        }
    }
}

/// Hands on a line, or the messages of a batch as if each had come alone, and answers what is no message. Whether both sides
/// are still there.
async fn hand_on(line: &[u8], server: &mut DuplexStream, client: &Sender<Vec<u8>>) -> bool {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    if line.trim_ascii().is_empty() {
        return true;
    }
    let answer = match serde_json::from_slice::<Value>(line) {
        Err(error) => refusal(&Value::Null, NO_JSON, &format!("this line is not JSON: {error}")),
        Ok(Value::Array(messages)) if messages.is_empty() => {
            refusal(&Value::Null, INVALID_REQUEST, "nothing was done: the batch holds no message")
        }
        Ok(Value::Array(messages)) => {
            for message in messages {
                let line = format!("{message}\n");
                if !pass(&message, line.as_bytes(), server, client).await {
                    return false;
                }
            }
            return true;
        }
        Ok(message) => return pass(&message, line, server, client).await,
    };
    client.send(answer).await.is_ok()
}

/// Hands on one message, or answers it. Whether both sides are still there.
async fn pass(message: &Value, line: &[u8], server: &mut DuplexStream, client: &Sender<Vec<u8>>) -> bool {
    match Fate::of(message, line) {
        Fate::HandedOn => server.write_all(line).await.is_ok(),
        Fate::Answered(answer) => client.send(answer).await.is_ok(),
        Fate::Dropped => true,
    }
}

/// Queues what the server says, whole lines at a time.
async fn collect(server: DuplexStream, client: Sender<Vec<u8>>) {
    let mut reader = BufReader::new(server);
    let mut line = Vec::new();
    while let Ok(size) = reader.read_until(b'\n', &mut line).await {
        if size == 0 || client.send(std::mem::take(&mut line)).await.is_err() {
            return;
        }
    }
}

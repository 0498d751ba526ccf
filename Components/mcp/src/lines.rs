//! The lines of a pipe: what is no message is answered here, as JSON-RPC wants, and goes no further.

use tokio::io::{
    AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader, DuplexStream, duplex,
};
use tokio::sync::mpsc::{Sender, channel};
use tokio::task::JoinHandle;

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

/// Hands on each line that is JSON and answers each that is not.
async fn forward(reader: impl AsyncRead + Unpin, mut server: DuplexStream, client: Sender<Vec<u8>>) {
    let mut reader = BufReader::new(reader);
    let mut line = Vec::new();
    while let Ok(size) = (&mut reader).take(LONGEST + 1).read_until(b'\n', &mut line).await {
        if size == 0 {
            return;
        }
        let answer = if size as u64 > LONGEST && !line.ends_with(b"\n") {
            if skip_line(&mut reader).await.is_err() {
                return;
            }
            Some(refusal(-32600, "the message is longer than 16 MiB"))
        } else {
            fault(&line)
        };
        let sent = match answer {
            Some(answer) => client.send(answer).await.is_ok(),
            None => server.write_all(&line).await.is_ok(),
        };
        if !sent {
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

/// The answer to a line that is no JSON; none to one that is, or is blank.
fn fault(line: &[u8]) -> Option<Vec<u8>> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    if line.trim_ascii().is_empty() {
        return None;
    }
    let error = serde_json::from_slice::<serde_json::Value>(line).err()?;
    Some(refusal(-32700, &format!("this line is not JSON: {error}")))
}

fn refusal(code: i32, message: &str) -> Vec<u8> {
    let answer =
        serde_json::json!({ "jsonrpc": "2.0", "id": null, "error": { "code": code, "message": message } });
    format!("{answer}\n").into_bytes()
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

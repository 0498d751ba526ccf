//! The socket of hooks: a request and its answer, framed, for processes of the same user. It carries what agents may ask, and
//! nothing that is a person's.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mentci_disk::{Fs, RealFs};
use mentci_host::policy::PolicyRequest;
use mentci_host::{Outcome, Request, Response, Unambiguous};
use mentci_source::{Code, Finding};
use mentci_workspace::FRAME_BYTES;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};

use crate::{App, ServeError};

/// How long a connection may be silent.
const SILENT: Duration = Duration::from_mins(1);
/// How long the rest of a frame may take, and an answer to be taken.
const ARRIVES: Duration = Duration::from_secs(20);
/// How long nothing is accepted after accepting failed.
const BREATH: Duration = Duration::from_millis(50);

/// The socket, as long as the daemon runs.
pub(crate) struct Socket {
    listener: UnixListener,
    path: PathBuf,
}

impl Socket {
    /// Listens at `path`, for this user alone. What a daemon left there that was killed is taken away.
    ///
    /// # Errors
    /// [`ServeError::Socket`]: another daemon listens there, or nothing can be made there.
    pub(crate) fn bind(path: &Path) -> Result<Self, ServeError> {
        let refused = |why: String| ServeError::Socket { path: path.to_owned(), why };
        // Whoever names a place has made its folder: a slip of the hand makes none.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| RealFs.stat(folder).is_err()) {
            return Err(refused(format!("there is no folder `{}`", folder.display())));
        }
        if RealFs.lstat(path).is_ok() {
            if std::os::unix::net::UnixStream::connect(path).is_ok() {
                return Err(refused("another daemon listens there".to_owned()));
            }
            RealFs.remove(path).map_err(|error| refused(error.to_string()))?;
        }
        let listener = UnixListener::bind(path).map_err(|error| refused(error.to_string()))?;
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        rustix::fs::chmod(path, mode).map_err(|error| refused(error.to_string()))?;
        Ok(Self { listener, path: path.to_owned() })
    }

    /// Answers until the daemon stops.
    pub(crate) async fn serve(self, app: App) {
        loop {
            let accepted = tokio::select! {
                accepted = self.listener.accept() => accepted,
                () = app.stopping() => break,
            };
            match accepted {
                Ok((stream, _)) if is_own(&stream) => drop(tokio::spawn(answer_all(stream, app.clone()))),
                Ok(_) => {}
                Err(_) => tokio::time::sleep(BREATH).await,
            }
        }
        // OK to ignore: the next daemon takes it away.
        let _ = RealFs.remove(&self.path);
    }
}

/// A request in which no key stands twice.
fn told(frame: &[u8]) -> serde_json::Result<Request> {
    serde_json::from_slice::<Unambiguous>(frame)?;
    serde_json::from_slice(frame)
}

/// Whether the same user is at the other end.
fn is_own(stream: &UnixStream) -> bool {
    stream.peer_cred().is_ok_and(|peer| peer.uid() == rustix::process::geteuid().as_raw())
}

async fn answer_all(mut stream: UnixStream, app: App) {
    loop {
        let frame = tokio::select! {
            frame = read(&mut stream) => frame,
            () = app.stopping() => return,
        };
        let Ok(frame) = frame else { return };
        let response = match told(&frame) {
            Ok(request) if is_an_agents(&request) => app.ask(request).await,
            Ok(_) => refused(
                Code::DAEMON_REFUSED,
                "the socket carries what agents may ask, and this is a person's",
            ),
            Err(error) => refused(Code::DAEMON_REQUEST, &error.to_string()),
        };
        if tokio::time::timeout(ARRIVES, write(&mut stream, &response)).await.is_err() {
            return;
        }
    }
}

/// What hooks ask: the verbs by which nothing changes but the log.
fn is_an_agents(request: &Request) -> bool {
    match request {
        Request::Hook(_) | Request::Inject { .. } | Request::Digest { .. } => true,
        Request::Policy(PolicyRequest::Decide { rules, beside, dated, .. }) => {
            rules.is_empty() && beside.is_none() && !dated
        }
        _ => false,
    }
}

fn refused(code: Code, message: &str) -> Response {
    Response::bad([Finding::new(code, message)])
}

async fn read(stream: &mut UnixStream) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    tokio::time::timeout(SILENT, stream.read_exact(&mut length)).await??;
    let length = u32::from_be_bytes(length);
    if length > FRAME_BYTES {
        return Err(io::ErrorKind::InvalidData.into());
    }
    // As much as arrives: a length is a claim.
    let mut frame = Vec::new();
    let mut rest = stream.take(u64::from(length));
    tokio::time::timeout(ARRIVES, rest.read_to_end(&mut frame)).await??;
    if frame.len() == length as usize { Ok(frame) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

async fn write(stream: &mut UnixStream, response: &Response) -> io::Result<()> {
    let outcome = match response.outcome {
        Outcome::Ok => 0,
        Outcome::Findings => 1,
        Outcome::Bad => 2,
    };
    let bytes = json!({"outcome": outcome, "response": response}).to_string().into_bytes();
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    let mut frame = length.to_be_bytes().to_vec();
    frame.extend(bytes);
    stream.write_all(&frame).await
}

//! The way to a daemon that keeps this workspace, for whoever would otherwise open it: one request, one answer, in time.
//!
//! A frame is the length of its JSON, four bytes in network order, and the JSON. A daemon that hangs costs what the deadline
//! says and nothing else: whoever asked then answers by itself.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mentci_disk::Fs;
use mentci_host::{Asker, HookAnswer, HookCall, Request};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, socket_with, sockopt};
use serde::Deserialize;
use serde_json::Value;

use crate::clock::{Clock, SystemClock, uptime_ms};
use crate::policy::{BUILD, state_folder};
use crate::settings::Surroundings;
use crate::workspace::Workspace;

/// The socket, in the folder of the workspace's state.
const NAME: &str = "socket";
/// How long the system lets the path of a socket be.
const PATH_BYTES: usize = 107;
/// The longest frame.
pub const FRAME_BYTES: u32 = 64 * 1024 * 1024;

/// An answer, as it came through the socket.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct SocketAnswer {
    /// The exit code of the command line: 0, 1 or 2.
    pub outcome: u8,
    /// The [`Response`](mentci_host::Response), as JSON.
    pub response: Value,
}

impl SocketAnswer {
    /// What came of a hook; none where it could not be answered.
    pub fn hook(&self) -> Option<HookAnswer> {
        // Its findings stand beside its own fields.
        HookAnswer::deserialize(&self.response).ok()
    }

    /// What is wrong, as the command line tells it: `E0301: …`.
    pub fn notes(&self) -> Vec<String> {
        let findings = self.response["findings"].as_array().into_iter().flatten();
        let errors = findings.filter(|finding| finding["severity"] == "error");
        let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
        errors.map(|finding| format!("{}: {}", text(finding, "code"), text(finding, "message"))).collect()
    }

    /// What is wrong, a message each.
    pub fn errors(&self) -> Vec<String> {
        let findings = self.response["findings"].as_array().into_iter().flatten();
        let errors = findings.filter(|finding| finding["severity"] == "error");
        errors.map(|finding| finding["message"].as_str().unwrap_or_default().to_owned()).collect()
    }
}

/// Asks the daemon of the workspace at `root` to decide a hook's events, for no longer than `limit`: the verdicts alone (see
/// [`Workspace::with_shown`](crate::Workspace::with_shown)), and what is wrong, each as a line for people. None where none listens, or it gave no answer that counts: whoever asked decides by itself then.
///
/// Nothing is opened for it: neither the configuration nor the rules nor the log.
pub fn ask_hook(
    fs: &dyn Fs,
    root: &Path,
    around: &Surroundings,
    call: &HookCall,
    limit: Duration,
) -> Option<(HookAnswer, Vec<String>)> {
    let root = fs.canonicalize(root).ok()?;
    let path = fitting(state_folder(&root, around.state.as_deref()).join(NAME))?;
    let until_ms = uptime_ms().saturating_add(u64::try_from(limit.as_millis()).ok()?);
    let asker = Some(Asker { build: BUILD.to_owned(), until_ms });
    if !mentci_disk::exists(fs, &path) {
        return None;
    }
    let request = Request::Hook(Box::new(HookCall { asker, ..call.clone() }));
    let answer = ask_socket(&path, &request, limit).ok()?;
    let told = answer.hook()?;
    (told.verdicts.len() == call.events.len()).then(|| (told, answer.notes()))
}

fn fitting(path: PathBuf) -> Option<PathBuf> {
    (path.as_os_str().len() <= PATH_BYTES).then_some(path)
}

/// Why a daemon gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum SocketError {
    /// None listens there.
    #[error("no daemon listens on `{}`", .0.display())]
    Absent(PathBuf),
    /// Another user listens there.
    #[error("`{}` is another user's", .0.display())]
    Foreign(PathBuf),
    /// No answer came in time, or none that reads.
    #[error("the daemon gave no answer: {0}")]
    Failed(#[from] io::Error),
}

impl Workspace {
    /// Where a daemon of this workspace listens for hooks; none where the path would be too long for a socket.
    pub fn socket(&self) -> Option<PathBuf> {
        fitting(self.state_folder().join(NAME))
    }
}

/// Asks the daemon that listens at `path`. Blocks for no longer than `limit` in all.
///
/// ```
/// use std::time::Duration;
/// use mentci_host::Request;
/// use mentci_workspace::{SocketError, ask_socket};
/// let nobody = std::path::Path::new("/nowhere/socket");
/// let asked = ask_socket(nobody, &Request::Digest { skill: None }, Duration::from_millis(100));
/// assert!(matches!(asked, Err(SocketError::Absent(_))));
/// ```
///
/// # Errors
/// - [`SocketError::Absent`]: nobody listens there; no time was lost.
/// - [`SocketError::Foreign`]: whoever listens there is another user.
/// - [`SocketError::Failed`]: it did not answer in time, or broke off.
pub fn ask_socket(path: &Path, request: &Request, limit: Duration) -> Result<SocketAnswer, SocketError> {
    let mut line = Line { stream: reach(path)?, clock: SystemClock::new(), limit };
    // OK because a request is plain data with text for keys.
    let bytes = serde_json::to_vec(request).unwrap_or_default();
    line.write(&u32::try_from(bytes.len()).map_err(io::Error::other)?.to_be_bytes())?;
    line.write(&bytes)?;
    let mut length = [0; 4];
    line.read(&mut length)?;
    let length = u32::from_be_bytes(length);
    if length > FRAME_BYTES {
        return Err(io::Error::other("its answer is longer than 64 MiB").into());
    }
    let mut answer = vec![0; length as usize];
    line.read(&mut answer)?;
    serde_json::from_slice(&answer).map_err(|error| io::Error::other(error).into())
}

/// A connection, made at once or not at all: where too many wait for the daemon, nobody waits with them.
fn reach(path: &Path) -> Result<UnixStream, SocketError> {
    let absent = |_| SocketError::Absent(path.to_owned());
    let address = SocketAddrUnix::new(path).map_err(absent)?;
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None).map_err(absent)?;
    match connect(&socket, &address) {
        Ok(()) => {}
        Err(rustix::io::Errno::AGAIN) => return Err(io::Error::from(io::ErrorKind::WouldBlock).into()),
        Err(_) => return Err(SocketError::Absent(path.to_owned())),
    }
    let peer = sockopt::socket_peercred(&socket).map_err(io::Error::from)?;
    if peer.uid != rustix::process::geteuid() {
        return Err(SocketError::Foreign(path.to_owned()));
    }
    let stream = UnixStream::from(socket);
    stream.set_nonblocking(false)?;
    Ok(stream)
}

/// A connection with a deadline over all that is read and written.
struct Line {
    stream: UnixStream,
    clock: SystemClock,
    limit: Duration,
}

impl Line {
    fn left(&self) -> io::Result<Duration> {
        let left = self.limit.saturating_sub(Duration::from_micros(self.clock.micros()));
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left) }
    }

    fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            self.stream.set_write_timeout(Some(self.left()?))?;
            match self.stream.write(bytes) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<()> {
        let mut filled = 0;
        while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            self.stream.set_read_timeout(Some(self.left()?))?;
            match self.stream.read(rest) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

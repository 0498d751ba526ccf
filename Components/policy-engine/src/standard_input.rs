//! What a harness writes into a hook's standard input.

use std::io::Read;

use mentci_harness::Ending;

/// How much is read at once: no less than what standard input keeps back, so that nothing waits there unseen.
const PIECE: usize = 64 << 10;

/// Reads to the end, or to `most` bytes, or to where a whole payload stands and nothing more comes: a harness may hold the pipe
/// open while it waits for the answer.
///
/// # Errors
/// Why it cannot be read.
pub(crate) fn payload(most: usize) -> std::io::Result<Vec<u8>> {
    let mut stdin = std::io::stdin().lock();
    let (mut piece, mut bytes) = (vec![0; PIECE], Vec::new());
    let mut ending = Ending::default();
    while bytes.len() < most {
        let count = stdin.read(&mut piece)?;
        bytes.extend_from_slice(&piece[..count]);
        if count == 0 || is_silent() && ending.is_whole(&bytes) {
            break;
        }
    }
    bytes.truncate(most);
    Ok(bytes)
}

/// Whether nothing more came within a moment, the end neither.
#[cfg(unix)]
fn is_silent() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    /// In nanoseconds: longer than a harness takes from one piece to the next.
    const MOMENT: Timespec = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };
    let stdin = std::io::stdin();
    let mut watched = [PollFd::new(&stdin, PollFlags::IN)];
    matches!(poll(&mut watched, Some(&MOMENT)), Ok(0))
}

/// Elsewhere the end is waited for.
#[cfg(not(unix))]
fn is_silent() -> bool {
    false
}

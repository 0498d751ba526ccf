//! Waiting for git: while it holds its index lock, a checkout is half done.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::{Fs, Stamp};

/// How long a lock is waited for while nothing moves: `git commit` holds it for as long as its editor is open.
const PATIENCE: Duration = Duration::from_secs(1);
/// What a checkout moved is told so late that it may still come in when the lock is gone.
const SETTLING: Duration = Duration::from_millis(25);
/// Behind a checkout nothing is waited for longer than this.
const LONGEST_SETTLING: Duration = Duration::from_millis(500);

/// The index lock of the repository that a workspace is a part of.
#[derive(Debug)]
pub(crate) struct GitHold {
    lock: Option<PathBuf>,
    /// A lock that was waited for long enough.
    given_up: Option<Stamp>,
    /// When git was last seen at work.
    held: Option<Instant>,
}

impl GitHold {
    pub(crate) fn new(fs: &dyn Fs, home: &Path) -> Self {
        let lock = home.ancestors().find_map(|directory| git_directory(fs, directory));
        Self { lock: lock.map(|directory| directory.join("index.lock")), given_up: None, held: None }
    }

    /// Whether git is at work: its lock is there, and something moved not long ago; or it has just ended, and what it moved is still
    /// being told.
    pub(crate) fn is_held(&mut self, fs: &dyn Fs, last_event: Instant) -> bool {
        let Some(Ok(stat)) = self.lock.as_ref().map(|lock| fs.lstat(lock)) else {
            return self.is_settling(last_event);
        };
        // The lock is written to at last: only which file it is counts.
        let this = Stamp { inode: stat.stamp.inode, device: stat.stamp.device, ..Stamp::default() };
        if last_event.elapsed() > PATIENCE {
            self.given_up = Some(this);
        }
        let is_held = self.given_up != Some(this);
        self.held = is_held.then(Instant::now);
        is_held
    }

    fn is_settling(&mut self, last_event: Instant) -> bool {
        let behind = self.held.is_some_and(|held| held.elapsed() < LONGEST_SETTLING);
        let settles = behind && last_event.elapsed() < SETTLING;
        if !settles {
            self.held = None;
        }
        settles
    }
}

/// The git directory that belongs to a directory with a `.git` in it; a work tree's `.git` is a file that names it.
fn git_directory(fs: &dyn Fs, directory: &Path) -> Option<PathBuf> {
    let git = directory.join(".git");
    if fs.read_dir(&git, &mut |_, _| None).is_ok() {
        return Some(git);
    }
    let mut bytes = Vec::new();
    fs.read_into(&git, 4096, &mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    Some(directory.join(text.strip_prefix("gitdir:")?.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RealFs;

    #[test]
    fn what_comes_in_right_behind_a_checkout_is_part_of_it() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir(directory.path().join(".git")).unwrap();
        let lock = directory.path().join(".git/index.lock");
        let mut hold = GitHold::new(&RealFs, directory.path());
        let long_ago = || Instant::now().checked_sub(SETTLING * 2).unwrap();
        assert!(!hold.is_held(&RealFs, Instant::now()), "a save without a checkout is told at once");
        std::fs::write(&lock, "").unwrap();
        assert!(hold.is_held(&RealFs, Instant::now()));
        std::fs::remove_file(&lock).unwrap();
        assert!(hold.is_held(&RealFs, Instant::now()), "something still comes in");
        assert!(!hold.is_held(&RealFs, long_ago()), "nothing has come in for long enough");
        assert!(!hold.is_held(&RealFs, Instant::now()), "the next save is none of the checkout");
    }
}

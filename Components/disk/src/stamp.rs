//! The stat key of a file: when it is the same, the bytes are taken to be the same.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

use serde::{Deserialize, Serialize};

/// What `stat` says about a file's content without reading it.
///
/// Times are nanoseconds since 1970 and saturate at the ends of `i64` (1677 and 2262).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Stamp {
    /// Length in bytes.
    pub size: u64,
    /// When the bytes last changed.
    pub mtime_ns: i64,
    /// When the bytes or the inode last changed; a program cannot set it back.
    pub ctime_ns: i64,
    /// The inode: another file under the same name has another one.
    pub inode: u64,
    /// The device that the inode lives on.
    pub device: u64,
}

impl Stamp {
    /// The stamp in a file's metadata.
    pub fn of(metadata: &Metadata) -> Self {
        Self {
            size: metadata.size(),
            mtime_ns: nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
            ctime_ns: nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
            inode: metadata.ino(),
            device: metadata.dev(),
        }
    }

    /// The stamp in what the system itself answers.
    #[cfg(target_os = "linux")]
    #[allow(
        clippy::cast_sign_loss,
        clippy::cast_possible_wrap,
        clippy::unnecessary_cast,
        reason = "the fields' types differ by machine"
    )]
    pub(crate) fn of_raw(stat: &rustix::fs::Stat) -> Self {
        Self {
            size: stat.st_size as u64,
            mtime_ns: nanoseconds(stat.st_mtime as i64, stat.st_mtime_nsec as i64),
            ctime_ns: nanoseconds(stat.st_ctime as i64, stat.st_ctime_nsec as i64),
            inode: stat.st_ino as u64,
            device: stat.st_dev as u64,
        }
    }

    /// Whether a second write in the same tick of the file system's clock would be seen: the file was quiet
    /// for longer than a tick when it was read, at `now_ns` of that same clock.
    pub fn is_settled(&self, now_ns: i64) -> bool {
        // File systems that count whole seconds (FAT counts two) leave no nanoseconds.
        let tick = if self.mtime_ns % 1_000_000_000 == 0 { 2_000_000_000 } else { 20_000_000 };
        self.mtime_ns.max(self.ctime_ns).saturating_add(tick) < now_ns
    }
}

fn nanoseconds(seconds: i64, rest: i64) -> i64 {
    seconds.saturating_mul(1_000_000_000).saturating_add(rest)
}

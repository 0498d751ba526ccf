//! Whether the file that is open is the one that stands under its name.

use std::io::ErrorKind;
use std::path::Path;

use mentci_disk::{Fs, RealFs, Stat};

use crate::SqliteStore;

/// The file that was opened. SQLite goes on writing into it when its name is taken away, and nobody else ever reads that.
#[derive(Debug, Clone, Copy)]
pub(super) struct Opened {
    device: u64,
    inode: u64,
    /// How long it was at the last look.
    size: u64,
}

/// What stands under the name of a store that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stands {
    /// The file that is open.
    Whole,
    /// The same, and shorter than it was.
    Shorter,
    /// The same, and nothing is in it any more.
    Emptied,
    /// Another file, or none.
    Another,
}

impl Opened {
    pub(super) fn at(fs: &dyn Fs, path: &Path) -> Option<Self> {
        fs.stat(path).ok().map(|stat| Self::of(&stat))
    }

    /// Whether it is the same file, whatever is in it.
    pub(super) fn is_same(self, other: Self) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }

    fn of(stat: &Stat) -> Self {
        Self { device: stat.stamp.device, inode: stat.stamp.inode, size: stat.stamp.size }
    }
}

impl SqliteStore {
    /// Looks at the file under the store's name, by one `stat`.
    pub(crate) fn stands(&mut self) -> Stands {
        let Some(open) = self.file else { return Stands::Whole };
        let now = match RealFs.stat(&self.path) {
            Ok(stat) => Opened::of(&stat),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Stands::Another;
            }
            // What may not be looked at may still be there.
            Err(_) => return Stands::Whole,
        };
        if !now.is_same(open) {
            return Stands::Another;
        }
        match now.size {
            // A store that was opened has its first page.
            0 => Stands::Emptied,
            size if size < open.size => Stands::Shorter,
            _ => {
                self.file = Some(now);
                Stands::Whole
            }
        }
    }

    /// It may be as short as it is now.
    pub(crate) fn may_be_short(&mut self) {
        self.file = Opened::at(&RealFs, &self.path);
    }
}

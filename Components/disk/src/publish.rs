//! Several files that belong together, written so that a reader sees the old ones or the new ones.

use crate::target::{Target, Targets};
use crate::{DiskError, Fs, LockGuard};

/// What a write must survive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// `kill -9`: for what can be made again, such as digests.
    #[default]
    Rename,
    /// Power loss: for what a person or an agent said, such as lessons.
    Fsync,
}

/// How files are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteOptions {
    /// What the write must survive.
    pub durability: Durability,
    /// Permission bits of a new file; an existing file keeps its own.
    pub mode: u32,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { durability: Durability::Rename, mode: 0o644 }
    }
}

impl WriteOptions {
    /// Survives power loss; `0o644`.
    pub const LASTING: Self = Self { durability: Durability::Fsync, mode: 0o644 };
    /// Survives power loss; for the user's eyes only, `0o600`.
    pub const PRIVATE: Self = Self { durability: Durability::Fsync, mode: 0o600 };
}

/// What [`publish`] did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Published {
    /// The files whose bytes moved, in the order in which they were put in place.
    pub written: Vec<String>,
    /// How many files stood there already, byte for byte.
    pub unchanged: usize,
}

/// Publishes `files`, given as workspace-relative path and bytes, under a lock.
///
/// All bytes are written beside their files first; then each file is renamed into place in the given order, so the
/// last one is the commit point. Only files whose bytes moved are written. An existing file keeps its mode, and a
/// link inside the workspace is written through.
///
/// # Errors
/// - The disk is full, or a file cannot be written: nothing was put in place and nothing is left beside.
/// - A rename fails: the files before it are new, the commit point is old.
///
/// ```
/// use mentci_disk::{RealFs, Sidecar, WriteOptions, publish};
/// # let root = tempfile::tempdir().unwrap();
/// # let root = root.path();
/// let lock = Sidecar::publishing(root).lock(&RealFs)?;
/// let files = [(".pi/a.lock", b"{}".as_slice()), (".pi/a.md", b"1 rule".as_slice())];
/// assert_eq!(publish(&RealFs, &lock, &files, WriteOptions::default())?.written, [".pi/a.lock", ".pi/a.md"]);
/// assert_eq!(publish(&RealFs, &lock, &files, WriteOptions::default())?.unchanged, 2);
/// # Ok::<(), mentci_disk::DiskError>(())
/// ```
pub fn publish(
    fs: &dyn Fs,
    lock: &LockGuard,
    files: &[(&str, &[u8])],
    options: WriteOptions,
) -> Result<Published, DiskError> {
    let mut published = Published::default();
    let mut moved = Vec::new();
    let mut targets = Targets::under(fs, lock.root());
    for &(path, bytes) in files {
        let target = targets.resolve(path)?;
        if target.holds(fs, bytes)? {
            target.clean(fs);
            published.unchanged += 1;
        } else {
            published.written.push(path.to_owned());
            moved.push((target, bytes));
        }
    }
    replace_all(fs, &moved, options)?;
    Ok(published)
}

/// Takes away the temporary files that killed writers left beside `files`. Says how many there were.
pub fn clean_temporary(fs: &dyn Fs, lock: &LockGuard, files: &[&str]) -> usize {
    let mut targets = Targets::under(fs, lock.root());
    let targets = files.iter().filter_map(|path| targets.resolve(path).ok());
    targets.filter(|target| target.clean(fs)).count()
}

/// Writes all beside, then puts each in place. A failure leaves nothing beside.
fn replace_all(fs: &dyn Fs, moved: &[(Target, &[u8])], options: WriteOptions) -> Result<(), DiskError> {
    let write = || {
        moved.iter().try_for_each(|(target, bytes)| target.write_beside(fs, bytes, options))?;
        moved.iter().try_for_each(|(target, _)| put_in_place(fs, target, options))
    };
    write().inspect_err(|_| {
        for (target, _) in moved {
            target.clean(fs);
        }
    })
}

fn put_in_place(fs: &dyn Fs, target: &Target, options: WriteOptions) -> Result<(), DiskError> {
    target.commit(fs)?;
    if options.durability == Durability::Fsync { target.sync_name(fs) } else { Ok(()) }
}

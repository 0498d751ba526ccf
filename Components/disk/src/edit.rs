//! Read, edit and replace, safe across processes.

use crate::target::{Target, Targets};
use crate::{DiskError, Durability, Fs, LockGuard, Sidecar, WriteOptions};

/// What becomes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// It stays as it is.
    Keep,
    /// These are its new bytes.
    Replace(Vec<u8>),
}

/// Why an edit did not happen. The files stand as they stood, but for those that came before a failed rename.
#[derive(Debug, thiserror::Error)]
pub enum EditError<E> {
    /// The disk refused.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The change refused, for example because it found the file damaged.
    #[error("{0}")]
    Refused(E),
}

/// Edits one file: takes the sidecar's lock, reads the file again, hands its bytes (`None`: no file) to `change`,
/// and puts the new bytes in place. Says whether the file was replaced.
///
/// # Errors
/// - [`EditError::Refused`]: what `change` says; nothing was written.
/// - [`EditError::Disk`]: nothing was written, or with [`Durability::Fsync`] the new name is in place but was not
///   confirmed to last.
///
/// ```
/// use mentci_disk::{Edit, RealFs, Sidecar, WriteOptions, edit_locked};
/// # let root = tempfile::tempdir().unwrap();
/// # let root = root.path();
/// let append = |before: Option<&[u8]>| {
///     let mut bytes = before.unwrap_or_default().to_vec();
///     bytes.push(b'x');
///     Ok::<_, String>(Edit::Replace(bytes))
/// };
/// let sidecar = Sidecar::editing(root);
/// assert!(edit_locked(&RealFs, &sidecar, "lessons/a.edn", WriteOptions::LASTING, append)?);
/// let refuse = |_: Option<&[u8]>| Err::<Edit, _>("this file is damaged");
/// assert!(edit_locked(&RealFs, &sidecar, "lessons/a.edn", WriteOptions::LASTING, refuse).is_err());
/// # Ok::<(), mentci_disk::EditError<String>>(())
/// ```
pub fn edit_locked<E>(
    fs: &dyn Fs,
    sidecar: &Sidecar,
    path: &str,
    options: WriteOptions,
    change: impl FnOnce(Option<&[u8]>) -> Result<Edit, E>,
) -> Result<bool, EditError<E>> {
    let written = edit_many_locked(fs, sidecar, &[path], options, |bytes| {
        change(bytes[0].as_deref()).map(|edit| vec![(0, edit)])
    })?;
    Ok(written == 1)
}

/// Edits several files as one: `change` gets the bytes of each of `paths` and answers which to replace (by index into
/// `paths`), **in the order in which they are put in place**. With [`Durability::Fsync`] each is on the disk before the
/// next one moves. Says how many were replaced.
///
/// A lesson that moves from one file to another is written to the new one first: at no instant is it in neither.
///
/// # Errors
/// As [`edit_locked`]. An index past the end of `paths` is passed over.
pub fn edit_many_locked<E>(
    fs: &dyn Fs,
    sidecar: &Sidecar,
    paths: &[&str],
    options: WriteOptions,
    change: impl FnOnce(&[Option<Vec<u8>>]) -> Result<Vec<(usize, Edit)>, E>,
) -> Result<usize, EditError<E>> {
    let lock = sidecar.lock(fs)?;
    let targets = resolve_all(fs, &lock, paths)?;
    let before = targets.iter().map(|target| target.read(fs)).collect::<Result<Vec<_>, _>>()?;
    let edits = change(&before).map_err(EditError::Refused)?;
    let moved = moved(&targets, &before, &edits);
    replace_in_order(fs, &moved, options)?;
    // The last name is made to last without the lock, so that waiting writers share one trip to the disk.
    drop(lock);
    if let (Some((target, _)), Durability::Fsync) = (moved.last(), options.durability) {
        target.sync_name(fs)?;
    }
    Ok(moved.len())
}

fn resolve_all(fs: &dyn Fs, lock: &LockGuard, paths: &[&str]) -> Result<Vec<Target>, DiskError> {
    let mut targets = Targets::under(fs, lock.root());
    paths.iter().map(|path| targets.resolve(path)).collect()
}

/// The edits that move bytes.
fn moved<'a>(
    targets: &'a [Target],
    before: &[Option<Vec<u8>>],
    edits: &'a [(usize, Edit)],
) -> Vec<(&'a Target, &'a [u8])> {
    let moved = edits.iter().filter_map(|(index, edit)| match edit {
        Edit::Replace(bytes) if before.get(*index)?.as_ref() != Some(bytes) => {
            Some((&targets[*index], bytes.as_slice()))
        }
        _ => None,
    });
    moved.collect()
}

/// Writes all beside, then puts each in place; every name but the last is made to last on the way.
fn replace_in_order(fs: &dyn Fs, moved: &[(&Target, &[u8])], options: WriteOptions) -> Result<(), DiskError> {
    let write = || {
        moved.iter().try_for_each(|(target, bytes)| target.write_beside(fs, bytes, options))?;
        for (index, (target, _)) in moved.iter().enumerate() {
            target.commit(fs)?;
            if options.durability == Durability::Fsync && index + 1 < moved.len() {
                target.sync_name(fs)?;
            }
        }
        Ok(())
    };
    write().inspect_err(|_| {
        for (target, _) in moved {
            target.clean(fs);
        }
    })
}

//! The index on disk: one line that says the format, then records, then a hash of all of it.
//!
//! A record is the path's length (`u32`), the path, size, mtime, ctime, inode and device (8 bytes each), the hash
//! (32 bytes) and whether equal stamps prove equal bytes (1 byte). Numbers are little-endian, records sorted by path.

use std::collections::BTreeMap;
use std::sync::Arc;

use mentci_source::Hash;

use crate::Stamp;
use crate::hash_index::IndexEntry;

/// What the first line must be.
const HEADER: &[u8] = b"mentci-index 1\n";
/// The bytes of the hash at the end.
const SEAL: usize = 32;

/// The file's bytes.
pub(crate) fn encode(entries: &BTreeMap<Arc<str>, IndexEntry>) -> Vec<u8> {
    let mut bytes = HEADER.to_vec();
    for (path, entry) in entries {
        let Ok(length) = u32::try_from(path.len()) else { continue };
        bytes.extend(length.to_le_bytes());
        bytes.extend(path.as_bytes());
        let Stamp { size, mtime_ns, ctime_ns, inode, device } = entry.stamp;
        for number in [size, mtime_ns.cast_unsigned(), ctime_ns.cast_unsigned(), inode, device] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(entry.hash.as_bytes());
        bytes.push(u8::from(entry.settled));
    }
    let seal = Hash::of_bytes(&bytes);
    bytes.extend(seal.as_bytes());
    bytes
}

/// The entries in the file.
///
/// # Errors
/// What is wrong with it, as the end of "the index …".
pub(crate) fn decode(bytes: &[u8]) -> Result<BTreeMap<Arc<str>, IndexEntry>, &'static str> {
    let Some(body) = bytes.strip_prefix(HEADER) else {
        let other = bytes.starts_with(b"mentci-index ");
        return Err(if other { "is of another version" } else { "is damaged" });
    };
    let (sealed, seal) = bytes.split_at_checked(bytes.len() - SEAL.min(bytes.len())).unwrap_or((bytes, &[]));
    if body.len() < SEAL || Hash::of_bytes(sealed).as_bytes().as_slice() != seal {
        return Err("is damaged");
    }
    let mut rest = &body[..body.len() - SEAL];
    let mut entries = Vec::new();
    while !rest.is_empty() {
        entries.push(record(&mut rest).ok_or("is damaged")?);
    }
    Ok(entries.into_iter().collect())
}

fn record(rest: &mut &[u8]) -> Option<(Arc<str>, IndexEntry)> {
    let length = u32::from_le_bytes(take(rest)?);
    let (path, after) = rest.split_at_checked(length as usize)?;
    *rest = after;
    let path = std::str::from_utf8(path).ok()?.into();
    let stamp = Stamp {
        size: u64::from_le_bytes(take(rest)?),
        mtime_ns: i64::from_le_bytes(take(rest)?),
        ctime_ns: i64::from_le_bytes(take(rest)?),
        inode: u64::from_le_bytes(take(rest)?),
        device: u64::from_le_bytes(take(rest)?),
    };
    let hash = Hash::from_bytes(take(rest)?);
    let [settled] = take::<1>(rest)?;
    Some((path, IndexEntry { stamp, hash, settled: settled == 1 }))
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (head, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(*head)
}

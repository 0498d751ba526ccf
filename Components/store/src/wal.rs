//! A write-ahead log that SQLite gave up reading in the middle.
//!
//! Each frame of the log carries a checksum of all before it. Where one is wrong, SQLite takes the log to end there, which is
//! right after a loss of power, and says nothing. What stands behind it was written all the same: when a transaction was
//! ended there, it is lost, and whoever opens the store must hear of it before a new one is written over it.
//!
//! The layout is that of SQLite's file format, sections 4.1 and 4.2. The index beside the log is not read: to close it would
//! let go of the locks that SQLite holds on it.

use std::path::Path;

use mentci_disk::{Fs, RealFs};
use rusqlite::Connection;

use crate::StoreError;
use crate::aside::with_suffix;

/// A log is folded long before it is as long as this.
const MOST: u64 = 1 << 30;

/// Fails where transactions stand in the log of the database at `path` that SQLite does not read. The connection has not
/// written.
pub(crate) fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let log = with_suffix(path, "-wal");
    if !goes_on(connection, &log)? {
        return Ok(());
    }
    // Another process may be writing just now: none is while the lock is held.
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let lost = lost(&log);
    connection.execute_batch("ROLLBACK")?;
    match lost {
        0 => Ok(()),
        lost => Err(StoreError::Corrupt(format!(
            "its write-ahead log is damaged in the middle: {lost} transaction{} behind that cannot be read",
            if lost == 1 { "" } else { "s" }
        ))),
    }
}

/// Whether the log is longer than what is read of it.
fn goes_on(connection: &Connection, log: &Path) -> Result<bool, StoreError> {
    let size = RealFs.lstat(log).map_or(0, |stat| stat.stamp.size);
    if size <= Header::LENGTH as u64 {
        return Ok(false);
    }
    // It does nothing, and says how many frames are read.
    let read: i64 = connection.query_row("PRAGMA wal_checkpoint(NOOP)", [], |row| row.get(1))?;
    let mut head = Vec::new();
    let is_read = RealFs.read_head(log, Header::LENGTH as u64, &mut head).is_ok();
    let header = if is_read { Header::of(&head) } else { None };
    Ok(match (header, u64::try_from(read)) {
        (Some(header), Ok(read)) => size > Header::LENGTH as u64 + read * header.frame as u64,
        // A header that is damaged ends the log at its start.
        (None, Ok(0)) => true,
        _ => false,
    })
}

/// How many transactions were ended behind the first frame that is damaged.
fn lost(log: &Path) -> usize {
    let mut bytes = Vec::new();
    if RealFs.read_into(log, MOST, &mut bytes).is_err() {
        return 0;
    }
    let Some(header) = Header::of(&bytes) else {
        // What its frames are cannot be told; that there are some can.
        return usize::from(bytes.len() > Header::LENGTH);
    };
    let (mut sum, mut is_whole, mut lost) = (header.sum, true, 0);
    for frame in bytes[Header::LENGTH..].chunks_exact(header.frame) {
        // Frames of a log before this one carry other salts.
        let is_own = frame[8..16] == header.salts;
        is_whole &= is_own;
        if is_whole {
            sum = header.order.add(header.order.add(sum, &frame[..8]), &frame[Header::FRAME..]);
            is_whole = frame[16..24] == sum.bytes();
        }
        // The last frame of a transaction names the size of the database.
        lost += usize::from(is_own && !is_whole && frame[4..8] != [0; 4]);
    }
    lost
}

/// The header of the log, where it is whole.
struct Header {
    /// How many bytes a frame has.
    frame: usize,
    salts: [u8; 8],
    order: Order,
    sum: Sum,
}

impl Header {
    const LENGTH: usize = 32;
    /// What stands before the page in each frame.
    const FRAME: usize = 24;

    fn of(log: &[u8]) -> Option<Self> {
        let head: &[u8; Self::LENGTH] = log.first_chunk()?;
        let order = Order::of(*head.first_chunk()?)?;
        let page = u32::from_be_bytes(*head[8..].first_chunk()?) as usize;
        let sum = order.add(Sum::default(), &head[..24]);
        let is_whole = head[24..] == sum.bytes() && page.is_power_of_two();
        let salts = *head[16..].first_chunk()?;
        is_whole.then_some(Self { frame: Self::FRAME + page, salts, order, sum })
    }
}

/// A checksum so far.
#[derive(Clone, Copy, Default)]
struct Sum(u32, u32);

impl Sum {
    fn bytes(self) -> [u8; 8] {
        (u64::from(self.0) << 32 | u64::from(self.1)).to_be_bytes()
    }
}

/// In which order of bytes checksums are made: that of the machine that began the log.
#[derive(Clone, Copy)]
enum Order {
    Little,
    Big,
}

impl Order {
    fn of(magic: [u8; 4]) -> Option<Self> {
        match u32::from_be_bytes(magic) {
            0x377f_0682 => Some(Self::Little),
            0x377f_0683 => Some(Self::Big),
            _ => None,
        }
    }

    /// The checksum after more bytes, a multiple of eight.
    fn add(self, mut sum: Sum, bytes: &[u8]) -> Sum {
        let (words, _) = bytes.as_chunks::<4>();
        let read = |word: [u8; 4]| match self {
            Self::Little => u32::from_le_bytes(word),
            Self::Big => u32::from_be_bytes(word),
        };
        for pair in words.chunks_exact(2) {
            sum.0 = sum.0.wrapping_add(read(pair[0])).wrapping_add(sum.1);
            sum.1 = sum.1.wrapping_add(read(pair[1])).wrapping_add(sum.0);
        }
        sum
    }
}

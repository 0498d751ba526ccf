//! The chain of hashes through the log.

use mentci_source::Hash;
use serde::{Deserialize, Serialize};

/// What a walk through the log found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Audit {
    /// How many lines were walked.
    pub lines: u64,
    /// The hash of the last one: whoever notes it elsewhere can tell later that no line before it was changed or taken.
    pub last: Option<Hash>,
    /// The number of the first line that is not what it was, or is missing; `None` when all is well.
    pub broken: Option<u64>,
}

/// The hash of a line: it covers the hash of the line before it, its place, its record and its body.
pub fn audit_hash(before: Option<Hash>, seq: u64, version: u64, record: &str, body: Option<&str>) -> Hash {
    let (seq, version) = (seq.to_le_bytes(), version.to_le_bytes());
    let before = before.as_ref().map_or(&[][..], |hash| hash.as_bytes());
    let has_body = [u8::from(body.is_some())];
    let body = body.unwrap_or_default().as_bytes();
    Hash::of("mentci audit", [before, &seq, &version, record.as_bytes(), &has_body, body])
}

/// Walks line after line.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    last: Option<Hash>,
    lines: u64,
    broken: Option<u64>,
}

impl Walk {
    pub(crate) fn line(
        &mut self,
        seq: u64,
        version: u64,
        record: &str,
        body: Option<&str>,
        hash: Option<Hash>,
    ) {
        self.lines += 1;
        let is_next = seq == self.lines;
        let is_whole = Some(audit_hash(self.last, seq, version, record, body)) == hash;
        if self.broken.is_none() && !(is_next && is_whole) {
            self.broken = Some(if is_next { seq } else { self.lines });
        }
        self.last = hash;
    }

    /// The end: `last` is the hash that the head of the log names.
    pub(crate) fn end(self, lines: u64, last: Option<Hash>) -> Audit {
        let is_cut = (self.lines, self.last) != (lines, last);
        let broken = self.broken.or_else(|| is_cut.then_some(self.lines + 1));
        Audit { lines: self.lines, last: self.last, broken }
    }
}

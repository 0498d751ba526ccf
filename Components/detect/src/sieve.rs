//! What a text could hold at all, told about as fast as it is read: most of most texts needs no closer look.

use std::ops::Range;

/// The shortest run of bytes of keys that no window misses.
#[cfg(test)]
pub(crate) const SHORTEST: usize = 17;

/// Whether the byte may stand in a key.
#[cfg(test)]
pub(crate) fn is_seen(letter: char) -> bool {
    ('+'..='\u{7f}').contains(&letter)
}

/// The least byte that stands in a key, eight times. Nothing past ASCII does either.
const LEAST: u64 = u64::from_ne_bytes([b'+'; 8]);
const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);

/// How many bytes are told of at once.
const BLOCK: usize = 64;
/// What a window holds before and after its blocks: how far a key may start before the ten bytes that betray it, and
/// how far its prefix reaches after its start.
const BEFORE: usize = 16;
const AFTER: usize = 32;

/// The stretches in which a key could start: around each run of 17 bytes or more that are no blanks, no
/// quotes, no brackets. In order and apart.
///
/// Such a run holds ten bytes from a multiple of eight on, at most seven after its start. So only those are looked at.
pub(crate) fn windows(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut windows = Windows { all: Vec::new(), length: bytes.len() };
    let mut at = 0;
    let shifted = bytes.get(2..).unwrap_or_default().chunks_exact(BLOCK);
    for (block, shifted) in bytes.chunks_exact(BLOCK).zip(shifted) {
        if holds_ten(block, shifted) {
            windows.add(at..at + BLOCK);
        }
        at += BLOCK;
    }
    if at < bytes.len() {
        windows.add(at..bytes.len());
    }
    windows.all
}

/// Whether all of ten bytes from a multiple of eight on could be a key's; `shifted` is the block two bytes further.
fn holds_ten(block: &[u8], shifted: &[u8]) -> bool {
    let word = |bytes: &[u8]| bytes.try_into().map_or(0, u64::from_ne_bytes);
    let mut holds = false;
    for (eight, next) in block.chunks_exact(8).zip(shifted.chunks_exact(8)) {
        let (eight, next) = (word(eight), word(next));
        // Subtracting sets the high bit of the first byte that is too small.
        let odd = eight.wrapping_sub(LEAST) | eight | next.wrapping_sub(LEAST) | next;
        holds |= odd & HIGH == 0;
    }
    holds
}

struct Windows {
    all: Vec<Range<usize>>,
    length: usize,
}

impl Windows {
    /// Adds blocks, to the last window if they stand near it.
    fn add(&mut self, blocks: Range<usize>) {
        let window = blocks.start.saturating_sub(BEFORE)..self.length.min(blocks.end + AFTER);
        match self.all.last_mut() {
            Some(last) if window.start <= last.end + BLOCK => last.end = window.end,
            _ => self.all.push(window),
        }
    }
}

/// Whether two hyphens stand side by side from an even place on; of five in a row, two always do.
pub(crate) fn has_hyphens(bytes: &[u8]) -> bool {
    const HYPHENS: u16 = u16::from_ne_bytes(*b"--");
    let mut blocks = bytes.chunks_exact(4 * BLOCK);
    let is_found = |block: &[u8]| {
        let pairs = block.chunks_exact(2).map(|pair| u16::from_ne_bytes([pair[0], pair[1]]));
        pairs.fold(0, |any, pair| any | u16::from(pair == HYPHENS)) != 0
    };
    blocks.any(is_found) || is_found(blocks.remainder())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn long_runs_stand_in_windows(text in "([a-z+_-]{1,30}[ (\"é]{1,9}| {0,150}){0,30}") {
            let windows = windows(text.as_bytes());
            for pair in windows.windows(2) {
                prop_assert!(pair[0].end < pair[1].start);
            }
            for run in text.split(|letter| !is_seen(letter)) {
                let start = run.as_ptr() as usize - text.as_ptr() as usize;
                let is_whole = |window: &Range<usize>| window.contains(&start) && window.end >= start + SHORTEST;
                prop_assert!(run.len() < SHORTEST || windows.iter().any(is_whole), "{run} at {start}");
            }
        }

        #[test]
        fn hyphens_are_seen(before in " {0,300}", after in "[a -]{0,40}") {
            let text = format!("{before}-----{after}");
            prop_assert!(has_hyphens(text.as_bytes()));
        }
    }
}

//! o200k over plain text (ASCII and a few signs beyond it), counted without loading its tables: the tokens of such text lie in
//! the program as they are looked up.

mod pieces;
mod spread;

use std::sync::atomic::{AtomicUsize, Ordering};

/// All tokens behind each other, in the order of their ids; where each ends; and by slot their numbers from 1.
const BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/bytes"));
const ENDS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/ends"));
const SLOTS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/slots"));

/// A longer piece is left to the tables: merging it here would take time in the square of its length.
const LONGEST_PIECE: usize = 64;

/// So many bytes are counted here by one process; who counts more has a use for the tables, which are faster.
const ENOUGH: usize = 256 << 10;

static COUNTED: AtomicUsize = AtomicUsize::new(0);

/// The tokens of a text, exactly; none where the tables have to be asked.
pub(crate) fn count(text: &str) -> Option<usize> {
    if !spread::is_plain(text) || COUNTED.fetch_add(text.len(), Ordering::Relaxed) > ENOUGH {
        return None;
    }
    let (mut rest, mut tokens) = (text.as_bytes(), 0);
    while !rest.is_empty() {
        let (piece, more) = rest.split_at(pieces::first(rest));
        tokens += of_piece(piece)?;
        rest = more;
    }
    Some(tokens)
}

fn of_piece(piece: &[u8]) -> Option<usize> {
    if rank(piece).is_some() {
        return Some(1);
    }
    (piece.len() <= LONGEST_PIECE).then(|| merged(piece))
}

/// How many tokens are left when the neighbours that come first in the vocabulary are put together, again and again.
fn merged(piece: &[u8]) -> usize {
    let mut borders: Vec<usize> = (0..=piece.len()).collect();
    loop {
        let pairs = borders.windows(3).enumerate();
        let known = pairs.filter_map(|(at, pair)| Some((rank(&piece[pair[0]..pair[2]])?, at)));
        match known.min() {
            Some((_, at)) => drop(borders.remove(at + 1)),
            None => return borders.len() - 1,
        }
    }
}

/// A token's place among all, if it is one.
fn rank(token: &[u8]) -> Option<usize> {
    let mut slot = spread::slot(token);
    loop {
        let number = number(SLOTS, slot)?.checked_sub(1)?;
        let start = if number == 0 { 0 } else { self::number(ENDS, number - 1)? };
        if BYTES.get(start..self::number(ENDS, number)?) == Some(token) {
            return Some(number);
        }
        slot = (slot + 1) % spread::SLOTS;
    }
}

fn number(numbers: &[u8], at: usize) -> Option<usize> {
    let bytes = numbers.get(at * 4..at * 4 + 4)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(bytes)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_cut_as_the_pattern_cuts_them() {
        for (text, cut) in [
            ("Never unwrap", vec!["Never", " unwrap"]),
            ("HTTPServer's don'T", vec!["HTTPServer's", " don'T"]),
            ("ABC", vec!["ABC"]),
            ("aBc", vec!["a", "Bc"]),
            ("12345 x", vec!["123", "45", " x"]),
            ("a  b", vec!["a", " ", " b"]),
            ("a \n\n b\t", vec!["a", " \n\n", " b", "\t"]),
            ("x -- //\n/y", vec!["x", " --", " //\n/", "y"]),
            ("_a(b", vec!["_a", "(b"]),
            ("—a … x’s", vec!["—a", " …", " x", "’s"]),
        ] {
            let (mut rest, mut found) = (text.as_bytes(), Vec::new());
            while !rest.is_empty() {
                let (piece, more) = rest.split_at(pieces::first(rest));
                found.push(std::str::from_utf8(piece).expect("ASCII"));
                rest = more;
            }
            assert_eq!(found, cut, "{text:?}");
        }
    }

    /// The law: what is counted here is what the tables count.
    #[test]
    fn counts_are_those_of_the_tables() {
        let tables = tiktoken::get_encoding("o200k_base").expect("it is built in");
        let own = concat!(
            include_str!("ascii.rs"),
            include_str!("../../../Library/style.md"),
            "\u{b}\u{c}\u{1}\u{1c} \u{7f}"
        );
        let mut state = 7_u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap_or(0) % below
        };
        let signs: String = spread::SIGNS.iter().chain(&['a', 'B', ' ', '\n', '1', '\'', '/', '-']).collect();
        let alphabets = ["aAbB ", "x'sS'lL ", " \n\r\t/", "a1-_ ./\\", "eE rnt0 \n", "the… —x’", &signs, own];
        for _ in 0..6_000 {
            let alphabet: Vec<char> = alphabets[next(alphabets.len())]
                .chars()
                .filter(|one| spread::is_plain(&one.to_string()))
                .collect();
            let text: String = if alphabet.len() > 100 && next(2) == 0 {
                let from = next(alphabet.len());
                alphabet[from..alphabet.len().min(from + 60)].iter().collect()
            } else {
                (0..next(40)).map(|_| alphabet[next(alphabet.len())]).collect()
            };
            COUNTED.store(0, Ordering::Relaxed);
            let counted = count(&text);
            assert!(counted.is_some() || text.len() > LONGEST_PIECE, "{text:?}");
            assert!(counted.is_none_or(|counted| counted == tables.count(&text)), "{text:?}: {counted:?}");
        }
    }
}

//! Sets of ASCII bytes, and runs of them.

/// A set of ASCII bytes, one bit each.
pub(crate) type Alphabet = u128;

const fn of(bytes: &[u8]) -> Alphabet {
    let (mut set, mut at) = (0, 0);
    while at < bytes.len() {
        set |= 1 << bytes[at];
        at += 1;
    }
    set
}

const DIGITS: Alphabet = of(b"0123456789");
/// `A-Z0-9`.
pub(crate) const UPPER: Alphabet = DIGITS | of(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ");
/// `0-9a-fA-F`.
pub(crate) const HEX: Alphabet = DIGITS | of(b"abcdefABCDEF");
/// Letters and digits.
pub(crate) const ALNUM: Alphabet = UPPER | of(b"abcdefghijklmnopqrstuvwxyz");
/// Letters, digits, `-` and `_`: also base64 for URLs.
pub(crate) const WORD: Alphabet = ALNUM | of(b"-_");
/// [`WORD`] and `.`.
pub(crate) const DOTTED: Alphabet = WORD | of(b".");
/// Both base64 alphabets with padding.
pub(crate) const BASE64: Alphabet = WORD | of(b"+/=");
/// [`BASE64`] as it stands in a URL.
pub(crate) const ESCAPED: Alphabet = BASE64 | of(b"%");
/// [`DOTTED`] and `~`.
pub(crate) const TILDE: Alphabet = DOTTED | of(b"~");
/// What may stand before the `@` of an address.
pub(crate) const LOCAL: Alphabet = DOTTED | of(b"%+'");

/// Whether the byte is of the alphabet.
pub(crate) fn has(alphabet: Alphabet, byte: u8) -> bool {
    byte < 128 && alphabet >> byte & 1 == 1
}

/// How many bytes at the start are of the alphabet.
pub(crate) fn run(bytes: &[u8], alphabet: Alphabet) -> usize {
    bytes.iter().position(|&byte| !has(alphabet, byte)).unwrap_or(bytes.len())
}

/// How many bytes at the end are of the alphabet.
pub(crate) fn run_back(bytes: &[u8], alphabet: Alphabet) -> usize {
    bytes.len() - bytes.iter().rposition(|&byte| !has(alphabet, byte)).map_or(0, |at| at + 1)
}

/// How many different bytes there are.
pub(crate) fn distinct(bytes: &[u8]) -> u32 {
    let (mut low, mut high) = (0_u128, 0_u128);
    for &byte in bytes {
        if byte < 128 {
            low |= 1 << byte;
        } else {
            high |= 1 << (byte - 128);
        }
    }
    low.count_ones() + high.count_ones()
}

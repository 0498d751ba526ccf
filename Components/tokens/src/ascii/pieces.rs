//! o200k's pattern over ASCII and a few signs beyond it: where a piece ends, of which tokens are made.

/// The length of the first piece of a text that is not empty.
pub(super) fn first(text: &[u8]) -> usize {
    word(text).or_else(|| digits(text)).or_else(|| signs(text)).unwrap_or_else(|| blanks(text))
}

/// Letters, with one other sign in front at most, and an apostrophe's ending. Capitals stand before small letters.
fn word(text: &[u8]) -> Option<usize> {
    let is_letter = |at: usize| text.get(at).is_some_and(u8::is_ascii_alphabetic);
    let start = match (text[0], width(text[0])) {
        _ if is_letter(0) => 0,
        (b'\r' | b'\n' | b'0'..=b'9', _) => return None,
        (_, sign) if is_letter(sign) => sign,
        _ => return None,
    };
    let capitals = start + run(&text[start..], |byte| byte.is_ascii_uppercase());
    let end = capitals + run(&text[capitals..], |byte| byte.is_ascii_lowercase());
    Some(end + ending(&text[end..]))
}

/// The bytes of the character that begins with this one.
fn width(first: u8) -> usize {
    match first {
        0..0x80 => 1,
        0x80..0xe0 => 2,
        _ => 3,
    }
}

/// `'s`, `'LL`.
fn ending(text: &[u8]) -> usize {
    let small = |at: usize| text.get(at).map(u8::to_ascii_lowercase);
    match (text.first(), small(1), small(2)) {
        (Some(b'\''), Some(b's' | b't' | b'm' | b'd'), _) => 2,
        (Some(b'\''), Some(b'r' | b'v'), Some(b'e')) | (Some(b'\''), Some(b'l'), Some(b'l')) => 3,
        _ => 0,
    }
}

fn digits(text: &[u8]) -> Option<usize> {
    let digits = run(text, |byte| byte.is_ascii_digit());
    (digits > 0).then_some(digits.min(3))
}

/// Signs with one space in front at most, and line breaks and slashes behind.
fn signs(text: &[u8]) -> Option<usize> {
    let start = usize::from(text[0] == b' ');
    let end = start + run(&text[start..], |byte| !is_blank(byte) && !byte.is_ascii_alphanumeric());
    (end > start).then(|| end + run(&text[end..], |byte| matches!(byte, b'\r' | b'\n' | b'/')))
}

/// White space: up to its last line break; else without its last sign, which goes with what follows.
fn blanks(text: &[u8]) -> usize {
    let blanks = run(text, is_blank);
    let last_break = text[..blanks].iter().rposition(|byte| matches!(byte, b'\r' | b'\n'));
    match last_break {
        Some(at) => at + 1,
        None if blanks == text.len() => blanks,
        None => (blanks - 1).max(1),
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

fn run(text: &[u8], is: impl Fn(u8) -> bool) -> usize {
    text.iter().position(|byte| !is(*byte)).unwrap_or(text.len())
}

//! Escapes that end in a letter or a digit: what follows one begins a word of its own.

/// The most bytes of an escape that are looked at: `[38;2;255;255;255m`.
const LONGEST: usize = 20;

/// Whether these bytes end in an escape: `\n`, `\u00e9`, `\x1b` and `\033` of a string, `%0A` of an address, `[31m` of a
/// terminal's colours.
pub(crate) fn ends(before: &[u8]) -> bool {
    let tail = &before[before.len().saturating_sub(LONGEST)..];
    let Some((&last, rest)) = tail.split_last() else { return false };
    let hex = |count: usize, sign: &[u8]| {
        let Some(at) = tail.len().checked_sub(count) else { return false };
        tail[at..].iter().all(u8::is_ascii_hexdigit) && tail[..at].ends_with(sign)
    };
    let octal = || {
        let Some(at) = tail.len().checked_sub(3) else { return false };
        tail[at..].iter().all(|byte| (b'0'..=b'7').contains(byte)) && tail[..at].ends_with(b"\\")
    };
    if b"abefnrtv0".contains(&last) && rest.ends_with(b"\\") {
        return true;
    }
    if last.is_ascii_hexdigit() && (hex(2, b"%") || hex(2, b"\\x") || hex(4, b"\\u") || octal()) {
        return true;
    }
    last.is_ascii_alphabetic() && is_sequence(rest)
}

/// How many bytes from `start` on belong to an escape that began right before: nothing of a name or a key.
pub(crate) fn tail(bytes: &[u8], start: usize) -> usize {
    let is_begun =
        start.checked_sub(1).is_some_and(|at| matches!(bytes[at], b'\\' | b'%' | b'[' | b';' | b':'));
    if !is_begun {
        return 0;
    }
    let most = LONGEST.min(bytes.len() - start);
    let from = start.saturating_sub(LONGEST);
    (1..=most).find(|length| ends(&bytes[from..start + length])).unwrap_or(0)
}

/// Whether these bytes end in a control sequence without its last letter: `[`, and parameters behind an escape sign.
fn is_sequence(bytes: &[u8]) -> bool {
    let parameters =
        bytes.iter().rev().take_while(|byte| matches!(byte, b'0'..=b'9' | b';' | b':' | b'?')).count();
    let Some(before) = bytes[..bytes.len() - parameters].strip_suffix(b"[") else { return false };
    let is_sign =
        before.last() == Some(&0x1b) || before.last().is_some_and(u8::is_ascii_alphanumeric) && ends(before);
    is_sign || parameters > 0
}

#[cfg(test)]
mod tests {
    use super::{ends, tail};

    #[test]
    fn a_word_begins_behind_an_escape() {
        let escapes = [
            r"line\n",
            r"a\t",
            r"\\n",
            r"\r",
            r"\u00e9",
            r"\x1b",
            r"\033",
            "%0A",
            "%20",
            "\x1b[31m",
            "\x1b[m",
            "\x1b[K",
            "\x1b[38;2;255;255;255m",
            r"\u001b[31m",
            r"\u001b[K",
            r"\e[0m",
            r"\033[1;31m",
            "[0m",
        ];
        for escape in escapes {
            assert!(ends(escape.as_bytes()), "{escape}");
        }
        for word in ["", "n", "line", r"\q", r"\u00", "%A", "e9", "[K", "a[i", "x[31]m", "100"] {
            assert!(!ends(word.as_bytes()), "{word}");
        }
    }

    #[test]
    fn what_belongs_to_an_escape_is_told() {
        for (bytes, start, length) in [
            (r"\nabc", 1, 1),
            (r"\u00e9abc", 1, 5),
            ("%0Aabc", 1, 2),
            ("\x1b[31mabc", 2, 3),
            (r"C:\xyz", 3, 0),
            ("abc", 0, 0),
        ] {
            assert_eq!(tail(bytes.as_bytes(), start), length, "{bytes}");
        }
    }
}

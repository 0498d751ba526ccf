//! Entities: `&lt;` and its like, read and written.

/// The character that the entity at the start of `text` stands for, and how many bytes it takes; `None` where `&` is text.
pub(crate) fn read(text: &str) -> Option<(char, usize)> {
    // The longest is `&#x10FFFF;`.
    let end = text.bytes().take(12).position(|byte| byte == b';')?;
    let name = text.get(1..end)?;
    let character = match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        _ => char::from_u32(number(name.strip_prefix('#')?)?)?,
    };
    Some((character, end + 1))
}

fn number(digits: &str) -> Option<u32> {
    let (digits, radix) = match digits.strip_prefix(['x', 'X']) {
        Some(hexadecimal) => (hexadecimal, 16),
        None => (digits, 10),
    };
    // `from_str_radix` takes a sign.
    digits.starts_with(|c: char| c.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, radix).ok())?
}

/// A value that stands between quotes of this kind, on one line.
pub(crate) fn escape_attribute(value: &str, quote: char, out: &mut String) {
    for (at, c) in value.char_indices() {
        match c {
            '"' if quote == '"' => out.push_str("&quot;"),
            '\'' if quote == '\'' => out.push_str("&apos;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            _ => escape(value, at, c, out),
        }
    }
}

/// A body without tags, fences, and ends of comments.
pub(crate) fn escape_body(body: &str, out: &mut String) {
    for (at, c) in body.char_indices() {
        match c {
            // A carriage return at the end would be taken for a part of the line break after it.
            '\r' if at + 1 == body.len() => out.push_str("&#13;"),
            _ => escape(body, at, c, out),
        }
    }
}

fn escape(text: &str, at: usize, c: char, out: &mut String) {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' if text[..at].ends_with("--") => out.push_str("&gt;"),
        '|' if text[..at].ends_with("RAW") || text[at + 1..].starts_with("RAW") => out.push_str("&#124;"),
        _ => out.push(c),
    }
}

//! One token's text into a value: numbers, names, characters, strings.

use super::Value;

/// What is wrong with a token: the message without its place, and what to do.
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) help: &'static str,
}

impl Fault {
    fn new(message: impl Into<String>, help: &'static str) -> Self {
        Self { message: message.into(), help }
    }
}

/// Whether `c` ends a token.
pub(super) fn is_delimiter(c: char) -> bool {
    is_blank(c) || matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | '"' | ';')
}

/// Whether `c` stands between tokens: commas are blanks in EDN.
pub(super) fn is_blank(c: char) -> bool {
    c == ',' || c.is_whitespace()
}

/// The value of a token that is not a string, a bracket or a dispatch.
pub(super) fn atom(token: &str) -> Result<Value, Fault> {
    let unsigned = token.strip_prefix(['+', '-']).unwrap_or(token);
    if unsigned.starts_with(|c: char| c.is_ascii_digit()) {
        return number(token, unsigned).ok_or_else(|| {
            Fault::new(
                format!("`{}` is not a number", shortened(token)),
                "write digits without a leading zero, as in `42`, `-1.5e3`, `7N` or `0.10M`",
            )
        });
    }
    match token {
        "nil" => Ok(Value::Nil),
        "true" => Ok(Value::Bool(true)),
        "false" => Ok(Value::Bool(false)),
        _ if token.starts_with('\\') => character(&token[1..]),
        _ if token.starts_with(':') => keyword(token),
        _ => symbol(token).map(Value::Symbol),
    }
}

/// The value of `##Inf`, `##-Inf` or `##NaN`, given without `##`.
pub(super) fn symbolic(name: &str) -> Result<Value, Fault> {
    match name {
        "Inf" => Ok(Value::Float(f64::INFINITY)),
        "-Inf" => Ok(Value::Float(f64::NEG_INFINITY)),
        "NaN" => Ok(Value::Float(f64::NAN)),
        _ => Err(Fault::new(
            format!("`##{}` is not a number", shortened(name)),
            "write `##Inf`, `##-Inf` or `##NaN`",
        )),
    }
}

/// A symbol's or a tag's name, if it is one.
pub(super) fn symbol(token: &str) -> Result<String, Fault> {
    let dotted_number = token.trim_start_matches(['+', '-', '.']).starts_with(|c: char| c.is_ascii_digit());
    let plain = is_name(token) && !token.starts_with([':', '#', '\'']) && !dotted_number;
    if plain || token == "/" {
        return Ok(token.to_owned());
    }
    Err(Fault::new(
        format!("`{}` is not EDN", shortened(token)),
        "write text in quotes, or a name of letters, digits and `.*+!-_?$%&=<>:#/`",
    ))
}

fn keyword(token: &str) -> Result<Value, Fault> {
    let name = &token[1..];
    if is_name(name) && !name.starts_with(':') {
        return Ok(Value::Keyword(name.to_owned()));
    }
    Err(Fault::new(
        format!("`{}` is not a keyword", shortened(token)),
        "write one colon and a name, as in `:status` or `:skill/name`",
    ))
}

/// Letters, digits and the marks that names may hold, with at most one `/`, inside.
fn is_name(text: &str) -> bool {
    let mut parts = text.split('/');
    let whole = parts.by_ref().take(2).all(|part| !part.is_empty()) && parts.next().is_none();
    whole && text.chars().all(|c| c.is_alphanumeric() || ".*+!-_?$%&=<>:#/'|".contains(c))
}

/// A number whose first character after the sign is a digit.
fn number(token: &str, unsigned: &str) -> Option<Value> {
    let digits = unsigned.bytes().take_while(u8::is_ascii_digit).count();
    let (whole, rest) = unsigned.split_at(digits);
    if whole.len() > 1 && whole.starts_with('0') {
        return None;
    }
    let signed = token.strip_prefix('+').unwrap_or(token);
    match rest {
        "" => Some(signed.parse().map_or_else(|_| big(signed), Value::Integer)),
        "N" => Some(big(&signed[..signed.len() - 1])),
        "M" => Some(Value::Decimal(signed[..signed.len() - 1].to_owned())),
        _ => real(signed, rest),
    }
}

fn big(digits: &str) -> Value {
    Value::BigInteger(if digits == "-0" { "0" } else { digits }.to_owned())
}

/// A number with a point or an exponent: `rest` is what follows the whole part.
fn real(signed: &str, rest: &str) -> Option<Value> {
    let exact = signed.strip_suffix('M');
    let mut tail = rest.strip_suffix('M').unwrap_or(rest);
    if let Some(fraction) = tail.strip_prefix('.') {
        tail = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    if let Some(exponent) = tail.strip_prefix(['e', 'E']) {
        let power = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        tail = power.trim_start_matches(|c: char| c.is_ascii_digit());
        if power.is_empty() {
            return None;
        }
    }
    match exact {
        _ if !tail.is_empty() => None,
        Some(digits) => Some(Value::Decimal(digits.to_owned())),
        None => signed.parse().ok().map(Value::Float),
    }
}

/// A character, given without its backslash.
fn character(name: &str) -> Result<Value, Fault> {
    let mut chars = name.chars();
    let value = match (chars.next(), chars.as_str()) {
        (Some(c), "") if !is_blank(c) => Some(c),
        (Some('u'), digits) if digits.len() == 4 => hexadecimal(digits).and_then(char::from_u32),
        (Some('o'), digits) => octal(digits),
        _ => named_character(name),
    };
    value.map(Value::Char).ok_or_else(|| {
        Fault::new(
            format!("`\\{}` is not a character", shortened(name)),
            "write `\\c`, `\\newline`, `\\return`, `\\space`, `\\tab` or `\\u00e9`; text goes in quotes",
        )
    })
}

fn named_character(name: &str) -> Option<char> {
    match name {
        "newline" => Some('\n'),
        "return" => Some('\r'),
        "space" => Some(' '),
        "tab" => Some('\t'),
        "formfeed" => Some('\u{c}'),
        "backspace" => Some('\u{8}'),
        _ => None,
    }
}

fn hexadecimal(digits: &str) -> Option<u32> {
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    plain.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

/// One to three octal digits, at most `377`.
fn octal(digits: &str) -> Option<char> {
    let plain = (1..=3).contains(&digits.len()) && digits.bytes().all(|byte| (b'0'..=b'7').contains(&byte));
    let code = plain.then(|| u32::from_str_radix(digits, 8).ok()).flatten()?;
    char::from_u32(code).filter(|_| code <= 0o377)
}

/// The character that an escape of a string stands for, and how many bytes it takes; `rest` starts after the
/// backslash. None when no reader knows it.
pub(super) fn escape(rest: &str) -> Option<(char, usize)> {
    match rest.chars().next()? {
        't' => Some(('\t', 1)),
        'r' => Some(('\r', 1)),
        'n' => Some(('\n', 1)),
        '\\' => Some(('\\', 1)),
        '"' => Some(('"', 1)),
        'b' => Some(('\u{8}', 1)),
        'f' => Some(('\u{c}', 1)),
        'u' => unicode(&rest[1..]).map(|(c, length)| (c, length + 1)),
        _ => {
            let length = rest.bytes().take(3).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
            octal(&rest[..length]).map(|c| (c, length))
        }
    }
}

/// `00e9`, a surrogate pair `d83d\ude00`, or `{1f600}` as edn-rs writes it; with the bytes that it takes.
fn unicode(rest: &str) -> Option<(char, usize)> {
    if let Some(braced) = rest.strip_prefix('{') {
        let digits = &braced[..braced.bytes().take(7).position(|byte| byte == b'}')?];
        return Some((char::from_u32(hexadecimal(digits)?)?, digits.len() + 2));
    }
    let high = hexadecimal(rest.get(..4)?)?;
    if let Some(c) = char::from_u32(high) {
        return Some((c, 4));
    }
    let low = hexadecimal(rest[4..].strip_prefix("\\u")?.get(..4)?)?;
    let pair = char::decode_utf16([u16::try_from(high).ok()?, u16::try_from(low).ok()?]).next()?;
    pair.ok().map(|c| (c, 10))
}

/// The user's words, at most 40 characters of them.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

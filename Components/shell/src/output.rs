//! What a few programs print, when their arguments tell: enough to see through `$(echo rm)` and `base64 -d | sh`.

use crate::{Word, filter};

/// What the program prints; none when that cannot be foretold.
pub(crate) fn of(program: &str, args: &[Word], stdin: Option<&str>) -> Option<String> {
    let texts: Vec<&str> = args.iter().map(|arg| arg.text.as_str()).collect();
    if program == "mktemp" {
        return Some(temporary(&texts));
    }
    if !args.iter().all(|arg| arg.is_static) {
        return None;
    }
    let decodes = texts.iter().any(|text| matches!(*text, "-d" | "-D" | "--decode" | "-di"));
    let operands = texts.iter().filter(|text| !text.starts_with('-')).count();
    match program {
        "echo" => Some(echo(&texts)),
        "printf" => printf(&texts),
        "cat" if operands == 0 => stdin.map(str::to_owned),
        "tee" | "sponge" => stdin.filter(|_| program == "tee").map(str::to_owned),
        "base64" if decodes && operands == 0 => base64(stdin?),
        "python" if decodes && texts.starts_with(&["-m", "base64"]) => base64(stdin?),
        "openssl" if decodes && texts.iter().any(|text| text.contains("base64")) => base64(stdin?),
        "xxd" if texts.iter().any(|text| text.contains('r')) => hexadecimal(stdin?),
        "head" | "tail" | "cut" | "tac" | "dd" => filter::exact(program, &texts, stdin?),
        "rev" => {
            stdin.map(|text| text.lines().map(|line| line.chars().rev().collect::<String>() + "\n").collect())
        }
        "tr" if texts.len() == 2 && operands == 2 => translate(stdin?, texts[0], texts[1]),
        "tr" if texts.len() == 2 && texts[0] == "-d" => {
            let taken = set(texts[1])?;
            Some(stdin?.chars().filter(|c| !taken.contains(c)).collect())
        }
        "which" | "command" | "type" => texts.last().filter(|_| operands == 1).map(|&text| text.to_owned()),
        "true" | ":" => Some(String::new()),
        _ => None,
    }
}

pub(crate) fn echo(texts: &[&str]) -> String {
    let is_option = |text: &&&str| matches!(**text, "-n" | "-e" | "-E" | "-ne" | "-en");
    let options = texts.iter().take_while(is_option).count();
    let escapes = texts[..options].iter().any(|text| text.contains('e'));
    let joined = texts[options..].join(" ");
    let text = if escapes { unescape(&joined, true) } else { joined };
    if texts[..options].iter().any(|text| text.contains('n')) { text } else { text + "\n" }
}

/// A name as `mktemp` makes one: its template below its folder, the signs that it fills in left as they are.
fn temporary(texts: &[&str]) -> String {
    let mut folder = None;
    let mut template = None;
    let mut rest = texts.iter();
    while let Some(text) = rest.next() {
        match *text {
            "-p" => folder = rest.next().copied(),
            "-t" | "--tmpdir" => folder = folder.or(Some("/tmp")),
            text if text.starts_with('-') => folder = text.strip_prefix("--tmpdir=").or(folder),
            text => template = Some(text),
        }
    }
    let folder = folder.or_else(|| template.is_none().then_some("/tmp"));
    let name = template.unwrap_or("tmp.XXXXXXXXXX");
    format!("{}\n", crate::pipeline::join(folder, name))
}

/// `printf FORMAT ARGUMENT…`: `%s`, `%b` and `%%`.
pub(crate) fn printf(texts: &[&str]) -> Option<String> {
    let (format, mut args) = texts.split_first().map(|(format, args)| (*format, args.iter()))?;
    let mut text = String::new();
    let mut parts = format.split('%');
    text.push_str(&unescape(parts.next()?, false));
    while let Some(part) = parts.next() {
        match part.chars().next() {
            Some('s') => text.push_str(args.next().copied().unwrap_or_default()),
            Some('b') => text.push_str(&unescape(args.next().copied().unwrap_or_default(), true)),
            None => {
                text.push('%');
                text.push_str(&unescape(parts.next().unwrap_or_default(), false));
                continue;
            }
            _ => return None,
        }
        text.push_str(&unescape(&part[1..], false));
    }
    for more in args {
        text.push_str(more);
    }
    Some(text)
}

/// `\n`, `\t`, `\x72`, `\162`; of `echo -e` and `%b` also `\0162`.
fn unescape(text: &str, takes_zero: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let escape = chars.next().unwrap_or('\\');
        let (radix, most) = match escape {
            'x' => (16, 2),
            '0' if takes_zero => (8, 4),
            '0'..='7' => (8, 3),
            _ => (0, 0),
        };
        let mut number = if radix == 8 { escape.to_digit(8) } else { None };
        for _ in usize::from(radix == 8)..most {
            let Some(digit) = chars.peek().and_then(|c| c.to_digit(radix)) else { break };
            number = Some(number.unwrap_or(0) * radix + digit);
            chars.next();
        }
        out.push(number.and_then(char::from_u32).unwrap_or(match escape {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            c => c,
        }));
    }
    out
}

/// Standard and URL-safe base64, white space passed over.
fn base64(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for byte in text.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=') {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(((bits >> count) & 0xff) as u8);
        }
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn hexadecimal(text: &str) -> Option<String> {
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(16)).collect();
    let bytes = digits.chunks_exact(2).map(|pair| u8::try_from(pair[0] * 16 + pair[1]));
    Some(String::from_utf8_lossy(&bytes.collect::<Result<Vec<u8>, _>>().ok()?).into_owned())
}

/// `tr a-z b-za`
fn translate(text: &str, from: &str, to: &str) -> Option<String> {
    let (from, to) = (set(from)?, set(to)?);
    let last = *to.last()?;
    let other =
        |c: char| from.iter().position(|&other| other == c).map_or(c, |at| *to.get(at).unwrap_or(&last));
    Some(text.chars().map(other).collect())
}

fn set(text: &str) -> Option<Vec<char>> {
    let named = [("[:upper:]", "A-Z"), ("[:lower:]", "a-z"), ("[:digit:]", "0-9"), ("[:space:]", " \t\n\r")];
    let text = named.iter().fold(text.to_owned(), |text, (name, range)| text.replace(name, range));
    let text = text.replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t");
    let chars: Vec<char> = text.chars().take(512).collect();
    let mut set = Vec::new();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        match (chars.get(at + 1), chars.get(at + 2)) {
            (Some('-'), Some(&end)) if c.is_ascii() && end.is_ascii() => {
                set.extend(c..=end);
                at += 3;
            }
            _ => {
                set.push(c);
                at += 1;
            }
        }
    }
    (set.len() <= 1024).then_some(set)
}

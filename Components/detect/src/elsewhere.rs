//! Values that do not stand behind a sign: between tags, in the block below, in the field beside, or said in a sentence.
//!
//! Each looks at a bounded stretch (INVARIANT (linear work)).

use crate::assignment::Value;
use crate::sink::Sink;

/// How far behind a name is looked.
const REACH: usize = 256;
/// The most lines of a block.
const MOST_LINES: usize = 16;

fn room<'b>(bytes: &'b [u8], at: usize, sink: &mut Sink) -> &'b [u8] {
    let room = &bytes[at.min(bytes.len())..bytes.len().min(at + REACH)];
    sink.steps.add(room.len());
    room
}

fn blank(text: &[u8]) -> usize {
    text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// `<password>…</password>`
pub(crate) fn element(bytes: &[u8], start: usize, end: usize, sink: &mut Sink) -> Option<Value> {
    let opens = start > 0 && matches!(bytes[start - 1], b'<' | b':') && bytes.get(end) == Some(&b'>');
    if !opens {
        return None;
    }
    let rest = room(bytes, end + 1, sink);
    let close = memchr::memchr(b'<', rest).filter(|close| rest.get(close + 1) == Some(&b'/'))?;
    Some(Value { span: end + 1..end + 1 + close, is_quoted: true, is_sure: true })
}

/// `password: |` and what stands below it, deeper: its first line; the others are told at once.
pub(crate) fn block(bytes: &[u8], end: usize, sink: &mut Sink) -> Option<Value> {
    let sign = bytes[end..].iter().take(2).take_while(|byte| matches!(byte, b'"' | b'\'')).count();
    if bytes.get(end + sign) != Some(&b':') {
        return None;
    }
    let at = end + sign + 1;
    let at = at + blank(&bytes[at..bytes.len().min(at + 8)]);
    let rest = room(bytes, at, sink);
    let opens = matches!(rest.first(), Some(b'|' | b'>'));
    let head = memchr::memchr(b'\n', rest).filter(|head| opens && *head <= 4)?;
    let mut lines = Lines { rest: &rest[head + 1..], at: at + head + 1, depth: None };
    let first = lines.next()?;
    for line in lines.take(MOST_LINES) {
        if line.len() >= 6 {
            sink.push(line, crate::Kind::Assignment);
        }
    }
    Some(Value { span: first, is_quoted: true, is_sure: true })
}

/// The lines of a block, each without what indents it; as long as they are as deep as the first.
struct Lines<'b> {
    rest: &'b [u8],
    at: usize,
    depth: Option<usize>,
}

impl Iterator for Lines<'_> {
    type Item = std::ops::Range<usize>;

    fn next(&mut self) -> Option<Self::Item> {
        let end = memchr::memchr(b'\n', self.rest).unwrap_or(self.rest.len());
        let line = &self.rest[..end];
        let indent = blank(line);
        if indent == 0 || indent == line.len() || self.depth.is_some_and(|depth| indent < depth) {
            return None;
        }
        self.depth.get_or_insert(indent);
        let trimmed = line.trim_ascii_end().len();
        let found = self.at + indent..self.at + trimmed;
        self.rest = self.rest.get(end + 1..).unwrap_or_default();
        self.at += end + 1;
        Some(found)
    }
}

/// `- name: DB_PASSWORD` and below it `value: …`; `name="password" value="…"`; the same in JSON.
pub(crate) fn beside(bytes: &[u8], start: usize, end: usize, sink: &mut Sink) -> Option<Value> {
    let before = bytes[start.saturating_sub(12)..start].to_ascii_lowercase();
    let names: [&[u8]; 2] = [b"name", b"key"];
    if !names.iter().any(|name| memchr::memmem::find(&before, name).is_some()) {
        return None;
    }
    let rest = room(bytes, end, sink);
    let skip = |at: usize, set: &[u8]| at + rest[at..].iter().take_while(|byte| set.contains(byte)).count();
    let at = skip(0, b"\\\"', \t\r\n");
    let field = rest.get(at..at + 5).filter(|_| at > 0)?;
    if !field.eq_ignore_ascii_case(b"value") {
        return None;
    }
    let sign = skip(at + 5, b"\\\"' \t");
    if !matches!(rest.get(sign), Some(b':' | b'=')) {
        return None;
    }
    let from = skip(sign + 1, b" \t\\");
    let quote = rest.get(from).copied().filter(|byte| matches!(byte, b'"' | b'\''));
    let from = from + usize::from(quote.is_some());
    let is_end = |byte: &u8| match quote {
        Some(quote) => *byte == quote || *byte == b'\\' || *byte == b'\n',
        None => byte.is_ascii_whitespace() || b",}]".contains(byte),
    };
    let length = rest[from..].iter().position(is_end).unwrap_or(rest.len() - from);
    Some(Value { span: end + from..end + from + length, is_quoted: quote.is_some(), is_sure: true })
}

/// `the password is …`: what stands in quotes, or what no sentence says.
pub(crate) fn said(bytes: &[u8], end: usize, sink: &mut Sink) -> Option<Value> {
    let verbs: [&[u8]; 4] = [b" is ", b" is: ", b" was ", b" = "];
    let rest = room(bytes, end, sink);
    let verb = verbs.iter().find(|verb| rest.starts_with(verb))?;
    let quote = rest.get(verb.len()).copied().filter(|byte| matches!(byte, b'"' | b'\'' | b'`'));
    let from = verb.len() + usize::from(quote.is_some());
    let is_end = |byte: &u8| match quote {
        Some(quote) => *byte == quote || *byte == b'\n',
        None => byte.is_ascii_whitespace() || b",;)\"".contains(byte),
    };
    let length = rest[from..].iter().position(is_end).unwrap_or(rest.len() - from);
    let word = &rest[from..from + length];
    let trimmed = word.iter().rposition(|byte| !matches!(byte, b'.' | b'!' | b'?')).map_or(0, |at| at + 1);
    let word = &word[..if quote.is_some() { length } else { trimmed }];
    let span = end + from..end + from + word.len();
    (quote.is_some() || !is_spoken(word)).then_some(Value { span, is_quoted: true, is_sure: quote.is_some() })
}

/// A word of a sentence that has digits and is no secret: `base64-encoded`, `32-byte`, `SHA-256`.
fn is_spoken(word: &[u8]) -> bool {
    let starts: [&[u8]; 9] =
        [b"base", b"sha", b"hmac", b"bcrypt", b"argon", b"pbkdf", b"oauth", b"utf", b"rs256"];
    let folded = word[..word.len().min(8)].to_ascii_lowercase();
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_measure = digits > 0 && matches!(word.get(digits), Some(b'-' | b'%' | b'+'));
    is_measure || starts.iter().any(|start| folded.starts_with(start))
}

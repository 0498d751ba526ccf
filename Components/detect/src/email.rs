//! E-mail addresses, anchored on their `@`.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::Kind;
use crate::alphabet::{self, ALNUM, LOCAL, WORD};
use crate::secret::userinfo;
use crate::sink::Sink;

/// The longest local part and domain (RFC 5321).
const LOCAL_PART: usize = 64;
const DOMAIN: usize = 255;

pub(crate) fn scan(text: &str, sink: &mut Sink) {
    let bytes = text.as_bytes();
    let credentials = Credentials::of(bytes, sink);
    for at in memchr::memchr_iter(b'@', bytes) {
        sink.steps.add(0);
        if credentials.end_at(at) {
            continue;
        }
        if let Some(span) = address(text, at, sink) {
            sink.push(span, Kind::Email);
            if sink.is_full() {
                return;
            }
        }
    }
}

/// Where user and password of URLs and keys end: the `@` behind them is no address's.
struct Credentials(BTreeSet<usize>);

impl Credentials {
    fn of(bytes: &[u8], sink: &mut Sink) -> Self {
        let mut ends: BTreeSet<usize> = sink.hits.iter().map(|hit| hit.span.end).collect();
        if memchr::memchr(b'@', bytes).is_some() {
            for at in memchr::memmem::find_iter(bytes, b"://") {
                ends.extend(userinfo(bytes, at, &mut sink.steps).map(|found| found.span.end));
            }
        }
        Self(ends)
    }

    fn end_at(&self, at: usize) -> bool {
        self.0.contains(&at)
    }
}

/// The address around the `@` at `at`. Neither part holds an `@`, so each byte is looked at twice at most.
fn address(text: &str, at: usize, sink: &mut Sink) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let end = domain_end(bytes, at + 1, sink)?;
    let start = local_start(text, at, sink)?;
    let (local, domain) = (&bytes[start..at], &bytes[at + 1..end]);
    // `git@host:path` names a repository.
    let is_remote = local == b"git" && matches!(bytes.get(end), Some(b':' | b'/'));
    (!is_remote && !is_file(domain)).then_some(start..end)
}

fn domain_end(bytes: &[u8], from: usize, sink: &mut Sink) -> Option<usize> {
    let room = &bytes[from..bytes.len().min(from + DOMAIN)];
    let is_domain = |byte: u8| alphabet::has(WORD, byte) && byte != b'_' || byte == b'.' || byte >= 128;
    let run = room.iter().position(|&byte| !is_domain(byte)).unwrap_or(room.len());
    sink.steps.add(run);
    let mut domain = &room[..run];
    // A run that was cut may end within a character; a full stop or a hyphen at the end is the sentence's.
    while domain.last().is_some_and(|byte| matches!(byte, b'.' | b'-')) {
        domain = &domain[..domain.len() - 1];
    }
    let mut labels = domain.split(|byte| *byte == b'.');
    let is_label = |label: &[u8]| !label.is_empty() && label.len() <= 63 && label[0] != b'-';
    let top = domain.rsplit(|byte| *byte == b'.').next()?;
    let is_top = top.len() >= 2
        && (top.starts_with(b"xn--") || top.iter().all(|byte| byte.is_ascii_alphabetic() || *byte >= 128));
    let end = from + domain.len();
    let is_whole = end == bytes.len() || bytes[end] & 0xC0 != 0x80;
    (is_top && is_whole && domain.len() > top.len() && labels.all(is_label)).then_some(end)
}

fn local_start(text: &str, at: usize, sink: &mut Sink) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut start = at;
    match text[..at].chars().next_back()? {
        '"' => return quoted_start(text, at, sink),
        // Writing without spaces belongs to an address only where it stands right before the sign.
        last if last >= '\u{590}' && (last.is_alphabetic() || is_mark(last)) => {
            return Some(written_start(text, at, sink));
        }
        _ => {}
    }
    loop {
        let room = &bytes[at.saturating_sub(LOCAL_PART)..start];
        let run = alphabet::run_back(room, LOCAL);
        sink.steps.add(run);
        start -= run;
        // Letters of other alphabets belong to it; writing without spaces (from U+0590 on) does not.
        let before = text[..start]
            .chars()
            .next_back()
            .filter(|c| !c.is_ascii() && c.is_alphabetic() && *c < '\u{590}');
        let Some(letter) = before else { break };
        if at - start + letter.len_utf8() > LOCAL_PART {
            break;
        }
        start -= letter.len_utf8();
    }
    let lead = bytes[start..at].iter().take_while(|byte| matches!(byte, b'.' | b'\'' | b'-' | b'%')).count();
    let local = &bytes[start + lead..at];
    let is_local = !local.is_empty()
        && local.last() != Some(&b'.')
        && local.iter().any(|byte| alphabet::has(ALNUM, *byte) || *byte >= 128);
    is_local.then_some(start + lead)
}

/// The quote that opens `"ann lee"@`, on the same line.
fn quoted_start(text: &str, at: usize, sink: &mut Sink) -> Option<usize> {
    let from = at.saturating_sub(LOCAL_PART + 2);
    let room = &text.as_bytes()[from..at - 1];
    sink.steps.add(room.len());
    let open = memchr::memrchr2(b'"', b'\n', room).filter(|open| room[*open] == b'"')?;
    let local = &room[open + 1..];
    let is_local = local.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 128)
        && local.last().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 128)
        && !local.iter().any(|byte| b"{}[]<>=:;".contains(byte));
    is_local.then_some(from + open)
}

/// Where letters of a writing without spaces start, before the sign at `at`.
fn written_start(text: &str, at: usize, sink: &mut Sink) -> usize {
    let is_part = |c: &char| c.is_alphanumeric() || is_mark(*c) || matches!(c, '.' | '_' | '-' | '+');
    let letters = text[..at].chars().rev().take_while(is_part);
    let mut start = at;
    for letter in letters {
        if at - start + letter.len_utf8() > LOCAL_PART {
            break;
        }
        start -= letter.len_utf8();
    }
    sink.steps.add(at - start);
    start
}

/// Signs that belong to the letter before them: vowels and silencers of Indic writings and of Thai, accents.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{dff}' | '\u{e31}'..='\u{e4e}')
}

/// `icon@2x.png`, `getty@tty1.service`: a file's name or a unit's.
fn is_file(domain: &[u8]) -> bool {
    let ends: [&[u8]; 21] = [
        b".png",
        b".jpg",
        b".jpeg",
        b".gif",
        b".svg",
        b".webp",
        b".ico",
        b".js",
        b".mjs",
        b".ts",
        b".tsx",
        b".jsx",
        b".json",
        b".css",
        b".html",
        b".service",
        b".socket",
        b".timer",
        b".target",
        b".lock",
        b".tgz",
    ];
    ends.iter().any(|end| domain.ends_with(end))
}

//! Secrets that are known by what is said before them: headers of the web and command lines.
//!
//! Each looks at a bounded stretch behind its words, on their line: the work stays linear.

use std::ops::Range;

use crate::alphabet::{self, ALNUM, BASE64, HEX};
use crate::assignment::is_placeholder;
use crate::sink::Sink;
use crate::{Kind, key};

/// Words, and what they announce.
#[derive(Debug)]
pub(crate) struct Mention {
    /// What is searched.
    pub(crate) words: &'static [u8],
    /// The kind that has to be wanted for it.
    pub(crate) kind: Kind,
    /// Tells what stands behind the words, which end at a place of the bytes.
    pub(crate) tell: fn(&[u8], usize, &mut Sink),
}

/// Every mention.
pub(crate) const MENTIONS: &[Mention] = &[
    mention(b"Basic ", Kind::BasicAuthUrl, basic),
    mention(b"basic ", Kind::BasicAuthUrl, basic),
    mention(b"ookie: ", Kind::Assignment, cookies),
    mention(b"OOKIE: ", Kind::Assignment, cookies),
    mention(b"ookie\": \"", Kind::Assignment, cookies),
    mention(b" -u ", Kind::Assignment, user),
    mention(b" --user ", Kind::Assignment, user),
    mention(b" --proxy-user ", Kind::Assignment, user),
    mention(b"mysql", Kind::Assignment, mysql),
    mention(b"mariadb", Kind::Assignment, mysql),
    mention(b"sshpass ", Kind::Assignment, mysql),
    mention(b"redis-cli ", Kind::Assignment, redis),
    mention(b"wilio", Kind::Assignment, twilio),
    mention(b"WILIO", Kind::Assignment, twilio),
    mention(b"uthorization", Kind::Bearer, authorization),
    mention(b"UTHORIZATION", Kind::Bearer, authorization),
    mention(b" login ", Kind::Assignment, login),
    mention(b"machine ", Kind::Assignment, netrc),
];

const fn mention(words: &'static [u8], kind: Kind, tell: fn(&[u8], usize, &mut Sink)) -> Mention {
    Mention { words, kind, tell }
}

/// How far behind the words is looked.
const REACH: usize = 256;

/// The rest of the line behind `at`, at most `reach` bytes.
fn line<'b>(bytes: &'b [u8], at: usize, reach: usize, sink: &mut Sink) -> &'b [u8] {
    let room = &bytes[at.min(bytes.len())..bytes.len().min(at + reach)];
    let end = memchr::memchr2(b'\n', b'\r', room).unwrap_or(room.len());
    sink.steps.add(end);
    &room[..end]
}

/// `Basic dXNlcjpwYXNz`: base64 of a text with a colon.
fn basic(bytes: &[u8], at: usize, sink: &mut Sink) {
    let rest = line(bytes, at, REACH, sink);
    let run = alphabet::run(rest, BASE64);
    let is_pair = run >= 8 && decoded(&rest[..run]).is_some_and(|text| text.contains(&b':'));
    if is_pair {
        sink.push(at..at + run, Kind::BasicAuthUrl);
    }
}

/// The bytes behind base64; none where they are no text.
pub(crate) fn decoded(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let (mut bits, mut count) = (0_u32, 0);
    for byte in text.iter().filter(|byte| **byte != b'=') {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            _ => 63,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count).to_le_bytes()[0]);
        }
    }
    out.iter().all(|byte| !byte.is_ascii_control()).then_some(out)
}

/// Names of cookies that do not say who somebody is.
const PLAIN_COOKIES: &[&[u8]] = &[
    b"path",
    b"expires",
    b"max-age",
    b"domain",
    b"samesite",
    b"lang",
    b"locale",
    b"theme",
    b"tz",
    b"_ga",
    b"_gid",
    b"priority",
];

/// `sid=…; theme=dark`: the values of cookies that are long and mixed, or that are named as a session's.
fn cookies(bytes: &[u8], at: usize, sink: &mut Sink) {
    let rest = line(bytes, at, 16 * REACH, sink);
    let mut start = at;
    for pair in rest.split(|byte| *byte == b';') {
        let blank = pair.iter().take_while(|byte| **byte == b' ').count();
        if let Some(sign) = memchr::memchr(b'=', pair) {
            let name = pair[blank.min(sign)..sign].to_ascii_lowercase();
            let value = &pair[sign + 1..];
            let end = value.iter().position(|byte| b"\"' ,<>".contains(byte)).unwrap_or(value.len());
            let value = &value[..end];
            let is_named =
                [b"sess".as_slice(), b"sid", b"auth", b"token", b"jwt", b"remember", b"csrf", b"login"]
                    .iter()
                    .any(|word| memchr::memmem::find(&name, word).is_some());
            let least = if is_named { 8 } else { 20 };
            let is_mixed = value.iter().any(u8::is_ascii_digit) && value.iter().any(u8::is_ascii_alphabetic);
            let is_known = PLAIN_COOKIES.iter().any(|plain| name.starts_with(plain));
            if value.len() >= least
                && is_mixed
                && !is_known
                && key::is_varied(value)
                && !is_placeholder(value)
            {
                sink.push(start + sign + 1..start + sign + 1 + end, Kind::Assignment);
            }
        }
        start += pair.len() + 1;
    }
}

/// `curl -u user:password`, where a client of the web stands before it on its line.
fn user(bytes: &[u8], at: usize, sink: &mut Sink) {
    let before = &bytes[at.saturating_sub(REACH)..at];
    let before = memchr::memrchr(b'\n', before).map_or(before, |end| &before[end + 1..]);
    sink.steps.add(before.len());
    let clients: [&[u8]; 5] = [b"curl", b"wget", b"http ", b"https ", b"xh "];
    if !clients.iter().any(|client| memchr::memmem::find(before, client).is_some()) {
        return;
    }
    let rest = line(bytes, at, REACH, sink);
    let word = word(rest);
    let Some(colon) = memchr::memchr(b':', &rest[word.clone()]) else { return };
    let password = word.start + colon + 1..word.end;
    if is_password(&rest[password.clone()]) {
        sink.push(at + password.start..at + password.end, Kind::Assignment);
    }
}

/// The next word, its quotes left out.
fn word(rest: &[u8]) -> Range<usize> {
    let blank = rest.iter().take_while(|byte| **byte == b' ').count();
    let quote = rest.get(blank).copied().filter(|byte| matches!(byte, b'"' | b'\''));
    let start = blank + usize::from(quote.is_some());
    let start = start.min(rest.len());
    let is_end = |byte: &u8| {
        quote.map_or(byte.is_ascii_whitespace() || b"\"'`|;&".contains(byte), |quote| *byte == quote)
    };
    start..rest[start..].iter().position(is_end).map_or(rest.len(), |end| start + end)
}

/// Whether a word may be a password where one is sure to stand: no variable, no placeholder.
fn is_password(word: &[u8]) -> bool {
    let names: [&[u8]; 6] = [b"password", b"pass", b"passwd", b"token", b"pwd", b"x"];
    word.len() >= 4 && !is_placeholder(word) && !names.iter().any(|name| word.eq_ignore_ascii_case(name))
}

/// `mysql -psecret`, `--password=secret`, `sshpass -p secret`.
fn mysql(bytes: &[u8], at: usize, sink: &mut Sink) {
    let is_sshpass = bytes[..at].ends_with(b"sshpass ");
    let rest = line(bytes, at.saturating_sub(1), REACH, sink);
    let base = at.saturating_sub(1);
    let options: [&[u8]; 2] = if is_sshpass { [b" -p ", b" -p"] } else { [b" -p", b" --password="] };
    for option in options {
        let Some(found) = memchr::memmem::find(rest, option) else { continue };
        let start = found + option.len();
        // `-p` alone asks for it.
        if !is_sshpass && rest.get(start).is_none_or(|byte| *byte == b' ') {
            continue;
        }
        let word = word(&rest[start..]);
        if is_password(&rest[start..][word.clone()]) {
            sink.push(base + start + word.start..base + start + word.end, Kind::Assignment);
            return;
        }
    }
}

/// `redis-cli -a secret`
fn redis(bytes: &[u8], at: usize, sink: &mut Sink) {
    let base = at.saturating_sub(1);
    let rest = line(bytes, base, REACH, sink);
    let Some(found) = memchr::memmem::find(rest, b" -a ") else { return };
    let word = word(&rest[found + 4..]);
    if is_password(&rest[found + 4..][word.clone()]) {
        sink.push(base + found + 4 + word.start..base + found + 4 + word.end, Kind::Assignment);
    }
}

/// A key `SK…` or a token of 32 digits near the name of its provider.
fn twilio(bytes: &[u8], at: usize, sink: &mut Sink) {
    let rest = line(bytes, at, REACH, sink);
    let mut from = 0;
    while from < rest.len() {
        let run = alphabet::run(&rest[from..], ALNUM);
        let word = &rest[from..from + run];
        let body = word.strip_prefix(b"SK").unwrap_or(word);
        if body.len() == 32 && body.iter().all(|byte| alphabet::has(HEX, *byte)) && key::is_varied(body) {
            sink.push(at + from..at + from + run, Kind::Assignment);
        }
        from += run + 1;
    }
}

/// The schemes of an `Authorization` that a key follows.
const SCHEMES: &[&[u8]] = &[b"bot ", b"token ", b"apikey ", b"api-key ", b"key ", b"bearer "];

/// `Authorization: ApiKey …`, `"Authorization": "token …"`.
fn authorization(bytes: &[u8], at: usize, sink: &mut Sink) {
    let rest = line(bytes, at, REACH, sink);
    let skip = |at: usize, set: &[u8]| at + rest[at..].iter().take_while(|byte| set.contains(byte)).count();
    let sign = skip(0, b"\\\"' ");
    if !matches!(rest.get(sign), Some(b':' | b'=')) {
        return;
    }
    let value = skip(sign + 1, b"\\\"' ");
    if let Some(key) = key_of_scheme(&rest[value..]) {
        sink.push(at + value + key.start..at + value + key.end, Kind::Bearer);
    }
}

/// The key in the value of an `Authorization`.
pub(crate) fn key_of_scheme(value: &[u8]) -> Option<Range<usize>> {
    let starts =
        |scheme: &&&[u8]| value.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    let from = SCHEMES.iter().find(starts)?.len();
    let room = &value[from..value.len().min(from + REACH)];
    let run =
        room.iter().position(|&byte| !(alphabet::has(BASE64, byte) || byte == b'.')).unwrap_or(room.len());
    let token = &room[..run];
    let is_key =
        run >= 8 && token.iter().any(u8::is_ascii_digit) && !is_placeholder(token) && key::is_varied(token);
    is_key.then_some(from..from + run)
}

/// `docker login -p …`
fn login(bytes: &[u8], at: usize, sink: &mut Sink) {
    let before = &bytes[at.saturating_sub(40)..at];
    let before = memchr::memrchr(b'\n', before).map_or(before, |end| &before[end + 1..]);
    sink.steps.add(before.len());
    let clients: [&[u8]; 8] =
        [b"docker", b"podman", b"buildah", b"skopeo", b"nerdctl", b"registry", b"az ", b"oc "];
    if !clients.iter().any(|client| memchr::memmem::find(before, client).is_some()) {
        return;
    }
    let rest = line(bytes, at - 1, REACH, sink);
    let options: [&[u8]; 2] = [b" -p ", b" -p="];
    for option in options {
        let Some(found) = memchr::memmem::find(rest, option) else { continue };
        let start = found + option.len();
        let word = word(&rest[start..]);
        if is_password(&rest[start..][word.clone()]) {
            sink.push(at - 1 + start + word.start..at - 1 + start + word.end, Kind::Assignment);
        }
    }
}

/// `machine x login y password z`
fn netrc(bytes: &[u8], at: usize, sink: &mut Sink) {
    let room = &bytes[at..bytes.len().min(at + REACH)];
    sink.steps.add(room.len());
    if memchr::memmem::find(room, b"login ").is_none() {
        return;
    }
    let Some(found) = memchr::memmem::find(room, b"password ") else { return };
    let start = found + b"password ".len();
    let word = word(&room[start..]);
    if is_password(&room[start..][word.clone()]) {
        sink.push(at + start + word.start..at + start + word.end, Kind::Assignment);
    }
}

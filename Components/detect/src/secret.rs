//! Secrets that are known by how they start: keys of providers, JSON web tokens, private keys, passwords in URLs.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::alphabet::{self, BASE64, WORD};
use crate::anchors::Anchors;
use crate::key::{self, KEYS};
use crate::sink::Sink;
use crate::steps::Steps;
use crate::{Kind, Provider};

/// The search for what starts in a known way; one pass for all of them.
#[derive(Debug, Clone)]
pub(crate) struct Secrets {
    /// Apart: the shortest anchor of a set says how much of each the search compares.
    sets: Vec<Set>,
}

/// Anchors of one length, and what each may be.
#[derive(Debug, Clone)]
struct Set {
    anchors: Anchors,
    starts: Vec<Vec<Start>>,
}

/// What may start at an anchor.
#[derive(Debug, Clone, Copy)]
enum Start {
    Key(&'static key::Key),
    Jwt,
    Pem,
    Url,
}

impl Start {
    fn anchor(self) -> &'static [u8] {
        match self {
            Self::Key(key) => key.anchor(),
            Self::Jwt => b"eyJ",
            Self::Pem => b"BEGI",
            Self::Url => b"://",
        }
    }
}

impl Secrets {
    pub(crate) fn new(kinds: &BTreeSet<Kind>) -> Self {
        let keys = KEYS.iter().filter(|key| kinds.contains(&Kind::Key(Provider(key.name)))).map(Start::Key);
        let others =
            [(Kind::Jwt, Start::Jwt), (Kind::PrivateKey, Start::Pem), (Kind::BasicAuthUrl, Start::Url)];
        let others = others.into_iter().filter(|(kind, _)| kinds.contains(kind)).map(|(_, start)| start);
        let (long, short) = keys.chain(others).partition::<Vec<_>, _>(|start| start.anchor().len() > 3);
        // Upper case, lower case and digits in sets of their own: the fewer and the more alike, the fewer false alarms.
        let (capital, small) = long.into_iter().partition::<Vec<_>, _>(|start| {
            start.anchor().iter().all(|byte| !byte.is_ascii_lowercase())
                || start.anchor()[0].is_ascii_uppercase()
        });
        Self { sets: [capital, small, short].into_iter().map(Set::new).collect() }
    }

    pub(crate) fn scan(&self, bytes: &[u8], sink: &mut Sink) {
        for set in &self.sets {
            set.scan(bytes, sink);
            if sink.is_full() {
                return;
            }
        }
    }
}

impl Set {
    fn new(all: Vec<Start>) -> Self {
        let (mut literals, mut starts): (Vec<&'static [u8]>, Vec<Vec<Start>>) = (Vec::new(), Vec::new());
        for start in all {
            if let Some(at) = literals.iter().position(|literal| *literal == start.anchor()) {
                starts[at].push(start);
            } else {
                literals.push(start.anchor());
                starts.push(vec![start]);
            }
        }
        Self { anchors: Anchors::new(&literals), starts }
    }

    fn scan(&self, bytes: &[u8], sink: &mut Sink) {
        let mut from = 0;
        while let Some((literal, at)) = self.anchors.next(bytes, from) {
            from = at + 1;
            sink.steps.add(0);
            let found = self.starts[literal].iter().find_map(|start| start.check(bytes, at, &mut sink.steps));
            let Some(found) = found else { continue };
            from = found.resume;
            if let Some((span, kind)) = found.hit {
                sink.push(span, kind);
                if sink.is_full() {
                    return;
                }
            }
        }
    }
}

/// What a check found, and where the search goes on: past what cannot start anything else.
struct Found {
    hit: Option<(Range<usize>, Kind)>,
    resume: usize,
}

impl Start {
    fn check(self, bytes: &[u8], at: usize, steps: &mut Steps) -> Option<Found> {
        match self {
            Self::Key(key) => {
                let (start, end) = key.check(bytes, at.checked_sub(key.anchor_at())?, steps)?;
                Some(Found { hit: Some((start..end, Kind::Key(Provider(key.name)))), resume: end })
            }
            Self::Jwt => jwt(bytes, at, steps),
            Self::Pem => pem(bytes, at, steps),
            Self::Url => userinfo(bytes, at, steps),
        }
    }
}

/// `eyJ….eyJ….…`: header and payload are base64 of JSON objects; the signature may be empty.
fn jwt(bytes: &[u8], at: usize, steps: &mut Steps) -> Option<Found> {
    if at > 0 && (alphabet::has(WORD, bytes[at - 1]) || bytes[at - 1] == b'.') {
        return None;
    }
    let part = |from: usize, steps: &mut Steps| {
        let run = alphabet::run(&bytes[from..], WORD);
        steps.add(run);
        from + run
    };
    let header = part(at, steps);
    let nothing = Some(Found { hit: None, resume: header });
    if header - at < 12 || !bytes[header..].starts_with(b".eyJ") {
        return nothing;
    }
    let payload = part(header + 1, steps);
    if bytes.get(payload) != Some(&b'.') {
        return Some(Found { hit: None, resume: payload });
    }
    let end = part(payload + 1, steps);
    Some(Found { hit: Some((at..end, Kind::Jwt)), resume: end })
}

const PEM_START: &[u8] = b"-----BEGIN ";

/// `-----BEGIN … PRIVATE KEY-----` to its `-----END … -----`; without an end, as far as base64 goes.
fn pem(bytes: &[u8], at: usize, steps: &mut Steps) -> Option<Found> {
    let start = at.checked_sub(5)?;
    if !bytes[start..].starts_with(PEM_START) {
        return None;
    }
    let label_at = start + PEM_START.len();
    let label_room = &bytes[label_at..bytes.len().min(label_at + 40)];
    steps.add(label_room.len());
    let label = &label_room[..memchr::memmem::find(label_room, b"-----")?];
    if !(label.ends_with(b"PRIVATE KEY") || label.ends_with(b"PRIVATE KEY BLOCK")) {
        return None;
    }
    let body = label_at + label.len() + 5;
    let end = pem_end(bytes, body, steps);
    // A line that only names the header, as code that looks for keys does, holds no key.
    let key = bytes[body..end].iter().filter(|byte| byte.is_ascii_alphanumeric()).take(64).count();
    let hit = (key >= 32).then_some((start..end, Kind::PrivateKey));
    Some(Found { hit, resume: end })
}

/// Past the `-----END …-----`; without one, past the last byte that is base64 or a break between its lines.
fn pem_end(bytes: &[u8], body: usize, steps: &mut Steps) -> usize {
    // The next dashes bound the search, and the next header is made of them: no stretch is searched twice.
    let dashes = memchr::memmem::find(&bytes[body..], b"-----").map_or(bytes.len(), |at| body + at);
    steps.add(dashes - body);
    let run =
        bytes[body..dashes].iter().position(|&byte| !is_pem_byte(byte)).map_or(dashes, |run| body + run);
    if run == dashes && bytes[dashes..].starts_with(b"-----END ") {
        let close = memchr::memmem::find(&bytes[dashes + 9..bytes.len().min(dashes + 60)], b"-----");
        return close.map_or(dashes + 9, |close| dashes + 9 + close + 5);
    }
    let is_base64 = |byte: &u8| alphabet::has(BASE64, *byte) || matches!(byte, b'\n' | b'\r' | b'\\');
    let run = bytes[body..run].iter().position(|byte| !is_base64(byte)).map_or(run, |run| body + run);
    let last = bytes[body..run].iter().rposition(|byte| byte.is_ascii_alphanumeric() || *byte == b'=');
    last.map_or(body, |last| body + last + 1)
}

/// Base64, its line breaks as they are or escaped, and the headers of old PEM files.
fn is_pem_byte(byte: u8) -> bool {
    alphabet::has(BASE64, byte) || matches!(byte, b'\n' | b'\r' | b'\\' | b' ' | b'\t' | b':' | b',' | b'.')
}

/// `user:password` between `://` and `@`. A placeholder in the password's place is none.
fn userinfo(bytes: &[u8], at: usize, steps: &mut Steps) -> Option<Found> {
    let start = at + 3;
    if at == 0 || !bytes[at - 1].is_ascii_alphanumeric() {
        return None;
    }
    let room = &bytes[start..bytes.len().min(start + 512)];
    let run = room.iter().position(|&byte| !is_userinfo(byte)).unwrap_or(room.len());
    steps.add(run);
    let run = &room[..run];
    let resume = start + run.len();
    // The last `@`: a password may hold one.
    let nothing = Some(Found { hit: None, resume });
    if room.get(run.len()).is_some_and(|byte| matches!(byte, b'[' | b'<' | b'{')) {
        return nothing;
    }
    let Some(end) = memchr::memrchr(b'@', run) else { return nothing };
    let Some(colon) = memchr::memchr(b':', &run[..end]) else { return nothing };
    let password = &run[colon + 1..end];
    if password.is_empty() || is_placeholder(password) {
        return nothing;
    }
    Some(Found { hit: Some((start..start + end, Kind::BasicAuthUrl)), resume })
}

fn is_userinfo(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 128 || b"-._~!$&*+,;=:%@^#|".contains(&byte)
}

/// Words that documentation puts in a password's place.
fn is_placeholder(password: &[u8]) -> bool {
    let words: [&[u8]; 8] =
        [b"password", b"pass", b"pwd", b"passwd", b"secret", b"token", b"xxx", b"your_password"];
    let first = password[0];
    words.iter().any(|word| password.eq_ignore_ascii_case(word))
        || matches!(first, b'$' | b'%' | b'*')
        || password.iter().all(|byte| *byte == first)
}

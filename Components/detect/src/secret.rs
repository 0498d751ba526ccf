//! Secrets that are known by how they start: keys of providers, JSON web tokens, private keys, passwords in URLs.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::alphabet::{self, BASE64, WORD};
use crate::anchors::Anchors;
use crate::key::{self, KEYS};
use crate::sink::Sink;
use crate::steps::Steps;
use crate::{Kind, Provider, escape, sieve};

/// The search for what starts in a known way.
#[derive(Debug, Clone)]
pub(crate) struct Secrets {
    /// Apart: the fewer and the more alike the anchors of a set, the fewer false alarms.
    sets: Vec<Set>,
    wants_pem: bool,
    wants_url: bool,
    wants_bot: bool,
}

/// Anchors, and what may start at each.
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
}

/// What a check found.
type Found = Option<(Range<usize>, Kind)>;

impl Start {
    fn anchor(self) -> &'static [u8] {
        match self {
            Self::Key(key) => key.anchor(),
            Self::Jwt => b"eyJ",
        }
    }

    fn check(self, bytes: &[u8], at: usize, steps: &mut Steps) -> Found {
        match self {
            Self::Key(key) => {
                let (start, end) = key.check(bytes, at.checked_sub(key.anchor_at())?, steps)?;
                Some((start..end, Kind::Key(Provider(key.name))))
            }
            Self::Jwt => jwt(bytes, at, steps),
        }
    }
}

impl Secrets {
    pub(crate) fn new(kinds: &BTreeSet<Kind>) -> Self {
        let mut sets: BTreeMap<Look, Vec<Start>> = BTreeMap::new();
        for start in starts(kinds) {
            sets.entry(Look::of(start.anchor())).or_default().push(start);
        }
        Self {
            sets: sets.into_values().map(Set::new).collect(),
            wants_pem: kinds.contains(&Kind::PrivateKey),
            wants_url: kinds.contains(&Kind::BasicAuthUrl),
            wants_bot: kinds.contains(&BOT),
        }
    }

    /// Each start is looked at by itself, whatever stands around it.
    pub(crate) fn scan(&self, bytes: &[u8], sink: &mut Sink) {
        if !self.sets.is_empty() {
            self.scan_keys(bytes, sink);
        }
        if self.wants_pem && sieve::has_hyphens(bytes) {
            each(bytes, PEM_START, pem, sink);
        }
        if self.wants_url && memchr::memchr(b'@', bytes).is_some() {
            each(bytes, b"://", basic_auth, sink);
        }
    }

    fn scan_keys(&self, bytes: &[u8], sink: &mut Sink) {
        for window in sieve::windows(bytes) {
            if self.wants_bot {
                bots(bytes, window.clone(), sink);
            }
            for set in &self.sets {
                set.scan(bytes, window.clone(), sink);
                if sink.is_full() {
                    return;
                }
            }
        }
    }
}

/// What the wanted kinds start with, but for private keys and passwords in URLs.
fn starts(kinds: &BTreeSet<Kind>) -> Vec<Start> {
    let keys = KEYS.iter().filter(|key| kinds.contains(&Kind::Key(Provider(key.name)))).map(Start::Key);
    keys.chain(kinds.contains(&Kind::Jwt).then_some(Start::Jwt)).collect()
}

/// What the third byte of an anchor is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Look {
    Underscore,
    Hyphen,
    Capital,
    Other,
}

impl Look {
    fn of(anchor: &[u8]) -> Self {
        match anchor[COMPARED - 1] {
            b'_' => Self::Underscore,
            b'-' => Self::Hyphen,
            byte if byte.is_ascii_uppercase() => Self::Capital,
            _ => Self::Other,
        }
    }
}

/// How many bytes of each anchor the search compares at once.
const COMPARED: usize = 3;

impl Set {
    /// Starts whose anchors begin alike share what their anchors have in common.
    fn new(all: Vec<Start>) -> Self {
        let (mut literals, mut starts): (Vec<&'static [u8]>, Vec<Vec<Start>>) = (Vec::new(), Vec::new());
        for start in all {
            let anchor = start.anchor();
            if let Some(at) = literals.iter().position(|literal| literal[..COMPARED] == anchor[..COMPARED]) {
                let common = literals[at].iter().zip(anchor).take_while(|(one, other)| one == other).count();
                literals[at] = &anchor[..common];
                starts[at].push(start);
            } else {
                literals.push(anchor);
                starts.push(vec![start]);
            }
        }
        Self { anchors: Anchors::new(&literals), starts }
    }

    fn scan(&self, bytes: &[u8], window: Range<usize>, sink: &mut Sink) {
        let mut from = window.start;
        while let Some((literal, at)) = self.anchors.next(bytes, from..window.end) {
            from = at + 1;
            sink.steps.add(0);
            let found = self.starts[literal].iter().find_map(|start| start.check(bytes, at, &mut sink.steps));
            if let Some((span, kind)) = found {
                sink.push(span, kind);
                if sink.is_full() {
                    return;
                }
            }
        }
    }
}

/// Checks each place where the literal stands.
fn each(bytes: &[u8], literal: &[u8], check: fn(&[u8], usize, &mut Steps) -> Found, sink: &mut Sink) {
    for at in memchr::memmem::find_iter(bytes, literal) {
        sink.steps.add(0);
        if let Some((span, kind)) = check(bytes, at, &mut sink.steps) {
            sink.push(span, kind);
            if sink.is_full() {
                return;
            }
        }
    }
}

/// The kind of the tokens that [`bots`] finds.
const BOT: Kind = Kind::Key(Provider("DISCORD_TOKEN"));

/// Three parts of 23 to 28, 6 and 27 to 40 bytes: a bot's token. It has no prefix but the digits of a number in base64,
/// so it is found by its two dots, which stand seven apart.
fn bots(bytes: &[u8], window: Range<usize>, sink: &mut Sink) {
    let from = window.start;
    for dot in memchr::memchr_iter(b'.', &bytes[window.clone()]).map(|at| from + at) {
        if bytes.get(dot + 7) == Some(&b'.')
            && let Some(span) = bot(bytes, dot, &mut sink.steps)
        {
            sink.push(span, BOT);
            if sink.is_full() {
                return;
            }
        }
    }
}

fn bot(bytes: &[u8], dot: usize, steps: &mut Steps) -> Option<Range<usize>> {
    let number = alphabet::run_back(&bytes[dot.saturating_sub(34)..dot], WORD);
    let number = number - escape::tail(bytes, dot - number).min(number);
    let room = &bytes[dot + 8..bytes.len().min(dot + 8 + 41)];
    let rest = alphabet::run(room, WORD);
    steps.add(number + rest + 6);
    let start = dot - number;
    let has = |is: fn(&u8) -> bool| room[..rest].iter().any(is);
    let is_token = (23..=28).contains(&number)
        && matches!(bytes[start], b'M' | b'N' | b'O')
        && alphabet::run(&bytes[dot + 1..dot + 7], WORD) == 6
        && (27..=40).contains(&rest)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && key::is_varied(&room[..rest]);
    is_token.then_some(start..dot + 8 + rest)
}

/// `eyJ….eyJ….…`: header and payload are base64 of JSON objects; the signature may be empty.
fn jwt(bytes: &[u8], at: usize, steps: &mut Steps) -> Found {
    let before = |back: usize| at.checked_sub(back).map(|at| bytes[at]);
    let is_part = |byte: u8| alphabet::has(WORD, byte) || byte == b'.';
    let is_joined = match before(1) {
        // A sign alone joins nothing.
        Some(b'-' | b'_' | b'.') => before(2).is_some_and(is_part),
        previous => previous.is_some_and(is_part),
    };
    if is_joined && !escape::ends(&bytes[..at]) {
        return None;
    }
    let part = |from: usize, steps: &mut Steps| {
        let run = alphabet::run(&bytes[from..], WORD);
        steps.add(run);
        from + run
    };
    let header = part(at, steps);
    if header - at < 12 || !bytes[header..].starts_with(b".eyJ") {
        return None;
    }
    let payload = part(header + 1, steps);
    if bytes.get(payload) != Some(&b'.') {
        return None;
    }
    Some((at..part(payload + 1, steps), Kind::Jwt))
}

const PEM_START: &[u8] = b"-----BEGIN ";

/// `-----BEGIN … PRIVATE KEY-----` to its `-----END … -----`; without an end, as far as base64 goes.
fn pem(bytes: &[u8], start: usize, steps: &mut Steps) -> Found {
    let label_at = start + PEM_START.len();
    let label_room = &bytes[label_at..bytes.len().min(label_at + 40)];
    steps.add(label_room.len());
    let label = &label_room[..memchr::memmem::find(label_room, b"-----")?];
    if !(label.ends_with(b"PRIVATE KEY") || label.ends_with(b"PRIVATE KEY BLOCK")) {
        return None;
    }
    let body = past_headers(bytes, label_at + label.len() + 5);
    let (body_end, end) = pem_end(bytes, body, steps);
    holds_key(&bytes[body..body_end], end > body_end).then_some((start..end, Kind::PrivateKey))
}

/// Past the lines such as `Proc-Type: 4,ENCRYPTED` that old files have before the key.
fn past_headers(bytes: &[u8], body: usize) -> usize {
    let mut at = body;
    for _ in 0..3 {
        let room = &bytes[at..bytes.len().min(at + 120)];
        let blank = room.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let line =
            memchr::memchr(b'\n', &room[blank..]).map_or(&room[blank..], |end| &room[blank..blank + end]);
        if memchr::memmem::find(line, b": ").is_none() || !line.iter().all(|byte| is_pem_byte(*byte)) {
            break;
        }
        at += blank + line.len();
    }
    at
}

/// Whether a block holds a key, or the start of one: a line that only names the header, as code that looks for keys
/// does, holds none, and neither do words. What is closed was meant to be a block, so less of it is enough.
fn holds_key(body: &[u8], is_closed: bool) -> bool {
    // What is in DER starts so, and what OpenSSH writes.
    let starts: [&[u8]; 4] = [b"MI", b"MC", b"MH", b"b3Bl"];
    let (least, least_known) = if is_closed { (8, 4) } else { (16, 8) };
    let is_key = |piece: &[u8]| {
        let piece = piece.strip_prefix(b"n").unwrap_or(piece);
        let has = |is: fn(&u8) -> bool| piece.iter().any(is);
        let is_mixed =
            has(u8::is_ascii_uppercase) && (has(u8::is_ascii_lowercase) || has(u8::is_ascii_digit));
        piece.len() >= least && is_mixed && alphabet::distinct(piece) >= 4
            || piece.len() >= least_known && starts.iter().any(|start| piece.starts_with(start))
    };
    body.iter().filter(|byte| byte.is_ascii_alphanumeric()).take(32).count() == 32
        || body.split(|&byte| !alphabet::has(BASE64, byte)).any(is_key)
}

/// Where the body ends, and the block: past its `-----END …-----`; without one, both past the last byte that is base64
/// or a break between its lines.
fn pem_end(bytes: &[u8], body: usize, steps: &mut Steps) -> (usize, usize) {
    // The next dashes bound the search, and the next header is made of them: no stretch is searched twice.
    let dashes = memchr::memmem::find(&bytes[body..], b"-----").map_or(bytes.len(), |at| body + at);
    steps.add(dashes - body);
    let run =
        bytes[body..dashes].iter().position(|&byte| !is_pem_byte(byte)).map_or(dashes, |run| body + run);
    if run == dashes && bytes[dashes..].starts_with(b"-----END ") {
        let close = memchr::memmem::find(&bytes[dashes + 9..bytes.len().min(dashes + 60)], b"-----");
        return (dashes, close.map_or(dashes + 9, |close| dashes + 9 + close + 5));
    }
    let mut is_indent = true;
    let is_other = |byte: &u8| {
        is_indent = matches!(byte, b'\n' | b'\r') || is_indent && matches!(byte, b' ' | b'\t');
        !is_indent && !alphabet::has(BASE64, *byte) && *byte != b'\\'
    };
    let run = bytes[body..run].iter().position(is_other).map_or(run, |run| body + run);
    let last = bytes[body..run].iter().rposition(|byte| byte.is_ascii_alphanumeric() || *byte == b'=');
    let end = last.map_or(body, |last| body + last + 1);
    (end, end)
}

/// Base64, its line breaks as they are or escaped, and the headers of old PEM files.
fn is_pem_byte(byte: u8) -> bool {
    alphabet::has(BASE64, byte) || matches!(byte, b'\n' | b'\r' | b'\\' | b' ' | b'\t' | b':' | b',' | b'.')
}

/// `user:password` in a URL.
pub(crate) struct Userinfo {
    pub(crate) span: Range<usize>,
    /// Something that could be one, and no placeholder.
    has_password: bool,
}

/// `user:password` between the `://` at `at` and `@`.
pub(crate) fn userinfo(bytes: &[u8], at: usize, steps: &mut Steps) -> Option<Userinfo> {
    let start = at + 3;
    if at == 0 || !bytes[at - 1].is_ascii_alphanumeric() {
        return None;
    }
    let room = &bytes[start..bytes.len().min(start + 512)];
    let run = room.iter().position(|&byte| !is_userinfo(byte)).unwrap_or(room.len());
    steps.add(run);
    let is_cut = room.get(run).is_some_and(|byte| matches!(byte, b'[' | b'<' | b'{'));
    let run = &room[..run];
    // The last `@`: a password may hold one.
    let end = memchr::memrchr(b'@', run)?;
    let password = &run[memchr::memchr(b':', &run[..end])? + 1..end];
    let has_password = !is_cut && !password.is_empty() && !is_placeholder(password);
    Some(Userinfo { span: start..start + end, has_password })
}

/// A password in a URL. A placeholder in its place is none.
fn basic_auth(bytes: &[u8], at: usize, steps: &mut Steps) -> Found {
    let found = userinfo(bytes, at, steps).filter(|found| found.has_password)?;
    Some((found.span, Kind::BasicAuthUrl))
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Group, Hit};

    /// Every start at every place, without windows and anchors.
    fn naive(bytes: &[u8], kinds: &BTreeSet<Kind>) -> Vec<Hit> {
        let (mut sink, mut steps) = (Sink::default(), Steps::default());
        let starts = starts(kinds);
        bots(bytes, 0..bytes.len(), &mut sink);
        for at in 0..bytes.len() {
            let stands = |literal: &[u8]| bytes[at..].starts_with(literal);
            let mut checked = starts.iter().filter(|start| stands(start.anchor()));
            let found = [
                checked.find_map(|start| start.check(bytes, at, &mut steps)),
                stands(PEM_START).then(|| pem(bytes, at, &mut steps)).flatten(),
                stands(b"://").then(|| basic_auth(bytes, at, &mut steps)).flatten(),
            ];
            found.into_iter().flatten().for_each(|(span, kind)| sink.push(span, kind));
        }
        sink.into_hits()
    }

    fn piece() -> impl Strategy<Value = String> {
        let prefixes: Vec<&'static str> = KEYS.iter().map(|key| key.prefix).collect();
        let ends = [
            "://a:b2@",
            "-----BEGIN PRIVATE KEY-----\n",
            "-----END PRIVATE KEY-----",
            "eyJhbGciOiJI.eyJ",
            ".",
        ];
        let apart =
            [" ", " ", "\n", "\"", "/", "-", "_", ".", "=", "@", "{", "é", "--", "12345678", "FlyV1 fm"];
        prop_oneof![
            4 => proptest::sample::select(prefixes).prop_map(str::to_owned),
            2 => "[A-Za-z0-9]{14,60}",
            1 => "[0-9a-f]{32}|[0-9a-f]{40}|[A-Z0-9]{16}|[A-Z0-9]{58}|[a-zA-Z0-9_-]{24,120}",
            2 => proptest::sample::select(ends.to_vec()).prop_map(str::to_owned),
            4 => proptest::sample::select(apart.to_vec()).prop_map(str::to_owned),
            1 => (0..90_usize).prop_map(|count| " ".repeat(count)),
            1 => "[a-z]{1,12} [a-z]{1,9}, ",
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]

        #[test]
        fn windows_and_anchors_miss_nothing(pieces in proptest::collection::vec(piece(), 0..40)) {
            let text = pieces.concat();
            let kinds: BTreeSet<Kind> = Kind::of(Group::Secrets).collect();
            let mut sink = Sink::default();
            Secrets::new(&kinds).scan(text.as_bytes(), &mut sink);
            prop_assert_eq!(sink.into_hits(), naive(text.as_bytes(), &kinds));
        }
    }

    /// What the windows rest on.
    #[test]
    fn no_key_is_shorter_than_a_window_sees() {
        for key in KEYS {
            assert!(key.shortest() >= sieve::SHORTEST, "{key:?}");
            let cut = key.prefix.rfind(|letter| !sieve::is_seen(letter)).map_or(0, |at| at + 1);
            assert!(cut <= 6 && key.shortest() - cut >= sieve::SHORTEST, "{key:?}");
            assert!(key.anchor().len() >= COMPARED, "{key:?}");
        }
    }
}

//! Secrets that are known by the name they are given: `password = …`, `"api_key": "…"`, `Authorization: Bearer …`.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::Kind;
use crate::alphabet::{self, BASE64, DOTTED};
use crate::anchors::Anchors;
use crate::elsewhere;
use crate::escape;
use crate::mention::{MENTIONS, Mention};
use crate::sink::Sink;

/// The stems of names of secrets, as they are written: lower case, upper case, capitalised.
#[rustfmt::skip]
const STEMS: &[&[u8]] = &[
    b"passw", b"Passw", b"PASSW", b"pass", b"Pass", b"PASS", b"pwd", b"Pwd", b"PWD",
    b"secret", b"Secret", b"SECRET", b"token", b"Token", b"TOKEN", b"cred", b"Cred", b"CRED",
    b"api_k", b"apik", b"apiK", b"api-k", b"ApiK", b"Api-K", b"API_K", b"APIK", b"API-K",
    b"_key", b"_KEY", b"Key", b"-key", b"-Key", b"auth\"", b"_auth",
];

const BEARER: &[&[u8]] = &[b"Bearer ", b"bearer ", b"BEARER "];

/// The search for names of secrets.
#[derive(Debug, Clone)]
pub(crate) struct Assignments {
    anchors: Anchors,
    stems: usize,
    bearers: usize,
    mentions: Vec<&'static Mention>,
}

impl Assignments {
    pub(crate) fn new(kinds: &BTreeSet<Kind>) -> Self {
        let stems: &[&[u8]] = if kinds.contains(&Kind::Assignment) { STEMS } else { &[] };
        let bearer: &[&[u8]] = if kinds.contains(&Kind::Bearer) { BEARER } else { &[] };
        let mentions: Vec<&Mention> = MENTIONS.iter().filter(|one| kinds.contains(&one.kind)).collect();
        let words = mentions.iter().map(|one| one.words);
        let literals: Vec<&'static [u8]> = stems.iter().chain(bearer).copied().chain(words).collect();
        let (stems, bearers) = (stems.len(), stems.len() + bearer.len());
        Self { anchors: Anchors::new(&literals), stems, bearers, mentions }
    }

    pub(crate) fn scan(&self, bytes: &[u8], sink: &mut Sink) {
        let (mut from, mut ends) = (0, Ends::default());
        while let Some((literal, at)) = self.anchors.next(bytes, from..bytes.len()) {
            if let Some(one) = literal.checked_sub(self.bearers).and_then(|at| self.mentions.get(at)) {
                from = at + one.words.len();
                (one.tell)(bytes, from, sink);
                from -= 1; // its last blank may start the next one
                if sink.is_full() {
                    return;
                }
                continue;
            }
            let hit = if literal < self.stems {
                let (span, resume) = assigned(bytes, at, &mut ends, sink);
                from = resume;
                span.map(|span| (span, Kind::Assignment))
            } else {
                from = at + 7;
                bearer(bytes, from, sink).map(|span| (span, Kind::Bearer))
            };
            if let Some((span, kind)) = hit {
                from = from.max(span.end);
                sink.push(span, kind);
                if sink.is_full() {
                    return;
                }
            }
        }
    }
}

/// What follows `Bearer `: 20 bytes or more, with a digit.
fn bearer(bytes: &[u8], at: usize, sink: &mut Sink) -> Option<Range<usize>> {
    let room = &bytes[at..];
    let run =
        room.iter().position(|&byte| !(alphabet::has(BASE64, byte) || byte == b'.')).unwrap_or(room.len());
    sink.steps.add(run);
    let token = &room[..run];
    let is_token =
        run >= 20 && token[..run.min(256)].iter().any(u8::is_ascii_digit) && crate::key::is_varied(token);
    is_token.then_some(at..at + run)
}

/// The longest name that is looked at.
const NAME: usize = 64;

/// The value that the name around `at` is set to, if it looks like a secret; and where to look on.
fn assigned(bytes: &[u8], at: usize, ends: &mut Ends, sink: &mut Sink) -> (Option<Range<usize>>, usize) {
    let back = alphabet::run_back(&bytes[at.saturating_sub(NAME)..at], DOTTED);
    let room = &bytes[at..bytes.len().min(at + NAME)];
    let forth = alphabet::run(room, DOTTED);
    sink.steps.add(back + forth);
    let (start, end) = (at - back + escape::tail(bytes, at - back).min(back), at + forth);
    let Some(class) = Class::of(&bytes[start..end]) else { return (None, end) };
    let Some(value) = elsewhere::element(bytes, start, end, sink)
        .or_else(|| elsewhere::block(bytes, end, sink))
        .or_else(|| elsewhere::beside(bytes, start, end, sink))
        .or_else(|| Value::after(bytes, start, end, ends, sink))
        .or_else(|| elsewhere::said(bytes, end, sink))
    else {
        return (None, end);
    };
    if !value.is_sure && !value.is_quoted && is_verdict(bytes, start, end) {
        return (None, end);
    }
    let text = &bytes[value.span.clone()];
    sink.steps.add(text.len().min(LOOKED_AT));
    let is_sure = value.is_sure || is_sure_name(bytes, start, end, value.is_quoted);
    let is_secret = looks_secret(text, class, value.is_quoted)
        || is_sure && !is_code(text, value.is_quoted) && is_secret_under(text, class);
    (is_secret.then(|| value.span.clone()), end)
}

/// `--- PASS: TestRetry3`, `Running pass: inline-2`: what a test came to, or a compiler's step. `pass` is a password's name
/// where its line begins with it.
fn is_verdict(bytes: &[u8], start: usize, end: usize) -> bool {
    let name = &bytes[start..end];
    if bytes.get(end) != Some(&b':') || !name.eq_ignore_ascii_case(b"pass") {
        return false;
    }
    let before = bytes[..start].iter().rev().take(NAME).find(|byte| !matches!(byte, b' ' | b'\t'));
    name == b"PASS" || before.is_some_and(u8::is_ascii_alphanumeric)
}

/// An option of a command line, a variable of the environment, or a quoted name before a quoted value: as sure as a key of a
/// value.
fn is_sure_name(bytes: &[u8], start: usize, end: usize, is_quoted: bool) -> bool {
    let name = &bytes[start..end];
    let is_key = is_quoted
        && start > 0
        && matches!(bytes[start - 1], b'"' | b'\'')
        && matches!(bytes.get(end), Some(b'"' | b'\'' | b'\\'));
    let is_variable = bytes.get(end) == Some(&b'=') && !name.iter().any(u8::is_ascii_lowercase);
    name.starts_with(b"--") || is_key || is_variable
}

/// What a name promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// A password: short ones count, and ones of digits.
    Password,
    /// A key or a token.
    Token,
    /// What a client logs in with: a user and a password in base64, or a token.
    Login,
}

impl Class {
    /// The class of a name, by its last word or words: `DB_PASSWORD`, `user.apiKey`, `client-secret`; not
    /// `password_field`, not `max_tokens`.
    pub(crate) fn of(name: &[u8]) -> Option<Self> {
        let mut folded = [0; NAME];
        let name = &name[name.len().saturating_sub(NAME)..];
        let mut length = 0;
        for byte in name.iter().filter(|byte| byte.is_ascii_alphanumeric()) {
            folded[length] = byte.to_ascii_lowercase();
            length += 1;
        }
        let folded = folded[..length].trim_ascii_end();
        let folded = &folded[..folded.iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |at| at + 1)];
        let ends = |words: &[&[u8]]| words.iter().any(|word| folded.ends_with(word));
        let is_pass =
            folded == b"pass" || name.to_ascii_lowercase().ends_with(b"_pass") || name.ends_with(b"Pass");
        if is_pass || ends(&[b"password", b"passwd", b"passwort", b"passphrase", b"pwd", b"passcode"]) {
            return Some(Self::Password);
        }
        if folded == b"auth" {
            return Some(Self::Login);
        }
        let keys: [&[u8]; 24] = [
            b"accountkey",
            b"sharedaccesskey",
            b"subscriptionkey",
            b"primarykeysecret",
            b"storagekey",
            b"functionkey",
            b"appkey",
            b"licensekey",
            b"apisecretkey",
            b"clientkeydata",
            b"secret",
            b"token",
            b"apikey",
            b"accesskey",
            b"secretkey",
            b"privatekey",
            b"authkey",
            b"encryptionkey",
            b"signingkey",
            b"secretkeybase",
            b"credential",
            b"credentials",
            b"accesskeyid",
            b"masterkey",
        ];
        // Where a list goes on is no secret.
        let pages: [&[u8]; 4] = [b"nexttoken", b"pagetoken", b"continuationtoken", b"synctoken"];
        (ends(&keys) && !ends(&pages)).then_some(Self::Token)
    }
}

/// Where quoted and unquoted values end, kept while it holds, so that no stretch is searched twice
/// (INVARIANT (linear work)).
#[derive(Debug, Default)]
struct Ends {
    plain: Range<usize>,
    quoted: [Range<usize>; 3],
}

impl Ends {
    fn find(kept: &mut Range<usize>, from: usize, search: impl FnOnce() -> usize) -> usize {
        if !kept.contains(&from) {
            *kept = from..search();
        }
        kept.end
    }
}

pub(crate) struct Value {
    pub(crate) span: Range<usize>,
    pub(crate) is_quoted: bool,
    /// Whether nothing but a value can stand there.
    pub(crate) is_sure: bool,
}

impl Value {
    /// What stands after `name`, a closing quote, `=`, `:`, `:=` or `=>`; after a `--name`, a space does.
    fn after(bytes: &[u8], start: usize, end: usize, ends: &mut Ends, sink: &mut Sink) -> Option<Self> {
        let mut at = end;
        let skip = |at: usize, set: &[u8], most: usize| {
            at + bytes[at..].iter().take(most).take_while(|byte| set.contains(byte)).count()
        };
        at = skip(at, b"\\\"'`]", 4);
        let spaced = skip(at, b" \t", 8);
        // `define('DB_PASSWORD', '…')`
        let is_constant = at > end && !bytes[start..end].iter().any(u8::is_ascii_lowercase);
        // `["--password", "…"]`
        let is_listed = at > end && bytes[start..].starts_with(b"--");
        let sign = skip(spaced, if is_constant || is_listed { b":=," } else { b":=" }, 1);
        let signed = if sign > spaced { skip(sign, b"=>", 2) } else { spaced };
        if signed == spaced && !(spaced > at && bytes[start..].starts_with(b"--")) {
            return None;
        }
        at = skip(signed, b" \t", 8);
        let escaped = skip(at, b"\\", 2);
        sink.steps.add(escaped - end);
        let quote = bytes.get(escaped).copied()?;
        let Some(which) = b"\"'`".iter().position(|byte| *byte == quote) else {
            return Some(Self::plain(bytes, at, ends));
        };
        let from = escaped + 1;
        let close = Ends::find(&mut ends.quoted[which], from, || {
            memchr::memchr2(quote, b'\n', &bytes[from..]).map_or(bytes.len(), |close| from + close)
        });
        let is_closed = bytes.get(close) == Some(&quote);
        let end = if is_closed && escaped > at { close - (close - from).min(escaped - at) } else { close };
        is_closed.then_some(Self { span: from..end, is_quoted: true, is_sure: false })
    }

    fn plain(bytes: &[u8], from: usize, ends: &mut Ends) -> Self {
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`,;<>)]}|".contains(byte);
        let end = Ends::find(&mut ends.plain, from, || {
            bytes[from..].iter().position(is_end).map_or(bytes.len(), |end| from + end)
        });
        Self { span: from..end, is_quoted: false, is_sure: false }
    }
}

/// The most bytes of a value that are weighed.
const LOOKED_AT: usize = 256;

/// Whether a value looks like a secret and not like a placeholder, a word, a path or code.
pub(crate) fn looks_secret(value: &[u8], class: Class, is_quoted: bool) -> bool {
    let least = if class == Class::Password { 6 } else { 10 };
    let shown = &value[..value.len().min(LOOKED_AT)];
    if value.len() < least || shown.iter().any(|byte| byte.is_ascii_whitespace() || byte.is_ascii_control()) {
        return false;
    }
    if is_placeholder(shown) || is_code(shown, is_quoted) || alphabet::distinct(shown) < 4 {
        return false;
    }
    let count = |is: fn(&u8) -> bool| shown.iter().filter(|byte| is(byte)).count();
    let (digits, letters) = (count(u8::is_ascii_digit), count(u8::is_ascii_alphabetic));
    let symbols = shown.iter().filter(|byte| b"!@#$%^&*+=~?".contains(byte)).count();
    if letters == 0 {
        return class == Class::Password && digits >= 6 && digits == shown.len();
    }
    match class {
        Class::Password => digits > 0 || symbols > 0,
        Class::Token => digits > 0 && alphabet::distinct(shown) >= 8 && !is_identifier(shown),
        Class::Login => value.len() >= 16 && digits >= 3 && alphabet::distinct(shown) >= 8 || is_login(shown),
    }
}

/// `db-credentials-v2`, `end_of_line_2`: words joined by one sign, and a number of one or two digits behind them.
fn is_identifier(value: &[u8]) -> bool {
    let digits = value.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let words = &value[..value.len() - digits];
    let words =
        words.strip_suffix(b"v").filter(|rest| rest.ends_with(b"-") || rest.ends_with(b"_")).unwrap_or(words);
    let Some(&sign) = words.iter().find(|byte| !byte.is_ascii_alphabetic()) else { return false };
    let words = words.strip_suffix(&[sign]).unwrap_or(words);
    let is_word = |word: &[u8]| (2..=16).contains(&word.len()) && word.iter().all(u8::is_ascii_lowercase);
    (1..=2).contains(&digits) && matches!(sign, b'-' | b'_') && words.split(|&byte| byte == sign).all(is_word)
}

/// Base64 of `user:password`.
fn is_login(value: &[u8]) -> bool {
    alphabet::run(value, BASE64) == value.len()
        && crate::mention::decoded(value)
            .is_some_and(|text| memchr::memchr(b':', &text).is_some_and(|at| at > 0))
}

/// Words that stand for a secret that is not there.
pub(crate) fn is_placeholder(value: &[u8]) -> bool {
    let folded = value.to_ascii_lowercase();
    let starts: [&[u8]; 20] = [
        b"$",
        b"{",
        b"[",
        b"<",
        b"%",
        b"your",
        b"my-",
        b"my_",
        b"xxx",
        b"***",
        b"...",
        b"change",
        b"replace",
        b"insert",
        b"todo",
        b"dummy",
        b"placeholder",
        b"redacted",
        b"example",
        b"fake",
    ];
    let words: [&[u8]; 16] = [
        b"base64",
        b"sha256",
        b"sha512",
        b"sha-256",
        b"sha-512",
        b"sha1",
        b"hmac-sha256",
        b"oauth2",
        b"argon2",
        b"argon2id",
        b"bcrypt2",
        b"pbkdf2",
        b"utf-8",
        b"rs256",
        b"es256",
        b"hs256",
    ];
    starts.iter().any(|start| folded.starts_with(start))
        || words.contains(&folded.as_slice())
        || [b"-here".as_slice(), b"_here", b"placeholder", b"changeme"]
            .iter()
            .any(|end| folded.ends_with(end))
}

/// A path, a URL, a call, or a name with dots: what code says where a value would stand.
fn is_code(value: &[u8], is_quoted: bool) -> bool {
    let is_path = value.starts_with(b"/") && value[1..].contains(&b'/')
        || [b"./".as_slice(), b"../", b"~/"].iter().any(|start| value.starts_with(start));
    let is_drive = value.first().is_some_and(u8::is_ascii_alphabetic) && value[1..].starts_with(b":\\");
    let is_url = memchr::memmem::find(value, b"://").is_some();
    let is_interpolated =
        memchr::memmem::find(value, b"${").is_some() || memchr::memmem::find(value, b"{{").is_some();
    is_path || is_drive || is_url || is_interpolated || !is_quoted && is_expression(value)
}

/// `config.get(…`, `process.env.X1`, `secrets::load2`, `a->b`, `t1.token`: parts that are names.
fn is_expression(value: &[u8]) -> bool {
    let has = |text: &[u8]| memchr::memmem::find(value, text).is_some();
    if has(b"(")
        || has(b"::")
        || has(b"->")
        || has(b"[")
        || value.starts_with(b"&")
        || value.starts_with(b"*")
    {
        return true;
    }
    let is_name = |part: &[u8]| {
        part.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
            && part.len() <= 24
            && part.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    };
    memchr::memchr(b'.', value).is_some() && value.split(|byte| *byte == b'.').all(is_name)
}

/// Eight or nine characters of several sorts.
fn is_short_token(text: &[u8]) -> bool {
    let has = |is: fn(&u8) -> bool| text.iter().any(is);
    let is_mark = |byte: &u8| b"!@#$%^&*+=~?".contains(byte);
    (8..10).contains(&text.len())
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_lowercase)
        && (has(u8::is_ascii_uppercase) || text.iter().any(is_mark))
        && text.iter().all(|byte| byte.is_ascii_alphanumeric() || is_mark(byte))
        && !is_placeholder(text)
        && alphabet::distinct(text) >= 6
}

/// Whether a text is a secret, its key in a JSON value being of this class. Such a key is surer than a name in a text:
/// a password of letters, or of words with dashes, counts, unless it is a word that forms and schemas have there, or the next
/// option.
pub(crate) fn is_secret_under(text: &[u8], class: Class) -> bool {
    let words: [&[u8]; 12] = [
        b"current-password",
        b"new-password",
        b"password",
        b"passwort",
        b"passphrase",
        b"required",
        b"string",
        b"hidden",
        b"optional",
        b"forgot",
        b"incorrect",
        b"disabled",
    ];
    let is_word = words.iter().any(|word| text.eq_ignore_ascii_case(word));
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_');
    let is_letters = (6..=64).contains(&text.len()) && text.iter().all(is_letter);
    looks_secret(text, class, true)
        || class == Class::Token && is_short_token(text)
        || class == Class::Password
            && is_letters
            && !is_word
            && !text.starts_with(b"--")
            && !is_placeholder(text)
            && alphabet::distinct(text) >= 4
}

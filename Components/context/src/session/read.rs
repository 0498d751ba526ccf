//! Sessions as JSON lines: events of sessions, and the lines that `replay` reads.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use mentci_authority::{Event, halves, is_respelled, json_text, mended, plainly};
use mentci_detect::Detector;
use mentci_ledger::Decided;
use mentci_source::{Code, Finding, Hash, Reading};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Counts, Session, SessionEvent, SessionEventKind, keys};
use crate::evidence::{Header, Proof, split_line};

/// The format of an exported session. A newer one is refused.
pub const SESSION_FORMAT: u32 = 1;

/// What is said of half a pair of UTF-16.
const HALF: &str = "half of a UTF-16 pair stands alone: it is read as U+FFFD";

/// The most lines of a file that get findings of their own.
const MOST_FINDINGS: usize = 100;

/// The lines of a file of sessions. A line with `kind` is a [`SessionEvent`], one with `event` or `hook` an
/// [`Event`], and a first line with `format` the header of an export, whose hashes are verified.
#[derive(Debug, Clone)]
pub struct SessionFile {
    /// The sessions that its lines name, with how many lines each has.
    pub sessions: BTreeMap<String, u64>,
    /// The root that its header states, if all of it holds.
    pub proved: Option<Hash>,
    stated: Option<String>,
    path: Arc<str>,
    lines: Vec<Line>,
}

/// What makes of an event of a file what its session takes in.
pub type Take<'t> = dyn FnMut(Event) -> (Event, Option<Decided>) + 't;

#[derive(Debug, Clone)]
struct Line {
    number: u32,
    what: LineWhat,
}

#[derive(Debug, Clone)]
enum LineWhat {
    Event(SessionEvent, Option<Hash>),
    Replay(Box<Event>),
}

/// An event as a line tells it: whoever writes one by hand leaves out what follows by itself.
#[derive(Deserialize)]
struct ToldEvent {
    #[serde(default)]
    event_id: String,
    timestamp: Option<f64>,
    kind: SessionEventKind,
    #[serde(default)]
    data: Map<String, Value>,
    #[serde(default)]
    token_estimate: u64,
}

impl SessionFile {
    /// Reads a file. Never fails: lines that cannot be read are findings with their line and column.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use mentci_context::{Counts, SessionFile};
    /// let file = br#"{"kind":"user_input","data":{"text":"hello"}}
    /// {"event":"message_appended","at":5,"message":{"role":"assistant","text":"good day"}}
    /// {"kind":"user_inputt"}
    /// "#;
    /// let read = SessionFile::read("s.jsonl", file);
    /// assert_eq!(read.findings[0].line, Some(3));
    /// let counts = Arc::new(Counts::new(mentci_tokens::Bytes));
    /// let session = read.value.session(None, counts, None).value;
    /// assert_eq!((session.events().len(), session.total_tokens()), (2, 13));
    /// ```
    pub fn read(path: &str, bytes: &[u8]) -> Reading<Self> {
        let (path, sessions) = (Arc::from(path), BTreeMap::new());
        let file = Self { sessions, proved: None, stated: None, path, lines: Vec::new() };
        let mut reader = Reader { file, findings: Vec::new(), more: 0, proof: None };
        let body = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let whole = body.is_empty() || body.ends_with(b"\n");
        let lines = body.strip_suffix(b"\n").unwrap_or(body).split(|&byte| byte == b'\n');
        for (at, line) in lines.enumerate() {
            reader.line(u32::try_from(at + 1).unwrap_or(u32::MAX), line);
        }
        if let (Some(proof), true) = (&mut reader.proof, body.len() < bytes.len()) {
            // No export begins with a byte order mark.
            proof.broken(1);
        }
        reader.end(whole)
    }

    /// The session with this id, or the one that the file begins with; its name is `session` when no line tells one. Findings
    /// say what of the file is not in it.
    pub fn session(
        self,
        wanted: Option<&str>,
        counts: Arc<Counts>,
        redactor: Option<Detector>,
    ) -> Reading<Session> {
        self.session_as(wanted, counts, redactor, &mut |event| (event, None))
    }

    /// As [`Self::session`], of events as `take` makes them of those that `replay` reads: as a log would keep them, with what it
    /// would say was decided.
    pub fn session_as(
        self,
        wanted: Option<&str>,
        counts: Arc<Counts>,
        redactor: Option<Detector>,
        take: &mut Take<'_>,
    ) -> Reading<Session> {
        let first = self.lines.iter().find_map(|line| match &line.what {
            LineWhat::Replay(event) if !event.session.is_empty() => Some(event.session.as_str()),
            _ => None,
        });
        let id = wanted.or(self.stated.as_deref()).or(first).unwrap_or("session").to_owned();
        // What is a secret is told nowhere, not in a name either.
        let known = redactor.clone();
        let name = |name: &str| known.as_ref().map_or(name.to_owned(), |known| known.redact_name(name));
        let (shown, follows) =
            (name(&id), |id: &str| format!("the id `{}` does not follow", name(id).escape_debug()));
        let mut session = Session::new(&shown, counts);
        session.redactor = redactor;
        let (mut findings, mut others) = (Vec::new(), 0u64);
        for line in self.lines {
            match line.what {
                LineWhat::Event(event, leaf) => {
                    let told = event.event_id.clone();
                    if !session.take_over(event, leaf) && !told.is_empty() && findings.len() < MOST_FINDINGS {
                        findings.push(at(Code::SESSION_ORDER, follows(&told), &self.path, line.number, None));
                    }
                }
                LineWhat::Replay(event) if event.session.is_empty() || event.session == id => {
                    let (event, decided) = take(Event { session: shown.clone(), ..*event });
                    session.take_in(&event, decided.as_ref());
                }
                LineWhat::Replay(_) => others += 1,
            }
        }
        if others > 0 {
            let message = format!("lines of other sessions than `{}`: {others}", shown.escape_debug());
            let help = "`session import` takes all of them into the log, where each has its name";
            findings.push(Finding::new(Code::SESSION_OTHER, message).help(help).in_file(&self.path));
        }
        Reading { value: session, findings }
    }
}

impl Session {
    /// Appends an event that was read; whether its id follows. One that follows keeps its leaf, if that was proved.
    fn take_over(&mut self, mut event: SessionEvent, leaf: Option<Hash>) -> bool {
        let told = event.data.clone();
        event.data = self.redacted(event.data);
        self.calls.keep_apart(event.kind, &mut event.data);
        let leaf = leaf.filter(|_| event.data == told);
        if !event.timestamp.is_finite() {
            // Without a time of its own it happened when the last did.
            #[expect(clippy::cast_precision_loss, reason = "milliseconds are exact below 2^53")]
            let last = self.log.last_at().ms as f64;
            event.timestamp = last / 1_000.0;
        }
        self.calls.saw(event.kind, &event.data);
        self.log.take_over(event, leaf)
    }
}

struct Reader {
    file: SessionFile,
    findings: Vec<Finding>,
    more: usize,
    proof: Option<Proof>,
}

impl Reader {
    fn line(&mut self, number: u32, bytes: &[u8]) {
        let text = self.text(number, bytes);
        if text.trim().is_empty() {
            if let Some(proof) = &mut self.proof {
                proof.broken(number);
            }
            return;
        }
        let value: Map<String, Value> = match serde_json::from_str(&text) {
            Ok(value) => value,
            Err(error) => return self.unread(number, &text, &error),
        };
        if number == 1 && value.contains_key("format") && !value.contains_key("kind") {
            return self.header(&text);
        }
        let leaf = self.proof.as_mut().and_then(|proof| proof.line(number, bytes));
        if value.contains_key("kind") {
            if let Some(finding) = keys::unread(&value) {
                self.find(placed(finding, &self.file.path, number, Some(1)));
            }
            match serde_json::from_value::<ToldEvent>(Value::Object(value)) {
                Ok(told) => self.push(number, LineWhat::Event(told.event(&text), leaf)),
                Err(error) => self.misread::<ToldEvent>(number, &text, &error),
            }
        } else if value.contains_key("event") || value.contains_key("hook") {
            match serde_json::from_value::<Event>(Value::Object(value)) {
                Ok(mut event) => {
                    event.complete(&text);
                    self.push(number, LineWhat::Replay(Box::new(event)));
                }
                Err(error) => self.misread::<Event>(number, &text, &error),
            }
        } else if value.contains_key("act") {
            // What a person did is for the log: to a model it says nothing.
        } else {
            let message = "a line with neither `kind` nor `event`";
            self.find(at(Code::SESSION_LINE, message, &self.file.path, number, Some(1)));
        }
    }

    fn text<'a>(&mut self, number: u32, bytes: &'a [u8]) -> Cow<'a, str> {
        let text = String::from_utf8_lossy(bytes);
        if let Err(error) = std::str::from_utf8(bytes) {
            let column = column(&text, error.valid_up_to() + 1);
            self.find(at(Code::NOT_UTF8, "this is not UTF-8 text", &self.file.path, number, Some(column)));
        }
        let Some(half) = halves(text.as_bytes()).next() else { return text };
        let column = column(&text, half + 1);
        self.find(at(Code::NOT_UTF8, HALF, &self.file.path, number, Some(column)));
        // OK because text with U+FFFD in some places is text.
        String::from_utf8(mended(text.as_bytes()).into_owned()).map_or(text, Cow::Owned)
    }

    fn header(&mut self, text: &str) {
        let told = split_line(text.as_bytes()).map(|(body, _)| body);
        let header = Header::read(text.as_bytes());
        let path = self.file.path.clone();
        match header {
            Some(header) if header.format > SESSION_FORMAT => {
                let message = format!("the session has format {}", header.format);
                let help = format!("this version reads format {SESSION_FORMAT}; upgrade `policy-engine`");
                self.find(at(Code::FORMAT_NEWER, message, &path, 1, Some(1)).help(help));
            }
            Some(header) => {
                self.file.stated = Some(header.session.clone());
                self.proof = Some(Proof::new(header));
            }
            None => {
                let what = if told.is_some() { "the header was changed" } else { "the header is none" };
                self.find(at(Code::SESSION_UNPROVED, what, &path, 1, Some(1)));
            }
        }
    }

    fn push(&mut self, number: u32, what: LineWhat) {
        if let LineWhat::Replay(event) = &what
            && !event.session.is_empty()
        {
            *self.file.sessions.entry(event.session.clone()).or_default() += 1;
        }
        self.file.lines.push(Line { number, what });
    }

    fn misread<T: for<'de> Deserialize<'de>>(&mut self, number: u32, text: &str, error: &serde_json::Error) {
        // Read again for the place: values that were read already have none.
        let placed = serde_json::from_str::<T>(text).err();
        self.unread(number, text, placed.as_ref().unwrap_or(error));
    }

    fn unread(&mut self, number: u32, text: &str, error: &serde_json::Error) {
        let message = format!("this line cannot be read: {}", plainly(error));
        let column = column(text, error.column());
        self.find(at(Code::SESSION_LINE, message, &self.file.path, number, Some(column)));
        if let Some(proof) = &mut self.proof {
            proof.broken(number);
        }
    }

    fn find(&mut self, finding: Finding) {
        if self.findings.len() < MOST_FINDINGS {
            self.findings.push(finding);
        } else {
            self.more += 1;
        }
    }

    fn end(mut self, whole: bool) -> Reading<SessionFile> {
        if let Some(proof) = self.proof.take() {
            let lines = self.file.lines.len();
            match proof.end(whole) {
                Ok(root) => self.file.proved = Some(root),
                Err(broken) => {
                    let finding =
                        at(Code::SESSION_UNPROVED, broken.message, &self.file.path, broken.line, Some(1));
                    self.findings.push(finding.help("compare it with another copy of the export"));
                }
            }
            debug_assert_eq!(lines, self.file.lines.len());
        }
        if let Some(session) = self.file.stated.clone() {
            let lines = self.file.lines.len() as u64;
            *self.file.sessions.entry(session).or_default() += lines;
        }
        if self.more > 0 {
            let message = format!("lines that cannot be read, beside these: {}", self.more);
            self.findings.push(Finding::new(Code::SESSION_LINE, message).in_file(&self.file.path));
        }
        Reading { value: self.file, findings: self.findings }
    }
}

/// The parts of which every digit counts.
const SPELT: [&str; 7] = ["args", "changed_args", "value", "text", "content", "error", "errors"];

fn has_number(value: &Value) -> bool {
    match value {
        Value::Number(_) => true,
        Value::Array(items) => items.iter().any(has_number),
        Value::Object(map) => map.values().any(has_number),
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}

impl ToldEvent {
    /// What a call was made with, and what came of it, says its own text where a number of it would be read as another, or be
    /// written otherwise.
    fn event(self, line: &str) -> SessionEvent {
        let Self { event_id, timestamp, kind, mut data, token_estimate } = self;
        for part in SPELT {
            if let Some(value) = data.get_mut(part).filter(|value| has_number(value))
                && let Some(text) = json_text(line, &["data", part]).filter(|text| is_respelled(text))
            {
                *value = text.into();
            }
        }
        SessionEvent { event_id, timestamp: timestamp.unwrap_or(f64::NAN), kind, data, token_estimate }
    }
}

fn at(code: Code, message: impl Into<String>, path: &str, line: u32, column: Option<u32>) -> Finding {
    placed(Finding::new(code, message), path, line, column)
}

fn placed(finding: Finding, path: &str, line: u32, column: Option<u32>) -> Finding {
    let mut finding = finding.in_file(path);
    (finding.line, finding.column) = (Some(line), Some(column.unwrap_or(1)));
    finding
}

/// The column in characters of a byte's number from 1.
fn column(text: &str, byte: usize) -> u32 {
    let before = text.floor_char_boundary(byte.saturating_sub(1));
    u32::try_from(text[..before].chars().count() + 1).unwrap_or(u32::MAX)
}

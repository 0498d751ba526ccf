//! Looks for a choice of kinds.

use std::collections::BTreeSet;
use std::io::Read;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use mentci_source::Hash;
use serde_json::Value;

use crate::allow::Allowed;
use crate::assignment::{self, Assignments, Class};
use crate::cue::Cues;
use crate::custom::Pattern;
use crate::mention::key_of_scheme;
use crate::number::{self, Wanted};
use crate::secret::Secrets;
use crate::sink::Sink;
use crate::wide::Plain;
use crate::{
    BytesRedaction, Custom, CustomError, Group, Hit, Kind, RedactedReader, Redaction, Steps, ValueRedaction,
    bytes, email, redaction, value,
};

/// Looks for a choice of kinds in texts and values. Cheap to clone; made once, used often. The searches are built when
/// they are first needed.
///
/// ```
/// use mentci_detect::Detector;
/// let detector = Detector::all();
/// assert_eq!(detector.redact("write to ann@example.com").text, "write to [EMAIL]");
/// assert!(!detector.has_any("write to Ann"));
/// ```
#[derive(Debug, Clone)]
pub struct Detector(Arc<Choice>);

/// What is looked for, and the searches for it.
#[derive(Debug)]
struct Choice {
    kinds: BTreeSet<Kind>,
    customs: Vec<Pattern>,
    numbers: Wanted,
    allowed: Allowed,
    secrets: OnceLock<Secrets>,
    assignments: OnceLock<Assignments>,
}

impl Detector {
    /// A detector of these kinds and patterns.
    ///
    /// ```
    /// use mentci_detect::{Custom, Detector, Kind};
    /// let customer = Custom { name: "CUSTOMER".into(), regex: r"CUST-\d{6}".into() };
    /// let detector = Detector::new([Kind::Email], [customer]).unwrap();
    /// assert_eq!(detector.redact("CUST-123456, 10.1.2.3").text, "[CUSTOMER], 10.1.2.3");
    ///
    /// let broken = Custom { name: "CUSTOMER".into(), regex: "(?=a)".into() };
    /// assert!(Detector::new([], [broken]).is_err());
    /// ```
    ///
    /// # Errors
    /// - [`CustomError`]: a pattern is malformed or cannot be linear.
    pub fn new(
        kinds: impl IntoIterator<Item = Kind>,
        customs: impl IntoIterator<Item = Custom>,
    ) -> Result<Self, CustomError> {
        let customs = customs.into_iter().map(Pattern::new).collect::<Result<_, _>>()?;
        Ok(Self::with(kinds.into_iter().collect(), customs, Allowed::default()))
    }

    /// A detector of all kinds.
    pub fn all() -> Self {
        Self::with(Kind::all().collect(), Vec::new(), Allowed::default())
    }

    /// A detector of one group.
    pub fn group(group: Group) -> Self {
        Self::with(Kind::of(group).collect(), Vec::new(), Allowed::default())
    }

    /// The same detector, which never takes these texts for a hit, nor what a pattern matches as a whole: a list of false
    /// positives. It stands instead of an earlier list.
    ///
    /// ```
    /// use mentci_detect::Detector;
    /// let detector = Detector::all().allowing(["docs@example.com".into()], &[r".*@example\.org".into()]).unwrap();
    /// let text = "docs@example.com, ann@example.org, ann@example.com";
    /// assert_eq!(detector.redact(text).text, "docs@example.com, ann@example.org, [EMAIL]");
    /// ```
    ///
    /// # Errors
    /// - [`CustomError`]: a pattern is malformed or cannot be linear.
    pub fn allowing(
        &self,
        texts: impl IntoIterator<Item = String>,
        patterns: &[String],
    ) -> Result<Self, CustomError> {
        let allowed = Allowed::new(texts, patterns)?;
        Ok(Self::with(self.0.kinds.clone(), self.0.customs.clone(), allowed))
    }

    fn with(kinds: BTreeSet<Kind>, customs: Vec<Pattern>, allowed: Allowed) -> Self {
        let numbers = Wanted::new(|kind| kinds.contains(kind));
        Self(Arc::new(Choice {
            kinds,
            customs,
            numbers,
            allowed,
            secrets: OnceLock::new(),
            assignments: OnceLock::new(),
        }))
    }

    /// What is found in the text, in order and apart. Where two things overlap, the longer one gives the kind, and the
    /// span is what both take.
    pub fn find(&self, text: &str) -> Vec<Hit> {
        self.find_under(text, None)
    }

    /// What is found, and the work that the checks took ([`Steps`]): the same on every machine.
    pub fn find_counted(&self, text: &str) -> (Vec<Hit>, Steps) {
        let sink = self.scan(text, None, Sink::default());
        let steps = sink.steps;
        (self.0.allowed.others(text, sink.into_hits()), steps)
    }

    /// Whether anything is found; stops at the first.
    pub fn has_any(&self, text: &str) -> bool {
        self.has_any_under(text, None)
    }

    /// The text with a mark in the place of each hit. A redacted text is redacted to itself: what stands out only
    /// beside a mark is taken out as well.
    pub fn redact(&self, text: &str) -> Redaction {
        redaction::redact(text, |text| self.find(text))
    }

    /// The bytes with a mark in the place of each hit in what can be read of them: UTF-8, broken or whole, and UTF-16 in
    /// either order. All other bytes stay as they are.
    ///
    /// ```
    /// use mentci_detect::Detector;
    /// let redacted = Detector::all().redact_bytes(b"\xff\x00 ann@example.com \xfe");
    /// assert_eq!(redacted.bytes, b"\xff\x00 [EMAIL] \xfe");
    /// ```
    pub fn redact_bytes(&self, bytes: &[u8]) -> BytesRedaction {
        bytes::redact(bytes, |text| self.redact(text))
    }

    /// What a reader gives, with a mark in the place of each hit, as in [`Self::redact_bytes`]. Memory does not grow with its length.
    pub fn redact_reader<R: Read>(&self, from: R) -> RedactedReader<R> {
        RedactedReader::new(self.clone(), from)
    }

    /// The value with a mark in the place of each hit: in keys, in nested values, in numbers read as text, and where a
    /// key such as `password` says that its value is a secret.
    ///
    /// ```
    /// use mentci_detect::Detector;
    /// use serde_json::json;
    /// let redacted = Detector::all().redact_value(json!({"to": ["ann@example.com"], "dob": "1990-02-01"}));
    /// assert_eq!(redacted.value, json!({"to": ["[EMAIL]"], "dob": "[DATE_OF_BIRTH]"}));
    /// assert_eq!(redacted.hits[1].0, "/to/0");
    /// ```
    pub fn redact_value(&self, value: Value) -> ValueRedaction {
        value::redact(self, value)
    }

    /// A name or an id as it may be kept. One that holds a secret becomes its mark and a few digits, so that two of them stay two,
    /// and one stays the same.
    ///
    /// ```
    /// use mentci_detect::Detector;
    /// assert_eq!(Detector::all().redact_name("call_1"), "call_1");
    /// assert_eq!(Detector::all().redact_name("ann@example.com"), "[EMAIL]-59eda2f3");
    /// ```
    pub fn redact_name(&self, name: &str) -> String {
        let redacted = self.redact(name).text;
        if redacted == name {
            return redacted;
        }
        format!("{redacted}-{}", Hash::of("mentci name", [name.as_bytes()]).short(8))
    }

    /// Whether anything is found in the value; stops at the first.
    pub fn has_any_value(&self, value: &Value) -> bool {
        value::has_any(self, value)
    }

    /// As [`Self::redact`], for a text that is the value of a key.
    pub(crate) fn redact_under(&self, text: &str, key: Option<&str>) -> Redaction {
        redaction::redact(text, |text| self.find_under(text, key))
    }

    pub(crate) fn has_any_under(&self, text: &str, key: Option<&str>) -> bool {
        if !self.0.allowed.is_empty() {
            return !self.find_under(text, key).is_empty();
        }
        !self.scan(text, key, Sink::first_only()).hits.is_empty()
    }

    fn find_under(&self, text: &str, key: Option<&str>) -> Vec<Hit> {
        self.0.allowed.others(text, self.scan(text, key, Sink::default()).into_hits())
    }

    fn scan(&self, text: &str, key: Option<&str>, sink: Sink) -> Sink {
        let mut sink = self.scan_as_it_is(text, key, sink);
        if sink.is_full() {
            return sink;
        }
        let Some(plain) = Plain::of(text) else { return sink };
        let found = self.scan_as_it_is(&plain.text, key, sink.beside());
        sink.steps = found.steps;
        found.hits.into_iter().for_each(|hit| sink.push(plain.origin(&hit.span), hit.kind));
        sink
    }

    fn scan_as_it_is(&self, text: &str, key: Option<&str>, mut sink: Sink) -> Sink {
        let searches: [Search; 5] =
            [Choice::secrets, Choice::assignments, Choice::emails, Choice::numbers, Choice::customs];
        for search in searches {
            search(&self.0, text, key, &mut sink);
            if sink.is_full() {
                break;
            }
        }
        sink
    }
}

/// One search through a text, which may be the value of a key.
type Search = fn(&Choice, &str, Option<&str>, &mut Sink);

impl Choice {
    fn secrets(&self, text: &str, _key: Option<&str>, sink: &mut Sink) {
        self.secrets.get_or_init(|| Secrets::new(&self.kinds)).scan(text.as_bytes(), sink);
    }

    fn assignments(&self, text: &str, key: Option<&str>, sink: &mut Sink) {
        let class =
            key.filter(|_| self.kinds.contains(&Kind::Assignment)).and_then(|key| Class::of(key.as_bytes()));
        if class.is_some_and(|class| assignment::is_secret_under(text.as_bytes(), class)) {
            sink.push(0..text.len(), Kind::Assignment);
        }
        let is_header = key.is_some_and(|key| {
            key.eq_ignore_ascii_case("authorization") || key.eq_ignore_ascii_case("proxy-authorization")
        });
        if let Some(span) =
            key_of_scheme(text.as_bytes()).filter(|_| is_header && self.kinds.contains(&Kind::Bearer))
        {
            sink.push(span, Kind::Bearer);
        }
        self.assignments.get_or_init(|| Assignments::new(&self.kinds)).scan(text.as_bytes(), sink);
    }

    fn emails(&self, text: &str, _key: Option<&str>, sink: &mut Sink) {
        if self.kinds.contains(&Kind::Email) {
            email::scan(text, sink);
        }
    }

    fn numbers(&self, text: &str, key: Option<&str>, sink: &mut Sink) {
        if self.numbers.any() {
            // `v` before a number is a version's; as a key it is anything's.
            let key = key.filter(|key| key.len() > 1);
            let cues = key.map_or_else(Cues::default, |key| Cues::of(key.as_bytes()));
            number::scan(text.as_bytes(), cues, self.numbers, sink);
        }
    }

    fn customs(&self, text: &str, _key: Option<&str>, sink: &mut Sink) {
        if self.customs.is_empty() {
            return;
        }
        let marks = self.marks(text);
        for custom in &self.customs {
            custom.scan(text, &marks, sink);
            if sink.is_full() {
                return;
            }
        }
    }

    /// The marks that stand in the text already.
    fn marks(&self, text: &str) -> Vec<Range<usize>> {
        let names: BTreeSet<&str> = self
            .kinds
            .iter()
            .map(Kind::name)
            .chain(self.customs.iter().map(|custom| &*custom.name))
            .collect();
        let mark = |at: usize| {
            let name = text[at + 1..]
                .bytes()
                .take(64)
                .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
            let end = at + 1 + name.count();
            (text.as_bytes().get(end) == Some(&b']') && names.contains(&text[at + 1..end]))
                .then_some(at..end + 1)
        };
        memchr::memchr_iter(b'[', text.as_bytes()).filter_map(mark).collect()
    }
}

//! YAML to a tree: spans, budgets, no duplicate keys.

use std::fmt;

use mentci_source::{Code, Finding, Source, Span};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{DuplicateKeyPolicy, Error, Location, Options, Spanned};

use crate::tree::{Entry, Tree, Value};

/// How deep a document may nest. Each level takes some 40 KiB of stack where nothing is optimised.
const MAX_DEPTH: usize = 32;

/// How many values a document may have.
const MAX_NODES: usize = 250_000;

/// How much aliases may repeat.
const MAX_REPEATED: usize = 50_000;

/// Reads one document; the first thing that is wrong where it cannot be read.
pub(crate) fn read(source: &Source) -> Result<Tree, Finding> {
    if source.text().trim().is_empty() {
        return Ok(Tree::new(Value::Null, Span::default()));
    }
    serde_saphyr::from_str_with_options::<Tree>(source.text(), options())
        .map_err(|error| finding(source, &error))
}

fn options() -> Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: MAX_DEPTH,
            max_nodes: MAX_NODES,
            max_events: 3 * MAX_NODES,
            max_aliases: 10_000,
            max_anchors: 10_000,
            max_documents: 2,
        },
        duplicate_keys: DuplicateKeyPolicy::Error,
        strict_booleans: true,
        with_snippet: false,
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: MAX_REPEATED, max_replay_stack_depth: 32 },
    }
}

fn finding(source: &Source, error: &Error) -> Finding {
    let error = error.without_snippet();
    let location = error.location().unwrap_or(Location::UNKNOWN);
    let (message, help) = match error {
        Error::DuplicateMappingKey { key: Some(key), .. } => {
            (format!("the key `{}` stands twice", crate::tree::shown(key)), Some("keep one of them"))
        }
        Error::MultipleDocuments { .. } => (
            "the file holds more than one document".to_owned(),
            Some("put the rules into one document, without `---`"),
        ),
        // The library counts some of its limits in its scanner, and tells them in words only.
        other if matches!(other, Error::Budget { .. }) || plain(other).contains("limit exceeded") => (
            "the file holds more than is read".to_owned(),
            Some("at most 32 levels and 250,000 values are read, 50,000 of them by aliases; split the file"),
        ),
        other => (format!("this YAML does not parse: {}", plain(other)), None),
    };
    let finding = Finding::new(Code::RULE_SYNTAX, message).at(source, span(source, location));
    match help {
        Some(help) => finding.help(help),
        None => finding,
    }
}

/// The library's own words in our manner: one line, no place (ours stands before), no period.
fn plain(error: &Error) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    let line = line.strip_prefix("error: ").unwrap_or(line);
    let line = line.split(" at line ").next().unwrap_or(line);
    let mut chars = line.trim_end_matches('.').chars();
    let first = chars.next().map(|c| c.to_lowercase().to_string()).unwrap_or_default();
    first + chars.as_str()
}

/// Bytes from what the library tells; line and column where it does not tell bytes, as in errors of its scanner.
fn span(source: &Source, location: Location) -> Span {
    let bytes = location.span().byte_offset().filter(|&at| at < u64::from(u32::MAX));
    if let Some(start) = bytes {
        let start = usize::try_from(start).unwrap_or(usize::MAX).min(source.text().len());
        let length = location.span().byte_len().and_then(|length| usize::try_from(length).ok()).unwrap_or(0);
        return Span::new(start, start.saturating_add(length).min(source.text().len()));
    }
    let line = source.span_of_line(u32::try_from(location.line()).unwrap_or(u32::MAX));
    let column = usize::try_from(location.column().saturating_sub(1)).unwrap_or(0);
    let text = source.slice(line);
    let within = text.char_indices().nth(column).map_or(text.len(), |(at, _)| at);
    Span::at(line.start as usize + within)
}

/// A location as a span, before the source is at hand: bytes are always told for values.
fn value_span(location: Location) -> Span {
    let number = |n: Option<u64>| n.and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
    let start = number(location.span().byte_offset());
    Span::new(start, start + number(location.span().byte_len()))
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<Bare>::deserialize(deserializer)?;
        let mut span = value_span(spanned.referenced);
        let value = spanned.value.0;
        // A collection starts at its first sign and ends with its last item.
        match &value {
            Value::List(items) => items.iter().for_each(|item| span = span.join(item.span)),
            Value::Map(entries) => {
                for entry in entries {
                    span = span.join(entry.key_span).join(entry.value.span);
                }
            }
            _ => {}
        }
        Ok(Self { value, span })
    }
}

/// A value without its place.
struct Bare(Value);

impl<'de> Deserialize<'de> for Bare {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(BareVisitor).map(Self)
    }
}

struct BareVisitor;

impl<'de> Visitor<'de> for BareVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Int(value))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Value, E> {
        i64::try_from(value).map(Value::Int).map_err(|_| E::custom("a whole number is beyond 64 bits"))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Vec::new();
        while let Some(key) = entries.next_key::<Spanned<Bare>>()? {
            let key_span = value_span(key.referenced);
            let key = match key.value.0 {
                Value::Text(text) => text,
                Value::Int(number) => number.to_string(),
                Value::Bool(value) => value.to_string(),
                Value::Float(number) => number.to_string(),
                _ => return Err(A::Error::custom("a key must be text")),
            };
            map.push(Entry { key, key_span, value: entries.next_value()? });
        }
        Ok(Value::Map(map))
    }
}

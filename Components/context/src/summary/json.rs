//! JSON: its shape, its counts, its first and last items.

use std::fmt::Write;

use mentci_authority::respelled;
use serde::de::IgnoredAny;
use serde_json::{Number, Value};

use super::lines::{Lines, cut, many, size};
use super::sample::Sample;

/// How deep a shape is told.
const DEPTH: usize = 3;
/// How many keys of an object a shape tells.
const KEYS: usize = 12;

pub(super) fn is_json(sample: &Sample<'_>) -> bool {
    let text = sample.whole.trim();
    let is_closed =
        text.starts_with('{') && text.ends_with('}') || text.starts_with('[') && text.ends_with(']');
    is_closed && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// What stands before a number that is kept as it was written: it begins no text that anybody writes.
const SPELT: char = '\u{FDD0}';

/// The value of a text, in which each number says its digits as they were written.
pub(super) fn read(text: &str) -> serde_json::Result<Value> {
    let (mut out, mut done) = (String::new(), 0);
    for place in respelled(text) {
        let number = &text[place.clone()];
        // What is no number is left to the reader, who says so.
        if serde_json::from_str::<Number>(number).is_ok() {
            let _ = write!(out, "{}\"{SPELT}{number}\"", &text[done..place.start]);
            done = place.end;
        }
    }
    if done == 0 {
        return serde_json::from_str(text);
    }
    out.push_str(&text[done..]);
    serde_json::from_str(&out)
}

/// What a value says in short.
pub(super) fn summary(value: &Value, bytes: usize) -> Lines {
    match value {
        Value::Array(items) => list(items, bytes),
        Value::Object(map) => {
            let mut lines = Lines::under(format!("json object, {}, {}", many(map.len(), "key"), size(bytes)));
            lines.push(1, format!("shape: {}", shape(value, DEPTH)));
            for (key, value) in map {
                lines.push(rank(value), format!("{key}: {}", brief(value)));
            }
            longest_list(&mut lines, map);
            lines
        }
        leaf => Lines::under(format!("json, {}", brief(leaf))),
    }
}

fn list(items: &[Value], bytes: usize) -> Lines {
    let mut lines = Lines::under(format!("json list, {}, {}", many(items.len(), "item"), size(bytes)));
    lines.push(1, format!("shape: {}", items.first().map_or("[]".to_owned(), |item| shape(item, DEPTH))));
    ends(&mut lines, "", items);
    lines
}

/// The first and last items of a list.
fn ends(lines: &mut Lines, name: &str, items: &[Value]) {
    let mut item =
        |rank, at: usize| lines.push(rank, format!("{name}[{at}] {}", cut(&compact(&items[at], 400), 150)));
    let last = items.len().saturating_sub(1);
    (0..items.len().min(3)).for_each(|at| item(if at == 0 { 2 } else { 5 }, at));
    (last.max(3).saturating_sub(1)..items.len())
        .filter(|at| *at >= 3)
        .for_each(|at| item(if at == last { 3 } else { 6 }, at));
}

/// The items of the object's longest list.
fn longest_list(lines: &mut Lines, map: &serde_json::Map<String, Value>) {
    let lists = map.iter().filter_map(|(key, value)| Some((key, value.as_array()?)));
    // Of equally long ones the first: `max_by_key` gives the last.
    let longest = lists.rev().max_by_key(|(_, items)| items.len());
    if let Some((key, items)) = longest {
        ends(lines, key, items);
    }
}

/// Leaves first, then what is only counted.
fn rank(value: &Value) -> u8 {
    if value.is_array() || value.is_object() { 4 } else { 2 }
}

/// A value in a few words.
fn brief(value: &Value) -> String {
    match value {
        Value::Array(items) => many(items.len(), "item"),
        Value::Object(map) => many(map.len(), "key"),
        leaf => cut(&compact(leaf, 200), 80),
    }
}

/// What types a value holds, to a depth.
pub(super) fn shape(value: &Value, depth: usize) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) => "bool".to_owned(),
        Value::Number(_) => "number".to_owned(),
        Value::String(text) if text.starts_with(SPELT) => "number".to_owned(),
        Value::String(_) => "text".to_owned(),
        Value::Array(items) if depth == 0 || items.is_empty() => format!("[{}]", items.len()),
        Value::Array(items) => format!("[{} x {}]", items.len(), shape(&items[0], depth - 1)),
        Value::Object(map) if depth == 0 => format!("{{{}}}", many(map.len(), "key")),
        Value::Object(map) => {
            let part =
                |(key, value): (&String, &Value)| format!("{}: {}", cut(key, 40), shape(value, depth - 1));
            let mut parts: Vec<String> = map.iter().take(KEYS).map(part).collect();
            if map.len() > KEYS {
                parts.push(format!("{} more", map.len() - KEYS));
            }
            format!("{{{}}}", parts.join(", "))
        }
    }
}

/// A value as JSON text, of which not much more than so many bytes are written.
fn compact(value: &Value, most: usize) -> String {
    let mut out = Short { text: Vec::new(), most };
    // OK because only the end of the room ends it early, and then what is there is what is wanted.
    let _ = serde_json::to_writer(&mut out, value);
    plain(String::from_utf8_lossy(&out.text).trim_end_matches('\u{fffd}'))
}

/// With numbers as they were written in the place of the texts that hold them.
fn plain(text: &str) -> String {
    let mut parts = text.split("\"\u{FDD0}");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (number, rest) = part.split_once('"').unwrap_or((part, ""));
        out.push_str(number);
        out.push_str(rest);
    }
    out
}

/// A writer that is full at some point.
struct Short {
    text: Vec<u8>,
    most: usize,
}

impl std::io::Write for Short {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let room = self.most.saturating_sub(self.text.len()).min(bytes.len());
        self.text.extend_from_slice(&bytes[..room]);
        if room < bytes.len() { Err(std::io::ErrorKind::WriteZero.into()) } else { Ok(room) }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

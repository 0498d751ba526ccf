//! The lock file: read with care, written so that it merges well.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};

use mentci_authority::{CondensedLine, LOCK_FORMAT, NormId, RuleLock, StatementId};
use mentci_source::{Code, Finding, Source, Span};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

use crate::map::json;

/// Reads `absolute_rules.lock`. Numbers are never guessed: what cannot be read whole is refused. A norm that a merge
/// left with two numbers keeps the smaller; the other is retired.
///
/// ```
/// use mentci_compiler::read_lock;
/// use mentci_source::Source;
/// assert!(read_lock(&Source::new("absolute_rules.lock", r#"{"format": 1}"#)).is_ok());
/// let refused = read_lock(&Source::new("absolute_rules.lock", "<<<<<<< HEAD\n")).unwrap_err();
/// assert_eq!(refused.code.id(), "E0801");
/// ```
///
/// # Errors
/// - `LOCK_DAMAGED` with its place: not JSON, unknown keys, marks of an unfinished merge.
/// - `FORMAT_NEWER`: written by a newer version.
pub fn read_lock(source: &Source) -> Result<RuleLock, Finding> {
    if let Some(at) = merge_mark(source.text()) {
        let finding = Finding::new(Code::LOCK_DAMAGED, "a merge was left unfinished here")
            .help("keep the lines of both sides: a number that is given twice is sorted out by itself");
        return Err(finding.at(source, Span::at(at)));
    }
    let stored: StoredLock = match serde_json::from_str(source.text()) {
        Ok(stored) => stored,
        // What a newer version wrote may have keys that this one does not know.
        Err(error) => {
            newer_format(source, "lock", LOCK_FORMAT)?;
            return Err(damaged(source, &error));
        }
    };
    if stored.format > LOCK_FORMAT {
        return Err(newer(source.path(), "lock", u64::from(stored.format), LOCK_FORMAT));
    }
    if stored.numbers.0.iter().any(|(_, number)| *number == 0) {
        return Err(Finding::new(Code::LOCK_DAMAGED, "a rule has the number 0").in_file(source.path()));
    }
    Ok(stored.into_lock())
}

/// The lock as JSON: one norm a line, sorted, so that two branches merge line by line.
pub fn write_lock(lock: &RuleLock) -> String {
    let mut out = format!("{{\n  \"format\": {},\n  \"numbers\": {{", lock.format());
    let numbers = lock.numbers.iter().map(|(norm, number)| format!("\"{}\": {number}", norm.as_str()));
    write_lines(&mut out, numbers);
    out.push_str("},\n  \"retired\": [");
    let retired: Vec<String> = lock.retired.iter().map(u32::to_string).collect();
    out.push_str(&retired.join(", "));
    out.push_str("],\n  \"names\": [");
    write_lines(&mut out, lock.names.iter().map(|name| serde_json::Value::from(name.as_str()).to_string()));
    out.push(']');
    if !lock.lines.is_empty() {
        out.push_str(",\n  \"lines\": {");
        let lines = lock.lines.iter().map(|(id, line)| format!("\"{}\": {}", id.as_str(), json(line)));
        write_lines(&mut out, lines);
        out.push('}');
    }
    out.push_str("\n}\n");
    out
}

/// Items on lines of their own, four blanks in; nothing when there are none.
fn write_lines(out: &mut String, items: impl Iterator<Item = String>) {
    let mut any = false;
    for item in items {
        let comma = if any { "," } else { "" };
        // OK because writing to a `String` cannot fail.
        let _ = write!(out, "{comma}\n    {item}");
        any = true;
    }
    if any {
        out.push_str("\n  ");
    }
}

/// The first line that git writes into a file that it could not merge.
fn merge_mark(text: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if ["<<<<<<< ", ">>>>>>> ", "======="].iter().any(|mark| line.starts_with(mark)) {
            return Some(at);
        }
        at += line.len();
    }
    None
}

fn newer_format(source: &Source, what: &str, known: u32) -> Result<(), Finding> {
    let value: serde_json::Value =
        serde_json::from_str(source.text()).map_err(|error| damaged(source, &error))?;
    let format = value.get("format").and_then(serde_json::Value::as_u64).unwrap_or(0);
    if format > u64::from(known) {
        return Err(newer(source.path(), what, format, known));
    }
    Ok(())
}

/// The finding for a file of a newer format.
pub(crate) fn newer(path: &str, what: &str, format: u64, known: u32) -> Finding {
    Finding::new(Code::FORMAT_NEWER, format!("the {what} has format {format}, this version reads {known}"))
        .help("upgrade `policy-engine`; the file is left as it stands")
        .in_file(path)
}

fn damaged(source: &Source, error: &serde_json::Error) -> Finding {
    let line = source.span_of_line(u32::try_from(error.line()).unwrap_or(u32::MAX));
    let at = (line.start as usize + error.column().saturating_sub(1)).min(source.text().len());
    let text = error.to_string();
    let reason = text.split(" at line ").next().unwrap_or("it cannot be read").to_lowercase();
    Finding::new(Code::LOCK_DAMAGED, format!("the lock cannot be read: {reason}"))
        .help("restore it from version control, or delete it to number the rules afresh")
        .at(source, Span::at(at))
}

/// The lock as it stands in JSON, where a norm may have several numbers.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredLock {
    format: u32,
    #[serde(default)]
    numbers: Numbers,
    #[serde(default)]
    retired: BTreeSet<u32>,
    #[serde(default)]
    names: BTreeSet<String>,
    #[serde(default)]
    lines: BTreeMap<StatementId, CondensedLine>,
}

impl StoredLock {
    fn into_lock(self) -> RuleLock {
        let mut numbers: BTreeMap<NormId, u32> = BTreeMap::new();
        let mut retired = self.retired;
        for (norm, number) in self.numbers.0 {
            let kept =
                *numbers.entry(norm.clone()).and_modify(|kept| *kept = number.min(*kept)).or_insert(number);
            retired.extend((number != kept).then_some(number));
        }
        RuleLock { numbers, retired, names: self.names, lines: self.lines }
    }
}

/// The pairs of `numbers`, doubles kept.
#[derive(Default)]
struct Numbers(Vec<(NormId, u32)>);

impl<'de> Deserialize<'de> for Numbers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Numbers;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("norm ids with their numbers")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Numbers, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                pairs.sort();
                Ok(Numbers(pairs))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

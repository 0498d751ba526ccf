//! JSON values, one a line: how many, which keys, the first and the last.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use super::json::shape;
use super::lines::{Lines, many, size};
use super::sample::Sample;

/// The most keys that are counted.
const KEYS: usize = 24;

pub(super) fn is_json_lines(sample: &Sample<'_>) -> bool {
    let is_value = |line: &str| {
        let line = line.trim();
        line.starts_with(['{', '[']) && serde_json::from_str::<IgnoredAny>(line).is_ok()
    };
    sample.lines.first().is_some_and(|line| is_value(line)) && sample.mostly(90, is_value)
}

pub(super) fn summary(text: &str) -> Lines {
    let (mut count, mut keys) = (0, BTreeMap::<String, usize>::new());
    let values = || text.lines().filter(|line| !line.trim().is_empty());
    for line in values() {
        count += 1;
        let Ok(Keys(found)) = serde_json::from_str(line) else { continue };
        for key in found {
            if keys.len() < KEYS || keys.contains_key(&key) {
                *keys.entry(key).or_default() += 1;
            }
        }
    }
    let mut lines = Lines::under(format!("json lines, {}, {}", many(count, "line"), size(text.len())));
    let first = values().next().unwrap_or_default();
    if let Ok(value) = serde_json::from_str::<Value>(first) {
        lines.push(1, format!("shape: {}", shape(&value, 2)));
    }
    let keys: Vec<String> = keys.into_iter().map(|(key, count)| format!("{key} {count}")).collect();
    lines.push(4, format!("keys: {}", keys.join(", ")));
    lines.push(2, format!("first: {first}"));
    lines
        .push(3, format!("last: {}", text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default()));
    lines
}

/// The keys of an object, without its values.
struct Keys(Vec<String>);

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(KeysVisitor)
    }
}

struct KeysVisitor;

impl<'de> Visitor<'de> for KeysVisitor {
    type Value = Keys;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Keys, M::Error> {
        let mut keys = Vec::new();
        while let Some((key, IgnoredAny)) = map.next_entry()? {
            keys.push(key);
        }
        Ok(Keys(keys))
    }
}

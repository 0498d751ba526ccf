//! Where schemas stand inside of a schema.

use serde_json::{Map, Value};

/// Keywords that hold schemas by name.
const BY_NAME: &[&str] =
    &["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];
/// Keywords that hold a list of schemas.
const LISTS: &[&str] = &["allOf", "anyOf", "oneOf", "prefixItems", "items"];
/// Keywords that hold a schema.
const ONE: &[&str] = &[
    "items",
    "additionalItems",
    "additionalProperties",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contains",
    "contentSchema",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
];

/// Whether a keyword only keeps schemas that others refer to.
pub(super) fn is_definitions(key: &str) -> bool {
    matches!(key, "$defs" | "definitions")
}

/// The schemas that stand directly inside of one, each with the keyword that holds it.
pub(super) fn inside(map: &Map<String, Value>) -> impl Iterator<Item = (&str, &Value)> {
    map.iter().flat_map(|(key, value)| under(key, value).into_iter().map(move |inner| (key.as_str(), inner)))
}

fn under<'a>(key: &str, value: &'a Value) -> Vec<&'a Value> {
    match value {
        Value::Object(map) if BY_NAME.contains(&key) => map.values().collect(),
        Value::Array(items) if LISTS.contains(&key) => items.iter().collect(),
        one if ONE.contains(&key) => vec![one],
        _ => Vec::new(),
    }
}

/// As [`inside`], to change them.
pub(super) fn inside_mut(map: &mut Map<String, Value>) -> impl Iterator<Item = &mut Value> {
    map.iter_mut().flat_map(|(key, value)| under_mut(key, value))
}

fn under_mut<'a>(key: &str, value: &'a mut Value) -> Vec<&'a mut Value> {
    if ONE.contains(&key) && !value.is_array() {
        return vec![value];
    }
    match value {
        Value::Object(map) if BY_NAME.contains(&key) => map.values_mut().collect(),
        Value::Array(items) if LISTS.contains(&key) => items.iter_mut().collect(),
        _ => Vec::new(),
    }
}

//! JSON values: keys, nested values, numbers read as text.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::{Map, Value};

use crate::assignment::Class;
use crate::{Detector, Kind, ValueRedaction};

/// Values that wait, with their place in the tree: no recursion, so no depth is too deep.
pub(crate) fn redact(detector: &Detector, mut value: Value) -> ValueRedaction {
    let mut places = Places::default();
    let mut hits = Vec::new();
    let root = places.add(None, String::new());
    let mut waiting = vec![(&mut value, root, None::<Rc<str>>)];
    while let Some((value, place, key)) = waiting.pop() {
        match value {
            Value::Array(items) => {
                let options: Vec<Option<Rc<str>>> = options(items).map(|key| key.map(Rc::from)).collect();
                let inside = items.iter_mut().zip(options).enumerate();
                let inside = inside.map(|(at, (item, option))| {
                    (item, places.add(Some(place), at.to_string()), option.or_else(|| key.clone()))
                });
                let inside: Vec<_> = inside.collect();
                waiting.extend(inside.into_iter().rev());
            }
            Value::Object(map) => {
                let marked = redact_keys(detector, map);
                let named: Option<Rc<str>> = named(map).map(Rc::from);
                let inside = map.iter_mut().map(|(name, item)| {
                    let inside = places.add(Some(place), name.clone());
                    let kinds = marked.get(name).into_iter().flatten();
                    hits.extend(kinds.map(|kind| (inside, kind.clone())));
                    let named = named.clone().filter(|_| name.eq_ignore_ascii_case("value"));
                    (item, inside, named.or_else(|| Some(Rc::from(name.as_str()))))
                });
                let inside: Vec<_> = inside.collect();
                waiting.extend(inside.into_iter().rev());
            }
            leaf => {
                let kinds = redact_leaf(detector, leaf, key.as_deref());
                hits.extend(kinds.into_iter().map(|kind| (place, kind)));
            }
        }
    }
    let hits = hits.into_iter().map(|(place, kind)| (places.pointer(place), kind)).collect();
    ValueRedaction { value, hits }
}

/// Whether anything is found in the value.
pub(crate) fn has_any(detector: &Detector, value: &Value) -> bool {
    let mut waiting = vec![(value, None)];
    while let Some((value, key)) = waiting.pop() {
        match value {
            Value::Array(items) => {
                let inside = items.iter().zip(options(items));
                waiting.extend(inside.map(|(item, option)| (item, option.or(key))));
            }
            Value::Object(map) => {
                if map.keys().any(|name| detector.has_any(name)) {
                    return true;
                }
                let named = named(map);
                waiting.extend(map.iter().map(|(name, item)| {
                    let named = named.filter(|_| name.eq_ignore_ascii_case("value"));
                    (item, named.or(Some(name.as_str())))
                }));
            }
            leaf => {
                if text_of(leaf).is_some_and(|text| detector.has_any_under(&text, key)) {
                    return true;
                }
            }
        }
    }
    false
}

/// For each item the option that it is the value of: `["--password", "…"]`.
fn options(items: &[Value]) -> impl Iterator<Item = Option<&str>> {
    let before = std::iter::once(None).chain(items.iter().map(Value::as_str));
    before
        .take(items.len())
        .map(|before| before.filter(|before| before.starts_with('-') && is_secret_name(before)))
}

/// What `{"name": "DB_PASSWORD", "value": "…"}` is called.
fn named(map: &Map<String, Value>) -> Option<&str> {
    let name = |key: &&str| map.get(*key).and_then(Value::as_str);
    ["name", "Name", "key", "Key"].iter().find_map(name).filter(|name| is_secret_name(name))
}

fn is_secret_name(name: &str) -> bool {
    name.len() <= 64 && Class::of(name.as_bytes()).is_some()
}

/// What a leaf says as text; truth and null say nothing.
fn text_of(leaf: &Value) -> Option<std::borrow::Cow<'_, str>> {
    match leaf {
        Value::String(text) => Some(text.into()),
        Value::Number(number) => Some(number.to_string().into()),
        _ => None,
    }
}

fn redact_leaf(detector: &Detector, leaf: &mut Value, key: Option<&str>) -> Vec<Kind> {
    let Some(text) = text_of(leaf) else { return Vec::new() };
    let redaction = detector.redact_under(&text, key);
    // What is of a wider kind as well is told under both names.
    let kinds = redaction.hits.into_iter().flat_map(|hit| {
        let also = text.get(hit.span).and_then(|words| hit.kind.also(words));
        std::iter::once(hit.kind).chain(also)
    });
    let kinds: Vec<Kind> = kinds.collect();
    if !kinds.is_empty() {
        *leaf = Value::String(redaction.text);
    }
    kinds
}

/// Puts marks into keys; gives the keys that have some. Two keys that become the same are numbered, so that no value
/// is lost.
fn redact_keys(detector: &Detector, map: &mut Map<String, Value>) -> BTreeMap<String, Vec<Kind>> {
    let mut marked = BTreeMap::new();
    if !map.keys().any(|name| detector.has_any(name)) {
        return marked;
    }
    let mut next = 2;
    for (name, value) in std::mem::take(map) {
        let redaction = detector.redact(&name);
        let mut name = redaction.text;
        let wanted = name.len();
        while map.contains_key(&name) {
            name.truncate(wanted);
            name.push(' ');
            name.push_str(&next.to_string());
            next += 1;
        }
        if !redaction.hits.is_empty() {
            let kinds = redaction.hits.into_iter().map(|hit| hit.kind).collect();
            marked.insert(name.clone(), kinds);
        }
        map.insert(name, value);
    }
    marked
}

/// Places in a tree: each knows the one that holds it, so that a pointer is written only for a hit.
#[derive(Default)]
struct Places(Vec<(Option<usize>, String)>);

impl Places {
    fn add(&mut self, holder: Option<usize>, name: String) -> usize {
        self.0.push((holder, name));
        self.0.len() - 1
    }

    /// RFC 6901.
    fn pointer(&self, place: usize) -> String {
        let mut names = Vec::new();
        let mut at = place;
        while let (Some(holder), name) = &self.0[at] {
            names.push(name.replace('~', "~0").replace('/', "~1"));
            at = *holder;
        }
        names.iter().rev().flat_map(|name| ["/", name.as_str()]).collect()
    }
}

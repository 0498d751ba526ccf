//! Secrets whose name stands beside them, not above them: `{"name": "DB_PASSWORD", "value": "…"}`.

use mentci_detect::{Detector, Kind, ValueRedaction};
use serde_json::{Map, Value, json};

/// Keys that hold a name.
const NAMES: &[&str] = &["name", "key", "variable", "header"];

/// As the detector redacts a value, and what stands under `value` as well, by the name beside it or above it. The value is
/// no deeper than values may be: recursion is bounded.
pub(super) fn redact(detector: &Detector, mut value: Value) -> ValueRedaction {
    let mut found = Vec::new();
    walk(detector, &mut value, None, &mut String::new(), &mut found);
    let mut redacted = detector.redact_value(value);
    redacted.hits.extend(found);
    redacted
}

fn walk(
    detector: &Detector,
    value: &mut Value,
    above: Option<&str>,
    place: &mut String,
    found: &mut Vec<(String, Kind)>,
) {
    let from = place.len();
    match value {
        Value::Array(items) => {
            for (at, item) in
                items.iter_mut().enumerate().filter(|(_, item)| item.is_object() || item.is_array())
            {
                place.push('/');
                place.push_str(&at.to_string());
                walk(detector, item, above, place, found);
                place.truncate(from);
            }
        }
        Value::Object(map) => {
            let name = name_of(map).or_else(|| above.map(str::to_owned));
            for (key, item) in map.iter_mut() {
                place.push('/');
                place.push_str(&key.replace('~', "~0").replace('/', "~1"));
                if let Value::String(text) = item {
                    let name = name.as_deref().filter(|_| key.eq_ignore_ascii_case("value"));
                    let kind = secret(detector, name, text).or_else(|| login(key, text));
                    found.extend(kind.into_iter().map(|kind| {
                        *text = kind.mark();
                        // A key in which something is secret is redacted in the place as well.
                        (detector.redact(place).text, kind)
                    }));
                } else {
                    walk(detector, item, Some(key.as_str()), place, found);
                }
                place.truncate(from);
            }
        }
        _ => {}
    }
}

/// The name that an object gives its value.
fn name_of(map: &Map<String, Value>) -> Option<String> {
    let is_name = |key: &str| NAMES.iter().any(|name| name.eq_ignore_ascii_case(key));
    let name = map.iter().find(|(key, value)| is_name(key) && value.is_string());
    name.and_then(|(_, name)| name.as_str()).map(str::to_owned)
}

/// What a text is under a name, when all of it is secret there.
fn secret(detector: &Detector, name: Option<&str>, text: &str) -> Option<Kind> {
    let redacted = detector.redact_value(json!({name?: text}));
    let mut kinds = redacted.hits.into_iter().filter(|(_, kind)| *kind == Kind::Assignment);
    kinds.next().map(|(_, kind)| kind)
}

/// User and password of a header: `Authorization: Basic …`.
fn login(key: &str, text: &str) -> Option<Kind> {
    let is_header =
        key.eq_ignore_ascii_case("authorization") || key.eq_ignore_ascii_case("proxy-authorization");
    let login = text.get(..6).filter(|start| start.eq_ignore_ascii_case("basic ")).map(|_| text[6..].trim());
    let is_told = |login: &str| login.len() >= 8 && !login.contains(['[', ' ']);
    (is_header && login.is_some_and(is_told)).then_some(Kind::BasicAuthUrl)
}

//! What a schema may cost before it is built.

use serde_json::Value;

use super::Problem;

/// The longest schema, in bytes of compact JSON.
const MOST_BYTES: usize = 256 << 10;
/// The most values of a schema.
const MOST_VALUES: usize = 20_000;
/// The deepest schema.
const MOST_DEPTH: usize = 64;
/// The most patterns of a schema.
const MOST_PATTERNS: usize = 256;

/// Whether a schema is within its bounds; without recursion, so that no depth is too deep.
pub(super) fn check(schema: &Value) -> Result<(), Problem> {
    let (mut bytes, mut values, mut patterns) = (0_usize, 0, 0);
    let mut waiting = vec![(schema, 0)];
    while let Some((value, depth)) = waiting.pop() {
        values += 1;
        match value {
            Value::String(text) => bytes += text.len(),
            Value::Array(items) => waiting.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(map) => {
                bytes += map.keys().map(String::len).sum::<usize>();
                patterns += patterns_of(map);
                waiting.extend(map.values().map(|item| (item, depth + 1)));
            }
            _ => bytes += 8,
        }
        if let Some(why) = over(bytes, values, depth, patterns) {
            return Err(Problem { place: String::new(), why });
        }
    }
    Ok(())
}

/// The bound that is broken.
fn over(bytes: usize, values: usize, depth: usize, patterns: usize) -> Option<String> {
    let bounds = [
        (depth, MOST_DEPTH, "levels of nesting"),
        (bytes, MOST_BYTES, "bytes"),
        (values, MOST_VALUES, "values"),
        (patterns, MOST_PATTERNS, "patterns"),
    ];
    let broken = bounds.into_iter().find(|(there, most, _)| there > most);
    broken.map(|(_, most, what)| format!("it has more than {most} {what}"))
}

fn patterns_of(map: &serde_json::Map<String, Value>) -> usize {
    let many = map.get("patternProperties").and_then(Value::as_object).map_or(0, serde_json::Map::len);
    many + usize::from(map.get("pattern").is_some_and(Value::is_string))
}

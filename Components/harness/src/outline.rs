//! A JSON value without its long texts: its shape, for where the whole of it is too much.

use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// The longest text that stays.
const LONGEST: usize = 4_096;

/// Reads a value, each text of more than 4 KiB as an empty one; none where it does not read.
pub(crate) fn outline(bytes: &[u8]) -> Option<Value> {
    Outline.deserialize(&mut serde_json::Deserializer::from_slice(bytes)).ok()
}

struct Outline;

impl<'de> DeserializeSeed<'de> for Outline {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Outline {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(if text.len() > LONGEST { String::new() } else { text.to_owned() }))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element_seed(Outline)? {
            all.push(item);
        }
        Ok(Value::Array(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut all = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            all.insert(name, fields.next_value_seed(Outline)?);
        }
        Ok(Value::Object(all))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_shape_stays_and_long_texts_go() {
        let value = json!({"a": ["x".repeat(5_000), 1, -1, 1.5, true, null], "b": {"c": "short"}});
        let read = outline(value.to_string().as_bytes());
        assert_eq!(read, Some(json!({"a": ["", 1, -1, 1.5, true, null], "b": {"c": "short"}})));
        assert_eq!((outline(b"{\"a\": "), outline(&b"[".repeat(5_000))), (None, None));
    }
}

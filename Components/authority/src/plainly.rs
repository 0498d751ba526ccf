//! What is wrong with a JSON text, in words that are not those of the program's own types.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

/// The words of the parser, and ours.
const WORDS: &[(&str, &str)] = &[
    ("expected u64", "expected a whole number from 0 up"),
    ("expected u32", "expected a whole number from 0 up"),
    ("expected usize", "expected a whole number from 0 up"),
    ("expected i64", "expected a whole number"),
    ("expected i32", "expected a whole number"),
    ("expected f64", "expected a number"),
    ("expected a sequence", "expected a list"),
    ("invalid type: sequence", "invalid type: list"),
    ("floating point `", "number `"),
    ("integer `", "number `"),
    ("unknown variant `", "unknown word `"),
];

/// What the parser said of a JSON text, without the place.
///
/// ```
/// use mentci_authority::{Event, plainly};
/// let said = |text: &str| plainly(&serde_json::from_str::<Event>(text).unwrap_err());
/// assert_eq!(said("null"), "invalid type: null, expected a map");
/// assert_eq!(said(r#"{"event":"turn_start","turn":"3"}"#), r#"invalid type: string "3", expected a whole number from 0 up"#);
/// assert_eq!(said(r#"{"event":"turn_start","tool":["exec"]}"#), "invalid type: list, expected a map");
/// ```
pub fn plainly(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let said = said.split(" at line ").next().unwrap_or_default();
    let said = WORDS.iter().fold(said.to_owned(), |said, (word, ours)| said.replace(word, ours));
    match said.split_once("expected struct ") {
        Some((before, name)) => {
            let more = name.trim_start_matches(|c: char| c.is_alphanumeric());
            format!("{before}expected a map{}", more.split(" with ").next().unwrap_or_default())
        }
        None => said,
    }
}

/// Reads what must be a map; a list of the values in their order is none.
pub(crate) fn map<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    deserializer.deserialize_any(AMap(PhantomData))
}

struct AMap<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for AMap<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_unit<E>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_none<E>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Option<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Some)
    }
}

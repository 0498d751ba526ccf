//! JSON that every reader understands alike: of a key that stands twice one reader takes the first value and the next one the
//! last.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// Any JSON in which no key stands twice in one object. Its depth is bounded by the parser.
///
/// ```
/// use mentci_host::Unambiguous;
/// assert!(serde_json::from_str::<Unambiguous>(r#"{"a": {"x": 1}, "b": {"x": 1}}"#).is_ok());
/// let error = serde_json::from_str::<Unambiguous>(r#"{"a": 1, "a": 2}"#).unwrap_err();
/// assert!(error.to_string().starts_with("the key `a` stands twice at line 1"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unambiguous;

impl<'de> Deserialize<'de> for Unambiguous {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for Unambiguous {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self, A::Error> {
        while items.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self, A::Error> {
        let mut keys = BTreeSet::new();
        while let Some(key) = entries.next_key::<String>()? {
            let told = key.escape_debug().to_string();
            if !keys.insert(key) {
                return Err(A::Error::custom(format!("the key `{told}` stands twice")));
            }
            entries.next_value::<Self>()?;
        }
        Ok(self)
    }
}

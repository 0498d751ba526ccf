//! What an argument is, as the schemas of tools say it.

use mentci_expr::ArgPath;
use mentci_source::did_you_mean;
use serde_json::Value;

/// The words of a schema's `type`, as messages name them.
const TYPES: &[(&str, &str)] = &[
    ("string", "a string"),
    ("integer", "a whole number"),
    ("number", "a number"),
    ("boolean", "true or false"),
    ("array", "a list"),
    ("object", "a map"),
    ("null", "null"),
];

/// What a value may be: the schemas of it, of which one must fit; none where that is not known.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shape<'s>(Option<Vec<&'s Value>>);

/// A path that reaches nothing.
#[derive(Debug, PartialEq)]
pub(super) struct Nowhere {
    /// The path as far as there is something.
    pub(super) there: String,
    /// What that is.
    pub(super) is: String,
    /// The key that was meant, where that can be told.
    pub(super) meant: Option<String>,
}

impl<'s> Shape<'s> {
    pub(super) fn new(schemas: Vec<&'s Value>) -> Self {
        Self(Some(schemas))
    }

    /// What stands at the rest of a path whose first key leads here.
    pub(super) fn at(&self, path: &ArgPath) -> Result<Self, Nowhere> {
        let (mut shape, mut there) = (self.clone(), String::new());
        for (place, key) in path.keys().enumerate() {
            if place > 0 {
                shape = shape.within(&key).ok_or_else(|| shape.nowhere(&there, &key))?;
                there.push('.');
            }
            there.push_str(&key);
        }
        Ok(shape)
    }

    /// What stands under a key of it; none where nothing ever does.
    fn within(&self, key: &str) -> Option<Self> {
        let Some(schemas) = &self.0 else { return Some(Self(None)) };
        let mut reached = Vec::new();
        for schema in schemas {
            if !under(schema, key, &mut reached) {
                return Some(Self(None));
            }
        }
        (!reached.is_empty()).then_some(Self(Some(reached)))
    }

    fn nowhere(&self, there: &str, key: &str) -> Nowhere {
        let keys = self.0.iter().flatten().filter_map(|schema| schema.get("properties")?.as_object());
        let meant = did_you_mean(key, keys.flat_map(|map| map.keys().map(String::as_str)));
        let meant = meant.map(|near| format!("{there}.{near}"));
        Nowhere { there: there.to_owned(), is: self.described().unwrap_or_default(), meant }
    }

    /// The types that a value of it has, or the items of it where it is a list; none where that is not known.
    pub(super) fn values(&self) -> Option<Vec<&'s str>> {
        let mut all = Vec::new();
        for schema in self.0.as_ref()? {
            values(schema, &mut all)?;
        }
        Some(all)
    }

    /// `a string or null`.
    pub(super) fn described(&self) -> Option<String> {
        let types = self.0.as_ref()?.iter().map(|schema| types(schema)).collect::<Option<Vec<_>>>()?;
        let mut words: Vec<&str> = Vec::new();
        for name in types.into_iter().flatten() {
            let word = TYPES.iter().find(|(own, _)| *own == name).map_or(name, |(_, word)| word);
            if !words.contains(&word) {
                words.push(word);
            }
        }
        Some(words.join(" or "))
    }
}

/// The types of a schema; none where it says them in another way, or not at all.
fn types(schema: &Value) -> Option<Vec<&str>> {
    let elsewhere = ["$ref", "anyOf", "oneOf", "allOf", "if", "not"];
    if elsewhere.iter().any(|key| schema.get(key).is_some()) {
        return None;
    }
    let names = match schema.get("type")? {
        Value::String(name) => vec![name.as_str()],
        Value::Array(names) => names.iter().map(Value::as_str).collect::<Option<_>>()?,
        _ => return None,
    };
    names.iter().all(|name| TYPES.iter().any(|(known, _)| known == name)).then_some(names)
}

/// Adds what stands under a key; says whether that is known.
fn under<'s>(schema: &'s Value, key: &str, reached: &mut Vec<&'s Value>) -> bool {
    let Some(types) = types(schema) else { return false };
    types.into_iter().all(|name| match name {
        "object" => {
            let open = schema.get("additionalProperties").is_some_and(|more| *more != Value::Bool(false));
            let properties = schema.get("properties").and_then(Value::as_object);
            let Some(properties) = properties.filter(|_| !open && key != "*") else { return false };
            reached.extend(properties.get(key));
            true
        }
        "array" => {
            let Some(items) = schema.get("items").filter(|items| items.is_object()) else { return false };
            if key == "*" || key.parse::<i64>().is_ok() {
                reached.push(items);
                return true;
            }
            under(items, key, reached)
        }
        _ => true,
    })
}

fn values<'s>(schema: &'s Value, all: &mut Vec<&'s str>) -> Option<()> {
    for name in types(schema)? {
        all.push(name);
        if name == "array" {
            values(schema.get("items").filter(|items| items.is_object())?, all)?;
        }
    }
    Some(())
}

//! A key that stands twice in one object of JSON: one reader takes the first, the next takes the last.

use std::collections::BTreeSet;

use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use mentci_source::Finding;

/// The finding with the place of the first key that stands twice, as `unfit` makes it of words; none where no key does, or
/// where the text cannot be read.
pub(crate) fn twice(text: &str, unfit: impl FnOnce(&str) -> Finding) -> Option<Finding> {
    let read = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default()).ok()?;
    let (key, at) = first(&read.value?)?;
    let (line, column) = place(text, at);
    let mut finding = unfit(&format!("the key `{}` stands twice in one object", key.escape_debug()));
    (finding.line, finding.column) = (Some(line), Some(column));
    Some(finding)
}

/// The key that stands a second time, and where.
fn first(value: &Value<'_>) -> Option<(String, usize)> {
    match value {
        Value::Object(object) => {
            let mut seen = BTreeSet::new();
            object.properties.iter().find_map(|property| {
                let name = property.name.as_str();
                let again = !seen.insert(name);
                again.then(|| (name.to_owned(), property.start())).or_else(|| first(&property.value))
            })
        }
        Value::Array(array) => array.elements.iter().find_map(first),
        _ => None,
    }
}

/// Line and column of a byte, from 1.
pub(crate) fn place(text: &str, at: usize) -> (u32, u32) {
    let before = text.get(..at.min(text.len())).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use mentci_source::Code;

    use super::*;

    #[test]
    fn the_second_of_two_keys_is_named_where_it_stands() {
        for (text, said) in [
            (r#"{"hooks": {}, "hooks": {}}"#, Some("1:15 the key `hooks` stands twice in one object")),
            (
                "{\"a\": [\n  {\"b\": 1, \"\\u0062\": 2}]}",
                Some("2:12 the key `b` stands twice in one object"),
            ),
            ("{\"a\": 1, // \"a\": 2\n \"b\": {\"a\": 1}}", None),
            ("{", None),
        ] {
            let finding = twice(text, |what| Finding::new(Code::HARNESS_SETTINGS, what.to_owned()));
            let told = finding.map(|finding| {
                format!("{}:{} {}", finding.line.unwrap_or(0), finding.column.unwrap_or(0), finding.message)
            });
            assert_eq!(told.as_deref(), said, "{text}");
        }
    }
}

//! TOML to a tree.

use mentci_source::{Code, Finding, Source, Span};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::tree::{Entry, Tree, Value};

const WELL_FORMED: &str = "write a table as `[name]`, a field as `key = \"value\"`, and each text in quotes";

/// Reads a document; everything that is wrong where it cannot be read.
pub(crate) fn read(source: &Source) -> Result<Tree, Vec<Finding>> {
    let (root, errors) = DeTable::parse_recoverable(source.text());
    let mut findings: Vec<Finding> = errors
        .iter()
        .map(|error| {
            let span = error.span().map_or_else(Span::default, |range| Span::new(range.start, range.end));
            let words = error.message().lines().collect::<Vec<_>>().join("; ");
            let message = format!("this TOML does not parse: {words}");
            Finding::new(Code::RULE_SYNTAX, message).help(WELL_FORMED).at(source, span)
        })
        .collect();
    let tree = table(source, root.get_ref(), span(&root), &mut findings);
    if findings.is_empty() { Ok(tree) } else { Err(findings) }
}

fn span<T>(spanned: &Spanned<T>) -> Span {
    Span::new(spanned.span().start, spanned.span().end)
}

/// The library sorts keys by name; their places tell their order.
fn table(source: &Source, table: &DeTable<'_>, around: Span, findings: &mut Vec<Finding>) -> Tree {
    let mut entries: Vec<Entry> = table
        .iter()
        .map(|(key, value)| Entry {
            key: key.get_ref().to_string(),
            key_span: span(key),
            value: self::value(source, value, findings),
        })
        .collect();
    entries.sort_by_key(|entry| entry.key_span.start);
    let whole = entries.iter().fold(around, |whole, entry| whole.join(entry.value.span));
    Tree::new(Value::Map(entries), whole)
}

fn value(source: &Source, spot: &Spanned<DeValue<'_>>, findings: &mut Vec<Finding>) -> Tree {
    let place = span(spot);
    let value = match spot.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => Value::Int(number),
            Err(_) => beyond(source, place, findings),
        },
        DeValue::Float(number) => match number.as_str().parse::<f64>() {
            Ok(number) if number.is_finite() => Value::Float(number),
            _ => beyond(source, place, findings),
        },
        DeValue::Boolean(value) => Value::Bool(*value),
        DeValue::Datetime(moment) => Value::Text(moment.to_string()),
        DeValue::Array(items) => {
            Value::List(items.iter().map(|item| self::value(source, item, findings)).collect())
        }
        DeValue::Table(inner) => return table(source, inner, place, findings),
    };
    Tree::new(value, place)
}

fn beyond(source: &Source, place: Span, findings: &mut Vec<Finding>) -> Value {
    let finding = Finding::new(Code::RULE_VALUE, "this number is beyond 64 bits, or none");
    findings.push(finding.help("write a smaller number, or a text in quotes").at(source, place));
    Value::Null
}

//! Values as text: one line, canonical, read the same by every EDN reader.

use std::fmt;

use super::{Node, Value};

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// One line; entries and items in the order they stand.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nil => f.write_str("nil"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::String(text) => write_string(f, text),
            Self::Char(value) => write_char(f, *value),
            Self::Symbol(name) => f.write_str(name),
            Self::Keyword(name) => write!(f, ":{name}"),
            Self::Integer(value) => write!(f, "{value}"),
            Self::BigInteger(digits) => write!(f, "{digits}N"),
            Self::Float(value) => write_float(f, *value),
            Self::Decimal(digits) => write!(f, "{digits}M"),
            Self::List(items) => write_items(f, "(", items, ")"),
            Self::Vector(items) => write_items(f, "[", items, "]"),
            Self::Set(set) => write_items(f, "#{", set.items(), "}"),
            Self::Map(map) => write_entries(f, map.entries()),
            Self::Tagged(tag, node) => write!(f, "#{tag} {node}"),
        }
    }
}

/// A string with its quotes.
///
/// ```
/// use mentci_reader::edn::quoted;
/// assert_eq!(quoted("say \"no\"\n"), r#""say \"no\"\n""#);
/// assert_eq!(quoted("caf\u{e9} \u{200b}"), "\"caf\u{e9} \u{200b}\"");
/// ```
pub fn quoted(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

/// Writes a string with its quotes and only the escapes that every EDN reader knows: `\"`, `\\`, `\n`, `\r`, `\t`.
/// Everything else stands as it is.
pub fn write_string(out: &mut impl fmt::Write, text: &str) -> fmt::Result {
    out.write_char('"')?;
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            _ => continue,
        };
        out.write_str(&text[plain..at])?;
        out.write_str(escape)?;
        plain = at + 1;
    }
    out.write_str(&text[plain..])?;
    out.write_char('"')
}

fn write_items(f: &mut fmt::Formatter<'_>, open: &str, items: &[Node], close: &str) -> fmt::Result {
    f.write_str(open)?;
    for (index, item) in items.iter().enumerate() {
        let gap = if index == 0 { "" } else { " " };
        write!(f, "{gap}{item}")?;
    }
    f.write_str(close)
}

fn write_entries(f: &mut fmt::Formatter<'_>, entries: &[(Node, Node)]) -> fmt::Result {
    f.write_str("{")?;
    for (index, (key, value)) in entries.iter().enumerate() {
        let gap = if index == 0 { "" } else { ", " };
        write!(f, "{gap}{key} {value}")?;
    }
    f.write_str("}")
}

/// A character by its EDN name, as itself when it prints, else as `\uXXXX`.
fn write_char(f: &mut fmt::Formatter<'_>, value: char) -> fmt::Result {
    match value {
        '\n' => f.write_str("\\newline"),
        '\r' => f.write_str("\\return"),
        ' ' => f.write_str("\\space"),
        '\t' => f.write_str("\\tab"),
        '!'..='~' if value != ',' => write!(f, "\\{value}"),
        value if value.is_alphanumeric() || (value as u32) > 0xFFFF => write!(f, "\\{value}"),
        value => write!(f, "\\u{:04x}", value as u32),
    }
}

/// The shortest digits that read back the same, always with a point or an exponent.
fn write_float(f: &mut fmt::Formatter<'_>, value: f64) -> fmt::Result {
    if value.is_nan() {
        f.write_str("##NaN")
    } else if value.is_infinite() {
        f.write_str(if value > 0.0 { "##Inf" } else { "##-Inf" })
    } else {
        write!(f, "{value:?}")
    }
}

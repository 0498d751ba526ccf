//! A layer from a TOML file.

use mentci_source::{Code, Finding, Source, Span};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::pairs::{choice_of, list_of, number_of, share_of, text_of, unknown_key, wrong_value};
use super::{KEYS, Key, Kind, Layer, Place, Setting};

impl Layer {
    /// Reads `mentci.toml` or its kin. Never fails: what cannot be read is a finding with its place, the rest holds.
    pub fn from_toml(source: &Source) -> Self {
        let mut layer = Self::default();
        match DeTable::parse(source.text()) {
            Ok(table) => layer.read_table(source, "", table.get_ref()),
            Err(error) => layer.findings.push(syntax(source, &error)),
        }
        layer.findings.sort_by_key(|finding| (finding.line, finding.column));
        layer
    }

    fn read_table(&mut self, source: &Source, above: &str, table: &DeTable<'_>) {
        for (name, value) in table {
            let path = format!("{above}{}", name.get_ref());
            if let Some(key) = Key::find(&path) {
                self.read_value(source, key, value);
            } else if let (DeValue::Table(table), true) = (value.get_ref(), is_table(&path)) {
                self.read_table(source, &format!("{path}."), table);
            } else {
                let place = Place::File(source.clone(), span_of(name));
                self.findings.push(unknown_key(&path, &place));
            }
        }
    }

    fn read_value(&mut self, source: &Source, key: &'static Key, value: &Spanned<DeValue<'_>>) {
        let place = Place::File(source.clone(), span_of(value));
        match from_value(key, value.get_ref()) {
            Some(setting) => drop(self.settings.insert(key.name, (setting, place))),
            None => self.findings.push(wrong_value(key, source.slice(span_of(value)), &place)),
        }
    }
}

fn is_table(path: &str) -> bool {
    KEYS.iter().any(|key| key.name.strip_prefix(path).is_some_and(|rest| rest.starts_with('.')))
}

fn span_of<T>(spanned: &Spanned<T>) -> Span {
    Span::new(spanned.span().start, spanned.span().end)
}

fn syntax(source: &Source, error: &toml::de::Error) -> Finding {
    let span = error.span().map_or(Span::at(0), |span| Span::new(span.start, span.end));
    let message =
        error.message().lines().next().unwrap_or("this is not TOML").trim_end_matches('.').to_owned();
    Finding::new(Code::CONFIG_SYNTAX, message)
        .help("nothing of this file holds, and the digests stand still, until it is TOML")
        .at(source, span)
}

fn from_value(key: &Key, value: &DeValue<'_>) -> Option<Setting> {
    match (key.kind, value) {
        (Kind::Number(..), DeValue::Integer(number)) => {
            let digits = number.as_str().replace('_', "");
            u64::from_str_radix(&digits, number.radix()).ok().and_then(|number| number_of(key, number))
        }
        (Kind::Share(_), DeValue::Float(share)) => {
            share.as_str().replace('_', "").parse().ok().and_then(|share| share_of(key, share))
        }
        (Kind::Share(_), DeValue::Integer(share)) => {
            share.as_str().parse().ok().and_then(|share| share_of(key, share))
        }
        (Kind::Choice(_), DeValue::String(name)) => choice_of(key, name),
        (Kind::Text, DeValue::String(text)) => text_of(text),
        (Kind::Globs | Kind::Names(_) | Kind::Texts, DeValue::Array(items)) => {
            let texts = items.iter().map(|item| match item.get_ref() {
                DeValue::String(text) => Some(text.to_string()),
                _ => None,
            });
            texts.collect::<Option<Vec<_>>>().and_then(|texts| list_of(key, texts))
        }
        _ => None,
    }
}

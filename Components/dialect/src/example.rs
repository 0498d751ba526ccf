//! How a field is rightly written, in the dialect of the file.

use crate::Dialect;
use crate::fields::File;

/// Values by the first words of what a field takes, as YAML, TOML and EDN write them alike.
const VALUES: &[(&str, &str)] = &[
    ("`true` or `false`", "true"),
    ("a whole number", "10"),
    ("a number", "0.5"),
    ("text", "\"…\""),
    ("a version", "\"1.0\""),
    ("seconds", "60"),
    ("bytes", "\"16 MB\""),
    ("a list of texts", "[\"a\", \"b\"]"),
    ("a list with something in it", "[\"a\", \"b\"]"),
    ("a list of tools", "[\"read_secrets\"]"),
    ("a name, a pattern", "[\"exec\", \"write_*\"]"),
    ("an expression", "\"turn_index > 5\""),
];

impl File<'_> {
    /// How `key` is given what it wants, where that is one line.
    pub(crate) fn example(&self, key: &str, wanted: &str) -> Option<String> {
        let value = match wanted {
            "a list of rules" | "a vector of rules" => format!("[{}]", self.rule()),
            "a list of conditions" | "a list of events" => format!("[{}]", self.map(&[("tool", "\"exec\"")])),
            "a map with something in it" => self.map(&[("key", "\"value\"")]),
            "a map of values" => self.map(&[("limit", "5")]),
            "a map of names and regular expressions" => self.map(&[("ticket", "\"T-[0-9]+\"")]),
            _ if wanted.starts_with("a map of parameters") => {
                self.map(&[("limit", &self.map(&[("min", "1")]))])
            }
            _ if wanted.starts_with("a list of steps") => format!("[{}]", self.step()),
            _ => {
                let known = VALUES.iter().find(|(start, _)| wanted.starts_with(start));
                known.map(|(_, value)| (*value).to_owned())?
            }
        };
        self.written(key, &value)
    }

    /// ``write `key: value` ``. An attribute of ChatMD holds no list and no map.
    pub(crate) fn written(&self, key: &str, value: &str) -> Option<String> {
        let is_plain = key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_plain || key.is_empty() {
            return None;
        }
        let field = match self.dialect {
            Dialect::Yaml => format!("{key}: {value}"),
            Dialect::Toml => format!("{key} = {value}"),
            Dialect::Edn => format!(":{} {value}", key.replace('_', "-")),
            Dialect::Chatmd if value.starts_with(['[', '{']) => return None,
            Dialect::Chatmd => format!("{key}=\"{}\"", value.trim_matches('"')),
        };
        Some(format!("write `{field}`"))
    }

    /// A map on one line; in ChatMD they are JSON.
    pub(crate) fn map(&self, fields: &[(&str, &str)]) -> String {
        let fields = fields.iter().map(|(key, value)| match self.dialect {
            Dialect::Yaml => format!("{key}: {value}"),
            Dialect::Toml => format!("{key} = {value}"),
            Dialect::Edn => format!(":{} {value}", key.replace('_', "-")),
            Dialect::Chatmd => format!("\"{key}\": {value}"),
        });
        format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
    }

    /// A rule on one line.
    pub(crate) fn rule(&self) -> String {
        self.map(&[
            ("id", "\"no-shell\""),
            ("when", &self.map(&[("tool", "\"exec\"")])),
            ("then", "\"block\""),
        ])
    }

    /// A step of a chain.
    pub(crate) fn step(&self) -> String {
        match self.dialect {
            Dialect::Chatmd => "<step tool=\"fetch\" within_seconds=\"60\"/>".to_owned(),
            _ => self.map(&[("tool", "\"fetch\""), ("within_seconds", "60")]),
        }
    }
}

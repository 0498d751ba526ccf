//! A tag while it is written.

use mentci_authority::NamePattern;
use mentci_chatmd::quoted;
use serde_json::{Value as Json, json};

/// The longest line that a tag takes before each attribute gets its own.
const LINE: usize = 100;

/// A tag's name and attributes.
pub(super) struct Tag {
    pub(super) name: &'static str,
    attributes: Vec<String>,
}

impl Tag {
    pub(super) fn new(name: &'static str) -> Self {
        Self { name, attributes: Vec::new() }
    }

    pub(super) fn say(&mut self, name: &str, value: &str) {
        self.attributes.push(format!("{name}={}", quoted(value)));
    }

    pub(super) fn say_some(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.say(name, value);
        }
    }

    pub(super) fn say_true(&mut self, name: &str, value: bool) {
        if value {
            self.say(name, "true");
        }
    }

    pub(super) fn say_list(&mut self, name: &str, values: &[String]) {
        self.say(name, &list(values));
    }

    pub(super) fn is_bare(&self) -> bool {
        self.attributes.is_empty()
    }

    /// Up to where `>` stands: on one line, or with an attribute on each.
    pub(super) fn begin(&self, indent: usize) -> String {
        let pad = " ".repeat(indent);
        let mut words = vec![self.name];
        words.extend(self.attributes.iter().map(String::as_str));
        let one_line = format!("{pad}<{}", words.join(" "));
        if one_line.chars().count() <= LINE || self.attributes.len() < 2 {
            return one_line;
        }
        let next = format!("\n{}", " ".repeat(indent + self.name.len() + 2));
        format!("{pad}<{} {}", self.name, self.attributes.join(&next))
    }

    pub(super) fn open(&self, indent: usize, out: &mut String) {
        out.push_str(&self.begin(indent));
        out.push_str(">\n");
    }

    pub(super) fn close(&self, indent: usize, out: &mut String) {
        out.push_str(&self.begin(indent));
        out.push_str("/>\n");
    }
}

/// `</name>`
pub(super) fn end(name: &str, indent: usize, out: &mut String) {
    out.push_str(&" ".repeat(indent));
    out.push_str("</");
    out.push_str(name);
    out.push_str(">\n");
}

/// Texts with commas between them; as JSON where one holds a comma, or space at its ends.
pub(super) fn list(values: &[String]) -> String {
    let plain = |value: &String| !value.is_empty() && value.trim() == value && !value.contains(',');
    let joined = values.join(",");
    if !values.is_empty() && values.iter().all(plain) && !joined.starts_with('[') {
        joined
    } else {
        Json::from(values).to_string()
    }
}

/// Patterns as `tool` takes them: one as it is where its kind is what it looks like, otherwise as JSON.
pub(super) fn patterns(patterns: &[NamePattern]) -> String {
    if let [pattern] = patterns
        && is_plain(pattern)
        && !pattern.text().starts_with(['[', '{'])
    {
        return pattern.text().to_owned();
    }
    let items: Vec<Json> = patterns.iter().map(pattern).collect();
    match <[Json; 1]>::try_from(items) {
        Ok([one @ Json::Object(_)]) => one.to_string(),
        Ok(one) => Json::from(one.to_vec()).to_string(),
        Err(items) => Json::from(items).to_string(),
    }
}

fn is_plain(pattern: &NamePattern) -> bool {
    let text = pattern.text();
    text.trim() == text && !text.is_empty() && NamePattern::classify(text) == *pattern
}

fn pattern(pattern: &NamePattern) -> Json {
    match pattern {
        pattern if is_plain(pattern) => json!(pattern.text()),
        NamePattern::Exact(text) => json!({ "exact": text }),
        NamePattern::Glob(text) => json!({ "glob": text }),
        NamePattern::Regex(text) => json!({ "regex": text }),
    }
}

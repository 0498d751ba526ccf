//! A map's fields, taken one by one: what nobody takes is unknown.

use mentci_source::{Code, Finding, Source, Span, did_you_mean};

use crate::gate::Gates;
use crate::tree::{Entry, Tree, Value, shown};
use crate::{Dialect, OriginHint};

/// One file while it is read: where findings are gathered.
pub(crate) struct File<'a> {
    pub(crate) source: &'a Source,
    pub(crate) dialect: Dialect,
    pub(crate) origin: &'a OriginHint,
    pub(crate) findings: Vec<Finding>,
    pub(crate) gates: Gates,
}

impl<'a> File<'a> {
    pub(crate) fn new(source: &'a Source, dialect: Dialect, origin: &'a OriginHint) -> Self {
        Self { source, dialect, origin, findings: Vec::new(), gates: Gates::default() }
    }

    /// Notes what is wrong, at its bytes, with what its code advises.
    pub(crate) fn find(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.findings.push(Finding::new(code, message).at(self.source, span));
    }

    /// The same, with what to do just here.
    pub(crate) fn advise(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.findings.push(Finding::new(code, message).help(help).at(self.source, span));
    }

    /// A value that is not what its key takes.
    pub(crate) fn wrong(&mut self, what: &str, wanted: &str, tree: &Tree) {
        let message = format!("`{}` must be {wanted}, not {}", shown(what), tree.described());
        let example = self.example(what, wanted);
        self.say(Code::RULE_VALUE, tree.span, message, example);
    }

    /// Notes what is wrong; where nothing special is known to help, what the code advises.
    pub(crate) fn say(&mut self, code: Code, span: Span, message: impl Into<String>, help: Option<String>) {
        match help {
            Some(help) => self.advise(code, span, message, help),
            None => self.find(code, span, message),
        }
    }

    /// A word that is none of those that are known.
    pub(crate) fn unknown_word(&mut self, what: &str, tree: &Tree, known: &[&str]) {
        let message = format!("`{}` cannot be {}", shown(what), tree.described());
        let word = tree.as_text().unwrap_or_default().to_ascii_lowercase();
        let near = did_you_mean(&word, known.iter().copied());
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("it is one of {}", listed(known)),
        };
        self.advise(Code::RULE_VALUE, tree.span, message, help);
    }
}

/// `` `a`, `b`, `c` ``
pub(crate) fn listed(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// Longer lists of keys are no help.
const FEW: usize = 14;

/// The fields of one map.
pub(crate) struct Fields<'t> {
    entries: Vec<Option<&'t Entry>>,
    asked: Vec<&'static str>,
    /// What the map is, in messages: `a rule`.
    pub(crate) what: &'static str,
    pub(crate) span: Span,
}

impl<'t> Fields<'t> {
    /// The fields of a map; a finding where it is none.
    pub(crate) fn of(file: &mut File<'_>, what: &'static str, tree: &'t Tree) -> Option<Self> {
        if let Value::Map(entries) = &tree.value {
            Some(Self::of_entries(what, entries, tree.span))
        } else {
            let message = format!("{what} must be a map, not {}", tree.described());
            let help = format!("write its keys and their values: `{}`", file.map(&[("key", "\"value\"")]));
            file.advise(Code::RULE_VALUE, tree.span, message, help);
            None
        }
    }

    pub(crate) fn of_entries(what: &'static str, entries: &'t [Entry], span: Span) -> Self {
        Self { entries: entries.iter().map(Some).collect(), asked: Vec::new(), what, span }
    }

    /// Takes a field out.
    pub(crate) fn take(&mut self, key: &'static str) -> Option<&'t Entry> {
        self.asked.push(key);
        let at = self.entries.iter().position(|entry| entry.is_some_and(|entry| entry.key == key))?;
        self.entries[at].take()
    }

    /// Takes a field that has several names; a finding where two of them stand.
    pub(crate) fn take_any(&mut self, file: &mut File<'_>, keys: &[&'static str]) -> Option<&'t Entry> {
        let mut found: Option<&'t Entry> = None;
        for &key in keys {
            let Some(entry) = self.take(key) else { continue };
            if let Some(first) = found {
                let message = format!("`{}` and `{}` are the same field", first.key, entry.key);
                file.advise(Code::RULE_KEY, entry.key_span, message, "keep one of them");
            }
            found = found.or(Some(entry));
        }
        found
    }

    /// Whether a field is there and not taken yet.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.entries.iter().flatten().any(|entry| entry.key == key)
    }

    /// What nobody took yet.
    pub(crate) fn left(&self) -> impl Iterator<Item = &'t Entry> {
        self.entries.iter().filter_map(|entry| *entry)
    }

    /// What is left, in order of the file, with the name under which it is known, or not.
    pub(crate) fn rest(&mut self) -> Vec<&'t Entry> {
        self.entries.iter_mut().filter_map(Option::take).collect()
    }

    /// Makes a finding of every field that nobody took; `elsewhere` tells where such a key belongs.
    pub(crate) fn close(mut self, file: &mut File<'_>, elsewhere: impl Fn(&str) -> Option<String>) {
        for entry in self.rest() {
            let near = did_you_mean(&entry.key, self.asked.iter().copied());
            let help = elsewhere(&entry.key)
                .or_else(|| near.map(|near| format!("did you mean `{near}`?")))
                .or_else(|| {
                    (self.asked.len() <= FEW).then(|| format!("{} has {}", self.what, listed(&self.asked)))
                });
            let message = format!("{} has no key `{}`", self.what, shown(&entry.key));
            file.say(Code::RULE_KEY, entry.key_span, message, help);
        }
    }

    pub(crate) fn text(&mut self, file: &mut File<'_>, keys: &[&'static str]) -> Option<String> {
        let entry = self.take_any(file, keys)?;
        text(file, &entry.key, &entry.value)
    }

    pub(crate) fn flag(&mut self, file: &mut File<'_>, keys: &[&'static str]) -> Option<bool> {
        let entry = self.take_any(file, keys)?;
        if let Value::Bool(value) = &entry.value.value {
            Some(*value)
        } else {
            file.wrong(&entry.key, "`true` or `false`", &entry.value);
            None
        }
    }

    pub(crate) fn int(&mut self, file: &mut File<'_>, keys: &[&'static str]) -> Option<i64> {
        let entry = self.take_any(file, keys)?;
        if let Value::Int(number) = &entry.value.value {
            Some(*number)
        } else {
            file.wrong(&entry.key, "a whole number", &entry.value);
            None
        }
    }

    /// A whole number from `least`.
    pub(crate) fn count(&mut self, file: &mut File<'_>, keys: &[&'static str], least: u32) -> Option<u32> {
        let entry = self.take_any(file, keys)?;
        count(file, &entry.key, &entry.value, least)
    }

    /// A whole number from `least`, as large as a file can say.
    pub(crate) fn whole(&mut self, file: &mut File<'_>, keys: &[&'static str], least: u64) -> Option<u64> {
        let entry = self.take_any(file, keys)?;
        whole(file, &entry.key, &entry.value, least)
    }

    /// Texts: a list of them, or one.
    pub(crate) fn texts(&mut self, file: &mut File<'_>, keys: &[&'static str]) -> Option<Vec<String>> {
        let entry = self.take_any(file, keys)?;
        texts(file, &entry.key, &entry.value)
    }

    /// A word of a table.
    pub(crate) fn word<T: Copy>(
        &mut self,
        file: &mut File<'_>,
        keys: &[&'static str],
        table: &[(&'static str, T)],
    ) -> Option<T> {
        let entry = self.take_any(file, keys)?;
        word(file, &entry.key, &entry.value, table)
    }
}

pub(crate) fn text(file: &mut File<'_>, key: &str, tree: &Tree) -> Option<String> {
    if let Value::Text(text) = &tree.value {
        return Some(text.clone());
    }
    let message = format!("`{}` must be text, not {}", shown(key), tree.described());
    match tree.value {
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => {
            file.advise(Code::RULE_VALUE, tree.span, message, "put it in quotes");
        }
        _ => {
            let example = file.example(key, "text");
            file.say(Code::RULE_VALUE, tree.span, message, example);
        }
    }
    None
}

pub(crate) fn texts(file: &mut File<'_>, key: &str, tree: &Tree) -> Option<Vec<String>> {
    match &tree.value {
        Value::List(items) => {
            let all: Vec<Option<String>> = items.iter().map(|item| text(file, key, item)).collect();
            all.into_iter().collect()
        }
        _ => Some(vec![text(file, key, tree)?]),
    }
}

pub(crate) fn count(file: &mut File<'_>, key: &str, tree: &Tree, least: u32) -> Option<u32> {
    if let Value::Int(number) = tree.value
        && let Ok(number) = u32::try_from(number)
        && number >= least
    {
        return Some(number);
    }
    file.wrong(key, &format!("a whole number from {least} to {}", u32::MAX), tree);
    None
}

pub(crate) fn whole(file: &mut File<'_>, key: &str, tree: &Tree, least: u64) -> Option<u64> {
    let number = if let Value::Int(number) = tree.value { u64::try_from(number).ok() } else { None };
    let number = number.filter(|&number| number >= least);
    if number.is_none() {
        file.wrong(key, &format!("a whole number from {least}"), tree);
    }
    number
}

pub(crate) fn word<T: Copy>(
    file: &mut File<'_>,
    key: &str,
    tree: &Tree,
    table: &[(&'static str, T)],
) -> Option<T> {
    let found = tree.as_text().and_then(|text| {
        let text = text.trim().replace('-', "_");
        table.iter().find(|(name, _)| name.eq_ignore_ascii_case(&text)).map(|(_, value)| *value)
    });
    if found.is_none() {
        let known: Vec<&str> = table.iter().map(|(name, _)| *name).collect();
        file.unknown_word(key, tree, &known);
    }
    found
}

//! An event, as far as rules are passed over by it.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};

use mentci_authority::Event;
use serde_json::Value;

use super::{Of, bytes};

/// What an event shows of its commands and files.
#[derive(Debug)]
pub(crate) struct Sight<'e> {
    event: &'e Event,
    /// All texts in small letters; none where one of them is not ASCII.
    texts: OnceCell<Option<String>>,
    /// What fields are and hold, where there are many to look through.
    fields: RefCell<HashMap<(Of, String), HashSet<&'e str>>>,
}

/// So many are looked through for each question; of more, what a field holds is gathered once.
const FEW: usize = 16;

impl<'e> Sight<'e> {
    /// None where commands and files are not what they always are, so that a guard may fault at them.
    pub(crate) fn of(event: &'e Event) -> Option<Self> {
        let fit = |of: Of, values: &[Value]| values.iter().all(|value| of.fits(value));
        let is_plain =
            event.unread.is_none() && fit(Of::Commands, &event.commands) && fit(Of::Files, &event.files);
        is_plain.then(|| Self { event, texts: OnceCell::new(), fields: RefCell::default() })
    }

    /// Whether what a guard needs is there. What does not read needs nothing.
    pub(crate) fn shows(&self, needed: &[u8]) -> bool {
        bytes::look(needed, self)
    }

    fn all(&self, of: Of) -> &'e [Value] {
        match of {
            Of::Commands => &self.event.commands,
            Of::Files => &self.event.files,
        }
    }

    pub(super) fn has_any(&self, of: Of) -> bool {
        !self.all(of).is_empty()
    }

    /// Whether a field of one of them is this text, or holds it.
    pub(super) fn has(&self, of: Of, field: &str, text: &str) -> bool {
        let all = self.all(of);
        if all.len() > FEW {
            return self.gathered(of, field, text);
        }
        all.iter().any(|one| match one.get(field) {
            Some(Value::String(own)) => own == text,
            Some(Value::Array(items)) => items.iter().any(|item| item == text),
            Some(Value::Object(map)) => map.contains_key(text),
            _ => false,
        })
    }

    fn gathered(&self, of: Of, field: &str, text: &str) -> bool {
        let mut fields = self.fields.borrow_mut();
        let texts = fields.entry((of, field.to_owned())).or_insert_with(|| {
            let mut texts = HashSet::new();
            for value in self.all(of).iter().filter_map(|one| one.get(field)) {
                match value {
                    Value::String(own) => texts.extend([own.as_str()]),
                    Value::Array(items) => texts.extend(items.iter().filter_map(Value::as_str)),
                    Value::Object(map) => texts.extend(map.keys().map(String::as_str)),
                    _ => {}
                }
            }
            texts
        });
        texts.contains(text)
    }

    /// Whether these small letters stand somewhere.
    pub(super) fn holds(&self, letters: &str) -> bool {
        let texts = self.texts.get_or_init(|| {
            let mut texts = Vec::new();
            let all = self.event.commands.iter().chain(&self.event.files);
            all.for_each(|value| gather(value, &mut texts));
            if self.event.commands.len() > FEW {
                // Each has the folder that it runs in.
                let mut seen = HashSet::new();
                texts.retain(|text| seen.insert(*text));
            }
            let mut texts = texts.into_iter().flat_map(|text| [text, "\n"]).collect::<String>();
            texts.make_ascii_lowercase();
            texts.is_ascii().then_some(texts)
        });
        texts.as_ref().is_none_or(|texts| texts.contains(letters))
    }
}

/// Every text of a value. What came of text nests no deeper than its reader goes.
fn gather<'e>(value: &'e Value, texts: &mut Vec<&'e str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(items) => items.iter().for_each(|item| gather(item, texts)),
        Value::Object(map) => map.values().for_each(|item| gather(item, texts)),
        _ => {}
    }
}

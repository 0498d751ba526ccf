//! What the workspace's map says of a source while no line of the digest rests on it, written once: of a thousand skills
//! most are pointers, and a save moves one of them.

use mentci_authority::{MapSource, Omission, OmissionReason};
use mentci_source::{Source, Span};

use crate::cover::{omit, trimmed};
use crate::map::{json, map_omission};

/// A source and all of its text, as the map states them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Remainder {
    /// All of the text for want of room; none when it is blank.
    pub(crate) omission: Option<Omission>,
    /// The source, as JSON.
    pub(crate) source: Box<str>,
    /// The omission, as JSON.
    pub(crate) omitted: Box<str>,
}

impl Remainder {
    /// All of `source`.
    pub(crate) fn of(source: &Source) -> Self {
        let whole = trimmed(source, Span::new(0, source.text().len()));
        let omission = whole.map(|whole| omit(source, whole, OmissionReason::Budget));
        let item = omission.as_ref().map(map_omission);
        Self {
            source: json(&map_source(source)).into(),
            omitted: item.map_or_else(String::new, |item| json(&item)).into(),
            omission,
        }
    }
}

/// A source, as a map lists it.
pub(crate) fn map_source(source: &Source) -> MapSource {
    MapSource { path: source.path().clone(), hash: source.hash() }
}

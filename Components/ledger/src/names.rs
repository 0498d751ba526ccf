//! Tools by number, so that a call is a few bytes.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use mentci_source::Hash;
use serde::{Deserialize, Serialize};

/// The tools that the session saw, numbered in the order of their first appearance.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Arc<str>>", into = "Vec<Arc<str>>")]
pub(crate) struct Names {
    numbers: BTreeMap<Arc<str>, usize>,
    names: Vec<Arc<str>>,
}

/// Longer names, which no honest tool has, are kept as their start and their hash.
const MAX_BYTES: usize = 256;

impl Names {
    /// The number of a tool that was seen.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.numbers.get(key(name).as_ref()).copied()
    }

    /// The number of a tool, a new one when it was never seen.
    pub(crate) fn number(&mut self, name: &str) -> usize {
        let key = key(name);
        if let Some(number) = self.numbers.get(key.as_ref()) {
            return *number;
        }
        let name: Arc<str> = key.as_ref().into();
        let number = self.names.len();
        self.names.push(name.clone());
        self.numbers.insert(name, number);
        number
    }

    /// Every name, by number.
    pub(crate) fn all(&self) -> &[Arc<str>] {
        &self.names
    }
}

fn key(name: &str) -> Cow<'_, str> {
    if name.len() <= MAX_BYTES {
        return Cow::Borrowed(name);
    }
    let hash = Hash::of("mentci tool", [name.as_bytes()]);
    Cow::Owned(format!("{}#{hash}", crate::excerpt::cut(name, MAX_BYTES / 2)))
}

impl From<Vec<Arc<str>>> for Names {
    fn from(names: Vec<Arc<str>>) -> Self {
        let numbers = names.iter().enumerate().map(|(number, name)| (name.clone(), number)).collect();
        Self { numbers, names }
    }
}

impl From<Names> for Vec<Arc<str>> {
    fn from(names: Names) -> Self {
        names.names
    }
}

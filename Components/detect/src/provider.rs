//! Whose keys are known by their prefix.

use crate::key::KEYS;

/// A provider's kind of key. Several prefixes may share one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Provider(pub(crate) &'static str);

impl Provider {
    /// `AWS_KEY`.
    pub fn name(self) -> &'static str {
        self.0
    }

    /// Every provider, each once, in the order of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        let is_first = |at: usize| at == 0 || KEYS[at - 1].name != KEYS[at].name;
        KEYS.iter().enumerate().filter(move |(at, _)| is_first(*at)).map(|(_, key)| Self(key.name))
    }
}

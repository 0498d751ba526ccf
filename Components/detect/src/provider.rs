//! Whose keys are known by their prefix.

/// A provider's kind of key: a row of the table. Several prefixes may share one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Provider(&'static str);

impl Provider {
    /// `AWS_KEY`.
    pub fn name(self) -> &'static str {
        self.0
    }

    /// Every provider, each once.
    pub fn all() -> impl Iterator<Item = Self> {
        ["AWS_KEY", "GITHUB_TOKEN"].into_iter().map(Self)
    }
}

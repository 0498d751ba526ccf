//! Patterns of the user's own.

/// A pattern of the user's own: a name for its mark and a regular expression (the syntax of the `regex` crate, which
/// has no look-around and no back-references and so stays linear).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Custom {
    /// What stands in the mark: upper case letters, digits and `_`, at most 64.
    pub name: String,
    /// The pattern; what it matches is replaced.
    pub regex: String,
}

/// Why a custom pattern was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CustomError {
    /// The name cannot stand in a mark.
    #[error("the name `{0}` cannot stand in a mark: use letters, digits and `_`, at most 64")]
    Name(String),
    /// The regular expression is malformed, too large, or not linear.
    #[error("the pattern `{name}` is refused: {reason}")]
    Regex {
        /// The pattern's name.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// It matches the empty text, so it would find something everywhere.
    #[error("the pattern `{0}` matches the empty text")]
    Empty(String),
}

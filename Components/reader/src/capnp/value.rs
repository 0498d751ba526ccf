//! A default, a constant's or an annotation's value.

use mentci_source::Span;

/// A value as it is written. What it means depends on its type, which may be in another file; so it is kept as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Literal {
    /// The text as written, with runs of blanks and comments made one blank.
    pub text: String,
    /// Its bytes.
    pub span: Span,
}

//! What each stretch of a schema's text belongs to, for a coverage map.

use mentci_source::Span;

/// A stretch of text without a comment in it. Pieces stand in order, do not overlap, and cover every byte that is not
/// blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Its bytes, from its first to its last character that is not blank.
    pub span: Span,
    /// What it belongs to.
    pub subject: Subject,
}

/// What a piece of text belongs to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A struct, enum or interface: its index in [`Schema::types`](super::Schema::types).
    Type(usize),
    /// `@0x…;`
    FileId,
    /// `using …;`
    Using,
    /// `const …;`
    Const,
    /// `annotation …;`
    AnnotationDeclaration,
    /// An annotation on the file: `$Cxx.namespace("x");`
    FileAnnotation,
    /// A doc comment of the type with this index.
    Docs(usize),
    /// Any other comment.
    Comment,
    /// Text that did not parse; a finding says why.
    Unread,
}

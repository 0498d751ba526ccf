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
    /// A type, constant or annotation declaration: its index in [`Schema::types`](super::Schema::types).
    Type(usize),
    /// `@0x…;`
    FileId,
    /// `using …;`
    Using,
    /// An annotation on the file: `$Cxx.namespace("x");`
    FileAnnotation,
    /// A doc comment of the type with this index, or of one of its members.
    Docs(usize),
    /// Any other comment.
    Comment,
    /// Text that did not parse; a finding says why.
    Unread,
}

/// Lays tokens and comments out in order, and joins neighbours of one subject.
pub(super) fn pieces(tokens: &[(Span, Subject)], comments: &[(Span, Subject)]) -> Vec<Piece> {
    let mut all: Vec<(Span, &Subject, bool)> = Vec::with_capacity(tokens.len() + comments.len());
    all.extend(tokens.iter().map(|(span, subject)| (*span, subject, true)));
    all.extend(comments.iter().map(|(span, subject)| (*span, subject, false)));
    all.sort_unstable_by_key(|&(span, ..)| span);
    let mut pieces: Vec<Piece> = Vec::new();
    let mut joins = false;
    for (span, subject, is_token) in all {
        match pieces.last_mut() {
            Some(last) if joins && is_token && last.subject == *subject => last.span = last.span.join(span),
            _ => pieces.push(Piece { span, subject: subject.clone() }),
        }
        joins = is_token;
    }
    pieces
}

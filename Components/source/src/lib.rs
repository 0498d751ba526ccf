//! Text, place, hash and findings: what every reader hands upwards.
//!
//! A [`Source`] is one file's text under its workspace-relative path. A [`Span`] is a range of its bytes,
//! a [`Place`] the line and column that a person sees. A [`Finding`] says what is odd at a place, under a
//! stable [`Code`] that `policy-engine explain` explains. A [`Hash`] names content.
//!
//! Knows nothing about files, formats or rules.

mod advice;
mod code;
mod encoding;
mod finding;
mod hash;
mod hidden;
mod place;
mod source;
mod suggest;

pub use code::{CODES, Code, CodeEntry};
pub use encoding::{is_utf16, not_text};
pub use finding::{Finding, Reading, Severity};
pub use hash::Hash;
pub use hidden::{is_hidden, is_invisible};
pub use place::{LineIndex, Place, Span};
pub use source::{MAX_SOURCE_BYTES, Source};
pub use suggest::did_you_mean;

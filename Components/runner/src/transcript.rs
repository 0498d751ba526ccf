//! The document while it grows.

mod journal;
mod words;

pub(crate) use journal::Journal;
pub(crate) use words::{RESERVED, Said, body_value, is_reply, is_reserved, is_user};

//! The ChatMD document: what a prompt, a transcript and its rules are written in.
//!
//! - Reading: text to a [`Document`] of [`Node`]s that hold every byte of it, never failing ([`Document::read`]).
//! - Asking: a [`Block`]'s [`Element`], its [`Attribute`]s, its text without fences and entities, who wrote it.
//! - Law: the `<rules>` and `<policy>` that count stand in the [`head`](Document::head); elsewhere they are inert.
//! - Declarations: the settings, tools and imports of the head, typed ([`Declarations`]); what a text embeds ([`Embedded`]).
//! - Checking: calls and answers ([`Calls`]), and what a reader would silently pass over ([`check()`]).
//! - Writing: [`Block::new`] fences what it is given, so that no text forges a block; [`Document::print`], [`Document::format`].
//!
//! Knows nothing about what a rule means: `dialect` reads the law's blocks. The format stands in
//! `Library/specs/chatmd-rules.md`.

mod attribute;
mod block;
mod document;
mod element;

mod calls;
mod check;
mod declared;
mod decoded;
mod entity;
mod fence;
mod findings;
mod tag;

mod format;
mod read;
mod structure;
mod write;

pub use attribute::{Attribute, Quote};
pub use block::{Block, Body, Node, Passage};
pub use calls::Calls;
pub use check::{KnownTools, check};
pub use declared::{
    BUILTIN_TOOLS, CommandError, Config, Declarations, Embedded, McpServer, ReasoningEffort, Reference,
    ToolDeclaration, ToolKind, command_words,
};
pub use decoded::Decoded;
pub use document::Document;
pub use element::Element;
pub use write::{body_text, quoted};

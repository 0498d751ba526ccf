//! Four rule syntaxes, one rule type.
//!
//! - Reading: a [`Source`](mentci_source::Source) in any [`Dialect`] to a [`RuleSet`](mentci_authority::RuleSet) or to
//!   findings; never to half a set ([`read()`]).
//! - Asking what a file that does not read would have gated, as far as it can be told ([`gates()`]).
//! - Printing: a rule set to a dialect's canonical text, or to what that dialect cannot say ([`print()`]).
//! - Formatting: a file to its canonical text, where nothing of it would be lost ([`format()`]).
//! - Reading a plugin's manifest: a source to a [`Plugin`](mentci_authority::Plugin) ([`read_plugin`]), under which its rules
//!   are read ([`read_in`]).
//!
//! Conditions on arguments, session, sender, facts and time become expressions, so that a rule compares equal whatever
//! the dialect that it was written in. What each dialect says, field by field, stands in `Library/specs/dialects.md`.
//!
//! Touches no files: what a file includes is handed in by a loader.

mod format;
mod gate;
mod plugin;
mod print;
mod read;

mod example;
mod fields;
mod lower;
mod syntax;
mod tree;

mod chatmd;

pub use format::format;
pub use gate::{Gate, Gates, gates};
pub use lower::gather::beside;
pub use mentci_authority::Dialect;
pub use plugin::read_plugin;
pub use print::{Unsayable, print};
pub use read::{Loader, OriginHint, read, read_in};

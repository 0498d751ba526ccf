//! EDN: values with spans, a printer, and edits that leave every other byte alone.
//!
//! [`read`] gives a [`Document`]: the top-level forms with a byte span for every value, the comments, and what `#_`
//! discards. Files are never printed back from values: an edit is spliced into the text ([`append_to_vector`],
//! [`set_key`], [`replace_value`], [`remove_key`], [`remove_entry`]), so that comments, order and layout stay.
//!
//! Why not a reader from the registry: `Library/design/edn-reader.md`.

mod collection;
mod frame;
mod print;
mod reader;
mod splice;
mod token;
mod value;

pub use collection::{Map, Set};
pub use print::{quoted, write_string};
pub use reader::{Document, MAX_DEPTH, read};
pub use splice::{append_to_vector, remove_entry, remove_key, replace_value, set_key};
pub use value::{Node, Value};

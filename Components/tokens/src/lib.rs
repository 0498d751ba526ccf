//! Token counts behind one trait, loaded lazily.
//!
//! [`Tokenizer`] is what the budget asks. [`O200k`] counts as recent models do: ASCII text and a few signs by what lies in the program;
//! its tables (25 MB) are loaded at the first count that needs them. [`Bytes`] never loads anything: a text has at most as many tokens as bytes. [`for_model`] knows which model counts how. [`Memo`]
//! remembers counts by the text's hash, for lines that are counted at every compile.
//!
//! Knows nothing about rules or files.

mod ascii;
mod memo;
mod model;
mod o200k;
mod rough;
mod slice;
mod tokenizer;

pub use memo::Memo;
pub use model::{ModelTokenizer, for_model};
pub use o200k::{O200k, o200k};
pub use rough::Rough;
pub use tokenizer::{Bytes, Tokenizer};

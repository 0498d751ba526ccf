//! Cap'n Proto schema text: our own lexer and recursive-descent parser, with spans and recovery.
//!
//! [`read`] gives a [`Schema`]: every declaration with its span and doc comments, [`Schema::types`] with one line a
//! type, and [`Schema::pieces`], which accounts for every byte that is not blank. No `capnp` tool is needed.

mod declaration;
mod lexer;
mod parser;
mod piece;
mod schema;
mod shape;
mod token;
mod types;
mod value;

pub use declaration::{Annotation, Body, Declaration, Docs, Member, MemberKind, Method, Parameters};
pub use parser::{MAX_DEPTH, read};
pub use piece::{Piece, Subject};
pub use schema::{Schema, TypeFact, TypeKind};
pub use types::TypeName;
pub use value::Literal;

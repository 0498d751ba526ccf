//! Cap'n Proto schema text: our own lexer and recursive-descent parser, with spans and recovery.
//!
//! [`read`] gives a [`Schema`]: every declaration with its span and doc comments, [`Schema::types`] with one line
//! each, and [`Schema::pieces`], which accounts for every byte that is not blank. No `capnp` tool is needed.

mod declaration;
mod duplicate;
mod lexer;
mod member;
mod parser;
mod piece;
mod reader;
mod schema;
mod shape;
mod statement;
mod types;
mod unknown;

pub use declaration::{Annotation, Body, Declaration, Docs, Literal, Member, MemberKind, Method, Parameters};
pub use parser::MAX_DEPTH;
pub use piece::{Piece, Subject};
pub use reader::read;
pub use schema::{Schema, TypeFact, TypeKind};
pub use types::{TypeName, TypePart};

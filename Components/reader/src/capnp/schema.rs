//! One file's declarations.

use mentci_source::Span;

use super::{Annotation, Declaration, Piece};

/// What one `.capnp` file declares.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Schema {
    /// `@0x…;`
    pub id: Option<u64>,
    /// Annotations on the file.
    pub annotations: Vec<Annotation>,
    /// The declarations, in order.
    pub declarations: Vec<Declaration>,
    /// The structs, enums, interfaces, constants and annotation declarations, nested ones too, in the order they stand.
    pub types: Vec<TypeFact>,
    /// The files that it imports, in the order of their first mention, each once.
    pub imports: Vec<String>,
    /// What each stretch of text belongs to.
    pub pieces: Vec<Piece>,
}

/// A struct, enum, interface, constant or annotation declaration in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeFact {
    /// The name with the names around it: `Outer.Inner`.
    pub name: String,
    /// What it is.
    pub kind: TypeKind,
    /// One line: `DaemonStatus{version:Text, uptime:UInt64}`, `Color(red|green)`, `Foo.bar(x:Text)->(y:Bool)`,
    /// `const limit:UInt32=5`, `annotation label(field):Text`.
    pub shape: String,
    /// The names of its fields, enumerants or methods, those in unions and groups too, in the order they stand.
    pub members: Vec<String>,
    /// Its bytes, with the types inside.
    pub span: Span,
    /// Its doc comment's bytes.
    pub docs: Vec<Span>,
}

/// What a [`TypeFact`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeKind {
    /// `struct`.
    Struct,
    /// `enum`.
    Enum,
    /// `interface`.
    Interface,
    /// `const`.
    Const,
    /// `annotation`.
    Annotation,
}

impl Schema {
    /// One line a type, in the order they stand, each ending in a line break.
    pub fn shape(&self) -> String {
        self.types.iter().flat_map(|fact| [fact.shape.as_str(), "\n"]).collect()
    }
}

//! What a schema declares.

use mentci_source::Span;

use super::TypeName;

/// A declaration: its name, what it is, and where it and its comments stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    /// The name as declared; for `using import "x.capnp".Y` the name that it brings in.
    pub name: String,
    /// The bytes of the name.
    pub name_span: Span,
    /// From its first word to its closing `}` or `;`.
    pub span: Span,
    /// The id, if written: `struct Foo @0x…`.
    pub id: Option<u64>,
    /// Generic parameters, as in `Map(Key, Value)`.
    pub parameters: Vec<String>,
    /// Annotations on it: `$name(value)`.
    pub annotations: Vec<Annotation>,
    /// Its doc comment.
    pub docs: Docs,
    /// What it is.
    pub body: Body,
    /// The declarations inside, in order.
    pub nested: Vec<Declaration>,
}

/// What a declaration is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// `struct`: fields, unions and groups in order.
    Struct(Vec<Member>),
    /// `enum`: enumerants in order; each is a [`MemberKind::Enumerant`].
    Enum(Vec<Member>),
    /// `interface`, with what it extends.
    Interface {
        /// `extends(A, B)`.
        extends: Vec<TypeName>,
        /// The methods in order.
        methods: Vec<Method>,
    },
    /// `const name :Type = value;`
    Const {
        /// Its type.
        of: TypeName,
        /// Its value.
        value: Literal,
    },
    /// `annotation name(targets) :Type;`
    Annotation {
        /// What it may stand on; `*` for everything.
        targets: Vec<String>,
        /// The type of its value.
        of: TypeName,
    },
    /// `using Name = target;` or `using import "x.capnp".Name;`
    Using(TypeName),
}

/// A doc comment: the `#` lines right after what they document, as Cap'n Proto has it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Docs {
    /// The text, one line each, without `#` and one blank.
    pub text: String,
    /// Each comment's bytes, from `#` to the end of its line.
    pub spans: Vec<Span>,
}

/// A field, union, group or enumerant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its name; empty for an unnamed union.
    pub name: String,
    /// Its bytes, to its closing `}` or `;`.
    pub span: Span,
    /// `@n`, if written.
    pub ordinal: Option<u64>,
    /// Annotations on it.
    pub annotations: Vec<Annotation>,
    /// Its doc comment.
    pub docs: Docs,
    /// What it is.
    pub kind: MemberKind,
}

/// What a member is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemberKind {
    /// A field: `name @0 :Type = default;`
    Field {
        /// Its type.
        of: TypeName,
        /// Its default, if written.
        default: Option<Literal>,
    },
    /// `union { … }` or `name :union { … }`.
    Union(Vec<Member>),
    /// `name :group { … }`.
    Group(Vec<Member>),
    /// One name of an enum.
    Enumerant,
}

/// A method of an interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method {
    /// Its name.
    pub name: String,
    /// Its bytes, to `;`.
    pub span: Span,
    /// `@n`.
    pub ordinal: Option<u64>,
    /// Generic parameters, as in `foo @0 [T] (…)`.
    pub generics: Vec<String>,
    /// What it takes.
    pub takes: Parameters,
    /// What it gives; none when no `->` is written.
    pub gives: Option<Parameters>,
    /// Annotations on it.
    pub annotations: Vec<Annotation>,
    /// Its doc comment.
    pub docs: Docs,
}

/// The parameters or results of a method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parameters {
    /// `(name :Type, …)`: each is a [`MemberKind::Field`].
    Listed(Vec<Member>),
    /// A struct that holds them: `foo @0 Request -> Response`.
    Named(TypeName),
    /// `-> stream`.
    Stream,
}

/// An annotation in use: `$name(value)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotation {
    /// What it names, as in `Cxx.namespace`.
    pub name: TypeName,
    /// Its value, if written.
    pub value: Option<Literal>,
    /// Its bytes, from `$`.
    pub span: Span,
}

/// A default, a constant's or an annotation's value, as it is written. What it means depends on its type, which may be
/// in another file; so it is kept as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Literal {
    /// The text as written, with runs of blanks and comments made one blank.
    pub text: String,
    /// Its bytes.
    pub span: Span,
}

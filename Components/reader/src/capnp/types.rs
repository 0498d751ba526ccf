//! A type as it is written, and its one-line form.

use std::fmt;

use mentci_source::Span;

/// A name with arguments where a type, a parent or an annotation is meant: `Text`, `List(Foo.Bar)`,
/// `import "x.capnp".Map(Text, Data).Entry`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TypeName {
    /// The file of `import "…"` (or `embed "…"`), if it starts there.
    pub import: Option<String>,
    /// The parts between dots; a leading `.` (the file's own scope) is an empty first part.
    pub parts: Vec<TypePart>,
    /// Its bytes.
    pub span: Span,
}

/// One part of a dotted name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypePart {
    /// The name.
    pub name: String,
    /// Its arguments, as in `List(Text)`; a name in front of an argument (`Key = Text`) is dropped.
    pub arguments: Vec<TypeName>,
}

/// As in a shape: `List(Foo.Bar)`; an import shows its file's names only.
impl fmt::Display for TypeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.parts.is_empty() {
            return write!(f, "import \"{}\"", self.import.as_deref().unwrap_or_default());
        }
        let parts = self.parts.iter().filter(|part| !part.name.is_empty());
        for (index, part) in parts.enumerate() {
            let dot = if index == 0 { "" } else { "." };
            write!(f, "{dot}{}", part.name)?;
            write_arguments(f, &part.arguments)?;
        }
        Ok(())
    }
}

fn write_arguments(f: &mut fmt::Formatter<'_>, arguments: &[TypeName]) -> fmt::Result {
    for (index, argument) in arguments.iter().enumerate() {
        let gap = if index == 0 { "(" } else { ", " };
        write!(f, "{gap}{argument}")?;
    }
    if arguments.is_empty() { Ok(()) } else { f.write_str(")") }
}

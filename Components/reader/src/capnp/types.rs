//! A type as it is written, and its one-line form.

use std::fmt;

use mentci_source::Span;

use super::Annotation;
use super::lexer::TokenKind;
use super::parser::{Parser, Step};

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

impl Parser<'_> {
    /// A dotted name with arguments, or an import.
    pub(super) fn type_name(&mut self) -> Step<TypeName> {
        let start = self.at;
        let mut name = TypeName::default();
        if matches!(self.next(), "import" | "embed") && self.kind(1) == Some(TokenKind::String) {
            name.import = Some(self.imported());
        } else if self.next() == "." {
            name.parts.push(TypePart { name: String::new(), arguments: Vec::new() });
        } else {
            name.parts.push(self.type_part()?);
        }
        while self.take(".") {
            name.parts.push(self.type_part()?);
        }
        name.span = self.since(start);
        Ok(name)
    }

    /// Takes `import "file"`, and keeps the file among the imports, once.
    fn imported(&mut self) -> String {
        let is_import = self.next() == "import";
        let file = self.ahead(1).trim_matches(['"', '`']).to_owned();
        self.at += 2;
        if is_import && !self.schema.imports.contains(&file) {
            self.schema.imports.push(file.clone());
        }
        file
    }

    fn type_part(&mut self) -> Step<TypePart> {
        let (name, _) = self.word("a type")?;
        let arguments = if self.next() == "(" { self.type_arguments()? } else { Vec::new() };
        Ok(TypePart { name, arguments })
    }

    fn type_arguments(&mut self) -> Step<Vec<TypeName>> {
        self.enter()?;
        self.expect("(")?;
        let mut arguments = Vec::new();
        while self.next() != ")" {
            if self.ahead(1) == "=" {
                self.at += 2;
            }
            arguments.push(self.type_name()?);
            if !self.take(",") {
                break;
            }
        }
        self.expect(")")?;
        self.leave();
        Ok(arguments)
    }

    /// Annotations in use: `$name(value) $other`.
    pub(super) fn annotations(&mut self) -> Step<Vec<Annotation>> {
        let mut annotations = Vec::new();
        while self.next() == "$" {
            annotations.push(self.annotation()?);
        }
        Ok(annotations)
    }

    fn annotation(&mut self) -> Step<Annotation> {
        let start = self.at;
        self.expect("$")?;
        let name_start = self.at;
        let mut name = TypeName::default();
        if self.next() == "import" && self.kind(1) == Some(TokenKind::String) {
            name.import = Some(self.imported());
            self.expect(".")?;
        }
        let mut value = None;
        loop {
            self.take(".");
            let (part, _) = self.word("an annotation's name")?;
            name.parts.push(TypePart { name: part, arguments: Vec::new() });
            name.span = self.since(name_start);
            if self.next() == "(" {
                let value_start = self.at;
                self.skip_brackets()?;
                value = Some(self.literal_since(value_start));
            }
            if self.next() != "." {
                return Ok(Annotation { name, value, span: self.since(start) });
            }
        }
    }
}

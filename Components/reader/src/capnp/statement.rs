//! Declarations: structs, enums, interfaces, constants, annotations, `using`.

use mentci_source::{Code, Finding, Span};

use super::lexer::TokenKind;
use super::parser::{MAX_FINDINGS, Parser, Step};
use super::{Annotation, Body, Declaration, Docs, Member, Method, Subject, TypeName};

/// The parts that stand before a declaration's block.
struct Head {
    start: usize,
    /// Names the type until types are numbered.
    first_byte: usize,
    name: String,
    name_span: Span,
    id: Option<u64>,
    parameters: Vec<String>,
}

/// What a block may hold besides declarations.
enum Inside<'m> {
    Members(&'m mut Vec<Member>),
    Enumerants(&'m mut Vec<Member>),
    Methods(&'m mut Vec<Method>),
}

impl Parser<'_> {
    /// Every statement of the file.
    pub(super) fn file(&mut self) {
        while self.at < self.tokens.len() {
            let start = self.at;
            if let Err(fault) = self.file_statement() {
                self.depth = 0;
                self.recover(start, fault);
            }
            if self.at == start {
                // A bracket that closes nothing.
                self.at += 1;
                self.own(start, &Subject::Unread);
            }
        }
    }

    fn file_statement(&mut self) -> Step<()> {
        let start = self.at;
        match self.next() {
            "@" => {
                self.schema.id = self.ordinal()?;
                self.semicolon()?;
                self.own(start, &Subject::FileId);
            }
            "$" => {
                let annotations = self.annotations()?;
                self.schema.annotations.extend(annotations);
                self.semicolon()?;
                self.own(start, &Subject::FileAnnotation);
            }
            ";" => {
                self.at += 1;
                self.own(start, &Subject::Unread);
            }
            _ if self.declares() => {
                let declaration = self.declaration()?;
                self.schema.declarations.push(declaration);
            }
            _ => return Err(self.expected("a declaration")),
        }
        Ok(())
    }

    /// Whether a declaration starts here. Its words are names elsewhere: `struct @0 :Text` is a field.
    pub(super) fn declares(&self) -> bool {
        let name_follows = self.kind(1) == Some(TokenKind::Word);
        match self.next() {
            "struct" | "enum" | "interface" | "const" | "annotation" => name_follows,
            "using" => name_follows || self.ahead(1) == ".",
            _ => false,
        }
    }

    /// A declaration, with what it nests.
    pub(super) fn declaration(&mut self) -> Step<Declaration> {
        match self.next() {
            "struct" => self.structure(),
            "enum" => self.enumeration(),
            "interface" => self.interface(),
            "const" => self.constant(),
            "annotation" => self.annotation_declaration(),
            _ => self.using(),
        }
    }

    fn structure(&mut self) -> Step<Declaration> {
        let head = self.head("a struct's name")?;
        let annotations = self.annotations()?;
        let index = head.first_byte;
        let (mut members, mut nested) = (Vec::new(), Vec::new());
        let docs = self.block(index, &mut nested, Inside::Members(&mut members))?;
        Ok(self.finish(head, annotations, docs, Body::Struct(members), nested))
    }

    fn enumeration(&mut self) -> Step<Declaration> {
        let head = self.head("an enum's name")?;
        let annotations = self.annotations()?;
        let index = head.first_byte;
        let (mut members, mut nested) = (Vec::new(), Vec::new());
        let docs = self.block(index, &mut nested, Inside::Enumerants(&mut members))?;
        Ok(self.finish(head, annotations, docs, Body::Enum(members), nested))
    }

    fn interface(&mut self) -> Step<Declaration> {
        let head = self.head("an interface's name")?;
        let extends = if self.take("extends") { self.parents()? } else { Vec::new() };
        let annotations = self.annotations()?;
        let index = head.first_byte;
        let (mut methods, mut nested) = (Vec::new(), Vec::new());
        let docs = self.block(index, &mut nested, Inside::Methods(&mut methods))?;
        Ok(self.finish(head, annotations, docs, Body::Interface { extends, methods }, nested))
    }

    /// `(A, B)` behind `extends`.
    fn parents(&mut self) -> Step<Vec<TypeName>> {
        self.expect("(")?;
        let mut parents = Vec::new();
        while self.next() != ")" {
            parents.push(self.type_name()?);
            if !self.take(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(parents)
    }

    fn constant(&mut self) -> Step<Declaration> {
        let head = self.head("a constant's name")?;
        self.expect(":")?;
        let of = self.type_name()?;
        self.expect("=")?;
        let value = self.literal()?;
        let annotations = self.annotations()?;
        let index = head.first_byte;
        self.semicolon()?;
        let docs = self.docs(Some(index));
        Ok(self.finish(head, annotations, docs, Body::Const { of, value }, Vec::new()))
    }

    fn annotation_declaration(&mut self) -> Step<Declaration> {
        let head = self.head_without_parameters("an annotation's name")?;
        let targets = self.targets()?;
        self.expect(":")?;
        let of = self.type_name()?;
        let annotations = self.annotations()?;
        let index = head.first_byte;
        self.semicolon()?;
        let docs = self.docs(Some(index));
        Ok(self.finish(head, annotations, docs, Body::Annotation { targets, of }, Vec::new()))
    }

    /// `(field, enumerant)` or `(*)`.
    fn targets(&mut self) -> Step<Vec<String>> {
        self.expect("(")?;
        let mut targets = Vec::new();
        while self.next() != ")" {
            let target = if self.take("*") { "*".to_owned() } else { self.word("what it may stand on")?.0 };
            targets.push(target);
            if !self.take(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(targets)
    }

    /// `using Name = target;` or `using target;`, which brings in the target's last name.
    fn using(&mut self) -> Step<Declaration> {
        let start = self.at;
        self.expect("using")?;
        let mut name = None;
        if self.kind(0) == Some(TokenKind::Word) && self.ahead(1) == "=" {
            name = Some(self.word("a name")?);
            self.expect("=")?;
        }
        let target = self.type_name()?;
        let last = target.parts.last().map(|part| part.name.clone()).unwrap_or_default();
        let (name, name_span) = name.unwrap_or((last, target.span));
        let annotations = self.annotations()?;
        self.semicolon()?;
        self.own(start, &Subject::Using);
        let span = self.since(start);
        let (docs, body) = (self.docs(None), Body::Using(target));
        let (id, parameters, nested) = (None, Vec::new(), Vec::new());
        Ok(Declaration { name, name_span, span, id, parameters, annotations, docs, body, nested })
    }

    /// The declaration's word, its name, id and generic parameters.
    fn head(&mut self, what: &str) -> Step<Head> {
        let mut head = self.head_without_parameters(what)?;
        if self.next() == "(" {
            self.at += 1;
            head.parameters = self.names(")")?;
        }
        if head.id.is_none() {
            head.id = self.ordinal()?;
        }
        Ok(head)
    }

    fn head_without_parameters(&mut self, what: &str) -> Step<Head> {
        let (start, first_byte) = (self.at, self.here().start as usize);
        self.at += 1;
        let (name, name_span) = self.word(what)?;
        let id = self.ordinal()?;
        Ok(Head { start, first_byte, name, name_span, id, parameters: Vec::new() })
    }

    /// Names between commas, up to `close`.
    pub(super) fn names(&mut self, close: &str) -> Step<Vec<String>> {
        let mut names = Vec::new();
        while self.next() != close {
            names.push(self.word("a parameter's name")?.0);
            if !self.take(",") {
                break;
            }
        }
        self.expect(close)?;
        Ok(names)
    }

    /// `{ … }`: declarations into `nested`, the rest as `inside` says. Gives the doc comment behind `{`, else behind
    /// `}`.
    fn block(&mut self, index: usize, nested: &mut Vec<Declaration>, mut inside: Inside<'_>) -> Step<Docs> {
        self.enter()?;
        let opener = self.here();
        if !self.take("{") {
            return Err(self.expected("`{`"));
        }
        let docs = self.docs(Some(index));
        let depth = self.depth;
        while !matches!(self.next(), "" | "}") {
            let start = self.at;
            if let Err(fault) = self.statement(index, nested, &mut inside) {
                self.depth = depth;
                self.recover(start, fault);
            }
        }
        self.close_block(opener);
        self.leave();
        Ok(if docs.spans.is_empty() { self.docs(Some(index)) } else { docs })
    }

    /// Takes `}`; when the text ends without it, says where the block opened.
    pub(super) fn close_block(&mut self, opener: Span) {
        if !self.take("}") && self.findings.len() < MAX_FINDINGS {
            let finding = Finding::new(Code::CAPNP_SYNTAX, "`{` is never closed")
                .help("put a `}` where its block ends")
                .at(self.source, opener);
            self.findings.push(finding);
        }
    }

    fn statement(
        &mut self,
        index: usize,
        nested: &mut Vec<Declaration>,
        inside: &mut Inside<'_>,
    ) -> Step<()> {
        if self.declares() {
            nested.push(self.declaration()?);
            return Ok(());
        }
        match inside {
            Inside::Members(members) => members.push(self.member(index, nested)?),
            Inside::Enumerants(members) => members.push(self.enumerant(index)?),
            Inside::Methods(methods) => methods.push(self.method(index)?),
        }
        Ok(())
    }

    fn finish(
        &mut self,
        head: Head,
        annotations: Vec<Annotation>,
        docs: Docs,
        body: Body,
        nested: Vec<Declaration>,
    ) -> Declaration {
        self.own(head.start, &Subject::Type(head.first_byte));
        let span = self.since(head.start);
        let Head { name, name_span, id, parameters, .. } = head;
        Declaration { name, name_span, span, id, parameters, annotations, docs, body, nested }
    }
}

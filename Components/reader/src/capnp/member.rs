//! What stands in a block: fields, unions, groups, enumerants, methods.

use mentci_source::{Code, Finding};

use super::parser::{Parser, Step};
use super::{Declaration, Docs, Member, MemberKind, Method, Parameters};

impl Parser<'_> {
    /// A field, union or group of the type with this index.
    pub(super) fn member(&mut self, index: usize, nested: &mut Vec<Declaration>) -> Step<Member> {
        let start = self.at;
        let unnamed = self.is_unnamed_union();
        let name = if unnamed { String::new() } else { self.word("a field, union or group")?.0 };
        self.at += usize::from(unnamed);
        let ordinal = self.ordinal()?;
        if !unnamed {
            self.expect(":")?;
            if !matches!((self.next(), self.ahead(1)), ("union" | "group", "{" | "$")) {
                return self.field(start, name, ordinal, index);
            }
        }
        let is_group = !unnamed && self.next() == "group";
        self.at += usize::from(!unnamed);
        let annotations = self.annotations()?;
        let (members, docs) = self.member_block(index, nested)?;
        let kind = if is_group { MemberKind::Group(members) } else { MemberKind::Union(members) };
        Ok(Member { name, span: self.since(start), ordinal, annotations, docs, kind })
    }

    /// `union {`, `union @5 {` or `union $a {`; a field may be named `union`.
    fn is_unnamed_union(&self) -> bool {
        let behind = if self.ahead(1) == "@" { self.ahead(3) } else { self.ahead(1) };
        self.next() == "union" && matches!(behind, "{" | "$")
    }

    fn field(&mut self, start: usize, name: String, ordinal: Option<u64>, index: usize) -> Step<Member> {
        if ordinal.is_none() {
            return Err(self.missing_ordinal("field", &name, start));
        }
        let of = self.type_name()?;
        let default = if self.take("=") { Some(self.literal()?) } else { None };
        let annotations = self.annotations()?;
        self.semicolon()?;
        let kind = MemberKind::Field { of, default };
        Ok(Member { name, span: self.since(start), ordinal, annotations, docs: self.docs(Some(index)), kind })
    }

    fn missing_ordinal(&self, what: &str, name: &str, start: usize) -> Finding {
        let words = format!("the {what} `{name}` has no ordinal");
        Finding::new(Code::CAPNP_SYNTAX, words)
            .help(format!("number it with the next free `@`, as in `{name} @0`"))
            .at(self.source, self.tokens[start].span)
    }

    /// `{ … }` of a union or group.
    fn member_block(&mut self, index: usize, nested: &mut Vec<Declaration>) -> Step<(Vec<Member>, Docs)> {
        self.enter()?;
        let opener = self.here();
        self.expect("{")?;
        let docs = self.docs(Some(index));
        let (depth, mut members) = (self.depth, Vec::new());
        while !matches!(self.next(), "" | "}") {
            let start = self.at;
            let read = if self.declares() {
                self.declaration().map(|declaration| nested.push(declaration))
            } else {
                self.member(index, nested).map(|member| members.push(member))
            };
            if let Err(fault) = read {
                self.depth = depth;
                self.recover(start, fault);
            }
        }
        self.close_block(opener);
        self.leave();
        let docs = if docs.spans.is_empty() { self.docs(Some(index)) } else { docs };
        Ok((members, docs))
    }

    /// `red @0;`
    pub(super) fn enumerant(&mut self, index: usize) -> Step<Member> {
        let start = self.at;
        let (name, _) = self.word("an enumerant")?;
        let ordinal = self.ordinal()?;
        if ordinal.is_none() {
            return Err(self.missing_ordinal("enumerant", &name, start));
        }
        let annotations = self.annotations()?;
        self.semicolon()?;
        let (span, docs) = (self.since(start), self.docs(Some(index)));
        Ok(Member { name, span, ordinal, annotations, docs, kind: MemberKind::Enumerant })
    }

    /// `bar @0 [T] (x :Text) -> (y :Bool);`
    pub(super) fn method(&mut self, index: usize) -> Step<Method> {
        let start = self.at;
        let (name, _) = self.word("a method")?;
        let ordinal = self.ordinal()?;
        if ordinal.is_none() {
            return Err(self.missing_ordinal("method", &name, start));
        }
        let generics = if self.take("[") { self.names("]")? } else { Vec::new() };
        let takes = self.parameters()?;
        let gives = if self.take("->") { Some(self.results()?) } else { None };
        let annotations = self.annotations()?;
        self.semicolon()?;
        let (span, docs) = (self.since(start), self.docs(Some(index)));
        Ok(Method { name, span, ordinal, generics, takes, gives, annotations, docs })
    }

    fn results(&mut self) -> Step<Parameters> {
        if self.next() == "stream" && self.ahead(1) != "." {
            self.at += 1;
            return Ok(Parameters::Stream);
        }
        self.parameters()
    }

    fn parameters(&mut self) -> Step<Parameters> {
        if self.next() != "(" {
            return self.type_name().map(Parameters::Named);
        }
        self.enter()?;
        self.expect("(")?;
        let mut members = Vec::new();
        while self.next() != ")" {
            members.push(self.parameter()?);
            if !self.take(",") {
                break;
            }
        }
        self.expect(")")?;
        self.leave();
        Ok(Parameters::Listed(members))
    }

    /// `name :Type = default $annotation`
    fn parameter(&mut self) -> Step<Member> {
        let start = self.at;
        let (name, _) = self.word("a parameter")?;
        self.expect(":")?;
        let of = self.type_name()?;
        let default = if self.take("=") { Some(self.literal()?) } else { None };
        let annotations = self.annotations()?;
        let (span, kind) = (self.since(start), MemberKind::Field { of, default });
        Ok(Member { name, span, ordinal: None, annotations, docs: Docs::default(), kind })
    }
}

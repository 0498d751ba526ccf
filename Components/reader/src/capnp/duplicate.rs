//! Names and ordinals that one scope gives twice.

use std::collections::BTreeMap;

use mentci_source::{Code, Finding, Source, Span};

use super::parser::MAX_FINDINGS;
use super::{Body, Declaration, Member, MemberKind, Method, Parameters};

/// A finding for each declaration, member, parameter or ordinal that stands a second time in its scope; at most
/// [`MAX_FINDINGS`].
pub(super) fn duplicates(source: &Source, declarations: &[Declaration]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut scope = Scope::new(source);
    for declaration in declarations {
        scope.name(&declaration.name, declaration.name_span, &mut findings);
        inside(source, declaration, &mut findings);
    }
    findings
}

/// The names and ordinals so far, each with its first place.
struct Scope<'a> {
    source: &'a Source,
    names: BTreeMap<String, Span>,
    ordinals: BTreeMap<u64, Span>,
}

impl<'a> Scope<'a> {
    fn new(source: &'a Source) -> Self {
        Self { source, names: BTreeMap::new(), ordinals: BTreeMap::new() }
    }

    fn name(&mut self, name: &str, span: Span, findings: &mut Vec<Finding>) {
        if name.is_empty() {
            return;
        }
        if let Some(&first) = self.names.get(name) {
            report(findings, || again(self.source, &format!("the name `{name}`"), first, span));
        } else {
            self.names.insert(name.to_owned(), span);
        }
    }

    fn ordinal(&mut self, ordinal: Option<u64>, span: Span, findings: &mut Vec<Finding>) {
        let Some(ordinal) = ordinal else { return };
        if let Some(&first) = self.ordinals.get(&ordinal) {
            report(findings, || again(self.source, &format!("the ordinal `@{ordinal}`"), first, span));
        } else {
            self.ordinals.insert(ordinal, span);
        }
    }
}

/// Keeps the finding, unless there are so many that no one would read it.
fn report(findings: &mut Vec<Finding>, make: impl FnOnce() -> Finding) {
    if findings.len() < MAX_FINDINGS {
        findings.push(make());
    }
}

fn again(source: &Source, what: &str, first: Span, span: Span) -> Finding {
    let place = source.place(first.start as usize);
    Finding::new(Code::CAPNP_DUPLICATE, format!("{what} is given here again"))
        .help(format!("it is given first at {}:{}", place.line, place.column))
        .at(source, span)
}

/// The scope of one declaration: its members, and the declarations inside.
fn inside(source: &Source, declaration: &Declaration, findings: &mut Vec<Finding>) {
    let mut scope = Scope::new(source);
    match &declaration.body {
        Body::Struct(list) | Body::Enum(list) => members(&mut scope, list, findings),
        Body::Interface { methods: list, .. } => methods(&mut scope, list, findings),
        _ => {}
    }
    for nested in &declaration.nested {
        scope.name(&nested.name, nested.name_span, findings);
        inside(source, nested, findings);
    }
}

/// A named union or group has names of its own; ordinals belong to the whole struct.
fn members(scope: &mut Scope<'_>, list: &[Member], findings: &mut Vec<Finding>) {
    for member in list {
        scope.name(&member.name, member.span, findings);
        scope.ordinal(member.ordinal, member.span, findings);
        let (MemberKind::Union(inner) | MemberKind::Group(inner)) = &member.kind else { continue };
        if member.name.is_empty() {
            members(scope, inner, findings);
        } else {
            let around = std::mem::take(&mut scope.names);
            members(scope, inner, findings);
            scope.names = around;
        }
    }
}

fn methods(scope: &mut Scope<'_>, list: &[Method], findings: &mut Vec<Finding>) {
    for method in list {
        scope.name(&method.name, method.span, findings);
        scope.ordinal(method.ordinal, method.span, findings);
        for parameters in std::iter::once(&method.takes).chain(&method.gives) {
            if let Parameters::Listed(list) = parameters {
                members(&mut Scope::new(scope.source), list, findings);
            }
        }
    }
}

//! Types that a schema names and that nothing in its sight declares.

use std::collections::BTreeSet;

use mentci_source::{Code, Finding, Source, did_you_mean};

use super::parser::MAX_FINDINGS;
use super::{Body, Declaration, Member, MemberKind, Method, Parameters, TypeName};

/// The types that need no declaration.
const BUILT_IN: [&str; 20] = [
    "Void",
    "Bool",
    "Int8",
    "Int16",
    "Int32",
    "Int64",
    "UInt8",
    "UInt16",
    "UInt32",
    "UInt64",
    "Float32",
    "Float64",
    "Text",
    "Data",
    "List",
    "AnyPointer",
    "AnyStruct",
    "AnyList",
    "Capability",
    "Object",
];

/// A finding for each type whose first name no scope around it declares, aliases or takes as a parameter; at most
/// [`MAX_FINDINGS`]. What lies in other files is not looked for.
pub(super) fn unknown_types(source: &Source, declarations: &[Declaration]) -> Vec<Finding> {
    let mut search = Search { source, scopes: vec![BUILT_IN.into()], findings: Vec::new() };
    search.declarations(declarations);
    search.findings
}

/// The names in sight, outermost scope first.
struct Search<'a> {
    source: &'a Source,
    scopes: Vec<BTreeSet<&'a str>>,
    findings: Vec<Finding>,
}

impl<'a> Search<'a> {
    fn declarations(&mut self, declarations: &'a [Declaration]) {
        self.scopes.push(declarations.iter().map(|declaration| declaration.name.as_str()).collect());
        for declaration in declarations {
            self.scopes.push(declaration.parameters.iter().map(String::as_str).collect());
            self.body(declaration);
            self.scopes.pop();
        }
        self.scopes.pop();
    }

    fn body(&mut self, declaration: &'a Declaration) {
        // Names inside are in sight of the members, which are written beside them.
        self.scopes.push(declaration.nested.iter().map(|nested| nested.name.as_str()).collect());
        match &declaration.body {
            Body::Struct(list) => self.members(list),
            Body::Const { of, .. } | Body::Annotation { of, .. } | Body::Using(of) => self.name(of),
            // What an interface extends may declare the name in another file.
            Body::Interface { extends, .. } if !extends.is_empty() => {
                self.scopes.pop();
                return;
            }
            Body::Interface { methods, .. } => methods.iter().for_each(|method| self.method(method)),
            Body::Enum(_) => {}
        }
        self.scopes.pop();
        self.declarations(&declaration.nested);
    }

    fn members(&mut self, list: &[Member]) {
        for member in list {
            match &member.kind {
                MemberKind::Field { of, .. } => self.name(of),
                MemberKind::Union(inner) | MemberKind::Group(inner) => self.members(inner),
                MemberKind::Enumerant => {}
            }
        }
    }

    fn method(&mut self, method: &'a Method) {
        self.scopes.push(method.generics.iter().map(String::as_str).collect());
        for parameters in std::iter::once(&method.takes).chain(&method.gives) {
            match parameters {
                Parameters::Listed(list) => self.members(list),
                Parameters::Named(name) => self.name(name),
                Parameters::Stream => {}
            }
        }
        self.scopes.pop();
    }

    /// Looks up a name and the types in its brackets.
    fn name(&mut self, name: &TypeName) {
        for argument in name.parts.iter().flat_map(|part| &part.arguments) {
            self.name(argument);
        }
        let Some(first) = name.parts.first().filter(|_| name.import.is_none()) else { return };
        let known =
            first.name.is_empty() || self.scopes.iter().any(|scope| scope.contains(first.name.as_str()));
        if !known && self.findings.len() < MAX_FINDINGS {
            let words = format!("no type `{}` is declared or imported here", first.name);
            let finding = Finding::new(Code::CAPNP_UNKNOWN_TYPE, words).at(self.source, name.span);
            let near = did_you_mean(&first.name, self.scopes.iter().flatten().copied());
            self.findings.push(match near {
                Some(near) => finding.help(format!("did you mean `{near}`?")),
                None => finding.help("declare it, or bring it in with `using … = import`"),
            });
        }
    }
}

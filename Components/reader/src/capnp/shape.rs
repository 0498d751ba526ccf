//! A type in one line.

use super::{Body, Declaration, Literal, Member, MemberKind, Method, Parameters, TypeFact, TypeKind};

/// A default longer than this is left out of a shape.
const LONGEST_DEFAULT: usize = 32;

/// Each type of `declarations` with the types inside, in the order they stand, named with the names around them.
pub(super) fn facts(declarations: &[Declaration]) -> Vec<TypeFact> {
    let mut facts = Vec::new();
    collect(declarations, "", &mut facts);
    facts.sort_by_key(|fact| fact.span.start);
    facts
}

fn collect(declarations: &[Declaration], around: &str, facts: &mut Vec<TypeFact>) {
    for declaration in declarations {
        let name = match around {
            "" => declaration.name.clone(),
            _ => format!("{around}.{}", declaration.name),
        };
        facts.extend(fact(declaration, &name));
        collect(&declaration.nested, &name, facts);
    }
}

fn fact(declaration: &Declaration, name: &str) -> Option<TypeFact> {
    let (kind, shape, members) = match &declaration.body {
        Body::Using(_) => return None,
        Body::Struct(members) => (TypeKind::Struct, structure(declaration, name, members), names(members)),
        Body::Enum(members) => {
            let names = names(members);
            (TypeKind::Enum, format!("{name}({})", names.join("|")), names)
        }
        Body::Interface { methods, .. } => {
            let names = methods.iter().map(|method| method.name.clone()).collect();
            (TypeKind::Interface, interface(declaration, name), names)
        }
        Body::Const { of, value } => {
            (TypeKind::Const, format!("const {name}:{of}{}", default(Some(value))), Vec::new())
        }
        Body::Annotation { targets, of } => {
            let shape = format!("annotation {name}({}):{of}", targets.join(", "));
            (TypeKind::Annotation, shape, Vec::new())
        }
    };
    let (name, docs) = (name.to_owned(), declaration.docs.spans.clone());
    Some(TypeFact { name, kind, shape, members, span: declaration.span, docs })
}

/// The names of members, those in unions and groups too.
fn names(members: &[Member]) -> Vec<String> {
    let mut found = Vec::new();
    for member in members {
        if !member.name.is_empty() {
            found.push(member.name.clone());
        }
        if let MemberKind::Union(inner) | MemberKind::Group(inner) = &member.kind {
            found.extend(names(inner));
        }
    }
    found
}

/// `Map(Key, Value){entries:List(Entry)}`
fn structure(declaration: &Declaration, name: &str, members: &[Member]) -> String {
    format!("{name}{}{{{}}}", generics(&declaration.parameters), list(members, ", "))
}

/// `Foo.bar(x:Text)->(y:Bool), .baz()`; `Foo extends(Base){}` without methods.
fn interface(declaration: &Declaration, name: &str) -> String {
    let Body::Interface { extends, methods } = &declaration.body else { return String::new() };
    let parents: Vec<String> = extends.iter().map(ToString::to_string).collect();
    let parents =
        if parents.is_empty() { String::new() } else { format!(" extends({})", parents.join(", ")) };
    let head = format!("{name}{}{parents}", generics(&declaration.parameters));
    if methods.is_empty() {
        return format!("{head}{{}}");
    }
    let methods: Vec<String> = methods.iter().map(method).collect();
    format!("{head}{}", methods.join(", "))
}

/// `.bar(x:Text)->(y:Bool)`
fn method(method: &Method) -> String {
    let generics =
        if method.generics.is_empty() { String::new() } else { format!("[{}]", method.generics.join(", ")) };
    let gives = method.gives.as_ref().map(|gives| format!("->{}", parameters(gives).trim_start()));
    format!(".{}{generics}{}{}", method.name, parameters(&method.takes), gives.unwrap_or_default())
}

/// `(x:Text)`, ` Request` or `stream`.
fn parameters(parameters: &Parameters) -> String {
    match parameters {
        Parameters::Listed(members) => format!("({})", list(members, ", ")),
        Parameters::Named(name) => format!(" {name}"),
        Parameters::Stream => "stream".to_owned(),
    }
}

fn generics(parameters: &[String]) -> String {
    if parameters.is_empty() { String::new() } else { format!("({})", parameters.join(", ")) }
}

fn list(members: &[Member], between: &str) -> String {
    members.iter().map(member).collect::<Vec<_>>().join(between)
}

/// `port:UInt16=80`, `union(a:Text|b:Bool)`, `close:group{code:UInt16}`
fn member(member: &Member) -> String {
    let colon = if member.name.is_empty() { "" } else { ":" };
    let head = format!("{}{colon}", member.name);
    match &member.kind {
        MemberKind::Field { of, default: value } => format!("{head}{of}{}", default(value.as_ref())),
        MemberKind::Union(members) => format!("{head}union({})", list(members, "|")),
        MemberKind::Group(members) => format!("{head}group{{{}}}", list(members, ", ")),
        MemberKind::Enumerant => member.name.clone(),
    }
}

fn default(value: Option<&Literal>) -> String {
    let short =
        value.filter(|value| value.text.chars().count() <= LONGEST_DEFAULT && !value.text.contains('\n'));
    short.map(|value| format!("={}", value.text)).unwrap_or_default()
}

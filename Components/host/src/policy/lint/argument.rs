//! Arguments that no tool takes, and arguments that are something else than a rule thinks.

use std::collections::BTreeMap;

use mentci_authority::ToolMatch;
use mentci_expr::{ArgPath, Comparison, Expr, Function, Node};
use mentci_source::{Code, Finding, Span, did_you_mean};
use serde_json::Value;

use super::Tools;
use super::cover::names;
use super::desk::{Desk, Said};
use super::shape::{Nowhere, Shape};

/// Arguments that no tool of the rule takes, keys that lead nowhere, and comparisons with what an argument never is.
pub(super) fn arguments(desk: &Desk<'_>) -> Vec<Said> {
    let Some(tools) = desk.known.tools else { return Vec::new() };
    let mut said = Vec::new();
    for sheet in &desk.rules {
        let Some(known) = taken(&sheet.rule.tools, tools) else { continue };
        sheet.each_part(&mut |part| {
            let finding = unknown(part, &known, &sheet.rule.tools).or_else(|| nowhere(part, &known));
            said.extend(finding.map(|finding| (sheet.at, Some(part.span()), finding)));
            said.extend(
                compared(part, &known).into_iter().map(|(span, finding)| (sheet.at, Some(span), finding)),
            );
        });
    }
    said
}

/// The arguments of all tools that fit, each with what it is; none where one of the tools does not say, or none fits.
fn taken<'t>(tools: &ToolMatch, known: &'t Tools) -> Option<BTreeMap<&'t str, Shape<'t>>> {
    let mut fitting = known.iter().filter(|(name, _)| names(tools, name)).peekable();
    fitting.peek()?;
    let mut all: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for (_, arguments) in fitting {
        for (name, schema) in arguments.as_ref()? {
            all.entry(name).or_default().push(schema);
        }
    }
    Some(all.into_iter().map(|(name, schemas)| (name, Shape::new(schemas))).collect())
}

fn unknown(part: &Expr, known: &BTreeMap<&str, Shape<'_>>, tools: &ToolMatch) -> Option<Finding> {
    let name = argument(part).filter(|name| !known.contains_key(*name))?;
    let message = format!("no tool of `{tools}` takes an argument `{name}`");
    let near = did_you_mean(name, known.keys().copied());
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "it takes none".to_owned(),
        None => {
            format!(
                "it takes {}",
                known.keys().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
            )
        }
    };
    Some(Finding::new(Code::ARGUMENT_UNKNOWN, message).help(help))
}

/// A path that leads into what has nothing in it.
fn nowhere(part: &Expr, known: &BTreeMap<&str, Shape<'_>>) -> Option<Finding> {
    let path = path(part)?;
    let Nowhere { there, is, meant } = known.get(argument(part)?)?.at(&path).err()?;
    let message = format!("`{there}` is {is}: `{}` is never there", part.to_string().replace('`', "'"));
    let help = match meant {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("ask about `{there}`"),
    };
    Some(Finding::new(Code::ARGUMENT_UNKNOWN, message).help(help))
}

/// A comparison of an argument with a constant of a type that it never has.
fn compared(part: &Expr, known: &BTreeMap<&str, Shape<'_>>) -> Vec<(Span, Finding)> {
    let Node::Compare(first, rest) = part.node() else { return Vec::new() };
    let lefts = std::iter::once(&**first).chain(rest.iter().map(|(_, right)| right));
    let pairs = lefts.zip(rest).filter_map(|(left, (comparison, right))| {
        let told = told(left, *comparison, right, known).or_else(|| {
            let ordered = *comparison != Comparison::In && *comparison != Comparison::NotIn;
            ordered.then(|| told(right, *comparison, left, known)).flatten()
        });
        told.map(|finding| (left.span().join(right.span()), finding))
    });
    pairs.collect()
}

fn told(
    subject: &Expr,
    comparison: Comparison,
    constant: &Expr,
    known: &BTreeMap<&str, Shape<'_>>,
) -> Option<Finding> {
    let shape = known.get(argument(subject)?)?.at(&path(subject)?).ok()?;
    let types = shape.values()?;
    let (is, of) = (shape.described()?, subject.to_string());
    let fits = |value: &Expr| is_of(value, &types);
    let (never, help) = match comparison {
        Comparison::Is | Comparison::IsNot => return None,
        Comparison::In | Comparison::NotIn => {
            let Node::List(items) = constant.node() else { return None };
            let never = !items.is_empty() && items.iter().all(|item| fits(item) == Some(false));
            (never, "it equals none of them".to_owned())
        }
        Comparison::Equal | Comparison::NotEqual => {
            (fits(constant) == Some(false), "the two are never equal".to_owned())
        }
        _ => {
            let orders = matches!(constant.node(), Node::Int(_) | Node::Float(_) | Node::Text(_));
            let help = "a fault on every call closes a gate on every call, and leaves any other rule unfired";
            (orders && fits(constant) == Some(false), help.to_owned())
        }
    };
    never.then(|| {
        let message = format!("`{of}` is {is}, and is compared with {}", described(constant));
        Finding::new(Code::ARGUMENT_UNKNOWN, message).help(help)
    })
}

/// Whether a constant is of one of these types; none for what is no constant, and for null.
fn is_of(value: &Expr, types: &[&str]) -> Option<bool> {
    let own: &[&str] = match value.node() {
        Node::Bool(_) => &["boolean"],
        Node::Text(_) => &["string"],
        Node::Int(_) => &["integer", "number"],
        Node::Float(number) if number.fract() == 0.0 => &["integer", "number"],
        Node::Float(_) => &["number"],
        Node::List(_) => &["array"],
        Node::Map(_) => &["object"],
        _ => return None,
    };
    Some(own.iter().any(|own| types.contains(own)))
}

fn described(constant: &Expr) -> String {
    match constant.node() {
        Node::Bool(_) => "true or false".to_owned(),
        Node::Text(_) => "a string".to_owned(),
        Node::Int(_) | Node::Float(_) => "a number".to_owned(),
        Node::List(_) => "a list of what it never is".to_owned(),
        _ => "a map".to_owned(),
    }
}

/// The name of the argument that a part reads: the first step of its path.
fn argument(part: &Expr) -> Option<&str> {
    let path = match part.node() {
        Node::Call(Function::Arg, arguments) => arguments.first()?.as_text()?,
        Node::Call(Function::JsonPath, arguments) => arguments.first()?.as_text()?.strip_prefix("$.")?,
        Node::Field(..) => match part.as_path()?.as_slice() {
            ["event", "tool", "args", name] => return Some(name),
            _ => return None,
        },
        _ => return None,
    };
    let end = path.find(['.', '[']).unwrap_or(path.len());
    Some(&path[..end]).filter(|name| !name.is_empty() && !name.contains('*'))
}

/// The path by which a part reads the arguments; none where it is none, or a JSONPath.
fn path(part: &Expr) -> Option<ArgPath> {
    match part.node() {
        Node::Call(Function::Arg, arguments) => ArgPath::parse(arguments.first()?.as_text()?).ok(),
        Node::Field(..) => ArgPath::parse(argument(part)?).ok(),
        _ => None,
    }
}

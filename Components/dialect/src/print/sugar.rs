//! Expressions in the words of `args`, `session`, `sender` and `context`.

use mentci_authority::NamePattern;
use mentci_expr::{Comparison, Expr, Function, Node, UnaryOp};

use super::doc::Doc;
use crate::lower::when::reaches_several;

/// One condition of a `when`.
pub(super) enum Clause {
    /// A key of `when` and what stands under it.
    Plain(&'static str, Doc),
    /// `args`, `session` or `context`, a key within it, and its value.
    Keyed(&'static str, String, Value),
}

/// What stands under a key of `args`, `session` or `context`.
pub(super) enum Value {
    Bare(Doc),
    Predicates(Vec<(&'static str, Doc)>),
}

/// What YAML says as `args`, `session`, `sender` or `context`.
pub(super) fn of_expr(expr: &Expr) -> Option<Clause> {
    schedule(expr).or_else(|| sender(expr)).or_else(|| keyed(expr))
}

fn schedule(expr: &Expr) -> Option<Clause> {
    let (negated, test) = match expr.node() {
        Node::Unary(UnaryOp::Not, inner) => (true, &**inner),
        _ => (false, expr),
    };
    let Node::Call(function @ (Function::TimeOfDay | Function::DayOfWeek), arguments) = test.node() else { return None };
    let [spec] = arguments.as_slice() else { return None };
    let spec = spec.as_text().filter(|spec| spec.trim() == *spec && !spec.starts_with('!'))?;
    let text = if negated { format!("!{spec}") } else { spec.to_owned() };
    Some(Clause::Keyed("context", function.name().to_owned(), Value::Bare(Doc::Text(text))))
}

fn sender(expr: &Expr) -> Option<Clause> {
    let (subject, comparison, value) = comparison(expr)?;
    if !matches!(subject.node(), Node::Call(Function::Sender, arguments) if arguments.is_empty()) {
        return None;
    }
    let exact = |expr: &Expr| {
        let text = expr.as_text()?;
        let is_exact = NamePattern::classify(text) == NamePattern::Exact(text.to_owned());
        (is_exact && !text.trim().is_empty() && !text.starts_with('!')).then(|| text.to_owned())
    };
    let several = |sign: &str| match value.node() {
        Node::List(items) if items.len() > 1 => {
            let names: Option<Vec<String>> = items.iter().map(exact).collect();
            Some(Doc::List(names?.into_iter().map(|name| Doc::Text(format!("{sign}{name}"))).collect()))
        }
        _ => None,
    };
    let doc = match comparison {
        Comparison::Equal => Doc::Text(exact(value)?),
        Comparison::NotEqual => Doc::Text(format!("!{}", exact(value)?)),
        Comparison::In => several("")?,
        Comparison::NotIn => several("!")?,
        _ => return None,
    };
    Some(Clause::Plain("sender", doc))
}

/// `left op right` with one operator.
fn comparison(expr: &Expr) -> Option<(&Expr, Comparison, &Expr)> {
    match expr.node() {
        Node::Compare(left, rest) if rest.len() == 1 => Some((left, rest[0].0, &rest[0].1)),
        _ => None,
    }
}

fn keyed(expr: &Expr) -> Option<Clause> {
    let (subject, name, value) = predicate(expr)?;
    let Node::Call(function, arguments) = subject.node() else { return None };
    let [key] = arguments.as_slice() else { return None };
    let key = key.as_text()?;
    let section = match function {
        Function::Arg if !key.starts_with('$') => "args_match",
        Function::JsonPath if key.starts_with('$') && !reaches_several(key) => "args_match",
        Function::Session => "session",
        Function::Fact if !["time_of_day", "day_of_week"].contains(&key) => "context",
        _ => return None,
    };
    let bare = if section == "args_match" { None } else { bare(name, &value) };
    let value = bare.map_or_else(|| Value::Predicates(vec![(name, value)]), Value::Bare);
    Some(Clause::Keyed(section, key.to_owned(), value))
}

/// A fact's value without a predicate, where that means the same.
fn bare(name: &str, value: &Doc) -> Option<Doc> {
    let plain = |text: &str| !text.starts_with('!');
    match (name, value) {
        ("eq", Doc::Text(text)) if plain(text) => Some(value.clone()),
        ("eq", Doc::Bool(_) | Doc::Int(_) | Doc::Float(_)) => Some(value.clone()),
        ("ne", Doc::Text(text)) if !text.is_empty() => Some(Doc::Text(format!("!{text}"))),
        ("in", Doc::List(items)) => {
            let fine = items.iter().all(|item| match item {
                Doc::Text(text) => plain(text),
                Doc::Bool(_) | Doc::Int(_) | Doc::Float(_) => true,
                _ => false,
            });
            fine.then(|| value.clone())
        }
        ("not_in", Doc::List(items)) => {
            let texts: Option<Vec<Doc>> = items
                .iter()
                .map(|item| match item {
                    Doc::Text(text) if !text.is_empty() => Some(Doc::Text(format!("!{text}"))),
                    _ => None,
                })
                .collect();
            texts.map(Doc::List)
        }
        _ => None,
    }
}

/// What is asked about, the predicate's name and its value.
fn predicate(expr: &Expr) -> Option<(&Expr, &'static str, Doc)> {
    if let Some((subject, comparison, value)) = comparison(expr) {
        let value = literal(value)?;
        let ordered = matches!(value, Doc::Int(_) | Doc::Float(_) | Doc::Text(_));
        let some = matches!(&value, Doc::List(items) if !items.is_empty());
        let name = match comparison {
            Comparison::Equal => "eq",
            Comparison::NotEqual => "ne",
            Comparison::In if some => "in",
            Comparison::NotIn if some => "not_in",
            Comparison::Greater if ordered => "gt",
            Comparison::GreaterOrEqual if ordered => "gte",
            Comparison::Less if ordered => "lt",
            Comparison::LessOrEqual if ordered => "lte",
            _ => return None,
        };
        return Some((subject, name, value));
    }
    match expr.node() {
        Node::Unary(UnaryOp::Not, inner) => match inner.node() {
            Node::Call(Function::Exists, arguments) => Some((arguments.first()?, "exists", Doc::Bool(false))),
            Node::Call(Function::Contains, arguments) => {
                let [subject, text] = arguments.as_slice() else { return None };
                Some((subject, "not_contains", Doc::text(text.as_text()?)))
            }
            _ => None,
        },
        Node::Call(Function::Exists, arguments) => Some((arguments.first()?, "exists", Doc::Bool(true))),
        Node::Call(function, arguments) => {
            let name = match function {
                Function::Matches => "regex",
                Function::Contains => "contains",
                Function::StartsWith => "starts_with",
                Function::EndsWith => "ends_with",
                Function::Glob => "glob",
                _ => return None,
            };
            let [subject, text] = arguments.as_slice() else { return None };
            Some((subject, name, Doc::text(text.as_text()?)))
        }
        _ => None,
    }
}

/// A value that is the same in a file.
fn literal(expr: &Expr) -> Option<Doc> {
    Some(match expr.node() {
        Node::Null => Doc::Null,
        Node::Bool(value) => Doc::Bool(*value),
        Node::Int(number) => Doc::Int(*number),
        Node::Float(number) => Doc::Float(*number),
        Node::Text(text) => Doc::text(text),
        Node::List(items) => Doc::List(items.iter().map(literal).collect::<Option<_>>()?),
        Node::Map(entries) => Doc::Data(
            entries.iter().map(|(key, value)| Some((key.clone(), literal(value)?))).collect::<Option<_>>()?,
        ),
        _ => return None,
    })
}

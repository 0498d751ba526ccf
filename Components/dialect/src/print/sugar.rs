//! Expressions in the words of `args`, `session`, `sender` and `context`.

use mentci_authority::NamePattern;
use mentci_expr::{Comparison, Expr, Function, Node, Quantifier, UnaryOp, normalize};

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
    let Node::Call(function @ (Function::TimeOfDay | Function::DayOfWeek), arguments) = test.node() else {
        return None;
    };
    let [spec] = arguments.as_slice() else { return None };
    let spec = spec.as_text().filter(|spec| spec.trim() == *spec && !spec.starts_with('!'))?;
    let spec = if negated { format!("!{spec}") } else { spec.to_owned() };
    Some(Clause::Keyed("context", function.name().to_owned(), Value::Bare(Doc::Text(spec))))
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
    let found = each(expr).or_else(|| predicate(expr))?;
    let Node::Call(function, arguments) = found.subject.node() else { return None };
    let [key] = arguments.as_slice() else { return None };
    let key = key.as_text()?;
    let section = match function {
        Function::Arg if !key.starts_with('$') && !found.each => "args_match",
        Function::JsonPath if key.starts_with('$') && reaches_several(key) == found.each => "args_match",
        Function::Session if !found.each => "session",
        Function::Fact if !found.each && !["time_of_day", "day_of_week"].contains(&key) => "context",
        _ => return None,
    };
    let is_plain = section != "args_match" && !found.normalized;
    let bare = if is_plain { bare(found.name, &found.value) } else { None };
    let value = bare.map_or_else(
        || {
            let normalize = found.normalized.then_some(("normalize", Doc::Bool(true)));
            Value::Predicates(std::iter::once((found.name, found.value)).chain(normalize).collect())
        },
        Value::Bare,
    );
    Some(Clause::Keyed(section, key.to_owned(), value))
}

/// A predicate over something.
struct Found<'e> {
    /// What is asked about.
    subject: &'e Expr,
    /// Whether one of the subject's items must fit.
    each: bool,
    name: &'static str,
    value: Doc,
    normalized: bool,
}

/// `any(contains(item, "x") for item in jsonpath("$.a[*]"))`
fn each(expr: &Expr) -> Option<Found<'_>> {
    let Node::For { quantifier, body, variable, list, filter: None } = expr.node() else { return None };
    let found = predicate(body).filter(|_| variable == "item")?;
    let negative = matches!(found.name, "not_contains" | "ne" | "not_in");
    let wanted = if negative { Quantifier::All } else { Quantifier::Any };
    let is_item = matches!(found.subject.node(), Node::Name(name) if name == "item");
    (*quantifier == wanted && is_item).then_some(Found { subject: list, each: true, ..found })
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

fn predicate(expr: &Expr) -> Option<Found<'_>> {
    if let Some((subject, comparison, value)) = comparison(expr) {
        let value = literal(value)?;
        let name = compared(comparison, &value)?;
        return Some(Found { subject, each: false, name, value, normalized: false });
    }
    let (negated, test) = match expr.node() {
        Node::Unary(UnaryOp::Not, inner) => (true, &**inner),
        _ => (false, expr),
    };
    if let Node::Call(Function::Exists, arguments) = test.node() {
        let (subject, value) = (arguments.first()?, Doc::Bool(!negated));
        return Some(Found { subject, each: false, name: "exists", value, normalized: false });
    }
    let found = texts(test)?;
    match (negated, found.name) {
        (false, _) => Some(found),
        (true, "contains") => Some(Found { name: "not_contains", ..found }),
        (true, _) => None,
    }
}

fn compared(comparison: Comparison, value: &Doc) -> Option<&'static str> {
    let ordered = matches!(value, Doc::Int(_) | Doc::Float(_));
    let some = matches!(value, Doc::List(items) if !items.is_empty());
    match comparison {
        Comparison::Equal => Some("eq"),
        Comparison::NotEqual => Some("ne"),
        Comparison::In if some => Some("in"),
        Comparison::NotIn if some => Some("not_in"),
        Comparison::Greater if ordered => Some("gt"),
        Comparison::GreaterOrEqual if ordered => Some("gte"),
        Comparison::Less if ordered => Some("lt"),
        Comparison::LessOrEqual if ordered => Some("lte"),
        _ => None,
    }
}

/// `contains(x, "a")`, or several of them joined by `or`, each perhaps beside its normal form.
fn texts(expr: &Expr) -> Option<Found<'_>> {
    let tests =
        if let Node::Or(operands) = expr.node() { operands.as_slice() } else { std::slice::from_ref(expr) };
    let tests: Option<Vec<(Function, &Expr, &str)>> = tests.iter().map(text).collect();
    let tests = tests?;
    let (function, subject, _) = *tests.first()?;
    if tests.iter().any(|(other, ..)| *other != function) {
        return None;
    }
    let (wanted, normalized) = if tests.iter().all(|(_, other, _)| *other == subject) {
        (tests.iter().map(|(.., text)| Doc::text(*text)).collect::<Vec<_>>(), false)
    } else {
        (in_pairs(function, subject, &tests)?, true)
    };
    let name = match function {
        Function::Matches => "regex",
        Function::Contains => "contains",
        Function::StartsWith => "starts_with",
        Function::EndsWith => "ends_with",
        _ => "glob",
    };
    let value = match <[Doc; 1]>::try_from(wanted) {
        Ok([one]) => one,
        Err(several) => Doc::List(several),
    };
    Some(Found { subject, each: false, name, value, normalized })
}

fn text(expr: &Expr) -> Option<(Function, &Expr, &str)> {
    let Node::Call(function, arguments) = expr.node() else { return None };
    let [subject, text] = arguments.as_slice() else { return None };
    let is_test = matches!(
        function,
        Function::Matches | Function::Contains | Function::StartsWith | Function::EndsWith | Function::Glob
    );
    is_test.then_some((*function, subject, text.as_text()?))
}

/// Each test is followed by the same one over normal forms: what `normalize: true` gives.
fn in_pairs(function: Function, subject: &Expr, tests: &[(Function, &Expr, &str)]) -> Option<Vec<Doc>> {
    let normal = Expr::call(Function::Normalize, [subject.clone()]);
    let same = matches!(function, Function::Matches | Function::Glob);
    let pairs = tests.chunks(2).map(|pair| match pair {
        [(_, plain, text), (_, other, second)] => {
            let wanted = if same { (*text).to_owned() } else { normalize(text) };
            (*plain == subject && **other == normal && *second == wanted).then(|| Doc::text(*text))
        }
        _ => None,
    });
    pairs.collect()
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

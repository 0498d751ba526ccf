//! Conditions on one value: an argument, a fact of the session, a fact of the surroundings.

use mentci_expr::{Comparison, Expr, Function, Node, Quantifier, normalize};
use mentci_source::{Code, Span, did_you_mean};

use super::name_test::repeats_a_letter;
use crate::fields::{File, listed};
use crate::tree::{Entry, Tree, Value, shown};

/// What is asked about.
pub(crate) struct Subject {
    /// The value, or the list of them.
    pub(crate) expr: Expr,
    /// Whether it is a list of which one must fit.
    pub(crate) each: bool,
    /// What a text alone means.
    pub(crate) bare: Bare,
}

/// What a text alone means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bare {
    /// A regular expression that is found in it: arguments.
    Pattern,
    /// The value itself; `!` negates: session and context.
    Word,
}

/// The predicates: one table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Predicate {
    Text(Function),
    NotContains,
    Compare(Comparison),
    Exists,
}

const PREDICATES: &[(&str, Predicate)] = &[
    ("regex", Predicate::Text(Function::Matches)),
    ("contains", Predicate::Text(Function::Contains)),
    ("not_contains", Predicate::NotContains),
    ("eq", Predicate::Compare(Comparison::Equal)),
    ("ne", Predicate::Compare(Comparison::NotEqual)),
    ("in", Predicate::Compare(Comparison::In)),
    ("not_in", Predicate::Compare(Comparison::NotIn)),
    ("gt", Predicate::Compare(Comparison::Greater)),
    ("gte", Predicate::Compare(Comparison::GreaterOrEqual)),
    ("lt", Predicate::Compare(Comparison::Less)),
    ("lte", Predicate::Compare(Comparison::LessOrEqual)),
    ("starts_with", Predicate::Text(Function::StartsWith)),
    ("ends_with", Predicate::Text(Function::EndsWith)),
    ("glob", Predicate::Text(Function::Glob)),
    ("exists", Predicate::Exists),
];

impl Predicate {
    /// Whether it holds for a list only when it holds for every item.
    fn is_negative(self) -> bool {
        matches!(self, Self::NotContains | Self::Compare(Comparison::NotEqual | Comparison::NotIn))
    }
}

/// All conditions under one key; they are `ANDed`.
pub(crate) fn tests(file: &mut File<'_>, key: &str, subject: &Subject, tree: &Tree) -> Option<Vec<Expr>> {
    match &tree.value {
        Value::Map(entries) => predicates(file, key, subject, entries, tree.span),
        Value::Text(_) if subject.bare == Bare::Pattern => {
            Some(vec![one(file, key, subject, Predicate::Text(Function::Matches), tree, false)?])
        }
        Value::List(items) if subject.bare == Bare::Word => {
            words(file, key, subject, items, tree.span, false)
        }
        Value::Text(_) => words(file, key, subject, std::slice::from_ref(tree), tree.span, true),
        Value::List(_) => {
            Some(vec![one(file, key, subject, Predicate::Compare(Comparison::In), tree, false)?])
        }
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => {
            Some(vec![one(file, key, subject, Predicate::Compare(Comparison::Equal), tree, false)?])
        }
        Value::Null | Value::Form(_) => {
            file.wrong(key, "a value, a list or a predicate such as `{eq: …}`", tree);
            None
        }
    }
}

/// `x`, `!x` and lists of them: one of the plain ones must be it, none of the negated ones may be.
fn words(
    file: &mut File<'_>,
    key: &str,
    subject: &Subject,
    items: &[Tree],
    span: Span,
    alone: bool,
) -> Option<Vec<Expr>> {
    if items.is_empty() {
        let message = format!("the list of `{}` is empty: it fits nothing", shown(key));
        file.advise(Code::RULE_VALUE, span, message, "name what it fits, or leave the condition out");
        return None;
    }
    let (mut wanted, mut refused) = (Vec::new(), Vec::new());
    for item in items {
        match item.as_text().and_then(|text| text.strip_prefix('!')) {
            Some("") => {
                file.wrong(key, "a value after its `!`", item);
                return None;
            }
            Some(text) => refused.push(Expr::new(Node::Text(text.to_owned()), item.span)),
            None => wanted.push(literal(file, item)?),
        }
    }
    // A text alone is an equation; a list, even of one, is a list.
    let test = |values: Vec<Expr>, list: Comparison, single: Comparison| {
        if values.is_empty() {
            return None;
        }
        let (comparison, value) = match <[Expr; 1]>::try_from(values) {
            Ok([value]) if alone => (single, value),
            Ok([value]) => (list, Expr::new(Node::List(vec![value]), span)),
            Err(values) => (list, Expr::new(Node::List(values), span)),
        };
        Some(Expr::compare(subject.expr.clone(), comparison, value).at(span))
    };
    let wanted = test(wanted, Comparison::In, Comparison::Equal);
    let refused = test(refused, Comparison::NotIn, Comparison::NotEqual);
    Some(wanted.into_iter().chain(refused).collect())
}

fn predicates(
    file: &mut File<'_>,
    key: &str,
    subject: &Subject,
    entries: &[Entry],
    span: Span,
) -> Option<Vec<Expr>> {
    let normalized = match entries.iter().find(|entry| entry.key == "normalize") {
        None => false,
        Some(Entry { value: Tree { value: Value::Bool(value), .. }, .. }) => *value,
        Some(entry) => {
            file.wrong("normalize", "`true` or `false`", &entry.value);
            return None;
        }
    };
    let named: Vec<&Entry> = entries.iter().filter(|entry| entry.key != "normalize").collect();
    if named.iter().any(|entry| entry.key == "predicate") {
        return spelled_out(file, subject, &named, normalized, key);
    }
    if named.is_empty() {
        let help = format!("it has {}", names());
        file.advise(Code::RULE_VALUE, span, format!("`{}` has no predicate", shown(key)), help);
        return None;
    }
    let tests: Vec<Option<Expr>> = named
        .into_iter()
        .map(|entry| {
            let predicate = predicate(file, &entry.key, entry.key_span)?;
            one(file, &entry.key, subject, predicate, &entry.value, normalized)
        })
        .collect();
    tests.into_iter().collect()
}

/// `{predicate: eq, value: x}`.
fn spelled_out(
    file: &mut File<'_>,
    subject: &Subject,
    entries: &[&Entry],
    normalized: bool,
    key: &str,
) -> Option<Vec<Expr>> {
    let of = |key: &str| entries.iter().find(|entry| entry.key == key);
    let (name, value) = (of("predicate")?, of("value"));
    if let Some(other) = entries.iter().find(|entry| !["predicate", "value"].contains(&entry.key.as_str())) {
        let message = format!("`{}` cannot stand beside `predicate`", shown(&other.key));
        let help = "write `predicate` and `value`, or each predicate as a key";
        file.advise(Code::RULE_KEY, other.key_span, message, help);
        return None;
    }
    let (Some(word), Some(value)) = (name.value.as_text(), value) else {
        let message = format!("`{}` needs `predicate` and `value`", shown(key));
        let example = file.map(&[("predicate", "\"contains\""), ("value", "\"/etc\"")]);
        file.advise(Code::RULE_VALUE, name.key_span, message, format!("write `{example}`"));
        return None;
    };
    let predicate = predicate(file, word, name.value.span)?;
    Some(vec![one(file, word, subject, predicate, &value.value, normalized)?])
}

fn predicate(file: &mut File<'_>, name: &str, span: Span) -> Option<Predicate> {
    if let Some((_, predicate)) = PREDICATES.iter().find(|(known, _)| *known == name) {
        return Some(*predicate);
    }
    let near = did_you_mean(name, PREDICATES.iter().map(|(known, _)| *known));
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the predicates are {}; a dotted key as in `a.b` reaches what is nested", names()),
    };
    file.advise(Code::UNKNOWN_PREDICATE, span, format!("there is no predicate `{}`", shown(name)), help);
    None
}

fn names() -> String {
    let names: Vec<&str> = PREDICATES.iter().map(|(name, _)| *name).collect();
    listed(&names)
}

/// One predicate over the subject.
fn one(
    file: &mut File<'_>,
    key: &str,
    subject: &Subject,
    predicate: Predicate,
    tree: &Tree,
    normalized: bool,
) -> Option<Expr> {
    if !subject.each {
        return about(file, key, &subject.expr, predicate, tree, normalized);
    }
    let item = Expr::name("item");
    let body = about(file, key, &item, predicate, tree, normalized)?;
    let quantifier = if predicate.is_negative() { Quantifier::All } else { Quantifier::Any };
    let node = Node::For {
        quantifier,
        body: Box::new(body),
        variable: "item".to_owned(),
        list: Box::new(subject.expr.clone()),
        filter: None,
    };
    Some(Expr::new(node, tree.span))
}

fn about(
    file: &mut File<'_>,
    key: &str,
    subject: &Expr,
    predicate: Predicate,
    tree: &Tree,
    normalized: bool,
) -> Option<Expr> {
    let span = tree.span;
    match predicate {
        Predicate::Exists => {
            if let Value::Bool(wanted) = tree.value {
                let exists = Expr::call(Function::Exists, [subject.clone()]).at(span);
                Some(if wanted { exists } else { Expr::negate(exists).at(span) })
            } else {
                file.wrong(key, "`true` or `false`", tree);
                None
            }
        }
        Predicate::Text(function) => texts(file, key, subject, function, tree, normalized),
        Predicate::NotContains => {
            Some(Expr::negate(texts(file, key, subject, Function::Contains, tree, normalized)?).at(span))
        }
        Predicate::Compare(comparison) => compared(file, key, subject, comparison, tree, normalized),
    }
}

/// A predicate over texts: one, or a list of which one must fit.
fn texts(
    file: &mut File<'_>,
    key: &str,
    subject: &Expr,
    function: Function,
    tree: &Tree,
    normalized: bool,
) -> Option<Expr> {
    let items: Vec<&Tree> = match &tree.value {
        Value::List(items) if !items.is_empty() => items.iter().collect(),
        _ => vec![tree],
    };
    let mut tests = Vec::new();
    for item in items {
        let text = match &item.value {
            Value::Text(text) => text.clone(),
            // `contains: 443` looks for the digits.
            Value::Int(number) if function != Function::Matches => number.to_string(),
            Value::Int(_) => {
                let message = format!("`{}` must be text, not {}", shown(key), item.described());
                file.advise(Code::RULE_VALUE, item.span, message, "put it in quotes");
                return None;
            }
            _ => {
                file.wrong(key, "text", item);
                return None;
            }
        };
        if function == Function::Matches {
            doubt(file, &text, item.span);
        }
        let about = |subject: Expr, text: String| {
            Expr::call(function, [subject, Expr::new(Node::Text(text), item.span)]).at(item.span)
        };
        tests.push(about(subject.clone(), text.clone()));
        if normalized {
            let text =
                if matches!(function, Function::Matches | Function::Glob) { text } else { normalize(&text) };
            tests.push(about(Expr::call(Function::Normalize, [subject.clone()]).at(item.span), text));
        }
    }
    Some(Expr::or(tests).at(tree.span))
}

fn compared(
    file: &mut File<'_>,
    key: &str,
    subject: &Expr,
    comparison: Comparison,
    tree: &Tree,
    normalized: bool,
) -> Option<Expr> {
    let fits = match comparison {
        Comparison::In | Comparison::NotIn => matches!(&tree.value, Value::List(items) if !items.is_empty()),
        Comparison::Equal | Comparison::NotEqual => !matches!(tree.value, Value::Form(_)),
        _ => matches!(tree.value, Value::Int(_) | Value::Float(_)),
    };
    if !fits {
        let wanted = match comparison {
            Comparison::In | Comparison::NotIn => "a list with something in it",
            Comparison::Equal | Comparison::NotEqual => "a value",
            _ => "a number",
        };
        file.wrong(key, wanted, tree);
        return None;
    }
    let plain = Expr::compare(subject.clone(), comparison, literal(file, tree)?).at(tree.span);
    if !normalized {
        return Some(plain);
    }
    let other = Expr::call(Function::Normalize, [subject.clone()]).at(tree.span);
    let other = Expr::compare(other, comparison, normal_literal(literal(file, tree)?)).at(tree.span);
    let negative = matches!(comparison, Comparison::NotEqual | Comparison::NotIn);
    let both = [plain, other];
    Some(if negative { Expr::and(both) } else { Expr::or(both) }.at(tree.span))
}

fn normal_literal(literal: Expr) -> Expr {
    super::rebuild::rebuild(literal, &mut Vec::new(), &mut |expr, _| match expr.as_text() {
        Some(text) => Expr::from(normalize(text).as_str()).at(expr.span()),
        None => expr,
    })
}

/// A value as it stands.
fn literal(file: &mut File<'_>, tree: &Tree) -> Option<Expr> {
    match tree.to_json() {
        Ok(json) => {
            let span = tree.span;
            Some(super::rebuild::moved(Expr::json(&json), |_| span))
        }
        Err(span) => {
            file.advise(Code::RULE_VALUE, span, "an expression cannot stand here", "write the value itself");
            None
        }
    }
}

/// A warning where a regular expression reads like a glob.
fn doubt(file: &mut File<'_>, text: &str, span: Span) {
    let plain = text.chars().all(|c| c.is_alphanumeric() || "_-/*~ ".contains(c));
    if plain && repeats_a_letter(text) {
        let message =
            format!("`{}` is a regular expression: its `*` repeats the character before it", shown(text));
        file.advise(
            Code::PATTERN_KIND,
            span,
            message,
            format!("write `.*` for any text, or `{{glob: \"{}\"}}`", shown(text)),
        );
    }
}

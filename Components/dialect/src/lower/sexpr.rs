//! Guards as S-expressions: the same expressions in other clothes.

use mentci_expr::{
    ArithmeticOp, Comparison, Expr, FUNCTIONS, Function, Node as ExprNode, Quantifier, UnaryOp, Variable,
};
use mentci_reader::edn::{Node, Value};
use mentci_source::{Code, Span, did_you_mean};

use crate::fields::File;
use crate::tree::shown;

pub(crate) const COMPARISONS: &[(&str, Comparison)] = &[
    ("==", Comparison::Equal),
    ("=", Comparison::Equal),
    ("eq", Comparison::Equal),
    ("equal", Comparison::Equal),
    ("!=", Comparison::NotEqual),
    ("not=", Comparison::NotEqual),
    ("<", Comparison::Less),
    ("<=", Comparison::LessOrEqual),
    (">", Comparison::Greater),
    (">=", Comparison::GreaterOrEqual),
    ("in", Comparison::In),
    ("not-in", Comparison::NotIn),
    ("is", Comparison::Is),
    ("is-not", Comparison::IsNot),
];

pub(crate) const ARITHMETIC: &[(&str, ArithmeticOp)] = &[
    ("+", ArithmeticOp::Add),
    ("-", ArithmeticOp::Subtract),
    ("*", ArithmeticOp::Multiply),
    ("/", ArithmeticOp::Divide),
    ("%", ArithmeticOp::Remainder),
    ("mod", ArithmeticOp::Remainder),
];

pub(crate) const QUANTIFIERS: &[(&str, Quantifier)] = &[
    ("any", Quantifier::Any),
    ("all", Quantifier::All),
    ("each", Quantifier::Each),
    ("some", Quantifier::Any),
    ("every?", Quantifier::All),
    ("map", Quantifier::Each),
];

/// What Lisp asks of a call in the history, by the call's field.
const ACCESSORS: &[(&str, &str)] = &[
    ("tool-name", "name"),
    ("tool-args", "arguments"),
    ("tool-arguments", "arguments"),
    ("tool-result", "result"),
    ("tool-success", "success"),
    ("tool-timestamp", "timestamp"),
];

/// Names that are no functions and stand at the head of a form.
const SPECIAL: &[&str] = &["and", "or", "not", "if", "get", "any", "all", "each"];

/// Reads a form. Its depth is bounded by the reader's.
pub(crate) fn read(file: &mut File<'_>, node: &Node) -> Option<Expr> {
    Lisp { file, scope: Vec::new() }.expr(node)
}

/// Reads a symbol that stands alone.
pub(crate) fn symbol(file: &mut File<'_>, name: &str, span: Span) -> Option<Expr> {
    Lisp { file, scope: Vec::new() }.symbol(name, span)
}

struct Lisp<'f, 'a> {
    file: &'f mut File<'a>,
    /// The parameters of the functions around.
    scope: Vec<String>,
}

impl Lisp<'_, '_> {
    fn expr(&mut self, node: &Node) -> Option<Expr> {
        let span = node.span;
        let leaf = |node: ExprNode| Some(Expr::new(node, span));
        match &node.value {
            Value::Nil => leaf(ExprNode::Null),
            Value::Bool(value) => leaf(ExprNode::Bool(*value)),
            Value::Integer(number) => leaf(ExprNode::Int(*number)),
            Value::Float(number) if number.is_finite() => leaf(ExprNode::Float(*number)),
            Value::String(text) | Value::Keyword(text) => leaf(ExprNode::Text(text.clone())),
            Value::Char(c) => leaf(ExprNode::Text(c.to_string())),
            Value::Symbol(name) => self.symbol(name, span),
            Value::Vector(items) => leaf(ExprNode::List(self.exprs(items)?)),
            Value::Set(set) => leaf(ExprNode::List(self.exprs(set.items())?)),
            Value::Map(map) => {
                let mut entries = Vec::new();
                for (key, value) in map.entries() {
                    let Some(name) = key_of(key) else {
                        return self.refuse(
                            key.span,
                            "a key must be a keyword or a string",
                            "write it as in `{:path \"/etc\"}`",
                        );
                    };
                    entries.push((name, self.expr(value)?));
                }
                leaf(ExprNode::Map(entries))
            }
            Value::List(items) => self.form(items, span),
            Value::Float(_) | Value::BigInteger(_) | Value::Decimal(_) | Value::Tagged(..) => self.refuse(
                span,
                "this value cannot stand in a condition",
                "write a text, or a number of 64 bits at most",
            ),
        }
    }

    fn exprs(&mut self, nodes: &[Node]) -> Option<Vec<Expr>> {
        let all: Vec<Option<Expr>> = nodes.iter().map(|node| self.expr(node)).collect();
        all.into_iter().collect()
    }

    fn refuse<T>(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) -> Option<T> {
        self.file.advise(Code::RULE_VALUE, span, message, help);
        None
    }

    /// A variable by its path; `-` is `_`.
    fn symbol(&mut self, name: &str, span: Span) -> Option<Expr> {
        let path = name.replace('-', "_");
        let plain = |part: &str| {
            part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        if !path.split('.').all(plain) {
            return self.refuse(
                span,
                format!("`{}` is no name", shown(name)),
                "a name has letters, digits and `-`, as `turn-index` has; put a text in quotes",
            );
        }
        let root = path.split('.').next().unwrap_or_default();
        let known = if self.scope.iter().any(|name| name == root) { None } else { Variable::find(&path) };
        let expr = match known {
            Some(variable) => Expr::name(variable.path()),
            None => Expr::name(&path),
        };
        Some(super::rebuild::moved(expr, |_| span))
    }

    fn form(&mut self, items: &[Node], span: Span) -> Option<Expr> {
        let Some((head, rest)) = items.split_first() else {
            return self.refuse(span, "this form is empty", "write one such as `(> turn-index 5)`");
        };
        let expr = match &head.value {
            // `(:name t)` is `t.name`.
            Value::Keyword(field) => {
                let [inner] = rest else {
                    return self.refuse(
                        span,
                        format!("`(:{} x)` takes one value", shown(field)),
                        "name the one thing that has the field, as in `(:name call)`",
                    );
                };
                Expr::new(ExprNode::Field(Box::new(self.expr(inner)?), field.replace('-', "_")), span)
            }
            Value::Symbol(name) => self.headed(name, head.span, rest, span)?,
            _ => {
                return self.refuse(
                    head.span,
                    "a form starts with the name of what it does",
                    "write it as in `(> turn-index 5)`; a list of values is a vector: `[1 2]`",
                );
            }
        };
        Some(expr.at(span))
    }

    fn headed(&mut self, name: &str, at: Span, rest: &[Node], span: Span) -> Option<Expr> {
        if let Some((_, quantifier)) = QUANTIFIERS.iter().find(|(known, _)| *known == name)
            && rest.len() > 1
        {
            return self.quantified(*quantifier, rest, span);
        }
        if let Some((_, comparison)) = COMPARISONS.iter().find(|(known, _)| *known == name) {
            return self.compared(*comparison, name, rest, span);
        }
        if let Some((_, op)) = ARITHMETIC.iter().find(|(known, _)| *known == name) {
            return self.arithmetic(*op, name, rest, span);
        }
        match name {
            "and" => Some(Expr::and(self.exprs(rest)?)),
            "or" => Some(Expr::or(self.exprs(rest)?)),
            "not" => {
                let [inner] = self.counted(name, rest, span)?;
                Some(Expr::negate(inner))
            }
            "if" => {
                let [condition, then, otherwise] = self.counted(name, rest, span)?.map(Box::new);
                Some(Expr::new(ExprNode::If { condition, then, otherwise }, span))
            }
            "get" => {
                let [inner, mut index] = self.counted(name, rest, span)?.map(Box::new);
                if let Some(key) = key_of(&rest[1]) {
                    *index = Expr::new(ExprNode::Text(key), rest[1].span);
                }
                Some(Expr::new(ExprNode::Index(inner, index), span))
            }
            _ => self.called(name, at, rest, span),
        }
    }

    /// Exactly `N` arguments.
    fn counted<const N: usize>(&mut self, name: &str, rest: &[Node], span: Span) -> Option<[Expr; N]> {
        let arguments = self.exprs(rest)?;
        let given = arguments.len();
        match <[Expr; N]>::try_from(arguments) {
            Ok(arguments) => Some(arguments),
            Err(_) => self.refuse(
                span,
                format!("`({name} …)` takes {N} value{}, not {given}", if N == 1 { "" } else { "s" }),
                format!("write `({name}{})`", " …".repeat(N)),
            ),
        }
    }

    fn called(&mut self, name: &str, at: Span, rest: &[Node], span: Span) -> Option<Expr> {
        if let Some((_, field)) = ACCESSORS.iter().find(|(known, _)| *known == name)
            && let [inner] = rest
        {
            return Some(Expr::new(ExprNode::Field(Box::new(self.expr(inner)?), (*field).to_owned()), span));
        }
        if let Some(function) = Function::find(name) {
            let mut arguments = self.exprs(rest)?;
            if let (Some(key), true) = (rest.first().and_then(key_of), names_a_key(function)) {
                arguments[0] = Expr::new(ExprNode::Text(key), rest[0].span);
            }
            return Some(Expr::call(function, arguments));
        }
        if rest.is_empty()
            && let Some(variable) = Variable::find(name)
        {
            return Some(super::rebuild::moved(Expr::name(variable.path()), |_| span));
        }
        let names: Vec<String> = FUNCTIONS.iter().map(|function| function.name().replace('_', "-")).collect();
        let near = did_you_mean(name, names.iter().map(String::as_str).chain(SPECIAL.iter().copied()));
        let message = format!("there is no function `{}`", shown(name));
        let listed = "`Library/grammar.md` lists the functions; here `_` is written `-`";
        let help = near.map_or_else(|| listed.to_owned(), |near| format!("did you mean `{near}`?"));
        self.file.advise(Code::RULE_VALUE, at, message, help);
        None
    }

    fn compared(&mut self, comparison: Comparison, name: &str, rest: &[Node], span: Span) -> Option<Expr> {
        let mut operands = self.exprs(rest)?.into_iter();
        let (Some(first), true) = (operands.next(), rest.len() > 1) else {
            return self.refuse(
                span,
                format!("`({name} …)` compares at least two values"),
                format!("write `({name} turn-index 5)`"),
            );
        };
        let rest = operands.map(|operand| (comparison, operand)).collect();
        Some(Expr::new(ExprNode::Compare(Box::new(first), rest), span))
    }

    fn arithmetic(&mut self, op: ArithmeticOp, name: &str, rest: &[Node], span: Span) -> Option<Expr> {
        let mut operands = self.exprs(rest)?.into_iter();
        let Some(first) = operands.next() else {
            return self.refuse(
                span,
                format!("`({name} …)` takes values"),
                format!("write `({name} turn-index 5)`"),
            );
        };
        if rest.len() == 1 {
            return match op {
                ArithmeticOp::Subtract => {
                    Some(Expr::new(ExprNode::Unary(UnaryOp::Minus, Box::new(first)), span))
                }
                _ => self.refuse(
                    span,
                    format!("`({name} …)` takes at least two values"),
                    format!("write `({name} turn-index 5)`"),
                ),
            };
        }
        let rest = operands.map(|operand| (op, operand)).collect();
        Some(Expr::new(ExprNode::Arithmetic(Box::new(first), rest), span))
    }

    /// `(any xs (fn [t] body))`, with `:if filter` after it; the function may also stand first.
    fn quantified(&mut self, quantifier: Quantifier, rest: &[Node], span: Span) -> Option<Expr> {
        let (list, function, filter) = match rest {
            [list, function] | [function, list] if is_function(function) => (list, function, None),
            [list, function, word, filter] if is_function(function) && word.as_keyword() == Some("if") => {
                (list, function, Some(filter))
            }
            _ => {
                let help = "write `(any xs (fn [x] …))`, and `:if …` after it for a filter";
                self.file.advise(
                    Code::RULE_VALUE,
                    span,
                    "this takes a list and a function of one parameter",
                    help,
                );
                return None;
            }
        };
        let list = Box::new(self.expr(list)?);
        let Some((variable, body)) = parameter(function) else {
            return self.refuse(
                function.span,
                "a function has one parameter and one body",
                "write `(fn [x] …)`",
            );
        };
        let variable = variable.replace('-', "_");
        self.scope.push(variable.clone());
        let body = self.expr(body);
        let filter = filter.map(|filter| self.expr(filter));
        self.scope.pop();
        let filter = match filter {
            None => None,
            Some(filter) => Some(Box::new(filter?)),
        };
        Some(Expr::new(ExprNode::For { quantifier, body: Box::new(body?), variable, list, filter }, span))
    }
}

/// A key as it stands in maps: `:user-role` is `user_role`, a string is itself.
fn key_of(node: &Node) -> Option<String> {
    match &node.value {
        Value::Keyword(key) => Some(key.replace('-', "_")),
        Value::String(key) => Some(key.clone()),
        _ => None,
    }
}

/// Whether a function's first value is a key of facts, of arguments or of what rules keep.
fn names_a_key(function: Function) -> bool {
    use Function as F;
    matches!(function, F::Session | F::Fact | F::Arg | F::StateGet | F::StateHas)
}

fn is_function(node: &Node) -> bool {
    matches!(&node.value, Value::List(items)
        if matches!(items.first().map(|head| &head.value), Some(Value::Symbol(name)) if name == "fn" || name == "lambda"))
}

/// The parameter and the body of `(fn [t] body)` or `(lambda (t) body)`.
fn parameter(function: &Node) -> Option<(&str, &Node)> {
    let [_, parameters, body] = function.items()? else { return None };
    let (Value::List(names) | Value::Vector(names)) = &parameters.value else { return None };
    match names.as_slice() {
        [Node { value: Value::Symbol(name), .. }] => {
            let plain = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
            plain.then_some((name.as_str(), body))
        }
        _ => None,
    }
}

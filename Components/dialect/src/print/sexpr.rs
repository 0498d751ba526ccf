//! Expressions as S-expressions.

use std::fmt::Write as _;

use mentci_expr::{ArithmeticOp, Expr, Function, Node, UnaryOp, Variable};
use mentci_reader::edn::quoted;

use crate::lower::sexpr::{ARITHMETIC, COMPARISONS, QUANTIFIERS};

/// How deep forms may nest: the reader takes 128 levels, and the file around them needs some.
const MAX_DEPTH: usize = 90;

/// The form that reads as `expr`; `None` where there is none, and the text of the guard language stands instead.
pub(super) fn form(expr: &Expr) -> Option<String> {
    let is_form = !matches!(
        expr.node(),
        Node::Null | Node::Int(_) | Node::Float(_) | Node::Text(_) | Node::List(_) | Node::Map(_)
    );
    is_form.then(|| write(expr, &mut Vec::new(), 0)).flatten()
}

fn write(expr: &Expr, scope: &mut Vec<String>, depth: usize) -> Option<String> {
    if depth > MAX_DEPTH {
        return None;
    }
    if expr.as_path().is_some() {
        return symbol(expr, scope);
    }
    let mut inner = |expr: &Expr| write(expr, scope, depth + 1);
    Some(match expr.node() {
        Node::Null => "nil".to_owned(),
        Node::Bool(value) => value.to_string(),
        Node::Int(number) => number.to_string(),
        Node::Float(number) => format!("{number:?}"),
        Node::Text(text) => quoted(text),
        Node::List(items) => {
            let items: Option<Vec<String>> = items.iter().map(inner).collect();
            format!("[{}]", items?.join(" "))
        }
        Node::Map(entries) => {
            let entries: Option<Vec<String>> = entries
                .iter()
                .map(|(key, value)| Some(format!("{} {}", quoted(key), inner(value)?)))
                .collect();
            format!("{{{}}}", entries?.join(", "))
        }
        Node::Field(of, field) => match name(field) {
            Some(field) => format!("(:{field} {})", inner(of)?),
            None => format!("(get {} {})", inner(of)?, quoted(field)),
        },
        Node::Index(of, index) => format!("(get {} {})", inner(of)?, inner(index)?),
        Node::Call(function, arguments) => headed(&called(*function)?, arguments, inner)?,
        Node::Unary(UnaryOp::Not, operand) => format!("(not {})", inner(operand)?),
        Node::Unary(UnaryOp::Minus, operand) => format!("(- {})", inner(operand)?),
        Node::Arithmetic(first, rest) => counted(first, rest, scope, depth)?,
        Node::Compare(first, rest) => {
            let (comparison, _) = rest.first()?;
            if rest.iter().any(|(other, _)| other != comparison) {
                return None;
            }
            let (head, _) = COMPARISONS.iter().find(|(_, known)| known == comparison)?;
            let mut form = format!("({head} {}", inner(first)?);
            for (_, operand) in rest {
                let _ = write!(form, " {}", inner(operand)?);
            }
            form + ")"
        }
        Node::And(operands) => headed("and", operands, inner)?,
        Node::Or(operands) => headed("or", operands, inner)?,
        Node::If { condition, then, otherwise } => {
            format!("(if {} {} {})", inner(condition)?, inner(then)?, inner(otherwise)?)
        }
        Node::For { quantifier, body, variable, list, filter } => {
            let (head, _) = QUANTIFIERS.iter().find(|(_, known)| known == quantifier)?;
            let list = inner(list)?;
            let parameter = name(variable)?;
            scope.push(variable.clone());
            let body = write(body, scope, depth + 2);
            let filter = filter.as_ref().map(|filter| write(filter, scope, depth + 1));
            scope.pop();
            let filter = match filter {
                Some(filter) => format!(" :if {}", filter?),
                None => String::new(),
            };
            format!("({head} {list} (fn [{parameter}] {}){filter})", body?)
        }
        Node::Name(_) | Node::Broken(_) => return None,
    })
}

/// Operators that follow one another and are the same share a form; each other one stands around what came before it.
fn counted(
    first: &Expr,
    rest: &[(ArithmeticOp, Expr)],
    scope: &mut Vec<String>,
    depth: usize,
) -> Option<String> {
    let runs: Vec<_> = rest.chunk_by(|(one, _), (next, _)| one == next).collect();
    let depth = depth + runs.len();
    let mut form = write(first, scope, depth)?;
    let mut heads = String::new();
    for run in runs {
        let (operator, _) = run.first()?;
        let (head, _) = ARITHMETIC.iter().find(|(_, known)| known == operator)?;
        heads.insert_str(0, &format!("({head} "));
        for (_, operand) in run {
            let _ = write!(form, " {}", write(operand, scope, depth)?);
        }
        form.push(')');
    }
    Some(heads + &form)
}

fn headed(head: &str, operands: &[Expr], inner: impl FnMut(&Expr) -> Option<String>) -> Option<String> {
    let operands: Option<Vec<String>> = operands.iter().map(inner).collect();
    let form: Vec<String> = std::iter::once(head.to_owned()).chain(operands?).collect();
    Some(format!("({})", form.join(" ")))
}

/// A variable, where reading its symbol gives it again.
fn symbol(expr: &Expr, scope: &[String]) -> Option<String> {
    let path = expr.as_path()?;
    let names: Option<Vec<String>> = path.iter().map(|part| name(part)).collect();
    let names = names?;
    let is_local = scope.iter().any(|known| known == path[0]);
    let joined = path.join(".");
    let other = Variable::find(&joined).is_some_and(|variable| variable.path() != joined);
    let reserved = ["true", "false", "nil"].contains(&names[0].as_str());
    (!reserved && (is_local || !other)).then(|| names.join("."))
}

/// A name with `-` for `_`.
fn name(text: &str) -> Option<String> {
    let plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    plain.then(|| text.replace('_', "-"))
}

fn called(function: Function) -> Option<String> {
    let name = function.name().replace('_', "-");
    (Function::find(&name) == Some(function)).then_some(name)
}

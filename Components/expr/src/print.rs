//! Printing: canonical text, that parses back to an equal expression.

use std::fmt::{self, Formatter, Write};

use crate::expr::{ArithmeticOp, Broken, Comparison, Node, Quantifier, UnaryOp};
use crate::token::is_field;
use crate::{Expr, Function};

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        print(self, 0, f)
    }
}

/// How tightly a node binds, as in the grammar: 0 is `if`, 8 is attached, 9 stands alone.
fn level(node: &Node) -> u8 {
    match node {
        Node::If { .. } => 0,
        Node::Or(_) => 1,
        Node::And(_) => 2,
        Node::Unary(UnaryOp::Not, _) => 3,
        Node::Compare(..) => 4,
        Node::Arithmetic(_, rest) if rest.iter().any(|(operator, _)| operator.adds()) => 5,
        Node::Arithmetic(..) => 6,
        Node::Unary(UnaryOp::Minus, _) => 7,
        Node::Int(number) if *number < 0 => 7,
        Node::Float(number) if number.is_sign_negative() => 7,
        Node::Field(..) | Node::Index(..) => 8,
        _ => 9,
    }
}

/// Prints where something of at least `least` may stand, with parentheses where it binds less.
fn print(expr: &Expr, least: u8, f: &mut Formatter<'_>) -> fmt::Result {
    if level(expr.node()) >= least {
        return bare(expr.node(), f);
    }
    f.write_char('(')?;
    bare(expr.node(), f)?;
    f.write_char(')')
}

fn bare(node: &Node, f: &mut Formatter<'_>) -> fmt::Result {
    match node {
        Node::Null => f.write_str("null"),
        Node::Bool(value) => write!(f, "{value}"),
        Node::Int(number) => write!(f, "{number}"),
        Node::Float(number) => write!(f, "{number:?}"),
        Node::Text(text) => quoted(text, f),
        Node::Name(name) => f.write_str(name),
        Node::List(items) => enclosed("[", items, "]", f),
        Node::Map(entries) => map(entries, f),
        Node::Field(inner, field) => attached(inner, field, f),
        Node::Index(inner, key) => {
            print(inner, 8, f)?;
            f.write_char('[')?;
            print(key, 0, f)?;
            f.write_char(']')
        }
        Node::Call(function, arguments) => call(*function, arguments, f),
        Node::Unary(UnaryOp::Not, operand) => {
            f.write_str("not ")?;
            print(operand, 3, f)
        }
        Node::Unary(UnaryOp::Minus, operand) => {
            f.write_char('-')?;
            print(operand, 7, f)
        }
        Node::Arithmetic(first, rest) => {
            let tighter = level(node) + 1;
            print(first, tighter, f)?;
            rest.iter().try_for_each(|(operator, right)| {
                write!(f, " {operator} ")?;
                print(right, tighter, f)
            })
        }
        Node::Compare(first, rest) => {
            print(first, 5, f)?;
            rest.iter().try_for_each(|(comparison, right)| {
                write!(f, " {comparison} ")?;
                print(right, 5, f)
            })
        }
        Node::And(operands) => joined(operands, 3, " and ", f),
        Node::Or(operands) => joined(operands, 2, " or ", f),
        Node::If { condition, then, otherwise } => {
            print(then, 1, f)?;
            f.write_str(" if ")?;
            print(condition, 1, f)?;
            f.write_str(" else ")?;
            print(otherwise, 0, f)
        }
        Node::For { quantifier, body, variable, list, filter } => {
            let (open, close) = brackets(*quantifier);
            f.write_str(open)?;
            print(body, 0, f)?;
            write!(f, " for {variable} in ")?;
            print(list, 1, f)?;
            if let Some(filter) = filter {
                f.write_str(" if ")?;
                print(filter, 1, f)?;
            }
            f.write_str(close)
        }
        Node::Broken(broken) => write!(f, "<{broken}>"),
    }
}

fn brackets(quantifier: Quantifier) -> (&'static str, &'static str) {
    match quantifier {
        Quantifier::Any => ("any(", ")"),
        Quantifier::All => ("all(", ")"),
        Quantifier::Each => ("[", "]"),
    }
}

fn attached(inner: &Expr, field: &str, f: &mut Formatter<'_>) -> fmt::Result {
    print(inner, 8, f)?;
    if is_field(field) {
        return write!(f, ".{field}");
    }
    f.write_char('[')?;
    quoted(field, f)?;
    f.write_char(']')
}

fn call(function: Function, arguments: &[Expr], f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str(function.name())?;
    enclosed("(", arguments, ")", f)
}

fn enclosed(open: &str, items: &[Expr], close: &str, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str(open)?;
    joined(items, 0, ", ", f)?;
    f.write_str(close)
}

fn map(entries: &[(String, Expr)], f: &mut Formatter<'_>) -> fmt::Result {
    f.write_char('{')?;
    for (at, (key, value)) in entries.iter().enumerate() {
        f.write_str(if at == 0 { "" } else { ", " })?;
        quoted(key, f)?;
        f.write_str(": ")?;
        print(value, 0, f)?;
    }
    f.write_char('}')
}

fn joined(items: &[Expr], least: u8, between: &str, f: &mut Formatter<'_>) -> fmt::Result {
    for (at, item) in items.iter().enumerate() {
        f.write_str(if at == 0 { "" } else { between })?;
        print(item, least, f)?;
    }
    Ok(())
}

/// As JSON writes strings.
fn quoted(text: &str, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            '\r' => f.write_str("\\r")?,
            c if c.is_control() => write!(f, "\\u{:04x}", u32::from(c))?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

impl fmt::Display for ArithmeticOp {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
        })
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::In => "in",
            Self::NotIn => "not in",
            Self::Is => "is",
            Self::IsNot => "is not",
        })
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooDeep => "nested too deep",
            Self::NotFinite => "not a finite number",
            Self::Unread => "not readable",
        })
    }
}

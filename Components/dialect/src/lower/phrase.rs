//! Expressions as they stand in files.

use mentci_expr::{Expr, Problem, parse};
use mentci_source::{Code, Finding, Span};

use super::rebuild::moved;
use super::sexpr;
use crate::Dialect;
use crate::fields::File;
use crate::tree::{Tree, Value};

/// An expression: text of the guard language, a form of EDN, or a plain `true` or `false`.
pub(crate) fn phrase(file: &mut File<'_>, key: &str, tree: &Tree) -> Option<Expr> {
    match &tree.value {
        // EDN's bare symbol is a variable.
        Value::Text(text)
            if file.dialect == Dialect::Edn && !file.source.slice(tree.span).starts_with('"') =>
        {
            sexpr::symbol(file, text, tree.span)
        }
        Value::Text(text) => of_text(file, text, tree.span),
        Value::Form(form) => sexpr::read(file, form),
        Value::Bool(value) => Some(Expr::from(*value).at(tree.span)),
        _ => {
            file.wrong(key, "an expression", tree);
            None
        }
    }
}

/// Parses `text`, which was read from `span`; its places become the file's.
pub(crate) fn of_text(file: &mut File<'_>, text: &str, span: Span) -> Option<Expr> {
    let parsed = parse(text);
    let start = verbatim(file, text, span);
    let place = |inner: Span| match start {
        Some(start) => Span::new(start + inner.start as usize, start + inner.end as usize),
        None => span,
    };
    for problem in &parsed.problems {
        file.findings.push(finding(file, problem, place(problem.span)));
    }
    if parsed.expr.is_none() && parsed.problems.is_empty() {
        file.advise(Code::RULE_VALUE, span, "this is no expression", "write one such as `turn_index > 5`");
    }
    parsed.expr.map(|expr| moved(expr, place))
}

/// A problem as a finding at a place of the file.
pub(crate) fn finding(file: &File<'_>, problem: &Problem, span: Span) -> Finding {
    let finding =
        Finding::new(problem.code, problem.message.clone()).severity(problem.severity).at(file.source, span);
    match &problem.help {
        Some(help) => finding.help(help.clone()),
        None => finding,
    }
}

/// Where the text begins, when it stands in the file as it is: without escapes and within one line.
fn verbatim(file: &File<'_>, text: &str, span: Span) -> Option<usize> {
    let raw = file.source.slice(span);
    raw.find(text).map(|at| span.start as usize + at)
}

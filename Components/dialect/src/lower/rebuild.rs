//! Walking an expression and building it anew.

use mentci_expr::{Expr, Node};
use mentci_source::Span;

/// Builds `expr` anew from its leaves up: `each` gets every expression with the comprehension variables around it.
pub(crate) fn rebuild(
    expr: Expr,
    scope: &mut Vec<String>,
    each: &mut dyn FnMut(Expr, &[String]) -> Expr,
) -> Expr {
    let span = expr.span();
    let mut go = |expr: Expr, scope: &mut Vec<String>| rebuild(expr, scope, each);
    let node = match expr.into_node() {
        Node::List(items) => Node::List(items.into_iter().map(|item| go(item, scope)).collect()),
        Node::Map(entries) => {
            Node::Map(entries.into_iter().map(|(key, value)| (key, go(value, scope))).collect())
        }
        Node::Field(inner, field) => Node::Field(Box::new(go(*inner, scope)), field),
        Node::Index(inner, index) => Node::Index(Box::new(go(*inner, scope)), Box::new(go(*index, scope))),
        Node::Call(function, arguments) => {
            Node::Call(function, arguments.into_iter().map(|argument| go(argument, scope)).collect())
        }
        Node::Unary(op, inner) => Node::Unary(op, Box::new(go(*inner, scope))),
        Node::Arithmetic(first, rest) => Node::Arithmetic(
            Box::new(go(*first, scope)),
            rest.into_iter().map(|(operator, right)| (operator, go(right, scope))).collect(),
        ),
        Node::Compare(first, rest) => Node::Compare(
            Box::new(go(*first, scope)),
            rest.into_iter().map(|(comparison, right)| (comparison, go(right, scope))).collect(),
        ),
        Node::And(operands) => Node::And(operands.into_iter().map(|operand| go(operand, scope)).collect()),
        Node::Or(operands) => Node::Or(operands.into_iter().map(|operand| go(operand, scope)).collect()),
        Node::If { condition, then, otherwise } => Node::If {
            condition: Box::new(go(*condition, scope)),
            then: Box::new(go(*then, scope)),
            otherwise: Box::new(go(*otherwise, scope)),
        },
        Node::For { quantifier, body, variable, list, filter } => {
            let list = Box::new(go(*list, scope));
            scope.push(variable.clone());
            let body = Box::new(go(*body, scope));
            let filter = filter.map(|filter| Box::new(go(*filter, scope)));
            scope.pop();
            Node::For { quantifier, body, variable, list, filter }
        }
        leaf => leaf,
    };
    each(Expr::new(node, span), scope)
}

/// The same expression with its places changed.
pub(crate) fn moved(expr: Expr, place: impl Fn(Span) -> Span) -> Expr {
    rebuild(expr, &mut Vec::new(), &mut |expr, _| {
        let span = place(expr.span());
        expr.at(span)
    })
}

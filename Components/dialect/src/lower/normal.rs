//! The normal form of guards, so that one meaning has one shape whatever the dialect.

use mentci_authority::Guard;
use mentci_expr::{Broken, Expr, Node, Variable};

use super::rebuild::rebuild;

/// The normal form: conditions side by side are one expression, variables have one name, what always holds is
/// [`Guard::Always`].
///
/// So `args` and `session` of YAML, `if="a and b"` of ChatMD and `(and a b)` of EDN give the same guard.
pub(crate) fn normal(guard: Guard) -> Guard {
    match guard {
        Guard::Expr(expr) => of_expr(canonical(expr)),
        Guard::All(inner) => all(inner),
        Guard::Any(inner) => any(inner),
        Guard::Not(inner) => match normal(*inner) {
            Guard::Always => Guard::Expr(Expr::from(false)),
            Guard::Expr(expr) => joined(&[expr], |mut one| Expr::negate(one.remove(0)))
                .unwrap_or_else(|mut one| Guard::Not(Box::new(Guard::Expr(one.remove(0))))),
            other => Guard::Not(Box::new(other)),
        },
        other => other,
    }
}

fn of_expr(expr: Expr) -> Guard {
    if *expr.node() == Node::Bool(true) { Guard::Always } else { Guard::Expr(expr) }
}

fn all(inner: Vec<Guard>) -> Guard {
    let flat = inner.into_iter().map(normal).flat_map(|guard| match guard {
        Guard::Always => Vec::new(),
        Guard::All(inner) => inner,
        other => vec![other],
    });
    let mut merged = neighbours(flat, Expr::and);
    match merged.len() {
        0 => Guard::Always,
        1 => merged.remove(0),
        _ => Guard::All(merged),
    }
}

fn any(inner: Vec<Guard>) -> Guard {
    let flat: Vec<Guard> = inner
        .into_iter()
        .map(normal)
        .flat_map(|guard| match guard {
            Guard::Any(inner) => inner,
            other => vec![other],
        })
        .collect();
    if flat.contains(&Guard::Always) {
        return Guard::Always;
    }
    let mut merged = neighbours(flat.into_iter(), Expr::or);
    match merged.len() {
        0 => Guard::Expr(Expr::from(false)),
        1 => merged.remove(0),
        _ => Guard::Any(merged),
    }
}

/// Joins expressions that stand side by side.
fn neighbours(guards: impl Iterator<Item = Guard>, join: fn(Vec<Expr>) -> Expr) -> Vec<Guard> {
    let mut merged = Vec::new();
    let mut run: Vec<Expr> = Vec::new();
    let flush = |run: &mut Vec<Expr>, merged: &mut Vec<Guard>| {
        if run.is_empty() {
            return;
        }
        match joined(&std::mem::take(run), join) {
            Ok(guard) => merged.push(guard),
            Err(apart) => merged.extend(apart.into_iter().map(Guard::Expr)),
        }
    };
    for guard in guards {
        match guard {
            Guard::Expr(expr) => run.push(expr),
            other => {
                flush(&mut run, &mut merged);
                merged.push(other);
            }
        }
    }
    flush(&mut run, &mut merged);
    merged
}

/// One expression of several; themselves again where it would nest too deep.
fn joined(parts: &[Expr], join: impl Fn(Vec<Expr>) -> Expr) -> Result<Guard, Vec<Expr>> {
    let span = parts.iter().map(Expr::span).reduce(mentci_source::Span::join).unwrap_or_default();
    let whole = join(parts.to_vec());
    if *whole.node() == Node::Broken(Broken::TooDeep) {
        return Err(parts.to_vec());
    }
    let same = parts.len() == 1 && whole == parts[0];
    Ok(Guard::Expr(if same { parts[0].clone() } else { whole.at(span) }))
}

/// `context.turn.number` and `turn.number` are one variable: its own name stands.
pub(crate) fn canonical(expr: Expr) -> Expr {
    rebuild(expr, &mut Vec::new(), &mut |expr, scope| {
        let Some(path) = expr.as_path() else { return expr };
        if path[0] != "context" || scope.iter().any(|name| name == "context") {
            return expr;
        }
        match Variable::find(&path.join(".")) {
            Some(variable) => Expr::name(variable.path()).at(expr.span()),
            None => expr,
        }
    })
}

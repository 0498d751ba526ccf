//! Guards, compiled.

use mentci_authority::{Admission, Chain, Guard, ScriptId};
use mentci_expr::{Budget, Compiled, Fault, FaultKind, Variable, holds};

use crate::names::Names;
use crate::truth::Truth;
use crate::world::World;

/// A [`Guard`] whose expressions are programs and whose names are matchers.
#[derive(Debug)]
pub(crate) enum CompiledGuard {
    Always,
    All(Box<[CompiledGuard]>),
    Any(Box<[CompiledGuard]>),
    Not(Box<CompiledGuard>),
    Expr(Compiled),
    /// An expression that reads what admission finds in a call: its commands, its files.
    Admitted(Compiled),
    Chain(Chain, Box<[Names]>),
    /// With the full name of the rule, under which its reservations are kept.
    Admission(Admission, Box<str>),
    Script(ScriptId),
}

impl CompiledGuard {
    pub(crate) fn new(guard: &Guard, full_name: &str) -> Self {
        let inner = |guard: &Guard| Self::new(guard, full_name);
        match guard {
            Guard::Always => Self::Always,
            Guard::All(guards) => Self::All(guards.iter().map(inner).collect()),
            Guard::Any(guards) => Self::Any(guards.iter().map(inner).collect()),
            Guard::Not(guard) => Self::Not(Box::new(inner(guard))),
            Guard::Expr(expr) => Self::expr(Compiled::new(expr)),
            Guard::Chain(chain) => {
                Self::Chain(chain.clone(), chain.steps.iter().map(|step| Names::new(&step.tools)).collect())
            }
            Guard::Admission(admission) => Self::Admission(admission.clone(), full_name.into()),
            Guard::Script(script) => Self::Script(script.clone()),
        }
    }

    fn expr(program: Compiled) -> Self {
        let found = [Variable::EventCommands, Variable::EventFiles];
        if found.into_iter().any(|variable| program.reads(variable)) {
            Self::Admitted(program)
        } else {
            Self::Expr(program)
        }
    }

    /// Whether it holds in `world`.
    pub(crate) fn truth(&self, world: &World<'_>, budget: &mut Budget) -> Truth {
        match self {
            Self::Always => Truth::Holds,
            Self::All(inner) => Truth::all(inner.iter().map(|guard| guard.truth(world, budget))),
            Self::Any(inner) => Truth::any(inner.iter().map(|guard| guard.truth(world, budget))),
            Self::Not(inner) => inner.truth(world, budget).negated(),
            Self::Expr(program) => holds(program, world, budget).into(),
            Self::Admitted(program) => match &world.event.unread {
                // What was found is not all that there is: nothing can be said about it.
                Some(reason) => Truth::Faults(Box::new(Fault::new(FaultKind::Budget, reason.as_str()))),
                None => holds(program, world, budget).into(),
            },
            Self::Chain(chain, names) => world.chain_holds(chain, names).into(),
            Self::Admission(admission, full_name) => Truth::of(world.refuses(admission, full_name)),
            Self::Script(script) => world.script_holds(script).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mentci_expr::{JsonFacts, parse};
    use proptest::prelude::*;
    use serde_json::json;

    /// A guard of expressions, each asked by itself.
    fn truth(guard: &Guard, facts: JsonFacts<'_>) -> Truth {
        match guard {
            Guard::All(inner) => Truth::all(inner.iter().map(|guard| truth(guard, facts))),
            Guard::Any(inner) => Truth::any(inner.iter().map(|guard| truth(guard, facts))),
            Guard::Not(inner) => truth(inner, facts).negated(),
            Guard::Expr(expr) => holds(&Compiled::new(expr), &facts, &mut Budget::default()).into(),
            _ => Truth::Holds,
        }
    }

    fn condition() -> impl Strategy<Value = String> {
        let leaves = [
            "true",
            "false",
            "null",
            "0",
            "1",
            "''",
            "'a'",
            "[]",
            "turn_index",
            "turn_index == 3",
            "history.tools",
        ];
        let leaf = proptest::sample::select(leaves.to_vec()).prop_map(str::to_owned);
        leaf.prop_recursive(4, 24, 3, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 2..4)
                    .prop_map(|all| format!("({})", all.join(" and "))),
                proptest::collection::vec(inner.clone(), 2..4)
                    .prop_map(|all| format!("({})", all.join(" or "))),
                inner.clone().prop_map(|one| format!("(not {one})")),
                (inner.clone(), inner)
                    .prop_map(|(one, other)| format!("({one} if turn_index > 1 else {other})")),
            ]
        })
    }

    proptest! {
        /// Taken apart or not, a condition gives what its expression gives, and faults where that is neither true nor false.
        #[test]
        fn a_condition_taken_apart_is_the_same_condition(text in condition(), turn in 0..4) {
            let expr = parse(&text).expr.unwrap();
            let facts = json!({"turn_index": turn, "history": {"tools": ["a"]}});
            let facts = JsonFacts::new(&facts);
            let whole = Truth::from(holds(&Compiled::new(&expr), &facts, &mut Budget::default()));
            let parts = truth(&Guard::expr(expr), facts);
            let same = whole == parts || matches!((&whole, &parts), (Truth::Faults(_), Truth::Faults(_)));
            prop_assert!(same, "{text}: {whole:?}, {parts:?}");
        }
    }
}

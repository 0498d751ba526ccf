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

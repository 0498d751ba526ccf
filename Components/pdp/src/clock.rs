//! Whether rules read the clock.

use mentci_authority::{Action, Guard, Rule, Trust};
use mentci_expr::{Expr, Function, Node};

use crate::program::Program;

impl Program {
    /// Whether a rule that a person wrote reads the clock: by `cooldown_ms`, `now`, `since_ms`, a chain or a schedule. What is
    /// shipped does too, and is not counted: a session whose times nobody wrote down counts for it as if all had just happened.
    pub fn reads_clock(&self) -> bool {
        self.rules().any(|rule| rule.enabled && rule.origin.trust != Trust::Builtin && reads_clock(rule))
    }
}

fn reads_clock(rule: &Rule) -> bool {
    let mut reads = rule.cooldown.ms > 0;
    rule.guard.walk(&mut |guard| {
        reads |= match guard {
            Guard::Chain(_) => true,
            Guard::Expr(expr) => asks_time(expr),
            _ => false,
        };
    });
    reads || rule.actions.iter().filter_map(Action::expression).any(asks_time)
}

fn asks_time(expr: &Expr) -> bool {
    let own = matches!(
        expr.node(),
        Node::Call(Function::Now | Function::SinceMs | Function::TimeOfDay | Function::DayOfWeek, _)
    );
    own || expr.children().into_iter().any(asks_time)
}

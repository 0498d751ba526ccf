//! Whether rules read the clock.

use mentci_authority::{Action, Guard, Rule, Trust};
use mentci_expr::{Expr, Function, Node};

use crate::program::Program;

impl Program {
    /// Whether a rule that a person wrote reads the clock: by `cooldown_ms`, `now`, `since_ms`, the time of
    /// `event`, a chain or a schedule. What is
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
            Guard::Script(script) => script.text.as_deref().is_some_and(names_time),
            _ => false,
        };
    });
    let templates = rule.actions.iter().flat_map(Action::templates).chain(rule.message.as_deref());
    reads
        || rule.actions.iter().filter_map(Action::expression).any(asks_time)
        || templates.filter(|text| text.contains('{')).any(names_time)
}

fn asks_time(expr: &Expr) -> bool {
    let own = match expr.node() {
        Node::Call(function, _) => {
            matches!(function, Function::Now | Function::SinceMs | Function::TimeOfDay | Function::DayOfWeek)
        }
        Node::Field(event, field) => is_event(event) && TIMES.contains(&field.as_str()),
        _ => false,
    };
    own || expr.children().into_iter().any(asks_time)
}

/// The fields of `event` that are its time.
const TIMES: [&str; 2] = ["at", "timestamp"];

fn is_event(expr: &Expr) -> bool {
    match expr.node() {
        Node::Name(name) | Node::Field(_, name) => name == "event",
        _ => false,
    }
}

/// Whether a template or a script may read the event's time: it names the event, and a field that is called as the time is.
fn names_time(text: &str) -> bool {
    let words = || text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words().any(|word| word == "event") && words().any(|word| TIMES.contains(&word))
}

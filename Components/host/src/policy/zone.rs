//! The zones that a rule names.

use std::collections::BTreeSet;

use mentci_authority::{Action, Guard, Rule};
use mentci_expr::{Expr, Function, Node};
use mentci_source::{Code, Finding};

/// What is wrong with the zones of a rule, its own and those of single schedules: those that `knows` does not know.
pub(super) fn unknown_zones(rule: &Rule, knows: &mut dyn FnMut(&str) -> bool) -> Vec<Finding> {
    let mut named: BTreeSet<&str> = rule.timezone.as_deref().into_iter().collect();
    rule.guard.walk(&mut |guard| {
        if let Guard::Expr(expr) = guard {
            zones_of(expr, &mut named);
        }
    });
    rule.actions.iter().filter_map(Action::expression).for_each(|expr| zones_of(expr, &mut named));
    let unknown = named.into_iter().filter(|zone| !is_offset(zone) && !knows(zone));
    unknown
        .map(|zone| {
            let message = format!("there is no timezone `{}`", zone.escape_debug());
            let help = "write a name of the IANA database such as `Europe/Berlin`, or `UTC`";
            Finding::new(Code::ZONE_UNKNOWN, message).help(help)
        })
        .collect()
}

fn zones_of<'e>(expr: &'e Expr, zones: &mut BTreeSet<&'e str>) {
    if let Node::Call(Function::TimeOfDay | Function::DayOfWeek, arguments) = expr.node() {
        zones.extend(arguments.get(1).and_then(Expr::as_text));
    }
    for child in expr.children() {
        zones_of(child, zones);
    }
}

/// Whether a zone says its own offset: `UTC`, `+02:00`.
fn is_offset(zone: &str) -> bool {
    let digits = zone.strip_prefix(['+', '-']).filter(|digits| !digits.is_empty());
    let offset = digits.is_some_and(|digits| digits.chars().all(|c| c.is_ascii_digit() || c == ':'));
    offset || matches!(zone, "UTC" | "Z")
}

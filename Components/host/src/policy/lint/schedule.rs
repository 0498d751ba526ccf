//! Schedules: two that must both be missed, and zones that no one knows.

use std::collections::BTreeSet;

use mentci_expr::{Expr, Function, Node};
use mentci_source::{Code, Finding};

use super::desk::{Desk, Said};

/// Two negated schedules in one condition.
pub(super) fn schedules(desk: &Desk<'_>) -> Vec<Said> {
    let mut said = Vec::new();
    for sheet in &desk.rules {
        let negated: Vec<_> = sheet.terms.iter().filter(|term| term.is_negated_schedule()).collect();
        if let [first, second, ..] = negated.as_slice() {
            let message = format!("`{first}` and `{second}` must both hold");
            let help =
                "for either of them put them under `any:`; `Library/guide/policy.md` tells of schedules";
            said.push((sheet.at, second.span, Finding::new(Code::SCHEDULE_BOTH, message).help(help)));
        }
    }
    said
}

/// Zones of rules and of single schedules.
pub(super) fn zones(desk: &Desk<'_>) -> Vec<Said> {
    let mut said = Vec::new();
    for sheet in &desk.rules {
        let mut named: BTreeSet<&str> = sheet.rule.timezone.as_deref().into_iter().collect();
        let expressions = sheet.expressions();
        for expr in &expressions {
            zones_of(expr, &mut named);
        }
        let unknown = named.into_iter().filter(|zone| !known(desk, zone));
        said.extend(unknown.map(|zone| {
            let message = format!("there is no timezone `{}`", zone.escape_debug());
            let help = "write a name of the IANA database such as `Europe/Berlin`, or `UTC`";
            (sheet.at, None, Finding::new(Code::ZONE_UNKNOWN, message).help(help))
        }));
    }
    said
}

fn zones_of<'e>(expr: &'e Expr, zones: &mut BTreeSet<&'e str>) {
    if let Node::Call(Function::TimeOfDay | Function::DayOfWeek, arguments) = expr.node() {
        zones.extend(arguments.get(1).and_then(Expr::as_text));
    }
    for child in expr.children() {
        zones_of(child, zones);
    }
}

/// Whether a zone is an offset or has a name.
fn known(desk: &Desk<'_>, zone: &str) -> bool {
    let offset = zone.starts_with(['+', '-'])
        && zone.len() > 1
        && zone[1..].chars().all(|c| c.is_ascii_digit() || c == ':');
    offset || matches!(zone, "UTC" | "Z") || desk.known.zones.offset_seconds(zone, 0).is_some()
}

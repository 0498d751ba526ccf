//! Facts whose names are nearly those of what the engine keeps.

use mentci_expr::{Expr, Function, Node};
use mentci_source::{Code, Finding, did_you_mean};

use super::desk::{Desk, Said};

/// What the ledger keeps of a session under a name, and by names of tools and of taints.
const KEPT: [&str; 2] = ["total_calls", "tainted"];
const KEPT_OF: [&str; 2] = ["tool_count", "taint"];

/// What is asked of the time, and is no fact.
const SCHEDULES: [&str; 2] = ["time_of_day", "day_of_week"];

/// Facts that nobody tells under this name: a condition on one never holds.
pub(super) fn facts(desk: &Desk<'_>) -> Vec<Said> {
    let mut said = Vec::new();
    for sheet in &desk.rules {
        sheet.each_part(&mut |part| {
            let Some((name, meant)) = misspelt(part) else { return };
            let finding = Finding::new(
                Code::FACT_NAME,
                format!("`{}` is none of the facts that the engine keeps", name.escape_debug()),
            );
            said.push((sheet.at, Some(part.span()), finding.help(format!("did you mean `{meant}`?"))));
        });
    }
    said
}

/// A name that a part reads, and what it is nearly.
fn misspelt(part: &Expr) -> Option<(&str, String)> {
    let Node::Call(function, arguments) = part.node() else { return None };
    let name = arguments.first()?.as_text()?;
    let meant = match function {
        Function::Session => of_session(name),
        Function::Fact => near(name, &SCHEDULES).map(str::to_owned),
        _ => None,
    };
    meant.map(|meant| (name, meant))
}

fn of_session(name: &str) -> Option<String> {
    let (head, rest) = name.split_once('.').unwrap_or((name, ""));
    let known = if rest.is_empty() { KEPT.contains(&head) } else { KEPT_OF.contains(&head) };
    if known {
        return None;
    }
    let of = |head: &str| format!("{head}.{}", if rest.is_empty() { "NAME" } else { rest });
    // `taints`, `taint` and `tool_count` alone are asked by the name behind the dot.
    let of_name = KEPT_OF.into_iter().find(|known| head == *known || head.strip_suffix('s') == Some(known));
    match of_name {
        Some(known) => Some(of(known)),
        None if rest.is_empty() => near(head, &KEPT).map(str::to_owned),
        None => near(head, &KEPT_OF).map(of),
    }
}

/// The nearest of these names, also where only its `_` are missing.
fn near<'n>(name: &str, names: &[&'n str]) -> Option<&'n str> {
    let squeezed = |name: &str| name.replace(['_', '-', ' '], "").to_ascii_lowercase();
    let same = names.iter().copied().find(|known| squeezed(known) == squeezed(name));
    same.or_else(|| did_you_mean(name, names.iter().copied())).filter(|near| *near != name)
}

//! The names and messages that `<policy>` gives its rules.

use std::collections::BTreeMap;

use mentci_authority::{Admission, Quota};

/// Names what one tool's constraints are called, in their order: `X/requires`, `X/requires-2`, `X/validate-1`.
#[derive(Debug, Default)]
pub(crate) struct Names {
    given: BTreeMap<String, u32>,
}

impl Names {
    pub(crate) fn admission(&mut self, tool: &str, admission: &Admission) -> String {
        let kind = match admission {
            Admission::Requires(_) => "requires",
            Admission::Quota(_) => "quota",
            Admission::Cooldown { .. } => "cooldown",
        };
        let base = format!("{tool}/{kind}");
        match self.next(&base) {
            1 => base,
            count => format!("{base}-{count}"),
        }
    }

    pub(crate) fn check(&mut self, tool: &str) -> String {
        let base = format!("{tool}/validate");
        let count = self.next(&base);
        format!("{base}-{count}")
    }

    fn next(&mut self, base: &str) -> u32 {
        let count = self.given.entry(base.to_owned()).or_insert(0);
        *count += 1;
        *count
    }
}

/// Why a call may not be admitted.
pub(crate) fn reason(tool: &str, admission: &Admission) -> String {
    match admission {
        Admission::Requires(tools) => {
            format!("`{tool}` requires {} first", and(tools.iter().map(|tool| format!("`{tool}`"))))
        }
        Admission::Quota(quota) => format!("`{tool}` may be called at most {}", and(bounds(*quota))),
        Admission::Cooldown { turns } => {
            format!(
                "`{tool}` rests for {turns} {} after each call",
                if *turns == 1 { "turn" } else { "turns" }
            )
        }
    }
}

/// Why an input is refused, where its check does not say.
pub(crate) fn check_reason(tool: &str, condition: &str) -> String {
    format!("`{tool}` needs `{condition}`")
}

fn bounds(quota: Quota) -> impl Iterator<Item = String> {
    let bounds =
        [(quota.per_turn, "a turn"), (quota.per_exchange, "an exchange"), (quota.per_session, "a session")];
    bounds.into_iter().filter_map(|(count, span)| {
        count.map(|count| format!("{count} {} {span}", if count == 1 { "time" } else { "times" }))
    })
}

fn and(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    match parts.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => parts.concat(),
    }
}

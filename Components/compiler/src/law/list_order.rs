//! Whether the numbers of a list say in which order something is done.

use super::speech::guard::plain_in;

/// `Principles`, `Golden rules`: what is counted under it is in no order of time.
pub(super) fn counts_rules(heading: &str) -> bool {
    const RULES: &[&str] = &[
        "principles",
        "responsibilities",
        "discipline",
        "rules",
        "guidelines",
        "non-negotiables",
        "tips",
        "criteria",
        "constraints",
        "standards",
        "conventions",
        "laws",
        "values",
        "tenets",
        "invariants",
        "anti-patterns",
        "mistakes",
        "pitfalls",
        "practices",
        "reminders",
        "requirements",
        "issues",
        "errors",
        "problems",
    ];
    let lower = heading.to_lowercase();
    let words = plain_in(&lower);
    // `Tips for searching`
    let of_what = matches!(words[..], [kind, "for" | "on", ..] if RULES.contains(&kind))
        || matches!(words[..], ["available" | "supported" | "possible", _, ..])
        || lower.contains("not to do");
    of_what || words.last().is_some_and(|last| RULES.contains(last)) || lower.contains("parallel")
}

/// `These are independent and can be read in parallel:`: the numbers only count.
pub(super) fn in_any_order(lead: &str) -> bool {
    let lower = lead.to_lowercase();
    !lower.contains("in order") && ["in parallel", "in any order"].iter().any(|cue| lower.contains(cue))
}

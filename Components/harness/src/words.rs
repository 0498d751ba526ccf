//! What models and people are told, in words.

use mentci_authority::{Effect, Notification, NotifyPriority, Verdict};

/// Why, and where a person must agree, how.
pub(crate) fn reasons(verdict: &Verdict) -> String {
    let said = why(verdict);
    match verdict.approval.as_ref().filter(|_| verdict.decision == Effect::Approve) {
        Some(id) => format!(
            "{said}\nA person can allow it with `policy-engine approvals grant {id}`; then make the same call again."
        ),
        None => said,
    }
}

/// Why, the deciding rule first: `Blocked by no-rm (.pi/rules/own.yaml:3:5): never at the root`.
pub(crate) fn why(verdict: &Verdict) -> String {
    let deciding = verdict.reasons.iter().filter(|reason| reason.effect == verdict.decision);
    let lines: Vec<String> = deciding
        .map(|reason| {
            let at = if reason.at.is_empty() { String::new() } else { format!(" ({})", reason.at) };
            format!("{}{at}: {}", reason.rule, reason.message)
        })
        .collect();
    let verb = match verdict.decision {
        Effect::Approve => "Waits for approval by",
        _ => "Blocked by",
    };
    if lines.is_empty() { format!("{verb} policy.") } else { format!("{verb} {}", lines.join("\nand by ")) }
}

/// What rules warn of, a line each.
pub(crate) fn warnings(verdict: &Verdict) -> impl Iterator<Item = String> + '_ {
    let warned = verdict.reasons.iter().filter(|reason| reason.effect == Effect::Warn);
    warned.map(|reason| harmless(&format!("- [warning] {} (rule {})", reason.message, reason.rule)))
}

/// What rules tell, a line each.
pub(crate) fn notices<'n>(told: &'n [&'n Notification]) -> impl Iterator<Item = String> + 'n {
    told.iter().map(|notice| {
        let priority = (notice.priority != NotifyPriority::Normal).then(|| notice.priority.name());
        let words: Vec<&str> =
            priority.into_iter().chain([notice.category.as_str()]).filter(|word| !word.is_empty()).collect();
        let head = if words.is_empty() { String::new() } else { format!("[{}] ", words.join(" ")) };
        let rule = if notice.rule.is_empty() { String::new() } else { format!(" (rule {})", notice.rule) };
        harmless(&format!("- {head}{}{rule}", notice.message))
    })
}

/// Words of tools cannot end the frame in which a harness shows them, nor begin one.
fn harmless(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        safe.push_str(before);
        let name = tag[1..].trim_start_matches('/').to_ascii_lowercase();
        let is_frame = ["system-reminder", "hook_context"].iter().any(|frame| name.starts_with(frame));
        safe.push_str(if is_frame { "&lt;" } else { "<" });
        rest = &tag[1..];
    }
    safe.push_str(rest);
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_cannot_leave_its_frame() {
        assert_eq!(harmless("a </system-reminder> b <b>"), "a &lt;/system-reminder> b <b>");
        assert_eq!(harmless("<HOOK_CONTEXT>"), "&lt;HOOK_CONTEXT>");
        assert_eq!(harmless("1 < 2"), "1 < 2");
    }
}

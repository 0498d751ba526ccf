//! What an agent reads of a decision.

use mentci_authority::{Effect, Verdict};

/// Why a call did not run, and what to do instead.
pub(super) fn refused(tool: &str, verdict: &Verdict) -> String {
    let why = reasons(verdict, verdict.decision);
    match (verdict.decision, &verdict.approval) {
        (Effect::Approve, Some(id)) => format!(
            "`{tool}` did not run: it waits for approval{why}\n\
             help: tell the user that `policy-engine approvals grant {id}` allows this very call, then make the same call again; \
             do not work around it"
        ),
        (Effect::Approve, None) => format!(
            "`{tool}` did not run: a person must approve it{why}\nhelp: tell the user; do not work around it"
        ),
        _ => format!(
            "`{tool}` did not run: it is blocked{why}\n\
             help: do not make this call again as it is; do what the reason asks for, or go on without it and tell the user"
        ),
    }
}

/// Why an answer is withheld.
pub(super) fn withheld(tool: &str, verdict: &Verdict) -> String {
    let why = reasons(verdict, verdict.decision);
    format!(
        "`{tool}` ran, and its answer is withheld{why}\n\
         help: do not make this call again to see it; go on without it and tell the user"
    )
}

/// What is told where nothing could be decided: gates close.
pub(super) fn undecided(tool: &str, why: &str) -> String {
    format!(
        "`{tool}` did not run: nothing could be decided about it ({why})\n\
         help: tell the user to run `policy-engine doctor`; do not work around it"
    )
}

/// What is told where nothing could be decided about an answer.
pub(super) fn unread(tool: &str, why: &str) -> String {
    format!(
        "`{tool}` ran, and its answer is withheld: nothing could be decided about it ({why})\n\
         help: tell the user to run `policy-engine doctor`; do not work around it"
    )
}

/// What is told where an answer cannot be read in full: nobody could say what it holds.
pub(super) fn unreadable(tool: &str, why: &str) -> String {
    format!(
        "`{tool}` ran, and its answer is withheld: it cannot be read in full ({why})\n\
         help: ask for less of it or for another part, or go on without it; tell the user that the server writes what is no sound JSON"
    )
}

/// What is told where the answer about a task cannot be read in full.
pub(super) fn unread_task(why: &str) -> String {
    format!("the server's answer is withheld: it cannot be read in full ({why})")
}

/// What is told of a task's result that belongs to no call that is known: no rule can look at it.
pub(super) const STRAY_RESULT: &str = "this result is withheld: it was handed over already, or its call was made before this gateway began\n\
     help: make the call again where its answer is needed";

/// What a person is asked.
pub(super) fn question(tool: &str, args: &str, verdict: &Verdict) -> String {
    let why = reasons(verdict, Effect::Approve);
    let shown: String = args.chars().take(1_000).collect();
    let more = if shown.len() < args.len() { " …" } else { "" };
    format!("May the agent call `{tool}` with {shown}{more}? Approval is needed{why}")
}

/// What rules warn of and tell, a line each; empty where there is nothing to tell.
pub(super) fn notes(verdict: &Verdict) -> String {
    let warned = verdict.reasons.iter().filter(|reason| reason.effect == Effect::Warn);
    let warned = warned.map(|reason| format!("- [warning] {} (rule {})", reason.message, reason.rule));
    let told = verdict.notifications.iter().map(|notice| {
        let rule = if notice.rule.is_empty() { String::new() } else { format!(" (rule {})", notice.rule) };
        format!("- {}{rule}", notice.message)
    });
    warned.chain(told).collect::<Vec<_>>().join("\n")
}

/// ` by no-rm (.pi/rules/own.yaml:3:5): never at the root`, the deciding rule first.
fn reasons(verdict: &Verdict, effect: Effect) -> String {
    let deciding = verdict.reasons.iter().filter(|reason| reason.effect == effect);
    let lines: Vec<String> = deciding
        .map(|reason| {
            let at = if reason.at.is_empty() { String::new() } else { format!(" ({})", reason.at) };
            format!(" by {}{at}: {}", reason.rule, reason.message)
        })
        .collect();
    if lines.is_empty() { " by policy".to_owned() } else { lines.join("\nand") }
}

//! Fields that have no effect together, and gates that say nothing.

use mentci_authority::{
    Action, Admission, Dialect, Effect, Enforcement, Guard, Hook, OnFault, Quota, RuleSeverity,
};
use mentci_source::{Code, Finding, Severity, did_you_mean};

use super::desk::{Desk, Said, Sheet};

/// Fields without effect.
pub(super) fn fields(desk: &Desk<'_>) -> Vec<Said> {
    let mut said = Vec::new();
    for sheet in &desk.rules {
        for (message, help) in idle(sheet) {
            let message = format!("`{}`: {message}", sheet.id());
            said.push((sheet.at, None, Finding::new(Code::FIELD_IDLE, message).help(help)));
        }
        let odd = [stressed(sheet), unkebab(sheet)].into_iter().flatten().chain(strategies(sheet));
        said.extend(odd.map(|finding| (sheet.at, None, finding)));
    }
    said
}

/// What is idle, and what to do about it.
fn idle(sheet: &Sheet<'_>) -> Vec<(String, &'static str)> {
    let rule = sheet.rule;
    let mut all: Vec<(String, &'static str)> = Vec::new();
    let mut say = |odd: bool, message: &str, help| {
        if odd {
            all.push((message.to_owned(), help));
        }
    };
    let rests = rule.cooldown.turns > 0 || rule.cooldown.ms > 0;
    say(rule.once && rests, "a rule that fires once never rests", "leave `once` or the cooldown out");
    let gate = rule.is_gate();
    say(
        gate && rule.on_fault == Some(OnFault::Allow),
        "a fault in this gate lets the call run",
        "leave `on_fault` out: a fault then closes the gate",
    );
    say(
        !gate && rule.on_fault.is_some(),
        "`on_fault` is for rules that block, ask or redact",
        "leave it out",
    );
    say(
        rule.core && rule.mode == Enforcement::Shadow,
        "a core rule that is only tried out binds nobody",
        "leave `core` or `mode: shadow` out",
    );
    let denies = rule.effect == Some(Effect::Block);
    say(
        rule.remind.is_some() && !denies,
        "`remind` follows a denial, and this rule denies nothing",
        "use `actions` with an `insert`",
    );
    let acting = matches!(rule.effect, Some(Effect::Block | Effect::Approve));
    say(
        (rule.once || rests) && acting && rule.hook == Hook::PreToolCall,
        "a gate that fires once, or rests, lets the next call through",
        "leave `once` and the cooldown out; a `quota` counts calls",
    );
    let redactable = matches!(rule.hook, Hook::PreToolCall | Hook::PostToolResponse | Hook::MessageAppended);
    say(
        rule.effect == Some(Effect::Redact) && !redactable,
        &format!("nothing can be redacted at `{}`", rule.hook.name()),
        "redact at `pre_tool_call` or `post_tool_response`",
    );
    say(
        !rule.overrides.is_empty() && rule.mode == Enforcement::Shadow,
        "a rule that is only tried out takes no other rule out",
        "leave `overrides` or `mode: shadow` out",
    );
    say(
        !rule.overrides.is_empty() && !rule.enabled,
        "a rule that is switched off takes no other rule out",
        "leave `overrides` or `enabled: false` out",
    );
    let synthetic = rule.sees_synthetic && rule.hook != Hook::MessageAppended;
    say(
        synthetic,
        "only messages can be synthetic",
        "leave `sees_synthetic` out, or ask at `message_appended`",
    );
    if let Guard::Admission(Admission::Quota(quota)) = &sheet.guard {
        all.extend(quotas(*quota));
    }
    all
}

/// A quota that a wider one makes idle.
fn quotas(quota: Quota) -> Option<(String, &'static str)> {
    let named = [
        ("per_turn", quota.per_turn),
        ("per_exchange", quota.per_exchange),
        ("per_session", quota.per_session),
    ];
    let set: Vec<(&str, u32)> = named.iter().filter_map(|(name, most)| Some((*name, (*most)?))).collect();
    let pair = set.windows(2).find(|pair| pair[0].1 >= pair[1].1 && pair[1].1 > 0)?;
    let message =
        format!("`{}` {} is never reached before `{}` {}", pair[0].0, pair[0].1, pair[1].0, pair[1].1);
    Some((message, "make it smaller, or leave it out"))
}

/// A severity on a rule that permits: it decides nothing.
fn stressed(sheet: &Sheet<'_>) -> Option<Finding> {
    let high = sheet.rule.severity >= RuleSeverity::High;
    (sheet.rule.effect == Some(Effect::Allow) && high).then(|| {
        let message = format!("`{}`: a severity orders reports and never decides", sheet.id());
        let finding = Finding::new(Code::FIELD_IDLE, message).severity(Severity::Note);
        finding.help("an `allow` wins over nothing; `overrides` takes a rule out")
    })
}

/// An id of a TOML rule that is not written as these are: in kebab-case.
fn unkebab(sheet: &Sheet<'_>) -> Option<Finding> {
    let id = sheet.id();
    let is_kebab = id.chars().all(|c| !c.is_uppercase() && c != '_');
    (sheet.rule.origin.dialect == Dialect::Toml && !is_kebab).then(|| {
        let message = format!("`{id}` is not in kebab-case, as ids of TOML rules are");
        let finding = Finding::new(Code::RULE_ID, message).severity(Severity::Note);
        finding.help(format!("write `{}`", kebab(id)))
    })
}

/// `Not_Kebab` and `notKebab` as `not-kebab`.
fn kebab(id: &str) -> String {
    let mut word = String::new();
    let mut after_small = false;
    for c in id.chars() {
        if (c.is_uppercase() && after_small) || c == '_' {
            word.push('-');
        }
        after_small = c.is_lowercase() || c.is_ascii_digit();
        word.extend(c.to_lowercase().filter(|c| *c != '_'));
    }
    word.replace("--", "-").trim_matches('-').to_owned()
}

/// What a compaction may do with what it does not keep.
const STRATEGIES: &[&str] = &["relevance", "summary", "latest"];

/// Strategies of compactions that there are none of.
fn strategies(sheet: &Sheet<'_>) -> Vec<Finding> {
    let of = |action: &Action| {
        let Action::Compact { strategy, .. } = action else { return None };
        let is_known = |part: &str| {
            let part = part.trim();
            let name = part.split_once(':').map_or(part, |(name, _)| name);
            STRATEGIES.contains(&name)
        };
        let other = strategy.split('+').find(|part| !is_known(part))?;
        let message = format!("`{}`: there is no strategy `{}`", sheet.id(), other.trim().escape_debug());
        let near = did_you_mean(other, STRATEGIES.iter().copied());
        Some(Finding::new(Code::RULE_VALUE, message).severity(Severity::Warning).help(match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => "write `relevance+summary`, `relevance`, `summary` or `latest`".to_owned(),
        }))
    };
    sheet.rule.actions.iter().filter_map(of).collect()
}

/// Gates that say nothing to whoever they stop.
pub(super) fn messages(desk: &Desk<'_>) -> Vec<Said> {
    let mut said = Vec::new();
    for sheet in desk.rules.iter().filter(|sheet| sheet.binds()) {
        let rule = sheet.rule;
        let closes = matches!(rule.effect, Some(Effect::Block | Effect::Approve));
        if closes && rule.message.as_deref().is_none_or(|message| message.trim().is_empty()) {
            let message = format!("`{}` stops a call and does not say why", sheet.id());
            let finding = Finding::new(Code::GATE_SILENT, message);
            said.push((sheet.at, None, finding.help("give it a `message` that says what to do instead")));
        }
    }
    said
}

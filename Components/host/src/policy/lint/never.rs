//! Rules that can never apply, and gates that always do.

use mentci_authority::{
    Action, Admission, Dialect, Effect, Guard, Hook, NamePattern, Quota, Role, ToolMatch,
};
use mentci_expr::{Comparison, Expr, Function, Node};
use mentci_source::{Code, Finding, Span};
use serde_json::json;

use super::cover::{covers, names};
use super::desk::{Desk, Said, Sheet, walk};
use super::term::{Clash, Term, always as always_holds, clash};
use crate::policy::vocabulary::{TOOLS, canonical};

/// Rules whose condition excludes itself, asks for what is not there yet, or waits for what is never done.
pub(super) fn never(desk: &Desk<'_>) -> Vec<Said> {
    let mut said = Vec::new();
    for sheet in &desk.rules {
        let why = itself(sheet)
            .or_else(|| impossible(sheet))
            .or_else(|| another_tool(sheet))
            .or_else(|| missing(sheet))
            .or_else(|| elsewhere(sheet))
            .or_else(|| forbidden(sheet, &desk.rules));
        if let Some((span, why, help)) = why {
            let message = format!("`{}` never applies: {why}", sheet.id());
            said.push((sheet.at, span, Finding::new(Code::RULE_NEVER, message).help(help)));
        }
    }
    let mut sheets = desk.rules.iter();
    for set in desk.sets {
        let own = sheets.by_ref().take(set.rules.len());
        said.extend(own.filter_map(|sheet| over_cap(sheet, set.max_calls)));
    }
    for set in desk.sets.iter().filter(|set| set.max_fired == Some(0)) {
        if let Some(sheet) = desk.rules.iter().find(|sheet| set.rules.first() == Some(sheet.rule)) {
            let message = format!("no rule of `{}` ever acts: it may fire 0 an event", set.name);
            let finding = Finding::new(Code::RULE_NEVER, message);
            said.push((sheet.at, None, finding.help("take the cap out, or raise it to 1")));
        }
    }
    said
}

/// Where, why, and what to do about it.
type Why = (Option<Span>, String, String);

fn itself(sheet: &Sheet<'_>) -> Option<Why> {
    Some(match clash(&sheet.terms)? {
        Clash::Alone(term) => (
            term.span,
            format!("`{term}` never holds"),
            "correct the condition, or take the rule out".to_owned(),
        ),
        Clash::Both(one, other) => (
            other.span,
            format!("`{one}` and `{other}` exclude each other"),
            "for either of them write `or`".to_owned(),
        ),
        Clash::Schedules => {
            let why = "its schedules have no minute of the week in common".to_owned();
            (None, why, "for either of them write `or`, or `any:` with a list".to_owned())
        }
    })
}

/// A rule that makes more calls at once than its document allows: it is passed over each time.
fn over_cap(sheet: &Sheet<'_>, most: u32) -> Option<Said> {
    let is_call = |action: &&Action| matches!(action, Action::Call { .. } | Action::Agent { .. });
    let calls = sheet.rule.actions.iter().filter(is_call).count();
    (calls > most as usize).then(|| {
        let what = if calls == 1 { "call" } else { "calls" };
        let message = format!(
            "`{}` never acts: it makes {calls} {what} at once, and `allow_auto_calls` is {most}",
            sheet.id()
        );
        let is_chatmd = sheet.rule.origin.dialect == Dialect::Chatmd;
        let sign = if is_chatmd { format!("=\"{calls}\"") } else { format!(": {calls}") };
        let help = format!("write `allow_auto_calls{sign}`, or make one rule of each call");
        (sheet.at, None, Finding::new(Code::RULE_NEVER, message).help(help))
    })
}

/// A condition on the tool's name that no tool of the rule has. A rule that names a kind of tools is about all of that kind.
fn another_tool(sheet: &Sheet<'_>) -> Option<Why> {
    let ToolMatch::OneOf(patterns) = &sheet.rule.tools else { return None };
    let fits = |name: &str| {
        names(&sheet.rule.tools, name) || canonical(name).is_some_and(|kind| names(&sheet.rule.tools, kind))
    };
    let is_kind = |name: &str| TOOLS.iter().any(|tool| tool.canonical == name);
    let exact: Option<Vec<&str>> = patterns
        .iter()
        .map(|pattern| match pattern {
            NamePattern::Exact(name) if !is_kind(name) => Some(name.as_str()),
            _ => None,
        })
        .collect();
    let fact = exact.map(|names| Term::fact(TOOL_NAME, Comparison::In, json!(names)));
    let term = sheet.terms.iter().find(|term| is_of_others(term, &fits, fact.as_ref()))?;
    let why = format!("`{term}` never holds");
    Some((term.span, why, format!("the rule is about `{}`", sheet.rule.tools)))
}

const TOOL_NAME: &str = "event.tool.name";

/// Whether a term holds of other tools only than those that `fits` tells, and of which `fact` tells all where they are known.
fn is_of_others(term: &Term, fits: &dyn Fn(&str) -> bool, fact: Option<&Term>) -> bool {
    let is_named = |named: Vec<&str>| !named.is_empty() && !named.into_iter().any(fits);
    term.named(TOOL_NAME).is_some_and(is_named)
        || fact.is_some_and(|fact| super::term::excludes(fact, term))
        || term.alternatives().is_some_and(|all| {
            all.iter().all(|alternative| alternative.iter().any(|term| is_of_others(term, fits, fact)))
        })
}

/// What always holds of the built-in variables.
fn facts(hook: Hook) -> Vec<(Term, &'static str)> {
    let least = |subject: &str| Term::fact(subject, Comparison::GreaterOrEqual, json!(0));
    let counts = ["turn_index", "context_tokens", "history_length", "turn.number", "context.turn.number"];
    let roles: Vec<&str> = Role::ALL.iter().map(|role| role.name()).chain(["none"]).collect();
    let statuses = json!(["success", "error", "timeout", "invalid", "cancelled", "denied", null]);
    let mut all: Vec<(Term, &'static str)> =
        counts.iter().map(|subject| (least(subject), "it counts from 0")).collect();
    all.push((
        Term::fact("last_role", Comparison::In, json!(roles)),
        "the roles are system, developer, user, assistant, tool and none",
    ));
    all.push((
        Term::fact("event.tool.status", Comparison::In, statuses),
        "a status is success, error, timeout, invalid, cancelled or denied",
    ));
    all.push((
        Term::fact("event.name", Comparison::Equal, json!(hook.name())),
        "`event.name` is the hook at which the rule is asked",
    ));
    for share in ["turn.token_usage", "turn.context_usage"] {
        for subject in [share.to_owned(), format!("context.{share}")] {
            all.push((
                Term::fact(&subject, Comparison::LessOrEqual, json!(2)),
                "it is a share: 1 is all of it, so that 80% is `0.8`",
            ));
        }
    }
    all
}

/// Terms that what is known of a variable excludes.
fn impossible(sheet: &Sheet<'_>) -> Option<Why> {
    facts(sheet.rule.hook).into_iter().find_map(|(fact, help)| {
        let term = sheet.terms.iter().find(|term| super::term::excludes(&fact, term))?;
        Some((term.span, format!("`{term}` never holds"), help.to_owned()))
    })
}

/// Terms about what is not there yet when the rule is asked.
fn missing(sheet: &Sheet<'_>) -> Option<Why> {
    let hook = sheet.rule.hook;
    let absent: &[&str] = match hook {
        Hook::PreToolCall => &[
            "event.tool.status",
            "result.result",
            "result.success",
            "result.error",
            "result.duration_ms",
            "result.count",
            "context.result.result",
            "context.result.success",
            "context.result.error",
            "context.result.duration_ms",
            "context.result.count",
        ],
        _ => &[],
    };
    let needs = |subject: &&&str| sheet.terms.iter().find(|term| term.needs(subject)).map(|term| term.span);
    if let Some((subject, span)) = absent.iter().find_map(|subject| Some((subject, needs(&subject)?))) {
        let why = format!("`{subject}` is null at `{}`", hook.name());
        return Some((span, why, "ask at `post_tool_response`".to_owned()));
    }
    if hook.concerns_a_tool() {
        return None;
    }
    let reads_call = |expr: &Expr| {
        let mut reads = false;
        walk(expr, &mut |part| {
            reads |= matches!(part.node(), Node::Call(Function::Arg | Function::JsonPath, _));
        });
        reads
    };
    let mut found = None;
    let conjuncts = if let Guard::All(inner) = &sheet.guard {
        inner.as_slice()
    } else {
        std::slice::from_ref(&sheet.guard)
    };
    for guard in conjuncts {
        if let Guard::Expr(expr) = guard
            && reads_call(expr)
        {
            found = Some(expr.span());
        }
    }
    let why = format!("`{}` has no call whose arguments could be read", hook.name());
    found.map(|span| (Some(span), why, "ask at `pre_tool_call` or `post_tool_response`".to_owned()))
}

/// A rule about tools at a hook that concerns none.
fn elsewhere(sheet: &Sheet<'_>) -> Option<Why> {
    let hook = sheet.rule.hook;
    let about = matches!(sheet.rule.tools, ToolMatch::OneOf(_));
    (about && !hook.concerns_a_tool()).then(|| {
        let why = format!("`{}` concerns no tool, and the rule is about `{}`", hook.name(), sheet.rule.tools);
        (None, why, "leave the tool out, or ask at `pre_tool_call`".to_owned())
    })
}

/// A rule that waits for a tool to run that another one always blocks.
fn forbidden(sheet: &Sheet<'_>, all: &[Sheet<'_>]) -> Option<Why> {
    let blocker = |tools: &ToolMatch| {
        let outright = |other: &&Sheet<'_>| blocks_outright(other) && covers(&other.rule.tools, tools);
        all.iter().find(|other| other.at != sheet.at && outright(other))
    };
    let mut found = None;
    let mut waits = |tools: &ToolMatch, span: Option<Span>| {
        if found.is_none()
            && let Some(other) = blocker(tools)
        {
            let why = format!("it waits for `{tools}` to run, which `{}` always blocks", other.id());
            found = Some((span, why, format!("take one of them out, or give `{}` a condition", other.id())));
        }
    };
    let conjuncts = if let Guard::All(inner) = &sheet.guard {
        inner.as_slice()
    } else {
        std::slice::from_ref(&sheet.guard)
    };
    for guard in conjuncts {
        match guard {
            Guard::Chain(chain) => {
                let ran = chain
                    .steps
                    .iter()
                    .filter(|step| !step.verdicts.is_empty() && !step.verdicts.contains(&Effect::Block));
                ran.for_each(|step| waits(&step.tools, None));
            }
            Guard::Expr(expr) => {
                if let Node::Call(Function::EverCalled | Function::ToolCompleted, arguments) = expr.node()
                    && let Some(tool) = arguments.first().and_then(Expr::as_text)
                {
                    waits(&ToolMatch::exact(tool), Some(expr.span()));
                }
            }
            _ => {}
        }
    }
    if sheet.rule.hook == Hook::PostToolResponse && matches!(sheet.rule.tools, ToolMatch::OneOf(_)) {
        waits(&sheet.rule.tools, None);
    }
    found
}

/// Whether a rule blocks every call of its tools, always.
pub(super) fn blocks_outright(sheet: &Sheet<'_>) -> bool {
    let rule = sheet.rule;
    sheet.binds()
        && rule.hook == Hook::PreToolCall
        && rule.effect == Some(Effect::Block)
        && !rests(sheet)
        && always_holds(&sheet.terms)
}

/// Whether a rule does not fire at every event to which it applies.
pub(super) fn rests(sheet: &Sheet<'_>) -> bool {
    sheet.rule.once || sheet.rule.cooldown.turns > 0 || sheet.rule.cooldown.ms > 0
}

/// Gates that close on every call, and conditions that always hold.
pub(super) fn always(desk: &Desk<'_>) -> Vec<Said> {
    let mut said = Vec::new();
    for sheet in &desk.rules {
        let gate = matches!(sheet.rule.effect, Some(Effect::Block | Effect::Approve))
            && sheet.rule.hook == Hook::PreToolCall;
        if !gate || !sheet.rule.enabled {
            continue;
        }
        let id = sheet.id();
        if sheet.rule.tools == ToolMatch::Any && always_holds(&sheet.terms) && !rests(sheet) {
            let message = format!("`{id}` closes on every call of every tool");
            let help = "name the tools; for calls about which no rule speaks write `default_verdict`";
            said.push((sheet.at, None, Finding::new(Code::RULE_ALWAYS, message).help(help)));
        } else if !sheet.terms.is_empty() && always_holds(&sheet.terms) {
            let span = sheet.terms.iter().find_map(|term| term.span);
            let message = format!("the condition of `{id}` always holds");
            said.push((
                sheet.at,
                span,
                Finding::new(Code::RULE_ALWAYS, message).help("leave it out, or correct it"),
            ));
        }
        if let Some(why) = spent(sheet, &desk.rules) {
            let message = format!("`{id}` closes on every call: {why}");
            said.push((
                sheet.at,
                None,
                Finding::new(Code::RULE_ALWAYS, message).help("correct it, or block the tool outright"),
            ));
        }
    }
    said
}

/// An admission that is never given.
fn spent(sheet: &Sheet<'_>, all: &[Sheet<'_>]) -> Option<String> {
    let Guard::Admission(admission) = &sheet.guard else { return None };
    match admission {
        Admission::Quota(Quota { per_turn, per_exchange, per_session }) => {
            [per_turn, per_exchange, per_session].contains(&&Some(0)).then(|| "its quota is 0".to_owned())
        }
        Admission::Requires(tools) => tools.iter().find_map(|tool| {
            let own = ToolMatch::exact(tool.as_str());
            if sheet.rule.tools == own {
                return Some(format!("`{tool}` must have run before `{tool}`"));
            }
            let other = all.iter().find(|other| blocks_outright(other) && covers(&other.rule.tools, &own))?;
            Some(format!("it requires `{tool}`, which `{}` always blocks", other.id()))
        }),
        Admission::Cooldown { .. } => None,
    }
}

//! The model in the project's own types.

use std::sync::Arc;

use mentci_authority::{
    Action, Admission, Assigned, At, Chain, ChainStep, Cooldown, Dialect, Enforcement, Event, Guard, Hook,
    NamePattern, Origin, Quota, Role, Rule, RuleId, RuleSet, StateScope, ToolCall, ToolMatch,
};
use mentci_expr::{Comparison, Expr, Function, parse};

use crate::model::{Act, Condition, Document, Happening, ModelRule, Tools, When};

/// The id of a rule.
pub(crate) fn id(document: usize, rule: usize) -> String {
    format!("r{document}-{rule}")
}

/// The rule sets of documents.
pub(crate) fn sets(documents: &[Document]) -> Vec<RuleSet> {
    documents.iter().enumerate().map(|(at, document)| set(at, document)).collect()
}

/// The events of a session, all of one.
pub(crate) fn events(session: &[Happening]) -> Vec<Event> {
    let mut ms = 1_772_445_600_000;
    let mut event = |happening: &Happening| {
        let (mut event, after) = match happening {
            Happening::Turn { after } => (Event::new(Hook::TurnStart), after),
            Happening::Call { after, tool, args, disabled } => {
                let mut event = Event::new(Hook::PreToolCall);
                event.tool =
                    Some(ToolCall { name: (*tool).to_owned(), args: args.clone(), ..ToolCall::default() });
                event.disabled = disabled.iter().map(|(document, rule)| id(*document, *rule)).collect();
                (event, after)
            }
        };
        ms += i64::from(*after) * 1_000;
        event.at = Some(At { ms, ..At::default() });
        "s".clone_into(&mut event.session);
        event
    };
    session.iter().map(&mut event).collect()
}

fn set(at: usize, document: &Document) -> RuleSet {
    let pack: Arc<str> = format!("d{at}").into();
    let rule = |(place, model): (usize, &ModelRule)| {
        let (trust, path) = (document.trust, format!("d{at}.yaml").into());
        let span = mentci_source::Span::default();
        let pack = pack.clone();
        let origin = Origin { dialect: Dialect::Yaml, path, line: 1, column: 1, span, pack, trust };
        rule(RuleId::new(&id(at, place)).expect("an id"), model, origin)
    };
    RuleSet {
        default_effect: document.default,
        max_fired: document.max_fired,
        rules: document.rules.iter().enumerate().map(rule).collect(),
        ..RuleSet::new(format!("d{at}"))
    }
}

fn rule(id: RuleId, model: &ModelRule, origin: Origin) -> Rule {
    let hook = if model.hook == When::Turn { Hook::TurnStart } else { Hook::PreToolCall };
    Rule {
        tools: tools(&model.tools),
        guard: guard(&model.guard),
        effect: model.effect,
        actions: model.acts.iter().copied().map(action).collect(),
        order: model.order,
        once: model.once,
        cooldown: Cooldown { turns: model.cooldown_turns, ms: 0 },
        on_fault: model.on_fault,
        mode: if model.shadow { Enforcement::Shadow } else { Enforcement::Enforce },
        core: model.core,
        enabled: model.enabled,
        overrides: model
            .overrides
            .iter()
            .map(|(document, rule)| format!("d{document}/{}", crate::lower::id(*document, *rule)))
            .collect(),
        ..Rule::new(id, hook, origin)
    }
}

fn tools(tools: &Tools) -> ToolMatch {
    let exact = |name: &&str| NamePattern::Exact((*name).to_owned());
    match tools {
        Tools::Any => ToolMatch::Any,
        Tools::Names(names) => ToolMatch::OneOf(names.iter().map(exact).collect()),
        Tools::StartsWithT => ToolMatch::OneOf(vec![NamePattern::Glob("t*".into())]),
        Tools::NamedOrEndsWith0 => ToolMatch::OneOf(vec![exact(&"t1"), NamePattern::Regex(".*0".into())]),
    }
}

fn action(act: Act) -> Action {
    match act {
        Act::Insert => Action::Insert { role: Role::User, text: "x".into(), synthetic: true },
        Act::Set => {
            Action::Set { scope: StateScope::Session, key: "v".into(), value: Assigned::Value(1.into()) }
        }
        Act::Call => Action::Call { tool: "t".into(), arguments: parse("{}").expr.expect("an object") },
        Act::Stop => Action::Stop,
    }
}

/// What a rule of this condition is guarded by.
pub(crate) fn guard(condition: &Condition) -> Guard {
    let arg = |key: &str| Expr::call(Function::Arg, [Expr::from(key)]);
    let text = |function, key: &str, literal: &str| {
        Guard::Expr(Expr::call(function, [arg(key), Expr::from(literal)]))
    };
    let read = |text: &str| Guard::Expr(parse(text).expr.expect("an expression"));
    match condition {
        Condition::Always => Guard::Always,
        Condition::Contains(key, literal) => text(Function::Contains, key, literal),
        Condition::StartsWith(key, literal) => text(Function::StartsWith, key, literal),
        Condition::EndsWith(key, literal) => text(Function::EndsWith, key, literal),
        Condition::Equals(key, value) => {
            Guard::Expr(Expr::compare(arg(key), Comparison::Equal, Expr::json(value)))
        }
        Condition::Below(key, than) => {
            Guard::Expr(Expr::compare(arg(key), Comparison::Less, Expr::from(i64::from(*than))))
        }
        Condition::Share(key) => read(&format!("6 / arg('{key}') > 2")),
        Condition::Itself(key) => Guard::Expr(arg(key)),
        Condition::EverCalled(tool) => read(&format!("ever_called('{tool}')")),
        Condition::CountAtLeast(tool, count) => read(&format!("count_calls('{tool}') >= {count}")),
        Condition::CalledSince(tool, turns) => read(&format!("called_since('{tool}', {turns})")),
        Condition::TurnIsEven => read("turn_index % 2 == 0"),
        Condition::Chain(steps, ordered) => {
            let step = |step: &crate::model::Step| ChainStep {
                tools: step.tool.map_or(ToolMatch::Any, ToolMatch::exact),
                within_ms: step.within_seconds * 1_000,
                min_count: step.min_count,
                verdicts: step.verdicts.clone(),
            };
            Guard::Chain(Chain { steps: steps.iter().map(step).collect(), ordered: *ordered })
        }
        Condition::Missing(tools) => {
            Guard::Admission(Admission::Requires(tools.iter().map(|tool| (*tool).to_owned()).collect()))
        }
        Condition::OverQuota { per_turn, per_session } => {
            let quota = Quota { per_turn: *per_turn, per_exchange: None, per_session: *per_session };
            Guard::Admission(Admission::Quota(quota))
        }
        Condition::CoolingDown(turns) => Guard::Admission(Admission::Cooldown { turns: *turns }),
        Condition::Not(inner) => Guard::Not(Box::new(guard(inner))),
        Condition::All(inner) => Guard::All(inner.iter().map(guard).collect()),
        Condition::OneOf(inner) => Guard::Any(inner.iter().map(guard).collect()),
    }
}

//! Rules and events for tests: some of every kind, and any.

use mentci_authority::{
    Action, Admission, Chain, ChainStep, Cooldown, Dialect, Effect, Event, Guard, Honeypot, Hook,
    NamePattern, NotifyPriority, Origin, Quota, Redaction, RedactionPattern, Rule, RuleId, RuleSet,
    RuleSeverity, RuleTest, ToolMatch, Trust,
};
use mentci_source::Span;
use proptest::prelude::*;

/// Expressions of many shapes: with literals and without, that read the event, the ledger, the parameters.
const GUARDS: [&str; 10] = [
    "contains(arg('command'), '/etc')",
    "starts_with(arg('command'), 'cat')",
    "contains(arg('command'), 'send') and contains(arg('command'), '41')",
    "matches(arg('command'), '(?i)rm +-rf')",
    "turn_index >= 0",
    "arg('missing') > 3",
    "ever_called('read') or count_calls('exec') > 2",
    "parameters.level > 0.25",
    "not contains(arg('command'), 'passwd')",
    "time_of_day('09:00-17:00', 'Europe/Berlin')",
];

const TOOLS: [&str; 8] = ["exec", "read", "send", "delete_*", "exec|shell", "file_.*", "secret_tool", "x"];

fn origin(pack: &str, line: u32) -> Origin {
    let path = format!("{pack}.yaml").into();
    Origin {
        dialect: Dialect::Yaml,
        path,
        line,
        column: 3,
        span: Span::default(),
        pack: pack.into(),
        trust: Trust::User,
    }
}

fn rule(pack: &str, id: &str, guard: Guard) -> Rule {
    let mut rule = Rule::new(RuleId::new(id).unwrap(), Hook::PreToolCall, origin(pack, 7));
    rule.guard = guard;
    rule.effect = Some(Effect::Block);
    rule
}

fn expr(text: &str) -> Guard {
    let parsed = mentci_expr::parse(text);
    Guard::expr(parsed.expr.unwrap_or_else(|| panic!("{text}: {:?}", parsed.problems)))
}

/// An event of a tool with one argument.
pub(crate) fn event(hook: Hook, tool: &str, command: &str) -> Event {
    let line = serde_json::json!({
        "event": hook.name(), "at": 1_772_445_600_000_i64, "session": "s", "turn": 2,
        "tool": {"name": tool, "args": {"command": command}},
    });
    serde_json::from_value(line).unwrap()
}

/// `count` rules, each about a tool of its own.
pub(crate) fn sets_of(tool: &str, count: usize) -> Vec<RuleSet> {
    let mut set = RuleSet::new("set");
    for at in 0..count {
        let mut rule = rule("set", &format!("r{at}"), Guard::Always);
        rule.tools = ToolMatch::exact(format!("{tool}{at}"));
        rule.effect = Some(Effect::Approve);
        set.rules.push(rule);
    }
    vec![set]
}

/// A rule of every kind.
pub(crate) fn sample() -> Vec<RuleSet> {
    let (mut a, mut b) = (RuleSet::new("a"), RuleSet::new("b"));
    for (at, text) in GUARDS.into_iter().enumerate() {
        let mut rule = rule("a", &format!("g{at}"), expr(text));
        rule.tools = ToolMatch::one_of([NamePattern::classify(TOOLS[at % TOOLS.len()])]);
        rule.effect = [Some(Effect::Block), Some(Effect::Warn), Some(Effect::Redact), None][at % 4];
        rule.hook = if at == 4 { Hook::PostToolResponse } else { Hook::PreToolCall };
        rule.parameters.insert("level".to_owned(), serde_json::json!(0.1 + 0.2));
        rule.tests.push(RuleTest {
            name: "t".to_owned(),
            before: Vec::new(),
            event: event(Hook::PreToolCall, "exec", "x"),
            decision: None,
            rules: None,
            line: 1,
        });
        a.rules.push(rule);
    }
    let step =
        ChainStep { tools: ToolMatch::exact("read"), within_ms: 60_000, min_count: 1, verdicts: Vec::new() };
    a.rules.push(rule("a", "chain", Guard::Chain(Chain { steps: vec![step], ordered: true })));
    let mut quota = rule(
        "b",
        "quota",
        Guard::Admission(Admission::Quota(Quota { per_session: Some(2), ..Quota::default() })),
    );
    quota.tools = ToolMatch::one_of([NamePattern::classify("exec|send"), NamePattern::classify("read")]);
    let mut notify = rule("b", "notify", Guard::Always);
    (notify.effect, notify.once, notify.order) = (None, true, -3);
    notify.cooldown = Cooldown { turns: 1, ms: 5 };
    notify.actions = vec![Action::Notify {
        message: "much".to_owned(),
        category: "info".to_owned(),
        priority: NotifyPriority::High,
        deliver_at: mentci_authority::DeliverAt::default(),
    }];
    let mut allow = rule("b", "allow", expr("contains(arg('command'), 'safe')"));
    (allow.effect, allow.overrides, allow.severity) =
        (Some(Effect::Allow), vec!["a/g0".to_owned()], RuleSeverity::High);
    let mut redact = rule("b", "redact", Guard::Always);
    redact.effect = Some(Effect::Redact);
    let pattern = RedactionPattern { name: "CARD".to_owned(), regex: r"\d{4} \d{4}".to_owned() };
    redact.redaction = Some(Redaction { kinds: Vec::new(), patterns: vec![pattern] });
    b.rules = vec![quota, notify, allow, redact];
    b.max_fired = Some(1);
    b.honeypots = vec![Honeypot {
        tool: NamePattern::classify("secret_*"),
        message: None,
        severity: RuleSeverity::High,
        at: "b.yaml:2:3".to_owned(),
    }];
    vec![a, b]
}

prop_compose! {
    fn any_rule()(
        at in 0..1_000u32, guard in 0..GUARDS.len() + 1, tools in prop::collection::vec(0..TOOLS.len(), 0..3),
        effect in 0..5usize, order in -2..3i64, switches in any::<[bool; 4]>(), hook in 0..3usize,
    ) -> Rule {
        let mut rule = rule("p", &format!("r{at}"), GUARDS.get(guard).map_or(Guard::Always, |text| expr(text)));
        rule.tools = if tools.is_empty() {
            ToolMatch::Any
        } else {
            ToolMatch::one_of(tools.into_iter().map(|at| NamePattern::classify(TOOLS[at])))
        };
        rule.effect = [Some(Effect::Block), Some(Effect::Approve), Some(Effect::Allow), Some(Effect::Warn), None][effect];
        rule.order = order;
        rule.hook = [Hook::PreToolCall, Hook::PreToolCall, Hook::TurnStart][hook];
        (rule.once, rule.enabled, rule.core) = (switches[0] && switches[1], !(switches[1] && switches[2]), switches[3]);
        rule.overrides = if switches[2] { vec![format!("p/r{}", at % 7)] } else { Vec::new() };
        rule.parameters.insert("level".to_owned(), serde_json::json!(f64::from(at) / 8.0));
        rule
    }
}

prop_compose! {
    /// Rule sets of any rules.
    pub(crate) fn any_sets()(sets in prop::collection::vec(prop::collection::vec(any_rule(), 0..20), 0..4)) -> Vec<RuleSet> {
        sets.into_iter().enumerate().map(|(at, rules)| RuleSet { rules, ..RuleSet::new(format!("set{at}")) }).collect()
    }
}

prop_compose! {
    /// Any event of a few tools and texts.
    pub(crate) fn any_event()(
        tool in 0..TOOLS.len(), text in "(cat |rm -rf |send 41|safe |passwd |/etc|[a-z ]){0,4}", hook in 0..3usize,
    ) -> Event {
        let hook = [Hook::PreToolCall, Hook::PreToolCall, Hook::TurnStart][hook];
        event(hook, TOOLS[tool], &text)
    }
}

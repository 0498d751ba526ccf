//! The law of printing: what is printed reads as the set that was printed.

use std::collections::BTreeMap;
use std::sync::Arc;

use mentci_authority::{
    Action, Admission, Assigned, Bounds, Chain, ChainStep, Cooldown, DeliverAt, Effect, Enforcement, Guard,
    Honeypot, Hook, NamePattern, NotifyPriority, OnFault, Origin, Quota, Redaction, RedactionPattern, Role,
    Rule, RuleId, RuleSet, RuleSeverity, ScriptId, StateScope, ToolMatch, Trust,
};
use mentci_dialect::{Dialect, OriginHint, print, read};
use mentci_expr::{Expr, parse};
use mentci_source::{Source, Span};
use proptest::prelude::*;

fn origin() -> Origin {
    Origin {
        dialect: Dialect::Chatmd,
        path: Arc::from("law.chatmd"),
        line: 1,
        column: 1,
        span: Span::default(),
        pack: Arc::from("law"),
        trust: Trust::Workspace,
    }
}

/// Texts that could be taken for something else.
fn text() -> impl Strategy<Value = String> {
    let words = [
        "a",
        "word",
        " ",
        "  ",
        "\n",
        "\r\n",
        "\t",
        "<",
        ">",
        "&",
        "\"",
        "'",
        "RAW|",
        "|RAW",
        "</insert>",
        "</on>",
        "<!--",
        "-->",
        "&amp;",
        "{",
        "}",
        "é",
        "\u{1}",
        "[",
        ",",
        "`",
        "</rules>",
        "<user>",
    ];
    prop_oneof![
        "[a-z ]{0,20}",
        prop::collection::vec(prop::sample::select(words.to_vec()), 0..8).prop_map(|words| words.concat())
    ]
}

fn said() -> impl Strategy<Value = Option<String>> {
    prop::option::of(text())
}

fn pattern() -> impl Strategy<Value = NamePattern> {
    prop_oneof![
        "[a-z]{1,6}".prop_map(NamePattern::Exact),
        "[a-z]{1,4}\\*".prop_map(NamePattern::Glob),
        "[a-z]{1,4}\\.\\*x".prop_map(NamePattern::Regex),
        "\\[[a-c]\\]\\+".prop_map(NamePattern::Regex),
        "[a-z]\\*".prop_map(NamePattern::Exact),
    ]
}

fn tools() -> impl Strategy<Value = ToolMatch> {
    prop_oneof![Just(ToolMatch::Any), prop::collection::vec(pattern(), 1..3).prop_map(ToolMatch::OneOf)]
}

fn expr() -> impl Strategy<Value = Expr> {
    let texts = [
        "turn_index % 5 == 0",
        "context_tokens > 40000 and last_role == 'user'",
        "not (ever_called(\"Y\") and ever_called('Z'))",
        "arg(\"a.b\") in [\"x\", \"it's\"]",
        "text_contains(\"<b> & </on> RAW| |RAW -->\", \"last_tool\")",
        "any(x == 1 for x in [1, 2] if x > 0)",
        "1 < turn_index <= 9",
    ];
    prop::sample::select(texts.to_vec()).prop_map(|text| parse(text).expr.expect("it reads"))
}

fn admission() -> impl Strategy<Value = Admission> {
    prop_oneof![
        prop::collection::vec(prop_oneof!["[a-z]{1,5}", Just("a, b".to_owned())], 1..3)
            .prop_map(Admission::Requires),
        (any::<u8>(), prop::option::of(0_u32..9)).prop_map(|(turn, session)| {
            let per_turn = Some(u32::from(turn));
            Admission::Quota(Quota { per_turn, per_exchange: None, per_session: session })
        }),
        (1_u32..9).prop_map(|turns| Admission::Cooldown { turns }),
    ]
}

fn chain() -> impl Strategy<Value = Chain> {
    let step = (
        tools(),
        1_u64..9_000_000,
        1_u32..5,
        prop::collection::vec(prop::sample::select(Effect::ALL.to_vec()), 0..3),
    )
        .prop_map(|(tools, within_ms, min_count, verdicts)| ChainStep {
            tools,
            within_ms,
            min_count,
            verdicts,
        });
    (prop::collection::vec(step, 1..3), any::<bool>()).prop_map(|(steps, ordered)| Chain { steps, ordered })
}

/// Guards in normal form: no two expressions side by side.
fn guard() -> impl Strategy<Value = Guard> {
    let look = prop_oneof![
        chain().prop_map(Guard::Chain),
        admission().prop_map(Guard::Admission),
        Just(Guard::Script(ScriptId { timeout_ms: Some(5), ..ScriptId::new("a.luau") })),
    ];
    let deep = look.prop_recursive(4, 12, 2, |inner| {
        prop_oneof![
            (inner.clone(), expr()).prop_map(|(guard, expr)| match guard {
                Guard::Any(_) => guard,
                _ => Guard::Any(vec![Guard::Expr(expr), guard]),
            }),
            (inner.clone(), expr()).prop_map(|(guard, expr)| match guard {
                Guard::All(_) => guard,
                _ => Guard::All(vec![guard, Guard::Expr(expr)]),
            }),
            inner.prop_map(|guard| Guard::Not(Box::new(guard))),
        ]
    });
    prop_oneof![Just(Guard::Always), expr().prop_map(Guard::Expr), deep]
}

/// A name that says something and is no template.
fn plain() -> impl Strategy<Value = String> {
    let is_name = |text: &String| !text.trim().is_empty() && !text.contains("{{") && !text.contains("{%");
    text().prop_filter("a name is neither empty nor a template", is_name)
}

fn action() -> impl Strategy<Value = Action> {
    let roles = [Role::User, Role::System, Role::Developer, Role::Assistant];
    prop_oneof![
        (prop::sample::select(roles.to_vec()), text(), any::<bool>())
            .prop_map(|(role, text, synthetic)| Action::Insert { role, text, synthetic }),
        (prop::sample::select(roles.to_vec()), expr(), any::<bool>())
            .prop_map(|(role, value, synthetic)| Action::InsertValue { role, value, synthetic }),
        (text(), text()).prop_map(|(message, category)| Action::Notify {
            message,
            category,
            priority: NotifyPriority::High,
            deliver_at: DeliverAt::AfterTool,
        }),
        (expr(), "[a-z]{1,5}").prop_map(|(inner, tool)| {
            let map = Expr::new(mentci_expr::Node::Map(vec![("k <!-- '".into(), inner)]), Span::default());
            Action::Call { tool, arguments: map }
        }),
        (text(), text()).prop_map(|(src, text)| Action::Agent { src, text }),
        prop::option::of(1_u64..99_999).prop_map(|threshold_tokens| Action::Compact {
            keep: vec!["system".into(), "latest:8".into()],
            strategy: "relevance+summary".into(),
            threshold_tokens,
        }),
        (expr(), "[a-z]{1,5}").prop_map(|(value, key)| Action::Set {
            scope: StateScope::Session,
            key,
            value: Assigned::Expr(value)
        }),
        text().prop_map(|value| Action::Set {
            scope: StateScope::Plugin,
            key: "k".into(),
            value: Assigned::Value(serde_json::json!({ "a": [value, null, 1, 2.5, true] })),
        }),
        text().prop_map(|message| Action::Log { level: "warn".into(), message }),
        (plain(), text()).prop_map(|(event, value)| Action::Emit { event, payload: value.into() }),
        Just(Action::Emit { event: "e".into(), payload: serde_json::Value::Null }),
        Just(Action::Stop),
    ]
}

/// What a rule decides, and at which hook it may.
fn effect() -> impl Strategy<Value = Rule> {
    let rule = |hook, effect| {
        let mut rule = Rule::new(RuleId::new("x").expect("an id"), hook, origin());
        rule.effect = effect;
        rule
    };
    let redaction = Redaction {
        kinds: vec!["EMAIL".into()],
        patterns: vec![RedactionPattern { name: "T".into(), regex: "T<\"[0-9]+".into() }],
    };
    let redacting = Rule { redaction: Some(redaction), ..rule(Hook::PostToolResponse, Some(Effect::Redact)) };
    let approving = Rule { approval_seconds: Some(60), ..rule(Hook::PreToolCall, Some(Effect::Approve)) };
    let rules = vec![
        rule(Hook::PreToolCall, Some(Effect::Block)),
        rule(Hook::PreToolCall, Some(Effect::Allow)),
        rule(Hook::TurnStart, Some(Effect::Warn)),
        rule(Hook::TurnEnd, None),
        rule(Hook::MessageAppended, Some(Effect::Redact)),
        redacting,
        approving,
    ];
    prop::sample::select(rules)
}

fn rule() -> impl Strategy<Value = Rule> {
    let words = (said(), said(), said(), said(), said());
    let numbers = (any::<i64>(), any::<bool>(), 0_u32..9, 0_u32..99_999);
    let switches = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    let lists = (prop::collection::vec(text(), 0..3), prop::collection::vec("[a-z]{1,4}", 0..2), text());
    let parts = (effect(), tools(), guard(), prop::collection::vec(action(), 1..4));
    (parts, words, numbers, switches, lists).prop_map(|(parts, words, numbers, switches, lists)| Rule {
        tools: parts.1,
        guard: parts.2,
        actions: parts.3,
        name: words.0,
        description: words.1,
        version: words.2,
        message: words.3,
        remind: words.4,
        order: numbers.0,
        once: numbers.1,
        cooldown: Cooldown { turns: numbers.2, ms: u64::from(numbers.3) },
        enabled: switches.0 || switches.1, // a core rule is never switched off
        core: switches.1,
        sees_synthetic: switches.2,
        mode: if switches.3 { Enforcement::Shadow } else { Enforcement::Enforce },
        on_fault: switches.0.then_some(OnFault::Approve),
        severity: if switches.1 { RuleSeverity::High } else { RuleSeverity::Low },
        overrides: lists.0,
        taints: lists.1,
        timezone: switches.2.then(|| "Europe/Oslo".to_owned()),
        parameters: BTreeMap::from([
            (lists.2.clone() + "p", serde_json::json!({ "v": lists.2 })),
            (lists.2.clone() + "n", numbers.0.into()),
        ]),
        bounds: BTreeMap::from([(
            lists.2.clone() + "n",
            Bounds { min: switches.1.then_some(-1e300), max: (!switches.1).then_some(1e300) },
        )]),
        ..parts.0
    })
}

fn constraint() -> impl Strategy<Value = Rule> {
    (admission(), any::<bool>(), said()).prop_map(|(admission, warns, message)| Rule {
        tools: ToolMatch::exact("t"),
        guard: Guard::Admission(admission),
        effect: Some(if warns { Effect::Warn } else { Effect::Block }),
        message,
        ..Rule::new(RuleId::new("t/requires").expect("an id"), Hook::PreToolCall, origin())
    })
}

fn set() -> impl Strategy<Value = RuleSet> {
    let rules = (prop::collection::vec(constraint(), 0..2), prop::collection::vec(rule(), 0..4));
    let around = (text(), said(), said(), prop::option::of(1_u32..5), 0_u32..4, any::<bool>(), pattern());
    (rules, around).prop_map(|((constraints, rules), around)| {
        let number = |(at, rule): (usize, Rule)| Rule {
            id: RuleId::new(&format!("r {at} \"<'")).expect("an id"),
            ..rule
        };
        let rules = constraints.into_iter().chain(rules.into_iter().enumerate().map(number)).collect();
        let honeypot = Honeypot {
            tool: around.6,
            message: around.1.clone(),
            severity: RuleSeverity::Critical,
            at: String::new(),
        };
        RuleSet {
            version: around.1,
            description: around.2,
            default_effect: around.5.then_some(Effect::Block),
            max_fired: around.3,
            max_calls: around.4,
            visible_trace: around.5,
            honeypots: vec![honeypot],
            rules,
            ..RuleSet::new(around.0)
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_is_printed_reads_as_it_was(set in set()) {
        let printed = print(&set, Dialect::Chatmd).unwrap();
        let origin = OriginHint { pack: Arc::from("law"), trust: Trust::Workspace };
        let reading = read(&Source::new("law.chatmd", &printed), Dialect::Chatmd, &origin, &mut |_| None);
        let told: Vec<String> = reading.findings.iter().map(ToString::to_string).collect();
        prop_assert_eq!(reading.value.as_ref(), Some(&set), "{}\n{}", printed, told.join("\n"));
        prop_assert_eq!(print(&set, Dialect::Chatmd).unwrap(), printed);
    }
}

//! Laws: what is printed reads the same, in every dialect that can say it; nothing that is read panics.

#![allow(clippy::unwrap_used, reason = "tests may")]

mod common;

use common::{origin, reading};
use mentci_authority::{
    Action, Admission, Assigned, Bounds, Chain, ChainStep, Cooldown, Effect, Enforcement, Guard, Honeypot,
    Hook, NamePattern, OnFault, Origin, Quota, Redaction, RedactionPattern, Role, Rule, RuleId, RuleSet,
    RuleSeverity, RuleTest, ScriptId, StateScope, ToolMatch, Trust,
};
use mentci_dialect::{Dialect, print, read};
use mentci_expr::{Comparison, Expr, Function, Node, parse};
use mentci_source::{Source, Span};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use serde_json::{Value, json};

const SYNTAXES: [Dialect; 3] = [Dialect::Yaml, Dialect::Toml, Dialect::Edn];

/// Texts that some syntax takes for something else, and any other.
fn text() -> impl Strategy<Value = String> {
    let traps = [
        "x",
        "!x",
        "yes",
        "No",
        "null",
        "~",
        "5",
        "-1.5e3",
        "0x1f",
        "- a",
        "a: b",
        "a #b",
        "#",
        "'",
        "\"",
        "\\",
        "\\n",
        "a\nb",
        "a\n\n b\n",
        " a",
        "a ",
        "\ttab",
        "é",
        "\u{7f}",
        "\u{85}",
        "\u{2028}",
        "\u{feff}",
        "{",
        "[x]",
        "*a",
        "&b",
        "%",
        "@",
        "`",
        "",
        "|",
        ">",
        "?",
        "<<",
        "2026-01-01",
        ":kw",
        "(f x)",
        ";c",
        "#_x",
        "'''",
        "\"\"\"",
        "\r\n",
    ];
    prop_oneof![
        3 => proptest::sample::select(traps.to_vec()).prop_map(str::to_owned),
        2 => "[a-z_]{1,8}",
        1 => "\\PC{0,12}",
    ]
}

fn name() -> impl Strategy<Value = String> {
    "[a-z][a-z_]{0,6}"
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        text().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        (-1e6..1e6).prop_map(Value::from),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            btree_map(text(), inner, 0..3).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn pattern() -> impl Strategy<Value = NamePattern> {
    prop_oneof![
        name().prop_map(NamePattern::Exact),
        "[a-z]{1,4}[*?][a-z]{0,2}".prop_map(NamePattern::Glob),
        "[a-z]{1,3}(\\.\\*|\\|b|\\+)".prop_map(NamePattern::Regex),
        text().prop_filter("a name", |text| !text.trim().is_empty()).prop_map(NamePattern::Exact),
    ]
}

fn tools() -> impl Strategy<Value = ToolMatch> {
    prop_oneof![Just(ToolMatch::Any), vec(pattern(), 1..3).prop_map(ToolMatch::one_of)]
}

/// What `args`, `session`, `sender` and `context` say, and what only expressions say.
fn atom() -> impl Strategy<Value = Expr> {
    let functions = [Function::Contains, Function::StartsWith, Function::EndsWith];
    let comparisons = [
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessOrEqual,
        Comparison::Greater,
        Comparison::GreaterOrEqual,
    ];
    let plain = [
        "turn_index % 5 == 0",
        "not time_of_day(\"09:00-18:00\")",
        "day_of_week(\"Mon-Fri\")",
        "sender() == \"bob\"",
        "sender() != \"bob\"",
        "sender() in [\"bob\", \"eve\"]",
        "sender() not in [\"bob\", \"eve\"]",
        "glob(sender(), \"a*\")",
        "0 < turn_index <= 9",
        "event.tool.status == \"success\"",
        "event.tool.status in [\"error\", \"timeout\"]",
        "any(t.name == \"x\" for t in recent_tools(5) if t.success)",
        "all(contains(item, \"x\") for item in jsonpath(\"$.a[*]\"))",
        "any(contains(item, \"x\") for item in jsonpath(\"$.a[*]\"))",
        "turn.token_usage > 0.8 if exists(arg(\"a\")) else ever_called(\"x\")",
        "len(result.result or '') > 2000",
        "-turn_index + 3 < -2",
        "arg(\"m\")[\"a b\"] == {\"a\": [1, null]}",
        "false",
    ];
    let subject = prop_oneof![
        name().prop_map(|key| Expr::call(Function::Arg, [Expr::from(key.as_str())])),
        text().prop_map(|key| Expr::call(Function::Session, [Expr::from(key.as_str())])),
        text().prop_map(|key| Expr::call(Function::Fact, [Expr::from(key.as_str())])),
        Just(Expr::call(Function::JsonPath, [Expr::from("$.a.b")])),
    ]
    .boxed();
    let list = vec(scalar(), 1..3).prop_map(|items| Expr::json(&Value::from(items)));
    prop_oneof![
        proptest::sample::select(plain.to_vec()).prop_map(|text| parse(text).expr.unwrap()),
        (subject.clone(), text(), proptest::sample::select(functions.to_vec()), any::<bool>()).prop_map(
            |(subject, text, function, negated)| {
                let test = Expr::call(function, [subject, Expr::from(text.as_str())]);
                if negated { Expr::negate(test) } else { test }
            }
        ),
        (subject.clone(), scalar(), proptest::sample::select(comparisons.to_vec()))
            .prop_map(|(subject, value, comparison)| Expr::compare(subject, comparison, Expr::json(&value))),
        (subject.clone(), list, any::<bool>()).prop_map(|(subject, list, negated)| {
            Expr::compare(subject, if negated { Comparison::NotIn } else { Comparison::In }, list)
        }),
        subject.prop_map(|subject| Expr::call(Function::Exists, [subject])),
    ]
}

fn expr() -> impl Strategy<Value = Expr> {
    atom().prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 2..4).prop_map(Expr::and),
            vec(inner.clone(), 2..4).prop_map(Expr::or),
            inner.prop_map(Expr::negate),
        ]
    })
}

fn step() -> impl Strategy<Value = ChainStep> {
    (tools(), 1_u64..100_000, 1_u32..4, vec(proptest::sample::select(Effect::ALL.to_vec()), 0..3)).prop_map(
        |(tools, within_ms, min_count, verdicts)| ChainStep { tools, within_ms, min_count, verdicts },
    )
}

fn guard() -> impl Strategy<Value = Guard> {
    let rare = prop_oneof![
        Just(Guard::Always),
        (vec(step(), 1..3), any::<bool>())
            .prop_map(|(steps, ordered)| Guard::Chain(Chain { steps, ordered })),
        vec(text(), 1..3).prop_map(|tools| Guard::Admission(Admission::Requires(tools))),
        (1_u32..9, option::of(0_u32..9)).prop_map(|(turn, session)| {
            let quota = Quota { per_turn: Some(turn), per_exchange: None, per_session: session };
            Guard::Admission(Admission::Quota(quota))
        }),
        (1_u32..9).prop_map(|turns| Guard::Admission(Admission::Cooldown { turns })),
        (name(), option::of(1_u64..99_999), option::of(ScriptId::LEAST_MEMORY..=ScriptId::MOST_MEMORY))
            .prop_map(|(file, timeout_ms, memory_bytes)| {
                Guard::Script(ScriptId { timeout_ms, memory_bytes, ..ScriptId::new(file) })
            }),
    ];
    let leaf = prop_oneof![2 => rare, 3 => expr().prop_map(Guard::Expr)];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 1..4).prop_map(Guard::All),
            vec(inner.clone(), 1..4).prop_map(Guard::Any),
            inner.prop_map(|guard| Guard::Not(Box::new(guard))),
        ]
    })
}

/// A name that says something and is no template.
fn plain() -> impl Strategy<Value = String> {
    let is_name = |text: &String| !text.trim().is_empty() && !text.contains("{{") && !text.contains("{%");
    text().prop_filter("a name is neither empty nor a template", is_name)
}

fn action() -> impl Strategy<Value = Action> {
    let scope = prop_oneof![Just(StateScope::Session), Just(StateScope::Plugin)];
    prop_oneof![
        (text(), any::<bool>()).prop_map(|(text, synthetic)| Action::Insert {
            role: Role::User,
            text,
            synthetic
        }),
        (expr(), any::<bool>()).prop_map(|(value, synthetic)| Action::InsertValue {
            role: Role::User,
            value,
            synthetic
        }),
        (text(), text()).prop_map(|(message, category)| Action::Notify {
            message,
            category,
            priority: mentci_authority::NotifyPriority::High,
            deliver_at: mentci_authority::DeliverAt::AfterTool,
        }),
        (text(), btree_map(text(), value(), 0..3)).prop_map(|(tool, arguments)| Action::Call {
            tool,
            arguments: Expr::json(&Value::Object(arguments.into_iter().collect())),
        }),
        (text(), text()).prop_map(|(src, text)| Action::Agent { src, text }),
        (option::of(1_u64..=ScriptId::MOST_MEMORY)).prop_map(|threshold_tokens| Action::Compact {
            keep: ["system", "latest:8"].map(str::to_owned).into(),
            strategy: "relevance+summary".into(),
            threshold_tokens,
        }),
        (scope, name(), value()).prop_map(|(scope, key, value)| Action::Set {
            scope,
            key,
            value: Assigned::Value(value)
        }),
        (name(), expr()).prop_map(|(key, value)| Action::Set {
            scope: StateScope::Plugin,
            key,
            value: Assigned::Expr(value)
        }),
        text().prop_map(|message| Action::Log { level: "info".into(), message }),
        (plain(), value()).prop_map(|(event, payload)| Action::Emit { event, payload }),
        Just(Action::Stop),
    ]
}

fn rule_of(id: usize, guard: Guard, tools: ToolMatch) -> Rule {
    let origin = Origin {
        dialect: Dialect::Yaml,
        path: "x".into(),
        line: 1,
        column: 1,
        span: Span::default(),
        pack: "x".into(),
        trust: Trust::Workspace,
    };
    let mut rule = Rule::new(RuleId::new(&format!("r{id}")).unwrap(), Hook::PreToolCall, origin);
    (rule.guard, rule.tools) = (guard, tools);
    rule
}

fn rule() -> impl Strategy<Value = Rule> {
    let texts =
        (option::of(text()), option::of(text()), option::of(text()), vec(text(), 0..2), vec(text(), 0..2));
    let numbers = (any::<i64>(), 0_u32..9, 0_u64..1 << 40, any::<[bool; 5]>(), 0_usize..4);
    let parts = (guard(), tools(), vec(action(), 0..3), btree_map(text(), value(), 0..3));
    (texts, numbers, parts, proptest::sample::select(Hook::ALL.to_vec())).prop_map(
        |(texts, numbers, parts, hook)| {
            let (guard, tools, actions, parameters) = parts;
            let mut rule = rule_of(0, guard, tools);
            (rule.name, rule.message, rule.version) = (texts.0, texts.1, texts.2);
            (rule.overrides, rule.taints) = (texts.3, texts.4);
            (rule.order, rule.cooldown) = (numbers.0, Cooldown { turns: numbers.1, ms: numbers.2 });
            [rule.once, rule.enabled, rule.core, rule.sees_synthetic, _] = numbers.3;
            rule.enabled |= rule.core; // a core rule is never switched off
            rule.mode = if numbers.3[4] { Enforcement::Shadow } else { Enforcement::Enforce };
            rule.severity = RuleSeverity::ALL[numbers.4];
            (rule.actions, rule.parameters) = (actions, parameters);
            let bounded = rule.parameters.iter().filter(|(_, value)| value.is_number());
            let bounded =
                bounded.map(|(name, value)| (name.clone(), Bounds { min: value.as_f64(), max: None }));
            rule.bounds = bounded.collect();
            match hook {
                Hook::PreToolCall if numbers.4 == 0 => {
                    (rule.effect, rule.approval_seconds) = (Some(Effect::Approve), Some(60));
                    rule.on_fault = Some(OnFault::Block);
                }
                Hook::PreToolCall => rule.effect = Some(Effect::Block),
                _ => {
                    rule.hook = hook;
                    rule.effect = Some(Effect::Redact);
                    let patterns = vec![RedactionPattern { name: "K".into(), regex: "k-\\d+".into() }];
                    rule.redaction = Some(Redaction { kinds: vec!["email".into()], patterns });
                }
            }
            rule
        },
    )
}

fn set() -> impl Strategy<Value = RuleSet> {
    (vec(rule(), 0..4), text(), option::of(text()), vec(pattern(), 0..2)).prop_map(|(rules, name, description, pots)| {
        let mut set = RuleSet::new(name);
        set.description = description;
        set.honeypots =
            pots.into_iter().map(|tool| Honeypot { tool, message: None, severity: RuleSeverity::High, at: String::new() }).collect();
        set.rules = rules;
        for (at, rule) in set.rules.iter_mut().enumerate() {
            rule.id = RuleId::new(&format!("r{at}")).unwrap();
        }
        let event = json!({"event": "pre_tool_call", "tool": {"name": "x", "args": {"a b": [1, "y"]}}, "session": "s"});
        let event = serde_json::from_value(event).unwrap();
        set.tests = vec![RuleTest {
            name: "t".into(),
            before: Vec::new(),
            event,
            decision: Some(Effect::Block),
            rules: None,
            line: 0,
        }];
        set
    })
}

/// Reads a text; warnings are fine, and so is what the checks say of senseless expressions.
fn again(text: &str, dialect: Dialect) -> Result<RuleSet, Option<String>> {
    let reading = reading(text, dialect);
    let ours = |code: &str| ["E0222", "E0220", "E0221", "E0223", "E0226", "E0210", "E0215"].contains(&code);
    match reading.value {
        Some(set) => Ok(set),
        None => Err(reading.findings.iter().find(|finding| ours(finding.code.id())).map(ToString::to_string)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_reads_the_same(raw in set()) {
        let mut first: Option<RuleSet> = None;
        for dialect in SYNTAXES {
            let text = match print(&raw, dialect) {
                Ok(text) => text,
                Err(unsayable) => {
                    prop_assert_eq!(dialect, Dialect::Toml, "{:?}", unsayable);
                    continue;
                }
            };
            let read = match again(&text, dialect) {
                Ok(set) => set,
                Err(Some(said)) => { prop_assert!(false, "{}\n{}", said, text); unreachable!() }
                // Its expressions do not pass the checks: it can be printed, and is never loaded.
                Err(None) => return Ok(()),
            };
            let again = print(&read, dialect).unwrap();
            prop_assert_eq!(&again, &text, "printing is stable");
            if let Some(first) = &first {
                prop_assert_eq!(first, &read, "{}", text);
            } else {
                let mut bare = read.clone();
                for (rule, raw) in bare.rules.iter_mut().zip(&raw.rules) {
                    rule.guard = raw.guard.clone();
                }
                prop_assert_eq!(&bare, &raw, "{}", text);
                first = Some(read);
            }
        }
    }

    #[test]
    fn nothing_panics(text in "[a-z:{}\\[\\]()#\"'|>&*!%@\\-\\n .,=_0-9]{0,200}", tail in "\\PC{0,40}") {
        let starts = ["", "rules:\n  - id: a\n    then: block\n    ", "[rule]\nid = \"a\"\n", "{:rule/id :a :then :block "];
        for start in starts {
            let text = format!("{start}{text}{tail}");
            for dialect in SYNTAXES {
                let _ = read(&Source::new("x", &text), dialect, &origin(), &mut |_| None);
                let _ = mentci_dialect::format(&Source::new("x", &text), dialect, &origin());
            }
        }
    }

    #[test]
    fn forms_are_what_they_say(expr in expr()) {
        let set = |guard: Guard| {
            let mut set = RuleSet::new("mine");
            let mut rule = rule_of(0, guard, ToolMatch::Any);
            rule.effect = Some(Effect::Block);
            set.rules.push(rule);
            set
        };
        let edn = print(&set(Guard::Expr(expr.clone())), Dialect::Edn).unwrap();
        if let Ok(read) = again(&edn, Dialect::Edn) {
            let guard = read.rules[0].guard.clone();
            let expected = if *expr.node() == Node::Bool(true) { Guard::Always } else { Guard::Expr(expr) };
            prop_assert_eq!(guard, expected, "{}", edn);
        }
    }
}

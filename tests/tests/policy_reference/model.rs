//! Rules and sessions, as small as they can be said, and how random ones are made.

use mentci_authority::{Effect, OnFault, Trust};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A document of rules.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    pub(crate) rules: Vec<ModelRule>,
    pub(crate) default: Option<Effect>,
    pub(crate) max_fired: Option<u32>,
    pub(crate) trust: Trust,
}

/// A rule. Its id is `rD-R`, by its document and its place.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "as many as a rule has")]
pub(crate) struct ModelRule {
    pub(crate) hook: When,
    pub(crate) tools: Tools,
    pub(crate) guard: Condition,
    pub(crate) effect: Option<Effect>,
    pub(crate) acts: Vec<Act>,
    pub(crate) order: i64,
    pub(crate) once: bool,
    pub(crate) cooldown_turns: u32,
    pub(crate) on_fault: Option<OnFault>,
    pub(crate) shadow: bool,
    pub(crate) core: bool,
    pub(crate) enabled: bool,
    /// The rules that it takes out: document and place.
    pub(crate) overrides: Vec<(usize, usize)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    Turn,
    Call,
}

#[derive(Debug, Clone)]
pub(crate) enum Tools {
    Any,
    Names(Vec<&'static str>),
    /// `t*`
    StartsWithT,
    /// `t1`, or `.*0`
    NamedOrEndsWith0,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    Insert,
    Set,
    Call,
    Stop,
}

#[derive(Debug, Clone)]
pub(crate) enum Condition {
    Always,
    Contains(&'static str, &'static str),
    StartsWith(&'static str, &'static str),
    EndsWith(&'static str, &'static str),
    Equals(&'static str, Value),
    Below(&'static str, i32),
    /// `6 / arg > 2`
    Share(&'static str),
    /// The argument itself.
    Itself(&'static str),
    EverCalled(&'static str),
    CountAtLeast(&'static str, i64),
    CalledSince(&'static str, i64),
    TurnIsEven,
    Chain(Vec<Step>, bool),
    Missing(Vec<&'static str>),
    OverQuota {
        per_turn: Option<u32>,
        per_session: Option<u32>,
    },
    CoolingDown(u32),
    Not(Box<Condition>),
    All(Vec<Condition>),
    OneOf(Vec<Condition>),
}

#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) tool: Option<&'static str>,
    pub(crate) within_seconds: u64,
    pub(crate) min_count: u32,
    pub(crate) verdicts: Vec<Effect>,
}

/// What happens, so many seconds after what came before.
#[derive(Debug, Clone)]
pub(crate) enum Happening {
    Turn { after: u32 },
    Call { after: u32, tool: &'static str, args: Value, disabled: Option<(usize, usize)> },
}

const TOOLS: [&str; 4] = ["t0", "t1", "u0", "w"];
const KEYS: [&str; 2] = ["a", "b"];
const LITERALS: [&str; 6] = ["a", "b", "ab", "bc", "abc", "1"];

fn tool() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&TOOLS[..])
}

fn key() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&KEYS[..])
}

fn literal() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&LITERALS[..])
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => prop::sample::select(vec!["a", "ab", "abc", "bca", "c", "", "xabx"]).prop_map(Value::from),
        2 => (0i64..4).prop_map(Value::from),
        1 => Just(Value::Null),
        1 => Just(json!(["a", "bc"])),
        1 => Just(json!(true)),
        1 => Just(json!(2.5)),
    ]
}

fn effect() -> impl Strategy<Value = Effect> {
    prop::sample::select(&Effect::ALL[..])
}

fn step() -> impl Strategy<Value = Step> {
    (prop::option::of(tool()), 0u64..60, 1u32..3, prop::collection::vec(effect(), 0..2)).prop_map(
        |(tool, within_seconds, min_count, verdicts)| Step { tool, within_seconds, min_count, verdicts },
    )
}

fn leaf() -> impl Strategy<Value = Condition> {
    prop_oneof![
        1 => Just(Condition::Always),
        6 => (key(), literal()).prop_map(|(key, text)| Condition::Contains(key, text)),
        2 => (key(), literal()).prop_map(|(key, text)| Condition::StartsWith(key, text)),
        2 => (key(), literal()).prop_map(|(key, text)| Condition::EndsWith(key, text)),
        2 => (key(), value()).prop_map(|(key, value)| Condition::Equals(key, value)),
        3 => (key(), 0i32..4).prop_map(|(key, than)| Condition::Below(key, than)),
        2 => key().prop_map(Condition::Share),
        1 => key().prop_map(Condition::Itself),
        1 => tool().prop_map(Condition::EverCalled),
        1 => (tool(), 0i64..4).prop_map(|(tool, count)| Condition::CountAtLeast(tool, count)),
        1 => (tool(), 0i64..3).prop_map(|(tool, turns)| Condition::CalledSince(tool, turns)),
        1 => Just(Condition::TurnIsEven),
        3 => (prop::collection::vec(step(), 1..4), any::<bool>()).prop_map(|(steps, ordered)| Condition::Chain(steps, ordered)),
        1 => prop::collection::vec(tool(), 1..3).prop_map(Condition::Missing),
        2 => (prop::option::of(1u32..3), prop::option::of(1u32..4))
            .prop_map(|(per_turn, per_session)| Condition::OverQuota { per_turn, per_session }),
        1 => (1u32..3).prop_map(Condition::CoolingDown),
    ]
}

fn condition() -> impl Strategy<Value = Condition> {
    leaf().prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|inner| Condition::Not(Box::new(inner))),
            prop::collection::vec(inner.clone(), 1..4).prop_map(Condition::All),
            prop::collection::vec(inner, 1..4).prop_map(Condition::OneOf),
        ]
    })
}

fn tools() -> impl Strategy<Value = Tools> {
    prop_oneof![
        2 => Just(Tools::Any),
        4 => prop::collection::vec(tool(), 1..3).prop_map(Tools::Names),
        1 => Just(Tools::StartsWithT),
        1 => Just(Tools::NamedOrEndsWith0),
    ]
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    prop::collection::vec(prop::sample::select(vec![Act::Insert, Act::Set, Act::Call, Act::Stop]), 0..3)
}

fn on_fault() -> impl Strategy<Value = Option<OnFault>> {
    prop::option::of(prop::sample::select(vec![OnFault::Block, OnFault::Approve, OnFault::Allow]))
}

prop_compose! {
    fn rule()(
        hook in prop_oneof![1 => Just(When::Turn), 5 => Just(When::Call)],
        tools in tools(),
        guard in condition(),
        effect in prop::option::of(effect()),
        acts in acts(),
        order in 0i64..3,
        switches in (any::<bool>(), 0u32..8, 0u32..8, 0u32..8, 0u32..8),
        cooldown_turns in prop_oneof![4 => Just(0), 1 => 1u32..3],
        on_fault in on_fault(),
        overrides in prop_oneof![5 => Just(Vec::new()), 1 => prop::collection::vec((0usize..3, 0usize..6), 1..3)],
    ) -> ModelRule {
        ModelRule {
            hook, tools: if hook == When::Turn { Tools::Any } else { tools }, guard, effect, acts, order,
            once: switches.1 == 0, shadow: switches.2 == 0, core: switches.3 == 0, enabled: switches.4 != 0,
            cooldown_turns, on_fault, overrides,
        }
    }
}

prop_compose! {
    pub(crate) fn document()(
        rules in prop::collection::vec(rule(), 0..6),
        default in prop::option::weighted(0.2, prop::sample::select(vec![Effect::Allow, Effect::Approve, Effect::Block])),
        max_fired in prop::option::of(1u32..3),
        trust in prop::sample::select(vec![Trust::Builtin, Trust::Workspace, Trust::User, Trust::Managed]),
    ) -> Document {
        Document { rules, default, max_fired, trust }
    }
}

prop_compose! {
    pub(crate) fn crowd()(
        needs in prop::collection::vec((key(), literal(), 0u32..4, effect(), condition()), 4..40),
    ) -> Document {
        let rule = |(key, text, shape, effect, more): (_, _, u32, _, Condition)| {
            let text = match shape {
                0 => Condition::StartsWith(key, text),
                1 => Condition::EndsWith(key, text),
                _ => Condition::Contains(key, text),
            };
            let guard = if shape == 3 { Condition::All(vec![more, text]) } else { text };
            ModelRule {
                hook: When::Call, tools: Tools::Names(vec!["t0"]), guard, effect: Some(effect), acts: Vec::new(), order: 0,
                once: false, shadow: false, core: false, enabled: true, cooldown_turns: 0, on_fault: None, overrides: Vec::new(),
            }
        };
        Document { rules: needs.into_iter().map(rule).collect(), default: None, max_fired: None, trust: Trust::User }
    }
}

fn args() -> impl Strategy<Value = Value> {
    (prop::option::of(value()), prop::option::of(value())).prop_map(|(a, b)| {
        let mut args = serde_json::Map::new();
        args.extend(a.map(|value| ("a".to_owned(), value)));
        args.extend(b.map(|value| ("b".to_owned(), value)));
        Value::Object(args)
    })
}

/// A session that opens with its first turn.
pub(crate) fn session(most: usize) -> impl Strategy<Value = Vec<Happening>> {
    prop::collection::vec(happening(), 1..most).prop_map(|mut session| {
        session.insert(0, Happening::Turn { after: 0 });
        session
    })
}

fn happening() -> impl Strategy<Value = Happening> {
    let disabled = prop::option::weighted(0.1, (0usize..3, 0usize..6));
    prop_oneof![
        1 => (0u32..30).prop_map(|after| Happening::Turn { after }),
        4 => (0u32..30, tool(), args(), disabled)
            .prop_map(|(after, tool, args, disabled)| Happening::Call { after, tool, args, disabled }),
    ]
}

//! One rule as a text: what is as in any rule is left out, and so are its unit tests.

use std::collections::BTreeMap;

use mentci_authority::{
    Action, Cooldown, Effect, Enforcement, Guard, Hook, OnFault, Origin, Redaction, Rule, RuleId,
    RuleSeverity, ToolMatch,
};
use serde::Serialize;
use serde_json::Value;

/// A rule without what is as in any rule. It reads back as a [`Rule`]: the names are the same.
#[derive(Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own in the rule")]
struct Short<'r> {
    id: &'r RuleId,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: &'r Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: &'r Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: &'r Option<String>,
    hook: Hook,
    #[serde(skip_serializing_if = "is_usual")]
    tools: &'r ToolMatch,
    #[serde(skip_serializing_if = "is_usual")]
    guard: &'r Guard,
    #[serde(skip_serializing_if = "Option::is_none")]
    effect: Option<Effect>,
    #[serde(skip_serializing_if = "Option::is_none")]
    redaction: &'r Option<Redaction>,
    #[serde(skip_serializing_if = "Option::is_none")]
    approval_seconds: Option<u64>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    actions: &'r [Action],
    #[serde(skip_serializing_if = "is_usual")]
    order: i64,
    #[serde(skip_serializing_if = "is_usual")]
    once: bool,
    #[serde(skip_serializing_if = "is_usual")]
    cooldown: Cooldown,
    #[serde(skip_serializing_if = "is_usual")]
    severity: RuleSeverity,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: &'r Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remind: &'r Option<String>,
    #[serde(skip_serializing_if = "is_true")]
    enabled: bool,
    #[serde(skip_serializing_if = "is_usual")]
    core: bool,
    #[serde(skip_serializing_if = "is_usual")]
    mode: Enforcement,
    #[serde(skip_serializing_if = "Option::is_none")]
    on_fault: Option<OnFault>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    overrides: &'r [String],
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    parameters: &'r BTreeMap<String, Value>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    settings: &'r BTreeMap<String, Value>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    taints: &'r [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    timezone: &'r Option<String>,
    #[serde(skip_serializing_if = "is_usual")]
    sees_synthetic: bool,
    origin: &'r Origin,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_true(value: &bool) -> bool {
    *value
}

/// Whether a value is the one that stands where none is written. It is asked of references and of values.
fn is_usual<T: Usual>(value: &T) -> bool {
    value.is_usual()
}

trait Usual {
    fn is_usual(&self) -> bool;
}

impl<T: Usual> Usual for &T {
    fn is_usual(&self) -> bool {
        (**self).is_usual()
    }
}

macro_rules! usual {
    ($($type:ty),*) => {
        $(impl Usual for $type {
            fn is_usual(&self) -> bool {
                *self == Self::default()
            }
        })*
    };
}

usual!(ToolMatch, Guard, i64, bool, Cooldown, RuleSeverity, Enforcement);

/// The text of a rule; none where it would not read back as the rule that it is.
pub(super) fn text(rule: &Rule) -> Option<Vec<u8>> {
    let text = serde_json::to_vec(&short(rule)).ok()?;
    let back: Rule = serde_json::from_slice(&text).ok()?;
    let is_same = if rule.tests.is_empty() {
        back == *rule
    } else {
        back == Rule { tests: Vec::new(), ..rule.clone() }
    };
    is_same.then_some(text)
}

/// A rule of many fields is taken apart whole, so that a new field is not forgotten here.
fn short(rule: &Rule) -> Short<'_> {
    let Rule {
        id,
        name,
        description,
        version,
        hook,
        tools,
        guard,
        effect,
        redaction,
        approval_seconds,
        actions,
        order,
        once,
        cooldown,
        severity,
        message,
        remind,
        enabled,
        core,
        mode,
        on_fault,
        overrides,
        parameters,
        settings,
        taints,
        timezone,
        sees_synthetic,
        tests: _,
        origin,
    } = rule;
    Short {
        id,
        name,
        description,
        version,
        hook: *hook,
        tools,
        guard,
        effect: *effect,
        redaction,
        approval_seconds: *approval_seconds,
        actions,
        order: *order,
        once: *once,
        cooldown: *cooldown,
        severity: *severity,
        message,
        remind,
        enabled: *enabled,
        core: *core,
        mode: *mode,
        on_fault: *on_fault,
        overrides,
        parameters,
        settings,
        taints,
        timezone,
        sees_synthetic: *sees_synthetic,
        origin,
    }
}

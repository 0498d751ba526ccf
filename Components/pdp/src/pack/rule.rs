//! One rule as JSON: what is as in any rule is left out, and so are its unit tests; what many rules share stands once.

use std::collections::BTreeMap;
use std::sync::Arc;

use mentci_authority::{
    Action, Bounds, Cooldown, Dialect, Effect, Enforcement, Guard, Hook, OnFault, Origin, Redaction, Rule,
    RuleId, RuleSeverity, ToolMatch, Trust,
};
use serde::Serialize;
use serde_json::Value;

/// A rule as two pieces of JSON that are whole behind each other: what is mostly its own, and what many rules share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RuleText {
    pub(super) own: Vec<u8>,
    pub(super) tail: Vec<u8>,
}

/// The first piece: it ends within `origin`.
#[derive(Serialize)]
struct Own<'r> {
    id: &'r RuleId,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: &'r Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: &'r Option<String>,
    #[serde(skip_serializing_if = "is_usual")]
    tools: &'r ToolMatch,
    #[serde(skip_serializing_if = "is_usual")]
    guard: &'r Guard,
    #[serde(skip_serializing_if = "Option::is_none")]
    redaction: &'r Option<Redaction>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    actions: &'r [Action],
    #[serde(skip_serializing_if = "Option::is_none")]
    message: &'r Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remind: &'r Option<String>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    overrides: &'r [String],
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    parameters: &'r BTreeMap<String, Value>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    bounds: &'r BTreeMap<String, Bounds>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    settings: &'r BTreeMap<String, Value>,
    origin: Place,
}

/// Where it stands in its file.
#[derive(Serialize)]
struct Place {
    line: u32,
    column: u32,
}

/// The second piece goes on with the file.
#[derive(Serialize)]
struct File<'r> {
    dialect: Dialect,
    path: &'r str,
    pack: &'r str,
    trust: Trust,
}

/// And ends with what has few values.
#[derive(Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own in the rule")]
struct Common<'r> {
    hook: Hook,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: &'r Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    effect: Option<Effect>,
    #[serde(skip_serializing_if = "Option::is_none")]
    approval_seconds: Option<u64>,
    #[serde(skip_serializing_if = "is_usual")]
    order: i64,
    #[serde(skip_serializing_if = "is_usual")]
    once: bool,
    #[serde(skip_serializing_if = "is_usual")]
    cooldown: Cooldown,
    #[serde(skip_serializing_if = "is_usual")]
    severity: RuleSeverity,
    #[serde(skip_serializing_if = "is_true")]
    enabled: bool,
    #[serde(skip_serializing_if = "is_usual")]
    core: bool,
    #[serde(skip_serializing_if = "is_usual")]
    mode: Enforcement,
    #[serde(skip_serializing_if = "Option::is_none")]
    on_fault: Option<OnFault>,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: &'r Option<Arc<str>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    taints: &'r [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    timezone: &'r Option<String>,
    #[serde(skip_serializing_if = "is_usual")]
    sees_synthetic: bool,
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
pub(super) fn text(rule: &Rule) -> Option<RuleText> {
    let text = pieces(rule)?;
    let back: Rule = serde_json::from_slice(&[text.own.as_slice(), &text.tail].concat()).ok()?;
    let is_same = if rule.tests.is_empty() {
        back == *rule
    } else {
        back == Rule { tests: Vec::new(), ..rule.clone() }
    };
    is_same.then_some(text)
}

/// A rule of many fields is taken apart whole, so that a new field is not forgotten here.
fn pieces(rule: &Rule) -> Option<RuleText> {
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
        bounds,
        owner,
        settings,
        taints,
        timezone,
        sees_synthetic,
        tests: _,
        origin: Origin { dialect, path, line, column, span: _, pack, trust },
    } = rule;
    let own = Own {
        id,
        name,
        description,
        tools,
        guard,
        redaction,
        actions,
        message,
        remind,
        overrides,
        parameters,
        bounds,
        settings,
        origin: Place { line: *line, column: *column },
    };
    let common = Common {
        hook: *hook,
        version,
        effect: *effect,
        approval_seconds: *approval_seconds,
        order: *order,
        once: *once,
        cooldown: *cooldown,
        severity: *severity,
        enabled: *enabled,
        core: *core,
        mode: *mode,
        on_fault: *on_fault,
        owner,
        taints,
        timezone,
        sees_synthetic: *sees_synthetic,
    };
    let file = File { dialect: *dialect, path, pack, trust: *trust };
    let mut own = serde_json::to_vec(&own).ok()?;
    // Both braces that it ends with are closed by the second piece.
    own.truncate(own.len().checked_sub(2)?);
    let mut tail = behind(&file)?;
    tail.append(&mut behind(&common)?);
    Some(RuleText { own, tail })
}

/// The fields of a struct that has some, as they go on in an object that is open.
fn behind(fields: &impl Serialize) -> Option<Vec<u8>> {
    let mut text = serde_json::to_vec(fields).ok()?;
    *text.first_mut()? = b',';
    Some(text)
}

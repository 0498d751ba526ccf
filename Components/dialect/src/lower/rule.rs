//! One rule: what each of its fields means.

use mentci_authority::{
    Bounds, Cooldown, Effect, Enforcement, Guard, Hook, HookName, OnFault, Origin, Permission, Rule, RuleId,
    RuleSeverity, ToolMatch,
};
use mentci_expr::{Comparison, Expr, Function, Node, check_condition};
use mentci_source::{Code, Finding, Span, did_you_mean};

use super::normal::normal;
use super::when::{self, KEYS, When};
use super::{action, foreign, phrase, redaction, unit_test};
use crate::Dialect;
use crate::fields::{Fields, File, whole};
use crate::gate::may_decide;
use crate::tree::{Entry, Tree, Value, shown};

/// What a set says for its rules where they do not say it themselves.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Defaults {
    pub(crate) mode: Option<Enforcement>,
    pub(crate) on_fault: Option<OnFault>,
    pub(crate) timezone: Option<String>,
}

pub(crate) const MODES: &[(&str, Enforcement)] =
    &[("enforce", Enforcement::Enforce), ("shadow", Enforcement::Shadow)];

pub(crate) const FAULTS: &[(&str, OnFault)] =
    &[("block", OnFault::Block), ("approve", OnFault::Approve), ("allow", OnFault::Allow)];

/// TOML's rules count down from here.
pub(crate) const TOML_PRIORITY: i64 = 100;

/// Reads a rule; `None` only where it has no id. Whatever is wrong is a finding.
pub(crate) fn rule(file: &mut File<'_>, tree: &Tree, defaults: &Defaults) -> Option<Rule> {
    let Some(mut fields) = Fields::of(file, "a rule", tree) else {
        file.gates.unread = true;
        return None;
    };
    let id = id(file, &mut fields);
    let hook = hook(file, &mut fields);
    let named = id.is_some();
    let mut rule = Rule::new(id.unwrap_or_else(unnamed), hook.hook, origin(file, tree.span));
    describe(file, &mut fields, &mut rule, defaults);
    effect(file, &mut fields, &mut rule);
    timing(file, &mut fields, &mut rule);
    let unread = effect_keys(file.dialect).iter().any(|key| told(tree, key));
    let says = unread || ["actions", "action", "taints", "taint"].iter().any(|key| told(tree, key));
    let when = condition(file, &mut fields, tree);
    rule.tools = when.tools.unwrap_or(ToolMatch::Any);
    when.guards.iter().for_each(|guard| guard.walk(&mut |guard| condition_type(file, guard)));
    rule.guard = normal(Guard::All(implied(&hook).into_iter().chain(when.guards).collect()));
    if let Some(entry) = fields.take_any(file, &["actions", "action"]) {
        rule.actions = action::actions(file, &entry.value);
    }
    if let Some(entry) = fields.take("tests") {
        rule.tests = unit_test::tests(file, &entry.value, rule.hook);
    }
    // A TOML rule without an `effect` advises, whatever it is going to do.
    let silent = !says && file.dialect != Dialect::Toml && !holds_a_script(&rule.guard);
    let doubtful = unread || silent || fields.left().any(may_decide);
    file.gates.of_rule(&rule, doubtful);
    let dialect = file.dialect;
    fields.close(file, |key| misplaced(dialect, key).or_else(|| foreign::in_a_rule(dialect, key)));
    sense(file, &rule, says, tree.span);
    named.then_some(rule)
}

/// The name of a rule that has none, while the rest of it is read.
fn unnamed() -> RuleId {
    RuleId::new("unnamed").expect("OK because it is neither empty nor long, and holds letters alone")
}

fn origin(file: &File<'_>, span: Span) -> Origin {
    let place = file.source.place(span.start as usize);
    Origin {
        dialect: file.dialect,
        path: file.source.path().clone(),
        line: place.line,
        column: place.column,
        span,
        pack: file.origin.pack.clone(),
        trust: file.origin.trust,
    }
}

fn id(file: &mut File<'_>, fields: &mut Fields<'_>) -> Option<RuleId> {
    let Some(entry) = fields.take("id") else {
        let span = fields.span;
        file.advise(
            Code::RULE_ID,
            Span::at(span.start as usize),
            "this rule has no `id`",
            "give it one that is unique in its set",
        );
        return None;
    };
    let Some(text) = entry.value.as_text() else {
        let message = format!("`id` must be text, not {}", entry.value.described());
        file.advise(Code::RULE_ID, entry.value.span, message, "put it in quotes");
        return None;
    };
    if file.dialect == Dialect::Toml && !is_plain(text) && RuleId::new(text).is_ok() {
        let message =
            format!("an id of a TOML rule is of letters, digits, `-`, `_` and `.`: `{}`", shown(text));
        file.advise(Code::RULE_ID, entry.value.span, message, "write it in kebab-case: `no-more-tokens`");
        return None;
    }
    match RuleId::new(text) {
        Ok(id) => Some(id),
        Err(problem) => {
            file.find(Code::RULE_ID, entry.value.span, format!("{problem}: `{}`", shown(text)));
            None
        }
    }
}

/// Whether an id can be typed as one word wherever rules are named.
pub(crate) fn is_plain(id: &str) -> bool {
    id.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c))
}

fn hook(file: &mut File<'_>, fields: &mut Fields<'_>) -> HookName {
    let fallback = HookName::from(Hook::PreToolCall);
    let Some(entry) = fields.take_any(file, &["on", "trigger", "event"]) else {
        if file.dialect == Dialect::Toml {
            let help = "say when it is asked: `trigger = \"on_tool_call\"`";
            file.advise(
                Code::RULE_VALUE,
                Span::at(fields.span.start as usize),
                "this rule has no `trigger`",
                help,
            );
        }
        return fallback;
    };
    let name = entry.value.as_text().and_then(HookName::parse);
    if name.is_none() {
        let known: Vec<String> = Hook::ALL
            .iter()
            .flat_map(|hook| [hook.name().to_owned(), format!("on_{}", hook.name())])
            .collect();
        let others = ["on_tool_call", "on_tool_complete", "on_tool_failure"];
        let word = entry.value.as_text().unwrap_or_default().to_ascii_lowercase();
        let near = did_you_mean(&word, known.iter().map(String::as_str).chain(others));
        let message = format!("`{}` cannot be {}: there is no such hook", entry.key, entry.value.described());
        let help = match near {
            _ if word.trim() == "event:" => {
                "`event:NAME` is an event that rules emit, `on_event` all of them".to_owned()
            }
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the hooks are {}", crate::fields::listed(&Hook::ALL.map(Hook::name))),
        };
        file.advise(Code::RULE_VALUE, entry.value.span, message, help);
    }
    name.unwrap_or(fallback)
}

/// `on_tool_complete` says also how the call ended, and `event:NAME` which event was emitted; `*` in it is any run of characters.
pub(crate) fn implied(hook: &HookName) -> Option<Guard> {
    if let Some(name) = &hook.emitted {
        let subject = Expr::name("event.type");
        if name.contains('*') {
            let pattern = name.replace('[', "[[]").replace('?', "[?]");
            return Some(Guard::Expr(Expr::call(Function::Glob, [subject, Expr::from(pattern.as_str())])));
        }
        return Some(Guard::Expr(Expr::compare(subject, Comparison::Equal, Expr::from(name.as_str()))));
    }
    let subject = Expr::name("event.tool.status");
    let names: Vec<Expr> = hook.statuses.iter().map(|status| Expr::from(status.name())).collect();
    match <[Expr; 1]>::try_from(names) {
        Ok([name]) => Some(Guard::Expr(Expr::compare(subject, Comparison::Equal, name))),
        Err(names) if names.is_empty() => None,
        Err(names) => {
            let names = Expr::new(Node::List(names), Span::default());
            Some(Guard::Expr(Expr::compare(subject, Comparison::In, names)))
        }
    }
}

fn describe(file: &mut File<'_>, fields: &mut Fields<'_>, rule: &mut Rule, defaults: &Defaults) {
    rule.name = fields.text(file, &["name"]);
    rule.description = fields.text(file, &["description"]);
    rule.version = fields.take("version").and_then(|entry| version(file, &entry.value));
    let severities = RuleSeverity::ALL.map(|severity| (severity.name(), severity));
    rule.severity = fields.word(file, &["severity"], &severities).unwrap_or_default();
    rule.enabled = fields.flag(file, &["enabled"]).unwrap_or(true);
    rule.core = fields.flag(file, &["core"]).unwrap_or(false);
    if rule.core && !rule.enabled {
        rule.enabled = true;
        let finding = Finding::new(Code::FIELD_IDLE, "a core rule is never switched off: it is in force");
        let finding = finding.help("leave `core` or `enabled: false` out");
        file.findings.push(finding.at(file.source, Span::at(fields.span.start as usize)));
    }
    rule.mode = fields.word(file, &["mode"], MODES).or(defaults.mode).unwrap_or_default();
    rule.on_fault = fields.word(file, &["on_fault"], FAULTS).or(defaults.on_fault);
    rule.timezone = fields.text(file, &["timezone"]).or_else(|| defaults.timezone.clone());
    rule.overrides = fields.texts(file, &["overrides"]).unwrap_or_default();
    rule.taints = fields.texts(file, &["taints", "taint"]).unwrap_or_default();
    if file.dialect == Dialect::Yaml {
        approving(file, fields);
    }
    rule.sees_synthetic = fields.flag(file, &["sees_synthetic"]).unwrap_or(false);
    if let Some(entry) = fields.take("parameters") {
        match (&entry.value.value, entry.value.to_json()) {
            (Value::Map(_), Ok(serde_json::Value::Object(map))) => {
                rule.parameters = map.into_iter().collect();
            }
            _ => file.wrong("parameters", "a map of values", &entry.value),
        }
    }
    if let Some(entry) = fields.take("bounds") {
        match &entry.value.value {
            Value::Map(each) => {
                rule.bounds =
                    each.iter().filter_map(|own| Some((own.key.clone(), bounds(file, own)?))).collect();
            }
            _ => file.wrong("bounds", "a map of parameters, each with `min`, `max` or both", &entry.value),
        }
        bounded(file, rule, entry);
    }
}

/// For how many calls an approval is good, as PolicyShield has it: here it is always one.
fn approving(file: &mut File<'_>, fields: &mut Fields<'_>) {
    let known = [("once", true), ("per_session", false), ("per_rule", false), ("per_tool", false)];
    let Some(entry) = fields.take("approval_strategy") else { return };
    if crate::fields::word(file, "approval_strategy", &entry.value, &known) == Some(false) {
        let message = "an approval is good for one call: `approval_strategy` is passed over";
        let finding = Finding::new(Code::FIELD_IDLE, message).help("each call is asked about by itself");
        file.findings.push(finding.at(file.source, entry.key_span));
    }
}

/// `{min, max}` of one parameter.
fn bounds(file: &mut File<'_>, own: &Entry) -> Option<Bounds> {
    let mut fields = Fields::of(file, "a pair of bounds", &own.value)?;
    let bounds = Bounds { min: bound(file, &mut fields, "min"), max: bound(file, &mut fields, "max") };
    fields.close(file, |_| None);
    Some(bounds)
}

/// A bound of a number that a person sets.
pub(crate) fn bound(file: &mut File<'_>, fields: &mut Fields<'_>, key: &'static str) -> Option<f64> {
    let entry = fields.take(key)?;
    #[expect(clippy::cast_precision_loss, reason = "a bound of a number that a person sets")]
    match entry.value.value {
        Value::Int(number) => Some(number as f64),
        Value::Float(number) => Some(number),
        _ => {
            file.wrong(key, "a number", &entry.value);
            None
        }
    }
}

/// Bounds are of parameters, and the rule's own values lie within them.
fn bounded(file: &mut File<'_>, rule: &Rule, entry: &Entry) {
    for (name, bounds) in &rule.bounds {
        let shown = name.escape_debug();
        let problem = match rule.parameters.get(name) {
            None => format!("`{shown}` has bounds, and is no parameter of the rule"),
            Some(own) if !own.is_number() => format!("`{shown}` has bounds, and is no number"),
            Some(own) if !bounds.hold(own) => format!("`{shown}` is {own}, and its bounds are {bounds}"),
            Some(_) => continue,
        };
        file.advise(
            Code::RULE_VALUE,
            entry.key_span,
            problem,
            "bounds say how far a person may set a parameter",
        );
    }
}

/// A version is text, or the number that it looks like.
pub(crate) fn version(file: &mut File<'_>, tree: &Tree) -> Option<String> {
    match &tree.value {
        Value::Text(text) => Some(text.clone()),
        Value::Int(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        _ => {
            file.wrong("version", "a version", tree);
            None
        }
    }
}

/// Under which keys a rule says what it decides.
fn effect_keys(dialect: Dialect) -> &'static [&'static str] {
    if dialect == Dialect::Yaml { &["then", "effect", "verdict"] } else { &["then", "effect"] }
}

fn effect(file: &mut File<'_>, fields: &mut Fields<'_>, rule: &mut Rule) {
    let effects = Effect::ALL.map(|effect| (effect.name(), effect));
    rule.effect = fields.word(file, effect_keys(file.dialect), &effects);
    rule.message = fields.text(file, &["message"]);
    rule.remind = fields.text(file, &["remind"]);
    if let Some(entry) = fields.take("redact") {
        rule.redaction = redaction::redaction(file, &entry.value);
        needs(file, rule, Effect::Redact, entry);
    }
    if let Some(entry) = fields.take("approve") {
        rule.approval_seconds = expiry(file, &entry.value);
        needs(file, rule, Effect::Approve, entry);
    }
}

fn needs(file: &mut File<'_>, rule: &Rule, effect: Effect, entry: &Entry) {
    if rule.effect != Some(effect) {
        let message = format!("`{}` is for rules whose effect is `{}`", entry.key, effect.name());
        let help = file.written("then", &format!("\"{}\"", effect.name()));
        let help = help.map(|help| format!("{help}, or leave it out"));
        file.say(Code::RULE_VALUE, entry.key_span, message, help);
    }
}

/// Seconds, or `{expires_seconds}`.
fn expiry(file: &mut File<'_>, tree: &Tree) -> Option<u64> {
    if !matches!(tree.value, Value::Map(_)) {
        return whole(file, "approve", tree, 1);
    }
    let mut fields = Fields::of(file, "`approve`", tree)?;
    let seconds = fields.whole(file, &["expires_seconds", "expiry"], 1);
    fields.close(file, |_| None);
    seconds
}

fn timing(file: &mut File<'_>, fields: &mut Fields<'_>, rule: &mut Rule) {
    let order = fields.int(file, &["order"]);
    let priority = fields.int(file, &["priority"]);
    rule.order = match (order, priority) {
        (Some(order), None) => order,
        (None, Some(priority)) if file.dialect == Dialect::Toml => TOML_PRIORITY.saturating_sub(priority),
        (None, Some(priority)) => priority,
        (None, None) => 0,
        (Some(order), Some(_)) => {
            let span = Span::at(fields.span.start as usize);
            file.advise(
                Code::RULE_KEY,
                span,
                "`order` and `priority` cannot stand together",
                "keep one of them",
            );
            order
        }
    };
    rule.once = fields.flag(file, &["once"]).unwrap_or(false);
    let turns = fields.count(file, &["cooldown_turns"], 0).unwrap_or(0);
    let ms = fields.whole(file, &["cooldown_ms"], 0).unwrap_or(0);
    rule.cooldown = Cooldown { turns, ms };
}

/// What stands under `when` or `condition`, and beside it. In order of the file.
fn condition<'t>(file: &mut File<'_>, fields: &mut Fields<'t>, tree: &'t Tree) -> When {
    let Value::Map(entries) = &tree.value else { return When::default() };
    let beside = beside(file.dialect, entries);
    let mut all = When::default();
    for entry in entries {
        let tools = all.tools.is_some();
        let read = match entry.key.as_str() {
            "when" | "condition" => {
                fields.take_any(file, &["when", "condition"]).map(|_| when::when(file, &entry.value))
            }
            key => {
                beside.iter().find(|known| **known == key).and_then(|known| fields.take(known)).map(|entry| {
                    let mut one = When::default();
                    when::clause(file, entry, &mut one);
                    one
                })
            }
        };
        let Some(read) = read else { continue };
        if tools && read.tools.is_some() {
            file.advise(Code::RULE_KEY, entry.key_span, "`tool` stands twice", "keep one of them");
        }
        all.tools = all.tools.or(read.tools);
        all.guards.extend(read.guards);
    }
    all
}

/// The conditions that a rule itself may have: TOML `tool` and `script`, EDN every one; YAML `chain` where none stands under
/// `when`, and `tool` where nothing does.
fn beside(dialect: Dialect, entries: &[Entry]) -> &'static [&'static str] {
    let under = entries.iter().find(|entry| matches!(entry.key.as_str(), "when" | "condition"));
    match (dialect, under.map(|entry| &entry.value.value)) {
        (Dialect::Toml, _) => &["tool", "script"],
        (Dialect::Edn, _) => KEYS,
        (Dialect::Chatmd, _) => &[],
        (Dialect::Yaml, None) => &["tool", "chain"],
        (Dialect::Yaml, Some(Value::Map(under))) if under.is_empty() => &["tool", "chain"],
        (Dialect::Yaml, Some(Value::Map(under))) if under.iter().any(|entry| entry.key == "chain") => &[],
        (Dialect::Yaml, Some(_)) => &["chain"],
    }
}

/// Each expression is true or false by itself: once conditions are joined, `not` and `and` take any value.
pub(crate) fn condition_type(file: &mut File<'_>, guard: &Guard) {
    let Guard::Expr(expr) = guard else { return };
    for problem in check_condition(expr) {
        file.findings.push(phrase::finding(file, &problem, problem.span));
    }
}

fn misplaced(dialect: Dialect, key: &str) -> Option<String> {
    let condition = if dialect == Dialect::Toml { "[condition]" } else { "when" };
    KEYS.contains(&key).then(|| format!("`{key}` belongs under `{condition}`"))
}

fn told(tree: &Tree, key: &str) -> bool {
    matches!(&tree.value, Value::Map(entries) if entries.iter().any(|entry| entry.key == key && !is_nothing(&entry.value)))
}

fn is_nothing(tree: &Tree) -> bool {
    matches!(&tree.value, Value::List(items) if items.is_empty()) || tree.value == Value::Null
}

/// What no rule can mean.
fn sense(file: &mut File<'_>, rule: &Rule, says: bool, span: Span) {
    let start = Span::at(span.start as usize);
    if !says && !holds_a_script(&rule.guard) {
        let help = match file.dialect {
            Dialect::Toml => "give it an `[action]`, or an `effect` such as `effect = \"block\"`",
            Dialect::Chatmd => "give it an action, or an effect such as `<deny reason=\"…\"/>`",
            _ => "give it `then` or `actions`",
        };
        file.advise(
            Code::RULE_SILENT,
            start,
            format!("the rule `{}` neither decides nor does anything", rule.id),
            help,
        );
    }
    if let Some(effect) = rule.effect
        && effect
            .permission()
            .is_some_and(|permission| permission != Permission::Allow || rule.hook != Hook::PreToolCall)
        && rule.hook != Hook::PreToolCall
    {
        let message =
            format!("`{}` is decided at `pre_tool_call`, not at `{}`", effect.name(), rule.hook.name());
        file.advise(Code::RULE_VALUE, start, message, "at other hooks a rule can warn, redact or act");
    }
}

/// A script may itself say what is to be done.
fn holds_a_script(guard: &Guard) -> bool {
    let mut found = false;
    guard.walk(&mut |guard| found |= matches!(guard, Guard::Script(_)));
    found
}

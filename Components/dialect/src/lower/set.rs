//! One file: what stands around its rules, and the rules.

use mentci_authority::{Effect, Honeypot, Hook, NamePattern, Rule, RuleSeverity, RuleTest, ToolMatch};
use mentci_source::{Code, Span, did_you_mean};

use super::rule::{self, Defaults, FAULTS, MODES};
use super::{foreign, name_test, unit_test};
use crate::Dialect;
use crate::fields::{Fields, File};
use crate::gate::may_decide;
use crate::syntax;
use crate::tree::{Entry, Tree, Value};

/// One file, before what it includes is joined to it.
#[derive(Debug, Default)]
pub(crate) struct Part {
    pub(crate) head: Head,
    pub(crate) rules: Vec<Rule>,
}

/// What a file says of its set.
#[derive(Debug, Default)]
pub(crate) struct Head {
    pub(crate) name: Option<String>,
    pub(crate) version: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) default_effect: Option<Effect>,
    pub(crate) honeypots: Vec<Honeypot>,
    pub(crate) max_fired: Option<u32>,
    pub(crate) max_calls: Option<u32>,
    pub(crate) visible_trace: Option<bool>,
    pub(crate) tests: Vec<RuleTest>,
    pub(crate) extends: Vec<(String, Span)>,
    pub(crate) include: Vec<(String, Span)>,
}

/// Reads one file of YAML, TOML or EDN.
pub(crate) fn part(file: &mut File<'_>) -> Part {
    if file.source.text().trim().is_empty() {
        let none = match file.dialect {
            Dialect::Toml => "rule = []",
            Dialect::Edn => "[]",
            Dialect::Yaml | Dialect::Chatmd => "rules: []",
        };
        let help = format!("a file without rules says so: `{none}`");
        file.advise(Code::RULE_SYNTAX, Span::default(), "the file is empty", help);
        file.gates.unread = true;
        return Part::default();
    }
    match file.dialect {
        Dialect::Toml => match syntax::toml::read(file.source) {
            Ok(tree) => toml(file, &tree),
            Err(findings) => torn(file, findings),
        },
        Dialect::Edn => match syntax::edn::read(file.source) {
            Ok(forms) => edn(file, &forms),
            Err(findings) => torn(file, findings),
        },
        Dialect::Yaml | Dialect::Chatmd => match syntax::yaml::read(file.source) {
            Ok(tree) => yaml(file, &tree),
            Err(finding) => torn(file, vec![finding]),
        },
    }
}

fn torn(file: &mut File<'_>, findings: Vec<mentci_source::Finding>) -> Part {
    file.findings.extend(findings);
    file.gates.unread = true;
    Part::default()
}

fn yaml(file: &mut File<'_>, tree: &Tree) -> Part {
    match &tree.value {
        Value::List(items) => Part { head: Head::default(), rules: rules(file, items, &Defaults::default()) },
        Value::Map(entries) => whole(file, entries, tree.span),
        // Comments alone: whoever wrote them has no rules here.
        Value::Null => Part::default(),
        _ => {
            let message = format!(
                "a file of rules is a map with `rules`, or a list of rules, not {}",
                tree.described()
            );
            let help = file.example("rules", "a list of rules");
            file.say(Code::RULE_SYNTAX, tree.span, message, help);
            file.gates.unread = true;
            Part::default()
        }
    }
}

/// A map with `rules` in it.
fn whole(file: &mut File<'_>, entries: &[Entry], span: Span) -> Part {
    let mut fields = Fields::of_entries("a file of rules", entries, span);
    let (head, defaults) = head(file, &mut fields);
    let found = fields.take("rules");
    left_unread(file, &fields);
    fields.close(file, |key| {
        let own = (key == "id").then(|| "a rule stands in the list under `rules`".to_owned());
        own.or_else(|| foreign::around_rules(key))
    });
    let rules = match found.map(|entry| (&entry.value, &entry.value.value)) {
        Some((_, Value::List(items))) => rules(file, items, &defaults),
        Some((tree, _)) => {
            file.wrong("rules", "a list of rules", tree);
            file.gates.unread = true;
            Vec::new()
        }
        None if head.extends.is_empty() && head.include.is_empty() && head.honeypots.is_empty() => {
            let help = file.example("rules", "a list of rules");
            file.say(Code::RULE_VALUE, Span::at(span.start as usize), "there is no `rules` here", help);
            file.gates.unread = true;
            Vec::new()
        }
        None => Vec::new(),
    };
    Part { head, rules }
}

/// A list or a map under a key that nobody knows may be rules; a word that closes may be what holds by default.
fn left_unread(file: &mut File<'_>, fields: &Fields<'_>) {
    let holds = |entry: &Entry| matches!(entry.value.value, Value::List(_) | Value::Map(_) | Value::Form(_));
    file.gates.unread |= fields.left().any(|entry| holds(entry) || may_decide(entry));
}

fn rules(file: &mut File<'_>, items: &[Tree], defaults: &Defaults) -> Vec<Rule> {
    items.iter().filter_map(|item| rule::rule(file, item, defaults)).collect()
}

fn head(file: &mut File<'_>, fields: &mut Fields<'_>) -> (Head, Defaults) {
    let head = Head {
        name: fields.text(file, &["shield_name", "name"]),
        version: fields.take("version").and_then(|entry| rule::version(file, &entry.value)),
        description: fields.text(file, &["description"]),
        default_effect: default_effect(file, fields),
        honeypots: fields.take("honeypots").map(|entry| honeypots(file, &entry.value)).unwrap_or_default(),
        max_fired: fields.count(file, &["max_actions_per_event", "max_fired"], 1),
        max_calls: fields.count(file, &["allow_auto_calls", "max_calls"], 0),
        visible_trace: fields.word(file, &["trace"], &[("visible", true), ("hidden", false)]),
        tests: fields
            .take("tests")
            .map(|entry| unit_test::tests(file, &entry.value, Hook::PreToolCall))
            .unwrap_or_default(),
        extends: paths(file, fields, "extends"),
        include: paths(file, fields, "include"),
    };
    let defaults = Defaults {
        mode: fields.word(file, &["mode"], MODES),
        on_fault: fields.word(file, &["on_fault"], FAULTS),
        timezone: fields.text(file, &["timezone"]),
    };
    (head, defaults)
}

pub(crate) fn default_effect(file: &mut File<'_>, fields: &mut Fields<'_>) -> Option<Effect> {
    let permissions = [Effect::Allow, Effect::Approve, Effect::Block].map(|effect| (effect.name(), effect));
    let said = fields.has("default_verdict") || fields.has("default");
    let default = fields.word(file, &["default_verdict", "default"], &permissions);
    if said && default != Some(Effect::Allow) {
        file.gates.add(Hook::PreToolCall, ToolMatch::Any);
    }
    default
}

fn paths(file: &mut File<'_>, fields: &mut Fields<'_>, key: &'static str) -> Vec<(String, Span)> {
    let Some(entry) = fields.take(key) else { return Vec::new() };
    let items = match &entry.value.value {
        Value::List(items) => items.as_slice(),
        _ => std::slice::from_ref(&entry.value),
    };
    items.iter().filter_map(|item| Some((crate::fields::text(file, key, item)?, item.span))).collect()
}

/// Names, or `{name, alert, severity}`.
fn honeypots(file: &mut File<'_>, tree: &Tree) -> Vec<Honeypot> {
    if let Value::List(items) = &tree.value {
        items.iter().flat_map(|item| honeypot(file, item)).collect()
    } else {
        file.wrong("honeypots", "a list of tools", tree);
        file.gates.unread = true;
        Vec::new()
    }
}

fn honeypot(file: &mut File<'_>, tree: &Tree) -> Vec<Honeypot> {
    let at = place(file, tree.span);
    let make = |tool: NamePattern, message: Option<String>, severity| {
        let at = at.clone();
        Honeypot { tool, message, severity, at }
    };
    let mut fields = if let Value::Map(entries) = &tree.value {
        Fields::of_entries("a honeypot", entries, tree.span)
    } else {
        let tools = baits(file, "honeypots", tree);
        return tools.into_iter().map(|tool| make(tool, None, RuleSeverity::default())).collect();
    };
    let severities = RuleSeverity::ALL.map(|severity| (severity.name(), severity));
    let tool = fields.take_any(file, &["name", "tool"]);
    let message = fields.text(file, &["alert", "message"]);
    let severity = fields.word(file, &["severity"], &severities).unwrap_or_default();
    fields.close(file, |_| None);
    let Some(tool) = tool else {
        let help = file.written("name", "\"read_secrets\"");
        file.say(Code::RULE_VALUE, tree.span, "a honeypot needs the `name` of its tool", help);
        file.gates.unread = true;
        return Vec::new();
    };
    let tools = baits(file, &tool.key, &tool.value);
    tools.into_iter().map(|tool| make(tool, message.clone(), severity)).collect()
}

/// `path:line:column`
pub(crate) fn place(file: &File<'_>, span: Span) -> String {
    let place = file.source.place(span.start as usize);
    format!("{}:{}:{}", file.source.path(), place.line, place.column)
}

/// The tools that no one should call: each is a gate.
pub(crate) fn baits(file: &mut File<'_>, key: &str, tree: &Tree) -> Vec<NamePattern> {
    let tools = name_test::patterns(file, key, tree);
    file.gates.add(Hook::PreToolCall, tools.clone().map(ToolMatch::one_of).unwrap_or_default());
    tools.unwrap_or_default()
}

/// `[rule]` with `[condition]`, `[action]` and `[script]` beside it, or `[[rule]]` with them inside; `[set]` around.
fn toml(file: &mut File<'_>, tree: &Tree) -> Part {
    if matches!(&tree.value, Value::Map(entries) if entries.is_empty()) {
        // Comments alone, as in YAML.
        return Part::default();
    }
    let Some(mut fields) = Fields::of(file, "a file of rules", tree) else { return torn(file, Vec::new()) };
    let around = fields.has("set");
    let (mut head, defaults) = match fields.take("set") {
        Some(entry) => match Fields::of(file, "`[set]`", &entry.value) {
            Some(mut set) => {
                let read = self::head(file, &mut set);
                set.close(file, |_| None);
                read
            }
            None => Default::default(),
        },
        None => Default::default(),
    };
    if let Some(entry) = fields.take("tests") {
        head.tests.extend(unit_test::tests(file, &entry.value, Hook::PreToolCall));
    }
    let parts: Vec<&Entry> =
        ["condition", "action", "actions", "script"].into_iter().filter_map(|key| fields.take(key)).collect();
    let found = fields.take("rule");
    left_unread(file, &fields);
    fields.close(file, |key| {
        let near = did_you_mean(key, ["rule", "condition", "action", "script", "set", "tests"]);
        near.is_none()
            .then(|| "rules stand in `[rule]` or `[[rule]]`, what is around them in `[set]`".to_owned())
    });
    let rules = match found.map(|entry| (&entry.value, &entry.value.value)) {
        Some((tree, Value::Map(entries))) => {
            let all: Vec<Entry> = entries.iter().chain(parts.iter().copied()).cloned().collect();
            doubled(file, &all);
            let span = all.iter().fold(tree.span, |span, entry| span.join(entry.value.span));
            rules(file, &[Tree::new(Value::Map(all), span)], &defaults)
        }
        Some((_, Value::List(items))) => {
            for part in &parts {
                let help = format!("write `[rule.{}]` under its `[[rule]]`", part.key);
                let message = format!("`{}` does not say to which rule it belongs", part.key);
                file.advise(Code::RULE_KEY, part.key_span, message, help);
            }
            rules(file, items, &defaults)
        }
        Some((tree, _)) => {
            file.wrong("rule", "a table", tree);
            file.gates.unread = true;
            Vec::new()
        }
        None if !around && parts.is_empty() => {
            let help = "a rule starts with `[rule]`, and its `id` and `trigger` under it";
            file.advise(Code::RULE_VALUE, Span::default(), "there is no `[rule]` here", help);
            file.gates.unread = true;
            Vec::new()
        }
        None if parts.is_empty() => Vec::new(),
        None => {
            let message = format!("`{}` stands without its `[rule]`", parts[0].key);
            let help = "put `[rule]` before it, with `id` and `trigger` under that";
            file.advise(Code::RULE_VALUE, parts[0].key_span, message, help);
            file.gates.unread = true;
            Vec::new()
        }
    };
    Part { head, rules }
}

/// `[condition]` and `[rule.condition]` are the same.
fn doubled(file: &mut File<'_>, entries: &[Entry]) {
    for (at, entry) in entries.iter().enumerate() {
        if entries[..at].iter().any(|earlier| earlier.key == entry.key) {
            let message = format!("`[{0}]` and `[rule.{0}]` are the same", entry.key);
            file.advise(Code::RULE_KEY, entry.key_span, message, "keep one of them");
        }
    }
}

/// Rule maps, vectors of them, and maps of what is around them, in any order.
fn edn(file: &mut File<'_>, forms: &[Tree]) -> Part {
    let flat: Vec<&Tree> = forms
        .iter()
        .flat_map(|form| match &form.value {
            Value::List(items) => items.iter().collect(),
            _ => vec![form],
        })
        .collect();
    let (around, own): (Vec<&Tree>, Vec<&Tree>) = flat.into_iter().partition(|form| is_around(form));
    if around.len() > 1 {
        file.advise(
            Code::RULE_KEY,
            around[1].span,
            "what is around the rules is said twice",
            "put it all into one map",
        );
        file.gates.unread = true;
    }
    let mut part = Part::default();
    let mut defaults = Defaults::default();
    if let Some(Tree { value: Value::Map(entries), span }) = around.first() {
        let entries: Vec<Entry> = entries.iter().cloned().map(bare_key).collect();
        let mut fields = Fields::of_entries("a file of rules", &entries, *span);
        (part.head, defaults) = head(file, &mut fields);
        let inner = fields.take("rules");
        left_unread(file, &fields);
        fields.close(file, |_| None);
        match inner.map(|entry| (&entry.value, &entry.value.value)) {
            Some((_, Value::List(items))) => part.rules.extend(rules(file, items, &defaults)),
            Some((tree, _)) => {
                file.wrong("rules", "a vector of rules", tree);
                file.gates.unread = true;
            }
            None => {}
        }
    }
    part.rules.extend(own.into_iter().filter_map(|form| rule::rule(file, form, &defaults)));
    part
}

fn is_around(form: &Tree) -> bool {
    matches!(&form.value, Value::Map(entries)
        if entries.iter().any(|entry| entry.key == "rules" || entry.key.starts_with("rules/")))
}

fn bare_key(mut entry: Entry) -> Entry {
    if let Some(bare) = entry.key.strip_prefix("rules/") {
        entry.key = bare.to_owned();
    }
    entry
}

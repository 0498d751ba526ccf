//! `when`: under which condition a rule applies.

use mentci_authority::{Admission, Guard, Quota, ScriptId, ToolMatch};
use mentci_expr::{Expr, Function, Node};
use mentci_source::{Code, Span, did_you_mean};

use super::value_test::{Bare, Subject, tests};
use super::{chain, name_test, phrase};
use crate::fields::{Fields, File, count, listed, text, texts};
use crate::tree::{Entry, Tree, Value, shown};

/// Every key of a condition, with what it is.
pub(crate) const KEYS: &[&str] = &[
    "tool",
    "args",
    "args_match",
    "session",
    "sender",
    "context",
    "chain",
    "if",
    "expr",
    "expression",
    "any",
    "all",
    "not",
    "script",
    "missing_tools",
    "over_quota",
    "cooling_down",
];

/// A condition: which tools, and the guard.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct When {
    pub(crate) tools: Option<ToolMatch>,
    pub(crate) guards: Vec<Guard>,
}

/// Reads what stands under `when`: a map, or an expression.
pub(crate) fn when(file: &mut File<'_>, tree: &Tree) -> When {
    match &tree.value {
        Value::Map(entries) => entries.iter().fold(When::default(), |mut when, entry| {
            clause(file, entry, &mut when);
            when
        }),
        Value::Text(_) | Value::Form(_) | Value::Bool(_) => When {
            tools: None,
            guards: phrase::phrase(file, "when", tree).map(Guard::Expr).into_iter().collect(),
        },
        _ => {
            let message =
                format!("`when` must be a map of conditions or an expression, not {}", tree.described());
            file.advise(
                Code::RULE_VALUE,
                tree.span,
                message,
                "leave `when` out for a rule that always applies",
            );
            When::default()
        }
    }
}

/// Reads one key of a rule's condition into `when`; its `tool` says which tools the rule is about.
pub(crate) fn clause(file: &mut File<'_>, entry: &Entry, when: &mut When) {
    if entry.key == "tool" {
        when.tools = name_test::patterns(file, "tool", &entry.value).map(ToolMatch::one_of);
    } else {
        when.guards.extend(guards(file, entry));
    }
}

/// A condition within another one, where `tool` is a condition like the others.
fn nested(file: &mut File<'_>, tree: &Tree) -> Guard {
    let Value::Map(entries) = &tree.value else { return Guard::All(when(file, tree).guards) };
    let mut all = Vec::new();
    for entry in entries {
        if entry.key == "tool" {
            let subject = Expr::name("event.tool.name");
            let patterns = name_test::patterns(file, "tool", &entry.value);
            all.extend(
                patterns.map(|patterns| Guard::Expr(name_test::fits(&subject, &patterns, entry.value.span))),
            );
        } else {
            all.extend(guards(file, entry));
        }
    }
    if entries.is_empty() {
        file.advise(
            Code::RULE_VALUE,
            tree.span,
            "this condition is empty",
            "take it out, or say what it asks",
        );
    }
    Guard::All(all)
}

fn guards(file: &mut File<'_>, entry: &Entry) -> Vec<Guard> {
    let (key, tree) = (entry.key.as_str(), &entry.value);
    let exprs = |exprs: Vec<Expr>| exprs.into_iter().map(Guard::Expr).collect();
    match key {
        "args" | "args_match" => exprs(keyed(file, key, tree, arguments)),
        "session" => exprs(keyed(file, key, tree, |file, entry| facts(file, Function::Session, entry))),
        "context" => exprs(keyed(file, key, tree, context)),
        "sender" => exprs(name_test::sender(file, tree).into_iter().collect()),
        "if" | "expr" | "expression" => exprs(phrase::phrase(file, key, tree).into_iter().collect()),
        "chain" => chain::chain(file, tree).map(Guard::Chain).into_iter().collect(),
        "any" => several(file, key, tree).map(Guard::Any).into_iter().collect(),
        "all" => several(file, key, tree).map(Guard::All).into_iter().collect(),
        "not" => vec![Guard::Not(Box::new(nested(file, tree)))],
        "script" => script(file, tree).map(Guard::Script).into_iter().collect(),
        "missing_tools" => {
            let tools = texts(file, key, tree);
            tools.map(|tools| Guard::Admission(Admission::Requires(tools))).into_iter().collect()
        }
        "over_quota" => {
            quota(file, tree).map(|quota| Guard::Admission(Admission::Quota(quota))).into_iter().collect()
        }
        "cooling_down" => {
            let turns = count(file, key, tree, 1);
            turns.map(|turns| Guard::Admission(Admission::Cooldown { turns })).into_iter().collect()
        }
        _ => {
            unknown(file, entry);
            Vec::new()
        }
    }
}

fn unknown(file: &mut File<'_>, entry: &Entry) {
    let help = match did_you_mean(&entry.key, KEYS.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("a condition has {}", listed(KEYS)),
    };
    let message = format!("a condition has no key `{}`", shown(&entry.key));
    file.advise(Code::RULE_KEY, entry.key_span, message, help);
}

fn several(file: &mut File<'_>, key: &str, tree: &Tree) -> Option<Vec<Guard>> {
    match &tree.value {
        Value::List(items) if !items.is_empty() => {
            Some(items.iter().map(|item| nested(file, item)).collect())
        }
        _ => {
            file.wrong(key, "a list of conditions", tree);
            None
        }
    }
}

/// The entries of a map of conditions, each read by `read`.
fn keyed(
    file: &mut File<'_>,
    key: &str,
    tree: &Tree,
    read: impl Fn(&mut File<'_>, &Entry) -> Option<Vec<Expr>>,
) -> Vec<Expr> {
    match &tree.value {
        Value::Map(entries) if !entries.is_empty() => {
            entries.iter().filter_map(|entry| read(file, entry)).flatten().collect()
        }
        _ => {
            file.wrong(key, "a map with something in it", tree);
            Vec::new()
        }
    }
}

/// An argument by its dotted path, or by JSONPath where the key starts with `$`.
fn arguments(file: &mut File<'_>, entry: &Entry) -> Option<Vec<Expr>> {
    let path = Expr::new(Node::Text(entry.key.clone()), entry.key_span);
    let is_json_path = entry.key.starts_with('$');
    let function = if is_json_path { Function::JsonPath } else { Function::Arg };
    let subject = Subject {
        expr: Expr::call(function, [path]).at(entry.key_span),
        each: is_json_path && reaches_several(&entry.key),
        bare: Bare::Pattern,
    };
    tests(file, &entry.key, &subject, &entry.value)
}

/// Whether a JSONPath can reach several values, and so gives a list.
pub(crate) fn reaches_several(path: &str) -> bool {
    let mut quote = None;
    let mut before = ' ';
    for c in path.chars() {
        match quote {
            Some(open) if c == open && before != '\\' => quote = None,
            None if c == '\'' || c == '"' => quote = Some(c),
            None if "*?,:".contains(c) || (c == '.' && before == '.') => return true,
            Some(_) | None => {}
        }
        before = c;
    }
    false
}

fn facts(file: &mut File<'_>, function: Function, entry: &Entry) -> Option<Vec<Expr>> {
    let key = Expr::new(Node::Text(entry.key.clone()), entry.key_span);
    let subject =
        Subject { expr: Expr::call(function, [key]).at(entry.key_span), each: false, bare: Bare::Word };
    tests(file, &entry.key, &subject, &entry.value)
}

fn context(file: &mut File<'_>, entry: &Entry) -> Option<Vec<Expr>> {
    match entry.key.as_str() {
        "time_of_day" => schedule(file, Function::TimeOfDay, entry),
        "day_of_week" => schedule(file, Function::DayOfWeek, entry),
        _ => facts(file, Function::Fact, entry),
    }
}

/// Times and days: in one of the plain ones, in none of those that `!` negates.
fn schedule(file: &mut File<'_>, function: Function, entry: &Entry) -> Option<Vec<Expr>> {
    let specs = texts(file, &entry.key, &entry.value)?;
    let span = entry.value.span;
    if specs.is_empty() {
        let message = format!("the list of `{}` is empty: it fits nothing", entry.key);
        file.advise(Code::RULE_VALUE, span, message, "name what it fits, or leave the condition out");
        return None;
    }
    let (mut within, mut without) = (Vec::new(), Vec::new());
    for spec in specs {
        let (negated, spec) =
            spec.trim().strip_prefix('!').map_or((false, spec.trim()), |rest| (true, rest.trim()));
        let test = Expr::call(function, [Expr::new(Node::Text(spec.to_owned()), span)]).at(span);
        if negated { without.push(Expr::negate(test).at(span)) } else { within.push(test) }
    }
    let within = (!within.is_empty()).then(|| Expr::or(within).at(span));
    Some(within.into_iter().chain(without).collect())
}

/// `file.luau`, or `{file, timeout, memory}`: seconds, and bytes or `16 MB`.
pub(crate) fn script(file: &mut File<'_>, tree: &Tree) -> Option<ScriptId> {
    if let Value::Text(path) = &tree.value {
        return named(file, path, tree.span).map(ScriptId::new);
    }
    let mut fields = Fields::of(file, "a script", tree)?;
    let path = fields.take("file");
    let timeout = fields.take("timeout").map(|entry| milliseconds(file, &entry.key, &entry.value));
    let memory = fields.take("memory").map(|entry| bytes(file, &entry.value));
    let span = fields.span;
    fields.close(file, |_| None);
    let Some(path) = path else {
        let help = file.written("file", "\"gate.js\"");
        file.say(Code::RULE_VALUE, span, "a script needs its `file`", help);
        return None;
    };
    let path = text(file, "file", &path.value).and_then(|text| named(file, &text, path.value.span));
    Some(ScriptId { timeout_ms: timeout.flatten(), memory_bytes: memory.flatten(), ..ScriptId::new(path?) })
}

fn named(file: &mut File<'_>, path: &str, span: Span) -> Option<String> {
    if path.trim().is_empty() || path.chars().any(char::is_control) {
        let help = file.written("file", "\"gate.js\"");
        file.say(Code::RULE_VALUE, span, "a script's `file` is no path", help);
        return None;
    }
    Some(path.to_owned())
}

/// Seconds, whole or with a fraction, as milliseconds.
pub(crate) fn milliseconds(file: &mut File<'_>, key: &str, tree: &Tree) -> Option<u64> {
    const MOST: u64 = 10 * 366 * 24 * 3_600 * 1_000;
    let ms = match tree.value {
        Value::Int(seconds) => u64::try_from(seconds).ok().and_then(|seconds| seconds.checked_mul(1_000)),
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a fraction of a millisecond is dropped; the cast saturates and the bounds are checked"
        )]
        Value::Float(seconds) if seconds > 0.0 => Some((seconds * 1_000.0).round() as u64),
        _ => None,
    };
    let ms = ms.filter(|ms| (1..=MOST).contains(ms));
    if ms.is_none() {
        file.wrong(key, "seconds above 0, at most ten years", tree);
    }
    ms
}

fn bytes(file: &mut File<'_>, tree: &Tree) -> Option<u64> {
    let bytes = match &tree.value {
        Value::Int(bytes) => u64::try_from(*bytes).ok(),
        Value::Text(text) => {
            let text = text.trim().to_ascii_lowercase();
            let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
            let unit = match text[digits.len()..].trim() {
                "" | "b" => Some(1),
                "kb" | "k" | "kib" => Some(1 << 10),
                "mb" | "m" | "mib" => Some(1 << 20),
                "gb" | "g" | "gib" => Some(1_u64 << 30),
                _ => None,
            };
            digits.parse::<u64>().ok().zip(unit).and_then(|(number, unit)| number.checked_mul(unit))
        }
        _ => None,
    };
    // `memory = 64` is meant otherwise.
    let fitting = bytes.filter(|bytes| (ScriptId::LEAST_MEMORY..=ScriptId::MOST_MEMORY).contains(bytes));
    if fitting.is_none() {
        file.wrong("memory", "bytes, 65536 or more, or a size such as `16 MB`, `256 MB` at most", tree);
    }
    fitting
}

fn quota(file: &mut File<'_>, tree: &Tree) -> Option<Quota> {
    let mut fields = Fields::of(file, "a quota", tree)?;
    let quota = Quota {
        per_turn: fields.count(file, &["per_turn"], 0),
        per_exchange: fields.count(file, &["per_exchange"], 0),
        per_session: fields.count(file, &["per_session"], 0),
    };
    fields.close(file, |_| None);
    if quota == Quota::default() {
        let help = file.written("per_session", "10");
        file.say(
            Code::RULE_VALUE,
            tree.span,
            "a quota needs `per_turn`, `per_exchange` or `per_session`",
            help,
        );
        return None;
    }
    Some(quota)
}

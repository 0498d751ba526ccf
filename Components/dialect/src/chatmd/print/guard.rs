//! Conditions.

use mentci_authority::{Admission, Chain, ChainStep, Guard, ScriptId, ToolMatch};
use mentci_expr::Expr;

use super::Printer;
use super::tag::{self, Tag};

/// How deep conditions may stand in each other; ChatMD's elements end at 32.
const MAX_DEPTH: usize = 24;

/// What `if` says of a guard in normal form, and what elements say after it.
pub(super) fn split(guard: &Guard) -> (Option<&Expr>, &[Guard]) {
    match guard {
        Guard::Always => (None, &[]),
        Guard::Expr(expr) => (Some(expr), &[]),
        Guard::All(inner) => match inner.split_first() {
            Some((Guard::Expr(expr), rest)) => (Some(expr), rest),
            _ => (None, inner),
        },
        other => (None, std::slice::from_ref(other)),
    }
}

pub(super) fn write(printer: &mut Printer, guard: &Guard, indent: usize, depth: usize) {
    if depth > MAX_DEPTH {
        return printer.cannot("conditions so deep in each other");
    }
    match guard {
        // Normal guards hold `Always` nowhere but at the top.
        Guard::Always => printer.cannot("a condition that always holds"),
        Guard::Expr(expr) => {
            let mut tag = Tag::new("when");
            tag.say("if", &expr.to_string());
            tag.close(indent, &mut printer.out);
        }
        Guard::All(inner) => several(printer, "all", inner, indent, depth),
        Guard::Any(inner) => several(printer, "any", inner, indent, depth),
        Guard::Not(inner) => match inner.as_ref() {
            Guard::All(inner) => several(printer, "not", inner, indent, depth),
            one => several(printer, "not", std::slice::from_ref(one), indent, depth),
        },
        Guard::Chain(chain) => self::chain(printer, chain, indent),
        Guard::Admission(admission) => self::admission(printer, admission, indent),
        Guard::Script(script) => self::script(printer, script, indent),
    }
}

fn several(printer: &mut Printer, name: &'static str, inner: &[Guard], indent: usize, depth: usize) {
    if inner.is_empty() {
        return printer.cannot("an empty condition");
    }
    Tag::new(name).open(indent, &mut printer.out);
    for guard in inner {
        write(printer, guard, indent + 2, depth + 1);
    }
    tag::end(name, indent, &mut printer.out);
}

fn chain(printer: &mut Printer, chain: &Chain, indent: usize) {
    if chain.steps.is_empty() {
        return printer.cannot("a chain without steps");
    }
    let mut tag = Tag::new("chain");
    tag.say_true("ordered", chain.ordered);
    tag.open(indent, &mut printer.out);
    for step in &chain.steps {
        self::step(printer, step, indent + 2);
    }
    tag::end("chain", indent, &mut printer.out);
}

fn step(printer: &mut Printer, step: &ChainStep, indent: usize) {
    let mut tag = Tag::new("step");
    match &step.tools {
        ToolMatch::Any => tag.say("tool", "*"),
        ToolMatch::OneOf(patterns) if patterns.is_empty() => printer.cannot("no tool at all"),
        ToolMatch::OneOf(patterns) => tag.say("tool", &tag::patterns(patterns)),
    }
    tag.say("within_seconds", &seconds(step.within_ms));
    match step.min_count {
        0 => printer.cannot("min_count"),
        1 => {}
        count => tag.say("min_count", &count.to_string()),
    }
    if !step.verdicts.is_empty() {
        let names: Vec<String> = step.verdicts.iter().map(|effect| effect.name().to_owned()).collect();
        tag.say_list("verdict", &names);
    }
    tag.close(indent, &mut printer.out);
}

fn seconds(ms: u64) -> String {
    let (whole, rest) = (ms / 1_000, ms % 1_000);
    if rest == 0 { whole.to_string() } else { format!("{whole}.{rest:03}").trim_end_matches('0').to_owned() }
}

fn admission(printer: &mut Printer, admission: &Admission, indent: usize) {
    let tag = admission_tag(printer, admission);
    tag.close(indent, &mut printer.out);
}

/// The tag of a constraint, in `<on>` and in `<policy>`.
pub(super) fn admission_tag(printer: &mut Printer, admission: &Admission) -> Tag {
    match admission {
        Admission::Requires(tools) => {
            let mut tag = Tag::new("requires");
            tag.say_list("tools", tools);
            if tools.is_empty() {
                printer.cannot("requires of nothing");
            }
            tag
        }
        Admission::Quota(quota) => {
            let mut tag = Tag::new("quota");
            let bounds = [
                ("per_turn", quota.per_turn),
                ("per_exchange", quota.per_exchange),
                ("per_session", quota.per_session),
            ];
            for (name, count) in bounds {
                tag.say_some(name, count.map(|count| count.to_string()).as_deref());
            }
            if tag.is_bare() {
                printer.cannot("a quota without bounds");
            }
            tag
        }
        Admission::Cooldown { turns } => {
            let mut tag = Tag::new("cooldown");
            tag.say("turns", &turns.to_string());
            if *turns == 0 {
                printer.cannot("a cooldown of no turns");
            }
            tag
        }
    }
}

fn script(printer: &mut Printer, script: &ScriptId, indent: usize) {
    let mut tag = Tag::new("script");
    tag.say("file", &script.file);
    tag.say_some("timeout_ms", script.timeout_ms.map(|ms| ms.to_string()).as_deref());
    tag.say_some("memory_bytes", script.memory_bytes.map(|bytes| bytes.to_string()).as_deref());
    tag.close(indent, &mut printer.out);
}

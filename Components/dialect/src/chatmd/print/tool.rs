//! `<policy>`: rules that are what a tool's constraints would be.

use mentci_authority::{Admission, Effect, Guard, Hook, Rule, RuleSeverity, ToolMatch};
use mentci_expr::{Expr, Node, UnaryOp};

use super::tag::{self, Tag};
use super::{Printer, guard};
use crate::chatmd::names::{self, Names};

/// A rule that a `<policy>` says.
pub(super) struct Constraint<'r> {
    rule: &'r Rule,
    tool: String,
    kind: Kind<'r>,
    /// The message that it has where it says none.
    reason: String,
}

enum Kind<'r> {
    Admission(&'r Admission),
    Check(&'r Expr),
}

/// The rules at the beginning that are constraints under their own names.
pub(super) fn constraints(rules: &[Rule]) -> Vec<Constraint<'_>> {
    let mut names = Names::default();
    rules.iter().map_while(|rule| constraint(rule, &mut names)).collect()
}

fn constraint<'r>(rule: &'r Rule, names: &mut Names) -> Option<Constraint<'r>> {
    let ToolMatch::OneOf(patterns) = &rule.tools else { return None };
    let tool = match patterns.as_slice() {
        [pattern] => tag::patterns(std::slice::from_ref(pattern)),
        _ => return None,
    };
    let (kind, id, reason) = match &rule.guard {
        Guard::Admission(admission) => {
            (Kind::Admission(admission), names.admission(&tool, admission), names::reason(&tool, admission))
        }
        Guard::Expr(expr) => {
            let Node::Unary(UnaryOp::Not, inner) = expr.node() else { return None };
            (Kind::Check(inner), names.check(&tool), names::check_reason(&tool, &inner.to_string()))
        }
        _ => return None,
    };
    let is_plain = rule.id.as_str() == id && !tool.starts_with(['[', '{']) && says_no_more(rule);
    is_plain.then_some(Constraint { rule, tool, kind, reason })
}

/// Whether a rule says nothing that `<policy>` has no words for.
fn says_no_more(rule: &Rule) -> bool {
    let plain = Rule {
        tools: rule.tools.clone(),
        guard: rule.guard.clone(),
        effect: rule.effect,
        message: rule.message.clone(),
        severity: rule.severity,
        ..Rule::new(rule.id.clone(), Hook::PreToolCall, rule.origin.clone())
    };
    *rule == plain && rule.message.is_some() && matches!(rule.effect, Some(Effect::Block | Effect::Warn))
}

/// Writes them, those of one tool that stand side by side under one `<tool>`.
pub(super) fn write(printer: &mut Printer, constraints: &[Constraint<'_>]) {
    for group in constraints.chunk_by(|a, b| a.tool == b.tool) {
        let mut tag = Tag::new("tool");
        tag.say("name", &group[0].tool);
        tag.open(2, &mut printer.out);
        for run in group.chunk_by(|a, b| a.is_check() && b.is_check() && a.rule.effect == b.rule.effect) {
            match run {
                [one] if !one.is_check() => one.write(printer),
                checks => validate(printer, checks),
            }
        }
        printer.out.push_str("  </tool>\n");
    }
}

fn validate(printer: &mut Printer, checks: &[Constraint<'_>]) {
    let mut tag = Tag::new("validate");
    tag.say("level", if checks[0].rule.effect == Some(Effect::Warn) { "warn" } else { "error" });
    tag.open(4, &mut printer.out);
    for check in checks {
        check.write(printer);
    }
    printer.out.push_str("    </validate>\n");
}

impl Constraint<'_> {
    fn is_check(&self) -> bool {
        matches!(self.kind, Kind::Check(_))
    }

    fn write(&self, printer: &mut Printer) {
        printer.rule = Some(self.rule.id.to_string());
        let (mut tag, indent) = match &self.kind {
            Kind::Check(expr) => {
                let mut tag = Tag::new("check");
                tag.say("if", &expr.to_string());
                (tag, 6)
            }
            Kind::Admission(admission) => {
                let mut tag = guard::admission_tag(printer, admission);
                if self.rule.effect == Some(Effect::Warn) {
                    tag.say("mode", "warn");
                }
                (tag, 4)
            }
        };
        if self.rule.message.as_ref() != Some(&self.reason) {
            tag.say_some("message", self.rule.message.as_deref());
        }
        if self.rule.severity != RuleSeverity::default() {
            tag.say("severity", self.rule.severity.name());
        }
        tag.close(indent, &mut printer.out);
        printer.rule = None;
    }
}

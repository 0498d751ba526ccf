//! What lints read, and where they say what they found.

use std::collections::BTreeMap;

use mentci_authority::{Action, Enforcement, Guard, Rule, RuleSet};
use mentci_expr::Expr;
use mentci_source::{Finding, Source, Span};

use super::Known;
use super::term::{Term, terms};

/// The rules with what is known of them.
pub(super) struct Desk<'d> {
    pub(super) sets: &'d [RuleSet],
    pub(super) rules: Vec<Sheet<'d>>,
    /// Those that are in force beside.
    pub(super) others: Vec<Sheet<'d>>,
    pub(super) known: Known<'d>,
    sources: BTreeMap<&'d str, &'d Source>,
}

/// What a lint says: of which rule, at which part of its text, or where the rule stands.
pub(super) type Said = (usize, Option<Span>, Finding);

/// One rule, taken apart.
pub(super) struct Sheet<'d> {
    pub(super) rule: &'d Rule,
    /// Its place among all rules.
    pub(super) at: usize,
    /// What must hold for it to apply, all of it.
    pub(super) terms: Vec<Term>,
    pub(super) guard: Guard,
    /// Whether a script decides something of it.
    pub(super) scripted: bool,
}

impl<'d> Desk<'d> {
    pub(super) fn new(sets: &'d [RuleSet], known: Known<'d>) -> Self {
        let sheet = |(at, rule): (usize, &'d Rule)| {
            let guard = rule.guard.clone().normal();
            Sheet { rule, at, terms: terms(&guard), scripted: has_script(&guard), guard }
        };
        Self {
            sets,
            rules: sets.iter().flat_map(|set| &set.rules).enumerate().map(sheet).collect(),
            others: known
                .in_force
                .iter()
                .flat_map(|set| &set.rules)
                .map(|rule| sheet((usize::MAX, rule)))
                .collect(),
            known,
            sources: known.sources.iter().map(|source| (&**source.path(), source)).collect(),
        }
    }

    /// What was said, once each, in the order of the rules and their lines.
    pub(super) fn placed(&self, said: Vec<Said>) -> Vec<Finding> {
        let place = |(at, part, finding): Said| (at, self.place(at, part, finding));
        let mut all: Vec<(usize, Finding)> = said.into_iter().map(place).collect();
        all.sort_by_key(|(at, finding)| (*at, finding.line, finding.column));
        all.dedup();
        all.into_iter().map(|(_, finding)| finding).collect()
    }

    fn place(&self, at: usize, part: Option<Span>, finding: Finding) -> Finding {
        let origin = &self.rules[at].rule.origin;
        let source = self.sources.get(&*origin.path);
        // An expression that was built stands nowhere.
        let part = part.filter(|span| !span.is_empty() && fits(*span, origin.span));
        if let (Some(source), Some(span)) = (source, part) {
            return finding.at(source, span);
        }
        let mut finding = finding.in_file(&origin.path);
        (finding.line, finding.column) = (Some(origin.line), Some(origin.column));
        finding.span = source.map(|_| Span::at(origin.span.start as usize));
        finding
    }
}

/// Whether a part lies in its rule: what a rule has from a default of its set does not.
fn fits(part: Span, rule: Span) -> bool {
    rule.is_empty() || (rule.start <= part.start && part.end <= rule.end)
}

impl<'d> Sheet<'d> {
    /// How others name it.
    pub(super) fn id(&self) -> &'d str {
        self.rule.id.as_str()
    }

    pub(super) fn full_name(&self) -> String {
        format!("{}/{}", self.rule.origin.pack, self.rule.id)
    }

    /// Whether it takes part and binds.
    pub(super) fn binds(&self) -> bool {
        self.rule.enabled && self.rule.mode == Enforcement::Enforce
    }

    /// Every expression of the rule.
    pub(super) fn expressions(&self) -> Vec<&Expr> {
        let mut found = Vec::new();
        self.guard.walk(&mut |guard| {
            if let Guard::Expr(expr) = guard {
                found.push(expr);
            }
        });
        found.extend(self.rule.actions.iter().filter_map(Action::expression));
        found
    }

    /// Every part of every expression.
    pub(super) fn each_part(&self, visit: &mut dyn FnMut(&Expr)) {
        for expr in self.expressions() {
            walk(expr, visit);
        }
    }
}

fn has_script(guard: &Guard) -> bool {
    let mut found = false;
    guard.walk(&mut |guard| found |= matches!(guard, Guard::Script(_)));
    found
}

/// An expression and all that stands in it. Its depth is bounded (INVARIANT (bounded depth) of `mentci-expr`).
pub(super) fn walk(expr: &Expr, visit: &mut dyn FnMut(&Expr)) {
    visit(expr);
    for child in expr.children() {
        walk(child, visit);
    }
}

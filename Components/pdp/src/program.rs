//! Rules, made ready to decide.

use std::collections::BTreeSet;
use std::sync::{LazyLock, OnceLock};

use mentci_authority::{
    Cooldown, Effect, Enforcement, Guard, Honeypot, Hook, NamePattern, OnFault, Permission, Rule, RuleSet,
    RuleSeverity, ToolMatch,
};
use mentci_detect::Detector;
use mentci_expr::{Expr, Function, Node};
use mentci_ledger::Windows;
use rustc_hash::FxHashMap;

use crate::cells::Cells;
use crate::decision::RuleIndex;
use crate::guard::CompiledGuard;
use crate::index::HookIndex;
use crate::names::{Names, Pattern};
use crate::necessary::needed;
use crate::notify::NotifyOptions;
use crate::redaction::detector;
use crate::settle::reserves;

/// Rules compiled once and asked often: immutable, shared by reference, replaced as a whole.
#[derive(Debug)]
pub struct Program {
    pub(crate) rules: Cells,
    pub(crate) documents: Vec<Document>,
    /// In the order of [`Hook::ALL`].
    pub(crate) hooks: [HookIndex; Hook::ALL.len()],
    pub(crate) default: Permission,
    pub(crate) honeypots: Vec<CompiledHoneypot>,
    pub(crate) detector: LazyLock<Detector>,
    /// The rules that count the calls that they admit.
    pub(crate) reserving: Vec<RuleIndex>,
    pub(crate) notify: NotifyOptions,
    pub(crate) zones: BTreeSet<String>,
    pub(crate) windows: Windows,
    /// The document whose rules are told by their bare ids; those of others are then told by their full names.
    pub(crate) own: Option<usize>,
}

/// What the configuration adds to the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// What holds for a call about which no permission rule speaks, where no rule set says.
    pub default: Permission,
    /// How notifications are queued and told.
    pub notify: NotifyOptions,
}

/// One rule, compiled. The rule itself stands beside, for whoever explains.
#[derive(Debug)]
pub(crate) struct CompiledRule {
    pub(crate) rule: Rule,
    pub(crate) full_name: String,
    pub(crate) document: usize,
    pub(crate) names: Names,
    pub(crate) guard: CompiledGuard,
    pub(crate) on_fault: Option<Effect>,
    pub(crate) overrides: Vec<RuleIndex>,
    pub(crate) detector: Option<Detector>,
    /// Whether it is what ChatMD's `<policy>` says, in whatever dialect it stands.
    pub(crate) is_constraint: bool,
    pub(crate) asks_scripts: bool,
    /// What it needs, once that was asked.
    needed: OnceLock<Box<[u8]>>,
}

impl CompiledRule {
    /// A rule of the document at this place, which takes no other out yet.
    pub(crate) fn new(mut rule: Rule, document: usize) -> Self {
        rule.guard = rule.guard.normal();
        let full_name = format!("{}/{}", rule.origin.pack, rule.id);
        Self {
            document,
            names: Names::new(&rule.tools),
            guard: CompiledGuard::new(&rule.guard, &full_name),
            full_name,
            on_fault: on_fault(&rule),
            overrides: Vec::new(),
            detector: rule.redaction.as_ref().and_then(detector),
            is_constraint: is_constraint(&rule),
            asks_scripts: asks_scripts(&rule.guard),
            needed: OnceLock::new(),
            rule,
        }
    }

    /// What has to stand in an event for it to be asked.
    pub(crate) fn needed(&self) -> &[u8] {
        self.needed.get_or_init(|| {
            // A script may act also where its rule does not apply.
            if self.asks_scripts { Box::default() } else { needed(&self.rule.guard).bytes().into() }
        })
    }

    /// Whether its condition is met where it holds of some values of a list and not of others: it is, unless the rule
    /// permits, so that nothing passes beside what was permitted.
    pub(crate) fn takes_some(&self) -> bool {
        self.rule.effect != Some(Effect::Allow) && self.rule.overrides.is_empty()
    }

    /// Whether it remembers that it fired.
    pub(crate) fn is_once_or_rests(&self) -> bool {
        self.rule.once || self.rule.cooldown != Cooldown::default()
    }

    pub(crate) fn is_shadow(&self) -> bool {
        self.rule.mode == Enforcement::Shadow
    }

    pub(crate) fn acts(&self) -> bool {
        !self.rule.actions.is_empty() || self.rule.remind.is_some() || !self.rule.taints.is_empty()
    }
}

/// What a rule set says of itself.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) max_fired: Option<u32>,
    pub(crate) max_calls: u32,
    /// Whether it asks for a trace. Known of programs that were made here, and asked of those with a document of their own.
    pub(crate) visible_trace: bool,
}

#[derive(Debug)]
pub(crate) struct CompiledHoneypot {
    pub(crate) pattern: Pattern,
    pub(crate) tool: String,
    pub(crate) message: Option<String>,
    pub(crate) severity: RuleSeverity,
    pub(crate) at: String,
}

impl CompiledHoneypot {
    pub(crate) fn new(honeypot: &Honeypot) -> Self {
        Self {
            pattern: Pattern::new(honeypot.tool.clone()),
            tool: honeypot.tool.text().to_owned(),
            message: honeypot.message.clone(),
            severity: honeypot.severity,
            at: honeypot.at.clone(),
        }
    }
}

impl Program {
    /// Compiles rule sets, in the order in which they were loaded. What is wrong with a rule has been said when it was read;
    /// a rule that cannot work faults, and a gate that faults closes.
    pub fn new(sets: &[RuleSet], options: Options) -> Self {
        let mut rules: Vec<CompiledRule> = sets.iter().enumerate().flat_map(compile_set).collect();
        resolve_overrides(&mut rules);
        let counting = (0..).zip(&rules).filter(|(_, compiled)| reserves(&compiled.rule));
        Self {
            documents: sets.iter().map(document).collect(),
            hooks: Hook::ALL.map(|hook| index(hook, &rules)),
            default: default(sets, options),
            honeypots: sets.iter().flat_map(|set| &set.honeypots).map(CompiledHoneypot::new).collect(),
            detector: LazyLock::new(Detector::all),
            reserving: counting.map(|(index, _)| index).collect(),
            notify: options.notify,
            zones: rules.iter().flat_map(|compiled| zones(&compiled.rule)).collect(),
            windows: Windows::of(rules.iter().map(|compiled| &compiled.rule)),
            rules: Cells::made(rules),
            own: None,
        }
    }

    /// The same rules, told so that it shows whose they are: those of the set at this place by their bare ids, all others by
    /// their full names. What is written into a document names its rules so.
    #[must_use]
    pub fn told_from(self, own: usize) -> Self {
        Self { own: Some(own), ..self }
    }

    /// The name under which verdicts tell a rule.
    pub fn told(&self, index: RuleIndex) -> Option<&str> {
        self.compiled(index).map(|compiled| self.told_of(compiled))
    }

    pub(crate) fn told_of<'r>(&self, compiled: &'r CompiledRule) -> &'r str {
        match self.own {
            Some(own) if own != compiled.document => &compiled.full_name,
            _ => compiled.rule.id.as_str(),
        }
    }

    /// Whether a rule is of the document whose rules are told by their bare ids.
    pub fn is_own(&self, index: RuleIndex) -> bool {
        self.compiled(index).is_some_and(|compiled| self.own == Some(compiled.document))
    }

    /// Whether a trace of this rule is to be seen where it acted.
    pub(crate) fn traces(&self, compiled: &CompiledRule) -> bool {
        self.own.is_some() && self.documents[compiled.document].visible_trace
    }

    /// The rules, in source order.
    pub fn rules(&self) -> impl ExactSizeIterator<Item = &Rule> {
        self.rules.iter().map(|compiled| &compiled.rule)
    }

    /// The rule at an index that a decision names.
    pub fn rule(&self, index: RuleIndex) -> Option<&Rule> {
        self.compiled(index).map(|compiled| &compiled.rule)
    }

    /// The rule with this id, or with this full name: `pack/id`.
    pub fn find(&self, name: &str) -> Option<RuleIndex> {
        let is_named =
            |compiled: &CompiledRule| compiled.full_name == name || compiled.rule.id.as_str() == name;
        (0..).zip(self.rules.iter()).find(|(_, compiled)| is_named(compiled)).map(|(index, _)| index)
    }

    /// How far back chains look: what the ledger has to keep.
    pub fn windows(&self) -> Windows {
        self.windows
    }

    /// The IANA zones that schedules name: the event must bring their offsets.
    pub fn zones(&self) -> &BTreeSet<String> {
        &self.zones
    }

    /// The full name of the rule at an index: `pack/id`.
    pub fn full_name(&self, index: RuleIndex) -> Option<&str> {
        self.compiled(index).map(|compiled| compiled.full_name.as_str())
    }

    fn compiled(&self, index: RuleIndex) -> Option<&CompiledRule> {
        ((index as usize) < self.rules.len()).then(|| self.rules.get(index))
    }
}

/// Only rules that are not core, and that are not more trusted, can be taken out.
fn resolve_overrides(rules: &mut [CompiledRule]) {
    if rules.iter().all(|compiled| compiled.rule.overrides.is_empty()) {
        return;
    }
    let by_name = by_name(rules);
    for at in 0..rules.len() {
        let own = &rules[at].rule;
        let named = own.overrides.iter().filter_map(|name| by_name.get(name).copied());
        let allowed: Vec<RuleIndex> = named
            .filter(|&index| {
                let other = &rules[index as usize].rule;
                !other.core && other.origin.trust <= own.origin.trust
            })
            .collect();
        rules[at].overrides = allowed;
    }
}

fn by_name(rules: &[CompiledRule]) -> FxHashMap<String, RuleIndex> {
    let mut by_name = FxHashMap::default();
    for (index, compiled) in (0..).zip(rules) {
        by_name.entry(compiled.full_name.clone()).or_insert(index);
        by_name.entry(compiled.rule.id.as_str().to_owned()).or_insert(index);
    }
    by_name
}

fn index(hook: Hook, rules: &[CompiledRule]) -> HookIndex {
    let asked = (0..).zip(rules).filter(|(_, compiled)| compiled.rule.hook == hook && compiled.rule.enabled);
    let mut members: Vec<RuleIndex> = asked.map(|(index, _)| index).collect();
    members.sort_by_key(|&index| rules[index as usize].rule.order);
    HookIndex::new(members, |index| &rules[index as usize].rule)
}

fn compile_set((document, set): (usize, &RuleSet)) -> impl Iterator<Item = CompiledRule> {
    set.rules.iter().map(move |rule| CompiledRule::new(rule.clone(), document))
}

/// Whether a rule is a constraint of ChatMD's `<policy>`: it does nothing itself, and it is an admission or is named after
/// its tool, `speak/validate-1`.
fn is_constraint(rule: &Rule) -> bool {
    let acts = !rule.actions.is_empty() || rule.remind.is_some();
    let ToolMatch::OneOf(patterns) = &rule.tools else { return false };
    let of_tool = |pattern: &NamePattern| {
        let rest = rule.id.as_str().strip_prefix(pattern.text());
        rest.is_some_and(|rest| rest.starts_with("/validate-"))
    };
    !acts && (matches!(rule.guard, Guard::Admission(_)) || patterns.iter().any(of_tool))
}

fn asks_scripts(guard: &Guard) -> bool {
    let mut asks = false;
    guard.walk(&mut |guard| asks |= matches!(guard, Guard::Script(_)));
    asks
}

/// What a fault decides: nothing in a rule that only advises.
fn on_fault(rule: &Rule) -> Option<Effect> {
    match rule.on_fault {
        Some(OnFault::Block) => Some(Effect::Block),
        Some(OnFault::Approve) => Some(Effect::Approve),
        Some(OnFault::Allow) => None,
        None => rule.is_gate().then_some(Effect::Block),
    }
}

fn document(set: &RuleSet) -> Document {
    Document { max_fired: set.max_fired, max_calls: set.max_calls, visible_trace: set.visible_trace }
}

/// The strictest default that a rule set or the configuration states.
fn default(sets: &[RuleSet], options: Options) -> Permission {
    let stated = sets.iter().filter_map(|set| set.default_effect?.permission());
    stated.fold(options.default, Permission::max)
}

/// The zones that a rule names: its own, and those of its schedules.
fn zones(rule: &Rule) -> Vec<String> {
    let mut zones: Vec<String> = rule.timezone.iter().cloned().collect();
    rule.guard.walk(&mut |guard| {
        if let Guard::Expr(expr) = guard {
            named_zones(expr, &mut zones);
        }
    });
    zones
}

fn named_zones(expr: &Expr, zones: &mut Vec<String>) {
    if let Node::Call(Function::TimeOfDay | Function::DayOfWeek, arguments) = expr.node() {
        zones.extend(arguments.get(1).and_then(Expr::as_text).map(str::to_owned));
    }
    expr.children().into_iter().for_each(|child| named_zones(child, zones));
}

//! Rules beside each other: contradictions, shadows, repetitions.

use std::collections::BTreeSet;

use mentci_authority::{Action, Effect, Guard, Hook, Permission, Rule, StateScope};
use mentci_source::{Code, Finding};

use super::cover::covers;
use super::desk::{Desk, Said, Sheet};
use super::never::rests;
use super::term::{always, implies};

/// How many pairs are compared: more rules than make these are not compared with each other.
const MOST_PAIRS: usize = 1_000_000;

/// Conflicts, shadows and repetitions among the rules that bind, and honeypots that are permitted.
pub(super) fn pairs(desk: &Desk<'_>) -> Vec<Said> {
    let mut said = Vec::new();
    let binding: Vec<&Sheet<'_>> = desk.rules.iter().filter(|sheet| sheet.binds()).collect();
    let (mut left, mut told) = (MOST_PAIRS, BTreeSet::new());
    for (place, one) in binding.iter().enumerate() {
        for other in binding[..place].iter().filter(|other| other.rule.hook == one.rule.hook) {
            if left == 0 {
                break;
            }
            left -= 1;
            // One reason why a rule does not matter is enough.
            said.extend(pair(other, one).filter(|(at, _, _)| told.insert(*at)));
        }
    }
    let sets = desk.sets;
    for sheet in &binding {
        said.extend(lured(sheet, sets).or_else(|| idle_allow(sheet, sets)));
    }
    said
}

/// What is odd about two rules, of which the first stands before the second.
fn pair(first: &Sheet<'_>, second: &Sheet<'_>) -> Option<Said> {
    if overrides(first, second) || overrides(second, first) || first.scripted || second.scripted {
        return None;
    }
    if repeats(first, second) {
        let names = [second, first].map(|sheet| sheet.id().to_owned());
        let names = if names[0] == names[1] { [second, first].map(Sheet::full_name) } else { names };
        let message = format!("`{}` says the same as `{}`", names[0], names[1]);
        let finding = Finding::new(Code::RULE_REPEATED, message);
        return Some((
            second.at,
            None,
            finding.help(format!("it stands at {}; take one out", first.rule.origin)),
        ));
    }
    if let Some(said) = adds_nothing(first, second).or_else(|| adds_nothing(second, first)) {
        return Some(said);
    }
    let (strict, mild) = if rank(first) >= rank(second) { (first, second) } else { (second, first) };
    if first.rule.hook != Hook::PreToolCall || rank(strict) == rank(mild) || !matters(mild) || rests(strict) {
        return None;
    }
    let same = first.rule.tools == second.rule.tools && alike(first, second);
    let (mild_says, strict_says) = (said(mild)?, said(strict)?);
    if same && mild.rule.effect.and_then(Effect::permission).is_some() {
        let message =
            format!("`{}` says `{mild_says}` where `{}` says `{strict_says}`", mild.id(), strict.id());
        let help = format!(
            "the strictest wins: `{}` never decides; it stands beside {}",
            mild.id(),
            strict.rule.origin
        );
        return Some((mild.at, None, Finding::new(Code::RULE_CONFLICT, message).help(help)));
    }
    let shadows = strict.rule.effect == Some(Effect::Block)
        && covers(&strict.rule.tools, &mild.rule.tools)
        && implies(&mild.terms, &strict.terms);
    shadows.then(|| {
        let message = format!("`{}` never matters: `{}` blocks all that it is about", mild.id(), strict.id());
        let help = if mild.rule.effect == Some(Effect::Allow) {
            format!("`overrides: [{}]` takes the block out where this rule applies", strict.full_name())
        } else {
            format!("the block stands at {}", strict.rule.origin)
        };
        (mild.at, None, Finding::new(Code::RULE_SHADOWED, message).help(help))
    })
}

/// A rule that decides nothing that one before it does not decide already, with the same effect. What it says is still told.
fn adds_nothing(wide: &Sheet<'_>, narrow: &Sheet<'_>) -> Option<Said> {
    let (one, other) = (wide.rule, narrow.rule);
    let effect = one.effect.filter(|effect| effect.permission().is_some())?;
    let is_first = (one.order, wide.at) < (other.order, narrow.at) && one.severity >= other.severity;
    let covers = is_first
        && one.hook == Hook::PreToolCall
        && other.effect == Some(effect)
        && matters(narrow)
        && !rests(wide)
        && one.approval_seconds == other.approval_seconds
        && covers(&one.tools, &other.tools)
        && implies(&narrow.terms, &wide.terms);
    covers.then(|| {
        let (id, wider) = (narrow.id(), wide.id());
        let verb = match effect {
            Effect::Block => "blocks",
            Effect::Approve => "asks about",
            _ => "allows",
        };
        let message = format!("`{id}` never decides: `{wider}` before it {verb} all that it is about");
        let finding = Finding::new(Code::RULE_SHADOWED, message).severity(mentci_source::Severity::Note);
        let help = format!("take it out, or narrow the one at {}", one.origin);
        (narrow.at, None, finding.help(help))
    })
}

fn overrides(one: &Sheet<'_>, other: &Sheet<'_>) -> bool {
    if one.rule.overrides.is_empty() {
        return false;
    }
    let full = other.full_name();
    one.rule.overrides.iter().any(|name| *name == full || name == other.id())
}

/// How strict it is; rules without an effect are beside the scale.
fn rank(sheet: &Sheet<'_>) -> u8 {
    match sheet.rule.effect {
        Some(Effect::Block) => 4,
        Some(Effect::Approve) => 3,
        Some(Effect::Allow) => 2,
        Some(Effect::Warn | Effect::Redact) => 1,
        None => 0,
    }
}

/// Whether nothing is left of a rule when its effect does not count.
fn matters(sheet: &Sheet<'_>) -> bool {
    let rule = sheet.rule;
    rule.effect.is_some()
        && rule.actions.is_empty()
        && rule.taints.is_empty()
        && rule.remind.is_none()
        && rule.overrides.is_empty()
}

fn said(sheet: &Sheet<'_>) -> Option<&'static str> {
    sheet.rule.effect.map(Effect::name)
}

/// Whether two conditions mean the same.
fn alike(first: &Sheet<'_>, second: &Sheet<'_>) -> bool {
    first.guard == second.guard
        || (implies(&first.terms, &second.terms) && implies(&second.terms, &first.terms))
}

/// Whether two rules mean the same but for their names and what people read.
fn repeats(first: &Sheet<'_>, second: &Sheet<'_>) -> bool {
    let (one, other) = (first.rule, second.rule);
    let bare = |rule: &Rule| Rule {
        id: one.id.clone(),
        name: None,
        description: None,
        version: None,
        message: None,
        severity: mentci_authority::RuleSeverity::default(),
        order: 0,
        owner: None,
        guard: Guard::Always,
        tests: Vec::new(),
        ..rule.clone()
    };
    // Cheap things first: most rules differ in these.
    one.tools == other.tools
        && one.effect == other.effect
        && !counts(one)
        && !keep_apart(one, other)
        && alike(first, second)
        && bare(one) == bare(other)
}

/// Whether a rule keeps a count of its own: two of one kind are two counts, and mean the same all the same.
fn counts(rule: &Rule) -> bool {
    rule.effect.is_none() && rule.actions.is_empty() && matches!(rule.guard, Guard::Script(_))
}

/// Whether two rules speak of what each file or plugin keeps for itself.
fn keep_apart(one: &Rule, other: &Rule) -> bool {
    one.owner() != other.owner() && speaks_of_state(one)
}

fn speaks_of_state(rule: &Rule) -> bool {
    let is_named =
        |text: &str| text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == "state");
    let keeps = |action: &Action| matches!(action, Action::Set { scope: StateScope::Plugin, .. });
    let templates = rule.actions.iter().flat_map(Action::templates).chain(rule.message.as_deref());
    let mut speaks = rule.actions.iter().any(keeps) || templates.into_iter().any(is_named);
    rule.guard.walk(&mut |guard| match guard {
        Guard::Expr(expr) => speaks |= is_named(&expr.to_string()),
        Guard::Script(_) => speaks = true,
        _ => {}
    });
    speaks
}

/// An `allow` where nothing else is the default: it changes nothing.
fn idle_allow(sheet: &Sheet<'_>, sets: &[mentci_authority::RuleSet]) -> Option<Said> {
    let allows = sheet.rule.effect == Some(Effect::Allow) && matters(sheet);
    let strict = sets
        .iter()
        .filter_map(|set| set.default_effect)
        .any(|effect| effect.permission().is_some_and(|permission| permission > Permission::Allow));
    (allows && !strict && always(&sheet.terms)).then(|| {
        let message = format!("`{}` allows what nothing forbids by default", sheet.id());
        let finding = Finding::new(Code::RULE_SHADOWED, message).severity(mentci_source::Severity::Note);
        (
            sheet.at,
            None,
            finding.help("it counts where `default_verdict` is `block`; `overrides` takes a block out"),
        )
    })
}

/// A rule that permits a honeypot.
fn lured(sheet: &Sheet<'_>, sets: &[mentci_authority::RuleSet]) -> Option<Said> {
    if !matches!(sheet.rule.effect, Some(Effect::Allow | Effect::Approve)) || !matters(sheet) {
        return None;
    }
    let mentci_authority::ToolMatch::OneOf(patterns) = &sheet.rule.tools else { return None };
    let pots = sets.iter().flat_map(|set| &set.honeypots);
    let pot = pots.map(|pot| &pot.tool).find(|pot| {
        patterns.iter().all(|pattern| *pattern == **pot || super::cover::fits(pot, pattern.text()))
    })?;
    let message = format!("`{}` never matters: `{pot}` is a honeypot, which nobody may call", sheet.id());
    let finding = Finding::new(Code::RULE_SHADOWED, message);
    Some((sheet.at, None, finding.help("take the rule or the honeypot out")))
}

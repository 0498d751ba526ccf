//! Rules that name others.

use std::collections::BTreeMap;

use mentci_authority::RuleTest;
use mentci_expr::{Expr, Function, Node};
use mentci_source::{Code, Finding, did_you_mean};

use super::cover::overlap;
use super::desk::{Desk, Said, Sheet};

/// Rules by id and by full name, those that are looked at first.
fn index<'s, 'd>(desk: &'s Desk<'d>) -> BTreeMap<String, &'s Sheet<'d>> {
    let mut index = BTreeMap::new();
    for sheet in desk.rules.iter().chain(&desk.others) {
        index.entry(sheet.full_name()).or_insert(sheet);
        index.entry(sheet.id().to_owned()).or_insert(sheet);
    }
    index
}

/// Overrides that name nothing, or take nothing out.
pub(super) fn overrides(desk: &Desk<'_>) -> Vec<Said> {
    let mut said = Vec::new();
    let index = index(desk);
    for sheet in &desk.rules {
        for name in &sheet.rule.overrides {
            match index.get(name) {
                None => said.push((sheet.at, None, unknown(name, &index))),
                Some(other) => said.extend(idle(sheet, other).map(|finding| (sheet.at, None, finding))),
            }
        }
    }
    said
}

fn unknown(name: &str, index: &BTreeMap<String, &Sheet<'_>>) -> Finding {
    let finding = Finding::new(Code::RULE_UNNAMED, format!("there is no rule `{}`", name.escape_debug()));
    let near = did_you_mean(name, index.keys().map(String::as_str));
    finding.help(match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`policy-engine rules list` shows the rules; one of another pack is `pack/id`".to_owned(),
    })
}

/// Why an override takes nothing out.
fn idle(sheet: &Sheet<'_>, other: &Sheet<'_>) -> Option<Finding> {
    let (own, named) = (sheet.rule, other.rule);
    let why = if sheet.at == other.at {
        "it is the rule itself".to_owned()
    } else if named.core {
        "it is core, and core rules are never taken out".to_owned()
    } else if named.origin.trust > own.origin.trust {
        "it belongs to a more trusted layer".to_owned()
    } else if !named.enabled {
        "it is switched off".to_owned()
    } else if named.hook != own.hook {
        format!("it is asked at `{}`, this rule at `{}`", named.hook.name(), own.hook.name())
    } else if !overlap(&own.tools, &named.tools) {
        format!("it is about `{}`, this rule about `{}`", named.tools, own.tools)
    } else {
        return None;
    };
    let message = format!("`{}` does not take `{}` out: {why}", sheet.id(), other.id());
    Some(Finding::new(Code::OVERRIDE_IDLE, message).help("take the name out of `overrides`"))
}

/// Rules that `since_ms` and tests name.
pub(super) fn named(desk: &Desk<'_>) -> Vec<Said> {
    let mut said = Vec::new();
    let index = index(desk);
    for sheet in &desk.rules {
        sheet.each_part(&mut |part| {
            if let Some(name) = since(part).filter(|name| !index.contains_key(*name)) {
                said.push((sheet.at, Some(part.span()), unknown(name, &index)));
            }
        });
        for test in &sheet.rule.tests {
            let unknown =
                of_test(test).filter(|name| !index.contains_key(*name)).map(|name| unknown(name, &index));
            said.extend(unknown.map(|finding| (sheet.at, None, finding)));
        }
    }
    for set in desk.sets {
        let Some(sheet) = desk.rules.iter().find(|sheet| set.rules.first() == Some(sheet.rule)) else {
            continue;
        };
        for test in &set.tests {
            let unknown =
                of_test(test).filter(|name| !index.contains_key(*name)).map(|name| unknown(name, &index));
            said.extend(unknown.map(|finding| (sheet.at, None, at_line(finding, test.line))));
        }
    }
    said
}

fn since(part: &Expr) -> Option<&str> {
    match part.node() {
        Node::Call(Function::SinceMs, arguments) => arguments.first()?.as_text(),
        _ => None,
    }
}

fn of_test(test: &RuleTest) -> impl Iterator<Item = &str> {
    // `__default__` is what decides where no rule does.
    let named = test.rules.iter().flatten().chain(&test.event.disabled).map(String::as_str);
    named.filter(|name| !name.starts_with("__"))
}

fn at_line(finding: Finding, line: u32) -> Finding {
    let message = format!("a test at line {line} names a rule: {}", finding.message);
    Finding { message, ..finding }
}

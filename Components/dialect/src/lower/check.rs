//! Names, types and patterns of all the expressions of a set, once everything is read.

use std::collections::BTreeMap;
use std::sync::Arc;

use mentci_authority::{Action, Assigned, Guard, Plugin, Rule, RuleSet, StateScope};
use mentci_expr::{Expr, Schema, Type, check};
use mentci_source::{Finding, Source};
use serde_json::Value as Json;

/// Checks every expression under the variables that the set's own rules keep.
pub(crate) fn check_set(
    set: &RuleSet,
    sources: &BTreeMap<Arc<str>, Source>,
    plugin: Option<&Plugin>,
    findings: &mut Vec<Finding>,
) {
    let variables: Vec<&str> = set.rules.iter().flat_map(|rule| &rule.actions).filter_map(variable).collect();
    for rule in &set.rules {
        if let Some(source) = sources.get(&rule.origin.path) {
            check_rule(rule, source, plugin, &variables, findings);
        }
    }
}

fn variable(action: &Action) -> Option<&str> {
    match action {
        Action::Set { scope: StateScope::Session, key, .. } => Some(key),
        _ => None,
    }
}

fn check_rule(
    rule: &Rule,
    source: &Source,
    plugin: Option<&Plugin>,
    variables: &[&str],
    findings: &mut Vec<Finding>,
) {
    let mut say = |expr: &Expr, result: Type| {
        let schema = schema(rule, plugin, variables, result);
        for problem in check(expr, &schema) {
            let finding = problem.finding(source, 0);
            // What each condition is by itself was told where it was read.
            let same = |told: &Finding| {
                (told.code, &told.path, told.span) == (finding.code, &finding.path, finding.span)
                    && told.message == finding.message
            };
            if !findings.iter().any(same) {
                findings.push(finding);
            }
        }
    };
    rule.guard.walk(&mut |guard| {
        if let Guard::Expr(expr) = guard {
            say(expr, Type::Bool);
        }
    });
    for action in &rule.actions {
        match action {
            Action::Call { arguments, .. } => say(arguments, Type::Map),
            Action::Set { value: Assigned::Expr(expr), .. } | Action::InsertValue { value: expr, .. } => {
                say(expr, Type::Any);
            }
            _ => {}
        }
    }
}

fn schema(rule: &Rule, plugin: Option<&Plugin>, variables: &[&str], result: Type) -> Schema {
    let schema = match plugin {
        Some(plugin) => plugin
            .settings
            .iter()
            .fold(Schema::of(result), |schema, setting| schema.setting(&setting.key, kind(&setting.default))),
        None => Schema::of(result).any_setting(),
    };
    let schema = variables.iter().fold(schema, |schema, name| schema.variable(name, Type::Any));
    rule.parameters.iter().fold(schema, |schema, (name, value)| schema.parameter(name, kind(value)))
}

fn kind(value: &Json) -> Type {
    match value {
        Json::Bool(_) => Type::Bool,
        // A person who edits a whole number on the page may well give it a fraction.
        Json::Number(_) => Type::Number,
        Json::String(_) => Type::Text,
        Json::Array(_) => Type::List,
        Json::Object(_) => Type::Map,
        Json::Null => Type::Any,
    }
}

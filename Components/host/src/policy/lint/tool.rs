//! Tools that are not there.

use std::collections::{BTreeMap, BTreeSet};

use mentci_authority::{Admission, Guard, NamePattern, ToolMatch};
use mentci_expr::{Expr, Function, Node};
use mentci_source::{Code, Finding, Span, did_you_mean};

use super::Tools;
use super::cover::fits;
use super::desk::{Desk, Said, Sheet};

/// Patterns that fit no known tool; where tools are not known, names that differ from another rule's only in their case.
pub(super) fn tools(desk: &Desk<'_>) -> Vec<Said> {
    let mut said = Vec::new();
    let others = named(&desk.rules);
    for sheet in &desk.rules {
        for (pattern, span) in mentioned(sheet) {
            let finding = match desk.known.tools {
                Some(tools) => unknown(&pattern, tools),
                None => misspelt(&pattern, &others),
            };
            said.extend(finding.map(|finding| (sheet.at, span, finding)));
        }
    }
    said
}

/// Every pattern of tools in a rule.
fn mentioned(sheet: &Sheet<'_>) -> Vec<(NamePattern, Option<Span>)> {
    let of = |tools: &ToolMatch| match tools {
        ToolMatch::Any => Vec::new(),
        ToolMatch::OneOf(patterns) => patterns.clone(),
    };
    let mut all: Vec<(NamePattern, Option<Span>)> =
        of(&sheet.rule.tools).into_iter().map(|one| (one, None)).collect();
    sheet.guard.walk(&mut |guard| match guard {
        Guard::Chain(chain) => {
            all.extend(chain.steps.iter().flat_map(|step| of(&step.tools)).map(|one| (one, None)));
        }
        Guard::Admission(Admission::Requires(tools)) => {
            all.extend(tools.iter().map(|tool| (NamePattern::Exact(tool.clone()), None)));
        }
        _ => {}
    });
    sheet.each_part(&mut |part| {
        all.extend(asked(part).map(|tool| (NamePattern::Exact(tool.to_owned()), Some(part.span()))));
    });
    all
}

/// The tool of which a function asks.
fn asked(part: &Expr) -> Option<&str> {
    let Node::Call(function, arguments) = part.node() else { return None };
    let about_a_tool = matches!(
        function,
        Function::EverCalled
            | Function::CountCalls
            | Function::CalledSince
            | Function::ToolCompleted
            | Function::ToolFailed
            | Function::FailureCount
    );
    let first = arguments.first()?.as_text()?;
    if about_a_tool {
        Some(first)
    } else {
        first.strip_prefix("tool_count.").filter(|_| *function == Function::Session)
    }
}

fn unknown(pattern: &NamePattern, tools: &Tools) -> Option<Finding> {
    if tools.keys().any(|tool| fits(pattern, tool)) {
        return None;
    }
    let message = match pattern {
        NamePattern::Exact(name) => format!("there is no tool `{name}`"),
        other => format!("no tool fits `{other}`"),
    };
    let near = did_you_mean(pattern.text(), tools.keys().map(String::as_str));
    Some(Finding::new(Code::TOOL_UNKNOWN, message).help(match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => "the rule stays in force for a tool that comes later".to_owned(),
    }))
}

/// The names of tools in rules, with how often each stands there.
fn named(rules: &[Sheet<'_>]) -> BTreeMap<String, usize> {
    let mut all = BTreeMap::new();
    for sheet in rules {
        let exact = mentioned(sheet).into_iter().filter_map(|(pattern, _)| match pattern {
            NamePattern::Exact(name) => Some(name),
            _ => None,
        });
        for name in exact.collect::<BTreeSet<_>>() {
            *all.entry(name).or_default() += 1;
        }
    }
    all
}

/// A name that others write otherwise, and more of them.
fn misspelt(pattern: &NamePattern, others: &BTreeMap<String, usize>) -> Option<Finding> {
    let NamePattern::Exact(name) = pattern else { return None };
    let even = |name: &str| name.to_lowercase().replace(['-', '.'], "_");
    let own = others.get(name).copied().unwrap_or(0);
    let (other, _) =
        others.iter().find(|(other, count)| **count > own && *other != name && even(other) == even(name))?;
    let message = format!("`{name}` and `{other}` are two tools: names are told apart by case and signs");
    Some(Finding::new(Code::TOOL_UNKNOWN, message).help(format!("did you mean `{other}`?")))
}

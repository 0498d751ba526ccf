//! Rules that hear each other's events in a circle.

use std::collections::VecDeque;

use mentci_authority::{Action, Hook};
use mentci_source::{Code, Finding};

use super::desk::{Desk, Said, Sheet};

/// Rules whose events come back to them: none of them hears what came of its own, so the circle ends where it began.
pub(super) fn circles(desk: &Desk<'_>) -> Vec<Said> {
    let heard: Vec<Vec<usize>> = desk.rules.iter().map(|sheet| listeners(desk, sheet)).collect();
    let (mut said, mut told) = (Vec::new(), vec![false; heard.len()]);
    for start in (0..heard.len()).filter(|&at| !heard[at].is_empty()) {
        let Some(circle) = circle(&heard, start) else { continue };
        if circle.iter().any(|&at| told[at]) {
            continue;
        }
        for &at in &circle {
            told[at] = true;
        }
        let ids: Vec<String> = circle.iter().map(|&at| format!("`{}`", desk.rules[at].id())).collect();
        let message = match ids.as_slice() {
            [one] => format!("{one} hears the event that it raises"),
            all => format!("{} hear each other's events in a circle", all.join(", ")),
        };
        let finding = Finding::new(Code::FIELD_IDLE, message);
        let help = "a rule never hears what came of its own event: the circle ends there";
        said.push((desk.rules[start].at, None, finding.help(help)));
    }
    said
}

/// The rules that surely hear what a rule raises: their condition asks for its name, or for nothing.
fn listeners(desk: &Desk<'_>, sheet: &Sheet<'_>) -> Vec<usize> {
    let names = sheet.rule.actions.iter().filter_map(|action| match action {
        // A template's text is known only when the rule fires.
        Action::Emit { event, .. } if !event.contains('{') => Some(format!("event.type == \"{event}\"")),
        _ => None,
    });
    let names: Vec<String> = names.collect();
    if names.is_empty() {
        return Vec::new();
    }
    let hears = |other: &Sheet<'_>| match other.terms.as_slice() {
        [] => true,
        [term] => names.contains(&term.to_string()),
        _ => false,
    };
    let listens = |other: &&Sheet<'_>| {
        let rule = other.rule;
        rule.hook == Hook::EventEmitted && other.binds() && !other.scripted && hears(other)
    };
    desk.rules.iter().filter(listens).map(|other| other.at).collect()
}

/// The shortest way from a rule back to itself.
fn circle(heard: &[Vec<usize>], start: usize) -> Option<Vec<usize>> {
    let mut from: Vec<Option<usize>> = vec![None; heard.len()];
    let mut open = VecDeque::from([start]);
    while let Some(at) = open.pop_front() {
        for &next in &heard[at] {
            if next == start {
                return Some(back(&from, at, start));
            }
            if from[next].is_none() {
                from[next] = Some(at);
                open.push_back(next);
            }
        }
    }
    None
}

/// The way that was taken from a start to here.
fn back(from: &[Option<usize>], mut at: usize, start: usize) -> Vec<usize> {
    let mut way = vec![at];
    while at != start {
        let Some(before) = from[at] else { break };
        at = before;
        way.push(at);
    }
    way.reverse();
    way
}

//! Rules that hear each other's events in a circle.

use std::collections::VecDeque;

use mentci_authority::{Action, Hook};
use mentci_source::{Code, Finding, Span, did_you_mean};

use super::desk::{Desk, Said, Sheet};
use super::term::Term;

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

/// Rules that wait for an event which no rule raises. Where a name is made when a rule fires, or a script may raise it, nobody
/// knows.
pub(super) fn unheard(desk: &Desk<'_>) -> Vec<Said> {
    let all = || desk.rules.iter().chain(&desk.others).filter(|sheet| sheet.rule.enabled);
    let raised: Vec<&str> = all().flat_map(|sheet| &sheet.rule.actions).filter_map(emitted).collect();
    if raised.iter().any(|name| name.contains('{')) || all().any(|sheet| sheet.scripted) {
        return Vec::new();
    }
    let waits = |sheet: &&Sheet<'_>| sheet.rule.hook == Hook::EventEmitted && sheet.binds();
    let mut said = Vec::new();
    for sheet in desk.rules.iter().filter(waits) {
        for (awaited, span) in sheet.terms.iter().filter_map(awaited) {
            if raised.iter().any(|name| awaited.hears(name)) {
                continue;
            }
            let name = awaited.name();
            let message =
                format!("`{}` waits for `{}`, and no rule emits that", sheet.id(), name.escape_debug());
            let near = did_you_mean(name, raised.iter().copied());
            let help = near
                .map_or("a rule does by `emit_event`".to_owned(), |near| format!("did you mean `{near}`?"));
            said.push((sheet.at, span, Finding::new(Code::FIELD_IDLE, message).help(help)));
        }
    }
    said
}

fn emitted(action: &Action) -> Option<&str> {
    match action {
        Action::Emit { event, .. } => Some(event),
        _ => None,
    }
}

/// What a term asks an event's name to be.
enum Awaited {
    Name(String),
    /// A pattern, which is held to what stands before its first sign: what lies behind that may be anything.
    Pattern(String),
}

impl Awaited {
    fn name(&self) -> &str {
        let (Self::Name(name) | Self::Pattern(name)) = self;
        name
    }

    /// Whether an event of this name may be meant.
    fn hears(&self, event: &str) -> bool {
        match self {
            Self::Name(name) => name == event,
            Self::Pattern(pattern) => {
                event.starts_with(pattern.split(['*', '?', '[', '{', '\\']).next().unwrap_or_default())
            }
        }
    }
}

/// What a term asks the event's name to be, and where it stands.
fn awaited(term: &Term) -> Option<(Awaited, Option<Span>)> {
    let text = term.to_string();
    let quoted = |text: &str| serde_json::from_str::<String>(text).ok();
    let name = || text.strip_prefix("event.type == ").and_then(quoted).map(Awaited::Name);
    let pattern = || {
        let pattern = text.strip_prefix("glob(event.type, ")?.strip_suffix(')')?;
        quoted(pattern).map(Awaited::Pattern)
    };
    Some((name().or_else(pattern)?, term.span))
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

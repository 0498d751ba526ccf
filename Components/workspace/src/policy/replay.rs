//! Replaying a log, and deciding one event.

use jiff::Timestamp;
use jiff::tz::{Offset, TimeZone};
use mentci_authority::{Effect, Verdict};
use mentci_host::policy::{Court, Input, Line, LinesAnswer, Rulebook, read_log, replay};
use mentci_host::{Outcome, Response};
use mentci_source::{Code, Finding};
use serde_json::{Value, json};

use super::outside::outside;
use crate::workspace::Workspace;

impl Workspace {
    pub(super) fn replay(
        &self,
        rules: &[String],
        lenient: bool,
        against: &[String],
        zone: Option<&str>,
        events: &Input,
    ) -> Response {
        let book = self.rulebook(rules);
        let other = (!against.is_empty()).then(|| self.rulebook(against));
        let broken = !book.is_whole() || other.as_ref().is_some_and(|other| !other.is_whole());
        if broken && !lenient {
            return Response::bad(book.findings.into_iter().chain(other.into_iter().flat_map(|other| other.findings)));
        }
        let log = zone_of(zone).and_then(|zone| {
            let source = self.input(events)?;
            read_log(&source, &|ms| offset(&zone, ms))
        });
        match log {
            Ok(log) => Response::ok(LinesAnswer { lines: outcomes(&book, other.as_ref(), &log) }).with(book.findings),
            Err(finding) => Response::bad([finding]),
        }
    }

    /// One event by rules that are named, from an empty log.
    pub(super) fn decide(&self, rules: &[String], event: &Input) -> Response {
        let book = self.rulebook(rules);
        if !book.is_whole() {
            return Response::bad(book.findings);
        }
        let log = self.input(event).and_then(|source| read_log(&source, &|_| 0));
        let events = match &log {
            Ok(lines) => lines.as_slice(),
            Err(finding) => return Response::bad([finding.clone()]),
        };
        let [Line::Event(event, _)] = events else {
            let finding = Finding::new(Code::EVENT_LINE, "one event is decided, on one line");
            return Response::bad([finding.help("`policy-engine replay` takes many")]);
        };
        let verdict = Court::new(&book, outside()).hear(event, false);
        let denied = matches!(verdict.decision, Effect::Block | Effect::Approve);
        let outcome = if denied { Outcome::Findings } else { Outcome::Ok };
        let line = serde_json::to_value(&verdict).unwrap_or(Value::Null);
        Response::ok(LinesAnswer { lines: vec![line] }).with(book.findings).at_least(outcome)
    }
}

/// Every verdict; beside other rules only those that differ, with the line's number from 1 and both verdicts.
fn outcomes(book: &Rulebook, other: Option<&Rulebook>, log: &[Line]) -> Vec<Value> {
    let verdicts = replay(book, log, outside());
    let json = |verdict: &Verdict| serde_json::to_value(verdict).unwrap_or(Value::Null);
    let Some(other) = other else { return verdicts.iter().map(json).collect() };
    let numbers = (1..).zip(log).filter(|(_, line)| matches!(line, Line::Event(..))).map(|(number, _)| number);
    let both = numbers.zip(verdicts.into_iter().zip(replay(other, log, outside())));
    both.filter(|(_, (own, other))| own.decision != other.decision || own.args != other.args)
        .map(|(number, (own, other)): (u32, _)| json!({"line": number, "was": json(&own), "is": json(&other)}))
        .collect()
}

fn zone_of(name: Option<&str>) -> Result<TimeZone, Finding> {
    let Some(name) = name else { return Ok(TimeZone::UTC) };
    let numeric = name.starts_with(['+', '-']).then(|| format!("2000-01-01T00:00:00{name}"));
    if let Some(text) = numeric {
        let at = mentci_authority::At::parse(&text).ok();
        let offset = at.and_then(|at| Offset::from_seconds(at.offset_seconds).ok());
        return offset.map(TimeZone::fixed).ok_or_else(|| unknown_zone(name));
    }
    TimeZone::get(name).map_err(|_| unknown_zone(name))
}

fn unknown_zone(name: &str) -> Finding {
    Finding::new(Code::CONFIG_VALUE, format!("`{}` is no time zone", name.escape_debug()))
        .help("zones are named as in `Europe/Berlin`, `UTC` or `+02:00`")
}

fn offset(zone: &TimeZone, ms: i64) -> i32 {
    Timestamp::from_millisecond(ms).map_or(0, |moment| zone.to_offset(moment).seconds())
}

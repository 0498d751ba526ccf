//! A recorded session through rules: one event a line, one outcome a line, in order.

use std::collections::{BTreeMap, BTreeSet};

use mentci_authority::{At, Event, Hook, Verdict};
use mentci_ledger::{Act, Record};
use mentci_source::{Code, Finding, Source};
use serde::Deserialize;

use super::{Court, Outside, Rulebook, admit};

/// A line of a log: an event, or what a person did.
#[derive(Debug, Clone)]
pub enum LogLine {
    /// An event.
    Event(Box<Event>, Answered),
    /// What a person did.
    Act(Record),
}

/// Whether the log holds the answer of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answered {
    /// It does, or the line is no call.
    Yes,
    /// It does not: once admitted, the call counts as executed.
    No,
}

/// How far east of UTC schedules are read at a moment, in seconds.
pub type OffsetAt<'z> = dyn Fn(i64) -> i32 + 'z;

/// Reads a log. Time is read under `offset_at` where a line does not say its own offset.
///
/// # Errors
/// The first line that does not read, with its place.
pub fn read_log(source: &Source, offset_at: &OffsetAt<'_>) -> Result<Vec<LogLine>, Finding> {
    let mut lines = Vec::new();
    for (number, text) in (1..).zip(source.text().lines()) {
        if !text.trim().is_empty() {
            lines.push(read_line(source, number, text, offset_at)?);
        }
    }
    mark_unanswered(&mut lines);
    Ok(lines)
}

/// Judges every line of a log by a rulebook, from an empty ledger. A person's act has no outcome.
pub fn replay(rulebook: &Rulebook, lines: &[LogLine], outside: Outside<'_>) -> Vec<Verdict> {
    let mut court = Court::new(rulebook, outside);
    let mut verdicts = Vec::new();
    for line in lines {
        match line {
            LogLine::Event(event, answered) => verdicts.push(court.hear(event, *answered == Answered::No)),
            LogLine::Act(record) => court.fold(record),
        }
    }
    verdicts
}

/// `{"act": {"killed": {"reason": "…", "by": "…"}}, "at": …, "session": "…"}`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ActLine {
    act: Act,
    #[serde(default)]
    at: At,
    #[serde(default)]
    session: String,
}

fn read_line(source: &Source, number: u32, text: &str, offset_at: &OffsetAt<'_>) -> Result<LogLine, Finding> {
    if let Ok(line) = serde_json::from_str::<ActLine>(text) {
        return Ok(LogLine::Act(Record::act(&line.session, line.at, line.act)));
    }
    let event: Event = serde_json::from_str(text).map_err(|error| unread(source, number, &error))?;
    Ok(LogLine::Event(Box::new(admit(zoned(event, offset_at))), Answered::Yes))
}

/// UTC times are read in the zone that was asked for; an offset of the line's own stands.
fn zoned(mut event: Event, offset_at: &OffsetAt<'_>) -> Event {
    event.at = event.at.map(|at| if at.offset_seconds == 0 { at.with_offset(offset_at(at.ms)) } else { at });
    event
}

fn unread(source: &Source, number: u32, error: &serde_json::Error) -> Finding {
    let said = error.to_string();
    let said = said.split(" at line ").next().unwrap_or_default().to_owned();
    let mut finding = Finding::new(Code::EVENT_LINE, said).in_file(source.path());
    finding.line = Some(number);
    finding.column = u32::try_from(error.column().max(1)).ok();
    finding.help(
        "each line is one event: `{\"event\": \"pre_tool_call\", \"tool\": {\"name\": …, \"args\": …}}`",
    )
}

/// Finds the calls whose answer the log does not hold: by call id, or, where there is none, by the tool's name in order.
fn mark_unanswered(lines: &mut [LogLine]) {
    let mut by_id: BTreeSet<(String, String)> = BTreeSet::new();
    let mut by_tool: BTreeMap<(String, String), u32> = BTreeMap::new();
    for line in lines.iter_mut().rev() {
        let LogLine::Event(event, answered) = line else { continue };
        let Some(tool) = &event.tool else { continue };
        let (session, name) = (event.session.clone(), tool.name.clone());
        match (event.hook, tool.call_id.clone()) {
            (Hook::PostToolResponse, Some(id)) => drop(by_id.insert((session, id))),
            (Hook::PostToolResponse, None) => *by_tool.entry((session, name)).or_default() += 1,
            (Hook::PreToolCall, id) => {
                let known = id.is_some_and(|id| by_id.contains(&(session.clone(), id)));
                let waiting = by_tool.get_mut(&(session, name)).filter(|count| **count > 0);
                if let (false, Some(count)) = (known, waiting) {
                    *count -= 1;
                } else if !known {
                    *answered = Answered::No;
                }
            }
            _ => {}
        }
    }
}

//! A recorded session through rules: one event a line, one outcome a line, in order.

use std::collections::{BTreeMap, BTreeSet};

use mentci_authority::{At, Event, Hook, Verdict, halves, mended, plainly};
use mentci_ledger::{Act, Record};
use mentci_source::{Code, Finding, Reading, Source};
use serde::Deserialize;
use serde::de::Error;

use super::{Court, Outside, Rulebook, admit, event_line, session_problem};

/// A line of a log: an event, or what a person did.
#[derive(Debug, Clone)]
pub enum LogLine {
    /// An event.
    Event(Box<Event>, Answered),
    /// What a person did.
    Act(Box<Record>),
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
    match read_log_so_far(source, offset_at) {
        (lines, None) => Ok(lines),
        (_, Some(finding)) => Err(finding),
    }
}

/// The lines of a log up to the first that does not read, and what is wrong with that one.
pub fn read_log_so_far(source: &Source, offset_at: &OffsetAt<'_>) -> (Vec<LogLine>, Option<Finding>) {
    let (mut lines, mut wrong) = (Vec::new(), None);
    for (number, text) in (1..).zip(source.text().lines()) {
        if text.trim().is_empty() {
            continue;
        }
        match read_line(source, number, text, offset_at) {
            Ok(line) => lines.push(line),
            Err(finding) => {
                wrong = Some(finding);
                break;
            }
        }
    }
    mark_unanswered(&mut lines);
    (lines, wrong)
}

/// Lines of JSON in which halves of UTF-16 pairs stand for U+FFFD, as hooks take them: whoever cut a text within a character loses
/// no line by it.
pub fn mended_lines(source: Source) -> Reading<Source> {
    let places: Vec<usize> = halves(source.text().as_bytes()).collect();
    let Some((&first, more)) = places.split_first() else { return Reading::clean(source) };
    let before = &source.text()[..first];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let (line, column) = (before.matches('\n').count(), before[line_start..].chars().count());
    let message = match more.len() {
        0 => "half of a UTF-16 pair stands alone: it is read as U+FFFD".to_owned(),
        more => format!(
            "halves of UTF-16 pairs stand alone here and in {more} more places: they are read as U+FFFD"
        ),
    };
    let mut finding = Finding::new(Code::NOT_UTF8, message).in_file(source.path());
    (finding.line, finding.column) = (u32::try_from(line + 1).ok(), u32::try_from(column + 1).ok());
    let text = String::from_utf8_lossy(&mended(source.text().as_bytes())).into_owned();
    Reading { value: Source::new(source.path(), text.as_str()), findings: vec![finding] }
}

/// Reads one event, which may be written on many lines. Its time is its own, or UTC.
///
/// # Errors
/// What keeps the text from being one event, with its place.
pub fn read_event(source: &Source) -> Result<Event, Finding> {
    match event_line::event(source.text()) {
        Ok(event) => Ok(admit(event)),
        Err(_) if is_log(source) => {
            let finding = Finding::new(Code::EVENT_LINE, "one event is decided, and this is a log");
            Err(finding.help("`policy-engine replay` takes many").in_file(source.path()))
        }
        Err(error) => {
            let line = u32::try_from(error.line().max(1)).unwrap_or(u32::MAX);
            Err(unread(source, line, &error))
        }
    }
}

/// Whether a text is no event, and holds lines that may be.
fn is_log(source: &Source) -> bool {
    let mut lines = source.text().lines().filter(|line| !line.trim().is_empty());
    match (lines.next(), lines.next()) {
        (None, _) => true,
        (Some(first), None) => serde_json::from_str::<ActLine>(first).is_ok(),
        (Some(first), Some(_)) => event_line::event(first).is_ok(),
    }
}

/// Judges every line of a log by a rulebook, from an empty ledger. A person's act has no outcome.
pub fn replay(rulebook: &Rulebook, lines: &[LogLine], outside: Outside<'_>) -> Vec<Verdict> {
    let mut court = Court::new(rulebook, outside);
    let mut verdicts = Vec::new();
    for (line, ahead) in lines.iter().zip(ahead(lines)) {
        match line {
            LogLine::Event(event, answered) => {
                verdicts.push(court.hear_at(event, *answered == Answered::No, ahead));
            }
            LogLine::Act(record) => court.fold(record),
        }
    }
    verdicts
}

/// For each line that is dated ahead of those that follow it in its session: when it counts as having happened. A clock
/// that leaps ahead once would empty every window after it. The lines that agree with each other are the longest run whose
/// time never falls; what stands between two of them and is later than the next of them is ahead.
fn ahead(lines: &[LogLine]) -> Vec<Option<At>> {
    let mut sessions: BTreeMap<&str, Vec<(usize, At)>> = BTreeMap::new();
    for (number, line) in lines.iter().enumerate() {
        if let LogLine::Event(event, _) = line
            && let Some(at) = event.at
        {
            sessions.entry(&event.session).or_default().push((number, at));
        }
    }
    let mut ahead = vec![None; lines.len()];
    for times in sessions.values() {
        let mut agreed = agreeing(times).into_iter().peekable();
        for (place, (number, at)) in times.iter().enumerate() {
            while agreed.next_if(|&own| own <= place).is_some() {}
            if let Some(&next) = agreed.peek() {
                ahead[*number] = Some(times[next].1).filter(|next| next.ms < at.ms);
            }
        }
    }
    ahead
}

/// The places of the longest run of times that never falls. Of equals that which ends earliest, and then that which begins
/// latest: the less time has passed, the more is within a window.
fn agreeing(times: &[(usize, At)]) -> Vec<usize> {
    let ms = |place: usize| times[place].1.ms;
    // By the length of the longest run that ends there: the places, whose times fall.
    let mut ends: Vec<Vec<usize>> = Vec::new();
    for place in 0..times.len() {
        let earliest = |places: &Vec<usize>| places.last().is_some_and(|&end| ms(end) <= ms(place));
        let length = ends.partition_point(earliest);
        match ends.get_mut(length) {
            Some(places) => places.push(place),
            None => ends.push(vec![place]),
        }
    }
    let mut run: Vec<usize> = Vec::new();
    for places in ends.iter().rev() {
        let before = run.last().map(|&next| places.partition_point(|&place| ms(place) > ms(next)));
        let place = before.map_or(places.last(), |at| places.get(at));
        run.extend(place);
    }
    run.reverse();
    run
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
        if let Some(problem) = session_problem(&line.session) {
            return Err(unread(source, number, &serde_json::Error::custom(problem)));
        }
        return Ok(LogLine::Act(Box::new(Record::act(&line.session, line.at, line.act))));
    }
    let event = event_line::event(text).map_err(|error| unread(source, number, &error))?;
    Ok(LogLine::Event(Box::new(admit(zoned(event, offset_at))), Answered::Yes))
}

/// UTC times are read in the zone that was asked for; an offset of the line's own stands.
fn zoned(mut event: Event, offset_at: &OffsetAt<'_>) -> Event {
    event.at = event.at.map(|at| if at.offset_seconds == 0 { at.with_offset(offset_at(at.ms)) } else { at });
    event
}

fn unread(source: &Source, number: u32, error: &serde_json::Error) -> Finding {
    let mut finding = Finding::new(Code::EVENT_LINE, plainly(error)).in_file(source.path());
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

//! Replaying a log, and deciding one event.

use jiff::Timestamp;
use jiff::tz::{Offset, TimeZone};
use mentci_authority::{Effect, Event, ToolCall, Trust, Usage, Verdict};
use mentci_chatmd::Document;
use mentci_host::policy::{
    Court, Input, Line, LinesAnswer, LogLine, Outside, Rulebook, add_places, admit, mended_lines, problem,
    read_event, read_log_so_far, replay,
};
use mentci_host::transcript::{RuleNames, Transcript, TranscriptReading, lines, replay_steps};
use mentci_host::{Outcome, Response, Unambiguous};
use mentci_source::{Code, Finding, Reading, Severity, Source};
use serde_json::{Map, Value};

use super::files::gather;
use crate::session::is_document;
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
        let told = match events {
            Input::Path(path) if is_document(path) => Some(self.shown_input(events)),
            Input::Text { name, .. } if is_document(name) => Some(self.input(events)),
            _ => None,
        };
        let document = match told.transpose() {
            Ok(document) => document,
            Err(finding) => return Response::bad([finding]),
        };
        let book = match &document {
            Some(document) if rules.is_empty() => self.book_beside(document),
            _ => self.rulebook(rules),
        };
        let other = (!against.is_empty()).then(|| self.rulebook(against));
        // Beside rules of which some are missing whatever those refuse would seem to be allowed: they are never left out.
        let beside = other.as_ref().is_none_or(Rulebook::is_whole);
        let empty = against.iter().find_map(|path| self.without_rules(path));
        if (!book.is_whole() && !lenient) || !beside || empty.is_some() {
            let others = other.into_iter().flat_map(|other| other.findings);
            return Response::bad(book.findings.into_iter().chain(others).chain(empty));
        }
        let others: Vec<Finding> = other.iter().flat_map(|other| other.findings.clone()).collect();
        if let Some(document) = document {
            return self.replay_transcript(&document, &book, other.as_ref(), zone).with(others);
        }
        let log = zone_of(zone).and_then(|zone| {
            let Reading { value: source, findings } = mended_lines(self.told_lines(events)?);
            Ok((read_log_so_far(&source, &|ms| offset(&zone, ms)), findings))
        });
        match log {
            Ok(((log, Some(wrong)), _)) if log.is_empty() => Response::bad([wrong]),
            Ok(((log, wrong), odd)) => {
                // What was decided before a line that does not read is decided.
                let outcome = if wrong.is_some() { Outcome::Bad } else { Outcome::Ok };
                Response::ok(LinesAnswer { lines: outcomes(&book, other.as_ref(), &log, self.outside()) })
                    .with(odd)
                    .with(book.findings)
                    .with(others)
                    .with(wrong)
                    .at_least(outcome)
            }
            Err(finding) => Response::bad([finding]),
        }
    }

    /// What is wrong with a path that holds no file of rules: nothing is no other law.
    fn without_rules(&self, path: &str) -> Option<Finding> {
        let found = gather(self.fs.as_ref(), &self.root, &self.shown(&[path.to_owned()]), Trust::User);
        let is_empty = found.files.is_empty() && found.findings.is_empty();
        is_empty.then(|| {
            let message = format!("`{}` holds no rules", path.escape_debug());
            Finding::new(Code::UNREADABLE, message).help("name files and folders of rules, or `builtin`")
        })
    }

    /// A transcript, decided again: one outcome for each of its events, with the block that tells it.
    fn replay_transcript(
        &self,
        document: &Source,
        book: &Rulebook,
        other: Option<&Rulebook>,
        zone: Option<&str>,
    ) -> Response {
        let zone = match zone_of(zone) {
            Ok(zone) => zone,
            Err(finding) => return Response::bad([finding]),
        };
        let read = Document::read(document);
        let starts: Vec<usize> = read.value.blocks().map(|block| block.span().start as usize).collect();
        let names = RuleNames::of(document.path(), &book.program);
        let Reading { value, findings } = Transcript::of(&read.value, document, &names);
        let TranscriptReading { mut steps, mut transcript } = value;
        steps.extend(transcript.finish());
        let log = lines(&steps, "", &|ms| offset(&zone, ms));
        let replayed =
            |book: &Rulebook| replay_steps(book, (document, &starts), (&steps, &log), self.outside());
        let own = replayed(book);
        let lines = match other {
            None => own.into_iter().map(|one| Line::Replayed(Box::new(one))).collect(),
            Some(other) => {
                let both = own.into_iter().zip(replayed(other));
                both.filter(|(was, is)| differs(&was.verdict, &is.verdict))
                    .map(|(was, is)| Line::Difference {
                        line: was.line,
                        was: Box::new(was.verdict),
                        is: Box::new(is.verdict),
                    })
                    .collect()
            }
        };
        Response::ok(LinesAnswer { lines }).with(findings).with(book.findings.clone())
    }

    /// One event: by rules that are named, from an empty log; otherwise by the workspace's own, and its log remembers.
    pub(super) fn decide(
        &self,
        rules: &[String],
        event: Event,
        beside: Option<&Input>,
        dry_run: bool,
    ) -> Response {
        let beside = match beside.map(|beside| self.shown_input(beside)).transpose() {
            Ok(beside) => beside.map(|document| self.beside_of(document)),
            Err(finding) => return Response::bad([finding]),
        };
        match (rules, beside) {
            ([], beside) => self.decide_here(event, beside.as_deref(), dry_run),
            (_, None) => self.decide_by(rules, &event),
            (_, Some(_)) => {
                let finding = Finding::new(
                    Code::CONFIG_VALUE,
                    "`--beside` and `--rules` are two answers to one question",
                );
                Response::bad([finding
                    .help("`--beside` adds to the workspace's own rules, `--rules` stands instead of them")])
            }
        }
    }

    /// One event that a door tells as it is, now: by the workspace's own rules, and its log remembers.
    pub(crate) fn decide_told(&self, event: Event) -> Response {
        if let Some(problem) = problem(&event) {
            return Response::bad([Finding::new(Code::EVENT_LINE, problem)]);
        }
        let mut event = self.at_its_time(admit(self.entered(self.with_skill(event))), false);
        add_places(&mut event, self);
        self.decide_here(event, None, false)
    }

    /// The event that a door tells, admitted, and what was passed over of it.
    pub(super) fn told_event(&self, event: &Input, lenient: bool) -> Result<(Event, Vec<Finding>), Finding> {
        let Reading { value: source, findings } = mended_lines(self.told_lines(event)?);
        let (source, passed) = if lenient { known(&source) } else { (source, Vec::new()) };
        let mut event = read_event(&source)?;
        add_places(&mut event, self);
        Ok((event, findings.into_iter().chain(passed).collect()))
    }

    fn decide_by(&self, rules: &[String], event: &Event) -> Response {
        let book = self.rulebook(rules);
        if !book.is_whole() {
            return Response::bad(book.findings);
        }
        let time = self.script_time();
        let outside = Outside { scripts: &time, ..self.outside() };
        let verdict = Court::new(&book, outside).hear(event, false);
        let outcome = outcome(&verdict);
        super::lines(vec![super::line(verdict)]).with(book.findings).at_least(outcome)
    }
}

/// An event without the keys that are not known, and a finding for each. What is no object is left as it is.
fn known(source: &Source) -> (Source, Vec<Finding>) {
    let is_plain = serde_json::from_str::<Unambiguous>(source.text()).is_ok();
    let (Ok(Value::Object(mut event)), true) = (serde_json::from_str(source.text()), is_plain) else {
        // What is wrong with it is told where it is read.
        return (source.clone(), Vec::new());
    };
    let mut passed = strip(&mut event, Event::KEYS, "");
    if let Some(Value::Object(tool)) = event.get_mut("tool") {
        passed.extend(strip(tool, ToolCall::KEYS, "tool."));
    }
    if let Some(Value::Object(usage)) = event.get_mut("usage") {
        passed.extend(strip(usage, Usage::KEYS, "usage."));
    }
    if passed.is_empty() {
        return (source.clone(), Vec::new());
    }
    let findings = passed.into_iter().map(|key| {
        let message = format!("`{}` is no key of an event: it is passed over", key.escape_debug());
        let finding = Finding::new(Code::EVENT_LINE, message).in_file(source.path());
        Finding { severity: Severity::Warning, ..finding }
    });
    let findings = findings.collect();
    (Source::new(source.path().as_ref(), Value::Object(event).to_string().as_str()), findings)
}

fn strip(map: &mut Map<String, Value>, keys: &[&str], place: &str) -> Vec<String> {
    let unknown: Vec<String> = map.keys().filter(|key| !keys.contains(&key.as_str())).cloned().collect();
    for key in &unknown {
        map.remove(key);
    }
    unknown.into_iter().map(|key| format!("{place}{key}")).collect()
}

/// A call that may not run is outcome 1.
pub(super) fn outcome(verdict: &Verdict) -> Outcome {
    let denied = matches!(verdict.decision, Effect::Block | Effect::Approve);
    if denied { Outcome::Findings } else { Outcome::Ok }
}

/// Every verdict; beside other rules only those that differ, with the line's number from 1 and both verdicts.
fn outcomes(book: &Rulebook, other: Option<&Rulebook>, log: &[LogLine], outside: Outside<'_>) -> Vec<Line> {
    let verdicts = replay(book, log, outside);
    let Some(other) = other else { return verdicts.iter().cloned().map(super::line).collect() };
    let events =
        (1..).zip(log).filter(|(_, line)| matches!(line, LogLine::Event(..))).map(|(number, _)| number);
    let both = events.zip(verdicts.into_iter().zip(replay(other, log, outside)));
    both.filter(|(_, (was, is))| differs(was, is))
        .map(|(line, (was, is))| Line::Difference { line, was: Box::new(was), is: Box::new(is) })
        .collect()
}

fn differs(was: &Verdict, is: &Verdict) -> bool {
    was.decision != is.decision || was.args != is.args || was.result != is.result
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

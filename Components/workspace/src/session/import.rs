//! Lines that are taken into the log.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use mentci_authority::{
    ArtifactError, ArtifactId, At, Effect, Event, Hook, NewArtifact, ToolStatus, Verdict,
};
use mentci_context::{Counts, Session, SessionFile};
use mentci_host::Response;
use mentci_host::policy::{Input, LogLine, admit, mended_lines, read_log};
use mentci_host::session::{SessionTotals, SessionsAnswer};
use mentci_ledger::{Decided, Record};
use mentci_source::{Code, Finding, Reading, Severity, Source};
use mentci_store::{Store, StoreError};
use serde_json::{Map, Value};

use super::artifacts::refused;
use super::log::unavailable;
use super::run::is_document;
use crate::policy::sure;
use crate::workspace::Workspace;

/// A record, with its event as it is kept.
pub(super) type Written = (Record, Option<String>);

impl Workspace {
    /// Takes lines into the log as they are told: nothing is decided again. All of them are taken, or none, and of none
    /// nothing is kept.
    pub(super) fn import_session(&self, events: &Input, into: Option<&str>) -> Result<Response, Finding> {
        let source = match events {
            Input::Path(path) => sure(Source::decode(path.as_str(), &self.bytes_of(path)?))?,
            text @ Input::Text { .. } => self.input(text)?,
        };
        if is_document(source.path()) {
            return self.import_transcript(&source, into);
        }
        let Reading { value: source, findings: odd } = mended_lines(source);
        let mut told = read_log(&source, &|_| 0).map_err(|finding| helped(finding, source.text()))?;
        if let Some(into) = into {
            for line in &mut told {
                into.clone_into(session_of(line));
            }
        }
        let keeper = self.keeper();
        for session in told.iter_mut().map(session_of) {
            *session = keeper.name(session);
        }
        let sessions = named(&mut told).map_err(|finding| finding.in_file(source.path()))?;
        self.must_be_new(&sessions)?;
        let records = self.written(told);
        let (sessions, findings) = self.take_records(&records)?;
        let lost = self.hold_what_is_named(&records)?;
        Ok(Response::ok(SessionsAnswer { sessions }).with(odd).with(findings).with(lost))
    }

    /// What lines name by a handle is held by their sessions; what of it is not there.
    fn hold_what_is_named(&self, records: &[Written]) -> Result<Vec<Finding>, Finding> {
        let named: BTreeSet<(&str, ArtifactId)> = records
            .iter()
            .filter_map(|(record, event)| Some((record.session.as_str(), handle(event.as_deref()?)?)))
            .collect();
        if named.is_empty() {
            return Ok(Vec::new());
        }
        let store = self.artifacts()?;
        for (session, id) in &named {
            match store.hold(session, id, self.seconds()) {
                // It is told below.
                Err(error) if concerns_one(&error) => {}
                held => drop(held.map_err(refused)?),
            }
        }
        let lost = self.lost(&named.iter().map(|(_, id)| *id).collect(), "that the lines name")?;
        let help = "`session export` without `--handles` writes their content into the lines";
        let helped = |finding: Finding| {
            if finding.code == Code::ARTIFACT_UNKNOWN { finding.help(help) } else { finding }
        };
        Ok(lost.into_iter().map(helped).collect())
    }

    /// What is said of artifacts that are named and cannot be had: nobody can fetch them.
    pub(crate) fn lost(&self, named: &BTreeSet<ArtifactId>, which: &str) -> Result<Vec<Finding>, Finding> {
        if named.is_empty() {
            return Ok(Vec::new());
        }
        let (store, mut gone, mut unread) = (self.artifacts()?, 0, Vec::new());
        for id in named {
            match store.handle(id) {
                Ok(handle) => gone += usize::from(handle.is_none()),
                Err(error) if concerns_one(&error) => unread.push(refused(error).severity(Severity::Warning)),
                Err(error) => return Err(refused(error)),
            }
        }
        let more = unread.len().saturating_sub(MOST_UNREAD);
        unread.truncate(MOST_UNREAD);
        let said = |count, what: &str| {
            let finding = Finding::new(
                Code::ARTIFACT_UNKNOWN,
                format!("{count} of {} artifacts {which} {what}", named.len()),
            );
            finding.severity(Severity::Warning).help("`policy-engine artifact list` shows what is kept")
        };
        unread.extend((more > 0).then(|| said(more, "have notes that cannot be read, beside these")));
        unread.extend((gone > 0).then(|| said(gone, "are not here")));
        Ok(unread)
    }

    /// Writes the records of sessions that the log does not know, in one transaction: all of them, or none.
    pub(super) fn take_records(
        &self,
        records: &[Written],
    ) -> Result<(Vec<SessionTotals>, Vec<Finding>), Finding> {
        let sessions: BTreeSet<String> = records.iter().map(|(record, _)| record.session.clone()).collect();
        let (done, findings) = self.with_store(|store| store.bring_in(records));
        if let Some(known) = done.map_err(|error| unavailable(&error))? {
            return Err(already(&known));
        }
        let rows = self.session_totals()?.0.into_iter();
        Ok((rows.filter(|row| sessions.contains(&row.session)).collect(), findings))
    }

    /// The session of a file as the log would hold it were it imported, so that both are compiled alike; and what is moved out of it,
    /// which nobody has stored yet.
    pub(super) fn session_as_kept(
        &self,
        file: SessionFile,
        counts: Arc<Counts>,
    ) -> (Reading<Session>, Vec<NewArtifact>) {
        let (keeper, now, verdict) = (self.keeper(), self.seconds(), Verdict::default());
        let (mut moved, mut times) = (Vec::new(), Times::default());
        let detector = keeper.aligner().detector().clone();
        let session = file.session_as(None, counts, Some(detector), &mut |event| {
            let mut event = admit(event);
            let (own, decided) = (event.at, decided(&event));
            event.at = Some(times.of(&event));
            let kept = keeper.keep(&event, &verdict, now);
            moved.extend(kept.artifacts);
            (Event { at: own, ..kept.event }, Some(decided))
        });
        (session, moved)
    }

    fn must_be_new(&self, sessions: &BTreeSet<String>) -> Result<(), Finding> {
        let (known, _) = self.with_store(|store| known_of(store, sessions));
        known.map_err(|error| unavailable(&error))?.map_or(Ok(()), |known| Err(already(&known)))
    }

    /// Lines as the log holds them; what is large is stored from here on.
    fn written(&self, told: Vec<LogLine>) -> Vec<Written> {
        let (keep, verdict, mut times) = (self.keeping(), Verdict::default(), Times::default());
        let written = |line| match line {
            LogLine::Act(record) => (*record, None),
            LogLine::Event(mut event, _) => {
                let own = event.at;
                event.at = Some(times.of(&event));
                let kept = Event { at: own, ..keep(&event, &verdict) };
                event.at = own;
                let record = Record::of(&event, &decided(&event), Vec::new()).keeping(&kept);
                (record, kept.to_line().ok())
            }
        };
        told.into_iter().map(written).collect()
    }
}

/// When lines happened: one without a time of its own when the last one of its session did.
#[derive(Default)]
struct Times(BTreeMap<String, At>);

impl Times {
    fn of(&mut self, event: &Event) -> At {
        let last = self.0.entry(event.session.clone()).or_default();
        *last = event.at.unwrap_or(*last);
        *last
    }
}

/// The most artifacts that are told one by one.
const MOST_UNREAD: usize = 20;

/// Whether it is one artifact that cannot be had: the others can.
pub(super) fn concerns_one(error: &ArtifactError) -> bool {
    matches!(error, ArtifactError::Tampered(_) | ArtifactError::Unread { .. })
}

/// What a line that does not read may be instead.
fn helped(finding: Finding, text: &str) -> Finding {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let keys: Map<String, Value> = serde_json::from_str(first).unwrap_or_default();
    if keys.contains_key("kind") || keys.contains_key("format") {
        return finding.help(
            "the log takes lines that `replay` reads, as `session export` writes them without `--evidence`; a file of a session's own events is compiled, shown and verified as it stands",
        );
    }
    finding
}

/// What stands in the place of an event's result.
fn handle(event: &str) -> Option<ArtifactId> {
    if !event.contains("artifact_id") {
        return None;
    }
    let event: Value = serde_json::from_str(event).ok()?;
    event.pointer("/result/value/artifact/artifact_id")?.as_str()?.parse().ok()
}

fn session_of(line: &mut LogLine) -> &mut String {
    match line {
        LogLine::Act(record) => &mut record.session,
        LogLine::Event(event, _) => &mut event.session,
    }
}

/// The sessions that the lines name.
fn named(lines: &mut [LogLine]) -> Result<BTreeSet<String>, Finding> {
    let mut sessions = BTreeSet::new();
    for line in lines {
        let what = if matches!(line, LogLine::Act(_)) { "act" } else { "event" };
        let session = session_of(line);
        if session.is_empty() {
            let finding = Finding::new(Code::SESSION_UNKNOWN, format!("an {what} says no session"));
            return Err(finding.help("`--as SESSION` names the one that the lines become"));
        }
        if !sessions.contains(session) {
            sessions.insert(session.clone());
        }
    }
    Ok(sessions)
}

/// The first of these that the log has already.
fn known_of(store: &mut dyn Store, sessions: &BTreeSet<String>) -> Result<Option<String>, StoreError> {
    for session in sessions {
        let mut is_known = false;
        store.walk(session, 0, &mut |_| {
            is_known = true;
            ControlFlow::Break(())
        })?;
        if is_known {
            return Ok(Some(session.clone()));
        }
    }
    Ok(None)
}

fn already(known: &str) -> Finding {
    Finding::new(Code::SESSION_KNOWN, format!("the log has a session `{}` already", known.escape_debug()))
        .help("`--as SESSION` gives the lines another name")
}

/// What a line says was decided: it was denied, or it was let through.
fn decided(event: &Event) -> Decided {
    let denied = event.hook == Hook::PreToolCall
        && event.tool.as_ref().is_some_and(|tool| tool.status == Some(ToolStatus::Denied));
    if denied { Decided::new(Effect::Block, []) } else { Decided::allowed() }
}

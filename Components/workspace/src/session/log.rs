//! The verbs of sessions: the log, shown, checked, exported and imported.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use mentci_authority::{At, Event, Hook, ToolResult, ToolStatus};
use mentci_context::{Counts, Session, SessionFile};
use mentci_host::policy::{Input, Line, LinesAnswer, LogLine, read_log};
use mentci_host::session::{SessionEvents, SessionRequest, SessionTotals, SessionVerified, SessionsAnswer};
use mentci_host::{Outcome, Response};
use mentci_ledger::{Act, Decided, Record, What};
use mentci_source::{Code, Finding, Severity, Source};
use mentci_store::{Store, StoreError};
use serde_json::{Map, Value, json};

use super::artifacts::refused;
use super::run::is_document;
use crate::workspace::Workspace;

/// What is done with each line: its record, and its event as it was kept.
type Each<'e> = dyn FnMut(&Record, Option<&str>) -> Result<(), Finding> + 'e;

/// How many lines of an import are written at a time.
const BATCH: usize = 1_000;

impl Workspace {
    /// Carries out a verb of sessions.
    pub(crate) fn session(&self, request: SessionRequest) -> Response {
        let answered = match request {
            SessionRequest::List => self.list_sessions(),
            SessionRequest::Show { of, last } => self.show_session(&of, last),
            SessionRequest::Verify { of, root } => self.verify_session(&of, root.as_deref()),
            SessionRequest::Export { of, handles, evidence } => self.export_session(&of, handles, evidence),
            SessionRequest::Import { events, into } => self.import_session(&events, into.as_deref()),
        };
        answered.unwrap_or_else(|finding| Response::bad([finding]))
    }

    fn list_sessions(&self) -> Result<Response, Finding> {
        let (sessions, findings) = self.session_totals()?;
        Ok(Response::ok(SessionsAnswer { sessions }).with(findings))
    }

    fn session_totals(&self) -> Result<(Vec<SessionTotals>, Vec<Finding>), Finding> {
        let (rows, findings) = self.with_store(Store::sessions);
        let rows = rows.map_err(|error| unavailable(&error))?;
        let sessions = rows.into_iter().map(|row| SessionTotals {
            session: row.session,
            events: row.version,
            first: moment(row.first_ms),
            last: moment(row.last_ms),
            stopped: row.killed,
        });
        Ok((sessions.collect(), findings))
    }

    fn show_session(&self, of: &str, last: Option<usize>) -> Result<Response, Finding> {
        let (session, findings) = self.open_session(of, Arc::new(Counts::new(mentci_tokens::o200k())))?;
        let left_out = last.map_or(0, |last| session.events().len().saturating_sub(last));
        let answer = SessionEvents {
            session: session.session_id().to_owned(),
            tokens: session.total_tokens(),
            events: session.events().skip(left_out).cloned().collect(),
            left_out,
        };
        Ok(Response::ok(answer).with(findings))
    }

    /// A session of the log, or of a file; with what is odd about it.
    pub(super) fn open_session(
        &self,
        of: &str,
        counts: Arc<Counts>,
    ) -> Result<(Session, Vec<Finding>), Finding> {
        if let Some(session) = self.stored_session(of, &counts)? {
            return Ok((session, Vec::new()));
        }
        if is_document(of) {
            return self.told_session(of, counts);
        }
        let (file, findings) = self.session_file(of)?;
        if let Some(error) = findings.iter().find(|finding| finding.severity == Severity::Error) {
            return Err(error.clone());
        }
        let detector = self.keeper().aligner().detector().clone();
        let session = file.session(None, counts, Some(detector));
        Ok((session.value, findings.into_iter().chain(session.findings).collect()))
    }

    /// The session of this id; none when the log does not know it.
    fn stored_session(&self, id: &str, counts: &Arc<Counts>) -> Result<Option<Session>, Finding> {
        let mut session = Session::new(id, counts.clone());
        let mut lines = 0_u64;
        self.walk(id, &mut |record, body| {
            lines += 1;
            let (Some(seen), Some(body)) = (record.seen(), body) else { return Ok(()) };
            // Lines of older versions may hold what this one does not know: they say what their record says.
            if let Ok(event) = serde_json::from_str::<Event>(body) {
                session.take_in(&Event { at: record.at.or(event.at), ..event }, Some(&seen.decided));
            }
            Ok(())
        })?;
        Ok((lines > 0).then_some(session))
    }

    /// Hands the lines of a session to `each`, in order.
    fn walk(&self, session: &str, each: &mut Each<'_>) -> Result<(), Finding> {
        let mut failed = None;
        let (walked, _) = self.with_store(|store| {
            store.walk(session, 0, &mut |line| {
                let Ok(record) = serde_json::from_str::<Record>(line.record) else {
                    return ControlFlow::Continue(());
                };
                match each(&record, line.body) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(finding) => {
                        failed = Some(finding);
                        ControlFlow::Break(())
                    }
                }
            })
        });
        walked.map_err(|error| unavailable(&error))?;
        failed.map_or(Ok(()), Err)
    }

    fn session_file(&self, of: &str) -> Result<(SessionFile, Vec<Finding>), Finding> {
        let read = SessionFile::read(&shown(of), &self.bytes_of(of)?);
        Ok((read.value, read.findings))
    }

    /// A file of a session, which may be as large as sessions are.
    pub(super) fn bytes_of(&self, path: &str) -> Result<Vec<u8>, Finding> {
        let Ok((_, mut file)) = self.fs.open(&self.root.join(path)) else {
            let message = format!("no session is `{}`, and no file", path.escape_debug());
            return Err(Finding::new(Code::SESSION_UNKNOWN, message)
                .help("`policy-engine session list` shows the sessions of the log"));
        };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|error| {
            Finding::new(Code::UNREADABLE, format!("it could not be read: {error}")).in_file(&shown(path))
        })?;
        Ok(bytes)
    }

    fn verify_session(&self, of: &str, root: Option<&str>) -> Result<Response, Finding> {
        // What is proved of an event has its tokens in it: they are counted as `export` counts them.
        let counts = Arc::new(Counts::new(mentci_tokens::o200k()));
        let answer = match self.stored_session(of, &counts)? {
            Some(session) => self.verified_log(&session)?,
            None => self.verified_file(of, counts)?,
        };
        let other = root.filter(|root| *root != answer.root && answer.holds);
        let why = other.map(|root| format!("its root is not `{}`", root.escape_debug()));
        let answer =
            SessionVerified { holds: answer.holds && why.is_none(), why: why.or(answer.why), ..answer };
        let outcome = if answer.holds { Outcome::Ok } else { Outcome::Findings };
        Ok(Response::ok(answer).at_least(outcome))
    }

    /// A session of the log: the log's own hashes say whether a line was changed.
    fn verified_log(&self, session: &Session) -> Result<SessionVerified, Finding> {
        let (audit, _) = self.with_store(Store::audit);
        let audit = audit.map_err(|error| unavailable(&error))?;
        let broken = audit.broken.map(|seq| format!("line {seq} of the log is not what was written"));
        let why = broken.or(self.misplaced(session.session_id())?);
        let pack = session.to_evidence_pack();
        Ok(verified(session.session_id(), pack.entries.len(), &pack.root.to_string(), why))
    }

    /// Whether the lines of a session are its own and follow each other: the log's hashes do not cover whose a line is said
    /// to be.
    fn misplaced(&self, session: &str) -> Result<Option<String>, Finding> {
        let (mut before, mut wrong) = (0, None);
        let (walked, _) = self.with_store(|store| {
            store.walk(session, 0, &mut |line| {
                let record = serde_json::from_str::<Record>(line.record).ok();
                let is_own = record.is_some_and(|record| record.session == session);
                before += 1;
                if line.version == before && is_own {
                    return ControlFlow::Continue(());
                }
                let what = if is_own { "a line before it is missing" } else { "it is another session's" };
                wrong = Some(format!("line {} of the log stands where it was not written: {what}", line.seq));
                ControlFlow::Break(())
            })
        });
        walked.map_err(|error| unavailable(&error))?;
        let (rows, _) = self.with_store(Store::sessions);
        let rows = rows.map_err(|error| unavailable(&error))?;
        let told = rows.iter().find(|row| row.session == session).map_or(0, |row| row.version);
        Ok(wrong
            .or((told != before).then(|| format!("the log holds {before} lines, where {told} were written"))))
    }

    /// An exported file: its header states what must hold.
    fn verified_file(&self, of: &str, counts: Arc<Counts>) -> Result<SessionVerified, Finding> {
        let (file, findings) = self.session_file(of)?;
        let (proved, broken) =
            (file.proved, findings.iter().find(|finding| finding.severity == Severity::Error));
        let session = file.session(None, counts, None).value;
        let pack = session.to_evidence_pack();
        let root = proved.unwrap_or(pack.root).to_string();
        let why = match (broken, proved) {
            (Some(finding), _) => Some(finding.to_string()),
            (None, None) => {
                Some("the file states no proof: `session export --evidence` writes one".to_owned())
            }
            (None, Some(_)) => None,
        };
        Ok(verified(session.session_id(), pack.entries.len(), &root, why))
    }

    /// A session as lines. What people did is among them; what rules emitted is not, because they emit it again.
    fn export_session(&self, of: &str, handles: bool, evidence: bool) -> Result<Response, Finding> {
        if evidence {
            let counts = Arc::new(Counts::new(mentci_tokens::o200k()));
            let session = self.stored_session(of, &counts)?.ok_or_else(|| unknown(of))?;
            let lines = session.export().map(Line::Text);
            return Ok(Response::ok(LinesAnswer { lines: lines.collect() }));
        }
        let mut lines = Vec::new();
        let mut raw = Vec::new();
        self.walk(of, &mut |record, body| {
            raw.push((record.clone(), body.map(str::to_owned)));
            Ok(())
        })?;
        if raw.is_empty() {
            return Err(unknown(of));
        }
        for (record, body) in raw {
            lines.extend(self.exported(&record, body.as_deref(), handles)?);
        }
        Ok(Response::ok(LinesAnswer { lines: lines.into_iter().map(Line::Value).collect() }))
    }

    fn exported(&self, record: &Record, body: Option<&str>, handles: bool) -> Result<Option<Value>, Finding> {
        let seen = match &record.what {
            What::Act(act) => return Ok(Some(act_line(record, act))),
            What::Event(seen) => seen,
        };
        if seen.hook == Hook::EventEmitted {
            return Ok(None);
        }
        let Some(mut event) = body.and_then(|body| serde_json::from_str::<Event>(body).ok()) else {
            return Ok(None);
        };
        event.at = record.at.or(event.at);
        if let (Hook::PreToolCall, false, Some(tool)) = (seen.hook, seen.decided.admits(), &mut event.tool) {
            tool.status = Some(ToolStatus::Denied);
            let by = seen.decided.rules.first().map_or("policy", String::as_str);
            let error = Some(format!("denied by {by}"));
            event.result = Some(
                event
                    .result
                    .take()
                    .filter(|told| told.error.is_some())
                    .unwrap_or(ToolResult { error, ..ToolResult::default() }),
            );
        }
        if let (Some(result), false) = (&mut event.result, handles)
            && let Some(whole) = self.brought_back(&result.value)?
        {
            result.value = whole;
        }
        Ok(serde_json::to_value(&event).ok())
    }

    /// The content that a handle stands for; none when the value is no handle, or what it stands for is gone.
    fn brought_back(&self, value: &Value) -> Result<Option<Value>, Finding> {
        let Some(id) = value["artifact"]["artifact_id"].as_str().and_then(|id| id.parse().ok()) else {
            return Ok(None);
        };
        let content = self.artifacts()?.retrieve(&id).map_err(refused)?;
        let is_json = value["artifact"]["mime_type"] == json!("application/json");
        Ok(content.map(|bytes| {
            let parsed = is_json.then(|| serde_json::from_slice(&bytes).ok()).flatten();
            parsed.unwrap_or_else(|| Value::String(String::from_utf8_lossy(&bytes).into_owned()))
        }))
    }

    /// Takes lines into the log as they are told: nothing is decided again. All that read are taken, or none.
    fn import_session(&self, events: &Input, into: Option<&str>) -> Result<Response, Finding> {
        let source = match events {
            Input::Path(path) => Source::decode(path.as_str(), &self.bytes_of(path)?).value,
            text @ Input::Text { .. } => self.input(text)?,
        };
        if is_document(source.path()) {
            return self.import_transcript(&source, into);
        }
        let told = read_log(&source, &|_| 0).map_err(|finding| {
            let first = source.text().lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
            let keys: Map<String, Value> = serde_json::from_str(first).unwrap_or_default();
            if keys.contains_key("kind") || keys.contains_key("format") {
                return finding.help(
                    "the log takes lines that `replay` reads; a file of a session's own events is compiled, shown and verified as it stands",
                );
            }
            finding
        })?;
        let (keep, verdict) = (self.keeping(), mentci_authority::Verdict::default());
        let mut records = Vec::new();
        for line in told {
            records.push(match line {
                LogLine::Act(record) => {
                    let session = into.map_or(record.session.clone(), str::to_owned);
                    (Record { session, ..record }, None)
                }
                LogLine::Event(mut event, _) => {
                    if let Some(into) = into {
                        into.clone_into(&mut event.session);
                    }
                    let kept = keep(&event, &verdict);
                    let decided = decided(&event);
                    let body = serde_json::to_string(&kept).ok();
                    (Record::of(&event, &decided, Vec::new()).keeping(&kept), body)
                }
            });
        }
        if let Some((record, _)) = records.iter().find(|(record, _)| record.session.is_empty()) {
            let what = if record.seen().is_some() { "event" } else { "act" };
            let message = format!("an {what} says no session");
            return Err(Finding::new(Code::SESSION_UNKNOWN, message)
                .help("`--as SESSION` names the one that the lines become")
                .in_file(source.path()));
        }
        self.take_records(&records)
            .map(|(sessions, findings)| Response::ok(SessionsAnswer { sessions }).with(findings))
    }

    /// Writes the records of sessions that the log does not know: all of them, or none.
    pub(super) fn take_records(
        &self,
        records: &[(Record, Option<String>)],
    ) -> Result<(Vec<SessionTotals>, Vec<Finding>), Finding> {
        let mut sessions: Vec<String> = records.iter().map(|(record, _)| record.session.clone()).collect();
        sessions.sort_unstable();
        sessions.dedup();
        let (done, findings) = self.with_store(|store| {
            if let Some(known) = sessions.iter().find(|session| is_known(store, session)) {
                return Err(Some(known.clone()));
            }
            records.chunks(BATCH).try_for_each(|batch| store.append(batch)).map_err(|_| None)
        });
        match done {
            Ok(()) => {
                let rows = self.session_totals()?.0.into_iter();
                Ok((rows.filter(|row| sessions.contains(&row.session)).collect(), findings))
            }
            Err(Some(known)) => {
                let message = format!("the log has a session `{}` already", known.escape_debug());
                Err(Finding::new(Code::SESSION_KNOWN, message)
                    .help("`--as SESSION` gives the lines another name"))
            }
            Err(None) => {
                Err(Finding::new(Code::STORE_DENIED, "the lines could not be written").in_file("store.db"))
            }
        }
    }
}

fn is_known(store: &mut dyn Store, session: &str) -> bool {
    let mut found = false;
    let walked = store.walk(session, 0, &mut |_| {
        found = true;
        ControlFlow::Break(())
    });
    walked.is_ok() && found
}

/// What a line says was decided: it was denied, or it was let through.
fn decided(event: &Event) -> Decided {
    let denied = event.hook == Hook::PreToolCall
        && event.tool.as_ref().is_some_and(|tool| tool.status == Some(ToolStatus::Denied));
    if denied { Decided::new(mentci_authority::Effect::Block, []) } else { Decided::allowed() }
}

fn act_line(record: &Record, act: &Act) -> Value {
    let mut line = Map::new();
    line.insert("act".into(), serde_json::to_value(act).unwrap_or_default());
    line.insert("at".into(), serde_json::to_value(record.at.unwrap_or_default()).unwrap_or_default());
    line.insert("session".into(), record.session.clone().into());
    Value::Object(line)
}

fn verified(session: &str, entries: usize, root: &str, why: Option<String>) -> SessionVerified {
    let (session, entries, root) = (session.to_owned(), entries as u64, root.to_owned());
    SessionVerified { session, entries, root, holds: why.is_none(), why }
}

fn moment(ms: i64) -> String {
    if ms == 0 { String::new() } else { At::utc(ms).to_string() }
}

/// A path as it is told: within the workspace, or its name.
pub(super) fn shown(of: &str) -> String {
    let path = Path::new(of);
    if path.is_relative() {
        return of.to_owned();
    }
    path.file_name().map_or_else(|| of.to_owned(), |name| name.to_string_lossy().into_owned())
}

fn unknown(session: &str) -> Finding {
    Finding::new(Code::SESSION_UNKNOWN, format!("no session is `{}`", session.escape_debug()))
        .help("`policy-engine session list` shows the sessions of the log")
}

fn unavailable(error: &StoreError) -> Finding {
    error.finding("store.db")
}

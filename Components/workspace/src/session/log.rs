//! The verbs of sessions: the log, shown, checked, exported and imported.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use mentci_authority::{At, Event, NewArtifact};
use mentci_context::{Counts, Session, SessionFile};
use mentci_host::session::{SessionEvents, SessionRequest, SessionTotals, SessionVerified, SessionsAnswer};
use mentci_host::{Outcome, Response};
use mentci_ledger::Record;
use mentci_source::{Code, Finding, Severity};
use mentci_store::{SessionRow, Store, StoreError};

use super::run::is_document;
use crate::workspace::Workspace;

/// What is done with each line: its record, and its event as it was kept.
pub(super) type Each<'e> = dyn FnMut(&Record, Option<&str>) -> Result<(), Finding> + 'e;

/// The largest file of a session: its events stand in memory while it is looked at.
const MOST_BYTES: u64 = 1 << 30;

/// What a session's name or path means.
enum Opened {
    Session(Session),
    File(SessionFile),
}

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

    pub(super) fn session_totals(&self) -> Result<(Vec<SessionTotals>, Vec<Finding>), Finding> {
        let (rows, findings) = self.session_rows();
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

    /// The sessions of the log; none where there is no log.
    pub(super) fn session_rows(&self) -> (Result<Vec<SessionRow>, StoreError>, Vec<Finding>) {
        if self.has_log() { self.with_store(Store::sessions) } else { (Ok(Vec::new()), Vec::new()) }
    }

    fn show_session(&self, of: &str, last: Option<usize>) -> Result<Response, Finding> {
        let (session, findings) =
            self.open_session(of, false, Arc::new(Counts::new(mentci_tokens::o200k())))?;
        let left_out = last.map_or(0, |last| session.events().len().saturating_sub(last));
        let answer = SessionEvents {
            session: session.session_id().to_owned(),
            tokens: session.total_tokens(),
            events: session.events().skip(left_out).cloned().collect(),
            left_out,
        };
        Ok(Response::ok(answer).with(findings))
    }

    /// A session of the log, or of a file where more than ids are meant; with what is odd about it.
    pub(super) fn open_session(
        &self,
        of: &str,
        is_id: bool,
        counts: Arc<Counts>,
    ) -> Result<(Session, Vec<Finding>), Finding> {
        let (opened, findings) = self.opened_session(of, is_id, &counts)?;
        let file = match opened {
            Opened::Session(session) => return Ok((session, findings)),
            Opened::File(file) => file,
        };
        let detector = self.keeper().aligner().detector().clone();
        let session = file.session(None, counts, Some(detector));
        let odd = session.findings.into_iter().map(|finding| self.unquoted(finding));
        Ok((session.value, findings.into_iter().chain(odd).collect()))
    }

    /// The same as the log would hold it; with the artifacts that are to be stored, should a context name them.
    pub(super) fn open_as_kept(
        &self,
        of: &str,
        is_id: bool,
        counts: Arc<Counts>,
    ) -> Result<(Session, Vec<NewArtifact>, Vec<Finding>), Finding> {
        let (opened, findings) = self.opened_session(of, is_id, &counts)?;
        let file = match opened {
            Opened::Session(session) => return Ok((session, Vec::new(), findings)),
            Opened::File(file) => file,
        };
        let (session, moved) = self.session_as_kept(file, counts);
        let odd = session.findings.into_iter().map(|finding| self.unquoted(finding));
        Ok((session.value, moved, findings.into_iter().chain(odd).collect()))
    }

    fn opened_session(
        &self,
        of: &str,
        is_id: bool,
        counts: &Arc<Counts>,
    ) -> Result<(Opened, Vec<Finding>), Finding> {
        if let Some(session) = self.stored_session(of, counts)? {
            return Ok((Opened::Session(session), Vec::new()));
        }
        if is_id {
            return Err(self.no_session(of, ""));
        }
        if is_document(of) {
            let (session, findings) = self.told_session(of, counts.clone())?;
            return Ok((Opened::Session(session), findings));
        }
        let (file, findings) = self.session_file(of)?;
        match findings.iter().find(|finding| finding.severity == Severity::Error) {
            Some(error) => Err(error.clone()),
            None => Ok((Opened::File(file), findings)),
        }
    }

    /// The session of this id; none when the log does not know it.
    pub(super) fn stored_session(&self, id: &str, counts: &Arc<Counts>) -> Result<Option<Session>, Finding> {
        let mut session = Session::new(id, counts.clone());
        let mut lines = 0_u64;
        self.walk(id, &mut |record, body| {
            lines += 1;
            let (Some(seen), Some(body)) = (record.seen(), body) else { return Ok(()) };
            // Lines of older versions may hold what this one does not know: they say what their record says.
            if let Ok(event) = Event::from_line(body) {
                session.take_in(&Event { at: record.at.or(event.at), ..event }, Some(&seen.decided));
            }
            Ok(())
        })?;
        Ok((lines > 0).then_some(session))
    }

    /// Hands the lines of a session to `each`, in order.
    pub(super) fn walk(&self, session: &str, each: &mut Each<'_>) -> Result<(), Finding> {
        if !self.has_log() {
            return Ok(());
        }
        let mut failed = None;
        // Should the log be read again, no line is handed over twice.
        let mut last = 0;
        let (walked, _) = self.read_store(|store| {
            store.walk(session, last, &mut |line| {
                last = line.version;
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
        Ok((read.value, read.findings.into_iter().map(|finding| self.unquoted(finding)).collect()))
    }

    /// A finding about a line, which may quote what is a secret.
    fn unquoted(&self, finding: Finding) -> Finding {
        let keeper = self.keeper();
        let told = |text: &str| keeper.aligner().redact_text(text);
        Finding { message: told(&finding.message), help: finding.help.as_deref().map(told), ..finding }
    }

    /// A session that nobody knows. Where a damaged log was set aside, it may stand there.
    pub(super) fn no_session(&self, session: &str, more: &str) -> Finding {
        let mut help = "`policy-engine session list` shows the sessions of the log".to_owned();
        if let Some(last) = self.logs_aside().last() {
            let _ =
                write!(help, "; a damaged one was set aside as `{last}`, in the folder of the user's state");
        }
        let message = format!("no session is `{}`{more}", session.escape_debug());
        Finding::new(Code::SESSION_UNKNOWN, message).help(help)
    }

    /// A file of a session, which may be as large as sessions are.
    pub(super) fn bytes_of(&self, path: &str) -> Result<Vec<u8>, Finding> {
        let Ok((size, mut file)) = self.fs.open(&self.root.join(path)) else {
            return Err(self.no_session(path, ", and no file"));
        };
        if size > MOST_BYTES {
            let message = format!("it has {size} bytes: a session's file is read up to 1 GiB");
            return Err(Finding::new(Code::UNREADABLE, message).in_file(&shown(path)));
        }
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
        let other = root.filter(|root| !root.eq_ignore_ascii_case(&answer.root) && answer.holds);
        let why = other.map(|root| format!("its root is not `{}`", root.escape_debug()));
        let answer =
            SessionVerified { holds: answer.holds && why.is_none(), why: why.or(answer.why), ..answer };
        let outcome = if answer.holds { Outcome::Ok } else { Outcome::Findings };
        Ok(Response::ok(answer).at_least(outcome))
    }

    /// A session of the log: the log's audit says whether a line was changed, taken or moved.
    fn verified_log(&self, session: &Session) -> Result<SessionVerified, Finding> {
        let (audit, _) = self.read_store(|store| store.audit());
        let audit = audit.map_err(|error| unavailable(&error))?;
        let why = audit.broken.is_some().then(|| audit.to_string());
        let pack = session.to_evidence_pack();
        Ok(verified(session.session_id(), pack.entries.len(), &pack.root.to_string(), why))
    }

    /// An exported file: its header states what must hold.
    fn verified_file(&self, of: &str, counts: Arc<Counts>) -> Result<SessionVerified, Finding> {
        let (file, findings) = self.session_file(of)?;
        let (proved, broken) =
            (file.proved, findings.iter().find(|finding| finding.severity == Severity::Error));
        let session = file.session(None, counts, None).value;
        let pack = session.to_evidence_pack();
        let root = proved.unwrap_or(pack.root).to_string();
        let is_proved = proved.is_some() || broken.is_some();
        let why = match (broken, proved) {
            (Some(finding), _) => Some(finding.to_string()),
            (None, None) => {
                Some("the file states no proof: `session export --evidence` writes one".to_owned())
            }
            (None, Some(_)) => None,
        };
        let verified = verified(session.session_id(), pack.entries.len(), &root, why);
        Ok(SessionVerified { is_proved, ..verified })
    }
}

fn verified(session: &str, entries: usize, root: &str, why: Option<String>) -> SessionVerified {
    let (session, entries, root) = (session.to_owned(), entries as u64, root.to_owned());
    SessionVerified { session, entries, root, holds: why.is_none(), is_proved: true, why }
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

pub(super) fn unavailable(error: &StoreError) -> Finding {
    error.finding("store.db")
}

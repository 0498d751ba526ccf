//! A run of a document: what its transcript tells becomes a session of the log, to be gone on from.

use std::sync::Arc;

use mentci_authority::{At, Dialect, Verdict};
use mentci_chatmd::{Declarations, Document};
use mentci_context::{Counts, Session};
use mentci_host::Response;
use mentci_host::session::SessionsAnswer;
use mentci_host::transcript::{Conversation, Happened, RuleNames, Step, Transcript, TranscriptReading};
use mentci_ledger::{Delta, Record};
use mentci_pdp::reserved;
use mentci_source::{Code, Finding, Reading, Source};

use super::log::shown;
use crate::policy::{Beside, Law};
use crate::workspace::Workspace;

impl Workspace {
    /// Begins a session of the log with what a transcript tells: what ran, what fired, what was set, what quotas hold. No rule is
    /// asked about it. What the transcript does not date counts as having just happened, so that whatever rests goes on resting.
    ///
    /// # Errors
    /// The log knows the session already, or cannot be written.
    pub fn begin_run(&self, session: &str, steps: &[Step], law: &Law) -> Result<Vec<Finding>, Finding> {
        let records = self.records_of(session, steps, law, Some(self.now()));
        if records.is_empty() {
            return Ok(Vec::new());
        }
        self.take_records(&records).map(|(_, findings)| findings)
    }

    /// The lines of the log that steps become, each with what is kept of its event.
    pub(super) fn records_of(
        &self,
        session: &str,
        steps: &[Step],
        law: &Law,
        now: Option<At>,
    ) -> Vec<(Record, Option<String>)> {
        let (keep, verdict) = (self.keeping(), Verdict::default());
        let dated = now.map(|now| Dated::new(steps, now));
        let line = |step: &Step| {
            let mut record = step.record(session)?;
            record.at = Some(dated.as_ref().map_or(step.at, |dated| dated.at(step)));
            let Happened::Event { event, .. } = &step.happened else { return Some((record, None)) };
            record.deltas.extend(held(law, step));
            let mut event = mentci_host::policy::admit((**event).clone());
            (event.session, event.at) = (session.to_owned(), record.at);
            let kept = keep(&event, &verdict);
            let body = kept.to_line().ok();
            Some((record.keeping(&kept), body))
        };
        steps.iter().filter_map(line).collect()
    }
}

/// The verbs of sessions, for transcripts.
impl Workspace {
    /// A transcript as a session: what its model reads.
    pub(super) fn told_session(
        &self,
        path: &str,
        counts: Arc<Counts>,
    ) -> Result<(Session, Vec<Finding>), Finding> {
        let source = Source::decode(&shown(path), &self.bytes_of(path)?).value;
        let Reading { value, findings } = Transcript::read(&source, &RuleNames::unread(source.path()));
        let TranscriptReading { mut steps, mut transcript } = value;
        steps.extend(transcript.resume());
        let session = Session::new(source.path(), counts);
        let detector = self.keeper().aligner().detector().clone();
        let mut conversation = Conversation::in_session(session.redacting(detector));
        conversation.take(&steps);
        Ok((conversation.session().clone(), findings))
    }

    /// The model that a run of a document has: the one that it names, or the configured one. None for what is no document.
    pub(super) fn document_model(&self, path: &str) -> Option<String> {
        let bytes = is_document(path).then(|| self.bytes_of(path).ok()).flatten()?;
        let source = Source::decode(&shown(path), &bytes).value;
        let document = Document::read(&source).value;
        let own = Declarations::read(&source, &document).value.config.model;
        own.or_else(|| self.lock().settings.config.text("model.name").map(str::to_owned))
    }

    /// A transcript as a session of the log: its calls without an answer count as executed.
    pub(super) fn import_transcript(&self, source: &Source, into: Option<&str>) -> Result<Response, Finding> {
        let Some(into) = into.filter(|into| !into.is_empty()) else {
            return Err(Finding::new(Code::SESSION_UNKNOWN, "a transcript says no session")
                .help("`--as SESSION` names the one that it becomes")
                .in_file(source.path()));
        };
        let law = self.law(&Beside::new(source.clone()));
        let Reading { value, findings } = Transcript::read(source, law.names());
        let TranscriptReading { mut steps, mut transcript } = value;
        steps.extend(transcript.finish());
        let records = self.records_of(into, &steps, &law, None);
        let (sessions, said) = self.take_records(&records)?;
        Ok(Response::ok(SessionsAnswer { sessions }).with(findings).with(said))
    }
}

/// Whether a path names a ChatMD document, and no lines of a log.
pub(crate) fn is_document(path: &str) -> bool {
    Dialect::of_path(path) == Some(Dialect::Chatmd)
}

/// What quotas hold of a call that was admitted.
fn held(law: &Law, step: &Step) -> Vec<Delta> {
    let Happened::Event { event, decided, .. } = &step.happened else { return Vec::new() };
    if event.hook != mentci_authority::Hook::PreToolCall || !decided.admits() {
        return Vec::new();
    }
    reserved(law.program(), event).collect()
}

/// When steps happened. Those that were counted up from 1970 come right before the first that says when, or before now.
struct Dated {
    counted: i64,
    anchor: At,
}

impl Dated {
    fn new(steps: &[Step], now: At) -> Self {
        // OK because no document has so many blocks.
        let counted =
            i64::try_from(steps.iter().map(|step| step.block).max().unwrap_or_default()).unwrap_or(i64::MAX);
        let anchor = steps.iter().map(|step| step.at).find(|at| at.ms > counted).unwrap_or(now);
        Self { counted, anchor }
    }

    fn at(&self, step: &Step) -> At {
        if step.at.ms > self.counted {
            return step.at;
        }
        At { ms: self.anchor.ms.saturating_sub(self.counted - step.at.ms), ..self.anchor }
    }
}

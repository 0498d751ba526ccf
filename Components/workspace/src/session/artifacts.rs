//! The verbs of artifacts.

use std::collections::BTreeSet;
use std::io::{Cursor, Read};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use mentci_authority::{
    ArtifactError, ArtifactHandle, ArtifactId, ArtifactKeeper, ArtifactNote, ArtifactScope, GcPolicy,
};
use mentci_host::Response;
use mentci_host::session::{
    ArtifactHits, ArtifactRequest, ArtifactRow, ArtifactsAnswer, CollectedAnswer, Content,
};
use mentci_source::{Code, Finding};
use mentci_store::{FsArtifactStore, SqliteArtifactStore};

use super::log::shown;
use crate::workspace::Workspace;

/// How long another process is waited for.
const BUSY: Duration = Duration::from_secs(2);
/// The most places that a search tells.
const MOST_HITS: usize = 50;
/// What is larger is redacted and stored while it is read, and summed up by its beginning.
const MOST_AT_HAND: u64 = 8 << 20;
/// By so much of it.
const BEGINNING: u64 = 1 << 20;
const DAY: f64 = 86_400.0;

impl Workspace {
    /// Carries out a verb of artifacts.
    pub(crate) fn artifact(&self, request: ArtifactRequest) -> Response {
        // A session's name is kept as the log has it: one that is a secret is none there either.
        let named = |session: String| self.keeper().name(&session);
        let answered = match request {
            ArtifactRequest::Put { content, session, mime, source, raw } => {
                self.put_artifact(content, &named(session), mime.as_deref(), source, raw)
            }
            ArtifactRequest::Get { id, range, session, most } => {
                self.get_artifact(&id, range.as_deref(), session.map(named).as_deref(), most)
            }
            ArtifactRequest::List { session } => self.list_artifacts(session.map(named).as_deref()),
            ArtifactRequest::Search { query, id, session } => {
                self.search_artifacts(&query, id.as_deref(), session.map(named).as_deref())
            }
            ArtifactRequest::Pin { id, pinned } => self.pin_artifact(&id, pinned),
            ArtifactRequest::Collect { keep_days, dry_run } => self.collect_artifacts(keep_days, dry_run),
        };
        answered.unwrap_or_else(|finding| Response::bad([finding]))
    }

    /// What was odd about the store of artifacts since this was asked, whichever verb it was.
    pub(crate) fn artifact_findings(&self) -> Vec<Finding> {
        let unkept = std::mem::take(&mut *self.unkept.lock().unwrap_or_else(PoisonError::into_inner));
        let held = self.artifacts.lock().unwrap_or_else(PoisonError::into_inner);
        let odd = held.as_ref().map(|store| store.take_findings()).unwrap_or_default();
        odd.into_iter().chain(unkept).collect()
    }

    /// The file or the folder in which artifacts stand, as it is told.
    pub(crate) fn artifacts_name(&self) -> &'static str {
        name(self.lock().settings.config.choice("artifacts.backend") == "files")
    }

    /// The store of artifacts, opened at the first need.
    pub(crate) fn artifacts(&self) -> Result<Arc<dyn ArtifactKeeper>, Finding> {
        self.artifacts_of(self.lock().settings.config.choice("artifacts.backend") == "files")
    }

    /// The same, where the configuration was asked before.
    pub(super) fn artifacts_of(&self, in_files: bool) -> Result<Arc<dyn ArtifactKeeper>, Finding> {
        let mut held = self.artifacts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = &*held {
            return Ok(store.clone());
        }
        let folder = self.state_folder();
        let opened: Result<Arc<dyn ArtifactKeeper>, _> = if in_files {
            FsArtifactStore::open(&folder.join("artifacts")).map(|store| Arc::new(store) as _)
        } else {
            SqliteArtifactStore::open(&folder.join("artifacts.db"), BUSY).map(|store| Arc::new(store) as _)
        };
        let store = opened.map_err(|error| error.finding(name(in_files)))?;
        *held = Some(store.clone());
        Ok(store)
    }

    fn put_artifact(
        &self,
        content: Content,
        session: &str,
        mime: Option<&str>,
        source: Option<String>,
        raw: bool,
    ) -> Result<Response, Finding> {
        if session.trim().is_empty() {
            return Err(Finding::new(Code::ARTIFACT_REFUSED, "a session without a name holds nothing")
                .help("`--session s1` names one; without the flag `user` holds it"));
        }
        if let Some(mime) = mime.filter(|mime| !is_media_type(mime)) {
            let message = format!("`{}` is no media type", mime.escape_debug());
            return Err(Finding::new(Code::ARTIFACT_REFUSED, message)
                .help("`text/plain`, `application/json`; without the flag the content tells"));
        }
        let store = self.artifacts()?;
        let (name, mut reader) = self.open_content(content)?;
        let told = |text: &str| self.keeper().aligner().redact_text(text);
        let source = told(&source.unwrap_or_else(|| format!("file:{name}")));
        let mime = mime.map(told);
        let handle = if raw {
            let note = self.note(&mime.unwrap_or_else(|| "application/octet-stream".to_owned()), source);
            store.store_reader(session, &note, &mut reader).map_err(refused)?
        } else {
            let mut bytes = Vec::new();
            let first = reader.by_ref().take(MOST_AT_HAND + 1).read_to_end(&mut bytes);
            first.map_err(|error| unreadable(&name, &error))?;
            if bytes.len() as u64 > MOST_AT_HAND {
                return self.put_long(&mut Cursor::new(bytes).chain(reader), session, mime, source);
            }
            let artifact = self.keeper().artifact(&bytes, mime, source, self.seconds());
            store.store(session, std::slice::from_ref(&artifact)).map_err(refused)?;
            // Who stored the same first said what its handle says.
            store.handle(&artifact.handle.artifact_id).map_err(refused)?.unwrap_or(artifact.handle)
        };
        let handle = self.keeper().disarmed(&handle);
        Ok(Response::ok(ArtifactsAnswer { artifacts: vec![ArtifactRow { handle, pinned: false }] }))
    }

    /// Stores what no memory need hold: redacted while it is read.
    fn put_long(
        &self,
        content: &mut dyn Read,
        session: &str,
        mime: Option<String>,
        source: String,
    ) -> Result<Response, Finding> {
        let keeper = self.keeper();
        let mut redacted = keeper.aligner().detector().redact_reader(content);
        let mut head = Vec::new();
        let first = redacted.by_ref().take(BEGINNING).read_to_end(&mut head);
        first.map_err(|error| Finding::new(Code::ARTIFACT_REFUSED, error.to_string()))?;
        let (told, summary) = keeper.beginning(&head);
        let note = ArtifactNote {
            summary: format!("of its first {BEGINNING} bytes:\n{summary}"),
            mime_type: mime.unwrap_or(told),
            created_at: self.seconds(),
            source,
        };
        let mut whole = Cursor::new(head).chain(redacted);
        let handle = self.artifacts()?.store_reader(session, &note, &mut whole).map_err(refused)?;
        let handle = keeper.disarmed(&handle);
        Ok(Response::ok(ArtifactsAnswer { artifacts: vec![ArtifactRow { handle, pinned: false }] }))
    }

    /// Content by its name.
    fn open_content(&self, content: Content) -> Result<(String, Box<dyn Read>), Finding> {
        match content {
            Content::Bytes { name, bytes } => Ok((name, Box::new(Cursor::new(bytes)))),
            Content::Incoming(incoming) => Ok((incoming.name.clone(), Box::new(incoming))),
            Content::Path(path) => {
                let name = shown(&path);
                let opened = self.fs.open(&self.root.join(path));
                let (_, file) = opened.map_err(|error| unreadable(&name, &error))?;
                Ok((name, file))
            }
        }
    }

    fn note(&self, mime: &str, source: String) -> ArtifactNote {
        let summary = format!("{source}, as it was");
        ArtifactNote { summary, mime_type: mime.to_owned(), created_at: self.seconds(), source }
    }

    /// Now, in seconds since 1970 UTC.
    #[expect(clippy::cast_precision_loss, reason = "milliseconds since 1970 lie far below 2^53")]
    pub fn seconds(&self) -> f64 {
        self.now().ms as f64 / 1_000.0
    }

    fn list_artifacts(&self, session: Option<&str>) -> Result<Response, Finding> {
        let store = self.artifacts()?;
        let pins: BTreeSet<ArtifactId> = store.pins().map_err(refused)?.into_iter().collect();
        let handles = store.list_handles(session).map_err(refused)?.into_iter();
        let keeper = self.keeper();
        let rows = handles.map(|handle| {
            let pinned = pins.contains(&handle.artifact_id);
            ArtifactRow { handle: keeper.disarmed(&handle), pinned }
        });
        Ok(Response::ok(ArtifactsAnswer { artifacts: rows.collect() }))
    }

    fn search_artifacts(
        &self,
        query: &str,
        id: Option<&str>,
        session: Option<&str>,
    ) -> Result<Response, Finding> {
        let store = self.artifacts()?;
        if query.trim().is_empty() {
            return Err(Finding::new(Code::ARTIFACT_REFUSED, "there is nothing to look for"));
        }
        let scope = match (id, session) {
            (Some(id), session) => ArtifactScope::One(found(store.as_ref(), id, session)?.artifact_id),
            (None, Some(session)) => ArtifactScope::Session(session.to_owned()),
            (None, None) => ArtifactScope::All,
        };
        let hits = store.search(&scope, query, MOST_HITS).map_err(refused)?;
        Ok(Response::ok(ArtifactHits { hits }))
    }

    fn pin_artifact(&self, id: &str, pinned: bool) -> Result<Response, Finding> {
        let store = self.artifacts()?;
        let handle = found(store.as_ref(), id, None)?;
        let done = if pinned { store.pin(&handle.artifact_id) } else { store.unpin(&handle.artifact_id) };
        done.map_err(refused)?;
        let handle = self.keeper().disarmed(&handle);
        Ok(Response::ok(ArtifactsAnswer { artifacts: vec![ArtifactRow { handle, pinned }] }))
    }

    /// Sessions that were used lately keep what they hold; so do those that no log knows, for as long.
    fn collect_artifacts(&self, keep_days: Option<u64>, dry_run: bool) -> Result<Response, Finding> {
        let store = self.artifacts()?;
        let days = keep_days.unwrap_or_else(|| self.lock().settings.config.count("artifacts.keep_days", 30));
        #[expect(clippy::cast_precision_loss, reason = "days lie far below 2^53")]
        let since = self.seconds() - days as f64 * DAY;
        let (rows, findings) = self.session_rows();
        let rows = rows.map_err(|error| error.finding("store.db"))?;
        #[expect(clippy::cast_precision_loss, reason = "milliseconds since 1970 lie far below 2^53")]
        let lately = rows.into_iter().filter(|row| row.last_ms as f64 / 1_000.0 >= since);
        let sessions = lately.map(|row| row.session).collect();
        let policy = GcPolicy { newer_than: (days > 0).then_some(since), sessions, is_dry: dry_run };
        let collected = store.gc(&policy).map_err(refused)?;
        let artifacts = collected.deleted.len() as u64;
        let answer =
            CollectedAnswer { dry_run, artifacts, bytes: collected.freed_bytes, kept: collected.kept };
        Ok(Response::ok(answer).with(findings))
    }
}

/// The artifact of an id, or of the start of one when only one starts so; only of a session's own when one is named.
pub(super) fn found(
    store: &dyn ArtifactKeeper,
    id: &str,
    session: Option<&str>,
) -> Result<ArtifactHandle, Finding> {
    if let Ok(whole) = id.parse::<ArtifactId>() {
        let is_seen = match session {
            Some(session) => store.visible(session, &whole).map_err(refused)?,
            None => true,
        };
        let handle = if is_seen { store.handle(&whole).map_err(refused)? } else { None };
        return handle.ok_or_else(|| unknown(id));
    }
    let is_start = id.len() >= 6 && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if !is_start {
        let message = format!("`{}` is no artifact's id", id.escape_debug());
        return Err(Finding::new(Code::ARTIFACT_UNKNOWN, message)
            .help("an id is 64 lower-case hexadecimal digits, or the first 6 of them or more"));
    }
    let handles = store.list_handles(session).map_err(refused)?;
    let mut fitting = handles.into_iter().filter(|handle| handle.artifact_id.to_string().starts_with(id));
    match (fitting.next(), fitting.next()) {
        (Some(handle), None) => Ok(handle),
        (None, _) => Err(unknown(id)),
        (Some(_), Some(_)) => {
            let message = format!("several artifacts begin with `{id}`");
            Err(Finding::new(Code::ARTIFACT_UNKNOWN, message).help("give more of its digits"))
        }
    }
}

pub(super) fn name(in_files: bool) -> &'static str {
    if in_files { "artifacts" } else { "artifacts.db" }
}

/// `type/subtype`, and what may follow it: RFC 9110, section 8.3.1, as far as it can do harm in a line.
fn is_media_type(text: &str) -> bool {
    let is_name = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte))
    };
    let (essence, rest) = text.split_once(';').unwrap_or((text, ""));
    let names = essence.trim_end().split_once('/');
    names.is_some_and(|(kind, sub)| is_name(kind) && is_name(sub))
        && rest.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

pub(super) fn unknown(id: &str) -> Finding {
    Finding::new(Code::ARTIFACT_UNKNOWN, format!("no artifact is `{}`", id.escape_debug()))
        .help("`policy-engine artifact list` shows what is kept")
}

/// What a store of artifacts refused.
#[expect(clippy::needless_pass_by_value, reason = "it stands where `map_err` wants it")]
pub(crate) fn refused(error: ArtifactError) -> Finding {
    let finding = |code| Finding::new(code, error.to_string());
    match &error {
        ArtifactError::Tampered(_) | ArtifactError::Misnamed(_) => finding(Code::ARTIFACT_TAMPERED),
        ArtifactError::Unread { file, .. } => {
            finding(Code::ARTIFACT_TAMPERED).help("whoever stores its content again mends it").in_file(file)
        }
        ArtifactError::Range { .. } | ArtifactError::Lines { .. } => finding(Code::ARTIFACT_RANGE),
        ArtifactError::Stream(_) => finding(Code::ARTIFACT_REFUSED),
        ArtifactError::Unavailable { help, .. } => finding(Code::ARTIFACTS_UNAVAILABLE).help(*help),
    }
}

fn unreadable(name: &str, error: &dyn std::fmt::Display) -> Finding {
    Finding::new(Code::UNREADABLE, format!("it could not be read: {error}")).in_file(name)
}

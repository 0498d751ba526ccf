//! The workspace's log: deciding by it, answering for people, switching rules.

use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::time::Duration;

use mentci_authority::{At, Effect, Event, Hook, Notification, Reason, Verdict};
use mentci_disk::{Edit, EditError, Kind, Sidecar, WriteOptions, edit_locked, read_optional};
use mentci_host::Response;
use mentci_host::policy::{Cascade, Outside, StopsAnswer, TextAnswer, judge, judge_beside};
use mentci_ledger::{Change, Deed};
use mentci_source::{Code, Finding, Hash, Severity};
use mentci_store::{CommitError, DegradedStore, LogQuery, SqliteOptions, SqliteStore, Store, StoreError};
use serde_json::Value;

use super::only_rule;
use super::stop::Stop;
use super::tuned::rule_switch;
use crate::consent::no_state;
use crate::workspace::Workspace;

/// How often a decision is made again because another process wrote first.
pub(super) const TRIES: usize = 64;

/// The file of the user's state that stops every call.
const STOP_FILE: &str = "killed";

/// The layer of settings in which rules are switched.
pub(super) const SWITCHES: &str = "user";

impl Workspace {
    /// Where the log stands: in the user's state, so that no repository can bring grants and switches of its own; in
    /// `.mentci` where the user has no state, and then grants and switches do not count.
    fn store_path(&self) -> PathBuf {
        self.state_folder().join("store.db")
    }

    /// The folder of what the machine remembers of this workspace.
    pub(crate) fn state_folder(&self) -> PathBuf {
        state_folder(&self.root, self.around.state.as_deref())
    }

    /// Does something with the log, which is opened at the first need.
    pub(crate) fn with_store<T>(&self, work: impl FnOnce(&mut DegradedStore) -> T) -> (T, Vec<Finding>) {
        let mut held = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = held.is_none();
        let store = held.get_or_insert_with(|| DegradedStore::open(&self.store_path(), self.store_options()));
        let ignored = if is_new { store.distrusted() } else { 0 };
        let done = work(store);
        let mut findings = store.take_findings();
        findings.extend((ignored > 0).then(foreign));
        (done, findings)
    }

    /// Whether there is a log: who only looks for something in it makes none, and needs no room for one.
    pub(crate) fn has_log(&self) -> bool {
        let path = self.store_path();
        let is_empty = match self.fs.lstat(&path) {
            Ok(stat) => stat.kind == Kind::File && stat.stamp.size == 0,
            Err(error) => error.kind() == std::io::ErrorKind::NotFound,
        };
        let is_used = || self.store.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        let held = self.state_folder().join("store.db.held");
        let holds_any = || {
            let held = self.fs.read_dir(&held, &mut |_, _| Some(false));
            held.is_ok_and(|held| !held.is_empty())
        };
        !is_empty || is_used() || holds_any()
    }

    /// Reads what may be long of the log, by a connection of its own: whoever decides does not wait for it. What is held is
    /// written first. A damaged log is read by the connection that decides, which sets it aside: `read` may be called again.
    pub(crate) fn read_store<T>(
        &self,
        mut read: impl FnMut(&mut dyn Store) -> Result<T, StoreError>,
    ) -> (Result<T, StoreError>, Vec<Finding>) {
        let (written, findings) = self.with_store(DegradedStore::flush);
        let done = written
            .and_then(|()| SqliteStore::open(&self.store_path(), self.store_options()))
            .and_then(|mut store| read(&mut store));
        match done {
            Err(StoreError::Corrupt(_)) => self.with_store(|store| read(store)),
            done => (done, findings),
        }
    }

    fn store_options(&self) -> SqliteOptions {
        let project = self.root.to_string_lossy().into_owned();
        let is_foreign = self.around.state.is_none();
        SqliteOptions { busy: Duration::from_secs(2), user: String::new(), project, is_foreign }
    }

    /// The time, for events that do not tell it and for what people do.
    pub fn now(&self) -> At {
        At::parse(&self.clock.now()).unwrap_or_default()
    }

    /// What a person grants and sets needs a place that no repository can bring.
    pub(super) fn unplaced(&self) -> Option<Response> {
        self.around.state.is_none().then(|| Response::bad([no_state()]))
    }

    /// Switches a rule on or off. Core rules stay.
    pub(super) fn switch(&self, name: &str, enabled: bool, who: &str) -> Response {
        if let Some(refused) = self.unplaced() {
            return refused;
        }
        let book = self.rulebook(&[]);
        let (rule, full_name) = match only_rule(&book, name) {
            Ok(named) => named,
            Err(finding) => return Response::bad([finding]),
        };
        if rule.core && !enabled {
            let finding = Finding::new(
                Code::CORE_RULE,
                format!("`{full_name}` is a core rule: it cannot be switched off"),
            );
            return Response::bad([finding.help(
                "core rules keep an agent from rewriting its own rules and from running on without a word",
            )]);
        }
        if enabled && !rule.enabled {
            let message = format!("`{full_name}` stays off: its file says `enabled = false`");
            let finding = Finding::new(Code::CORE_RULE, message).in_file(&rule.origin.path);
            let finding =
                Finding { line: Some(rule.origin.line), column: Some(rule.origin.column), ..finding };
            return Response::bad([
                finding.help("a person switches what is in force: take that line out of the file")
            ]);
        }
        let key = rule_switch(full_name);
        let value = Value::Bool(false);
        let told = self.told(Change::new(Deed::RuleSwitched, full_name, who).to(enabled.into()));
        let set = (!enabled).then_some(&value);
        let (done, findings) = self.with_store(|store| store.set_by(SWITCHES, &key, set, &told));
        let state = if enabled { "on" } else { "off" };
        answered(done, findings, format!("{full_name} is {state}\n"))
    }

    /// The file that stops every workspace of the user: it holds without any store.
    fn all_stop(&self) -> Option<(Sidecar, PathBuf)> {
        let state = self.around.state.as_ref()?;
        Some((Sidecar::at(state, "killed.lock"), state.join(STOP_FILE)))
    }

    /// Why all calls of all workspaces are stopped, when they are. A file that cannot be read stops them too.
    pub(super) fn all_stopped(&self) -> Option<String> {
        let written = self.all_stop().and_then(|(_, path)| self.stop_at(&path));
        written.or_else(|| self.held_stop(None)).map(|stop| stop.reason)
    }

    /// The folder of files that stop sessions of this workspace; there is none before the first is stopped.
    pub(super) fn stops(&self) -> PathBuf {
        self.state_folder().join(STOP_FILE)
    }

    /// The file that stops a session of this workspace: it holds also where the log is held by another process.
    fn session_stop(&self, session: &str) -> (Sidecar, PathBuf, String) {
        let folder = self.stops();
        let name = Hash::of("mentci session v1", [session.as_bytes()]).short(24);
        (Sidecar::at(&folder, "killed.lock"), folder.join(&name), name)
    }

    pub(super) fn session_stopped(&self, session: &str) -> Option<String> {
        let written = self.stop_at(&self.session_stop(session).1);
        written.or_else(|| self.held_stop(Some(session))).map(|stop| stop.reason)
    }

    /// Why every call of every workspace is stopped, when it is.
    pub fn stopped_everywhere(&self) -> Option<String> {
        self.all_stopped().or_else(|| self.with_store(Store::killed).0.ok().flatten())
    }

    /// Everything that is stopped now, that of all sessions first.
    pub(super) fn list_stops(&self) -> Response {
        let all = self.all_stop().and_then(|(_, path)| self.stop_at(&path));
        let (killed, findings) = self.with_store(Store::killed);
        let all = all.or_else(|| self.held_stop(None)).or_else(|| killed.ok().flatten().map(Stop::of));
        let stops = all.into_iter().chain(self.session_stops());
        Response::ok(StopsAnswer { stops: stops.map(Stop::row).collect() }).with(findings)
    }

    /// The sessions that are stopped by a file each, which says its session.
    fn session_stops(&self) -> Vec<Stop> {
        let folder = self.state_folder().join(STOP_FILE);
        let entries = self.fs.read_dir(&folder, &mut |_, _| Some(false)).unwrap_or_default();
        let names = entries.into_iter().filter(|entry| entry.name != "killed.lock");
        let stops = names.filter_map(|entry| self.stop_at(&folder.join(&entry.name)));
        let written: Vec<Stop> = stops.filter(|stop| stop.session.is_some()).collect();
        let is_new =
            |held: &&Stop| held.session.is_some() && written.iter().all(|stop| stop.session != held.session);
        let held: Vec<Stop> = self.held_stops().iter().filter(is_new).cloned().collect();
        written.into_iter().chain(held).collect()
    }

    fn stop_at(&self, path: &Path) -> Option<Stop> {
        match read_optional(self.fs.as_ref(), path) {
            Ok(bytes) => bytes.map(|bytes| Stop::read(&bytes)),
            Err(_) => Some(Stop::of("the kill switch cannot be read")),
        }
    }

    fn stop_all(&self, stop: &Stop) -> Result<(), Finding> {
        let Some((sidecar, _)) = self.all_stop() else { return Ok(()) };
        self.write_stop(&sidecar, STOP_FILE, stop)
    }

    fn write_stop(&self, sidecar: &Sidecar, name: &str, stop: &Stop) -> Result<(), Finding> {
        let write = |_: Option<&[u8]>| Ok::<_, Finding>(Edit::Replace(stop.bytes()));
        match edit_locked(self.fs.as_ref(), sidecar, name, WriteOptions::LASTING, write) {
            Ok(_) => Ok(()),
            Err(EditError::Refused(finding)) => Err(finding),
            Err(EditError::Disk(error)) => Err(error.finding(Code::NOT_PUBLISHED)),
        }
    }

    /// Stops a session in this workspace, or every call of every workspace. Both hold also where no store can be had.
    pub(super) fn kill(&self, session: Option<&str>, reason: &str, who: &str) -> Response {
        if session == Some("") {
            return Response::bad([no_session("stop")]);
        }
        let at = self.now();
        let (by, since) = (Some(who.to_owned()), Some(at.to_string()));
        let stop = Stop { reason: reason.to_owned(), by, since, session: session.map(str::to_owned) };
        if session.is_none() && self.around.state.is_some() {
            return match self.stop_all(&stop) {
                Ok(()) => {
                    let text = "every tool call of every workspace is blocked until `policy-engine resume`\n";
                    let untold = self.tell(Change::new(Deed::Killed, "", who).why(Some(reason)));
                    Response::ok(TextAnswer { text: text.to_owned() }).with(untold)
                }
                Err(finding) => Response::bad([finding, self.hold_stop(stop)]),
            };
        }
        let stopped = session.map(|session| {
            let (sidecar, _, name) = self.session_stop(session);
            self.write_stop(&sidecar, &name, &stop)
        });
        let unknown = session.and_then(|session| self.unknown_session(session));
        let (done, findings) = self.with_store(|store| store.kill(session, reason, who, at));
        // Either of the two stops the session; the log is told where it can be.
        let done = if matches!(stopped, Some(Ok(()))) { Ok(()) } else { done };
        if let (Err(_), Some(Err(unwritten))) = (&done, stopped) {
            return Response::bad(findings.into_iter().chain([unwritten, self.hold_stop(stop)]));
        }
        answered(
            done,
            findings,
            format!("every tool call {}is blocked until `policy-engine resume`\n", whose(session)),
        )
        .with(unknown.map(|unknown| unknown.help("it is stopped all the same, should it begin")))
    }

    /// A warning where nothing was ever heard of a session. A log that cannot be read knows none, and says so itself.
    fn unknown_session(&self, session: &str) -> Option<Finding> {
        let query = LogQuery { limit: Some(1), ..LogQuery::of(session) };
        let (lines, _) = self.with_store(|store| store.log(&query));
        let message = format!("nothing is known of the session `{}`", session.escape_debug());
        let finding = Finding::new(Code::UNKNOWN_SUBJECT, message).severity(Severity::Warning);
        lines.is_ok_and(|lines| lines.is_empty()).then_some(finding)
    }

    pub(super) fn resume(&self, session: Option<&str>, who: &str) -> Response {
        if session == Some("") {
            return Response::bad([no_session("resume")]);
        }
        let at = self.now();
        let was_stopped = session.is_some_and(|session| self.session_stopped(session).is_some());
        if let Some(unknown) =
            session.filter(|_| !was_stopped).and_then(|session| self.unknown_session(session))
        {
            let unknown = unknown.severity(Severity::Error);
            return Response::bad([
                unknown.help("nothing was stopped under this name: give the session's id as events have it")
            ]);
        }
        // First, and where it cannot be written the stop holds: whoever is told that nothing was done counts on that.
        let (done, findings) = self.with_store(|store| store.resume(session, who, at));
        if done.is_ok()
            && let Err(error) = self.unstop(session)
        {
            let finding = Finding::new(Code::NOT_PUBLISHED, format!("the kill switch stays on: {error}"));
            let finding = finding.help("check who owns the state directory");
            return Response::bad(findings.into_iter().chain([finding]));
        }
        let rest = if session.is_none() { self.still_stopped() } else { String::new() };
        answered(done, findings, format!("tool calls {}run again\n{rest}", whose(session)))
    }

    /// Takes away the file by which a session, or with none everything, is stopped, and what stops it in this process alone.
    fn unstop(&self, session: Option<&str>) -> std::io::Result<()> {
        let path = match session {
            Some(session) => Some(self.session_stop(session).1),
            None => self.all_stop().map(|(_, path)| path),
        };
        if let Some(path) = path.filter(|path| self.stop_at(path).is_some()) {
            self.fs.remove(&path)?;
        }
        self.release(session);
        Ok(())
    }

    /// The sessions that were stopped by their names: whoever lets all others run does not mean them.
    fn still_stopped(&self) -> String {
        let sessions = self.session_stops().into_iter().filter_map(|stop| stop.session);
        let names: Vec<String> = sessions.map(|name| format!("`{}`", name.escape_debug())).collect();
        if names.is_empty() {
            return String::new();
        }
        format!("still stopped by name: {}; `policy-engine resume --session ID`\n", names.join(", "))
    }
}

/// An id that is empty names no session, and is never taken for all of them.
fn no_session(verb: &str) -> Finding {
    let finding = Finding::new(Code::UNKNOWN_SUBJECT, "the id of a session is empty");
    finding.help(format!("leave `--session` out to {verb} every session"))
}

/// Told where a log holds what does not count.
fn foreign() -> Finding {
    let message = "there is no place for the user's state: what `.mentci` says was granted, switched and set does not count";
    Finding::new(Code::STORE_FOREIGN, message)
        .help("set `XDG_STATE_HOME` or `HOME`")
        .in_file(".mentci/store.db")
}

/// The folder of what the machine remembers of the workspace at `root`.
pub(crate) fn state_folder(root: &Path, state: Option<&Path>) -> PathBuf {
    let Some(state) = state else { return root.join(".mentci") };
    let name = Hash::of("mentci workspace v1", [root.to_string_lossy().as_bytes()]);
    state.join("workspaces").join(name.short(24))
}

/// What comes of any call while all are stopped.
pub(super) fn stopped(event: &Event, reason: &str) -> Verdict {
    if event.hook != Hook::PreToolCall {
        return Verdict::default();
    }
    let reason = Reason {
        rule: "__kill_switch__".to_owned(),
        effect: Effect::Block,
        message: format!("the kill switch is on: {reason}"),
        at: event.tool_name().to_owned(),
        severity: None,
    };
    let rules = vec![reason.rule.clone()];
    Verdict { decision: Effect::Block, rules, reasons: vec![reason], ..Verdict::default() }
}

/// Loads and judges.
pub(super) fn look(
    store: &mut DegradedStore,
    program: &mentci_pdp::Program,
    event: &Event,
    outside: Outside<'_>,
) -> Result<Verdict, StoreError> {
    let loaded = store.load(&event.session, program.windows())?;
    let mut verdict = judge(program, event, loaded.view(event), outside, false).verdict;
    // Nobody is asked before the call is made.
    verdict.approval = None;
    Ok(verdict)
}

/// Decides an event, and what rules emit about it.
pub(super) fn commit_all(
    store: &mut DegradedStore,
    program: &mentci_pdp::Program,
    event: &Event,
    outside: Outside<'_>,
    keep: &dyn Fn(&Event, &Verdict) -> Event,
) -> Result<Verdict, StoreError> {
    let mut verdict = commit(store, program, event, outside, keep, &[])?;
    let cascade = Cascade::of(program, event, &mut verdict);
    cascade.run(&mut verdict, |emitted, told| commit(store, program, emitted, outside, keep, told))?;
    Ok(verdict)
}

/// Loads, judges and commits, until nothing was written in between.
pub(super) fn commit(
    store: &mut DegradedStore,
    program: &mentci_pdp::Program,
    event: &Event,
    outside: Outside<'_>,
    keep: &dyn Fn(&Event, &Verdict) -> Event,
    told: &[Notification],
) -> Result<Verdict, StoreError> {
    let windows = program.windows();
    let mut loaded = store.load(&event.session, windows)?;
    for attempt in 0..TRIES {
        let judgement = judge_beside(program, event, loaded.view(event), outside, false, told);
        let kept = keep(event, &judgement.verdict);
        let body = kept.to_line().ok();
        match store.commit(&mut loaded, &judgement.record.keeping(&kept), body.as_deref()) {
            Ok(_) => {
                store.keep(loaded);
                return Ok(judgement.verdict);
            }
            Err(CommitError::Conflict) if attempt == 0 => store.refresh(&mut loaded)?,
            // What was read before fits no more: all of it is read again.
            Err(CommitError::Conflict) => loaded = store.load(&event.session, windows)?,
            // The call asks again: what was granted is good as soon as its use can be written.
            Err(CommitError::Store(error)) if loaded.shared.unwritten.is_none() => {
                loaded.shared.unwritten = Some(error.in_short());
            }
            Err(CommitError::Store(error)) => return Err(error),
        }
    }
    Err(StoreError::Locked)
}

pub(super) fn answered(done: Result<(), StoreError>, findings: Vec<Finding>, text: String) -> Response {
    match done {
        Ok(()) => Response::ok(TextAnswer { text }).with(findings),
        Err(error) => Response::bad(findings.into_iter().chain([store_finding(&error)])),
    }
}

/// The store stands in the user's state, whose path is nobody's business but the machine's.
pub(crate) fn store_finding(error: &StoreError) -> Finding {
    error.finding("store.db")
}

fn whose(session: Option<&str>) -> String {
    session.map_or_else(String::new, |session| format!("of the session `{session}` "))
}

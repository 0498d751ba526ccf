//! A granted request is taken by whoever runs the call at once: what was granted may have become forbidden since.

use mentci_authority::{At, Effect, Event, Hook, ToolCall, Verdict};
use mentci_host::Response;
use mentci_host::policy::{ApprovalsAnswer, add_places, admit, judge, problem};
use mentci_ledger::{Act, Delta, Record, Windows, call_hash};
use mentci_source::{Code, Finding};
use mentci_store::{
    ApprovalQuery, ApprovalRow, ApprovalStatus, CommitError, DegradedStore, Loaded, Store, StoreError,
};

use super::approvals::row;
use super::in_force::InForce;
use super::log::{TRIES, stopped, store_finding};
use super::moment::heard;
use crate::workspace::Workspace;

/// The state of a request whose call may not run any more.
const BLOCKED: &str = "blocked";

/// How a request stood, and why its call may not run where that is so.
struct Taken {
    row: ApprovalRow,
    why: Option<String>,
}

/// Says of a granted call whether it may run, as its session stands.
type MayRun<'m> = dyn Fn(&Loaded) -> Result<(), String> + 'm;

impl Workspace {
    /// How a request stood; a granted one is used up, unless the call would be stopped or blocked if it was decided now.
    pub(super) fn take_approval(&self, id: &str, asked: Option<Event>, by: &str) -> Response {
        if let Some(refused) = self.unplaced() {
            return refused;
        }
        let at = self.now();
        let (known, findings) = self.with_store(|store| request(store, id, at));
        let known = match known {
            Ok(Some(known)) => known,
            Ok(None) => {
                let message = format!("no approval has the id `{}`", id.escape_debug());
                return Response::bad(
                    findings.into_iter().chain([Finding::new(Code::UNKNOWN_SUBJECT, message)]),
                );
            }
            Err(error) => return Response::bad(findings.into_iter().chain([store_finding(&error)])),
        };
        let in_force = self.in_force();
        let call = self.asked_call(&known, asked, &in_force);
        let may_run = |loaded: &Loaded| {
            let event = call.as_ref().map_err(Clone::clone)?;
            let judged = judge(&in_force.program, event, loaded.view(event), self.outside(), false);
            refusal(&judged.verdict).map_or(Ok(()), Err)
        };
        let windows = in_force.program.windows();
        let (taken, more) = self.with_store(|store| take(store, (id, by, at), windows, &may_run));
        let findings = findings.into_iter().chain(more);
        match taken {
            Ok(Some(taken)) => Response::ok(ApprovalsAnswer { approvals: vec![taken.told()] }).with(findings),
            Ok(None) => Response::bad(findings),
            Err(error) => Response::bad(findings.chain([store_finding(&error)])),
        }
    }

    /// The call that was granted, as it would be decided now; or why it may not run whatever the rules say.
    fn asked_call(
        &self,
        row: &ApprovalRow,
        asked: Option<Event>,
        in_force: &InForce,
    ) -> Result<Event, String> {
        let mut event = asked.unwrap_or_else(|| kept_call(row));
        event.session.clone_from(&row.session);
        let stop = self.all_stopped().or_else(|| self.session_stopped(&row.session));
        if let Some(refused) = stop.and_then(|reason| refusal(&stopped(&event, &reason))) {
            return Err(refused);
        }
        if let Some(problem) = problem(&event) {
            return Err(problem);
        }
        let mut event = admit(event);
        let hash = event.tool.as_ref().map(|tool| call_hash(&tool.name, &tool.args));
        if hash != Some(row.call) {
            return Err("the call is not known any more as it was asked about: check it again".to_owned());
        }
        add_places(&mut event, self);
        heard(&mut event, self.now());
        self.tune(&mut event, &in_force.settings);
        Ok(event)
    }
}

impl Taken {
    fn told(self) -> mentci_host::policy::ApprovalRow {
        let told = row(self.row);
        match self.why {
            Some(why) => {
                mentci_host::policy::ApprovalRow { state: BLOCKED.to_owned(), words: Some(why), ..told }
            }
            None => told,
        }
    }
}

/// What a request keeps of the call: short arguments whole, unless something in them is never written down.
fn kept_call(row: &ApprovalRow) -> Event {
    let tool = ToolCall { name: row.tool.clone(), args: row.args.clone(), ..ToolCall::default() };
    Event { tool: Some(tool), ..Event::new(Hook::PreToolCall) }
}

/// Why a call may not run; none where it may.
fn refusal(verdict: &Verdict) -> Option<String> {
    if verdict.decision < Effect::Approve {
        return None;
    }
    let told = verdict.reasons.iter().filter(|reason| reason.effect == verdict.decision);
    let told: Vec<&str> = told.map(|reason| reason.message.as_str()).collect();
    Some(told.join("; "))
}

fn request(store: &mut DegradedStore, id: &str, at: At) -> Result<Option<ApprovalRow>, StoreError> {
    let query = ApprovalQuery { id: Some(id.to_owned()), now_ms: at.ms, ..ApprovalQuery::default() };
    Ok(store.approvals(&query)?.pop())
}

/// Read before it is written, and bound by the session's version: of two that take it at once, one gets it.
fn take(
    store: &mut DegradedStore,
    (id, by, at): (&str, &str, At),
    windows: Windows,
    may_run: &MayRun<'_>,
) -> Result<Option<Taken>, StoreError> {
    for _ in 0..TRIES {
        let Some(known) = request(store, id, at)? else { return Ok(None) };
        let mut loaded = store.load(&known.session, windows)?;
        let Some(row) = request(store, id, at)? else { return Ok(None) };
        if row.status != ApprovalStatus::Granted {
            return Ok(Some(Taken { row, why: None }));
        }
        if let Err(why) = may_run(&loaded) {
            return Ok(Some(Taken { row, why: Some(why) }));
        }
        let act = Act::Taken { approval: row.id.clone(), by: by.to_owned() };
        let mut record = Record::act(&row.session, at, act);
        record.deltas.push(Delta::Used { approval: row.id.clone() });
        match store.commit(&mut loaded, &record, None) {
            Ok(_) => return Ok(Some(Taken { row, why: None })),
            Err(CommitError::Conflict) => {}
            Err(CommitError::Store(error)) => return Err(error),
        }
    }
    Err(StoreError::Locked)
}

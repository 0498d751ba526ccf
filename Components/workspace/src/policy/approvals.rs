//! Requests for approval, and taints: what people say about calls.

use mentci_authority::At;
use mentci_host::policy::{ApprovalRow, ApprovalsAnswer};
use mentci_host::{Outcome, Response};
use mentci_ledger::{Act, Delta, EXCERPT_BYTES, Record, Windows};
use mentci_source::{Code, Finding};
use mentci_store::{
    Answer, AnswerError, ApprovalQuery, ApprovalStatus, LogLine, LogQuery, Store, StoreError,
};
use serde_json::Value;

use super::log::{answered, store_finding};
use crate::workspace::Workspace;

/// How long the words of an answer may be, in characters.
const WORDS: usize = 1_000;
/// Among how many of the newest lines of the log the one is looked for that asked.
const LOOKED_THROUGH: u64 = 50_000;

impl Workspace {
    pub(super) fn approvals(&self) -> Response {
        let query = ApprovalQuery { now_ms: self.now().ms, ..ApprovalQuery::default() };
        let (rows, findings) = self.with_store(|store| store.approvals(&query));
        match rows {
            Ok(rows) => {
                let approvals = rows.into_iter().map(|row| self::row(self.whole(row))).collect();
                Response::ok(ApprovalsAnswer { approvals }).with(findings)
            }
            Err(error) => Response::bad(findings.into_iter().chain([store_finding(&error)])),
        }
    }

    /// A request that waits, with all arguments of the very call that it is about. A request holds the start of long ones, which
    /// another call may share: what is shown is what the line of the log says that asked, or ends with a mark.
    fn whole(&self, row: mentci_store::ApprovalRow) -> mentci_store::ApprovalRow {
        let start = match &row.args {
            Value::String(start)
                if row.status == ApprovalStatus::Pending && start.len() + 4 > EXCERPT_BYTES =>
            {
                start.clone()
            }
            _ => return row,
        };
        let args = self.args_asked_for(&row).unwrap_or_else(|| format!("{start}…").into());
        mentci_store::ApprovalRow { args, ..row }
    }

    fn args_asked_for(&self, row: &mentci_store::ApprovalRow) -> Option<Value> {
        let asks = |line: &LogLine| {
            let deltas = line.record.deltas.iter();
            deltas
                .into_iter()
                .any(|delta| matches!(delta, Delta::Requested { approval, .. } if *approval == row.id))
        };
        let (body, _) = self.with_store(|store| {
            let after = store.last()?.saturating_sub(LOOKED_THROUGH);
            let mut query = LogQuery { after, ..LogQuery::of(&row.session) };
            loop {
                let lines = store.log(&query)?;
                let Some(last) = lines.last() else { return Ok::<_, StoreError>(None) };
                query.after = last.seq;
                if let Some(line) = lines.into_iter().find(|line| asks(line)) {
                    return Ok(line.body);
                }
            }
        });
        let mut event: Value = serde_json::from_str(&body.ok()??).ok()?;
        event.pointer_mut("/tool/args").map(Value::take)
    }

    /// As whom the daemon knows whoever asked for an approval; none where nobody did of this id, or not over HTTP.
    pub fn asked_by(&self, approval: &str) -> Option<String> {
        self.request(approval)?.caller
    }

    /// Whether a request for approval waits no more: it was answered, used, or ran out. One that the log cannot tell of waits.
    pub fn is_settled(&self, approval: &str) -> bool {
        self.request(approval).is_some_and(|row| row.status != ApprovalStatus::Pending)
    }

    fn request(&self, approval: &str) -> Option<mentci_store::ApprovalRow> {
        let query = ApprovalQuery {
            id: Some(approval.to_owned()),
            now_ms: self.now().ms,
            ..ApprovalQuery::default()
        };
        self.with_store(|store| store.approvals(&query)).0.ok()?.pop()
    }

    /// Answers a request; its id may be cut short when only one starts so.
    pub(super) fn answer_approval(&self, id: &str, grant: bool, by: &str, words: Option<String>) -> Response {
        if let Some(refused) = self.unplaced() {
            return refused;
        }
        let at = self.now();
        let words = words.map(|words| shortened(words.trim()));
        let words = words.filter(|words| !words.is_empty());
        let (answer, findings) = self.with_store(|store| {
            let query = ApprovalQuery { now_ms: at.ms, ..ApprovalQuery::default() };
            let rows = store.approvals(&query)?;
            let mut fitting = rows.iter().filter(|row| row.id.starts_with(id) && id.len() >= 4);
            let (first, second) = (fitting.next(), fitting.next());
            let approval = match (first, second) {
                (Some(row), None) => row.id.clone(),
                _ => id.to_owned(),
            };
            store.answer(&Answer { approval, is_granted: grant, by: by.to_owned(), words, at })
        });
        match answer {
            Ok(answered) => Response::ok(ApprovalsAnswer { approvals: vec![row(answered)] }).with(findings),
            Err(AnswerError::Store(error)) => {
                Response::bad(findings.into_iter().chain([store_finding(&error)]))
            }
            Err(AnswerError::Settled(status)) => {
                let message = format!("`{}`: the approval is {} already", id.escape_debug(), status.name());
                let finding = Finding::new(Code::APPROVAL_SETTLED, message);
                let finding = finding.help("`policy-engine approvals list` shows who answered it");
                let standing = self.standing_request(id, at.ms);
                Response { outcome: Outcome::Bad, ..Response::ok(ApprovalsAnswer { approvals: standing }) }
                    .with(findings.into_iter().chain([finding]))
            }
            Err(error) => {
                let finding =
                    Finding::new(Code::UNKNOWN_SUBJECT, format!("`{}`: {error}", id.escape_debug()));
                let finding = finding.help("`policy-engine approvals list` shows what is asked");
                Response::bad(findings.into_iter().chain([finding]))
            }
        }
    }

    /// The request of an id, or of the start of one, as it stands.
    fn standing_request(&self, id: &str, now_ms: i64) -> Vec<ApprovalRow> {
        let query = ApprovalQuery { now_ms, ..ApprovalQuery::default() };
        let rows = self.with_store(|store| store.approvals(&query)).0.unwrap_or_default();
        rows.into_iter().filter(|row| row.id.starts_with(id)).take(1).map(row).collect()
    }

    /// Clears every taint of a session.
    pub(super) fn clear_taints(&self, session: &str, by: &str) -> Response {
        let at = self.now();
        let (cleared, findings) = self.with_store(|store| {
            let loaded = store.load(session, Windows::default())?;
            let cleared = loaded.ledger.taints().keys().map(|name| {
                let act = Act::TaintCleared { name: name.clone(), by: by.to_owned() };
                (Record::act(session, at, act), None)
            });
            let cleared: Vec<_> = cleared.collect();
            if cleared.is_empty() {
                return Ok(0);
            }
            store.append(&cleared).map(|()| cleared.len())
        });
        let text =
            cleared.as_ref().map_or_else(|_| String::new(), |count| format!("taints cleared: {count}\n"));
        answered(cleared.map(drop), findings, text)
    }
}

/// Words as they are kept: what is too long for an agent ends with a mark.
fn shortened(words: &str) -> String {
    match words.char_indices().nth(WORDS) {
        None => words.to_owned(),
        Some(_) => words.chars().take(WORDS - 1).chain(['…']).collect(),
    }
}

pub(super) fn row(row: mentci_store::ApprovalRow) -> ApprovalRow {
    ApprovalRow {
        id: row.id,
        state: row.status.name().to_owned(),
        session: row.session,
        tool: row.tool,
        args: row.args.to_string(),
        rule: row.rule,
        caller: row.caller,
        sender: row.sender,
        asked: At::utc(row.requested_ms).to_string(),
        expires: At::utc(row.expires_ms).to_string(),
        by: row.by,
        words: row.words,
    }
}

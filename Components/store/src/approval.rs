//! Requests for approval, over all sessions.

use mentci_ledger::{Act, Delta, Record, What};
use mentci_source::Hash;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Answer, StoreError};

/// A request about one exact call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ApprovalRow {
    /// Its id.
    pub id: String,
    /// The session that waits.
    pub session: String,
    /// The call: [`call_hash`](mentci_ledger::call_hash()).
    pub call: Hash,
    /// Its tool.
    pub tool: String,
    /// Its arguments, or the start of their text, for the person who decides.
    pub args: Value,
    /// The rule that asks.
    pub rule: String,
    /// As whom the daemon knows whoever asked: by the name of a token, or `local`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caller: Option<String>,
    /// What the call says of who makes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sender: Option<String>,
    /// Where it stands; [`ApprovalStatus::Expired`] is a matter of time and is never stored.
    pub status: ApprovalStatus,
    /// When it was asked, in milliseconds since 1970 UTC.
    pub requested_ms: i64,
    /// Until when it is good: at that moment it has expired.
    pub expires_ms: i64,
    /// When it was answered.
    pub answered_ms: Option<i64>,
    /// Who answered.
    pub by: Option<String>,
    /// What that person said to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
}

/// Where a request stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalStatus {
    /// Nobody answered.
    Pending,
    /// Granted, and not used yet.
    Granted,
    /// Denied.
    Denied,
    /// Granted and used.
    Used,
    /// Too late to be answered or used.
    Expired,
}

impl ApprovalStatus {
    /// Every status.
    pub const ALL: [Self; 5] = [Self::Pending, Self::Granted, Self::Denied, Self::Used, Self::Expired];

    /// `pending`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Granted => "granted",
            Self::Denied => "denied",
            Self::Used => "used",
            Self::Expired => "expired",
        }
    }

    /// The status with this name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == text)
    }
}

/// Which requests.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ApprovalQuery {
    /// Of this session; of all when absent.
    pub session: Option<String>,
    /// The one with this id.
    pub id: Option<String>,
    /// With this status; any when absent.
    pub status: Option<ApprovalStatus>,
    /// The time, in milliseconds since 1970 UTC: what has expired by then is shown as such.
    pub now_ms: i64,
}

impl ApprovalQuery {
    /// What waits for an answer.
    pub fn pending(now_ms: i64) -> Self {
        Self { status: Some(ApprovalStatus::Pending), now_ms, ..Self::default() }
    }

    /// Applies the time and the filters to what is stored, the newest first.
    pub(crate) fn select(&self, rows: impl IntoIterator<Item = ApprovalRow>) -> Vec<ApprovalRow> {
        let mut found: Vec<ApprovalRow> = rows.into_iter().map(|row| row.at(self.now_ms)).collect();
        found.retain(|row| {
            self.status.is_none_or(|status| row.status == status)
                && self.session.as_ref().is_none_or(|session| row.session == *session)
                && self.id.as_ref().is_none_or(|id| row.id == *id)
        });
        found.sort_by(|a, b| (b.requested_ms, &a.id).cmp(&(a.requested_ms, &b.id)));
        found
    }
}

impl ApprovalRow {
    /// As it stands at a time.
    pub(crate) fn at(mut self, now_ms: i64) -> Self {
        let lapses = matches!(self.status, ApprovalStatus::Pending | ApprovalStatus::Granted);
        if lapses && now_ms >= self.expires_ms {
            self.status = ApprovalStatus::Expired;
        }
        self
    }

    /// The act that answers it.
    pub(crate) fn act(&self, answer: &Answer) -> Result<Record, AnswerError> {
        match self.clone().at(answer.at.ms).status {
            ApprovalStatus::Pending => {}
            // A person may think better of a grant that was not used yet.
            ApprovalStatus::Granted if !answer.is_granted => {}
            status => return Err(AnswerError::Settled(status)),
        }
        let (approval, by, words) = (self.id.clone(), answer.by.clone(), answer.words.clone());
        let act = if answer.is_granted {
            Act::Granted { approval, by, words }
        } else {
            Act::Denied { approval, by, words }
        };
        Ok(Record::act(&self.session, answer.at, act))
    }
}

/// Why a request could not be answered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// There is none with this id.
    #[error("no approval has this id")]
    Unknown,
    /// It is answered, used or expired.
    #[error("the approval is {} already", .0.name())]
    Settled(ApprovalStatus),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<rusqlite::Error> for AnswerError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Store(error.into())
    }
}

/// What a record changes about requests.
pub(crate) enum ApprovalChange<'a> {
    Requested(Box<ApprovalRow>),
    Answered { id: &'a str, status: ApprovalStatus, by: &'a str, words: Option<&'a String>, at_ms: i64 },
    Used { id: &'a str },
}

impl ApprovalChange<'_> {
    /// Whose row.
    pub(crate) fn id(&self) -> &str {
        match self {
            Self::Requested(row) => &row.id,
            Self::Answered { id, .. } | Self::Used { id } => id,
        }
    }

    /// The row after it; none where there is no row to be changed.
    pub(crate) fn made(self, before: Option<ApprovalRow>) -> Option<ApprovalRow> {
        match self {
            Self::Requested(row) => Some(*row),
            Self::Answered { status, by, words, at_ms, .. } => before.map(|row| ApprovalRow {
                status,
                by: Some(by.to_owned()),
                answered_ms: Some(at_ms),
                words: words.cloned(),
                ..row
            }),
            Self::Used { .. } => before.map(|row| ApprovalRow { status: ApprovalStatus::Used, ..row }),
        }
    }
}

/// What `record`, made at `at_ms`, changes about requests.
pub(crate) fn changes(record: &Record, at_ms: i64) -> Vec<ApprovalChange<'_>> {
    let mut changes = Vec::new();
    match &record.what {
        What::Act(Act::Granted { approval: id, by, words }) => {
            let (status, words) = (ApprovalStatus::Granted, words.as_ref());
            changes.push(ApprovalChange::Answered { id, status, by, words, at_ms });
        }
        What::Act(Act::Denied { approval: id, by, words }) => {
            let (status, words) = (ApprovalStatus::Denied, words.as_ref());
            changes.push(ApprovalChange::Answered { id, status, by, words, at_ms });
        }
        _ => {}
    }
    for delta in &record.deltas {
        match delta {
            Delta::Requested { approval, rule, expires_ms } => {
                let row = requested(record, approval, rule, at_ms, *expires_ms);
                changes.extend(row.map(|row| ApprovalChange::Requested(Box::new(row))));
            }
            Delta::Used { approval: id } => changes.push(ApprovalChange::Used { id }),
            _ => {}
        }
    }
    changes
}

fn requested(record: &Record, id: &str, rule: &str, at_ms: i64, expires_ms: i64) -> Option<ApprovalRow> {
    let seen = record.seen()?;
    let call = seen.call.as_ref()?;
    Some(ApprovalRow {
        id: id.to_owned(),
        session: record.session.clone(),
        call: call.hash,
        tool: call.name.clone(),
        args: call.args.clone(),
        rule: rule.to_owned(),
        caller: seen.caller.clone(),
        sender: seen.sender.clone(),
        status: ApprovalStatus::Pending,
        requested_ms: at_ms,
        expires_ms,
        answered_ms: None,
        by: None,
        words: None,
    })
}

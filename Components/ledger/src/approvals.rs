//! What people were asked about calls, and what they answered.

use std::collections::BTreeMap;

use mentci_source::Hash;
use serde::{Deserialize, Serialize};

/// What became of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalState {
    /// Nobody answered yet.
    Pending,
    /// A person said yes, and it was not used yet.
    Granted,
    /// A person said no.
    Denied,
}

/// A request about one exact call. A used or expired one is forgotten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    /// Its id.
    pub id: String,
    /// The rule that asked.
    pub rule: String,
    /// What became of it.
    pub state: ApprovalState,
    /// Until when it is good, in milliseconds since 1970 UTC: at that moment it has expired.
    pub expires_ms: i64,
    /// Why not, in the words of who denied it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
}

/// The requests of a session by call. At most [`MAX`]: beyond, the one that expires first is forgotten, so that its call
/// has to be asked about again.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Approvals(BTreeMap<Hash, Approval>);

const MAX: usize = 256;

impl Approvals {
    pub(crate) fn get(&self, call: &Hash, now_ms: i64) -> Option<&Approval> {
        self.0.get(call).filter(|approval| now_ms < approval.expires_ms)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn all(&self, now_ms: i64) -> impl Iterator<Item = (&Hash, &Approval)> {
        self.0.iter().filter(move |(_, approval)| now_ms < approval.expires_ms)
    }

    pub(crate) fn request(&mut self, call: Hash, id: &str, rule: &str, expires_ms: i64) {
        if self.0.len() >= MAX
            && let Some(first) =
                self.0.iter().min_by_key(|(_, approval)| approval.expires_ms).map(|(call, _)| *call)
        {
            self.0.remove(&first);
        }
        let state = ApprovalState::Pending;
        let (id, rule, words) = (id.to_owned(), rule.to_owned(), None);
        self.0.insert(call, Approval { id, rule, state, expires_ms, words });
    }

    /// A denial stands, whatever is said later.
    pub(crate) fn answer(&mut self, id: &str, state: ApprovalState, words: Option<&String>) {
        let pending = |approval: &&mut Approval| approval.id == id && approval.state != ApprovalState::Denied;
        if let Some(approval) = self.0.values_mut().find(pending) {
            approval.state = state;
            approval.words = words.cloned();
        }
    }

    pub(crate) fn forget_grants(&mut self) {
        self.0.retain(|_, approval| approval.state != ApprovalState::Granted);
    }

    pub(crate) fn spend(&mut self, id: &str) {
        self.0.retain(|_, approval| approval.id != id);
    }
}

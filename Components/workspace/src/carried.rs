//! What rules warned of where a harness shows a model nothing: it is kept for the next hook at which something can be told.

use mentci_authority::{Effect, Verdict};
use mentci_disk::{Edit, Sidecar, edit_locked, exists};
use mentci_host::{HookCall, Moment};

use crate::hook::{FOLDER, LOCK, OPTIONS, session_name};
use crate::workspace::Workspace;

/// How many warnings wait at most: the oldest go first.
const MOST: usize = 20;

impl Workspace {
    /// Keeps what was warned of at a gate that tells the model nothing; hands out what was kept where something can be told.
    pub(crate) fn carried(&self, call: &HookCall, at_gate: bool, verdicts: &[Verdict]) -> Vec<Verdict> {
        if call.harness.hears_at_gate() {
            return Vec::new();
        }
        let name = format!("{FOLDER}/{}.later.json", session_name(call));
        if at_gate {
            let told: Vec<Verdict> = verdicts.iter().filter_map(told).collect();
            if !told.is_empty() {
                self.later(&name, |mut kept| {
                    kept.extend(told.iter().cloned());
                    let from = kept.len().saturating_sub(MOST);
                    kept.split_off(from)
                });
            }
            return Vec::new();
        }
        let path = self.state_folder().join(&name);
        let is_told = call.moment.is_some_and(Moment::is_kept);
        if !is_told || !exists(self.fs.as_ref(), &path) {
            return Vec::new();
        }
        let mut earlier = Vec::new();
        self.later(&name, |kept| {
            earlier = kept;
            Vec::new()
        });
        earlier
    }

    /// Changes what is kept, under the lock of what sessions were told. What cannot be kept is lost: it was advice.
    fn later(&self, name: &str, change: impl FnOnce(Vec<Verdict>) -> Vec<Verdict>) {
        let sidecar = Sidecar::at(&self.state_folder(), LOCK);
        let mut change = Some(change);
        let _ = edit_locked(self.fs.as_ref(), &sidecar, name, OPTIONS, |bytes| {
            let kept = bytes.and_then(|bytes| serde_json::from_slice(bytes).ok()).unwrap_or_default();
            let after = change.take().map(|change| change(kept)).unwrap_or_default();
            serde_json::to_vec(&after).map(Edit::Replace)
        });
        let path = self.state_folder().join(name);
        if mentci_disk::read_optional(self.fs.as_ref(), &path)
            .ok()
            .flatten()
            .is_some_and(|left| left == b"[]")
        {
            // Whoever warns next makes it anew.
            let _ = self.fs.remove(&path);
        }
    }
}

/// What of a verdict a model is told beside the decision; none where there is nothing.
fn told(verdict: &Verdict) -> Option<Verdict> {
    let reasons: Vec<_> =
        verdict.reasons.iter().filter(|reason| reason.effect == Effect::Warn).cloned().collect();
    let notifications = verdict.notifications.clone();
    let is_empty = reasons.is_empty() && notifications.is_empty();
    (!is_empty).then(|| Verdict { reasons, notifications, ..Verdict::default() })
}

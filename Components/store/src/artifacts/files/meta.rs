//! What is noted of an artifact beside its content.

use std::collections::BTreeMap;

use mentci_authority::{ArtifactHandle, GcPolicy};
use serde::{Deserialize, Serialize};

/// The file `abcd….json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Meta {
    pub(super) format: u32,
    pub(super) handle: ArtifactHandle,
    pub(super) newlines: u64,
    /// When each session stored it last.
    pub(super) holds: BTreeMap<String, f64>,
    #[serde(default)]
    pub(super) is_pinned: bool,
}

/// The format of the files. A newer one is refused.
pub(super) const META_FORMAT: u32 = 1;

impl Meta {
    pub(super) fn new(handle: ArtifactHandle, newlines: u64) -> Self {
        let handle = ArtifactHandle { created_at: finite(handle.created_at), ..handle };
        Self { format: META_FORMAT, handle, newlines, holds: BTreeMap::new(), is_pinned: false }
    }

    pub(super) fn hold(&mut self, session: &str, at: f64) {
        let at = finite(at);
        let held = self.holds.entry(session.to_owned()).or_insert(at);
        *held = held.max(at);
    }

    /// When it was stored last.
    pub(super) fn held_at(&self) -> f64 {
        self.holds.values().copied().fold(self.handle.created_at, f64::max)
    }

    pub(super) fn is_kept(&self, policy: &GcPolicy) -> bool {
        self.is_pinned
            || policy.newer_than.is_some_and(|time| self.held_at() >= time)
            || self.holds.keys().any(|session| policy.sessions.contains(session))
    }
}

/// A time that can be compared, and written as JSON.
fn finite(at: f64) -> f64 {
    if at.is_finite() { at } else { 0.0 }
}

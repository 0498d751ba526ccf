//! What is written where everything, or a session, is stopped: why, by whom and since when. What cannot be written is held in
//! memory, and is in force as long as the process runs.

use std::sync::{MutexGuard, PoisonError};

use mentci_host::policy::StopRow;
use mentci_source::{Code, Finding, Severity};
use serde::{Deserialize, Serialize};

use crate::workspace::Workspace;

/// A stop, as its file has it. A file that says something else is a stop all the same, and all of it is the reason: whoever
/// writes one by hand stops everything too.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stop {
    /// Why.
    pub(super) reason: String,
    /// Who.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) by: Option<String>,
    /// Since when, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) since: Option<String>,
    /// Which session; all when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) session: Option<String>,
}

impl Stop {
    /// For this reason alone.
    pub(super) fn of(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), ..Self::default() }
    }

    /// What a file says.
    pub(super) fn read(bytes: &[u8]) -> Self {
        serde_json::from_slice(bytes).unwrap_or_else(|_| Self::of(String::from_utf8_lossy(bytes).trim()))
    }

    /// What is written.
    pub(super) fn bytes(&self) -> Vec<u8> {
        // OK because it is plain text.
        serde_json::to_vec(self).unwrap_or_else(|_| self.reason.clone().into_bytes())
    }

    /// As it is told.
    pub(super) fn row(self) -> StopRow {
        let Self { reason, by, since, session } = self;
        StopRow { session, reason, by, since }
    }
}

impl Workspace {
    /// Stops what could not be stopped for all processes in this one: whoever stops calls because the house burns is not told
    /// first that the disk is full.
    pub(super) fn hold_stop(&self, stop: Stop) -> Finding {
        let mut held = self.held_stops();
        held.retain(|held| held.session != stop.session);
        held.push(stop);
        let message = "this process blocks the calls all the same, and no other process knows of it";
        let finding = Finding::new(Code::STORE_HELD, message).severity(Severity::Warning);
        finding.help("it ends with the process that was asked: stop again as soon as the disk can be written")
    }

    /// Lets run again what was stopped in this process alone.
    pub(super) fn release(&self, session: Option<&str>) {
        self.held_stops().retain(|stop| stop.session.as_deref() != session);
    }

    /// Why a session, or with none everything, is stopped in this process.
    pub(super) fn held_stop(&self, session: Option<&str>) -> Option<Stop> {
        self.held_stops().iter().find(|stop| stop.session.as_deref() == session).cloned()
    }

    /// Everything that is stopped in this process alone.
    pub(super) fn held_stops(&self) -> MutexGuard<'_, Vec<Stop>> {
        self.stops_held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::Stop;

    #[test]
    fn a_stop_reads_as_it_was_written_and_whatever_else_stands_there_is_its_reason() {
        let stop = Stop {
            by: Some("ada".into()),
            since: Some("2026-03-02T10:00:00Z".into()),
            ..Stop::of("it \"ran\" away")
        };
        assert_eq!(Stop::read(&stop.bytes()), stop);
        for (written, reason) in [("by hand\n", "by hand"), ("{\"reason\": 1}", "{\"reason\": 1}"), ("", "")]
        {
            assert_eq!(Stop::read(written.as_bytes()), Stop::of(reason));
        }
    }
}

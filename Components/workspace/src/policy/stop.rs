//! What is written where everything, or a session, is stopped: why, by whom and since when.

use mentci_host::policy::StopRow;
use serde::{Deserialize, Serialize};

/// A stop, as its file has it. A file that says something else is a stop all the same, and all of it is the reason: whoever
/// writes one by hand stops everything too.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stop {
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

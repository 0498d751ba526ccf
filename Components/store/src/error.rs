//! What can go wrong with a store.

use mentci_source::{Code, Finding};

/// Why the store could not do it. Nothing of what was asked was done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Another process held the store for longer than the time-out.
    #[error("another process holds the store")]
    Locked,
    /// No room is left.
    #[error("the disk is full")]
    Full,
    /// The file is damaged.
    #[error("the store is damaged: {0}")]
    Corrupt(String),
    /// The file may not be opened or written.
    #[error("the store cannot be opened or written: {0}")]
    Denied(String),
    /// The file was written by a newer version.
    #[error("the store has format {found}, and this version knows {known}")]
    Newer {
        /// Its format.
        found: u32,
        /// The newest that is known here.
        known: u32,
    },
    /// Something else.
    #[error("the store failed: {0}")]
    Other(String),
}

impl StoreError {
    /// The finding for the store at `path`.
    pub fn finding(&self, path: &str) -> Finding {
        Finding::new(self.code(), self.to_string()).help(self.help()).in_file(path)
    }

    fn code(&self) -> Code {
        match self {
            Self::Locked => Code::STORE_LOCKED,
            Self::Full => Code::STORE_FULL,
            Self::Corrupt(_) => Code::STORE_DAMAGED,
            Self::Denied(_) | Self::Other(_) => Code::STORE_DENIED,
            Self::Newer { .. } => Code::FORMAT_NEWER,
        }
    }

    /// As whoever calls a tool is told: without what the system says, which names the user's folders.
    pub fn in_short(&self) -> String {
        let what = match self {
            Self::Corrupt(_) => "the store is damaged",
            Self::Denied(_) => "the store cannot be opened or written",
            Self::Other(_) => "the store failed",
            Self::Locked | Self::Full | Self::Newer { .. } => {
                return format!("{self} ({})", self.code().id());
            }
        };
        format!("{what} ({})", self.code().id())
    }

    /// What to do about it.
    pub(crate) fn help(&self) -> &'static str {
        match self {
            Self::Locked => "wait for the other process, or end it",
            Self::Full => "free some space",
            Self::Corrupt(_) => "a damaged store is set aside, and a new one is begun",
            Self::Denied(_) => "check who owns the file and its folder",
            Self::Newer { .. } => "upgrade `policy-engine`",
            Self::Other(_) => "look at the file and its disk",
        }
    }
}

/// Why a record was not committed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommitError {
    /// Something was committed since the session was loaded: load and decide again.
    #[error("the session moved on since it was loaded")]
    Conflict,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        let text = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked,
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Corrupt(text),
            Some(
                ErrorCode::PermissionDenied
                | ErrorCode::ReadOnly
                | ErrorCode::CannotOpen
                | ErrorCode::AuthorizationForStatementDenied,
            ) => Self::Denied(text),
            _ => Self::Other(text),
        }
    }
}

impl From<rusqlite::Error> for CommitError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Store(error.into())
    }
}

impl From<serde_json::Error> for StoreError {
    /// Whatever stands in the store was written as JSON; what does not read is damaged.
    fn from(error: serde_json::Error) -> Self {
        Self::Corrupt(error.to_string())
    }
}

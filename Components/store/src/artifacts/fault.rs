//! What can go wrong inside of a store of artifacts.

use std::io;

use mentci_authority::ArtifactError;
use mentci_disk::DiskError;

use crate::StoreError;

/// Either the store's fault, which may be mended, or the answer to whoever asked.
#[derive(Debug, Clone)]
pub(crate) enum Fault {
    Store(StoreError),
    Artifact(ArtifactError),
}

impl Fault {
    /// Whether another process holds the store: whoever comes next waits as long.
    pub(crate) fn is_locked(&self) -> bool {
        matches!(self, Self::Store(StoreError::Locked))
    }

    pub(crate) fn is_corrupt(&self) -> bool {
        matches!(self, Self::Store(StoreError::Corrupt(_)))
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Store(error.into())
    }
}

impl From<ArtifactError> for Fault {
    fn from(error: ArtifactError) -> Self {
        Self::Artifact(error)
    }
}

impl From<DiskError> for Fault {
    fn from(error: DiskError) -> Self {
        error.source.into()
    }
}

impl From<io::Error> for Fault {
    /// An error of the store's own files.
    fn from(error: io::Error) -> Self {
        use io::ErrorKind::{QuotaExceeded, StorageFull};
        match error.kind() {
            StorageFull | QuotaExceeded => Self::Store(StoreError::Full),
            _ => Self::Store(StoreError::Denied(error.to_string())),
        }
    }
}

impl From<Fault> for ArtifactError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Store(error) => Self::Unavailable { help: error.help(), why: error.to_string() },
            Fault::Artifact(error) => error,
        }
    }
}

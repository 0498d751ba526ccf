//! What was acknowledged and could not be written: it ends with the process, and whoever counts on it is told.

use mentci_source::{Code, Finding, Severity};

use crate::workspace::Workspace;

impl Workspace {
    /// What was acknowledged and is held in memory alone, after another try to write it; none where all of it is written.
    pub fn unwritten(&self) -> Option<Finding> {
        let (count, _) = self.with_store(|store| {
            // OK to ignore: what cannot be written is counted.
            let _ = store.unsaved() == 0 || store.flush().is_ok();
            store.unsaved()
        });
        let message = format!("{count} decisions are held in memory alone: they cannot be written");
        let finding = Finding::new(Code::STORE_HELD, message).severity(Severity::Error);
        (count > 0).then(|| finding.help("make room on the disk, before this process ends"))
    }
}

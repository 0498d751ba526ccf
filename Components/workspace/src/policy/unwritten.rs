//! What was acknowledged and could not be written: it ends with the process, and whoever counts on it is told.

use mentci_source::{Code, Finding, Severity};

use crate::workspace::Workspace;

impl Workspace {
    /// What keeps decisions from being what they should be, after another try to write what is held: nothing can be read of what
    /// happened before, or what was acknowledged is in memory alone. None where all is read and written.
    pub fn unwritten(&self) -> Option<Finding> {
        if !self.has_log() {
            return None;
        }
        let ((unread, count, is_away), _) =
            self.with_store(|store| (store.unread(), store.unsaved(), store.is_away()));
        if let Some(why) = unread {
            let message = format!("what happened before cannot be read, and no call is let through: {why}");
            return Some(
                Finding::new(Code::STORE_DENIED, message).help("look what stands at the store's place"),
            );
        }
        if is_away {
            let message = "the file of the store was taken away, and no other can be made in its place";
            let finding = Finding::new(Code::STORE_HELD, message).severity(Severity::Error);
            return Some(finding.help("look what stands there, before this process ends"));
        }
        let message = format!("{count} decisions are held in memory alone: they cannot be written");
        let finding = Finding::new(Code::STORE_HELD, message).severity(Severity::Error);
        (count > 0).then(|| finding.help("make room on the disk, before this process ends"))
    }
}

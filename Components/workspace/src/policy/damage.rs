//! A log that was damaged: what it said of stops, grants and switches may be lost, and whoever answers for that is told.

use std::ffi::OsStr;
use std::sync::PoisonError;

use mentci_disk::Kind;
use mentci_host::Check;
use mentci_source::{Code, Finding, Severity};

use crate::workspace::Workspace;

impl Workspace {
    /// What became of logs that were damaged: what this process found, and those that stand aside for longer.
    pub fn damaged_logs(&self) -> Vec<Finding> {
        let held = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = held.as_ref().map_or_else(Vec::new, |store| store.damages().to_vec());
        drop(held);
        let is_new = |name: &String| {
            let quoted = format!("`{name}`");
            !found.iter().any(|finding| finding.message.contains(&quoted))
        };
        let aside: Vec<Finding> = self.logs_aside().iter().filter(|name| is_new(name)).map(aside).collect();
        found.extend(aside);
        found
    }

    /// The damaged logs that were set aside, by the names of their files.
    pub(crate) fn logs_aside(&self) -> Vec<String> {
        let mut wanted = |name: &OsStr, kind: Kind| {
            let number = name.to_str().and_then(|name| name.strip_prefix("store.db.corrupt-"));
            let is_log = number.is_some_and(|number| number.parse::<u32>().is_ok());
            (kind == Kind::File && is_log).then_some(false)
        };
        let entries = self.fs.read_dir(&self.state_folder(), &mut wanted).unwrap_or_default();
        let mut names: Vec<String> =
            entries.into_iter().filter_map(|entry| entry.name.into_string().ok()).collect();
        names.sort_by_key(|name| (name.len(), name.clone()));
        names
    }

    /// How the log stands, where it does not stand well, and why.
    pub(crate) fn log_check(&self) -> (Option<Check>, Vec<Finding>) {
        let findings: Vec<Finding> = self.unwritten().into_iter().chain(self.damaged_logs()).collect();
        let seen = findings.first().map(|finding| finding.message.clone());
        (seen.map(|seen| Check { what: "store".to_owned(), ok: false, seen }), findings)
    }
}

/// A log that was set aside, perhaps by a process that nobody heard.
fn aside(name: &String) -> Finding {
    let message = format!("a damaged store was set aside as `{name}`");
    Finding::new(Code::STORE_DAMAGED, message).severity(Severity::Warning).help(
        "look whether calls were stopped, and which rules were switched off, then move it out of the user's state",
    )
}

//! Who asks: a workspace as somebody asks it, so that its log names them.

use std::sync::mpsc::Receiver;

use mentci_host::{Ask, Published, Request, Response};
use mentci_ledger::{Act, Change, Record};
use mentci_source::Finding;
use mentci_store::Store;

use crate::policy::store_finding;
use crate::workspace::Workspace;

/// Who asks where nobody says who: whoever sits at the command line.
pub(crate) const USER: &str = "user";

/// A workspace, as one person or program asks it: what they change is in the log under their name. A request carries no name
/// of its own, so that none can be claimed.
#[derive(Debug, Clone, Copy)]
pub struct By<'w> {
    workspace: &'w Workspace,
    who: &'w str,
}

impl Ask for By<'_> {
    fn ask(&self, request: Request) -> Response {
        self.workspace.ask_as(self.who, request)
    }

    fn subscribe(&self) -> Receiver<Published> {
        self.workspace.subscribe()
    }
}

impl Workspace {
    /// The same, as somebody asks it.
    pub fn by<'w>(&'w self, who: &'w str) -> By<'w> {
        By { workspace: self, who }
    }

    /// Writes into the log what somebody changed outside the store: in files, or in the user's state. The change stands
    /// whatever becomes of the line; a line that cannot be written is a finding.
    pub fn tell(&self, change: Change) -> Vec<Finding> {
        let record = self.told(change);
        let (written, mut findings) = self.with_store(|store| store.append(&[(record, None)]));
        findings.extend(
            written
                .err()
                .map(|error| store_finding(&error).help("it is done; only the log does not say by whom")),
        );
        findings
    }

    /// The line of the log for a change.
    pub(crate) fn told(&self, change: Change) -> Record {
        Record::act("", self.now(), Act::Changed(change))
    }
}

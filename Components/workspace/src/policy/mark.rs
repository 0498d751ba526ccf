//! What names the law that decides now.

use std::sync::Arc;

use mentci_source::Hash;
use mentci_store::Store;

use crate::workspace::Workspace;

impl Workspace {
    /// Names the rules in force, what a person switched and set, and what is stopped: of two moments with the same name,
    /// nothing was permitted in one that is forbidden in the other but by what happened in a session.
    pub fn law_mark(&self) -> Hash {
        let in_force = self.in_force();
        let rules = match &in_force.label {
            // OK because a label is plain data.
            Some(label) => serde_json::to_vec(label).unwrap_or_default(),
            // What must be read again each time is another one each time.
            None => format!("{:p}", Arc::as_ptr(&in_force)).into_bytes(),
        };
        let (settings, _) = self.with_store(Store::settings_version);
        let stops = serde_json::to_vec(&self.list_stops().answer).unwrap_or_default();
        let settings = format!("{settings:?}").into_bytes();
        Hash::of("mentci law mark v1", [&rules[..], &settings, &stops])
    }
}

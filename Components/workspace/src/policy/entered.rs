//! Where a harness says that it works.

use std::path::Path;

use mentci_authority::Event;
use mentci_host::policy::FOLDER_FACT;
use serde_json::Value;

use crate::workspace::Workspace;

impl Workspace {
    /// The event of a harness whose shell keeps its folder between calls and tells it as `cwd`: where that is another one than
    /// the workspace's root, what is called is read as called there. What an event says of it otherwise does not count.
    pub(super) fn entered(&self, mut event: Event) -> Event {
        event.facts.remove(FOLDER_FACT);
        let folder = event.facts.get("cwd").and_then(Value::as_str).and_then(|cwd| self.beside_root(cwd));
        if let Some(folder) = folder {
            event.facts.insert(FOLDER_FACT.to_owned(), folder.into());
        }
        event
    }

    /// A folder as the rules write it: from the root where it lies in it. None where it is the root, or no folder.
    fn beside_root(&self, cwd: &str) -> Option<String> {
        let path = Path::new(cwd);
        if path == self.root || !path.is_absolute() {
            return None;
        }
        let real = self.fs.canonicalize(path).ok()?;
        let folder = real.strip_prefix(&self.root).unwrap_or(&real).to_str()?;
        (!folder.is_empty()).then(|| folder.to_owned())
    }
}

//! Where paths lead in a workspace.

use std::path::Path;

use mentci_disk::{Fs, Kind};
use mentci_host::policy::{Place, Places};

use crate::workspace::Workspace;

/// How many folders above a path are looked at.
const DEEPEST: usize = 256;

impl Places for Workspace {
    fn place(&self, path: &str) -> Place {
        let written = self.root.join(path);
        let mut missing = Vec::new();
        for above in written.ancestors().take(DEEPEST) {
            if let Ok(real) = self.fs.canonicalize(above) {
                let real = missing.iter().rev().fold(real, |real, name| real.join(name));
                return told(&self.root, &written, &real);
            }
            if is_link(&*self.fs, above) {
                return Place::Unknown;
            }
            // `..` behind a folder that is not there leads nowhere.
            let Some(name) = above.file_name() else { break };
            missing.push(name.to_owned());
        }
        Place::Here
    }
}

/// Whether a link stands there, whose target then is missing.
fn is_link(fs: &dyn Fs, path: &Path) -> bool {
    fs.lstat(path).is_ok_and(|stat| stat.kind == Kind::Link)
}

fn told(root: &Path, written: &Path, real: &Path) -> Place {
    if real == written {
        return Place::Here;
    }
    let inside = real.strip_prefix(root).unwrap_or(real);
    Place::Elsewhere(inside.to_string_lossy().into_owned())
}

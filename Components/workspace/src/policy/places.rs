//! Where paths lead in a workspace.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use mentci_disk::{Fs, Kind};
use mentci_host::policy::{Place, Places};

use crate::workspace::Workspace;

/// How many folders above a path are looked at.
const DEEPEST: usize = 256;
/// How many links to what is not there are followed, as many as Linux follows.
const MOST_LINKS: usize = 40;

impl Places for Workspace {
    fn place(&self, path: &str) -> Place {
        let written = self.root.join(path);
        let mut path = written.clone();
        for _ in 0..=MOST_LINKS {
            match step(&*self.fs, &path) {
                Step::Real(real) => return told(&self.root, &written, &real),
                Step::Linked(target) => path = target,
                // `..` behind a folder that is not there leads nowhere.
                Step::Nowhere if path == written => return Place::Here,
                Step::Nowhere | Step::Unread => return Place::Unknown,
            }
        }
        Place::Unknown
    }
}

/// What is found on the way to a path.
enum Step {
    /// Where it is, or will be: without links.
    Real(PathBuf),
    /// A link to what is not there: the same path by the link's target.
    Linked(PathBuf),
    Nowhere,
    Unread,
}

fn step(fs: &dyn Fs, path: &Path) -> Step {
    let mut missing: Vec<&OsStr> = Vec::new();
    let below =
        |folder: PathBuf, missing: &[&OsStr]| missing.iter().rev().fold(folder, |path, name| path.join(name));
    for above in path.ancestors().take(DEEPEST) {
        if let Ok(real) = fs.canonicalize(above) {
            return Step::Real(below(real, &missing));
        }
        if is_link(fs, above) {
            let Ok(target) = fs.read_link(above) else { return Step::Unread };
            let folder = above.parent().unwrap_or(above);
            return Step::Linked(below(folder.join(target), &missing));
        }
        let Some(name) = above.file_name() else { break };
        missing.push(name);
    }
    Step::Nowhere
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

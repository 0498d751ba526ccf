//! Following symbolic links: inside the workspace only, and never in a circle.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mentci_source::{Code, Finding};

use crate::read::unreadable;
use crate::{Fs, Kind, Stat};

/// The directories whose links a walk has followed to come where it is.
#[derive(Debug, Clone)]
pub(crate) struct Trail {
    /// Where the walk stood when it followed the link, without links.
    holder: PathBuf,
    above: Option<Arc<Trail>>,
}

impl Trail {
    /// Whether `real` is one of the directories that the walk is already inside of.
    fn is_inside(trail: Option<&Self>, real: &Path) -> bool {
        trail
            .is_some_and(|step| step.holder.starts_with(real) || Self::is_inside(step.above.as_deref(), real))
    }
}

/// A link that may be followed.
#[derive(Debug)]
pub(crate) struct Followed {
    /// Where it leads, without links.
    pub(crate) real: PathBuf,
    /// What stands there.
    pub(crate) stat: Stat,
    /// The walk's trail below it.
    pub(crate) trail: Arc<Trail>,
}

/// Follows the link `path` that stands in the directory `holder` (without links).
///
/// # Errors
/// A finding when the link leaves the workspace at `home`, leads nowhere or leads in a circle.
pub(crate) fn follow(
    fs: &dyn Fs,
    home: &Path,
    holder: &Path,
    trail: Option<&Arc<Trail>>,
    path: &str,
) -> Result<Followed, Finding> {
    let link = holder.join(path.rsplit('/').next().unwrap_or(path));
    let real = fs.canonicalize(&link).map_err(|error| broken(path, &error))?;
    if !real.starts_with(home) {
        return Err(leaves(path));
    }
    let stat = fs.stat(&real).map_err(|error| broken(path, &error))?;
    let trail = Arc::new(Trail { holder: holder.to_owned(), above: trail.cloned() });
    if stat.kind == Kind::Dir && Trail::is_inside(Some(&trail), &real) {
        return Err(cycle(path));
    }
    Ok(Followed { real, stat, trail })
}

fn leaves(path: &str) -> Finding {
    Finding::new(Code::LINK_LEAVES, "this link leads out of the workspace and was not followed")
        .help("copy what it leads to into the workspace")
        .in_file(path)
}

fn cycle(path: &str) -> Finding {
    Finding::new(Code::LINK_CYCLE, "this link leads back to a directory that holds it").in_file(path)
}

/// The finding for a link past the number that is followed.
pub(crate) fn too_many(path: &str) -> Finding {
    Finding::new(Code::LINK_CYCLE, "there are too many links to directories; this one was not followed")
        .in_file(path)
}

fn broken(path: &str, error: &io::Error) -> Finding {
    if error.kind() == io::ErrorKind::NotFound {
        return Finding::new(Code::UNREADABLE, "this link leads nowhere").in_file(path);
    }
    if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) {
        return Finding::new(Code::LINK_CYCLE, "this link leads to itself").in_file(path);
    }
    unreadable(path, error)
}

//! Which directories are watched, and what an event in one of them means.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use notify::event::{AccessKind, AccessMode, CreateKind, EventKind, ModifyKind, RenameMode};

use crate::mailbox::Progress;
use crate::target::TEMPORARY;
use crate::visit::join;
use crate::{Discovery, WatchSpec};

/// The watched directories by where they really are. With links, one place has several paths in the workspace.
#[derive(Debug, Default)]
pub(crate) struct Watched {
    pub(crate) spec: WatchSpec,
    /// The watched directories, as paths in the workspace.
    pub(crate) known: BTreeSet<Arc<str>>,
    directories: BTreeMap<PathBuf, Vec<Arc<str>>>,
    /// Files that links lead to.
    files: BTreeMap<PathBuf, Vec<Arc<str>>>,
}

/// What an event means to whoever watches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Notice {
    /// Something moved at this path.
    Moved(Arc<str>, Progress),
    /// A directory may have appeared at this path.
    Appeared(Arc<str>),
    /// The rules of ignoring moved.
    Rules,
    /// The system's queue overflowed.
    Lost,
}

/// What an event says about a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Happened {
    /// Written and closed.
    Saved,
    /// Moved here.
    Arrived,
    /// Made here; not yet whole.
    Made,
    /// Gone, or moved away.
    Gone,
    /// Written to, or its metadata moved.
    Touched,
}

impl Watched {
    /// Nothing yet, of `spec`.
    pub(crate) fn new(spec: WatchSpec) -> Self {
        Self { spec, ..Self::default() }
    }

    /// Adds what a walk has seen. Says which places must be watched.
    pub(crate) fn add(&mut self, walk: Discovery) -> Vec<PathBuf> {
        let mut places = Vec::new();
        for (path, real) in walk.directories.into_iter().zip(walk.real_directories) {
            self.known.insert(path.clone());
            add_once(&mut self.directories, real.clone(), path);
            places.push(real);
        }
        for (path, real) in walk.linked {
            places.extend(real.parent().map(Path::to_owned));
            add_once(&mut self.files, real, path);
        }
        places.sort();
        places.dedup();
        places
    }

    /// Drops the places that no longer matter. Says which.
    pub(crate) fn prune(&mut self) -> Vec<PathBuf> {
        let spec = &self.spec;
        self.known.retain(|path| spec.reaches(path));
        self.files.retain(|_, paths| {
            paths.retain(|path| spec.concerns(path));
            !paths.is_empty()
        });
        let mut dropped = Vec::new();
        let kept: Vec<PathBuf> =
            self.files.keys().filter_map(|file| file.parent().map(Path::to_owned)).collect();
        self.directories.retain(|real, paths| {
            paths.retain(|path| spec.reaches(path));
            if paths.is_empty() && !kept.contains(real) {
                dropped.push(real.clone());
            }
            !paths.is_empty()
        });
        dropped
    }

    /// What an event means. Runs in the reader's thread: it must not wait, and answers nothing for most events.
    pub(crate) fn understand(&self, event: &notify::Event) -> Vec<Notice> {
        if event.need_rescan() {
            return vec![Notice::Lost];
        }
        if let (EventKind::Modify(ModifyKind::Name(RenameMode::Both)), [from, to]) =
            (event.kind, event.paths.as_slice())
        {
            return self.renamed(from, to);
        }
        let Some(happened) = happened(event.kind) else { return Vec::new() };
        let paths = event.paths.iter().flat_map(|place| self.paths_of(place));
        paths.flat_map(|path| self.notices(&path, happened)).collect()
    }

    /// A rename inside what is watched is whole at once; one to elsewhere may be an editor's backup.
    fn renamed(&self, from: &Path, to: &Path) -> Vec<Notice> {
        let matters = |path: &Arc<str>| self.spec.concerns(path) || self.spec.reaches(path);
        if !self.paths_of(to).iter().any(matters) {
            return Vec::new();
        }
        self.paths_of(from).iter().flat_map(|path| self.notices(path, Happened::Arrived)).collect()
    }

    /// The paths that a place has in the workspace.
    fn paths_of(&self, place: &Path) -> Vec<Arc<str>> {
        let mut paths = self.files.get(place).cloned().unwrap_or_default();
        paths.extend(self.directories.get(place).cloned().unwrap_or_default());
        let name = place.file_name().and_then(|name| name.to_str());
        let parents = place.parent().and_then(|parent| self.directories.get(parent));
        if let (Some(name), Some(parents)) = (name, parents) {
            paths.extend(parents.iter().map(|parent| Arc::from(join(parent, name))));
        }
        paths.sort();
        paths.dedup();
        paths
    }

    fn notices(&self, path: &Arc<str>, happened: Happened) -> Vec<Notice> {
        let name = path.rsplit('/').next().unwrap_or(path);
        match name {
            _ if name.ends_with(TEMPORARY) => return Vec::new(),
            ".gitignore" if happened != Happened::Made => return vec![Notice::Rules],
            _ => {}
        }
        let mut notices = Vec::new();
        if matches!(happened, Happened::Made | Happened::Arrived) && self.spec.reaches(path) {
            notices.push(Notice::Appeared(path.clone()));
        }
        let went = matches!(happened, Happened::Gone | Happened::Arrived) && self.known.contains(path);
        if went || self.spec.concerns(path) {
            let is_whole = matches!(happened, Happened::Saved | Happened::Arrived);
            let progress = if is_whole { Progress::Done } else { Progress::Open };
            notices.push(Notice::Moved(path.clone(), progress));
        }
        notices
    }
}

fn happened(kind: EventKind) -> Option<Happened> {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => Some(Happened::Saved),
        // Reading raises these, too: whoever hashes on them triggers itself.
        EventKind::Access(_) => None,
        EventKind::Modify(ModifyKind::Name(RenameMode::To)) => Some(Happened::Arrived),
        EventKind::Modify(ModifyKind::Name(RenameMode::From)) | EventKind::Remove(_) => Some(Happened::Gone),
        EventKind::Create(CreateKind::File | CreateKind::Folder | CreateKind::Any | CreateKind::Other)
        | EventKind::Modify(ModifyKind::Name(_)) => Some(Happened::Made),
        EventKind::Modify(_) | EventKind::Any | EventKind::Other => Some(Happened::Touched),
    }
}

fn add_once(map: &mut BTreeMap<PathBuf, Vec<Arc<str>>>, real: PathBuf, path: Arc<str>) {
    let paths = map.entry(real).or_default();
    if !paths.contains(&path) {
        paths.push(path);
    }
}

//! Finding sources: only the directories in which a pattern can match are walked.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mentci_source::{Finding, Reading};

use crate::frontier::Frontier;
use crate::ignored::Ignored;
use crate::link::too_many;
use crate::parallel::map_chunks;
use crate::read::unreadable;
use crate::visit::{Directory, Visited, Walk, way_to};
use crate::{Fs, SourcePattern, Stamp};

/// How many links to directories one walk follows.
const MAX_LINKS: usize = 10_000;
/// How many directories a thread takes at a time.
const CHUNK: usize = 16;

/// A file that a pattern matches.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// The path, relative to the workspace, with `/` between its parts.
    pub path: Arc<str>,
    /// Its stat key; a link's is its file's.
    pub stamp: Stamp,
}

/// What a walk found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Discovery {
    /// The files, sorted by the bytes of their paths, each once.
    pub found: Vec<Found>,
    /// The directories in which a source stands or could appear, sorted; the root is `""`.
    pub directories: Vec<Arc<str>>,
    /// Where each of them really is, in the same order.
    pub(crate) real_directories: Vec<PathBuf>,
    /// Files that links led to: the path, and where the file really is.
    pub(crate) linked: Vec<(Arc<str>, PathBuf)>,
}

/// Finds the files that any of `patterns` matches below `root`.
///
/// Passed over: hidden names and what `.gitignore` names, unless the pattern names its root (see [`SourcePattern`]);
/// `.git` always. Links are followed inside the workspace. Findings: `LINK_LEAVES`, `LINK_CYCLE`, `NOT_A_FILE`,
/// `UNREADABLE`, `TOO_LARGE`, `NOT_UTF8` (a file name).
///
/// ```
/// use mentci_disk::{RealFs, SourcePattern, discover};
/// # let root = tempfile::tempdir().unwrap();
/// # let root = root.path();
/// std::fs::create_dir_all(root.join(".pi/skills/rust"))?;
/// std::fs::write(root.join(".pi/skills/rust/SKILL.md"), "Never unwrap.")?;
/// let patterns = [".pi/skills/*/SKILL.md".parse::<SourcePattern>().unwrap()];
/// let reading = discover(&RealFs, root, &patterns);
/// assert_eq!(&*reading.value.found[0].path, ".pi/skills/rust/SKILL.md");
/// assert!(reading.findings.is_empty());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn discover(fs: &dyn Fs, root: &Path, patterns: &[SourcePattern]) -> Reading<Discovery> {
    discover_under(fs, root, patterns, "")
}

/// As [`discover`], but only at and below one path of the workspace, such as a directory that has just appeared or a
/// file that was saved. The way to it is looked up, not listed.
pub fn discover_under(
    fs: &dyn Fs,
    root: &Path,
    patterns: &[SourcePattern],
    path: &str,
) -> Reading<Discovery> {
    let nothing = || Reading { value: Discovery::default(), findings: Vec::new() };
    walk(fs, root, patterns, path, &|| false).unwrap_or_else(nothing)
}

/// As [`discover`], unless something comes up meanwhile: asked again and again, `stop` ends the walk, and nothing is known.
///
/// ```
/// use mentci_disk::{RealFs, discover, discover_unless};
/// # let root = tempfile::tempdir().unwrap();
/// # let root = root.path();
/// assert_eq!(discover_unless(&RealFs, root, &[], &|| false), Some(discover(&RealFs, root, &[])));
/// assert_eq!(discover_unless(&RealFs, root, &[], &|| true), None);
/// ```
pub fn discover_unless(
    fs: &dyn Fs,
    root: &Path,
    patterns: &[SourcePattern],
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Reading<Discovery>> {
    walk(fs, root, patterns, "", stop)
}

fn walk(
    fs: &dyn Fs,
    root: &Path,
    patterns: &[SourcePattern],
    path: &str,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Reading<Discovery>> {
    let home = match fs.canonicalize(root) {
        Ok(home) => home,
        Err(error) => {
            return Some(Reading { value: Discovery::default(), findings: vec![unreadable(".", &error)] });
        }
    };
    let walk = Walk { fs, home, way: way_to(path) };
    let stopped = AtomicBool::new(false);
    let goes_on = || {
        if stop() {
            stopped.store(true, Ordering::Relaxed);
        }
        !stopped.load(Ordering::Relaxed)
    };
    let mut gathered = Gathered::default();
    let mut level = vec![root_of(&walk, patterns)];
    while !level.is_empty() {
        let visits = map_chunks(
            &level,
            CHUNK,
            || (),
            |(), part| {
                if goes_on() { visit_all(&walk, part) } else { Vec::new() }
            },
        );
        if stopped.load(Ordering::Relaxed) {
            return None;
        }
        let walked = level.iter().filter(|directory| directory.depth >= walk.way.len());
        gathered.walked.extend(walked.map(|directory| (directory.path.clone(), directory.real.clone())));
        level = gathered.take_level(visits.into_iter().flatten().collect());
    }
    Some(gathered.finish())
}

/// What a walk has gathered so far.
#[derive(Debug, Default)]
struct Gathered {
    /// The directories, level by level.
    nodes: Vec<Node>,
    linked: Vec<(Arc<str>, PathBuf)>,
    walked: Vec<(Arc<str>, PathBuf)>,
    findings: Vec<Finding>,
    links: usize,
}

/// The files of one directory, and the directories below it by their places in the list. Both sorted.
#[derive(Debug)]
struct Node {
    found: Vec<Found>,
    below: Vec<(Arc<str>, usize)>,
}

impl Gathered {
    /// Takes what the directories of one level gave; says where the walk goes on.
    fn take_level<'a>(&mut self, visits: Vec<Visited<'a>>) -> Vec<Directory<'a>> {
        let first = self.nodes.len() + visits.len();
        let mut next = Vec::new();
        for visited in visits {
            self.findings.extend(visited.findings);
            self.linked.extend(visited.linked);
            let mut below = Vec::new();
            for directory in visited.below {
                if self.may_follow(&directory) {
                    below.push((directory.path.clone(), first + next.len()));
                    next.push(directory);
                }
            }
            self.nodes.push(Node { found: visited.found, below });
        }
        next
    }

    fn may_follow(&mut self, directory: &Directory<'_>) -> bool {
        self.links += usize::from(directory.linked);
        let follow = !directory.linked || self.links <= MAX_LINKS;
        if !follow {
            self.findings.push(too_many(&directory.path));
        }
        follow
    }

    fn finish(mut self) -> Reading<Discovery> {
        let mut found = Vec::with_capacity(self.nodes.iter().map(|node| node.found.len()).sum());
        let mut nodes: Vec<Option<Node>> = self.nodes.into_iter().map(Some).collect();
        emit(&mut nodes, 0, &mut found);
        self.walked.sort();
        let (directories, real_directories) = self.walked.into_iter().unzip();
        self.findings.sort_by(|a, b| a.path.cmp(&b.path));
        let value = Discovery { found, directories, real_directories, linked: self.linked };
        Reading { value, findings: self.findings }
    }
}

/// Writes down a directory and those below it in the order of the bytes of the paths, in which `a.md` stands before
/// `a/b.md`. Every directory is sorted by itself, so nothing is sorted here.
fn emit(nodes: &mut [Option<Node>], at: usize, into: &mut Vec<Found>) {
    let Some(node) = nodes.get_mut(at).and_then(Option::take) else { return };
    let mut found = node.found.into_iter().peekable();
    for (directory, below) in node.below {
        while let Some(file) = found.next_if(|file| is_before(&file.path, &directory)) {
            into.push(file);
        }
        emit(nodes, below, into);
    }
    into.extend(found);
}

/// Whether a file stands before all that stands in a directory.
fn is_before(file: &str, directory: &str) -> bool {
    file.bytes().lt(directory.bytes().chain([b'/']))
}

fn root_of<'a>(walk: &Walk<'a>, patterns: &'a [SourcePattern]) -> Directory<'a> {
    let frontier = Frontier::at_root(patterns);
    let ignored = if frontier.respects_ignored() { Ignored::above(walk.fs, &walk.home) } else { None };
    Directory {
        path: "".into(),
        real: walk.home.clone(),
        depth: 0,
        frontier,
        ignored,
        trail: None,
        linked: false,
    }
}

fn visit_all<'a>(walk: &Walk<'a>, directories: &[Directory<'a>]) -> Vec<Visited<'a>> {
    directories.iter().map(|directory| walk.visit(directory)).collect()
}

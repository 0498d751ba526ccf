//! One directory of a walk: what it holds, and where the walk goes on.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mentci_source::{Code, Finding, MAX_SOURCE_BYTES};

use crate::frontier::{Candidate, Frontier};
use crate::ignored::Ignored;
use crate::link::{Trail, follow};
use crate::read::{is_missing, too_large, unreadable};
use crate::target::TEMPORARY;
use crate::{Entry, Found, Fs, Kind, Stamp};

/// What marks a directory that tools fill and may empty, such as Cargo's `target`.
const CACHE_TAG: &str = "CACHEDIR.TAG";

/// What a walk needs to know everywhere.
#[derive(Debug)]
pub(crate) struct Walk<'a> {
    pub(crate) fs: &'a dyn Fs,
    /// The workspace, without links.
    pub(crate) home: PathBuf,
    /// The only names to look at, level by level, on the way to where the walk begins.
    pub(crate) way: Vec<&'a str>,
}

/// A directory to visit.
#[derive(Debug)]
pub(crate) struct Directory<'a> {
    /// Relative to the workspace; `""` is the root.
    pub(crate) path: Arc<str>,
    /// Where it really is.
    pub(crate) real: PathBuf,
    pub(crate) depth: usize,
    pub(crate) frontier: Frontier<'a>,
    pub(crate) ignored: Option<Arc<Ignored>>,
    pub(crate) trail: Option<Arc<Trail>>,
    /// Whether a link led here.
    pub(crate) linked: bool,
}

/// What one directory gave.
#[derive(Debug, Default)]
pub(crate) struct Visited<'a> {
    pub(crate) found: Vec<Found>,
    /// Files that links led to, and where they really are.
    pub(crate) linked: Vec<(Arc<str>, PathBuf)>,
    pub(crate) below: Vec<Directory<'a>>,
    pub(crate) findings: Vec<Finding>,
}

/// The names of a directory that may matter.
#[derive(Debug, Default)]
struct Listing {
    entries: Vec<Entry>,
    is_cache: bool,
    has_rules: bool,
}

impl<'a> Walk<'a> {
    /// Lists a directory as far as the patterns need it, and sorts what is there.
    pub(crate) fn visit(&self, directory: &Directory<'a>) -> Visited<'a> {
        let mut visited = Visited::default();
        let listing = match self.list(directory) {
            Ok(listing) => listing,
            Err(error) if is_missing(&error) && !directory.path.is_empty() => return visited,
            Err(error) => {
                let path = if directory.path.is_empty() { "." } else { &*directory.path };
                visited.findings.push(unreadable(path, &error));
                return visited;
            }
        };
        let respects = directory.frontier.respects_ignored();
        if listing.is_cache && respects && !directory.path.is_empty() {
            return visited;
        }
        let ignored = match &directory.ignored {
            above if listing.has_rules && respects => Ignored::below(above.clone(), self.fs, &directory.real),
            above => above.clone(),
        };
        let mut path = join(&directory.path, "");
        let beginning = path.len();
        for entry in listing.entries {
            path.truncate(beginning);
            path.push_str(&entry.name.to_string_lossy());
            self.sort_entry(directory, ignored.as_ref(), &entry, &path, &mut visited);
        }
        // As their files stand in the whole: `a.b/c` before `a/b`.
        visited.below.sort_by(|a, b| in_whole(&a.path).cmp(in_whole(&b.path)));
        visited
    }

    /// The names that may matter: asked for one by one where they are known, listed otherwise.
    fn list(&self, directory: &Directory<'a>) -> std::io::Result<Listing> {
        let on_the_way = self.way.get(directory.depth).map(|name| vec![*name]);
        match on_the_way.or_else(|| directory.frontier.names()) {
            Some(names) => self.look_up(directory, &names),
            None => self.read_dir(directory),
        }
    }

    fn look_up(&self, directory: &Directory<'a>, names: &[&str]) -> std::io::Result<Listing> {
        let mut listing = Listing { has_rules: true, ..Listing::default() };
        for name in names {
            match self.fs.lstat(&directory.real.join(name)) {
                Ok(stat) => {
                    let entry = Entry { name: name.into(), kind: stat.kind, stamp: Some(stat.stamp) };
                    listing.entries.push(entry);
                }
                Err(error) if is_missing(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(listing)
    }

    fn read_dir(&self, directory: &Directory<'a>) -> std::io::Result<Listing> {
        let (mut is_cache, mut has_rules) = (false, false);
        let mut wanted = |name: &OsStr, kind: Kind| {
            is_cache |= name == CACHE_TAG;
            has_rules |= name == ".gitignore";
            let text = name.to_string_lossy();
            let candidate = Candidate { name: &text, ignored: false };
            let accepted = kind != Kind::Dir && directory.frontier.accepts(candidate);
            let entered = matches!(kind, Kind::Dir | Kind::Link)
                && (!directory.frontier.enter(candidate).is_empty() || directory.frontier.expects(candidate));
            (accepted || entered).then_some(kind == Kind::File)
        };
        let mut entries = self.fs.read_dir(&directory.real, &mut wanted)?;
        entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        Ok(Listing { entries, is_cache, has_rules })
    }

    /// Decides what one name is: a source, a directory to visit, something odd, or nothing to us.
    fn sort_entry(
        &self,
        directory: &Directory<'a>,
        ignored: Option<&Arc<Ignored>>,
        entry: &Entry,
        path: &str,
        visited: &mut Visited<'a>,
    ) {
        let name = path.rsplit('/').next().unwrap_or(path);
        if name == ".git" || name.ends_with(TEMPORARY) {
            return;
        }
        let is_ignored = ignored
            .is_some_and(|rules| rules.holds(&directory.real.join(&entry.name), entry.kind == Kind::Dir));
        let candidate = Candidate { name, ignored: is_ignored };
        let frontier = &directory.frontier;
        if name != entry.name {
            if frontier.accepts(candidate) || !frontier.enter(candidate).is_empty() {
                visited.findings.push(not_utf8(path));
            }
            return;
        }
        let seen = Seen { walk: self, directory, ignored, candidate, path };
        match entry.kind {
            Kind::File => seen.file(entry.stamp, visited),
            Kind::Dir => {
                let real = directory.real.join(&entry.name);
                seen.directory(real, directory.trail.clone(), false, visited);
            }
            Kind::Link => seen.link(visited),
            Kind::Other => seen.odd(visited),
        }
    }
}

/// A name that is being sorted.
struct Seen<'s, 'a> {
    walk: &'s Walk<'a>,
    directory: &'s Directory<'a>,
    ignored: Option<&'s Arc<Ignored>>,
    candidate: Candidate<'s>,
    path: &'s str,
}

impl<'a> Seen<'_, 'a> {
    fn file(self, stamp: Option<Stamp>, visited: &mut Visited<'a>) {
        if !self.directory.frontier.accepts(self.candidate) {
            return;
        }
        match stamp {
            Some(stamp) if stamp.size > MAX_SOURCE_BYTES => visited.findings.push(too_large(self.path)),
            Some(stamp) => visited.found.push(Found { path: self.path.into(), stamp }),
            None => {}
        }
    }

    fn directory(self, real: PathBuf, trail: Option<Arc<Trail>>, linked: bool, visited: &mut Visited<'a>) {
        let frontier = self.directory.frontier.enter(self.candidate);
        let is_on_the_way = self.directory.depth < self.walk.way.len();
        if !is_on_the_way && self.directory.frontier.expects(self.candidate) {
            visited.findings.push(unexpected(self.path, "a directory"));
        }
        if !frontier.is_empty() {
            visited.below.push(Directory {
                path: self.path.into(),
                real,
                depth: self.directory.depth + 1,
                frontier,
                ignored: self.ignored.cloned(),
                trail,
                linked,
            });
        }
    }

    fn link(self, visited: &mut Visited<'a>) {
        let frontier = &self.directory.frontier;
        if !frontier.accepts(self.candidate) && frontier.enter(self.candidate).is_empty() {
            return;
        }
        let (walk, from) = (self.walk, self.directory);
        match follow(walk.fs, &walk.home, &from.real, from.trail.as_ref(), self.path) {
            Err(finding) => visited.findings.push(finding),
            Ok(followed) => match followed.stat.kind {
                Kind::File => {
                    visited.linked.push((self.path.into(), followed.real));
                    self.file(Some(followed.stat.stamp), visited);
                }
                Kind::Dir => self.directory(followed.real, Some(followed.trail), true, visited),
                Kind::Link | Kind::Other => self.odd(visited),
            },
        }
    }

    fn odd(self, visited: &mut Visited<'a>) {
        if self.directory.frontier.expects(self.candidate) {
            visited.findings.push(unexpected(self.path, "a pipe, a socket or a device"));
        }
    }
}

fn unexpected(path: &str, what: &str) -> Finding {
    Finding::new(Code::NOT_A_FILE, format!("a file was expected here, and this is {what}"))
        .help("put a file in its place, or take it away; what was last read stays in force until then")
        .in_file(path)
}

fn not_utf8(path: &str) -> Finding {
    Finding::new(Code::NOT_UTF8, "this file's name is not UTF-8, so it was passed over")
        .help("rename the file")
        .in_file(path)
}

/// The beginning of all paths in a directory.
fn in_whole(directory: &str) -> impl Iterator<Item = u8> {
    directory.bytes().chain([b'/'])
}

/// `directory/name`, without a slash at the root.
pub(crate) fn join(directory: &str, name: &str) -> String {
    if directory.is_empty() { name.to_owned() } else { [directory, "/", name].concat() }
}

/// The names on the way to `directory`.
pub(crate) fn way_to(directory: &str) -> Vec<&str> {
    Path::new(directory).iter().filter_map(OsStr::to_str).collect()
}

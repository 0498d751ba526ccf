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

    fn matching(&self, pattern: &str) -> Vec<String> {
        let mut found = vec![String::new()];
        for (at, part) in pattern.split('/').enumerate() {
            let longer = found.iter().flat_map(|path| {
                let folder = if at == 0 { String::new() } else { format!("{path}/") };
                let names = if is_pattern(part) { self.names(&folder, part) } else { vec![part.to_owned()] };
                names.into_iter().map(move |name| format!("{folder}{name}")).collect::<Vec<_>>()
            });
            found = longer.take(MOST_FOUND + 1).collect();
        }
        found.truncate(MOST_FOUND);
        found.retain(|path| self.fs.lstat(&self.root.join(path)).is_ok());
        found
    }
}

/// How many files a pattern is filled with: a command about more is about a folder, and rules see the pattern all the same.
const MOST_FOUND: usize = 64;
/// How many names of a folder are looked at.
const MOST_NAMES: usize = 4_096;

impl Workspace {
    /// The names in a folder that fit, in order.
    fn names(&self, folder: &str, pattern: &str) -> Vec<String> {
        let mut seen = 0;
        let wanted = &mut |name: &OsStr, _: Kind| {
            seen += 1;
            let fits = name.to_str().is_some_and(|name| fits(pattern, name));
            (fits && seen <= MOST_NAMES).then_some(false)
        };
        let entries = self.fs.read_dir(&self.root.join(folder), wanted).unwrap_or_default();
        let mut names: Vec<String> =
            entries.into_iter().filter_map(|entry| entry.name.into_string().ok()).collect();
        names.sort_unstable();
        names
    }
}

fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// Whether a name fits a pattern of the shell, as it is without options: a leading dot stands for itself.
fn fits(pattern: &str, name: &str) -> bool {
    if name.starts_with('.') && !pattern.starts_with('.') {
        return false;
    }
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    // Where the last `*` stands, and up to where it has taken the name.
    let (mut at, mut seen, mut star) = (0, 0, None);
    while seen < name.len() {
        if pattern.get(at) == Some(&'*') {
            star = Some((at, seen));
            at += 1;
        } else if let Some(next) = one(&pattern, at, name[seen]) {
            (at, seen) = (next, seen + 1);
        } else if let Some((back, taken)) = star {
            star = Some((back, taken + 1));
            (at, seen) = (back + 1, taken + 1);
        } else {
            return false;
        }
    }
    pattern[at.min(pattern.len())..].iter().all(|sign| *sign == '*')
}

/// Where a pattern goes on behind the sign that stands for this letter; none where it stands for another.
fn one(pattern: &[char], at: usize, letter: char) -> Option<usize> {
    match *pattern.get(at)? {
        '?' => Some(at + 1),
        '[' if class_end(pattern, at).is_some() => class(pattern, at, letter),
        sign => (sign == letter).then_some(at + 1),
    }
}

/// Where what a class holds begins, and where the class ends; none of one that does not end, which stands for itself.
fn class_end(pattern: &[char], at: usize) -> Option<(usize, usize)> {
    let first = at + 1 + usize::from(matches!(pattern.get(at + 1), Some('!' | '^')));
    let end = (first + 1..pattern.len()).find(|&end| pattern[end] == ']')?;
    Some((first, end))
}

/// The same of a class: `[a-z]`, `[!a]`.
fn class(pattern: &[char], at: usize, letter: char) -> Option<usize> {
    let (first, end) = class_end(pattern, at)?;
    let is_not = first > at + 1;
    let (mut within, mut next) = (false, first);
    while next < end {
        let last = if next + 2 < end && pattern[next + 1] == '-' { next + 2 } else { next };
        within |= (pattern[next]..=pattern[last]).contains(&letter);
        next = last + 1;
    }
    (within != is_not).then_some(end + 1)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_fits_a_pattern_as_in_a_shell() {
        for (pattern, names, others) in [
            ("*", &["a", "a.b"][..], &[".a"][..]),
            (".*", &[".a", ".env"], &["a"]),
            ("ke?.txt", &["key.txt"], &["ke.txt", "keys.txt"]),
            ("*.t*t", &["key.txt", "a.tt", "a.t.t"], &["key.tx", "txt"]),
            ("k[a-f]y", &["key"], &["kzy", "k[a-f]y"]),
            ("k[!a-d]y", &["key"], &["kay"]),
            ("k[]]y", &["k]y"], &["key"]),
            ("a[b", &["a[b"], &["ab"]),
            ("**x", &["x", "ax"], &["a"]),
            ("", &[""], &["a"]),
        ] {
            assert!(names.iter().all(|name| fits(pattern, name)), "{pattern}");
            assert!(!others.iter().any(|name| fits(pattern, name)), "{pattern}");
        }
    }
}

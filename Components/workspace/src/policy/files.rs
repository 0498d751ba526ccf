//! Which files of rules are meant, and what they hold.

use std::path::{Component, Path, PathBuf};

use mentci_authority::{Dialect, Trust};
use mentci_disk::{Fs, Kind, exists, read_optional};
use mentci_host::policy::RuleFile;
use mentci_source::{Code, Finding, Hash, Reading, Source};

use super::{packs, plugins};
use crate::layout::CONFIG;

/// The folder of a workspace's rules.
pub(crate) const RULES: &str = ".pi/rules";

/// How deep folders of rules may nest.
const MAX_DEPTH: usize = 8;

/// Files of rules, and what is odd about finding them.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) files: Vec<RuleFile>,
    pub(crate) findings: Vec<Finding>,
    /// What the user's consent covers beside the files of rules.
    pub(crate) hashes: Vec<(String, Hash)>,
}

/// Gathers the files that a list of paths means: files as they are named, folders with what they hold, `builtin` for the
/// shipped packs.
pub(crate) fn gather(fs: &dyn Fs, root: &Path, paths: &[String], trust: Trust) -> Found {
    let mut found = Found::default();
    for path in paths {
        if path == "builtin" {
            found.files.extend(packs::builtin());
        } else {
            found.path(fs, root, path, trust);
        }
    }
    found
}

impl Found {
    fn path(&mut self, fs: &dyn Fs, root: &Path, path: &str, trust: Trust) {
        match fs.stat(&root.join(path)).map(|stat| stat.kind) {
            Ok(Kind::Dir) => {
                let files = listed(fs, &root.join(path), path);
                let homes: Vec<String> = files.iter().filter_map(|(_, shown)| home(shown)).collect();
                for (absolute, shown) in files {
                    if !homes.iter().any(|home| lies_in(&shown, home)) {
                        self.named(fs, root, (&absolute, &shown), trust);
                    }
                }
                for home in &homes {
                    self.plugin(fs, root, home, home);
                }
            }
            _ => self.named(fs, root, (&root.join(path), path), trust),
        }
    }

    /// A file that was named, under its plugin where it lies in one.
    fn named(&mut self, fs: &dyn Fs, root: &Path, (absolute, shown): (&Path, &str), trust: Trust) {
        let folders = std::iter::successors(shown.rsplit_once('/'), |(folder, _)| folder.rsplit_once('/'));
        let mut folders = folders.map(|(folder, _)| folder).filter(|folder| !folder.is_empty());
        match folders.find(|folder| exists(fs, &root.join(folder).join(plugins::MANIFEST))) {
            Some(home) => self.plugin(fs, root, home, shown),
            None if exists(fs, absolute) => self.file(fs, absolute, shown, trust),
            // Whoever names a file means what it says: that it is gone takes none of it away.
            None => self.files.push(RuleFile::unread(Source::new(shown, ""), trust, missing(shown))),
        }
    }

    /// Of the plugin whose folder is `home`, what lies at `path` or below: all of it where that is its manifest.
    fn plugin(&mut self, fs: &dyn Fs, root: &Path, home: &str, path: &str) {
        let Some(found) = plugins::at_path(fs, &root.join(home), home) else { return };
        self.findings.extend(found.findings);
        let all = self::home(path).is_some_and(|own| own == home);
        let files = found.files.into_iter();
        self.files.extend(files.filter(|file| all || lies_in(file.source.path(), path)));
    }

    /// The files of a folder that need not be there.
    pub(crate) fn folder(&mut self, fs: &dyn Fs, folder: &Path, shown: &str, trust: Trust) {
        for (absolute, shown) in listed(fs, folder, shown) {
            self.file(fs, &absolute, &shown, trust);
        }
    }

    /// The files of a folder of the workspace at `root`, which need not be there. What a link leads out of the workspace
    /// to is refused, so that a cloned repository cannot have other files read, and quoted in findings.
    pub(crate) fn folder_within(&mut self, fs: &dyn Fs, root: &Path, shown: &str, trust: Trust) {
        for (absolute, shown) in listed(fs, &root.join(shown), shown) {
            if leaves(fs, root, &absolute) {
                let message = "this link leads out of the workspace and was not followed";
                let finding = Finding::new(Code::LINK_LEAVES, message).in_file(&shown);
                self.findings
                    .push(finding.help("rules for every workspace stand in the user's `rules` folder"));
            } else {
                self.file(fs, &absolute, &shown, trust);
            }
        }
    }

    fn file(&mut self, fs: &dyn Fs, absolute: &Path, shown: &str, trust: Trust) {
        match read_optional(fs, absolute) {
            Ok(Some(bytes)) => {
                let Reading { value: source, findings } = Source::decode(shown, &bytes);
                let (unread, odd): (Vec<_>, Vec<_>) =
                    findings.into_iter().partition(|finding| finding.code == Code::NOT_UTF8);
                self.findings.extend(odd);
                self.files.push(match unread.into_iter().next() {
                    Some(why) => {
                        let why = why.help("save the file as UTF-8: what a rule says must be certain");
                        RuleFile::unread(source, trust, why)
                    }
                    None => RuleFile::new(source, trust),
                });
            }
            Ok(None) => self.findings.push(missing(shown)),
            Err(error) => {
                let why = error.finding(Code::UNREADABLE).in_file(shown);
                self.files.push(RuleFile::unread(Source::new(shown, ""), trust, why));
            }
        }
    }
}

/// Whether a path of the workspace at `root` leads out of it by a link.
pub(super) fn leaves(fs: &dyn Fs, root: &Path, absolute: &Path) -> bool {
    let real = fs.canonicalize(absolute).ok().zip(fs.canonicalize(root).ok());
    real.is_some_and(|(target, root)| !target.starts_with(root))
}

fn missing(shown: &str) -> Finding {
    let finding = Finding::new(Code::UNREADABLE, "there is no such file or folder of rules");
    finding.in_file(shown).help("`builtin` stands for the shipped packs")
}

/// The files of rules at a path: itself, or what the folder holds.
pub(crate) fn listed_rules(fs: &dyn Fs, path: &Path) -> Vec<PathBuf> {
    match fs.stat(path).map(|stat| stat.kind) {
        Ok(Kind::Dir) => listed(fs, path, "").into_iter().map(|(path, _)| path).collect(),
        _ => vec![path.to_owned()],
    }
}

/// The folder of a plugin, by the path of its manifest.
fn home(path: &str) -> Option<String> {
    let home = path.strip_suffix(plugins::MANIFEST)?.strip_suffix('/')?;
    Some(home.to_owned())
}

/// Whether a path is another one, or lies below it.
pub(super) fn lies_in(path: &str, other: &str) -> bool {
    path.strip_prefix(other).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The hashes of what lies below a folder of rules and is no file of rules: scripts, and what else rules may include.
pub(crate) fn beside_rules(fs: &dyn Fs, root: &Path, shown: &str) -> Vec<(String, Hash)> {
    let (mut all, rules) = (Vec::new(), listed(fs, &root.join(shown), shown));
    walk(fs, &root.join(shown), shown, 0, &|_| true, &mut all);
    all.sort();
    let others = all.into_iter().filter(|file| rules.binary_search(file).is_err());
    let hashed = |(path, shown): (PathBuf, String)| {
        let bytes = read_optional(fs, &path).ok()??;
        Some((shown, Hash::of_bytes(&bytes)))
    };
    others.filter_map(hashed).collect()
}

/// A path without `.`, and without `..` as far as it has folders to leave.
pub(crate) fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut plain, part| {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(plain.components().next_back(), Some(Component::Normal(_))) => {
                plain.pop();
            }
            part => plain.push(part),
        }
        plain
    })
}

fn listed(fs: &dyn Fs, folder: &Path, shown: &str) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    walk(fs, folder, shown, 0, &is_rules, &mut files);
    files.sort();
    files
}

/// Whether a name says a dialect; pages of documentation do not count, nor does the workspace's configuration.
fn is_rules(name: &str) -> bool {
    !is_page(name) && name != CONFIG && Dialect::of_path(name).is_some()
}

/// The files below a folder whose names are `meant`.
fn walk(
    fs: &dyn Fs,
    folder: &Path,
    shown: &str,
    depth: usize,
    meant: &dyn Fn(&str) -> bool,
    files: &mut Vec<(PathBuf, String)>,
) {
    let Ok(entries) = fs.read_dir(folder, &mut |_, _| Some(false)) else { return };
    for entry in entries {
        let Some(name) = entry.name.to_str() else { continue };
        let path = folder.join(name);
        let shown =
            if shown == "." { name.to_owned() } else { format!("{}/{name}", shown.trim_end_matches('/')) };
        match entry.kind {
            Kind::Dir if depth < MAX_DEPTH => walk(fs, &path, &shown, depth + 1, meant, files),
            Kind::File | Kind::Link if meant(name) => files.push((path, shown)),
            _ => {}
        }
    }
}

/// Whether a file is documentation, and rules only where somebody names it.
pub(super) fn is_page(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    extension.is_some_and(|extension| ["md", "xml"].contains(&extension.as_str()))
}

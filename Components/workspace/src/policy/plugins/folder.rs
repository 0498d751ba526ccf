//! A plugin's folder, read whole.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mentci_disk::{Fs, Kind, read_optional};
use mentci_source::{Code, Finding, Reading, Severity, Source};

/// The name of a plugin's manifest.
pub(in crate::policy) const MANIFEST: &str = "plugin.toml";

/// How deep folders of a plugin may nest.
const MAX_DEPTH: usize = 8;

/// How many files a plugin may have.
const MAX_FILES: usize = 512;

/// Every file of a plugin.
#[derive(Debug)]
pub(in crate::policy) struct Folder {
    /// As findings cite it.
    pub(in crate::policy) shown: String,
    pub(in crate::policy) manifest: Option<Source>,
    /// Every file, the manifest included, by path. Hidden files and folders are passed over.
    pub(in crate::policy) files: Vec<Source>,
    /// The files whose text is not what they hold, with the reason.
    pub(in crate::policy) unread: BTreeMap<Arc<str>, Finding>,
    /// Those of severity error say that the folder cannot be taken as it is.
    pub(in crate::policy) findings: Vec<Finding>,
}

impl Folder {
    /// Reads what stands at `path`; none where that is no folder.
    pub(in crate::policy) fn read(fs: &dyn Fs, path: &Path, shown: &str) -> Option<Self> {
        if fs.stat(path).ok()?.kind != Kind::Dir {
            return None;
        }
        let shown = shown.trim_end_matches('/');
        let mut walk = Walk {
            fs,
            root: fs.canonicalize(path).ok()?,
            files: Vec::new(),
            unread: BTreeMap::new(),
            findings: Vec::new(),
        };
        if fs.lstat(path).ok()?.kind == Kind::Link {
            walk.refuse(shown, "a plugin's folder is a folder, and no link");
        } else {
            walk.folder(path, shown, 0);
        }
        let Walk { mut files, unread, mut findings, .. } = walk;
        files.sort_by(|one, other| one.path().cmp(other.path()));
        let manifest = files.iter().find(|file| **file.path() == *format!("{shown}/{MANIFEST}")).cloned();
        if manifest.is_none() && findings.is_empty() {
            let finding = Finding::new(Code::PLUGIN_MANIFEST, "this folder holds no `plugin.toml`");
            let help = "`policy-engine plugins new ID` writes a plugin to begin with";
            findings.push(finding.help(help).in_file(shown));
        }
        Some(Self { shown: shown.to_owned(), manifest, files, unread, findings })
    }
}

struct Walk<'f> {
    fs: &'f dyn Fs,
    /// The plugin's folder without links: nothing outside it is read.
    root: PathBuf,
    files: Vec<Source>,
    unread: BTreeMap<Arc<str>, Finding>,
    findings: Vec<Finding>,
}

impl Walk<'_> {
    fn folder(&mut self, path: &Path, shown: &str, depth: usize) {
        let Ok(mut entries) = self.fs.read_dir(path, &mut |_, _| Some(false)) else { return };
        entries.sort_by(|one, other| one.name.cmp(&other.name));
        for entry in entries {
            let Some(name) = entry.name.to_str().filter(|name| !name.starts_with('.')) else { continue };
            let (path, shown) = (path.join(name), format!("{shown}/{name}"));
            match entry.kind {
                Kind::Dir if depth < MAX_DEPTH => self.folder(&path, &shown, depth + 1),
                Kind::Dir => self.refuse(&shown, "a plugin's folders nest at most 8 deep"),
                Kind::Link if !self.stays(&path) => {
                    self.refuse(&shown, "this link leaves the plugin's folder and was not followed");
                }
                Kind::Link if self.fs.stat(&path).is_ok_and(|stat| stat.kind == Kind::Dir) => {
                    let help = "a link of a plugin leads to one of its files; what stands in its folders is read where it stands";
                    let finding =
                        Finding::new(Code::UNREADABLE, "this link leads to a folder and was not followed");
                    self.findings.push(finding.severity(Severity::Error).help(help).in_file(&shown));
                }
                Kind::File | Kind::Link => self.file(&path, &shown),
                Kind::Other => self.refuse(&shown, "this is no file"),
            }
        }
    }

    /// Whether a link leads to something in the folder.
    fn stays(&self, path: &Path) -> bool {
        self.fs.canonicalize(path).is_ok_and(|target| target.starts_with(&self.root))
    }

    fn file(&mut self, path: &Path, shown: &str) {
        if self.files.len() == MAX_FILES {
            self.refuse(shown, "a plugin has at most 512 files");
        }
        if self.files.len() >= MAX_FILES {
            return;
        }
        match read_optional(self.fs, path) {
            Ok(Some(bytes)) => {
                let Reading { value: source, findings } = Source::decode(shown, &bytes);
                let bad = findings.into_iter().find(|finding| finding.code == Code::NOT_UTF8);
                self.unread.extend(bad.map(|why| (source.path().clone(), why.severity(Severity::Error))));
                self.files.push(source);
            }
            Ok(None) => {}
            Err(error) => self.findings.push(error.finding(Code::UNREADABLE).in_file(shown)),
        }
    }

    fn refuse(&mut self, shown: &str, message: &str) {
        let finding = Finding::new(Code::LINK_LEAVES, message).severity(Severity::Error);
        self.findings.push(finding.in_file(shown).help("a plugin is its own folder and nothing else"));
    }
}

/// Everything below a folder, and the folder itself: what moves when a plugin changes, appears or goes.
pub(super) fn paths(fs: &dyn Fs, folder: &Path) -> Vec<PathBuf> {
    let mut paths = vec![folder.to_owned()];
    below(fs, folder, 0, &mut paths);
    paths
}

fn below(fs: &dyn Fs, folder: &Path, depth: usize, paths: &mut Vec<PathBuf>) {
    let entries = fs.read_dir(folder, &mut |_, _| Some(false)).unwrap_or_default();
    for entry in entries.into_iter().filter(|entry| !entry.name.as_encoded_bytes().starts_with(b".")) {
        let path = folder.join(&entry.name);
        paths.push(path.clone());
        if entry.kind == Kind::Dir && depth <= MAX_DEPTH {
            below(fs, &path, depth + 1, paths);
        }
    }
}

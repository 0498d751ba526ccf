//! The tools that read and write files, inside the folders that they were given.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use mentci_authority::{ToolAnswer, ToolCall, ToolFailure, ToolProvider, ToolSpec};
use mentci_disk::{Edit, EditError, Fs, Kind, Sidecar, WriteOptions, edit_locked};
use serde_json::{Value, json};

use super::builtin::spec;
use super::patch::{Patch, PatchedFile};
use crate::opened::Shared;

/// The largest file that is read or changed.
const MOST: u64 = 16 << 20;
/// The most names of a folder that are told.
const MOST_NAMES: usize = 2_000;

/// A tool on files. INVARIANT (inside): no path leaves its folders, links followed.
#[derive(Clone)]
pub(crate) struct FileTool {
    pub(crate) spec: ToolSpec,
    pub(crate) fs: Arc<dyn Fs>,
    /// The workspace's folder, without links: where locks stand.
    pub(crate) home: PathBuf,
    /// The folders, without links. Paths count from the workspace's folder all the same: a path says the same to the tool, to
    /// the rules that read it and to people.
    pub(crate) roots: Vec<PathBuf>,
    /// The document that is run: only the run writes to it.
    pub(crate) document: PathBuf,
    /// What else it may not write: the documents that give the run its law and its agents.
    pub(crate) shared: Arc<Shared>,
}

impl ToolProvider for FileTool {
    fn tools(&self) -> Vec<ToolSpec> {
        let mut spec = self.spec.clone();
        if self.roots != [self.home.clone()] {
            let roots: Vec<String> =
                self.roots.iter().map(|root| format!("`{}`", self.shown(root))).collect();
            let about = spec.description.unwrap_or_default();
            spec.description = Some(format!("{about} Paths lie in {}.", roots.join(", ")));
        }
        vec![spec]
    }

    fn call<'a>(&'a self, call: &'a ToolCall) -> ToolAnswer<'a> {
        // Files are near: the runtime's other threads go on meanwhile.
        let answer = tokio::task::block_in_place(|| self.answer(&call.args));
        let answer = match answer {
            Err(failure) if self.spec.name == "apply_patch" => {
                Err(ToolFailure::new(format!("Error: {failure}")))
            }
            answer => answer,
        };
        Box::pin(async move { answer.map(Value::String) })
    }
}

impl FileTool {
    fn answer(&self, args: &Value) -> Result<String, ToolFailure> {
        match self.spec.name.as_str() {
            "read_file" => self.read(args),
            "read_dir" => {
                let first = || self.roots.first().map_or_else(|| ".".to_owned(), |root| self.shown(root));
                self.list(&said(args, &["path", "dir", "directory"]).unwrap_or_else(first))
            }
            "write_file" => {
                let (path, content) = (path(args)?, text(args, &["content", "contents", "text"])?);
                self.edit(&path, |_| Ok(content.into_bytes())).map(|real| format!("wrote `{real}`"))
            }
            "append_to_file" => {
                let (path, content) = (path(args)?, text(args, &["content", "contents", "text"])?);
                let append = |before: Option<String>| Ok(appended(before.as_deref(), &content).into_bytes());
                self.edit(&path, append).map(|real| format!("appended to `{real}`"))
            }
            "find_and_replace" => self.replace(args),
            _ => self.patch(&text(args, &["input", "patch", "diff"])?),
        }
    }

    fn read(&self, args: &Value) -> Result<String, ToolFailure> {
        let path = path(args)?;
        let content = self.content(&self.inside(&path)?, &path)?;
        let line =
            |key: &str| args.get(key).and_then(Value::as_u64).and_then(|line| usize::try_from(line).ok());
        let first = line("start_line").or_else(|| line("offset")).unwrap_or(1).max(1);
        let last = line("end_line").or_else(|| line("limit").map(|limit| (first + limit).saturating_sub(1)));
        if first == 1 && last.is_none() {
            return Ok(content);
        }
        let lines = content.split_inclusive('\n').skip(first - 1);
        Ok(lines.take(last.map_or(usize::MAX, |last| (last + 1).saturating_sub(first))).collect())
    }

    fn content(&self, real: &Path, told: &str) -> Result<String, ToolFailure> {
        let mut bytes = Vec::new();
        self.fs
            .read_into(real, MOST, &mut bytes)
            .map_err(|error| ToolFailure::new(format!("cannot read `{told}`: {}", reason(&error))))?;
        String::from_utf8(bytes).map_err(|_| ToolFailure::new(format!("`{told}` is no text")))
    }

    fn list(&self, told: &str) -> Result<String, ToolFailure> {
        let real = self.inside(told)?;
        let entries = self.fs.read_dir(&real, &mut |_, _| Some(false));
        let entries =
            entries.map_err(|error| ToolFailure::new(format!("cannot read `{told}`: {}", reason(&error))))?;
        let mut names: Vec<String> = entries
            .into_iter()
            .map(|entry| {
                let mark = if entry.kind == Kind::Dir { "/" } else { "" };
                format!("{}{mark}", entry.name.to_string_lossy())
            })
            .collect();
        names.sort();
        let over = names.len().saturating_sub(MOST_NAMES);
        names.truncate(MOST_NAMES);
        if over > 0 {
            names.push(format!("and {over} more"));
        }
        Ok(names.join("\n"))
    }

    fn replace(&self, args: &Value) -> Result<String, ToolFailure> {
        let path = path(args)?;
        let (old, new) = (
            text(args, &["search", "find", "old", "old_text"])?,
            text(args, &["replace", "new", "new_text"])?,
        );
        let all =
            args.get("all").or_else(|| args.get("replace_all")).and_then(Value::as_bool).unwrap_or_default();
        let mut times = 0;
        let real = self.edit(&path, |before| {
            let before = before.ok_or_else(|| ToolFailure::new(format!("there is no file `{path}`")))?;
            times = if old.is_empty() { 0 } else { before.matches(&old).count() };
            match times {
                0 => Err(ToolFailure::new(format!("`{path}` does not hold the text that is searched for"))),
                1 => Ok(before.replacen(&old, &new, 1).into_bytes()),
                _ if all => Ok(before.replace(&old, &new).into_bytes()),
                _ => Err(ToolFailure::new(format!(
                    "`{path}` holds the text {times} times: say more of it, or `\"all\": true`"
                ))),
            }
        })?;
        let places = if times == 1 { "place" } else { "places" };
        Ok(format!("replaced {times} {places} in `{real}`"))
    }

    /// Every file is read and checked before the first is written.
    fn patch(&self, patch: &str) -> Result<String, ToolFailure> {
        let patch = Patch::read(patch).map_err(ToolFailure::new)?;
        let mut ready: Vec<(PatchedFile, Option<String>)> = Vec::new();
        for file in patch.files {
            let real = self.inside_new(file.path())?;
            let there = self.fs.stat(&real).is_ok();
            let before = if there { Some(self.content(&real, file.path())?) } else { None };
            let to = file.moved_to().map(|to| self.inside_new(to)).transpose()?;
            let file = file.named(self.shown(&real), to.map(|to| self.shown(&to)));
            let after = file.apply(before.as_deref()).map_err(ToolFailure::new)?;
            ready.push((file, after));
        }
        let mut told = Vec::new();
        for (file, after) in ready {
            told.push(file.told());
            match after {
                Some(after) => {
                    self.edit(file.moved_to().unwrap_or(file.path()), |_| Ok(after.into_bytes()))?;
                    if file.moved_to().is_some() {
                        self.remove(file.path())?;
                    }
                }
                None => self.remove(file.path())?,
            }
        }
        Ok(told.join("\n"))
    }

    fn remove(&self, told: &str) -> Result<(), ToolFailure> {
        let real = self.inside(told)?;
        self.own(&real, told)?;
        self.fs
            .remove(&real)
            .map_err(|error| ToolFailure::new(format!("cannot delete `{told}`: {}", reason(&error))))
    }

    fn edit(
        &self,
        told: &str,
        change: impl FnOnce(Option<String>) -> Result<Vec<u8>, ToolFailure>,
    ) -> Result<String, ToolFailure> {
        let real = self.inside_new(told)?;
        self.own(&real, told)?;
        let root = self.lock_root(&real);
        let inner = real.strip_prefix(root).unwrap_or(&real).to_string_lossy().into_owned();
        let lock = if root == self.home { ".mentci/edit.lock" } else { ".mentci-edit.lock" };
        let sidecar = Sidecar::at(root, lock);
        let edited = edit_locked(&*self.fs, &sidecar, &inner, WriteOptions::default(), |before| {
            let before = before.map(|bytes| String::from_utf8(bytes.to_vec())).transpose();
            let before = before.map_err(|_| ToolFailure::new(format!("`{told}` is no text")))?;
            change(before).map(Edit::Replace)
        });
        if root != self.home {
            let _ = self.fs.remove(&root.join(lock));
        }
        match edited {
            Ok(_) => Ok(self.shown(&real)),
            Err(EditError::Refused(failure)) => Err(failure),
            Err(EditError::Disk(error)) => Err(ToolFailure::new(error.to_string())),
        }
    }

    /// The folder with whose lock a file is written: the workspace; of a file outside of it, its root.
    fn lock_root<'a>(&'a self, real: &Path) -> &'a Path {
        if real.starts_with(&self.home) {
            return &self.home;
        }
        self.roots.iter().find(|root| real.starts_with(root)).unwrap_or(&self.home)
    }

    /// A path without links, as rules read it: relative to the workspace where it lies in it.
    fn shown(&self, real: &Path) -> String {
        let inner = real.strip_prefix(&self.home).unwrap_or(real);
        let shown = inner.to_string_lossy();
        if shown.is_empty() { ".".to_owned() } else { shown.into_owned() }
    }

    fn own(&self, real: &Path, told: &str) -> Result<(), ToolFailure> {
        if real == self.document || self.shared.is_transcript(real) {
            return Err(ToolFailure::new(format!(
                "`{told}` is the document that is run: only the run writes to it"
            )));
        }
        if self.shared.held().holds(real) {
            return Err(ToolFailure::new(format!(
                "`{told}` gives this run its rules, its tools or an agent: only people write to it"
            )));
        }
        Ok(())
    }

    /// What stands there, without links, inside the folders.
    fn inside(&self, told: &str) -> Result<PathBuf, ToolFailure> {
        let path = self.joined(told)?;
        if let Ok(real) = self.fs.canonicalize(&path) {
            return self.checked(real, told);
        }
        self.inside_new(told)?;
        Err(ToolFailure::new(format!("there is no `{told}`")))
    }

    /// Where something stands or may come to stand.
    fn inside_new(&self, told: &str) -> Result<PathBuf, ToolFailure> {
        let path = self.joined(told)?;
        let real =
            real_path(&*self.fs, &path).ok_or_else(|| ToolFailure::new(format!("`{told}` is no path")))?;
        self.checked(real, told)
    }

    fn joined(&self, told: &str) -> Result<PathBuf, ToolFailure> {
        if told.contains('\0') || told.is_empty() {
            return Err(ToolFailure::new("a path is a text without zero bytes"));
        }
        Ok(self.home.join(told))
    }

    fn checked(&self, real: PathBuf, told: &str) -> Result<PathBuf, ToolFailure> {
        if self.roots.iter().any(|root| real.starts_with(root)) {
            return Ok(real);
        }
        let roots: Vec<String> = self.roots.iter().map(|root| format!("`{}`", self.shown(root))).collect();
        let may =
            if self.roots == [self.home.clone()] { "the workspace".to_owned() } else { roots.join(", ") };
        Err(ToolFailure::new(format!("`{told}` lies outside of what this tool may reach: {may}")))
    }
}

/// The path without links, `.` and `..`, as far as it exists.
fn real_path(fs: &dyn Fs, path: &Path) -> Option<PathBuf> {
    if fs.lstat(path).is_ok() {
        return fs.canonicalize(path).ok();
    }
    match path.components().next_back()? {
        Component::Normal(name) => Some(real_path(fs, path.parent()?)?.join(name)),
        _ => None,
    }
}

fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        std::io::ErrorKind::InvalidInput | std::io::ErrorKind::IsADirectory => {
            "it is no regular file".to_owned()
        }
        std::io::ErrorKind::NotADirectory => "it is no folder".to_owned(),
        std::io::ErrorKind::FileTooLarge => "it is larger than 16 MiB".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

fn appended(before: Option<&str>, content: &str) -> String {
    match before {
        Some(before) if !before.is_empty() && !before.ends_with('\n') => format!("{before}\n{content}"),
        Some(before) => format!("{before}{content}"),
        None => content.to_owned(),
    }
}

fn said(args: &Value, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| args.get(key)?.as_str()).map(str::to_owned)
}

fn text(args: &Value, keys: &[&str]) -> Result<String, ToolFailure> {
    said(args, keys)
        .ok_or_else(|| ToolFailure::new(format!("`{}` is missing", keys.first().unwrap_or(&"input"))))
}

fn path(args: &Value) -> Result<String, ToolFailure> {
    text(args, &["path", "file", "file_path", "filename"])
}

/// What the tools on files take, by name.
pub(crate) fn file_spec(name: &str) -> Option<ToolSpec> {
    let path = json!({"type": "string", "description": "a path relative to the workspace"});
    let content = json!({"type": "string", "description": "the text"});
    let (about, properties, required) = match name {
        "read_file" => (
            "Reads a text file, or some lines of it.",
            json!({"path": path, "start_line": {"type": "integer"}, "end_line": {"type": "integer"}}),
            json!(["path"]),
        ),
        "read_dir" => ("Lists a folder; folders end in `/`.", json!({"path": path}), json!([])),
        "write_file" => (
            "Writes a text file, new or in the place of what stands there.",
            json!({"path": path, "content": content}),
            json!(["path", "content"]),
        ),
        "append_to_file" => {
            ("Appends to a text file.", json!({"path": path, "content": content}), json!(["path", "content"]))
        }
        "find_and_replace" => (
            "Replaces a text in a file. The text must stand there once, or `all` must be true.",
            json!({"path": path, "search": content, "replace": content, "all": {"type": "boolean"}}),
            json!(["path", "search", "replace"]),
        ),
        "apply_patch" => (
            "Changes files by a patch: `*** Begin Patch`, then `*** Add File: PATH` with `+` lines, `*** Delete File: PATH`, or \
             `*** Update File: PATH` with hunks that begin with `@@` and hold lines that begin with a space, `-` or `+`; then \
             `*** End Patch`. Every file is checked before the first is written.",
            json!({"input": {"type": "string", "description": "the patch"}}),
            json!(["input"]),
        ),
        _ => return None,
    };
    Some(spec(name, about, &properties, &required))
}

//! The verbs `install` and `uninstall`: what a harness needs is put beside what stands there, and taken away again.

mod check;
mod node;
mod program;
mod record;
mod settings;
mod undo;
mod wish;

use std::path::{Path, PathBuf};

use mentci_disk::{Edit, EditError, Sidecar, WriteOptions, edit_locked, exists, read_optional};
use mentci_host::{Harness, InstallAnswer, InstallRow, Installation, InstalledFile, Response};
use mentci_source::{Code, Finding, Severity};

use crate::workspace::Workspace;

impl Workspace {
    /// Installs, or removes what was installed. Nothing is written where a file cannot be read or is somebody else's.
    /// Where the same stands elsewhere, and would be asked beside it, the harness is told of that; or it would not start at all.
    pub(crate) fn install(
        &self,
        installation: &Installation,
        twin: Option<&Installation>,
        remove: bool,
        dry_run: bool,
    ) -> Response {
        let twice = twin.and_then(|twin| self.twice(twin));
        if let Some(twice) = twice.clone().filter(|_| installation.harness == Harness::Pi) {
            return Response::bad([twice.severity(Severity::Error)]);
        }
        let base = self.base(installation);
        let mut planned = Vec::new();
        for file in &installation.files {
            match self.planned(installation, &base, file, remove) {
                Ok(plan) => planned.push(plan),
                Err(finding) => return Response::bad([finding]),
            }
        }
        if !dry_run && let Err(finding) = self.carry_out_all(installation, &base, &planned, remove) {
            return Response::bad([finding]);
        }
        let files = planned.into_iter().map(|plan| plan.row(dry_run)).collect();
        let notes = if remove { Vec::new() } else { installation.notes.clone() };
        let base = base.to_string_lossy().into_owned();
        Response::ok(InstallAnswer { harness: installation.harness, base, files, notes }).with(twice)
    }

    /// What a person is told where this stands.
    fn twice(&self, twin: &Installation) -> Option<Finding> {
        self.harness_check(twin, &mut Vec::new())?;
        let (name, users) = (twin.harness.name(), twin.base.is_some());
        let (whose, flag) = if users { ("the user's", " --user") } else { ("the workspace's", "") };
        let does = if twin.harness == Harness::Pi {
            "does not start with both"
        } else {
            "asks about each call twice"
        };
        let message = format!("{whose} stands already, and {name} {does}");
        let help = format!("one is enough: `policy-engine uninstall {name}{flag}` takes that one away");
        Some(Finding::new(Code::HARNESS_TWICE, message).help(help))
    }

    fn carry_out_all(
        &self,
        installation: &Installation,
        base: &Path,
        planned: &[Plan],
        remove: bool,
    ) -> Result<(), Finding> {
        let mut made = Vec::new();
        for plan in planned {
            made.extend(self.carry_out(installation, base, plan, remove)?);
        }
        // The deepest first; one in which something stands stays.
        made.sort();
        made.iter().rev().for_each(|folder| drop(self.fs.remove_dir(folder)));
        Ok(())
    }

    /// The folders above a file that do not stand yet, the outermost first.
    fn missing_folders(&self, base: &Path, path: &str) -> Vec<PathBuf> {
        let file = base.join(path);
        let above = file.ancestors().skip(1);
        let mut missing: Vec<PathBuf> =
            above.take_while(|folder| !exists(self.fs.as_ref(), folder)).map(Path::to_owned).collect();
        missing.reverse();
        missing
    }

    fn base(&self, installation: &Installation) -> PathBuf {
        installation.base.as_ref().map_or_else(|| self.root.clone(), PathBuf::from)
    }

    fn planned(
        &self,
        installation: &Installation,
        base: &Path,
        file: &InstalledFile,
        remove: bool,
    ) -> Result<Plan, Finding> {
        let (path, executable) = match file {
            InstalledFile::Own { path, executable, .. } => (path, *executable),
            InstalledFile::Hooks { path, .. } => (path, false),
        };
        let before = self.text_of(base, path, &shown(installation, path))?;
        let after =
            match (file, &before, remove) {
                (InstalledFile::Own { mark, .. }, Some(text), _) if !text.contains(mark.as_str()) => {
                    if remove { before.clone() } else { return Err(foreign(&shown(installation, path))) }
                }
                (_, None, true) | (InstalledFile::Own { .. }, Some(_), true) => None,
                (InstalledFile::Own { text, .. }, _, false) => Some(text.clone()),
                (InstalledFile::Hooks { mark, .. }, Some(text), true) => {
                    self.without(installation, base, (path, mark), text)?
                }
                (InstalledFile::Hooks { mark, hooks, .. }, text, false) => {
                    Some(settings::with_hooks(&shown(installation, path), text.as_deref(), mark, hooks)?)
                }
            };
        let is_run = |base: &Path| self.fs.stat(&base.join(path)).is_ok_and(|stat| stat.mode & 0o111 != 0);
        let mends = executable && !remove && before.is_some() && before == after && !is_run(base);
        Ok(Plan { path: path.clone(), executable, mends, before, after })
    }

    /// A file of settings without our hooks; none where nothing is left of it.
    fn without(
        &self,
        installation: &Installation,
        base: &Path,
        (path, mark): (&str, &str),
        text: &str,
    ) -> Result<Option<String>, Finding> {
        let path_shown = shown(installation, path);
        // What a person had edited when we came again holds our hooks already.
        let is_theirs = |text: &String| {
            settings::seen(&path_shown, text, mark, &[]).is_ok_and(|seen| seen.own.is_empty())
        };
        let stood = self.stood_before(installation, base, path, text);
        if let Some(stood) = stood.filter(|stood| stood.as_ref().is_none_or(is_theirs)) {
            return Ok(stood);
        }
        let left = settings::without_hooks(&path_shown, text, mark)?;
        let undone = self.undone(installation, base, path, text);
        let undone = undone.filter(|undone| settings::is_same(&path_shown, undone, &left));
        Ok(self.left(installation, base, path, undone.unwrap_or(left)))
    }

    fn text_of(&self, base: &Path, path: &str, shown: &str) -> Result<Option<String>, Finding> {
        let unread = |finding: Finding| finding.in_file(shown);
        let bytes = read_optional(self.fs.as_ref(), &base.join(path))
            .map_err(|error| unread(error.finding(Code::UNREADABLE)))?;
        let text = bytes.map(String::from_utf8).transpose();
        text.map_err(|_| unread(Finding::new(Code::HARNESS_SETTINGS, "the harness's settings are no UTF-8")))
    }

    /// Where a file is written. A link among the user's own settings is the user's own doing (dotfiles that are kept elsewhere):
    /// what it leads to is written, and the link stays.
    fn linked(&self, installation: &Installation, base: &Path, path: &str) -> (PathBuf, String) {
        let link = base.join(path);
        let target = installation.base.as_ref().and_then(|_| self.fs.canonicalize(&link).ok());
        let parts =
            target.as_deref().and_then(|target| Some((target.parent()?, target.file_name()?.to_str()?)));
        match parts {
            Some((folder, name)) => (folder.to_owned(), name.to_owned()),
            None => (base.to_owned(), path.to_owned()),
        }
    }

    /// Writes or removes one file; the folders that were made for one that is gone.
    fn carry_out(
        &self,
        installation: &Installation,
        base: &Path,
        plan: &Plan,
        remove: bool,
    ) -> Result<Vec<PathBuf>, Finding> {
        if plan.before == plan.after && !plan.mends {
            return Ok(Vec::new());
        }
        let failed = |finding: Finding| finding.in_file(&shown(installation, &plan.path));
        let made = if remove {
            self.forget_before(installation, base, &plan.path)
        } else {
            let missing = self.missing_folders(base, &plan.path);
            self.remember_before(installation, base, plan, missing);
            Vec::new()
        };
        let Some(after) = &plan.after else {
            let removed = self.fs.remove(&base.join(&plan.path)).map_err(|error| {
                failed(Finding::new(Code::NOT_PUBLISHED, format!("the file cannot be removed: {error}")))
            });
            return removed.map(|()| made);
        };
        // The user's folder of a harness that never ran.
        self.fs.create_dir_all(base).map_err(|error| {
            failed(Finding::new(Code::NOT_PUBLISHED, format!("its folder cannot be made: {error}")))
        })?;
        let (base, path) = self.linked(installation, base, &plan.path);
        let sidecar = Sidecar::at(&base, &self.state_folder().join("install.lock").to_string_lossy());
        let options = if plan.executable {
            WriteOptions { mode: 0o755, ..WriteOptions::LASTING }
        } else {
            WriteOptions::LASTING
        };
        let written = edit_locked(self.fs.as_ref(), &sidecar, &path, options, |bytes| {
            // Somebody else may have written it since it was looked at.
            let same = bytes.map(<[u8]>::to_vec) == plan.before.as_ref().map(|text| text.as_bytes().to_vec());
            if same {
                Ok(Edit::Replace(after.as_bytes().to_vec()))
            } else {
                Err("the file changed meanwhile".to_owned())
            }
        });
        written.map(|_| made).map_err(|error| {
            failed(match error {
                EditError::Refused(why) => Finding::new(Code::NOT_PUBLISHED, why).help("install again"),
                EditError::Disk(error) => error.finding(Code::NOT_PUBLISHED),
            })
        })
    }
}

/// A file as it stands, and as it shall stand.
#[derive(Debug, PartialEq, Eq)]
struct Plan {
    path: String,
    executable: bool,
    /// The text stands as it belongs, and may not be run.
    mends: bool,
    before: Option<String>,
    after: Option<String>,
}

impl Plan {
    fn row(self, dry_run: bool) -> InstallRow {
        let did = match (&self.before, &self.after, dry_run) {
            (before, after, _) if before == after && !self.mends => "kept",
            (None, _, true) => "would write",
            (None, _, false) => "wrote",
            (_, None, true) => "would remove",
            (_, None, false) => "removed",
            (_, _, true) => "would change",
            (_, _, false) => "changed",
        };
        let diff = if dry_run { self.diff() } else { Vec::new() };
        InstallRow { path: self.path, did, diff }
    }

    /// The lines that differ, between those that both begin and end with.
    fn diff(&self) -> Vec<String> {
        let lines = |text: &Option<String>| -> Vec<String> {
            text.as_deref().unwrap_or_default().lines().map(str::to_owned).collect()
        };
        let (before, after) = (lines(&self.before), lines(&self.after));
        let first = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
        let (old, new) = (&before[first..], &after[first..]);
        let last = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
        let gone = old[..old.len() - last].iter().map(|line| format!("-{line}"));
        gone.chain(new[..new.len() - last].iter().map(|line| format!("+{line}"))).collect()
    }
}

/// A file as findings cite it: in full where it is not the workspace's.
fn shown(installation: &Installation, path: &str) -> String {
    installation.base.as_ref().map_or_else(|| path.to_owned(), |base| format!("{base}/{path}"))
}

fn foreign(path: &str) -> Finding {
    let finding =
        Finding::new(Code::HARNESS_FOREIGN, "this file is not ours, and stays as it is").in_file(path);
    finding.help("move it aside, or call `policy-engine hook` from it")
}

//! The verbs `install` and `uninstall`: what a harness needs is put beside what stands there, and taken away again.

mod record;
mod settings;

use std::path::{Path, PathBuf};

use mentci_disk::{Edit, EditError, Sidecar, WriteOptions, edit_locked, read_optional};
use mentci_host::{Check, InstallAnswer, InstallRow, Installation, InstalledFile, Response};
use mentci_source::{Code, Finding};

use crate::workspace::Workspace;

impl Workspace {
    /// Installs, or removes what was installed. Nothing is written where a file cannot be read or is somebody else's.
    pub(crate) fn install(&self, installation: &Installation, remove: bool, dry_run: bool) -> Response {
        let base = self.base(installation);
        let mut planned = Vec::new();
        for file in &installation.files {
            match self.planned(installation, &base, file, remove) {
                Ok(plan) => planned.push(plan),
                Err(finding) => return Response::bad([finding]),
            }
        }
        if !dry_run {
            for plan in &planned {
                if let Err(finding) = self.carry_out(installation, &base, plan, remove) {
                    return Response::bad([finding]);
                }
            }
        }
        let files = planned.into_iter().map(|plan| plan.row(dry_run)).collect();
        let notes = if remove { Vec::new() } else { installation.notes.clone() };
        let base = base.to_string_lossy().into_owned();
        Response::ok(InstallAnswer { harness: installation.harness, base, files, notes })
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
        let before = self.text_of(base, path)?;
        let after =
            match (file, &before, remove) {
                (InstalledFile::Own { mark, .. }, Some(text), _) if !text.contains(mark.as_str()) => {
                    if remove { before.clone() } else { return Err(foreign(path)) }
                }
                (_, None, true) | (InstalledFile::Own { .. }, Some(_), true) => None,
                (InstalledFile::Own { text, .. }, _, false) => Some(text.clone()),
                (InstalledFile::Hooks { mark, .. }, Some(text), true) => {
                    match self.stood_before(installation, base, path, text) {
                        Some(stood) => stood,
                        None => Some(settings::without_hooks(path, text, mark)?),
                    }
                }
                (InstalledFile::Hooks { mark, hooks, .. }, text, false) => {
                    Some(settings::with_hooks(path, text.as_deref(), mark, hooks)?)
                }
            };
        Ok(Plan { path: path.clone(), executable, before, after })
    }

    fn text_of(&self, base: &Path, path: &str) -> Result<Option<String>, Finding> {
        let unread = |finding: Finding| finding.in_file(path);
        let bytes = read_optional(self.fs.as_ref(), &base.join(path))
            .map_err(|error| unread(error.finding(Code::UNREADABLE)))?;
        let text = bytes.map(String::from_utf8).transpose();
        text.map_err(|_| unread(Finding::new(Code::HARNESS_SETTINGS, "the harness's settings are no UTF-8")))
    }

    fn carry_out(
        &self,
        installation: &Installation,
        base: &Path,
        plan: &Plan,
        remove: bool,
    ) -> Result<(), Finding> {
        if plan.before == plan.after {
            return Ok(());
        }
        if remove {
            self.forget_before(installation, base, &plan.path);
        } else {
            self.remember_before(installation, base, plan);
        }
        let failed = |finding: Finding| finding.in_file(&plan.path);
        let Some(after) = &plan.after else {
            let removed = self.fs.remove(&base.join(&plan.path));
            return removed.map_err(|error| {
                failed(Finding::new(Code::NOT_PUBLISHED, format!("the file cannot be removed: {error}")))
            });
        };
        let sidecar = Sidecar::at(base, &self.state_folder().join("install.lock").to_string_lossy());
        let options = if plan.executable {
            WriteOptions { mode: 0o755, ..WriteOptions::LASTING }
        } else {
            WriteOptions::LASTING
        };
        let written = edit_locked(self.fs.as_ref(), &sidecar, &plan.path, options, |bytes| {
            // Somebody else may have written it since it was looked at.
            let same = bytes.map(<[u8]>::to_vec) == plan.before.as_ref().map(|text| text.as_bytes().to_vec());
            if same {
                Ok(Edit::Replace(after.as_bytes().to_vec()))
            } else {
                Err("the file changed meanwhile".to_owned())
            }
        });
        written.map(drop).map_err(|error| {
            failed(match error {
                EditError::Refused(why) => Finding::new(Code::NOT_PUBLISHED, why).help("install again"),
                EditError::Disk(error) => error.finding(Code::NOT_PUBLISHED),
            })
        })
    }

    /// What `doctor` sees of a harness; none where nothing of it stands here.
    pub(crate) fn harness_check(
        &self,
        installation: &Installation,
        findings: &mut Vec<Finding>,
    ) -> Option<Check> {
        let base = self.base(installation);
        let name = installation.harness.name();
        let check = |ok, seen: String| Some(Check { what: format!("{name} hooks"), ok, seen });
        let verb = format!("run `policy-engine install {name}`");
        let mut standing = 0;
        for file in &installation.files {
            let text = match self.text_of(&base, file.path()) {
                Ok(Some(text)) => text,
                Ok(None) => continue,
                Err(finding) => {
                    findings.push(finding);
                    return check(false, format!("`{}` cannot be read", file.path()));
                }
            };
            match file {
                InstalledFile::Own { text: own, mark, .. } if text.contains(mark.as_str()) => {
                    standing += 1;
                    if text != *own {
                        return check(false, format!("`{}` is of another version: {verb}", file.path()));
                    }
                }
                InstalledFile::Own { .. } => {}
                InstalledFile::Hooks { path, mark, hooks } => match settings::seen(path, &text, mark) {
                    Ok(seen) if seen.own.is_empty() => {}
                    Ok(seen) if seen.off => return check(false, format!("`{path}` switches all hooks off")),
                    Ok(seen) => {
                        standing += 1;
                        if let Some(odd) = self.odd_hook(&seen, hooks) {
                            return check(false, format!("{odd}: {verb}"));
                        }
                        if !seen.shared.is_empty() {
                            let events = seen.shared.join(", ");
                            return check(true, format!("they stand, and others beside them at {events}"));
                        }
                    }
                    Err(finding) => {
                        findings.push(finding);
                        return check(false, format!("`{path}` cannot be read"));
                    }
                },
            }
        }
        match standing {
            0 => None,
            _ if standing < installation.files.len() => check(false, format!("some are missing: {verb}")),
            _ => check(true, "they stand as this version writes them".to_owned()),
        }
    }

    /// A hook of ours that is missing, or whose program is not there.
    fn odd_hook(&self, seen: &settings::Seen, hooks: &[mentci_host::InstalledHook]) -> Option<String> {
        let missing = hooks.iter().find(|hook| !seen.own.iter().any(|(event, _)| *event == hook.event));
        if let Some(hook) = missing {
            return Some(format!("there is no hook at {}", hook.event));
        }
        seen.own.iter().find_map(|(event, command)| {
            let program = program(command);
            let gone =
                program.starts_with('/') && !mentci_disk::exists(self.fs.as_ref(), Path::new(&program));
            gone.then(|| format!("the hook at {event} names `{program}`, which is not there"))
        })
    }
}

/// The program of a command, quoted or not.
fn program(command: &str) -> String {
    let command = command.trim_start();
    match command.strip_prefix(['"', '\'']) {
        Some(quoted) => quoted.split(['"', '\'']).next().unwrap_or_default().to_owned(),
        None => command.split_whitespace().next().unwrap_or_default().to_owned(),
    }
}

/// A file as it stands, and as it shall stand.
#[derive(Debug, PartialEq, Eq)]
struct Plan {
    path: String,
    executable: bool,
    before: Option<String>,
    after: Option<String>,
}

impl Plan {
    fn row(self, dry_run: bool) -> InstallRow {
        let did = match (&self.before, &self.after, dry_run) {
            (before, after, _) if before == after => "kept",
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

fn foreign(path: &str) -> Finding {
    let finding =
        Finding::new(Code::HARNESS_FOREIGN, "this file is not ours, and stays as it is").in_file(path);
    finding.help("move it aside, or call `policy-engine hook` from it")
}

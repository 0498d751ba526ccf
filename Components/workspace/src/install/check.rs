//! What `doctor` sees of a harness: whether what is installed stands, is heard and can be started.

use std::path::Path;

use mentci_host::{Check, Harness, Installation, InstalledFile};
use mentci_source::Finding;

use super::program::{other_program, program};
use super::settings::{self, Seen};
use super::shown;
use crate::workspace::Workspace;

/// What is seen of one file of an installation.
enum Look {
    /// It stands, and nothing is odd.
    Sound,
    /// Nothing of ours stands there.
    Missing,
    /// It stands, and this is odd; `install` mends it.
    Odd(String),
    /// It cannot be read: a person must mend it.
    Unread(String),
}

impl Workspace {
    /// What `doctor` sees of a harness; none where nothing of it stands here.
    pub(crate) fn harness_check(
        &self,
        installation: &Installation,
        findings: &mut Vec<Finding>,
    ) -> Option<Check> {
        let base = self.base(installation);
        let looks: Vec<Look> =
            installation.files.iter().map(|file| self.look(installation, &base, file, findings)).collect();
        let standing = looks.iter().filter(|look| !matches!(look, Look::Missing)).count();
        if standing == 0 {
            return None;
        }
        let odd = looks.into_iter().find_map(|look| match look {
            Look::Unread(why) => Some(why),
            Look::Odd(why) => Some(format!("{why}: {}", verb(installation))),
            Look::Sound | Look::Missing => None,
        });
        let missing = || {
            let some = standing < installation.files.len();
            some.then(|| format!("some are missing: {}", verb(installation)))
        };
        let changed = self.changed(installation);
        let odd = odd
            .or_else(missing)
            .or_else(|| self.unheard(installation))
            .or_else(|| self.old_node(installation.harness))
            .or_else(|| self.unfound_engine(installation.harness));
        let (ok, mut seen) = match odd {
            Some(odd) => (false, odd),
            None => (true, self.well(installation, changed.is_empty())),
        };
        for note in &changed {
            seen = format!("{seen}; {note}");
        }
        Some(Check { what: what(installation), ok, seen })
    }

    /// pi's extension names no program: it looks for one, and lets calls run where it finds none.
    fn unfound_engine(&self, harness: Harness) -> Option<String> {
        const NAME: &str = "policy-engine";
        let named = self.around.variable.and_then(|variable| variable("MENTCI_POLICY_ENGINE"));
        if harness != Harness::Pi || named.is_some() || self.on_path(NAME).is_some() {
            return None;
        }
        let built = ["release", "debug"].map(|profile| self.root.join("target").join(profile).join(NAME));
        let is_built = built.iter().any(|path| mentci_disk::exists(self.fs.as_ref(), path));
        (!is_built).then(|| format!("they look for `{NAME}`, which is not on `PATH`: calls run unasked then"))
    }

    /// Where all stands: what a person may want to know besides.
    fn well(&self, installation: &Installation, is_as_written: bool) -> String {
        let others = self.others(installation);
        let besides =
            (!others.is_empty()).then(|| format!(", and others beside them at {}", others.join(", ")));
        let as_written = if is_as_written { " as this version writes them" } else { "" };
        format!("they stand{}", besides.as_deref().unwrap_or(as_written))
    }

    /// What somebody put around our hooks, and where they are called once more.
    fn changed(&self, installation: &Installation) -> Vec<String> {
        let mut notes = Vec::new();
        for file in &installation.files {
            let InstalledFile::Hooks { path, mark, hooks } = file else { continue };
            let text = self.text_of(&self.base(installation), path, path).ok().flatten();
            let seen =
                text.and_then(|text| settings::seen(path, &text, mark, hooks).ok()).unwrap_or_default();
            notes.extend(seen.own.iter().filter(|own| own.is_changed).map(|own| {
                format!("the hook at {} is kept as somebody changed it: `{}`", own.event, own.command)
            }));
            notes.extend(seen.shared.iter().map(|(event, command)| {
                format!("it is called once more at {event}, within `{command}`: take one of the two out")
            }));
        }
        notes
    }

    /// What keeps hooks that stand from being heard.
    fn unheard(&self, installation: &Installation) -> Option<String> {
        installation.wishes.iter().find_map(|wish| self.unmet(wish))
    }

    fn look(
        &self,
        installation: &Installation,
        folder: &Path,
        file: &InstalledFile,
        findings: &mut Vec<Finding>,
    ) -> Look {
        let path = shown(installation, file.path());
        let text = match self.text_of(folder, file.path(), &path) {
            Ok(Some(text)) => text,
            Ok(None) => return Look::Missing,
            Err(finding) => {
                findings.push(finding);
                return Look::Unread(format!("`{path}` cannot be read"));
            }
        };
        match file {
            InstalledFile::Own { text: own, mark, executable, .. } if text.contains(mark.as_str()) => {
                let runs = self.fs.stat(&folder.join(file.path())).is_ok_and(|stat| stat.mode & 0o111 != 0);
                if *executable && !runs {
                    return Look::Odd(format!("`{path}` cannot be run"));
                }
                self.own_file(installation, &path, own, &text)
            }
            InstalledFile::Own { .. } => Look::Missing,
            InstalledFile::Hooks { mark, hooks, .. } => match settings::seen(&path, &text, mark, hooks) {
                Ok(seen) if seen.own.is_empty() => Look::Missing,
                Ok(seen) => self.odd_hook(&seen, hooks).map_or(Look::Sound, Look::Odd),
                Err(finding) => {
                    findings.push(finding);
                    Look::Unread(format!("`{path}` cannot be read"))
                }
            },
        }
    }

    /// A file of ours, which may name another program than we would.
    fn own_file(&self, installation: &Installation, path: &str, own: &str, standing: &str) -> Look {
        let named = installation.program.as_str();
        let program =
            if own == standing { Some(named.to_owned()) } else { other_program(own, named, standing) };
        let Some(program) = program else { return Look::Odd(format!("`{path}` is of another version")) };
        match self.program_missing(&self::program(&program)) {
            Some(missing) => Look::Odd(format!("`{path}` {missing}")),
            None => Look::Sound,
        }
    }

    /// A hook of ours that is missing, hears less than it must, or whose program is not there.
    fn odd_hook(&self, seen: &Seen, hooks: &[mentci_host::InstalledHook]) -> Option<String> {
        let missing = hooks.iter().find(|hook| !seen.own.iter().any(|own| own.event == hook.event));
        if let Some(hook) = missing {
            return Some(format!("there is no hook at {}", hook.event));
        }
        seen.own.iter().find_map(|own| {
            let missing = || self.program_missing(&own.program);
            let odd = own.odd.clone().or_else(missing)?;
            Some(format!("the hook at {}: {odd}", own.event))
        })
    }

    /// The hooks of others where calls are decided, in all settings that count.
    fn others(&self, installation: &Installation) -> Vec<String> {
        let Some(gate) = &installation.gate else { return Vec::new() };
        let mark = installation.files.iter().find_map(|file| match file {
            InstalledFile::Hooks { mark, .. } => Some(mark.as_str()),
            InstalledFile::Own { .. } => None,
        });
        let mut others = Vec::new();
        for path in &installation.beside {
            let text = self.text_of(&self.root, path, path).ok().flatten();
            let seen = text.and_then(|text| settings::seen(path, &text, mark?, &[]).ok()).unwrap_or_default();
            let here = seen.foreign.into_iter().filter(|(event, _)| event == gate);
            others.extend(here.map(|(event, command)| format!("{event} (`{command}` in `{path}`)")));
        }
        others
    }
}

fn what(installation: &Installation) -> String {
    let whose = if installation.base.is_some() { " of the user" } else { "" };
    format!("{} hooks{whose}", installation.harness.name())
}

fn verb(installation: &Installation) -> String {
    let scope = if installation.base.is_some() { " --user" } else { "" };
    format!("run `policy-engine install {}{scope}`", installation.harness.name())
}

//! Plugins put into their place: copied from elsewhere, or written anew.

use std::path::{Path, PathBuf};

use mentci_authority::{PluginId, Trust};
use mentci_disk::{Kind, exists, read_optional};
use mentci_host::Response;
use mentci_host::policy::TextAnswer;
use mentci_ledger::{Change, Deed};
use mentci_source::{Code, Finding, Severity};

use super::{Found, MANIFEST, Place, at_path, skeleton};
use crate::workspace::Workspace;

impl Workspace {
    /// Copies a folder into its place, once everything in it was read and nothing is wrong with it.
    pub(super) fn install_plugin(&self, path: &str, user: bool, who: &str) -> Response {
        let source = self.root.join(path);
        let Some(found) = at_path(self.fs.as_ref(), &source, path) else {
            let finding = Finding::new(Code::PLUGIN_REFUSED, "there is no such folder").in_file(path);
            return Response::bad([finding.help("name the folder that holds `plugin.toml`")]);
        };
        // `plugins install /etc` is not told of each link there.
        if !exists(self.fs.as_ref(), &source.join(MANIFEST)) {
            let finding =
                Finding::new(Code::PLUGIN_REFUSED, "this folder holds no `plugin.toml`").in_file(path);
            return Response::bad([
                finding.help("`policy-engine plugins new ID` writes a plugin to begin with")
            ]);
        }
        let (book, findings) = self.read_plugins(std::slice::from_ref(&found), None);
        let wrong = findings.iter().any(|finding| finding.severity >= Severity::Error) || !book.is_whole();
        if wrong || !found.state.is_in_force() {
            let message = format!("`{}` was not installed: mend what is wrong with it first", found.id);
            let refused = Finding::new(Code::PLUGIN_REFUSED, message).in_file(path);
            return Response::bad(findings.into_iter().chain([refused]));
        }
        let place = match self.free_place(&found.id, user) {
            Ok(place) => place,
            Err(finding) => return Response::bad([finding]),
        };
        let files = found.hashes.iter().map(|(shown, _)| {
            let below = shown.strip_prefix(&found.at).unwrap_or(shown).trim_start_matches('/').to_owned();
            Ok((below.clone(), self.bytes(&source.join(&below))?))
        });
        let written = files.collect::<Result<Vec<_>, Finding>>();
        match written.and_then(|files| self.put(&place, &found.id, &files)) {
            Ok(()) => {
                let told = self.tell(Change::new(Deed::PluginInstalled, &found.id, who).to(path.into()));
                Self::installed(&found, &place).with(findings).with(told)
            }
            Err(finding) => Response::bad([finding]),
        }
    }

    /// Writes a plugin to begin with: one rule, one setting, and tests that pass.
    pub(super) fn new_plugin(&self, id: &str, user: bool, who: &str) -> Response {
        if let Err(problem) = PluginId::new(id) {
            let finding = Finding::new(Code::PLUGIN_ID, format!("{problem}: `{}`", id.escape_debug()));
            return Response::bad([finding.help("such as `deep-research`")]);
        }
        let written = self.free_place(id, user).and_then(|place| {
            self.put(&place, id, &skeleton::files(id))?;
            Ok(place)
        });
        match written {
            Ok(place) => {
                let folder = format!("{}/{id}", place.shown);
                let next = format!("policy-engine test {folder}");
                let text = format!("{folder} is written\nnext: {next}\n{}", trusting(&place));
                let told = Change::new(Deed::PluginInstalled, id, who).to(folder.into());
                Response::ok(TextAnswer { text }).with(self.tell(told))
            }
            Err(finding) => Response::bad([finding]),
        }
    }

    fn installed(found: &Found, place: &Place) -> Response {
        let version = found.plugin.as_ref().map_or("", |plugin| plugin.version.as_str());
        let text = format!("{} {version} is installed in {}\n{}", found.id, place.shown, trusting(place));
        Response::ok(TextAnswer { text })
    }

    /// Where a plugin goes, if nothing has its id.
    fn free_place(&self, id: &str, user: bool) -> Result<Place, Finding> {
        let refuse =
            |message: String, help: &str| Err(Finding::new(Code::PLUGIN_REFUSED, message).help(help));
        let place = if user { self.user_plugins() } else { self.workspace_plugins() };
        let Some(place) = place else {
            return refuse(
                "there is no folder for plugins here".to_owned(),
                if user {
                    "set `XDG_CONFIG_HOME` or `HOME`"
                } else {
                    "`.pi/plugins` leads out of the workspace"
                },
            );
        };
        if crate::policy::packs::is_shipped(id) {
            return refuse(format!("`{id}` is the name of a pack that is shipped"), "give it another id");
        }
        let taken = [self.user_plugins(), self.workspace_plugins()].into_iter().flatten();
        for other in taken {
            // A link that leads nowhere is there too.
            if self.fs.lstat(&other.folder.join(id)).is_ok() {
                let message = format!("`{id}` is there already, at `{}/{id}`", other.shown);
                return refuse(message, "take that folder away first; what was set stays set");
            }
        }
        Ok(place)
    }

    fn bytes(&self, path: &Path) -> Result<Vec<u8>, Finding> {
        let shown = path.to_string_lossy();
        match read_optional(self.fs.as_ref(), path) {
            Ok(Some(bytes)) => Ok(bytes),
            Ok(None) => Err(Finding::new(Code::PLUGIN_REFUSED, "this file went away").in_file(&shown)),
            Err(error) => Err(error.finding(Code::PLUGIN_REFUSED).in_file(&shown)),
        }
    }

    /// Writes the files beside their place, then moves the folder there at once: nobody ever sees half a plugin, and what
    /// fails leaves nothing.
    fn put(&self, place: &Place, id: &str, files: &[(String, Vec<u8>)]) -> Result<(), Finding> {
        let beside = place.folder.join(format!(".new-{id}"));
        let is_first = self.fs.lstat(&place.folder).is_err();
        self.take_away(&beside);
        let there = place.folder.join(id);
        let written = self.write_all(&beside, files).and_then(|()| {
            self.fs.rename(&beside, &there)?;
            self.fs.sync(&place.folder).inspect_err(|_| drop(self.fs.rename(&there, &beside)))
        });
        written.map_err(|error| {
            self.take_away(&beside);
            if is_first {
                // OK because a folder in which something stands is not taken away.
                let _ = self.fs.remove_dir(&place.folder);
            }
            let message = format!("`{id}` could not be written: {error}");
            Finding::new(Code::PLUGIN_REFUSED, message).in_file(&place.shown)
        })
    }

    fn write_all(&self, folder: &Path, files: &[(String, Vec<u8>)]) -> std::io::Result<()> {
        self.fs.create_dir_all(folder)?;
        for (path, bytes) in files {
            let path: PathBuf = folder.join(path);
            path.parent().map_or(Ok(()), |above| self.fs.create_dir_all(above))?;
            self.fs.write_new(&path, bytes, 0o644)?;
            self.fs.sync(&path)?;
        }
        Ok(())
    }

    /// Takes away what a try left, a link as a link; what cannot be taken away fails when it is written.
    fn take_away(&self, path: &Path) {
        match self.fs.lstat(path).map(|stat| stat.kind) {
            Ok(Kind::Dir) => {
                let entries = self.fs.read_dir(path, &mut |_, _| Some(false)).unwrap_or_default();
                for entry in entries {
                    self.take_away(&path.join(&entry.name));
                }
                let _ = self.fs.remove_dir(path);
            }
            Ok(_) => drop(self.fs.remove(path)),
            Err(_) => {}
        }
    }
}

fn trusting(place: &Place) -> &'static str {
    if place.trust == Trust::User {
        ""
    } else {
        "read it, then run `policy-engine trust`: until then only its gates hold\n"
    }
}

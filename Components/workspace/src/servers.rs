//! A client's configuration of MCP servers: each server put behind a gateway, and taken out again.

mod entries;

use std::path::Path;

use mentci_disk::{Edit, EditError, Sidecar, WriteOptions, edit_locked, read_optional};
use mentci_host::policy::TextAnswer;
use mentci_host::{Outcome, Response, ServersRequest};
use mentci_source::{Code, Finding};

use crate::workspace::Workspace;

/// What is behind the name of the file that holds what stood there before.
const BEFORE: &str = ".before-mentci";

impl Workspace {
    /// Shows or writes the configuration with each server behind a gateway, or without the gateways.
    pub(crate) fn servers(&self, request: &ServersRequest) -> Response {
        self.changed_servers(request).unwrap_or_else(|finding| Response::bad([finding]))
    }

    fn changed_servers(&self, request: &ServersRequest) -> Result<Response, Finding> {
        let path = Path::new(&request.path);
        let shown = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let text = self
            .text_at(path, &shown)?
            .ok_or_else(|| Finding::new(Code::UNREADABLE, "there is no such file").in_file(&shown))?;
        let before = path.with_file_name(format!("{shown}{BEFORE}"));
        let (after, findings) = if request.restore {
            let kept = self.text_at(&before, &shown)?;
            let guards = |kept: &String| {
                entries::guarded(&shown, kept, &request.engine)
                    .is_ok_and(|(text_of_it, _)| text_of_it == text)
            };
            match kept.filter(guards) {
                Some(kept) => (kept, Vec::new()),
                None => (entries::restored(&shown, &text)?, Vec::new()),
            }
        } else {
            entries::guarded(&shown, &text, &request.engine)?
        };
        let outcome = if findings.is_empty() { Outcome::Ok } else { Outcome::Findings };
        let told = |text: String| Ok(Response::ok(TextAnswer { text }).with(findings).at_least(outcome));
        if !request.write {
            return told(after);
        }
        if after == text {
            let rest = if outcome == Outcome::Ok { "as it should be" } else { "as far as it can be guarded" };
            return told(format!("{shown} is {rest}\n"));
        }
        if !request.restore {
            self.write_at(&before, &shown, None, &text)?;
        }
        self.write_at(path, &shown, Some(&text), &after)?;
        let kept =
            if request.restore { String::new() } else { format!("; what it was stands in {shown}{BEFORE}") };
        told(format!("{shown} is written{kept}\n"))
    }

    fn text_at(&self, path: &Path, shown: &str) -> Result<Option<String>, Finding> {
        let bytes = read_optional(self.fs.as_ref(), path)
            .map_err(|error| error.finding(Code::UNREADABLE).in_file(shown))?;
        let text = bytes.map(String::from_utf8).transpose();
        text.map_err(|_| Finding::new(Code::HARNESS_SETTINGS, "the configuration is no UTF-8").in_file(shown))
    }

    /// Writes a file, which still holds what was read where that is told.
    fn write_at(&self, path: &Path, shown: &str, was: Option<&str>, text: &str) -> Result<(), Finding> {
        let folder = path.parent().unwrap_or(Path::new("/"));
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let sidecar = Sidecar::at(folder, &self.state_folder().join("servers.lock").to_string_lossy());
        // It may hold keys.
        let options = WriteOptions { mode: 0o600, ..WriteOptions::LASTING };
        let written = edit_locked(self.fs.as_ref(), &sidecar, &name, options, |bytes| match was {
            Some(was) if bytes != Some(was.as_bytes()) => Err("the file changed meanwhile".to_owned()),
            _ => Ok(Edit::Replace(text.as_bytes().to_vec())),
        });
        written.map(drop).map_err(|error| {
            let finding = match error {
                EditError::Refused(why) => Finding::new(Code::NOT_PUBLISHED, why).help("do it again"),
                EditError::Disk(error) => error.finding(Code::NOT_PUBLISHED),
            };
            finding.in_file(shown)
        })
    }
}

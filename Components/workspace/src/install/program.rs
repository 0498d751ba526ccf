//! The program that a hook starts: whether it is there.

use std::path::{Path, PathBuf};

use mentci_disk::Kind;

use crate::workspace::Workspace;

impl Workspace {
    /// Why a program cannot be started; none where it can, or where only the run tells which one it is.
    pub(super) fn program_missing(&self, program: &str) -> Option<String> {
        let program = self.at_home(program)?;
        if program.contains('/') {
            let path = self.root.join(&program);
            if !mentci_disk::exists(self.fs.as_ref(), &path) {
                return Some(format!("names `{program}`, which is not there"));
            }
            return (!self.is_run(&path)).then(|| format!("names `{program}`, which cannot be run"));
        }
        let found = self.search_path().iter().any(|folder| self.is_run(&folder.join(&program)));
        (!found).then(|| format!("names `{program}`, which is not on `PATH`"))
    }

    /// A program with the user's folder put in; none where another variable stands in its name.
    fn at_home(&self, program: &str) -> Option<String> {
        let below = ["~/", "$HOME/", "${HOME}/"].into_iter().find_map(|home| program.strip_prefix(home));
        let whole = match below {
            Some(below) => format!("{}/{below}", self.around.variable.and_then(|variable| variable("HOME"))?),
            None => program.to_owned(),
        };
        (!whole.contains('$')).then_some(whole)
    }

    /// The first file of this name on the search path that can be run.
    pub(super) fn on_path(&self, name: &str) -> Option<PathBuf> {
        let folders = self.search_path();
        folders.into_iter().map(|folder| folder.join(name)).find(|path| self.is_run(path))
    }

    fn search_path(&self) -> Vec<PathBuf> {
        let variable = self.around.variable.and_then(|variable| variable("PATH"));
        variable.map(|path| std::env::split_paths(&path).collect()).unwrap_or_default()
    }

    fn is_run(&self, path: &Path) -> bool {
        self.fs.stat(path).is_ok_and(|stat| stat.kind == Kind::File && stat.mode & 0o111 != 0)
    }
}

/// The program of a command, quoted or not.
pub(super) fn program(command: &str) -> String {
    let command = command.trim_start();
    match command.strip_prefix(['"', '\'']) {
        Some(quoted) => quoted.split(['"', '\'']).next().unwrap_or_default().to_owned(),
        None => command.split_whitespace().next().unwrap_or_default().to_owned(),
    }
}

/// The program that a file of ours names, where the text differs from `own`, which names `named`, in nothing else.
pub(super) fn other_program(own: &str, named: &str, standing: &str) -> Option<String> {
    own.match_indices(named).find_map(|(at, _)| {
        let (before, after) = (&own[..at], &own[at + named.len()..]);
        let other = standing.strip_prefix(before)?.strip_suffix(after)?;
        (!other.is_empty() && !other.contains('\n')).then(|| other.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_read_off_a_command_and_a_file() {
        for (command, named) in [
            ("policy-engine hook claude Stop", "policy-engine"),
            ("'/a b/policy-engine' hook claude Stop", "/a b/policy-engine"),
            ("", ""),
        ] {
            assert_eq!(program(command), named);
        }
        let own = "# by policy-engine\nexec policy-engine hook cline Stop\n";
        let other = own.replace("exec policy-engine", "exec /opt/policy-engine");
        assert_eq!(other_program(own, "policy-engine", &other).as_deref(), Some("/opt/policy-engine"));
        assert_eq!(other_program(own, "policy-engine", "exec true\n"), None);
    }
}

//! A workspace of one's own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::engine;

/// A workspace in a temporary folder, removed with this value unless its test failed.
pub struct Scratch {
    folder: Option<TempDir>,
    root: PathBuf,
}

impl Scratch {
    /// A workspace that holds these files: path and text.
    ///
    /// # Panics
    ///
    /// When a file cannot be written.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::Builder::new()
            .prefix("mentci-scratch-")
            .tempdir()
            .expect("the temporary folder can be written");
        let root = folder.path().canonicalize().expect("it stands").join("workspace");
        std::fs::create_dir(&root).expect("a new folder");
        let scratch = Self { folder: Some(folder), root };
        for (path, text) in files {
            scratch.write(path, text);
        }
        scratch
    }

    /// Its root, without symbolic links.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A path in it.
    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Writes a file, with the folders above it.
    ///
    /// # Panics
    ///
    /// When it cannot be written.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().expect("it lies in the root")).expect("a new folder");
        std::fs::write(path, text).expect("a new file");
    }

    /// The text of a file.
    ///
    /// # Panics
    ///
    /// When it cannot be read.
    pub fn read(&self, path: &str) -> String {
        let path = self.path(path);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The file or folder of this name where the workspace's state is kept.
    ///
    /// # Panics
    ///
    /// When there is none.
    pub fn kept(&self, name: &str) -> PathBuf {
        let workspaces = self.root.with_file_name("nobody").join("state/mentci/workspaces");
        let folders = std::fs::read_dir(&workspaces).expect("the state is there").flatten();
        let mut paths = folders.map(|folder| folder.path().join(name));
        paths.find(|path| path.exists()).unwrap_or_else(|| panic!("no `{name}` is kept"))
    }

    /// The engine in this workspace, with nobody's configuration and nobody's consent.
    pub fn engine(&self) -> Command {
        let mut command = Command::new(engine());
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("MENTCI_"))
        {
            command.env_remove(name);
        }
        let nobody = self.root.with_file_name("nobody");
        command.current_dir(&self.root).env("HOME", &nobody).env("TZ", "UTC");
        command.env("XDG_CONFIG_HOME", nobody.join("config")).env("XDG_STATE_HOME", nobody.join("state"));
        command
    }

    /// Runs the engine on this workspace, whatever comes of it.
    ///
    /// # Panics
    ///
    /// When it cannot be started.
    pub fn run(&self, args: &[&str]) -> Output {
        let mut command = self.engine();
        command.args(args).arg("--root").arg(&self.root).output().expect("the engine can be started")
    }

    /// Runs the engine, which must succeed. Its standard output.
    ///
    /// # Panics
    ///
    /// With what it said, when it fails.
    pub fn must(&self, args: &[&str]) -> String {
        let Output { status, stdout, stderr } = self.run(args);
        let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
        assert!(
            status.success(),
            "`policy-engine {}` ended with {status}\n{stdout}\n{stderr}",
            args.join(" ")
        );
        stdout.into_owned()
    }

    /// Runs the engine with `--json`, which must succeed. Its answer.
    ///
    /// # Panics
    ///
    /// With what it said, when it fails or says something else.
    pub fn json(&self, args: &[&str]) -> Value {
        let answer = self.must(&[args, &["--json"]].concat());
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}"))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if std::thread::panicking()
            && let Some(folder) = self.folder.take()
        {
            eprintln!("kept for a look: {}", folder.keep().display());
        }
    }
}

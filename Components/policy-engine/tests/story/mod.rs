//! A scratch workspace, and the binary run in it.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "each test file uses a part; a test may stop, and touch files"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// A folder with a workspace in it and a home of its own.
pub struct Story {
    folder: tempfile::TempDir,
}

/// What a run said.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Story {
    /// An empty workspace.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("tree/.git")).unwrap();
        fs::create_dir_all(folder.path().join("home")).unwrap();
        Self { folder }
    }

    /// A workspace with one skill, `rust`, that says one thing strongly and one mildly.
    pub fn with_law() -> Self {
        let story = Self::new();
        story.write(".pi/skills/rust/SKILL.md", LAW);
        story
    }

    pub fn root(&self) -> PathBuf {
        self.folder.path().join("tree")
    }

    pub fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).unwrap()
    }

    pub fn exists(&self, path: &str) -> bool {
        self.root().join(path).exists()
    }

    pub fn remove(&self, path: &str) {
        fs::remove_file(self.root().join(path)).unwrap();
    }

    /// Every published digest file with its bytes.
    pub fn digests(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut found = Vec::new();
        gather(&self.root().join(".pi"), &mut found);
        found.sort();
        found
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(binary());
        command.args(arguments).current_dir(self.root()).stdin(Stdio::null());
        let inherited = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        for name in inherited.filter(|name| name.starts_with("MENTCI_") || name.starts_with("XDG_")) {
            command.env_remove(name);
        }
        command.env("HOME", self.home());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(&self.command(arguments).output().unwrap(), self)
    }

    pub fn run_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Ran {
        let mut command = self.command(arguments);
        command.envs(variables.iter().copied());
        Ran::of(&command.output().unwrap(), self)
    }

    /// What a run that was started otherwise said.
    pub fn ran(&self, output: &Output) -> Ran {
        Ran::of(output, self)
    }

    pub fn start(&self, arguments: &[&str]) -> Child {
        let mut command = self.command(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// A lesson is taught; its id.
    pub fn teach(&self, condition: &str, resolution: &str, session: &str) -> String {
        let arguments =
            ["lessons", "add", "--skill", "rust", "--condition", condition, "--resolution", resolution];
        let ran = self.run(&[&arguments[..], &["--session", session, "--json"]].concat());
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        ran.json()["id"].as_str().unwrap().to_owned()
    }
}

impl Ran {
    fn of(output: &Output, story: &Story) -> Self {
        let root = fs::canonicalize(story.root()).unwrap();
        let text = |bytes: &[u8]| {
            let text = String::from_utf8(bytes.to_vec()).unwrap().replace(&*root.to_string_lossy(), "ROOT");
            text.replace(&*story.root().to_string_lossy(), "ROOT")
                .replace(&*story.home().to_string_lossy(), "HOME")
        };
        Self {
            code: output.status.code().unwrap_or(-1),
            out: text(&output.stdout),
            err: text(&output.stderr),
        }
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}{}", self.out, self.err))
    }

    /// Exit code, answer and findings, for snapshots; durations are rubbed out.
    pub fn shown(&self) -> String {
        let mut text = format!("exit {}\n{}", self.code, scrub(&self.out));
        if !self.err.is_empty() {
            text.push_str("--- findings\n");
            text.push_str(&self.err);
        }
        text
    }
}

pub const LAW: &str = "---\nname: rust\ndescription: How Rust is written here.\n---\n\n# Rust\n\n- Never call `unwrap` outside tests.\n- Prefer `thiserror` for error types.\n";

pub fn binary() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_policy-engine"))
}

/// Durations become `0.0 ms`.
fn scrub(text: &str) -> String {
    let line = |line: &str| match line.rsplit_once(", ") {
        Some((before, last)) if last.ends_with(" ms") || last.ends_with(" s") => {
            format!("{before}, 0.0 ms\n")
        }
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

fn gather(folder: &Path, found: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            gather(&path, found);
        } else if path.file_name().unwrap().to_string_lossy().starts_with("absolute_rules") {
            found.push((path.clone(), fs::read(&path).unwrap()));
        }
    }
}

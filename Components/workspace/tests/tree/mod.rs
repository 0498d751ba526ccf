//! A scratch workspace in this process.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "each test file uses a part; a test may stop, and touch files"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mentci_disk::{Fs, RealFs};
use mentci_host::{
    Answer, Ask, CompileAnswer, Counters, LessonRequest, Outcome, Request, Response, Teaching,
};
use mentci_workspace::{StoppedClock, Surroundings, Workspace};

pub const LAW: &str = "---\nname: rust\ndescription: Rust here.\n---\n\n# Rust\n\n- Never call `unwrap` outside tests.\n- Prefer `thiserror`.\n";

pub struct Tree {
    folder: tempfile::TempDir,
}

impl Tree {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("tree")).unwrap();
        Self { folder }
    }

    pub fn with_law() -> Self {
        let tree = Self::new();
        tree.write(".pi/skills/rust/SKILL.md", LAW);
        tree
    }

    /// As many skills, each with a norm of its own.
    pub fn with_skills(count: usize) -> Self {
        let tree = Self::new();
        for number in 0..count {
            tree.write(
                &format!(".pi/skills/skill-{number}/SKILL.md"),
                format!("# {number}\n\n- Never touch `part-{number}`.\n"),
            );
        }
        tree
    }

    pub fn root(&self) -> PathBuf {
        self.folder.path().join("tree")
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).unwrap_or_default()
    }

    pub fn remove(&self, path: &str) {
        fs::remove_file(self.root().join(path)).unwrap();
    }

    pub fn open(&self) -> Workspace {
        self.open_with(Arc::new(RealFs), "2026-11-21T00:00:00Z")
    }

    pub fn open_with(&self, fs: Arc<dyn Fs>, now: &str) -> Workspace {
        let around =
            Surroundings { state: Some(self.folder.path().join("state")), ..Surroundings::default() };
        Workspace::open(&self.root(), around, fs, Arc::new(StoppedClock(now.into())))
    }

    /// Every file below `.pi` but hidden ones, with its bytes.
    pub fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        gather(&self.root().join(".pi"), &mut found);
        found
    }
}

fn gather(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            gather(&path, found);
        } else if !entry.file_name().to_string_lossy().starts_with('.') {
            found.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
}

pub fn compile(workspace: &Workspace) -> Response {
    workspace.ask(Request::Compile { check: false, diff: false, explain: false, require_model: false })
}

pub fn compiled(workspace: &Workspace) -> CompileAnswer {
    let response = compile(workspace);
    assert_ne!(response.outcome, Outcome::Bad, "{:?}", response.findings);
    match response.answer {
        Answer::Compile(answer) => answer,
        other => panic!("{other:?}"),
    }
}

/// The work done between two looks.
pub fn since(before: Counters, after: Counters) -> Counters {
    Counters {
        read: after.read - before.read,
        hashed: after.hashed - before.hashed,
        skills: after.skills - before.skills,
        published: after.published - before.published,
    }
}

pub fn teach(workspace: &Workspace, condition: &str, resolution: &str) -> Response {
    workspace.ask(Request::Lessons(LessonRequest::Add(Teaching {
        skill: "rust".into(),
        condition: condition.into(),
        resolution: resolution.into(),
        session: Some("one".into()),
        ..Teaching::default()
    })))
}

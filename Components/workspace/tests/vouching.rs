//! What the user trusts may change while the rules are read: what is packed then says truly under which trust it was read.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and touch files")]

use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use mentci_authority::Effect;
use mentci_disk::{Entry, Fs, RealFs, Stamp, Stat, Twice, Wanted};
use mentci_host::policy::{Input, PolicyRequest};
use mentci_host::{Ask, Outcome, Request};
use mentci_workspace::{StoppedClock, Surroundings, Workspace};

const ASK: &str = "- id: ask\n  when: {tool: deploy}\n  then: approve\n";
const LOOSEN: &str = "- id: loosen\n  when: {tool: deploy}\n  then: allow\n  overrides: [a/ask]\n";
const LOOSENING: &str = ".pi/rules/b.yaml";

/// What happens while a file is read.
type Event = Box<dyn FnOnce() + Send>;

/// A file system on which something happens at the nth read of one file.
struct Meanwhile {
    path: PathBuf,
    left: Mutex<(usize, Option<Event>)>,
}

impl Meanwhile {
    fn read(&self, path: &Path) {
        if path != self.path {
            return;
        }
        let event = {
            let mut left = self.left.lock().unwrap();
            if left.0 > 0 {
                left.0 -= 1;
                None
            } else {
                left.1.take()
            }
        };
        if let Some(event) = event {
            event();
        }
    }
}

impl fmt::Debug for Meanwhile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Meanwhile").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Fs for Meanwhile {
    fn read_into(&self, path: &Path, limit: u64, buffer: &mut Vec<u8>) -> io::Result<Twice> {
        self.read(path);
        RealFs.read_into(path, limit, buffer)
    }
    fn read_head(&self, path: &Path, most: u64, buffer: &mut Vec<u8>) -> io::Result<()> {
        RealFs.read_head(path, most, buffer)
    }
    fn open(&self, path: &Path) -> io::Result<(u64, Box<dyn Read>)> {
        RealFs.open(path)
    }
    fn stat(&self, path: &Path) -> io::Result<Stat> {
        RealFs.stat(path)
    }
    fn lstat(&self, path: &Path) -> io::Result<Stat> {
        RealFs.lstat(path)
    }
    fn read_dir(&self, path: &Path, wanted: &mut Wanted<'_>) -> io::Result<Vec<Entry>> {
        RealFs.read_dir(path, wanted)
    }
    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        RealFs.canonicalize(path)
    }
    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        RealFs.read_link(path)
    }
    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        RealFs.create_dir_all(path)
    }
    fn write_new(&self, path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
        RealFs.write_new(path, bytes, mode)
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        RealFs.rename(from, to)
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        RealFs.remove(path)
    }
    fn sync(&self, path: &Path) -> io::Result<()> {
        RealFs.sync(path)
    }
    fn touch(&self, path: &Path) -> io::Result<Stamp> {
        RealFs.touch(path)
    }
}

fn place() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("tree/.pi/rules")).unwrap();
    fs::write(folder.path().join("tree/.pi/rules/a.yaml"), ASK).unwrap();
    fs::write(folder.path().join("tree").join(LOOSENING), LOOSEN).unwrap();
    folder
}

fn open(folder: &Path, fs: Arc<dyn Fs>) -> Arc<Workspace> {
    let around = Surroundings {
        state: Some(folder.join("state")),
        flags: vec!["policy.packs=core".to_owned()],
        ..Surroundings::default()
    };
    let clock = Arc::new(StoppedClock("2026-11-21T00:00:00Z".to_owned()));
    Arc::new(Workspace::open(&folder.join("tree"), around, fs, clock))
}

fn trust(folder: &Path, revoke: bool) {
    let told = open(folder, Arc::new(RealFs)).ask(Request::Trust { revoke });
    assert_eq!(told.outcome, Outcome::Ok, "{:?}", told.findings);
}

/// What a process that starts now decides.
fn decided(folder: &Path) -> Effect {
    let text = r#"{"event":"pre_tool_call","session":"s","tool":{"name":"deploy","args":{}}}"#;
    let event = Input::Text { name: "event".to_owned(), text: text.to_owned() };
    let look = PolicyRequest::Decide {
        rules: Vec::new(),
        lenient: false,
        event,
        dry_run: true,
        beside: None,
        dated: true,
    };
    let response = open(folder, Arc::new(RealFs)).ask(Request::Policy(look));
    response.verdict().unwrap_or_else(|| panic!("{:?}", response.findings)).decision
}

#[test]
fn trust_that_changes_while_the_rules_are_read_holds_from_then_on() {
    for (revoke, expected) in [(true, Effect::Approve), (false, Effect::Allow)] {
        let mut happened = 0;
        for nth in 0..3 {
            let folder = place();
            let root = folder.path().canonicalize().unwrap();
            // As it stands before: the other way round.
            trust(&root, !revoke);
            let fs = Arc::new(Meanwhile { path: root.join("tree").join(LOOSENING), left: Mutex::default() });
            let daemon = open(&root, fs.clone());
            let (keeper, place) = (daemon.clone(), root.clone());
            let event: Event = Box::new(move || {
                trust(&place, revoke);
                // The watcher beside looks at the settings.
                let _ = keeper.ask(Request::Config);
            });
            *fs.left.lock().unwrap() = (nth, Some(event));
            daemon.keep_rules();
            if fs.left.lock().unwrap().1.is_none() {
                happened += 1;
                assert_eq!(decided(&root), expected, "revoke {revoke}, at read {nth}");
                daemon.keep_rules();
                assert_eq!(decided(&root), expected, "revoke {revoke}, at read {nth}");
            }
        }
        assert!(happened >= 1, "the file is read {happened} times");
    }
}

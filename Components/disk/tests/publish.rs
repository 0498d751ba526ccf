//! Files that belong together, published and edited, with a disk that fails and processes that die.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests make files and start processes")]

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use insta::assert_snapshot;
use mentci_disk::{
    Durability, Edit, EditError, FaultyFs, Fs, Plan, RealFs, Sidecar, WriteOptions, clean_temporary,
    edit_locked, edit_many_locked, find_root, publish,
};

const DIGEST: [&str; 3] = ["d/rules.lock", "d/rules.map.json", "d/rules.md"];

struct Tree(tempfile::TempDir);

impl Tree {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn root(&self) -> &Path {
        self.0.path()
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        fs::create_dir_all(self.path(path).parent().unwrap()).unwrap();
        fs::write(self.path(path), text).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|_| "-".into())
    }

    /// Publishes the digest's three files with one text.
    fn publish(&self, fs: &dyn Fs, text: &str) -> Result<Vec<String>, String> {
        let lock = Sidecar::publishing(self.root()).lock(&RealFs).unwrap();
        let files = DIGEST.map(|path| (path, text.as_bytes()));
        let published = publish(fs, &lock, &files, WriteOptions::default());
        published.map(|published| published.written).map_err(|error| error.to_string())
    }

    fn digest(&self) -> [String; 3] {
        DIGEST.map(|path| self.read(path))
    }

    fn names(&self, directory: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(directory)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

#[test]
fn only_moved_bytes_are_written() {
    let tree = Tree::new();
    assert_eq!(tree.publish(&RealFs, "1").unwrap(), DIGEST);
    let inode = fs::metadata(tree.path("d/rules.md")).unwrap().ino();
    assert_eq!(tree.publish(&RealFs, "1").unwrap(), [""; 0]);
    assert_eq!(fs::metadata(tree.path("d/rules.md")).unwrap().ino(), inode);
    tree.write("d/rules.map.json", "other");
    assert_eq!(tree.publish(&RealFs, "1").unwrap(), ["d/rules.map.json"]);
    assert_eq!(tree.names("d"), ["rules.lock", "rules.map.json", "rules.md"]);
    assert_eq!(tree.read(".mentci/.gitignore"), "*\n");
}

#[test]
fn a_mode_is_kept_and_a_link_is_written_through() {
    let tree = Tree::new();
    tree.write("shared/rules.md", "0");
    tree.write("d/rules.lock", "0");
    fs::set_permissions(tree.path("d/rules.lock"), fs::Permissions::from_mode(0o600)).unwrap();
    symlink("../shared/rules.md", tree.path("d/rules.md")).unwrap();
    tree.publish(&RealFs, "1").unwrap();
    assert!(fs::symlink_metadata(tree.path("d/rules.md")).unwrap().is_symlink());
    assert_eq!(tree.read("shared/rules.md"), "1");
    let mode = |path: &str| fs::metadata(tree.path(path)).unwrap().mode() & 0o777;
    assert_eq!((mode("d/rules.lock"), mode("d/rules.map.json")), (0o600, 0o644));
}

#[test]
fn no_lock_is_taken_in_a_folder_that_a_link_puts_elsewhere() {
    let (outside, tree) = (Tree::new(), Tree::new());
    symlink(outside.root(), tree.path(".mentci")).unwrap();
    let root = format!("{}", tree.root().display());
    let refused = Sidecar::publishing(tree.root()).lock(&RealFs).unwrap_err().to_string();
    let watched = Sidecar::watching(tree.root()).try_lock(&RealFs).unwrap_err().to_string();
    assert_snapshot!(format!("{refused}\n{watched}").replace(&root, "<root>"), @"
    cannot lock `.mentci/publish.lock`: a link on its path leaves the workspace
    cannot lock `.mentci/watch.lock`: a link on its path leaves the workspace
    ");
    assert_eq!(outside.names(""), [""; 0]);
    fs::remove_file(tree.path(".mentci")).unwrap();
    fs::create_dir(tree.path("state")).unwrap();
    symlink("state", tree.path(".mentci")).unwrap();
    tree.publish(&RealFs, "1").unwrap();
    assert_eq!(tree.names("state"), ["publish.lock"]);
}

#[test]
fn paths_and_links_that_leave_the_workspace_are_refused() {
    let (outside, tree) = (Tree::new(), Tree::new());
    outside.write("rules.md", "theirs");
    fs::create_dir(tree.path("d")).unwrap();
    symlink(outside.path("rules.md"), tree.path("d/link.md")).unwrap();
    symlink(outside.root(), tree.path("out")).unwrap();
    symlink(outside.path("new.md"), tree.path("dangling.md")).unwrap();
    fs::create_dir(tree.path("directory.md")).unwrap();
    let lock = Sidecar::publishing(tree.root()).lock(&RealFs).unwrap();
    let paths = [
        "../rules.md",
        "/etc/rules.md",
        "",
        "d/../../rules.md",
        "d/link.md",
        "out/rules.md",
        "out/deep/new.md",
        "dangling.md",
        "directory.md",
    ];
    let errors = paths.map(|path| {
        publish(&RealFs, &lock, &[(path, b"ours")], WriteOptions::default()).unwrap_err().to_string()
    });
    let root = format!("{}", tree.root().display());
    assert_snapshot!(errors.join("\n").replace(&root, "<root>"), @"
    cannot write `../rules.md`: it is not a path inside the workspace
    cannot write `/etc/rules.md`: it is not a path inside the workspace
    cannot write ``: it is not a path inside the workspace
    cannot write `d/../../rules.md`: it is not a path inside the workspace
    cannot write `d/link.md`: a link on its path leaves the workspace
    cannot write `out/rules.md`: a link on its path leaves the workspace
    cannot write `out/deep/new.md`: a link on its path leaves the workspace
    cannot write `dangling.md`: it is a link that leads nowhere
    cannot write `directory.md`: it is not a regular file
    ");
    assert_eq!(outside.names(""), ["rules.md"]);
    assert_eq!(outside.read("rules.md"), "theirs");
}

#[test]
fn a_full_disk_loses_nothing() {
    for call in 1..20 {
        let tree = Tree::new();
        tree.publish(&RealFs, "old").unwrap();
        let fs = FaultyFs::new(Plan::FailFrom(call, io::ErrorKind::StorageFull));
        let Err(error) = tree.publish(&fs, "new") else { break };
        assert!(error.ends_with("the disk is full"), "{error}");
        let digest = tree.digest();
        assert!(digest.iter().all(|text| text == "old" || text == "new"), "call {call}: {digest:?}");
        assert_eq!(digest[2], "old", "the commit point is last");
        tree.publish(&RealFs, "new").unwrap();
        assert_eq!(tree.digest(), ["new"; 3]);
        assert_eq!(tree.names("d"), ["rules.lock", "rules.map.json", "rules.md"]);
    }
}

#[test]
fn one_failing_write_leaves_nothing_beside() {
    let tree = Tree::new();
    tree.publish(&RealFs, "old").unwrap();
    let fs = FaultyFs::new(Plan::Fail(4, io::ErrorKind::StorageFull));
    tree.publish(&fs, "new").unwrap_err();
    assert_eq!(tree.digest(), ["old"; 3]);
    assert_eq!(tree.names("d"), ["rules.lock", "rules.map.json", "rules.md"]);
}

#[test]
fn a_publish_that_dies_between_any_two_steps_is_repaired_by_the_next() {
    let count = FaultyFs::new(Plan::None);
    let tree = Tree::new();
    tree.publish(&RealFs, "old").unwrap();
    tree.publish(&count, "new").unwrap();
    assert_eq!(count.calls().iter().filter(|call| **call == "rename").count(), 3);
    for call in 1..=count.calls().len() {
        let tree = Tree::new();
        tree.publish(&RealFs, "old").unwrap();
        tree.publish(&FaultyFs::new(Plan::Crash(call)), "new").unwrap_err();
        let digest = tree.digest();
        let order: Vec<bool> = digest.iter().map(|text| text == "old").collect();
        assert!(order.is_sorted(), "call {call}: {digest:?}");
        assert!(digest.iter().all(|text| text == "old" || text == "new"), "call {call}: {digest:?}");
        tree.publish(&RealFs, "new").unwrap();
        assert_eq!(tree.digest(), ["new"; 3]);
        assert_eq!(tree.names("d"), ["rules.lock", "rules.map.json", "rules.md"]);
    }
}

#[test]
fn what_a_killed_writer_left_is_cleaned() {
    let tree = Tree::new();
    tree.publish(&RealFs, "1").unwrap();
    tree.write("d/.rules.md.mentci-tmp", "half");
    let lock = Sidecar::publishing(tree.root()).lock(&RealFs).unwrap();
    assert_eq!(clean_temporary(&RealFs, &lock, &DIGEST), 1);
    assert_eq!(clean_temporary(&RealFs, &lock, &DIGEST), 0);
    // A planted link is replaced, not written through.
    tree.write("precious", "keep");
    symlink("../precious", tree.path("d/.rules.md.mentci-tmp")).unwrap();
    drop(lock);
    tree.publish(&RealFs, "2").unwrap();
    assert_eq!((tree.read("precious"), tree.read("d/rules.md")), ("keep".into(), "2".into()));
}

fn append(line: &str) -> impl FnOnce(Option<&[u8]>) -> Result<Edit, String> + use<> {
    let line = line.to_owned();
    move |before| {
        let mut bytes = before.unwrap_or_default().to_vec();
        bytes.extend(line.bytes().chain([b'\n']));
        Ok(Edit::Replace(bytes))
    }
}

#[test]
fn an_edit_says_what_it_did() {
    let tree = Tree::new();
    let sidecar = Sidecar::editing(tree.root());
    let edit = |change: fn(Option<&[u8]>) -> Result<Edit, String>| {
        edit_locked(&RealFs, &sidecar, "a.edn", WriteOptions::LASTING, change)
    };
    assert!(!edit(|_| Ok(Edit::Keep)).unwrap());
    assert!(!tree.path("a.edn").exists());
    assert!(
        edit(|before| {
            assert_eq!(before, None);
            Ok(Edit::Replace(b"1".to_vec()))
        })
        .unwrap()
    );
    assert!(!edit(|_| Ok(Edit::Replace(b"1".to_vec()))).unwrap(), "the same bytes");
    let refused = edit(|_| Err("this file is damaged".into())).unwrap_err();
    assert!(matches!(&refused, EditError::Refused(why) if why == "this file is damaged"));
    assert_eq!(refused.to_string(), "this file is damaged");
    assert_eq!(tree.read("a.edn"), "1");
}

#[test]
fn private_state_is_for_the_user_alone() {
    let tree = Tree::new();
    let sidecar = Sidecar::at(tree.root(), "accepted.lock");
    edit_locked(&RealFs, &sidecar, "accepted.json", WriteOptions::PRIVATE, append("{}")).unwrap();
    assert_eq!(fs::metadata(tree.path("accepted.json")).unwrap().mode() & 0o777, 0o600);
    assert!(!tree.path(".gitignore").exists());
}

/// Moves one line from `runtime` to `promoted`, new place first.
fn promote(fs: &dyn Fs, root: &Path) -> Result<usize, EditError<String>> {
    let paths = ["runtime.edn", "promoted.edn"];
    edit_many_locked(fs, &Sidecar::editing(root), &paths, WriteOptions::LASTING, |bytes| {
        let runtime = bytes[0].clone().unwrap_or_default();
        let mut promoted = bytes[1].clone().unwrap_or_default();
        promoted.extend(&runtime);
        Ok(vec![(1, Edit::Replace(promoted)), (0, Edit::Replace(b"[]".to_vec())), (9, Edit::Keep)])
    })
}

#[test]
fn a_moved_entry_is_never_in_neither_file() {
    let count = FaultyFs::new(Plan::None);
    let tree = Tree::new();
    tree.write("runtime.edn", "lesson");
    assert_eq!(promote(&count, tree.root()).unwrap(), 2);
    assert_eq!((tree.read("runtime.edn"), tree.read("promoted.edn")), ("[]".into(), "lesson".into()));
    // The folder of a file that stands is there.
    let order = ["create_dir_all", "write_new", "sync", "write_new", "sync"];
    assert_eq!(count.calls()[2..], [order.as_slice(), &["rename", "sync", "rename", "sync"]].concat());
    for call in 1..=count.calls().len() {
        let tree = Tree::new();
        tree.write("runtime.edn", "lesson");
        let _ = promote(&FaultyFs::new(Plan::Crash(call)), tree.root());
        let (runtime, promoted) = (tree.read("runtime.edn"), tree.read("promoted.edn"));
        assert!(runtime == "lesson" || promoted == "lesson", "call {call}: {runtime} {promoted}");
        assert!(["lesson", "[]"].contains(&runtime.as_str()), "call {call}: {runtime}");
    }
}

/// This test binary again, in a process of its own, as the ignored test of this name.
fn child(test: &str, root: &Path, name: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([test, "--exact", "--ignored", "--quiet"])
        .env("DISK_TEST_ROOT", root)
        .env("DISK_TEST_NAME", name)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap()
}

fn child_arguments() -> (PathBuf, String) {
    (std::env::var_os("DISK_TEST_ROOT").unwrap().into(), std::env::var("DISK_TEST_NAME").unwrap())
}

#[test]
#[ignore = "started by `sixteen_processes_lose_nothing` and `a_killed_writer_loses_nothing`"]
fn child_appends() {
    let Some(_) = std::env::var_os("DISK_TEST_ROOT") else { return };
    let (root, name) = child_arguments();
    let many = if name == "endless" { usize::MAX } else { 25 };
    for entry in 0..many {
        let change = append(&format!("{name}-{entry}"));
        edit_locked(&RealFs, &Sidecar::editing(&root), "runtime.edn", WriteOptions::LASTING, change).unwrap();
    }
}

#[test]
fn sixteen_processes_lose_nothing() {
    let tree = Tree::new();
    let children: Vec<Child> =
        (0..16).map(|number| child("child_appends", tree.root(), &number.to_string())).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let text = tree.read("runtime.edn");
    let lines: std::collections::BTreeSet<&str> = text.lines().collect();
    assert_eq!((lines.len(), text.lines().count()), (400, 400));
}

#[test]
fn a_killed_writer_loses_nothing() {
    let tree = Tree::new();
    let mut before = 0;
    for round in 0..8 {
        let mut child = child("child_appends", tree.root(), "endless");
        std::thread::sleep(std::time::Duration::from_millis(30 + round * 7));
        child.kill().unwrap();
        child.wait().unwrap();
        let text = tree.read("runtime.edn");
        let lines = if text == "-" { 0 } else { text.lines().count() };
        assert!(lines >= before, "{lines} after {before}");
        assert!(text == "-" || text.lines().all(|line| line.starts_with("endless-")) && text.ends_with('\n'));
        before = lines;
    }
    edit_locked(
        &RealFs,
        &Sidecar::editing(tree.root()),
        "runtime.edn",
        WriteOptions::LASTING,
        append("last"),
    )
    .unwrap();
    assert_eq!(tree.read("runtime.edn").lines().count(), before + 1);
    assert!(tree.names("").iter().all(|name| !name.ends_with("tmp")));
}

#[test]
fn one_of_two_watchers_is_elected() {
    let tree = Tree::new();
    let sidecar = Sidecar::watching(tree.root());
    let first = sidecar.try_lock(&RealFs).unwrap().expect("nobody holds it");
    assert!(sidecar.try_lock(&RealFs).unwrap().is_none());
    drop(first);
    assert!(sidecar.try_lock(&RealFs).unwrap().is_some());
}

#[test]
fn a_lock_whose_directory_was_deleted_is_made_again() {
    let tree = Tree::new();
    let sidecar = Sidecar::watching(tree.root());
    let old = sidecar.try_lock(&RealFs).unwrap().unwrap();
    fs::remove_dir_all(tree.path(".mentci")).unwrap();
    let new = sidecar.try_lock(&RealFs).unwrap();
    assert!(new.is_some());
    drop(old);
    assert!(sidecar.try_lock(&RealFs).unwrap().is_none(), "the new one is still held");
}

#[test]
fn a_root_is_the_nearest_directory_with_a_marker() {
    let tree = Tree::new();
    tree.write("outer/.git/HEAD", "");
    tree.write("outer/inner/mentci.toml", "");
    tree.write("outer/inner/src/deep/x.rs", "");
    let find = |start: &str| find_root(&RealFs, &tree.path(start), &["mentci.toml", ".pi", ".git"]);
    assert_eq!(find("outer/inner/src/deep"), Some(tree.path("outer/inner")));
    assert_eq!(find("outer"), Some(tree.path("outer")));
    assert_eq!(find_root(&RealFs, Path::new("/"), &["no-such-marker"]), None);
}

#[test]
fn publishing_can_last() {
    let tree = Tree::new();
    let lock = Sidecar::publishing(tree.root()).lock(&RealFs).unwrap();
    let fs = FaultyFs::new(Plan::None);
    let options = WriteOptions { durability: Durability::Fsync, ..WriteOptions::default() };
    publish(&fs, &lock, &[("a", b"1")], options).unwrap();
    assert_eq!(fs.calls(), ["create_dir_all", "write_new", "sync", "rename", "sync"]);
}

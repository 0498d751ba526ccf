//! What moved since the last time.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests make the files that are hashed")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use insta::assert_snapshot;
use mentci_disk::{
    Checked, Counters, Entry, Found, Fs, HashIndex, Keep, RealFs, SourcePattern, Stamp, Stat, Twice, Wanted,
    discover, read_optional, read_source,
};
use mentci_source::{Code, Hash};

struct Tree {
    directory: tempfile::TempDir,
    patterns: Vec<SourcePattern>,
}

impl Tree {
    /// Files that were written long ago.
    fn settled(files: &[(&str, &str)]) -> Self {
        let tree =
            Self { directory: tempfile::tempdir().unwrap(), patterns: vec!["**/*.md".parse().unwrap()] };
        fs::create_dir(tree.root().join(".mentci")).unwrap();
        for (path, text) in files {
            tree.write(path, text);
        }
        std::thread::sleep(Duration::from_millis(60));
        tree
    }

    fn root(&self) -> &Path {
        self.directory.path()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn found(&self) -> Vec<Found> {
        discover(&RealFs, self.root(), &self.patterns).value.found
    }

    fn check(&self, index: &mut HashIndex) -> String {
        let reading = index.check(&RealFs, self.root(), &self.found(), Keep::Bytes);
        assert!(reading.findings.is_empty(), "{:?}", reading.findings);
        show(&reading.value)
    }

    fn refresh(&self, index: &mut HashIndex, paths: &[&str]) -> String {
        let paths: Vec<Arc<str>> = paths.iter().map(|&path| path.into()).collect();
        show(&index.refresh(&RealFs, self.root(), &self.patterns, &paths, Keep::Bytes).value)
    }
}

fn show(checked: &Checked) -> String {
    let changed = checked.changed.iter().map(|file| format!("+{}", file.path));
    let removed = checked.removed.iter().map(|path| format!("-{path}"));
    let words: Vec<String> = changed.chain(removed).chain([format!("={}", checked.unchanged)]).collect();
    words.join(" ")
}

#[test]
fn an_unchanged_tree_reads_nothing() {
    let tree = Tree::settled(&[("a.md", "1"), ("b/c.md", "2"), ("b.md", "3")]);
    let mut index = HashIndex::new();
    assert_eq!(tree.check(&mut index), "+a.md +b.md +b/c.md =0");
    assert_eq!(tree.check(&mut index), "=3");
    assert_eq!(index.counters(), Counters { stats: 6, reads: 3, hashes: 3 });
    assert_eq!(index.hash("b/c.md"), Some(Hash::of_bytes(b"2")));
}

#[test]
fn a_touched_file_is_read_and_not_told() {
    let tree = Tree::settled(&[("a.md", "1")]);
    let mut index = HashIndex::new();
    tree.check(&mut index);
    fs::File::open(tree.root().join("a.md")).unwrap().set_modified(SystemTime::now()).unwrap();
    assert_eq!(tree.check(&mut index), "=1");
    assert_eq!(index.counters().reads, 2);
}

#[test]
fn a_file_written_in_the_same_tick_is_read_again() {
    let tree = Tree::settled(&[]);
    let mut index = HashIndex::new();
    for round in 0..200 {
        tree.write("a.md", &format!("{round:03}"));
        assert_eq!(tree.check(&mut index), "+a.md =0", "round {round}");
    }
}

#[test]
fn a_clock_that_went_back_hides_nothing() {
    let tree = Tree::settled(&[("a.md", "1")]);
    let future = SystemTime::now() + Duration::from_hours(1);
    let file = tree.root().join("a.md");
    fs::File::open(&file).unwrap().set_modified(future).unwrap();
    let mut index = HashIndex::new();
    tree.check(&mut index);
    fs::write(&file, "2").unwrap();
    fs::File::open(&file).unwrap().set_modified(future).unwrap();
    assert_eq!(tree.check(&mut index), "+a.md =0");
}

#[test]
fn a_part_is_refreshed_alone() {
    let tree = Tree::settled(&[("a.md", "1"), ("b/c.md", "2"), ("b/d.md", "3"), ("b-x.md", "4")]);
    let mut index = HashIndex::new();
    tree.check(&mut index);
    assert_eq!(tree.refresh(&mut index, &["b"]), "=2");
    tree.write("b/e.md", "5");
    fs::remove_file(tree.root().join("b/c.md")).unwrap();
    tree.write("a.md", "9");
    assert_eq!(tree.refresh(&mut index, &["b", "b/e.md"]), "+b/e.md -b/c.md =1");
    assert_eq!(tree.refresh(&mut index, &["a.md", "none.md", "b/x.txt"]), "+a.md =0");
    fs::remove_dir_all(tree.root().join("b")).unwrap();
    assert_eq!(tree.refresh(&mut index, &["b"]), "-b/d.md -b/e.md =0");
    assert_eq!(tree.check(&mut index), "=2");
    let many: Vec<String> = (0..1000).map(|number| format!("x/{number}.md")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(tree.refresh(&mut index, &many), "=2", "one walk of everything");
}

#[test]
fn the_index_is_kept() {
    let tree = Tree::settled(&[("a.md", "1"), ("b.md", "2")]);
    let mut index = HashIndex::load(&RealFs, tree.root()).value;
    tree.check(&mut index);
    index.save(&RealFs, tree.root()).unwrap();
    let reading = HashIndex::load(&RealFs, tree.root());
    assert!(reading.findings.is_empty());
    let mut again = reading.value;
    assert_eq!(tree.check(&mut again), "=2");
    assert_eq!(again.counters().reads, 0);
    let written = fs::metadata(tree.root().join(".mentci/index")).unwrap().modified().unwrap();
    again.save(&RealFs, tree.root()).unwrap();
    assert_eq!(fs::metadata(tree.root().join(".mentci/index")).unwrap().modified().unwrap(), written);
}

#[test]
fn a_damaged_index_is_built_anew() {
    let tree = Tree::settled(&[("a.md", "1")]);
    let mut index = HashIndex::new();
    tree.check(&mut index);
    index.save(&RealFs, tree.root()).unwrap();
    let file = tree.root().join(".mentci/index");
    let whole = fs::read(&file).unwrap();
    for length in 0..whole.len() {
        fs::write(&file, &whole[..length]).unwrap();
        let reading = HashIndex::load(&RealFs, tree.root());
        assert_eq!(reading.findings[0].code, Code::INDEX_REBUILT, "cut at {length}");
        assert_eq!(reading.value.paths().count(), 0);
    }
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x40;
        fs::write(&file, &bytes).unwrap();
        assert_eq!(HashIndex::load(&RealFs, tree.root()).findings.len(), 1, "flipped at {at}");
    }
    fs::write(&file, "mentci-index 99\nwhat comes after is not ours to read").unwrap();
    let newer = HashIndex::load(&RealFs, tree.root());
    assert_snapshot!(newer.findings[0], @".mentci/index: note[E0809]: the index is of another version and is built anew");
    index = newer.value;
    assert_eq!(tree.check(&mut index), "+a.md =0");
    index.save(&RealFs, tree.root()).unwrap();
    assert!(HashIndex::load(&RealFs, tree.root()).findings.is_empty());
}

/// Writes to a file each time it is read, for the first `times` times.
#[derive(Debug)]
struct Restless {
    times: std::sync::atomic::AtomicU32,
}

impl Fs for Restless {
    fn read_head(&self, path: &Path, most: u64, buffer: &mut Vec<u8>) -> io::Result<()> {
        RealFs.read_head(path, most, buffer)
    }

    fn read_into(&self, path: &Path, limit: u64, buffer: &mut Vec<u8>) -> io::Result<Twice> {
        let mut twice = RealFs.read_into(path, limit, buffer)?;
        let left = self.times.load(std::sync::atomic::Ordering::Relaxed);
        if left > 0 {
            self.times.store(left - 1, std::sync::atomic::Ordering::Relaxed);
            twice.after.mtime_ns += 1;
        }
        Ok(twice)
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

#[test]
fn a_file_that_changes_while_it_is_read_is_read_again() {
    let tree = Tree::settled(&[("a.md", "1")]);
    let found = &tree.found()[0];
    let restless = |times: u32| Restless { times: times.into() };
    let once = read_source(&restless(1), tree.root(), found);
    assert_eq!(once.value.unwrap().bytes, b"1");
    assert_snapshot!(once.findings[0], @"
    a.md: note[E0008]: this file changed while it was read
      help: it was read again
    ");
    let never = read_source(&restless(99), tree.root(), found);
    assert_eq!(never.value, None);
    assert_snapshot!(never.findings[0], @"
    a.md: error[E0005]: this file keeps changing while it is read
      help: it is read again as soon as it is left alone
    ");
}

#[test]
fn a_file_that_goes_before_it_is_read_is_removed() {
    let tree = Tree::settled(&[("a.md", "1")]);
    let mut index = HashIndex::new();
    tree.check(&mut index);
    tree.write("a.md", "2");
    let found = tree.found();
    fs::remove_file(tree.root().join("a.md")).unwrap();
    let reading = index.check(&RealFs, tree.root(), &found, Keep::Bytes);
    assert_eq!(show(&reading.value), "-a.md =0");
    assert_snapshot!(reading.findings[0], @"
    a.md: error[E0005]: this file could not be read: it does not exist
      help: what was last read from it stays in force until it can be read again
    ");
}

#[test]
fn what_is_missing_is_none_and_what_is_odd_is_an_error() {
    let tree = Tree::settled(&[("a.md", "1")]);
    let read = |path: &str| read_optional(&RealFs, &tree.root().join(path));
    assert_eq!(read("a.md").unwrap().unwrap(), b"1");
    assert_eq!(read("b.md").unwrap(), None);
    assert_eq!(read("a.md/b.md").unwrap(), None);
    let error = read("").unwrap_err().to_string();
    assert!(error.ends_with("it is not a regular file"), "{error}");
}

//! Real saves in a real tree, as editors, git and scripts make them.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests write the files that are watched")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mentci_disk::{
    Change, Counters, HashIndex, Keep, PollMode, RealFs, Signal, SourcePattern, Watch, WatchOptions,
    WatchSpec, discover,
};
use mentci_source::Code;

const SKILLS: &str = ".pi/skills/*/SKILL.md";
/// A quiet time that no busy machine reaches between two notifications of one burst.
const LONG_QUIET: WatchOptions = WatchOptions {
    poll: PollMode::WhenNeeded,
    poll_every: Duration::from_millis(500),
    quiet: Duration::from_millis(700),
};

/// A workspace with some skills, under watch.
struct Test {
    directory: tempfile::TempDir,
    watch: Watch,
    /// After so long without a change nothing more is to come.
    settled: Duration,
}

impl Test {
    fn new(skills: &[&str]) -> Self {
        Self::with(skills, &[SKILLS], &[], WatchOptions::default())
    }

    fn with(skills: &[&str], patterns: &[&str], files: &[&str], options: WatchOptions) -> Self {
        let directory = tempfile::tempdir().unwrap();
        for skill in skills {
            write(directory.path(), &format!(".pi/skills/{skill}/SKILL.md"), "Never unwrap.");
        }
        Self::over(directory, spec(patterns, files), options)
    }

    /// A watch over what stands in `directory`.
    fn over(directory: tempfile::TempDir, spec: WatchSpec, options: WatchOptions) -> Self {
        let watch = Watch::new(directory.path(), spec, options);
        Self { directory, watch, settled: options.quiet + Duration::from_millis(300) }
    }

    fn root(&self) -> &Path {
        self.directory.path()
    }

    fn write(&self, path: &str, text: &str) {
        write(self.root(), path, text);
    }

    fn path(&self, path: &str) -> std::path::PathBuf {
        self.root().join(path)
    }

    /// The next change; it must come.
    fn change(&mut self) -> Change {
        match self.watch.next(Duration::from_secs(10)) {
            Signal::Changed(change) => change,
            other => panic!("expected a change, got {other:?}"),
        }
    }

    /// The paths of the next change.
    fn paths(&mut self) -> Vec<String> {
        self.change().paths.iter().map(ToString::to_string).collect()
    }

    /// Everything that is told until nothing is told for a while.
    fn all(&mut self) -> (BTreeSet<Arc<str>>, usize, bool) {
        let (mut paths, mut changes, mut rescan) = (BTreeSet::new(), 0, false);
        let mut wait = Duration::from_secs(5);
        while let Signal::Changed(change) = self.watch.next(wait) {
            paths.extend(change.paths);
            rescan |= change.rescan;
            changes += 1;
            wait = self.settled;
        }
        (paths, changes, rescan)
    }

    fn quiet(&mut self) {
        let signal = self.watch.next(Duration::from_millis(200));
        assert_eq!(signal, Signal::Quiet);
    }
}

fn spec(patterns: &[&str], files: &[&str]) -> WatchSpec {
    WatchSpec {
        patterns: patterns.iter().map(|text| text.parse().unwrap()).collect(),
        files: files.iter().map(|&file| file.into()).collect(),
    }
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn a_save_is_told_at_once_and_once() {
    let mut test = Test::with(&["rust", "nix"], &[SKILLS], &[], LONG_QUIET);
    let mut waits = Vec::new();
    for round in 0..21 {
        let start = Instant::now();
        test.write(".pi/skills/rust/SKILL.md", &format!("Never unwrap, {round}."));
        assert_eq!(test.paths(), [".pi/skills/rust/SKILL.md"]);
        waits.push(start.elapsed());
        std::thread::sleep(Duration::from_millis(2));
    }
    waits.sort();
    assert!(waits[10] < LONG_QUIET.quiet, "a single save waits for no quiet: median {:?}", waits[10]);
    test.quiet();
}

#[test]
fn a_save_is_known_before_it_is_told() {
    let mut test = Test::new(&["a"]);
    test.quiet();
    let handle = test.watch.stop_handle();
    assert!(!handle.has_news());
    test.write(".pi/skills/a/SKILL.md", "Always unwrap.");
    let started = Instant::now();
    while !handle.has_news() {
        assert!(started.elapsed() < Duration::from_secs(10), "the save was missed");
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(test.paths(), [".pi/skills/a/SKILL.md"]);
    assert!(!handle.has_news());
}

#[test]
fn reading_and_files_beside_are_not_told() {
    let mut test = Test::new(&["rust"]);
    fs::read(test.path(".pi/skills/rust/SKILL.md")).unwrap();
    test.write(".pi/skills/rust/absolute_rules.md", "1 rule");
    test.write(".pi/skills/rust/.SKILL.md.mentci-tmp", "half");
    test.write("src/main.rs", "fn main() {}");
    test.write(".mentci/index", "");
    test.quiet();
}

/// The system shows of each watch what it tells of.
#[cfg(target_os = "linux")]
#[test]
fn the_system_is_not_asked_who_opens_a_file() {
    const OPENED_OR_READ: u32 = 0x20 | 0x01 | 0x10;
    let test = Test::new(&["rust"]);
    let own = fs::metadata(test.path(".pi/skills/rust")).unwrap();
    let inode = format!("{:x}", std::os::unix::fs::MetadataExt::ino(&own));
    let told = fs::read_dir("/proc/self/fdinfo").unwrap().flatten();
    let told = told.filter_map(|entry| fs::read_to_string(entry.path()).ok()).collect::<String>();
    let field = |line: &str, name: &str| {
        line.split(' ').find_map(|field| field.strip_prefix(name).map(str::to_owned)).unwrap_or_default()
    };
    let watches = told.lines().filter(|line| line.starts_with("inotify ") && field(line, "ino:") == inode);
    let masks: Vec<u32> =
        watches.map(|line| u32::from_str_radix(&field(line, "mask:"), 16).unwrap()).collect();
    assert_eq!(masks.len(), 1, "{told}");
    assert_eq!(masks[0] & OPENED_OR_READ, 0, "{:x}", masks[0]);
}

#[test]
fn an_editor_that_renames_over_is_told_once() {
    let mut test = Test::new(&["rust"]);
    test.write(".pi/skills/rust/.SKILL.md.swp", "Always unwrap.");
    fs::rename(test.path(".pi/skills/rust/.SKILL.md.swp"), test.path(".pi/skills/rust/SKILL.md")).unwrap();
    assert_eq!(test.paths(), [".pi/skills/rust/SKILL.md"]);
    test.quiet();
}

#[test]
fn an_editor_that_keeps_a_backup_never_shows_the_file_gone() {
    let mut test = Test::new(&["rust"]);
    let file = test.path(".pi/skills/rust/SKILL.md");
    fs::rename(&file, test.path(".pi/skills/rust/SKILL.md~")).unwrap();
    fs::write(&file, "Always unwrap.").unwrap();
    assert_eq!(test.paths(), [".pi/skills/rust/SKILL.md"]);
    assert!(file.exists());
    fs::remove_file(test.path(".pi/skills/rust/SKILL.md~")).unwrap();
    test.quiet();
}

#[test]
fn a_removed_file_is_told() {
    let mut test = Test::new(&["rust"]);
    fs::remove_file(test.path(".pi/skills/rust/SKILL.md")).unwrap();
    assert_eq!(test.paths(), [".pi/skills/rust/SKILL.md"]);
    test.quiet();
}

#[test]
fn a_writer_that_never_closes_is_told_after_a_moment() {
    use std::io::Write;
    let mut test = Test::new(&["rust"]);
    let mut file = fs::OpenOptions::new().append(true).open(test.path(".pi/skills/rust/SKILL.md")).unwrap();
    file.write_all(b"Never clone.").unwrap();
    assert_eq!(test.paths(), [".pi/skills/rust/SKILL.md"]);
}

#[test]
fn a_new_skill_is_told_and_watched() {
    let mut test = Test::new(&[]);
    test.write(".pi/skills/nix/SKILL.md", "Never pin twice.");
    assert_eq!(test.paths(), [".pi/skills/nix/SKILL.md"]);
    test.write(".pi/skills/nix/SKILL.md", "Always pin.");
    assert_eq!(test.paths(), [".pi/skills/nix/SKILL.md"]);
    test.write(".pi/skills/rust/SKILL.md", "Never unwrap.");
    assert_eq!(test.paths(), [".pi/skills/rust/SKILL.md"]);
    let watched: Vec<String> = test.watch.directories().iter().map(ToString::to_string).collect();
    assert_eq!(watched, ["", ".pi", ".pi/skills", ".pi/skills/nix", ".pi/skills/rust"]);
}

#[test]
fn a_removed_and_remade_skill_is_still_watched() {
    let mut test = Test::new(&["rust"]);
    for round in 0..10 {
        fs::remove_dir_all(test.path(".pi/skills/rust")).unwrap();
        test.write(".pi/skills/rust/SKILL.md", &format!("Never unwrap, {round}."));
        let (paths, ..) = test.all();
        assert!(paths.contains(".pi/skills/rust/SKILL.md"), "{round}: {paths:?}");
    }
    fs::remove_dir_all(test.path(".pi")).unwrap();
    let (paths, ..) = test.all();
    assert!(paths.contains(".pi") || paths.contains(".pi/skills/rust/SKILL.md"), "{paths:?}");
    test.write(".pi/skills/rust/SKILL.md", "Never unwrap.");
    assert!(test.all().0.contains(".pi/skills/rust/SKILL.md"));
}

#[test]
fn a_renamed_skill_is_told_under_both_names() {
    let mut test = Test::new(&["rust"]);
    fs::rename(test.path(".pi/skills/rust"), test.path(".pi/skills/rust-2")).unwrap();
    let (paths, ..) = test.all();
    assert!(paths.contains(".pi/skills/rust"), "{paths:?}");
    assert!(paths.contains(".pi/skills/rust-2/SKILL.md"), "{paths:?}");
    test.write(".pi/skills/rust-2/SKILL.md", "Always unwrap.");
    assert_eq!(test.paths(), [".pi/skills/rust-2/SKILL.md"]);
}

/// Brings an index up to date, as a compile does.
fn refreshed(mut index: HashIndex, root: &Path, patterns: &[SourcePattern], change: Change) -> HashIndex {
    if change.rescan {
        let found = discover(&RealFs, root, patterns).value.found;
        index.check(&RealFs, root, &found, Keep::Hashes);
    } else {
        let paths: Vec<Arc<str>> = change.paths.into_iter().collect();
        index.refresh(&RealFs, root, patterns, &paths, Keep::Hashes);
    }
    index
}

#[test]
fn a_burst_is_gathered_and_nothing_is_missed() {
    let mut test = Test::with(&[], &["law/**/*.md"], &[], WatchOptions::default());
    let root = test.root().to_owned();
    let writer = std::thread::spawn(move || {
        for number in 0..20_000 {
            write(&root, &format!("law/{}/{number}.md", number % 100), "Never.");
        }
    });
    let patterns: Vec<SourcePattern> = vec!["law/**/*.md".parse().unwrap()];
    let mut index = HashIndex::new();
    let mut changes = 0;
    loop {
        let is_over = writer.is_finished();
        match test.watch.next(Duration::from_secs(1)) {
            Signal::Changed(change) => {
                changes += 1;
                index = refreshed(index, test.root(), &patterns, change);
            }
            _ if is_over => break,
            _ => {} // a burst that does not end is told in parts
        }
    }
    writer.join().unwrap();
    assert_eq!(index.paths().count(), 20_000);
    assert!(changes < 400, "{changes}");
}

#[test]
fn a_checkout_is_one_change() {
    let mut test = Test::with(&["rust"], &[SKILLS], &[], LONG_QUIET);
    fs::create_dir(test.path(".git")).unwrap();
    // The repository is found when the watch starts.
    test.watch = Watch::new(test.root(), spec(&[SKILLS], &[]), LONG_QUIET);
    test.write(".git/index.lock", "");
    for skill in 0..200 {
        test.write(&format!(".pi/skills/s{skill}/SKILL.md"), "Never.");
        if skill % 50 == 0 {
            assert_eq!(test.watch.next(Duration::from_millis(60)), Signal::Quiet, "git is at work");
        }
    }
    fs::remove_file(test.path(".git/index.lock")).unwrap();
    let (paths, changes, rescan) = test.all();
    assert_eq!((paths.len(), changes, rescan), (200, 1, false));
}

#[test]
fn a_lock_that_git_left_behind_does_not_hold_for_ever() {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), ".git/index.lock", "");
    let mut test = Test::over(directory, spec(&[SKILLS], &[]), WatchOptions::default());
    test.write(".pi/skills/rust/SKILL.md", "Never unwrap.");
    let start = Instant::now();
    assert_eq!(test.paths(), [".pi/skills/rust/SKILL.md"]);
    let held = start.elapsed();
    test.write(".pi/skills/rust/SKILL.md", "Always unwrap.");
    let start = Instant::now();
    test.paths();
    assert!(start.elapsed() < held, "it was given up already");
}

#[test]
fn missed_files_are_watched_and_another_set_replaces_the_first() {
    let files = ["mentci.toml", ".pi/skills/rust/runtime.edn"];
    let mut test = Test::with(&["rust"], &[], &files, WatchOptions::default());
    test.write("mentci.toml", "");
    assert_eq!(test.paths(), ["mentci.toml"]);
    test.write(".pi/skills/rust/runtime.edn", "[]");
    assert_eq!(test.paths(), [".pi/skills/rust/runtime.edn"]);
    test.write(".pi/skills/rust/SKILL.md", "Never.");
    test.quiet();

    test.watch.set(spec(&["docs/*.md"], &["mentci.toml"]));
    test.write(".pi/skills/rust/runtime.edn", "[{}]");
    test.quiet();
    test.write("docs/law.md", "Never.");
    assert_eq!(test.paths(), ["docs/law.md"]);
    assert_eq!(test.watch.directories().len(), 2, "the root and docs");

    test.watch.set(spec(&["docs/*.md", SKILLS], &["mentci.toml"]));
    assert_eq!(test.paths(), [".pi/skills/rust/SKILL.md"], "what stands in a newly watched place");
    test.watch.set(spec(&["docs/*.md", SKILLS], &["mentci.toml"]));
    test.quiet();
}

#[test]
fn ignored_directories_are_not_watched_until_the_rules_move() {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), ".gitignore", "out/\n");
    write(directory.path(), "law/out/a.md", "Never.");
    write(directory.path(), "law/b.md", "Never.");
    let mut test = Test::over(directory, spec(&["law/**/*.md"], &[]), WatchOptions::default());
    assert_eq!(test.watch.directories().len(), 2);
    test.write("law/out/a.md", "Always.");
    test.quiet();
    test.write(".gitignore", "");
    assert!(test.change().rescan);
    test.write("law/out/a.md", "Never.");
    assert_eq!(test.paths(), ["law/out/a.md"]);
}

#[test]
fn a_link_is_told_under_its_own_path() {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), "docs/rust/SKILL.md", "Never unwrap.");
    write(directory.path(), "docs/agents.md", "Never.");
    fs::create_dir_all(directory.path().join(".pi/skills")).unwrap();
    std::os::unix::fs::symlink("../../docs/rust", directory.path().join(".pi/skills/rust")).unwrap();
    std::os::unix::fs::symlink("docs/agents.md", directory.path().join("AGENTS.md")).unwrap();
    let mut test = Test::over(directory, spec(&[SKILLS, "AGENTS.md"], &[]), WatchOptions::default());
    test.write("docs/rust/SKILL.md", "Always unwrap.");
    assert_eq!(test.paths(), [".pi/skills/rust/SKILL.md"]);
    test.write("docs/agents.md", "Always.");
    assert_eq!(test.paths(), ["AGENTS.md"]);
}

#[test]
fn a_link_that_appears_is_followed_from_then_on() {
    let mut test = Test::new(&["rust"]);
    fs::create_dir_all(test.path("law")).unwrap();
    fs::create_dir_all(test.path(".pi/skills/s")).unwrap();
    test.write("law/S.md", "Never guess.");
    test.write("law/T.md", "Never wait.");
    let link = test.path(".pi/skills/s/SKILL.md");
    std::os::unix::fs::symlink("../../../law/S.md", &link).unwrap();
    assert!(test.all().0.contains(".pi/skills/s/SKILL.md"));
    // In place, by a rename over it, and in place again.
    test.write("law/S.md", "Never guess twice.");
    assert_eq!(test.paths(), [".pi/skills/s/SKILL.md"]);
    test.write("law/new", "Never guess thrice.");
    fs::rename(test.path("law/new"), test.path("law/S.md")).unwrap();
    assert_eq!(test.paths(), [".pi/skills/s/SKILL.md"]);
    test.write("law/S.md", "Always ask.");
    assert_eq!(test.paths(), [".pi/skills/s/SKILL.md"]);
    // A link that leads elsewhere now.
    let other = test.path(".pi/skills/s/other");
    std::os::unix::fs::symlink("../../../law/T.md", &other).unwrap();
    fs::rename(&other, &link).unwrap();
    assert_eq!(test.paths(), [".pi/skills/s/SKILL.md"]);
    test.write("law/T.md", "Never wait long.");
    assert_eq!(test.paths(), [".pi/skills/s/SKILL.md"]);
}

#[test]
fn a_tree_without_notifications_is_polled() {
    let poll_every = Duration::from_millis(20);
    let options = WatchOptions { poll: PollMode::Always, poll_every, ..WatchOptions::default() };
    let mut test = Test::with(&["rust"], &[SKILLS], &["mentci.toml"], options);
    assert!(test.watch.is_polling());
    test.write(".pi/skills/rust/SKILL.md", "Always unwrap.");
    assert!(test.all().0.contains(".pi/skills/rust/SKILL.md"));
    test.write(".pi/skills/nix/SKILL.md", "Always pin.");
    assert!(test.all().0.contains(".pi/skills/nix/SKILL.md"));
    test.write("mentci.toml", "");
    assert!(test.all().0.contains("mentci.toml"));
    fs::remove_dir_all(test.path(".pi/skills/rust")).unwrap();
    assert_eq!(test.paths(), [".pi/skills/rust/SKILL.md"]);
    test.quiet();
}

#[test]
fn stop_wakes_whoever_waits() {
    for poll in [PollMode::WhenNeeded, PollMode::Always] {
        let options = WatchOptions { poll, ..WatchOptions::default() };
        let mut test = Test::with(&["rust"], &[SKILLS], &[], options);
        let handle = test.watch.stop_handle();
        let start = Instant::now();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            handle.stop();
        });
        assert_eq!(test.watch.next(Duration::from_mins(1)), Signal::Stopped);
        assert!(start.elapsed() < Duration::from_secs(5));
        assert_eq!(test.watch.next(Duration::ZERO), Signal::Stopped);
    }
}

#[test]
fn a_workspace_that_does_not_exist_is_quiet() {
    let mut watch =
        Watch::new(Path::new("/nonexistent/workspace"), spec(&[SKILLS], &[]), WatchOptions::default());
    while let Signal::Changed(change) = watch.next(Duration::from_millis(50)) {
        assert!(change.paths.is_empty());
        assert!(change.notes.iter().all(|note| note.code == Code::WATCH_POLLING));
    }
}

#[test]
fn a_save_reads_one_file() {
    let mut test = Test::new(&["a", "b", "c", "d", "e"]);
    let patterns: Vec<SourcePattern> = vec![SKILLS.parse().unwrap()];
    fs::create_dir(test.path(".mentci")).unwrap();
    std::thread::sleep(Duration::from_millis(60));
    let mut index = HashIndex::new();
    let found = discover(&RealFs, test.root(), &patterns).value.found;
    index.check(&RealFs, test.root(), &found, Keep::Bytes);
    let before = index.counters();
    test.write(".pi/skills/c/SKILL.md", "Always unwrap.");
    let paths: Vec<Arc<str>> = test.change().paths.into_iter().collect();
    let checked = index.refresh(&RealFs, test.root(), &patterns, &paths, Keep::Bytes).value;
    assert_eq!(checked.changed.len(), 1);
    assert_eq!(checked.changed[0].bytes, b"Always unwrap.");
    let after = index.counters();
    let spent = Counters {
        stats: after.stats - before.stats,
        reads: after.reads - before.reads,
        hashes: after.hashes - before.hashes,
    };
    assert_eq!(spent, Counters { stats: 1, reads: 1, hashes: 1 });
}

//! Which files are found, and what is said about the others.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests make the trees that are walked")]

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use insta::assert_snapshot;
use mentci_disk::{
    Discovery, Entry, Fs, RealFs, SourcePattern, Stamp, Stat, Twice, Wanted, discover, discover_under,
};
use mentci_source::Reading;
use proptest::prelude::*;

/// A tree on the disk.
struct Tree(tempfile::TempDir);

impl Tree {
    fn new(files: &[&str]) -> Self {
        let tree = Self(tempfile::tempdir().unwrap());
        for file in files {
            tree.write(file, "Never.");
        }
        tree
    }

    fn root(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn link(&self, path: &str, to: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(to, path).unwrap();
    }

    fn walk(&self, patterns: &[&str]) -> Reading<Discovery> {
        discover(&RealFs, self.root(), &parse(patterns))
    }

    /// What was found, one line each, then the findings.
    fn show(&self, patterns: &[&str]) -> String {
        show(&self.walk(patterns))
    }
}

fn parse(patterns: &[&str]) -> Vec<SourcePattern> {
    patterns.iter().map(|text| text.parse().unwrap()).collect()
}

fn show(reading: &Reading<Discovery>) -> String {
    let found = reading.value.found.iter().map(|file| file.path.to_string());
    let findings = reading.findings.iter().map(ToString::to_string);
    found.chain(findings).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_usual_places_are_found_in_the_order_of_their_bytes() {
    let tree = Tree::new(&[
        ".pi/skills/rust/SKILL.md",
        ".pi/skills/rust.old/SKILL.md",
        ".pi/skills/rust/notes/SKILL.md",
        ".pi/skills/rust/runtime.edn",
        ".pi/skills/README.md",
        ".claude/skills/nix/SKILL.md",
        "Components/a/schema/a.capnp",
        "Components/b.capnp",
        "Components/b/Cargo.toml",
        "Cargo.toml",
        "AGENTS.md",
        "src/AGENTS.md",
    ]);
    let patterns = [
        "{.pi,.claude}/skills/*/SKILL.md",
        "Components/**/*.capnp",
        "Components/*/Cargo.toml",
        "Cargo.toml",
        "AGENTS.md",
        "CLAUDE.md",
    ];
    assert_snapshot!(tree.show(&patterns), @"
    .claude/skills/nix/SKILL.md
    .pi/skills/rust.old/SKILL.md
    .pi/skills/rust/SKILL.md
    AGENTS.md
    Cargo.toml
    Components/a/schema/a.capnp
    Components/b.capnp
    Components/b/Cargo.toml
    ");
}

#[test]
fn ignored_and_hidden_names_are_passed_over_but_for_named_roots() {
    let tree = Tree::new(&[
        "law/a.md",
        "law/.hidden/b.md",
        "law/.c.md",
        "law/out/d.md",
        "law/keep/out/e.md",
        "law/cache/f.md",
        "law/cache/CACHEDIR.TAG",
        "law/.git/g.md",
        ".pi/skills/out/SKILL.md",
        ".pi/skills/.draft/SKILL.md",
        ".pi/skills/.git/SKILL.md",
        "out/named.md",
    ]);
    tree.write(".gitignore", "out/\n.pi/\n");
    tree.write("law/keep/.gitignore", "!out/\n");
    assert_snapshot!(tree.show(&["law/**/*.md", ".pi/skills/*/SKILL.md", "out/named.md"]), @"
    .pi/skills/.draft/SKILL.md
    .pi/skills/out/SKILL.md
    law/a.md
    law/keep/out/e.md
    out/named.md
    ");
}

#[test]
fn the_rules_of_the_repository_around_the_workspace_count() {
    let tree = Tree::new(&["project/law/a.md", "project/law/out/b.md", ".git/HEAD"]);
    tree.write(".gitignore", "out/\n");
    let reading = discover(&RealFs, &tree.root().join("project"), &parse(&["law/**/*.md"]));
    assert_snapshot!(show(&reading), @"law/a.md");
}

#[test]
fn links_are_followed_inside_the_workspace_only() {
    let outside = Tree::new(&["secret/SKILL.md"]);
    let tree = Tree::new(&["docs/rust/SKILL.md", "docs/agents.md"]);
    tree.link(".pi/skills/inside", "../../docs/rust");
    tree.link(".pi/skills/outside", outside.root().join("secret").to_str().unwrap());
    tree.link(".pi/skills/nowhere", "../nothing");
    tree.link(".pi/skills/self", "self");
    tree.link("AGENTS.md", "docs/agents.md");
    tree.link("CLAUDE.md", outside.root().join("secret/SKILL.md").to_str().unwrap());
    assert_snapshot!(tree.show(&[".pi/skills/*/SKILL.md", "*.md"]), @"
    .pi/skills/inside/SKILL.md
    AGENTS.md
    .pi/skills/nowhere: error[E0005]: this link leads nowhere
    .pi/skills/outside: warning[E0007]: this link leads out of the workspace and was not followed
      help: copy what it leads to into the workspace
    .pi/skills/self: note[E0010]: this link leads to itself
    CLAUDE.md: warning[E0007]: this link leads out of the workspace and was not followed
      help: copy what it leads to into the workspace
    ");
}

#[test]
fn a_root_that_is_a_link_out_is_refused() {
    let outside = Tree::new(&["skills/rust/SKILL.md"]);
    let tree = Tree::new(&[]);
    tree.link(".pi", outside.root().to_str().unwrap());
    assert_snapshot!(tree.show(&[".pi/skills/*/SKILL.md"]), @"
    .pi: warning[E0007]: this link leads out of the workspace and was not followed
      help: copy what it leads to into the workspace
    ");
}

#[test]
fn circles_of_links_end() {
    let tree = Tree::new(&["law/a/x.md", "law/b/y.md"]);
    tree.link("law/a/up", "..");
    tree.link("law/a/to-b", "../b");
    tree.link("law/b/to-a", "../a");
    assert_snapshot!(tree.show(&["law/**/*.md"]), @"
    law/a/to-b/y.md
    law/a/x.md
    law/b/to-a/x.md
    law/b/y.md
    law/a/to-b/to-a: note[E0010]: this link leads back to a directory that holds it
    law/a/up: note[E0010]: this link leads back to a directory that holds it
    law/b/to-a/to-b: note[E0010]: this link leads back to a directory that holds it
    law/b/to-a/up: note[E0010]: this link leads back to a directory that holds it
    ");
}

#[test]
fn what_is_not_a_file_is_said() {
    let tree = Tree::new(&[".pi/skills/b/SKILL.md/inside.txt"]);
    fs::create_dir_all(tree.root().join(".pi/skills/a")).unwrap();
    let pipe = tree.root().join(".pi/skills/a/SKILL.md");
    let mode = rustix::fs::Mode::RUSR;
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    let large = fs::File::create(tree.root().join("AGENTS.md")).unwrap();
    large.set_len((64 << 20) + 1).unwrap();
    assert_snapshot!(tree.show(&[".pi/skills/*/SKILL.md", "AGENTS.md"]), @"
    .pi/skills/a/SKILL.md: error[E0006]: a file was expected here, and this is a pipe, a socket or a device
      help: put a file in its place, or take it away; what was last read stays in force until then
    .pi/skills/b/SKILL.md: error[E0006]: a file was expected here, and this is a directory
      help: put a file in its place, or take it away; what was last read stays in force until then
    AGENTS.md: error[E0004]: this file is larger than 64 MiB and was not read
      help: split it: law that long cannot be followed
    ");
}

#[test]
fn a_name_that_is_not_utf8_is_said() {
    use std::os::unix::ffi::OsStrExt;
    let tree = Tree::new(&["law/a.md"]);
    let name = std::ffi::OsStr::from_bytes(b"caf\xE9.md");
    fs::write(tree.root().join("law").join(name), "Never.").unwrap();
    assert_snapshot!(tree.show(&["law/*.md"]), @"
    law/a.md
    law/caf�.md: warning[E0001]: this file's name is not UTF-8, so it was passed over
      help: rename the file
    ");
}

/// Refuses one path and notes the directories that are listed.
#[derive(Debug)]
struct Watched {
    refused: PathBuf,
    listed: Mutex<Vec<PathBuf>>,
}

impl Watched {
    fn refusing(path: PathBuf) -> Self {
        Self { refused: path, listed: Mutex::default() }
    }

    fn check(&self, path: &Path) -> io::Result<()> {
        if path == self.refused { Err(io::ErrorKind::PermissionDenied.into()) } else { Ok(()) }
    }
}

impl Fs for Watched {
    fn read_head(&self, path: &Path, most: u64, buffer: &mut Vec<u8>) -> io::Result<()> {
        RealFs.read_head(path, most, buffer)
    }

    fn read_into(&self, path: &Path, limit: u64, buffer: &mut Vec<u8>) -> io::Result<Twice> {
        self.check(path)?;
        RealFs.read_into(path, limit, buffer)
    }
    fn stat(&self, path: &Path) -> io::Result<Stat> {
        RealFs.stat(path)
    }
    fn lstat(&self, path: &Path) -> io::Result<Stat> {
        RealFs.lstat(path)
    }
    fn read_dir(&self, path: &Path, wanted: &mut Wanted<'_>) -> io::Result<Vec<Entry>> {
        self.listed.lock().unwrap().push(path.to_owned());
        self.check(path)?;
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
fn a_directory_without_permission_is_said_and_the_rest_is_found() {
    let tree = Tree::new(&["law/a/x.md", "law/b/y.md"]);
    let home = tree.root().canonicalize().unwrap();
    let fs = Watched::refusing(home.join("law/a"));
    assert_snapshot!(show(&discover(&fs, tree.root(), &parse(&["law/**/*.md"]))), @"
    law/b/y.md
    law/a: error[E0005]: this file could not be read: permission denied
      help: what was last read from it stays in force until it can be read again
    ");
}

#[test]
fn only_directories_that_can_match_are_listed() {
    let tree = Tree::new(&[
        ".pi/skills/rust/SKILL.md",
        ".pi/skills/rust/deep/er/x.md",
        "node_modules/a/b.md",
        "src/main.rs",
    ]);
    let home = tree.root().canonicalize().unwrap();
    let fs = Watched::refusing(PathBuf::new());
    let reading = discover(&fs, tree.root(), &parse(&[".pi/skills/*/SKILL.md", "Cargo.toml", "AGENTS.md"]));
    assert_eq!(*fs.listed.lock().unwrap(), [home.join(".pi/skills")]);
    let directories: Vec<&str> = reading.value.directories.iter().map(|path| &**path).collect();
    assert_eq!(directories, ["", ".pi", ".pi/skills", ".pi/skills/rust"]);
}

#[test]
fn a_part_of_the_tree_is_walked_alone() {
    let tree = Tree::new(&["law/a/x.md", "law/a/deep/y.md", "law/b/z.md", "law/out/w.md"]);
    tree.write(".gitignore", "out/\n");
    let patterns = parse(&["law/**/*.md"]);
    let under = |path: &str| show(&discover_under(&RealFs, tree.root(), &patterns, path)).replace('\n', " ");
    assert_eq!(under("law/a"), "law/a/deep/y.md law/a/x.md");
    assert_eq!(under("law/a/x.md"), "law/a/x.md");
    assert_eq!(under("law/out"), "");
    assert_eq!(under("law/none/at/all"), "");
    assert_eq!(under("../etc"), "");
}

#[test]
fn a_root_that_is_not_there_is_said() {
    let reading = discover(&RealFs, Path::new("/nonexistent/workspace"), &parse(&["AGENTS.md"]));
    assert_snapshot!(show(&reading), @"
    .: error[E0005]: this file could not be read: it does not exist
      help: what was last read from it stays in force until it can be read again
    ");
}

#[test]
fn patterns_that_make_no_sense_are_refused() {
    let texts = ["", "/etc/passwd", "../other/*.md", "a//b", "docs/", "!docs/*.md", "a{b", "a}b", "a[b"];
    let errors = texts.map(|text| text.parse::<SourcePattern>().unwrap_err().to_string());
    assert_snapshot!(errors.join("\n"), @"
    `` is not a source pattern: it is empty
    `/etc/passwd` is not a source pattern: paths are relative to the workspace
    `../other/*.md` is not a source pattern: it leaves the workspace with `..`
    `a//b` is not a source pattern: a part of the path is empty
    `docs/` is not a source pattern: name the files, as in `docs/**/*.md`
    `!docs/*.md` is not a source pattern: exclude files with `.gitignore` instead
    `a{b` is not a source pattern: a `{` is never closed
    `a}b` is not a source pattern: a `}` was never opened
    `a[b` is not a source pattern: unclosed character class; missing ']'
    ");
    assert!("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}".parse::<SourcePattern>().is_err());
    assert!(SourcePattern::literal("a[*]/b").unwrap().matches("a[*]/b"));
    assert!(SourcePattern::literal("../a").is_err());
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![Just("a"), Just("b"), Just("c.md"), Just("d.md"), Just("deep")].prop_map(String::from)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// A walk finds just the files that the pattern matches, whatever the tree.
    #[test]
    fn a_walk_finds_what_matches(
        paths in proptest::collection::btree_set(proptest::collection::vec(name(), 1..5), 0..12),
        pattern in proptest::collection::vec(prop_oneof![name(), Just("*".into()), Just("**".into()), Just("*.md".into()), Just("[ab]".into())], 1..4),
    ) {
        let tree = Tree::new(&[]);
        for path in &paths {
            let path = tree.root().join(path.join("/"));
            if fs::create_dir_all(path.parent().unwrap()).is_ok() && !path.exists() {
                let _ = fs::write(path, "Never.");
            }
        }
        let pattern: SourcePattern = pattern.join("/").parse().unwrap();
        let all = tree.walk(&["**"]).value.found;
        let expected: Vec<_> = all.into_iter().filter(|file| pattern.matches(&file.path)).collect();
        prop_assert_eq!(discover(&RealFs, tree.root(), &[pattern]).value.found, expected);
    }

    /// No text makes the parser panic, and no pattern matches outside of the workspace.
    #[test]
    fn any_text_parses_or_not(text in "[ab./*?{},!\\[\\]-]{0,12}") {
        if let Ok(pattern) = text.parse::<SourcePattern>() {
            prop_assert!(!pattern.matches("../a"));
            prop_assert!(!pattern.matches("/a"));
        }
    }
}

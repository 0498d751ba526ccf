//! Cargo manifests: inheritance resolved as `cargo_toml` does it, faults with their places, every byte accounted for.
#![allow(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::collections::HashSet;
use std::io;
use std::path::Path;

use mentci_reader::cargo::{
    Dependency, DependencyKind, Fact, Member, Subject, WorkspaceFacts, member_patterns, pieces,
    read_workspace,
};
use mentci_source::{Reading, Source};
use proptest::prelude::*;

const ROOT: &str = r#"# The whole.
[workspace]
resolver = "3"
members = ["crates/*", "tools/xtask"] # two kinds
exclude = ["crates/old"]
default-members = ["crates/core"]

[workspace.package]
version = "0.3.0"
edition = "2024"
rust-version = "1.95"
license = "MIT"

[workspace.dependencies]
core = { path = "crates/core" }
serde = { version = "1", default-features = false, features = ["derive"] }
log = "0.4"

[workspace.lints.rust]
unsafe_code = "forbid"

[workspace.lints.clippy]
pedantic = { level = "warn", priority = -1 }
"#;

const CORE: &str = r#"[package]
name = "core"
version.workspace = true
edition = { workspace = true }
rust-version.workspace = true
license.workspace = true
description = "The core."

[features]
default = ["std"]
std = []
fast = ["dep:serde", "std"]

[dependencies]
serde = { workspace = true, features = ["rc", "derive"], optional = true }
log.workspace = true
regex = { version = "1", package = "fancy-regex", default-features = false }

[target.'cfg(unix)'.dependencies]
rustix = "1"

[dev-dependencies]
serde = { workspace = true, default-features = true }

[build-dependencies]
cc = { git = "https://example.org/cc", optional = false }

[lints]
workspace = true

[lib]
path = "src/core.rs"

[[bin]]
name = "one"
path = "src/one.rs"

[[bin]]
name = "two"
"#;

const XTASK: &str =
    "[package]\nname = \"xtask\"\nedition = \"2021\"\n\n[dependencies]\ncore.workspace = true\n";

fn workspace(root: &str, members: &[(&str, &str)]) -> Reading<WorkspaceFacts> {
    let members: Vec<Source> = members.iter().map(|(path, text)| Source::new(path, text)).collect();
    read_workspace(&Source::new("Cargo.toml", root), &members)
}

/// The workspace of this file, which has no fault.
fn whole() -> WorkspaceFacts {
    let reading = workspace(ROOT, &[("tools/xtask/Cargo.toml", XTASK), ("crates/core/Cargo.toml", CORE)]);
    assert_eq!(reading.findings, []);
    reading.value
}

fn value(fact: Option<&Fact<String>>) -> &str {
    fact.map_or("", |fact| &fact.value)
}

fn dependency<'a>(member: &'a Member, name: &str, kind: DependencyKind) -> &'a Dependency {
    member.dependencies.iter().find(|found| found.name == name && found.kind == kind).unwrap()
}

fn faults(reading: &Reading<WorkspaceFacts>) -> String {
    reading.findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn patterns_are_read_with_their_places() {
    let patterns = member_patterns(&Source::new("Cargo.toml", ROOT)).value;
    assert!(patterns.is_workspace && !patterns.has_package);
    let texts: Vec<&str> = patterns.members.iter().map(|pattern| pattern.text.as_str()).collect();
    assert_eq!(texts, ["crates/*", "tools/xtask"]);
    assert_eq!(&ROOT[patterns.members[1].span.range()], "\"tools/xtask\"");
    assert_eq!(patterns.exclude[0].text, "crates/old");
    assert_eq!(patterns.default_members[0].text, "crates/core");
}

#[test]
fn the_workspace_states_its_facts() {
    let facts = whole();
    assert!(facts.is_workspace);
    assert_eq!(value(facts.edition.as_ref()), "2024");
    assert_eq!(value(facts.msrv.as_ref()), "1.95");
    assert_eq!(value(facts.version.as_ref()), "0.3.0");
    assert_eq!(value(facts.resolver.as_ref()), "3");
    let lints: Vec<String> = facts
        .lints
        .iter()
        .map(|lint| format!("{}::{}={} {}", lint.tool, lint.name, lint.level, lint.priority))
        .collect();
    assert_eq!(lints, ["clippy::pedantic=warn -1", "rust::unsafe_code=forbid 0"]);
    let members: Vec<(&str, &str)> =
        facts.members.iter().map(|member| (member.name.as_str(), member.path.as_str())).collect();
    assert_eq!(members, [("core", "crates/core"), ("xtask", "tools/xtask")]);
}

#[test]
fn members_inherit() {
    let facts = whole();
    let core = &facts.members[0];
    assert_eq!(value(core.version.as_ref()), "0.3.0");
    assert_eq!(value(core.edition.as_ref()), "2024");
    assert_eq!(value(core.description.as_ref()), "The core.");
    let edition = core.edition.as_ref().unwrap();
    assert_eq!((&*edition.path, &ROOT[edition.span.range()]), ("Cargo.toml", "\"2024\""));
    assert_eq!(&CORE[core.span.range()], "\"core\"");
    assert!(core.inherits_lints && core.lints == facts.lints);
    assert_eq!(value(facts.members[1].edition.as_ref()), "2021");
    assert_eq!(facts.members[1].version, None);
}

#[test]
fn dependencies_inherit() {
    let facts = whole();
    let core = &facts.members[0];
    let serde = dependency(core, "serde", DependencyKind::Normal);
    assert_eq!(serde.version.as_deref(), Some("1"));
    assert_eq!(serde.features, ["derive", "rc"]);
    assert!(serde.inherited && serde.optional && !serde.default_features);
    assert!(dependency(core, "serde", DependencyKind::Dev).default_features);
    assert!(dependency(core, "log", DependencyKind::Normal).default_features);
    assert_eq!(dependency(core, "regex", DependencyKind::Normal).package.as_deref(), Some("fancy-regex"));
    assert_eq!(dependency(core, "rustix", DependencyKind::Normal).target.as_deref(), Some("cfg(unix)"));
    assert_eq!(dependency(core, "cc", DependencyKind::Build).git.as_deref(), Some("https://example.org/cc"));
    let path = &dependency(&facts.members[1], "core", DependencyKind::Normal).path;
    assert_eq!(path.as_deref(), Some("crates/core"));
}

#[test]
fn targets_and_features_are_read() {
    let facts = whole();
    let core = &facts.members[0];
    assert_eq!(core.features["fast"], ["dep:serde", "std"]);
    assert_eq!(core.library.as_ref().unwrap().path.as_deref(), Some("src/core.rs"));
    let bins: Vec<&str> = core.bins.iter().map(|bin| bin.name.as_str()).collect();
    assert_eq!(bins, ["one", "two"]);
    assert_eq!(&CORE[core.bins[0].span.range()], "\"one\"");
}

/// No files: `cargo_toml` is to complete from the manifests alone.
struct NoFiles;

impl cargo_toml::AbstractFilesystem for NoFiles {
    fn file_names_in(&self, _: &str) -> io::Result<HashSet<Box<str>>> {
        Ok(HashSet::new())
    }
}

#[test]
fn cargo_toml_resolves_the_same() {
    let root = cargo_toml::Manifest::from_str(ROOT).unwrap();
    for (member, text) in whole().members.iter().zip([CORE, XTASK]) {
        let mut manifest = cargo_toml::Manifest::from_str(text).unwrap();
        let workspace = Some((&root, Path::new("/")));
        manifest.complete_from_abstract_filesystem::<cargo_toml::Value, _>(NoFiles, workspace).unwrap();
        let package = manifest.package();
        if let Some(version) = &member.version {
            assert_eq!(package.version().to_string(), version.value);
        }
        assert_eq!(package.edition().to_string(), value(member.edition.as_ref()));
        assert_eq!(package.rust_version().unwrap_or_default(), value(member.msrv.as_ref()));
        assert_eq!(package.license().unwrap_or_default(), value(member.license.as_ref()));
        let normal = |found: &&Dependency| found.kind == DependencyKind::Normal && found.target.is_none();
        for ours in member.dependencies.iter().filter(normal) {
            let theirs = &manifest.dependencies[&ours.name];
            let mut features = theirs.req_features().to_vec();
            let mut own = ours.features.clone();
            features.sort();
            features.dedup();
            own.sort();
            assert_eq!(own, features, "{}", ours.name);
            assert_eq!(ours.optional, theirs.optional(), "{}", ours.name);
            let required = theirs.req().to_string();
            assert_eq!(
                ours.version.as_deref().unwrap_or("*"),
                required.trim_start_matches('^'),
                "{}",
                ours.name
            );
        }
    }
}

#[test]
fn a_single_package_is_a_workspace_of_one() {
    let text = "[package]\nname = \"one\"\nedition = \"2021\"\nrust-version = \"1.70\"\n[lints.rust]\ndead_code = \"allow\"\n";
    let reading = workspace(text, &[]);
    assert_eq!(reading.findings, []);
    assert!(!reading.value.is_workspace);
    assert_eq!(reading.value.members[0].path, ".");
    assert_eq!(value(reading.value.msrv.as_ref()), "1.70");
    assert_eq!(reading.value.lints[0].level, "allow");
}

#[test]
fn a_root_package_is_a_member() {
    let root = "[package]\nname = \"top\"\nversion.workspace = true\n[workspace]\nmembers = [\".\", \"./a/\"]\n\
                [workspace.package]\nversion = \"1.2.3\"\n";
    let reading = workspace(root, &[("a/Cargo.toml", "[package]\nname = \"a\"\n"), ("Cargo.toml", root)]);
    assert_eq!(reading.findings, []);
    let paths: Vec<&str> = reading.value.members.iter().map(|member| member.path.as_str()).collect();
    assert_eq!(paths, [".", "a"]);
    assert_eq!(value(reading.value.members[0].version.as_ref()), "1.2.3");
}

#[test]
fn a_root_that_is_not_at_the_top_is_taken_off_the_paths() {
    let root = Source::new("sub/Cargo.toml", "[workspace]\nmembers = [\"a\"]\n");
    let member = Source::new("sub/a/Cargo.toml", "[package]\nname = \"a\"\n");
    let reading = read_workspace(&root, &[member]);
    assert_eq!(reading.findings, []);
    assert_eq!(reading.value.members[0].path, "a");
}

#[test]
fn the_order_of_members_does_not_matter() {
    let (a, b) = (("crates/core/Cargo.toml", CORE), ("tools/xtask/Cargo.toml", XTASK));
    assert_eq!(workspace(ROOT, &[a, b]), workspace(ROOT, &[b, a]));
}

#[test]
fn what_the_workspace_does_not_give_is_named() {
    let member = "[package]\nname = \"a\"\nversion.workspace = true\n[dependencies]\nx = { workspace = true }\n\
                  [lints]\nworkspace = true\n";
    let reading =
        workspace("[workspace]\nmembers = [\"a\", \"b\", \"c/*\", \"../d\"]\n", &[("a/Cargo.toml", member)]);
    insta::assert_snapshot!(faults(&reading), @r#"
    a/Cargo.toml:3:1: warning[E0402]: `version` is inherited, but the workspace does not give it
      help: write `version = "…"` under `[workspace.package]` in the root manifest
    a/Cargo.toml:6:1: warning[E0402]: `lints` is inherited, but the workspace does not give it
      help: write `[workspace.lints]` in the root manifest
    a/Cargo.toml:5:5: warning[E0402]: the dependency `x` is inherited, but the workspace does not have it
      help: put it under `[workspace.dependencies]` in the root manifest
    Cargo.toml:2:17: warning[E0403]: the member `b` has no manifest
      help: write its `Cargo.toml`, or take it out of `members`
    "#);
    assert_eq!(reading.value.members[0].version, None);
    assert_eq!(reading.value.members[0].dependencies[0].name, "x");
}

#[test]
fn what_is_not_a_manifest_is_named_and_the_others_are_read() {
    let reading = workspace(
        "[workspace]\nmembers = [\"*\"]\n[workspace.package]\nedition = \"2024\"\n",
        &[
            ("a/Cargo.toml", "[package]\nname = \"a\"\nedition.workspace = true\n[dependencies\nx = \"1\"\n"),
            ("b/Cargo.toml", "[package]\nname = \"b\"\nedition = 2024\n"),
            ("c/Cargo.toml", "[dependencies]\n"),
            ("d/Cargo.toml", "[package]\nname = \"d\"\nfuture-key = [1]\n[future-table]\nx = 1\n"),
            ("e/Cargo.toml", ""),
            ("f/Cargo.toml", "[package]\nname = \"f\nversion = \"1.0.0\"\n"),
        ],
    );
    insta::assert_snapshot!(faults(&reading), @r#"
    a/Cargo.toml:4:14: warning[E0401]: unclosed table, expected `]`
    b/Cargo.toml:3:11: warning[E0401]: this is not what a manifest holds here
      help: the manifest format is described in The Cargo Book, "The Manifest Format"
    c/Cargo.toml:1:1: warning[E0401]: this manifest names no package
      help: write `name = "…"` under `[package]`
    e/Cargo.toml:1:1: warning[E0401]: this manifest names no package
      help: write `name = "…"` under `[package]`
    f/Cargo.toml:2:10: warning[E0401]: invalid basic string, expected `"`
    "#);
    let names: Vec<&str> = reading.value.members.iter().map(|member| member.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "d", "f"]);
}

/// Every byte of `text` that is not blank lies in exactly one piece.
fn assert_accounted(text: &str) {
    let mut at = 0;
    for piece in pieces(&Source::new("Cargo.toml", text)) {
        let range = piece.span.range();
        assert!(range.start >= at && text[at..range.start].trim().is_empty(), "{text:?}");
        at = range.end;
    }
    assert!(text[at..].trim().is_empty(), "{:?} in {text:?}", &text[at..]);
}

#[test]
fn every_byte_belongs_to_something() {
    assert_accounted(ROOT);
    assert_accounted(CORE);
    let text = "# a\n[ target . 'cfg(\"]\")' . dependencies ] # b\nx.y = { z = 1 } # c\nl = [ # d\n  1,\n]\n[[bin]]\nname = \"q\"\n";
    assert_accounted(text);
    let found = pieces(&Source::new("Cargo.toml", text));
    let entries: Vec<(&str, &Subject)> =
        found.iter().map(|piece| (&text[piece.span.range()], &piece.subject)).collect();
    insta::assert_debug_snapshot!(entries, @r##"
    [
        (
            "# a",
            Comment,
        ),
        (
            "[ target . 'cfg(\"]\")' . dependencies ]",
            Header(
                "target.cfg(\"]\").dependencies",
            ),
        ),
        (
            "# b",
            Comment,
        ),
        (
            "x.y = { z = 1 }",
            Entry(
                "target.cfg(\"]\").dependencies.x.y",
            ),
        ),
        (
            "# c",
            Comment,
        ),
        (
            "l = [ # d\n  1,\n]",
            Entry(
                "target.cfg(\"]\").dependencies.l",
            ),
        ),
        (
            "[[bin]]",
            Header(
                "bin",
            ),
        ),
        (
            "name = \"q\"",
            Entry(
                "bin.name",
            ),
        ),
    ]
    "##);
}

#[test]
fn odd_texts_are_read() {
    let deep = format!("{}=1", vec!["a"; 100_000].join("."));
    for text in [
        deep.as_str(),
        &"[".repeat(100_000),
        &"a=[".repeat(10_000),
        &"a={".repeat(10_000),
        "[package]\nname=1",
    ] {
        assert_accounted(text);
        assert!(!workspace(text, &[]).findings.is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_and_accounted_for(text in any::<String>()) {
        assert_accounted(&text);
        workspace(&text, &[("a/Cargo.toml", &text)]);
    }

    #[test]
    fn a_manifest_with_a_hole_is_read_and_accounted_for(from in 0..CORE.len(), length in 0..40_usize) {
        let text = CORE[..from].to_owned() + &CORE[(from + length).min(CORE.len())..];
        assert_accounted(&text);
        workspace(ROOT, &[("crates/core/Cargo.toml", &text)]);
        workspace(&text, &[]);
    }
}

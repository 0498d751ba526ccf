//! Counters, not clocks, prove that only what moved is read, compiled and published.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and touch files")]

mod tree;

use std::sync::Arc;

use mentci_disk::{FaultyFs, Plan};
use mentci_host::{Ask, Counters, Harness, Request};
use tree::{Tree, compiled, since};

#[test]
fn a_saved_file_reads_one_file_and_compiles_one_skill() {
    let tree = Tree::with_skills(20);
    let workspace = tree.open();
    let first = compiled(&workspace).counters;
    assert_eq!(first, Counters { read: 20, hashed: 20, skills: 20, published: 21 });
    tree.write(".pi/skills/skill-3/SKILL.md", "# 3\n\n- Never touch `part-3` again.\n");
    let second = compiled(&workspace).counters;
    let work = since(first, second);
    assert_eq!((work.skills, work.published), (1, 2));
}

#[test]
fn nothing_moved_nothing_done() {
    let tree = Tree::with_skills(5);
    let workspace = tree.open();
    let first = compiled(&workspace).counters;
    let work = since(first, compiled(&workspace).counters);
    assert_eq!((work.skills, work.published), (0, 0));
    workspace.ask(Request::Check);
    let work = since(first, compiled(&workspace).counters);
    assert_eq!((work.skills, work.published), (0, 0));
}

#[test]
fn another_process_publishes_nothing_that_stands_already() {
    let tree = Tree::with_skills(5);
    compiled(&tree.open());
    let files = tree.files();
    let again = compiled(&tree.open()).counters;
    assert_eq!((again.skills, again.published), (5, 0));
    assert_eq!(tree.files(), files);
}

#[test]
fn an_edit_that_changes_no_rule_leaves_the_workspace_digest_alone() {
    let tree = Tree::with_law();
    let workspace = tree.open();
    compiled(&workspace);
    let whole = tree.read(".pi/absolute_rules.md");
    tree.write(".pi/skills/rust/SKILL.md", tree::LAW.replace("Rust here", "Rust as written here"));
    compiled(&workspace);
    assert_eq!(
        mentci_compiler::split_seal(&tree.read(".pi/absolute_rules.md")).1,
        mentci_compiler::split_seal(&whole).1
    );
}

#[test]
fn the_bytes_do_not_depend_on_the_order_or_the_history() {
    let (one, other) = (Tree::new(), Tree::new());
    let law =
        |number: usize| format!("# {number}\n\n- Never touch `part-{number}`.\n- Prefer `way-{number}`.\n");
    for number in [3, 1, 2] {
        one.write(&format!(".pi/skills/s{number}/SKILL.md"), law(number));
    }
    compiled(&one.open());
    for number in [1, 2, 3] {
        other.write(&format!(".pi/skills/s{number}/SKILL.md"), law(number));
    }
    compiled(&other.open());
    let bytes = |tree: &Tree| tree.files().into_values().collect::<Vec<_>>();
    assert_eq!(bytes(&one), bytes(&other));
}

#[test]
fn a_manifest_s_member_that_appears_is_read() {
    let tree = Tree::with_law();
    tree.write("Cargo.toml", "[workspace]\nmembers = [\"Components/*\"]\nresolver = \"3\"\n");
    tree.write(
        "Components/a/Cargo.toml",
        "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
    );
    let workspace = tree.open();
    compiled(&workspace);
    tree.write(
        "Components/b/Cargo.toml",
        "[package]\nname = \"b\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
    );
    let work = compiled(&workspace);
    assert_eq!(work.counters.skills, 1, "the law of other skills is not compiled again");
    let sources = serde_json::to_value(workspace.ask(Request::Sources)).unwrap();
    assert_eq!(sources["sources"].as_array().unwrap().len(), 4, "{sources}");
}

#[test]
fn subscribers_hear_of_every_new_digest_and_of_nothing_else() {
    let tree = Tree::with_law();
    let workspace = tree.open();
    let published = workspace.subscribe();
    let first = compiled(&workspace).hash;
    assert_eq!(published.try_recv().map(|published| published.hash), Ok(first));
    compiled(&workspace);
    assert!(published.try_recv().is_err());
}

#[test]
fn subscribers_hear_of_what_another_process_publishes() {
    let tree = Tree::with_law();
    let (ours, theirs) = (tree.open(), tree.open());
    let published = ours.subscribe();
    compiled(&ours);
    assert_eq!(published.try_iter().count(), 1);
    tree.write(".pi/skills/rust/SKILL.md", "# Rust\n\nNever panic in a library.\n");
    compiled(&theirs);
    ours.ask(Request::Sources);
    assert_eq!(published.try_iter().count(), 1, "followed, though not published here");
}

#[test]
fn the_clock_may_go_back() {
    let tree = Tree::with_law();
    compiled(&tree.open_with(std::sync::Arc::new(mentci_disk::RealFs), "2026-11-21T00:00:00Z"));
    let files = tree.files();
    let earlier = tree.open_with(std::sync::Arc::new(mentci_disk::RealFs), "1999-01-01T00:00:00Z");
    let path = tree.root().join(".pi/skills/rust/SKILL.md");
    let long_ago = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1);
    std::fs::File::options().write(true).open(&path).unwrap().set_modified(long_ago).unwrap();
    compiled(&earlier);
    assert_eq!(tree.files(), files);
    tree::teach(&earlier, "the linker fails", "install `lld`");
    assert!(tree.read(".pi/skills/rust/runtime.edn").contains("1999-01-01T00:00:00Z"));
}

#[test]
fn what_was_remembered_too_soon_settles_when_it_is_found_again() {
    let tree = Tree::with_law();
    let calls = || {
        // Longer than a tick of the file system's clock.
        std::thread::sleep(std::time::Duration::from_millis(40));
        let fs = Arc::new(FaultyFs::new(Plan::None));
        let request =
            Request::Inject { harness: Harness::ClaudeCode, active: Vec::new(), session: None, event: None };
        tree.open_with(fs.clone(), "2026-11-21T00:00:00Z").ask(request);
        fs.calls()
    };
    assert!(calls().contains(&"rename"), "the first one publishes");
    // Where both fell into one tick what stands is made older than what it was remembered beside.
    let settling = calls();
    assert!(settling.is_empty() || settling.contains(&"touch"), "{settling:?}");
    assert_eq!(calls(), Vec::<&str>::new(), "only stat keys are looked at");
}

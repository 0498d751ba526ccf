//! The process dies between any two steps: nothing is lost, nothing half-written is served, and the next run repairs.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and touch files")]

mod tree;

use std::io::ErrorKind;
use std::sync::Arc;

use mentci_disk::{FaultyFs, Plan, RealFs};
use mentci_host::policy::{PluginRequest, PolicyRequest};
use mentci_host::{Answer, Ask, Harness, LessonRequest, Outcome, Request};
use tree::{LAW, Tree, compile, compiled, teach};

const MOVED: &str = "- Never push to `main`.\n";
const NOW: &str = "2026-11-21T00:00:00Z";

/// How many mutating steps one compile of a moved source takes.
fn steps() -> usize {
    let tree = published();
    let fs = Arc::new(FaultyFs::new(Plan::None));
    compile(&tree.open_with(fs.clone(), NOW));
    fs.calls().len()
}

/// A published tree whose law has moved since.
fn published() -> Tree {
    let tree = Tree::with_law();
    tree.write(
        ".pi/skills/rust/runtime.edn",
        "[{:condition \"the linker fails\" :resolution \"install `lld`\"}]",
    );
    compiled(&tree.open());
    tree.write(".pi/skills/rust/SKILL.md", format!("{LAW}{MOVED}"));
    tree
}

fn injected(tree: &Tree) -> String {
    let request = Request::Inject { harness: Harness::Pi, active: Vec::new(), session: None, event: None };
    match tree.open().ask(request).answer {
        Answer::Inject(answer) => answer.text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_publish_that_dies_anywhere_is_repaired() {
    let whole = published();
    compiled(&whole.open());
    let expected: Vec<Vec<u8>> = whole.files().into_values().collect();
    for at in 1..=steps() {
        let tree = published();
        compile(&tree.open_with(Arc::new(FaultyFs::new(Plan::Crash(at))), NOW));
        let text = injected(&tree);
        assert!(text.contains("main") && text.contains("lld"), "died at {at}: {text}");
        compiled(&tree.open());
        assert_eq!(tree.files().into_values().collect::<Vec<_>>(), expected, "died at {at}");
    }
}

#[test]
fn a_full_disk_leaves_the_last_good_digest_whole() {
    for at in 1..=steps() {
        let tree = published();
        let before = tree.read(".pi/absolute_rules.md");
        let full = Arc::new(FaultyFs::new(Plan::FailFrom(at, ErrorKind::StorageFull)));
        let response = compile(&tree.open_with(full, NOW));
        let after = tree.read(".pi/absolute_rules.md");
        assert!(after == before || after.contains("main"), "failed at {at}");
        if after == before {
            assert_eq!(response.outcome, Outcome::Bad, "failed at {at}: {:?}", response.findings);
            assert!(
                response.findings.iter().any(|finding| finding.message.contains("the disk is full")),
                "failed at {at}"
            );
        }
        compiled(&tree.open());
        assert!(tree.read(".pi/absolute_rules.md").contains("main"), "failed at {at}");
    }
}

#[test]
fn a_tree_that_cannot_be_written_is_served_all_the_same() {
    let tree = published();
    let read_only = Arc::new(FaultyFs::new(Plan::FailFrom(1, ErrorKind::ReadOnlyFilesystem)));
    let request = Request::Inject { harness: Harness::Pi, active: Vec::new(), session: None, event: None };
    let response = tree.open_with(read_only, NOW).ask(request);
    let Answer::Inject(answer) = response.answer else { panic!("{:?}", response.findings) };
    assert!(answer.text.contains("lld"), "{}", answer.text);
}

#[test]
fn a_lesson_that_dies_on_its_way_is_there_or_not_and_the_others_are() {
    for at in 1..=12 {
        let tree = Tree::with_law();
        for number in 0..3 {
            teach(&tree.open(), &format!("case {number} of many"), "do that");
        }
        teach(&tree.open_with(Arc::new(FaultyFs::new(Plan::Crash(at))), NOW), "the last case", "do that");
        let text = tree.read(".pi/skills/rust/runtime.edn");
        let count = text.matches(":id ").count();
        assert!((3..=4).contains(&count) && text.trim_end().ends_with(']'), "died at {at}: {text}");
        assert_eq!(teach(&tree.open(), "the last case", "do that").outcome, Outcome::Ok);
        assert_eq!(tree.read(".pi/skills/rust/runtime.edn").matches(":id ").count(), 4, "died at {at}");
    }
}

#[test]
fn a_promotion_that_dies_leaves_the_lesson_in_force_exactly_once() {
    for at in 1..=16 {
        let tree = Tree::with_law();
        teach(&tree.open(), "the linker fails", "install `lld`");
        let id = match teach(&tree.open(), "the linker fails", "install `lld`").answer {
            Answer::Taught(taught) => taught.id.to_string(),
            other => panic!("{other:?}"),
        };
        let promote = Request::Lessons(LessonRequest::Promote { id });
        tree.open_with(Arc::new(FaultyFs::new(Plan::Crash(at))), NOW).ask(promote.clone());
        let both = tree.read(".pi/skills/rust/runtime.edn") + &tree.read(".pi/skills/rust/promoted.edn");
        assert!(both.contains("lld"), "died at {at}: {both}");
        compiled(&tree.open());
        let digest = tree.read(".pi/absolute_rules.md");
        assert_eq!(digest.matches("lld").count(), 1, "died at {at}: {digest}");
        assert_eq!(tree.open().ask(promote).outcome, Outcome::Ok, "died at {at}");
        assert!(tree.read(".pi/skills/rust/promoted.edn").contains("lld"));
        assert!(!tree.read(".pi/skills/rust/runtime.edn").contains("lld"));
    }
}

#[test]
fn the_real_file_system_is_left_without_litter() {
    let tree = published();
    let steps = steps();
    compile(&tree.open_with(Arc::new(FaultyFs::over(Box::new(RealFs), Plan::Crash(steps / 2))), NOW));
    compiled(&tree.open());
    compiled(&tree.open());
    let names = std::fs::read_dir(tree.root().join(".pi/skills/rust")).unwrap();
    let names: Vec<String> = names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(names.iter().filter(|name| name.starts_with('.')).count(), 0, "{names:?}");
}

#[test]
fn a_plugin_that_cannot_be_written_leaves_nothing() {
    let write = |tree: &Tree, fs: Arc<FaultyFs>| {
        let new = PluginRequest::New { id: "hush".to_owned(), user: false };
        tree.open_with(fs, NOW).ask(Request::Policy(PolicyRequest::Plugins(new)))
    };
    let plugins = |tree: &Tree| {
        tree.files().into_keys().filter(|path| path.to_string_lossy().contains("plugins")).count()
    };
    let mut failed = 0;
    for at in 1..60 {
        let tree = Tree::with_law();
        let fs = Arc::new(FaultyFs::new(Plan::Fail(at, ErrorKind::StorageFull)));
        let response = write(&tree, fs);
        if response.outcome == Outcome::Bad {
            failed += 1;
            assert_eq!(plugins(&tree), 0, "failed at {at}");
            assert!(!tree.root().join(".pi/plugins").exists(), "failed at {at}");
        } else {
            assert!(plugins(&tree) > 1, "written at {at}");
        }
    }
    assert!(failed > 6, "{failed}");
}

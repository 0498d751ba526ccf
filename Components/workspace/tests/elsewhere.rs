//! Lessons that wait because of law elsewhere or because they were retired, and files of a newer version.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and touch files")]

mod tree;

use mentci_authority::LessonStatus;
use mentci_host::{Answer, Ask, LessonRequest, LessonView, Outcome, Request, Teaching};
use mentci_workspace::Workspace;
use tree::{Tree, compile, compiled, teach};

fn teach_in(workspace: &Workspace, skill: &str, condition: &str, resolution: &str) -> (String, LessonStatus) {
    let response = workspace.ask(Request::Lessons(LessonRequest::Add(Teaching {
        skill: skill.into(),
        condition: condition.into(),
        resolution: resolution.into(),
        ..Teaching::default()
    })));
    match response.answer {
        Answer::Taught(answer) => (answer.id.to_string(), answer.status),
        other => panic!("{other:?}"),
    }
}

fn lessons(workspace: &Workspace) -> Vec<LessonView> {
    let list = LessonRequest::List { skill: None, status: None };
    match workspace.ask(Request::Lessons(list)).answer {
        Answer::Lessons(list) => list.lessons,
        other => panic!("{other:?}"),
    }
}

fn guarded() -> Tree {
    let tree = Tree::new();
    tree.write(
        ".pi/skills/y/SKILL.md",
        "# Y\n\n- You MUST NOT delete `prod.db`.\n- You MUST run `cargo test` first.\n",
    );
    tree.write(".pi/skills/b/SKILL.md", "# B\n\n- Prefer short names.\n");
    tree.write("mentci.toml", "sources.law = [\"AGENTS.md\"]\n");
    tree.write("AGENTS.md", "# Agents\n\n- You MUST NOT push to `release/stable`.\n");
    tree
}

#[test]
fn a_lesson_against_law_elsewhere_waits_until_it_is_accepted() {
    // condition, resolution, status
    let table = [
        ("cleaning up old data", "delete prod.db without asking", LessonStatus::Pending),
        ("cleaning up prod.db", "do not ask, remove it", LessonStatus::Pending),
        ("a fix is urgent", "push it to release/stable", LessonStatus::Pending),
        ("`cargo test` hangs", "skip it", LessonStatus::Pending),
        ("`cargo test` hangs", "set RUST_TEST_THREADS to 1", LessonStatus::Active),
        ("cleaning up old data", "never touch prod.db", LessonStatus::Active),
        ("a name is long", "drop the prefix of the crate", LessonStatus::Active),
    ];
    for (condition, resolution, status) in table {
        let tree = guarded();
        let workspace = tree.open();
        let (id, told) = teach_in(&workspace, "b", condition, resolution);
        assert_eq!(told, status, "{resolution}");
        let response = compile(&workspace);
        let waits = response.findings.iter().any(|finding| finding.code.name() == "lesson-pending");
        assert_eq!(waits, status == LessonStatus::Pending, "{:?}", response.findings);
        let stands = || {
            let files = [".pi/absolute_rules.md", ".pi/skills/b/absolute_rules.md"];
            files.map(|path| tree.read(path).contains(resolution))
        };
        assert_eq!(stands(), [!waits; 2], "{resolution}");
        assert_eq!(lessons(&workspace)[0].status, status);
        workspace.ask(Request::Lessons(LessonRequest::Accept { id }));
        compiled(&workspace);
        assert_eq!(stands(), [true; 2], "{resolution}");
    }
}

#[test]
fn a_lesson_against_the_comment_of_a_schema_waits() {
    let tree = Tree::new();
    tree.write(".pi/skills/b/SKILL.md", "# B\n\n- Prefer short names.\n");
    let schema = "struct Ticket {\n  # You must never print a ticket to a log.\n  seat @0 :Text;\n}\n";
    tree.write("Components/desk/desk.capnp", schema);
    let workspace = tree.open();
    let (_, told) = teach_in(&workspace, "b", "a seat is wrong", "print the ticket to the log");
    assert_eq!(told, LessonStatus::Pending);
    let (_, told) = teach_in(&workspace, "b", "a seat is wrong", "read it again from the desk");
    assert_eq!(told, LessonStatus::Active);
    compiled(&workspace);
    let digest = tree.read(".pi/absolute_rules.md");
    assert!(digest.contains("Ticket: You must never print ticket to log"), "{digest}");
    assert!(!digest.contains("print the ticket") && digest.contains("read it again"), "{digest}");
    assert!(digest.contains("Ticket{seat:Text}"), "{digest}");
}

#[test]
fn law_that_comes_later_sets_a_lesson_waiting_and_law_that_goes_lets_it_stand() {
    let tree = guarded();
    let workspace = tree.open();
    teach_in(&workspace, "b", "a fix is urgent", "push it to `release/next`");
    compiled(&workspace);
    assert_eq!(lessons(&workspace)[0].status, LessonStatus::Active);
    tree.write(".pi/skills/z/SKILL.md", "# Z\n\n- You MUST NOT push to `release/next`.\n");
    let findings = compile(&workspace).findings;
    let finding = findings.iter().find(|finding| finding.code.name() == "lesson-pending").unwrap();
    assert!(finding.message.contains("of the skill `z`"), "{finding}");
    assert!(!tree.read(".pi/absolute_rules.md").contains("urgent"));
    tree.remove(".pi/skills/z/SKILL.md");
    compiled(&workspace);
    assert_eq!(lessons(&workspace)[0].status, LessonStatus::Active);
}

#[test]
fn a_retired_lesson_that_is_told_again_waits() {
    for refuse in [false, true] {
        let tree = Tree::with_law();
        let workspace = tree.open();
        let (condition, resolution) = ("a macro fails", "use text edit");
        let (id, _) = teach_in(&workspace, "rust", condition, resolution);
        let ask = |request| assert_eq!(workspace.ask(Request::Lessons(request)).outcome, Outcome::Ok);
        ask(LessonRequest::Accept { id: id.clone() });
        assert!(lessons(&workspace)[0].accepted);
        ask(LessonRequest::Archive { id: id.clone(), reason: "fixed".into() });
        assert!(!lessons(&workspace)[0].accepted);
        if refuse {
            ask(LessonRequest::Reject { id: id.clone(), reason: None });
        }
        teach(&workspace, condition, resolution);
        let now = lessons(&workspace);
        let status = if refuse { LessonStatus::Rejected } else { LessonStatus::Pending };
        assert_eq!(now.iter().map(|view| view.status).collect::<Vec<_>>(), [status]);
        compiled(&workspace);
        assert!(!tree.read(".pi/absolute_rules.md").contains("macro"));
        ask(LessonRequest::Accept { id });
        compiled(&workspace);
        assert!(tree.read(".pi/absolute_rules.md").contains("macro"));
        assert_eq!(lessons(&workspace).len(), 1);
    }
}

#[test]
fn a_rejection_outlives_the_clearing_of_runtime_edn() {
    /// What a person makes of the rejected lesson afterwards.
    type Then = fn(&str) -> Option<LessonRequest>;
    let accept: Then = |id| Some(LessonRequest::Accept { id: id.into() });
    let promote: Then = |id| Some(LessonRequest::Promote { id: id.into() });
    let nothing: Then = |_| None;
    let (condition, resolution) = ("the linter hangs", "kill its cache");
    let (runtime, archive) = (".pi/skills/rust/runtime.edn", ".pi/skills/rust/archive.edn");
    // What is made of it, whether before it is told again, and whether it is then in force.
    let table =
        [(nothing, false, false), (accept, false, true), (accept, true, true), (promote, false, true)];
    for (then, at_once, is_in_force) in table {
        let tree = Tree::with_law();
        let workspace = tree.open();
        let (id, _) = teach_in(&workspace, "rust", condition, resolution);
        let ask = |request| assert_eq!(workspace.ask(Request::Lessons(request)).outcome, Outcome::Ok);
        let reason = Some("the cache is shared".to_owned());
        ask(LessonRequest::Reject { id: id.clone(), reason });
        assert_eq!(lessons(&workspace).len(), 1);
        tree.remove(runtime);
        let kept = tree.read(archive);
        assert!(kept.contains(":rejected") && kept.contains("the cache is shared"), "{kept}");
        if at_once {
            ask(then(&id).unwrap());
        }
        let (_, status) = teach_in(&workspace, "rust", condition, resolution);
        assert_eq!(status == LessonStatus::Rejected, !at_once);
        compiled(&workspace);
        assert_eq!(tree.read(".pi/absolute_rules.md").contains(resolution), at_once);
        if let Some(request) = then(&id).filter(|_| !at_once) {
            ask(request);
        }
        // What a person took back does not come again.
        teach_in(&workspace, "rust", condition, resolution);
        compiled(&workspace);
        assert_eq!(tree.read(".pi/absolute_rules.md").contains(resolution), is_in_force);
    }
}

#[test]
fn a_rejected_lesson_that_is_written_by_hand_waits() {
    let tree = Tree::with_law();
    let workspace = tree.open();
    let (id, _) = teach_in(&workspace, "rust", "the cache is cold", "warm it by hand");
    let reject = LessonRequest::Reject { id, reason: None };
    assert_eq!(workspace.ask(Request::Lessons(reject)).outcome, Outcome::Ok);
    let entry = r#"[{:condition "the cache is cold" :resolution "warm it by hand"}]"#;
    tree.write(".pi/skills/rust/runtime.edn", entry);
    let findings = compile(&workspace).findings;
    let finding = findings.iter().find(|finding| finding.code.name() == "lesson-pending").unwrap();
    assert!(finding.message.contains("was rejected before and is told again"), "{finding}");
    assert!(!tree.read(".pi/absolute_rules.md").contains("warm it"));
}

#[test]
fn files_of_a_newer_version_are_left_alone() {
    let table = [
        ("absolute_rules.map.json", "{\"format\": 99}\n"),
        ("absolute_rules.map.json", "{\"colour\": 1, \"format\":2, \"entries\": 7}"),
        ("absolute_rules.md", "<!-- mentci absolute_rules format=99 seal=0123456789abcdef -->\n# Rules\n"),
        ("absolute_rules.md", "<!-- mentci absolute_rules format=2 sum=1 -->\n"),
    ];
    for (file, text) in table {
        for folder in [".pi", ".pi/skills/rust"] {
            let tree = Tree::with_law();
            compiled(&tree.open());
            tree.write(&format!("{folder}/{file}"), text);
            let before = tree.files();
            let response = compile(&tree.open());
            assert_eq!(response.outcome, Outcome::Bad, "{folder}/{file}");
            let newer = response.findings.iter().filter(|finding| finding.code.id() == "E0802");
            assert_eq!(newer.count(), 1, "{:?}", response.findings);
            assert_eq!(tree.files()[&tree.root().join(folder).join(file)], text.as_bytes());
            let of_folder = |path: &std::path::PathBuf| path.parent() == Some(&tree.root().join(folder));
            assert!(
                before
                    .iter()
                    .filter(|(path, _)| of_folder(path))
                    .eq(tree.files().iter().filter(|(path, _)| of_folder(path)))
            );
        }
    }
}

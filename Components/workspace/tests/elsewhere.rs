//! Lessons that wait because of law elsewhere or because they were retired, those that stand elsewhere than in `runtime.edn`, and files of a
//! newer version.
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

const RUNTIME: &str = ".pi/skills/rust/runtime.edn";
const PROMOTED: &str = ".pi/skills/rust/promoted.edn";
const ARCHIVE: &str = ".pi/skills/rust/archive.edn";

/// Tells of the linker in a session; what is answered, with the file.
fn teach_of_linker(workspace: &Workspace, session: &str) -> (String, String) {
    let response = workspace.ask(Request::Lessons(LessonRequest::Add(Teaching {
        skill: "rust".into(),
        condition: "the linker fails".into(),
        resolution: "install `lld`".into(),
        session: Some(session.into()),
        ..Teaching::default()
    })));
    match response.answer {
        Answer::Taught(answer) => {
            (answer.id.to_string(), format!("{} ({}): {}", answer.path, answer.status.name(), answer.message))
        }
        other => panic!("{other:?} {:?}", response.findings),
    }
}

#[test]
fn a_promoted_lesson_that_is_told_again_grows_where_it_stands() {
    let tree = Tree::with_law();
    let workspace = tree.open();
    let (id, _) = teach_of_linker(&workspace, "one");
    assert_eq!(workspace.ask(Request::Lessons(LessonRequest::Promote { id })).outcome, Outcome::Ok);
    let (runtime, promoted) = (tree.read(RUNTIME), format!("; ours\n{}", tree.read(PROMOTED)));
    tree.write(PROMOTED, &promoted);

    insta::assert_snapshot!(teach_of_linker(&workspace, "two").1, @".pi/skills/rust/promoted.edn (promoted): the lesson was known already; this session was added to it; it is promoted and part of the rules");
    let grown = promoted.replace(r#"#{"one"}"#, r#"#{"one" "two"}"#);
    assert_ne!(grown, promoted);
    assert_eq!((tree.read(RUNTIME), tree.read(PROMOTED)), (runtime.clone(), grown.clone()));
    insta::assert_snapshot!(teach_of_linker(&workspace, "two").1, @".pi/skills/rust/promoted.edn (promoted): the lesson was known already; it is promoted and part of the rules");
    assert_eq!((tree.read(RUNTIME), tree.read(PROMOTED)), (runtime, grown));

    let listed = lessons(&workspace);
    assert_eq!(listed.len(), 1);
    assert_eq!((listed[0].status, listed[0].path.as_str()), (LessonStatus::Promoted, PROMOTED));
    assert_eq!(listed[0].sessions, ["one", "two"]);

    // Beside others of a file, it alone is told to where it stands.
    let theirs = r#"[{:condition "the linker fails" :resolution "install `lld`" :sessions #{"three"}}
        {:condition "the disk fills" :resolution "prune logs"}]"#;
    tree.write("theirs.edn", theirs);
    let import = LessonRequest::Import { skill: "rust".into(), path: "theirs.edn".into() };
    let Answer::Lessons(imported) = workspace.ask(Request::Lessons(import)).answer else { panic!() };
    let paths: Vec<_> = imported.lessons.iter().map(|view| view.path.as_str()).collect();
    assert_eq!(paths, [RUNTIME, PROMOTED]);
    assert!(!tree.read(RUNTIME).contains("lld") && tree.read(RUNTIME).contains("prune logs"));
    assert!(tree.read(PROMOTED).contains(r#"#{"one" "two" "three"}"#));
}

#[test]
fn a_damaged_promoted_edn_keeps_nobody_from_telling() {
    let damaged: [&[u8]; 3] = [b"[{:condition", b"\xff\xfe\xfd", b"{}"];
    for bytes in damaged {
        let tree = Tree::with_law();
        tree.write(PROMOTED, bytes);
        let (_, told) = teach_of_linker(&tree.open(), "one");
        assert!(told.starts_with(RUNTIME), "{told}");
        assert!(tree.read(RUNTIME).contains("lld"));
        assert_eq!(std::fs::read(tree.root().join(PROMOTED)).unwrap(), bytes);
    }
}

/// A lesson that a person promoted and that stands in `runtime.edn` as well, as a merge of two branches leaves it.
fn in_both_files() -> (Tree, String) {
    let tree = Tree::with_law();
    let workspace = tree.open();
    let (id, _) = teach_of_linker(&workspace, "one");
    workspace.ask(Request::Lessons(LessonRequest::Promote { id: id.clone() }));
    let told = tree.read(PROMOTED).replace(":promoted", ":active").replace("\"one\"", "\"two\"");
    tree.write(RUNTIME, told);
    (tree, id)
}

#[test]
fn a_lesson_in_both_files_is_shown_once_and_archived_whole() {
    let (tree, id) = in_both_files();
    let workspace = tree.open();
    let listed = lessons(&workspace);
    assert_eq!(listed.len(), 1);
    assert_eq!((listed[0].status, listed[0].path.as_str()), (LessonStatus::Promoted, PROMOTED));
    assert!(listed[0].accepted);
    assert_eq!(listed[0].sessions, ["one", "two"]);

    let archive = LessonRequest::Archive { id: id.clone(), reason: "fixed upstream".into() };
    let Answer::Lesson(answer) = workspace.ask(Request::Lessons(archive)).answer else { panic!() };
    assert_eq!(answer.lesson.status, LessonStatus::Archived);
    assert_eq!(answer.lesson.path, ARCHIVE);
    assert!(!answer.lesson.accepted);
    assert_eq!(lessons(&workspace), [answer.lesson]);
    assert!(!tree.read(RUNTIME).contains("lld") && !tree.read(PROMOTED).contains("lld"));
    insta::assert_snapshot!(tree.read(ARCHIVE), @r#"
    [{:id "74f65fba0b413739"
      :condition "the linker fails"
      :resolution "install `lld`"
      :at "2026-11-21T00:00:00Z"
      :sessions #{"two" "one"}
      :status :archived
      :reason "fixed upstream"}]
    "#);
    let findings = compile(&workspace).findings;
    assert!(findings.is_empty(), "{findings:?}");
    assert!(!tree.read(".pi/absolute_rules.md").contains("lld"));

    // Told again, it waits; put away again, it says why it was put away last.
    teach_of_linker(&workspace, "three");
    assert_eq!(lessons(&workspace)[0].status, LessonStatus::Pending);
    let archive = LessonRequest::Archive { id, reason: "still fixed".into() };
    assert_eq!(workspace.ask(Request::Lessons(archive)).outcome, Outcome::Ok);
    let listed = lessons(&workspace);
    assert_eq!((listed.len(), listed[0].reason.as_deref()), (1, Some("still fixed")));
}

#[test]
fn a_lesson_in_both_files_is_rejected_whole_and_whole_in_force_again() {
    let again: [fn(String) -> LessonRequest; 2] =
        [|id| LessonRequest::Accept { id }, |id| LessonRequest::Promote { id }];
    for again in again {
        let (tree, id) = in_both_files();
        let workspace = tree.open();
        let ask = |request| assert_eq!(workspace.ask(Request::Lessons(request)).outcome, Outcome::Ok);
        ask(LessonRequest::Reject { id: id.clone(), reason: Some("it is shared".into()) });
        let listed = lessons(&workspace);
        assert_eq!(listed.iter().map(|view| view.status).collect::<Vec<_>>(), [LessonStatus::Rejected]);
        assert!(!listed[0].accepted);
        for path in [RUNTIME, PROMOTED, ARCHIVE] {
            assert_eq!(tree.read(path).matches(":rejected").count(), 1, "{path}");
        }
        compiled(&workspace);
        assert!(!tree.read(".pi/absolute_rules.md").contains("lld"));

        ask(again(id));
        let listed = lessons(&workspace);
        assert_eq!(listed.iter().map(|view| view.status).collect::<Vec<_>>(), [LessonStatus::Promoted]);
        assert!(listed[0].accepted);
        compiled(&workspace);
        assert_eq!(tree.read(".pi/absolute_rules.md").matches("lld").count(), 1);
    }
}

#[test]
fn a_lock_that_cannot_be_taken_is_named() {
    let tree = Tree::with_law();
    std::fs::create_dir_all(tree.root().join(".mentci/edit.lock")).unwrap();
    let response = teach(&tree.open(), "the linker fails", "install `lld`");
    assert_eq!(response.outcome, Outcome::Bad);
    insta::assert_snapshot!(response.findings[0], @r"
    .mentci/edit.lock: error[E0803]: cannot lock this file: it is a directory
      help: nothing was changed; try again when the disk allows it
    ");
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

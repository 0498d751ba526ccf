//! The policy pack: what makes it stale, what damages it, and that neither ever decides.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and touch files")]

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use mentci_disk::{FaultyFs, Fs, Plan, RealFs};
use mentci_host::policy::{Input, Line, PackAnswer, PackState, PolicyRequest};
use mentci_host::{Answer, Ask, Request, Response};
use mentci_workspace::{StoppedClock, Surroundings, Workspace};

/// A workspace with a rule about `read`, a file that it includes and that is in force itself, and a user with a rule about `send`.
struct Place {
    folder: tempfile::TempDir,
    flags: Vec<String>,
}

fn rule(id: &str, tool: &str) -> String {
    format!("rules:\n  - {{id: {id}, when: {{tool: {tool}}}, then: block, message: no {tool}}}\n")
}

impl Place {
    fn new() -> Self {
        let place =
            Self { folder: tempfile::tempdir().unwrap(), flags: vec!["policy.packs=core".to_owned()] };
        place.write(
            "tree/.pi/rules/own.yaml",
            &format!("include: [more/inner.yaml]\n{}", rule("own", "read")),
        );
        place.write("tree/.pi/rules/more/inner.yaml", &rule("inner", "list"));
        place.write("config/rules/mine.yaml", &rule("mine", "send"));
        place
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        fs::create_dir_all(self.path(path).parent().unwrap()).unwrap();
        fs::write(self.path(path), text).unwrap();
    }

    fn open(&self) -> Workspace {
        self.open_with(Arc::new(RealFs))
    }

    fn open_with(&self, fs: Arc<dyn Fs>) -> Workspace {
        let around = Surroundings {
            state: Some(self.path("state")),
            user_config: Some(self.path("config/config.toml")),
            flags: self.flags.clone(),
            ..Surroundings::default()
        };
        let now = "2026-11-21T00:00:00Z".to_owned();
        Workspace::open(&self.path("tree"), around, fs, Arc::new(StoppedClock(now)))
    }

    fn pack(&self) -> PathBuf {
        let folder = fs::read_dir(self.path("state/workspaces")).unwrap().next().unwrap().unwrap();
        folder.path().join("policy.pack")
    }

    fn state(&self) -> PackState {
        shown(&self.open()).state
    }
}

fn shown(workspace: &Workspace) -> PackAnswer {
    match workspace.ask(Request::Policy(PolicyRequest::ShowPack { path: None })).answer {
        Answer::Pack(answer) => answer,
        other => panic!("{other:?}"),
    }
}

fn decide(workspace: &Workspace, tool: &str) -> Response {
    let text = format!(
        r#"{{"event":"pre_tool_call","session":"s","tool":{{"name":"{tool}","args":{{"path":"src/lib.rs"}}}}}}"#
    );
    let event = Input::Text { name: "event".to_owned(), text };
    workspace.ask(Request::Policy(PolicyRequest::Decide {
        rules: Vec::new(),
        lenient: false,
        event,
        dry_run: true,
        beside: None,
        dated: true,
    }))
}

/// The ids of the rules that took part.
fn rules(response: &Response) -> Vec<String> {
    match &response.answer {
        Answer::Lines(answer) => match &answer.lines[0] {
            Line::Verdict(verdict) => verdict.rules.clone(),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}: {:?}", response.findings),
    }
}

/// Which of four tools are blocked, by which rule.
fn verdicts(place: &Place) -> Vec<Vec<String>> {
    let workspace = place.open();
    ["read", "list", "send", "other"].into_iter().map(|tool| rules(&decide(&workspace, tool))).collect()
}

#[test]
fn the_first_decision_makes_the_pack_and_the_next_opens_it() {
    let place = Place::new();
    assert_eq!(place.state(), PackState::Absent);
    let first = verdicts(&place);
    assert_eq!(first, [vec!["own"], vec!["inner", "inner"], vec!["mine"], vec![]]);
    assert_eq!(place.state(), PackState::Fresh);
    // It was opened, not made: nothing was written.
    let fs = Arc::new(FaultyFs::new(Plan::None));
    assert_eq!(rules(&decide(&place.open_with(fs.clone()), "read")), ["own"]);
    assert!(fs.calls().is_empty(), "{:?}", fs.calls());
    assert_eq!(verdicts(&place), first);
}

#[test]
fn whatever_changes_the_program_makes_the_pack_stale() {
    type Change = fn(&mut Place);
    let changes: [(&str, Change, &str, &[&str]); 10] = [
        ("touched", |place| touch(place, "tree/.pi/rules/own.yaml"), "read", &["own"]),
        ("edited", |place| place.write("tree/.pi/rules/own.yaml", &rule("new", "read")), "read", &["new"]),
        (
            "same size",
            |place| place.write("config/rules/mine.yaml", &rule("mina", "send")),
            "send",
            &["mina"],
        ),
        (
            "replaced",
            |place| {
                place.write("config/rules/mine.new", &rule("mini", "send"));
                fs::rename(place.path("config/rules/mine.new"), place.path("config/rules/mine.yaml"))
                    .unwrap();
            },
            "send",
            &["mini"],
        ),
        (
            "included",
            |place| place.write("tree/.pi/rules/more/inner.yaml", &rule("deep", "list")),
            "list",
            &["deep", "deep"],
        ),
        (
            "appeared",
            |place| place.write("tree/.pi/rules/two.yaml", &rule("two", "other")),
            "other",
            &["two"],
        ),
        (
            "appeared for the user",
            |place| place.write("config/rules/x/y.yaml", &rule("y", "other")),
            "other",
            &["y"],
        ),
        ("vanished", |place| fs::remove_file(place.path("config/rules/mine.yaml")).unwrap(), "send", &[]),
        ("a setting", |place| place.flags.push("policy.default=block".to_owned()), "other", &["__default__"]),
        (
            "trust",
            |place| {
                let response = place.open().ask(Request::Trust { revoke: false });
                assert!(response.findings.is_empty(), "{:?}", response.findings);
            },
            "read",
            &["own"],
        ),
    ];
    for (name, change, tool, expected) in changes {
        let mut place = Place::new();
        verdicts(&place);
        assert_eq!(place.state(), PackState::Fresh, "{name}");
        change(&mut place);
        assert_eq!(place.state(), PackState::Stale, "{name}");
        assert_eq!(rules(&decide(&place.open(), tool)), expected, "{name}");
        assert_eq!(place.state(), PackState::Fresh, "{name}");
    }
}

fn touch(place: &Place, path: &str) {
    let file = fs::File::options().append(true).open(place.path(path)).unwrap();
    file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
}

/// Two writes in one tick of the clock, the second of the same size: only a hash can tell.
#[test]
fn a_file_that_was_just_written_is_told_by_its_hash() {
    let place = Place::new();
    for round in 0..5 {
        let id = format!("r{round:02}");
        place.write("config/rules/mine.yaml", &rule(&id, "send"));
        assert_eq!(rules(&decide(&place.open(), "send")), std::slice::from_ref(&id), "{round}");
    }
}

#[test]
fn one_process_sees_what_changes_under_it() {
    let place = Place::new();
    let workspace = place.open();
    assert_eq!(rules(&decide(&workspace, "read")), ["own"]);
    place.write("tree/.pi/rules/own.yaml", &rule("new", "read"));
    assert_eq!(rules(&decide(&workspace, "read")), ["new"]);
    fs::remove_file(place.pack()).unwrap();
    assert_eq!(rules(&decide(&workspace, "send")), ["mine"]);
}

#[test]
fn a_broken_file_is_told_each_time_by_the_pack_of_what_stands_in() {
    let place = Place::new();
    verdicts(&place);
    place.write("tree/.pi/rules/own.yaml", "rules: [{id: own, when: {tool: read}, then: blok}]\n");
    for _ in 0..2 {
        let response = decide(&place.open(), "read");
        let codes: Vec<&str> = response.findings.iter().map(|finding| finding.code.name()).collect();
        assert!(codes.contains(&"rules-stand-in"), "{codes:?}");
        assert_eq!(rules(&response), ["own"], "its last good version stays");
        assert_eq!(place.state(), PackState::Fresh);
    }
    place.write("tree/.pi/rules/own.yaml", &rule("mended", "read"));
    assert_eq!(rules(&decide(&place.open(), "read")), ["mended"]);
    assert_eq!(place.state(), PackState::Fresh);
}

#[test]
fn a_file_that_cannot_be_read_at_all_is_packed_as_lost_until_it_can_be() {
    let place = Place::new();
    std::os::unix::fs::symlink("later.yaml.txt", place.path("tree/.pi/rules/lost.yaml")).unwrap();
    let first = decide(&place.open(), "read");
    let told = |response: &Response| response.findings.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert!(told(&first).iter().any(|finding| finding.contains("lost.yaml")), "{:?}", told(&first));
    assert_eq!(place.state(), PackState::Fresh);
    let second = decide(&place.open(), "read");
    assert_eq!((rules(&second), told(&second)), (rules(&first), told(&first)));
    // Nothing of the link moves.
    place.write("tree/.pi/rules/later.yaml.txt", &rule("late", "look"));
    assert_eq!(place.state(), PackState::Stale);
    assert_eq!(rules(&decide(&place.open(), "look")), ["late"]);
    assert_eq!(place.state(), PackState::Fresh);
}

#[test]
fn what_was_odd_in_the_files_is_told_by_the_pack_too() {
    let place = Place::new();
    place.write("tree/.pi/rules/loose.yaml", "rules: [{id: open, when: {tool: other}, then: allow}]\n");
    let first = decide(&place.open(), "other").findings;
    assert_eq!(place.state(), PackState::Fresh);
    let second = decide(&place.open(), "other").findings;
    assert_eq!(first, second);
    assert_eq!(first[0].code.name(), "config-untrusted");
}

#[test]
fn a_damaged_pack_never_decides() {
    let place = Place::new();
    let expected = verdicts(&place);
    let good = fs::read(place.pack()).unwrap();
    let flipped = (0..6).map(|part| {
        let mut bytes = good.clone();
        bytes[part * (good.len() - 1) / 5] ^= 0x55;
        bytes
    });
    let newer = {
        let mut bytes = good.clone();
        bytes[8] += 1;
        bytes
    };
    let others =
        [Vec::new(), good[..20].to_vec(), good[..good.len() / 2].to_vec(), b"rules: []".to_vec(), newer];
    for (round, bytes) in flipped.chain(others).enumerate() {
        fs::write(place.pack(), &bytes).unwrap();
        assert_eq!(place.state(), PackState::Damaged, "{round}");
        assert_eq!(rules(&decide(&place.open(), "read")), expected[0], "{round}");
        assert_eq!(place.state(), PackState::Fresh, "{round}");
    }
    assert_eq!(verdicts(&place), expected);
}

#[test]
fn a_folder_in_the_place_of_the_pack_is_no_pack() {
    let place = Place::new();
    verdicts(&place);
    fs::remove_file(place.pack()).unwrap();
    fs::create_dir(place.pack()).unwrap_or_default();
    assert_eq!(rules(&decide(&place.open(), "read")), ["own"]);
}

#[test]
fn a_repository_cannot_bring_a_pack() {
    let place = Place::new();
    verdicts(&place);
    let mut other = Place::new();
    other.write("tree/.pi/rules/own.yaml", "rules: []\n");
    for path in ["tree/.mentci/policy.pack", "tree/policy.pack", "tree/.pi/policy.pack"] {
        fs::create_dir_all(other.path(path).parent().unwrap()).unwrap();
        fs::copy(place.pack(), other.path(path)).unwrap();
    }
    assert_eq!(rules(&decide(&other.open(), "read")), Vec::<String>::new());
    // Nor does the pack of another workspace decide in this one.
    fs::copy(place.pack(), other.pack()).unwrap();
    assert_eq!(other.state(), PackState::Stale);
    assert_eq!(rules(&decide(&other.open(), "read")), Vec::<String>::new());
    other.flags.clear();
}

/// The process dies before any step of making the pack, or the disk is full: the next one decides the same.
#[test]
fn whoever_dies_while_packing_leaves_a_pack_or_none() {
    let steps = {
        let fs = Arc::new(FaultyFs::new(Plan::None));
        decide(&Place::new().open_with(fs.clone()), "read");
        fs.calls().len()
    };
    assert!(steps > 2, "{steps}");
    for at in 1..=steps {
        let full = Plan::FailFrom(at, std::io::ErrorKind::StorageFull);
        for plan in [Plan::Crash(at), full].into_iter().skip(at % 2) {
            let place = Place::new();
            assert_eq!(
                rules(&decide(&place.open_with(Arc::new(FaultyFs::new(plan))), "read")),
                ["own"],
                "{at}"
            );
            assert!([PackState::Absent, PackState::Fresh].contains(&place.state()), "{at}");
            assert_eq!(rules(&decide(&place.open(), "read")), ["own"], "{at}");
            assert_eq!(place.state(), PackState::Fresh, "{at}");
            let litter = fs::read_dir(place.pack().parent().unwrap()).unwrap();
            let names: Vec<_> = litter.flatten().map(|entry| entry.file_name()).collect();
            assert!(
                !names.iter().any(|name| name.to_string_lossy().ends_with(".mentci-tmp")),
                "{at}: {names:?}"
            );
        }
    }
}

#[test]
fn many_at_once_decide_the_same_and_leave_one_pack() {
    let place = Place::new();
    let expected = [vec!["own"], vec!["inner", "inner"], vec!["mine"], vec![]]
        .map(|ids| ids.into_iter().map(str::to_owned).collect::<Vec<_>>());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for round in 0..3 {
                    place.write("config/rules/mine.yaml", &rule("mine", "send"));
                    assert_eq!(rules(&decide(&place.open(), "read")), expected[0], "{round}");
                }
            });
        }
    });
    assert_eq!(verdicts(&place), expected);
    assert_eq!(place.state(), PackState::Fresh);
}

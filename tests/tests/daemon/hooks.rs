//! Hooks beside a daemon: the same answer with it, without it, and while it hangs or lies.

use std::io::{Read, Write};
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::process::{Output, Stdio};
use std::sync::Arc;
use std::thread;

use mentci_disk::RealFs;
use mentci_host::Ask as _;
use mentci_tests::{House, Scratch};
use mentci_workspace::{StoppedClock, Surroundings, Workspace};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use serde_json::{Value, json};

use super::house;

fn opened(workspace: &Scratch) -> Workspace {
    let state = Some(workspace.root().with_file_name("nobody").join("state/mentci"));
    let around = Surroundings { state, ..Surroundings::default() };
    let clock = Arc::new(StoppedClock("2026-11-21T00:00:00Z".into()));
    Workspace::open(workspace.root(), around, Arc::new(RealFs), clock)
}

/// Where the daemon of this workspace listens for hooks.
fn socket(workspace: &Scratch) -> PathBuf {
    opened(workspace).socket().unwrap()
}

fn payload(session: &str, tool: &str, args: &Value) -> Value {
    json!({"session_id": session, "tool_use_id": format!("{session}-{tool}"), "tool_name": tool, "tool_input": args})
}

fn hook(workspace: &Scratch, event: &str, payload: &Value) -> Output {
    let mut engine = workspace.engine();
    let engine = engine.args(["hook", "claude", event]).stdin(Stdio::piped());
    let mut child = engine.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn told(workspace: &Scratch, event: &str, payload: &Value) -> (String, String) {
    let output = hook(workspace, event, payload);
    assert_eq!(output.status.code(), Some(0));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// Calls and prompts of one session, with all that came of them.
fn journey(workspace: &Scratch, session: &str) -> Vec<(String, String)> {
    let all = [
        ("SessionStart", json!({"session_id": session, "source": "startup"})),
        ("UserPromptSubmit", json!({"session_id": session, "prompt": "go"})),
        ("PreToolUse", payload(session, "sql", &json!({"query": "drop table a"}))),
        ("PreToolUse", payload(session, "send", &json!({"to": "jane.doe@example.com"}))),
        ("PreToolUse", payload(session, "tidy", &json!({}))),
        ("Stop", json!({"session_id": session})),
    ];
    let each = all.iter().map(|(event, payload)| told(workspace, event, payload));
    each.map(|(out, err)| (out.replace(session, "S"), err)).collect()
}

fn signal(house: &House, signal: Signal) {
    let pid = Pid::from_raw(house.pid().try_into().unwrap()).unwrap();
    kill_process(pid, signal).unwrap();
    if signal == Signal::STOP {
        // It is sent before it is obeyed, and a thread that still runs may decide.
        let (_, status) = waitpid(Some(pid), WaitOptions::UNTRACED).unwrap().unwrap();
        assert!(status.stopped());
    }
}

/// How many events of this session the log holds.
fn logged(workspace: &Scratch, session: &str) -> usize {
    let log = workspace.must(&["audit", "export", "--format", "json"]);
    log.matches(&format!("\"session\":\"{session}\"")).count()
}

/// Answers each connection with these bytes, after it has read a whole request; what it read.
fn fake(
    path: &PathBuf,
    answer: impl Fn(&Value) -> Vec<u8> + Send + 'static,
) -> Arc<std::sync::Mutex<Vec<Value>>> {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let _ = std::fs::remove_file(path);
    let listener = UnixListener::bind(path).unwrap();
    let heard = Arc::new(std::sync::Mutex::new(Vec::new()));
    let keeps = heard.clone();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut length = [0; 4];
            if stream.read_exact(&mut length).is_err() {
                continue;
            }
            let mut frame = vec![0; u32::from_be_bytes(length) as usize];
            stream.read_exact(&mut frame).unwrap();
            let request: Value = serde_json::from_slice(&frame).unwrap();
            keeps.lock().unwrap().push(request.clone());
            let _ = stream.write_all(&answer(&request));
        }
    });
    heard
}

fn framed(value: &Value) -> Vec<u8> {
    let bytes = value.to_string().into_bytes();
    [u32::try_from(bytes.len()).unwrap().to_be_bytes().as_slice(), &bytes].concat()
}

#[test]
fn a_hook_answers_the_same_with_a_daemon_and_without() {
    let workspace = house();
    let without = journey(&workspace, "alone");
    assert!(without[2].0.contains("tables stay") && without[3].0.contains("updatedInput"), "{without:?}");
    let running = House::with(&workspace, &["serve"], &[]);
    assert!(socket(&workspace).exists());
    assert_eq!(journey(&workspace, "beside"), without);
    // One that hangs costs a moment.
    signal(&running, Signal::STOP);
    assert_eq!(journey(&workspace, "stopped"), without);
    signal(&running, Signal::CONT);
    // What it was asked meanwhile it decides no more: each call was decided by the hook, and stands once in the log.
    assert_eq!(journey(&workspace, "after"), without);
    let once = logged(&workspace, "alone");
    assert!(once >= 6 && logged(&workspace, "stopped") == once, "{once}");
    signal(&running, Signal::KILL);
    assert_eq!(journey(&workspace, "killed"), without);
}

/// A daemon that decides too late, or whose answer is lost, has told nobody anything.
#[test]
fn what_a_lost_answer_would_have_told_is_told() {
    let workspace = house();
    let without = journey(&workspace, "alone");
    assert!(without[0].0.contains("house-1"), "{without:?}");
    let daemon = opened(&workspace);
    let heard = fake(&socket(&workspace), move |request| {
        let mut request = request.clone();
        request["asker"]["until_ms"] = json!(u64::MAX);
        let decided = daemon.ask(serde_json::from_value(request).unwrap());
        assert!(format!("{decided:?}").contains("verdicts: [Verdict"), "{decided:?}");
        Vec::new()
    });
    assert_eq!(journey(&workspace, "lost"), without);
    assert!(!heard.lock().unwrap().is_empty());
}

/// The files of the workspace's state, with what they hold.
fn state_files(workspace: &Scratch) -> Vec<(String, Vec<u8>)> {
    let folder = std::fs::read_dir(socket(workspace).parent().unwrap()).unwrap();
    let file = |entry: std::fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        Some((name, std::fs::read(entry.path()).ok()?))
    };
    let mut files: Vec<_> = folder.filter_map(|entry| file(entry.unwrap())).collect();
    files.sort();
    files
}

#[test]
fn the_daemon_is_asked_before_anything_is_opened() {
    let workspace = house();
    let verdict = json!({"decision": "block", "rules": ["x"], "args": null, "redacted": [], "actions": [], "faults": [],
        "reasons": [{"rule": "x", "effect": "block", "message": "the daemon says so", "at": ""}]});
    let answer = framed(&json!({"outcome": 1, "response": {"verdicts": [verdict], "findings": []}}));
    let heard = fake(&socket(&workspace), move |_| answer.clone());
    let stood = state_files(&workspace);
    let (out, _) = told(&workspace, "PreToolUse", &payload("s", "tidy", &json!({})));
    assert!(out.contains("the daemon says so"), "{out}");
    assert_eq!(heard.lock().unwrap().len(), 1);
    // The log stands as trusting the rules left it, and no pack was made.
    assert_eq!(state_files(&workspace), stood);
    assert!(!stood.iter().any(|(name, _)| name == "policy.pack"), "{stood:?}");
    // Whoever would decide otherwise than the daemon decides alone.
    let mut engine = workspace.engine();
    engine.args(["hook", "claude", "PreToolUse"]).env("MENTCI_POLICY_DEFAULT", "allow").stdin(Stdio::piped());
    let mut child = engine.stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(payload("s", "tidy", &json!({})).to_string().as_bytes()).unwrap();
    assert_eq!(String::from_utf8_lossy(&child.wait_with_output().unwrap().stdout), "");
    assert_eq!(heard.lock().unwrap().len(), 1);
}

#[test]
fn a_socket_that_lies_is_passed_over() {
    let workspace = house();
    let call = payload("s", "sql", &json!({"query": "drop table a"}));
    let lies: [fn(&Value) -> Vec<u8>; 7] = [
        |_| Vec::new(),
        |_| b"{\"decision\":\"allow\"}\n".to_vec(),
        |_| u32::MAX.to_be_bytes().to_vec(),
        |_| framed(&json!([1])),
        // No verdict is no decision.
        |_| framed(&json!({"outcome": 0, "response": {"verdicts": []}})),
        |_| {
            framed(&json!({"outcome": 2, "response": {"findings": [{"severity": "error", "message": "no"}]}}))
        },
        |_| framed(&json!({"outcome": 0, "response": {"verdicts": [{"decision": "surely"}]}})),
    ];
    for (at, lie) in lies.into_iter().enumerate() {
        let heard = fake(&socket(&workspace), lie);
        let (out, _) = told(&workspace, "PreToolUse", &call);
        assert!(out.contains("tables stay"), "{at}: {out}");
        assert_eq!(heard.lock().unwrap().len(), 1, "{at}");
    }
}

#[test]
fn another_build_and_a_late_question_are_not_answered() {
    let workspace = house();
    let heard = fake(&socket(&workspace), |_| Vec::new());
    told(&workspace, "PreToolUse", &payload("s", "tidy", &json!({})));
    let asked = heard.lock().unwrap()[0].clone();
    std::fs::remove_file(socket(&workspace)).unwrap();
    let _running = House::with(&workspace, &["serve"], &[]);
    let mut other = asked.clone();
    other["asker"]["build"] = json!("0.0.1+other");
    // What the hook asked is late by now.
    for (request, why) in [
        (other, "another build of the program asks, which may decide otherwise"),
        (asked, "whoever asked has decided by itself meanwhile"),
    ] {
        let request = serde_json::from_value(request).unwrap();
        let limit = std::time::Duration::from_secs(20);
        let refused = mentci_workspace::ask_socket(&socket(&workspace), &request, limit).unwrap();
        assert_eq!((refused.outcome, refused.errors()), (2, vec![why.to_owned()]));
        assert!(refused.hook().is_none());
    }
    assert_eq!(logged(&workspace, "s"), 1);
}

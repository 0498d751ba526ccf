//! The socket of hooks.

use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use mentci_authority::{Effect, Event};
use mentci_host::policy::PolicyRequest;
use mentci_host::{Harness, HookCall, Request};
use mentci_tests::{House, Scratch};
use mentci_workspace::{SocketError, ask_socket};
use serde_json::json;

use super::{call, house};

const LIMIT: Duration = Duration::from_secs(20);

fn socket(workspace: &Scratch) -> (House, PathBuf) {
    let path = workspace.root().with_file_name("socket");
    let house = House::with(workspace, &["serve", "--socket", &path.to_string_lossy()], &[]);
    (house, path)
}

fn hook() -> Request {
    let event: Event = serde_json::from_value(call("s1", "sql", &json!({"query": "drop table a"}))).unwrap();
    Request::Hook(Box::new(HookCall { events: vec![event], ..HookCall::new(Harness::ClaudeCode) }))
}

#[test]
fn a_hook_is_answered() {
    let workspace = house();
    let (_house, path) = socket(&workspace);
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let answer = ask_socket(&path, &hook(), LIMIT).unwrap();
    assert_eq!(answer.outcome, 1);
    let verdicts = answer.hook().unwrap().verdicts;
    assert_eq!((verdicts.len(), verdicts[0].decision), (1, Effect::Block));
}

#[test]
fn what_is_a_persons_is_refused() {
    let workspace = house();
    let (_house, path) = socket(&workspace);
    let answer = PolicyRequest::Answer { id: "a".into(), grant: true, by: None, words: None };
    for request in [
        Request::Policy(answer),
        Request::Policy(PolicyRequest::Resume { session: None }),
        Request::Policy(PolicyRequest::Switch { rule: "house/no-drop".into(), enabled: false }),
        Request::Trust { revoke: false },
    ] {
        let refused = ask_socket(&path, &request, LIMIT).unwrap();
        assert_eq!(refused.outcome, 2);
        assert_eq!(refused.errors(), ["the socket carries what agents may ask, and this is a person's"]);
    }
}

#[test]
fn what_is_no_request_is_said_to_be_none() {
    let workspace = house();
    let (_house, path) = socket(&workspace);
    let mut stream = UnixStream::connect(&path).unwrap();
    stream.write_all(&7_u32.to_be_bytes()).unwrap();
    stream.write_all(b"{\"a\":1}").unwrap();
    let mut length = [0; 4];
    stream.read_exact(&mut length).unwrap();
    let mut answer = vec![0; u32::from_be_bytes(length) as usize];
    stream.read_exact(&mut answer).unwrap();
    assert!(String::from_utf8_lossy(&answer).contains("E1302"));
    // A length that nobody may send ends the connection, and the others are answered.
    let mut greedy = UnixStream::connect(&path).unwrap();
    greedy.write_all(&u32::MAX.to_be_bytes()).unwrap();
    assert_eq!(greedy.read(&mut [0; 8]).unwrap(), 0);
    assert_eq!(ask_socket(&path, &hook(), LIMIT).unwrap().outcome, 1);
}

#[test]
fn a_daemon_that_hangs_costs_no_more_than_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    let _hangs = UnixListener::bind(&path).unwrap();
    let start = Instant::now();
    let asked = ask_socket(&path, &hook(), Duration::from_millis(200));
    assert!(matches!(asked, Err(SocketError::Failed(_))), "{asked:?}");
    // Generous: the machine may be busy. What it must not be is for ever.
    assert!(start.elapsed() < Duration::from_secs(20));
    assert!(matches!(ask_socket(&folder.path().join("none"), &hook(), LIMIT), Err(SocketError::Absent(_))));
}

#[test]
fn two_daemons_do_not_share_a_socket_and_a_dead_ones_is_taken_over() {
    let workspace = house();
    let (mut house, path) = socket(&workspace);
    let second = workspace.run(&["serve", "--port", "0", "--socket", &path.to_string_lossy()]);
    assert_eq!(second.status.code(), Some(2));
    let said = String::from_utf8_lossy(&second.stderr);
    assert!(said.contains("another daemon listens there"), "{said}");
    house.kill();
    assert!(path.exists());
    drop(house);
    let (mut third, path) = socket(&workspace);
    assert_eq!(ask_socket(&path, &hook(), LIMIT).unwrap().outcome, 1);
    assert!(third.stop());
    assert!(!path.exists(), "a daemon that ends takes its socket away");
}

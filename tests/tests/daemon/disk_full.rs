//! Nothing can be written: calls are decided, a stop holds, and whoever asks is told what ends with the process.

use std::fs;
use std::path::PathBuf;

use mentci_tests::{House, Scratch};
use serde_json::{Value, json};

use super::{call, house, token};

/// The folder of the user's state.
fn state(workspace: &Scratch) -> PathBuf {
    workspace.root().with_file_name("nobody").join("state/mentci")
}

#[test]
fn a_stop_that_cannot_be_written_holds_in_the_daemon() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    // Where this stands, no stop can be written.
    fs::create_dir_all(state(&workspace).join("killed.lock")).unwrap();
    let stops = fs::read_dir(state(&workspace).join("workspaces")).unwrap().next().unwrap().unwrap().path();
    let house = House::new(&workspace);
    let ask = |method: &str, path: &str, body: Value| house.ask(method, path, Some(&operator), Some(&body));
    let rule = |session: &str| {
        let told = ask("POST", "/api/v1/decide", call(session, "read", &json!({}))).json();
        told["rules"][0].as_str().unwrap_or_default().to_owned()
    };
    let killed = ask("POST", "/api/v1/kill", json!({"reason": "fire"}));
    assert_eq!(killed.status, 503, "{killed:?}");
    let told = killed.json();
    assert_eq!(told["findings"][0]["code"], "E0803", "{told}");
    assert_eq!(
        told["findings"][1]["message"],
        "this process blocks the calls all the same, and no other process knows of it",
        "{told}"
    );
    assert_eq!((rule("s1").as_str(), rule("s2").as_str()), ("__kill_switch__", "__kill_switch__"));
    assert_eq!(ask("GET", "/api/v1/status", json!({})).json()["killed"], true);
    assert_eq!(ask("GET", "/api/v1/stops", json!({})).json()["stops"][0]["by"], "ada");
    let resumed = ask("POST", "/api/v1/resume", json!({}));
    assert_eq!((resumed.status, rule("s1").as_str()), (200, ""), "{resumed:?}");
    // A session's stop is written beside, and in the log: where neither can be, it holds all the same.
    fs::create_dir_all(stops.join("killed/killed.lock")).unwrap();
    assert_eq!(ask("POST", "/api/v1/kill", json!({"reason": "fire", "session": "s1"})).status, 200);
    assert_eq!((rule("s1").as_str(), rule("s2").as_str()), ("__kill_switch__", ""));
}

#[test]
fn what_is_held_in_memory_alone_is_told_with_each_answer_and_by_readyz() {
    let workspace = house();
    let own = fs::read_dir(state(&workspace).join("workspaces")).unwrap().next().unwrap().unwrap().path();
    for entry in fs::read_dir(&own).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().unwrap().to_string_lossy().starts_with("store.db") && path.is_file() {
            fs::remove_file(path).unwrap();
        }
    }
    let (store, held) = (own.join("store.db"), own.join("store.db.held"));
    fs::create_dir(&store).unwrap();
    let _ = fs::remove_dir_all(&held);
    fs::write(&held, "").unwrap();
    let house = House::new(&workspace);
    let codes = |told: &Value| {
        let findings = told["findings"].as_array().cloned().unwrap_or_default();
        findings.iter().map(|finding| finding["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let decided = house.ask("POST", "/api/v1/decide", None, Some(&call("s", "deploy", &json!({}))));
    assert_eq!((decided.status, decided.json()["decision"].as_str()), (200, Some("approve")));
    assert!(codes(&decided.json()).contains(&"E0814".to_owned()), "{decided:?}");
    let checked =
        house.ask("POST", "/api/v1/check", None, Some(&json!({"tool_name": "deploy", "args": {"n": 1}})));
    assert!(codes(&checked.json()).contains(&"E0814".to_owned()), "{checked:?}");
    for path in ["/readyz", "/api/v1/readyz"] {
        let ready = house.ask("GET", path, None, None);
        assert_eq!(
            (ready.status, ready.json()["status"].as_str()),
            (503, Some("error")),
            "{path}: {ready:?}"
        );
    }
    // As soon as it can be written, it is.
    fs::remove_dir(&store).unwrap();
    fs::remove_file(&held).unwrap();
    let ready = house.ask("GET", "/readyz", None, None);
    assert_eq!((ready.status, ready.json()["status"].as_str()), (200, Some("ready")), "{ready:?}");
    let asked: Value =
        serde_json::from_str(&workspace.must(&["audit", "export", "--format", "json"])).unwrap();
    assert_eq!(
        asked.as_array().unwrap().iter().filter(|line| line["tool"] == "deploy").count(),
        2,
        "{asked}"
    );
}

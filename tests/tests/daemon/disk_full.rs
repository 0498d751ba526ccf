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
    // What the store says of stops and taints is not known: what would be let through is not, and what is asked about is asked.
    let read = house.ask("POST", "/api/v1/decide", None, Some(&call("s", "read", &json!({})))).json();
    assert_eq!((&read["decision"], &read["rules"]), (&json!("block"), &json!(["__unread__"])), "{read}");
    assert!(read["reasons"][0]["message"].as_str().unwrap().contains("(E0813)"), "{read}");
    let read = house.ask("POST", "/api/v1/check", None, Some(&json!({"tool_name": "read"}))).json();
    assert_eq!((&read["verdict"], &read["rule_id"]), (&json!("BLOCK"), &json!("__unread__")), "{read}");
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
    let read = house.ask("POST", "/api/v1/check", None, Some(&json!({"tool_name": "read"}))).json();
    assert_eq!(read["verdict"], "ALLOW", "{read}");
    let asked: Value =
        serde_json::from_str(&workspace.must(&["audit", "export", "--format", "json"])).unwrap();
    assert_eq!(
        asked.as_array().unwrap().iter().filter(|line| line["tool"] == "deploy").count(),
        2,
        "{asked}"
    );
}

/// The store is held by another process, and nothing can be written beside it.
fn blocked(workspace: &Scratch) -> rusqlite::Connection {
    let own = fs::read_dir(state(workspace).join("workspaces")).unwrap().next().unwrap().unwrap().path();
    let held = own.join("store.db.held");
    let _ = fs::remove_dir_all(&held);
    fs::write(&held, "").unwrap();
    let other = rusqlite::Connection::open(own.join("store.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    other
}

#[test]
fn a_stop_holds_until_it_is_written_that_it_was_lifted() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let house = House::new(&workspace);
    let ask = |method: &str, path: &str, body: Value| house.ask(method, path, Some(&operator), Some(&body));
    let rule = |session: &str| {
        let told = ask("POST", "/api/v1/decide", call(session, "read", &json!({}))).json();
        told["rules"][0].as_str().unwrap_or_default().to_owned()
    };
    for stop in [json!({"reason": "fire"}), json!({"reason": "fire", "session": "s1"})] {
        rule("s1");
        // One that is written, and one that is held in memory alone.
        for is_written in [true, false] {
            let lock = state(&workspace).join("killed.lock");
            if !is_written {
                let _ = fs::remove_file(&lock);
                fs::create_dir_all(&lock).unwrap();
            }
            let mut resume = stop.clone();
            resume.as_object_mut().unwrap().remove("reason");
            let before = is_written.then(|| ask("POST", "/api/v1/kill", stop.clone()).status);
            let other = blocked(&workspace);
            let killed = before.unwrap_or_else(|| ask("POST", "/api/v1/kill", stop.clone()).status);
            assert!(
                killed == if is_written || stop["session"] == "s1" { 200 } else { 503 },
                "{stop} {killed}"
            );
            let refused = ask("POST", "/api/v1/resume", resume.clone());
            assert_eq!(refused.status, 503, "{stop} {refused:?}");
            assert_eq!(rule("s1"), "__kill_switch__", "{stop} {is_written}");
            assert_eq!(ask("GET", "/api/v1/stops", json!({})).json()["stops"].as_array().unwrap().len(), 1);
            drop(other);
            let resumed = ask("POST", "/api/v1/resume", resume);
            assert_eq!((resumed.status, rule("s1").as_str()), (200, ""), "{stop} {is_written} {resumed:?}");
            let _ = fs::remove_dir_all(lock);
        }
    }
}

#[test]
fn a_grant_is_good_for_one_call_also_where_its_use_cannot_be_written() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let mut house = House::new(&workspace);
    let deploy = |house: &House| {
        house.ask("POST", "/api/v1/decide", Some(&operator), Some(&call("s", "deploy", &json!({})))).json()
    };
    let asked = deploy(&house);
    let grant = format!("/api/v1/approvals/{}", asked["approval"].as_str().unwrap());
    assert_eq!(house.ask("POST", &grant, Some(&operator), Some(&json!({"grant": true}))).status, 200);
    let other = blocked(&workspace);
    for _ in 0..2 {
        let told = deploy(&house);
        assert_eq!((&told["decision"], &told["approval"]), (&json!("approve"), &asked["approval"]), "{told}");
        assert_eq!(
            told["reasons"][0]["message"],
            format!(
                "a person has allowed this call ({}), once, and it cannot be written down that it ran: another process holds the store (E0810)",
                asked["approval"].as_str().unwrap()
            ),
            "{told}"
        );
        house.kill();
        house = House::new(&workspace);
    }
    drop(other);
    let decided: Vec<Value> = (0..2).map(|_| deploy(&house)["decision"].clone()).collect();
    assert_eq!(decided, ["allow", "approve"]);
}

//! The store's file is taken away under a daemon that runs: what it acknowledged is there, for every process and after a restart.

use std::fs;
use std::path::PathBuf;

use mentci_tests::{House, Scratch};
use serde_json::{Value, json};

use super::{call, house, token};

/// The folder of the workspace's state.
fn own(workspace: &Scratch) -> PathBuf {
    let state = workspace.root().with_file_name("nobody").join("state/mentci/workspaces");
    fs::read_dir(state).unwrap().next().unwrap().unwrap().path()
}

fn remove_store(workspace: &Scratch) {
    for entry in fs::read_dir(own(workspace)).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().unwrap().to_string_lossy().starts_with("store.db") && path.is_file() {
            fs::remove_file(path).unwrap();
        }
    }
}

fn remove_folder(workspace: &Scratch) {
    fs::remove_dir_all(own(workspace)).unwrap();
}

fn empty(workspace: &Scratch) {
    fs::OpenOptions::new().write(true).open(own(workspace).join("store.db")).unwrap().set_len(0).unwrap();
}

#[test]
fn what_was_acknowledged_is_there_for_every_process_and_after_a_restart() {
    for (way, take_away) in
        [("removed", remove_store as fn(&Scratch)), ("with its folder", remove_folder), ("emptied", empty)]
    {
        let workspace = house();
        let operator = token(&workspace, "ada", "operator");
        let mut house = House::new(&workspace);
        let ask = |house: &House, method: &str, path: &str, body: Value| {
            let told = house.ask(method, path, Some(&operator), Some(&body));
            assert_eq!(told.status, 200, "{way} {path}: {told:?}");
            told.json()
        };
        let deploy = |n: u32| call(&format!("f{n}"), "deploy", &json!({"n": n}));
        let asked: Vec<String> = [1, 2]
            .iter()
            .map(|n| {
                ask(&house, "POST", "/api/v1/decide", deploy(*n))["approval"].as_str().unwrap().to_owned()
            })
            .collect();
        let before = ask(&house, "GET", "/api/v1/audit/verify", json!({}))["lines"].as_u64().unwrap();
        take_away(&workspace);
        // By whatever it is noticed, the next decision tells it.
        ask(&house, "GET", "/readyz", json!({}));
        let decided = ask(&house, "POST", "/api/v1/decide", deploy(3));
        assert_eq!(decided["decision"], "approve", "{way}: {decided}");
        let codes: Vec<&str> = decided["findings"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|finding| finding["code"].as_str())
            .collect();
        assert!(codes.contains(&"E0812"), "{way}: {decided}");
        let granted = ask(&house, "POST", &format!("/api/v1/approvals/{}", asked[0]), json!({"grant": true}));
        assert_eq!(granted["approvals"][0]["state"], "granted", "{way}: {granted}");
        let rules = ask(&house, "GET", "/api/v1/rules", json!({}));
        let rule = rules["rules"].as_array().unwrap().iter().find_map(|rule| {
            rule["rule"].as_str().filter(|rule| rule.ends_with("/no-drop")).map(str::to_owned)
        });
        let rule = rule.unwrap();
        ask(&house, "PUT", &format!("/api/v1/rules/{rule}"), json!({"enabled": false}));
        let verified = ask(&house, "GET", "/api/v1/audit/verify", json!({}));
        assert_eq!(
            (verified["holds"].as_bool(), verified["lines"].as_u64()),
            (Some(true), Some(before + 3)),
            "{way}"
        );
        // Another process knows all of it.
        assert_eq!(workspace.json(&["audit", "verify"])["lines"], before + 3, "{way}");
        let enabled = |told: &Value| {
            let rows = told["rules"].as_array().unwrap();
            rows.iter().find(|row| row["rule"] == rule.as_str()).unwrap()["enabled"].clone()
        };
        assert!(house.stop(), "{way}");
        let house = House::new(&workspace);
        assert_eq!(enabled(&ask(&house, "GET", "/api/v1/rules", json!({}))), false, "{way}");
        let waiting = ask(&house, "GET", "/api/v1/approvals", json!({}));
        assert_eq!(waiting["approvals"].as_array().unwrap().len(), 3, "{way}: {waiting}");
        assert_eq!(ask(&house, "POST", "/api/v1/decide", deploy(1))["decision"], "allow", "{way}");
    }
}

/// It was damaged while nobody looked: what it said of stops, grants and switches is lost, and all who answer for that are told.
#[test]
fn a_damaged_one_is_told_by_the_next_decision_in_the_daemons_log_and_where_one_looks() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let mut house = House::new(&workspace);
    house.ask("POST", "/api/v1/decide", Some(&operator), Some(&call("s", "read", &json!({}))));
    assert!(house.stop());
    remove_store(&workspace);
    fs::write(own(&workspace).join("store.db"), vec![0xa5; 60_000]).unwrap();
    let mut house = House::new(&workspace);
    let codes = |told: &Value| {
        let findings = told["findings"].as_array().cloned().unwrap_or_default();
        findings.iter().map(|finding| finding["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let ask = |house: &House, method: &str, path: &str, body: Value| {
        house.ask(method, path, Some(&operator), Some(&body)).json()
    };
    // Somebody who only looks comes first.
    ask(&house, "GET", "/readyz", json!({}));
    let checked = ask(&house, "POST", "/api/v1/check", json!({"tool_name": "read"}));
    assert!(codes(&checked).contains(&"E0812".to_owned()), "{checked}");
    let findings = ask(&house, "GET", "/api/v1/findings", json!({}));
    assert_eq!(codes(&findings).iter().filter(|code| *code == "E0812").count(), 1, "{findings}");
    std::thread::sleep(std::time::Duration::from_secs(1));
    assert!(house.stop());
    let said = house.said();
    assert!(said.contains("set aside as `store.db.corrupt-1`"), "{said}");
    // Every later process says that it stands there, until it is moved away.
    let doctor = workspace.run(&["doctor"]);
    let out = String::from_utf8_lossy(&doctor.stdout).into_owned();
    assert!(doctor.status.code() == Some(1) && out.contains("store.db.corrupt-1"), "{out}");
    fs::remove_file(own(&workspace).join("store.db.corrupt-1")).unwrap();
    let doctor = workspace.run(&["doctor"]);
    assert!(!String::from_utf8_lossy(&doctor.stdout).contains("corrupt"), "{doctor:?}");
}

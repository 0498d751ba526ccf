//! What was acknowledged is there, however the daemon ended.

use std::io::{BufReader, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mentci_tests::{House, read_reply};
use serde_json::{Value, json};

use super::{call, house};

/// Decides one after another on one connection, and notes each that was acknowledged, until the daemon is gone.
fn load(house: &House, thread: usize, acknowledged: &Mutex<Vec<String>>, count: &AtomicU64) {
    let mut stream = house.connect();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    for n in 0.. {
        let name = format!("t{thread}-{n}");
        let body = call(&format!("load-{thread}"), "read", &json!({"name": name})).to_string();
        let head = format!(
            "POST /api/v1/decide HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            house.addr(),
            body.len()
        );
        if stream.write_all(format!("{head}{body}").as_bytes()).is_err() {
            return;
        }
        match read_reply(&mut reader) {
            Some(reply) if reply.status == 200 => {
                acknowledged.lock().unwrap().push(name);
                count.fetch_add(1, Ordering::Relaxed);
            }
            _ => return,
        }
    }
}

#[test]
fn kill_9_under_load_loses_no_acknowledged_decision_and_no_approval() {
    let workspace = house();
    let mut house = House::new(&workspace);
    let asked =
        house.ask("POST", "/api/v1/decide", None, Some(&call("s1", "deploy", &json!({"to": "prod"})))).json();
    let approval = asked["approval"].as_str().unwrap().to_owned();
    workspace.must(&["approvals", "grant", &approval]);
    let (acknowledged, count) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicU64::new(0)));
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (house, acknowledged, count) = (&house, acknowledged.clone(), count.clone());
            scope.spawn(move || load(house, thread, &acknowledged, &count));
        }
        while count.load(Ordering::Relaxed) < 200 {
            std::thread::sleep(Duration::from_millis(5));
        }
        let killed = std::process::Command::new("kill").args(["-9", &house.pid().to_string()]).status();
        assert!(killed.unwrap().success());
    });
    house.kill();
    let house = House::new(&workspace);
    let verified = workspace.json(&["audit", "verify"]);
    assert_eq!(verified["holds"], true, "{verified}");
    let log: Value = serde_json::from_str(&workspace.must(&["audit", "export", "--format", "json"])).unwrap();
    let there: std::collections::HashSet<&str> =
        log.as_array().unwrap().iter().filter_map(|line| line["args"]["name"].as_str()).collect();
    let acknowledged = acknowledged.lock().unwrap();
    let lost: Vec<&String> = acknowledged.iter().filter(|name| !there.contains(name.as_str())).collect();
    assert!(acknowledged.len() >= 200 && lost.is_empty(), "of {} lost {lost:?}", acknowledged.len());
    let granted =
        house.ask("POST", "/api/v1/decide", None, Some(&call("s1", "deploy", &json!({"to": "prod"})))).json();
    assert_eq!(granted["decision"], "allow", "the approval is there");
}

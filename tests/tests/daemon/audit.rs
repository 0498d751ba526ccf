//! The log as an auditor takes it.

use mentci_tests::{House, Scratch};
use serde_json::json;

use super::{call, house, token};

/// A log with a refusal and what a person said.
fn logged() -> Scratch {
    let workspace = house();
    for event in [
        call("s1", "sql", &json!({"query": "drop table \"a\", b"})),
        call("s1", "<b>tool</b>", &json!({"text": "=cmd()"})),
        call("s2", "deploy", &json!({"to": "prod"})),
    ] {
        workspace.write("event.json", &event.to_string());
        workspace.run(&["decide", "event.json"]);
    }
    let asked = workspace.json(&["approvals", "list"]);
    let id = asked["approvals"][0]["id"].as_str().unwrap();
    workspace.must(&["approvals", "deny", id, "--words", "not on a Friday"]);
    workspace
}

fn store(workspace: &Scratch) -> std::path::PathBuf {
    let folder = workspace.root().with_file_name("nobody").join("state/mentci/workspaces");
    let entry = std::fs::read_dir(folder).unwrap().next().unwrap().unwrap();
    entry.path().join("store.db")
}

#[test]
fn a_log_that_holds_is_verified_and_one_that_was_changed_is_not() {
    let workspace = logged();
    let verified = workspace.json(&["audit", "verify"]);
    assert_eq!((verified["lines"].as_u64(), verified["holds"].as_bool()), (Some(4), Some(true)));
    let last = verified["last"].as_str().unwrap().to_owned();
    workspace.must(&["audit", "verify", "--expect", &last]);
    let unknown = workspace.run(&["audit", "verify", "--expect", &"0".repeat(64)]);
    assert_eq!(unknown.status.code(), Some(1));
    let odd = workspace.run(&["audit", "verify", "--expect", "none"]);
    assert_eq!(odd.status.code(), Some(2));
    let database = rusqlite::Connection::open(store(&workspace)).unwrap();
    database.execute("UPDATE log SET record = replace(record, 'block', 'allow') WHERE seq = 1", []).unwrap();
    drop(database);
    let changed = workspace.run(&["audit", "verify"]);
    assert_eq!(changed.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&changed.stdout).contains("line 1 of the log is not what was written"));
}

#[test]
fn the_table_and_the_page_hold_every_line_and_run_nothing() {
    let workspace = logged();
    let table = workspace.must(&["audit", "export"]);
    let lines: Vec<&str> = table.split("\r\n").filter(|line| !line.is_empty()).collect();
    assert_eq!(lines.len(), 5, "{table}");
    assert!(lines[0].starts_with("seq,at,session,what,tool,"));
    assert!(table.contains("\"{\"\"query\"\":\"\"drop table \\\"\"a\\\"\", b\"\"}\""), "{table}");
    assert!(table.contains("not on a Friday"));
    let all: serde_json::Value =
        serde_json::from_str(&workspace.must(&["audit", "export", "--format", "json"])).unwrap();
    assert_eq!(all.as_array().unwrap().len(), 4);
    let one = workspace.must(&["audit", "export", "--session", "s2"]);
    assert_eq!(one.split("\r\n").filter(|line| !line.is_empty()).count(), 3);
    let page = workspace.must(&["audit", "report"]);
    assert!(page.contains("Chain of 4 lines: the log is as it was written"), "{page}");
    assert!(page.contains("&lt;b&gt;tool&lt;/b&gt;") && !page.contains("<b>tool"), "{page}");
    assert!(page.contains("not on a Friday") && !page.contains("<script"), "{page}");
}

#[test]
fn the_words_of_a_denial_reach_the_agent() {
    let workspace = logged();
    workspace.write("event.json", &call("s2", "deploy", &json!({"to": "prod"})).to_string());
    let again = workspace.run(&["decide", "event.json"]);
    assert_eq!(again.status.code(), Some(1));
    let verdict = String::from_utf8_lossy(&again.stdout).into_owned();
    assert!(
        verdict.contains("a person has refused this call") && verdict.contains("not on a Friday"),
        "{verdict}"
    );
}

#[test]
fn the_same_is_had_over_http() {
    let workspace = logged();
    let operator = token(&workspace, "ada", "operator");
    let house = House::new(&workspace);
    let get = |path: &str| house.ask("GET", path, Some(&operator), None);
    assert_eq!(get("/api/v1/audit/verify").json()["holds"], true);
    assert_eq!(get("/api/v1/audit/export").header("content-type"), Some("text/csv; charset=utf-8"));
    assert_eq!(get("/api/v1/audit/export?format=json").json().as_array().unwrap().len(), 4);
    assert!(get("/api/v1/audit/report").body.contains("<h1>Decisions of"));
    let newest = get("/api/v1/events?limit=1").json();
    assert_eq!((newest["last"].as_u64(), newest["lines"][0]["what"].as_str()), (Some(4), Some("denied")));
    assert_eq!(newest["lines"][0]["why"], "not on a Friday");
    let metrics = get("/metrics");
    assert!(metrics.body.contains("# TYPE mentci_http_requests_total counter"), "{}", metrics.body);
}

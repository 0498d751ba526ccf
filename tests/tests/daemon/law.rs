//! Rules, plugins, lessons and the digest over HTTP.

use mentci_tests::House;
use serde_json::{Value, json};

use super::{call, house, token};

#[test]
fn a_switch_is_in_force_for_every_process_at_once() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let house = House::new(&workspace);
    let switch = |enabled: bool| {
        house.ask("PUT", "/api/v1/rules/house/no-drop", Some(&operator), Some(&json!({"enabled": enabled})))
    };
    workspace.write("event.json", &call("s1", "sql", &json!({"query": "drop table a"})).to_string());
    let decided = || workspace.run(&["decide", "--dry-run", "event.json"]).status.code();
    assert_eq!(decided(), Some(1));
    assert_eq!(switch(false).status, 200);
    assert_eq!(decided(), Some(0), "another process decides by what was switched");
    let rows = house.ask("GET", "/api/v1/rules", Some(&operator), None).json();
    let row = rows["rules"].as_array().unwrap().iter().find(|row| row["rule"] == "house/no-drop").unwrap();
    assert_eq!(row["enabled"], false);
    assert_eq!(switch(true).status, 200);
    assert_eq!(decided(), Some(1));
    let core =
        house.ask("PUT", "/api/v1/rules/core/own-verbs", Some(&operator), Some(&json!({"enabled": false})));
    assert_eq!(
        (core.status, core.finding().as_str()),
        (409, "E0234 `core/own-verbs` is a core rule: it cannot be switched off")
    );
}

#[test]
fn a_rule_is_tried_on_an_event_that_is_edited() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let house = House::new(&workspace);
    let test = |query: &str| {
        let body = json!({"event": call("s1", "sql", &json!({ "query": query }))});
        house.ask("POST", "/api/v1/rules/house/no-drop/test", Some(&operator), Some(&body)).json()
    };
    let fired = test("DROP TABLE a; drop table b");
    assert_eq!((fired["fires"].as_bool(), fired["decision"].as_str()), (Some(true), Some("block")));
    assert!(fired["guard"].is_object(), "{fired}");
    assert_eq!(test("select 1")["fires"], false);
    let log = house.ask("GET", "/api/v1/events", Some(&operator), None).json();
    let decided = log["lines"].as_array().unwrap().iter().filter(|line| line["decision"].is_string());
    assert_eq!(decided.count(), 0, "nothing of it has happened");
}

#[test]
fn a_lesson_is_taught_and_accepted() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let house = House::new(&workspace);
    let ask = |method: &str, path: &str, body: Option<&Value>| house.ask(method, path, Some(&operator), body);
    let lesson = json!({"skill": "house", "condition": "the tests are slow", "resolution": "run the narrow one first"});
    let taught = ask("POST", "/api/v1/lessons", Some(&lesson));
    assert_eq!(taught.status, 200, "{taught:?}");
    let id = taught.json()["id"].as_str().unwrap().to_owned();
    let accepted = ask("POST", &format!("/api/v1/lessons/{id}/accept"), None);
    assert_eq!(accepted.status, 200, "{accepted:?}");
    let digest = ask("GET", "/api/v1/digest", None).json();
    assert!(digest["text"].as_str().unwrap().contains("narrow one first"), "{digest}");
    let lessons = ask("GET", "/api/v1/lessons?skill=house", None).json();
    assert_eq!(lessons["lessons"][0]["author"], "ada");
    assert_eq!(ask("POST", "/api/v1/lessons/01998f6e-5f0e-7000-8000-000000000000/accept", None).status, 404);
}

#[test]
fn sessions_contexts_and_replays_are_read() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let house = House::new(&workspace);
    let ask = |method: &str, path: &str, body: Option<&Value>| house.ask(method, path, Some(&operator), body);
    let events = json!({"events": [
        {"event": "query_start", "session": "s1", "message": {"role": "user", "text": "drop it"}},
        call("s1", "sql", &json!({"query": "drop table a"})),
    ]});
    let told = ask("POST", "/api/v1/events", Some(&events)).json();
    let decisions: Vec<&str> = told["verdicts"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|verdict| verdict["decision"].as_str())
        .collect();
    assert_eq!(decisions, ["allow", "block"]);
    let sessions = ask("GET", "/api/v1/sessions", None).json();
    assert_eq!(
        (sessions["sessions"][0]["session"].as_str(), sessions["sessions"][0]["events"].as_u64()),
        (Some("s1"), Some(2))
    );
    assert_eq!(ask("GET", "/api/v1/sessions/s1/verify", None).json()["holds"], true);
    assert_eq!(ask("GET", "/api/v1/sessions/s1/context?budget=2000", None).status, 200);
    assert_eq!(ask("GET", "/api/v1/sessions/s1/context?budget=many", None).status, 400);
    assert_eq!(ask("GET", "/api/v1/sessions/s1/context?budget=4294967296", None).status, 400);
    // What has to stand does not fit: that is up to what the session holds.
    assert_eq!(ask("GET", "/api/v1/sessions/s1/context?budget=1", None).status, 409);
    let line = call("s1", "sql", &json!({"query": "drop table a"})).to_string();
    let replayed = ask("POST", "/api/v1/replay", Some(&json!({"events": line}))).json();
    assert_eq!(replayed["lines"][0]["decision"], "block");
}

#[test]
fn the_document_tells_of_every_route() {
    let workspace = house();
    let house = House::new(&workspace);
    let document = house.ask("GET", "/openapi.json", None, None).json();
    assert_eq!(document["openapi"], "3.1.0");
    let paths = document["paths"].as_object().unwrap();
    for path in [
        "/api/v1/decide",
        "/api/v1/check",
        "/api/v1/post-check",
        "/api/v1/check-approval",
        "/api/v1/respond-approval",
        "/api/v1/pending-approvals",
        "/api/v1/approval/{id}/status",
        "/api/v1/kill",
        "/api/v1/kill-switch",
        "/api/v1/resume",
        "/api/v1/reload",
        "/api/v1/status",
        "/api/v1/health",
        "/api/v1/constraints",
        "/api/v1/rules",
        "/api/v1/clear-taint",
        "/api/v1/stream",
        "/api/v1/audit/verify",
        "/metrics",
    ] {
        assert!(paths.contains_key(path), "{path} is not told of");
    }
    // What is told of is there: nobody is let in, and nowhere is nothing.
    for (path, methods) in paths {
        let path = path.replace(['{', '}'], "");
        for method in methods.as_object().unwrap().keys() {
            let status = house.ask(&method.to_uppercase(), &path, Some("wrong"), Some(&json!({}))).status;
            assert!([200, 401, 429].contains(&status), "{method} {path}: {status}");
        }
    }
}

/// A rule that was added while the daemon watched holds when its file breaks, though nobody asked in between.
#[test]
fn a_rule_that_was_seen_holds_when_its_file_breaks() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let house = House::new(&workspace);
    let path = ".pi/rules/house.yaml";
    let more = "- {id: no-fire, when: {tool: fire}, then: block, message: never}\n";
    let kept = || {
        let folders = std::fs::read_dir(workspace.path("../nobody/state/mentci/workspaces")).unwrap();
        let mut files = folders
            .flat_map(|folder| std::fs::read_dir(folder.unwrap().path().join("rules")).into_iter().flatten());
        files.any(|file| {
            std::fs::read_to_string(file.unwrap().path()).is_ok_and(|text| text.contains("no-fire"))
        })
    };
    workspace.write(path, &format!("{}{more}", workspace.read(path)));
    while !kept() {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    workspace.write(path, "rules: [");
    let told =
        house.ask("POST", "/api/v1/decide", Some(&operator), Some(&call("s", "fire", &json!({})))).json();
    assert_eq!((&told["decision"], &told["rules"]), (&json!("block"), &json!(["no-fire"])), "{told}");
}

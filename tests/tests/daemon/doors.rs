//! What every door refuses, in the same words: of an event that is not one, nothing is decided.

use mentci_tests::{House, Reply};
use serde_json::{Value, json};

use super::{call, house, token};

/// A body as it is written here, byte by byte.
fn send(house: &House, path: &str, token: &str, body: &str) -> Reply {
    let length = body.len();
    let head = format!("POST {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\n", house.addr());
    let rest = format!(
        "Content-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
    house.raw(format!("{head}{rest}").as_bytes())
}

#[test]
fn a_key_that_stands_twice_is_taken_by_no_door() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let house = House::new(&workspace);
    let tool = r#"{"name":"sql","args":{"query":"drop table a","query":"select 1"}}"#;
    let event = format!(r#"{{"event":"pre_tool_call","session":"s","tool":{tool}}}"#);
    for (path, body) in [
        ("/api/v1/decide", event.clone()),
        ("/api/v1/events", format!(r#"{{"events":[{event}]}}"#)),
        ("/api/v1/rules/house/no-drop/test", format!(r#"{{"event":{event}}}"#)),
        ("/api/v1/kill", r#"{"session":"a","session":"b"}"#.to_owned()),
    ] {
        let refused = send(&house, path, &operator, &body);
        assert_eq!(refused.status, 422, "{path}: {refused:?}");
        assert!(refused.finding().contains("stands twice"), "{path}: {refused:?}");
    }
    let body = r#"{"tool_name":"sql","args":{"query":"drop table a","query":"select 1"}}"#;
    let checked = send(&house, "/api/v1/check", &operator, body).json();
    assert_eq!(checked["verdict"], "BLOCK");
    assert!(checked["message"].as_str().unwrap().contains("the key `query` stands twice"), "{checked}");
}

#[test]
fn a_number_below_what_64_bits_hold_is_rounded_by_no_door() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let house = House::new(&workspace);
    let decide = |number: &str| {
        let tool = format!(r#"{{"name":"deploy","args":{{"n":{number}}}}}"#);
        let event = format!(r#"{{"event":"pre_tool_call","session":"s","tool":{tool}}}"#);
        send(&house, "/api/v1/decide", &operator, &event)
    };
    for number in
        ["-9223372036854775809", "-9223372036854775900", "-9223372036854776832", "18446744073709551616"]
    {
        let refused = decide(number);
        assert_eq!((refused.status, refused.json()["decision"].as_str()), (422, Some("block")), "{number}");
    }
    assert_eq!(decide("-9223372036854775808").json()["decision"], "approve");
}

#[test]
fn of_events_one_of_which_is_none_nothing_is_decided() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let house = House::new(&workspace);
    let lines = || house.ask("GET", "/api/v1/events?limit=1", Some(&operator), None).json()["last"].clone();
    let before = lines();
    let events = json!({"events": [
        call("s", "read", &json!({})),
        {"event": "pre_tool_call", "session": "s"},
        call("s", "sql", &json!({"query": "drop table a"})),
    ]});
    let refused = house.ask("POST", "/api/v1/events", Some(&operator), Some(&events));
    assert_eq!((refused.status, refused.json()["decision"].as_str()), (422, Some("block")));
    let said = refused.finding();
    insta::assert_snapshot!(said, @"E0240 `events[1]`: `pre_tool_call` needs `tool` with its `name`");
    assert_eq!(lines(), before);
    let events = json!({"events": [call("s", "read", &json!({})), call("s", "sql", &json!({"query": "drop table a"}))]});
    let told = house.ask("POST", "/api/v1/events", Some(&operator), Some(&events)).json();
    assert_eq!(
        (&told["verdicts"][0]["decision"], &told["verdicts"][1]["decision"]),
        (&json!("allow"), &json!("block"))
    );
}

#[test]
fn where_nothing_is_decided_the_answer_says_block() {
    let workspace = house();
    let agent = token(&workspace, "ci", "agent");
    let house = House::new(&workspace);
    let good = call("s", "read", &json!({})).to_string();
    for (what, token, body, status) in
        [("no JSON", agent.as_str(), "{", 400), ("a wrong token", "wrong", good.as_str(), 401)]
    {
        for path in ["/api/v1/decide", "/api/v1/events"] {
            let refused = send(&house, path, token, body);
            assert_eq!(
                (refused.status, refused.json()["decision"].as_str()),
                (status, Some("block")),
                "{what}"
            );
            assert!(!refused.finding().is_empty(), "{what}: {refused:?}");
        }
    }
    let unknown = house.ask("POST", "/api/v1/decide", None, Some(&json!({})));
    assert_eq!((unknown.status, unknown.json()["decision"].as_str()), (401, Some("block")));
}

#[test]
fn what_is_said_to_a_grant_stands_with_it() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let house = House::new(&workspace);
    let asked =
        house.ask("POST", "/api/v1/decide", Some(&operator), Some(&call("s", "deploy", &json!({})))).json();
    let path = format!("/api/v1/approvals/{}", asked["approval"].as_str().unwrap());
    let say = |body: serde_json::Value| house.ask("POST", &path, Some(&operator), Some(&body));
    let granted = say(json!({"grant": true, "words": " this once "}));
    assert_eq!((granted.status, &granted.json()["approvals"][0]["words"]), (200, &json!("this once")));
    let log = workspace.must(&["audit", "export", "--format", "json"]);
    assert!(log.lines().any(|line| line.contains("granted") && line.contains("this once")), "{log}");
    // A grant that nothing is said to has no words.
    let asked =
        house.ask("POST", "/api/v1/decide", Some(&operator), Some(&call("t", "deploy", &json!({})))).json();
    let path = format!("/api/v1/approvals/{}", asked["approval"].as_str().unwrap());
    let granted = house.ask("POST", &path, Some(&operator), Some(&json!({"grant": true, "words": null})));
    assert_eq!((granted.status, granted.json()["approvals"][0].get("words")), (200, None));
}

/// A request keeps the start of long arguments, and another call may begin like it.
#[test]
fn a_request_shows_the_arguments_of_its_own_call() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let house = House::new(&workspace);
    let wish = "happy birthday ".repeat(400);
    let ask = |to: &str| {
        let call = call("s", "deploy", &json!({"body": wish, "to": to}));
        let asked = house.ask("POST", "/api/v1/decide", Some(&operator), Some(&call)).json();
        asked["approval"].as_str().unwrap().to_owned()
    };
    let (thief, mother) = (ask("thief"), ask("mother"));
    let get = |path: &str| house.ask("GET", path, Some(&operator), None).json();
    for (at, list) in [get("/api/v1/approvals"), get("/api/v1/pending-approvals")].iter().enumerate() {
        let rows = list["approvals"].as_array().unwrap();
        for (id, to) in [(&thief, "thief"), (&mother, "mother")] {
            let row =
                rows.iter().find(|row| [&row["id"], &row["approval_id"]].contains(&&json!(id))).unwrap();
            let args = &row["args"];
            let args = args.as_str().map_or_else(|| args.clone(), |text| serde_json::from_str(text).unwrap());
            assert_eq!(args, json!({"body": wish, "to": to}), "{at}");
        }
    }
    let listed = workspace.must(&["--json", "approvals", "list"]);
    assert!(["thief", "mother"].iter().all(|to| listed.contains(to)), "{listed}");
}

#[test]
fn the_document_tells_of_every_door() {
    let workspace = house();
    let house = House::new(&workspace);
    let document = house.ask("GET", "/openapi.json", None, None).json();
    assert!(document["paths"]["/mcp"]["post"]["security"].is_array(), "{}", document["paths"]["/mcp"]);
}

/// The schemas of what is called a session, wherever one is told, with their places; lessons keep a session's name as a text of
/// their own.
fn session_schemas<'d>(told: &'d Value, place: &str, found: &mut Vec<(String, &'d Value)>) {
    match told {
        Value::Object(map) => {
            if let (Some("session"), Some(schema)) =
                (map.get("name").and_then(Value::as_str), map.get("schema"))
            {
                found.push((place.to_owned(), schema));
            }
            for (key, value) in map {
                if place.ends_with("/properties") && (key == "session" || key == "session_id") {
                    found.push((place.to_owned(), value));
                }
                session_schemas(value, &format!("{place}/{key}"), found);
            }
        }
        Value::Array(list) => list.iter().for_each(|value| session_schemas(value, place, found)),
        _ => {}
    }
}

#[test]
fn a_session_is_named_alike_at_every_door() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let house = House::new(&workspace);
    let document = house.ask("GET", "/openapi.json", None, None).json();
    let mut found = Vec::new();
    session_schemas(&document["paths"], "", &mut found);
    found.retain(|(place, _)| !place.starts_with("//api/v1/lessons/"));
    assert!(found.len() > 12, "{found:?}");
    for (place, schema) in &found {
        assert!(schema["maxLength"].as_u64().is_some_and(|most| most <= 1_024), "{place}: {schema}");
        let is_shield = place.contains("check");
        assert!(is_shield || schema["pattern"].is_string(), "{place}: {schema}");
    }
    let (long, odd) = ("s".repeat(1_025), "s\u{200b}1".to_owned());
    let ask = |method: &str, path: &str, body: Option<&Value>| house.ask(method, path, Some(&operator), body);
    for session in [long, odd] {
        let whose = json!({ "session": session });
        let event = call(&session, "sql", &json!({}));
        for (method, path, body) in [
            ("POST", "/api/v1/kill", whose.clone()),
            ("POST", "/api/v1/kill-switch", json!({"session_id": session, "reason": "fire"})),
            ("POST", "/api/v1/resume", whose.clone()),
            ("POST", "/api/v1/clear-taint", json!({ "session_id": session })),
            ("POST", "/api/v1/decide", event.clone()),
            ("POST", "/api/v1/decide?dry_run=true", event.clone()),
            ("POST", "/api/v1/events", json!({ "events": [event] })),
            ("POST", "/api/v1/check", json!({"tool_name": "sql", "session_id": session})),
            ("POST", "/api/v1/inject", whose.clone()),
            ("POST", "/api/v1/rules/house/no-drop/test", whose),
            ("POST", "/api/v1/notifications/acknowledge", json!({"ids": [], "session": session})),
        ] {
            let refused = ask(method, path, Some(&body));
            let said = if path.ends_with("check") { 200 } else { 422 };
            assert_eq!(refused.status, said, "{path}: {refused:?}");
            assert!(
                refused.body.contains("1024 bytes")
                    || refused.body.contains("256 bytes")
                    || refused.body.contains("do not show"),
                "{path}: {}",
                refused.body
            );
        }
        let name = session.replace('\u{200b}', "%E2%80%8B");
        for path in [
            "/api/v1/events?session=",
            "/api/v1/notifications?session=",
            "/api/v1/artifacts?session=",
            "/api/v1/artifacts/search?query=x&session=",
            "/api/v1/audit/export?session=",
            "/api/v1/audit/report?session=",
        ] {
            let refused = ask("GET", &format!("{path}{name}"), None);
            assert_eq!(refused.status, 422, "{path}: {refused:?}");
            assert!(refused.finding().starts_with("E0240 `session` "), "{path}: {refused:?}");
        }
    }
    assert_eq!(ask("GET", "/api/v1/stops", None).json()["stops"], json!([]), "none of these did anything");
}

//! Requests that are sent again under their key.

use mentci_tests::{House, Reply};
use serde_json::{Value, json};

use super::{call, house, token};

fn keyed(house: &House, path: &str, key: &str, more: &str, body: &Value) -> Reply {
    let lines = format!("X-Idempotency-Key: {key}\r\n{more}");
    house.with_head("POST", path, &lines, Some(body))
}

fn lines(house: &House, operator: &str) -> u64 {
    house.ask("GET", "/api/v1/events?limit=1", Some(operator), None).json()["last"].as_u64().unwrap()
}

#[test]
fn the_same_key_is_the_same_answer_and_nothing_is_done_twice() {
    let workspace = house();
    let (agent, operator) = (token(&workspace, "ci", "agent"), token(&workspace, "ada", "operator"));
    let house = House::new(&workspace);
    let by = format!("Authorization: Bearer {agent}\r\n");
    let sql = |query: &str| json!({"tool_name": "sql", "args": {"query": query}, "session_id": "s1"});
    let output = json!({"tool_name": "read", "result": "mail ada@example.com", "session_id": "s1"});
    for (path, body) in [
        ("/api/v1/decide", call("s1", "deploy", &json!({"to": "prod"}))),
        ("/api/v1/check", sql("drop table a")),
        ("/api/v1/post-check", output),
    ] {
        let first = keyed(&house, path, "k1", &by, &body);
        assert_eq!((first.status, first.header("x-idempotency-replayed")), (200, None), "{path}: {first:?}");
        let before = lines(&house, &operator);
        let again = keyed(&house, path, "k1", &by, &body);
        assert_eq!((again.status, &again.body), (200, &first.body), "{path}");
        assert_eq!(again.header("x-idempotency-replayed"), Some("true"), "{path}");
        assert_eq!(again.header("content-type"), first.header("content-type"), "{path}");
        assert_eq!(lines(&house, &operator), before, "{path}: it was decided twice");
        // Another key is another request.
        keyed(&house, path, "k2", &by, &body);
        assert_eq!(lines(&house, &operator), before + 1, "{path}");
    }
    // The key of one is not that of another, nor on another route.
    let own = format!("Authorization: Bearer {operator}\r\n");
    let other = keyed(&house, "/api/v1/check", "k1", &own, &sql("select 1"));
    assert_eq!(other.json()["verdict"], "ALLOW", "{other:?}");
}

#[test]
fn the_same_key_with_another_request_is_refused() {
    let workspace = house();
    let house = House::new(&workspace);
    let decide = |key: &str, to: &str| {
        keyed(&house, "/api/v1/decide", key, "", &call("s1", "read", &json!({ "to": to })))
    };
    assert_eq!(decide("k", "a").status, 200);
    let refused = decide("k", "b");
    assert_eq!(
        (refused.status, refused.finding().as_str()),
        (409, "E1306 this key was sent before with another request")
    );
    let long = "k".repeat(256);
    assert_eq!(decide(&long, "a").finding(), "E1306 a key has 1 to 255 letters");
    // What PolicyShield's plugins take for no answer they take for permission.
    let check = |query: &str| {
        let body = json!({"tool_name": "sql", "args": {"query": query}});
        keyed(&house, "/api/v1/check", "c", "", &body).json()
    };
    assert_eq!(check("select 1")["verdict"], "ALLOW");
    let refused = check("select 2");
    assert_eq!(refused["verdict"], "BLOCK");
    assert_eq!(refused["message"], "nothing was decided: this key was sent before with another request");
}

#[test]
fn an_answer_to_a_request_is_given_once_and_told_again() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let house = House::new(&workspace);
    let by = format!("Authorization: Bearer {operator}\r\n");
    let asked = house.ask("POST", "/api/v1/decide", Some(&operator), Some(&call("s", "deploy", &json!({}))));
    let id = asked.json()["approval"].as_str().unwrap().to_owned();
    let answer = json!({"approval_id": id, "approved": true});
    let respond = |key: &str| keyed(&house, "/api/v1/respond-approval", key, &by, &answer);
    assert_eq!(respond("a").status, 200);
    assert_eq!(respond("a").status, 200);
    let late = respond("b");
    assert_eq!(late.status, 409, "{late:?}");
    assert_eq!((&late.json()["status"], &late.json()["responder"]), (&json!("approved"), &json!("ada")));
}

#[test]
fn two_that_come_at_once_are_one() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let house = House::new(&workspace);
    let by = format!("Authorization: Bearer {operator}\r\n");
    let before = lines(&house, &operator);
    let event = call("s1", "read", &json!({}));
    let answers: Vec<String> = std::thread::scope(|scope| {
        let all = [(); 8].map(|()| scope.spawn(|| keyed(&house, "/api/v1/decide", "k", &by, &event).body));
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    assert_eq!(lines(&house, &operator), before + 1);
}

/// A decision stands under its key wherever the same law holds; under another it is made afresh.
#[test]
fn what_was_decided_is_decided_afresh_when_the_law_changed() {
    let workspace = house();
    let (agent, operator) = (token(&workspace, "ci", "agent"), token(&workspace, "ada", "operator"));
    let house = House::new(&workspace);
    let by = format!("Authorization: Bearer {agent}\r\n");
    let sql = call("s1", "sql", &json!({"query": "drop table a"}));
    let say = |method: &str, path: &str, body: Value| {
        assert_eq!(house.ask(method, path, Some(&operator), Some(&body)).status, 200, "{path}");
    };
    let switch = |enabled: bool| say("PUT", "/api/v1/rules/house/no-drop", json!({ "enabled": enabled }));
    let decide = |key: &str| {
        let reply = keyed(&house, "/api/v1/decide", key, &by, &sql);
        (
            reply.json()["decision"].as_str().unwrap().to_owned(),
            reply.header("x-idempotency-replayed").is_some(),
        )
    };
    let is = |decision: &str, replayed: bool| (decision.to_owned(), replayed);
    switch(false);
    assert_eq!((decide("k"), decide("k")), (is("allow", false), is("allow", true)));
    say("POST", "/api/v1/kill", json!({"session": "s1", "reason": "look"}));
    assert_eq!((decide("k"), decide("k")), (is("block", false), is("block", true)));
    say("POST", "/api/v1/resume", json!({"session": "s1"}));
    // Where the law is what it was, the first answer stands.
    assert_eq!((decide("k"), decide("l")), (is("allow", true), is("allow", false)));
    switch(true);
    assert_eq!(decide("l"), is("block", false));
    // A file of rules that moves is another law too.
    switch(false);
    assert_eq!(decide("m"), is("allow", false));
    let path = ".pi/rules/house.yaml";
    let more = "- {id: no-sql, when: {tool: sql}, then: block, message: none}\n";
    workspace.write(path, &format!("{}{more}", workspace.read(path)));
    assert_eq!(decide("m"), is("block", false));
}

/// A client that asks again under its key when a person has answered is told what came of it, and what was permitted once is not
/// permitted anew.
#[test]
fn a_call_about_which_a_person_was_asked_is_decided_afresh_when_they_answered() {
    let workspace = house();
    let (agent, operator) = (token(&workspace, "ci", "agent"), token(&workspace, "ada", "operator"));
    let house = House::new(&workspace);
    let by = format!("Authorization: Bearer {agent}\r\n");
    let deploy = call("s1", "deploy", &json!({"to": "prod"}));
    let decide = |key: &str| {
        let reply = keyed(&house, "/api/v1/decide", key, &by, &deploy);
        (reply.json(), reply.header("x-idempotency-replayed").is_some())
    };
    let (asked, _) = decide("k");
    assert_eq!((&asked["decision"], decide("k").1), (&json!("approve"), true));
    let path = format!("/api/v1/approvals/{}", asked["approval"].as_str().unwrap());
    assert_eq!(house.ask("POST", &path, Some(&operator), Some(&json!({"grant": true}))).status, 200);
    let (allowed, again) = decide("k");
    assert_eq!((&allowed["decision"], again), (&json!("allow"), false), "{allowed}");
    let (told, again) = decide("k");
    assert_eq!((&told["decision"], again), (&json!("allow"), true), "the answer to the same request");
    assert_eq!(decide("l").0["decision"], "approve", "the grant is used");
}

//! What a person looks for on the page: what was decided long ago, what other rules make of a session, what one rule does.

use mentci_tests::House;
use serde_json::json;

use super::toggle::{logged_in, press};
use super::{call, house, token};

fn look(house: &House, cookie: &str, path: &str) -> String {
    let reply = house.with_head("GET", path, &format!("Cookie: {cookie}\r\n"), None);
    assert_eq!(reply.status, 200, "{path}: {reply:?}");
    reply.body
}

#[test]
fn a_filter_finds_what_is_old_and_says_how_far_it_looked() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let house = House::new(&workspace);
    let cookie = logged_in(&house);
    let tell = |events: Vec<serde_json::Value>| {
        let told = house.ask("POST", "/api/v1/events", Some(&operator), Some(&json!({"events": events})));
        assert_eq!(told.status, 200, "{told:?}");
    };
    tell(vec![call("s1", "sql", &json!({"query": "drop table oldest"}))]);
    for _ in 0..11 {
        tell((0..100).map(|number| call("s2", "read", &json!({"path": format!("f{number}")}))).collect());
    }
    for filter in ["decision=block", "q=oldest", "q=oldest&decision=block&session=s1"] {
        let page = look(&house, &cookie, &format!("/?{filter}"));
        assert!(page.contains("drop table oldest"), "{filter}");
        assert!(!page.contains("Look further back"), "{filter}: all was looked at");
    }
    // Without a filter the newest stand there, and the older ones are a way on.
    let mut page = look(&house, &cookie, "/");
    let mut pages = 1;
    while let Some(at) = page.find("<a href=\"/?before=") {
        let before: String =
            page[at + "<a href=\"/?before=".len()..].chars().take_while(char::is_ascii_digit).collect();
        page = look(&house, &cookie, &format!("/?before={before}"));
        pages += 1;
    }
    assert!(page.contains("drop table oldest"));
    assert_eq!(pages, 12);
    let lines = house.ask("GET", "/api/v1/events?before=3&limit=5", Some(&operator), None).json();
    let told: Vec<u64> =
        lines["lines"].as_array().unwrap().iter().filter_map(|line| line["seq"].as_u64()).collect();
    assert_eq!(told, [1, 2]);
}

#[test]
fn a_session_is_replayed_through_rules_that_there_are() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    workspace.write("empty/README.md", "no rules");
    workspace.write("other/rules.yaml", "shield_name: other\nversion: 1\nrules: []\n");
    workspace.write("broken/rules.yaml", "rules: [");
    let house = House::new(&workspace);
    let cookie = logged_in(&house);
    let blocked = call("s1", "sql", &json!({"query": "drop table a"}));
    assert_eq!(
        house.ask("POST", "/api/v1/decide", Some(&operator), Some(&blocked)).json()["decision"],
        "block"
    );
    let replay = |against: &str| look(&house, &cookie, &format!("/session?id=s1&against={against}"));
    let other = replay("other");
    assert!(other.contains("The other rules"), "{other}");
    for (against, why) in [
        ("nope.yaml", "nope.yaml"),
        ("builtin,nope.yaml", "builtin,nope.yaml"),
        ("nope.yaml%20builtin", "nope.yaml"),
        ("builtin%20empty", "holds no rules"),
        ("broken", "broken/rules.yaml"),
    ] {
        let page = replay(against);
        assert!(!page.contains("The other rules"), "{against}: {page}");
        let told = page.split("id=\"replay\"").nth(1).and_then(|part| part.split("</form>").nth(1)).unwrap();
        assert!(told.contains("E0") && told.contains(why), "{against}: {told}");
    }
    // Over HTTP the same is refused.
    for against in ["nope.yaml", "empty"] {
        let body = json!({"events": blocked.to_string(), "against": [against]});
        let refused = house.ask("POST", "/api/v1/replay", Some(&operator), Some(&body));
        assert_eq!(refused.status, 422, "{against}: {refused:?}");
    }
}

#[test]
fn a_rule_is_tried_in_the_session_that_its_event_names() {
    let workspace = house();
    workspace.write(
        ".pi/rules/taint.yaml",
        "shield_name: taint\nversion: 1\nrules:\n- id: no-push\n  when: {tool: push, session: {total_calls: {gt: 1}}}\n  then: approve\n  message: look first\n",
    );
    workspace.must(&["trust"]);
    let operator = token(&workspace, "ada", "operator");
    let house = House::new(&workspace);
    let cookie = logged_in(&house);
    let ask =
        |path: &str, body: &serde_json::Value| house.ask("POST", path, Some(&operator), Some(body)).json();
    for _ in 0..3 {
        ask("/api/v1/decide", &call("s1", "read", &json!({})));
    }
    let push = call("s1", "push", &json!({}));
    let looked = ask("/api/v1/decide?dry_run=true", &push);
    assert_eq!(looked["decision"], "approve", "{looked}");
    let test = "/api/v1/rules/taint/no-push/test";
    for (what, body, fires, session) in [
        ("its own", json!({"event": push}), true, "s1"),
        ("one that is new", json!({"event": call("s9", "push", &json!({}))}), false, "s9"),
        (
            "none",
            json!({"event": {"event": "pre_tool_call", "tool": {"name": "push", "args": {}}}}),
            false,
            "",
        ),
        ("the one beside it", json!({"event": call("s9", "push", &json!({})), "session": "s1"}), true, "s1"),
    ] {
        let tried = ask(test, &body);
        assert_eq!(tried["fires"], fires, "{what}: {tried}");
        assert_eq!(tried["event"]["session"].as_str().unwrap_or_default(), session, "{what}: {tried}");
    }
    let event = push.to_string().replace('{', "%7B").replace('}', "%7D").replace('"', "%22");
    let tried = press(&house, &cookie, "/rule/test", &format!("rule=taint/no-push&session=&event={event}"));
    assert!(tried.body.contains("It fires."), "{}", tried.body);
    assert!(tried.body.contains("<option value=\"s1\" selected"), "{}", tried.body);
}

#[test]
fn an_address_that_is_no_page_leads_to_one() {
    let workspace = house();
    let house = House::new(&workspace);
    let cookie = logged_in(&house);
    let open = |path: &str| {
        house.with_head("GET", path, &format!("Cookie: {cookie}\r\nAccept: text/html\r\n"), None)
    };
    // Where a form was sent the browser stays, and opens that address again.
    for (form, page) in [
        ("/rule/test?rule=house%2Fno-drop", "/rule?name=house%2Fno-drop"),
        ("/rule/parameter?rule=house%2Fno-drop", "/rule?name=house%2Fno-drop"),
        ("/rule/test", "/rules"),
        ("/plugin/setting?id=demo", "/plugin?id=demo"),
        ("/approval/answer", "/approvals"),
        ("/stop", "/"),
    ] {
        let led = open(form);
        assert_eq!((led.status, led.header("location")), (303, Some(page)), "{form}");
    }
    let shown = look(&house, &cookie, "/rule?name=house%2Fno-drop");
    assert!(shown.contains("action=\"/rule/test?rule=house%2Fno-drop\""), "{shown}");
    for path in ["/nope", "/sessions/s1"] {
        let page = open(path);
        assert_eq!(page.status, 404, "{path}");
        assert!(page.body.contains("<title>No such page"), "{path}: {}", page.body);
        let plain = house.with_head("GET", path, &format!("Cookie: {cookie}\r\n"), None);
        assert_eq!((plain.status, plain.finding()), (404, format!("E1302 there is no `{path}`")));
        let stranger = house.with_head("GET", path, "Accept: text/html\r\n", None);
        assert_eq!(stranger.status, 404, "{path}");
        assert!(!stranger.body.contains("<html"), "{path}: {}", stranger.body);
    }
}

/// A model reads a sentence that was cut as one that was cut.
#[test]
fn words_that_are_too_long_end_with_a_mark() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let house = House::new(&workspace);
    let ask =
        |path: &str, body: &serde_json::Value| house.ask("POST", path, Some(&operator), Some(body)).json();
    for (length, marked) in [(1_000, false), (1_001, true), (100_000, true)] {
        let asked = ask("/api/v1/decide", &call("s1", "deploy", &json!({"length": length})));
        let id = asked["approval"].as_str().unwrap().to_owned();
        let said = json!({"grant": false, "words": "é".repeat(length)});
        let told = ask(&format!("/api/v1/approvals/{id}"), &said);
        let words = told["approvals"][0]["words"].as_str().unwrap();
        assert_eq!((words.chars().count(), words.ends_with('…')), (1_000, marked), "{length}");
    }
}

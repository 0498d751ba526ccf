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

#[test]
fn a_log_that_holds_is_verified_and_one_that_was_changed_is_not() {
    let workspace = logged();
    let verified = workspace.json(&["audit", "verify"]);
    assert_eq!((verified["lines"].as_u64(), verified["holds"].as_bool()), (Some(5), Some(true)));
    let last = verified["last"].as_str().unwrap().to_owned();
    workspace.must(&["audit", "verify", "--expect", &last]);
    let unknown = workspace.run(&["audit", "verify", "--expect", &"0".repeat(64)]);
    assert_eq!(unknown.status.code(), Some(1));
    let odd = workspace.run(&["audit", "verify", "--expect", "none"]);
    assert_eq!(odd.status.code(), Some(2));
    let database = rusqlite::Connection::open(workspace.kept("store.db")).unwrap();
    database.execute("UPDATE log SET record = replace(record, 'block', 'allow') WHERE seq = 2", []).unwrap();
    drop(database);
    let changed = workspace.run(&["audit", "verify"]);
    assert_eq!(changed.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&changed.stdout).contains("line 2 of the log is not what was written"));
}

#[test]
fn the_table_and_the_page_hold_every_line_and_run_nothing() {
    let workspace = logged();
    let table = workspace.must(&["audit", "export"]);
    let lines: Vec<&str> = table.split("\r\n").filter(|line| !line.is_empty()).collect();
    assert_eq!(lines.len(), 6, "{table}");
    assert!(lines[0].starts_with("seq,at,session,what,tool,"));
    assert!(table.contains("\"{\"\"query\"\":\"\"drop table \\\"\"a\\\"\", b\"\"}\""), "{table}");
    assert!(table.contains("not on a Friday"));
    let all: serde_json::Value =
        serde_json::from_str(&workspace.must(&["audit", "export", "--format", "json"])).unwrap();
    assert_eq!(all.as_array().unwrap().len(), 5);
    let one = workspace.must(&["audit", "export", "--session", "s2"]);
    assert_eq!(one.split("\r\n").filter(|line| !line.is_empty()).count(), 3);
    let page = workspace.must(&["audit", "report"]);
    assert!(page.contains("Chain of 5 lines: the log is as it was written"), "{page}");
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
    assert_eq!(get("/api/v1/audit/export?format=json").json().as_array().unwrap().len(), 6);
    assert!(get("/api/v1/audit/report").body.contains("<h1>Decisions of"));
    let newest = get("/api/v1/events?limit=2").json();
    assert_eq!((newest["last"].as_u64(), newest["lines"][0]["what"].as_str()), (Some(6), Some("denied")));
    assert_eq!(newest["lines"][0]["why"], "not on a Friday");
    assert_eq!(
        (&newest["lines"][1]["what"], &newest["lines"][1]["of"]),
        (&json!("token_made"), &json!("ada"))
    );
    let metrics = get("/metrics");
    assert!(metrics.body.contains("# TYPE mentci_http_requests_total counter"), "{}", metrics.body);
}

/// What each line says that a person wrote: what, of what, to what, by whom.
fn acts(workspace: &Scratch) -> Vec<String> {
    let all = workspace.must(&["audit", "export", "--format", "json"]);
    let all: Vec<serde_json::Value> = serde_json::from_str(&all).unwrap();
    let told = |row: &serde_json::Value| {
        let text = |key: &str| match &row[key] {
            serde_json::Value::String(text) => text.clone(),
            serde_json::Value::Null => String::new(),
            other => other.to_string(),
        };
        ["what", "session", "of", "to", "why", "by"].map(text).join(" | ")
    };
    all.iter().filter(|row| row["by"].is_string()).map(told).collect()
}

/// What every act at the command line leaves in the log.
#[test]
fn whatever_a_person_changes_is_a_line_with_their_name() {
    let workspace = house();
    let lesson = workspace.json(&[
        "lessons",
        "add",
        "--skill",
        "house",
        "--condition",
        "it rains",
        "--resolution",
        "close the roof",
    ]);
    let id = lesson["id"].as_str().unwrap();
    for verb in [
        &["rules", "disable", "no-drop"][..],
        &["rules", "enable", "house/no-drop"],
        &["plugins", "new", "tidy"],
        &["trust"],
        &["plugins", "set", "tidy", "limit", "5"],
        &["plugins", "unset", "tidy", "limit"],
        &["plugins", "disable", "tidy"],
        &["lessons", "reject", id, "--reason", "it never rains"],
        &["lessons", "accept", id],
        &["lessons", "archive", id, "--reason", "old"],
        &["kill", "--reason", "it ran away"],
        &["resume"],
        &["kill", "--session", "s1", "--reason", "look"],
        &["resume", "--session", "s1"],
        &["token", "new", "ci", "--scope", "agent"],
        &["token", "revoke", "ci"],
        &["trust", "--revoke"],
    ] {
        workspace.must(verb);
    }
    let told = acts(&workspace).join("\n");
    let id = |text: &str| text.replace(id, "ID");
    let hashes: String = id(&told);
    let short: Vec<String> = hashes
        .lines()
        .map(|line| {
            let words = line.split(' ').map(|word| if word.len() == 64 { "HASH" } else { word });
            words.collect::<Vec<_>>().join(" ")
        })
        .collect();
    insta::assert_snapshot!(short.join("\n"), @r"
    trusted |  | .pi/rules | HASH |  | user
    rule_switched |  | house/no-drop | false |  | user
    rule_switched |  | house/no-drop | true |  | user
    plugin_installed |  | tidy | .pi/plugins/tidy |  | user
    trusted |  | .pi/rules and .pi/plugins | HASH |  | user
    plugin_set |  | tidy/limit | 5 |  | user
    plugin_set |  | tidy/limit |  |  | user
    plugin_switched |  | tidy | false |  | user
    lesson_rejected |  | house/ID | it rains -> close the roof | it never rains | user
    lesson_accepted |  | house/ID | it rains -> close the roof |  | user
    lesson_archived |  | house/ID | it rains -> close the roof | old | user
    killed |  |  |  | it ran away | user
    resumed |  |  |  |  | user
    killed | s1 |  |  | look | user
    resumed | s1 |  |  |  | user
    token_made |  | ci | agent |  | user
    token_revoked |  | ci |  |  | user
    trust_revoked |  | mentci.toml |  |  | user
    ");
    let verified = workspace.json(&["audit", "verify"]);
    assert_eq!(verified["holds"], true, "{verified}");
    let table = workspace.must(&["audit", "export"]);
    assert!(table.contains(",rule_switched,") && table.contains(",house/no-drop,false,user,"), "{table}");
    let page = workspace.must(&["audit", "report"]);
    assert!(
        page.contains("<td>rule_switched</td><td>user</td><td></td><td>house/no-drop</td><td>false</td>"),
        "{page}"
    );
}

/// Over HTTP each act is under the name of the token; on the page under that of the login.
#[test]
fn over_http_the_token_is_named_and_on_the_page_the_login() {
    let workspace = house();
    let (ada, root) = (token(&workspace, "ada", "operator"), token(&workspace, "root", "admin"));
    let house = House::new(&workspace);
    for (method, path, body, by) in [
        ("PUT", "/api/v1/rules/house/no-drop", json!({"enabled": false}), &ada),
        ("POST", "/api/v1/kill", json!({"reason": "it ran away"}), &ada),
        ("POST", "/api/v1/resume", json!({}), &root),
        ("POST", "/api/v1/kill", json!({"session": "s1", "reason": "look"}), &root),
        ("POST", "/api/v1/resume", json!({"session": "s1"}), &ada),
    ] {
        let done = house.ask(method, path, Some(by), Some(&body));
        assert_eq!(done.status, 200, "{path}: {done:?}");
    }
    let origin = format!("Origin: http://{}\r\n", house.addr());
    let form = |path: &str, more: &str, body: &str| {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\n{origin}{more}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            house.addr(),
            body.len()
        );
        house.raw(head.as_bytes())
    };
    let logged_in = form("/login", "", &format!("token={ada}"));
    let cookie = logged_in.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let with = format!("Cookie: {cookie}\r\n");
    assert_eq!(form("/rule/switch", &with, "rule=house/no-drop&enabled=true").status, 303);
    let link = house.login().split_once(house.addr()).unwrap().1.to_owned();
    let by_link = house.ask("GET", &link, None, None);
    let own = format!("Cookie: {}\r\n", by_link.header("set-cookie").unwrap().split(';').next().unwrap());
    assert_eq!(form("/rule/switch", &own, "rule=house/no-drop&enabled=false").status, 303);
    // The login ends with the token that it began with, and the other does not.
    workspace.must(&["token", "revoke", "ada"]);
    assert_eq!(form("/rule/switch", &with, "rule=house/no-drop&enabled=true").status, 401);
    assert_eq!(form("/rule/switch", &own, "rule=house/no-drop&enabled=true").status, 303);
    let told: Vec<String> = acts(&workspace).split_off(3);
    insta::assert_snapshot!(told.join("\n"), @r"
    rule_switched |  | house/no-drop | false |  | ada
    killed |  |  |  | it ran away | ada
    resumed |  |  |  |  | root
    killed | s1 |  |  | look | root
    resumed | s1 |  |  |  | ada
    rule_switched |  | house/no-drop | true |  | page as ada
    rule_switched |  | house/no-drop | false |  | page
    token_revoked |  | ada |  |  | user
    rule_switched |  | house/no-drop | true |  | page
    ");
}

/// Whoever changes a request by hand is found, whatever they change.
#[test]
fn a_request_that_was_changed_by_hand_is_found() {
    let workspace = logged();
    let path = workspace.kept("store.db");
    let verify = || workspace.run(&["audit", "verify"]);
    assert_eq!(verify().status.code(), Some(0));
    let copy = |work: &str| {
        let database = rusqlite::Connection::open(&path).unwrap();
        database.execute_batch("BEGIN; CREATE TEMP TABLE kept AS SELECT * FROM approvals; COMMIT;").unwrap();
        database.execute_batch(work).unwrap();
        let ended = verify();
        database.execute_batch("DELETE FROM approvals; INSERT INTO approvals SELECT * FROM kept;").unwrap();
        (ended.status.code(), String::from_utf8_lossy(&ended.stdout).into_owned())
    };
    for work in [
        "UPDATE approvals SET row = replace(row, '\"denied\"', '\"granted\"')",
        "UPDATE approvals SET row = replace(row, '\"denied\"', '\"granted\"'), status = 'granted'",
        "UPDATE approvals SET status = 'granted'",
        "UPDATE approvals SET row = replace(row, 'Friday', 'Monday')",
        "UPDATE approvals SET row = 'nothing'",
        "DELETE FROM approvals",
        "INSERT INTO approvals SELECT 'forged', session, status, requested_ms, expires_ms, row FROM approvals",
    ] {
        let (code, said) = copy(work);
        assert_eq!(code, Some(1), "{work}: {said}");
        assert!(said.contains("the request for approval `"), "{work}: {said}");
    }
    assert_eq!(verify().status.code(), Some(0));
}

/// Makes a log long, as a database alone can: nobody decided these lines, and the chain says so.
fn lengthen(workspace: &Scratch, lines: u32) {
    let database = rusqlite::Connection::open(workspace.kept("store.db")).unwrap();
    let copies = "INSERT INTO log (seq, session, version, hash, record, body)
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
         SELECT head.seq + n.i, 'copies', n.i, log.hash, log.record, log.body FROM n, head, log WHERE log.seq = 2";
    database.execute(copies, [lines]).unwrap();
    let session = "INSERT INTO sessions (session, version, first_ms, last_ms) VALUES ('copies', ?1, 1, 1)";
    database.execute(session, [lines]).unwrap();
    database.execute("UPDATE head SET seq = (SELECT max(seq) FROM log)", []).unwrap();
}

/// While the whole log is read, decisions are made: were it read by the connection that decides, none could begin and end
/// before the reading does.
#[test]
fn decisions_go_on_while_a_long_log_is_read() {
    let workspace = logged();
    let operator = token(&workspace, "ada", "operator");
    lengthen(&workspace, 20_000);
    let house = House::new(&workspace);
    let decide = || {
        let event = call("s3", "sql", &json!({"query": "drop table a"}));
        house.ask("POST", "/api/v1/decide", Some(&operator), Some(&event)).json()["decision"].clone()
    };
    assert_eq!(decide(), "block");
    for path in
        ["audit/verify", "audit/export", "audit/report", "sessions/copies/export", "events?session=nobody"]
    {
        let (house, operator) = (&house, &operator);
        let made = std::thread::scope(|scope| {
            let path = format!("/api/v1/{path}");
            let reading = scope.spawn(move || house.ask("GET", &path, Some(operator), None).status);
            let mut made = 0;
            while !reading.is_finished() {
                assert_eq!(decide(), "block");
                made += 1;
            }
            assert_eq!(reading.join().unwrap(), 200);
            made
        });
        assert!(made > 3, "{path}: {made} decisions while it was read");
    }
}

//! PolicyShield's API, route by route; its own Python SDK drives it in `policyshield_sdk`.

use mentci_tests::{House, Scratch};
use serde_json::{Value, json};

use super::{house, token};

const OWN: &str = "shield_name: shop
version: 3
default_verdict: ALLOW
rules:
- id: no-rm
  when: {tool: exec, args_match: {command: {regex: 'rm\\s+-rf'}}}
  then: block
  severity: critical
  message: not here
- id: after-read
  when: {tool: send_email, chain: [{tool: read_database, within_seconds: 120}]}
  then: block
  message: read, then sent
- id: ask-deploy
  when: {tool: deploy}
  then: approve
  message: a person says so
";

/// The daemon as PolicyShield's own command line starts its server.
fn server(workspace: &Scratch, variables: &[(&str, &str)]) -> House {
    workspace.write("rules.yaml", OWN);
    House::with(workspace, &["server", "--rules", "rules.yaml", "--host", "127.0.0.1"], variables)
}

fn check(house: &House, tool: &str, args: &Value) -> Value {
    let body = json!({"tool_name": tool, "args": args, "session_id": "s1", "request_id": "r7"});
    let reply = house.ask("POST", "/api/v1/check", None, Some(&body));
    assert_eq!(reply.status, 200);
    reply.json()
}

#[test]
fn a_check_has_the_fields_that_its_clients_read() {
    let workspace = Scratch::new(&[]);
    let house = server(&workspace, &[]);
    insta::assert_json_snapshot!(check(&house, "exec", &json!({"command": "rm -rf /"})), @r#"
    {
      "approval_id": null,
      "message": "not here",
      "modified_args": null,
      "pii_types": [],
      "request_id": "r7",
      "rule_id": "no-rm",
      "shield_version": "0.14.0",
      "verdict": "BLOCK"
    }
    "#);
    insta::assert_json_snapshot!(check(&house, "exec", &json!({"command": "ls"})), @r#"
    {
      "approval_id": null,
      "message": "",
      "modified_args": null,
      "pii_types": [],
      "request_id": "r7",
      "rule_id": null,
      "shield_version": "0.14.0",
      "verdict": "ALLOW"
    }
    "#);
    // The log remembers: a chain sees what was called before.
    assert_eq!(check(&house, "send_email", &json!({}))["verdict"], "ALLOW");
    assert_eq!(check(&house, "read_database", &json!({}))["verdict"], "ALLOW");
    assert_eq!(check(&house, "send_email", &json!({}))["rule_id"], "after-read");
}

/// Each answer has a name by which it can be spoken of: the client's, or else that of the request in the daemon's own log.
#[test]
fn a_check_that_names_itself_not_is_named() {
    let workspace = Scratch::new(&[]);
    let house = server(&workspace, &[]);
    let named = |body: Value| {
        let reply = house.ask("POST", "/api/v1/check", None, Some(&body));
        let head = reply.header("x-request-id").unwrap().to_owned();
        (reply.json()["request_id"].as_str().unwrap().to_owned(), head)
    };
    assert_eq!(named(json!({"tool_name": "exec", "request_id": "r7"})).0, "r7");
    let unnamed = [
        json!({"tool_name": "exec"}),
        json!({"tool_name": "exec", "request_id": null}),
        json!({"tool_name": "exec", "request_id": ""}),
        json!({"no": "tool"}),
    ];
    let own = unnamed.map(|body| {
        let (told, head) = named(body);
        assert_eq!(told, head);
        assert_eq!(told.len(), 36, "{told}");
        told
    });
    assert_eq!(std::collections::BTreeSet::from(own).len(), 4, "each has its own");
}

#[test]
fn whatever_stands_in_the_way_is_a_block() {
    let workspace = Scratch::new(&[]);
    let house = server(&workspace, &[("POLICYSHIELD_API_TOKEN", "known-secret")]);
    let host = house.addr();
    let request = |lines: &str, body: &str| {
        let length = body.len();
        let text = format!(
            "POST /api/v1/check HTTP/1.1\r\nHost: {host}\r\n{lines}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
        house.raw(text.as_bytes())
    };
    let bearer = "Authorization: Bearer known-secret\r\nContent-Type: application/json\r\n";
    let good = "{\"tool_name\":\"exec\",\"args\":{\"command\":\"ls\"}}";
    assert_eq!(request(bearer, good).json()["verdict"], "ALLOW");
    for (what, lines, body) in [
        ("no token", "Content-Type: application/json\r\n", good),
        ("a wrong token", "Authorization: Bearer wrong\r\nContent-Type: application/json\r\n", good),
        ("no JSON", bearer, "{"),
        ("no tool", bearer, "{}"),
        ("an empty tool", bearer, "{\"tool_name\":\"\"}"),
        ("wrong types", bearer, "{\"tool_name\":[1]}"),
        ("another type of body", "Authorization: Bearer known-secret\r\nContent-Type: text/plain\r\n", good),
        ("another page", "Authorization: Bearer known-secret\r\nOrigin: http://evil.example\r\n", good),
    ] {
        let reply = request(lines, body);
        assert_eq!(
            (reply.status, reply.json()["verdict"].as_str()),
            (200, Some("BLOCK")),
            "{what}: {reply:?}"
        );
        assert!(
            reply.json()["message"].as_str().unwrap().starts_with("nothing was decided: "),
            "{what}: {reply:?}"
        );
    }
    // An output that cannot be looked at is withheld, not passed on.
    let output = house
        .ask("POST", "/api/v1/post-check", None, Some(&json!({"tool_name": "a", "result": "secret"})))
        .json();
    assert_eq!(output["redacted_output"], "[withheld] nothing was decided: this takes a token");
}

#[test]
fn an_output_is_looked_at() {
    let workspace = Scratch::new(&[]);
    let house = server(&workspace, &[]);
    let look = |result: &str| {
        let body = json!({"tool_name": "read_file", "result": result, "session_id": "s1"});
        house.ask("POST", "/api/v1/post-check", None, Some(&body)).json()
    };
    assert_eq!(look("nothing here"), json!({"pii_types": [], "redacted_output": null}));
    let mail = look("write to ada@example.org today");
    assert_eq!(mail, json!({"pii_types": ["EMAIL"], "redacted_output": "write to [EMAIL] today"}));
}

#[test]
fn an_approval_is_polled_and_used_once() {
    let workspace = Scratch::new(&[]);
    let admin = [("POLICYSHIELD_API_TOKEN", "agents"), ("POLICYSHIELD_ADMIN_TOKEN", "admins")];
    let house = server(&workspace, &admin);
    let ask = |method: &str, path: &str, token: &str, body: Value| {
        house.ask(method, path, Some(token), Some(&body))
    };
    let asked =
        ask("POST", "/api/v1/check", "agents", json!({"tool_name": "deploy", "args": {"to": "prod"}})).json();
    assert_eq!(asked["verdict"], "APPROVE");
    let id = asked["approval_id"].as_str().unwrap();
    let status =
        || ask("GET", &format!("/api/v1/approval/{id}/status"), "agents", json!({})).json()["status"].clone();
    assert_eq!(status(), "pending");
    let say = |token: &str| {
        ask(
            "POST",
            "/api/v1/respond-approval",
            token,
            json!({"approval_id": id, "approved": true, "responder": "ada"}),
        )
        .status
    };
    assert_eq!(say("agents"), 403, "an agent answers itself");
    let waiting = ask("GET", "/api/v1/pending-approvals", "admins", json!({})).json();
    let told = ["tool_name", "rule_id", "message"].map(|field| waiting["approvals"][0][field].clone());
    assert_eq!(told, ["deploy", "ask-deploy", "a person says so"], "{waiting}");
    assert_eq!(waiting["approvals"][0]["args"]["to"], "prod");
    assert_eq!(say("admins"), 200);
    let polled = ask("POST", "/api/v1/check-approval", "agents", json!({"approval_id": id})).json();
    assert_eq!(
        (polled["status"].as_str(), polled["responder"].as_str()),
        (Some("approved"), Some("environment as ada"))
    );
    // Whoever read it runs the call: nobody else may by the same word.
    assert_eq!(status(), "used");
    let again =
        ask("POST", "/api/v1/check", "agents", json!({"tool_name": "deploy", "args": {"to": "prod"}})).json();
    assert_eq!(again["verdict"], "APPROVE");
    assert_eq!(ask("GET", "/api/v1/approval/nobody/status", "agents", json!({})).status, 404);
}

#[test]
fn the_kill_switch_blocks_until_it_is_taken_back() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let agent = token(&workspace, "ci", "agent");
    let house = House::new(&workspace);
    let ask = |method: &str, path: &str, token: &str, body: Value| {
        house.ask(method, path, Some(token), Some(&body))
    };
    let verdict = || ask("POST", "/api/v1/check", &agent, json!({"tool_name": "read"})).json();
    assert_eq!(verdict()["verdict"], "ALLOW");
    assert_eq!(ask("POST", "/api/v1/kill", &agent, json!({})).status, 403);
    for path in ["/api/v1/kill", "/api/v1/kill-switch"] {
        let killed = ask("POST", path, &operator, json!({"reason": "fire"}));
        assert_eq!(killed.json(), json!({"status": "killed", "reason": "fire"}));
    }
    assert_eq!(
        (verdict()["verdict"].as_str(), verdict()["rule_id"].as_str()),
        (Some("BLOCK"), Some("__kill_switch__"))
    );
    assert_eq!(ask("GET", "/api/v1/status", &agent, json!({})).json()["killed"], true);
    assert_eq!(ask("POST", "/api/v1/resume", &operator, json!({})).json()["status"], "resumed");
    assert_eq!(verdict()["verdict"], "ALLOW");
}

#[test]
fn the_rest_answers_in_its_fields() {
    let workspace = Scratch::new(&[]);
    let house = server(&workspace, &[("POLICYSHIELD_ADMIN_TOKEN", "admins")]);
    let get = |path: &str| house.ask("GET", path, Some("admins"), None).json();
    let health = house.ask("GET", "/api/v1/health", None, None).json();
    assert_eq!(
        (health["status"].as_str(), health["rules_count"].as_u64(), health["mode"].as_str()),
        (Some("ok"), Some(3), Some("ENFORCE"))
    );
    assert_eq!((&health["shield_name"], &health["version"]), (&json!("shop"), &json!(3)));
    assert_eq!(
        get("/api/v1/constraints")["summary"],
        "PolicyShield: shop v3\nDefault: ALLOW\nRules: 3\n  - [BLOCK] no-rm: not here\n  \
         - [BLOCK] after-read: read, then sent\n  - [APPROVE] ask-deploy: a person says so"
    );
    assert_eq!(get("/api/v1/status")["rules_count"], 3);
    assert_eq!(house.ask("GET", "/healthz", None, None).json(), json!({"status": "alive"}));
    assert_eq!(house.ask("GET", "/readyz", None, None).json()["status"], "ready");
    let cleared =
        house.ask("POST", "/api/v1/clear-taint", Some("admins"), Some(&json!({"session_id": "s1"}))).json();
    assert_eq!(cleared, json!({"status": "ok", "session_id": "s1"}));
    // Rules that change hold with the next check, reloaded or not; those that break leave the last good ones.
    workspace.write(
        "rules.yaml",
        &OWN.replace("then: block\n  severity: critical", "then: allow\n  severity: low"),
    );
    let reloaded = house.ask("POST", "/api/v1/reload", Some("admins"), None).json();
    assert_eq!(reloaded["rules_count"], 3);
    assert_ne!(reloaded["rules_hash"], health["rules_hash"]);
    let rm = || {
        house
            .ask(
                "POST",
                "/api/v1/check",
                Some("admins"),
                Some(&json!({"tool_name": "exec", "args": {"command": "rm -rf x"}})),
            )
            .json()
    };
    assert_eq!(rm()["verdict"], "ALLOW");
    workspace.write("rules.yaml", OWN);
    assert_eq!(rm()["verdict"], "BLOCK");
    workspace.write("rules.yaml", "rules: [");
    assert_eq!(rm()["verdict"], "BLOCK");
}

#[test]
fn rules_that_do_not_read_do_not_start() {
    let workspace = Scratch::new(&[("rules.yaml", "rules:\n- id: a\n  when: {tol: x}\n  then: block\n")]);
    let ended = workspace.run(&["server", "--rules", "rules.yaml", "--port", "0"]);
    assert_eq!(ended.status.code(), Some(2));
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(said.contains("rules.yaml:3:"), "{said}");
}

/// Nothing was decided by these rules yet; the file breaks in each of the ways in which one does.
#[test]
fn rules_that_break_before_anything_was_decided_hold_all_the_same() {
    type Break = fn(&Scratch);
    let breaks: [(&str, Break); 4] = [
        ("unreadable text", |workspace| workspace.write("rules.yaml", "rules: [")),
        ("nothing at all", |workspace| std::fs::remove_file(workspace.path("rules.yaml")).unwrap()),
        ("no UTF-8", |workspace| std::fs::write(workspace.path("rules.yaml"), b"\xff\xfe").unwrap()),
        ("an unknown key", |workspace| workspace.write("rules.yaml", &OWN.replace("when:", "wen:"))),
    ];
    for (what, breaks) in breaks {
        let workspace = Scratch::new(&[]);
        let house = server(&workspace, &[("POLICYSHIELD_ADMIN_TOKEN", "admins")]);
        breaks(&workspace);
        let rm = json!({"tool_name": "exec", "args": {"command": "rm -rf x"}});
        let told = house.ask("POST", "/api/v1/check", Some("admins"), Some(&rm)).json();
        assert_eq!(
            (told["verdict"].as_str(), told["rule_id"].as_str()),
            (Some("BLOCK"), Some("no-rm")),
            "{what}"
        );
        // What was reloaded is what holds from then on, decided by or not.
        let rules = OWN.replace("tool: exec", "tool: shell");
        workspace.write("rules.yaml", &rules);
        let reloaded = house.ask("POST", "/api/v1/reload", Some("admins"), None).json();
        assert_eq!(
            (reloaded["status"].as_str(), reloaded["rules_count"].as_u64()),
            (Some("ok"), Some(3)),
            "{what}"
        );
        breaks(&workspace);
        let rm = json!({"tool_name": "shell", "args": {"command": "rm -rf x"}});
        let told = house.ask("POST", "/api/v1/check", Some("admins"), Some(&rm)).json();
        assert_eq!(told["verdict"], "BLOCK", "{what}: {told}");
    }
}

#[test]
fn a_broken_file_is_told_with_its_place_beside_the_rules_in_force() {
    let workspace = Scratch::new(&[]);
    let house = server(&workspace, &[("POLICYSHIELD_ADMIN_TOKEN", "admins")]);
    workspace.write("rules.yaml", "rules:\n- id: a\n  when: {tol: x}\n  then: block\n");
    for (method, path, count) in [
        ("POST", "/api/v1/reload", "rules_count"),
        ("GET", "/api/v1/status", "rules_count"),
        ("GET", "/api/v1/health", "rules_count"),
        ("GET", "/readyz", "rules"),
    ] {
        let told = house.ask(method, path, Some("admins"), None);
        assert_eq!(told.status, 200, "{path}");
        let told = told.json();
        assert_eq!(
            (told["status"].as_str(), told[count].as_u64()),
            (Some("error"), Some(3)),
            "{path}: {told}"
        );
        let error = &told["errors"][0];
        assert_eq!(
            (error["path"].as_str(), error["line"].as_u64(), error["column"].is_u64()),
            (Some("rules.yaml"), Some(3), true),
            "{path}: {told}"
        );
    }
    let told = house.ask("GET", "/api/v1/constraints", Some("admins"), None).json();
    assert!(
        told["summary"].as_str().unwrap().contains("[BLOCK] no-rm") && told["errors"].is_array(),
        "{told}"
    );
    // Whoever asks without a right, or with a wrong one, learns that something is wrong and nothing of what the rules say.
    for path in ["/api/v1/health", "/readyz", "/api/v1/readyz", "/healthz", "/api/v1/livez"] {
        for who in [None, Some("wrong")] {
            let told = house.ask("GET", path, who, None);
            assert_eq!(told.status, 200, "{path} {who:?}");
            assert_eq!(told.json()["errors"], Value::Null, "{path} {who:?}");
        }
    }
    assert_eq!(house.ask("GET", "/api/v1/status", Some("wrong"), None).status, 401);
    workspace.write("rules.yaml", OWN);
    let told = house.ask("POST", "/api/v1/reload", Some("admins"), None).json();
    assert_eq!((told["status"].as_str(), told["errors"].is_null()), (Some("ok"), true), "{told}");
}

/// A client runs the call as soon as it hears `approved`: so it never hears it of a call that would not be let through now.
#[test]
fn what_was_granted_and_is_forbidden_since_is_not_approved() {
    let workspace = Scratch::new(&[]);
    let admin = [("POLICYSHIELD_API_TOKEN", "agents"), ("POLICYSHIELD_ADMIN_TOKEN", "admins")];
    let house = server(&workspace, &admin);
    let ask = |method: &str, path: &str, token: &str, body: Value| {
        house.ask(method, path, Some(token), Some(&body)).json()
    };
    // What is kept of such arguments is cut short: the daemon knows all of them.
    let long = "x".repeat(20_000);
    let asked = ask(
        "POST",
        "/api/v1/check",
        "agents",
        json!({"tool_name": "deploy", "args": {"to": long}, "session_id": "s1"}),
    );
    let id = asked["approval_id"].as_str().unwrap();
    let state = || {
        let told = ask("POST", "/api/v1/check-approval", "agents", json!({"approval_id": id}));
        let told = (
            told["status"].as_str().unwrap().to_owned(),
            told["comment"].as_str().unwrap_or_default().to_owned(),
        );
        let path = format!("/api/v1/approval/{id}/status");
        if told.0 == "blocked" {
            assert_eq!(ask("GET", &path, "agents", json!({}))["status"], "blocked");
        }
        told
    };
    ask("POST", "/api/v1/respond-approval", "admins", json!({"approval_id": id, "approved": true}));
    for stop in [json!({"reason": "fire"}), json!({"reason": "fire", "session_id": "s1"})] {
        ask("POST", "/api/v1/kill", "admins", stop.clone());
        assert_eq!(state(), ("blocked".to_owned(), "the kill switch is on: fire".to_owned()));
        let whose =
            stop.get("session_id").map_or_else(|| json!({}), |session| json!({"session_id": session}));
        ask("POST", "/api/v1/resume", "admins", whose);
    }
    workspace.write(
        "rules.yaml",
        &format!("{OWN}- id: freeze\n  when: {{tool: deploy}}\n  then: block\n  message: frozen\n"),
    );
    assert_eq!(state(), ("blocked".to_owned(), "frozen".to_owned()));
    workspace.write("rules.yaml", OWN);
    assert_eq!(state().0, "approved", "none of this used the grant up");
    assert_eq!(state().0, "used");
}

#[test]
fn a_number_of_which_digits_would_be_lost_is_a_block() {
    let workspace = Scratch::new(&[]);
    let house = server(&workspace, &[]);
    let body = "{\"tool_name\":\"deploy\",\"args\":{\"n\":123456789012345678901234567890}}";
    let check = |path: &str, body: &str| {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            house.addr(),
            body.len()
        );
        house.raw(head.as_bytes())
    };
    let told = check("/api/v1/check", body);
    assert_eq!((told.status, told.json()["verdict"].as_str()), (200, Some("BLOCK")));
    assert!(told.json()["message"].as_str().unwrap().contains("digits are lost"), "{told:?}");
    let event = "{\"event\":\"pre_tool_call\",\"session\":\"s\",\"tool\":{\"name\":\"deploy\",\"args\":{\"n\":18446744073709551616}}}";
    let told = check("/api/v1/decide", event);
    assert_eq!((told.status, told.json()["decision"].as_str()), (422, Some("block")));
    let exact = event.replace("18446744073709551616", "18446744073709551615");
    assert_eq!(check("/api/v1/decide", &exact).json()["decision"], "approve");
}

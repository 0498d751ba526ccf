//! Who may what.

use mentci_tests::{House, Reply};
use serde_json::json;

use super::{call, house, token};

#[test]
fn without_tokens_programs_of_this_machine_decide_and_nothing_else() {
    let workspace = house();
    let house = House::new(&workspace);
    let decided =
        house.ask("POST", "/api/v1/decide", None, Some(&call("s", "sql", &json!({"query": "drop table a"}))));
    assert_eq!((decided.status, decided.json()["decision"].as_str()), (200, Some("block")));
    for (method, path) in [
        ("GET", "/api/v1/sessions"),
        ("GET", "/api/v1/events"),
        ("GET", "/api/v1/stream"),
        ("GET", "/api/v1/approvals"),
        ("POST", "/api/v1/kill"),
        ("POST", "/api/v1/resume"),
        ("PUT", "/api/v1/rules/house/no-drop"),
        ("POST", "/api/v1/lessons"),
        ("GET", "/api/v1/audit/export"),
        ("POST", "/mcp"),
    ] {
        let refused = house.ask(method, path, None, Some(&json!({})));
        assert_eq!(refused.status, 403, "{method} {path}: {refused:?}");
        assert_eq!(refused.finding(), "E1303 `local` is an agent, and this takes an operator");
    }
}

#[test]
fn each_scope_may_what_it_may() {
    let workspace = house();
    let (agent, operator) = (token(&workspace, "ci", "agent"), token(&workspace, "ada", "operator"));
    let house = House::new(&workspace);
    let asked =
        house.ask("POST", "/api/v1/decide", Some(&agent), Some(&call("s", "deploy", &json!({"to": "prod"}))));
    let approval = asked.json()["approval"].as_str().unwrap().to_owned();
    let answer = format!("/api/v1/approvals/{approval}");
    let rows: [(&str, &str, serde_json::Value, u16, u16, u16); 9] = [
        ("POST", "/api/v1/decide", call("s", "read", &json!({})), 401, 200, 200),
        ("GET", "/api/v1/digest", json!({}), 401, 200, 200),
        ("GET", "/api/v1/sessions", json!({}), 401, 403, 200),
        ("POST", &answer, json!({"grant": true}), 401, 403, 200),
        ("PUT", "/api/v1/rules/house/no-drop", json!({"enabled": false}), 401, 403, 200),
        (
            "POST",
            "/api/v1/lessons",
            json!({"skill": "house", "condition": "it rains", "resolution": "close the roof"}),
            401,
            403,
            200,
        ),
        ("POST", "/api/v1/kill", json!({"session": "s9", "reason": "look"}), 401, 403, 200),
        ("POST", "/api/v1/resume", json!({"session": "s9"}), 401, 403, 200),
        // Who may ask is told that this is no message.
        ("POST", "/mcp", json!({}), 401, 403, 406),
    ];
    for (method, path, body, nobody, agents, operators) in rows {
        let got = |token: Option<&str>| house.ask(method, path, token, Some(&body)).status;
        let statuses = (got(None), got(Some(&agent)), got(Some(&operator)));
        assert_eq!(statuses, (nobody, agents, operators), "{method} {path}");
    }
    let log = house.ask("GET", "/api/v1/events?limit=50", Some(&operator), None).json();
    let granted = log["lines"].as_array().unwrap().iter().find(|line| line["what"] == "granted").unwrap();
    assert_eq!(granted["by"], "ada");
}

#[test]
fn a_token_is_good_until_it_is_revoked() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let house = House::new(&workspace);
    let ask = || house.ask("GET", "/api/v1/sessions", Some(&operator), None);
    assert_eq!(ask().status, 200);
    workspace.must(&["token", "revoke", "ada"]);
    let refused = ask();
    assert_eq!((refused.status, refused.header("www-authenticate")), (401, Some("Bearer")));
    assert_eq!(refused.finding(), "E1303 no token is known by this secret");
}

#[test]
fn the_file_of_tokens_is_its_users_and_holds_no_secret() {
    use std::os::unix::fs::PermissionsExt;
    let workspace = house();
    let secret = token(&workspace, "ada", "admin");
    let file = workspace.root().with_file_name("nobody").join("state/mentci/tokens.json");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(!text.contains(&secret) && !text.contains(secret.trim_start_matches("mentci_admin_")));
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let again = workspace.run(&["token", "new", "ada"]);
    assert_eq!(again.status.code(), Some(2));
    let said = String::from_utf8_lossy(&again.stderr).into_owned();
    insta::assert_snapshot!(said, @"
    error: there is a token `ada` already
      = help: `policy-engine token revoke ada` takes it back
    ");
}

#[test]
fn a_browser_logs_in_by_the_link_once() {
    let workspace = house();
    let house = House::new(&workspace);
    let path = house.login().split_once(house.addr()).unwrap().1.to_owned();
    let page = house.ask("GET", "/", None, None);
    assert_eq!((page.status, page.header("location")), (303, Some("/login")));
    let logged_in = house.ask("GET", &path, None, None);
    assert_eq!((logged_in.status, logged_in.header("location")), (303, Some("/")));
    let cookie = logged_in.header("set-cookie").unwrap().to_owned();
    assert!(cookie.contains("HttpOnly; SameSite=Strict"), "{cookie}");
    assert_eq!(house.ask("GET", &path, None, None).status, 403);
    let cookie = cookie.split(';').next().unwrap();
    let with = |method: &str, path: &str, more: &str| -> Reply {
        let lines = format!("Cookie: {cookie}\r\n{more}");
        house.with_head(method, path, &lines, Some(&json!({"enabled": false})))
    };
    assert_eq!(with("GET", "/", "").status, 200);
    assert_eq!(with("GET", "/api/v1/sessions", "").status, 200);
    // A cookie alone changes nothing: a browser says where the request comes from.
    let rule = "/api/v1/rules/house/no-drop";
    assert_eq!(with("PUT", rule, "").status, 403);
    assert_eq!(with("PUT", rule, &format!("Origin: http://{}\r\n", house.addr())).status, 200);
    assert_eq!(with("PUT", rule, "Origin: http://evil.example\r\n").status, 403);
    assert_eq!(with("PUT", rule, "Sec-Fetch-Site: cross-site\r\n").status, 403);
    let out = house.with_head(
        "POST",
        "/logout",
        &format!("Cookie: {cookie}\r\nOrigin: http://{}\r\n", house.addr()),
        None,
    );
    assert_eq!(out.status, 303);
    assert_eq!(with("GET", "/api/v1/sessions", "").status, 403);
}

#[test]
fn what_others_can_reach_needs_tls_and_tokens() {
    let workspace = house();
    let said = |args: &[&str]| {
        let ended = workspace.run(&[&["serve", "--port", "0"], args].concat());
        assert_eq!(ended.status.code(), Some(2), "{args:?}");
        String::from_utf8_lossy(&ended.stderr).into_owned()
    };
    insta::assert_snapshot!(said(&["--host", "0.0.0.0"]), @r"
    error: `0.0.0.0:0` can be reached from other machines, and there is no TLS
      = help: give `--tls-cert` and `--tls-key`, or stay on 127.0.0.1 and reach it through a tunnel
    ");
    workspace.write("cert.pem", "nothing");
    workspace.write("key.pem", "nothing");
    insta::assert_snapshot!(said(&["--host", "0.0.0.0", "--tls-cert", "cert.pem", "--tls-key", "key.pem"]), @r"
    error: `cert.pem`: it holds no certificate
      = help: give a chain of certificates and its private key, both in PEM
    ");
}

#[test]
fn over_tls_the_same_is_answered() {
    let workspace = house();
    let made = std::process::Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
        ])
        .args(["-subj", "/CN=localhost", "-keyout", "key.pem", "-out", "cert.pem"])
        .current_dir(workspace.root())
        .output();
    if !made.is_ok_and(|made| made.status.success()) {
        eprintln!("skipped: there is no openssl that makes a certificate");
        return;
    }
    let agent = token(&workspace, "ci", "agent");
    let tls = ["serve", "--host", "0.0.0.0", "--tls-cert", "cert.pem", "--tls-key", "key.pem"];
    let house = House::with(&workspace, &tls, &[]);
    assert!(house.login().starts_with("https://"), "{}", house.login());
    let port = house.addr().rsplit_once(':').unwrap().1;
    let asked = std::process::Command::new("curl")
        .args(["-sk", "--max-time", "30", "-H", &format!("Authorization: Bearer {agent}")])
        .arg(format!("https://127.0.0.1:{port}/api/v1/digest"))
        .output()
        .expect("curl can be run");
    let answer: serde_json::Value = serde_json::from_slice(&asked.stdout).unwrap();
    assert!(answer["text"].as_str().unwrap().contains("cargo check"), "{answer}");
}

/// Where there are tokens, and where others can reach it, nobody counts, reads rules or asks whether calls are stopped without
/// one; on loopback without any token programs of this machine may, as they may decide.
#[test]
fn what_is_counted_and_what_holds_takes_what_deciding_takes() {
    let workspace = house();
    let routes = ["/metrics", "/api/v1/status", "/api/v1/constraints", "/api/v1/digest"];
    let closed = ["/api/v1/stops", "/api/v1/rules"];
    {
        let house = House::new(&workspace);
        for path in routes {
            assert_eq!(house.ask("GET", path, None, None).status, 200, "{path}");
        }
        for path in closed {
            assert_eq!(house.ask("GET", path, None, None).status, 403, "{path}");
        }
    }
    let agent = token(&workspace, "ci", "agent");
    let house = House::new(&workspace);
    for path in routes {
        let refused = house.ask("GET", path, None, None);
        assert_eq!((refused.status, refused.finding().as_str()), (401, "E1303 this takes a token"), "{path}");
        assert_eq!(house.ask("GET", path, Some(&agent), None).status, 200, "{path}");
    }
    // Whether it lives says nothing of what it knows.
    for path in ["/healthz", "/readyz", "/api/v1/health"] {
        assert_eq!(house.ask("GET", path, None, None).status, 200, "{path}");
    }
}

#[test]
fn a_page_over_tls_is_not_the_page_that_is_served_without() {
    let workspace = house();
    let house = House::new(&workspace);
    let event = call("s", "read", &json!({}));
    let from = |origin: &str| {
        let lines = format!("Origin: {origin}\r\n");
        house.with_head("POST", "/api/v1/decide", &lines, Some(&event))
    };
    assert_eq!(from(&format!("http://{}", house.addr())).status, 200);
    let refused = from(&format!("https://{}", house.addr()));
    assert_eq!(refused.status, 403);
    assert!(refused.finding().starts_with("E1303 a page of `https://"), "{refused:?}");
}

#[test]
fn a_socket_is_made_in_a_folder_that_there_is() {
    let workspace = house();
    let path = workspace.root().join("no/such/folder/socket");
    let ended = workspace.run(&["serve", "--port", "0", "--socket", path.to_str().unwrap()]);
    assert_eq!(ended.status.code(), Some(2));
    let said = String::from_utf8_lossy(&ended.stderr).replace(&*workspace.root().to_string_lossy(), "ROOT");
    insta::assert_snapshot!(said, @r"
    error: cannot listen on the socket `ROOT/no/such/folder/socket`: there is no folder `ROOT/no/such/folder`
      = help: end the other daemon of this workspace, or name a place in a folder that there is with `--socket`
    ");
    assert!(!workspace.root().join("no").exists());
}

/// A grant may be turned into a denial until it is used; whoever answers after that is told how it stands.
#[test]
fn an_answer_that_comes_too_late_is_told_how_the_request_stands() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let house = House::new(&workspace);
    let deploy = call("s", "deploy", &json!({"to": "prod"}));
    let decide = || house.ask("POST", "/api/v1/decide", Some(&operator), Some(&deploy)).json();
    let id = decide()["approval"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/approvals/{id}");
    let answer = |grant: bool| house.ask("POST", &path, Some(&operator), Some(&json!({"grant": grant})));
    assert_eq!(answer(true).status, 200);
    assert_eq!(answer(false).status, 200);
    assert_eq!(decide()["decision"], "block");
    for grant in [true, false] {
        let late = answer(grant);
        assert_eq!(late.status, 409, "{late:?}");
        assert_eq!(late.json()["approvals"][0]["state"], "denied", "{late:?}");
        assert!(
            late.finding().starts_with("E1305 `")
                && late.finding().ends_with("the approval is denied already")
        );
    }
    let respond = json!({"approval_id": id, "approved": true});
    let late = house.ask("POST", "/api/v1/respond-approval", Some(&operator), Some(&respond));
    assert_eq!((late.status, &late.json()["status"]), (409, &json!("denied")));
    let unknown = json!({"approval_id": "nobody", "approved": true});
    assert_eq!(house.ask("POST", "/api/v1/respond-approval", Some(&operator), Some(&unknown)).status, 404);
    let typed = workspace.run(&["approvals", "grant", &id]);
    assert_eq!(typed.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&typed.stderr).contains("the approval is denied already"));
}

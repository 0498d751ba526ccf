//! Who asks: each by a name of its own, and told of its own requests.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;

use mentci_tests::House;
use serde_json::{Value, json};

use super::{call, house, token};

#[test]
fn an_approval_is_its_askers_and_nobody_elses() {
    let workspace = house();
    let (bot, other) = (token(&workspace, "bot", "agent"), token(&workspace, "bot2", "agent"));
    let operator = token(&workspace, "ada", "operator");
    let house = House::new(&workspace);
    let deploy = json!({"tool_name": "deploy", "args": {"to": "prod"}, "session_id": "s1"});
    let event = call("s2", "deploy", &json!({}));
    let asked = |path: &str, body: &Value, field: &str| {
        house.ask("POST", path, Some(&bot), Some(body)).json()[field].as_str().unwrap().to_owned()
    };
    let ids = [asked("/api/v1/check", &deploy, "approval_id"), asked("/api/v1/decide", &event, "approval")];
    for id in &ids {
        let granted = json!({"approval_id": id, "approved": true});
        assert_eq!(
            house.ask("POST", "/api/v1/respond-approval", Some(&operator), Some(&granted)).status,
            200
        );
    }
    for id in &ids {
        let look = |token: &str| {
            house.ask("POST", "/api/v1/check-approval", Some(token), Some(&json!({"approval_id": id})))
        };
        let unknown = look(&other);
        assert_eq!(unknown.status, 404, "{unknown:?}");
        assert!(unknown.finding().starts_with("E0706 no approval has the id"), "{unknown:?}");
        assert_eq!(
            house.ask("GET", &format!("/api/v1/approval/{id}/status"), Some(&other), None).status,
            404
        );
        assert_eq!(look(&bot).json()["status"], "approved");
    }
}

#[test]
fn who_asked_is_known_after_a_start_too() {
    let workspace = house();
    let (bot, other) = (token(&workspace, "bot", "agent"), token(&workspace, "bot2", "agent"));
    let operator = token(&workspace, "ada", "operator");
    let mut house = House::new(&workspace);
    let named = |mut body: Value| {
        body["sender"] = "agent-7".into();
        body
    };
    let check = json!({"tool_name": "deploy", "args": {}, "session_id": "s1"});
    let long = call("s3", "deploy", &json!({"notes": "word ".repeat(20_000)}));
    let events = json!({"events": [named(call("s4", "deploy", &json!({})))]});
    let asked = [
        ("/api/v1/check", named(check), "/approval_id"),
        ("/api/v1/decide", named(call("s2", "deploy", &json!({}))), "/approval"),
        // What is long is decided apart from the others.
        ("/api/v1/decide", named(long), "/approval"),
        ("/api/v1/events", events, "/verdicts/0/approval"),
    ];
    let ids = asked.map(|(path, body, at)| {
        let told = house.ask("POST", path, Some(&bot), Some(&body)).json();
        told.pointer(at).and_then(Value::as_str).unwrap_or_else(|| panic!("{path}: {told}")).to_owned()
    });
    house.kill();
    let house = House::new(&workspace);
    let look =
        |token: &str, id: &str| house.ask("GET", &format!("/api/v1/approval/{id}/status"), Some(token), None);
    let over_http = house.ask("GET", "/api/v1/approvals", Some(&operator), None).json();
    let rows = workspace.json(&["approvals", "list"]);
    let exported = workspace.must(&["audit", "export", "--format", "json"]);
    let written: Value = serde_json::from_str(&exported).unwrap();
    for id in &ids {
        assert_eq!(
            (look(&other, id).status, look(&bot, id).json()["status"].as_str()),
            (404, Some("pending"))
        );
        for rows in [&rows["approvals"], &over_http["approvals"]] {
            let row = rows.as_array().unwrap().iter().find(|row| row["id"] == **id).unwrap();
            assert_eq!((&row["caller"], &row["sender"]), (&json!("bot"), &json!("agent-7")), "{row}");
        }
        let line = written.as_array().unwrap().iter().find(|line| line["approval"] == **id).unwrap();
        assert_eq!((&line["caller"], &line["sender"]), (&json!("bot"), &json!("agent-7")), "{line}");
    }
    assert!(workspace.must(&["audit", "export"]).contains(",agent-7,bot,approve,"));
    assert!(workspace.must(&["audit", "report"]).contains("<td>bot as agent-7</td>"));
    assert!(workspace.must(&["approvals", "list"]).contains("bot as agent-7"));
    // Whoever asks for the same call again is told of it too, and the one who asked first goes on being told.
    let again = house.ask("POST", "/api/v1/decide", Some(&other), Some(&call("s2", "deploy", &json!({}))));
    assert_eq!(again.json()["approval"], *ids[1]);
    for token in [&bot, &other] {
        assert_eq!(look(token, &ids[1]).json()["status"], "pending");
    }
    // What was asked here is nobody's of those who come over HTTP.
    workspace.write("event.json", &call("s5", "deploy", &json!({})).to_string());
    let asked = workspace.run(&["decide", &workspace.path("event.json").to_string_lossy()]);
    let asked: Value = serde_json::from_slice(&asked.stdout).unwrap();
    assert_eq!(look(&bot, asked["approval"].as_str().unwrap()).status, 404);
}

#[test]
fn no_token_takes_a_name_that_is_somebody_elses_in_the_log() {
    let workspace = house();
    for name in ["user", "page", "local", "environment", "User"] {
        let refused = workspace.run(&["token", "new", name]);
        assert_eq!(refused.status.code(), Some(2), "{name}");
    }
    let said = String::from_utf8_lossy(&workspace.run(&["token", "new", "page"]).stderr).into_owned();
    insta::assert_snapshot!(said, @r"
    error: `page` names somebody else in the log
      = help: `user`, `page`, `local` and `environment` act without a token of this file: take another name
    ");
}

#[test]
fn a_link_that_is_only_looked_at_is_not_used_up() {
    let workspace = house();
    let house = House::new(&workspace);
    let path = house.login().split_once(house.addr()).unwrap().1.to_owned();
    for (method, head) in [
        ("GET", "Sec-Purpose: prefetch\r\n"),
        ("GET", "Sec-Purpose: prefetch;prerender\r\n"),
        ("GET", "Purpose: prefetch\r\n"),
    ] {
        let looked = house.with_head(method, &path, head, None);
        assert_eq!((looked.status, looked.header("set-cookie")), (503, None), "{method} {head}");
    }
    // What answers a HEAD has no body, whatever length it tells.
    let mut stream = house.connect();
    write!(stream, "HEAD {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", house.addr()).unwrap();
    let mut head = String::new();
    stream.read_to_string(&mut head).unwrap();
    assert!(head.starts_with("HTTP/1.1 200") && !head.contains("set-cookie"), "{head}");
    assert_eq!(house.ask("GET", &path, None, None).status, 303);
}

#[test]
fn agents_and_admins_share_no_secret() {
    let workspace = house();
    workspace.write("rules.yaml", "rules:\n- id: a\n  when: {tool: x}\n  then: block\n");
    let mut server = workspace.engine();
    server.args(["server", "--rules", "rules.yaml", "--port", "0"]);
    server.envs([("POLICYSHIELD_API_TOKEN", "x"), ("POLICYSHIELD_ADMIN_TOKEN", "x")]);
    let ended = server.output().unwrap();
    assert_eq!(ended.status.code(), Some(2));
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    insta::assert_snapshot!(said, @r"
    error: `POLICYSHIELD_API_TOKEN` and `POLICYSHIELD_ADMIN_TOKEN` are the same: an agent would be an admin
      = help: give each a secret of its own
    ");
}

#[test]
fn a_file_of_tokens_that_others_can_write_makes_nobody_known() {
    let workspace = house();
    let agent = token(&workspace, "ci", "agent");
    let file = workspace.root().with_file_name("nobody").join("state/mentci/tokens.json");
    let mode = |mode: u32| fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
    let house = House::new(&workspace);
    let status = || house.ask("GET", "/api/v1/digest", Some(&agent), None).status;
    assert_eq!(status(), 200);
    mode(0o666);
    assert_eq!((status(), house.ask("GET", "/api/v1/digest", None, None).status), (401, 401));
    let ended = workspace.run(&["serve", "--port", "0", "--no-socket"]);
    assert_eq!(ended.status.code(), Some(2));
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    insta::assert_snapshot!(said, @r"
    error: the file of tokens can be written by others (mode 0666)
      = help: look who stands in `tokens.json` of the user's state, then mend or remove it, or `chmod 600` it
    ");
    let doctor = workspace.run(&["doctor"]);
    let said =
        String::from_utf8_lossy(&doctor.stdout).into_owned() + &String::from_utf8_lossy(&doctor.stderr);
    assert!(said.contains("others can read or write the file of tokens (mode 0666)"), "{said}");
    mode(0o600);
    assert_eq!(status(), 200);
}

#[test]
fn a_name_of_the_daemon_is_a_hosts() {
    let workspace = house();
    for name in ["*", "", "evil host/", "a..b", "a:8100"] {
        let refused = workspace.run(&["serve", "--port", "0", "--name", name]);
        assert_eq!(refused.status.code(), Some(2), "{name}");
    }
    let _house = House::with(&workspace, &["serve", "--name", "mentci.example", "--name", "my_box-1"], &[]);
}

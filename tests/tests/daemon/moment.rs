//! When an event happens: the daemon's clock says, whatever an agent does.

use mentci_tests::{House, Scratch};
use serde_json::{Value, json};

use super::{call, token};

/// A rule that asks for a second, and a chain.
const RULES: &str = "rules:
- {id: ask, when: {tool: deploy}, then: approve, approve: {expires_seconds: 1}, message: a person says so}
- {id: leak, when: {tool: send, chain: [{tool: read, within_seconds: 60}]}, then: block, message: no}
";

fn dated(session: &str, tool: &str, at: &str) -> Value {
    let mut event = call(session, tool, &json!({}));
    event["at"] = at.into();
    event
}

#[test]
fn a_time_that_an_agent_tells_is_a_claim_at_every_door() {
    let workspace = Scratch::new(&[(".pi/rules/times.yaml", RULES)]);
    workspace.must(&["trust"]);
    let agent = token(&workspace, "agent", "agent");
    let operator = token(&workspace, "operator", "operator");
    let house = House::new(&workspace);
    let decide = |who: &str, path: &str, event: &Value| {
        let reply = house.ask("POST", path, Some(who), Some(event));
        assert_eq!(reply.status, 200, "{reply:?}");
        reply.json()["decision"].as_str().unwrap().to_owned()
    };
    let old = "2026-01-02T12:00:00Z";
    assert_eq!(decide(&agent, "/api/v1/decide", &call("s", "read", &json!({}))), "allow");
    for who in [&agent, &operator] {
        for path in ["/api/v1/decide", "/api/v1/decide?dry_run=true"] {
            assert_eq!(decide(who, path, &dated("s", "send", old)), "block", "{path}");
        }
    }
    // An event of old arms a chain all the same: it is heard now.
    assert_eq!(decide(&agent, "/api/v1/decide", &dated("t", "read", old)), "allow");
    assert_eq!(decide(&agent, "/api/v1/decide", &call("t", "send", &json!({}))), "block");
    let events = json!({"events": [dated("u", "read", old), dated("u", "send", "2026-01-02T13:00:00Z")]});
    let told = house.ask("POST", "/api/v1/events", Some(&agent), Some(&events)).json();
    assert_eq!(told["verdicts"][1]["decision"], "block", "{told}");
    // The log has both times.
    let log = house.ask("GET", "/api/v1/events?session=u", Some(&operator), None).json();
    assert!(!log.to_string().contains("\"at\":\"2026-01-02"), "{log}");
    let kept = workspace.must(&["session", "export", "u"]);
    assert!(kept.contains(r#""claimed":{"at":"2026-01-02T12:00:00Z"}"#), "{kept}");
}

#[test]
fn an_approval_that_has_expired_is_used_by_no_call_of_old() {
    let workspace = Scratch::new(&[(".pi/rules/times.yaml", RULES)]);
    workspace.must(&["trust"]);
    let (agent, operator) = (token(&workspace, "a", "agent"), token(&workspace, "o", "operator"));
    let house = House::new(&workspace);
    let asked =
        house.ask("POST", "/api/v1/decide", Some(&agent), Some(&call("s", "deploy", &json!({})))).json();
    let id = asked["approval"].as_str().unwrap();
    let grant = json!({"grant": true});
    let granted = house.ask("POST", &format!("/api/v1/approvals/{id}"), Some(&operator), Some(&grant)).json();
    let asked_at = granted["approvals"][0]["asked"].as_str().unwrap().to_owned();
    let state = || {
        let told = house.ask("GET", "/api/v1/approvals", Some(&operator), None).json();
        told["approvals"][0]["state"].as_str().unwrap().to_owned()
    };
    while state() != "expired" {
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    let late =
        house.ask("POST", "/api/v1/decide", Some(&agent), Some(&dated("s", "deploy", &asked_at))).json();
    assert_eq!(late["decision"], "approve", "{late}");
    assert_ne!(late["approval"], id, "it is asked anew");
}

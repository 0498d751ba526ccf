//! PolicyShield's real Python SDK against our daemon: its three clients, unchanged.

#![expect(clippy::disallowed_methods, reason = "tests start processes")]

use std::process::Command;

use mentci_tests::{House, Scratch, clients};
use serde_json::Value;

const RULES: &str = "shield_name: shop
version: 1
rules:
- id: no-rm
  when: {tool: exec, args_match: {command: {regex: 'rm\\s+-rf'}}}
  then: block
  severity: critical
  message: not here
- id: ask-deploy
  when: {tool: deploy}
  then: approve
  message: a person says so
";

#[test]
fn its_clients_are_answered_as_by_its_own_server() {
    let workspace = Scratch::new(&[("rules.yaml", RULES)]);
    let tokens = [("POLICYSHIELD_API_TOKEN", "agents-token"), ("POLICYSHIELD_ADMIN_TOKEN", "admins-token")];
    let house = House::with(&workspace, &["server", "--rules", "rules.yaml", "--host", "127.0.0.1"], &tokens);
    let driven = Command::new(clients::policyshield())
        .arg(clients::driver("policyshield_sdk.py"))
        .args([&format!("http://{}", house.addr()), "agents-token", "admins-token"])
        .output()
        .expect("python can be run");
    let errors = String::from_utf8_lossy(&driven.stderr);
    assert!(driven.status.success(), "{errors}");
    let mut said: Value = serde_json::from_slice(&driven.stdout).unwrap();
    // Names what holds; it changes with every version of a rule.
    said["health"]["rules_hash"] = "HASH".into();
    said["waited"]["approval_id"] = "ID".into();
    for answer in ["allowed", "blocked", "retrying"] {
        assert_eq!(said[answer]["request_id"].as_str().map(str::len), Some(36), "{answer}");
        said[answer]["request_id"] = "UUID".into();
    }
    insta::assert_json_snapshot!(said, @r#"
    {
      "agent_kills": "HTTPStatusError",
      "allowed": {
        "approval_id": null,
        "message": "",
        "modified_args": null,
        "pii_types": [],
        "request_id": "UUID",
        "rule_id": null,
        "shield_version": "0.14.0",
        "verdict": "ALLOW"
      },
      "asked": "APPROVE",
      "async_blocked": "BLOCK",
      "async_killed": "killed",
      "async_resumed": "resumed",
      "blocked": {
        "approval_id": null,
        "message": "not here",
        "modified_args": null,
        "pii_types": [],
        "request_id": "UUID",
        "rule_id": "no-rm",
        "shield_version": "0.14.0",
        "verdict": "BLOCK"
      },
      "health": {
        "mode": "ENFORCE",
        "rules_count": 2,
        "rules_hash": "HASH",
        "shield_name": "shop",
        "status": "ok",
        "version": 1
      },
      "killed": {
        "reason": "fire",
        "status": "killed"
      },
      "looked": {
        "pii_types": [
          "EMAIL"
        ],
        "redacted_output": "mail [EMAIL]"
      },
      "reloaded": [
        "rules_count",
        "rules_hash",
        "status"
      ],
      "resumed": {
        "status": "resumed"
      },
      "retrying": {
        "message": "not here",
        "modified_args": null,
        "request_id": "UUID",
        "rule_id": "no-rm",
        "verdict": "BLOCK"
      },
      "stopped": "BLOCK",
      "stranger": "BLOCK",
      "waited": {
        "approval_id": "ID",
        "comment": null,
        "responder": "environment as ada",
        "status": "approved"
      }
    }
    "#);
}

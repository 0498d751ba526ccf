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
    insta::assert_json_snapshot!(said, @"");
}

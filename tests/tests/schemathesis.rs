//! Schemathesis makes requests out of the document that the daemon serves, good and bad ones, and looks for answers that the
//! document does not tell of.

#![expect(clippy::disallowed_methods, reason = "tests start processes")]

use std::process::Command;

use mentci_tests::{House, Scratch, clients};

const RULES: &str =
    "shield_name: shop\nversion: 1\nrules:\n- id: no-rm\n  when: {tool: exec}\n  then: block\n";

/// Runs it over some of the routes; everything it says, when it finds something.
fn finds_nothing(more: &[&str]) {
    let workspace = Scratch::new(&[(".pi/rules/shop.yaml", RULES)]);
    let admin = workspace.must(&["token", "new", "ada", "--scope", "admin"]);
    let house = House::new(&workspace);
    let run = Command::new(clients::schemathesis())
        .args(["run", &format!("http://{}/openapi.json", house.addr())])
        .args(["-H", &format!("Authorization: Bearer {}", admin.trim())])
        .args([
            "--phases",
            "fuzzing",
            "--max-examples",
            "10",
            "--seed",
            "1",
            "--no-color",
            "--exclude-path",
            "/api/v1/stream",
        ])
        .args(more)
        .current_dir(workspace.root())
        .output()
        .expect("schemathesis can be run");
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{said}");
}

#[test]
fn nothing_is_answered_that_the_document_does_not_tell() {
    // Guesses at tokens are answered 429 after a while, which says nothing of the route. What has the right shape and names
    // nothing that there is (a skill, a zone, a hash) is told with 422.
    let checks = ["--exclude-checks", "ignored_auth,positive_data_acceptance"];
    // A check is answered with BLOCK whatever is sent: what its plugins take for no answer they take for permission.
    let closed = ["--exclude-path", "/api/v1/check", "--exclude-path", "/api/v1/post-check"];
    finds_nothing(&[&checks[..], &closed[..]].concat());
}

#[test]
fn a_check_is_answered_whatever_is_sent() {
    let paths = ["--include-path", "/api/v1/check", "--include-path", "/api/v1/post-check"];
    let checks = ["--exclude-checks", "ignored_auth,negative_data_rejection"];
    finds_nothing(&[&paths[..], &checks[..]].concat());
}

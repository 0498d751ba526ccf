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
            "examples,coverage,fuzzing,stateful",
            "--max-examples",
            "5",
            "--seed",
            "1",
            "--no-color",
            "--exclude-path",
            "/api/v1/stream",
            // What it answers, its protocol says.
            "--exclude-path",
            "/mcp",
        ])
        .args(more)
        .current_dir(workspace.root())
        .output()
        .expect("schemathesis can be run");
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{said}");
}

/// Guesses at tokens are answered 429 after a while, which says nothing of the route.
const GUESSED: &str = "ignored_auth";

/// What takes more than a schema can say: an event whose whole number is written with a point, a plugin's folder, files of rules, a
/// zone. What has the right shape and is not that is told with 422.
const RICH: [&str; 4] = ["/api/v1/decide", "/api/v1/events", "/api/v1/plugins", "/api/v1/replay"];

/// What is answered whatever is sent, with BLOCK or withheld: what their plugins take for no answer they take for permission.
const CLOSED: [&str; 2] = ["/api/v1/check", "/api/v1/post-check"];

#[test]
fn nothing_is_answered_that_the_document_does_not_tell() {
    let others = RICH.iter().chain(&CLOSED).flat_map(|path| ["--exclude-path", *path]);
    finds_nothing(&["--exclude-checks", GUESSED].into_iter().chain(others).collect::<Vec<_>>());
}

#[test]
fn what_no_schema_says_in_full_is_answered_as_the_document_tells() {
    let checks = format!("{GUESSED},positive_data_acceptance");
    let own = RICH.iter().flat_map(|path| ["--include-path", *path]);
    finds_nothing(&["--exclude-checks", &checks].into_iter().chain(own).collect::<Vec<_>>());
}

#[test]
fn a_check_is_answered_whatever_is_sent() {
    let checks = format!("{GUESSED},negative_data_rejection,missing_required_header,unsupported_method");
    let own = CLOSED.iter().flat_map(|path| ["--include-path", *path]);
    finds_nothing(&["--exclude-checks", &checks].into_iter().chain(own).collect::<Vec<_>>());
}

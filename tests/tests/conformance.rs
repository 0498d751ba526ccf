//! The MCP conformance suite against the server and against the gateway. What asks for the suite's own tools, resources and
//! prompts is asked of a fixture that has them, behind the gateway.

#![expect(clippy::disallowed_methods, reason = "these stories start processes")]

use std::collections::BTreeSet;
use std::process::Command;

use mentci_tests::{Scratch, Served, clients, engine};

/// What needs nothing but a server: all that the protocol asks of ours.
const OWN: [&str; 10] = [
    "server-initialize",
    "server-session-lifecycle",
    "ping",
    "completion-complete",
    "tools-list",
    "server-sse-polling",
    "server-sse-multiple-streams",
    "resources-list",
    "prompts-list",
    "dns-rebinding-protection",
];

/// What the bridge before the gateway answers for, and no gateway on a pipe can: headers, and streams that are taken up again.
const OF_HTTP: [&str; 2] = ["server-sse-polling", "dns-rebinding-protection"];

#[test]
fn the_server_conforms() {
    let workspace = workspace();
    let (passed, _) = suite(Served::new(&workspace).url());
    let missing: Vec<&&str> = OWN.iter().filter(|name| !passed.contains(**name)).collect();
    assert!(missing.is_empty(), "{missing:?} of {passed:?}");
}

#[test]
fn the_gateway_is_not_noticed() {
    let workspace = workspace();
    workspace.must(&["pack"]);
    let root = workspace.root().display().to_string();
    let mut command = bridge();
    command.arg(engine()).args(["mcp", "gateway", "--name", "up", "--root", &root, "--"]);
    command.arg(clients::node()).arg(clients::driver("conformance-fixture.mjs")).arg(clients::mcp_sdk());
    let (passed, failed) = suite(Served::by(command).url());
    assert_eq!(failed, OF_HTTP.map(str::to_owned).into());
    assert!(passed.len() > 30 && passed.contains("tools-call-sampling"), "{passed:?}");
}

/// A server on a pipe, at an address.
fn bridge() -> Command {
    let mut command = Command::new(clients::node());
    command.arg(clients::driver("mcp-bridge.mjs")).arg(clients::mcp_sdk());
    command
}

fn workspace() -> Scratch {
    Scratch::new(&[(".pi/skills/house/SKILL.md", "# House\n\n- Never paint the door red.\n")])
}

/// The scenarios that pass at this address, and those that fail.
fn suite(url: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let out = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(clients::node());
    command.arg(clients::conformance()).args(["server", "--url", url, "--suite", "all"]);
    command.args(["--spec-version", "2025-11-25", "-o"]).arg(out.path());
    let output = command.output().expect("it can be started");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let marked = |mark: &str| {
        let names = said.lines().filter_map(|line| line.strip_prefix(mark)?.split(':').next());
        names.map(|name| name.trim().to_owned()).collect::<BTreeSet<String>>()
    };
    let (passed, failed) = (marked("✓"), marked("✗"));
    assert!(!passed.is_empty(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    (passed, failed)
}

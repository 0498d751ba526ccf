//! The project lives under its own authority: its law compiles to what is committed, and `init` has nothing to add.

#![expect(clippy::disallowed_methods, reason = "the binary is run on this checkout")]

use std::process::{Command, Output};

use mentci_tests::{checkout, engine};

#[test]
fn the_committed_rules_are_what_the_law_compiles_to() {
    let Output { status, stdout, stderr } = own(&["compile-rules", "--check", "--diff"]);
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(
        status.success(),
        "the rules of this workspace are not up to date, or its law is odd: run `policy-engine compile-rules` and commit \
         .pi\n{stdout}\n{stderr}"
    );
}

#[test]
fn every_line_of_the_law_is_accounted_for() {
    let Output { status, stdout, .. } = own(&["coverage"]);
    let stdout = String::from_utf8_lossy(&stdout);
    assert!(status.success() && stdout.contains("(100.0%)"), "{stdout}");
}

#[test]
fn the_extension_is_the_one_that_init_writes() {
    let own = checkout::read(".pi/extensions/mentci-workspace.ts");
    let asset = checkout::read("Components/harness/assets/mentci-workspace.ts");
    assert!(own == asset, "copy Components/harness/assets/mentci-workspace.ts to .pi/extensions/");
}

/// Runs the engine on this checkout, with nobody's configuration and nobody's consent.
fn own(args: &[&str]) -> Output {
    let nobody = tempfile::tempdir().expect("the temporary folder can be written");
    let mut command = Command::new(engine());
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("MENTCI_")) {
        command.env_remove(name);
    }
    command
        .args(args)
        .arg("--root")
        .arg(checkout::root())
        .env("XDG_CONFIG_HOME", nobody.path())
        .env("XDG_STATE_HOME", nobody.path())
        .output()
        .expect("the engine can be started")
}

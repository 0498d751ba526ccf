//! The binary under test.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

/// The `policy-engine` of this checkout, built when it is not up to date. `MENTCI_TEST_ENGINE` names another.
///
/// # Panics
///
/// When it cannot be built.
pub fn engine() -> &'static Path {
    static ENGINE: OnceLock<PathBuf> = OnceLock::new();
    ENGINE.get_or_init(|| match std::env::var_os("MENTCI_TEST_ENGINE") {
        Some(path) => PathBuf::from(path),
        None => built(),
    })
}

/// Asks cargo, which knows the target folder and the profile's name, and does nothing when all is fresh.
fn built() -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["build", "--quiet", "--package", "mentci-policy-engine"])
        .args(["--bin", "policy-engine", "--message-format", "json"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stderr(Stdio::inherit())
        .output()
        .expect("cargo can be run");
    assert!(output.status.success(), "`policy-engine` does not build");
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .expect("cargo names the binary that it built")
}

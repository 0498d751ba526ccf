//! This checkout: what git tracks in it and what cargo says of it.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Its root.
///
/// # Panics
///
/// Never: the package `tests` lies in the root.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("OK because the package lies one folder below the root")
}

/// The text of a file of the checkout; bytes that are no text are passed over. Empty when it is gone.
pub fn read(path: &str) -> String {
    let bytes = std::fs::read(root().join(path)).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The bytes of a file of the checkout; none when it is gone.
pub fn bytes(path: &str) -> Vec<u8> {
    std::fs::read(root().join(path)).unwrap_or_default()
}

/// The files that git tracks, sorted, with `/` between their parts; without git, all files that cargo did not make.
pub fn tracked() -> Vec<String> {
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output();
    let mut paths: Vec<String> = match listed {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout)
            .split('\0')
            .filter(|path| !path.is_empty() && root().join(path).is_file())
            .map(str::to_owned)
            .collect(),
        _ => files_under(root()),
    };
    paths.sort();
    paths
}

/// The tracked files under a folder that end so.
pub fn tracked_in(folder: &str, ending: &str) -> Vec<String> {
    let mut paths = tracked();
    paths.retain(|path| path.starts_with(folder) && path.ends_with(ending));
    paths
}

fn files_under(folder: &Path) -> Vec<String> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if [".git", "target", "node_modules", ".mentci"].iter().any(|passed| *passed == name) {
            continue;
        }
        if path.is_dir() {
            paths.extend(files_under(&path));
        } else if let Ok(path) = path.strip_prefix(root()) {
            paths.push(path.to_string_lossy().into_owned());
        }
    }
    paths
}

/// What `cargo metadata` says of the workspace's own packages.
///
/// # Panics
///
/// When cargo cannot be run.
pub fn metadata() -> Value {
    let cargo = std::env::var_os("CARGO").map_or_else(|| PathBuf::from(env!("CARGO")), PathBuf::from);
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .expect("cargo can be run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo speaks JSON")
}

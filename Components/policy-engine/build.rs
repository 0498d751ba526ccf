//! How the binary is linked: so that a process begins quickly (`Library/design/linking.md`).
#![expect(
    clippy::disallowed_methods,
    reason = "a build is told what it is for by its environment, and asks the linker"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// Libraries that are linked into the binary where the compiler has them as archives: the name by which the linker looks for
/// them, and the archive.
const INSIDE: [(&str, &str); 2] = [("libstdc++.a", "libstdc++.a"), ("libgcc_s.a", "libgcc_eh.a")];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |key: &str, value: &str| std::env::var(key).is_ok_and(|found| found == value);
    if !(is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu")) {
        return;
    }
    // A hook is a process of its own before and after each call of a tool: without relocations to be made at each start it
    // begins in half the time.
    println!("cargo::rustc-link-arg-bins=-no-pie");
    // To another target's archives only its own compiler knows the way.
    let is_native = std::env::var("HOST").ok() == std::env::var("TARGET").ok();
    let Some(folder) = std::env::var_os("OUT_DIR").map(PathBuf::from).filter(|_| is_native) else { return };
    if INSIDE.iter().all(|(name, archive)| place(&folder.join(name), archive).is_some()) {
        // Looked through before the system's folders, in which the shared ones stand beside the archives.
        println!("cargo::rustc-link-search=native={}", folder.display());
    }
}

/// Puts the compiler's archive under the name that the linker looks for; none where there is no such archive.
fn place(name: &Path, archive: &str) -> Option<()> {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let told = Command::new(compiler).arg(format!("-print-file-name={archive}")).output().ok()?;
    let path = PathBuf::from(String::from_utf8(told.stdout).ok()?.trim());
    if !path.is_absolute() || !path.exists() {
        return None;
    }
    // From a build before this one.
    let _ = std::fs::remove_file(name);
    std::fs::copy(path, name).ok().map(drop)
}

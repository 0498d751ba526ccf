//! How the binary is linked.
#![expect(clippy::disallowed_methods, reason = "a build is told what it is for by its environment")]

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |key: &str, value: &str| std::env::var(key).is_ok_and(|found| found == value);
    // A hook is a process of its own before and after each call of a tool: without relocations to be made at each start it begins
    // in half the time (Library/design/linking.md).
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}

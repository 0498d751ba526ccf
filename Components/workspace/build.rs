//! Names the sources of all that makes a program out of rules: a pack that other sources made is made anew.

#![expect(clippy::disallowed_methods, reason = "a build reads the sources that it is of")]

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

/// Relative to this crate: who reads, checks, lowers, compiles and decides, and what is shipped.
const SOURCES: [&str; 13] = [
    "../source/src",
    "../expr/src",
    "../authority/src",
    "../ledger/src",
    "../detect/src",
    "../chatmd/src",
    "../reader/src",
    "../script/src",
    "../dialect/src",
    "../pdp/src",
    "../host/src",
    "src",
    "../../Library/rules",
];

fn main() {
    let mut files = BTreeSet::new();
    for folder in SOURCES {
        println!("cargo:rerun-if-changed={folder}");
        gather(Path::new(folder), &mut files);
    }
    files.insert(PathBuf::from("../../Cargo.lock"));
    println!("cargo:rerun-if-changed=../../Cargo.lock");
    let mut hasher = DefaultHasher::new();
    for path in files {
        hasher.write(path.to_string_lossy().as_bytes());
        // What is not there, as in a crate on its own, is not in the name.
        hasher.write(&std::fs::read(&path).unwrap_or_default());
    }
    println!("cargo:rustc-env=MENTCI_BUILD={:016x}", hasher.finish());
}

fn gather(folder: &Path, files: &mut BTreeSet<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            gather(&path, files);
        } else {
            files.insert(path);
        }
    }
}

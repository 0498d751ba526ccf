//! What may stand in a tracked file: nothing of one machine, and no host but those that are named here.

use mentci_tests::checkout;

/// This file spells what it forbids.
const OWN: &str = "tests/tests/tracked.rs";

/// Where people's files lie on their machines.
const MACHINES: &[&str] = &["/home/", "/root/", "/Users/", "/work/", "/nix/store/", "C:\\Users"];

/// The hosts that texts may name: documents that are cited, and names that are reserved for examples.
const HOSTS: &[&str] = &[
    "127.0.0.1",
    "localhost",
    // Made up, in tests.
    "a.org",
    // Providers of models, as the configuration names them.
    "api.anthropic.com",
    "api.openai.com",
    "openrouter.ai",
    // Real.
    "agentskills.io",
    "doc.rust-lang.org",
    "docs.rs",
    "example.com",
    "example.org",
    "github.com",
    // The name of a dialect of JSON Schema; nothing is fetched there.
    "json-schema.org",
    "keepachangelog.com",
    "modelcontextprotocol.io",
    "semver.org",
    "www.apache.org",
    // The name of a namespace: without it a picture is no SVG. Nothing is fetched there.
    "www.w3.org",
];

#[test]
fn no_path_of_a_machine_is_tracked() {
    let mut found = Vec::new();
    for (path, number, line) in lines() {
        let machines = MACHINES.iter().filter(|machine| line.contains(**machine));
        found.extend(machines.map(|machine| format!("{path}:{number}: {machine}")));
    }
    assert!(
        found.is_empty(),
        "paths of one machine: name them relative to the workspace\n{}",
        found.join("\n")
    );
}

#[test]
fn no_host_is_tracked_but_the_named_ones() {
    let mut found = Vec::new();
    for (path, number, line) in lines().into_iter().filter(|(path, ..)| path != "Cargo.lock") {
        let unknown = hosts(&line).filter(|host| !HOSTS.contains(host) && !is_reserved(host));
        found.extend(unknown.map(|host| format!("{path}:{number}: {host}")));
    }
    assert!(
        found.is_empty(),
        "hosts that HOSTS of {OWN} does not name: are they needed?\n{}",
        found.join("\n")
    );
}

/// Names that nobody can have, by RFC 2606.
fn is_reserved(host: &str) -> bool {
    let endings = [".example", ".test", ".invalid", ".localhost", ".example.com", ".example.org"];
    endings.iter().any(|ending| host.ends_with(ending))
}

/// The files that are no text, each with why it is here. Pictures are small: a clone carries them for ever.
const BINARIES: &[(&str, &str)] =
    &[("Library/guide/pictures/page.png", "the README and the guide show the page")];
const MOST_BYTES: usize = 150_000;

#[test]
fn only_named_files_are_no_text() {
    let mut found = Vec::new();
    for path in checkout::tracked() {
        let bytes = checkout::bytes(&path);
        let is_text = std::str::from_utf8(&bytes).is_ok_and(|text| !text.contains('\0'));
        let is_named = BINARIES.iter().any(|(named, _)| *named == path);
        if !is_text && !is_named && !path.contains("/fixtures/") {
            found.push(format!("{path}: BINARIES of {OWN} does not name it"));
        }
        if is_named && bytes.len() > MOST_BYTES {
            found.push(format!("{path}: {} bytes, and at most {MOST_BYTES} are carried", bytes.len()));
        }
    }
    let tracked = checkout::tracked();
    let gone = BINARIES.iter().filter(|(named, _)| !tracked.iter().any(|path| path == named));
    found.extend(gone.map(|(named, _)| format!("{named}: it is not there")));
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_dependency_comes_from_the_public_registry() {
    for line in checkout::read("Cargo.lock").lines().filter(|line| line.starts_with("source = ")) {
        let index = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
        assert_eq!(line, index, "Cargo.lock names another source");
    }
}

/// The hosts of the URLs of a line; what stands for a host in a format string is none.
fn hosts(line: &str) -> impl Iterator<Item = &str> {
    let rest = line.split("://").skip(1).zip(line.split("://"));
    let urls = rest.filter(|(_, before)| before.ends_with("http") || before.ends_with("https"));
    urls.filter_map(|(rest, _)| {
        // What stands before an `@` is who asks, and no host.
        let authority = rest.split(|c: char| "/?#\"'` ".contains(c)).next().unwrap_or(rest);
        let rest = authority.rsplit_once('@').map_or(rest, |(_, host)| host);
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || ".-".contains(c))).unwrap_or(rest.len());
        Some(rest[..end].trim_end_matches('.')).filter(|host| !host.is_empty())
    })
}

/// Rules are about paths and hosts: what they name is what they forbid.
const ABOUT_MACHINES: [&str; 2] = ["Library/rules/", "tests/tests/packs.rs"];

fn lines() -> Vec<(String, usize, String)> {
    let mut lines = Vec::new();
    let is_about = |path: &String| ABOUT_MACHINES.iter().any(|about| path.starts_with(about));
    for path in checkout::tracked().into_iter().filter(|path| path != OWN && !is_about(path)) {
        let text = checkout::read(&path);
        lines.extend(text.lines().enumerate().map(|(at, line)| (path.clone(), at + 1, line.to_owned())));
    }
    lines
}

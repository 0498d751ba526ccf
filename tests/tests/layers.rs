//! The floors: which crate may import which, and where each dependency lives.
//!
//! A crate imports only from floors below it. A new crate, a new arrow and a new dependency are decisions: they are made
//! in the tables of this file, in plain view, and `Library/architecture.md` tells them.

use std::collections::{BTreeMap, BTreeSet};

use mentci_tests::checkout;
use serde_json::Value;

/// Crate, floor, and the crates that it imports.
const HOUSE: &[(&str, u32, &[&str])] = &[
    ("source", 1, &[]),
    ("expr", 2, &["source"]),
    ("reader", 2, &["source"]),
    ("shell", 2, &["source"]),
    ("detect", 2, &["source"]),
    ("tokens", 2, &[]),
    ("disk", 2, &["source"]),
    ("authority", 3, &["source", "expr"]),
    ("compiler", 4, &["source", "authority", "reader", "tokens"]),
    ("chatmd", 4, &["source", "authority"]),
    ("ledger", 4, &["source", "authority"]),
    ("script", 4, &["source"]),
    ("page", 5, &["source", "authority", "chatmd"]),
    // `detect` because a kind of data that no detector knows is a slip, to be told where the rule is read.
    ("dialect", 5, &["source", "expr", "detect", "authority", "reader", "chatmd"]),
    ("pdp", 5, &["source", "expr", "authority", "ledger", "detect"]),
    ("context", 5, &["source", "authority", "ledger", "detect", "tokens"]),
    ("store", 5, &["source", "authority", "ledger", "disk"]),
    (
        "host",
        6,
        &[
            "source",
            "expr",
            "shell",
            "authority",
            "chatmd",
            "compiler",
            "context",
            "ledger",
            "dialect",
            "pdp",
            "tokens",
        ],
    ),
    ("model", 6, &["source", "authority"]),
    ("telemetry", 6, &[]),
    ("web", 7, &["source", "authority", "page", "context", "host"]),
    (
        "workspace",
        7,
        &[
            "source",
            "authority",
            "compiler",
            "context",
            // What looks like a secret is never sent to the model that shortens rules.
            "detect",
            "reader",
            "tokens",
            "script",
            "chatmd",
            "page",
            "dialect",
            "ledger",
            "pdp",
            "store",
            "host",
            "model",
            "disk",
        ],
    ),
    ("harness", 8, &["source", "authority", "host"]),
    ("mcp", 8, &["source", "authority", "context", "host"]),
    ("runner", 8, &["source", "authority", "chatmd", "context", "tokens", "disk", "host", "workspace"]),
    // `detect` because PolicyShield takes personal data out of every output, whatever the rules say.
    ("daemon", 8, &["source", "detect", "authority", "disk", "host", "telemetry", "web", "workspace"]),
    // `disk` because the binary hands `RealFs` to the workspace; it reads nothing by itself.
    (
        "policy-engine",
        9,
        &[
            "source",
            "disk",
            "authority",
            "host",
            "model",
            "telemetry",
            "workspace",
            "mcp",
            "harness",
            "runner",
            "daemon",
        ],
    ),
];

/// What a crate never reaches, not even through others, and why.
const ABSENCES: &[(&str, &str, &str)] = &[
    ("reader", "authority", "a format knows no policy"),
    ("authority", "reader", "the vocabulary knows no format"),
    ("pdp", "reader", "a decision cannot parse"),
    ("pdp", "dialect", "a decision cannot parse"),
    ("pdp", "compiler", "a decision cannot parse"),
    ("pdp", "shell", "a decision cannot parse: commands are taken apart when an event is admitted"),
    ("pdp", "store", "a decision cannot wait"),
    ("ledger", "store", "the ledger is a fold: who keeps the log is not its business"),
    ("compiler", "disk", "a compile is a function: the same sources give the same bytes"),
    ("host", "disk", "a question is answered from a snapshot, never from the disk"),
    ("mcp", "workspace", "a door is handed `ask` and knows nothing of what stands behind it"),
    ("web", "workspace", "a page is made from answers: it is handed `ask`"),
    ("web", "disk", "a page reads no file"),
    ("model", "disk", "a provider reads no file: a script is handed in as text"),
    ("model", "pdp", "a provider knows no policy"),
    ("harness", "workspace", "a door is handed `ask` and knows nothing of what stands behind it"),
];

/// Where each dependency from outside lives: one home for what is heavy.
const HOMES: &[(&str, &[&str])] = &[
    ("aho-corasick", &["compiler", "detect", "pdp"]),
    ("anstream", &["policy-engine"]),
    ("axum", &["daemon", "mcp"]),
    ("blake3", &["source"]),
    ("capnp", &["pdp"]),
    ("cargo_toml", &["reader"]),
    ("clap", &["policy-engine"]),
    ("clap_complete", &["policy-engine"]),
    ("clap_mangen", &["policy-engine"]),
    ("futures-util", &["daemon"]),
    ("getrandom", &["daemon"]),
    ("globset", &["disk"]),
    ("base64", &["model", "workspace"]),
    ("httpdate", &["model"]),
    ("hyper", &["daemon"]),
    ("hyper-util", &["daemon"]),
    ("ignore", &["disk"]),
    ("indicatif", &["policy-engine"]),
    // `authority` reads and writes the times of events; `workspace` reads the clock.
    ("jiff", &["authority", "workspace"]),
    ("jsonc-parser", &["workspace"]),
    ("jsonpath-rust", &["expr"]),
    ("jsonschema", &["context"]),
    ("memchr", &["chatmd", "expr", "detect", "pdp", "store"]),
    ("minijinja", &["script"]),
    ("mlua", &["script"]),
    ("notify", &["disk"]),
    ("opentelemetry", &["telemetry"]),
    ("opentelemetry-http", &["telemetry"]),
    ("opentelemetry-otlp", &["telemetry"]),
    ("opentelemetry_sdk", &["telemetry"]),
    ("owo-colors", &["policy-engine"]),
    ("pulldown-cmark", &["page", "reader"]),
    ("regex", &["compiler", "detect", "expr", "pdp"]),
    // Beside `regex`: a pattern that is looked for once is built sparingly.
    ("regex-automata", &["expr"]),
    ("regex-syntax", &["expr"]),
    // The gateway reaches servers as they are, message by message: `rmcp` would read them.
    ("reqwest", &["mcp", "model", "telemetry"]),
    ("rmcp", &["mcp"]),
    ("rusqlite", &["store"]),
    ("rustc-hash", &["compiler", "pdp", "workspace"]),
    // `mcp` reaches servers of tools over HTTPS.
    ("rustls", &["daemon", "mcp", "model", "telemetry"]),
    // `runner` and `mcp` end the process groups that they started; `workspace` and `daemon` know who is at the other end of a socket.
    ("rustix", &["daemon", "disk", "mcp", "policy-engine", "runner", "workspace"]),
    ("granit-parser", &["dialect"]),
    // `context` names what it moves out of the log; `store` verifies what it keeps.
    ("sha2", &["context", "store"]),
    ("signal-hook", &["policy-engine"]),
    ("smallvec", &["pdp"]),
    ("tabled", &["policy-engine"]),
    ("tiktoken", &["tokens"]),
    ("tokio", &["daemon", "mcp", "model", "runner", "telemetry"]),
    ("tokio-rustls", &["daemon"]),
    // Manifests are read in `reader`; `mentci.toml` is the workspace's own.
    ("toml", &["dialect", "reader", "workspace"]),
    ("tracing", &["daemon", "telemetry", "workspace"]),
    ("tracing-opentelemetry", &["telemetry"]),
    ("tracing-subscriber", &["policy-engine", "telemetry"]),
    ("unicode-normalization", &["expr"]),
    ("uuid", &["mcp"]),
    // The name of the system's user enters where the environment does.
    ("uzers", &["policy-engine"]),
];

/// Light and everywhere.
const EVERYWHERE: &[&str] = &["serde", "serde_json", "thiserror"];

#[test]
fn every_crate_stands_on_a_floor() {
    let arrows = arrows("");
    let house: BTreeSet<&str> = HOUSE.iter().map(|(name, ..)| *name).collect();
    let homeless: Vec<&String> = arrows.keys().filter(|name| !house.contains(name.as_str())).collect();
    assert!(
        homeless.is_empty(),
        "{homeless:?} stand on no floor: decide where, and write it into HOUSE and Library/architecture.md"
    );
    let gone: Vec<&&str> = house.iter().filter(|name| !arrows.contains_key(**name)).collect();
    assert!(
        gone.is_empty(),
        "{gone:?} stand in HOUSE and not in Components: take them out, here and in Library/architecture.md"
    );
}

#[test]
fn every_arrow_is_decided() {
    let arrows = arrows("");
    let (mut undecided, mut unused) = (Vec::new(), Vec::new());
    for (name, _, decided) in HOUSE {
        let there = &arrows[*name];
        undecided
            .extend(there.iter().filter(|to| !decided.contains(&to.as_str())).map(|to| (name, to.clone())));
        unused.extend(decided.iter().filter(|to| !there.contains(**to)).map(|to| (name, to)));
    }
    assert!(
        undecided.is_empty(),
        "nobody decided these imports: write the arrows into HOUSE with their reason, or do without: {undecided:?}"
    );
    assert!(unused.is_empty(), "HOUSE has arrows that no crate takes: take them out: {unused:?}");
}

#[test]
fn arrows_point_down() {
    let floors: BTreeMap<&str, u32> = HOUSE.iter().map(|(name, floor, _)| (*name, *floor)).collect();
    for kind in ["", "dev", "build"] {
        for (from, imports) in arrows(kind) {
            for to in imports {
                let (own, below) = (floors[from.as_str()], floors[to.as_str()]);
                assert!(
                    below < own,
                    "`{from}` on floor {own} imports `{to}` on floor {below}: a crate imports only from floors below it; \
                     move what is shared down, or let the upper one hand it in as a trait"
                );
            }
        }
    }
}

#[test]
fn every_arrow_is_used() {
    let mut unused = Vec::new();
    for (name, _, imports) in HOUSE {
        let sources = checkout::tracked_in(&format!("Components/{name}/src/"), ".rs");
        let sources: String = sources.iter().map(|path| checkout::read(path)).collect();
        let is_used = |to: &str| sources.contains(&format!("mentci_{}", to.replace('-', "_")));
        unused.extend(imports.iter().filter(|to| !is_used(to)).map(|to| (name, to)));
    }
    assert!(unused.is_empty(), "declared and never used: take them out of Cargo.toml and HOUSE: {unused:?}");
}

#[test]
fn the_architecture_tells_of_every_floor() {
    let page = checkout::read("Library/architecture.md");
    for (name, floor, imports) in HOUSE {
        let imports = if imports.is_empty() { "-".to_owned() } else { imports.join(", ") };
        let (start, end) = (format!("| {floor} | `{name}` |"), format!("| {imports} |"));
        let row = page.lines().find(|line| line.starts_with(&start));
        assert!(
            row.is_some_and(|row| row.ends_with(&end)),
            "Library/architecture.md has no row `{start} … {end}`"
        );
    }
}

#[test]
fn what_is_absent_stays_absent() {
    let arrows = arrows("");
    for (from, to, why) in ABSENCES {
        let reached = reach(&arrows, from);
        assert!(!reached.contains(*to), "`{from}` reaches `{to}`: {why}");
    }
}

#[test]
fn what_words_say_knows_of_no_document() {
    let files = checkout::tracked_in("Components/compiler/src/law/speech/", ".rs");
    assert!(!files.is_empty(), "the words of law stand in `law/speech`");
    for path in files {
        let source = checkout::read(&path);
        // Its tests may read law.
        let own = source.split("#[cfg(test)]").next().unwrap_or_default();
        for above in ["super::super::", "crate::law::", "BlockKind"] {
            assert!(
                !own.contains(above),
                "{path} names `{above}`: `speech` is what words say wherever they stand; what knows of headings and rules stands above it, in `law`"
            );
        }
    }
}

#[test]
fn every_dependency_has_its_home() {
    let homes: BTreeMap<&str, &[&str]> = HOMES.iter().copied().collect();
    let mut outside = outside();
    outside.retain(|dependency, _| !EVERYWHERE.contains(&dependency.as_str()));
    let mut strays = Vec::new();
    for (dependency, users) in &outside {
        let decided = homes.get(dependency.as_str()).copied().unwrap_or_default();
        let away = users.iter().filter(|user| !decided.contains(&user.as_str()));
        strays
            .extend(away.map(|user| format!("`{user}` takes up `{dependency}`, whose home is {decided:?}")));
    }
    assert!(
        strays.is_empty(),
        "ask the dependency's home to do the work, or decide otherwise in HOMES, with a reason:\n{}",
        strays.join("\n")
    );
    let empty: Vec<&&str> = homes.keys().filter(|dependency| !outside.contains_key(**dependency)).collect();
    assert!(empty.is_empty(), "HOMES of nobody: take them out: {empty:?}");
}

#[test]
fn there_is_one_version_table() {
    let root = checkout::read("Cargo.toml");
    let table = root.split("[workspace.dependencies]").nth(1).unwrap_or_default();
    let table = table.split("\n[").next().unwrap_or_default();
    for line in table.lines().filter(|line| line.contains('=') && !line.contains("path = ")) {
        assert!(line.contains(" # "), "`{line}` does not say why the dependency is there");
    }
    for package in packages() {
        let path = format!("{}/Cargo.toml", folder(&package));
        for line in dependency_lines(&checkout::read(&path)) {
            assert!(
                line.contains("workspace = true"),
                "{path}: `{line}` has a version of its own: put it into the table of the root's Cargo.toml"
            );
        }
    }
}

/// The lines of the `dependencies` tables of a manifest.
fn dependency_lines(manifest: &str) -> Vec<&str> {
    let mut inside = false;
    let mut lines = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line.trim_end_matches(']').ends_with("dependencies");
        } else if inside && line.contains('=') && !line.trim_start().starts_with('#') {
            lines.push(line);
        }
    }
    lines
}

/// Which crate of the house imports which. The kind is empty for normal dependencies, `dev` or `build`.
fn arrows(kind: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut arrows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in packages().iter().filter(|package| folder(package).starts_with("Components/")) {
        let own = imports(package, kind).into_iter();
        let own = own.filter_map(|name| name.strip_prefix("mentci-").map(str::to_owned));
        arrows.entry(name(package)).or_default().extend(own);
    }
    arrows
}

/// Dependencies from outside, with the crates of the house that take them up.
fn outside() -> BTreeMap<String, BTreeSet<String>> {
    let mut users: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in packages().iter().filter(|package| folder(package).starts_with("Components/")) {
        for dependency in imports(package, "").into_iter().filter(|name| !name.starts_with("mentci-")) {
            users.entry(dependency).or_default().insert(name(package));
        }
    }
    users
}

fn imports(package: &Value, kind: &str) -> Vec<String> {
    let all = package["dependencies"].as_array().into_iter().flatten();
    all.filter(|dependency| dependency["kind"].as_str().unwrap_or("") == kind)
        .filter_map(|dependency| dependency["name"].as_str().map(str::to_owned))
        .collect()
}

fn reach(arrows: &BTreeMap<String, BTreeSet<String>>, from: &str) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut next = vec![from.to_owned()];
    while let Some(name) = next.pop() {
        for to in arrows.get(&name).into_iter().flatten() {
            if reached.insert(to.clone()) {
                next.push(to.clone());
            }
        }
    }
    reached
}

fn packages() -> Vec<Value> {
    checkout::metadata()["packages"].as_array().cloned().unwrap_or_default()
}

/// `mentci-source` is `source`.
fn name(package: &Value) -> String {
    package["name"].as_str().unwrap_or_default().trim_start_matches("mentci-").to_owned()
}

/// The package's folder, relative to the root.
fn folder(package: &Value) -> String {
    let manifest = package["manifest_path"].as_str().unwrap_or_default();
    let folder = manifest.trim_end_matches("/Cargo.toml");
    folder
        .strip_prefix(&*checkout::root().to_string_lossy())
        .unwrap_or(folder)
        .trim_start_matches('/')
        .to_owned()
}

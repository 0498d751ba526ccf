//! One package of a workspace.

use std::collections::BTreeMap;

use mentci_source::{Code, Finding, Span};

use super::manifest::{Manifest, Spot, inherits, span, strings, text};
use super::{Dependency, Fact, Lint, Member, Target, dependency, lint};

/// What members can inherit.
pub(super) struct Shared<'a> {
    pub(super) root: &'a Manifest<'a>,
    pub(super) dependencies: &'a [Dependency],
    pub(super) lints: &'a [Lint],
}

/// The package of a manifest, with what it inherits; none, and a finding, when it names no package.
pub(super) fn member(
    manifest: &Manifest<'_>,
    path: String,
    shared: &Shared<'_>,
    findings: &mut Vec<Finding>,
) -> Option<Member> {
    let Some(name) = manifest.string(&["package", "name"]) else {
        if !manifest.is_broken {
            let finding = manifest.finding(Code::CARGO_SYNTAX, "this manifest names no package", Span::at(0));
            findings.push(finding.help("write `name = \"…\"` under `[package]`"));
        }
        return None;
    };
    let mut field = |key: &str| inheritable(manifest, key, shared, findings);
    let (version, edition, msrv) = (field("version"), field("edition"), field("rust-version"));
    let (license, description) = (field("license"), field("description"));
    let (lints, inherits_lints) = lints(manifest, shared, findings);
    Some(Member {
        path,
        manifest: manifest.source.path().clone(),
        span: name.span,
        version,
        edition,
        msrv,
        license,
        description,
        features: features(manifest),
        dependencies: dependency::of_package(manifest, shared.dependencies, findings),
        library: manifest.at(&["lib"]).map(|spot| target(manifest, spot, &name.value)),
        bins: bins(manifest, &name.value),
        lints,
        inherits_lints,
        name: name.value,
    })
}

/// `package.key`, or the workspace's when it says `key.workspace = true`.
fn inheritable(
    manifest: &Manifest<'_>,
    key: &str,
    shared: &Shared<'_>,
    findings: &mut Vec<Finding>,
) -> Option<Fact<String>> {
    let spot = manifest.at(&["package", key])?;
    if !inherits(spot) {
        return manifest.string(&["package", key]);
    }
    let given = shared.root.string(&["workspace", "package", key]);
    if given.is_none() {
        let words = format!("`{key}` is inherited, but the workspace does not give it");
        let help = format!("write `{key} = \"…\"` under `[workspace.package]` in the root manifest");
        findings.push(manifest.finding(Code::CARGO_INHERIT, words, span(spot)).help(help));
    }
    given
}

/// The lints, and whether they are the workspace's.
fn lints(manifest: &Manifest<'_>, shared: &Shared<'_>, findings: &mut Vec<Finding>) -> (Vec<Lint>, bool) {
    let Some(spot) = manifest.at(&["lints"]).filter(|spot| inherits(spot)) else {
        return (lint::lints(manifest, &["lints"]), false);
    };
    if shared.root.at(&["workspace", "lints"]).is_none() {
        let words = "`lints` is inherited, but the workspace does not give it";
        let finding = manifest.finding(Code::CARGO_INHERIT, words, span(spot));
        findings.push(finding.help("write `[workspace.lints]` in the root manifest"));
    }
    (shared.lints.to_vec(), true)
}

fn features(manifest: &Manifest<'_>) -> BTreeMap<String, Vec<String>> {
    let table = manifest.table(&["features"]);
    let entries = table.into_iter().flatten();
    entries
        .map(|(name, spot)| {
            let turned_on = strings(spot).map(|(feature, _)| feature.to_owned()).collect();
            (name.get_ref().to_string(), turned_on)
        })
        .collect()
}

fn bins(manifest: &Manifest<'_>, package: &str) -> Vec<Target> {
    let array = manifest.at(&["bin"]).and_then(|spot| spot.get_ref().as_array());
    array.into_iter().flatten().map(|spot| target(manifest, spot, package)).collect()
}

fn target(manifest: &Manifest<'_>, spot: &Spot<'_>, package: &str) -> Target {
    let name = spot.get_ref().as_table().and_then(|table| table.get("name"));
    let place = name.map_or_else(|| header(manifest, spot), span);
    Target {
        name: text(spot, "name").unwrap_or_else(|| package.to_owned()),
        path: text(spot, "path"),
        span: place,
    }
}

/// The first line of a table.
fn header(manifest: &Manifest<'_>, spot: &Spot<'_>) -> Span {
    let whole = span(spot);
    let first = manifest.source.slice(whole).lines().next().unwrap_or_default();
    Span::new(whole.start as usize, whole.start as usize + first.len())
}

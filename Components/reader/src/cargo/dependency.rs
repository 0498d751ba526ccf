//! Dependencies, with what they inherit filled in.

use mentci_source::{Code, Finding};

use super::manifest::{Manifest, Spot, boolean, inherits, span, strings, text};
use super::{Dependency, DependencyKind};

/// The tables of dependencies, as they are spelled.
const TABLES: [(&str, DependencyKind); 5] = [
    ("dependencies", DependencyKind::Normal),
    ("dev-dependencies", DependencyKind::Dev),
    ("dev_dependencies", DependencyKind::Dev),
    ("build-dependencies", DependencyKind::Build),
    ("build_dependencies", DependencyKind::Build),
];

/// Every dependency of a package, by kind, name and platform. `shared` are the workspace's.
pub(super) fn of_package(
    manifest: &Manifest<'_>,
    shared: &[Dependency],
    findings: &mut Vec<Finding>,
) -> Vec<Dependency> {
    let mut found = Vec::new();
    let platforms: Vec<&str> = manifest
        .table(&["target"])
        .into_iter()
        .flatten()
        .map(|(platform, _)| &**platform.get_ref())
        .collect();
    for (table, kind) in TABLES {
        found.extend(of_table(manifest, &[table], kind, shared, findings));
        for platform in &platforms {
            let mut listed = of_table(manifest, &["target", platform, table], kind, shared, findings);
            for dependency in &mut listed {
                dependency.target = Some((*platform).to_owned());
            }
            found.append(&mut listed);
        }
    }
    found.sort_by(|a, b| (a.kind, &a.name, &a.target).cmp(&(b.kind, &b.name, &b.target)));
    found
}

/// `workspace.dependencies`, by name.
pub(super) fn of_workspace(manifest: &Manifest<'_>) -> Vec<Dependency> {
    let table = manifest.table(&["workspace", "dependencies"]);
    let entries = table.into_iter().flatten();
    let mut found: Vec<Dependency> =
        entries.map(|(name, spot)| written(name.get_ref(), spot, DependencyKind::Normal)).collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

fn of_table(
    manifest: &Manifest<'_>,
    path: &[&str],
    kind: DependencyKind,
    shared: &[Dependency],
    findings: &mut Vec<Finding>,
) -> Vec<Dependency> {
    let mut found = Vec::new();
    for (name, spot) in manifest.table(path).into_iter().flatten() {
        let own = written(name.get_ref(), spot, kind);
        if !own.inherited {
            found.push(own);
            continue;
        }
        let base = shared.iter().find(|dependency| dependency.name == own.name);
        if base.is_none() {
            let words =
                format!("the dependency `{}` is inherited, but the workspace does not have it", own.name);
            let finding = manifest.finding(Code::CARGO_INHERIT, words, own.span);
            findings.push(finding.help("put it under `[workspace.dependencies]` in the root manifest"));
        }
        found.push(base.map_or(own.clone(), |base| merged(base, own)));
    }
    found
}

/// A dependency as it is written.
fn written(name: &str, spot: &Spot<'_>, kind: DependencyKind) -> Dependency {
    let features = spot.get_ref().as_table().and_then(|table| table.get("features"));
    let plain = spot.get_ref().as_str().map(str::to_owned);
    let default_features = boolean(spot, "default-features").or_else(|| boolean(spot, "default_features"));
    Dependency {
        name: name.to_owned(),
        package: text(spot, "package"),
        kind,
        target: None,
        version: plain.or_else(|| text(spot, "version")),
        path: text(spot, "path"),
        git: text(spot, "git"),
        features: features.into_iter().flat_map(strings).map(|(feature, _)| feature.to_owned()).collect(),
        default_features: default_features.unwrap_or(!inherits(spot)),
        optional: boolean(spot, "optional").unwrap_or(false),
        inherited: inherits(spot),
        span: span(spot),
    }
}

/// The package's dependency with what the workspace gives it. A package can only add features, and turn default
/// features on.
fn merged(base: &Dependency, own: Dependency) -> Dependency {
    let mut features = base.features.clone();
    features.extend(own.features.iter().filter(|feature| !base.features.contains(feature)).cloned());
    Dependency {
        package: base.package.clone(),
        version: base.version.clone(),
        path: base.path.clone(),
        git: base.git.clone(),
        features,
        default_features: base.default_features || own.default_features,
        ..own
    }
}

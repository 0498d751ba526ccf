//! The facts of a root manifest and its members.

use mentci_source::{Code, Finding, Reading, Source};

use super::manifest::Manifest;
use super::member::{Shared, member};
use super::patterns::patterns;
use super::{Fact, Member, WorkspaceFacts, dependency, lint};

/// Reads a root manifest with the manifests of its members, which the caller found by [`member_patterns`].
/// A single package is `root` and no members. The order of `members` does not matter.
///
/// Findings: `E0401` where a manifest is not TOML or not a manifest (what can be read of it is read), `E0402` where it
/// inherits what the workspace does not give, `E0403` where a member that is named without a glob has no manifest.
///
/// ```
/// use mentci_reader::cargo::read_workspace;
/// use mentci_source::Source;
///
/// let root = Source::new("Cargo.toml", "[workspace]\nmembers = [\"a\"]\npackage.edition = \"2024\"\n");
/// let a = Source::new("a/Cargo.toml", "[package]\nname = \"a\"\nedition.workspace = true\n");
/// let facts = read_workspace(&root, &[a]).value;
/// assert_eq!(facts.members[0].path, "a");
/// assert_eq!(facts.members[0].edition.as_ref().unwrap().value, "2024");
/// ```
///
/// [`member_patterns`]: super::member_patterns
pub fn read_workspace(root: &Source, members: &[Source]) -> Reading<WorkspaceFacts> {
    let mut findings = Vec::new();
    let manifest = Manifest::read(root, &mut findings);
    let dependencies = dependency::of_workspace(&manifest);
    let shared_lints = lint::lints(&manifest, &["workspace", "lints"]);
    let shared = Shared { root: &manifest, dependencies: &dependencies, lints: &shared_lints };
    let packages = packages(&shared, members, &mut findings);
    findings.extend(missing_members(&manifest, members));
    let value = WorkspaceFacts {
        is_workspace: manifest.table(&["workspace"]).is_some(),
        edition: general(&manifest, "edition"),
        msrv: general(&manifest, "rust-version"),
        version: general(&manifest, "version"),
        license: general(&manifest, "license"),
        resolver: (manifest.string(&["workspace", "resolver"]))
            .or_else(|| manifest.string(&["package", "resolver"])),
        lints: if shared_lints.is_empty() { lint::lints(&manifest, &["lints"]) } else { shared_lints },
        members: packages,
        dependencies,
    };
    Reading { value, findings }
}

/// The root's package, if it has one, and the members', by path.
fn packages(shared: &Shared<'_>, members: &[Source], findings: &mut Vec<Finding>) -> Vec<Member> {
    let root = shared.root;
    let mut found = Vec::new();
    let is_virtual = root.table(&["workspace"]).is_some() && root.table(&["package"]).is_none();
    if !is_virtual {
        found.extend(member(root, ".".to_owned(), shared, findings));
    }
    let mut sources: Vec<&Source> =
        members.iter().filter(|source| source.path() != root.source.path()).collect();
    sources.sort_by(|a, b| a.path().cmp(b.path()));
    sources.dedup_by(|a, b| a.path() == b.path());
    for source in sources {
        let manifest = Manifest::read(source, findings);
        found.extend(member(&manifest, folder(root.source, source), shared, findings));
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// `workspace.package.key`, else `package.key`.
fn general(manifest: &Manifest<'_>, key: &str) -> Option<Fact<String>> {
    manifest.string(&["workspace", "package", key]).or_else(|| manifest.string(&["package", key]))
}

/// The folder of a manifest relative to the root manifest's; `.` for the same.
fn folder(root: &Source, source: &Source) -> String {
    let parent = |path: &str| path.rfind('/').map_or(String::new(), |at| path[..at].to_owned());
    let (base, own) = (parent(root.path()), parent(source.path()));
    let inside = if base.is_empty() { Some(own.as_str()) } else { own.strip_prefix(&base) };
    match inside.map(|path| path.trim_start_matches('/')) {
        Some("") => ".".to_owned(),
        Some(path) => path.to_owned(),
        None => own,
    }
}

/// A finding for each member that is named without a glob, lies inside the workspace and has no manifest.
fn missing_members(manifest: &Manifest<'_>, members: &[Source]) -> Vec<Finding> {
    let folders: Vec<String> = members.iter().map(|source| folder(manifest.source, source)).collect();
    let is_missing = |text: &str| {
        let path = text.trim_start_matches("./").trim_end_matches('/');
        let is_glob = path.contains(['*', '?', '[']);
        let elsewhere = path.starts_with("..") || path.starts_with('/') || matches!(path, "" | ".");
        !is_glob && !elsewhere && !folders.iter().any(|folder| folder == path)
    };
    let missing = patterns(manifest, "members").into_iter().filter(|pattern| is_missing(&pattern.text));
    missing
        .map(|pattern| {
            let words = format!("the member `{}` has no manifest", pattern.text);
            let finding = manifest.finding(Code::CARGO_MEMBER, words, pattern.span);
            finding.help("write its `Cargo.toml`, or take it out of `members`")
        })
        .collect()
}

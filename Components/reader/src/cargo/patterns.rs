//! Which manifests belong to a workspace.

use mentci_source::{Reading, Source, Span};

use super::manifest::{Manifest, strings};

/// One pattern of `members`, `exclude` or `default-members`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// The folder or glob, as written, relative to the root manifest's folder.
    pub text: String,
    /// Its bytes in the root manifest.
    pub span: Span,
}

/// What the root manifest says about its members.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MemberPatterns {
    /// Whether the manifest has `[workspace]`.
    pub is_workspace: bool,
    /// Whether the manifest has `[package]`: the root is a package itself.
    pub has_package: bool,
    /// `workspace.members`.
    pub members: Vec<Pattern>,
    /// `workspace.exclude`.
    pub exclude: Vec<Pattern>,
    /// `workspace.default-members`.
    pub default_members: Vec<Pattern>,
}

/// Reads which members a root manifest asks for; the caller globs for their manifests.
///
/// Findings: `E0401` where it is not TOML or not a manifest's shape.
///
/// ```
/// use mentci_reader::cargo::member_patterns;
/// use mentci_source::Source;
///
/// let root = Source::new("Cargo.toml", "[workspace]\nmembers = [\"crates/*\", \"xtask\"]\n");
/// let patterns = member_patterns(&root).value;
/// assert!(patterns.is_workspace && !patterns.has_package);
/// assert_eq!(patterns.members[1].text, "xtask");
/// ```
pub fn member_patterns(root: &Source) -> Reading<MemberPatterns> {
    let mut findings = Vec::new();
    let manifest = Manifest::read(root, &mut findings);
    let value = MemberPatterns {
        is_workspace: manifest.table(&["workspace"]).is_some(),
        has_package: manifest.table(&["package"]).is_some(),
        members: patterns(&manifest, "members"),
        exclude: patterns(&manifest, "exclude"),
        default_members: patterns(&manifest, "default-members"),
    };
    Reading { value, findings }
}

/// The patterns under `workspace.key`.
pub(super) fn patterns(manifest: &Manifest<'_>, key: &str) -> Vec<Pattern> {
    let array = manifest.at(&["workspace", key]);
    let texts = array.into_iter().flat_map(strings);
    texts.map(|(text, span)| Pattern { text: text.to_owned(), span }).collect()
}

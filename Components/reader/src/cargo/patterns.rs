//! Which manifests belong to a workspace.

use mentci_source::{Reading, Source, Span};

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
/// Findings: `E0401` where it is not TOML.
pub fn member_patterns(root: &Source) -> Reading<MemberPatterns> {
    let _ = root;
    Reading::clean(MemberPatterns::default())
}

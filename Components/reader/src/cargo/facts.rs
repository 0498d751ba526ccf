//! What a workspace's manifests say.

use std::collections::BTreeMap;
use std::sync::Arc;

use mentci_source::Span;

/// A value and where it is written: the manifest's path and the bytes in it.
///
/// Equality is sameness of meaning: the place stands outside it.
#[derive(Debug, Clone)]
pub struct Fact<T> {
    /// The value.
    pub value: T,
    /// The manifest, relative to the workspace. For an inherited value: the root manifest.
    pub path: Arc<str>,
    /// The bytes of the value in that manifest.
    pub span: Span,
}

impl<T: PartialEq> PartialEq for Fact<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Fact<T> {}

/// What a workspace or a single package is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WorkspaceFacts {
    /// Whether the root manifest has `[workspace]`.
    pub is_workspace: bool,
    /// The packages, sorted by path; the root package, if there is one, has the path `.`.
    pub members: Vec<Member>,
    /// `workspace.package.edition`, else the root package's.
    pub edition: Option<Fact<String>>,
    /// `workspace.package.rust-version`, else the root package's.
    pub msrv: Option<Fact<String>>,
    /// `workspace.package.version`, else the root package's.
    pub version: Option<Fact<String>>,
    /// `workspace.package.license`, else the root package's.
    pub license: Option<Fact<String>>,
    /// `workspace.resolver` or `package.resolver`.
    pub resolver: Option<Fact<String>>,
    /// `workspace.lints`, else the root package's `lints`, by tool and name.
    pub lints: Vec<Lint>,
    /// `workspace.dependencies`, by name.
    pub dependencies: Vec<Dependency>,
}

/// One package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// `package.name`.
    pub name: String,
    /// Its folder relative to the workspace, with `/`; `.` for the root.
    pub path: String,
    /// Its manifest's path.
    pub manifest: Arc<str>,
    /// The bytes of `package.name`'s value in its manifest.
    pub span: Span,
    /// The version.
    pub version: Option<Fact<String>>,
    /// The edition.
    pub edition: Option<Fact<String>>,
    /// The minimum supported Rust version: `rust-version`.
    pub msrv: Option<Fact<String>>,
    /// The licence expression.
    pub license: Option<Fact<String>>,
    /// The description.
    pub description: Option<Fact<String>>,
    /// The features and what each turns on, as written; optional dependencies are not added.
    pub features: BTreeMap<String, Vec<String>>,
    /// The dependencies of every kind, by kind and name.
    pub dependencies: Vec<Dependency>,
    /// The library, if the manifest names one: `[lib]`.
    pub library: Option<Target>,
    /// The binaries that the manifest names: `[[bin]]`. `src/main.rs` and `src/bin` are not looked for.
    pub bins: Vec<Target>,
    /// Its own lints, or the workspace's when it inherits them.
    pub lints: Vec<Lint>,
    /// Whether its lints are the workspace's: `lints.workspace = true`.
    pub inherits_lints: bool,
}

/// `[lib]` or `[[bin]]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Its name; the package's when none is written.
    pub name: String,
    /// Its file, if written.
    pub path: Option<String>,
    /// The bytes of its name or of its table.
    pub span: Span,
}

/// Which table a dependency stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DependencyKind {
    /// `dependencies`.
    Normal,
    /// `dev-dependencies`.
    Dev,
    /// `build-dependencies`.
    Build,
}

/// A dependency, with what it inherits filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency {
    /// The name it is used under.
    pub name: String,
    /// The package, when it differs: `package = "…"`.
    pub package: Option<String>,
    /// Which table it stands in.
    pub kind: DependencyKind,
    /// The platform of `[target.'…'.dependencies]`.
    pub target: Option<String>,
    /// The version requirement, if any.
    pub version: Option<String>,
    /// The path as written where it stands (for an inherited one, relative to the root).
    pub path: Option<String>,
    /// The git address.
    pub git: Option<String>,
    /// The features asked for, the inherited ones first, each once.
    pub features: Vec<String>,
    /// Whether default features are on.
    pub default_features: bool,
    /// Whether it is optional.
    pub optional: bool,
    /// Whether it is written as `workspace = true`.
    pub inherited: bool,
    /// Its bytes in the manifest that it stands in: the value after its name.
    pub span: Span,
}

/// One lint's level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lint {
    /// `rust`, `clippy`, `rustdoc`.
    pub tool: String,
    /// The lint.
    pub name: String,
    /// `allow`, `warn`, `deny` or `forbid`, as written.
    pub level: String,
    /// Its priority; 0 unless written.
    pub priority: i64,
    /// Its value's place.
    pub place: Fact<()>,
}

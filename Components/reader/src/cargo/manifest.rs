//! One manifest: its tables with places, and its faults.

use cargo_toml::Error as ShapeError;
use mentci_source::{Code, Finding, Source, Span};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Fact;

/// After so many findings the rest is not a manifest either.
const MAX_FINDINGS: usize = 64;

/// A value of a manifest with its place.
pub(super) type Spot<'a> = Spanned<DeValue<'a>>;

/// A manifest's text and its tables. Places come from `toml`; whether the shape is Cargo's is `cargo_toml`'s judgement.
pub(super) struct Manifest<'a> {
    pub(super) source: &'a Source,
    /// Whether a part of it could not be read; then what is missing may only be unread.
    pub(super) is_broken: bool,
    root: DeTable<'a>,
}

impl<'a> Manifest<'a> {
    /// Reads what can be read; what is not TOML or not a manifest's shape is a finding.
    pub(super) fn read(source: &'a Source, findings: &mut Vec<Finding>) -> Self {
        let (root, errors) = DeTable::parse_recoverable(source.text());
        findings.extend(errors.iter().take(MAX_FINDINGS).map(|error| syntax(source, error)));
        if errors.is_empty()
            && let Err(ShapeError::Parse(error)) = cargo_toml::Manifest::from_str(source.text())
        {
            findings.push(shape(source, &error));
        }
        Self { source, is_broken: !errors.is_empty(), root: root.into_inner() }
    }

    /// The value under a path of keys.
    pub(super) fn at(&self, path: &[&str]) -> Option<&Spot<'a>> {
        let (first, rest) = path.split_first()?;
        rest.iter().try_fold(self.root.get(*first)?, |spot, key| spot.get_ref().as_table()?.get(*key))
    }

    /// The table under a path of keys.
    pub(super) fn table(&self, path: &[&str]) -> Option<&DeTable<'a>> {
        self.at(path)?.get_ref().as_table()
    }

    /// The string under a path of keys, with its place.
    pub(super) fn string(&self, path: &[&str]) -> Option<Fact<String>> {
        let spot = self.at(path)?;
        let value = spot.get_ref().as_str()?.to_owned();
        Some(Fact { value, path: self.source.path().clone(), span: span(spot) })
    }

    /// The whole manifest.
    pub(super) fn root(&self) -> &DeTable<'a> {
        &self.root
    }

    /// A finding of this manifest.
    pub(super) fn finding(&self, code: Code, message: impl Into<String>, span: Span) -> Finding {
        Finding::new(code, message).at(self.source, span)
    }
}

/// Where a value stands.
pub(super) fn span(spot: &Spot<'_>) -> Span {
    Span::new(spot.span().start, spot.span().end)
}

/// Whether a value is `{ workspace = true }`.
pub(super) fn inherits(spot: &Spot<'_>) -> bool {
    boolean(spot, "workspace") == Some(true)
}

/// A truth value of a table.
pub(super) fn boolean(spot: &Spot<'_>, key: &str) -> Option<bool> {
    spot.get_ref().as_table()?.get(key)?.get_ref().as_bool()
}

/// A string of a table.
pub(super) fn text(spot: &Spot<'_>, key: &str) -> Option<String> {
    spot.get_ref().as_table()?.get(key)?.get_ref().as_str().map(str::to_owned)
}

/// The strings of an array; what is not a string is left out.
pub(super) fn strings<'t>(spot: &'t Spot<'_>) -> impl Iterator<Item = (&'t str, Span)> {
    let items = spot.get_ref().as_array().into_iter().flatten();
    items.filter_map(|item| Some((item.get_ref().as_str()?, span(item))))
}

fn syntax(source: &Source, error: &toml::de::Error) -> Finding {
    let message = error.message().lines().collect::<Vec<_>>().join(", ");
    Finding::new(Code::CARGO_SYNTAX, message).at(source, place(error))
}

/// TOML that is not a manifest: `cargo_toml`'s words, unless they name its types.
fn shape(source: &Source, error: &toml::de::Error) -> Finding {
    let words = error.message().lines().next().unwrap_or_default();
    let ours = "this is not what a manifest holds here";
    let message = if words.contains("cargo_toml::") { ours } else { words };
    let help = "the manifest format is described in The Cargo Book, \"The Manifest Format\"";
    Finding::new(Code::CARGO_SYNTAX, message).help(help).at(source, place(error))
}

fn place(error: &toml::de::Error) -> Span {
    error.span().map_or(Span::at(0), |range| Span::new(range.start, range.end))
}

//! A norm of the law and the lines that state it, with and without a model's help.

use mentci_authority::{Digest, DigestLine, Level, Norm};
use mentci_compiler::{LawKind, read_law};
use mentci_source::Source;

/// One norm, and what two digests make of it.
#[derive(Debug, Clone)]
pub(crate) struct Probe {
    pub(crate) norm: Norm,
    /// The deterministic line; none where the digest leaves the norm out.
    pub(crate) plain: Option<String>,
    /// The line of the digest as it is published.
    pub(crate) line: Option<String>,
}

/// The line of `digest` that states `norm`, without what lessons add.
pub(crate) fn stating(digest: &Digest, norm: &Norm) -> Option<String> {
    let place = norm.provenance.spans.first();
    let numbered = || digest.lines.iter().filter(|line| line.rule.is_some());
    let by_id = || numbered().find(|line| line.norm.as_ref() == Some(&norm.id));
    let same_place = |line: &&DigestLine| {
        line.level == Some(norm.level) && place.is_some_and(|place| line.provenance.spans.contains(place))
    };
    let found = by_id().or_else(|| numbered().find(same_place))?;
    Some(found.text.split(" EXCEPT ").next().unwrap_or(&found.text).to_owned())
}

/// Whether a line, read as if it were law, is read with the polarity of the norm.
pub(crate) fn keeps_polarity(norm: &Norm, line: &str) -> bool {
    let source = Source::new("line.md", &format!("- {line}.\n"));
    let reading = read_law(&source, &LawKind::Workspace);
    let forbids = |level: Level| level.is_prohibition();
    let levels = reading.norms.iter().map(|read| forbids(read.level));
    let levels: Vec<bool> = levels.collect();
    if levels.is_empty() {
        // `No mocks in tests` tells, where it stands alone; under its heading it forbids.
        return line.starts_with("No ") == forbids(norm.level);
    }
    // What is read as several norms keeps it where one of them does: a line may order one thing and forbid another.
    levels.contains(&forbids(norm.level))
}

/// How many literals of the norm stand in the line, of how many.
pub(crate) fn literals(norm: &Norm, line: &str) -> (usize, usize) {
    let kept = norm.literals.iter().filter(|literal| line.contains(literal.as_str())).count();
    (kept, norm.literals.len())
}

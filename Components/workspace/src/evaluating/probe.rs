//! A norm of the law and the lines that state it, with and without a model's help.

use mentci_authority::{Digest, DigestLine, Level, Norm};
use mentci_compiler::{LawKind, numbers, read_law};
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
    let kept =
        norm.literals.iter().filter(|literal| line.contains(literal.as_str()) || counts(literal, line));
    (kept.count(), norm.literals.len())
}

/// Whether a literal is a number that the line writes in another way: `1,500` is `1500`, and `3` is `three`.
fn counts(literal: &str, line: &str) -> bool {
    let told = numbers(literal);
    let is_number =
        literal.starts_with(|c: char| c.is_ascii_digit()) && !literal.contains(char::is_whitespace);
    is_number && told.len() == 1 && numbers(line).contains(&told[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_one_however_its_digits_are_grouped() {
        for (literal, line, is_there) in [
            ("1,500", "Keep digest at ≤1500 tokens", true),
            ("1500", "Keep digest at ≤1,500 tokens", true),
            ("1,500", "Keep ≤1_500, or fewer", true),
            ("1,500", "Keep digest at ≤15000 tokens", false),
            ("1,500", "Keep digest at ≤1.500 tokens", false),
            ("v1", "Keep 1", false),
            ("20", "Keep `fn_20` and 2 of them", false),
            ("3", "Retry three times", true),
        ] {
            assert_eq!(counts(literal, line), is_there, "{literal} in {line}");
        }
    }
}

//! A norm of the law and the lines that state it, with and without a model's help.

use mentci_authority::{Digest, DigestLine, Level, Norm, OmissionReason, RuleNo, SourceSpan};
use mentci_compiler::{LawKind, numbers, read_law};
use mentci_source::Source;

/// One norm, and what two digests make of it.
#[derive(Debug, Clone)]
pub(crate) struct Probe {
    pub(crate) norm: Norm,
    /// In the deterministic digest.
    pub(crate) plain: Stand,
    /// In the digest as it is published.
    pub(crate) line: Stand,
}

/// How a norm stands in a digest.
#[derive(Debug, Clone)]
pub(crate) enum Stand {
    /// In a line, without what lessons add.
    Stated { rule: Option<RuleNo>, text: String },
    /// Nowhere, and the digest says why.
    LeftOut(OmissionReason),
    /// Nowhere.
    Lost,
}

impl Stand {
    /// How `norm` stands in `digest`.
    pub(crate) fn of(digest: &Digest, norm: &Norm) -> Self {
        if let Some(stated) = stating(digest, norm) {
            return stated;
        }
        let place = norm.provenance.spans.first();
        let omitted = digest.omitted.iter().find(|omission| {
            let within = |place: &SourceSpan| {
                let (there, here) = (omission.span.span, place.span);
                omission.span.path == place.path && there.start < here.end && here.start < there.end
            };
            is_left_out(omission.reason) && place.is_some_and(within)
        });
        omitted.map_or(Self::Lost, |omission| Self::LeftOut(omission.reason))
    }

    /// The line that states it.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Stated { text, .. } => Some(text),
            _ => None,
        }
    }
}

/// Whether a norm is left out for this reason, and not what stands around it.
fn is_left_out(reason: OmissionReason) -> bool {
    use OmissionReason::{Budget, Conflict, Duplicate, Pending};
    matches!(reason, Budget | Conflict | Duplicate | Pending)
}

/// The line of `digest` that states `norm`.
fn stating(digest: &Digest, norm: &Norm) -> Option<Stand> {
    let place = norm.provenance.spans.first();
    let numbered = || digest.lines.iter().filter(|line| line.rule.is_some());
    let by_id = || numbered().find(|line| line.norm.as_ref() == Some(&norm.id));
    let same_place = |line: &&DigestLine| {
        line.level == Some(norm.level) && place.is_some_and(|place| line.provenance.spans.contains(place))
    };
    let found = by_id().or_else(|| numbered().find(same_place))?;
    let text = found.text.split(" EXCEPT ").next().unwrap_or(&found.text).to_owned();
    Some(Stand::Stated { rule: found.rule.clone(), text })
}

/// Whether a line, read as if it were law, is read with the polarity of the norm.
pub(crate) fn keeps_polarity(norm: &Norm, line: &str) -> bool {
    let source = Source::new("line.md", &format!("- {line}.\n"));
    let reading = read_law(&source, &LawKind::Workspace);
    let forbids = |level: Level| level.is_prohibition();
    let levels = reading.norms.iter().map(|read| forbids(read.level));
    let levels: Vec<bool> = levels.collect();
    if levels.is_empty() {
        // `No mocks in tests` tells, where it stands alone; under its heading it forbids. What orders needs no word for it.
        return !forbids(norm.level) || denials(line) > 0;
    }
    // What is read as several norms keeps it where one of them does: a line may order one thing and forbid another.
    // A line that tells (`no key does not mean no credentials`) is read by itself as it may be: it denies what the law denies, as often.
    let told = denials(line) + limits(&norm.original, line);
    levels.contains(&forbids(norm.level)) || (told > 0 && told == denials(&norm.original))
}

/// Denied bounds that the line tells as what must be kept: `must not be longer than 72 characters` is `must be ≤72 chars`.
fn limits(law: &str, line: &str) -> usize {
    let law = law.to_lowercase();
    let words: Vec<&str> = law.split_whitespace().collect();
    let denies = |word: &str| matches!(word, "not" | "never");
    let kept = |at: usize| match &words[at..] {
        [not, "exceed", ..] | [not, "be", "longer" | "larger" | "greater" | "more", "than", ..]
            if denies(not) =>
        {
            line.contains('≤')
        }
        [not, "be", "shorter" | "smaller" | "fewer" | "less", "than", ..] if denies(not) => {
            line.contains('≥')
        }
        _ => false,
    };
    (0..words.len()).filter(|&at| kept(at)).count()
}

/// How often a line denies something.
fn denials(line: &str) -> usize {
    let words =
        line.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’'))).map(str::to_lowercase);
    let denies =
        ["not", "never", "no", "none", "nor", "neither", "nothing", "nobody", "cannot", "avoid", "without"];
    words
        .filter(|word| denies.contains(&word.as_str()) || word.ends_with("n't") || word.ends_with("n’t"))
        .count()
}

/// The literals of the norm that do not stand in the line.
pub(crate) fn missing<'n>(norm: &'n Norm, line: &str) -> Vec<&'n str> {
    let is_there = |literal: &&str| line.contains(*literal) || counts(literal, line);
    norm.literals.iter().map(String::as_str).filter(|literal| !is_there(literal)).collect()
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
    fn a_denied_bound_is_a_limit_to_keep() {
        let norm = |law: &str| {
            let source = Source::new("AGENTS.md", &format!("- {law}\n"));
            read_law(&source, &LawKind::Workspace).norms.remove(0)
        };
        for (law, line, keeps) in [
            ("The title must not be longer than 72 characters.", "Title must be ≤72 chars", true),
            ("The title must not exceed 72 characters.", "Title must be ≤72 chars", true),
            ("The title must not be longer than 72 characters.", "Title must be ≥72 chars", false),
            ("The title must not be longer than 72 characters.", "Title must be 72 chars", false),
            ("The title must not hold 72 characters.", "Title must be ≤72 chars", false),
            ("Coverage must not be less than 80 percent.", "Coverage must be ≥80%", true),
        ] {
            assert_eq!(keeps_polarity(&norm(law), line), keeps, "{law} {line}");
        }
    }

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

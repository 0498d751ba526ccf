//! Lists that say what a good one is like: `Good tests:`, `A sound log is:`.

use mentci_authority::Level;
use mentci_reader::markdown::RichText;

use super::draft::Book;
use super::handed::is;
use super::parts::{begin, labelled};
use super::setting::{LeadIn, Setting};
use super::speech::lead::Lead;
use super::speech::stance::Stance;
use super::speech::word::words_of;

/// `Good tests:`, `A good commit message has:`, `Bad names:`: what a thing shall be like, or shall not. A list of samples stays
/// one.
pub(super) fn ideal(book: &mut Book<'_>, texts: &[&RichText], here: &Setting) -> Option<LeadIn> {
    let lead = here.lead.as_ref().filter(|lead| {
        lead.draft.is_none()
            && matches!(lead.lead, Lead::Stance(Stance::Example | Stance::Describe | Stance::Neutral, _))
    })?;
    let (name, level) = praised(&lead.text)?;
    let advised = level == Level::Must && here.section == Stance::Advise;
    let level = if advised { Level::Should } else { level };
    let samples = texts.iter().filter(|text| is_sample(text)).count();
    (samples * 2 < texts.len()).then(|| begin(book, name, level, lead.span, here))
}

/// The name of what a lead-in praises or blames, and the level of what its items say of it.
fn praised(lead: &str) -> Option<(String, Level)> {
    const GOOD: &[&str] = &[
        "good",
        "great",
        "strong",
        "effective",
        "ideal",
        "excellent",
        "solid",
        "well-written",
        "well-named",
        "well-designed",
        "high-quality",
        "successful",
    ];
    const BAD: &[&str] = &["bad", "poor", "weak"];
    const SAMPLES: &[&str] = &[
        "example",
        "examples",
        "sample",
        "samples",
        "version",
        "versions",
        "snippet",
        "snippets",
        "way",
        "one",
        "ones",
        "output",
        "input",
        "usage",
        "case",
        "cases",
        "news",
        "luck",
        "for",
        "to",
        "at",
        "in",
        "if",
        "when",
        "because",
        "and",
        "or",
        "vs",
        "enough",
        "question",
        "questions",
        "idea",
        "ideas",
    ];
    const PARTS: &[&str] = &["components", "parts", "elements", "ingredients", "qualities", "traits"];
    const COPULAS: &[&str] = &["is", "are", "has", "have", "be", "include", "includes"];
    let name = lead.trim().trim_end_matches([':', ' ']);
    let words = words_of(name);
    let start = usize::from(is(words.first(), &["a", "an", "the", "all", "every"]));
    let good = is(words.get(start), GOOD);
    let mut named = &words[(start + 1).min(words.len())..];
    let mut level = if good { Level::Must } else { Level::MustNot };
    let mut copula = 0;
    // `has five components`
    if let [.., has, _, parts] = named
        && has == "has"
        && PARTS.contains(&parts.as_str())
    {
        (named, copula) = (&named[..named.len() - 2], 2);
    }
    while let Some((last, before)) = named.split_last() {
        match last.as_str() {
            "should" if good => level = Level::Should,
            "must" | "should" => {}
            last if COPULAS.contains(&last) => {}
            _ => break,
        }
        (named, copula) = (before, copula + 1);
    }
    let apt = !named.is_empty()
        && named.len() <= 5
        && !named.iter().any(|word| SAMPLES.contains(&word.as_str()))
        && !name.contains(['(', ',', '.', '?', '!', ';', ':', '"', '`'])
        // `Bad requests:` and `Strong consistency:` may head what is done about them.
        && (is(words.get(start), &["good"]) || copula > 0 && (good || is(words.get(start), BAD)));
    if !apt {
        return None;
    }
    let kept = name.split_whitespace().count() - if good { 0 } else { copula };
    let kept = name.split_whitespace().take(kept).collect::<Vec<_>>().join(" ");
    let mut letters = kept.chars();
    let first = letters.next()?;
    let text = match level {
        Level::MustNot => format!("NEVER {}{}", first.to_lowercase(), letters.as_str()),
        _ => format!("{}{}", first.to_uppercase(), letters.as_str()),
    };
    Some((text, level))
}

/// Code, a quotation, a name such as `getUser` or `fix: handle null`, or a question: a sample, and no trait.
fn is_sample(text: &RichText) -> bool {
    let written = text.as_str().trim();
    let first = written.split_whitespace().next().unwrap_or("");
    let small = first.starts_with(char::is_lowercase);
    let marked = first.contains([':', '_', '.', '/', '(', '=']) || first.contains(char::is_uppercase);
    let styled = text.styled(0..text.as_str().len(), |style| style.code);
    written.starts_with(['"', '“', '\'', '‘'])
        || styled.first().is_some_and(|code| code.start == 0)
        || small && marked
        || written.ends_with('?') && !labelled(text)
}

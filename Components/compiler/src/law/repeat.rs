//! A norm that another norm of the same source already says.

use mentci_authority::Norm;

/// More norms than this in one source are not compared with each other.
const MOST: usize = 3_000;

/// Words that make no difference between two norms that say the same.
const LIGHT: &[&str] = &[
    "a", "an", "the", "to", "of", "in", "on", "for", "and", "or", "is", "are", "be", "it", "its", "this",
    "that", "these", "those", "you", "your", "with", "as", "at", "by", "first", "also", "then", "from",
    "any", "always", "must", "should", "will", "do", "their", "them", "please", "s",
];

/// Folds each norm into a longer one that holds all its words, has its polarity and adds no condition to it.
pub(crate) fn fold(norms: &mut Vec<Norm>) {
    if norms.len() > MOST {
        return;
    }
    let texts: Vec<String> = norms.iter().map(|norm| norm.text.to_lowercase()).collect();
    let words: Vec<Vec<&str>> = texts.iter().map(|text| content(text)).collect();
    let mut into: Vec<Option<usize>> = vec![None; norms.len()];
    for (small, into) in into.iter_mut().enumerate() {
        *into = (0..norms.len()).find(|&large| says(norms, &words, large, small));
    }
    for small in 0..norms.len() {
        if let Some(large) = into[small] {
            let spans = norms[small].provenance.spans.clone();
            norms[large].provenance.spans.extend(spans);
        }
    }
    let mut at = 0;
    norms.retain(|_| {
        at += 1;
        into[at - 1].is_none()
    });
}

/// Whether `large` says all that `small` says. A norm that is folded itself takes none up.
fn says(norms: &[Norm], words: &[Vec<&str>], large: usize, small: usize) -> bool {
    let (a, b) = (&norms[large], &norms[small]);
    large != small
        && words[small].len() >= 2
        && words[small].len() < words[large].len()
        && words[large].len() <= words[small].len() + 4
        && a.level == b.level
        && !(a.level.is_prohibition() && !is_rest(&b.text) && narrows(&words[small], &words[large]))
        && (a.condition.is_none() || a.condition == b.condition)
        && a.exceptions == b.exceptions
        && b.literals.iter().all(|literal| holds(a, literal))
        && is_subset(&words[small], &words[large])
        && !turned(&words[small], &words[large])
        && !norms.iter().enumerate().any(|(third, norm)| {
            third != large
                && third != small
                && norm.level == a.level
                && words[large].len() < words[third].len()
                && is_subset(&words[large], &words[third])
        })
}

/// Whether a norm has this literal: `cargo test --doc` is another command than `cargo test`.
fn holds(norm: &Norm, literal: &String) -> bool {
    norm.literals.contains(literal) || !literal.contains(' ') && norm.text.contains(literal.as_str())
}

/// Whether the longer text negates or bounds what the shorter one says: `Never avoid tests` and `Never test`.
fn turned(few: &[&str], many: &[&str]) -> bool {
    const TURNS: &[&str] =
        &["not", "no", "never", "avoid", "without", "unless", "except", "only", "cannot", "don't", "skip"];
    many.iter().any(|word| TURNS.contains(word) && few.binary_search(word).is_err())
}

/// `NOT upfront`: the rest of a sentence, which says nothing alone.
fn is_rest(text: &str) -> bool {
    text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("not "))
}

/// Whether the longer of two prohibitions adds anything but stress: `Never push to main` forbids less than `Never push`.
fn narrows(few: &[&str], many: &[&str]) -> bool {
    const STRESS: &[&str] = &[
        "ever",
        "never",
        "absolutely",
        "strictly",
        "under",
        "circumstances",
        "all",
        "times",
        "simply",
        "just",
    ];
    many.iter().any(|word| few.binary_search(word).is_err() && !STRESS.contains(word))
}

/// The words of a text in lower case that make a difference: sorted, each once.
fn content(text: &str) -> Vec<&str> {
    let joins = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '_' | '-' | '/' | '.' | '<' | '>');
    let mut words: Vec<&str> = text
        .split(|c: char| !joins(c))
        .map(|word| word.trim_matches(['.', '-', '\'']))
        .filter(|word| !word.is_empty() && !LIGHT.contains(word))
        .collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// Whether all of `few` are in `many`; both are sorted.
fn is_subset(few: &[&str], many: &[&str]) -> bool {
    let mut many = many.iter();
    few.iter().all(|word| many.by_ref().find(|other| *other >= word) == Some(word))
}

//! A norm that another norm of the same source already says.

use mentci_authority::{Level, Norm};

/// More norms than this in one source are not compared with each other.
const MOST: usize = 3_000;

/// Whether a word makes no difference between two norms that say the same.
fn is_light(word: &str) -> bool {
    #[rustfmt::skip]
    let light = matches!(
        word,
        "a" | "an" | "the" | "to" | "of" | "in" | "on" | "for" | "and" | "or" | "is" | "are" | "be" | "you" | "your" | "with"
        | "as" | "at" | "by" | "first" | "also" | "then" | "from" | "any" | "always" | "must" | "should" | "will" | "do"
        | "please" | "s"
    );
    light
}

/// Folds each norm into a longer one that holds all its words, has its polarity and takes nothing out of it: neither a condition nor
/// another object (`Read it` and `Read the page`, `Sign commits` and `Sign commits to main` are two norms). A step
/// is not taken out of its procedure.
pub(crate) fn fold(norms: &mut Vec<Norm>) {
    if norms.len() > MOST {
        return;
    }
    let texts: Vec<String> = norms.iter().map(|norm| norm.text.to_lowercase()).collect();
    let words: Vec<Vec<&str>> = texts.iter().map(|text| content(text)).collect();
    // Most norms are set apart by their lengths and levels.
    let sizes: Vec<(usize, Level)> =
        norms.iter().zip(&words).map(|(norm, words)| (words.len(), norm.level)).collect();
    let mut into: Vec<Option<usize>> = vec![None; norms.len()];
    for (small, into) in into.iter_mut().enumerate() {
        let (few, level) = sizes[small];
        let mut near = sizes
            .iter()
            .enumerate()
            .filter(|(_, (many, other))| (few + 1..=few + 5).contains(many) && *other == level);
        *into = near.find(|(large, _)| says(norms, &words, *large, small)).map(|(large, _)| large);
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
        && words[large].len() <= words[small].len() + 5
        && a.level == b.level
        && is_subset(&words[small], &words[large])
        && !turned(&words[small], &words[large])
        && (b.step.is_none() || a.step == b.step || is_rest(&b.text))
        && (a.condition.is_none() || a.condition == b.condition)
        && a.exceptions == b.exceptions
        && b.literals.iter().all(|literal| holds(a, literal))
        && (is_rest(&b.text)
            || !narrows(&words[small], &words[large])
            || !a.level.is_prohibition() && goes_on(&a.text, &b.text))
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
    norm.literals.contains(literal)
        || !literal.contains(' ') && literal.len() > 3 && norm.text.contains(literal.as_str())
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

/// Whether the longer of two orders only adds to the shorter one, behind it: `Read the files` and `Read the files (or ask for them)`.
fn goes_on(large: &str, small: &str) -> bool {
    const ADDING: &[&str] = &[":", "(", "—", "–", ";", ", and ", "and ", ", then ", "then ", ". "];
    let (large, small) = (in_order(large), in_order(small));
    let ends = match large.iter().position(|(word, _)| small.first().is_some_and(|(first, _)| first == word))
    {
        Some(0) => small.len(),
        _ => return false,
    };
    let same = ends < large.len() && (0..ends).all(|at| large[at].0 == small[at].0);
    same && ADDING.iter().any(|adds| large[ends - 1].1.trim_start().starts_with(adds.trim_start()))
}

/// The words that make a difference, in their order, each with the text behind it.
fn in_order(text: &str) -> Vec<(String, &str)> {
    let joins = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '_' | '-' | '/' | '.' | '<' | '>');
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(joins) {
        let end = rest[start..].find(|c| !joins(c)).map_or(rest.len(), |end| start + end);
        let word = rest[start..end].trim_end_matches('.');
        rest = &rest[start + word.len()..];
        let lower = word.trim_matches(['.', '-', '\'']).to_lowercase();
        if !lower.is_empty() && !is_light(&lower) {
            words.push((lower, rest));
        }
        if word.is_empty() {
            rest = &rest[1.min(rest.len())..];
        }
    }
    words
}

/// Whether the longer of two norms adds anything but stress: `Never push to main` forbids less than `Never push`.
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
    let joins = |c: char| {
        c.is_ascii_alphanumeric()
            || matches!(c, '\'' | '_' | '-' | '/' | '.' | '<' | '>')
            || !c.is_ascii() && c.is_alphanumeric()
    };
    let mut words: Vec<&str> = Vec::with_capacity(text.len() / 6 + 1);
    let mut start = 0;
    for (end, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if joins(c) {
            continue;
        }
        let word = &text[start..end];
        let hangs = |byte: Option<u8>| matches!(byte, Some(b'.' | b'-' | b'\''));
        let hangs = hangs(word.bytes().next()) || hangs(word.bytes().next_back());
        let word = if hangs { word.trim_matches(['.', '-', '\'']) } else { word };
        if !word.is_empty() && !is_light(word) {
            words.push(word);
        }
        start = end + c.len_utf8();
    }
    words.sort_unstable();
    words.dedup();
    words
}

/// Whether all of `few` are in `many`; both are sorted.
fn is_subset(few: &[&str], many: &[&str]) -> bool {
    let mut many = many.iter();
    few.iter().all(|word| many.by_ref().find(|other| *other >= word) == Some(word))
}

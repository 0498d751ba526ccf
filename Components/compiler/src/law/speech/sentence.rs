//! A paragraph's words in sentences, and a sentence's words in clauses.

use std::ops::Range;

use super::lexicon::DETERMINERS;
use super::word::{Word, WordKind};

/// Words after which a full stop ends nothing.
const ABBREVIATIONS: &[&str] =
    &["e.g", "i.e", "vs", "cf", "approx", "fig", "sec", "dr", "mr", "mrs", "st", "resp", "incl", "eg", "ie"];

/// A sentence of more words than this is cut: nobody follows it, and the work on one sentence stays bounded.
pub(crate) const LONGEST_SENTENCE: usize = 250;

/// Splits words into sentences: ranges of word indices that cover all words.
pub(crate) fn split_sentences(words: &[Word]) -> Vec<Range<usize>> {
    let mut sentences = Vec::new();
    let mut start = 0;
    for at in 0..words.len() {
        if ends_sentence(words, at) || at - start >= LONGEST_SENTENCE {
            sentences.push(start..at + 1);
            start = at + 1;
        }
    }
    if start < words.len() {
        sentences.push(start..words.len());
    }
    sentences
}

/// The first sentence, without a look at the others.
pub(crate) fn first_sentence(words: &[Word]) -> Option<Range<usize>> {
    let end = (0..words.len()).find(|&at| ends_sentence(words, at) || at >= LONGEST_SENTENCE)?;
    Some(0..end + 1)
}

/// The sentences from the last one back, without a look at those that nobody asks for.
pub(crate) fn sentences_back(words: &[Word]) -> impl Iterator<Item = Range<usize>> {
    let mut end = words.len();
    std::iter::from_fn(move || {
        let last = end.checked_sub(1)?;
        let nearest = last.saturating_sub(LONGEST_SENTENCE);
        let start = (nearest..last).rev().find(|&at| ends_sentence(words, at)).map_or(nearest, |at| at + 1);
        let sentence = start..end;
        end = start;
        Some(sentence)
    })
}

/// `Steer by ear: ❌ not allowed`: the mark at `at + 1` judges what stands in front of the colon or the dash.
fn judges_in_front(words: &[Word], at: usize) -> bool {
    const LONGEST: usize = 3;
    let parts = words[at].mark(":") || words[at].mark("—");
    let rest = words[at + 1..].iter().take_while(|word| word.lower != "\n").count();
    parts && at > 0 && rest <= LONGEST + 1
}

fn ends_sentence(words: &[Word], at: usize) -> bool {
    let word = &words[at];
    let Some(next) = words.get(at + 1) else { return true };
    // Most words end nothing: behind them stands another one, and no sign.
    let goes_on = matches!(word.kind, WordKind::Plain | WordKind::Code) && !is_pictured(next);
    if goes_on && at + 2 != words.len() {
        return ends_in_code(word, next);
    }
    if (word.kind == WordKind::Mark && word.lower == "\n")
        || opens_with_verdict(words, at + 1) && !judges_in_front(words, at)
    {
        return true;
    }
    if word.depth > 0 || !(next.spaced || next.lower == "\n") {
        return false;
    }
    if at + 2 == words.len() && is_lone_tag(&words[at + 1..]) {
        return matches!(word.lower.as_str(), "." | "!" | "?") || next.shouted;
    }
    match word.kind {
        WordKind::Mark if word.lower == "?" && is_last_bracket(&words[at + 1..]) => false,
        // `the ! sign`
        WordKind::Mark if word.lower == "!" && word.spaced => false,
        WordKind::Mark if matches!(word.lower.as_str(), "?" | "!" | "…" | "...") => starts_sentence(next),
        WordKind::Mark if word.lower == "." => {
            !abbreviated(words, at)
                && !bounds(words, at)
                && !numbers(words, at)
                && (starts_sentence(next) || named_small(&words[at + 1..]))
        }
        WordKind::Mark if word.lower == ")" => sentence_in_parentheses(words, at) && starts_sentence(next),
        WordKind::Quote => {
            let inner = word.lower.trim_end_matches(['"', '”']);
            inner.ends_with(['.', '!', '?']) && next.kind == WordKind::Plain && next.capital
        }
        _ => false,
    }
}

/// `` Say `No ships in sight.` Then wait. ``: a sentence that is quoted as code ends the one around it.
fn ends_in_code(word: &Word, next: &Word) -> bool {
    word.kind == WordKind::Code
        && word.depth == 0
        && word.lower.ends_with(['.', '!', '?'])
        && word.lower.contains(' ')
        && next.kind == WordKind::Plain
        && next.capital
        && next.spaced
}

/// `(the mate, a guest)` behind a question, and nothing behind it: what may be answered.
fn is_last_bracket(words: &[Word]) -> bool {
    const LONGEST: usize = 24;
    let [open, inner @ .., close] = words else { return false };
    // `(if unsure: ask.)` says more, and `(a guess is fine.)` of the answer alone.
    let of_answer = inner.len() <= 5
        && matches!(inner, [.., is, fine, _] if is.any(&["is", "are"]) && fine.any(&["fine", "ok", "okay", "enough"]));
    let says = inner.iter().any(|word| word.lower == ":")
        || matches!(inner, [.., last, stop] if stop.lower == "." && !last.any(&["etc"])) && !of_answer;
    open.lower == "("
        && !says
        && close.lower == ")"
        && !inner.is_empty()
        && inner.len() <= LONGEST
        && !inner.iter().any(|word| matches!(word.lower.as_str(), "(" | ")" | "?" | "!"))
}

/// `❌ Skip it`, `✅ Run it`: a mark in front of words. One that ends a phrase (`spec ❌, any finding`, `Do this ✅`) or stands within it (`a ⚠️ item`,
/// `a line with ❌`) is a word of it.
fn opens_with_verdict(words: &[Word], at: usize) -> bool {
    if !is_pictured(&words[at]) {
        return false;
    }
    let ends_phrase = words.get(at + 1).is_none_or(|next| {
        next.kind == WordKind::Mark && matches!(next.lower.as_str(), "," | ")" | ";" | "." | "]" | ":" | "\n")
    });
    let within = at.checked_sub(1).is_some_and(|before| {
        words[before].among(DETERMINERS)
            || words[before].any(&["of", "with", "as", "by", "to"])
            // `Load ✅ Field guide`: the mark opens the name of a link.
            || words[before].any(&["load", "read", "see", "open", "follow", "consult"])
    });
    (is_verdict(&words[at]) || is_sign(&words[at])) && words[at].lower != "×" && !ends_phrase && !within
}

/// Whether a word is no plain letter or mark, as each of the signs below.
fn is_pictured(word: &Word) -> bool {
    word.kind != WordKind::Code && word.lower.as_bytes().first().is_some_and(|first| !first.is_ascii())
}

/// `❌` and `✅` open a sentence of their own.
pub(crate) fn is_verdict(word: &Word) -> bool {
    is_pictured(word)
        && (is_cross(word)
            || matches!(word.lower.trim_end_matches('\u{fe0f}'), "✅" | "✓" | "✔" | "☑" | "👍"))
}

/// `⚠️`, `🚨`: what follows is a warning of its own.
fn is_sign(word: &Word) -> bool {
    is_pictured(word) && matches!(word.lower.trim_end_matches('\u{fe0f}'), "⚠" | "🚨" | "💡" | "ℹ")
}

/// `❌`: what follows is forbidden.
pub(crate) fn is_cross(word: &Word) -> bool {
    is_pictured(word)
        && matches!(
            word.lower.trim_end_matches('\u{fe0f}'),
            "❌" | "✗" | "✘" | "✖" | "❎" | "🚫" | "⛔" | "🛑" | "👎" | "×"
        )
}

/// `</rules>` alone.
pub(crate) fn is_lone_tag(words: &[Word]) -> bool {
    let mut plain = words.iter().filter(|word| word.lower != "\n");
    // `<Output_Contract>`: no element of HTML, and no word.
    let tag =
        |word: &Word| word.lower.starts_with("</") || word.lower.starts_with('<') && word.lower.contains('_');
    plain.next().is_some_and(|word| tag(word) && word.lower.ends_with('>')) && plain.next().is_none()
}

fn abbreviated(words: &[Word], at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| words[before].any(ABBREVIATIONS))
}

/// `Max. 3 retries`.
fn bounds(words: &[Word], at: usize) -> bool {
    let counts = words.get(at + 1).is_some_and(|next| next.lower.starts_with(|c: char| c.is_ascii_digit()));
    counts && at > 0 && words[at - 1].any(&["max", "min"])
}

/// `1.` at the start, or after a line break, numbers what comes.
fn numbers(words: &[Word], at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return false };
    let opens = before == 0 || matches!(words[before - 1].lower.as_str(), "\n" | "." | "?" | "!" | "\"");
    opens && words[before].kind == WordKind::Plain && words[before].lower.chars().all(|c| c.is_ascii_digit())
}

/// `(… .)` after a sentence that was over already.
fn sentence_in_parentheses(words: &[Word], at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| {
        words[before].kind == WordKind::Mark && matches!(words[before].lower.as_str(), "." | "!" | "?")
    })
}

/// `… tool. release-notes is the next step.`: a name that is written small opens a sentence, where a verb follows.
fn named_small(next: &[Word]) -> bool {
    let name =
        next.first().is_some_and(|word| word.kind == WordKind::Plain && word.lower.contains(['-', '_']));
    name && next
        .get(1)
        .is_some_and(|verb| verb.any(&["is", "are", "must", "should", "has", "may", "never", "does"]))
}

fn starts_sentence(word: &Word) -> bool {
    match word.kind {
        WordKind::Plain => word.capital || word.lower.starts_with(|c: char| c.is_ascii_digit() || c == '/'),
        WordKind::Code | WordKind::Quote => true,
        WordKind::Mark => matches!(word.lower.as_str(), "(" | "[" | "→" | "\n"),
    }
}

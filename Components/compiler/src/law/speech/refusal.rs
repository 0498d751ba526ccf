//! Refusals in few words: `When NOT to use this skill`, `Not for`.

use mentci_authority::Level;

use super::lexicon::is_verb;
use super::trigger_words::{CASES, ITSELF, USES};
use super::word::{Word, WordKind, lowered};

/// `When NOT to use this skill`, `Don't use when`, `Not for`: in which cases it must not be used, as a level.
pub(crate) fn refusal(text: &str) -> Option<Level> {
    let lower = lowered(text);
    let joins = |c: char| c.is_alphanumeric() || c == '\'';
    let words: Vec<&str> = lower.split(|c| !joins(c)).filter(|word| !word.is_empty()).collect();
    refusal_of(&words)
}

/// The same of the words of a lead-in.
pub(crate) fn refusal_of_words(words: &[&Word]) -> Option<Level> {
    let plain = words.iter().all(|word| word.kind == WordKind::Plain);
    let words: Vec<&str> = words.iter().map(|word| word.lower.as_str()).collect();
    plain.then(|| refusal_of(&words)).flatten()
}

fn refusal_of(words: &[&str]) -> Option<Level> {
    let words = match words {
        [first, rest @ ..] if matches!(*first, "please" | "you" | "agents") => rest,
        [digits, rest @ ..] if digits.chars().all(|c| c.is_ascii_digit()) => rest,
        _ => words,
    };
    unfit(words).or_else(|| asked_when(words)).or_else(|| denied(words))
}

/// `Not for`, `Not suitable for`, `Not applicable when`.
fn unfit(words: &[&str]) -> Option<Level> {
    const FITS: &[&str] = &["suitable", "meant", "intended", "applicable", "appropriate", "made", "designed"];
    let rest = words.strip_prefix(&["not"])?;
    let rest = match rest {
        [fits, rest @ ..] if FITS.contains(fits) => rest,
        ["a", "good", "fit", rest @ ..] | ["a", "fit", rest @ ..] => rest,
        _ => rest,
    };
    matches!(rest, [case] if CASES.contains(case) && !matches!(*case, "in" | "on" | "with" | "before" | "after"))
        .then_some(Level::MustNot)
}

/// `When not to use`, `When you should not use this skill`, `When you don't need lamps`, `When this does not apply`.
fn asked_when(words: &[&str]) -> Option<Level> {
    let (first, rest) = words.split_first()?;
    if *first != "when" {
        return None;
    }
    let (_, rest) = named(rest);
    let (["you", "should" | "must", "not", rest @ ..]
    | ["you", "shouldn't", rest @ ..]
    | ["you", "don't", "need", rest @ ..]
    | ["you", "do", "not", "need", rest @ ..]
    | ["not", "to", rest @ ..]
    | ["to", "not" | "avoid", rest @ ..]
    | ["does", "not", rest @ ..]
    | ["doesn't", rest @ ..]) = rest
    else {
        return None;
    };
    let verb = rest.split_first().filter(|(verb, _)| USES.contains(verb));
    let (itself, rest) = named(verb.map_or(rest, |(_, rest)| rest));
    // `When NOT to use mocks`.
    let other = verb.is_some_and(|(verb, _)| matches!(*verb, "use" | "apply" | "using")) && rest.len() <= 3;
    // `When NOT to page`.
    let act = match rest {
        // `auto-apply` in two words.
        [_] => true,
        [first, second] => is_verb(first) || is_verb(second),
        [first, _, _] => is_verb(first),
        _ => false,
    };
    ((verb.is_some() || itself) && rest.is_empty() || other || act).then_some(Level::MustNot)
}

/// `Don't use when`, `Do not use this skill if`, `Never use it for`, `Avoid using when`.
fn denied(words: &[&str]) -> Option<Level> {
    let (level, rest) = match words {
        ["do" | "must" | "should", "not", rest @ ..]
        | ["don't" | "dont" | "never" | "mustn't" | "shouldn't", rest @ ..] => (Level::MustNot, rest),
        ["avoid", rest @ ..] => (Level::ShouldNot, rest),
        _ => return None,
    };
    let rest = rest.strip_prefix(&["be"]).unwrap_or(rest);
    let (verb, rest) = rest.split_first().filter(|(verb, _)| USES.contains(verb))?;
    let rest = rest.strip_prefix(&["for"]).filter(|_| *verb == "reach").unwrap_or(rest);
    let (itself, rest) = named(rest);
    (matches!(rest, [case] if CASES.contains(case)) && (itself || *verb != "run")).then_some(level)
}

/// Whether the words open with what a skill calls itself, and the rest.
fn named<'w, 't>(words: &'w [&'t str]) -> (bool, &'w [&'t str]) {
    let count = words.iter().take_while(|word| ITSELF.contains(word)).count();
    (count > 0, &words[count..])
}

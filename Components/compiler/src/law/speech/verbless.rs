//! Rules in so few words that they have no verb: `Clarity over brevity`, `Soundings before speed.`, `Oars, not poles`, `Dry ropes only`.

use mentci_authority::{Force, Level};

use super::clause::Clause;
use super::mood::Mood;
use super::quiet::{outranks, ranks};
use super::word::{Word, WordKind};

/// `Clarity over brevity`: a name that weighs one quality against another orders.
pub(crate) fn weigh(words: &[Word], found: &mut [Clause]) {
    if let [only] = found
        && only.mood == Mood::Fragment
        && (outranks(&words[only.words.clone()])
            || ranks(&words[only.words.clone()])
            || comes_first(&words[only.words.clone()])
            || chooses(&words[only.words.clone()]))
    {
        only.mood = Mood::Order(Level::Must, Force::Implied);
    }
}

/// `**Soundings before speed.**`: a sentence of its own, stressed, that says what comes before what.
fn comes_first(words: &[Word]) -> bool {
    const ENDS: &[&str] = &["ment", "tion", "sion", "ness", "ity", "ance", "ence", "ing", "ings"];
    let [first, before, second, end] = words else { return false };
    let quality = |word: &Word| ENDS.iter().any(|ending| word.lower.ends_with(ending));
    end.mark(".")
        && before.is("before")
        && first.capital
        && quality(first)
        && (quality(second) || second.lower.ends_with('s'))
}

/// `Oars, not poles`, `` `rg`, not `grep` ``, `Dry ropes only`: a choice in so few words that it can mean nothing else.
fn chooses(words: &[Word]) -> bool {
    let end = words.iter().rposition(|word| word.kind != WordKind::Mark).map_or(0, |last| last + 1);
    let named =
        |word: &Word| word.kind == WordKind::Code || word.lower.ends_with('s') && !word.any(&["is", "this"]);
    let quoted = |word: &Word| word.kind == WordKind::Quote;
    match &words[..end] {
        // `"moored" not "parked"`
        [one, not, other] if quoted(one) => not.is("not") && quoted(other),
        [not, other, but, one] if but.is("but") => not.is("not") && quoted(one) && quoted(other),
        [one, comma, not, other] if quoted(one) => comma.mark(",") && not.is("not") && quoted(other),
        [one, comma, not, other] => comma.mark(",") && not.is("not") && named(one) && named(other),
        [dry, ropes, only] => dry.capital && ropes.lower.ends_with('s') && only.is("only"),
        [oars, only] => oars.capital && oars.lower.ends_with('s') && only.is("only"),
        _ => false,
    }
}

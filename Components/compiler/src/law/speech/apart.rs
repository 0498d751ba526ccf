//! Rules that do not wait for what stands above them: they hold at all times, in another case, or on their own condition.

use super::condition::{CIRCUMSTANCES, family};
use super::guard::{plain_in, plain_of};
use super::word::{Word, WordKind};

/// `On activation`, `At startup`: a moment, behind which a rule may go on to hold.
fn starts_up(condition: &str) -> bool {
    let lower = condition.to_lowercase();
    let mut words = lower.trim_end_matches([':', ' ']).split(' ');
    let opens = matches!(words.next(), Some("on" | "at" | "upon"));
    opens
        && matches!(words.next(), Some("activation" | "start" | "startup" | "load" | "launch" | "invocation"))
        && words.next().is_none()
}

/// `Keep it throughout the trip`, `Never leave the role until the owner ends it`, `From here on, …`: it holds past the moment.
fn reaches_on(plain: &[&Word]) -> bool {
    let denied = plain.iter().take(3).any(|word| word.any(&["never", "don't", "not"]));
    let pairs: &[[&str; 2]] =
        &[["from", "here"], ["from", "now"], ["every", "turn"], ["rest", "of"], ["each", "turn"]];
    plain.iter().any(|word| word.is("throughout") || denied && word.is("until"))
        || plain
            .windows(2)
            .any(|pair| pairs.iter().any(|[first, second]| pair[0].is(first) && pair[1].is(second)))
}

/// Whether a sentence says that it holds at all times, or in another of the cases than `condition`: then what stands above it is not its
/// condition.
pub(crate) fn is_apart(sentence: &[Word], condition: &str) -> bool {
    const ALWAYS: &[&[&str]] = &[
        &["at", "all", "times"],
        &["in", "all", "environments"],
        &["in", "every", "environment"],
        &["everywhere"],
    ];
    const OPENING: &[&[&str]] = &[
        &["in", "general"],
        &["generally"],
        &["as", "always"],
        &["as", "a", "general", "rule"],
        &["in", "any", "case"],
        &["in", "all", "cases"],
        &["in", "every", "case"],
        &["in", "all", "other", "cases"],
        &["otherwise"],
        &["outside", "of", "this"],
    ];
    let plain: Vec<&Word> = sentence.iter().filter(|word| word.kind != WordKind::Mark).collect();
    let says = |at: usize, phrase: &[&str]| {
        phrase
            .iter()
            .enumerate()
            .all(|(offset, lower)| plain.get(at + offset).is_some_and(|word| word.is(lower)))
    };
    let opens = OPENING.iter().any(|phrase| {
        says(0, phrase) && sentence.iter().take(phrase.len() + 2).any(|word| word.mark(",") || word.mark(":"))
    });
    let always = (0..plain.len()).any(|at| ALWAYS.iter().any(|phrase| says(at, phrase)));
    opens
        || always
        || starts_up(condition) && reaches_on(&plain)
        || is_other_case(sentence, condition)
        || asks_for_it(&plain, condition)
        || is_opposite_case(sentence, condition)
}

/// `If the chart does not exist, draw one` under `If the chart exists in the locker`.
fn is_opposite_case(sentence: &[Word], condition: &str) -> bool {
    const OPENING: &[&str] = &["if", "when"];
    const NEGATING: &[&str] = &["not", "no", "doesn't", "don't", "isn't", "aren't"];
    const FRAME: &[&str] = &["if", "when", "the", "a", "an", "any", "does", "do", "is", "are", "it"];
    let Some(comma) = sentence.iter().position(|word| word.mark(",") || word.mark(":")) else { return false };
    if !sentence[0].any(OPENING) {
        return false;
    }
    let (own, outer) = (plain_of(&sentence[..comma]).join(" "), condition.to_lowercase());
    let (own, outer) = (plain_in(&own), plain_in(&outer));
    let negated = |words: &[&str]| words.iter().any(|word| NEGATING.contains(word));
    let told = |words: &[&str]| -> Vec<String> {
        let told = words.iter().filter(|word| !FRAME.contains(word) && !NEGATING.contains(word));
        told.map(|word| word.trim_end_matches('s').to_owned()).collect()
    };
    let (said, others) = (told(&own), told(&outer));
    // `If absent, …` under `Charts (if available)`.
    if matches!(
        own[..],
        [_, "absent" | "missing" | "unavailable"]
            | [_, "not", "available" | "present" | "installed" | "configured"]
    ) {
        return matches!(
            outer[..],
            [.., "if" | "when", "available" | "present" | "installed" | "configured"]
        );
    }
    said.len() > 1 && negated(&own) != negated(&outer) && said.iter().all(|word| others.contains(word))
}

/// What somebody says who lets it be done.
pub(crate) const ANSWERS: &[&str] =
    &["confirms", "confirmed", "agrees", "agreed", "approves", "approved", "accepts", "accepted", "consents"];

/// `Ask the user whether to mend it` under `If the user confirms`: what fetches the answer does not wait for it.
fn asks_for_it(sentence: &[&Word], condition: &str) -> bool {
    const ASKED: &[&str] = &["user", "owner", "human", "maintainer", "them", "you"];
    let lower = condition.to_lowercase();
    let case = plain_in(&lower);
    let [opens, .., answers] = case[..] else { return false };
    let answers =
        ANSWERS.contains(&answers) || answers == "says" || answers == "yes" && case.contains(&"says");
    let asks = sentence.iter().position(|word| word.is("ask"));
    let asked = |at: usize| {
        sentence.get(at + 1..).is_some_and(|rest| rest.iter().take(2).any(|word| word.any(ASKED)))
    };
    matches!(opens, "if" | "when" | "once" | "after") && answers && asks.is_some_and(asked)
}

/// `On staging, …` under `In production`.
fn is_other_case(sentence: &[Word], condition: &str) -> bool {
    let Some(comma) = sentence.iter().position(|word| word.mark(",")).filter(|&comma| comma <= 4) else {
        return false;
    };
    if !sentence[0].any(CIRCUMSTANCES) {
        return false;
    }
    let own: Vec<&str> = sentence[..comma].iter().map(|word| word.lower.as_str()).collect();
    let own = own.join(" ");
    let ours = family(&own);
    ours.is_some()
        && ours == family(condition)
        && !condition.to_lowercase().contains(own.rsplit(' ').next().unwrap_or(""))
}

/// `In loud mode: …` behind `In quiet mode`, `After you land, …` behind `Before you sail`: a case of its own, which opens as the other does.
pub(crate) fn opens_alike(sentence: &[Word], condition: &str) -> bool {
    const OPENING: &[&str] = &["in", "on", "for", "with", "at", "under", "during", "before", "after"];
    const FARTHEST: usize = 8;
    let Some(first) = sentence.iter().find(|word| word.kind != WordKind::Mark) else { return false };
    let opens = condition.split(' ').next().is_some_and(|own| OPENING.contains(&own.to_lowercase().as_str()));
    let parted = sentence.iter().take(FARTHEST).any(|word| word.mark(":") || word.mark(","));
    opens && first.capital && first.any(OPENING) && parted
}

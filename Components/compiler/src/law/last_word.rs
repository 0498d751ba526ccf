//! A sentence that orders, and whose last word takes it all back: `Push to main — never.`, `Skip the hooks (not allowed)`.

use std::ops::Range;

use mentci_authority::{Force, Level};

use super::composed::draft_of;
use super::draft::Book;
use super::forms::Placed;
use super::speech::mood::{Mood, asks, has_finite, mood_of};
use super::speech::phrase::level_of;
use super::speech::sentence::{is_cross, is_verdict};
use super::speech::word::{Word, WordKind};

/// What is judged so, and as what.
pub(crate) struct Judged {
    pub act: Range<usize>,
    /// Whether the act is told as an order; its name may stand alone, else.
    pub orders: bool,
    pub level: Level,
}

/// Adds what such a sentence forbids; false where the sentence is none.
pub(super) fn taken_back(book: &mut Book<'_>, at: Placed<'_, '_>) -> bool {
    let Placed { prose, sentence, here, .. } = at;
    let Some(Judged { act, level, orders }) = judged_at_the_end(&prose.words, sentence) else { return false };
    let answers = prose.words[act.end..sentence.end].iter().any(|word| word.is("no"));
    if answers && here.lead.as_ref().is_some_and(|lead| fills_in(&lead.text)) {
        return false;
    }
    let act = prose.condensed(act);
    let text = match level {
        Level::ShouldNot if orders => format!("AVOID: {act}"),
        Level::MustNot if orders => format!("NEVER: {act}"),
        // What is said of it stays with it.
        _ => prose.condensed(unnumbered(&prose.words, sentence)),
    };
    book.add(draft_of(prose, sentence.clone(), text, (level, Force::Explicit), here, sentence));
    true
}

/// `Fill in the form:`, `Use these settings:`: what its items say is what to enter.
fn fills_in(lead: &str) -> bool {
    const FORMS: &[&str] = &[
        "form",
        "forms",
        "settings",
        "setting",
        "config",
        "configure",
        "configuration",
        "dialog",
        "fields",
        "prompts",
        "answer",
        "answers",
        "options",
        "defaults",
        "preferences",
        "fill",
    ];
    let lower = lead.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).any(|word| FORMS.contains(&word))
}

/// `Add a drawing (optional)` of `5. Add a drawing (optional)`.
fn unnumbered(words: &[Word], sentence: &Range<usize>) -> Range<usize> {
    let counts = |word: &Word| {
        word.kind == WordKind::Mark || word.lower.chars().all(|c| c.is_ascii_digit() || c == '.')
    };
    let start = words[sentence.clone()].iter().take_while(|word| counts(word)).count();
    sentence.start + start..sentence.end
}

/// The act of a sentence that ends in a verdict, set apart by a dash or in parentheses.
pub(crate) fn judged_at_the_end(words: &[Word], sentence: &Range<usize>) -> Option<Judged> {
    const LONGEST: usize = 8;
    let within = &words[sentence.clone()];
    if let Some(judged) = marked_at_the_end(within, sentence) {
        return Some(judged);
    }
    let bracketed = |at: usize| within[at].depth > 0;
    let plain = |at: &usize| within[*at].kind != WordKind::Mark;
    let last = (0..within.len()).rev().find(plain)?;
    let opens = (last.saturating_sub(LONGEST)..last).rev().find(|&at| {
        let mark = |mark: &str| within[at].kind == WordKind::Mark && within[at].lower == mark;
        is_dash(&within[at]) || mark("(") || mark("[") || mark(":") || mark("→")
    })?;
    if bracketed(last) != matches!(within[opens].lower.as_str(), "(" | "[") {
        return None;
    }
    let said: Vec<&str> = (opens + 1..=last)
        .filter(|at| plain(at) && !is_verdict(&within[*at]))
        .map(|at| within[at].lower.as_str())
        .collect();
    // `Add a lamp — MAY`
    let may = || (said == ["may"] && within[last].shouted).then_some(Level::May);
    let level = verdict(&said).or_else(may)?;
    let act = &within[..opens];
    let whole = !act.iter().any(|word| is_dash(word) && word.depth == 0 || word.mark(":") || word.mark(";"));
    let orders = matches!(mood_of(act).mood, Mood::Order(level, Force::Implied) if !level.is_prohibition());
    let denies =
        act.iter().any(|word| word.any(&["no", "not", "nothing", "nobody", "none", "never", "don't"]));
    let names = || {
        let named = act.iter().filter(|word| word.kind != WordKind::Mark).count();
        // `` `flares` (forbidden) ``: `Landing: forbidden` may be what an answer is called.
        let forbidden = || bracketed(last) && matches!(said[..], ["forbidden" | "banned" | "avoid"]);
        let lone = said == ["no"] && within[opens].mark(":") && names_kind(act);
        (1..=LONGEST).contains(&named)
            && (lone || PERMITS.contains(&said.join(" ").as_str()) || forbidden())
            && (level.is_prohibition() || !has_finite(act))
    };
    (whole && (orders || names()) && !denies && !asks(within)).then(|| Judged {
        act: sentence.start..sentence.start + opens,
        level,
        orders,
    })
}

/// `Push to main ❌`, `Push to main: ❌`: an order that the mark behind it takes back.
fn marked_at_the_end(within: &[Word], sentence: &Range<usize>) -> Option<Judged> {
    let last = within.iter().rposition(|word| word.lower != "\n" && !word.mark("."))?;
    if last <= 1 || !is_cross(&within[last]) || is_verdict(&within[0]) {
        return None;
    }
    let end = within[..last].iter().rposition(|word| word.kind != WordKind::Mark)? + 1;
    let act = &within[..end];
    let one = !act.iter().any(|word| is_verdict(word) || word.mark(";") || word.mark(","));
    let orders = matches!(mood_of(act).mood, Mood::Order(level, Force::Implied) if !level.is_prohibition());
    (one && orders).then(|| Judged {
        act: sentence.start..sentence.start + end,
        level: Level::MustNot,
        orders,
    })
}

/// What is said of nothing but an act, so that the act may be named by any words: `Changes to the log: not allowed`.
const PERMITS: &[&str] = &[
    "not allowed",
    "not permitted",
    "never allowed",
    "not ok",
    "not okay",
    "not acceptable",
    "prohibited",
    "allowed",
    "permitted",
    "always allowed",
    "discouraged",
    "encouraged",
];

/// `Emojis` of `Emojis: no`: things of a kind. `Required: no` tells of a field.
fn names_kind(act: &[Word]) -> bool {
    const LONGEST: usize = 3;
    const FIELDS: &[&str] = &[
        "changes", "requires", "needs", "has", "uses", "supports", "is", "breaks", "blocks", "returns",
        "takes", "allows", "accepts",
    ];
    let plural =
        |word: &Word| word.lower.len() > 3 && word.lower.ends_with('s') && !word.lower.ends_with("ss");
    let plain = act.iter().all(|word| word.kind == WordKind::Plain && !word.any(FIELDS));
    let [first, .., last] = act else {
        return matches!(act, [only] if plain && only.capital && plural(only));
    };
    plain && first.capital && plural(last) && act.len() <= LONGEST
}

fn is_dash(word: &Word) -> bool {
    word.kind == WordKind::Mark && matches!(word.lower.as_str(), "—" | "–" | "-" | "--")
}

/// What is said of an act behind it alone.
fn said_of_act(said: &str) -> Option<Level> {
    match said {
        "no" | "no way" | "bad" | "rejected" | "denied" | "never do" | "never do this" | "never do that"
        | "never do it" | "do not do this" | "do not do that" | "do not do it" | "don't do this"
        | "don't do that" | "don't do it" => Some(Level::MustNot),
        "always fine" | "always ok" | "fine" | "ok" | "okay" | "if you like" | "if you want" => {
            Some(Level::May)
        }
        _ => None,
    }
}

fn verdict(said: &[&str]) -> Option<Level> {
    let said =
        said.strip_prefix(&["strictly"]).or_else(|| said.strip_prefix(&["absolutely"])).unwrap_or(said);
    let said = said.join(" ");
    // `must` and `should` go on.
    let whole =
        |level: &Level| *level != Level::Must && !matches!(said.as_str(), "should" | "may" | "advised");
    said_of_act(&said).or_else(|| level_of(&said).filter(whole))
}

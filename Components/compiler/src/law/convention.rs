//! Conventions: what is told of the things that are made, under a heading that says how they shall be: `Functions are small`, `Handlers
//! don't block` under `Style`, `Conventions`, `Quality bar`. Elsewhere it is told as a fact, and here, too, where it argues, hedges or speaks
//! of consequences.

use mentci_authority::Level;

use super::clause::Clause;
use super::draft::Book;
use super::led::argues;
use super::lexicon::{FINITE, SUBJECTS, is_verb};
use super::mood::{Mood, asks};
use super::setting::Setting;
use super::stance::Stance;
use super::told::is_fact;
use super::word::{Word, WordKind, first_of};

/// The level of a sentence that orders nothing by itself and tells a convention.
pub(super) fn convention(book: &Book<'_>, words: &[Word], found: &[Clause], here: &Setting) -> Option<Level> {
    const LONGEST: usize = 30;
    let heading = here.heading?;
    let orders = |clause: &Clause| matches!(clause.mood, Mood::Order(..) | Mood::Question);
    if words.len() > LONGEST || found.iter().any(orders) || !sets_conventions(&book.headings[heading].text) {
        return None;
    }
    if !matches!(here.section, Stance::Neutral | Stance::Order) {
        return None;
    }
    let denied = tells(words)?;
    let argued = is_fact(words) || asks(words) || argues(words) || tells_consequence(words);
    (!argued).then_some(if denied { Level::MustNot } else { Level::Must })
}

/// Whether a heading says how things shall be: `Code style`, `Naming conventions`, `Quality bar`.
fn sets_conventions(heading: &str) -> bool {
    const NAMES: &[&str] = &[
        "style",
        "conventions",
        "convention",
        "standards",
        "standard",
        "rules",
        "policy",
        "policies",
        "requirements",
        "constraints",
        "invariants",
        "bar",
    ];
    let last = heading.rsplit(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
    last.is_some_and(|last| NAMES.iter().any(|name| last.eq_ignore_ascii_case(name)))
}

/// Whether a sentence tells something of things named by their kind, and if so, whether it denies it: `Handlers don't block`.
fn tells(words: &[Word]) -> Option<bool> {
    const DENYING: &[&str] = &["don't", "doesn't", "never", "aren't", "isn't"];
    let verb = verb_of(words)?;
    let (first, last, rest) = (&words[0], &words[verb - 1], &words[verb..]);
    if first.any(&["none", "nothing", "neither", "some", "many", "most", "there"]) {
        return None;
    }
    let denied = rest[0].any(DENYING)
        || rest.get(1).is_some_and(|next| next.any(&["not", "never", "no"]))
        || rest[0].any(&["contains", "contain", "has", "have"])
            && rest.get(1).is_some_and(|next| next.is("no"));
    let many =
        last.lower.ends_with('s') && !last.lower.ends_with("ss") || first.any(&["every", "each", "no"]);
    many.then_some(denied)
}

/// Where the verb of a sentence stands that tells something of a thing that it names: `The script uses curl`.
pub(super) fn verb_of(words: &[Word]) -> Option<usize> {
    const FARTHEST: usize = 6;
    let first = words.first().filter(|first| first.kind == WordKind::Plain && first.capital)?;
    let verb = (1..words.len().min(FARTHEST)).find(|&at| is_told_of(words, at))?;
    let named = |word: &Word| word.kind == WordKind::Plain || word.depth > 0;
    (!first.among(SUBJECTS) && words[..verb].iter().all(named)).then_some(verb)
}

/// Whether the verb of the sentence stands here: `are` behind any subject, `carry` behind many, `carries` behind one.
fn is_told_of(words: &[Word], at: usize) -> bool {
    let (word, before) = (&words[at], &words[at - 1]);
    let many = before.lower.ends_with('s') && !before.lower.ends_with("ss");
    let single = || {
        word.lower
            .strip_suffix('s')
            .is_some_and(|base| is_verb(base) || base.strip_suffix('e').is_some_and(is_verb))
    };
    let goes_on = at + 1 < words.len() && words[at + 1].kind != WordKind::Mark;
    word.kind == WordKind::Plain
        && !word.capital
        && (word.among(FINITE)
            || word.any(&["don't", "doesn't", "never"])
            || many && is_verb(&word.lower) && goes_on
            || !many && single() && goes_on)
}

/// `Types catch bugs`, `Long files slow reviews`: what comes of it, and not how it shall be.
fn tells_consequence(words: &[Word]) -> bool {
    const COMING_OF_IT: &[&str] = &[
        "help",
        "helps",
        "make",
        "makes",
        "let",
        "lets",
        "allow",
        "allows",
        "enable",
        "enables",
        "cause",
        "causes",
        "lead",
        "leads",
        "mean",
        "means",
        "improve",
        "improves",
        "catch",
        "catches",
        "waste",
        "wastes",
        "cost",
        "costs",
        "save",
        "saves",
        "reduce",
        "reduces",
        "increase",
        "increases",
        "break",
        "breaks",
        "hide",
        "hides",
        "ensure",
        "ensures",
        "prevent",
        "prevents",
        "slow",
        "slows",
        "easier",
        "harder",
        "better",
        "faster",
        "matters",
        "matter",
        "age",
        "rot",
        "exists",
        "exist",
        "apply",
        "applies",
    ];
    first_of(words, COMING_OF_IT).is_some_and(|at| at < 7)
}

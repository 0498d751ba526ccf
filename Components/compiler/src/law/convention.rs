//! Conventions: what is told of the things that are made, under a heading that says how they shall be: `Functions are small`, `Handlers
//! don't block` under `Style`, `Conventions`, `Quality bar`. Elsewhere it is told as a fact, and here, too, where it argues, hedges or speaks
//! of consequences.

use mentci_authority::{Force, Level};

use super::draft::Book;
use super::led::argues;
use super::setting::Setting;
use super::speech::clause::Clause;
use super::speech::lexicon::{DETERMINERS, FINITE, SUBJECTS, is_verb};
use super::speech::mood::{IMPERATIVE, Mood, asks};
use super::speech::stance::Stance;
use super::speech::told::is_fact;
use super::speech::word::{Word, WordKind, first_of};
use super::standing::names_rules;

/// Gives the clauses that only tell, and tell a convention, the mood of an order.
pub(super) fn bind_conventions(book: &Book<'_>, words: &[Word], found: &mut [Clause], here: &Setting) {
    const LONGEST: usize = 30;
    if !matches!(here.section, Stance::Neutral | Stance::Order) {
        return;
    }
    let heading = here.heading.map_or("", |heading| book.headings[heading].text.as_str());
    let sets = names_rules(heading);
    let manner = found.len() == 1 && names_manner(heading);
    let mut ordered = false;
    for clause in found {
        let said = &words[clause.words.clone()];
        // `Use the long rope — short ones are weaker`: why.
        let argued = ordered
            && clause.words.start.checked_sub(1).is_some_and(|before| words[before].mark("—"))
            && !said.iter().any(|word| word.is("not"));
        ordered = matches!(clause.mood, Mood::Order(..));
        let open =
            !argued && matches!(clause.mood, Mood::Statement | Mood::Fragment) && said.len() <= LONGEST;
        if open && (is_due(said) || manner && is_manner(said, clause.mood)) {
            clause.mood = IMPERATIVE;
            continue;
        }
        if let Some(level) = praised(said).or_else(|| stays(said)).filter(|_| open) {
            clause.mood = Mood::Order(level, Force::Implied);
            continue;
        }
        if !open || !(sets || holds_for_all(said)) {
            continue;
        }
        let Some(denied) = tells(said) else { continue };
        if !(is_fact(said) || asks(said) || argues(said) || tells_consequence(said)) {
            let level = if denied { Level::MustNot } else { Level::Must };
            clause.mood = Mood::Order(level, Force::Implied);
        }
    }
}

/// `All writes happen in a transaction`, `Every request goes through the gateway`: what is done with each of a kind, and not what each is.
fn holds_for_all(said: &[Word]) -> bool {
    let all = said.first().is_some_and(|first| first.any(&["all", "every", "each"]));
    let being = |at: usize| {
        said[at].any(&[
            "is", "are", "has", "have", "was", "were", "contains", "contain", "includes", "include",
            "returns", "return",
        ])
    };
    all && verb_of(said).is_some_and(|at| at > 1 && !being(at) && at + 1 < said.len())
}

/// `The chart is not touched`, `Unsigned notes remain unread`, `` `$WIND` is ignored ``: what shall become of a thing is nothing.
fn stays(said: &[Word]) -> Option<Level> {
    const LEFT: &[&str] = &["ignored", "as-is", "pending"];
    const WHOLE: &[&str] = &["untouched", "unchanged", "unmodified", "intact"];
    const TOUCHED: &[&str] = &["touched", "changed", "modified", "altered", "edited", "rewritten"];
    let is = |at: usize, words: &[&str]| said.get(at).is_some_and(|word| word.any(words));
    let being = |word: &Word| word.any(&["is", "are", "remains", "remain", "stays", "stay"]);
    let at = said.iter().take(9).position(being).filter(|&at| at > 0)?;
    let undone =
        || said.get(at + 1).is_some_and(|next| next.lower.starts_with("un") && next.lower.ends_with("ed"));
    let denied = is(at + 1, &["not"]) && is(at + 2, TOUCHED);
    let left = is(at + 1, LEFT) || is(at + 1, WHOLE) || !is(at, &["is", "are"]) && undone();
    let named = said[0].kind == WordKind::Code || said[0].kind == WordKind::Plain && !said[0].among(SUBJECTS);
    // `… is ignored by the crane` tells of the crane.
    let told = named && !is(at + 2, &["by"]) && !is_fact(said) && !asks(said);
    (told && (denied || left)).then_some(if denied { Level::MustNot } else { Level::Must })
}

/// `Sounding before each berth is critical`, `Using the lead line is the best way to sound`, `The safest way to land is to wait for the tide`: an
/// act that is praised.
fn praised(said: &[Word]) -> Option<Level> {
    const VITAL: &[&str] = &["critical", "essential", "crucial", "vital", "imperative", "mandatory"];
    const BEST: &[&str] =
        &["best", "safest", "simplest", "easiest", "recommended", "preferred", "right", "correct", "most"];
    let first = said.first().filter(|first| first.kind == WordKind::Plain && first.capital)?;
    // `Summaries are best left for last`.
    let are = said.iter().position(|word| word.any(&["is", "are"])).filter(|&at| at > 0)?;
    let done = |word: &Word| {
        word.lower.ends_with("ed")
            || word.any(&["left", "kept", "done", "put", "given", "run", "written", "made"])
    };
    if said[are + 1..].first().is_some_and(|best| best.is("best")) && said.get(are + 2).is_some_and(done) {
        return Some(Level::Should);
    }
    let copula = said.iter().position(|word| word.is("is")).filter(|&at| at > 1)?;
    let is = |at: usize, words: &[&str]| said.get(at).is_some_and(|word| word.any(words));
    let acts = first.lower.len() > 4
        && first.lower.ends_with("ing")
        && !first.any(&["understanding", "knowing", "something", "everything", "nothing"])
        && said[..copula].iter().all(|word| !word.mark(":"));
    if acts && is(copula + 1, VITAL) {
        return Some(Level::Must);
    }
    let way = |words: &[Word]| words.iter().any(|word| word.any(&["way", "approach"]));
    let praises = acts && is(copula + 1, &["the"]) && is(copula + 2, BEST) && way(&said[copula..]);
    let way_to = first.is("the") && is(1, BEST) && way(&said[..copula]) && is(copula + 1, &["to"]);
    (praises || way_to).then_some(Level::Should)
}

/// `The log is due within two days`: until when something must be there.
fn is_due(said: &[Word]) -> bool {
    let due =
        said.iter().position(|word| word.is("due")).filter(|&at| at > 1 && said[at - 1].any(&["is", "are"]));
    due.is_some_and(|at| {
        let until = said
            .get(at + 1)
            .is_some_and(|next| next.any(&["within", "by", "on", "before", "in", "at", "every"]));
        until && !said[0].among(SUBJECTS) && !asks(said)
    })
}

/// `Tone`, `Voice and style`: what stands under it says how to speak.
fn names_manner(heading: &str) -> bool {
    const MANNER: &[&str] = &["tone", "voice"];
    const BESIDE: &[&str] =
        &["and", "style", "of", "your", "the", "writing", "language", "guidelines", "rules", "communication"];
    let is = |names: &[&str], word: &str| names.iter().any(|name| word.eq_ignore_ascii_case(name));
    let mut words = heading.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.clone().any(|word| is(MANNER, word)) && words.all(|word| is(MANNER, word) || is(BESIDE, word))
}

/// `Friendly but brief.`, `Second person.`
fn is_manner(said: &[Word], mood: Mood) -> bool {
    const LONGEST: usize = 12;
    let ends = said.last().is_none_or(|last| last.kind != WordKind::Mark || last.mark("."));
    mood == Mood::Fragment
        && said.len() <= LONGEST
        && ends
        && said[0].kind == WordKind::Plain
        && said[0].capital
}

/// Whether a sentence tells something of things named by their kind, and if so, whether it denies it: `Handlers don't block`.
pub(super) fn tells(words: &[Word]) -> Option<bool> {
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
    // Behind `all` stands a name.
    let start = 1 + usize::from(first.among(DETERMINERS));
    let verb = (start..words.len().min(FARTHEST)).find(|&at| is_told_of(words, at))?;
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
    // `All writes happen in a transaction`: a verb in no list.
    let unlisted = || {
        let inflected = ["s", "ed", "ing", "ly"].iter().any(|end| word.lower.ends_with(end));
        !inflected
            && words.get(at + 1).is_some_and(|next| {
                next.any(&["in", "through", "via", "on", "at", "by", "before", "after", "under"])
            })
    };
    word.kind == WordKind::Plain
        && !word.capital
        && (word.among(FINITE)
            || word.any(&["don't", "doesn't", "never"])
            || many && (is_verb(&word.lower) || unlisted()) && goes_on
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

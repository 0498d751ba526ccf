//! What a clause does: order, ask, tell, or merely name.

use mentci_authority::{Force, Level};

use super::charge::charges;
use super::idiom::{
    aims_elsewhere, case_of_nothing, idiom, introduces, is_case_of_nothing, may_act, names_what_not,
    requires_code, set_against_itself, whatever_comes,
};
use super::imperative::verbal;
use super::in_case::conditional;
use super::lexicon::{
    CONDITIONS, CONNECTIVES, DETERMINERS, FINITE, FINITE_OR_PLURAL, OBJECT_STARTS, SUBJECTS, is_nounish,
    is_verb,
};
use super::modal::modal;
use super::order::order_at;
use super::quiet::{equated, quiet, runs_when};
use super::word::{Word, WordKind};

/// The mood of a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mood {
    /// It orders, forbids, advises or permits.
    Order(Level, Force),
    /// It asks.
    Question,
    /// It tells: it has a finite verb and no force.
    Statement,
    /// It names: no finite verb.
    Fragment,
}

impl Mood {
    /// Whether it forbids or advises against.
    pub(crate) fn forbids(self) -> bool {
        matches!(self, Self::Order(level, _) if level.is_prohibition())
    }
}

/// The mood of a clause, and its leading condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClauseMood {
    /// What it does.
    pub mood: Mood,
    /// The word after its leading condition; 0 when it has none.
    pub main: usize,
}

pub(crate) const MUST: Mood = Mood::Order(Level::Must, Force::Explicit);
pub(crate) const MUST_NOT: Mood = Mood::Order(Level::MustNot, Force::Explicit);
pub(crate) const SHOULD: Mood = Mood::Order(Level::Should, Force::Explicit);
pub(crate) const SHOULD_NOT: Mood = Mood::Order(Level::ShouldNot, Force::Explicit);
pub(crate) const MAY: Mood = Mood::Order(Level::May, Force::Explicit);
pub(crate) const IMPERATIVE: Mood = Mood::Order(Level::Must, Force::Implied);
pub(crate) const ADVICE: Mood = Mood::Order(Level::Should, Force::Implied);

/// Finds what a clause does.
pub(crate) fn mood_of(words: &[Word]) -> ClauseMood {
    let Some(first) = words.first() else { return find_mood(words) };
    // What ends a clause changes nothing, but for a colon.
    let leads = words.last().is_some_and(|last| last.mark(":"));
    first.known.mood((without_end(words).len(), leads), || find_mood(words))
}

fn find_mood(words: &[Word]) -> ClauseMood {
    let (whole, words) = (words, without_end(words));
    if let Some(inner) = bracketed(words) {
        return ClauseMood { main: 0, ..mood_of(&inner) };
    }
    let start = skip_connectives(words);
    let clause = &words[start..];
    let at = |mood, main: usize| ClauseMood { mood, main: if main == 0 { 0 } else { start + main } };
    if is_case_of_nothing(whole, &words[..start], clause) {
        return at(Mood::Fragment, 0);
    }
    if let Some(colon) = case_of_nothing(words) {
        return ClauseMood { mood: IMPERATIVE, main: colon + 1 };
    }
    if names_what_not(clause) {
        return at(MUST_NOT, 0);
    }
    if runs_when(clause) || requires_code(clause) {
        return at(IMPERATIVE, 0);
    }
    if may_act(clause) {
        return at(MAY, 0);
    }
    if introduces(clause) || aims_elsewhere(clause) {
        return at(Mood::Statement, 0);
    }
    if lists_nouns(clause) {
        return at(Mood::Fragment, 0);
    }
    // `Do log and chart agree?`
    if matches!(clause, [does, thing, ..] if does.is("do") && thing.kind == WordKind::Plain && !thing.is("not"))
        && asks(clause)
    {
        return at(Mood::Question, 0);
    }
    // `Always remember that the berth is ours` is to be remembered.
    let always = words[..start].iter().any(|word| word.is("always"));
    if let Some(that) = reminds_that(clause).filter(|_| !always) {
        let inner = mood_of(&clause[that + 1..]);
        return match inner.mood {
            Mood::Order(_, Force::Explicit) => at(inner.mood, that + 1 + inner.main),
            _ => at(Mood::Statement, 0),
        };
    }
    if let Some(mood) = equated(clause).or_else(|| charges(clause)).or_else(|| idiom(clause)) {
        return at(mood, 0);
    }
    if let Some(comma) = whatever_comes(clause) {
        let rest = mood_of(&clause[comma + 1..]);
        return at(rest.mood, comma + 1 + rest.main);
    }
    // `Rarely drift`.
    if clause.len() == 1 && words[..start].iter().any(|word| word.any(&["rarely", "seldom"])) {
        return at(Mood::Order(Level::ShouldNot, Force::Implied), 0);
    }
    // `…; otherwise push`, `Just show:`.
    let other = || words[..start].iter().any(|word| word.any(&["otherwise", "else", "just", "simply"]));
    if matches!(clause, [act] if act.kind == WordKind::Plain && is_verb(&act.lower)) && other() {
        return at(IMPERATIVE, 0);
    }
    // `Freely rename what you own`.
    if words[..start].iter().any(|word| word.is("freely"))
        && clause.first().is_some_and(|act| is_verb(&act.lower))
    {
        return at(MAY, 0);
    }
    if let Some(mood) = order_at(clause) {
        return at(strengthened(mood, &words[..start]), 0);
    }
    if set_against_itself(clause) {
        return at(IMPERATIVE, 0);
    }
    if always_acts(&words[..start], clause) {
        return at(Mood::Order(Level::Must, Force::Explicit), 0);
    }
    if let Some((mood, main)) = conditional(clause) {
        return at(mood, main);
    }
    let waits = clause.first().is_some_and(|word| {
        word.any(&["if", "when", "whenever", "before", "after", "once", "while", "until", "unless"])
    });
    if waits && !clause.iter().any(|word| word.depth == 0 && word.any(&["must", "should", "shall"])) {
        return at(if asks(clause) { Mood::Question } else { Mood::Fragment }, 0);
    }
    if let Some(mood) = modal(clause) {
        let hardly = clause.windows(2).any(|pair| pair[0].is("almost") && pair[1].is("never"));
        let advises = matches!(mood, Mood::Order(Level::Should | Level::Must, _));
        return at(if hardly && advises { SHOULD_NOT } else { mood }, 0);
    }
    if always_does(words, clause) {
        return at(MUST, 0);
    }
    if runs_on(clause) {
        return at(IMPERATIVE, 0);
    }
    if goes_on_with(whole, &words[..start], clause) {
        return at(IMPERATIVE, 0);
    }
    at(plain_mood(clause), 0)
}

/// `Always test`, `Always frobnicate the cache`: a verb that is as often a noun, or in no list.
fn always_does(words: &[Word], clause: &[Word]) -> bool {
    // `Ring` is none.
    const GERUND: usize = 5;
    let opening =
        words.iter().take(words.len() - clause.len() + 1).filter(|word| word.kind != WordKind::Mark);
    let always = opening.take(2).any(|word| word.is("always"));
    // `` Always `await` the bell ``
    let coded = |word: &Word| word.kind == WordKind::Code && is_code_verb(word.lower.trim_matches('`'));
    if always && clause.len() > 1 && clause.first().is_some_and(coded) {
        return !asks(clause);
    }
    let Some(verb) = clause.first().filter(|word| word.kind == WordKind::Plain) else { return false };
    let object = clause.get(1).is_some_and(|next| next.kind == WordKind::Code || next.among(DETERMINERS));
    always
        && !verb.is("always")
        && (is_verb(&verb.lower) || !verb.lower.ends_with("ing") || verb.lower.len() < GERUND)
        && (is_verb(&verb.lower) || object && !verb.among(CONDITIONS) || acts_by_its_ending(verb))
        && !asks(clause)
}

/// `await`, `return`: a keyword that says what is done.
fn is_code_verb(code: &str) -> bool {
    matches!(code, "await" | "yield" | "defer" | "export") || is_verb(code) && !is_nounish(code)
}

/// `` `git apply` the patch ``: a command in the place of a verb.
fn runs_on(clause: &[Word]) -> bool {
    // `` `rg` through the holds first ``
    if let [command, through, .., last] = clause
        && command.kind == WordKind::Code
        && through.any(&["through", "over", "against", "in", "on", "with"])
        && last.is("first")
    {
        return !asks(clause);
    }
    let [command, the, _, ..] = clause else { return false };
    command.kind == WordKind::Code
        && command.lower.contains(' ')
        && the.any(&["the", "each", "every", "all", "your", "its"])
        && !has_finite(clause)
        && !asks(clause)
}

/// `Also return:`, `Finally report:`: a lone verb that is as often a noun, behind a word that goes on, leads in what it is done to.
fn goes_on_with(whole: &[Word], before: &[Word], clause: &[Word]) -> bool {
    const GOING_ON: &[&str] = &["also", "finally", "additionally", "lastly", "please"];
    let [verb] = clause else { return false };
    whole.last().is_some_and(|word| word.mark(":"))
        && before.iter().any(|word| word.any(GOING_ON))
        && verb.kind == WordKind::Plain
        && is_verb(&verb.lower)
}

/// `triangulate`, `linearize`, `quantify`: what no list of verbs knows, and can be nothing else.
fn acts_by_its_ending(word: &Word) -> bool {
    const ENDINGS: &[&str] =
        &["ulate", "inate", "icate", "erate", "orate", "itate", "egate", "ify", "ize", "ise"];
    word.kind == WordKind::Plain
        && word.lower.len() > 5
        && ENDINGS.iter().any(|end| word.lower.ends_with(end))
}

/// `issue, letter, plan, note of the mate`: names, the first of which may be a verb elsewhere.
fn lists_nouns(clause: &[Word]) -> bool {
    const LONGEST: usize = 4;
    let [first, comma, ..] = clause else { return false };
    // `Select, Accordion, Tabs`
    let named = |part: &[Word]| matches!(part, [only] if only.kind == WordKind::Plain && only.capital);
    let parts = || clause.split(|word| word.mark(","));
    if parts().count() > 2 && parts().all(named) && !parts().all(|part| is_verb(&part[0].lower)) {
        return true;
    }
    let name = first.kind == WordKind::Plain && !first.capital && is_nounish(&first.lower) && comma.mark(",");
    name && clause.iter().filter(|word| word.mark(",")).count() > 1
        && clause.split(|word| word.mark(",")).all(|part| {
            part.len() <= LONGEST
                && part.iter().all(|word| word.kind == WordKind::Plain && !word.any(&["it", "them", "then"]))
        })
}

/// Without the colon, stop or dash that ends it; a question keeps its mark.
fn without_end(words: &[Word]) -> &[Word] {
    let end = words
        .iter()
        .rposition(|word| !matches!(word.lower.as_str(), ":" | "." | "—" | "," | ";" | "\n" | "!"))
        .map_or(0, |at| at + 1);
    &words[..end.max(1).min(words.len())]
}

/// The words of a clause that stands wholly in brackets.
fn bracketed(words: &[Word]) -> Option<Vec<Word>> {
    let (first, last) = (words.first()?, words.last()?);
    let wholly = first.lower == "("
        && last.lower == ")"
        && words.len() > 3
        && words[1..words.len() - 1].iter().all(|word| word.depth > first.depth);
    wholly.then(|| {
        words[1..words.len() - 1].iter().map(|word| Word { depth: word.depth - 1, ..word.clone() }).collect()
    })
}

/// Whether a finite verb stands at `at`: plural nouns that look like one count only in front of an object.
pub(crate) fn finite_at(clause: &[Word], at: usize) -> bool {
    let word = &clause[at];
    word.among(FINITE)
        || (word.among(FINITE_OR_PLURAL)
            && clause.get(at + 1).is_some_and(|next| {
                next.any(&[
                    "the", "a", "an", "it", "them", "this", "that", "your", "its", "their", "in", "on", "to",
                    "like", "you", "for", "no", "how", "what", "up", "out", "now", "with", "by", "from",
                    "exactly", "both", "only", "one", "at", "more",
                ]) || next.lower.ends_with("ly")
            }))
}

/// Whether the clause ends in a question mark.
pub(crate) fn asks(words: &[Word]) -> bool {
    if !words.iter().any(|word| word.kind == WordKind::Mark && word.lower == "?") {
        return false;
    }
    // `Who steers? (the mate, a guest)`.
    let bracket = words.iter().position(|word| word.lower == "(" && word.depth == 0);
    let behind = bracket.filter(|&open| {
        open > 1 && words[open - 1].lower == "?" && words.last().is_some_and(|last| last.lower == ")")
    });
    let words = behind.map_or(words, |open| &words[..open]);
    if answers_it(words) {
        return false;
    }
    let last = words.iter().rposition(|word| !matches!(word.lower.as_str(), ")" | "\"" | "”" | "\n"));
    // `#NAME?` is a value.
    let named = |at: usize| at > 0 && !words[at].spaced && words[at - 1].lower.starts_with('#');
    last.is_some_and(|at| words[at].lower == "?" && !named(at))
}

/// `The log must answer two questions: who steers, and where to?`: what stands in front of the colon is demanded, and asks nothing.
fn answers_it(words: &[Word]) -> bool {
    const ASKING: &[&str] = &[
        "what", "which", "who", "how", "why", "where", "when", "must", "should", "is", "are", "do", "does",
        "if",
    ];
    let Some(colon) = words.iter().position(|word| word.mark(":")) else { return false };
    let demanded = words[..colon].iter().skip(1).any(|word| word.any(&["must", "should"]));
    demanded && !words[0].any(ASKING)
}

/// `This does not mean that you must stop`, `Nobody says you must`: what is said of a rule that is none.
pub(crate) fn denies_rule(clause: &[Word]) -> bool {
    const FARTHEST: usize = 5;
    let near = &clause[..clause.len().min(FARTHEST)];
    let pointed = clause.first().is_some_and(|first| first.any(&["this", "that", "it"]));
    let denied = || {
        near.windows(2).any(|pair| {
            pair[0].any(&["not", "doesn't", "don't"]) && pair[1].any(&["mean", "imply", "follow", "say"])
        })
    };
    let nobody = near.windows(2).any(|pair| pair[0].any(&["nobody", "nothing"]) && pair[1].is("says"));
    pointed && denied() || nobody
}

fn plain_mood(clause: &[Word]) -> Mood {
    if asks(clause) {
        return Mood::Question;
    }
    let bracketed_choice =
        clause.iter().any(|word| word.depth == 1 && word.any(&["preferred", "recommended"]))
            && clause.len() <= 14;
    if bracketed_choice {
        return SHOULD;
    }
    if let Some(mood) = quiet(clause) {
        return mood;
    }
    if has_finite(clause) && sets_bound(clause) || takes_for_case(clause) {
        return IMPERATIVE;
    }
    if has_finite(clause) {
        return Mood::Statement;
    }
    if is_bound(clause) { IMPERATIVE } else { Mood::Fragment }
}

/// `At least two reviewers per change`, `At most 3 retries`: a bound that stands alone.
fn is_bound(clause: &[Word]) -> bool {
    const NUMBERS: &[&str] =
        &["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "half"];
    let [at, bound, number, what, ..] = clause else { return false };
    // `One question per turn`, `Two files at a time`.
    let each = || {
        clause.iter().skip(2).take(4).any(|word| word.is("per"))
            || clause.windows(3).take(6).any(|run| run[0].is("at") && run[1].is("a") && run[2].is("time"))
    };
    if at.capital && at.any(NUMBERS) && bound.kind == WordKind::Plain && each() {
        return !clause.iter().any(|word| word.mark(",") || word.mark(":"));
    }
    // `Exactly one berth per ship`.
    if at.is("exactly") && at.capital && bound.any(NUMBERS) {
        return number.kind == WordKind::Plain && !clause.iter().any(|word| word.mark(",") || word.mark(":"));
    }
    // `Max 1024 characters in all`.
    if at.capital && at.any(&["max", "maximum", "min", "minimum"]) && what.kind == WordKind::Plain {
        return bound.lower.starts_with(|c: char| c.is_ascii_digit());
    }
    let counts = number.any(NUMBERS)
        || number.kind == WordKind::Plain && number.lower.starts_with(|c: char| c.is_ascii_digit());
    at.is("at")
        && at.capital
        && bound.any(&["least", "most"])
        && counts
        && what.kind == WordKind::Plain
        && !clause.iter().any(|word| word.mark(",") || word.mark(":"))
}

/// `For small tables use a list`: what is taken in a case, without a comma.
fn takes_for_case(clause: &[Word]) -> bool {
    const LONGEST: usize = 6;
    const TAKING: &[&str] = &["use", "prefer", "choose", "pick", "run", "see", "call"];
    let Some(first) = clause.first().filter(|first| first.is("for") && first.capital) else { return false };
    // `For each group report the sum`: behind the name of what is taken one by one.
    let each = clause.get(1).is_some_and(|word| word.any(&["each", "every"]));
    let acts = |at: usize| each && at == 3 && is_verb(&clause[at].lower);
    let taken = |at: &usize| (clause[*at].any(TAKING) || acts(*at)) && clause[*at].depth == first.depth;
    let Some(at) = (1..clause.len().min(LONGEST + 1)).find(taken) else { return false };
    let case = clause.get(1..at).unwrap_or_default();
    let named = |word: &Word| {
        matches!(word.kind, WordKind::Plain | WordKind::Code)
            && !word.among(FINITE)
            && !word.any(&["to", "of", "in"])
    };
    let object = clause.get(at + 1).is_some_and(|next| {
        next.kind == WordKind::Code
            || next.capital
            || next.among(DETERMINERS)
            || next.among(OBJECT_STARTS)
            || each && next.kind == WordKind::Plain && !next.among(FINITE)
    });
    let tells = (at + 1..clause.len().min(at + 1 + LONGEST)).any(|behind| finite_at(clause, behind));
    !case.is_empty() && case.iter().all(named) && object && !tells
}

/// `Functions are at most 20 lines`, `Secrets live in the vault only`: what it tells is meant as a bound.
fn sets_bound(clause: &[Word]) -> bool {
    let number = |at: usize| {
        clause
            .get(at)
            .is_some_and(|word| word.lower.starts_with(|c: char| c.is_ascii_digit()) || word.is("one"))
    };
    let told = |three: usize| {
        let is = |at: usize, lowers: &[&str]| clause.get(three + at).is_some_and(|word| word.any(lowers));
        is(0, &["are", "is", "have", "has"])
            && is(1, &["at"])
            && is(2, &["most", "least"])
            && number(three + 3)
    };
    (1..clause.len().min(8)).any(told)
}

/// Whether a finite verb stands outside parentheses.
pub(crate) fn has_finite(clause: &[Word]) -> bool {
    let mut subject = false;
    for (at, word) in clause.iter().enumerate().filter(|(_, word)| word.depth == 0) {
        // `Drop the text that's stale`: of the text.
        if subject && word.is("that's") && clause[at - 1].kind == WordKind::Plain {
            return false;
        }
        if subject && finite_at(clause, at)
            || word.any(&[
                "it's", "that's", "they're", "you're", "there's", "you've", "i'm", "i've", "we're", "isn't",
                "don't",
            ])
        {
            return true;
        }
        if word.any(&["that", "which", "who", "whose", "where"]) && subject {
            return false;
        }
        subject |= word.kind != WordKind::Mark;
    }
    clause.first().is_some_and(|word| word.among(SUBJECTS)) && clause.len() > 3
}

/// `Always backup the log first`, ``Always `return` it``: a word in no list behind it acts. `Always visible` tells.
fn always_acts(before: &[Word], clause: &[Word]) -> bool {
    const TELLING: &[&str] = &["able", "ible", "ful", "ous", "ive", "al", "ic", "ant", "ent", "less", "wise"];
    let opens = before.iter().find(|word| word.kind != WordKind::Mark);
    let [act, object, ..] = clause else { return false };
    let named = |word: &Word| matches!(word.kind, WordKind::Plain | WordKind::Code | WordKind::Quote);
    let acts = match act.kind {
        WordKind::Code => object.among(DETERMINERS),
        WordKind::Plain => verbal(act) && !act.capital && !TELLING.iter().any(|end| act.lower.ends_with(end)),
        _ => false,
    };
    opens.is_some_and(|always| always.is("always") && always.capital)
        && acts
        && named(object)
        && !has_finite(clause)
}

/// `Always X`, `Only X` make an imperative explicit.
fn strengthened(mood: Mood, before: &[Word]) -> Mood {
    match mood {
        Mood::Order(Level::Must, _)
            if before.iter().any(|word| word.any(&["rarely", "seldom", "hardly"])) =>
        {
            Mood::Order(Level::ShouldNot, Force::Implied)
        }
        Mood::Order(level, _) if before.iter().any(|word| word.any(&["always", "only"])) => {
            Mood::Order(level, Force::Explicit)
        }
        Mood::Order(Level::Must, _) if before.iter().any(|word| word.any(&["ideally", "preferably"])) => {
            ADVICE
        }
        Mood::Order(Level::MustNot, _) if before.iter().any(|word| word.any(&["ideally", "preferably"])) => {
            SHOULD_NOT
        }
        Mood::Order(Level::Must, Force::Implied) if before.iter().any(|word| word.is("optionally")) => {
            Mood::Order(Level::May, Force::Implied)
        }
        mood => mood,
    }
}

/// `Note that the tide is out`, `Keep in mind that …`, `Be aware that …`: the place of `that`.
fn reminds_that(clause: &[Word]) -> Option<usize> {
    let that = clause.iter().take(4).position(|word| word.is("that"))?;
    let opens = match &clause[..that] {
        [note] => note.any(&["note", "remember", "recall", "notice"]),
        [be, aware] => be.is("be") && aware.any(&["aware", "advised", "warned"]),
        [keep, r#in, mind] => keep.any(&["keep", "bear"]) && r#in.is("in") && mind.is("mind"),
        _ => false,
    };
    (opens && that + 1 < clause.len()).then_some(that)
}

/// How many words at the start only connect.
pub(crate) fn skip_connectives(words: &[Word]) -> usize {
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let next_is_verb = || {
            words.get(at + 1).is_some_and(|next| {
                next.kind == WordKind::Plain
                    && (is_verb(&next.lower)
                        || next.any(&["don't", "do", "never", "not", "you", "refrain", "avoid", "stop"]))
                    || next.mark(",")
            })
        };
        let skip = match word.kind {
            WordKind::Mark => !matches!(word.lower.as_str(), "(" | "["),
            WordKind::Plain => {
                (word.among(CONNECTIVES)
                    // `Now that the tide is out` is a case.
                    && !(word.is("now") && words.get(at + 1).is_some_and(|next| next.is("that")))
                    && !(word.is("so") && words.get(at + 1).is_some_and(|next| next.is("long")))
                    && !(word.any(&["first", "second", "third", "next", "so", "but", "and", "or"])
                        && !next_is_verb()
                        && at + 1 < words.len()
                        && words[at + 1].among(FINITE)))
                    || (word.lower.ends_with("ly")
                        && word.lower.len() > 4
                        && !is_verb(&word.lower)
                        && next_is_verb())
                    || !word.lower.chars().any(char::is_alphanumeric)
                    // `Either mend it or strike it`.
                    || word.is("either") && next_is_verb()
                    // `optional; else infer it` goes on with what stands before.
                    || (at == 0 && word.is("else") && word.capital)
                    || (at == 0
                        && section_number(&word.lower)
                        && words.get(1).is_some_and(|next| next.kind == WordKind::Plain))
                    || (at == 0
                        && numbering(&word.lower)
                        && words.get(1).is_some_and(|next| matches!(next.lower.as_str(), "." | ")" | ":")))
            }
            _ => false,
        };
        if !skip {
            break;
        }
        at += 1;
    }
    at.min(words.len().saturating_sub(1))
}

fn numbering(lower: &str) -> bool {
    lower.chars().all(|c| c.is_ascii_digit())
}

/// `1.2.1` in front of a sentence.
fn section_number(lower: &str) -> bool {
    lower.contains('.')
        && lower.chars().all(|c| c.is_ascii_digit() || c == '.')
        && lower.starts_with(|c: char| c.is_ascii_digit())
}

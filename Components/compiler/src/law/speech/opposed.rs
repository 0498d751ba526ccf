//! What stands against a prohibition in one sentence, and what it comes to there: `One lamp per mast — never hang two`,
//! `Never send keys by mail; keys go through the vault only`.

use std::ops::Range;

use mentci_authority::{Force, Level};

use super::clause::Clause;
use super::contrast::denies;
use super::imperative::acts;
use super::lexicon::{CONDITIONS, DETERMINERS, SUBJECTS, is_nounish, is_verb};
use super::mood::{IMPERATIVE, Mood};
use super::told::told;
use super::word::{Word, WordKind};

/// `Deliver the patch alone — no screenshots or other files`: the dash sets what shall not be there against the order.
pub(crate) fn leaves_none(words: &[Word], end: usize, clause: &Clause) -> bool {
    let said = &words[clause.words.clone()];
    // `Proceed — no further soundings`
    let goes_on = said.get(1).is_some_and(|what| what.is("further"));
    clause.mood == Mood::Fragment && words[end - 1].mark("—") && denies(said) && !goes_on
}

/// `Never send keys by mail; keys go through the vault only`, `…; both are needed`: what a prohibition is set against is meant as a rule.
pub(crate) fn confine(found: &[Clause], clause: &mut Clause, words: &[Word]) {
    let parted = |last: &Clause| words[last.words.end - 1].mark(";") || words[last.words.end - 1].mark("—");
    if !found.last().is_some_and(|last| last.mood.forbids() && parted(last))
        || matches!(clause.mood, Mood::Order(..))
    {
        return;
    }
    let said = &words[clause.words.clone()];
    let last = said.iter().rev().find(|word| word.kind != WordKind::Mark);
    let needed = last.is_some_and(|word| word.any(&["needed", "required", "mandatory"]))
        && said.iter().any(|word| word.any(&["is", "are"]));
    // `They go to the archive` only says what becomes of what is forbidden.
    let told = said.first().is_some_and(|first| first.any(&["it", "they", "this", "that", "these", "those"]));
    let only = (route(said).is_some() || only_way(said)) && !told;
    if (needed || only) && !said.iter().any(|word| word.any(&["not", "no", "never", "if"])) {
        clause.mood = Mood::Order(Level::Must, Force::Explicit);
    }
}

/// `Sessions run in the sandbox; no calls outside`, `No wrapped titles; long names cut`: of the halves that a semicolon parts one forbids, and
/// the other one, that only names, says what shall be in its place.
pub(crate) fn halve(found: &mut [Clause], clause: &mut Clause, words: &[Word]) {
    let halved =
        |last: &&mut Clause| last.words.end == clause.words.start && words[last.words.end - 1].mark(";");
    let Some(last) = found.last_mut().filter(halved) else { return };
    let said = &words[clause.words.clone()];
    let denied = said[0].is("no") && denies(said);
    if denied && clause.mood == Mood::Fragment && !last.mood.forbids() {
        clause.mood = Mood::Order(Level::MustNot, Force::Implied);
    }
    let names = match last.mood {
        Mood::Fragment => names_way(&words[last.words.clone()], denied),
        Mood::Statement => denied && told(&words[last.words.start..clause.words.end]).is_some(),
        _ => false,
    };
    if names && clause.mood.forbids() && !said.iter().any(|word| word.any(BACK)) {
        last.mood = IMPERATIVE;
    } else if last.mood.forbids() && clause.mood == Mood::Fragment && names_done(said) {
        clause.mood = IMPERATIVE;
    }
}

/// `Depths are taken from the chart (NEVER from memory)`: what stands against a prohibition in brackets is meant as a rule.
pub(crate) fn denied_in_brackets(words: &[Word]) -> bool {
    const SHORTEST: usize = 3;
    let Some(open) = words.iter().position(|word| word.lower == "(" && word.depth == 0) else { return false };
    let but = usize::from(words.get(open + 1).is_some_and(|word| word.is("but")));
    let [never, next, ..] = &words[open + 1 + but..] else { return false };
    // `Window = 2 x the log (but don't exceed the limit)`
    let denies = (never.is("never") || but == 1 && (never.is("don't") || never.is("do") && next.is("not")))
        && next.kind != WordKind::Mark
        && !words[open + 1..].iter().any(|word| word.is("if"));
    let said = &words[..open];
    let told = said.first().is_some_and(|first| {
        first.kind != WordKind::Mark && !first.among(SUBJECTS) && !first.among(CONDITIONS)
    });
    let closes = words
        .iter()
        .rposition(|word| word.lower == ")")
        .is_some_and(|close| words[close + 1..].iter().all(|word| word.kind == WordKind::Mark));
    denies && told && closes && said.len() >= SHORTEST
}

/// What takes up something that was named.
const BACK: &[&str] =
    &["it", "its", "them", "they", "their", "this", "that", "these", "those", "one", "there"];

/// `Short sentences`, `Auth checks occur server-side`: what shall be, and no case, reason or name of what is spoken of.
fn names_way(said: &[Word], denied: bool) -> bool {
    const TELLING: &[&str] =
        &["is", "are", "was", "were", "has", "have", "will", "can", "missing", "unknown", "too", "no", "not"];
    let plain = said.iter().filter(|word| word.kind != WordKind::Mark).count();
    let Some(first) = said.first() else { return false };
    plain >= 3 - usize::from(denied)
        && first.kind != WordKind::Mark
        && !first.among(CONDITIONS)
        && !first.among(SUBJECTS)
        && !said.iter().any(|word| word.depth == 0 && (word.any(TELLING) || word.mark(":") || word.mark("→")))
}

/// `` `text-wrap: pretty` applied ``, `long names cut with an ellipsis`: what is done to a thing.
fn names_done(said: &[Word]) -> bool {
    let done = said.iter().take(6).position(|word| word.lower.ends_with("ed") && word.lower.len() > 4);
    let idle = said[0].any(BACK) || said[0].among(SUBJECTS) || said[0].any(&["already", "too", "not", "no"]);
    !idle && done.is_some_and(|at| at > 1 || at == 1 && said[0].kind == WordKind::Code)
}

/// `Tokens enter the file only as references`: the one way that is left.
fn only_way(words: &[Word]) -> bool {
    const WAYS: &[&str] = &["as", "by", "via", "through", "with", "from", "in", "on", "inside", "under"];
    words.windows(2).skip(1).any(|pair| pair[0].is("only") && pair[1].any(WAYS))
}

/// `Sound depths; never guess`: a verb that may be a noun, in front of a semicolon and an order.
fn acts_beside(words: &[Word], before: &Range<usize>) -> bool {
    const LONGEST: usize = 5;
    let said = &words[before.start..before.end - 1];
    words[before.end - 1].mark(";")
        && (2..=LONGEST).contains(&said.len())
        && said[0].capital
        && is_verb(&said[0].lower)
        && said.iter().all(|word| word.kind == WordKind::Plain)
}

/// `Weight over 9 goes by cart; otherwise asks the mate`: what is told for two cases is what to do in each.
fn tells_otherwise(words: &[Word], last: &Clause, clause: &Clause) -> bool {
    let [otherwise, act, ..] = &words[clause.words.clone()] else { return false };
    otherwise.is("otherwise")
        && acts(act)
        && matches!(last.mood, Mood::Statement | Mood::Fragment)
        && !words[last.words.start].among(SUBJECTS)
}

/// `Fixed lamps: one height, NO glass`, `One lamp per mast — never hang two`: what stands against a prohibition is meant as a rule.
fn set_against(words: &[Word], last: &Clause, clause: &Clause) -> bool {
    let (said, end) = (&words[last.words.clone()], &words[last.words.end - 1]);
    let forbids = clause.mood.forbids();
    let first = &words[clause.words.start];
    let shouted = end.mark(",") && first.is("no") && first.shouted;
    let each =
        end.mark("—") && said[0].is("one") && said.iter().any(|word| word.any(&["per", "each", "every"]));
    // `Short aliases (x, y) — never `a.long.path` directly`.
    let named = end.mark("—")
        && first.is("never")
        && words.get(clause.words.start + 1).is_some_and(|next| next.kind == WordKind::Code)
        && names_way(&said[..said.len() - 1], true);
    // `Flat list only — never nest`.
    let alone = said.len() > 2 && said[said.len() - 2].is("only") && end.mark("—");
    forbids && last.mood == Mood::Fragment && (shouted || each || named || alone)
}

/// `Warn but do not block it`, `If it fails: warn but never stop`, `Archive, don't delete`: a verb alone, against which a prohibition is set.
fn acts_against(words: &[Word], last: &Clause, clause: &Clause) -> bool {
    let forbids = clause.mood.forbids();
    let mut plain = last.words.clone().rev().filter(|&at| words[at].kind != WordKind::Mark);
    let Some(verb) = plain.next().filter(|_| forbids && last.mood == Mood::Fragment) else { return false };
    let opens = verb == last.words.start || words[verb - 1].mark(":") || words[verb - 1].mark(",");
    let against = &words[clause.words.start];
    let turns =
        against.is("but") || words[last.words.end - 1].mark(",") && against.any(&["don't", "never", "do"]);
    let acts = |lower: &str| is_verb(lower) || lower.rsplit_once('-').is_some_and(|(_, act)| is_verb(act));
    turns && opens && words[verb].kind == WordKind::Plain && acts(&words[verb].lower)
}

/// `No double watch — sleep by turns`: not to be, and what is done instead. `No log — write one` is a case.
fn denied_beside(words: &[Word], last: &Clause, clause: &Clause) -> bool {
    let said = &words[last.words.clone()];
    let back = |word: &Word| word.any(&["one", "it", "them", "first"]);
    let left = |word: &Word| word.is("found") || word.lower.ends_with("ed");
    last.mood == Mood::Fragment
        && said[0].capital
        && said.last().is_some_and(|end| end.mark("—"))
        && matches!(clause.mood, Mood::Order(Level::Must, Force::Implied))
        && denies(said)
        && !said.iter().any(left)
        && !words[clause.words.clone()].iter().any(back)
}

/// `Use those only — the standing list does not count`: the dash sets what shall not be against a bounded order.
pub(crate) fn bars(words: &[Word], last: &Clause, clause: &Clause) -> bool {
    let order = &words[last.words.clone()];
    let said = &words[clause.words.clone()];
    let denied = said.windows(2).position(|pair| pair[0].any(&["do", "does"]) && pair[1].is("not"));
    clause.mood == Mood::Statement
        && order.last().is_some_and(|end| end.mark("—"))
        && order.iter().any(|word| word.depth == 0 && word.any(&["only", "exactly"]))
        && denied.is_some_and(|at| (1..=6).contains(&at))
        && !said[0].among(SUBJECTS)
}

/// `X gets A — never B`: what stands against a `never` is meant as a rule.
pub(crate) fn lift(found: &mut [Clause], clause: &Clause, words: &[Word]) {
    let Some(last) = found.last_mut() else { return };
    let beside = last.mood == Mood::Fragment
        && matches!(clause.mood, Mood::Order(..))
        && acts_beside(words, &last.words);
    if beside
        || tells_otherwise(words, last, clause)
        || set_against(words, last, clause)
        || acts_against(words, last, clause)
    {
        last.mood = IMPERATIVE;
    }
    if denied_beside(words, last, clause) {
        last.mood = Mood::Order(Level::MustNot, Force::Implied);
    }
    // `Never show it` acts, `never show pages` may name.
    let object = words
        .get(clause.words.start + 2)
        .is_some_and(|next| next.among(DETERMINERS) || next.any(&["it", "them", "this", "these", "that"]));
    let elliptic = words[clause.words.start].is("never")
        && matches!(clause.mood, Mood::Order(..))
        && !words
            .get(clause.words.start + 1)
            .is_some_and(|next| is_verb(&next.lower) && (!is_nounish(&next.lower) || object));
    let aims = |said: &[Word]| matches!(said, [the, goal, is, _, ..] if the.any(&["the", "your"]) && goal.any(&["goal", "aim", "point", "focus"]) && is.is("is"));
    let addressed = words[clause.words.start].is("not") && {
        let said = &words[last.words.clone()];
        aims(said) || said.iter().any(|word| word.any(&["you", "your"]))
    };
    // `Only the offer — no summary`.
    let alone = words[last.words.start].is("only") && leaves_none(words, last.words.end, clause);
    if alone && last.mood == Mood::Fragment {
        last.mood = Mood::Order(Level::Must, Force::Explicit);
    }
    let back = || {
        let said = &words[clause.words.clone()];
        said.iter().any(|word| word.any(&["it", "them", "there"]))
            && !said.get(1).is_some_and(|verb| verb.lower.ends_with('s'))
    };
    if (elliptic && !back() || addressed)
        && last.mood == Mood::Statement
        && last.words.end == clause.words.start
    {
        last.mood = Mood::Order(Level::Must, Force::Implied);
    }
}

/// `Input that should be taken into account; it should not …`: what the first half asks for, which is not what the second one forbids.
pub(crate) fn asked_of(words: &[Word]) -> Option<Level> {
    let modal = words.iter().position(|word| word.any(&["must", "should"]))?;
    let denied = words.get(modal + 1).is_some_and(|next| next.any(&["not", "never"]));
    let level = if words[modal].is("must") { Level::Must } else { Level::Should };
    (!denied).then_some(level)
}

/// `Rejected drafts go to the archive; they never return`: where a thing goes or stays; what stands against a `never` is meant as a rule.
pub(crate) fn route(words: &[Word]) -> Option<usize> {
    const ROUTES: &[&str] =
        &["go", "goes", "stay", "stays", "belong", "belongs", "live", "lives", "land", "lands"];
    const THERE: &[&str] = &["to", "in", "into", "on", "at", "under", "with", "through", "behind", "inside"];
    let at = words.iter().take(7).position(|word| word.any(ROUTES)).filter(|&at| at > 0)?;
    words.get(at + 1).is_some_and(|next| next.any(THERE)).then_some(at)
}

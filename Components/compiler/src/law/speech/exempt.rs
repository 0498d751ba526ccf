//! Sentences and clauses that only exempt from the rule before them.

use std::ops::Range;

use super::clause::Clause;
use super::mood::{Mood, asks, mood_of};
use super::prose::Prose;
use super::word::{Word, WordKind, may_hold};

/// A sentence that only exempts from the rule before it: `Exception: …`, `This does not apply to …`, `Except for …`.
pub(crate) fn exempts(prose: &Prose<'_>, sentence: &Range<usize>, forbidden: bool) -> Option<Range<usize>> {
    if let Some(bracketed) = unless_in_brackets(prose, sentence, forbidden) {
        return Some(bracketed);
    }
    if let Some(named) = names_exception(prose, sentence) {
        return Some(named);
    }
    let words = &prose.words[sentence.clone()];
    let is = |at: usize, lowers: &[&str]| words.get(at).is_some_and(|word| word.any(lowers));
    let labelled = is(0, &["exception", "exceptions"]) && words.get(1).is_some_and(|word| word.mark(":"));
    // `This rule has one exception: …`
    let said = words.iter().take(7).position(|word| word.any(&["exception", "exceptions"]));
    if let Some(colon) = said.filter(|&at| {
        is(0, &["this", "the", "there"]) && words.get(at + 1).is_some_and(|word| word.mark(":"))
    }) {
        return Some(sentence.start + colon + 2..sentence.end);
    }
    let not_applying = is(0, &["this", "it", "that"])
        && (is(1, &["doesn't"]) && is(2, &["apply"])
            || is(1, &["does"]) && is(2, &["not"]) && is(3, &["apply"]));
    let named =
        is(0, &["the", "only"]) && (is(1, &["exception"]) || is(1, &["only"]) && is(2, &["exception"]));
    let except =
        is(0, &["except"]) && !(mood_of(words).main > 0 && matches!(mood_of(words).mood, Mood::Order(..)));
    let to = if not_applying { words.iter().position(|word| word.is("to")) } else { None };
    let to = to.map_or(0, |at| at + 1);
    let skip = if labelled { 2 } else { to.max(usize::from(except)) };
    (labelled || not_applying || named || except).then_some(sentence.start + skip..sentence.end)
}

/// `An exception: your own branch`, `The only exception is a hotfix`, `Exempt: bots`: what is named.
fn names_exception(prose: &Prose<'_>, sentence: &Range<usize>) -> Option<Range<usize>> {
    const BEFORE: &[&str] = &[
        "an",
        "a",
        "the",
        "one",
        "only",
        "sole",
        "single",
        "another",
        "further",
        "notable",
        "important",
        "main",
    ];
    let words = &prose.words[sentence.clone()];
    let start = words.iter().position(|word| word.kind != WordKind::Mark)?;
    let at = start + words[start..].iter().take_while(|word| word.any(BEFORE)).count();
    let noun = words.get(at)?.any(&["exception", "exceptions", "exemption", "exemptions"]);
    let exempt = at == start && words[at].any(&["exempt", "excepted", "exempted"]);
    let turn = words.get(at + 1)?;
    // `An exception is an error`.
    let the = words[start].any(&["the", "one", "only", "sole", "single"]);
    let says = turn.mark(":") || turn.mark("—") || noun && the && turn.any(&["is", "are"]);
    let rest = &words[at + 2..];
    let named = rest.iter().any(|word| word.kind != WordKind::Mark)
        && !rest
            .first()
            .is_some_and(|word| word.any(&["none", "not", "no", "never", "rare", "made", "when", "if"]));
    ((noun || exempt) && says && named && !asks(words)).then_some(sentence.start + at + 2..sentence.end)
}

/// `(Unless asked.)` after a rule, `(Only in tests.)` after a prohibition.
fn unless_in_brackets(prose: &Prose<'_>, sentence: &Range<usize>, forbidden: bool) -> Option<Range<usize>> {
    let words = &prose.words[sentence.clone()];
    let opens = words.first()?.lower == "("
        && (words.get(1)?.any(&["unless", "except", "but"]) || forbidden && words[1].is("only"));
    // `(Exception: it is slow.)`
    let labelled =
        words[0].lower == "(" && words[1].any(&["exception", "exceptions"]) && words.get(2)?.lower == ":";
    if !opens && !labelled {
        return None;
    }
    let close = words
        .iter()
        .position(|word| word.lower == ")")
        .filter(|&close| close > 3 - 2 * usize::from(opens))?;
    let end = if words[close - 1].lower == "." { close - 1 } else { close };
    Some(sentence.start + if labelled { 3 } else { 1 }..sentence.start + end)
}

/// `Unless the owner agreed.` after a rule, `Only in tests.` after a prohibition.
pub(crate) fn unless_alone(
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    forbidden: bool,
) -> Option<Range<usize>> {
    const MOST: usize = 8;
    let words = &prose.words[sentence.clone()];
    let is = |at: usize, lowers: &[&str]| words.get(at).is_some_and(|word| word.any(lowers));
    // `Unless it storms, row; don't sail.` orders itself.
    let comma = words.iter().position(|word| word.mark(","));
    let orders = comma.is_some_and(|comma| words[comma..].iter().any(|word| word.mark(";")));
    let unless =
        is(0, &["unless"]) && !orders && !matches!(mood_of(words).mood, Mood::Order(..) | Mood::Question);
    let only = forbidden
        && is(0, &["only"])
        && is(1, &["if", "when", "in", "with", "after", "during"])
        && words.len() <= MOST
        && !words.iter().any(|word| word.mark(",") || word.mark(":"));
    (unless || only).then_some(sentence.start + 1..sentence.end)
}

/// `It is fine in tests` after a prohibition: an exception to it.
pub(crate) fn permits(prose: &Prose<'_>, sentence: &Range<usize>) -> Option<Range<usize>> {
    let words = &prose.words[sentence.clone()];
    let is = |at: usize, lowers: &[&str]| words.get(at).is_some_and(|word| word.any(lowers));
    if let Some(case) = fine_there(words) {
        return Some(sentence.start..sentence.start + case);
    }
    let subject = usize::from(is(0, &["it's", "that's", "they're"]))
        + 2 * usize::from(is(0, &["it", "this", "that", "they", "these"]) && is(1, &["is", "are"]));
    let fine = is(subject, &["fine", "ok", "okay", "allowed", "acceptable", "permitted"]);
    let narrowed = is(
        subject + 1,
        &["in", "for", "when", "if", "during", "inside", "within", "on", "only", "while", "with", "under"],
    );
    (subject > 0 && fine && narrowed).then_some(sentence.start + subject..sentence.end)
}

/// `In tests it is fine`, `For debugging, that's allowed`: how many words say where.
fn fine_there(words: &[Word]) -> Option<usize> {
    const FINE: &[&str] = &["fine", "ok", "okay", "allowed", "acceptable", "permitted"];
    const WHERE: &[&str] = &[
        "in", "on", "for", "during", "inside", "within", "while", "with", "under", "outside", "after", "when",
    ];
    const MOST: usize = 8;
    if !words.first()?.any(WHERE) {
        return None;
    }
    let is = |at: usize, lowers: &[&str]| words.get(at).is_some_and(|word| word.any(lowers));
    let it = words
        .iter()
        .take(MOST)
        .position(|word| word.any(&["it", "this", "that", "they", "it's", "that's", "they're"]))?;
    let fine = it + if is(it, &["it's", "that's", "they're"]) { 1 } else { 2 };
    let said = fine == it + 1 || is(it + 1, &["is", "are"]);
    let ends = words.get(fine + 1).is_none_or(|word| word.kind == WordKind::Mark);
    let case = words[..it].iter().rposition(|word| word.kind != WordKind::Mark)? + 1;
    (said && is(fine, FINE) && ends && case > 1).then_some(case)
}

/// `However, release managers may.`, `Old logs are an exception.` after a rule: who is exempt from it.
pub(crate) fn excused(prose: &Prose<'_>, sentence: &Range<usize>) -> Option<Range<usize>> {
    const ENDS: &[&[&str]] = &[
        &["may"],
        &["can"],
        &["may", "do", "so"],
        &["can", "do", "so"],
        &["may", "do", "it"],
        &["may", "do", "that"],
        &["are", "allowed", "to"],
        &["is", "allowed", "to"],
    ];
    const EXEMPT: &[&[&str]] = &[
        &["are", "an", "exception"],
        &["is", "an", "exception"],
        &["are", "the", "exception"],
        &["is", "the", "exception"],
        &["is", "the", "one", "exception"],
        &["is", "the", "only", "exception"],
        &["is", "the", "sole", "exception"],
        &["are", "the", "only", "exceptions"],
        &["are", "the", "only", "exception"],
        &["are", "exceptions"],
        &["are", "exempt"],
        &["is", "exempt"],
        &["are", "excepted"],
        &["is", "excepted"],
        &["are", "exempted"],
        &["is", "exempted"],
        &["are", "excluded"],
        &["is", "excluded"],
        &["are", "excused"],
        &["is", "excused"],
    ];
    const CUES: &[&str] = &[
        "may",
        "can",
        "allowed",
        "exception",
        "exceptions",
        "exempt",
        "excepted",
        "exempted",
        "excluded",
        "excused",
    ];
    let words = &prose.words;
    let opens = |at: &usize| {
        words[*at].kind == WordKind::Mark || words[*at].any(&["however", "but", "though", "only", "still"])
    };
    let start = sentence.clone().find(|at| !opens(at))?;
    // The words that such a sentence ends in, or holds.
    if !may_hold(&words[sentence.clone()], CUES) {
        return None;
    }
    let adds = |at: &usize| words[*at].any(&["too", "also", "likewise"]);
    let plain: Vec<usize> =
        (start..sentence.end).filter(|at| words[*at].kind != WordKind::Mark && !adds(at)).collect();
    let ends = |end: &[&str]| {
        plain.len() > end.len()
            && plain[plain.len() - end.len()..].iter().zip(end).all(|(&at, word)| words[at].is(word))
    };
    // `Every tow needs a permit; skiffs are exempt` has a rule of its own.
    if sentence.clone().any(|at| words[at].mark(";")) {
        return None;
    }
    let negated = plain.iter().any(|&at| words[at].any(&["no", "not", "nobody", "none", "never", "you"]));
    // `If the owner wants to turn back, they can.` soothes, and is about no rule.
    let soothes = words[start].any(&["if", "when"])
        && matches!(plain[..], [.., they, can] if words[they].any(&["they", "he", "she"]) && words[can].any(&["can", "may"]));
    if negated || soothes || asks(&words[sentence.clone()]) || plain.len() > 14 {
        return None;
    }
    // `It was sold in May` names a month.
    let is_month = plain.last().is_some_and(|&last| words[last].capital && words[last].is("may"));
    if !is_month && ENDS.iter().any(|end| ends(end)) {
        return Some(start..plain.last()? + 1);
    }
    // `However, Y may use it.`
    let turns = (sentence.start..start).any(|at| words[at].any(&["however", "but", "though"]));
    let may = plain.iter().position(|&at| words[at].any(&["may", "can"])).filter(|&may| may > 0);
    let refers =
        plain.last().is_some_and(|&at| words[at].any(&["it", "them", "this", "that", "these", "so"]));
    if turns && refers && may.is_some_and(|may| (2..=4).contains(&(plain.len() - may - 1))) {
        return Some(start..plain.last()? + 1);
    }
    let exempt = EXEMPT.iter().find(|end| ends(end))?;
    Some(start..plain[plain.len() - exempt.len()])
}

/// `Hotfixes may skip it.`, `Docs-only changes don't.`, `Bots need not.` behind a rule: who is exempt from it. What is not done is an
/// exception to what is to be done only.
pub(crate) fn waived(prose: &Prose<'_>, sentence: &Range<usize>, forbidden: bool) -> Option<Range<usize>> {
    let words = &prose.words[sentence.clone()];
    let opens = |word: &Word| word.kind == WordKind::Mark || word.any(&["however", "but", "though", "and"]);
    let start = words.iter().position(|word| !opens(word))?;
    // `…, push; otherwise don't.`
    if words[start].any(&["otherwise", "else", "if"]) {
        return None;
    }
    let subject = match waiver(&words[start..])? {
        Waiver::Skips => words.iter().rposition(|word| word.kind != WordKind::Mark)? + 1 - start,
        Waiver::Lacks(verb) if !forbidden => verb,
        Waiver::Lacks(_) => return None,
    };
    (!asks(words)).then(|| sentence.start + start..sentence.start + start + subject)
}

/// `So are typo fixes.` behind what exempts others: who is exempt as well.
pub(crate) fn so_are(prose: &Prose<'_>, sentence: &Range<usize>) -> Option<Range<usize>> {
    const LONGEST: usize = 12;
    let words = &prose.words[sentence.clone()];
    let plain = || (0..words.len()).filter(|&at| words[at].kind != WordKind::Mark);
    let (so, be, who) = (plain().next()?, plain().nth(1)?, plain().nth(2)?);
    let goes_on = words[so].any(&["so", "as"]) && words[be].any(&["is", "are"]) && plain().count() <= LONGEST;
    goes_on.then(|| sentence.start + who..sentence.start + plain().last().unwrap_or(who) + 1)
}

/// `docs are exempt`, `bots don't need to`, `hotfixes may skip it`, in brackets behind a rule.
pub(crate) fn waives(words: &[Word]) -> bool {
    const EXEMPT: &[&str] = &["exempt", "exempted", "excepted", "excluded", "excused", "optional"];
    words.iter().any(|word| word.any(EXEMPT)) || waiver(words).is_some()
}

/// How a clause lets its subject off.
enum Waiver {
    /// `hotfixes may skip it`
    Skips,
    /// `docs don't need one`; the place of its verb.
    Lacks(usize),
}

fn waiver(words: &[Word]) -> Option<Waiver> {
    const LONGEST_SUBJECT: usize = 6;
    const MODALS: &[&str] = &["may", "can", "don't", "doesn't", "do", "does", "need", "needn't", "are", "is"];
    const OWN: &[&str] =
        &["it", "they", "this", "that", "these", "you", "we", "i", "no", "nobody", "none", "not"];
    let verb =
        words.iter().take(LONGEST_SUBJECT + 1).position(|word| word.any(MODALS)).filter(|&at| at > 0)?;
    let subject = &words[..verb];
    if subject.iter().any(|word| word.kind == WordKind::Mark || word.any(OWN)) {
        return None;
    }
    let end = words.iter().rposition(|word| word.kind != WordKind::Mark)? + 1;
    let rest = &words[verb..end];
    let denied = usize::from(rest.get(1).is_some_and(|word| word.is("not")));
    let tail = &rest[1 + denied..];
    match &rest[0] {
        may if may.any(&["may", "can"]) => (denied == 0 && skips(tail)).then_some(Waiver::Skips),
        be if be.any(&["are", "is"]) => {
            let fine = matches!(tail, [fine, without, ..] if fine.any(&["fine", "ok", "okay"]) && without.is("without"));
            (denied == 0 && fine && tail.len() <= 3).then_some(Waiver::Lacks(verb))
        }
        need if need.is("needn't") || need.is("need") && denied > 0 => {
            lacks(tail).then_some(Waiver::Lacks(verb))
        }
        doing => {
            let negated = denied > 0 || doing.any(&["don't", "doesn't"]);
            (negated && lacks(tail)).then_some(Waiver::Lacks(verb))
        }
    }
}

/// `skip it`, `bypass this`, `opt out`.
fn skips(tail: &[Word]) -> bool {
    const SKIPPING: &[&str] = &["skip", "bypass", "omit", "ignore", "waive", "forgo"];
    match tail {
        [opt, out] => opt.is("opt") && out.is("out") || opt.any(SKIPPING) && points_back(out),
        [opt, out, of, it] => opt.is("opt") && out.is("out") && of.is("of") && points_back(it),
        [skip, the, _] => skip.any(SKIPPING) && the.any(&["this", "that"]),
        _ => false,
    }
}

/// What is left of `don't`, `don't need to`, `don't have to`, `don't need one`, `needn't be`, `does not apply` behind its negation.
fn lacks(tail: &[Word]) -> bool {
    match tail {
        [] => true,
        [only] => only.any(&["be", "have", "do"]) || points_back(only),
        [need, what] => {
            need.any(&["need", "require", "have", "want"])
                && (what.any(&["to", "one", "any"]) || points_back(what))
                || need.any(&["do", "be", "have"]) && points_back(what)
        }
        [need, to, verb] => need.any(&["need", "have"]) && to.is("to") && verb.any(&["be", "do", "have"]),
        _ => false,
    }
}

fn points_back(word: &Word) -> bool {
    word.any(&["it", "this", "that", "them", "these", "one", "so"])
}

/// `Do not use X; in containers it is fine`: what is allowed is what was forbidden.
pub(crate) fn excepts_before(prose: &Prose<'_>, before: &Clause, clause: &Clause) -> bool {
    let words = &prose.words[clause.words.clone()];
    let refers = words.windows(2).any(|pair| {
        pair[0].any(&["it", "this", "that", "they"]) && pair[1].any(&["is", "are", "may"])
            || pair[0].any(&["it's", "that's", "they're"])
    });
    refers && before.mood.forbids()
}

/// `One is enough for docs.` behind what asks for more.
pub(crate) fn suffices(words: &[Word]) -> bool {
    let [number, be, enough, wherever, _, ..] = words else { return false };
    number.any(&["one", "two", "three", "none"])
        && be.any(&["is", "are"])
        && enough.any(&["enough", "sufficient"])
        && wherever.any(&["for", "in", "on", "if", "when"])
}

/// `…, but may in summer`: where what is forbidden may be.
pub(crate) fn may_there(words: &[Word], clause: &Range<usize>) -> Option<Range<usize>> {
    let start = clause.clone().find(|&at| words[at].kind != WordKind::Mark && !words[at].is("but"))?;
    let end = clause.clone().rev().find(|&at| words[at].kind != WordKind::Mark)? + 1;
    let may = words[start].any(&["may", "can"]);
    let there =
        words.get(start + 1)?.any(&["in", "on", "during", "for", "under", "if", "when", "with", "at"]);
    (start > clause.start && may && there && end > start + 2).then_some(start + 1..end)
}

/// `No key, no crew required`: what nobody has to have.
pub(crate) fn needs_nothing(words: &[Word]) -> bool {
    let mut plain = words.iter().rev().filter(|word| word.kind != WordKind::Mark);
    let needed = plain.next().is_some_and(|last| last.any(&["required", "needed", "necessary"]));
    let parts = words.split(|word| word.mark(",") || word.mark("."));
    let mut named = parts.filter(|part| part.iter().any(|word| word.kind != WordKind::Mark)).peekable();
    needed && named.peek().is_some() && named.all(|part| part[0].is("no") && part.len() <= 6)
}

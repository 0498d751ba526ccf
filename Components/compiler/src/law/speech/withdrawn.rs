//! What a permission is set against in one sentence: `GET is allowed — DELETE is not`, `Mates may sign, guests may not`,
//! `Allow reads; block writes`.

use std::ops::Range;

use mentci_authority::{Force, Level};

use super::clause::Clause;
use super::lexicon::{is_nounish, is_verb};
use super::mood::{IMPERATIVE, MAY, MUST_NOT, Mood};
use super::prose::Prose;
use super::word::{Word, WordKind};

/// More words than these do not only name who or what is left out.
const LONGEST: usize = 5;

/// Verbs that permit, and those that take a permission away.
const PERMITTING: &[&str] = &["allow", "permit", "approve", "accept"];
const WITHDRAWING: &[&str] = &["deny", "block", "forbid", "reject", "refuse", "prohibit", "disallow"];

/// What a half that is set against a permission, or against an order to permit, comes to. `Guests may board` is a permission where it is set
/// against what others may not.
pub(crate) fn withdrawn(words: &[Word], last: Option<&mut Clause>, part: &Range<usize>) -> Option<Mood> {
    let last = last.filter(|last| last.words.end == part.start)?;
    let turns = words[part.start - 1].kind == WordKind::Mark || words[part.start].any(&["but", "while"]);
    let first = words[part.clone()].iter().find(|word| word.kind != WordKind::Mark && !word.is("but"))?;
    let permits = words[last.words.start].any(PERMITTING) && matches!(last.mood, Mood::Order(..));
    if turns && permits && first.any(WITHDRAWING) {
        return Some(IMPERATIVE);
    }
    if turns
        && may_not_itself(&words[part.clone()])
        && words[last.words.clone()].iter().take(LONGEST).any(|word| word.is("may"))
    {
        if matches!(last.mood, Mood::Statement | Mood::Fragment) {
            last.mood = MAY;
        }
        return Some(MUST_NOT);
    }
    let (_, verb) = denial(&words[part.clone()]).filter(|_| turns)?;
    let may = words[part.start + verb].is("may")
        && words[last.words.clone()].iter().take(LONGEST).any(|word| word.is("may"));
    if may && matches!(last.mood, Mood::Statement | Mood::Fragment) {
        last.mood = MAY;
    }
    matches!(last.mood, Mood::Order(Level::May, _)).then_some(MUST_NOT)
}

/// `but they may not board`, of a half whose first says what they may.
fn may_not_itself(half: &[Word]) -> bool {
    let mut plain =
        half.iter().filter(|word| word.kind != WordKind::Mark).skip_while(|word| word.any(&["but", "while"]));
    plain.next().is_some_and(|who| who.any(&["it", "they"]))
        && plain.next().is_some_and(|may| may.is("may"))
        && plain.next().is_some_and(|not| not.any(&["not", "never"]))
        && plain.next().is_some_and(|act| !act.any(&["be", "have", "exist", "know", "need"]))
}

/// `You may push but not merge`, `You may edit charts, but never the log`: what is permitted, and what not, of one permission.
pub(crate) fn all_but(prose: &Prose<'_>, clause: &Range<usize>) -> Option<(Range<usize>, String)> {
    let words = &prose.words;
    let inside = |at: &usize| words[*at].depth == 0;
    let may = clause.clone().filter(inside).take(LONGEST).find(|&at| words[at].any(&["may", "can"]))?;
    let but = (may + 2..clause.end)
        .filter(inside)
        .find(|&at| words[at].is("but") && words.get(at + 1).is_some_and(|not| not.any(&["not", "never"])))?;
    let end = clause.clone().rev().find(|&at| words[at].kind != WordKind::Mark)? + 1;
    let rest = but + 2..end;
    let verb = words.get(may + 1).filter(|verb| verb.kind == WordKind::Plain)?;
    let first = words.get(rest.start).filter(|_| !rest.is_empty())?;
    // `You may land, but not if it storms` has a case, and no other deed.
    if first.any(&["if", "when", "unless", "without", "before", "after", "until", "while", "because", "only"])
    {
        return None;
    }
    let mut head = clause.start..but;
    while words[head.end - 1].kind == WordKind::Mark {
        head.end -= 1;
    }
    let acts = first.kind == WordKind::Plain && is_verb(&first.lower) && !is_nounish(&first.lower)
        || rest.len() == 1 && (is_verb(&first.lower) || head.end == may + 2);
    let placed = first
        .any(&["in", "on", "at", "to", "from", "into", "by", "with", "for", "during", "outside", "inside"]);
    let deed = match (acts, placed) {
        (true, _) => String::new(),
        (false, true) => format!("{} ", prose.condensed(may + 1..head.end)),
        (false, false) => format!("{} ", verb.lower.as_str()),
    };
    let who = prose.condensed(clause.start..may);
    // `All charts may be folded, but not the log`.
    if verb.is("be") {
        if acts || placed {
            return None;
        }
        let done = prose.condensed(may..head.end);
        let (modal, done) = done.split_once(' ')?;
        let text = format!("{} {modal} not {done}", prose.condensed(rest));
        return Some((head, text));
    }
    Some((head, format!("{who} {} not {deed}{}", words[may].lower.as_str(), prose.condensed(rest))))
}

/// Whether behind the comma at `at - 1` such a half stands, and the whole of it: `…, root shells are not`.
pub(crate) fn turns_to_denial(words: &[Word], at: usize, end: usize) -> bool {
    words[at - 1].mark(",") && words[at].depth == 0 && denial(&words[at..end]).is_some()
}

/// `DELETE is not`, `guests may not`, `but writing isn't`: the place of its first word and that of its verb, where nothing stands behind the
/// negation.
fn denial(words: &[Word]) -> Option<(usize, usize)> {
    const DENIED: &[&str] = &["isn't", "aren't", "cannot", "can't", "mustn't"];
    const OPEN: &[&str] = &["is", "are", "may", "can", "must"];
    let start = words
        .iter()
        .position(|word| word.kind != WordKind::Mark && !word.any(&["but", "while", "and", "however"]))?;
    let end = words.iter().rposition(|word| word.kind != WordKind::Mark)?;
    let verb = if words[end].any(DENIED) { end } else { end.checked_sub(1)? };
    let denied = verb == end || words[verb].any(OPEN) && words[end].is("not");
    let subject = words.get(start..verb)?;
    // `quizzing the crew through a tree of choices is not` names an act.
    let acts = subject.first().is_some_and(|first| first.lower.len() > 5 && first.lower.ends_with("ing"));
    let names = (1..=if acts { 3 * LONGEST } else { LONGEST }).contains(&subject.len())
        && !subject.iter().any(|word| word.kind == WordKind::Mark)
        && !subject[0].any(&["it", "they", "this", "that", "you", "if", "when", "others", "some"]);
    (denied && names).then_some((start, verb))
}

/// Of the half that only denies, with what the permission says in front: `DELETE is not allowed`, `guests may not sign`.
pub(crate) fn whole_denial(prose: &Prose<'_>, found: &[Clause], at: usize) -> Option<String> {
    let last =
        found.get(at.checked_sub(1)?).filter(|last| matches!(last.mood, Mood::Order(Level::May, _)))?;
    let clause = found[at].words.clone();
    let words = &prose.words[clause.clone()];
    if may_not_itself(words) {
        let verb = |clause: &Range<usize>| clause.clone().find(|&at| prose.words[at].is("may"));
        let (own, may) = (verb(&clause)?, verb(&last.words)?);
        let who = prose.condensed(last.words.start..may);
        return Some(format!("{who} {}", prose.condensed(own..clause.end).trim_end_matches('.')));
    }
    let (start, _) =
        denial(words).filter(|_| found[at].mood == Mood::Order(Level::MustNot, Force::Explicit))?;
    // `If the branch is merged, you may delete it`: what is permitted stands behind its case.
    let permits = last.condition.as_ref().map_or(last.words.start, |case| case.end)..last.words.end;
    let verb = permits.clone().find(|&at| prose.words[at].any(&["is", "are", "may", "can"]))?;
    let rest = verb + 1..last.words.end;
    let said = prose.condensed(rest);
    let own = prose.condensed(clause.start + start..clause.end);
    (!said.is_empty())
        .then(|| format!("{} {}", own.trim_end_matches('.'), said.trim_end_matches([',', ';', '—', ' '])))
}

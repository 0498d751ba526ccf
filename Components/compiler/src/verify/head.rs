//! How a line begins: what only repeats its level goes.

use mentci_authority::Level;

use super::RefusalReason as Reason;
use super::leading::is_end;
use super::piece::{Kind, Piece};
use super::words::{CLAUSES, OPENERS, PARTICLES, decides};
use crate::law::{is_finite, is_nounish, is_verb};

/// Prohibitions at the start of a clause, which are equally strong where the level is must-not.
const FORBIDS: &[&[&str]] = &[
    &["must", "not", "ever"],
    &["do", "not", "ever"],
    &["must", "never", "ever"],
    &["must", "never"],
    &["never", "ever"],
    &["must", "not"],
    &["do", "not"],
    &["never"],
    &["it", "is", "forbidden", "to"],
    &["it", "is", "prohibited", "to"],
];
/// In front of these `not` and `never` differ: who does not always retry retries at times.
const OFTEN: &[&str] = &[
    "always",
    "usually",
    "often",
    "sometimes",
    "generally",
    "typically",
    "normally",
    "regularly",
    "necessarily",
    "only",
];
/// Behind these `do not` speaks of now, and `never` of always: `do not merge yet`.
const NOW: &[&str] =
    &["yet", "now", "currently", "today", "tonight", "tomorrow", "temporarily", "anymore", "longer"];
/// What who is told `you` must not do, which is as strong where the level is must-not: `you cannot skip hooks`. Who is told that a thing
/// `cannot` do something is told a fact.
const FORBIDS_YOU: &[&[&str]] = &[&["may", "not"], &["cannot"]];
/// Commands at the start of a line, which say no more than its imperative where the level is must.
const COMMANDS: &[&[&str]] = &[
    &["must", "always", "ensure", "to"],
    &["ensure", "to", "always"],
    &["ensure", "you", "always"],
    &["ensure", "you"],
    &["it", "is", "required", "to"],
    &["it", "is", "mandatory", "to"],
    &["it", "is", "necessary", "to"],
    &["do", "not", "forget", "to"],
    &["never", "forget", "to"],
    &["must", "not", "forget", "to"],
    &["take", "care", "to"],
    &["always", "remember", "to"],
    &["must", "remember", "to"],
    &["remember", "to"],
    &["need", "to"],
    &["have", "to"],
    &["must", "ensure", "to"],
    &["always", "ensure", "to"],
    &["ensure", "to"],
    &["be", "sure", "to"],
    &["must", "always"],
    &["must"],
    &["always"],
];
/// In front of these `you` says nothing.
const AFTER_YOU: &[&str] = &["must", "should", "may", "can", "cannot", "never", "always", "need", "have"];
/// Advice in one way where the level is should: every rule holds always.
const ADVICE: &[(&[&str], &[&str])] = &[(&["should", "always"], &["should"])];

/// Takes off what only repeats the level, at the start of the line and behind the condition in front of it.
pub(super) fn unify(pieces: &[Piece], level: Option<Level>) -> Vec<Piece> {
    let opens = pieces.first().is_some_and(|first| first.any(OPENERS));
    let colon = pieces.iter().position(is_end).filter(|_| opens);
    let start = colon.map_or(0, |at| at + 1);
    let (front, head) = pieces.split_at(start);
    let head = without_note(head);
    let is_told = without_you(head).len() < head.len();
    let head = clause(without_you(head), level, is_told);
    front.iter().cloned().chain(head).collect()
}

/// In front of what binds by a word of its own these say nothing.
const NOTES: &[&[&str]] = &[
    &["note", "that"],
    &["be", "aware", "that"],
    &["keep", "in", "mind", "that"],
    &["bear", "in", "mind", "that"],
    &["remember", "that"],
];

/// `Note that tests must pass` is `tests must pass`; `note that tests are slow` stays an order to note it.
fn without_note(head: &[Piece]) -> &[Piece] {
    let words = NOTES.iter().find(|words| stands(head, words)).map_or(0, |words| words.len());
    let rest = &head[words..];
    if main_clause(rest).any(|piece| piece.any(&["must", "should"])) { rest } else { head }
}

fn without_you(head: &[Piece]) -> &[Piece] {
    match head {
        [you, next, ..] if you.is("you") && next.any(AFTER_YOU) => &head[1..],
        _ => head,
    }
}

/// `is_told`: `you` stood in front.
fn clause(head: &[Piece], level: Option<Level>, is_told: bool) -> Vec<Piece> {
    match level {
        Some(Level::MustNot) => forbidden(head, is_told),
        Some(Level::Must) => commanded(head).to_vec(),
        Some(Level::Should) => advised(head),
        _ => head.to_vec(),
    }
}

/// `Should always run` is `should run`.
fn advised(head: &[Piece]) -> Vec<Piece> {
    let Some((words, read)) = ADVICE.iter().find(|(words, _)| stands(head, words)) else {
        return head.to_vec();
    };
    read.iter().map(|word| Piece::word(word)).chain(head[words.len()..].iter().cloned()).collect()
}

/// `Do not`, `never` and `must not` are one; `no X` is `never use X`.
fn forbidden(head: &[Piece], is_told: bool) -> Vec<Piece> {
    let is_time =
        |pair: &[Piece]| pair[0].any(&["this", "right"]) && pair[1].any(&["time", "moment", "round", "away"]);
    let is_now = head.iter().any(|piece| piece.any(NOW)) || head.windows(2).any(is_time);
    let yours = FORBIDS_YOU.iter().filter(|words| is_told && forbids_deed(head, words));
    let said: Option<(&[&str], &[&str])> = FORBIDS
        .iter()
        .chain(yours)
        .find(|words| {
            stands(head, words) && !head[words.len()].any(OFTEN) && (!is_now || words.contains(&"never"))
        })
        .map(|words| (*words, ["not!"].as_slice()))
        .or_else(|| adds_none(head).then_some((["no"].as_slice(), ["not!", "add"].as_slice())))
        .or_else(|| says_no(head).then_some((["no"].as_slice(), ["not!", "use"].as_slice())));
    let Some((words, read)) = said else { return head.to_vec() };
    let deed = without_ever(&head[words.len()..]);
    read.iter().map(|word| Piece::word(word)).chain(deed.iter().cloned()).collect()
}

/// Nobody does these to what is `under any circumstances` so.
const DONE: &[&str] = &[
    "commit",
    "delete",
    "disable",
    "edit",
    "install",
    "merge",
    "move",
    "overwrite",
    "publish",
    "push",
    "rebase",
    "remove",
    "rename",
    "replace",
    "reset",
    "send",
    "share",
    "skip",
    "wipe",
];

/// `Never push to main under any circumstances`: what is forbidden always is so, unless the circumstances belong to something else (`do not
/// assume it works under any circumstances`).
fn without_ever(deed: &[Piece]) -> &[Piece] {
    let Some((front, [under, any, circumstances])) = deed.split_last_chunk::<3>() else { return deed };
    let is_ever = under.is("under") && any.is("any") && circumstances.any(&["circumstances", "circumstance"]);
    let is_plain = |piece: &Piece| {
        let stands = matches!(decides(&piece.text), None | Some(Reason::Connective | Reason::Quantifier));
        stands && piece.kind != Kind::Mark && !piece.any(CLAUSES) && !piece.any(&["and", "or", "and/or"])
    };
    let is_done = front.first().is_some_and(|verb| verb.any(DONE)) && front.len() < 7;
    let tells = front.iter().any(|piece| piece.kind == Kind::Word && is_finite(&piece.text));
    if is_ever && is_done && !tells && front.iter().all(is_plain) { front } else { deed }
}

/// What follows is something that somebody does: `you may not push`, and neither `you may not need it` nor `you cannot know`.
fn forbids_deed(head: &[Piece], words: &[&str]) -> bool {
    let deed = head.get(words.len()).filter(|deed| deed.kind == Kind::Word);
    deed.is_some_and(|deed| is_verb(&deed.text) && decides(&deed.text).is_none() && !deed.any(NO_DEEDS))
}

/// Nobody does these because he wants to.
const NO_DEEDS: &[&str] = &[
    "be", "have", "know", "want", "see", "find", "get", "rely", "trust", "expect", "assume", "undo", "fail",
    "lose",
];

/// `No mocks in tests`: things and nothing that tells of them. `No crate may …` tells, and `no mocks or skip …` orders.
fn says_no(head: &[Piece]) -> bool {
    let tells = |piece: &Piece| {
        piece.any(&[
            "may", "must", "can", "should", "is", "are", "has", "have", "will", "shall", "but", "one",
            "more", "longer",
        ])
    };
    let parts = |piece: &Piece| piece.kind == Kind::Mark || piece.any(&["and", "nor", "and/or"]);
    // `Use up` is another verb than `use`, and `no only mocks` is nothing.
    let is_thing = |piece: Option<&Piece>| {
        piece.is_some_and(|piece| {
            piece.kind != Kind::Word || (decides(&piece.text).is_none() && !piece.any(PARTICLES))
        })
    };
    let choices = head.windows(2).filter(|pair| pair[0].is("or"));
    let mut others = choices.map(|pair| &pair[1]);
    let are_things =
        others.all(|other| is_thing(Some(other)) && !(other.kind == Kind::Word && is_verb(&other.text)));
    head.first().is_some_and(|no| no.is("no"))
        && is_thing(head.get(1))
        && are_things
        && !head.iter().any(|piece| tells(piece) || parts(piece))
}

/// `No new dependencies without approval`: what is not there yet is added. Behind `to` and its kin another deed may be meant.
fn adds_none(head: &[Piece]) -> bool {
    let goes_on = ["to", "into", "onto", "from", "by", "with", "for"];
    let thing = head.get(2).filter(|thing| thing.kind == Kind::Word && decides(&thing.text).is_none());
    says_no(head) && head[1].is("new") && thing.is_some() && !head.iter().any(|piece| piece.any(&goes_on))
}

/// Up to the first clause of its own.
fn main_clause(pieces: &[Piece]) -> impl Iterator<Item = &Piece> {
    pieces.iter().take_while(|piece| !piece.any(CLAUSES))
}

/// Behind these verbs a sentence may stand without `that`.
const CHECKING: &[&str] = &["check", "verify", "confirm", "ensure", "see", "assume", "test", "note"];

fn commanded(head: &[Piece]) -> &[Piece] {
    let words = COMMANDS.iter().find(|words| stands(head, words)).copied().unwrap_or_default();
    let rest = &head[words.len()..];
    let is_bare = |words: &[&str]| words == ["always"];
    // What is left must still be an order: `must not`, `must be` and a bare `always` are not taken apart.
    // Without `always`, `prefer` would only advise.
    let weakens = |first: &Piece| {
        matches!(decides(&first.text), Some(Reason::Polarity | Reason::Level)) && !first.is("ensure")
    };
    // `Always encrypted disks must be wiped` tells of disks that always are; `always check the port is free` orders.
    let binds = |piece: &Piece| piece.any(&["must", "should", "may", "can", "will", "cannot"]);
    let tells = |piece: &Piece| piece.any(&["is", "are", "was", "were", "has", "have"]);
    let has_subject = |first: &Piece| {
        main_clause(rest).any(binds) || (!first.any(CHECKING) && main_clause(rest).any(tells))
    };
    let is_choice = words.contains(&"forget") && rest.iter().any(|piece| piece.any(CHOICES));
    let is_order = rest.first().is_some_and(|first| {
        first.kind == Kind::Word
            && !first.any(&["be", "have", "had", "are", "were", "got", "only", "as", "too"])
            && !weakens(first)
            && orders_alone(words, first)
            && !is_choice
            && !has_subject(first)
            && !(is_bare(words) && (is_state(first) || has_doer(first, rest)))
    });
    if is_order { rest } else { head }
}

/// Who must not forget to do one thing or another must do both.
const CHOICES: &[&str] = &["or", "and/or", "nor", "any", "either", "neither"];

/// Whether this is the deed: `make sure you close it`. What joins, parts or counts belongs to who is told (`make sure you and QA sign`, `you
/// alone sign`), and behind `ensure you` so does every word that is no verb (`you owners sign`).
fn orders_alone(words: &[&str], first: &Piece) -> bool {
    let may_stand = match decides(&first.text) {
        Some(Reason::Connective | Reason::Exception | Reason::Condition) => false,
        Some(Reason::Quantifier) => first.any(&["also", "always", "own"]),
        _ => true,
    };
    let is_told = words.contains(&"you") && !words.contains(&"always");
    words.is_empty() || (may_stand && (!is_told || is_verb(&first.text) || decides(&first.text).is_some()))
}

/// Whether somebody does something in it: in `always open tickets get a label` the tickets always are open.
fn has_doer(first: &Piece, rest: &[Piece]) -> bool {
    let is_plain = |piece: &Piece| piece.kind == Kind::Word && decides(&piece.text).is_none();
    let does = |pair: &[Piece]| is_plain(&pair[0]) && is_verb(&pair[1].text) && !is_nounish(&pair[1].text);
    let clause: Vec<Piece> = main_clause(rest).skip(1).cloned().collect();
    !first.any(CHECKING) && !first.any(&["let", "make", "help"]) && clause.windows(2).any(does)
}

/// `Failing`, `encrypted`: what may tell of a thing that `always` is so, `always running jobs need a lease`.
fn is_state(piece: &Piece) -> bool {
    !is_verb(&piece.text) && (piece.text.ends_with("ing") || piece.text.ends_with("ed"))
}

fn stands(pieces: &[Piece], words: &[&str]) -> bool {
    pieces.len() > words.len() && words.iter().zip(pieces).all(|(word, piece)| piece.is(word))
}

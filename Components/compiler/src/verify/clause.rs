//! Clauses that a word or two say: `files that are larger than 5 MB` are `files larger than 5 MB`, `once it has been merged` is `once
//! merged`.
//!
//! INVARIANT (one reading): a clause goes only where what stays can belong to nothing else. `Keep functions shorter than 20 lines` makes
//! them so, `report errors during the night` tells when to report, and `delete branches once it is merged` speaks of another thing.

use super::RefusalReason as Reason;
use super::actor::acts;
use super::leading::is_end;
use super::measure::is_number;
use super::piece::{Kind, Piece};
use super::reader;
use super::reword::ordered;
use super::words::{CLAUSES, OPENERS, decides};
use crate::law::{is_finite, is_nounish, is_verb};

/// Takes off what only joins a clause to what it tells of.
pub(super) fn unify(pieces: &[Piece]) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    let mut at = 0;
    while at < pieces.len() {
        let gone = joint(&out, &pieces[at..]);
        if gone == 0 {
            out.push(pieces[at].clone());
        }
        at += gone.max(1);
    }
    out
}

/// How many pieces of `rest` say nothing behind `before`.
fn joint(before: &[Piece], rest: &[Piece]) -> usize {
    if tells_size(before, rest) || tells_event(before, rest) || tells_none(before, rest) {
        2
    } else {
        tells_it(before, rest)
    }
}

/// Who does these to a thing makes it neither larger nor smaller.
const LEAVES: &[&str] = &[
    "commit", "delete", "remove", "erase", "purge", "upload", "push", "archive", "review", "reject",
    "ignore", "skip", "send", "download", "import", "attach", "log", "report", "flag", "open", "read",
];

/// `That are` of `files that are larger than 5 MB`: behind a thing that is only told by it, and nothing else follows.
fn tells_size(before: &[Piece], rest: &[Piece]) -> bool {
    let [that, is, sign, number, unit, behind @ ..] = rest else { return false };
    let is_size = that.any(&["that", "which"])
        && is.any(&["is", "are"])
        && sign.kind == Kind::Number
        && [">", "<", "≥", "≤"].contains(&sign.text.as_str())
        && is_number(number)
        && (unit.kind == Kind::Number || is_plain(unit));
    let next = behind.first();
    let ends = next.is_none_or(|next| match next.kind {
        Kind::Mark => !next.is_mark(","),
        _ => binds_whole(next) || next.any(&["to", "into", "from"]),
    });
    let is_object = || ends && ordered(before).is_some_and(|verb| verb.any(LEAVES));
    let is_subject = || next.is_some_and(is_level) && is_whole_subject(before);
    is_size && (is_object() || is_subject())
}

/// Who does these to what happens does them when it happens.
const AT_ONCE: &[&str] = &["log", "catch", "trap", "trace"];
const HAPPENS: &[&str] = &["occur", "occurs", "happen", "happens"];

/// `That occurs` of `log each error that occurs during startup`, where what is done is done at once, and where it is a subject.
fn tells_event(before: &[Piece], rest: &[Piece]) -> bool {
    let [that, occurs, during, behind @ ..] = rest else { return false };
    let is_event = that.any(&["that", "which"]) && occurs.any(HAPPENS) && during.is("during");
    let time = behind.iter().take_while(|piece| is_plain(piece)).count();
    let ends = (1..=3).contains(&time) && behind.get(time).is_none_or(|next| next.is_mark(";"));
    let is_level_behind = (1..=3).contains(&time) && behind.get(time).is_some_and(is_level);
    let is_done = || ends && ordered(before).is_some_and(|verb| verb.any(AT_ONCE));
    is_event && (is_done() || (is_level_behind && is_whole_subject(before)))
}

/// `There are` of `if there are no warnings`, where nothing tells of the things.
fn tells_none(before: &[Piece], rest: &[Piece]) -> bool {
    let [there, are, no, things @ ..] = rest else { return false };
    let opens = ["if", "when", "while", "until", "unless", "once"];
    let is_none = there.is("there") && are.any(&["is", "are"]) && no.is("no");
    let plain = things.iter().take_while(|piece| is_plain(piece) && !piece.any(AROUND)).count();
    let tells = |piece: &Piece| {
        let text = piece.text.as_str();
        let stems = [text.strip_suffix("es"), text.strip_suffix('s'), Some(text)].into_iter().flatten();
        is_finite(text)
            || stems.into_iter().any(|word| is_verb(word) && !is_nounish(word))
            || piece.any(&["it", "they", "you", "we", "this", "these"])
    };
    let ends = things
        .get(plain)
        .is_none_or(|next| is_end(next) || next.is_mark(",") || next.is_mark(";") || next.any(AROUND));
    is_none
        && before.last().is_some_and(|last| last.any(&opens))
        && (1..=3).contains(&plain)
        && !things[..plain].iter().any(tells)
        && ends
}

/// What tells where something is.
const AROUND: &[&str] = &["in", "on", "at", "left"];

/// `It has been` of `delete the branch once it has been merged`: one thing that is handled, and what is done to it ends the line.
fn tells_it(before: &[Piece], rest: &[Piece]) -> usize {
    let Some((opener, front)) = before.split_last() else { return 0 };
    let (words, is_one) = match rest {
        [it, has, been, _] if it.is("it") && has.is("has") && been.is("been") => (3, true),
        [they, have, been, _] if they.is("they") && have.is("have") && been.is("been") => (3, false),
        [it, is, _] if it.is("it") && is.is("is") => (2, true),
        [they, are, _] if they.is("they") && are.is("are") => (2, false),
        _ => return 0,
    };
    let done = &rest[words];
    let is_over = is_plain(done) && ((done.text.len() > 4 && done.text.ends_with("ed")) || done.is("built"));
    let is_many = |thing: &Piece| thing.text.ends_with('s') && !thing.text.ends_with("ss");
    let agrees = front.last().is_some_and(|thing| is_plain(thing) && is_many(thing) != is_one);
    let is_handled = front.len() > 1 && reader::ordered(front).is_some() && !front.iter().any(acts);
    let is_alone = !front.iter().any(|piece| piece.kind == Kind::Mark);
    let opens = opener.any(&["once", "when", "until", "unless", "if"]);
    if opens && is_over && agrees && is_handled && is_alone { words } else { 0 }
}

fn is_plain(piece: &Piece) -> bool {
    piece.kind == Kind::Word && decides(&piece.text).is_none() && !piece.any(CLAUSES)
}

fn is_level(piece: &Piece) -> bool {
    piece.any(&["must", "should"])
}

/// What stands behind a thing and binds the whole sentence.
fn binds_whole(piece: &Piece) -> bool {
    let reason = if piece.kind == Kind::Word { decides(&piece.text) } else { None };
    matches!(reason, Some(Reason::Exception | Reason::Condition | Reason::Order))
}

/// `Functions`, `each new file`: the subject of a sentence and nothing else in front of it.
fn is_whole_subject(before: &[Piece]) -> bool {
    let counts = before.iter().take_while(|piece| piece.any(&["all", "each", "every", "any"])).count();
    let thing = &before[counts..];
    let orders = thing.len() > 1 && thing.first().is_some_and(|first| is_verb(&first.text));
    let opens = thing.first().is_some_and(|first| first.any(OPENERS));
    counts < 2 && (1..=3).contains(&thing.len()) && thing.iter().all(is_plain) && !orders && !opens
}

#[cfg(test)]
mod tests {
    use super::super::measure::measure;
    use super::super::phrases;
    use super::super::piece::split;
    use super::*;

    #[test]
    fn a_clause_goes_where_nothing_else_can_be_meant() {
        for (words, read) in [
            ("never commit files that are larger than 5 MB", "never commit files > 5 MB"),
            ("keep files that are larger than 5 MB", "keep files that are > 5 MB"),
            ("delete files that are larger than 5 MB, old", "delete files that are > 5 MB , old"),
            ("functions that are longer than 20 lines must split", "functions > 20 lines must split"),
            ("log each error that occurs during startup", "log each error during startup"),
            ("report errors that occur during startup", "report errors that occur during startup"),
            ("delete branch as soon as it has been merged", "delete branch once merged"),
            ("delete branches once it has been merged", "delete branches once it has been merged"),
            ("ask marketing when it is finished", "ask marketing when it is finished"),
            ("keep log when it is finished", "keep log when it is finished"),
            ("merge if there are no warnings", "merge if no warnings"),
            ("merge if there are no warnings in build", "merge if no warnings in build"),
            ("if there are no tests stop", "if there are no tests stop"),
            ("say there are no warnings", "say there are no warnings"),
        ] {
            let said = unify(&measure(&phrases::unify(&split(words, &[]))));
            let said: Vec<String> = said.into_iter().map(|piece| piece.text).collect();
            assert_eq!(said.join(" "), read);
        }
    }
}

//! Ways to say the same thing in other words that no table of phrases can hold.

use super::RefusalReason as Reason;
use super::actor::acts;
use super::piece::{Kind, Piece};
use super::words::decides;
use crate::law::{is_nounish, is_verb};

/// `Bugs that are fixed` are `bugs fixed`, and `both tests and docs` are `tests and docs` where nothing is negated.
pub(super) fn unify(pieces: &[Piece]) -> Vec<Piece> {
    let negates = pieces.iter().any(|piece| {
        piece.kind != Kind::Mark
            && matches!(
                decides(&piece.text.to_lowercase()),
                Some(Reason::Polarity | Reason::Exception | Reason::Condition)
            )
    });
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    let mut at = 0;
    while at < pieces.len() {
        if tells_which(&pieces[at..], &out) {
            at += 2;
        } else if tells_whose(&pieces[at..], &out)
            || is_none_of(&out, &pieces[at..])
            || is_all_of(&out, &pieces[at..])
            || (!negates && joins_two(&pieces[at..]))
        {
            at += 1;
        } else {
            out.push(pieces[at].clone());
            at += 1;
        }
    }
    out
}

/// `Never use any mocks` forbids what `never use mocks` forbids: `any` behind what is negated, and in front of things. One thing without
/// an article may be a certain one: `never delete any branch` stays.
fn is_none_of(before: &[Piece], pieces: &[Piece]) -> bool {
    let ([any, things @ ..], [.., not, deed]) = (pieces, before) else { return false };
    let is_plain = |piece: &Piece| piece.kind == Kind::Word && decides(&piece.text).is_none();
    let is_deed =
        is_plain(deed) && !deed.any(INSIDE) && !deed.text.ends_with("ly") && !deed.text.ends_with("ing");
    let things = things.iter().take_while(|piece| is_plain(piece) && !piece.any(INSIDE));
    let are_many = things.last().is_some_and(|last| last.text.ends_with('s') && !last.text.ends_with("ss"));
    any.is("any") && not.any(&["not", "never"]) && is_deed && are_many
}

/// `Remove any unused imports` removes unused imports: `any` behind an order to do away with things, or to tell of them.
fn is_all_of(before: &[Piece], pieces: &[Piece]) -> bool {
    let [any, things @ ..] = pieces else { return false };
    let told = before.iter().take_while(|piece| piece.any(&["you", "must", "always"])).count();
    let [deed] = &before[told..] else { return false };
    let is_plain =
        |piece: &&Piece| piece.kind == Kind::Word && decides(&piece.text).is_none() && !piece.any(INSIDE);
    let things: Vec<&Piece> = things.iter().take_while(is_plain).collect();
    let is_many = |piece: &&Piece| piece.text.ends_with('s') && !piece.text.ends_with("ss");
    let is_done = deed.any(ENDS) || deed.any(&["fix", "report", "log", "flag", "list", "note", "mention"]);
    any.is("any") && is_done && (1..=3).contains(&things.len()) && things.last().is_some_and(is_many)
}

/// Behind these `that` opens a sentence of its own, or is the thing itself.
const OPEN_THAT: &[&str] = &[
    "so", "says", "means", "what", "requires", "it", "this", "all", "now", "certain", "sure", "clear",
    "aware",
];
/// What is gone has no state: `delete branches merged` says which. `Keep backups encrypted` says how.
const ENDS: &[&str] = &["delete", "remove", "erase", "purge"];
/// Who does these to a thing that is `listed in` or `exported by` something leaves it as it is: behind verbs that may bring about a state
/// (`mark issues resolved by bots`) no thing is told by it.
const LEAVES: &[&str] = &["use", "call", "import", "follow", "read", "notify", "delete", "remove"];
/// Where a thing stands, and nothing that anybody could make of it just now.
const STATES: &[&str] = &["listed", "located", "defined", "documented", "described", "available"];
/// In front of what tells where.
const PLACES: &[&str] = &["in", "below", "above", "at"];

/// Whether behind this thing may stand what it is without `that is`: it is the object of the order itself, which can only mean which one,
/// or it is each of its kind (`a test for each bug fixed`). Nothing but a place or a doer follows, so that it is no subject either.
fn takes_state(thing: &[Piece], done: &Piece, rest: &[Piece]) -> bool {
    let ends = |piece: Option<&Piece>| piece.is_none_or(|piece| piece.kind == Kind::Mark);
    let (next, is_named) = (rest.first(), done.is("called"));
    let has_doer = next.is_some_and(|next| next.is("by"));
    let has_place = done.any(STATES) && next.is_some_and(|next| next.any(PLACES));
    let has_name = is_named && next.is_some_and(|next| next.kind == Kind::Literal) && ends(rest.get(1));
    // In `each bug that is fixed` the thing is one word.
    if let [.., for_, each, _] = thing
        && for_.any(&["for", "of"])
        && each.any(&["each", "every"])
    {
        return ends(next);
    }
    let Some(verb) = ordered(thing) else { return false };
    let says_where = has_doer || has_place;
    (verb.any(ENDS) && ends(next)) || (verb.any(LEAVES) && (says_where || has_name))
}

/// The verb of an order, where at most two words stand between it and its object, which ends `pieces`.
pub(super) fn ordered(pieces: &[Piece]) -> Option<&Piece> {
    let start = pieces.iter().rposition(|piece| piece.kind == Kind::Mark).map_or(0, |mark| mark + 1);
    let told = ["you", "must", "always", "never", "do", "not", "should", "may", "please"];
    let mut order = pieces[start..].iter().skip_while(|piece| piece.any(&told));
    let verb = order.next()?;
    let words: Vec<&Piece> = order.collect();
    let is_plain = |piece: &&Piece| {
        piece.any(&["all", "each", "every", "any"])
            || (piece.kind == Kind::Word && decides(&piece.text).is_none() && !piece.any(INSIDE))
    };
    ((1..=3).contains(&words.len()) && words.iter().all(is_plain)).then_some(verb)
}

/// `That is fixed`, `which are exported`, behind a thing.
fn tells_which(pieces: &[Piece], before: &[Piece]) -> bool {
    let ([that, is, done, rest @ ..], Some((thing, front))) = (pieces, before.split_last()) else {
        return false;
    };
    let is_done = done.kind == Kind::Word
        && done.text.len() > 4
        && (done.text.ends_with("ed") || done.is("available"))
        && !done.any(&["indeed", "speed", "hundred", "embed", "exceed"])
        && decides(&done.text).is_none();
    // `Agents that are asked` are not those that asked.
    let is_named = done.is("called") && rest.first().is_some_and(|name| name.kind == Kind::Literal);
    let is_suffered =
        !acts(thing) || done.any(STATES) || is_named || rest.first().is_some_and(|by| by.is("by"));
    that.any(&["that", "which"])
        && is.any(&["is", "are"])
        && is_done
        && is_suffered
        && takes_state(before, done, rest)
        && is_thing(thing, front)
}

/// What `you` do to a thing: behind these nothing is told, as it is in `tell each host that you wait`.
const YOURS: &[&str] = &[
    "make", "run", "write", "add", "change", "use", "open", "touch", "create", "edit", "delete", "push",
    "merge", "find", "fix", "rename", "call", "ship", "publish", "move", "read", "install", "import",
];

/// The `that` of `every change that you make`: behind one thing of all its kind, and in front of what you do to it.
fn tells_whose(pieces: &[Piece], before: &[Piece]) -> bool {
    let ([that, you, does, rest @ ..], [.., each, thing]) = (pieces, before) else { return false };
    let is_thing = thing.kind == Kind::Word && decides(&thing.text).is_none() && !acts(thing);
    // What you do has no other object.
    let ends = rest.first().is_none_or(|next| {
        next.kind == Kind::Mark || decides(&next.text).is_some_and(|reason| reason != Reason::Quantifier)
    });
    that.is("that")
        && you.is("you")
        && does.any(YOURS)
        && ends
        && each.any(&["each", "every"])
        && is_thing
        && !thing.any(OPEN_THAT)
}

/// Whether this is a thing, and no deed that `that` or `which` would be the object of: `ensure that is fixed`.
fn is_thing(piece: &Piece, front: &[Piece]) -> bool {
    if piece.kind != Kind::Word {
        return piece.kind == Kind::Literal;
    }
    if front.is_empty() {
        // What stands first is a deed or a subject, and the lexicon does not know all deeds: `hear that is denied`.
        return false;
    }
    let opens =
        front.last().is_none_or(|before| before.kind == Kind::Mark || decides(&before.text).is_some());
    let is_deed = is_verb(&piece.text) && (opens || !is_nounish(&piece.text));
    decides(&piece.text).is_none() && !piece.any(OPEN_THAT) && !is_deed
}

/// `both X and Y`, where X and Y are one or two words each.
fn joins_two(pieces: &[Piece]) -> bool {
    let plain = |piece: &Piece| {
        piece.kind == Kind::Literal || (piece.kind == Kind::Word && decides(&piece.text).is_none())
    };
    let and = pieces.iter().position(|piece| piece.is("and"));
    pieces[0].is("both")
        && and.is_some_and(|and| {
            (2..=3).contains(&and)
                && pieces[1..and].iter().all(plain)
                && pieces.get(and + 1).is_some_and(plain)
        })
}

/// A thing that holds one of these may end where another begins.
const INSIDE: &[&str] = &[
    "of", "in", "on", "at", "as", "per", "about", "under", "this", "that", "it", "they", "there", "you", "we",
];

//! Ways to say the same thing in other words that no table of phrases can hold.

use super::RefusalReason as Reason;
use super::piece::{Kind, Piece};
use super::words::decides;

/// `Bugs that are fixed` are `bugs fixed`, and `both tests and docs` are `tests and docs` where nothing is negated.
pub(super) fn unify(pieces: &[Piece]) -> Vec<Piece> {
    let negates = pieces.iter().any(|piece| {
        piece.kind == Kind::Word
            && matches!(decides(&piece.text), Some(Reason::Polarity | Reason::Exception | Reason::Condition))
    });
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    let mut at = 0;
    while at < pieces.len() {
        if tells_which(&pieces[at..], out.last()) {
            at += 2;
        } else if is_none_of(&out, &pieces[at..]) || (!negates && joins_two(&pieces[at..])) {
            at += 1;
        } else {
            out.push(pieces[at].clone());
            at += 1;
        }
    }
    out
}

/// `Never use any mocks` forbids what `never use mocks` forbids: `any` behind what is negated, and in front of a thing.
fn is_none_of(before: &[Piece], pieces: &[Piece]) -> bool {
    let ([any, thing, ..], [.., not, deed]) = (pieces, before) else { return false };
    let is_plain = |piece: &Piece| piece.kind == Kind::Word && decides(&piece.text).is_none();
    let is_deed =
        is_plain(deed) && !deed.any(INSIDE) && !deed.text.ends_with("ly") && !deed.text.ends_with("ing");
    let is_negated = not.any(&["not", "never"]);
    any.is("any") && is_negated && is_deed && is_plain(thing) && !thing.any(INSIDE)
}

/// Behind these `that` and `which` open a sentence of their own: `decide which is changed` tells of nothing in front.
const OPEN_THAT: &[&str] = &[
    "decide",
    "determine",
    "find",
    "explain",
    "list",
    "ask",
    "choose",
    "pick",
    "identify",
    "learn",
    "report",
    "document",
    "describe",
    "specify",
    "ensure",
    "verify",
    "check",
    "confirm",
    "so",
    "know",
    "say",
    "says",
    "means",
    "note",
    "see",
    "tell",
    "require",
    "requires",
    "show",
    "mean",
    "prove",
    "assume",
    "claim",
    "state",
];

/// `that is fixed`, `which are exported`, behind a thing.
fn tells_which(pieces: &[Piece], before: Option<&Piece>) -> bool {
    let [that, is, done, ..] = pieces else { return false };
    let is_thing = before.is_some_and(|before| match before.kind {
        Kind::Word => decides(&before.text).is_none() && !before.any(OPEN_THAT),
        Kind::Literal => true,
        _ => false,
    });
    let is_done = done.kind == Kind::Word
        && done.text.len() > 4
        && (done.text.ends_with("ed") || done.is("available"))
        && decides(&done.text).is_none();
    is_thing && that.any(&["that", "which"]) && is.any(&["is", "are"]) && is_done
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

/// `Generated files must not be edited` forbids what `never edit generated files` forbids. What *must be* done is left alone: who does
/// it, and whether it is done or found so, is open.
pub(super) fn forbids(pieces: &[Piece]) -> Vec<Vec<Piece>> {
    let Some(must) = pieces.iter().position(|piece| piece.is("must")) else { return Vec::new() };
    let (thing, rest) = pieces.split_at(must);
    let [_, not, be, done, rest @ ..] = rest else { return Vec::new() };
    let is_plain = |piece: &Piece| {
        piece.kind == Kind::Literal || (piece.kind == Kind::Word && decides(&piece.text).is_none())
    };
    let is_thing =
        (1..=3).contains(&thing.len()) && thing.iter().all(|piece| is_plain(piece) && !piece.any(INSIDE));
    // `By whom` names who must not; a mark or a second `must` opens another thought.
    let is_one = rest.iter().all(|piece| {
        piece.kind != Kind::Mark && !piece.any(&["by", "must", "not", "and", "or", "but", "that", "which"])
    });
    if !(is_thing && not.is("not") && be.is("be") && done.kind == Kind::Word && is_one) {
        return Vec::new();
    }
    let active = |verb: String| {
        let head = [Piece::word("not!"), Piece::word(&verb)];
        head.into_iter().chain(thing.iter().cloned()).chain(rest.iter().cloned()).collect()
    };
    verbs(&done.text).into_iter().map(active).collect()
}

/// A thing that holds one of these may end where another begins.
const INSIDE: &[&str] = &[
    "of", "in", "on", "at", "as", "per", "about", "under", "this", "that", "it", "they", "there", "you", "we",
];

/// What may be done so that it is `done`.
fn verbs(done: &str) -> Vec<String> {
    const ODD: &[(&str, &str)] = &[
        ("built", "build"),
        ("changed", "change"),
        ("done", "do"),
        ("given", "give"),
        ("held", "hold"),
        ("kept", "keep"),
        ("left", "leave"),
        ("made", "make"),
        ("put", "put"),
        ("read", "read"),
        ("run", "run"),
        ("sent", "send"),
        ("set", "set"),
        ("shown", "show"),
        ("taken", "take"),
        ("written", "write"),
        ("overwritten", "overwrite"),
    ];
    if let Some((_, verb)) = ODD.iter().find(|(odd, _)| *odd == done) {
        return vec![(*verb).to_owned()];
    }
    let Some(stem) = done.strip_suffix("ed").filter(|stem| stem.is_ascii() && stem.len() > 1) else {
        return Vec::new();
    };
    let doubled = stem.as_bytes()[stem.len() - 1] == stem.as_bytes()[stem.len() - 2];
    let mut verbs = vec![stem.to_owned(), format!("{stem}e")];
    verbs.extend(doubled.then(|| stem[..stem.len() - 1].to_owned()));
    verbs.extend(stem.strip_suffix('i').map(|stem| format!("{stem}y")));
    verbs
}

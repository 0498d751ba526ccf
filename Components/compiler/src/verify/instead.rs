//! `Tabs, not spaces` is `tabs instead of spaces`, where nothing in front of it turns that round.

use super::RefusalReason as Reason;
use super::piece::{Kind, Piece};
use super::words::{OPENERS, decides};

/// Behind these `instead of X` is not `, not X`. What is denied is denied both ways; who may do one thing instead of another may do both
/// (`may use tabs instead of spaces`), and `only instead of` tells when; and at the end of a clause of its own it belongs to that clause
/// or to the whole (`ask the owner who signs instead of the bot`).
const TURNING: &[&str] = &[
    "not", "never", "no", "cannot", "avoid", "without", "unless", "except", "if", "when", "while", "until",
    "before", "after", "once", "where", "because", "may", "can", "could", "might", "who", "whose", "whom",
    "that", "which", "what", "whether", "only", "just",
];

/// Who does these to one thing instead of another does not do them to the other. Who `allows`, `flags` or `considers` one instead of
/// another speaks of what somebody else may do instead.
const DOING: &[&str] = &[
    "use", "prefer", "choose", "pick", "take", "read", "write", "call", "run", "pass", "send", "store",
    "put", "keep", "copy", "build", "fix", "page", "answer", "ship", "open", "edit", "import", "return",
    "deploy", "commit", "compare", "throw", "import", "install", "load", "save", "fetch", "render", "log",
    "print", "merge", "push",
];

/// Both, as one piece: a lone `instead` is another word.
const INSTEAD: &str = "instead of";

/// Writes both in one way.
pub(super) fn unify(pieces: &[Piece]) -> Vec<Piece> {
    let pieces = &and_not(pieces);
    if !is_done(pieces) {
        return pieces.clone();
    }
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    let mut stand = Stand::before(pieces);
    let mut at = 0;
    while at < pieces.len() {
        if let Some(len) = swap(&pieces[at..]).filter(|_| at > 1 && !stand.turns) {
            out.push(Piece::word(INSTEAD));
            // The comma behind the other thing closes what the one in front of `not` opened.
            let other = closes(&pieces[at..]).then(|| pieces[at + len].clone());
            at += if other.is_some() { len + 2 } else { len };
            out.extend(other);
        } else {
            stand.pass(&pieces[at]);
            out.push(pieces[at].clone());
            at += 1;
        }
    }
    out
}

/// `, and not X` is `, not X` wherever it stands.
fn and_not(pieces: &[Piece]) -> Vec<Piece> {
    let is_and = |at: usize| {
        let next = pieces.get(at + 1).is_some_and(|next| next.is("not"));
        pieces[at].is("and") && next && at > 0 && pieces[at - 1].is_mark(",")
    };
    (0..pieces.len()).filter(|&at| !is_and(at)).map(|at| pieces[at].clone()).collect()
}

/// Whether the order is one of [`DOING`], and speaks of the use of nothing else.
fn is_done(pieces: &[Piece]) -> bool {
    let part = |swap: usize| {
        let start = pieces[..swap].iter().rposition(|piece| piece.kind == Kind::Mark);
        &pieces[start.map_or(0, |mark| mark + 1)..swap]
    };
    let Some(swap) = (0..pieces.len()).find(|&at| swap(&pieces[at..]).is_some()) else { return false };
    let level = part(swap).iter().rposition(|piece| piece.any(&["must", "should", "always"]));
    let mut order = part(swap)[level.map_or(0, |level| level + 1)..].iter();
    order.next().is_some_and(|verb| verb.any(DOING))
        && !order.any(|piece| piece.any(&["use", "usage", "choice"]))
}

/// `, not X` or `instead of X` in the last part of a line: how many pieces stand in front of X.
fn swap(pieces: &[Piece]) -> Option<usize> {
    let stands = |at: usize, word: &str| pieces.get(at).is_some_and(|piece| piece.is(word));
    let len = match &pieces[0] {
        comma if comma.is_mark(",") && stands(1, "not") => 2,
        instead if instead.is("instead") && stands(1, "of") => 2,
        _ => return None,
    };
    let behind = if closes(pieces) { &pieces[4..] } else { &pieces[1..] };
    let is_last = !behind.iter().any(|piece| piece.kind == Kind::Mark);
    let other = pieces.get(len)?;
    let is_thing = other.kind != Kind::Word
        || decides(&other.text).is_none()
        || decides(&other.text) == Some(Reason::Connective);
    (is_last && is_thing && !other.any(&["and", "or", "and/or"])).then_some(len)
}

/// `, not X, for Y`, where X is one word or name.
fn closes(pieces: &[Piece]) -> bool {
    let [comma, not, other, end, next, _, ..] = pieces else { return false };
    comma.is_mark(",") && not.is("not") && other.kind != Kind::Mark && end.is_mark(",") && next.is("for")
}

/// What stands in front of a place.
struct Stand {
    /// Something turns it round.
    turns: bool,
    /// The line begins with a condition whose end has not come yet.
    is_leading: bool,
    opens: bool,
}

impl Stand {
    fn before(pieces: &[Piece]) -> Self {
        let opens = pieces.first().is_some_and(|first| first.any(OPENERS));
        Self { turns: false, is_leading: opens, opens }
    }

    fn pass(&mut self, piece: &Piece) {
        let parts = piece.is_mark(",") || piece.is_mark(":");
        if parts && self.is_leading {
            // What a condition in front denies is over behind its comma; a second comma shows that the first one only listed.
            (self.turns, self.is_leading) = (false, false);
        } else {
            self.turns |= piece.shouts(TURNING) || (parts && self.opens);
        }
    }
}

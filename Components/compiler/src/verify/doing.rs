//! What somebody does while he is told: `before you commit` is `before committing`.

use super::piece::{Kind, Piece};
use super::words::decides;

/// In front of what the reader does himself.
const OPENERS: &[&str] = &["before", "after", "when", "while"];

/// Behind `you` these do nothing that could be said of `doing`.
const NO_DEEDS: &[&str] = &["are", "have", "were", "had", "did", "do", "want", "know", "be", "get", "got"];

/// Writes what `you` do behind an opener in one way, where nobody else is spoken of who could be meant instead: `users who leave when
/// you stop` are not `users who leave when stopping`.
pub(super) fn unify(pieces: &[Piece]) -> Vec<Piece> {
    let others =
        pieces.iter().any(|piece| piece.any(&["must", "should", "may", "can", "who", "that", "which"]));
    let yours = pieces.iter().filter(|piece| piece.is("you")).count();
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    let mut at = 0;
    while at < pieces.len() {
        let opens = !others && out.last().is_some_and(|last| last.any(OPENERS));
        match &pieces[at..] {
            [you, deed, ..] if opens && yours == 1 && you.is("you") && is_deed(deed) => {
                out.push(Piece::word(&doing(&deed.text)));
                at += 2;
            }
            [deed, ..] if out.last().is_some_and(|last| last.any(OPENERS)) && is_doing(deed) => {
                out.push(Piece::word(&doing(deed.text.trim_end_matches("ing"))));
                at += 1;
            }
            _ => {
                out.push(pieces[at].clone());
                at += 1;
            }
        }
    }
    out
}

fn is_deed(piece: &Piece) -> bool {
    let is_plain = piece.kind == Kind::Word && decides(&piece.text).is_none() && !piece.any(NO_DEEDS);
    // `You already merged` and `you quickly run` hold no deed here, `you merged` is over.
    is_plain && !piece.text.ends_with("ed") && !piece.text.ends_with("ly") && !piece.text.ends_with("ing")
}

fn is_doing(piece: &Piece) -> bool {
    piece.kind == Kind::Word && piece.text.len() > 4 && piece.text.ends_with("ing")
}

/// `merge`, `merg` and `commit`, `committ` by one spelling: `merging`, `commiting`.
fn doing(deed: &str) -> String {
    let stem = deed.strip_suffix('e').unwrap_or(deed);
    let bytes = stem.as_bytes();
    let is_doubled = bytes.len() > 2 && bytes[bytes.len() - 1] == bytes[bytes.len() - 2] && stem.is_ascii();
    let stem = if is_doubled { &stem[..stem.len() - 1] } else { stem };
    format!("{stem}ing")
}

#[cfg(test)]
mod tests {
    use super::super::piece::split;
    use super::*;

    #[test]
    fn what_you_do_is_doing() {
        for (words, read) in [
            ("run tests before you commit", "run tests before commiting"),
            ("run tests before committing", "run tests before commiting"),
            ("when you merge", "when merging"),
            ("when adding", "when ading"),
            ("when you are unsure", "when you are unsure"),
            ("tests must pass before you merge", "tests must pass before you merge"),
            ("ask who leaves when you stop", "ask who leaves when you stop"),
            ("after you merged", "after you merged"),
            ("if you merge", "if you merge"),
        ] {
            let said: Vec<String> = unify(&split(words, &[])).into_iter().map(|piece| piece.text).collect();
            assert_eq!(said.join(" "), read);
        }
    }
}

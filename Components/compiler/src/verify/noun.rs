//! Things that are named by what they are of: `the name of the crate` is `the crate name`, `a timeout of 5 s` is `a 5 s timeout`.

use super::measure::is_number;
use super::piece::{Kind, Piece};
use super::words::decides;
use crate::law::is_verb;

/// What one thing has once: for others `of` may tell more than whose they are.
const OF_THING: &[&str] =
    &["name", "contents", "output", "path", "size", "version", "owner", "type", "title", "length"];
/// What has a length of time.
const OF_TIME: &[&str] = &["timeout", "delay", "interval", "window", "pause", "deadline", "period"];

/// Puts what something is of in front of it.
pub(super) fn unify(pieces: &[Piece]) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    let mut at = 0;
    while at < pieces.len() {
        let rest = &pieces[at..];
        let len = of_time(rest).or_else(|| of_thing(rest)).filter(|_| opens_noun(&out));
        if let Some(len) = len {
            out.extend(rest[2..len].iter().cloned());
            out.push(rest[0].clone());
        } else {
            out.push(pieces[at].clone());
        }
        at += len.unwrap_or(1);
    }
    out
}

/// Whether nothing in front belongs to the same thing: in `ask crate owner of file` and `print name or version of crate` it does.
fn opens_noun(before: &[Piece]) -> bool {
    let Some((last, before)) = before.split_last() else { return true };
    let is_verb = || {
        let opens =
            before.last().is_none_or(|before| before.kind == Kind::Mark || decides(&before.text).is_some());
        last.kind == Kind::Word && is_verb(&last.text) && opens
    };
    let joins = last.any(&["and", "or", "and/or"]) || last.is_mark(",") || last.is_mark("(");
    let parts =
        last.kind == Kind::Mark || decides(&last.text).is_some() || last.any(&["in", "on", "at", "of", "as"]);
    (parts && !joins) || is_verb()
}

/// `timeout of ≥5 s`: how many pieces it has.
fn of_time(pieces: &[Piece]) -> Option<usize> {
    let [time, of, rest @ ..] = pieces else { return None };
    let signs = rest.iter().take_while(|piece| piece.kind == Kind::Number).count();
    let is_measure = signs > 1 && rest[..signs].iter().filter(|piece| is_number(piece)).count() == 1;
    (time.any(OF_TIME) && of.is("of") && is_measure).then_some(2 + signs)
}

/// `name of crate`, where nothing goes on behind: in `name of crate owner` another name is meant.
fn of_thing(pieces: &[Piece]) -> Option<usize> {
    let [thing, of, whole, rest @ ..] = pieces else { return None };
    let is_plain = match whole.kind {
        Kind::Word => {
            decides(&whole.text).is_none() && !whole.any(&["this", "that", "it", "its", "your", "these"])
        }
        Kind::Literal => true,
        _ => false,
    };
    let ends = rest.first().is_none_or(|next| match next.kind {
        Kind::Mark => true,
        Kind::Word => {
            decides(&next.text).is_some_and(|_| !next.any(&["and", "or"])) || next.any(&["in", "on", "at"])
        }
        _ => false,
    });
    (thing.any(OF_THING) && of.is("of") && is_plain && ends).then_some(3)
}

#[cfg(test)]
mod tests {
    use super::super::measure::measure;
    use super::super::piece::split;
    use super::*;

    #[test]
    fn what_a_thing_is_of_stands_in_front() {
        for (words, read) in [
            ("keep name of crate", "keep crate name"),
            ("read contents of file before editing", "read file contents before editing"),
            ("ask owner of crate author", "ask owner of crate author"),
            ("ask owner of crates and tests", "ask owner of crates and tests"),
            ("take care of errors", "take care of errors"),
            ("use timeout of 5 seconds for probe", "use 5 s timeout for probe"),
            ("use timeout of at least 5 seconds", "use ≥ 5 s timeout"),
            ("use timeout of 5", "use timeout of 5"),
            ("use list of 5 seconds", "use list of 5 s"),
            ("ask crate owner of file", "ask crate owner of file"),
            ("print name or version of crate", "print name or version of crate"),
            ("when name of crate changes", "when name of crate changes"),
        ] {
            let said: Vec<String> =
                unify(&measure(&split(words, &[]))).into_iter().map(|piece| piece.text).collect();
            assert_eq!(said.join(" "), read);
        }
    }
}

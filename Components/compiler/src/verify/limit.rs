//! Limits that are told by what is forbidden: `must not be longer than 72 characters` is `must be ≤72 characters`.

use super::measure::is_number;
use super::piece::{Kind, Piece};
use super::words::{CLAUSES, decides};

/// Writes what must not pass a bound as what must keep it, where the bound is all that is denied: with `or`, `and`, `without` or one more
/// word behind it, `not` would be gone from what it denies, too.
pub(super) fn unify(pieces: &[Piece]) -> Vec<Piece> {
    let found = (1..pieces.len()).find_map(|at| Some((at, limit(&pieces[at..])?)));
    let Some((at, (words, sign))) = found.filter(|(at, _)| is_measured(&pieces[..*at])) else {
        return pieces.to_vec();
    };
    let kept = [pieces[at].clone(), Piece::word("be"), Piece::number(sign)];
    pieces[..at].iter().chain(&kept).chain(&pieces[at + words..]).cloned().collect()
}

/// `must not be > 72 chars`: how many words stand in front of the number, and what must be kept.
fn limit(pieces: &[Piece]) -> Option<(usize, &'static str)> {
    let (words, sign) = match pieces {
        [must, not, be, over, ..] if is_denied(must, not) && be.is("be") => {
            let sign = match over.text.as_str() {
                ">" => "≤",
                "<" => "≥",
                _ => return None,
            };
            (4, sign)
        }
        [must, not, exceed, ..] if is_denied(must, not) && exceed.is("exceed") => (3, "≤"),
        _ => return None,
    };
    let [number, unit, behind @ ..] = &pieces[words..] else { return None };
    let is_thing = unit.kind == Kind::Number || (unit.kind == Kind::Word && decides(&unit.text).is_none());
    let ends = behind.first().is_none_or(|next| next.any(&["unless", "if", "when"]) || next.is_mark(";"));
    let goes_on = behind.iter().any(|piece| piece.any(&["and", "or", "nor", "and/or", "but"]));
    (is_number(number) && is_thing && ends && !goes_on).then_some((words, sign))
}

fn is_denied(must: &Piece, not: &Piece) -> bool {
    must.any(&["must", "should"]) && not.any(&["not", "never"])
}

/// In these the first is the highest.
const RANKED: &[&str] =
    &["severity", "priority", "rank", "tier", "level", "grade", "class", "urgency", "importance", "sev"];

/// `The subject of a commit`: one thing that has a size, of which nothing is denied and nothing counted out.
fn is_measured(subject: &[Piece]) -> bool {
    let is_plain = |piece: &Piece| match piece.kind {
        Kind::Word => {
            let stands = decides(&piece.text).is_none() || piece.any(&["each", "any"]);
            stands && !piece.any(CLAUSES) && !piece.any(RANKED) && !piece.any(&["there", "you", "not!"])
        }
        Kind::Literal => true,
        _ => false,
    };
    (1..=6).contains(&subject.len()) && subject.iter().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::super::measure::measure;
    use super::super::piece::split;
    use super::*;

    #[test]
    fn what_must_not_pass_a_bound_keeps_it() {
        for (words, read) in [
            ("title must not be longer than 72 characters", "title must be ≤ 72 chars"),
            ("title must never be longer than 72 characters", "title must be ≤ 72 chars"),
            ("title should not exceed 72 characters", "title should be ≤ 72 chars"),
            ("coverage must not be less than 80 percent", "coverage must be ≥ 80 %"),
            ("title must not be 72 characters", "title must not be 72 chars"),
            ("title must not be longer than 72 chars or 2 lines", "title must not be > 72 chars or 2 lines"),
            (
                "title must not be longer than 72 chars without need",
                "title must not be > 72 chars without need",
            ),
            ("call must not be more than 5 minutes late", "call must not be > 5 min late"),
            ("severity must not be greater than 2 points", "severity must not be > 2 points"),
            ("not all titles must not exceed 9 chars", "not all titles must not exceed 9 chars"),
            ("port must not exceed 1024", "port must not exceed 1024"),
        ] {
            let said: Vec<String> =
                unify(&measure(&split(words, &[]))).into_iter().map(|piece| piece.text).collect();
            assert_eq!(said.join(" "), read);
        }
    }
}

//! Numbers in words: `twenty-one`, `two hundred`, `third`.

use super::measure::{is_number, unit_at};
use super::piece::{Kind, Piece};
use super::words::decides;
use crate::law::is_finite;

/// `one` is left alone where no larger number follows: it is as often a pronoun.
const SMALL: &[&str] = &[
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: &[&str] = &["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const LARGE: &[(&str, u64)] =
    &[("hundred", 100), ("thousand", 1_000), ("million", 1_000_000), ("billion", 1_000_000_000)];
/// From the third on: `second` is a time as well, and `first` an order.
const ORDINALS: &[&str] =
    &["third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"];

/// Writes numbers in words as digits.
pub(super) fn numerals(pieces: &[Piece]) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    let mut at = 0;
    while at < pieces.len() {
        // `2 hundred` goes on from what stands there.
        let times = out.last().filter(|last| is_number(last)).and_then(|last| counted(last, &pieces[at]));
        if let Some(value) = times {
            out.pop();
            out.push(Piece::number(&value.to_string()));
            at += 1;
            continue;
        }
        if let Some((value, len)) = number(&pieces[at..], &out) {
            out.push(Piece::number(&value));
            at += len;
        } else {
            // `A third of the logs` is a part of them.
            let is_part = pieces.get(at + 1).is_some_and(|next| next.is("of"));
            out.push(ordinal(&pieces[at]).filter(|_| !is_part).unwrap_or_else(|| pieces[at].clone()));
            at += 1;
        }
    }
    out
}

/// So many hundreds or thousands.
fn counted(number: &Piece, piece: &Piece) -> Option<u64> {
    number.text.parse::<u64>().ok()?.checked_mul(large(piece)?)
}

/// The number that begins here behind `before`, and how many words it has.
fn number(pieces: &[Piece], before: &[Piece]) -> Option<(String, usize)> {
    let (mut total, mut group, mut len) = (0_u64, None::<u64>, 0);
    // `Between two hundred and five` are two numbers.
    let ranges = before.iter().any(|before| before.any(RANGES));
    while let Some(piece) = pieces.get(len) {
        let ends_large = len > 0 && large(&pieces[len - 1]).is_some();
        if piece.is("and") && ends_large && !ranges && adds(&pieces[len + 1..]) {
            len += 1;
            continue;
        }
        if let Some(value) = below_hundred(piece) {
            // `Two three` are two numbers; `two hundred three` is one, and so is `twenty one`.
            let joins = group.is_none_or(|group| {
                group % 100 == 0 && group > 0
                    || (group % 10 == 0 && group % 100 >= 20 && value < 10 && value > 0)
            });
            if !joins {
                break;
            }
            group = Some(group.unwrap_or(0) + value);
        } else if let Some(large) = large(piece) {
            // `Hundreds` of them aside, a large number stands alone or counts what is in front of it.
            let counted = group.take().unwrap_or(1);
            if large == 100 {
                group = Some(counted.checked_mul(100)?);
            } else {
                total = total.checked_add(counted.checked_mul(large)?)?;
            }
        } else {
            break;
        }
        len += 1;
    }
    let is_pronoun = len == 1 && pieces[0].is("one") && !counts_one(pieces, before);
    (len > 0 && !is_pronoun).then(|| ((total + group.unwrap_or(0)).to_string(), len))
}

/// Behind these two numbers stand, one for each end or choice.
const RANGES: &[&str] = &["between", "from", "either", "both"];

/// Whether what stands behind `two hundred and` ends that number: `five`, but neither `five hundred` nor `five or six` nor `five of`.
fn adds(rest: &[Piece]) -> bool {
    let [first, rest @ ..] = rest else { return false };
    let value = below_hundred(first).filter(|value| *value > 0);
    let goes_on = rest.first().is_some_and(|next| {
        large(next).is_some() || below_hundred(next).is_some() || next.any(&["or", "and", "to", "of", "more"])
    });
    value.is_some() && !goes_on && !first.is("one")
}

/// `Within one hour`, `at least one owner` and `more than one change` count; `one day` may be any, and `more than one needs` is told of
/// somebody.
fn counts_one(pieces: &[Piece], before: &[Piece]) -> bool {
    let Some(last) = before.last() else { return false };
    let next = pieces.get(1).filter(|next| next.kind == Kind::Word);
    let is_thing = next.is_some_and(|next| {
        let is_plural = next.text.ends_with('s') && !next.text.ends_with("ss");
        decides(&next.text).is_none() && !is_plural && !is_finite(&next.text)
    });
    let led: Vec<Piece> = before.last().into_iter().chain(pieces.iter().take(3)).cloned().collect();
    let is_time = last.any(&["within", "than"]) && unit_at(&led, 2).is_some();
    let compares = before.len() > 1 && before[before.len() - 2].any(COMPARES);
    let is_bound = last.any(&["least", "most"]) && before.len() > 1 && before[before.len() - 2].is("at");
    is_time
        || (is_bound && !next.is_some_and(|next| next.is("another")))
        || (last.is("than") && compares && is_thing)
}

/// In front of `than` these open a bound.
const COMPARES: &[&str] = &["more", "less", "fewer", "greater", "longer", "shorter", "larger", "smaller"];

fn below_hundred(piece: &Piece) -> Option<u64> {
    if piece.kind != Kind::Word {
        return None;
    }
    let of = |words: &[&str], word: &str| words.iter().position(|known| *known == word).map(|at| at as u64);
    let text = piece.text.as_str();
    let tens = |word: &str| of(TENS, word).map(|at| (at + 2) * 10);
    of(SMALL, text).or_else(|| tens(text)).or_else(|| {
        let (ten, one) = text.split_once('-')?;
        Some(tens(ten)? + of(&SMALL[..10], one).filter(|one| *one > 0)?)
    })
}

fn large(piece: &Piece) -> Option<u64> {
    LARGE.iter().find(|(word, _)| piece.is(word)).map(|(_, value)| *value)
}

/// `third` is `3rd`.
fn ordinal(piece: &Piece) -> Option<Piece> {
    let at = ORDINALS.iter().position(|word| piece.is(word))?;
    Some(Piece::number(&if at == 0 { "3rd".to_owned() } else { format!("{}th", at + 3) }))
}

#[cfg(test)]
mod tests {
    use super::super::piece::split;
    use super::*;

    #[test]
    fn numbers_in_words_are_digits() {
        for (words, digits) in [
            ("three", "3"),
            ("one of them", "one of them"),
            ("twenty-one", "21"),
            ("twenty one", "21"),
            ("thirty", "30"),
            ("hundred", "100"),
            ("one hundred", "100"),
            ("two hundred", "200"),
            ("2 hundred", "200"),
            ("two hundred fifty", "250"),
            ("two hundred fifty-six", "256"),
            ("twelve thousand", "12000"),
            ("one million two hundred thousand", "1200000"),
            ("two three", "2 3"),
            ("two hundred and three", "203"),
            ("two hundred and five workers", "205 workers"),
            ("two hundred and fifty-six", "256"),
            ("three thousand and twelve", "3012"),
            ("between two hundred and five", "between 200 and 5"),
            ("one hundred and two hundred", "100 and 200"),
            ("one hundred and two or three", "100 and 2 or 3"),
            ("two hundred and one of them", "200 and one of them"),
            ("twenty and five", "20 and 5"),
            ("200 and five", "200 and 5"),
            ("within one hour", "within 1 hour"),
            ("within one second", "within 1 second"),
            ("within one second attempt", "within one second attempt"),
            ("at least one owner", "at least 1 owner"),
            ("no more than one draft", "no more than 1 draft"),
            ("no more than one needs", "no more than one needs"),
            ("more than one would", "more than one would"),
            ("rather than one draft", "rather than one draft"),
            ("at last one draft", "at last one draft"),
            ("a third of them", "a third of them"),
            ("one day we may", "one day we may"),
            ("within one crate", "within one crate"),
            ("twenty twenty", "20 20"),
            ("zero warnings", "0 warnings"),
            ("third-party", "third-party"),
            ("third try", "3rd try"),
            ("twenty-zero", "twenty-zero"),
            ("5 million", "5000000"),
        ] {
            let said: Vec<String> =
                numerals(&split(words, &[])).into_iter().map(|piece| piece.text).collect();
            assert_eq!(said.join(" "), digits);
        }
    }
}

//! A change of ours, taken back in what somebody made of the file since: what stood before stands again, and what they changed
//! stays as they have it.

use std::ops::Range;

/// How many pairs of tokens are compared at most, beyond what two texts begin and end with.
const MOST_PAIRS: usize = 16_000_000;

/// The text with our change of `before` into `after` taken back: each run of tokens that we put there becomes what stood in its
/// place. None where one of them does not stand there as we put it, or the texts differ in too much to be compared.
pub(super) fn undone(before: &str, after: &str, now: &str) -> Option<String> {
    let (before, after, now) = (tokens(before), tokens(after), tokens(now));
    let stands = Standing::of(&after, &now)?;
    let (mut text, mut told) = (String::new(), 0);
    for (ours, theirs) in gaps(&common(&after, &before)?, after.len(), before.len()) {
        let place = stands.place(&ours)?;
        text.extend(now.get(told..place.start)?.iter().chain(&before[theirs]).copied());
        told = place.end;
    }
    text.extend(now[told..].iter().copied());
    Some(text)
}

/// Where each token of one text stands in another.
struct Standing {
    places: Vec<Option<usize>>,
    end: usize,
}

impl Standing {
    fn of(one: &[&str], other: &[&str]) -> Option<Self> {
        let mut places = vec![None; one.len()];
        common(one, other)?.into_iter().for_each(|(here, there)| places[here] = Some(there));
        Some(Self { places, end: other.len() })
    }

    /// Where a run of tokens stands, if nothing was put between them.
    fn place(&self, run: &Range<usize>) -> Option<Range<usize>> {
        if run.is_empty() {
            let before = run.start.checked_sub(1).map(|last| self.places[last].map(|place| place + 1));
            let behind = self.places.get(run.start).copied();
            let start = before.flatten().or(behind.unwrap_or(Some(self.end)))?;
            return Some(start..start);
        }
        let start = self.places[run.start]?;
        let is_whole = run.clone().zip(start..).all(|(token, place)| self.places[token] == Some(place));
        is_whole.then(|| start..start + run.len())
    }
}

/// What lies between the tokens that two texts have in common, in both of them.
fn gaps(
    common: &[(usize, usize)],
    one: usize,
    other: usize,
) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
    let ends = common.iter().copied().chain([(one, other)]);
    let starts = [(0, 0)].into_iter().chain(common.iter().map(|(here, there)| (here + 1, there + 1)));
    let all = starts.zip(ends).map(|(start, end)| (start.0..end.0, start.1..end.1));
    all.filter(|(here, there)| !(here.is_empty() && there.is_empty()))
}

/// The longest run of tokens that two texts have in common, as places in both.
fn common(one: &[&str], other: &[&str]) -> Option<Vec<(usize, usize)>> {
    let first = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (here, there) = (&one[first..], &other[first..]);
    let last = here.iter().rev().zip(there.iter().rev()).take_while(|(a, b)| a == b).count();
    let (here, there) = (&here[..here.len() - last], &there[..there.len() - last]);
    let mut pairs: Vec<(usize, usize)> = (0..first).map(|at| (at, at)).collect();
    pairs.extend(longest(here, there)?.into_iter().map(|(a, b)| (a + first, b + first)));
    pairs.extend((0..last).rev().map(|back| (one.len() - 1 - back, other.len() - 1 - back)));
    Some(pairs)
}

/// The same of what differs at both ends: for every two places, how much the rests behind them have in common.
fn longest(one: &[&str], other: &[&str]) -> Option<Vec<(usize, usize)>> {
    let width = other.len() + 1;
    if one.len().checked_mul(width).is_none_or(|pairs| pairs > MOST_PAIRS) {
        return None;
    }
    let mut rest = vec![0_u32; (one.len() + 1) * width];
    for here in (0..one.len()).rev() {
        for there in (0..other.len()).rev() {
            rest[here * width + there] = if one[here] == other[there] {
                rest[(here + 1) * width + there + 1] + 1
            } else {
                rest[(here + 1) * width + there].max(rest[here * width + there + 1])
            };
        }
    }
    let (mut pairs, mut here, mut there) = (Vec::new(), 0, 0);
    while here < one.len() && there < other.len() {
        if one[here] == other[there] {
            pairs.push((here, there));
            (here, there) = (here + 1, there + 1);
        } else if rest[(here + 1) * width + there] >= rest[here * width + there + 1] {
            here += 1;
        } else {
            there += 1;
        }
    }
    Some(pairs)
}

/// The parts of a text of JSON with comments: strings, comments, signs, words, and whitespace up to the end of its line.
fn tokens(text: &str) -> Vec<&str> {
    let (mut tokens, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let (token, behind) = rest.split_at(length(rest));
        tokens.push(token);
        rest = behind;
    }
    tokens
}

/// How long the first token is, in bytes: at least one character.
fn length(text: &str) -> usize {
    let first = text.chars().next().map_or(0, char::len_utf8);
    let until = |end: Option<usize>| end.unwrap_or(text.len()).max(first);
    if text.starts_with('"') {
        return string(text);
    }
    if text.starts_with("//") {
        return until(text.find(['\r', '\n']));
    }
    if text.starts_with("/*") {
        return until(text.find("*/").map(|end| end + 2));
    }
    if text.starts_with(char::is_whitespace) {
        let space = until(text.find(|c: char| !c.is_whitespace()));
        return text[..space].find('\n').map_or(space, |end| end + 1);
    }
    if text.starts_with(['{', '}', '[', ']', ',', ':']) {
        return first;
    }
    until(text.find(|c: char| c.is_whitespace() || "{}[],:\"/".contains(c)))
}

fn string(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, sign) in text.char_indices().skip(1) {
        match sign {
            '"' if !is_escaped => return at + 1,
            '\n' => return at,
            _ => is_escaped = sign == '\\' && !is_escaped,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_others_changed_stays_and_what_stood_before_stands_again() {
        let before = "{\n  \"a\": 1,\n  \"stop\": [{\"x\": 1}] // st\n}\n";
        let after = "{\n  \"a\": 1,\n  \"stop\": [\n    {\"x\": 1},\n    {\"ours\": 1}\n  ] // st\n}\n";
        for (from, to) in [
            ("\"a\": 1", "\"a\": 2"),
            ("// st", "// stop"),
            ("{\"x\": 1}", "{\"x\": 3}"),
            ("\n}\n", "\n}"),
            ("{\n  \"a\"", "{\r\n  \"b\": [],\r\n\"a\""),
        ] {
            let edited = |text: &str| text.replacen(from, to, 1);
            let now = edited(after);
            assert_ne!(now, after);
            assert_eq!(undone(before, after, &now), Some(edited(before)), "{now}");
        }
        assert_eq!(undone(before, after, &after.replace("\"ours\": 1", "\"ours\": 2")), None);
        assert_eq!(undone(before, after, after).as_deref(), Some(before));
        assert_eq!(undone(before, before, "else").as_deref(), Some("else"));
    }

    proptest! {
        #[test]
        fn a_text_is_the_sum_of_its_tokens(text in "[\\[\\]{},:\"\\\\/*a1 \t\r\n\u{feff}é]{0,60}") {
            prop_assert_eq!(tokens(&text).concat(), text);
        }

        #[test]
        fn what_nobody_changed_is_what_stood_before(before in "[\\[\\]{},:\"/*a1 \r\n]{0,40}", after in "[\\[\\]{},:\"/*a1 \r\n]{0,40}") {
            let back = undone(&before, &after, &after);
            prop_assert_eq!(back.as_deref(), Some(before.as_str()));
        }
    }
}

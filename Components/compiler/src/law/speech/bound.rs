//! Bounds that stand alone: `Five rounds maximum per task`, `A maximum of 5 files`, `Two approvals per merge`.

use super::lexicon::MADE;
use super::mood::{IMPERATIVE, Mood};
use super::quiet::Said;
use super::word::{Word, WordKind};

impl Said<'_> {
    /// `Five rounds maximum per task`, `A maximum of 5 files`, `Max. 3 retries`, `Two approvals per merge`, `two are the maximum`.
    pub(crate) fn counted(&self) -> Option<Mood> {
        if self.copula().is_some() {
            let at = self.copula()?;
            let bound = self.is(at + 1, &["the"])
                && self.is(at + 2, &["maximum", "minimum", "limit", "most", "least"]);
            let set =
                self.is(at - 1, &["maximum", "minimum", "limit", "cap"]) && at <= 3 && self.number(at + 1);
            let of = |word: &Word| word.among(MADE);
            return (at <= 3 && self.number(0) && bound && at + 3 >= self.words.len()
                || set && self.words[at + 2..].iter().any(of))
            .then_some(IMPERATIVE);
        }
        let opens = self.first().capital || self.first().lower.starts_with(|c: char| c.is_ascii_digit());
        if !opens {
            return None;
        }
        let excepted = self
            .words
            .windows(2)
            .position(|pair| pair[0].mark(",") && pair[1].any(&["unless", "except", "if", "but", "without"]));
        let own = &self.words[..excepted.unwrap_or(self.words.len())];
        let tells =
            |word: &Word| word.mark(":") || word.mark(",") || word.mark("—") || word.any(&["that", "which"]);
        if own.len() > 12 || own.iter().any(tells) {
            return None;
        }
        Said { words: own }.bounded()
    }

    /// A bound that stands alone, behind a capital or a digit.
    fn bounded(&self) -> Option<Mood> {
        const BOUNDS: &[&str] = &["maximum", "max", "minimum", "min"];
        const TIMES: &[&str] = &[
            "second",
            "minute",
            "hour",
            "day",
            "week",
            "month",
            "year",
            "s",
            "cent",
            "byte",
            "character",
            "person",
            "capita",
            "pixel",
            "inch",
            "request",
            "call",
            "cycle",
            "frame",
            "core",
            "thread",
            "node",
            "connection",
        ];
        let names = |upto: usize| self.words[..upto].iter().any(|word| word.among(MADE));
        let headed = usize::from(self.is(0, &["a", "an", "the"]));
        let most = self.is(headed, BOUNDS) || self.is(headed, &["upper"]) && self.is(headed + 1, &["limit"]);
        let number = (headed + 1..(headed + 4).min(self.words.len())).find(|&at| self.number(at));
        if let Some(number) = number.filter(|_| most) {
            let linked = self.words[headed + 1..number]
                .iter()
                .all(|word| word.any(&["of", "limit"]) || word.mark("."));
            return (linked && self.words.get(number + 1).is_some_and(|word| word.kind == WordKind::Plain))
                .then_some(IMPERATIVE);
        }
        let up_to = self.is(0, &["up"]) && self.is(1, &["to"]) && self.number(2);
        if up_to && self.words.get(3).is_some_and(|word| word.among(MADE)) {
            return Some(IMPERATIVE);
        }
        let over =
            self.is(0, &["not"]) && self.is(1, &["more", "fewer", "less", "longer"]) && self.is(2, &["than"]);
        if over && self.number(3) && self.words.len() > 4 {
            return Some(IMPERATIVE);
        }
        if !self.number(0) {
            return None;
        }
        let bound =
            self.words.iter().position(|word| word.any(BOUNDS)).filter(|at| (2..=4).contains(at)).filter(
                |&at| {
                    at + 1 == self.words.len()
                        || self.is(at + 1, &["per", "for", "in", "a", "before", "each"])
                },
            );
        let at_most = (2..self.words.len().min(6)).any(|at| {
            self.is(at, &["at"]) && self.is(at + 1, &["most", "least"]) && at + 2 == self.words.len()
        });
        let per = self.position(&["per"]).filter(|&at| (2..=4).contains(&at) && at + 1 < self.words.len());
        let by_kind = per.is_some_and(|at| {
            let of = &self.words[at + 1];
            names(at) && of.kind == WordKind::Plain && !of.any(TIMES) && at + 3 >= self.words.len()
        });
        (bound.is_some() || at_most || by_kind).then_some(IMPERATIVE)
    }
}

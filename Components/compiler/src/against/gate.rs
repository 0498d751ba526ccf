//! What has to wait for something else: `delete a branch` of `ask before you delete a branch`.

use std::collections::BTreeSet;

use super::advice::{Advice, says_it};
use super::option::words_of_short;
use super::said::{has_akin, is_akin, words_of};
use crate::words::stem_of;

/// What has to wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Gate {
    /// What is done.
    pub(super) verb: String,
    /// To what.
    pub(super) objects: BTreeSet<String>,
}

impl Gate {
    /// What waits, of its words; `kept` are those of what it waits for.
    pub(super) fn of(waiting: &[String], kept: &[String]) -> Option<Self> {
        let mut own = waiting.iter().filter(|word| !kept.contains(word)).cloned();
        Some(Self { verb: own.next()?, objects: own.collect() })
    }

    /// Whether a lesson orders what waits: to what the rule names, to anything that has an excuse, or to nothing in particular.
    pub(super) fn is_ordered(&self, advice: &Advice) -> bool {
        let clauses = advice.all_done.clauses.iter().zip(&advice.all_done.texts);
        clauses.into_iter().any(|(words, text)| {
            let Some(rest) = behind_verb(words, &self.verb) else {
                return self.is_made(words, advice) || self.is_optioned(words, text);
            };
            let named = self.objects.iter().any(|object| rest.iter().any(|word| is_akin(word, object)));
            let meant = self.objects.is_empty()
                || self.objects.iter().any(|object| has_akin(&advice.condition, object));
            let is_loose = says_it(text) && meant || is_bare(text, &self.verb);
            !adds(text) && (named || is_loose || self.objects.is_empty() && advice.hastes)
        })
    }

    /// Whether a lesson in haste orders it.
    pub(super) fn is_ordered_in_haste(&self, advice: &Advice) -> bool {
        advice.hastes && self.is_ordered(advice)
    }

    /// Whether a lesson in haste does it to something that it does not name: `deploy it` beside `never deploy on a Friday`.
    pub(super) fn is_done_to_it(&self, advice: &Advice) -> bool {
        let mut clauses = advice.all_done.clauses.iter().zip(&advice.all_done.texts);
        advice.hastes
            && clauses.any(|(words, text)| says_it(text) && behind_verb(words, &self.verb).is_some())
    }

    /// `git branch -D it`: an option says what is done to what the command names.
    fn is_optioned(&self, words: &[String], text: &str) -> bool {
        let has = |word: &String| words.iter().any(|other| is_akin(other, word));
        let mut options = words_of_short(text).into_iter().map(stem_of);
        !self.objects.is_empty()
            && options.any(|option| is_akin(&option, &self.verb))
            && self.objects.iter().all(has)
    }

    /// `open a pull request at once`: a noun waits, and another verb does it.
    fn is_made(&self, words: &[String], advice: &Advice) -> bool {
        const MAKING: &[&str] =
            &["open", "creat", "start", "send", "submit", "cut", "publish", "rais", "fil", "begin"];
        let has = |word: &String| words.iter().any(|other| is_akin(other, word));
        advice.hastes
            && words.first().is_some_and(|verb| MAKING.contains(&verb.as_str()))
            && has(&self.verb)
            && self.objects.iter().all(has)
    }
}

/// The words behind the verb, where a clause orders it.
pub(super) fn behind_verb<'a>(words: &'a [String], verb: &str) -> Option<&'a [String]> {
    const OPENERS: &[&str] = &["simply", "pleas", "go", "ahead", "quickly", "still", "now", "first"];
    let opened = words.iter().take_while(|word| OPENERS.contains(&word.as_str())).count();
    let (first, rest) = words[opened..].split_first()?;
    is_akin(first, verb).then_some(rest)
}

/// Whether nothing stands behind the verb, or how, where and when only: `merge with one approval`.
pub(super) fn is_bare(text: &str, verb: &str) -> bool {
    const HOW: &[&str] = &[
        "with",
        "without",
        "by",
        "from",
        "in",
        "into",
        "on",
        "at",
        "to",
        "for",
        "as",
        "after",
        "right",
        "now",
        "anyway",
        "directly",
        "immediately",
        "straight",
        "using",
        "via",
        "already",
    ];
    let mut words = words_of(text).skip_while(|word| !is_verb(word, verb)).skip(1);
    words.next().is_none_or(|word| HOW.contains(&word))
}

fn is_verb(word: &str, verb: &str) -> bool {
    super::said::stems(word).iter().any(|stem| is_akin(stem, verb))
}

/// `commit the lock file, too`.
fn adds(text: &str) -> bool {
    words_of(text).any(|word| matches!(word, "too" | "also" | "well" | "again" | "both"))
}

//! A condition that one sentence gives to those that come after it in its block: `Edited by hand? Revert it. Tell the owner.`,
//! `If the disk is full, stop. Then delete the cache.`

use std::ops::Range;

use mentci_authority::{Force, Level};
use mentci_source::Span;

use super::setting::{LeadIn, Setting};
use super::speech::apart::{is_apart, opens_alike};
use super::speech::condition::IDLE;
use super::speech::lead::Lead;
use super::speech::mood::{IMPERATIVE, Mood, asks, has_finite, mood_of};
use super::speech::prose::Prose;
use super::speech::thing::points;
use super::speech::word::{Word, WordKind};

/// The conditions that the sentences of a block have given so far.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    held: Vec<(String, Span)>,
    reach: Reach,
    /// How many of the last of them speak of what came before: `If so`, `If that fails`.
    recalled: usize,
}

/// Which of the sentences that come hold under the condition.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Those that go on with the one before: `Then …`, `Never restart it`.
    #[default]
    Linked,
    /// Those that open with `Then`, behind a case at the end: `Recall her only when she drifts. Then send the tug.`
    Sequel,
    /// Those that go on, and what is not done in the case, behind what is only told somebody: `report it. Do not sail.`
    Reported,
    /// The next one that orders by its verb, behind what is not done in the case: `do not guess. Ask the owner.`
    Instead,
    /// Each that orders, behind `stop` and `wait`, until one speaks of all cases.
    Acts,
    /// Each that orders, behind a question.
    Asked,
    /// The next one, whatever it says, and then this many.
    Next(Then),
}

/// How far a condition reaches behind the sentence that it was said for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Then {
    Linked,
    Asked,
}

impl Chain {
    /// A sentence that orders nothing itself and says when the next one does: `Did it break?`, `If this is so, that is ready.`
    pub(crate) fn wait(&mut self, prose: &Prose<'_>, sentence: &Range<usize>, condition: Range<usize>) {
        let words = &prose.words[sentence.clone()];
        let asked = asks(words);
        if !(asked && self.reach == Reach::Next(Then::Asked)) {
            self.held.clear();
            self.recalled = 0;
        }
        self.reach = Reach::Next(if asked && !is_open(words) { Then::Asked } else { Then::Linked });
        self.held.push((prose.condensed(condition), prose.span(sentence)));
    }

    /// Sets the sentence under the conditions that it goes on with; gives how many those are. `Otherwise` goes into them.
    pub(crate) fn enter(
        &mut self,
        prose: &Prose<'_>,
        sentence: &mut Range<usize>,
        here: &mut Setting,
    ) -> usize {
        if self.held.is_empty() || !self.covers(&prose.words[sentence.clone()]) {
            return 0;
        }
        if is_conditional(&prose.words[sentence.clone()]) {
            // `If so, merge. If not, wait.`: the second stands beside the first.
            self.held.truncate(self.held.len() - std::mem::take(&mut self.recalled));
        }
        let asked =
            self.held.last().is_some_and(|(last, _)| last.ends_with('?') || last.starts_with("If so"));
        if let Some(start) = otherwise(prose, sentence).or_else(|| if_not(prose, sentence).filter(|_| !asked))
        {
            sentence.start = start;
            if let Some((last, _)) = self.held.last_mut() {
                *last = negated(last);
            }
        }
        if let Some(behind) = in_that_case(&prose.words[sentence.clone()]) {
            sentence.start += behind;
        }
        here.conditions.extend(self.held.iter().cloned());
        self.held.len()
    }

    /// All of them in one.
    pub(crate) fn condition(&self) -> Option<String> {
        let conditions: Vec<String> = self.held.iter().map(|(condition, _)| condition.clone()).collect();
        (!conditions.is_empty()).then(|| in_one(&conditions))
    }

    /// `Otherwise:` behind `If the pilot is known, go on.`: the case that it leads in, said in full.
    pub(crate) fn other_case(&self, lead: &LeadIn, last: impl Fn() -> Option<String>) -> Option<String> {
        let bare = matches!(
            lead.text.trim_end_matches([':', ',', ' ']),
            "Otherwise" | "otherwise" | "If not" | "Else"
        );
        if !bare || lead.lead != Lead::Condition {
            return None;
        }
        // In a paragraph of its own it is the other case of the last rule.
        let held = self.held.last().map(|(held, _)| held.clone());
        held.or_else(|| last().filter(|last| !last.contains(": "))).map(|last| negated(&last))
    }

    fn covers(&self, words: &[Word]) -> bool {
        if matches!(self.reach, Reach::Next(_)) {
            return true;
        }
        if asks(words) {
            return false;
        }
        if self.reach == Reach::Sequel {
            return opener(words).is_some_and(|first| first.is("then"))
                && matches!(mood_of(words).mood, Mood::Order(..));
        }
        if self.held.last().is_some_and(|(condition, _)| opens_alike(words, condition)) {
            return false;
        }
        if is_conditional(words) {
            let beside = self.held.last().is_some_and(|(condition, _)| stands_beside(words, condition));
            return recalls(words) && !beside;
        }
        if let Some(behind) = in_that_case(words) {
            return matches!(mood_of(&words[behind..]).mood, Mood::Order(..));
        }
        if opens_otherwise(words) {
            return matches!(mood_of(words).mood, Mood::Order(..));
        }
        let apart = || self.held.iter().any(|(condition, _)| is_apart(words, condition));
        let acts = matches!(self.reach, Reach::Acts | Reach::Asked);
        match mood_of(words).mood {
            IMPERATIVE | Mood::Order(Level::Should, _) if self.reach == Reach::Instead => !apart(),
            Mood::Order(_, Force::Implied) => (acts || links(words)) && !apart(),
            Mood::Order(level, Force::Explicit) => {
                let local = acts || self.reach == Reach::Reported;
                (local && is_local(words, level) || links(words)) && !apart()
            }
            Mood::Fragment => opener(words).is_some_and(|first| first.is("then")),
            _ => false,
        }
    }

    /// After a sentence that stood under `entered` conditions; `first` when nothing in its block ordered before it.
    pub(crate) fn pass(&mut self, prose: &Prose<'_>, sentence: &Range<usize>, entered: usize, first: bool) {
        let words = &prose.words[sentence.clone()];
        if let Some((condition, reach)) = own_condition(words).filter(|_| first || entered > 0) {
            if entered == 0 {
                self.held.clear();
                self.recalled = 0;
            }
            self.recalled += usize::from(entered > 0);
            let condition = sentence.start + condition.start..sentence.start + condition.end;
            self.held.push((capital(&prose.condensed(condition.clone())), prose.span(&condition)));
            self.reach = reach;
            return;
        }
        if entered > 0 {
            self.reach = match self.reach {
                Reach::Next(Then::Asked) | Reach::Asked => Reach::Asked,
                Reach::Acts => Reach::Acts,
                Reach::Next(Then::Linked) | Reach::Linked if halts(words) => Reach::Acts,
                Reach::Next(Then::Linked)
                | Reach::Linked
                | Reach::Sequel
                | Reach::Reported
                | Reach::Instead => Reach::Linked,
            };
        } else if let Some((last, _)) = self.held.last_mut().filter(|_| opens_otherwise(words)) {
            *last = negated(last);
        } else if !self.held.is_empty() {
            let orders = || matches!(mood_of(words).mood, Mood::Order(..));
            if asks(words) || is_conditional(words) || self.reach != Reach::Asked && orders() {
                self.held.clear();
            }
        }
    }
}

/// With a large first letter.
pub(super) fn capital(condition: &str) -> String {
    let mut chars = condition.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

fn opens_otherwise(words: &[Word]) -> bool {
    opener(words).is_some_and(|first| first.is("otherwise"))
}

/// Several conditions, the outermost first.
pub(crate) fn in_one(conditions: &[String]) -> String {
    let mut whole = String::new();
    for condition in conditions {
        if !whole.is_empty() {
            whole.push_str(if whole.ends_with('?') { " " } else { ": " });
        }
        whole.push_str(condition);
    }
    whole
}

/// The words of the case that a sentence says itself.
pub(super) fn case_of(words: &[Word]) -> Option<Range<usize>> {
    own_condition(words).map(|(words, _)| words)
}

/// `If the mode is slow` and `If the mode is quick`: one of them holds at most.
pub(super) fn exclude_each_other(one: &str, other: &str) -> bool {
    let parts = |condition: &str| {
        let lower = condition.replace('`', "").to_lowercase();
        let (thing, value) = lower.split_once(" is ").or_else(|| lower.split_once(" = "))?;
        let thing = thing.strip_prefix("if ").or_else(|| thing.strip_prefix("when "))?;
        Some((thing.trim_start_matches("the ").to_owned(), value.trim_end_matches([':', ' ']).to_owned()))
    };
    let plain = |value: &str| value.split(' ').count() == 1 && !matches!(value, "not" | "true" | "false");
    match (parts(one), parts(other)) {
        (Some((thing, value)), Some((same, another))) => {
            thing == same && value != another && plain(&value) && plain(&another)
        }
        _ => false,
    }
}

/// Of `If the disk is full, stop`, `Note: when it fails, retry` and `Stop if the disk is full`, the words of the condition, and how
/// far it reaches.
fn own_condition(words: &[Word]) -> Option<(Range<usize>, Reach)> {
    let reach = |main: &[Word]| match mood_of(main).mood {
        _ if halts(main) => Reach::Acts,
        Mood::Order(level, Force::Explicit) if is_local(main, level) => Reach::Instead,
        _ if reports(main) => Reach::Reported,
        _ => Reach::Linked,
    };
    if let Some(colon) = circumstance_above(words) {
        return Some((0..colon, Reach::Acts));
    }
    let label = words.iter().take(6).position(|word| word.mark(":")).map_or(0, |colon| colon + 1);
    let opens = |start: usize| is_conditional(&words[start..]) || is_circumstance(&words[start..]);
    if let Some(start) = [0, label].into_iter().find(|&start| opens(start)) {
        let main = start + Some(mood_of(&words[start..])).filter(|found| found.main > 0)?.main;
        return Some((start..main, reach(&words[main..])));
    }
    if let Some(told) = told_case(words) {
        return Some((0..told, Reach::Acts));
    }
    let opens = |word: &Word| word.depth == 0 && word.any(&["if", "when", "whenever", "once", "unless"]);
    // `Stop at once` says how soon.
    let soon = |at: usize| at > 0 && words[at].is("once") && words[at - 1].is("at");
    let condition = (0..words.len()).find(|&at| opens(&words[at]) && !soon(at)).filter(|&at| at > 0)?;
    words.len().checked_sub(condition + 2)?;
    if condition < 6 && halts(&words[..condition]) {
        return Some((condition..words.len(), Reach::Acts));
    }
    let ordered = matches!(mood_of(words).mood, Mood::Order(level, _) if !level.is_prohibition());
    (ordered && !words[condition].is("unless")).then_some((condition..words.len(), Reach::Sequel))
}

/// `` `open: false` → the hold is shut. ``, `No key → the call fails.`: a case, and what it means.
fn told_case(words: &[Word]) -> Option<usize> {
    const LONGEST: usize = 12;
    let arrow = words.iter().position(|word| word.mark("→")).filter(|at| (1..=LONGEST).contains(at))?;
    let behind = &words[arrow + 1..];
    let tells = match mood_of(behind).mood {
        Mood::Statement => behind.len() > 2,
        Mood::Fragment => behind.len() > 3 && behind[0].any(&["the", "a", "an", "this", "no"]),
        _ => false,
    };
    tells.then_some(arrow)
}

/// Where the sentence begins behind `Otherwise,`.
fn otherwise(prose: &Prose<'_>, sentence: &Range<usize>) -> Option<usize> {
    let at = sentence.clone().find(|&at| prose.words[at].kind != WordKind::Mark)?;
    let rest = at + 1 + usize::from(prose.words.get(at + 1).is_some_and(|next| next.mark(",")));
    (prose.words[at].is("otherwise") && rest < sentence.end).then_some(rest)
}

/// Where the sentence begins behind `If not,`.
fn if_not(prose: &Prose<'_>, sentence: &Range<usize>) -> Option<usize> {
    let at = sentence.clone().find(|&at| prose.words[at].kind != WordKind::Mark)?;
    let [first, not, comma, _, ..] = &prose.words[at..sentence.end] else { return None };
    (first.is("if") && not.is("not") && comma.mark(",")).then_some(at + 3)
}

/// How many words `In that case,` takes, where more stands behind it.
fn in_that_case(words: &[Word]) -> Option<usize> {
    let [first, that, case, mark, ..] = words else { return None };
    let said = first.is("in") && that.any(&["that", "this", "such"]) && case.any(&["case", "cases"]);
    let behind = if mark.mark(",") || mark.mark(":") { 4 } else { 3 };
    (said && behind < words.len()).then_some(behind)
}

/// `Unless the disk is full` of `If the disk is full`, `Is it full? If not` of `Is it full?`, `Except in harbour` of `In harbour`.
pub(crate) fn negated(condition: &str) -> String {
    let (first, rest) = condition.split_once(' ').unwrap_or((condition, ""));
    match rest {
        "so" => return "If not".to_owned(),
        "not" => return "If so".to_owned(),
        _ => {}
    }
    match first.to_lowercase().as_str() {
        "if" | "when" | "whenever" | "while" => format!("Unless {rest}"),
        "unless" => format!("If {rest}"),
        "without" => format!("With {rest}"),
        "with" => format!("Without {rest}"),
        "until" => format!("Once {rest}"),
        "once" => format!("Until {rest}"),
        first @ ("in" | "on" | "at" | "during" | "under" | "inside" | "within" | "outside" | "for"
        | "after" | "before") => {
            format!("Except {first} {rest}")
        }
        _ => format!("{condition}{} If not", if condition.ends_with('?') { "" } else { ":" }),
    }
}

/// `Why do we test?`: a question that has no yes and no.
pub(crate) fn is_open(words: &[Word]) -> bool {
    const OPEN: &[&str] = &["why", "how", "which", "who", "where", "what", "whose"];
    let mut plain = words.iter().filter(|word| word.kind != WordKind::Mark);
    let Some(first) = plain.next() else { return false };
    first.any(OPEN) && !(first.is("what") && plain.next().is_some_and(|next| next.any(&["if", "about"])))
}

fn opener(words: &[Word]) -> Option<&Word> {
    words.iter().find(|word| word.kind != WordKind::Mark)
}

/// Whether a sentence opens with the case in which it holds.
fn is_conditional(words: &[Word]) -> bool {
    opener(words)
        .is_some_and(|first| first.any(&["if", "when", "whenever", "once", "after", "unless", "should"]))
}

/// `In an emergency, …`, `For each file, …`.
fn is_circumstance(words: &[Word]) -> bool {
    const LONGEST: usize = 7;
    let mut plain = words.iter().filter(|word| word.kind != WordKind::Mark);
    let opens = plain
        .next()
        .is_some_and(|first| first.any(&["in", "on", "during", "for", "under", "outside", "inside"]));
    let idle =
        plain.next().is_none_or(|second| second.any(IDLE) || second.any(&["each", "every", "this", "these"]));
    opens && !idle && words.iter().take(LONGEST).any(|word| word.mark(","))
}

/// `For late ships: …`: a circumstance in front of a colon, for all that the block orders.
fn circumstance_above(words: &[Word]) -> Option<usize> {
    const LONGEST: usize = 6;
    let first = words.iter().position(|word| word.kind != WordKind::Mark)?;
    let colon =
        words.iter().take(LONGEST + 1).position(|word| word.mark(":")).filter(|&colon| colon > first + 1)?;
    let idle = words[first + 1].any(IDLE)
        || words[first + 1].any(&["each", "every", "this", "these", "example", "more"]);
    let opens = words[first].any(&["for", "in", "on", "during", "under", "outside"]) && !idle;
    let orders = words.len() > colon + 1 && matches!(mood_of(&words[colon + 1..]).mood, Mood::Order(..));
    (opens && orders).then_some(colon)
}

/// `If that fails, …`, `Once it is done, …`: the case is one of what the sentence before did.
fn recalls(words: &[Word]) -> bool {
    let plain = words.iter().filter(|word| word.kind != WordKind::Mark);
    plain.skip(1).take(2).any(|word| {
        word.any(&[
            "that", "it", "this", "they", "these", "those", "not", "so", "none", "still", "both", "neither",
        ])
    })
}

/// `If it is green, …` behind `If the flag is red, …`: another case of the same thing.
fn stands_beside(words: &[Word], condition: &str) -> bool {
    let mut plain = words.iter().filter(|word| word.kind != WordKind::Mark).skip(1);
    let (Some(it), Some(verb)) = (plain.next(), plain.next()) else { return false };
    // `If it does NOT lie there, …` behind `If the log lies there, …`
    let act = words.iter().filter(|word| word.kind != WordKind::Mark).nth(4);
    let denied = verb.any(&["does", "do"])
        && act.is_some_and(|act| {
            let same = |word: &str| word == &*act.lower || word.strip_suffix('s') == Some(&*act.lower);
            condition.to_lowercase().split(' ').any(same)
        });
    if it.any(&["it", "they"]) && denied {
        return true;
    }
    it.any(&["it", "they", "not"]) && condition.split(' ').any(|word| word.eq_ignore_ascii_case(&verb.lower))
}

/// Whether a sentence goes on with the one before it: `Then …`, `Afterwards …`, `You must then …`, `Do not restart it`.
fn links(words: &[Word]) -> bool {
    const OPENING: &[&str] = &[
        "next",
        "afterwards",
        "afterward",
        "thereafter",
        "subsequently",
        "finally",
        "lastly",
        "instead",
        "also",
        "additionally",
    ];
    let plain = || words.iter().filter(|word| word.kind != WordKind::Mark);
    plain().take(4).any(|word| word.is("then"))
        || plain().take(2).any(|word| word.any(OPENING))
        || ends_in_instead(words)
        || points(words)
}

/// `Ask the owner to do it instead`, `Tell him to run it instead: …`: in place of what the case forbids.
fn ends_in_instead(words: &[Word]) -> bool {
    let ends = |at: usize| words.get(at + 1).is_none_or(|next| next.kind == WordKind::Mark);
    (1..words.len()).any(|at| words[at].is("instead") && ends(at))
}

/// `report the exact fault`, `tell the mate`: nothing is done in the case but to say so.
fn reports(act: &[Word]) -> bool {
    const MOST: usize = 8;
    let plain = || act.iter().filter(|word| word.kind != WordKind::Mark);
    opener(act)
        .is_some_and(|first| first.any(&["report", "tell", "inform", "notify", "say", "escalate", "surface"]))
        && plain().count() <= MOST
}

/// `Do not merge`, `Don't push`, `No request, no message`: said of the case at hand; `Never push` is said of all.
pub(super) fn is_local(words: &[Word], level: Level) -> bool {
    const LONGEST: usize = 5;
    let plain = words.iter().filter(|word| word.kind != WordKind::Mark).count();
    let without = |first: &Word| first.is("no") && plain <= LONGEST && !has_finite(words);
    level.is_prohibition() && opener(words).is_some_and(|first| first.any(&["do", "don't"]) || without(first))
}

/// `stop`, `wait for an answer`: what comes after it is still in the same case.
fn halts(act: &[Word]) -> bool {
    const MOST: usize = 4;
    let plain = || act.iter().filter(|word| word.kind != WordKind::Mark);
    // `warn and exit gracefully`
    let ends = || {
        plain().nth(1).is_some_and(|and| and.is("and"))
            && plain().nth(2).is_some_and(|act| act.any(&["exit", "stop", "abort"]))
    };
    (opener(act).is_some_and(|first| first.any(&["stop", "halt", "wait", "pause", "abort", "exit"]))
        || ends())
        && plain().count() <= MOST
}

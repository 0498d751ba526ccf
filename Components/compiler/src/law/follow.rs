//! Sentences that say nothing alone: they go on with the one before them, take something back of it, or answer it.

use std::ops::Range;

use mentci_authority::{Force, Level, OmissionReason};

use super::composed::draft_of;
use super::draft::{Asked, Book};
use super::forms::Placed;
use super::speech::clause::Clause;
use super::speech::guard::{GUARDS, NEEDED, NEEDING, needs_leave};
use super::speech::lexicon::{SUBJECTS, is_nounish, is_verb};
use super::speech::modal::bounds;
use super::speech::mood::{Mood, asks, has_finite, mood_of};
use super::speech::prose::Prose;
use super::speech::sentence::LONGEST_SENTENCE;
use super::speech::word::{Word, WordKind};
use crate::words::stem_of;

/// More words than this are a thought of their own.
const LONGEST: usize = 14;

/// `Not main.db, though.`, `Guests never.`: joined to the rule of the sentence before; false when it is no such sentence.
pub(super) fn goes_on(book: &mut Book<'_>, at: Placed<'_, '_>) -> bool {
    let Placed { prose, sentence, .. } = at;
    let words = at.words();
    let answers = book.drafts.last().is_some_and(|rule| rule.text.ends_with('?')) && deals_with(words);
    if !at.goes_on(book) || !(answers || takes_back(words) || nobody_does(words) || not_there(words)) {
        return false;
    }
    if answers {
        book.go_on(
            &prose.condensed(sentence.clone()),
            prose.span(sentence),
            prose.literals(sentence.clone()),
        );
        return true;
    }
    let text = prose.condensed(sentence.clone());
    book.bound();
    if takes_back(words) && book.drafts.last().is_some_and(|rule| says_all(&rule.text)) {
        book.excepted(&text);
    }
    book.go_on(&text, prose.span(sentence), prose.literals(sentence.clone()));
    true
}

/// `If so, tighten it.`, `Fix them.` behind `Any loose ropes?`: what to do where the answer is yes.
fn deals_with(words: &[Word]) -> bool {
    const LONGEST: usize = 4;
    let plain: Vec<&Word> = words.iter().filter(|word| word.kind != WordKind::Mark).collect();
    let [first, second, ..] = plain[..] else { return false };
    let if_so = first.is("if")
        && second.any(&["so", "yes", "not", "no", "any"])
        && words.iter().any(|word| word.mark(","));
    let mends = plain.len() <= LONGEST && second.any(&["it", "them", "those", "that"]);
    (if_so || mends) && matches!(mood_of(words).mood, Mood::Order(level, _) if !level.is_prohibition())
}

/// `fine` of `Reading is fine`.
fn predicate(text: &str) -> Option<String> {
    const LONGEST: usize = 2;
    let (_, said) = text.rsplit_once(" is ").or_else(|| text.rsplit_once(" are "))?;
    (said.split_whitespace().count() <= LONGEST).then(|| said.to_owned())
}

/// `Reading is fine. Writing is not, unless the mate agrees.`: what is not allowed beside what is.
pub(super) fn refuses_other(book: &mut Book<'_>, at: Placed<'_, '_>) -> bool {
    const FARTHEST: usize = 5;
    const BEHIND: &[&str] = &["unless", "except", "without", "outside", "in", "on", "during", "for", "even"];
    let Placed { prose, sentence, here, .. } = at;
    let words = at.words();
    let Some(predicate) = book
        .drafts
        .last()
        .filter(|last| at.goes_on(book) && last.level == Level::May)
        .and_then(|last| predicate(&last.text))
    else {
        return false;
    };
    let is = (1..words.len().min(FARTHEST)).find(|&at| words[at].any(&["is", "are", "isn't", "aren't"]));
    let Some(is) = is.filter(|_| !words[0].among(SUBJECTS)) else { return false };
    let not = is + usize::from(words[is].any(&["is", "are"]));
    let denied = not == is || words.get(not).is_some_and(|word| word.is("not"));
    let ends = words.get(not + 1).is_none_or(|next| next.kind == WordKind::Mark || next.any(BEHIND));
    if denied && ends {
        let level = if predicate == "optional" { Level::Must } else { Level::MustNot };
        let (said, rest) = (sentence.start..sentence.start + not + 1, sentence.start + not + 1..sentence.end);
        let text = format!("{} {predicate} {}", prose.condensed(said), prose.lowered(rest));
        let text = text.trim_end().replace(" , ", ", ");
        book.add(draft_of(prose, sentence.clone(), text, (level, Force::Implied), here, sentence));
    }
    denied && ends
}

/// `It isn't in long functions.`, `In production it is not.`: where what was allowed is not allowed.
fn not_there(words: &[Word]) -> bool {
    if !words.iter().any(|word| word.any(&["isn't", "aren't", "not", "never"])) {
        return false;
    }
    let plain: Vec<&Word> = words.iter().filter(|word| word.kind != WordKind::Mark).collect();
    let it = |word: &Word| word.any(&["it", "this", "that", "they", "these", "those"]);
    let denies = |rest: &[&Word]| match rest {
        [isnt] => isnt.any(&["isn't", "aren't"]),
        [is, not] => is.any(&["is", "are"]) && not.any(&["not", "never"]),
        _ => false,
    };
    if plain.len() < 4 || plain.len() > LONGEST {
        return false;
    }
    let last = plain.len() - 1;
    let behind = plain[0].any(WHERE)
        && (plain[last - 1..].first().is_some_and(|word| it(word)) && denies(&plain[last..])
            || it(plain[last - 2]) && denies(&plain[last - 1..]));
    let before = it(plain[0])
        && (plain[2].any(WHERE) && denies(&plain[1..2]) || plain[3].any(WHERE) && denies(&plain[1..3]));
    behind || before
}

/// `Not main.db, though`, `But not on Fridays`.
fn takes_back(words: &[Word]) -> bool {
    let plain = || words.iter().filter(|word| word.kind != WordKind::Mark);
    let but = usize::from(plain().next().is_some_and(|word| word.any(&["but", "just"])));
    plain().nth(but).is_some_and(|word| word.is("not"))
        && (2..=LONGEST).contains(&plain().count())
        && matches!(mood_of(words).mood, Mood::Fragment)
}

/// `Restart the service.` and then `This requires approval.`, `Only after a backup.`, `Never do it on Fridays.`: what the act of the
/// sentence before waits for. None when it is no such sentence, else whether it binds outright.
pub(crate) fn guards_act(words: &[Word]) -> Option<bool> {
    if words.len() > 2 * LONGEST {
        return None;
    }
    let parts = |word: &Word| word.mark(",") || word.mark(":") || word.mark(";") || word.mark("—");
    if words.iter().any(parts) {
        return None;
    }
    let plain: Vec<&Word> = words.iter().filter(|word| word.kind != WordKind::Mark).collect();
    if plain.len() < 2 || plain.len() > LONGEST || asks(words) {
        return None;
    }
    let binds = plain.iter().any(|word| word.any(&["never", "only", "must", "not", "always", "cannot"]));
    let guards = is_where(&plain) || says_of_it(&plain) || does_it(&plain) || names_leave(&plain);
    guards.then_some(binds)
}

/// Words that open a circumstance.
const WHERE: &[&str] = &[
    "on", "in", "with", "without", "by", "during", "for", "at", "outside", "inside", "under", "together",
    "from", "via",
];
/// Words that open one with a verb of its own.
const WHILE: &[&str] = &["after", "before", "if", "when", "once", "while", "until", "unless"];

/// `Never on production`, `Only after a backup`, `Provided that it is green`, `Never alone`, `Once a day at most`.
fn is_where(plain: &[&Word]) -> bool {
    let is = |at: usize, lowers: &[&str]| plain.get(at).is_some_and(|word| word.any(lowers));
    let provided = is(0, &["provided", "assuming"]) && is(1, &["that"]);
    let often = is(0, &["once", "twice"]) && is(1, &["a", "per", "every"]);
    let told = is(0, &["never", "only", "always"]);
    let acts = |word: &&Word| {
        is_verb(&word.lower) && !is_nounish(&word.lower) || word.any(&["may", "should", "must"])
    };
    let there = told && is(1, WHERE) && !plain[2..].iter().any(acts);
    let then = told
        && is(1, WHILE)
        && plain.len() > 2
        && !plain.iter().any(|word| word.any(&["may", "should", "must"]));
    let alone = is(0, &["never"])
        && plain[1..].iter().all(|word| super::speech::naming::is_manner(&[word.lower.as_str()]));
    provided || often || there || then || alone
}

/// `This requires approval`, `It must be approved first`, `That is only allowed on staging`.
fn says_of_it(plain: &[&Word]) -> bool {
    let is = |at: usize, lowers: &[&str]| plain.get(at).is_some_and(|word| word.any(lowers));
    let doing = usize::from(is(0, &["doing"]));
    if !is(doing, &["this", "that", "it", "so"]) || doing == 0 && is(0, &["so"]) {
        return false;
    }
    let at = doing + 1;
    let leave =
        plain[at..].iter().any(|word| word.any(GUARDS) || word.any(&["ticket", "owner", "maintainer"]));
    let needs = is(at, &["needs", "requires", "need", "require"]) && leave;
    let judged = is(at, &["is"]) && {
        let only = usize::from(is(at + 1, &["only", "strictly", "not", "never"]));
        let judges = ["allowed", "permitted", "forbidden", "prohibited", "reserved", "limited", "restricted"];
        // `It is forbidden to push` speaks of another act.
        is(at + 1 + only, &judges) && !is(at + 2 + only, &["to", "that"])
    };
    let waits = is(at, &["must", "has"])
        && plain[at..].iter().any(|word| {
            word.any(&[
                "approved",
                "reviewed",
                "confirmed",
                "authorized",
                "authorised",
                "agreed",
                "cleared",
                "announced",
            ])
        });
    let may = is(at, &["may", "can"]) && is(at + 1, &["only", "never", "not"]);
    needs || judged || waits || may
}

/// `Only admins may do this`, `Never do this on production`, `Do it only on staging`.
fn does_it(plain: &[&Word]) -> bool {
    let does =
        plain.windows(2).position(|pair| pair[0].is("do") && pair[1].any(&["this", "that", "it", "so"]));
    does.is_some_and(|does| {
        let bounds = |word: &&Word| word.any(&["never", "only", "not", "don't", "without", "unless", "must"]);
        does <= 4
            && plain.iter().any(bounds)
            && !plain.iter().take(does).any(|word| word.any(&["to", "how", "why"]))
    })
}

/// `Approval required`, `Needs a ticket`, `Ask first`.
fn names_leave(plain: &[&Word]) -> bool {
    const ASKING: &[&str] = &["ask", "confirm", "check", "announce", "request", "obtain"];
    let asks = plain[0].any(ASKING) && plain.last().is_some_and(|last| last.is("first")) && plain.len() <= 5;
    if asks {
        return true;
    }
    let words: Vec<&str> = plain.iter().map(|word| word.lower.as_str()).collect();
    // `Production deploys need approval` speaks of another act.
    let of_it = NEEDING.contains(&words[0])
        || words.len() <= 4 && words.last().is_some_and(|last| NEEDED.contains(last));
    of_it && words.len() <= 6 && needs_leave(&words)
}

/// `Files may be deleted`, `Run all tests`: what is taken back of it is an exception. `Use pnpm. Not npm.` only says it twice.
fn says_all(rule: &str) -> bool {
    const WIDE: &[&str] = &["may", "can", "all", "any", "every", "each", "everyone", "anyone", "always"];
    rule.split(' ').any(|word| WIDE.contains(&word.to_lowercase().as_str()))
}

/// `Guests never.`
fn nobody_does(words: &[Word]) -> bool {
    let last = words.iter().rev().find(|word| word.kind != WordKind::Mark);
    if !last.is_some_and(|last| last.is("never")) {
        return false;
    }
    let plain: Vec<&Word> = words.iter().filter(|word| word.kind != WordKind::Mark).collect();
    let Some((last, subject)) = plain.split_last() else { return false };
    let named = subject.len() <= 3 && subject.first().is_some_and(|word| word.capital);
    last.is("never") && named && !words.iter().any(|word| word.mark(":")) && !asks(words)
}

/// `Nothing else.`, `Nothing more.`
pub(crate) fn nothing_else(words: &[Word]) -> bool {
    let mut plain = words.iter().filter(|word| word.kind != WordKind::Mark);
    matches!((plain.next(), plain.next(), plain.next()), (Some(nothing), Some(more), None) if nothing.is("nothing") && more.any(&["else", "more", "further"]))
}

/// `Do not call any other tool. release-notes is the next step.`: what comes in the place of what is forbidden.
pub(crate) fn names_next(words: &[Word]) -> bool {
    const STEPS: &[&str] =
        &["step", "skill", "tool", "command", "way", "place", "source", "option", "path", "action", "one"];
    let at = words.iter().take(6).position(|word| word.is("is")).filter(|&at| at > 0);
    at.is_some_and(|at| {
        let is = |offset: usize, lowers: &[&str]| words.get(at + offset).is_some_and(|word| word.any(lowers));
        is(1, &["the", "your"]) && is(2, &["next", "only", "right", "correct", "sole"]) && is(3, STEPS)
    })
}

/// `Files may be deleted`, when the next sentence takes something back: a rule all the same.
pub(crate) fn permit_taken_back(prose: &Prose<'_>, sentence: &Range<usize>, found: &mut [Clause]) {
    let next = &prose.words[sentence.end..prose.words.len().min(sentence.end + LONGEST_SENTENCE)];
    let end = next.iter().position(|word| word.mark(".") && word.depth == 0).unwrap_or(next.len());
    let except = next.first().is_some_and(|word| word.is("except"));
    if next.is_empty() || !(takes_back(&next[..end]) || except) {
        return;
    }
    let permits =
        |clause: &&mut Clause| prose.words[clause.words.clone()].iter().any(|word| word.any(&["may", "can"]));
    if let Some(clause) = found.iter_mut().find(permits)
        && !matches!(clause.mood, Mood::Order(..) | Mood::Question)
    {
        clause.mood = Mood::Order(Level::Must, Force::Explicit);
    }
}

/// `Temp files are fine` after `Never delete files`: an exception to it, because it speaks of the same.
pub(crate) fn permits_some(prose: &Prose<'_>, sentence: &Range<usize>, rule: &str) -> Option<Range<usize>> {
    const FINE: &[&str] = &["fine", "ok", "okay", "allowed", "acceptable", "permitted"];
    let words = &prose.words[sentence.clone()];
    let verb = words.iter().take(7).position(|word| word.any(&["is", "are"]))?;
    let fine = words.get(verb + 1).is_some_and(|word| word.any(FINE));
    let subject = &words[..verb];
    let shares = |word: &Word| {
        word.kind == WordKind::Plain
            && word.lower.len() > 3
            && rule
                .to_lowercase()
                .split(|c: char| !c.is_alphanumeric())
                .any(|of| stem_of(of) == stem_of(&word.lower))
    };
    let names = subject.iter().any(shares) && !subject.iter().any(|word| word.any(&["no", "not", "only"]));
    // `She is allowed to row` says nothing of sailing.
    let other = words.get(verb + 2).is_some_and(|to| to.is("to")) && !words.get(verb + 3).is_some_and(shares);
    (verb > 0 && fine && names && !other && !asks(words)).then(|| sentence.clone())
}

/// `However, small boats may sail` right behind `Do not sail`: what it sets against the ban is taken out of it.
pub(crate) fn permits_against(prose: &Prose<'_>, sentence: &Range<usize>) -> Option<Range<usize>> {
    const AGAINST: &[&str] = &["however", "yet", "but", "still"];
    const FARTHEST: usize = 8;
    let first = sentence.clone().find(|&at| prose.words[at].kind != WordKind::Mark)?;
    let start = (first + 1..sentence.end).find(|&at| prose.words[at].kind != WordKind::Mark)?;
    let rest = &prose.words[start..sentence.end];
    let modal = rest.iter().take(FARTHEST).position(|word| word.any(&["may", "can"]))?;
    let permits = modal > 0
        && rest.get(modal + 1).is_some_and(|next| next.is("be") || is_verb(&next.lower))
        && !rest.iter().any(|word| word.any(&["not", "never", "only"]));
    (prose.words[first].any(AGAINST) && permits && !asks(rest)).then_some(start..sentence.end)
}

/// `Can I push to main? Never.`: the level of a question with its answer.
pub(crate) fn answered(question: &[Word], answer: &[Word]) -> Option<Level> {
    const ASKED: &[&str] = &["can", "may", "could", "should", "shall", "must", "do", "is", "are", "am"];
    const US: &[&str] = &["i", "we", "you", "agents", "agent", "it"];
    let (question, answer) = (without_letter(question), without_letter(answer));
    let opens = question.iter().find(|word| word.kind != WordKind::Mark)?;
    if names_act(question) {
        let binds = bounds(answer) || is_always(answer);
        return if agrees(answer)? { binds.then_some(Level::Must) } else { Some(Level::MustNot) };
    }
    if let Some(level) = bounded_by(question, answer) {
        return Some(level);
    }
    let of_us = || question.iter().take(6).any(|word| word.any(US));
    let has = |lowers: &[&str]| question.iter().any(|word| word.any(lowers));
    // `Is rowing alone allowed?`
    let of_leave = || opens.any(&["is", "are"]) && has(&["allowed", "permitted", "acceptable", "okay"]);
    if !(asks(question) && opens.any(ASKED) && (of_us() || of_leave())) {
        return None;
    }
    let duty = has(&["must", "need", "have", "required", "necessary", "mandatory"]);
    let permission =
        has(&["can", "may", "could", "ok", "okay", "fine", "allowed", "acceptable", "permitted"]);
    let agrees = agrees(answer)?;
    match (agrees, has(&["should", "shall"])) {
        (true, true) => Some(Level::Should),
        (false, true) if hedges(answer) => Some(Level::ShouldNot),
        (false, true) => Some(Level::MustNot),
        (true, _) if duty => Some(Level::Must),
        (false, _) if duty => Some(Level::May),
        (true, _) if permission => Some(if bounds(answer) { Level::Must } else { Level::May }),
        (false, _) if permission && hedges(answer) => Some(Level::ShouldNot),
        (false, _) if permission => Some(Level::MustNot),
        // `Do we sail on Friday? No.`
        (false, _) if opens.is("do") && question.iter().take(4).any(|word| word.is("we")) => {
            Some(Level::MustNot)
        }
        _ => None,
    }
}

/// `Who may steer? Only pilots.`, `Who can sign? Nobody.`: who alone may do it.
fn bounded_by(question: &[Word], answer: &[Word]) -> Option<Level> {
    let [who, may, ..] = question else { return None };
    let asked =
        who.any(&["who", "when", "where"]) && may.any(&["may", "can", "should", "must"]) && asks(question);
    let said = answer.iter().find(|word| word.kind != WordKind::Mark).filter(|_| asked)?;
    match said.lower.as_str() {
        "only" => Some(Level::Must),
        "nobody" | "none" | "never" | "nowhere" => Some(Level::MustNot),
        _ => None,
    }
}

/// `Q: May I row alone?`, and then `A: No.`: the question is no rule, and with its answer it is one. False for an answer that
/// says what it says by itself.
pub(super) fn asked_by_letter(book: &mut Book<'_>, at: Placed<'_, '_>) -> bool {
    let Placed { prose, sentence, here, .. } = at;
    let words = &prose.words[sentence.clone()];
    let said = without_letter(words);
    if said.len() == words.len() {
        return false;
    }
    let span = prose.span(sentence);
    if asks(words) {
        book.omit(span, OmissionReason::Description);
        book.asked = Some(Asked { words: said.to_vec(), text: prose.condensed(sentence.clone()), span });
        return true;
    }
    let Some(asked) = book.asked.take() else { return false };
    let Some(level) = answered(&asked.words, said) else { return false };
    let text = format!("{} {}", asked.text, prose.condensed(sentence.clone()));
    let mut draft = draft_of(prose, sentence.clone(), text, (level, Force::Explicit), here, sentence);
    draft.spans.push(asked.span);
    book.add(draft);
    true
}

/// Without the `Q:` or `A:` in front of it.
fn without_letter(words: &[Word]) -> &[Word] {
    let start = words.iter().position(|word| word.lower.chars().any(char::is_alphanumeric));
    match start {
        Some(at)
            if words[at].any(&["q", "a", "question", "answer"])
                && words.get(at + 1).is_some_and(|next| next.mark(":")) =>
        {
            &words[at + 2..]
        }
        _ => words,
    }
}

/// `No in most cases`, `Usually not`: an answer that leaves some room.
fn hedges(answer: &[Word]) -> bool {
    const HEDGES: &[&str] =
        &["most", "usually", "generally", "typically", "normally", "rarely", "ideally", "seldom", "almost"];
    answer.iter().take(6).any(|word| word.any(HEDGES))
}

/// `Skip the hooks?`, `Force-push to main?`: an act, asked for by its name.
pub(crate) fn names_act(question: &[Word]) -> bool {
    const LONGEST: usize = 8;
    let asks = question.last().is_some_and(|word| word.mark("?"));
    if !asks {
        return false;
    }
    let plain: Vec<&Word> = question.iter().filter(|word| word.kind != WordKind::Mark).collect();
    let Some(first) = plain.first().filter(|first| first.kind == WordKind::Plain) else { return false };
    let verb = is_verb(&first.lower) || first.lower.rsplit('-').next().is_some_and(is_verb);
    let aux = first
        .any(&["do", "is", "are", "can", "may", "need", "must", "should", "have", "has", "will", "does"]);
    // `Mocks? No.`, `Secrets in logs? Never.`
    let things = first.capital
        && plain.len() <= 4
        && first.lower.len() > 3
        && first.lower.ends_with('s')
        && !first.lower.ends_with("ss")
        && !first.any(&["questions", "problems", "issues", "errors", "changes", "this", "others", "results"])
        && !has_finite(question);
    (verb || things)
        && !aux
        && plain.len() <= LONGEST
        && !question.iter().any(|word| word.mark(",") || word.mark(":"))
}

fn is_always(answer: &[Word]) -> bool {
    answer.iter().find(|word| word.kind != WordKind::Mark).is_some_and(|word| word.is("always"))
}

/// `Same violation.`, `Also forbidden.`, `Still a breach.`
fn blames(plain: &[&Word]) -> bool {
    const WRONG: &[&str] = &[
        "violation",
        "offence",
        "offense",
        "breach",
        "mistake",
        "forbidden",
        "prohibited",
        "banned",
        "disallowed",
        "failure",
    ];
    const LIKE: &[&str] = &["same", "also", "still", "equally", "just", "as", "the", "a", "that's", "it's"];
    plain.len() <= 4
        && plain
            .split_last()
            .is_some_and(|(last, before)| last.any(WRONG) && before.iter().all(|word| word.any(LIKE)))
}

/// Whether an answer says yes, or no; none when it is no answer.
fn agrees(answer: &[Word]) -> Option<bool> {
    const GOING_ON: &[&str] =
        &["in", "for", "if", "when", "unless", "except", "without", "until", "but", "because", "since"];
    let plain: Vec<&Word> = answer.iter().filter(|word| word.kind != WordKind::Mark).collect();
    let first = plain.first()?;
    if blames(&plain) || matches!(plain[..], [think, again] if think.is("think") && again.is("again")) {
        return Some(false);
    }
    let ends = answer
        .iter()
        .position(|word| word.kind != WordKind::Mark)
        .is_some_and(|at| answer.get(at + 1).is_none_or(|next| next.kind == WordKind::Mark));
    let stressed = first.any(&["absolutely", "definitely", "certainly", "of", "under", "surely", "not"]);
    if stressed && plain.len() <= 4 {
        return Some(!plain.iter().any(|word| word.any(&["not", "no"])));
    }
    // `No in most cases`, `Yes if it is signed`.
    let ends = ends || plain.get(1).is_some_and(|next| next.any(GOING_ON));
    match first.lower.as_str() {
        "usually" | "generally" | "typically" | "normally" | "ideally" | "almost"
            if plain.get(1).is_some_and(|next| next.any(&["not", "no", "never"])) =>
        {
            Some(false)
        }
        "rarely" | "seldom" => Some(false),
        "no" | "never" | "nope" | "don't" if ends => Some(false),
        "no" if plain.len() == 2 && plain[1].any(&["way", "chance"]) => Some(false),
        "do" if plain.len() == 2 && plain[1].is("not") => Some(false),
        "yes" | "always" | "sure" | "yep" if ends => Some(true),
        "only" if plain.len() > 1 => Some(true),
        _ => None,
    }
}

//! What stands before the first colon of a sentence.

use std::ops::Range;

use mentci_authority::{Force, Level};

use super::befalling::befalls;
use super::label_value::{binds_topic, bounds_topic, measured, yields_to_user};
use super::lexicon::{CONDITIONS, DETERMINERS, is_nounish, is_verb};
use super::mood::{IMPERATIVE, Mood, mood_of};
use super::phrase::level_of;
use super::prose::Prose;
use super::refusal::refusal;
use super::sentence::{is_cross, is_verdict};
use super::word::{Word, WordKind};

/// What stands before the first colon of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Label {
    /// Nothing special.
    Plain,
    /// `Note:`: the rest is the sentence.
    Dropped,
    /// `Color:`: what the rest is about.
    Topic,
    /// `Example:`.
    Example,
    /// `Why:`.
    Telling,
    /// `Not allowed:`, `Recommended:`: the force of the rest.
    Force(Level),
}

/// Labels that are a force, beside the phrases that are one wherever they stand.
const FORCES: &[(&str, Level)] = &[
    ("success criteria", Level::Must),
    ("success criterion", Level::Must),
    ("acceptance criteria", Level::Must),
    ("acceptance criterion", Level::Must),
    ("exit criteria", Level::Must),
    ("done when", Level::Must),
    ("complete when", Level::Must),
    ("finished when", Level::Must),
    ("desired end state", Level::Must),
    ("desired state", Level::Must),
    ("desired outcome", Level::Must),
    ("end state", Level::Must),
    ("out of scope", Level::MustNot),
    ("cannot", Level::MustNot),
    ("can't", Level::MustNot),
    ("can not", Level::MustNot),
    ("prohibitions", Level::MustNot),
    ("prohibition", Level::MustNot),
    ("thou shalt not", Level::MustNot),
    ("what not to do", Level::MustNot),
    ("things to avoid", Level::ShouldNot),
    ("at no time", Level::MustNot),
    ("in no case", Level::MustNot),
    ("on no account", Level::MustNot),
    ("under no circumstances", Level::MustNot),
    ("by no means", Level::MustNot),
    ("hard ban", Level::MustNot),
    ("hard bans", Level::MustNot),
    ("anti-pattern", Level::MustNot),
    ("antipattern", Level::MustNot),
    ("wrong approach", Level::MustNot),
    ("wrong way", Level::MustNot),
    ("mistake", Level::MustNot),
    ("common mistake", Level::MustNot),
    ("temptation", Level::MustNot),
    ("rejected", Level::MustNot),
    ("rejected alternative", Level::MustNot),
    ("rejected alternatives", Level::MustNot),
    ("acceptable", Level::May),
    ("appropriate", Level::May),
    ("inappropriate", Level::MustNot),
    ("sometimes", Level::May),
    ("rarely", Level::ShouldNot),
    ("last resort", Level::ShouldNot),
    ("completion criteria", Level::Must),
    ("completion criterion", Level::Must),
    ("definition of done", Level::Must),
    ("not worth testing", Level::ShouldNot),
    ("not worth it", Level::ShouldNot),
    ("does not include", Level::MustNot),
];

/// Labels that are the force of a bare name: `Do: small PRs`.
const NAMED: &[(&str, Level)] = &[
    ("do", Level::Must),
    ("always", Level::Must),
    ("must", Level::Must),
    ("required", Level::Must),
    ("requires", Level::Must),
    ("requirement", Level::Must),
    ("requirements", Level::Must),
    ("prerequisite", Level::Must),
    ("prerequisites", Level::Must),
    ("prereq", Level::Must),
    ("prereqs", Level::Must),
    ("constraint", Level::Must),
    ("constraints", Level::Must),
    ("rule", Level::Must),
    ("should", Level::Should),
    ("may", Level::May),
    ("can", Level::May),
    ("optional", Level::May),
];

/// Labels that say by themselves what a mark in front of them says.
const SPOKEN: &[&str] =
    &["always", "always do", "do", "must", "never", "never do", "don't", "ask first", "required"];

const DROPPED: &[&str] = &[
    "violation",
    "note",
    "important",
    "core principle",
    "key principle",
    "principle",
    "context",
    "tip",
    "remember",
    "rule",
    "caution",
    "warning",
    "critical",
    "reminder",
    "key",
    "key point",
    "the rule",
    "golden rule",
    "bottom line",
    "in practice",
    "in short",
    "key insight",
    "but",
    "summary",
    "tl;dr",
    "fix",
    "do",
    "instead",
    "solution",
    "action",
];
const EXAMPLES: &[&str] = &[
    "example",
    "examples",
    "e.g",
    "for example",
    "for instance",
    "good",
    "bad",
    "wrong",
    "right",
    "correct",
    "incorrect",
    "sample",
    "input",
    "usage",
    "before",
    "after",
    "good example",
    "bad example",
    "yes",
    "like this",
];
/// `User: Delete the logs`: what somebody says shows how it goes.
const ASKING: &[&str] = &["user", "human", "customer"];
const TELLING: &[&str] = &[
    "why",
    "reason",
    "rationale",
    "because",
    "result",
    "this reveals",
    "purpose",
    "use case",
    "scenario",
    "why this matters",
    "why it matters",
    "expected",
    "background",
    "capabilities",
    "this means",
    "problem",
    "symptom",
    "symptoms",
    "cause",
    "benefit",
    "benefits",
    "impact",
    "why order matters",
    "risk",
    "risks",
    "excuse",
    "myth",
    "old rule",
    "former rule",
    "output",
    "returns",
];

/// Labels in front of what is only pointed at, or told, unless it orders.
const POINTING: &[&str] = &[
    "trigger",
    "reference",
    "references",
    "related",
    "cross-link",
    "issue",
    "strengths",
    "weaknesses",
    "limitations",
    "pros",
    "cons",
    "version",
    "license",
    "author",
    "last updated",
    "repository",
    "documentation",
    "docs",
    "github",
    "paper",
    "website",
    "homepage",
    "when to use",
];

/// `**name** (required)`: a bracket that says nothing else.
pub(crate) fn is_required(label: &[Word]) -> bool {
    let coded = label.iter().any(|word| word.kind == WordKind::Code);
    let mut inner = label.iter().filter(|word| word.depth > 0 && word.kind != WordKind::Mark);
    let required = inner.next().is_some_and(|word| word.any(&["required", "mandatory"]));
    required && !coded && inner.next().is_none()
}

/// `Optional picture to start from` behind `Source image:`, which is a thing, also where its name may be a verb.
pub(crate) fn tells_optional(body: &[Word]) -> bool {
    matches!(body, [first, thing, ..] if first.is("optional") && thing.kind == WordKind::Plain)
}

pub(crate) fn label(prose: &Prose<'_>, sentence: Range<usize>) -> (Label, Range<usize>) {
    let words = &prose.words[sentence.clone()];
    if let Some(skip) = admonition(words) {
        return (Label::Dropped, sentence.start + skip..sentence.end);
    }
    if let Some((named, behind)) = tagged(words) {
        return (named, sentence.start + behind..sentence.end);
    }
    if let Some(behind) = named_in_brackets(words) {
        return (Label::Topic, sentence.start + behind..sentence.end);
    }
    let Some(colon) = first_colon(words).filter(|&at| at > 0 && at + 1 < words.len()) else {
        return (Label::Plain, sentence);
    };
    let name: Vec<&Word> = words[..colon]
        .iter()
        .filter(|word| {
            word.kind != WordKind::Mark && word.depth == 0 && word.lower.chars().any(char::is_alphanumeric)
        })
        .collect();
    let name: Vec<&str> = name
        .iter()
        .map(|word| word.lower.as_str())
        .skip_while(|word| word.chars().all(|c| c.is_ascii_digit()))
        .collect();
    let text = name.join(" ");
    let body = sentence.start + colon + 1..sentence.end;
    let is = |names: &[&str]| names.contains(&text.as_str());
    let marked = words[..colon].iter().any(|word| matches!(word.lower.as_str(), "❌" | "✅" | "✗" | "✓"));
    // `✅ Limits: Name the files that may change`: the tick orders what it stands at.
    if marked && !is(SPOKEN) && !is(EXAMPLES) && ticked(&words[..colon]) && acts(&words[colon + 1..]) {
        return (Label::Topic, body);
    }
    // `✅ Use plain ropes only: hemp, flax`: an order, and what completes it.
    if ticked(words) && !is(SPOKEN) && orders_in_front(&words[1..colon]) {
        return (Label::Plain, sentence);
    }
    // `Push rejected: pull first`: what befell is the case.
    let befell = name.len() > 1 && befalls(&name.join(" "));
    // `Required fields: Which of them stop the form?`: what is asked, and no force.
    let asked = text.starts_with("required ") && super::mood::asks(&words[colon + 1..]);
    let gate = matches!(name[..], ["gate"] | ["stage" | "hard" | "exit" | "quality", "gate"]);
    // `Yes: send the form`: what to do where that is the answer.
    if asked || (befell || gate || text == "yes") && acts(&words[colon + 1..]) {
        return (Label::Topic, body);
    }
    if marked && !is(SPOKEN) || is(EXAMPLES) || is(ASKING) && !is_charged(&words[colon + 1..]) {
        return (Label::Example, body);
    }
    let named = || matches!(mood_of(&prose.words[body.clone()]).mood, Mood::Fragment);
    if names_lack(&name) && matches!(mood_of(&prose.words[body.clone()]).mood, Mood::Order(..)) {
        return (Label::Topic, body);
    }
    if let Some(level) = forced(prose, &words[..colon], (&name, &text), &body) {
        return (Label::Force(level), body);
    }
    // `MAY: invite guests` permits what it would order alone.
    let eased = |level: Level| {
        let mood = mood_of(&prose.words[body.clone()]).mood;
        level == Level::May && matches!(mood, Mood::Order(level, Force::Implied) if !level.is_prohibition())
    };
    if let Some((_, level)) = NAMED.iter().find(|(name, level)| *name == text && (eased(*level) || named())) {
        // `Constraint: no ropes on deck`.
        let denies =
            *level == Level::Must && prose.words[body.clone()].first().is_some_and(|first| first.is("no"));
        return (Label::Force(if denies { Level::MustNot } else { *level }), body);
    }
    let orders_behind = || matches!(mood_of(&prose.words[body.clone()]).mood, Mood::Order(..));
    if is(POINTING) && !orders_behind() {
        return (Label::Telling, body);
    }
    if says_when(&name) && !orders_behind() {
        return (Label::Force(Level::Must), body);
    }
    if is(DROPPED) {
        return (Label::Dropped, body);
    }
    // `Output: Write the log to the hold`: what is made is ordered.
    if is(&["output", "result"]) && makes(&words[colon + 1..]) {
        return (Label::Topic, body);
    }
    if is(TELLING) || text.starts_with("why ") {
        return (Label::Telling, body);
    }
    let verb = words
        .iter()
        .find(|word| word.kind == WordKind::Plain)
        .is_some_and(|word| is_verb(&word.lower) && !is_nounish(&word.lower))
        || (colon == 1 && is_verb(&words[0].lower) && words[2].kind != WordKind::Plain);
    // `Cover: errors, tests`.
    let covers = colon == 1 && words[0].any(&["cover", "check", "handle", "watch", "track"]);
    let orders = !tells_optional(&words[colon + 1..])
        && (verb
            || covers
            || matches!(mood_of(&words[..colon]).mood, Mood::Order(..))
            || words[0].among(CONDITIONS));
    if !orders && let Some(level) = measured(&words[..colon], &words[colon + 1..]) {
        return (Label::Force(level), body);
    }
    let (topic, said) = (&words[..colon], &words[colon + 1..]);
    if !orders && (bounds_topic(said) || yields_to_user(said) || binds_topic(topic, said)) {
        return (Label::Force(Level::Must), body);
    }
    if orders || outside_brackets(&words[..colon]) > 6 {
        (Label::Plain, sentence)
    } else {
        (Label::Topic, body)
    }
}

/// `Create a chart`, `Save the log`: a verb at the head of a sentence, and what it is done to.
fn makes(body: &[Word]) -> bool {
    let plain: Vec<&Word> =
        body.iter().filter(|word| !matches!(word.lower.as_str(), "*" | "**" | "_")).collect();
    let [act, object, ..] = plain[..] else { return false };
    act.capital && is_verb(&act.lower) && object.among(DETERMINERS) && mood_of(body).mood == IMPERATIVE
}

/// `User: must approve each deploy`: what somebody has to do, and nothing that was said.
fn is_charged(body: &[Word]) -> bool {
    body.first().is_some_and(|first| {
        first.any(&["must", "should", "shall", "may", "can", "cannot", "always", "never"]) && !first.capital
    })
}

/// The force of a label that says it: `Not allowed:`, `Allowed types:`, `The report goes in:`.
fn forced(
    prose: &Prose<'_>,
    label: &[Word],
    (name, text): (&[&str], &str),
    body: &Range<usize>,
) -> Option<Level> {
    let said = &prose.words[body.clone()];
    let bracketed = label
        .iter()
        .any(|word| word.depth > 0 && word.any(&["forbidden", "prohibited", "banned", "disallowed"]));
    if let Some((_, level)) = FORCES.iter().find(|(name, _)| *name == text) {
        return Some(*level);
    }
    // `Opt-in lamps: `--lamps` lights them`.
    if name.first() == Some(&"opt-in") && name.len() <= 3 {
        return Some(Level::May);
    }
    // `must`, `should` and `never` alone are no names of what stands behind them.
    let alone = [
        "must",
        "must not",
        "must never",
        "shall",
        "shall not",
        "should",
        "should not",
        "may",
        "never",
        "do not",
        "don't",
        "avoid",
        "always",
        "required",
        "mandatory",
        "optional",
        "deprecated",
    ];
    let whole = level_of(text).filter(|_| !alone.contains(&text));
    if let Some(level) = whole.or(bracketed.then_some(Level::MustNot)) {
        return Some(level);
    }
    if let Some(level) = refusal(text).or_else(|| able(name)) {
        return Some(level);
    }
    // `Step 3 (optional): Add a second lamp`.
    let optional = label.iter().any(|word| word.depth > 0 && word.is("optional"))
        && label.iter().filter(|word| word.depth > 0 && word.kind != WordKind::Mark).count() == 1;
    let coded = || label.iter().any(|word| word.kind == WordKind::Code);
    if optional
        && !coded()
        && matches!(mood_of(said).mood, Mood::Order(level, Force::Implied) if !level.is_prohibition())
    {
        return Some(Level::May);
    }
    if gives(name, said) {
        return Some(Level::Must);
    }
    let mood = mood_of(said).mood;
    if is_required(label) && mood != Mood::Question {
        return Some(Level::Must);
    }
    if mood == Mood::Fragment {
        if closes_set(name) {
            return Some(Level::Must);
        }
        if let Some(level) = recommended_for(name) {
            return Some(level);
        }
    }
    if names_place(name, said) {
        return Some(Level::Must);
    }
    points_to_file(prose, body).then_some(Level::Should)
}

/// `The agent cannot: …`, `Things you can do: …`: who may and who may not.
fn able(name: &[&str]) -> Option<Level> {
    const LONGEST: usize = 6;
    let (modal, before) = match name {
        [before @ .., modal, "do" | "touch" | "use"] | [before @ .., modal] => (*modal, before),
        [] => return None,
    };
    let who = before.iter().any(|word| matches!(*word, "you" | "agent" | "agents" | "claude" | "subagents"));
    if !who || name.len() > LONGEST {
        return None;
    }
    match modal {
        "cannot" | "can't" | "mustn't" => Some(Level::MustNot),
        "not" if before.last().is_some_and(|word| matches!(*word, "must" | "may" | "can" | "should")) => {
            Some(Level::MustNot)
        }
        "can" | "may" => Some(Level::May),
        _ => None,
    }
}

/// `Message: "No berth is free"`, `Watch 1 output: a list of lights`: what is said or handed over.
fn gives(name: &[&str], body: &[Word]) -> bool {
    let quoted = matches!(body, [quote, ..] if quote.kind == WordKind::Quote);
    let message = matches!(
        name,
        ["message" | "warning"]
            | ["error" | "warning" | "user" | "failure" | "success", "message"]
            | ["suggested", "action"]
    );
    message && quoted || hands_over(name) && !matches!(mood_of(body).mood, Mood::Order(..))
}

/// `Phase 1 output`, `Step 2 deliverable`: what a part of the work ends in.
fn hands_over(name: &[&str]) -> bool {
    const PARTS: &[&str] = &["phase", "step", "stage", "pass", "round", "task", "wave", "iteration"];
    const ENDS: &[&str] = &["output", "outputs", "deliverable", "deliverables", "result", "exit", "artifact"];
    let numbered = name.iter().any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    matches!(name, [part, .., end] if PARTS.contains(part) && ENDS.contains(end)) && numbered
}

/// `No berth given: ask for one`, `No lights found: wait`: the case that something is not there.
fn names_lack(name: &[&str]) -> bool {
    const LONGEST: usize = 6;
    const THERE: &[&str] =
        &["found", "given", "set", "known", "available", "present", "there", "yet", "left", "running"];
    let [no, .., last] = name else { return false };
    *no == "no" && (3..=LONGEST).contains(&name.len()) && (last.ends_with("ed") || THERE.contains(last))
}

/// `All signals: [guide/signals.md](guide/signals.md)`: where to read on, and no more.
fn points_to_file(prose: &Prose<'_>, body: &Range<usize>) -> bool {
    let mut plain = prose.words[body.clone()].iter().filter(|word| word.kind != WordKind::Mark);
    let (Some(only), None) = (plain.next(), plain.next()) else { return false };
    prose.text.links().iter().any(|(range, to)| {
        range.start <= only.range.start
            && only.range.end <= range.end
            && !to.contains("://")
            && to.contains(['/', '.'])
    })
}

/// `` The report goes in: `reports/` ``: where something is put.
fn names_place(name: &[&str], body: &[Word]) -> bool {
    const PUT: &[&str] = &["go", "goes", "saved", "stored", "written", "kept", "belongs"];
    let puts = matches!(name, [_, .., put, there] if PUT.contains(put) && matches!(*there, "in" | "to" | "into" | "under" | "at"));
    puts && body.first().is_some_and(|word| word.kind == WordKind::Code)
}

/// `Recommended for long voyages: two pilots`.
fn recommended_for(name: &[&str]) -> Option<Level> {
    const LONGEST: usize = 6;
    let [force, "for", _, ..] = name else { return None };
    let level = match *force {
        "recommended" | "preferred" => Level::Should,
        "required" | "mandatory" => Level::Must,
        "optional" => Level::May,
        _ => return None,
    };
    (name.len() <= LONGEST).then_some(level)
}

/// `Allowed types: feat, fix`, `Valid scopes: api`: these, and no others.
fn closes_set(name: &[&str]) -> bool {
    matches!(name, ["allowed" | "valid" | "accepted" | "permitted", .., last] if last.ends_with('s'))
        && name.len() <= 4
}

/// `When to archive: for closed cases`: when something is done. `When to use` tells when to open the text.
fn says_when(name: &[&str]) -> bool {
    const OPENING: &[&str] =
        &["use", "apply", "invoke", "trigger", "activate", "load", "read", "choose", "skip", "avoid", "not"];
    matches!(name, ["when", "to", verb, ..] if is_verb(verb) && !OPENING.contains(verb))
}

/// `✅ Specific: "Fix the parser test"` among mistakes: what the tick stands at is what helps.
pub(crate) fn names_remedy(words: &[Word]) -> bool {
    let Some(colon) = first_colon(words).filter(|&at| at > 1 && at + 1 < words.len()) else { return false };
    let name: Vec<&str> = words[1..colon]
        .iter()
        .filter(|word| word.kind != WordKind::Mark)
        .map(|word| word.lower.as_str())
        .collect();
    ticked(words) && !name.is_empty() && !EXAMPLES.contains(&name.join(" ").as_str())
}

/// `Use plain ropes only`: words that order by themselves, and no name such as `Review notes`.
fn orders_in_front(words: &[Word]) -> bool {
    words.len() > 1
        && words
            .first()
            .is_some_and(|first| is_verb(&first.lower) && (words.len() > 2 || !is_nounish(&first.lower)))
        && matches!(mood_of(words).mood, Mood::Order(level, _) if !level.is_prohibition())
}

fn ticked(words: &[Word]) -> bool {
    words.first().is_some_and(|word| is_verdict(word) && !is_cross(word))
}

/// Whether what stands behind a label orders, and shows no sample.
fn acts(body: &[Word]) -> bool {
    let shown = |word: &Word| {
        matches!(word.kind, WordKind::Code | WordKind::Quote) || word.mark("\"") || word.mark("“")
    };
    body.first().is_some_and(|word| !shown(word)) && matches!(mood_of(body).mood, Mood::Order(..))
}

/// The first colon, when at most eight words outside brackets stand before it.
fn first_colon(words: &[Word]) -> Option<usize> {
    words.iter().position(|word| word.mark(":")).filter(|&at| outside_brackets(&words[..at]) <= 8)
}

fn outside_brackets(words: &[Word]) -> usize {
    words
        .iter()
        .filter(|word| word.depth == 0 && !matches!(word.lower.as_str(), "(" | ")" | "[" | "]"))
        .count()
}

/// `[Barges] Pump the hold`: a name in brackets in front of an order, and where that begins.
fn named_in_brackets(words: &[Word]) -> Option<usize> {
    const LONGEST: usize = 4;
    let open = words.first().filter(|first| first.lower == "[" && first.depth == 0)?;
    let close =
        words.iter().take(LONGEST + 2).position(|word| word.lower == "]" && word.depth == open.depth)?;
    let named = words[1..close].iter().any(|word| word.kind == WordKind::Plain);
    let behind = words.get(close + 1)?;
    (named && behind.spaced && behind.kind == WordKind::Plain && acts(&words[close + 1..]))
        .then_some(close + 1)
}

/// `[MUST NOT] Row alone`, `(required) Add a title`, `(Critical) Do not sing`: a force in brackets in front, and where the rest begins.
fn tagged(words: &[Word]) -> Option<(Label, usize)> {
    const LONGEST: usize = 4;
    let open = words
        .iter()
        .take(3)
        .position(|word| word.kind != WordKind::Mark || matches!(word.lower.as_str(), "(" | "["))?;
    if !matches!(words[open].lower.as_str(), "(" | "[") {
        return None;
    }
    let close =
        words.iter().take(open + LONGEST + 1).position(|word| matches!(word.lower.as_str(), ")" | "]"))?;
    let inner: Vec<&str> = words.get(open + 1..close)?.iter().map(|word| word.lower.as_str()).collect();
    let named = match inner[..] {
        ["must", "not" | "never"]
        | ["never" | "forbidden" | "prohibited" | "banned"]
        | ["not", "allowed"] => Label::Force(Level::MustNot),
        ["must" | "required" | "mandatory" | "always"] => Label::Force(Level::Must),
        ["should" | "recommended" | "preferred"] => Label::Force(Level::Should),
        ["should", "not"] | ["avoid" | "discouraged"] => Label::Force(Level::ShouldNot),
        ["may" | "optional" | "optionally"] => Label::Force(Level::May),
        ["critical" | "important" | "high" | "medium" | "low" | "blocker" | "major" | "minor"] => {
            Label::Dropped
        }
        _ => return None,
    };
    let behind = words.get(close + 1)?;
    (behind.kind != WordKind::Mark).then_some((named, close + 1))
}

/// `**Warning** Never …`, `:::warning`, `!!! danger`: a word that only heads what comes, and how many words it takes.
fn admonition(words: &[Word]) -> Option<usize> {
    const NAMES: &[&str] = &[
        "warning",
        "note",
        "important",
        "caution",
        "danger",
        "tip",
        "info",
        "attention",
        "hint",
        "critical",
        "notice",
        "alert",
    ];
    let at = words.iter().position(|word| word.lower.chars().any(char::is_alphanumeric))?;
    let fences = words[..at].iter().filter(|word| word.lower == ":").count() > 2;
    let marked = fences || words[..at].iter().any(|word| word.lower == "!");
    let named = words[at].any(NAMES) && (words[at].shouted || marked);
    let next = words.get(at + 1)?;
    // `CRITICAL STEP: …` is a name.
    let names_on = next.shouted && words.get(at + 2).is_some_and(|third| third.mark(":"));
    (named && !names_on && (next.capital || next.kind == WordKind::Code)).then_some(at + 1)
}

/// `Announce progress: "Half of it is done"`: a label that says, and nothing behind it but what is said.
pub(crate) fn says_under_label(
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    body: &Range<usize>,
    shows_example: bool,
) -> bool {
    const SAYING: &[&str] = &[
        "ask", "say", "tell", "report", "announce", "output", "print", "show", "display", "reply", "respond",
        "prompt", "confirm", "state", "write",
    ];
    const LONGEST: usize = 5;
    let said = &prose.words[body.clone()];
    let shows = prose.words[sentence.start].any(&["display", "show", "print", "announce"]);
    if shows && sentence.start + 2 == body.start && !shows_example {
        // `Display: the score, each fault, and the remedies`.
        return said.iter().any(|word| word.mark(",")) && mood_of(said).mood == Mood::Fragment;
    }
    let quote = prose.words[body.clone()].iter().find(|word| word.kind != WordKind::Mark);
    if quote.is_none_or(|word| word.kind != WordKind::Quote) || shows_example {
        return false;
    }
    let said = prose.words[body.clone()].iter().filter(|word| word.kind != WordKind::Mark).count();
    let mut label = prose.words[sentence.start..body.start].iter().filter(|word| word.kind != WordKind::Mark);
    let first = label.next().is_some_and(|word| word.any(SAYING));
    first && said == 1 && label.count() < LONGEST
}

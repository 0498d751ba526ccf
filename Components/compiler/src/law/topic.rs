//! The heading in front of a line that points at it: `Never restart it by hand` under `Database`, `The limit must be 5` under `Uploads`.
//! Without it such a line says nothing alone, and the same words under two headings would be one rule.

use std::collections::BTreeMap;

use mentci_reader::markdown::RichText;

use super::draft::{Book, Draft, Heading};
use super::setting::Setting;
use super::speech::lexicon::{is_role, is_verb};
use super::speech::number::Numbered;
use super::speech::prose::Prose;
use super::speech::sentence::is_verdict;
use super::speech::stance::Stance;
use super::speech::thing::{names_thing, points};
use super::speech::word::{Word, WordKind};
use super::steps::named_step;
use super::trigger::is_trigger;

/// Nouns of things that something else has: `the limit`, `the default port`.
const HAD: &[&str] = &[
    "address",
    "budget",
    "capacity",
    "deadline",
    "defaults",
    "delay",
    "endpoint",
    "expiry",
    "format",
    "frequency",
    "height",
    "host",
    "hostname",
    "id",
    "interval",
    "label",
    "length",
    "level",
    "limit",
    "limits",
    "maximum",
    "minimum",
    "mode",
    "name",
    "number",
    "order",
    "owner",
    "owners",
    "password",
    "period",
    "port",
    "ports",
    "prefix",
    "priority",
    "quota",
    "rate",
    "region",
    "retention",
    "schema",
    "size",
    "suffix",
    "threshold",
    "timeout",
    "title",
    "ttl",
    "type",
    "value",
    "values",
    "version",
    "width",
];

/// Behind such a noun, these say whose it is.
const OWNING: &[&str] = &[
    "of", "for", "in", "on", "from", "to", "that", "which", "above", "below", "given", "used", "shown",
    "within", "at", "inside",
];

/// The topic that a line needs in front, where its sentence opens its block or names what something else has.
pub(crate) fn needed(book: &Book<'_>, words: &[Word], opens: bool, here: &Setting) -> Option<String> {
    let free = here.step.is_none()
        && here.parent.is_none()
        && here.lead.as_ref().is_none_or(|lead| lead.text.is_empty());
    if free && is_bare_force(words) {
        let heading = &book.headings[here.heading?].text;
        return Some(heading.trim_end_matches([':', '.', ' ']).to_owned());
    }
    if let Some(step) = here.heading.filter(|_| here.lead.is_none() && skips_itself(words) || is_gate(words))
    {
        return Some(book.headings[step].text.trim_end_matches([':', '.', ' ']).to_owned());
    }
    if let Some(trouble) =
        here.heading.filter(|_| free && !names_trouble(words)).and_then(|at| trouble_of(&book.headings[at]))
    {
        return Some(trouble);
    }
    // `Recommendation: the first choice by night` under `### Diesel`
    let recommends = matches!(words, [kind, colon, ..] if kind.is("recommendation") && colon.mark(":"));
    if let Some(thing) = here.heading.filter(|_| recommends).and_then(|at| topic(&book.headings[at])) {
        return Some(thing);
    }
    if let Some(when) = ended_when(book, here) {
        return Some(when);
    }
    if let Some(role) = here.heading.and_then(|heading| role_of(&book.headings[heading])) {
        return Some(role);
    }
    if let Some(tool) =
        here.heading.filter(|_| says_when(words)).and_then(|heading| tool_of(&book.headings[heading]))
    {
        return Some(tool);
    }
    // `Use this workflow when the owner asks` under `## Workflow: Deep dive`
    let this = |heading: usize| uses_this(words, &book.headings[heading]);
    let whole = free && here.conditions.is_empty();
    if let Some(heading) = here.heading.filter(|&heading| whole && this(heading)) {
        return Some(book.headings[heading].text.trim_end_matches([':', '.', ' ']).to_owned());
    }
    // `Only use if the ship carries one` under `Appendix: lead lines`: whatever it is, its name says more than none.
    let only = opens && free && words.first().is_some_and(|only| only.is("only")) && lacks_subject(words);
    if let Some(heading) =
        here.heading.map(|heading| &book.headings[heading]).filter(|heading| only && heading.depth > 1)
    {
        return Some(heading.text.trim_end_matches([':', '.', ' ']).to_owned());
    }
    let lacks = opens && whole && (lacks_subject(words) || lacks_object(words));
    let points = opens && free && points(words) || here.step.is_none() && names_what_is_had(words);
    let heading = &book.headings[here.heading.filter(|_| points || lacks)?];
    // `Use only for long tows` under `When to use` is about the skill itself.
    let named = topic(heading).filter(|_| !is_trigger(&heading.text));
    named.or_else(|| field_of(heading).filter(|_| lacks))
}

/// `### Description` as the subject of `Cannot be empty`: there it names a field, and is not what stands below.
fn field_of(heading: &Heading) -> Option<String> {
    const RULES: &[&str] = &[
        "rules",
        "requirements",
        "guidelines",
        "constraints",
        "validation",
        "checklist",
        "notes",
        "standards",
        "conventions",
        "principles",
        "practices",
        "criteria",
        "patterns",
        "steps",
        "process",
        "important",
    ];
    const LONGEST: usize = 3;
    let tells = matches!(heading.own, Stance::Neutral | Stance::Describe);
    let lower = heading.text.to_lowercase();
    let words: Vec<&str> = lower.split(' ').collect();
    let name = heading.text.trim_start_matches(|c: char| !c.is_alphabetic());
    let plain = name.chars().all(|c| c.is_alphabetic() || c == ' ');
    (tells && plain && heading.depth > 2 && words.len() <= LONGEST && !RULES.contains(words.last()?))
        .then(|| name.to_owned())
}

/// `Only use when the wind is fair`, ``Requires `deck = true` in the plan``, `Cannot be empty`: of what, the heading says.
fn lacks_subject(words: &[Word]) -> bool {
    const MODALS: &[&str] = &["must", "cannot", "can't", "should", "shall", "may"];
    const BEING: &[&str] =
        &["be", "have", "contain", "match", "start", "end", "begin", "equal", "fit", "exceed", "consist"];
    let words = &words[words.iter().take_while(|word| is_verdict(word)).count()..];
    match words {
        [modal, not, be, ..] if modal.any(MODALS) && not.any(&["not", "never", "always"]) => be.any(BEING),
        [modal, be, ..] if modal.any(MODALS) => be.any(BEING),
        [only, act, when, ..] if only.is("only") => {
            act.any(&["use", "used", "apply", "applies", "run"])
                && when.any(&["if", "when", "for", "in", "where"])
        }
        // `Is strict with itself` under `Pilot agent`
        [is, ..] if is.capital && is.any(&["is", "are", "has"]) => {
            !words.iter().any(|word| word.lower == "?")
        }
        // `Execute only when the log exists`
        [act, only, when, ..]
            if only.is("only") && act.any(&["execute", "run", "perform", "apply", "do"]) =>
        {
            when.any(&["if", "when", "after", "once"])
        }
        [needs, thing, ..] => needs.any(&["requires", "needs"]) && thing.kind != WordKind::Mark,
        _ => false,
    }
}

/// `Collect:`, `Use for long trips`, `Run before each trip`: what is collected for, used or run, the heading says.
fn lacks_object(words: &[Word]) -> bool {
    match words {
        [verb, colon] if colon.mark(":") => {
            verb.kind == WordKind::Plain && verb.capital && is_verb(&verb.lower)
        }
        [act, when, ..] => {
            act.any(&["use", "used", "run", "apply", "invoke", "execute", "perform"])
                && when.any(&["for", "before", "after", "when", "if", "once", "on", "at", "only"])
        }
        _ => false,
    }
}

/// `## Error handling`, `## On failure`: in which case alone the orders below are due.
fn trouble_of(heading: &Heading) -> Option<String> {
    const TROUBLES: &[&str] = &["error", "errors", "failure", "failures"];
    const OF_THEM: &[&str] = &["handling", "recovery", "response", "on", "upon", "and", "&"];
    let text = heading.text.trim_end_matches([':', '.', ' ']);
    let lower = text.to_lowercase();
    let mut words = lower.split(' ');
    let named = words.clone().any(|word| TROUBLES.contains(&word)) && words.clone().count() > 1;
    let bare = words.all(|word| TROUBLES.contains(&word) || OF_THEM.contains(&word));
    (named && bare && heading.depth > 1).then(|| text.to_owned())
}

/// Whether an order says itself in which case it is due: `If it fails, stop`, `Report missing charts`, `Never swallow errors`.
fn names_trouble(words: &[Word]) -> bool {
    const CASES: &[&str] = &[
        "if", "when", "whenever", "on", "unless", "once", "after", "never", "always", "not", "don't", "no",
        "any", "every", "each", "must", "for",
    ];
    const TROUBLES: &[&str] = &[
        "errors",
        "fail",
        "missing",
        "invalid",
        "unavailable",
        "exception",
        "timeout",
        "retry",
        "retries",
        "crash",
        "conflict",
    ];
    words.iter().any(|word| {
        word.any(CASES)
            || word.mark(":")
            || word.mark("→")
            || word.mark("—")
            || TROUBLES.iter().any(|cue| word.lower.contains(cue))
    })
}

/// `## Done when`: what stands below ends it, and says nothing without it.
pub(super) fn ended_when(book: &Book<'_>, here: &Setting) -> Option<String> {
    const LONGEST: usize = 4;
    let free = here.step.is_none() && here.parent.is_none() && here.lead.is_none();
    let heading = &book.headings[here.heading.filter(|_| free)?].text;
    let text = heading.trim_end_matches([':', '.', ' ']);
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(' ').collect();
    let ends = matches!(words[..], [.., "done" | "complete" | "finished" | "ready" | "over", "when"]);
    (ends && words.len() <= LONGEST).then(|| text.to_owned())
}

/// `Use when: the user wants a picture`, `When to write: for long trips`.
fn says_when(words: &[Word]) -> bool {
    match words {
        [act, when, colon, _, ..] if colon.mark(":") => {
            act.any(&["use", "used"]) && when.any(&["when", "for", "if"])
        }
        [when, to, act, colon, _, ..] if colon.mark(":") => {
            when.is("when") && to.is("to") && is_verb(&act.lower)
        }
        _ => false,
    }
}

/// `Use this workflow when …`, below a heading that names one.
fn uses_this(words: &[Word], heading: &Heading) -> bool {
    const KINDS: &[&str] =
        &["workflow", "mode", "flow", "approach", "pattern", "strategy", "path", "technique"];
    let [act, this, kind, when, ..] = words else { return false };
    act.any(&["use", "choose", "prefer", "apply"])
        && this.is("this")
        && kind.any(KINDS)
        && when.any(&["when", "if", "for", "only"])
        && heading.depth > 1
        && named_step(&heading.text).is_none()
}

/// `### Crane`: what is used then.
fn tool_of(heading: &Heading) -> Option<String> {
    const LONGEST: usize = 5;
    const SHALLOWEST: u8 = 3;
    let said = Numbered::of(&heading.text).map_or(heading.text.as_str(), |numbered| numbered.said).trim();
    let named = (1..=LONGEST).contains(&said.split_whitespace().count());
    (named && heading.depth >= SHALLOWEST && !is_trigger(said)).then(|| said.to_owned())
}

/// `### Reviewer`: whom the rules under it bind.
fn role_of(heading: &Heading) -> Option<String> {
    const LONGEST: usize = 2;
    let lower = heading.text.to_lowercase();
    let mut words = lower.split(' ');
    // `Owners` is about them.
    let one = |word: &str| is_role(word) && !word.ends_with('s');
    let role = words.clone().count() <= LONGEST && words.next_back().is_some_and(one);
    // The title names who reads it all.
    (role && heading.depth > 1).then(|| heading.text.clone())
}

/// `MANDATORY.`, `Never skip.`, `Do not skip this step.`: a force, and what it is the force of stands in the heading alone.
fn is_bare_force(words: &[Word]) -> bool {
    const LONGEST: usize = 6;
    const FORCES: &[&str] =
        &["mandatory", "required", "optional", "non-negotiable", "skip", "skipped", "bypass"];
    const EMPTY: &[&str] = &[
        "never",
        "do",
        "don't",
        "not",
        "this",
        "is",
        "it",
        "step",
        "phase",
        "check",
        "always",
        "must",
        "be",
        "ever",
        "strictly",
        "absolutely",
        "completely",
        "a",
        "an",
        "entirely",
        "purely",
        "fully",
    ];
    if words.len() > LONGEST + 2 || !words.iter().any(|word| word.any(FORCES)) {
        return false;
    }
    let mut plain = words.iter().filter(|word| word.kind != WordKind::Mark);
    plain.all(|word| word.any(FORCES) || word.any(EMPTY))
}

/// `Skip this step if the ship lies in the dock`: which one, the heading says.
fn skips_itself(words: &[Word]) -> bool {
    const PARTS: &[&str] = &["step", "phase", "stage", "gate", "section", "check"];
    let plain: Vec<&Word> = words.iter().filter(|word| word.kind != WordKind::Mark).collect();
    matches!(plain[..], [skip, this, part, ..] if skip.any(&["skip", "omit"]) && this.is("this") && part.any(PARTS))
}

/// `GATE: all tests fail`, `Stage gate: the log exists`: of which stage, the heading says.
fn is_gate(words: &[Word]) -> bool {
    const LONGEST: usize = 2;
    let colon = words.iter().take(LONGEST + 1).position(|word| word.mark(":"));
    colon.is_some_and(|colon| colon > 0 && words[colon - 1].is("gate"))
}

/// The topic that a bare bound needs in front: `Maximum allowed: 8`, `Limit: 5`.
pub(crate) fn of_bound(book: &Book<'_>, label: &[Word], here: &Setting) -> Option<String> {
    const BOUNDS: &[&str] = &[
        "max",
        "maximum",
        "min",
        "minimum",
        "limit",
        "allowed",
        "threshold",
        "target",
        "default",
        "upper",
        "lower",
        "hard",
        "soft",
        "format",
        "naming",
    ];
    let mut plain = label.iter().filter(|word| word.kind != WordKind::Mark);
    let bare = plain.next().is_some_and(|word| word.any(BOUNDS)) && plain.all(|word| word.any(BOUNDS));
    topic(&book.headings[here.heading.filter(|_| bare)?])
}

/// `The limit must be 5`, `Use the default port`, and not `the port of the database`.
fn names_what_is_had(words: &[Word]) -> bool {
    (0..words.len()).filter(|&at| words[at].is("the")).any(|at| {
        let noun = words[at + 1..].iter().take(3).position(|word| word.any(HAD));
        let Some(noun) = noun.map(|offset| at + 1 + offset) else { return false };
        let plain = words[at + 1..noun].iter().all(|word| {
            word.kind == WordKind::Plain
                && word.any(&[
                    "default", "maximum", "minimum", "upper", "lower", "usual", "standard", "max", "min",
                    "own", "full", "exact", "new", "old", "same",
                ])
        });
        let owned = words.get(noun + 1).is_some_and(|next| {
            next.any(OWNING)
                || next.any(HAD)
                || next.lower == "("
                || next.kind == WordKind::Code
                || next.kind == WordKind::Quote
                || next.kind == WordKind::Plain && !ends_phrase(next)
        });
        plain && !owned && !words[..at].iter().any(names)
    })
}

/// What may follow a noun and is no part of its name.
fn ends_phrase(word: &Word) -> bool {
    word.any(&[
        "must", "should", "may", "shall", "is", "are", "has", "can", "cannot", "never", "always", "and",
        "or", "by", "if", "when", "unless", "before", "after", "without", "only", "with", "as", "until",
        "stays", "needs",
    ])
}

/// A word that may be the owner: a name, a code, a noun with a capital.
fn names(word: &Word) -> bool {
    matches!(word.kind, WordKind::Code | WordKind::Quote)
        || word.any(&["its", "their", "this", "each", "every"])
}

/// A heading as a topic: a short name of a thing.
fn topic(heading: &Heading) -> Option<String> {
    let text = heading.text.trim_end_matches([':', '.', ' ']);
    let tells = matches!(heading.own, Stance::Neutral | Stance::Order | Stance::Advise);
    if !tells
        || heading.depth < 2
        || heading.condition.is_some()
        || heading.refuses.is_some()
        || heading.heals()
    {
        return None;
    }
    let rich = RichText::plain(text, heading.span);
    let marked =
        text.contains(['?', ':', '(', '"', '—', '!']) || text.starts_with(|c: char| c.is_ascii_digit());
    (!marked && names_thing(&Prose::new(&rich).words)).then(|| text.to_owned())
}

/// `Retry up to 3 times` under `Uploads`, and again under `Queue`: what each is about stands in its heading alone.
pub(crate) fn tell_apart(drafts: &mut [Draft], headings: &[Heading]) {
    let mut alike: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, draft) in drafts.iter().enumerate() {
        let bare = leaves_out_its_object(&draft.text) || bounds_alone(&draft.text);
        if draft.step.is_none() && draft.completions == 0 && bare && draft.heading.is_some() {
            alike.entry(frame(&draft.text)).or_default().push(at);
        }
    }
    for places in alike.values().filter(|places| places.len() > 1) {
        let topics: Vec<Option<String>> = places
            .iter()
            .map(|&at| drafts[at].heading.and_then(|heading| topic(&headings[heading])))
            .collect();
        let differ = topics.iter().all(Option::is_some) && topics.windows(2).any(|pair| pair[0] != pair[1]);
        for (&at, topic) in places.iter().zip(topics).filter(|_| differ) {
            let Some(topic) = topic else { continue };
            drafts[at].text = format!("{topic}: {}", drafts[at].text);
            drafts[at].terse = drafts[at].terse.take().map(|terse| format!("{topic}: {terse}"));
        }
    }
}

/// A rule in small letters, with a mark for each of its numbers.
fn frame(text: &str) -> String {
    let mut frame = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '0'..='9' if frame.ends_with('#') => {}
            '0'..='9' => frame.push('#'),
            _ => frame.extend(c.to_lowercase()),
        }
    }
    frame
}

/// `Max 280 signs`, `At least 3 casts`: a bound, and not of what.
fn bounds_alone(text: &str) -> bool {
    const BOUNDS: &[&[&str]] = &[
        &["max"],
        &["maximum"],
        &["min"],
        &["minimum"],
        &["at", "least"],
        &["at", "most"],
        &["up", "to"],
        &["no", "more", "than"],
        &["about"],
        &["roughly"],
    ];
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(' ').collect();
    let counts = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    BOUNDS.iter().any(|bound| words.starts_with(bound) && words.get(bound.len()).is_some_and(counts))
}

/// `Soundings (3-5 casts)` above what is cast for: how much of it is done stands in the heading alone.
pub(crate) fn count_under(drafts: &mut [Draft], headings: &[Heading]) {
    let mut told = None;
    for draft in drafts {
        let Some(heading) = draft.heading.filter(|_| draft.heading != told) else { continue };
        told = Some(heading);
        let Heading { text, span, .. } = &headings[heading];
        let counted = text.rsplit_once(" (").is_some_and(|(name, count)| !name.is_empty() && is_count(count));
        if !counted || draft.level.is_prohibition() || draft.text.contains(text.as_str()) {
            continue;
        }
        draft.text = format!("{text}: {}", draft.text);
        draft.terse = draft.terse.take().map(|terse| format!("{text}: {terse}"));
        draft.spans.push(*span);
    }
}

/// `3-5 casts)`, `max 30 minutes)`: a number, and of what.
fn is_count(bracket: &str) -> bool {
    const BOUNDS: &[&str] =
        &["max", "maximum", "min", "minimum", "about", "under", "~", "up", "to", "at", "least", "most"];
    const LONGEST: usize = 4;
    let Some(inner) = bracket.strip_suffix(')') else { return false };
    let words: Vec<&str> = inner.split(' ').skip_while(|word| BOUNDS.contains(word)).collect();
    let [number, named @ ..] = &words[..] else { return false };
    let counts = number.starts_with(|c: char| c.is_ascii_digit())
        && number.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '–' | '+'));
    counts
        && (1..LONGEST).contains(&named.len())
        && named.iter().all(|word| word.starts_with(char::is_lowercase))
        && named.last().is_some_and(|last| last.ends_with('s'))
}

/// `Retry up to 3 times`, `Run before every commit`, `Never restart on Fridays`.
fn leaves_out_its_object(text: &str) -> bool {
    const BEHIND: &[&str] = &[
        "up", "at", "before", "after", "on", "by", "with", "without", "until", "when", "if", "once", "every",
        "daily", "twice", "only", "no", "per", "within", "during", "while", "again", "first", "for", "in",
    ];
    const BEFORE: &[&str] =
        &["never", "always", "do", "not", "don't", "please", "only", "you", "must", "should", "may"];
    let lower = text.to_lowercase();
    let mut words = lower.split(' ').skip_while(|word| BEFORE.contains(word));
    let verb = words.next().is_some_and(is_verb);
    verb && words.next().is_none_or(|next| BEHIND.contains(&next))
}

//! A draft that is composed of a clause: its topic, its label and its conditions in front of it, its exceptions apart.

use std::ops::Range;

use mentci_authority::{EntryKind, Force, Level};
use mentci_source::Span;

use super::caption::label_of;
use super::chain::in_one;
use super::draft::{Book, Draft};
use super::reference::sends_to;
use super::setting::Setting;
use super::speech::apart;
use super::speech::befalling::befalls;
use super::speech::clause::Clause;
use super::speech::condense::tidy;
use super::speech::mood::{Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::word::{Word, WordKind};
use super::topic;
use super::wording::order_in_front;

/// A clause with what it leaves to what stands before it: an order that it adds to, or the topic of its heading.
pub(super) fn with_topic(
    book: &Book<'_>,
    prose: &Prose<'_>,
    (sentence, clause): (&Range<usize>, &Clause),
    text: String,
    (alone, opens): (bool, bool),
    here: &Setting,
) -> String {
    let order = if alone { order_in_front(book, prose, sentence, here) } else { None };
    if let Some(order) = order {
        return format!("{order}, {}", prose.lowered(clause.words.clone()));
    }
    match topic::needed(book, &prose.words[clause.words.clone()], opens, here) {
        Some(topic) => under_name(&topic, &text),
        None => text,
    }
}

/// `Offer: no summary` of the name and `no summary`, unless it stands in front already.
pub(super) fn under_name(name: &str, text: &str) -> String {
    if text.starts_with(name) { text.to_owned() } else { format!("{name}: {text}") }
}

/// `If it is red: stop` of the case and `otherwise, stop` or `stop`.
pub(super) fn under_case(case: &str, text: &str) -> String {
    let bare = ["otherwise", "else"].iter().find_map(|cue| text.strip_prefix(cue));
    let bare = bare.filter(|rest| rest.starts_with([',', ' '])).unwrap_or(text);
    format!("{case}: {}", bare.trim_start_matches([',', ' ']))
}

/// `**stale** — the cache is old, never show it`: a clause behind the first one with the label in front of that, where it needs it;
/// `**Key missing**: ask; do not guess`: of what befell, each clause does.
pub(super) fn with_label(
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    text: String,
    level: Level,
    (at, ordered): (usize, bool),
) -> String {
    let label = if at > 0 { label_of(prose, sentence) } else { None };
    let short = |label: &str| label.split_whitespace().count() <= 2;
    let needs = |label: &String| {
        !text.contains(label.as_str())
            && (!ordered || short(label) && level.is_prohibition() || befalls(label))
    };
    match label.filter(needs) {
        Some(label) => format!("{label}: {text}"),
        None => text,
    }
}

/// What holds from above, and what a clause says itself.
pub(super) fn both(above: Option<String>, own: Option<String>) -> Option<String> {
    match (above, own) {
        (Some(above), Some(own)) => Some(in_one(&[above, own])),
        (above, own) => above.or(own),
    }
}

/// A draft of these words; the setting's conditions go in front.
pub(crate) fn draft_of(
    prose: &Prose<'_>,
    words: Range<usize>,
    text: String,
    (level, force): (Level, Force),
    here: &Setting,
    sentence: &Range<usize>,
) -> Draft {
    let mut spans = vec![prose.span(&words)];
    let (text, condition) = if is_apart(&prose.words[sentence.clone()], here) {
        (text, None)
    } else {
        with_conditions(text, here, &mut spans)
    };
    let kind = if here.step.is_some() { EntryKind::Procedure } else { EntryKind::Norm };
    let (mut text, mut terse, mut literals) = (text, terse(prose, &words), prose.literals(words.clone()));
    if let Some(address) = sends_to(prose, &words) {
        text = format!("{text} ({address})");
        terse = terse.map(|terse| format!("{terse} ({address})"));
        literals.push(address.to_owned());
    }
    Draft {
        level,
        force,
        kind,
        terse,
        text,
        condition,
        exceptions: exceptions(prose, &words),
        literals,
        original: prose.verbatim(sentence.clone()),
        step: here.step.clone(),
        spans,
        heading: here.heading,
        completions: 0,
        goes_on_in: None,
        is_of_fence: false,
    }
}

/// A draft of a text that is no sentence of the source, such as a row or a command; the setting's conditions go in front.
pub(super) fn whole_draft(
    text: String,
    (level, force): (Level, Force),
    literals: Vec<String>,
    mut spans: Vec<Span>,
    here: &Setting,
) -> Draft {
    let (text, condition) = with_conditions(text, here, &mut spans);
    Draft {
        level,
        force,
        kind: EntryKind::Norm,
        terse: None,
        condition,
        exceptions: Vec::new(),
        literals,
        original: text.clone(),
        text,
        step: None,
        spans,
        heading: here.heading,
        completions: 0,
        goes_on_in: None,
        is_of_fence: false,
    }
}

/// Whether a sentence stands under a condition that is not its own.
fn is_apart(sentence: &[Word], here: &Setting) -> bool {
    here.conditions.iter().any(|(condition, _)| apart::is_apart(sentence, condition))
}

/// The conditions of the setting go in front, the outermost first.
pub(crate) fn with_conditions(
    text: String,
    here: &Setting,
    spans: &mut Vec<Span>,
) -> (String, Option<String>) {
    if here.conditions.is_empty() {
        return (text, None);
    }
    spans.extend(here.conditions.iter().map(|(_, span)| *span));
    let mut conditions: Vec<String> =
        here.conditions.iter().map(|(condition, _)| plainly(&tidy(condition))).collect();
    conditions.dedup();
    let condition = in_one(&conditions);
    let mark = if condition.ends_with('?') { "" } else { ":" };
    let text = if text.starts_with(&condition) { text } else { format!("{condition}{mark} {text}") };
    (text, Some(condition))
}

/// A condition without a bracket that only gives samples: it stands before each line under it.
fn plainly(condition: &str) -> String {
    const CARRY: &[&str] =
        &["not", "no", "never", "only", "except", "unless", "if", "when", "without", "or", "and"];
    let bracket = condition.find(" (").and_then(|open| Some((open, open + condition[open..].find(')')?)));
    let Some((open, close)) = bracket else { return condition.to_owned() };
    let inner = condition[open + 2..close].to_lowercase();
    let literal = inner.contains(|c: char| c.is_ascii_digit() || "_/.<>={}#`\"(".contains(c));
    let carries = inner.split(|c: char| !c.is_alphanumeric()).any(|word| CARRY.contains(&word));
    if literal || carries || inner.split_whitespace().count() < 3 {
        return condition.to_owned();
    }
    format!("{}{}", &condition[..open], &condition[close + 1..])
}

/// `unless …`, `except …` as they stand.
fn exceptions(prose: &Prose<'_>, words: &Range<usize>) -> Vec<String> {
    let slice = &prose.words[words.clone()];
    let forbids = slice.iter().take(3).any(|word| word.any(&["never", "don't", "not", "no"]));
    let starts = slice
        .iter()
        .position(|word| word.any(&["unless", "except", "excluding"]) || (forbids && word.is("without")));
    let comma = || slice.iter().position(|word| word.mark(",") || word.mark(":")).filter(|&comma| comma > 1);
    let comma = starts.filter(|&at| at == 0).and_then(|_| comma());
    // `… (except by day)`: no further than its bracket.
    let closes = starts.filter(|&at| slice[at].depth > 0).and_then(|at| {
        slice[at..].iter().position(|word| word.depth < slice[at].depth).map(|closed| at + closed)
    });
    let end = comma.or(closes).map_or(words.end, |end| words.start + end);
    starts.map(|at| prose.condensed(words.start + at..end)).into_iter().collect()
}

/// Whether what stands behind a dash says what its norm is about: `spacing, colours — everything must line up`, `one at a time — if
/// it needs more, split it`.
fn says_on(rest: &[Word]) -> bool {
    const OPENING: &[&str] =
        &["everything", "all", "each", "every", "both", "nothing", "none", "if", "when", "until"];
    let opens = rest.iter().find(|word| word.kind != WordKind::Mark).is_some_and(|word| word.any(OPENING));
    opens || matches!(mood_of(rest).mood, Mood::Order(..))
}

/// Without brackets and what a dash adds, when that is shorter.
fn terse(prose: &Prose<'_>, words: &Range<usize>) -> Option<String> {
    let slice = &prose.words[words.clone()];
    let has_literal = |words: &[Word]| {
        words.iter().any(|word| {
            word.kind == WordKind::Code || word.any(&["unless", "except", "only", "not", "never"])
        })
    };
    let cut = slice
        .iter()
        .position(|word| word.mark("—") || word.mark(";"))
        .filter(|&at| at > 3 && !has_literal(&slice[at..]) && !says_on(&slice[at + 1..]))?;
    Some(prose.condensed(words.start..words.start + cut))
}

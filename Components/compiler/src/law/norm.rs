//! From a sentence to norms: clauses that order become drafts, all else is omitted with its reason.

use std::ops::Range;

use mentci_authority::{EntryKind, Force, Level, OmissionReason};
use mentci_source::Span;

use super::clause::{Clause, clauses};
use super::condense::tidy;
use super::draft::{Book, Draft};
use super::label::{Label, label};
use super::lexicon::is_verb;
use super::mood::{Mood, asks, mood_of};
use super::prose::Prose;
use super::setting::Setting;
use super::stance::Stance;
use super::word::{Word, WordKind};

/// Reads one sentence of running text.
pub(crate) fn read_sentence(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: Range<usize>,
    here: &Setting,
    before: usize,
) {
    let permitted =
        book.drafts.len() > before && book.drafts.last().is_some_and(|last| last.level.is_prohibition());
    let exempt = exempts(prose, &sentence).or_else(|| permits(prose, &sentence).filter(|_| permitted));
    if let Some(exempt) = exempt
        && book.except(
            &prose.condensed(exempt),
            prose.span(&sentence),
            prose.literals(sentence.clone()),
            here,
        )
    {
        return;
    }
    let (label, body) = label(prose, sentence.clone());
    match label {
        Label::Example => return book.omit(prose.span(&sentence), OmissionReason::Example),
        Label::Telling => return book.omit(prose.span(&sentence), OmissionReason::Rationale),
        Label::Plain | Label::Dropped | Label::Topic | Label::Force(_) => {}
    }
    let words = &prose.words;
    let all = &words[sentence.clone()];
    let mut found = clauses(words, body.clone());
    let fresh = book.drafts.len() > before;
    if let Label::Force(level) = label {
        let own = found.iter().any(|clause| matches!(clause.mood, Mood::Order(_, Force::Explicit)));
        if !own {
            let text = prose.condensed(sentence.clone());
            let draft = draft_of(prose, sentence.clone(), text, (level, Force::Implied), here, &sentence);
            book.add(draft);
            return;
        }
    }
    if label == Label::Topic {
        topic(&mut found, &sentence, all, fresh);
    }
    if fresh && found.len() == 1 && book.drafts.last().is_some_and(|last| !last.level.is_prohibition()) {
        let short = all.iter().filter(|word| word.kind != WordKind::Mark).count() <= 4;
        if found[0].mood == Mood::Question || (found[0].mood == Mood::Fragment && short) {
            let at = book.drafts.len() - 1;
            return book.complete(
                at,
                &prose.condensed(sentence.clone()),
                prose.span(&sentence),
                prose.literals(sentence),
            );
        }
    }
    let halts = fresh
        && book.drafts.last().is_some_and(|last| last.text.ends_with("STOP") || last.text.ends_with("Stop"));
    if halts && found.len() == 1 && matches!(found[0].mood, Mood::Order(level, _) if !level.is_prohibition())
    {
        return book.go_on(&clause_text(prose, &found, 0), prose.span(&sentence), prose.literals(sentence));
    }
    write_clauses(book, prose, &sentence, &found, here);
}

/// A sentence that only exempts from the rule before it: `Exception: …`, `This does not apply to …`, `Except for …`.
fn exempts(prose: &Prose<'_>, sentence: &Range<usize>) -> Option<Range<usize>> {
    let words = &prose.words[sentence.clone()];
    let is = |at: usize, lowers: &[&str]| words.get(at).is_some_and(|word| word.any(lowers));
    let labelled = is(0, &["exception", "exceptions"]) && words.get(1).is_some_and(|word| word.mark(":"));
    let not_applying = is(0, &["this", "it", "that"])
        && (is(1, &["doesn't"]) && is(2, &["apply"])
            || is(1, &["does"]) && is(2, &["not"]) && is(3, &["apply"]));
    let named =
        is(0, &["the", "only"]) && (is(1, &["exception"]) || is(1, &["only"]) && is(2, &["exception"]));
    let except =
        is(0, &["except"]) && !(mood_of(words).main > 0 && matches!(mood_of(words).mood, Mood::Order(..)));
    let to = words.iter().position(|word| word.is("to")).filter(|_| not_applying).map_or(0, |at| at + 1);
    let skip = if labelled { 2 } else { to.max(usize::from(except)) };
    (labelled || not_applying || named || except).then_some(sentence.start + skip..sentence.end)
}

/// `It is fine in tests` after a prohibition: an exception to it.
fn permits(prose: &Prose<'_>, sentence: &Range<usize>) -> Option<Range<usize>> {
    let words = &prose.words[sentence.clone()];
    let is = |at: usize, lowers: &[&str]| words.get(at).is_some_and(|word| word.any(lowers));
    let subject = usize::from(is(0, &["it's", "that's", "they're"]))
        + 2 * usize::from(is(0, &["it", "this", "that", "they", "these"]) && is(1, &["is", "are"]));
    let fine = is(subject, &["fine", "ok", "okay", "allowed", "acceptable", "permitted"]);
    let narrowed = is(
        subject + 1,
        &["in", "for", "when", "if", "during", "inside", "within", "on", "only", "while", "with", "under"],
    );
    (subject > 0 && fine && narrowed).then_some(sentence.start + subject..sentence.end)
}

/// A sentence `Topic: …`: the topic goes into its norm; a question or a name after it is what to check or to give.
fn topic(found: &mut [Clause], sentence: &Range<usize>, all: &[Word], fresh: bool) {
    if let Some(first) = found.first_mut() {
        first.words.start = sentence.start;
        let check = first.mood == Mood::Question && asks(all);
        if check || (fresh && !matches!(first.mood, Mood::Order(..))) {
            first.mood = Mood::Order(Level::Must, Force::Implied);
        }
    }
}

/// Turns clauses into norms and omissions.
pub(crate) fn write_clauses(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    found: &[Clause],
    here: &Setting,
) {
    let leading = found
        .first()
        .and_then(|clause| clause.condition.clone())
        .or_else(|| told_condition(prose, found.first()));
    for (at, clause) in found.iter().enumerate() {
        let Mood::Order(level, force) = clause.mood else {
            let reason = if at == 0 && found.len() == 1 {
                OmissionReason::Description
            } else {
                OmissionReason::Rationale
            };
            book.omit(prose.span(&clause.words), reason);
            continue;
        };
        let level = advised(level, force, here.section);
        let mut text = clause_text(prose, found, at);
        let mut condition = clause.condition.clone().map(|words| prose.condensed(words));
        if clause.condition.is_none()
            && at > 0
            && let Some(leading) = &leading
        {
            let words = prose.condensed(leading.clone());
            text = format!("{words}: {text}");
            condition = Some(words);
        }
        if level.is_prohibition()
            && condition.is_none()
            && at == 0
            && clause.words.len() <= 4
            && let Some(head) = here.parent.and_then(|parent| book.drafts.get(parent)).map(Draft::head)
        {
            text = format!("{head}: {text}");
        }
        let draft = Draft {
            condition,
            ..draft_of(prose, clause.words.clone(), text, (level, force), here, sentence)
        };
        book.add(draft);
    }
}

/// The line of a clause: without the words that only connect it, and with its head where it is only the rejected rest of one.
fn clause_text(prose: &Prose<'_>, found: &[Clause], at: usize) -> String {
    let clause = &found[at];
    let words = &prose.words[clause.words.clone()];
    let skip = words
        .iter()
        .take_while(|word| {
            word.kind == WordKind::Mark && word.lower != "("
                || word.any(&[
                    "also",
                    "similarly",
                    "however",
                    "therefore",
                    "thus",
                    "so",
                    "but",
                    "and",
                    "additionally",
                    "furthermore",
                    "moreover",
                    "then",
                    "likewise",
                ])
        })
        .count();
    let numbered = words.len() > skip + 2
        && words[skip].lower.chars().all(|c| c.is_ascii_digit())
        && matches!(words[skip + 1].lower.as_str(), "." | ")");
    let skip = if numbered { skip + 2 } else { skip };
    let skip = if skip < words.len() { skip } else { 0 };
    let text = prose.condensed(clause.words.start + skip..clause.words.end);
    let elliptic = words.get(skip).is_some_and(|word| word.is("never"))
        && words.get(skip + 1).is_some_and(|next| next.kind != WordKind::Plain || !is_verb(&next.lower));
    if !elliptic || at == 0 {
        return text;
    }
    let before = found[at - 1].words.clone();
    let stops = |word: &Word| {
        word.kind == WordKind::Mark
            || word.any(&["by", "for", "with", "from", "in", "on", "to", "of", "at", "as", "into", "through"])
    };
    let head = prose.words[before.clone()]
        .iter()
        .position(stops)
        .map_or(before.end, |end| before.start + end.max(1));
    format!("{}, {text}", prose.condensed(before.start..head))
}

/// `Once X is exported, Y happens — do not Z`: the condition of the order in a clause that only tells.
fn told_condition(prose: &Prose<'_>, first: Option<&Clause>) -> Option<Range<usize>> {
    let clause = first.filter(|clause| !matches!(clause.mood, Mood::Order(..)))?;
    let words = &prose.words[clause.words.clone()];
    let opens = words
        .iter()
        .find(|word| word.kind != WordKind::Mark)?
        .any(&["if", "when", "once", "after", "before", "unless", "while", "where"]);
    let comma = words.iter().position(|word| word.mark(","))?;
    opens.then(|| clause.words.start..clause.words.start + comma)
}

fn advised(level: Level, force: Force, section: Stance) -> Level {
    match (level, force, section) {
        (Level::Must, Force::Implied, Stance::Advise) => Level::Should,
        (level, _, _) => level,
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
    let (text, condition) = with_conditions(text, here, &mut spans);
    let kind = if here.step.is_some() { EntryKind::Procedure } else { EntryKind::Norm };
    Draft {
        level,
        force,
        kind,
        terse: terse(prose, &words),
        text,
        condition,
        exceptions: exceptions(prose, &words),
        literals: prose.literals(words),
        original: prose.verbatim(sentence.clone()),
        step: here.step.clone(),
        spans,
        heading: here.heading,
        completions: 0,
        goes_on_in: None,
    }
}

fn with_conditions(text: String, here: &Setting, spans: &mut Vec<Span>) -> (String, Option<String>) {
    let Some((nearest, span)) = here.conditions.last() else { return (text, None) };
    spans.push(*span);
    let condition = tidy(nearest);
    (format!("{condition}: {text}"), Some(condition))
}

/// `unless …`, `except …` as they stand.
fn exceptions(prose: &Prose<'_>, words: &Range<usize>) -> Vec<String> {
    let slice = &prose.words[words.clone()];
    let forbids = slice.iter().take(3).any(|word| word.any(&["never", "don't", "not", "no"]));
    let starts = slice
        .iter()
        .position(|word| word.any(&["unless", "except", "excluding"]) || (forbids && word.is("without")));
    let comma = slice.iter().position(|word| word.mark(","));
    let end =
        comma.filter(|&comma| starts == Some(0) && comma > 1).map_or(words.end, |comma| words.start + comma);
    starts.map(|at| prose.condensed(words.start + at..end)).into_iter().collect()
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
        .filter(|&at| at > 3 && !has_literal(&slice[at..]))?;
    Some(prose.condensed(words.start..words.start + cut))
}

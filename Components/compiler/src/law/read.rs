//! The walk over a document: each block in the light of the headings and lead-ins above it.

use std::ops::Range;

use mentci_authority::{EntryKind, Force, Level, OmissionReason, Step};
use mentci_reader::markdown::{Block, BlockKind, RichText};
use mentci_source::Span;

use super::clause::{Clause, clauses};
use super::condense::{condense, flat, render, tidy};
use super::draft::{Book, Draft, Heading};
use super::lexicon::CONDITIONS;
use super::literal::literals;
use super::mood::{Mood, asks, imperative, mood_of};
use super::sentence::split_sentences;
use super::stance::{Lead, Stance, lead_of, stance_of_heading};
use super::word::{Word, WordKind, split_words};

/// What holds for a block from above.
#[derive(Debug, Clone)]
pub(crate) struct Setting {
    /// The nearest heading.
    pub heading: Option<usize>,
    /// The stance of the section.
    pub section: Stance,
    /// The lead-in of the list, table or fence that comes.
    pub lead: Option<LeadIn>,
    /// Conditions that hold for all norms here, with their bytes.
    pub conditions: Vec<(String, Span)>,
    /// The norm that bare names here complete.
    pub parent: Option<usize>,
    /// The step that is being read.
    pub step: Option<Step>,
    /// Whether the last paragraph ordered something: a table or list after it goes on with it.
    pub after_order: bool,
}

/// A lead-in with its bytes.
#[derive(Debug, Clone)]
pub(crate) struct LeadIn {
    pub lead: Lead,
    pub text: String,
    pub span: Span,
    /// The norm that the lead-in is itself.
    pub draft: Option<usize>,
}

/// A paragraph in words.
pub(crate) struct Prose<'b> {
    pub text: &'b RichText,
    pub words: Vec<Word>,
}

impl<'b> Prose<'b> {
    pub(crate) fn new(text: &'b RichText) -> Self {
        Self { text, words: split_words(text) }
    }

    pub(crate) fn span(&self, words: &Range<usize>) -> Span {
        let (Some(first), Some(last)) =
            (self.words.get(words.start), self.words.get(words.end.saturating_sub(1)))
        else {
            return Span::default();
        };
        self.text.source_span(first.range.start..last.range.end)
    }

    pub(crate) fn condensed(&self, words: Range<usize>) -> String {
        condense(&self.words[words], self.text.as_str())
    }

    pub(crate) fn verbatim(&self, words: Range<usize>) -> String {
        render(&self.words[words].iter().collect::<Vec<_>>(), self.text.as_str())
    }

    pub(crate) fn literals(&self, words: Range<usize>) -> Vec<String> {
        literals(&self.words[words], self.text.as_str())
    }
}

/// Reads blocks into the book.
pub(crate) fn read_blocks(book: &mut Book<'_>, blocks: &[Block]) {
    let setting = Setting {
        heading: None,
        section: Stance::Neutral,
        lead: None,
        conditions: Vec::new(),
        parent: None,
        step: None,
        after_order: false,
    };
    walk(book, blocks, &setting);
}

/// Walks siblings.
pub(crate) fn walk(book: &mut Book<'_>, blocks: &[Block], above: &Setting) {
    let mut here = above.clone();
    here.lead = None;
    for (at, block) in blocks.iter().enumerate() {
        let next = blocks.get(at + 1).map(|next| &next.kind);
        match &block.kind {
            BlockKind::Heading(depth) => here = enter(book, block, *depth, above),
            BlockKind::Paragraph => paragraph(book, &block.text, &mut here, leads(next)),
            BlockKind::List(_) => {
                list(book, block, &here);
                here.lead = None;
            }
            BlockKind::Fence { .. } => {
                super::fence::read(book, block, &here);
                here.lead = None;
            }
            BlockKind::Table => {
                super::table::read(book, block, &here);
                here.lead = None;
            }
            BlockKind::Quote => walk(book, &block.children, &here),
            BlockKind::Html => book.omit(block.span, OmissionReason::Comment),
            BlockKind::Rule => {
                book.omit(block.span, OmissionReason::Separator);
                here.lead = None;
            }
            BlockKind::Item { .. } | BlockKind::Row | BlockKind::Cell => walk(book, &block.children, &here),
        }
    }
}

/// Whether a paragraph in front of this is its lead-in.
fn leads(next: Option<&BlockKind>) -> bool {
    matches!(
        next,
        Some(BlockKind::List(_) | BlockKind::Fence { .. } | BlockKind::Table | BlockKind::Paragraph)
    )
}

fn enter(book: &mut Book<'_>, block: &Block, depth: u8, above: &Setting) -> Setting {
    let text = block.text.as_str().trim().to_owned();
    let own = stance_of_heading(&text);
    let parent =
        book.headings.iter().rposition(|heading| heading.depth < depth && above.heading.is_none_or(|_| true));
    let parent =
        parent.filter(|&parent| book.headings[parent + 1..].iter().all(|between| between.depth >= depth));
    let inherited = parent.map_or(above.section, |parent| book.headings[parent].stance);
    let stance =
        if own == Stance::Neutral && matches!(inherited, Stance::Example | Stance::Forbid | Stance::Advise) {
            inherited
        } else {
            own
        };
    let condition = heading_condition(&block.text);
    book.headings.push(Heading { text, span: block.span, depth, stance, condition, used: false });
    let heading = book.headings.len() - 1;
    let mut conditions = above.conditions.clone();
    conditions.extend(inherited_conditions(book, heading));
    Setting {
        heading: Some(heading),
        section: stance,
        lead: None,
        conditions,
        parent: None,
        step: None,
        after_order: false,
    }
}

/// The conditions of a heading and of those that it stands under.
fn inherited_conditions(book: &Book<'_>, heading: usize) -> Vec<(String, Span)> {
    let mut conditions = Vec::new();
    let mut depth = u8::MAX;
    for above in book.headings[..=heading].iter().rev() {
        if above.depth < depth {
            depth = above.depth;
            if let Some(condition) = &above.condition {
                conditions.insert(0, (condition.clone(), above.span));
            }
        }
    }
    conditions
}

/// `If …` as a heading holds for what stands under it.
fn heading_condition(text: &RichText) -> Option<String> {
    let prose = Prose::new(text);
    let first = prose
        .words
        .iter()
        .find(|word| word.kind == WordKind::Plain && !word.lower.chars().all(|c| c.is_ascii_digit()))?;
    let second = prose.words.iter().skip_while(|word| *word != first).nth(1)?;
    let opens = first.any(&["if"]) || (first.any(&["when"]) && !second.any(&["to", "not"]));
    let start = prose.words.iter().position(|word| word == first)?;
    let end = prose
        .words
        .iter()
        .position(|word| word.mark(",") || word.mark(":") || word.mark("—"))
        .filter(|&end| end > start + 2)
        .unwrap_or(prose.words.len());
    opens.then(|| prose.condensed(start..end))
}

fn paragraph(book: &mut Book<'_>, text: &RichText, here: &mut Setting, leads: bool) {
    let prose = Prose::new(text);
    let sentences = split_sentences(&prose.words);
    let carried = here.lead.take();
    if let Some(LeadIn { lead: Lead::Condition, text, span, .. }) = &carried {
        here.conditions.push((text.clone(), *span));
    }
    let in_example = matches!(&carried, Some(LeadIn { lead: Lead::Stance(Stance::Example, _), .. }))
        || here.section == Stance::Example;
    if in_example {
        let all = 0..prose.words.len();
        book.omit(prose.span(&all), OmissionReason::Example);
        if is_lead(&prose, sentences.last(), &sentences, leads) {
            here.lead = carried.or(Some(LeadIn {
                lead: Lead::Stance(Stance::Example, None),
                text: String::new(),
                span: Span::default(),
                draft: None,
            }));
        }
        return;
    }
    if prose
        .words
        .first()
        .is_some_and(|word| word.kind == WordKind::Mark && matches!(word.lower.as_str(), "\"" | "“"))
    {
        let all = 0..prose.words.len();
        match carried.as_ref().and_then(|carried| carried.draft) {
            Some(draft) => {
                book.complete(draft, &prose.verbatim(all.clone()), prose.span(&all), prose.literals(all))
            }
            None => book.omit(prose.span(&all), OmissionReason::Example),
        }
        return;
    }
    if here.heading.is_some_and(|heading| is_trigger(&book.headings[heading].text))
        && prose.words.first().is_some_and(|word| {
            word.any(&["use", "this", "when", "trigger", "apply", "invoke", "load", "activate"])
        })
    {
        let all = 0..prose.words.len();
        book.omit(prose.span(&all), OmissionReason::Description);
        here.lead = leads.then(|| LeadIn {
            lead: Lead::Stance(Stance::Describe, None),
            text: String::new(),
            span: Span::default(),
            draft: None,
        });
        return;
    }
    let before = book.drafts.len();
    let mut waiting = false;
    for (at, sentence) in sentences.iter().enumerate() {
        let last = at + 1 == sentences.len();
        if last && is_lead(&prose, Some(sentence), &sentences, leads) {
            here.lead = Some(lead_in(book, &prose, sentence.clone(), here));
        } else if let Some(condition) =
            sentences.get(at + 1).and_then(|next| waits_for(&prose, sentence, next))
        {
            here.conditions.push((prose.condensed(condition), prose.span(sentence)));
            waiting = true;
            continue;
        } else {
            read_sentence(book, &prose, sentence.clone(), here, before);
        }
        if std::mem::take(&mut waiting) {
            here.conditions.pop();
        }
    }
    let only_label = sentences.len() == 1 && here.lead.as_ref().is_some_and(|lead| lead.draft.is_none());
    here.after_order = book.drafts.len() > before || (only_label && here.after_order);
    if carried.is_some_and(|carried| carried.lead == Lead::Condition) && here.lead.is_none() {
        here.conditions.pop();
    }
}

/// `When to Use`: says when the skill applies, which its front matter says to the harness.
fn is_trigger(heading: &str) -> bool {
    let lower = heading.to_lowercase();
    lower.starts_with("when to use")
        || lower.starts_with("when to apply")
        || lower.starts_with("when should")
        || lower == "triggers"
        || lower == "trigger"
}

/// `If this is so, that is ready. Do X`, `Did it work? Do X`: the condition in a sentence that only tells or asks, when the
/// next one orders.
fn waits_for(prose: &Prose<'_>, sentence: &Range<usize>, next: &Range<usize>) -> Option<Range<usize>> {
    let words = &prose.words[sentence.clone()];
    let first = words.iter().find(|word| word.kind != WordKind::Mark)?;
    let mood = mood_of(words).mood;
    let following = mood_of(&prose.words[next.clone()]);
    if !matches!(following.mood, Mood::Order(..)) || matches!(mood, Mood::Order(..)) {
        return None;
    }
    let told = first.any(&["if", "when", "once"]) && following.main == 0;
    let asked = mood == Mood::Question
        && words.len() <= 8
        && first.any(&[
            "did", "didn't", "does", "doesn't", "is", "isn't", "are", "was", "has", "have", "still", "not",
            "no", "need", "want", "can't", "stuck",
        ]) | (words.len() <= 4 && mood == Mood::Question);
    let end = words
        .iter()
        .position(|word| word.mark(","))
        .filter(|_| told)
        .map_or(sentence.end, |at| sentence.start + at);
    (told || asked).then_some(sentence.start..end)
}

fn is_lead(
    prose: &Prose<'_>,
    sentence: Option<&Range<usize>>,
    sentences: &[Range<usize>],
    leads: bool,
) -> bool {
    let Some(sentence) = sentence.filter(|_| leads) else { return false };
    let words = &prose.words[sentence.clone()];
    let colon = words.iter().rev().find(|word| word.lower != "\n").is_some_and(|word| word.lower == ":");
    let strong = prose.text.styled(0..prose.text.as_str().len(), |style| style.strong);
    let all_strong =
        sentences.len() == 1 && strong.len() == 1 && strong[0].len() + 2 >= prose.text.as_str().trim().len();
    let stops = words.last().is_some_and(|word| matches!(word.lower.as_str(), "." | "!" | "?"));
    colon
        || (all_strong
            && !stops
            && !matches!(mood_of(words).mood, Mood::Order(level, _) if level.is_prohibition()))
}

/// Reads the sentence that leads in what follows.
fn lead_in(book: &mut Book<'_>, prose: &Prose<'_>, sentence: Range<usize>, here: &Setting) -> LeadIn {
    let parts = clauses(&prose.words, sentence.clone());
    let telling = parts.iter().rev().find(|clause| matches!(clause.mood, Mood::Order(..)));
    let mood = telling.map_or_else(|| mood_of(&prose.words[sentence.clone()]).mood, |clause| clause.mood);
    let telling = telling.map_or(sentence.clone(), |clause| clause.words.clone());
    let text = prose.condensed(sentence.clone());
    let span = prose.span(&sentence);
    let lead = lead_of(&prose.words[telling.clone()], mood, &prose.verbatim(telling), here.section);
    let draft = match &lead {
        Lead::Order(_) => {
            let before = book.drafts.len();
            read_sentence(book, prose, sentence.clone(), here, before);
            (book.drafts.len() > before).then(|| book.drafts.len() - 1)
        }
        _ => None,
    };
    if draft.is_none() {
        let reason = if matches!(lead, Lead::Stance(Stance::Example, _)) {
            OmissionReason::Example
        } else {
            OmissionReason::Description
        };
        book.omit(span, reason);
    }
    LeadIn { lead, text, span, draft }
}

/// Reads one sentence of running text.
fn read_sentence(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: Range<usize>,
    here: &Setting,
    before: usize,
) {
    let (label, body) = label(prose, sentence.clone());
    match label {
        Label::Example => return book.omit(prose.span(&sentence), OmissionReason::Example),
        Label::Telling => return book.omit(prose.span(&sentence), OmissionReason::Rationale),
        Label::Plain | Label::Dropped | Label::Topic => {}
    }
    let words = &prose.words;
    let all = &words[sentence.clone()];
    let mut found = clauses(words, body.clone());
    let fresh = book.drafts.len() > before;
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
fn write_clauses(
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
        if clause.condition.is_none() && at > 0 {
            if let Some(leading) = &leading {
                let words = prose.condensed(leading.clone());
                text = format!("{words}: {text}");
                condition = Some(words);
            }
        }
        if level.is_prohibition() && condition.is_none() && at == 0 && clause.words.len() <= 4 {
            if let Some(head) = here.parent.and_then(|parent| book.drafts.get(parent)).map(Draft::head) {
                text = format!("{head}: {text}");
            }
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
        && words
            .get(skip + 1)
            .is_some_and(|next| next.kind != WordKind::Plain || !super::lexicon::is_verb(&next.lower));
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
fn draft_of(
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
    starts.map(|at| prose.condensed(words.start + at..words.end)).into_iter().collect()
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

/// What stands before the first colon of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
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
}

const DROPPED: &[&str] = &[
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
const TELLING: &[&str] = &[
    "why",
    "reason",
    "rationale",
    "because",
    "result",
    "this reveals",
    "purpose",
    "why this matters",
    "why it matters",
    "expected",
    "background",
    "this means",
    "problem",
    "symptom",
    "cause",
    "benefit",
    "benefits",
    "impact",
    "why order matters",
    "output",
    "returns",
];

fn label(prose: &Prose<'_>, sentence: Range<usize>) -> (Label, Range<usize>) {
    let words = &prose.words[sentence.clone()];
    let Some(colon) =
        words.iter().take(9).position(|word| word.mark(":")).filter(|&at| at > 0 && at + 1 < words.len())
    else {
        return (Label::Plain, sentence);
    };
    let name: Vec<&Word> = words[..colon]
        .iter()
        .filter(|word| word.kind != WordKind::Mark && word.lower.chars().any(char::is_alphanumeric))
        .collect();
    let name: Vec<&str> = name
        .iter()
        .map(|word| word.lower.as_str())
        .skip_while(|word| word.chars().all(|c| c.is_ascii_digit()))
        .collect();
    let text = name.join(" ");
    let body = sentence.start + colon + 1..sentence.end;
    let is = |names: &[&str]| names.contains(&text.as_str());
    if words[..colon].iter().any(|word| matches!(word.lower.as_str(), "❌" | "✅" | "✗" | "✓"))
        || is(EXAMPLES)
    {
        return (Label::Example, body);
    }
    if is(DROPPED) {
        return (Label::Dropped, body);
    }
    if is(TELLING) {
        return (Label::Telling, body);
    }
    let verb =
        words.iter().find(|word| word.kind == WordKind::Plain).is_some_and(|word| {
            super::lexicon::is_verb(&word.lower) && !super::lexicon::is_nounish(&word.lower)
        }) || (colon == 1 && super::lexicon::is_verb(&words[0].lower) && words[2].kind != WordKind::Plain);
    let orders = verb || matches!(mood_of(&words[..colon]).mood, Mood::Order(..)) || words[0].any(CONDITIONS);
    if orders || colon > 6 { (Label::Plain, sentence) } else { (Label::Topic, body) }
}

fn list(book: &mut Book<'_>, block: &Block, here: &Setting) {
    for (at, item) in block.children.iter().enumerate() {
        let BlockKind::Item { number, .. } = item.kind else { continue };
        let mut inside = here.clone();
        if at > 0 && number.is_some() && matches!(here.lead, Some(LeadIn { lead: Lead::Condition, .. })) {
            inside.lead = None;
        }
        let procedure = here.heading.map(|heading| book.headings[heading].text.clone()).unwrap_or_default();
        if let Some(number) = number {
            inside.step = Some(Step { procedure, number: u32::try_from(number).unwrap_or(u32::MAX) });
        }
        read_item(book, item, inside);
    }
}

fn read_item(book: &mut Book<'_>, item: &Block, mut here: Setting) {
    let mut rest = &item.children[..];
    if let Some((first, others)) = rest.split_first().filter(|(first, _)| first.kind == BlockKind::Paragraph)
    {
        let lead = item_text(book, &first.text, &here, leads(others.first().map(|next| &next.kind)));
        rest = others;
        here.parent = lead.as_ref().and_then(|lead| lead.draft);
        if let Some(LeadIn { lead: Lead::Condition, text, span, .. }) = &lead {
            here.conditions.push((text.clone(), *span));
        }
        here.lead = lead.or(here.lead);
    }
    let mut inside = here.clone();
    inside.lead = None;
    let lead = here.lead.clone();
    for (at, block) in rest.iter().enumerate() {
        let next = rest.get(at + 1).map(|next| &next.kind);
        match &block.kind {
            BlockKind::Paragraph => paragraph(book, &block.text, &mut inside, leads(next)),
            BlockKind::List(_) => {
                let led = Setting { lead: inside.lead.take().or_else(|| lead.clone()), ..inside.clone() };
                list(book, block, &led);
            }
            BlockKind::Fence { .. } => {
                let led = Setting { lead: inside.lead.take().or_else(|| lead.clone()), ..inside.clone() };
                super::fence::read(book, block, &led);
            }
            _ => walk(book, std::slice::from_ref(block), &inside),
        }
    }
}

/// Reads an item's own text; gives the lead-in that it is for what is nested in it.
fn item_text(book: &mut Book<'_>, text: &RichText, here: &Setting, leads: bool) -> Option<LeadIn> {
    let prose = Prose::new(text);
    let sentences = split_sentences(&prose.words);
    let stance = here.lead.as_ref().map(|lead| &lead.lead);
    let lead_stance = match stance {
        Some(Lead::Stance(Stance::Neutral, _)) | None => {
            if here.section == Stance::Mistakes
                || matches!(
                    here.section,
                    Stance::Forbid | Stance::Discourage | Stance::Permit | Stance::Example | Stance::Excuses
                ) && here.step.is_none()
            {
                here.section
            } else {
                Stance::Neutral
            }
        }
        Some(Lead::Stance(stance, _)) => *stance,
        Some(Lead::Condition | Lead::Stem(_) | Lead::Order(_)) => Stance::Neutral,
    };
    if lead_stance == Stance::Example || here.section == Stance::Example {
        book.omit(prose.span(&(0..prose.words.len())), OmissionReason::Example);
        return None;
    }
    let before = book.drafts.len();
    for (at, sentence) in sentences.iter().enumerate() {
        let last = at + 1 == sentences.len();
        let is_lead = last
            && leads
            && is_lead(&prose, Some(sentence), &sentences, leads)
            && !matches!(mood_of(&prose.words[sentence.clone()]).mood, Mood::Order(..));
        if is_lead && at == 0 && lead_stance.level().is_none() {
            return Some(lead_in(book, &prose, sentence.clone(), here));
        }
        if let Some(condition) =
            sentences.get(at + 1).and_then(|next| waits_for(&prose, sentence, next)).filter(|_| at == 0)
        {
            let mut inside = here.clone();
            inside.conditions.push((prose.condensed(condition), prose.span(sentence)));
            let rest = sentences[at + 1].start..sentences.last().map_or(0, |last| last.end);
            for sentence in split_from(&sentences, rest.start) {
                read_sentence(book, &prose, sentence, &inside, book.drafts.len());
            }
            break;
        } else if at == 0 {
            first_sentence(book, &prose, sentence.clone(), here, lead_stance);
        } else {
            read_sentence(book, &prose, sentence.clone(), here, before);
        }
    }
    let draft = (book.drafts.len() > before).then_some(before)?;
    let level = book.drafts[draft].level;
    Some(LeadIn {
        lead: Lead::Order(level),
        text: book.drafts[draft].text.clone(),
        span: prose.span(&(0..prose.words.len())),
        draft: Some(draft),
    })
}

fn split_from(sentences: &[Range<usize>], start: usize) -> Vec<Range<usize>> {
    sentences.iter().filter(|sentence| sentence.start >= start).cloned().collect()
}

/// Reads the first sentence of an item in the light of its lead-in.
fn first_sentence(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: Range<usize>,
    here: &Setting,
    stance: Stance,
) {
    let words = &prose.words[sentence.clone()];
    let own = mood_of(words).mood;
    match words.first().map(|word| word.lower.trim_end_matches('\u{fe0f}')) {
        Some("❌" | "✗" | "✘" | "🚫" | "⛔") => {
            return forbidden(book, prose, sentence, here, Stance::Forbid);
        }
        Some("✅" | "✓" | "✔" | "☑") if !matches!(own, Mood::Order(..)) => {
            return bare(book, prose, &sentence, (Level::Must, None), here);
        }
        _ => {}
    }
    match (&here.lead, stance) {
        (Some(LeadIn { lead: Lead::Stem(level), text, span, .. }), _) => {
            stem(book, prose, sentence, here, (*level, text, *span))
        }
        (_, Stance::Excuses) => book.omit(prose.span(&sentence), OmissionReason::Rationale),
        (_, Stance::Forbid | Stance::Discourage) => forbidden(book, prose, sentence, here, stance),
        (_, Stance::Mistakes) if !matches!(own, Mood::Order(..)) && names_mistake(prose, &sentence) => {
            forbidden(book, prose, sentence, here, stance)
        }
        (Some(lead), _) => led(book, prose, sentence, &lead.clone(), here),
        (None, _) => plain_item(book, prose, sentence, here),
    }
}

/// Under `Common mistakes`: a short name, not a topic that is explained.
fn names_mistake(prose: &Prose<'_>, sentence: &Range<usize>) -> bool {
    let words = &prose.words[sentence.clone()];
    let gerund = words.first().is_some_and(|word| word.lower.len() > 5 && word.lower.ends_with("ing"));
    let alone = sentence.end == prose.words.len()
        && words.len() <= 8
        && !words.iter().any(|word| matches!(word.lower.as_str(), "≠" | "=" | "==" | "—" | "→"));
    gerund || (alone && label(prose, sentence.clone()).0 == Label::Plain && !super::mood::has_finite(words))
}

/// An item that ends the sentence of its lead-in. All items of one lead-in are one norm: `Stop when: a; b`.
fn stem(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: Range<usize>,
    here: &Setting,
    (level, lead, lead_span): (Level, &str, Span),
) {
    let item = lower_first(&prose.condensed(sentence.clone()));
    let (span, literals) = (prose.span(&sentence), prose.literals(sentence.clone()));
    let open =
        book.drafts.iter().rposition(|draft| draft.completions > 0 && draft.spans.contains(&lead_span));
    if let Some(open) = open {
        return book.complete(open, &item, span, literals);
    }
    let mut draft = draft_of(
        prose,
        sentence.clone(),
        lead.trim_end_matches(':').to_owned(),
        (level, Force::Implied),
        here,
        &sentence,
    );
    draft.spans.push(lead_span);
    draft.condition = Some(item.clone());
    let at = book.add(draft);
    book.complete(at, &item, span, Vec::new());
}

/// An item under `Never:` and kin: what it names is forbidden, unless it forbids by itself.
fn forbidden(book: &mut Book<'_>, prose: &Prose<'_>, sentence: Range<usize>, here: &Setting, stance: Stance) {
    let words = &prose.words[sentence.clone()];
    let found = clauses(&prose.words, sentence.clone());
    let start = sentence.start
        + words
            .iter()
            .take_while(|word| !word.lower.chars().any(char::is_alphanumeric) && word.kind == WordKind::Plain)
            .count();
    let negative = matches!(found.first().map(|clause| clause.mood), Some(Mood::Order(level, _)) if level.is_prohibition());
    if negative || always(words) {
        return write_clauses(book, prose, &sentence, &found, here);
    }
    let end = first_remedy(prose, &sentence);
    let level = stance.level().unwrap_or(Level::MustNot);
    let mark = if level == Level::ShouldNot { "AVOID" } else { "NEVER" };
    let (named, remedy) = (start.min(end)..end, end..sentence.end);
    let bare = without_orders_in_brackets(prose, &named);
    let text = format!("{mark} {}", lower_first(&render_words(prose, &bare)));
    let mut draft = draft_of(prose, named, text, (level, Force::Implied), here, &sentence);
    if let Some(lead) = &here.lead {
        draft.spans.push(lead.span);
    }
    book.add(draft);
    bracketed_orders(book, prose, &sentence, here);
    if !remedy.is_empty() {
        let found = clauses(&prose.words, remedy);
        write_clauses(book, prose, &sentence, &found, here);
    }
}

fn always(words: &[Word]) -> bool {
    words.first().is_some_and(|word| word.is("always"))
}

/// Where a dash or an arrow turns from the mistake to what to do instead.
fn first_remedy(prose: &Prose<'_>, sentence: &Range<usize>) -> usize {
    let turn = sentence.clone().find(|&at| {
        let rest = &prose.words[(at + 1).min(sentence.end)..sentence.end];
        (prose.words[at].mark("—") || prose.words[at].mark("→") || prose.words[at].mark(":"))
            && matches!(mood_of(rest).mood, Mood::Order(..))
            && !rest.is_empty()
    });
    turn.filter(|&at| at > sentence.start).unwrap_or(sentence.end)
}

/// The words outside brackets that hold an order of their own.
fn without_orders_in_brackets(prose: &Prose<'_>, words: &Range<usize>) -> Vec<Range<usize>> {
    let mut kept = Vec::new();
    let mut start = words.start;
    for bracket in brackets(prose, words) {
        if bracket_orders(prose, &bracket) {
            kept.push(start..bracket.start);
            start = bracket.end;
        }
    }
    kept.push(start..words.end);
    kept
}

fn render_words(prose: &Prose<'_>, ranges: &[Range<usize>]) -> String {
    let pieces: Vec<String> = ranges
        .iter()
        .filter(|range| !range.is_empty())
        .map(|range| prose.condensed(range.clone()))
        .filter(|piece| !piece.is_empty())
        .collect();
    pieces.join(" ")
}

fn brackets(prose: &Prose<'_>, words: &Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open = None;
    for at in words.clone() {
        let word = &prose.words[at];
        match word.lower.as_str() {
            "(" if word.kind == WordKind::Mark && word.depth == 0 => open = Some(at),
            ")" if word.kind == WordKind::Mark && word.depth == 0 => {
                found.extend(open.take().map(|open| open..at + 1))
            }
            _ => {}
        }
    }
    found
}

fn bracket_orders(prose: &Prose<'_>, bracket: &Range<usize>) -> bool {
    if bracket.len() < 4 {
        return false;
    }
    let inner = flat(&prose.words[bracket.start + 1..bracket.end - 1]);
    matches!(mood_of(&inner).mood, Mood::Order(level, _) if level != Level::May)
        && (imperative(&inner) || inner.iter().any(|word| word.any(&["required", "must"])))
}

fn bracketed_orders(book: &mut Book<'_>, prose: &Prose<'_>, sentence: &Range<usize>, here: &Setting) {
    for bracket in brackets(prose, sentence) {
        if bracket_orders(prose, &bracket) {
            let inner = bracket.start + 1..bracket.end - 1;
            let Mood::Order(level, force) = mood_of(&flat(&prose.words[inner.clone()])).mood else {
                continue;
            };
            let cut = prose.words[inner.clone()]
                .iter()
                .position(|word| word.lower == "—")
                .filter(|_| inner.len() > 14)
                .map_or(inner.end, |at| inner.start + at);
            let text = prose.condensed(inner.start..cut);
            let draft = draft_of(prose, inner.start..inner.end, text, (level, force), here, sentence);
            book.add(draft);
        }
    }
}

/// An item under a lead-in that lends its force, or its condition.
fn led(book: &mut Book<'_>, prose: &Prose<'_>, sentence: Range<usize>, lead: &LeadIn, here: &Setting) {
    let found = clauses(&prose.words, sentence.clone());
    let universal = prose.words[sentence.start].any(&["each", "every"])
        && matches!(lead.lead, Lead::Stance(Stance::Describe | Stance::Neutral, _));
    if universal {
        return book.omit(prose.span(&sentence), OmissionReason::Description);
    }
    let orders = found.iter().any(|clause| matches!(clause.mood, Mood::Order(..)));
    let mut inside = here.clone();
    if lead.lead == Lead::Condition && !inside.conditions.iter().any(|(_, span)| *span == lead.span) {
        inside.conditions.push((lead.text.clone(), lead.span));
    }
    if orders || label(prose, sentence.clone()).0 == Label::Example {
        return read_sentence(book, prose, sentence, &inside, book.drafts.len());
    }
    let pronoun = prose.words[sentence.start].any(super::lexicon::SUBJECTS);
    let names = matches!(found.first().map(|clause| clause.mood), Some(Mood::Fragment | Mood::Question))
        || (!pronoun && matches!(lead.lead, Lead::Order(_)) && here.step.is_none());
    match (&lead.lead, names) {
        (Lead::Order(level), true) => complete_lead(book, prose, sentence, lead, *level, here),
        (Lead::Stance(Stance::Neutral, _), true)
            if here.after_order && prose.words[sentence.start].kind == WordKind::Code =>
        {
            bare(book, prose, &sentence, (Level::Must, None), &inside)
        }
        (Lead::Condition, true) => bare(book, prose, &sentence, (Level::Must, None), &inside),
        (Lead::Stance(stance, label), _) if stance.level().is_some() => {
            let level = stance.level().unwrap_or(Level::Must);
            bare(
                book,
                prose,
                &sentence,
                (level, label.as_deref()),
                &Setting { lead: Some(lead.clone()), ..inside },
            );
        }
        _ => read_sentence(book, prose, sentence, &inside, book.drafts.len()),
    }
}

fn complete_lead(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: Range<usize>,
    lead: &LeadIn,
    level: Level,
    here: &Setting,
) {
    let Some(draft) = lead.draft.filter(|_| here.step.is_none() || here.parent.is_some()) else {
        return bare(book, prose, &sentence, (level, None), here);
    };
    let quoted = prose.words[sentence.start].kind == WordKind::Quote;
    let dash = sentence.clone().find(|&at| prose.words[at].mark("—")).filter(|_| quoted);
    let named = sentence.start..dash.unwrap_or(sentence.end);
    book.complete(draft, &prose.condensed(named.clone()), prose.span(&named), prose.literals(named.clone()));
    if let Some(dash) = dash {
        book.omit(prose.span(&(dash..sentence.end)), OmissionReason::Rationale);
    }
}

/// A bare name that gets its force from above.
fn bare(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    (level, label): (Level, Option<&str>),
    here: &Setting,
) {
    let name = prose.condensed(sentence.clone());
    let text = label.map_or(name.clone(), |label| format!("{label}: {}", lower_first(&name)));
    let mut draft = draft_of(prose, sentence.clone(), text, (level, Force::Implied), here, sentence);
    if let Some(lead) = &here.lead {
        draft.spans.push(lead.span);
    }
    book.add(draft);
}

/// An item without a lead-in.
fn plain_item(book: &mut Book<'_>, prose: &Prose<'_>, sentence: Range<usize>, here: &Setting) {
    let found = clauses(&prose.words, sentence.clone());
    let orders = found.iter().any(|clause| matches!(clause.mood, Mood::Order(..)));
    let section = match here.section {
        Stance::Order | Stance::Advise | Stance::Permit => here.section.level(),
        _ => None,
    };
    match (orders, section) {
        (false, Some(level))
            if matches!(found.first().map(|clause| clause.mood), Some(Mood::Fragment | Mood::Question)) =>
        {
            bare(book, prose, &sentence, (level, None), here)
        }
        _ => read_sentence(book, prose, sentence, here, book.drafts.len()),
    }
}

/// Small first letter, unless the first word is a name.
pub(crate) fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    let (Some(first), Some(second)) = (chars.next(), chars.clone().next()) else { return text.to_owned() };
    if first.is_uppercase() && second.is_lowercase() {
        first.to_lowercase().chain(chars).collect()
    } else {
        text.to_owned()
    }
}

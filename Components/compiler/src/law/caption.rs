//! A label in front of a block that says what all its sentences are about: `**STUCK:** The worker lacks a file. Find it.`

use std::collections::BTreeSet;
use std::ops::Range;

use mentci_authority::OmissionReason;
use mentci_reader::markdown::{Block, RichText};
use mentci_source::Span;

use super::chain::{is_local, is_open};
use super::draft::Book;
use super::setting::Setting;
use super::speech::befalling::befalls;
use super::speech::condition::{is_member, names_case};
use super::speech::label::{Label, label};
use super::speech::mood::{IMPERATIVE, Mood, asks, mood_of};
use super::speech::prose::Prose;
use super::speech::sentence::{is_lone_tag, split_sentences};
use super::speech::thing::is_generic;
use super::speech::word::{Word, WordKind};

/// A label in front of a block.
#[derive(Debug, Clone)]
pub(crate) struct Caption {
    text: String,
    span: Span,
    /// Whether it names a case or a thing by its own name (`TIMED_OUT`, `Option 2`): then it stands before each order, and not only
    /// where the sentence that it heads orders nothing.
    case: bool,
    /// Whether the first sentence is no more than the label: `**Drafting.** Ask for the depth first.`
    whole: bool,
}

impl Caption {
    /// The label of these sentences, when there are others behind the first.
    pub(crate) fn of(prose: &Prose<'_>, sentences: &[Range<usize>]) -> Option<Self> {
        Self::among(prose, sentences, false)
    }

    /// The same of an item; among `cases` its label names one, however it is written.
    pub(crate) fn among(prose: &Prose<'_>, sentences: &[Range<usize>], cases: bool) -> Option<Self> {
        let [first, next, ..] = sentences else { return None };
        // `Do not row these` below the last of several items is said of all of them.
        let of_all = |name: &Range<usize>| {
            name.len() == 1
                && prose.words[next.clone()].iter().take(6).any(|word| word.any(&["these", "those"]))
        };
        // `<Output_Contract>` labels nothing.
        if is_lone_tag(&prose.words[first.clone()]) {
            return None;
        }
        if let Some(case) = case_in_strong(prose, sentences) {
            return Some(case);
        }
        let told = subject(prose, first);
        // `**Mode 1 — New ships**` on a line of its own is one name.
        let whole = broken_off(prose, first).filter(|name| styled(prose, name));
        let numbered = whole.as_ref().is_some_and(|name| is_numbered(&prose.words[name.clone()]));
        let name = whole
            .filter(|_| numbered)
            .or_else(|| stopped(prose, first).filter(|_| orders_behind(prose, &sentences[1..])))
            .or_else(|| parted(prose, first))
            .or_else(|| broken_off(prose, first).filter(|name| !of_all(name)))
            .or_else(|| told.clone())?;
        (cases || numbered || names(prose, &name)).then(|| Self {
            text: prose.condensed(name.clone()),
            span: prose.span(&name),
            case: cases
                || numbered
                || is_case(prose, &prose.words[name.clone()])
                || names_topic(prose, &name)
                || told.as_ref() == Some(&name)
                || stopped(prose, first).is_some()
                || befalls_then(prose, &name),
            whole: stopped(prose, first).is_some(),
        })
    }

    /// Whether the first sentence says nothing else.
    pub(crate) fn is_whole(&self) -> bool {
        self.whole
    }

    /// Takes such a sentence as the label of those behind it; false for any other.
    pub(crate) fn labels(
        caption: Option<&Self>,
        book: &mut Book<'_>,
        (prose, sentence): (&Prose<'_>, &Range<usize>),
        here: &mut Setting,
    ) -> bool {
        let labels = caption.is_some_and(Self::is_whole);
        if labels {
            book.omit(prose.span(sentence), OmissionReason::Description);
            Self::behind(caption, 0, false, here);
        }
        labels
    }

    /// Before the sentence at `at`: one that has a label of its own is about something else.
    pub(crate) fn before(
        caption: Option<&Self>,
        at: usize,
        prose: &Prose<'_>,
        sentence: &Range<usize>,
        here: &mut Setting,
    ) {
        let words = &prose.words[sentence.clone()];
        let start = words.iter().position(|word| word.kind != WordKind::Mark);
        let colon = words.iter().position(|word| word.mark(":"));
        let name = start.zip(colon).filter(|(start, colon)| start < colon);
        let labelled = || {
            name.is_some_and(|(start, colon)| {
                styled(prose, &(sentence.start + start..sentence.start + colon))
            })
        };
        if at > 0 && caption.is_some() && labelled() {
            Self::leave(caption, here);
        }
        // `Do not climb it` behind `**Deck structure**: List its root.` is said of it alone.
        let stands = |caption: &&Self| here.conditions.iter().any(|(_, span)| *span == caption.span);
        let local = || matches!(mood_of(words).mood, Mood::Order(level, _) if is_local(words, level));
        if let Some(caption) = caption.filter(|caption| at > 0 && !stands(caption) && !labelled() && local())
        {
            here.conditions.push((caption.text.clone(), caption.span));
        }
    }

    /// Behind the sentence at `at`, `ordered` when that is a norm, which has the label already.
    pub(crate) fn behind(caption: Option<&Self>, at: usize, ordered: bool, here: &mut Setting) {
        if let Some(caption) = caption.filter(|caption| at == 0 && (caption.case || !ordered)) {
            here.conditions.push((caption.text.clone(), caption.span));
        }
    }

    pub(crate) fn leave(caption: Option<&Self>, here: &mut Setting) {
        if let Some(caption) = caption {
            here.conditions.retain(|(_, span)| *span != caption.span);
        }
    }

    /// When the items hold that the block leads in.
    pub(crate) fn case(&self) -> Option<String> {
        self.case.then(|| self.text.clone())
    }
}

/// `**If a chart exists**: Skip both. Use it. Sail.`, `**Ropes worn out?** They still chafe. Look at each. Then turn back.`: the case that
/// strong type names is that of all sentences behind it.
fn case_in_strong(prose: &Prose<'_>, sentences: &[Range<usize>]) -> Option<Caption> {
    const LONGEST: usize = 12;
    let (first, behind) = sentences.split_first()?;
    let words = &prose.words[first.clone()];
    let colon = words.iter().position(|word| word.mark(":"));
    let opens = words.first().is_some_and(|first| first.any(&["if", "when", "otherwise"]));
    let mark = words.iter().position(|word| word.mark("?"));
    let open = is_open(words) || words.iter().any(|word| word.mark("—"));
    let asked = mark.filter(|_| asks(words) && !open && behind.len() > 1);
    let end = colon.filter(|_| opens).or(asked.filter(|at| at + 1 == words.len()))?;
    let name = first.start..first.start + end;
    let shown = name.start..name.end + usize::from(asked.is_some());
    ((1..=LONGEST).contains(&end) && styled(prose, &name) && orders_behind(prose, behind)).then(|| Caption {
        text: prose.condensed(shown.clone()),
        span: prose.span(&shown),
        case: true,
        whole: asked.is_some(),
    })
}

/// Whether one of these orders.
fn orders_behind(prose: &Prose<'_>, sentences: &[Range<usize>]) -> bool {
    let orders = |words: &[Word]| {
        matches!(mood_of(words).mood, Mood::Order(..))
            || words.first().is_some_and(|first| first.is("always"))
    };
    sentences.iter().any(|sentence| orders(&prose.words[sentence.clone()]))
}

/// Whether each item of a list says of a case what it is, and then what is to be done: `- dev: throwaway. Reset it.`, `- prod: real users. Ask first.`
pub(crate) fn lists_cases(list: &Block) -> bool {
    const LONGEST: usize = 3;
    let mut first = list.children.iter().map(|item| item.children.first().map(|first| &first.text));
    // As most lists are none.
    if list.children.len() < 2
        || !first.clone().all(|text| text.is_some_and(|text| text.as_str().contains(": ")))
    {
        return false;
    }
    let says = |text: &RichText| {
        let prose = Prose::new(text);
        let sentences = split_sentences(&prose.words);
        let Some(name) = sentences.first().and_then(|first| parted(&prose, first)) else { return false };
        let tells = tells_case(&prose, &sentences[0]);
        let plain = |word: &Word| matches!(word.kind, WordKind::Plain | WordKind::Code);
        let named = name.len() <= LONGEST && prose.words[name].iter().all(plain);
        sentences.len() > 1 && named && tells
    };
    first.all(|text| text.is_some_and(says))
}

/// Whether each item of a list says what is done with what is of its grade: `- Critical: do not sail`, `- Minor: may wait`. Alone such a label
/// only stresses what stands behind it.
pub(crate) fn lists_grades(list: &Block) -> bool {
    const FEWEST: usize = 3;
    let texts =
        || list.children.iter().map(|item| item.children.first().map_or("", |first| first.text.as_str()));
    let names: BTreeSet<String> = texts().filter_map(grade_of).map(str::to_lowercase).collect();
    let acts = |item: &Block| {
        item.children.first().is_some_and(|first| {
            let prose = Prose::new(&first.text);
            let colon = prose.words.iter().position(|word| word.mark(":"));
            colon.is_some_and(|colon| {
                let said = &prose.words[colon + 1..];
                matches!(mood_of(said).mood, Mood::Order(..))
                    || said.first().is_some_and(|word| word.is("may"))
            })
        })
    };
    let all = list.children.len();
    names.len() >= FEWEST
        && names.len() == all
        && list.children.iter().filter(|item| acts(item)).count() * 2 >= all
}

/// How grave something is.
const GRADES: &[&str] = &[
    "critical",
    "blocker",
    "blocking",
    "severe",
    "error",
    "high",
    "medium",
    "low",
    "major",
    "minor",
    "important",
    "warning",
    "info",
    "nit",
    "suggestion",
    "trivial",
];

/// The grade that a text opens with: `Critical` of `🔴 Critical: never merge`.
fn grade_of(text: &str) -> Option<&str> {
    let (name, _) = text.split_once(':')?;
    let name = name.trim_matches(|c: char| !c.is_alphanumeric());
    is_grade(name).then_some(name)
}

/// `Critical`, `Minor`.
pub(super) fn is_grade(name: &str) -> bool {
    GRADES.contains(&name.to_lowercase().as_str())
}

/// Takes the grade off the first sentence of an item among such; all that the item says holds for it.
pub(crate) fn under_grade(prose: &Prose<'_>, first: Option<&mut Range<usize>>, here: &mut Setting) {
    let Some(sentence) = first.filter(|_| here.beside.grades) else { return };
    let words = &prose.words[sentence.clone()];
    let name = words.iter().position(|word| word.kind == WordKind::Plain);
    let colon = words.iter().position(|word| word.mark(":")).filter(|colon| colon + 1 < words.len());
    if let Some((name, colon)) = name.zip(colon).filter(|(name, colon)| name < colon) {
        let name = sentence.start + name..sentence.start + colon;
        here.conditions.push((prose.condensed(name.clone()), prose.span(&name)));
        sentence.start = name.end + 1;
    }
}

/// `SEV1: customers cannot pay.`: a label, and what stands behind it orders nothing.
pub(crate) fn tells_case(prose: &Prose<'_>, sentence: &Range<usize>) -> bool {
    parted(prose, sentence).is_some_and(|name| {
        let told = &prose.words[name.end + 1..sentence.end];
        // `SEV1: customers cannot pay`.
        let unable = || told.iter().any(|word| word.any(&["cannot", "can't"]));
        match mood_of(told).mood {
            Mood::Order(..) => !told.is_empty() && mood_of(told).mood != IMPERATIVE && unable(),
            Mood::Question => false,
            _ => !told.is_empty(),
        }
    })
}

/// The label that a sentence opens with.
pub(crate) fn label_of(prose: &Prose<'_>, sentence: &Range<usize>) -> Option<String> {
    label_words(prose, sentence).map(|name| prose.condensed(name))
}

/// The words of the label of a sentence.
pub(crate) fn label_words(prose: &Prose<'_>, sentence: &Range<usize>) -> Option<Range<usize>> {
    let name = parted(prose, sentence)?;
    // `**toll** (optional)`.
    let bracket = name.clone().find(|&at| prose.words[at].lower == "(").filter(|&at| at > name.start);
    Some(name.start..bracket.unwrap_or(name.end)).filter(|name| names(prose, name))
}

/// The label of a sentence where it names a case and no part of the procedure: `STALE_LOCK:`, `` `partial` — ``, `**late** —`.
pub(crate) fn case_named(prose: &Prose<'_>, sentence: &Range<usize>) -> Option<Range<usize>> {
    let name = parted(prose, sentence)?;
    let words = &prose.words[name.clone()];
    let lower = styled(prose, &name) && words.len() <= 2 && !words[0].capital;
    // `Option 2: the owner keeps the branch` says what is done then.
    (words.len() == 1 && is_case(prose, words) || lower).then_some(name)
}

/// Whether these words stand out as the name of something.
fn names(prose: &Prose<'_>, name: &Range<usize>) -> bool {
    const FORCES: &[&str] = &[
        "mandatory",
        "required",
        "always",
        "never",
        "must",
        "optional",
        "recommended",
        "preferred",
        "strongly",
    ];
    const LONGEST: usize = 6;
    let words = &prose.words[name.clone()];
    let named = words.iter().filter(|word| word.kind != WordKind::Mark && word.depth == 0).count();
    let told = words
        .iter()
        .any(|word| !is_generic(word) && !word.any(FORCES) && word.lower.chars().any(char::is_alphabetic));
    let stands_out = is_case(prose, words) || styled(prose, name);
    told && stands_out && named <= LONGEST && (is_name(words) || befalls(&prose.verbatim(name.clone())))
}

/// `STUCK: …`, `**Timeout** — …`: the words in front of a colon or a dash.
fn parted(prose: &Prose<'_>, first: &Range<usize>) -> Option<Range<usize>> {
    let words = &prose.words[first.clone()];
    let end = words.iter().position(|word| word.mark(":") || word.mark("—"))?;
    let start = words.iter().position(|word| word.kind != WordKind::Mark).filter(|&start| start < end)?;
    let topic = !words[end].mark(":") || label(prose, first.clone()).0 == Label::Topic;
    (topic && end + 1 < words.len()).then_some(first.start + start..first.start + end)
}

/// `**Fast path.**`, `**Create.**`: a label that ends as a sentence does.
fn stopped(prose: &Prose<'_>, first: &Range<usize>) -> Option<Range<usize>> {
    const LONGEST: usize = 3;
    // `Sounding before sailing`, `You judge` say something themselves.
    const SAYING: &[&str] =
        &["you", "we", "it", "before", "over", "for", "first", "without", "as", "only", "matters"];
    // What is done at once needs no object: `**Stop.**`
    const WHOLE: &[&str] = &[
        "stop", "wait", "halt", "pause", "ask", "think", "proceed", "continue", "abort", "exit", "done",
        "do", "don't", "no", "yes", "never", "always", "listen", "breathe", "run",
    ];
    let (stop, name) = prose.words[first.clone()].split_last()?;
    let plain = |word: &Word| {
        matches!(word.kind, WordKind::Plain | WordKind::Code)
            && !word.any(WHOLE)
            && !word.any(SAYING)
            && !word.lower.starts_with(|c: char| c.is_ascii_digit())
    };
    let named = stop.mark(".") && (1..=LONGEST).contains(&name.len()) && name.iter().all(plain);
    let range = first.start..first.end - 1;
    let bare =
        named && (name.len() == 1 || mood_of(name).mood == Mood::Fragment) && !name.iter().all(is_generic);
    (bare && name[0].capital && styled(prose, &range)).then_some(range)
}

/// `**Somebody else's notes**`, and the rest on the next line.
fn broken_off(prose: &Prose<'_>, first: &Range<usize>) -> Option<Range<usize>> {
    let (last, words) = prose.words[first.clone()].split_last()?;
    let ends = words.last()?.kind != WordKind::Mark;
    let start = words.iter().position(|word| word.kind != WordKind::Mark)?;
    (last.lower == "\n" && ends).then(|| first.start + start..first.end - 1)
}

/// `**Guest boats** are marked. Read the mark.`: of which the first sentence tells, and the others order.
fn subject(prose: &Prose<'_>, first: &Range<usize>) -> Option<Range<usize>> {
    const LONGEST: usize = 3;
    let words = &prose.words[first.clone()];
    let verb = words.iter().position(|word| word.any(&["is", "are", "has", "have"]))?;
    let name = first.start..first.start + verb;
    let named = (1..=LONGEST).contains(&verb) && styled(prose, &name) && words[0].capital;
    (named && mood_of(words).mood == Mood::Statement).then_some(name)
}

/// `**Browser storage:** Never keep names there. Keep them in memory.`: what all its sentences are about.
fn names_topic(prose: &Prose<'_>, name: &Range<usize>) -> bool {
    const LONGEST: usize = 3;
    // `**Night mode (default):**`
    let outside = |word: &&Word| word.depth == 0 && !matches!(word.lower.as_str(), "(" | ")");
    prose.words[name.clone()].iter().filter(outside).count() <= LONGEST
        && prose.words.get(name.end).is_some_and(|colon| colon.mark(":"))
        && styled(prose, name)
        && !prose.words[name.clone()].iter().any(is_generic)
}

/// `**On approval** — …`: when all that stands behind it is done.
fn befalls_then(prose: &Prose<'_>, name: &Range<usize>) -> bool {
    let first = &prose.words[name.start];
    styled(prose, name)
        && name.len() > 1
        && (first.any(&["on", "upon", "after", "before", "if", "when", "during"])
            || befalls(&prose.verbatim(name.clone())))
}

/// `Mode 1 — New ships`, `Scenario B: By night`.
pub(super) fn is_numbered(words: &[Word]) -> bool {
    const LONGEST: usize = 10;
    let [kind, which, rest @ ..] = words else { return false };
    kind.any(&["mode", "scenario", "variant", "situation", "option", "case", "path"])
        && which.lower.len() <= 2
        && which.lower.chars().all(char::is_alphanumeric)
        && rest.first().is_none_or(|mark| mark.kind == WordKind::Mark)
        && words.len() <= LONGEST
}

/// Whether strong type begins with the name and ends with it.
pub(super) fn styled(prose: &Prose<'_>, name: &Range<usize>) -> bool {
    let (start, end) = (prose.words[name.start].range.start, prose.words[name.end - 1].range.end);
    let strong = prose.text.styled(start..end + 3, |style| style.strong);
    strong.first().is_some_and(|strong| strong.start == start && (end..=end + 2).contains(&strong.end))
}

/// `TIMED_OUT`, `` `partial` ``, `Option 2`, `BLOCKED`.
fn is_case(prose: &Prose<'_>, words: &[Word]) -> bool {
    let capitals = |word: &Word| {
        let text = &prose.text.as_str()[word.range.clone()];
        text.len() > 4 && !text.contains(char::is_lowercase)
    };
    match words {
        [only] => {
            only.kind == WordKind::Code
                || only.lower.contains('_')
                || capitals(only)
                || only.capital && is_member(&only.lower)
                || only.is("fallback") && only.capital
        }
        [_, _] if names_case(words) => true,
        // `Night mode`, `Auto mode (default)`
        [first, mode, rest @ ..] => {
            first.capital
                && mode.any(&["mode", "tier", "profile"])
                && rest.iter().all(|word| word.depth > 0 || matches!(word.lower.as_str(), "(" | ")"))
        }
        _ => false,
    }
}

/// No sentence, and no order.
fn is_name(words: &[Word]) -> bool {
    words.len() == 1 || matches!(mood_of(words).mood, Mood::Fragment)
}

/// Whether a paragraph begins with a strong label on a line of its own.
pub(crate) fn opens_strong(book: &Book<'_>, prose: &Prose<'_>) -> bool {
    let text = prose.text.as_str();
    let strong = prose.text.styled(0..text.len(), |style| style.strong);
    let Some(label) = strong.first().filter(|label| label.start == 0) else { return false };
    let behind =
        prose.words.iter().position(|word| word.range.start >= label.end && word.kind != WordKind::Mark);
    let Some(behind) = behind.filter(|&behind| behind > 0) else { return true };
    let between =
        Span { start: prose.span(&(behind - 1..behind)).start, end: prose.span(&(behind..behind + 1)).start };
    book.source.slice(between).contains('\n')
}

/// The cases of labels before this one are over: `**For ferries**:` ends `**For yachts**:` and `If it rains:`, a strong label that is no case
/// ends strong ones and what stands within them, and `If it rains:` may stand within `**For yachts**:`.
pub(crate) fn end_cases(book: &Book<'_>, here: &mut Setting, strong: bool, case: bool) {
    let is_strong = |(_, span): &(String, Span)| {
        let (text, start) = (book.source.text(), span.range().start);
        text.get(..start).is_some_and(|before| before.ends_with("**"))
            || text.get(start..).is_some_and(|own| own.starts_with("**"))
    };
    let own = &here.conditions[here.inherited.min(here.conditions.len())..];
    let kept = match (strong, case) {
        (true, true) => 0,
        (true, false) => own.iter().position(is_strong).unwrap_or(own.len()),
        (false, _) => own.iter().rposition(is_strong).map_or(0, |last| last + 1),
    };
    here.conditions.truncate(here.inherited + kept);
}

//! Labels and headings that say when what stands under them comes, without a word such as `if`: `Upload failed:`, `Day 3:`.

use mentci_authority::OmissionReason;
use mentci_reader::markdown::{Block, BlockKind, RichText};

use super::draft::Book;
use super::fence::is_shell;
use super::setting::{LeadIn, Setting};
use super::speech::befalling::befalls;
use super::speech::befalling::outside_brackets;
use super::speech::condition::{is_lettered, is_member};
use super::speech::lead::Lead;
use super::speech::lexicon::is_verb;
use super::speech::mood::{Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::stance::Stance;
use super::speech::word::WordKind;

/// The lead-in of a list as the case in which its items are done: `Upload failed:`, `No berth free:`, or any name under `Error
/// scenarios`. Under such a name there may stand causes, too, so the items must order. `No open fire:` forbids what is listed, wherever it
/// stands.
pub(crate) fn case_of(book: &Book<'_>, list: &Block, here: &Setting) -> Option<LeadIn> {
    const LONGEST: usize = 6;
    let lead = here.lead.as_ref().filter(|lead| lead.draft.is_none())?;
    let name = lead.text.trim_end_matches([':', ' ']);
    let size = outside_brackets(name).split_whitespace().count();
    // What is not there forbids nothing of what is done then.
    let lacks = lead.forbids() && befalls(name);
    let cases = || {
        // Right under such a heading, or under the name of one of its kinds.
        let of_cases = |heading: &usize| lists_cases(&book.headings[*heading].text);
        let falls_back = |heading: usize| names_fallback(&book.headings[heading].text);
        here.heading.is_some_and(|heading| of_cases(&heading) || falls_back(heading))
            || size > 1 && book.open.iter().any(of_cases)
    };
    // `Stores or stores' requirements not met` names what is required, and is a case all the same.
    let named = |stance: Stance| {
        let opens = name.split(' ').next().unwrap_or_default().to_lowercase();
        let binds = matches!(opens.as_str(), "required" | "requirements" | "always" | "must" | "mandatory");
        stance == Stance::Order && size > 2 && !(binds && size < 4) && cases()
    };
    let free = match lead.lead {
        Lead::Stance(Stance::Neutral | Stance::Describe, _) => true,
        Lead::Stance(stance, _) => named(stance),
        _ => false,
    };
    if !(lacks || free) {
        return None;
    }
    // `**Linux** (`linux.md`):` beside `**Windows**:`
    let alone = !outside_brackets(name).contains(' ');
    let member = alone && is_member(outside_brackets(name)) && list.children.iter().any(orders);
    if member {
        let text = outside_brackets(name).to_owned();
        return Some(LeadIn { lead: Lead::Condition, text, ..lead.clone() });
    }
    let lettered = is_lettered(name);
    let fits = (1..=LONGEST).contains(&size) && befalls(name) || (1..=2 * LONGEST).contains(&size) && cases();
    if !(lettered || fits) {
        return None;
    }
    let count = list.children.iter().filter(|item| orders(item) || reacts(item)).count();
    // What tells of a case by its letter says when it is that.
    let acts = !lettered || list.children.first().is_some_and(orders);
    (acts && count * 2 > list.children.len()).then(|| LeadIn {
        lead: Lead::Condition,
        text: name.to_owned(),
        ..lead.clone()
    })
}

/// `**High water level**` on a line of its own above commands, under `Troubleshooting`: the case in which they are run.
pub(super) fn names_trouble(book: &Book<'_>, label: &Block, here: &Setting, next: Option<&Block>) -> bool {
    const LONGEST: usize = 8;
    let text = label.text.as_str();
    let name = text.trim_end_matches([':', ' ']);
    let strong = label.text.styled(0..text.len(), |style| style.strong);
    let alone = strong.first().is_some_and(|strong| strong.start == 0 && strong.end >= name.len());
    let runs =
        matches!(next.map(|next| &next.kind), Some(BlockKind::Fence { language, .. }) if is_shell(language));
    let cases =
        || book.open.iter().chain(&here.heading).any(|heading| lists_cases(&book.headings[*heading].text));
    alone
        && runs
        && !name.contains(':')
        && (2..=LONGEST).contains(&name.split_whitespace().count())
        && here.lead.is_none()
        && cases()
        && names_state(&label.text)
}

/// `**Flax rope** - For short trips` above commands: for what they are run.
pub(super) fn names_use(label: &Block, next: Option<&Block>) -> bool {
    let text = label.text.as_str();
    let strong = label.text.styled(0..text.len(), |style| style.strong);
    let Some(name) = strong.first().filter(|strong| strong.start == 0) else { return false };
    let said = text[name.end..].trim_start();
    let behind = ["- ", "– ", "— ", ": "].iter().find_map(|mark| said.strip_prefix(mark));
    let used = behind.is_some_and(|said| {
        ["For ", "for ", "When ", "when ", "If ", "if "].iter().any(|word| said.starts_with(word))
    });
    let whole = !text.trim_end().ends_with(':') && !text.contains(". ");
    let runs =
        matches!(next.map(|next| &next.kind), Some(BlockKind::Fence { language, .. }) if is_shell(language));
    used && whole && runs
}

/// `**Harbour case**: a berth is given` above a list that orders, beside `**Sea case**: none is`: when what is listed is done.
pub(super) fn is_case_among(blocks: &[Block], at: usize) -> bool {
    let Some(kind) = case_kind(blocks, at) else { return false };
    let section = |block: &&Block| !matches!(block.kind, BlockKind::Heading(_));
    let before = blocks[..at].iter().rev().take_while(section).count();
    let behind = blocks[at + 1..].iter().take_while(section).count();
    (at - before..at + 1 + behind)
        .filter(|&other| other != at)
        .any(|other| case_kind(blocks, other) == Some(kind))
}

/// `case` of `**Harbour case**: a berth is given` above a list that orders.
fn case_kind(blocks: &[Block], at: usize) -> Option<&str> {
    const KINDS: &[&str] = &["case", "context", "mode", "path", "scenario", "situation", "variant"];
    const LONGEST: usize = 14;
    let block = &blocks[at];
    let list = blocks.get(at + 1).filter(|list| matches!(list.kind, BlockKind::List(_)))?;
    if block.kind != BlockKind::Paragraph {
        return None;
    }
    let text = block.text.as_str();
    let strong = block.text.styled(0..text.len(), |style| style.strong);
    let label = strong.first().filter(|strong| strong.start == 0)?;
    let name = text[label.clone()].trim_end_matches([':', ' ']);
    let kind = name.rsplit(' ').next()?;
    let said = text[label.end..].trim_start_matches([':', ' ']);
    let told = said.split_whitespace().count() <= LONGEST && !said.trim_end().ends_with(':') && {
        let said = RichText::plain(said, block.span);
        !matches!(mood_of(&Prose::new(&said).words).mood, Mood::Order(level, _) if !level.is_prohibition())
    };
    let acts = list.children.iter().filter(|item| orders(item)).count() * 2 > list.children.len();
    (KINDS.contains(&kind.to_lowercase().as_str()) && told && acts).then_some(kind)
}

/// `Slow loading`, `No pump reached`: no order, be it that it opens with a word that may be a verb.
fn names_state(text: &RichText) -> bool {
    const ASKING: &[&str] = &["how", "what", "why", "when", "solution", "fix", "example", "step"];
    let prose = Prose::new(text);
    let Some(first) = prose.words.first() else { return false };
    let denies = first.is("no");
    !first.any(ASKING)
        && (denies || matches!(mood_of(&prose.words).mood, Mood::Fragment | Mood::Statement | Mood::Question))
}

/// `Is the tide low?` above `Yes → wait` and `No → sail`: the question is the case of each answer.
pub(crate) fn asked(book: &mut Book<'_>, item: &Block) -> Option<LeadIn> {
    let [question, answers] = &item.children[..] else { return None };
    let asks = question.kind == BlockKind::Paragraph && question.text.as_str().trim_end().ends_with('?');
    if !asks || !matches!(answers.kind, BlockKind::List(_)) {
        return None;
    }
    let answered = |answer: &Block| {
        let text = answer.children.first().map_or("", |first| first.text.as_str()).trim_start();
        let end = text.find(|c: char| !c.is_alphabetic()).unwrap_or(0);
        matches!(&text[..end], "Yes" | "No" | "YES" | "NO" | "yes" | "no")
            && text[end..].trim_start().starts_with(['→', '-', '—', ':', ',', '='])
    };
    if !answers.children.iter().all(answered) {
        return None;
    }
    let prose = Prose::new(&question.text);
    let all = 0..prose.words.len();
    book.omit(prose.span(&all), OmissionReason::Description);
    let (text, span) = (prose.condensed(all.clone()), prose.span(&all));
    Some(LeadIn { lead: Lead::Condition, text, span, draft: None, when: None })
}

fn orders(item: &Block) -> bool {
    let Some(first) = item.children.first() else { return false };
    let prose = Prose::new(&first.text);
    let mut plain = prose.words.iter().filter(|word| word.kind != WordKind::Mark);
    // `2. Wait.`
    let acts = plain.next().is_some_and(|word| is_verb(&word.lower)) && plain.next().is_none();
    acts || matches!(mood_of(&prose.words).mood, Mood::Order(..))
}

/// `User message: "No berth is free"`, `Fallback: the old chart`: by its label, what is done in a case.
fn reacts(item: &Block) -> bool {
    const DONE: &[&str] = &[
        "message",
        "action",
        "fallback",
        "warning",
        "response",
        "recovery",
        "remedy",
        "resolution",
        "fix",
        "solution",
    ];
    let Some(first) = item.children.first() else { return false };
    let label = first.text.as_str().split_once(':').map(|(label, _)| label.trim().to_lowercase());
    label.is_some_and(|label| label.split(' ').next_back().is_some_and(|last| DONE.contains(&last)))
}

/// `Error scenarios`, `Edge cases`, `Failure modes`: each name under it is a case.
pub(super) fn lists_cases(heading: &str) -> bool {
    const KINDS: &[&str] = &["error", "edge", "failure", "fallback", "special", "corner"];
    const CASES: &[&str] = &["scenarios", "cases", "handling", "modes", "conditions", "situations"];
    const COMMON: &[&str] = &["common", "known", "frequent", "typical"];
    let lower = heading.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let Some(last) = words.next_back() else { return false };
    // `Troubleshooting`, `Common problems`
    if lower.contains("troubleshoot") {
        return true;
    }
    if matches!(last, "issues" | "problems" | "errors" | "failures") {
        return words.next_back().is_some_and(|kind| COMMON.contains(&kind));
    }
    CASES.contains(&last) && words.next_back().is_some_and(|kind| KINDS.contains(&kind))
        || last == "scenarios"
}

/// `Safety and fallback`.
fn names_fallback(heading: &str) -> bool {
    let lower = heading.to_lowercase();
    let last = lower.rsplit(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
    matches!(last, Some("fallback" | "fallbacks"))
}

/// `T-7 days: Teaser posts`, `Week 2 — First review`, `After 24 hours: Report`: an item whose label is a date of a plan.
pub(crate) fn is_dated(item: &str) -> bool {
    const UNITS: &[&str] = &["minute", "hour", "day", "week", "month", "quarter", "sprint"];
    const LONGEST: usize = 4;
    let item = item.trim_start();
    let Some(end) = [": ", " — ", " – ", " - "].iter().filter_map(|mark| item.find(mark)).min() else {
        return false;
    };
    let label = item[..end].to_lowercase();
    let words = || label.split([' ', '-', '–', '+']).filter(|word| !word.is_empty());
    let unit = |word: &str| UNITS.contains(&word.strip_suffix('s').unwrap_or(word));
    let counts = label.contains(|c: char| c.is_ascii_digit());
    words().count() <= LONGEST && words().any(unit) && (counts || words().nth(1).is_some_and(unit))
}

//! What the items of a list are together: orders among which some only name, fields with labels, or names that go on with a sentence.

use mentci_authority::{Force, Level};
use mentci_reader::markdown::{Block, BlockKind, RichText};

use super::draft::Book;
use super::parts;
use super::roster;
use super::setting::{Items, LeadIn, Setting};
use super::speech::guard::plain_in;
use super::speech::label::{Label, label};
use super::speech::lead::Lead;
use super::speech::lexicon::{DETERMINERS, OBJECT_STARTS, is_nounish, is_verb};
use super::speech::mood::{IMPERATIVE, Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::stance::Stance;
use super::speech::word::{Word, WordKind};

/// What the items of a list are together.
pub(super) fn items_of(book: &Book<'_>, list: &Block, here: &Setting) -> Items {
    let ruled = || here.heading.is_some_and(|heading| names_rules(&book.headings[heading].text));
    if ruled() && specifies(book, list, here) {
        Items::Specified
    } else if amid_orders(book, list, here) {
        Items::Orders
    } else if specifies(book, list, here) {
        Items::Specified
    } else if lists_fields(book, list, here) {
        Items::Fields
    } else if lists_names(list, here) {
        Items::Names
    } else if lists_things(list) {
        Items::Things
    } else if counts_acts(list) {
        Items::Steps
    } else {
        Items::Various
    }
}

/// Whether most of several items with numbers order, or all of those without: `Write a test`, `Implement`, `Verify`.
fn counts_acts(list: &Block) -> bool {
    const SHORTEST: usize = 3;
    let numbered = |item: &Block| matches!(item.kind, BlockKind::Item { number: Some(_), .. });
    let texts = list.children.iter().filter_map(|item| item.children.first()).map(|first| &first.text);
    let orders = |text: &&RichText| matches!(mood_of(&Prose::new(text).words).mood, Mood::Order(..));
    let acts = |text: &RichText| {
        let prose = Prose::new(text);
        let Some(verb) = prose.words.first() else { return false };
        let clear = verb.capital && is_verb(&verb.lower) && !is_nounish(&verb.lower);
        clear && (prose.words.len() == 1 || mood_of(&prose.words).mood == IMPERATIVE)
    };
    let all = list.children.len();
    all >= SHORTEST
        && (list.children.iter().all(numbered) && texts.clone().filter(orders).count() * 3 >= all * 2
            || texts.clone().all(acts) && texts.clone().any(|text| !text.as_str().trim().contains(' ')))
}

/// `Title tags`, `Lamp of the stern`, `Open gates`: whether the items only name, but for a few that open with a word that may be a verb.
fn lists_things(list: &Block) -> bool {
    const SHORTEST: usize = 3;
    let texts = || list.children.iter().filter_map(|item| item.children.first()).map(|first| &first.text);
    let names = |text: &RichText| mood_of(&Prose::new(text).words).mood == Mood::Fragment;
    let may_name = |text: &RichText| {
        let prose = Prose::new(text);
        names(text)
            || may_be_name(in_front(&prose.words))
            || is_name_with_bracket(&prose.words)
            || is_glossed(&prose.words)
    };
    list.children.len() >= SHORTEST
        && list.children.iter().all(|item| matches!(item.kind, BlockKind::Item { number: None, task: None }))
        && texts().all(may_name)
        && texts().filter(|text| names(text)).count() * 3 >= list.children.len() * 2
}

/// `Open gates` in such a list, where nothing orders what it names.
pub(super) fn names_with_others(book: &Book<'_>, words: &[Word], here: &Setting) -> bool {
    let free = match &here.lead {
        None => !here.heading.is_some_and(|heading| {
            let heading = &book.headings[heading].text;
            names_work(heading) && !names_topics(heading)
        }),
        Some(lead) => {
            lead.draft.is_none() && matches!(lead.lead, Lead::Stance(Stance::Neutral | Stance::Describe, _))
        }
    };
    here.beside.items == Items::Things
        && free
        && here.parent.is_none()
        && matches!(here.section, Stance::Neutral | Stance::Describe)
        && (may_be_name(without_bracket(words)) || is_name_with_bracket(words) || is_glossed(words))
}

/// `Ring: round trips`, `Reach — ships that saw it`: a name of one word that may be a verb, and what it is.
fn is_glossed(words: &[Word]) -> bool {
    let [name, mark, gloss @ ..] = words else { return false };
    let parted = mark.mark(":") || mark.mark("—");
    name.capital
        && name.kind == WordKind::Plain
        && is_verb(&name.lower)
        && parted
        && !gloss.is_empty()
        && !gloss.iter().any(|word| {
            word.mark("—") || word.kind == WordKind::Code || word.lower.contains(|c: char| c.is_ascii_digit())
        })
        && mood_of(gloss).mood == Mood::Fragment
}

/// `Alert (variant)`
fn is_name_with_bracket(words: &[Word]) -> bool {
    let name = without_bracket(words);
    name.len() < words.len() && matches!(name, [name] if name.capital && is_nounish(&name.lower))
}

/// `Open gates` of `Open gates (north side)`.
fn without_bracket(words: &[Word]) -> &[Word] {
    let open = words.iter().position(|word| word.lower == "(" && word.kind == WordKind::Mark);
    let close = words.iter().position(|word| word.lower == ")" && word.kind == WordKind::Mark);
    match (open, close) {
        (Some(open), Some(close)) if close + 1 == words.len() => &words[..open],
        _ => words,
    }
}

/// `Source layer — the upper one` in such a list under an order: what it is done to.
pub(super) fn names_part_with_others(words: &[Word], lead: &LeadIn, here: &Setting) -> bool {
    let name = in_front(words);
    let orders = || {
        let rest = &words[(name.len() + 1).min(words.len())..];
        !rest.is_empty() && matches!(mood_of(rest).mood, Mood::Order(..))
    };
    matches!(here.beside.items, Items::Things | Items::Fields)
        && !words.first().is_some_and(|first| first.is("use"))
        && !orders()
        && lead.draft.is_some()
        && matches!(lead.lead, Lead::Order(Level::Must | Level::Should))
        && (may_be_name(name) || opens_with_name_set_off(words))
}

/// `Name (short)`, `REDESIGN — too low a score`: a name that may be a verb, set off from what follows.
fn opens_with_name_set_off(words: &[Word]) -> bool {
    matches!(words, [name, mark, ..] if name.capital && is_nounish(&name.lower)
        && (mark.lower == "(" || name.shouted && mark.mark("—")))
}

/// The words in front of a dash, a colon or a bracket.
fn in_front(words: &[Word]) -> &[Word] {
    let parts = |word: &Word| word.mark("—") || word.mark(":") || word.lower == "(";
    &words[..words.iter().position(parts).unwrap_or(words.len())]
}

/// `Open gates`, `Key event sequence`: a noun in front that may be a verb, and no article, number or code.
fn may_be_name(words: &[Word]) -> bool {
    const LONGEST: usize = 4;
    let [first, next, ..] = words else { return false };
    first.kind == WordKind::Plain
        && first.capital
        && is_nounish(&first.lower)
        && words.len() <= LONGEST
        && words.iter().all(|word| word.kind == WordKind::Plain && !word.shouted)
        && !next.among(DETERMINERS)
        && !next.among(OBJECT_STARTS)
        && matches!(mood_of(words).mood, Mood::Order(Level::Must, Force::Implied) | Mood::Fragment)
}

/// Whether all items under a positive order begin in small letters, and most only name: `exit code` beside `full log` under `Require:`.
fn lists_names(list: &Block, here: &Setting) -> bool {
    let ordered = here.lead.as_ref().is_some_and(|lead| {
        lead.draft.is_some() && matches!(lead.lead, Lead::Order(Level::Must | Level::Should))
    });
    let texts = || list.children.iter().filter_map(|item| item.children.first()).map(|first| &first.text);
    let small = |text: &RichText| text.as_str().starts_with(char::is_lowercase);
    // `Collect:`, `Each mate must return:`: of what, the items alone say.
    let awaited = || here.lead.as_ref().is_some_and(|lead| ends_in_gathering(&lead.text));
    let names = |text: &&RichText| {
        let prose = Prose::new(text);
        prose.words.first().is_some_and(|first| first.any(&["no", "any", "whether"]))
            || mood_of(&prose.words).mood == Mood::Fragment
            || awaited() && prose.words.first().is_some_and(|first| is_nounish(&first.lower))
    };
    ordered
        && list.children.len() > 2
        && (texts().all(small) || awaited() || here.lead.as_ref().is_some_and(|lead| gathers(&lead.text)))
        && texts().filter(names).count() * 2 > list.children.len()
}

const GATHERING: &[&str] = &[
    "include",
    "list",
    "report",
    "return",
    "extract",
    "collect",
    "capture",
    "record",
    "document",
    "provide",
    "state",
    "output",
    "show",
    "display",
    "summarize",
    "describe",
    "specify",
    "gather",
    "produce",
    "choose",
    "select",
    "pick",
    "assign",
];

/// `Include in the letter:`, `Also return:`, `Ask the owner for:`: what is named under it is gathered, and not done.
pub(super) fn gathers(lead: &str) -> bool {
    const BEFORE: &[&str] = &["also", "then", "always", "finally", "and"];
    let lower = lead.to_lowercase();
    let words = plain_in(&lower);
    let first = words.iter().find(|word| !BEFORE.contains(*word));
    let asks = || first == Some(&"ask") && words.contains(&"for");
    first.is_some_and(|first| GATHERING.contains(first)) || asks() || ends_in_gathering(lead)
}

/// `Each mate must return:`: the verb has no object yet.
fn ends_in_gathering(lead: &str) -> bool {
    let lower = lead.to_lowercase();
    let [before @ .., last] = &plain_in(&lower)[..] else { return false };
    let opens = before
        .last()
        .is_none_or(|word| matches!(*word, "must" | "should" | "shall" | "always" | "also" | "and" | "to"));
    opens && GATHERING.contains(last)
}

/// Whether at least half of the items under a bare label or heading order: `Proper error handling` beside `Support paging` and `Return both`.
fn amid_orders(book: &Book<'_>, list: &Block, here: &Setting) -> bool {
    const SHORTEST: usize = 3;
    const LONGEST: usize = 4;
    let named = match &here.lead {
        Some(lead) => {
            lead.lead == Lead::Stance(Stance::Neutral, None)
                && (1..=LONGEST).contains(&lead.text.split_whitespace().count())
        }
        None => {
            here.step.is_none()
                && here.heading.is_some_and(|heading| names_work(&book.headings[heading].text))
        }
    };
    if !named || list.children.len() < SHORTEST || !matches!(here.section, Stance::Neutral | Stance::Order) {
        return false;
    }
    let orders = |item: &&Block| {
        let text = item.children.first().map(|first| &first.text);
        text.is_some_and(|text| {
            let prose = Prose::new(text);
            let (_, body) = label(&prose, 0..prose.words.len());
            matches!(mood_of(&prose.words[body]).mood, Mood::Order(..))
        })
    };
    let made = here.heading.is_some_and(|heading| makes(&book.headings[heading].text))
        && here.lead.as_ref().is_none_or(|lead| names_work(&lead.text));
    let count = list.children.iter().filter(orders).count();
    count * 2 >= list.children.len() || made && count > 0
}

/// `Flag: two hands wide`, `Lamps: hang them at dusk` under `Signals by night`: all items have labels, and half of them order, or two of five under a name of rules, or a third
/// beside those that bound what they name.
fn specifies(book: &Book<'_>, list: &Block, here: &Setting) -> bool {
    const SHORTEST: usize = 3;
    let named = here.lead.is_none()
        && here.step.is_none()
        && matches!(here.section, Stance::Neutral | Stance::Order | Stance::Advise)
        && here.heading.is_some_and(|heading| names_work(&book.headings[heading].text));
    if !named || list.children.len() < SHORTEST {
        return false;
    }
    let texts = || list.children.iter().filter_map(|item| item.children.first()).map(|first| &first.text);
    let ruled = here.heading.is_some_and(|heading| names_rules(&book.headings[heading].text));
    let orders = |text: &&RichText| {
        let prose = Prose::new(text);
        let (named, body) = label(&prose, 0..prose.words.len());
        ruled && matches!(named, Label::Force(_))
            || matches!(mood_of(&prose.words[body]).mood, Mood::Order(..))
    };
    let leaves = list.children.iter().all(|item| item.children.len() == 1);
    let bounded = || texts().filter(|text| bounds(text.as_str())).count();
    let ordered = texts().filter(orders).count();
    leaves
        && texts().all(parts::labelled)
        && (ordered * 2 >= list.children.len()
            || ordered * 5 >= list.children.len() * 2 && ruled
            || ordered * 3 >= list.children.len() && bounded() > 1)
}

/// `Core standard`, `Logo requirements`: under it stands what things must be like.
fn names_rules(heading: &str) -> bool {
    const NAMES: &[&str] = &[
        "standard",
        "standards",
        "requirement",
        "requirements",
        "rules",
        "guidelines",
        "constraints",
        "standard",
        "standards",
        "spec",
        "specs",
        "specification",
        "specifications",
        "style",
    ];
    let lower = heading.to_lowercase();
    plain_in(&lower).iter().any(|word| NAMES.contains(word))
}

/// `5-15 tags`, `under 60 letters`: a number that stands alone.
fn bounds(text: &str) -> bool {
    let behind = text.split_once(':').map_or(text, |(_, behind)| behind);
    behind.split([' ', '(', ')', ',']).any(|word| {
        word.starts_with(|c: char| c.is_ascii_digit())
            && word.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '–' | '.' | '%' | 'x' | '×'))
    })
}

/// `Step 2: Write the letters`: under it stands what the thing that is made is like.
fn makes(heading: &str) -> bool {
    const MAKING: &[&str] =
        &["write", "generate", "create", "draft", "compose", "produce", "craft", "prepare"];
    const COUNTING: &[&str] = &["step", "phase", "stage"];
    let lower = heading.to_lowercase();
    let words = plain_in(&lower);
    let counts = |word: &&&str| COUNTING.contains(*word) || word.starts_with(|c: char| c.is_ascii_digit());
    let mut rest = words.iter().skip_while(counts);
    rest.next().is_some_and(|verb| MAKING.contains(verb)) && rest.next().is_some()
}

/// `Mobile layout`: what is worked on, and not what a thing is or does.
fn names_work(heading: &str) -> bool {
    const TELLING: &[&str] = &[
        "feature",
        "features",
        "capabilities",
        "overview",
        "about",
        "summary",
        "goals",
        "purpose",
        "scope",
        "what",
        "why",
        "how",
        "when",
        "changelog",
        "roadmap",
        "examples",
        "example",
        "tools",
        "commands",
        "files",
        "options",
        "triggers",
        "trigger",
        "support",
        "supports",
        "includes",
        "included",
        "provides",
    ];
    let lower = heading.to_lowercase();
    !plain_in(&lower).iter().any(|word| TELLING.contains(word))
}

/// `Advanced patterns (concepts)`: what there is, and no work.
fn names_topics(heading: &str) -> bool {
    const TOPICS: &[&str] = &["concepts", "techniques", "topics", "ideas", "patterns"];
    let lower = heading.to_lowercase();
    plain_in(&lower).last().is_some_and(|last| TOPICS.contains(last))
}

/// Whether all items under a positive order, or under `For each bug:`, have labels: `Report for each bug:` above `Impact: who is hit`, `Fix: a proposal`.
fn lists_fields(book: &Book<'_>, list: &Block, here: &Setting) -> bool {
    let ordered = here.lead.as_ref().is_some_and(|lead| {
        lead.draft.is_some() && matches!(lead.lead, Lead::Order(level) if !level.is_prohibition())
            || roster::of_each(lead)
    });
    let labelled = |item: &Block| item.children.first().is_some_and(|first| parts::labelled(&first.text));
    // `Output format` says what to write, `How it works` does not.
    let told = || {
        let heading = here.heading.map(|heading| book.headings[heading].text.to_lowercase());
        here.section == Stance::Describe && !heading.is_some_and(|text| text.contains("format"))
    };
    // `Input: the log`, `Output: the chart`, and between them what the step does.
    let hands_on = || {
        let labels = list.children.iter().filter(|item| labelled(item));
        labels.clone().count() * 2 >= list.children.len()
            && labels.clone().filter_map(|item| item.children.first()).any(|first| passes_on(&first.text))
    };
    let all = || list.children.iter().all(labelled);
    ordered && !told() && list.children.len() > 1 && (all() || hands_on())
}

/// `Input: the log`, `Output: the chart`: what a step takes, and what it gives.
fn passes_on(text: &RichText) -> bool {
    const NAMES: &[&str] = &[
        "input",
        "inputs",
        "output",
        "outputs",
        "result",
        "results",
        "artifact",
        "artifacts",
        "returns",
        "produces",
        "deliverable",
        "deliverables",
    ];
    let name = text.as_str().split([':', '—', '–']).next().unwrap_or("").trim().to_lowercase();
    NAMES.contains(&name.as_str())
}

/// `Make it shorter` under `Offer these changes:`: what is offered, and not what is done.
pub(super) fn is_offered(lead: &LeadIn) -> bool {
    let first = lead.text.split(' ').next().unwrap_or_default().to_lowercase();
    matches!(lead.lead, Lead::Order(_))
        && lead.draft.is_some()
        && matches!(first.as_str(), "offer" | "suggest" | "propose")
}

/// `Never turns the chart` under `This will:`, `No waiting` under `The crane provides:`: what a thing does or gives, and no order of its own.
pub(super) fn tells_of_tool(here: &Setting, item: &[Word]) -> bool {
    const GIVING: &[&str] = &["provides", "provide", "offers", "gives", "delivers", "brings", "guarantees"];
    const SCANNERS: &[&str] = &["script", "tool", "command", "analyzer", "scanner", "linter", "hook"];
    const SCANNING: &[&str] = &[
        "analyzes",
        "identifies",
        "detects",
        "checks",
        "reports",
        "flags",
        "finds",
        "scans",
        "extracts",
        "generates",
        "collects",
        "outputs",
        "returns",
        "supports",
    ];
    const LONGEST: usize = 4;
    let Some(lead) = &here.lead else { return false };
    if lead.draft.is_some()
        || !matches!(lead.lead, Lead::Told | Lead::Stance(Stance::Describe | Stance::Neutral, _))
    {
        return false;
    }
    let lower = lead.text.to_lowercase();
    let words = plain_in(&lower);
    // `The script detects:`
    let named = match words[..] {
        ["the" | "this", ref named @ ..] | ref named => named,
    };
    let scans = matches!(*named, [what, scans] if SCANNERS.contains(&what) && SCANNING.contains(&scans));
    let told = scans
        || matches!(words[..], ["this" | "it", "will" | "does" | "creates" | "runs" | "installs"])
        || words.last().is_some_and(|last| GIVING.contains(last)) && (2..=LONGEST).contains(&words.len());
    told && !item.iter().any(|word| word.any(&["must", "should", "you", "only", "required"]))
}

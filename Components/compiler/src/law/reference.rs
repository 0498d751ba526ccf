//! Lists that say what each of some names is or does, in the words of an order: `` `tow`: haul the barge `` under `Commands`; and where an order sends
//! somebody.

use std::ops::Range;

use mentci_reader::markdown::{Block, BlockKind};

use super::draft::Book;
use super::setting::Setting;
use super::speech::guard::plain_in;
use super::speech::lead::Lead;
use super::speech::lexicon::{is_nounish, is_verb};
use super::speech::mood::{IMPERATIVE, Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::stance::Stance;
use super::speech::word::{Word, WordKind};

/// What such names are called, at the end of a heading or a lead-in.
const CALLED: &[&str] = &[
    "commands",
    "flags",
    "options",
    "switches",
    "endpoints",
    "routes",
    "modules",
    "packages",
    "services",
    "tools",
    "components",
    "subcommands",
    "methods",
    "functions",
    "parameters",
    "arguments",
    "capabilities",
    "skills",
    "scopes",
    "modes",
    "tags",
    "variants",
    "scripts",
    "apis",
];

/// What else may stand in such a name.
const QUALIFIED: &[&str] = &[
    "useful",
    "common",
    "available",
    "development",
    "dev",
    "all",
    "the",
    "here",
    "are",
    "cli",
    "api",
    "main",
    "other",
    "build",
    "npm",
    "make",
    "git",
    "built-in",
    "supported",
    "mcp",
    "command-line",
    "these",
    "following",
    "key",
    "quick",
    "project",
    "rest",
    "http",
    "basic",
    "core",
    "related",
    "useful",
    "retrieval",
    "memory",
    "field",
    "example",
    "high-level",
    "low-level",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
];

/// Words that make a rule of what one of them does.
const BINDING: &[&str] = &[
    "before", "after", "when", "if", "always", "never", "only", "first", "must", "should", "not", "don't",
    "instead", "every", "until", "unless", "once", "avoid", "prefer", "required", "max", "maximum", "no",
];

/// Whether a list says of each of some names what it is or does.
pub(super) fn is_reference(book: &Book<'_>, list: &Block, here: &Setting) -> bool {
    const FEWEST: usize = 2;
    let bound = here.step.is_some() || !here.conditions.is_empty();
    let apt = matches!(here.section, Stance::Neutral | Stance::Describe) && !bound;
    let items = &list.children;
    if !apt || items.len() < FEWEST {
        return false;
    }
    if here.lead.is_none() && name_above(book, here).is_some_and(names_abilities) {
        return items.iter().filter(|item| tells_ability(item)).count() * 2 >= items.len();
    }
    if here.section == Stance::Describe && items.iter().all(links_elsewhere) {
        return true;
    }
    let resources = here.lead.is_none() && name_above(book, here).is_some_and(names_resources);
    if resources && items.iter().all(|item| leads_to_file(item) || told_of(item).is_some()) {
        return true;
    }
    if !items.iter().all(|item| told_of(item).is_some()) {
        return false;
    }
    let named = name_above(book, here).is_some_and(|name| names_things(&name.to_lowercase()));
    let told = items.iter().filter(|item| tells_of_name(item)).count();
    // `Copy these templates:` means the files.
    let index = || name_above(book, here).is_some() && items.iter().all(names_file);
    // Numbers count names under `The three commands`; elsewhere they may be steps.
    let counted = || items.iter().any(|item| matches!(item.kind, BlockKind::Item { number: Some(_), .. }));
    (named || !counted() && (are_kindred(items) || index())) && told * 2 >= items.len()
}

/// `[Save the log](https://…) - how it is kept` under `References`: the name of another text, whatever verb it opens with.
fn links_elsewhere(item: &Block) -> bool {
    let Some(first) = item.children.first() else { return false };
    first.text.links().first().is_some_and(|(run, to)| run.start == 0 && to.contains("://"))
}

/// `Resources`, `See also`.
fn names_resources(name: &str) -> bool {
    let lower = name.to_lowercase();
    matches!(
        plain_in(&lower)[..],
        ["resources" | "references" | "related"] | ["see", "also"] | ["further", "reading"]
    )
}

/// ``Mend a sail first: `skills/mend/SKILL.md` ``: what a file is about, and the file alone.
fn leads_to_file(item: &Block) -> bool {
    let [text] = &item.children[..] else { return false };
    let prose = Prose::new(&text.text);
    let path = |word: &Word| word.kind == WordKind::Code && word.lower.contains(['/', '.']);
    matches!(&prose.words[..], [_, .., colon, file] if colon.mark(":") && path(file))
}

/// `[ropes.md](ref/ropes.md) - Ropes and blocks`, `**ref/tides.md** — Tide tables`: what stands in a file.
fn names_file(item: &Block) -> bool {
    let text = item.children[0].text.as_str().trim_start_matches('`');
    let name = text.split([' ', '`']).next().unwrap_or_default().trim_end_matches(':');
    let ends = [".md", ".py", ".sh", ".json", ".ts", ".js", ".yaml", ".yml", ".html", ".txt"];
    ends.iter().any(|end| name.ends_with(end))
}

/// `` `towBarge` — haul a barge `` beside `` `towRaft` — haul a raft ``: names of one family, each with what it does in small letters.
fn are_kindred(items: &[Block]) -> bool {
    const FEWEST: usize = 3;
    const SHORTEST: usize = 2;
    let small = |item: &Block| {
        let prose = Prose::new(&item.children[0].text);
        let said = told_of(item).map(|at| &prose.words[at]);
        prose.words[0].kind == WordKind::Code
            && said.is_some_and(|first| !first.capital && first.kind == WordKind::Plain)
    };
    let names: Vec<&str> =
        items.iter().map(|item| item.children[0].text.as_str().trim_start_matches('`')).collect();
    let alike = |one: &str, other: &str| {
        one.chars().zip(other.chars()).take_while(|(a, b)| a == b && (a.is_alphanumeric())).count()
    };
    items.len() >= FEWEST
        && items.iter().all(small)
        && names.windows(2).all(|pair| alike(pair[0], pair[1]) >= SHORTEST)
}

/// More words and marks than these are no name.
const LONGEST_NAME: usize = 14;

/// What stands right above: a lead-in that lends nothing, or the heading.
fn name_above<'b>(book: &'b Book<'_>, here: &'b Setting) -> Option<&'b str> {
    match &here.lead {
        None => here.heading.map(|heading| book.headings[heading].text.as_str()),
        Some(lead) => {
            let bare = matches!(lead.lead, Lead::Stance(Stance::Neutral | Stance::Describe, _));
            (lead.draft.is_none() && bare).then_some(lead.text.as_str())
        }
    }
}

/// `useful commands`, `here are the available flags`.
fn names_things(name: &str) -> bool {
    plain_in(name).split_last().is_some_and(|(last, before)| {
        CALLED.contains(last) && before.iter().all(|word| QUALIFIED.contains(word))
    })
}

/// `haul the barge` of `` `tow`: haul the barge ``, `**Tow** — haul the barge`: where what is said begins behind a name and a mark.
fn told_of(item: &Block) -> Option<usize> {
    let [text] = &item.children[..] else { return None };
    let BlockKind::Item { number, task: None } = item.kind else { return None };
    if text.kind != BlockKind::Paragraph {
        return None;
    }
    let prose = Prose::new(&text.text);
    let words = &prose.words;
    let mark = words.iter().take(LONGEST_NAME + 1).position(|word| word.mark(":") || word.mark("—"))?;
    // `` `tow` and `haul` ``
    let joins = |word: &Word| word.kind == WordKind::Code || word.mark(",") || word.any(&["and", "or"]);
    let code = mark > 0 && words[0].kind == WordKind::Code && words[..mark].iter().all(joins);
    let strong = || {
        let name = words[0].range.start..words[mark - 1].range.end;
        prose.text.styled(name.clone(), |style| style.strong).first().is_some_and(|run| *run == name)
    };
    let linked = || {
        let name = words[0].range.start..words[mark - 1].range.end;
        prose.text.styled(name.clone(), |style| style.link).first().is_some_and(|run| run.start == name.start)
    };
    let named = mark > 0 && (code || number.is_none() && (strong() || linked()));
    (named && mark + 1 < words.len()).then_some(mark + 1)
}

/// `Core Capabilities`: what stands under it says what can be done.
fn names_abilities(name: &str) -> bool {
    let lower = name.to_lowercase();
    matches!(
        plain_in(&lower)[..],
        ["capabilities" | "features"] | [_, "capabilities"] | ["key" | "core" | "main", "features"]
    )
}

/// `**Navigate** to any berth` among them; of those with numbers only `2. **Sort storms** and gales`, that opens with a name.
fn tells_ability(item: &Block) -> bool {
    let [text] = &item.children[..] else { return false };
    let prose = Prose::new(&text.text);
    let named = || {
        let strong = text.text.styled(0..text.text.as_str().len(), |style| style.strong);
        let opens =
            prose.words.first().is_some_and(|first| !is_verb(&first.lower) || is_nounish(&first.lower));
        opens && strong.first().is_some_and(|strong| strong.start == 0)
    };
    let plain = match item.kind {
        BlockKind::Item { number: None, task: None } => true,
        BlockKind::Item { number: Some(_), task: None } => named(),
        _ => false,
    };
    plain && text.kind == BlockKind::Paragraph && !prose.words.iter().any(|word| word.any(BINDING))
}

/// Whether what is said of the name binds nothing.
pub(super) fn tells_of_name(item: &Block) -> bool {
    let Some(said) = told_of(item) else { return tells_ability(item) || leads_to_file(item) };
    let prose = Prose::new(&item.children[0].text);
    let rest = &prose.words[said..];
    !rest
        .iter()
        .any(|word| word.any(BINDING) || word.kind == WordKind::Plain && word.shouted && word.lower.len() > 4)
        && (rest[0].is("see") && !rest[0].capital
            || matches!(mood_of(rest).mood, IMPERATIVE | Mood::Statement | Mood::Fragment | Mood::Question))
}

/// `See the [tide tables](https://…)`: the address without which the order cannot be followed.
pub(super) fn sends_to<'p>(prose: &'p Prose<'_>, words: &Range<usize>) -> Option<&'p str> {
    const SENDING: &[&str] = &["see", "read", "consult", "visit", "refer", "browse"];
    const LONGEST: usize = 120;
    let said = &prose.words[words.clone()];
    let (first, last) = (said.first()?, said.last()?);
    let within = |range: &Range<usize>| first.range.start <= range.start && range.end <= last.range.end;
    let mut outside = prose.text.links().iter().filter(|(range, to)| within(range) && to.contains("://"));
    let (range, address) = outside.next().filter(|_| outside.next().is_none())?;
    let shown = prose.text.as_str()[range.clone()].contains(address.as_str());
    // `Tides — see the [tables](https://…)`, `For more, visit the [quay](https://…)`
    let before = said.iter().take_while(|word| word.range.start < range.start).collect::<Vec<_>>();
    let near = before.iter().rev().take(3).any(|word| word.any(SENDING) || word.is("against"));
    ((first.any(SENDING) || near) && address.len() <= LONGEST && !shown).then_some(address.as_str())
}

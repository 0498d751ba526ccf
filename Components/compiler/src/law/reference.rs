//! Lists that say what each of some names is or does, in the words of an order: `` `tow`: haul the barge `` under `Commands`; and where an order sends
//! somebody.

use std::ops::Range;

use mentci_authority::OmissionReason;
use mentci_reader::markdown::{Block, BlockKind};

use super::draft::Book;
use super::guard::plain_in;
use super::lead::Lead;
use super::mood::{IMPERATIVE, Mood, mood_of};
use super::prose::Prose;
use super::setting::Setting;
use super::stance::Stance;
use super::word::WordKind;

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
];

/// Words that make a rule of what one of them does.
const BINDING: &[&str] = &[
    "before", "after", "when", "if", "always", "never", "only", "first", "must", "should", "not", "don't",
    "instead", "every", "until", "unless", "once",
];

/// Passes over such a list; false for any other.
pub(super) fn reference(book: &mut Book<'_>, list: &Block, here: &Setting) -> bool {
    const FEWEST: usize = 2;
    let bound = here.step.is_some() || !here.conditions.is_empty();
    let apt = matches!(here.section, Stance::Neutral | Stance::Describe) && !bound;
    let named = name_above(book, here).is_some_and(|name| names_things(&name.to_lowercase()));
    let tells = apt && named && list.children.len() >= FEWEST && list.children.iter().all(tells_of_code);
    if tells {
        for item in &list.children {
            book.omit(item.span, OmissionReason::Description);
        }
    }
    tells
}

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

/// `` `tow`: haul the barge ``, `` `--slow` - row gently ``: code, and behind a mark what it does.
fn tells_of_code(item: &Block) -> bool {
    let [text] = &item.children[..] else { return false };
    if !matches!(item.kind, BlockKind::Item { number: None, task: None }) || text.kind != BlockKind::Paragraph
    {
        return false;
    }
    let prose = Prose::new(&text.text);
    let words = &prose.words;
    let Some((code, rest)) = words.split_first() else { return false };
    let Some((mark, rest)) = rest.split_first() else { return false };
    code.kind == WordKind::Code
        && (mark.mark(":") || mark.mark("—"))
        && !rest.is_empty()
        && !rest.iter().any(|word| {
            word.any(BINDING) || word.kind == WordKind::Plain && word.shouted && word.lower.len() > 4
        })
        && matches!(mood_of(rest).mood, IMPERATIVE | Mood::Statement | Mood::Fragment | Mood::Question)
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
    let near = before.iter().rev().take(3).any(|word| word.any(SENDING));
    ((first.any(SENDING) || near) && address.len() <= LONGEST && !shown).then_some(address.as_str())
}

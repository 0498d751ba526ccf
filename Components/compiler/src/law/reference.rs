//! Lists that say what each of some names is or does, in the words of an order: `` `tow`: haul the barge `` under `Commands`.

use mentci_authority::OmissionReason;
use mentci_reader::markdown::{Block, BlockKind};

use super::draft::Book;
use super::guard::plain_in;
use super::lead::Lead;
use super::mood::{IMPERATIVE, mood_of};
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
    let lead = here.lead.as_ref().filter(|lead| {
        lead.draft.is_none() && matches!(lead.lead, Lead::Stance(Stance::Neutral | Stance::Describe, _))
    });
    let name = match (&here.lead, lead) {
        (None, _) => here.heading.map(|heading| book.headings[heading].text.to_lowercase()),
        (Some(_), Some(lead)) => Some(lead.text.to_lowercase()),
        _ => None,
    };
    let names = |name: &str| {
        let words = plain_in(name);
        words.split_last().is_some_and(|(last, before)| {
            CALLED.contains(last) && before.iter().all(|word| QUALIFIED.contains(word))
        })
    };
    let bound = here.step.is_some() || !here.conditions.is_empty();
    let apt = matches!(here.section, Stance::Neutral | Stance::Describe) && !bound;
    if !apt || list.children.len() < FEWEST || !name.is_some_and(|name| names(&name)) {
        return false;
    }
    if !list.children.iter().all(tells_of_code) {
        return false;
    }
    for item in &list.children {
        book.omit(item.span, OmissionReason::Description);
    }
    true
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
        && (mood_of(rest).mood == IMPERATIVE || !matches!(mood_of(rest).mood, super::mood::Mood::Order(..)))
}

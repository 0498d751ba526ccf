//! Lead-ins whose items come one after the other: `Follow this order:`, `Priority order:`, `This happens in two steps:`.

use super::word::words_of;
use mentci_authority::Level;
use mentci_reader::markdown::RichText;

/// `This happens in two steps`, `The process has three phases`, `The work consists of these stages`: the items are what is done.
pub(crate) fn counts_steps(lead: &str) -> bool {
    const STEPS: &[&str] = &["steps", "stages", "phases"];
    const HAVING: &[&str] = &[
        "happens", "happen", "has", "have", "consists", "follows", "involves", "proceeds", "runs", "goes",
        "works",
    ];
    const COUNTS: &[&str] =
        &["two", "three", "four", "five", "six", "seven", "2", "3", "4", "5", "6", "7", "these", "following"];
    let words = words_of(lead);
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    // `The following areas can be searched in parallel`.
    let listed = matches!(&words[..], [the, following, ..] if the == "the" && following == "following");
    if listed
        && has(&["areas", "steps", "tasks", "checks", "queries", "searches"])
        && has(&["parallel", "order", "sequence"])
    {
        return true;
    }
    let subject = words
        .first()
        .is_some_and(|first| matches!(first.as_str(), "this" | "the" | "it" | "your" | "work" | "all"));
    let last = words.last().is_some_and(|last| STEPS.contains(&last.as_str()));
    subject && last && has(HAVING) && has(COUNTS) && words.len() <= 12
}

/// `Always include exactly as shown:` above `Reset button`, `Download button`: names, whatever their first words are elsewhere.
pub(crate) fn shows_names(lead: &str, texts: &[&RichText]) -> bool {
    const LONGEST: usize = 5;
    const SHOWING: &[&str] =
        &["include", "includes", "contain", "contains", "show", "display", "have", "has", "offer"];
    let words = words_of(lead);
    let short = |text: &&RichText| {
        let text = text.as_str();
        (2..=LONGEST).contains(&text.split_whitespace().count()) && !text.contains([':', '.', '!', '?', '`'])
    };
    let last = |text: &&RichText| words_of(text.as_str()).last().cloned();
    let same = |texts: &[&RichText]| {
        let lasts: Vec<Option<String>> = texts.iter().map(last).collect();
        lasts.windows(2).all(|pair| pair[0] == pair[1])
    };
    texts.len() > 1
        && words.iter().any(|word| SHOWING.contains(&word.as_str()))
        && texts.iter().all(short)
        && same(texts)
}

/// `Follow this order:`, `Use this structure:`: the items, numbered or not, are parts of one order.
pub(crate) fn orders_parts(lead: &str) -> bool {
    const WHOLES: &[&str] = &[
        "order",
        "structure",
        "sequence",
        "layout",
        "hierarchy",
        "sections",
        "outline",
        "arc",
        "flow",
        "precedence",
        "ranking",
        "priority",
    ];
    let words = words_of(lead);
    let points = words.iter().any(|word| matches!(word.as_str(), "this" | "these" | "following" | "the"));
    points && words.iter().any(|word| WHOLES.contains(&word.as_str()))
}

/// `Apply this precedence:`, `Use the following hierarchy:`: the items say what comes before what, and none of them alone.
pub(crate) fn ranks(lead: &str) -> bool {
    const RANKS: &[&str] = &["hierarchy", "precedence", "ranking", "priority"];
    orders_parts(lead) && words_of(lead).iter().any(|word| RANKS.contains(&word.as_str()))
}

/// `Preferred order:`, `Order of preference:`: the first of them that will do is taken, whatever the items say.
pub(crate) fn prefers(name: &str) -> bool {
    let words = words_of(name);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    matches!(
        words[..],
        ["preferred" | "preference" | "fallback", "order"]
            | ["in" | "by", "order", "of", "preference"]
            | ["order", "of", "preference"]
    )
}

/// `Priority order`, `Order of preference`, `Source priority`, `Recommended flow`: a name that says no more than that its items come one
/// after the other, and how it binds.
pub(crate) fn ranks_by_name(name: &str) -> Option<Level> {
    const FLOWS: &[&str] = &["order", "flow", "structure", "sequence", "outline"];
    let words = words_of(name);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["recommended" | "suggested" | "preferred" | "default", .., last] if FLOWS.contains(&last) => {
            Some(Level::Should)
        }
        [
            "priority" | "preference" | "precedence" | "fallback" | "search" | "lookup" | "resolution",
            "order",
        ]
        | ["order", "of", "preference" | "precedence" | "priority"]
        | [
            "source" | "sources" | "data" | "evidence",
            "priority" | "precedence" | "preference" | "hierarchy",
        ] => Some(Level::Must),
        _ => None,
    }
}

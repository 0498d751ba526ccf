//! What a lead-in or a heading orders to do with the things that a list names: `Gather the following:`, `Metrics to track`.

use mentci_authority::Level;

use super::draft::Book;
use super::roster::{GRADING, of_each};
use super::setting::{LeadIn, Setting};
use super::speech::lead::Lead;
use super::speech::lexicon::{is_nounish, is_verb};
use super::speech::word::ending_bracket;
use super::speech::word::words_of;

/// What the heading right above orders to do with what labels under it name.
pub(crate) fn gathers_here(book: &Book<'_>, here: &Setting) -> Option<&'static str> {
    gathered_by_heading(&book.headings[here.heading?].text)
}

/// `Step 2: Gather the sources`, `Collect feedback`: what a heading orders to gather, its items name.
pub(crate) fn gathered_by_heading(heading: &str) -> Option<&'static str> {
    const GATHERING: &[&str] = &["gather", "collect", "elicit", "capture", "ask", "request", "obtain"];
    let said = heading.rsplit_once(": ").map_or(heading, |(_, said)| said);
    let words = words_of(said);
    let mut words = words.iter().skip_while(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let first = words.next().filter(|_| words.clone().next().is_some())?;
    GATHERING.iter().chain(GRADING).copied().find(|verb| verb == first)
}

/// What is done with things that a list names.
const DOING: &[&str] = &[
    "track",
    "monitor",
    "watch",
    "measure",
    "check",
    "verify",
    "review",
    "inspect",
    "examine",
    "test",
    "cover",
    "include",
    "mention",
    "report",
    "record",
    "capture",
    "collect",
    "gather",
    "document",
    "note",
    "read",
    "ask",
    "answer",
    "confirm",
    "validate",
    "update",
    "send",
    "return",
    "produce",
    "deliver",
    "address",
    "preserve",
    "keep",
    "infer",
    "establish",
    "determine",
    "identify",
    "research",
    "explore",
    "investigate",
    "clarify",
    "discuss",
    "elicit",
    "obtain",
    "request",
    "learn",
    "understand",
    "list",
    "specify",
    "provide",
    "supply",
    "require",
    "define",
    "state",
    "describe",
];

/// What is done with things that a list names, and changes them.
const ALTERING: &[&str] = &[
    "remove", "delete", "fix", "flag", "drop", "strip", "replace", "exclude", "skip", "ignore", "omit",
    "log", "save", "search", "audit", "evaluate", "assess", "ensure", "prepare", "rename", "add", "correct",
    "resolve", "hunt", "scan",
];

/// `Metrics to track`, `Questions to ask the owner`, `Things to consider`: what is done with what the items name.
pub(super) fn acted_on(words: &[&str]) -> Option<Level> {
    const OPENING: &[&str] = &[
        "how", "why", "when", "where", "ways", "way", "steps", "reasons", "tools", "who", "if", "not", "no",
        "nothing", "commands",
    ];
    // `Capture:`
    if let [verb] = words {
        const TAKING: &[&str] = &[
            "capture", "collect", "gather", "record", "report", "track", "note", "cover", "list", "document",
            "check", "review", "inspect", "audit",
        ];
        return TAKING.contains(verb).then_some(Level::Must);
    }
    let to = words.iter().position(|word| *word == "to").filter(|&to| (1..=4).contains(&to))?;
    let names =
        !OPENING.contains(&words[0]) && (!is_verb(words[0]) || is_nounish(words[0]) || words[0] == "what");
    let verb = words.get(to + 1)?;
    // `It could help to read the log:` tells.
    let tells = |word: &&str| {
        matches!(
            *word,
            "it" | "you"
                | "we"
                | "this"
                | "that"
                | "there"
                | "they"
                | "could"
                | "should"
                | "may"
                | "can"
                | "want"
                | "need"
        )
    };
    let names = names && !words[..to].iter().any(tells);
    if !names || words.len() > to + 4 {
        return None;
    }
    // `What to expect`, `What to know` tell.
    let what = words.len() == 3 && words[0] == "what" && is_verb(verb);
    let told = ["do", "expect", "know", "see", "learn", "find", "say", "think", "be", "become", "get"]
        .contains(verb);
    match *verb {
        "consider" => Some(Level::Should),
        _ if what && !told => Some(Level::Must),
        "look" if words[0] != "what" => Some(Level::Must),
        verb if DOING.contains(&verb) || ALTERING.contains(&verb) => Some(Level::Must),
        _ => None,
    }
}

/// What a lead-in orders that labels under it name the parts of: the verb where it takes names (`Gather`), else nothing.
pub(crate) fn enumerates(lead: &LeadIn) -> Option<&'static str> {
    if of_each(lead) {
        return Some("");
    }
    let orders = lead.lead == Lead::Order(Level::Must) && lead.draft.is_some();
    orders.then(|| act_on_names(&lead.text).or_else(|| attends(&lead.text).then_some(""))).flatten()
}

/// `Watch these numbers:`, `Assign a severity:`, and not `Choose a template:`, whose parts the labels under it describe.
fn attends(lead: &str) -> bool {
    const MORE: &[&str] = &[
        "assign",
        "classify",
        "categorize",
        "rate",
        "look",
        "ensure",
        "rank",
        "score",
        "audit",
        "evaluate",
        "assess",
    ];
    words_of(lead).iter().take(3).any(|word| DOING.contains(&word.as_str()) || MORE.contains(&word.as_str()))
}

/// The verb of `When a trip is planned, gather:`, `Adapt the wording, but cover every area:`, `Search the web to collect facts:`: one that
/// takes the names of things, where a clause of the lead-in opens with it or tells its purpose by it.
pub(crate) fn act_on_names(lead: &str) -> Option<&'static str> {
    const JOINING: &[&str] =
        &["and", "but", "then", "also", "please", "always", "you", "must", "should", "first"];
    const TAKING: &[&str] =
        &["gather", "collect", "identify", "determine", "establish", "capture", "record", "cover"];
    let doing = |word: &str, verbs: &'static [&'static str]| verbs.iter().copied().find(|verb| *verb == word);
    let opens = |clause: &str| {
        let words = words_of(clause);
        let first = words.iter().find(|word| !JOINING.contains(&word.as_str()))?;
        doing(first, DOING)
    };
    let purpose = || {
        let words = words_of(lead);
        words.windows(2).find_map(|pair| doing(&pair[1], TAKING).filter(|_| pair[0] == "to"))
    };
    lead.split([',', ';', '—', ':']).find_map(opens).or_else(purpose)
}

/// `Present it to the owner with:`, `When somebody calls, ask for:`: a sentence that only its items end.
pub(crate) fn is_open(lead: &str) -> bool {
    const OPEN: &[&str] =
        &["with", "for", "about", "of", "including", "covering", "containing", "on", "as", "by"];
    let words = words_of(lead);
    words.last().is_some_and(|last| OPEN.contains(&last.as_str()) || DOING.contains(&last.as_str()))
}

/// `Review focus areas`, `What to look for`: what stands under such a heading is what somebody looks at, or for.
pub(crate) fn looks_for(book: &Book<'_>, here: &Setting) -> bool {
    const CUES: &[&str] = &[
        "focus area",
        "areas to review",
        "what to look for",
        "what to check",
        "things to check",
        "review areas",
        "things to look for",
    ];
    let cued = |text: &str| CUES.iter().any(|cue| text.contains(cue));
    let lead = here.lead.as_ref().filter(|lead| lead.draft.is_none());
    here.heading.is_some_and(|heading| cued(&book.headings[heading].text.to_lowercase()))
        || lead.is_some_and(|lead| cued(&lead.text.to_lowercase()))
}

/// `Leaks (mend at once)`: what its brackets order is done with what the items name.
pub(super) fn acted_on_in_brackets(heading: &str) -> Option<Level> {
    const LONGEST: usize = 4;
    let (name, order) = ending_bracket(heading)?;
    let (name, order) = (words_of(name), words_of(order));
    let named = (1..=LONGEST).contains(&name.len()) && name.last()?.ends_with('s') && !is_verb(&name[0]);
    let act = order.first()?.as_str();
    let acts = DOING.contains(&act) || ALTERING.contains(&act) || is_verb(act) && !is_nounish(act);
    (named && acts && (2..=LONGEST + 2).contains(&order.len())).then_some(Level::Must)
}

//! Lists that are done step by step, or chosen from: what a lead-in in front of steps says of each, and which lists are choices.

use mentci_authority::{Force, Level};
use mentci_reader::markdown::{Block, BlockKind};

use super::draft::Book;
use super::setting::{LeadIn, Setting};
use super::speech::apart::ANSWERS;
use super::speech::guard::{GRANTS, plain_in};
use super::speech::lead::Lead;
use super::speech::lexicon::opens_condition;
use super::speech::mood::{Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::word::WordKind;

/// `Never edit the log`, `Skip the pier`, `Drop the ballast`: an item that says what is not done, or what cannot be undone.
pub(super) fn leaves_undone(item: &Block) -> bool {
    const LEAVING: &[&str] = &[
        "skip",
        "omit",
        "bypass",
        "ignore",
        "disable",
        "delete",
        "drop",
        "remove",
        "purge",
        "reset",
        "overwrite",
        "kill",
        "revoke",
        "uninstall",
        "destroy",
        "wipe",
        "truncate",
        "deploy",
        "force-push",
    ];
    item.children.first().is_some_and(|first| {
        let prose = Prose::new(&first.text);
        let bans = mood_of(&prose.words).mood.forbids();
        bans || prose.words.first().is_some_and(|first| first.any(LEAVING))
    })
}

/// `After X:`, `For each X:` in front of steps: it says when the first one comes; `If X:`, `For X:` and `Only in X:` say of each step
/// whether it comes at all.
pub(super) fn opens_procedure(lead: &LeadIn) -> bool {
    let Some((when, _)) = lead.condition() else { return false };
    let lower = when.to_lowercase();
    let first = lower.split_whitespace().next().unwrap_or("");
    // `On the owner's approval:`: without it none of the steps comes.
    let granted = plain_in(&lower).iter().any(|word| GRANTS.contains(word) || ANSWERS.contains(word));
    let one_by_one = ["for each", "for every"].iter().any(|opening| lower.starts_with(opening));
    opens_condition(when)
        && !lower.trim_end_matches(':').ends_with(" only")
        && !offers(&lead.text)
        && !granted
        && (one_by_one
            || ![
                "if",
                "only",
                "unless",
                "in",
                "except",
                "without",
                "otherwise",
                "for",
                "to",
                "before",
                "during",
            ]
            .contains(&first.trim_end_matches([',', ':'])))
}

/// `Once the scope is known, ask for the depth:`: what stands under it is there to choose from.
fn offers(text: &str) -> bool {
    const OFFERING: &[&str] = &["ask", "offer", "choose", "pick", "select"];
    let lower = text.to_lowercase();
    let behind = lower.rsplit_once(", ").map_or("", |(_, behind)| behind);
    let mut words = behind.trim_end_matches(':').split_whitespace();
    let first = words.next();
    // `For each path, ask:` has questions under it, `For each path, answer:` what they are about.
    first.is_some_and(|word| OFFERING.contains(&word)) && words.next().is_some()
        || first.is_some_and(|word| matches!(word, "answer" | "note" | "record" | "capture" | "state"))
}

/// `Classify the request first:`, `Choose one:`: what stands under it are its classes, or what there is to choose from.
pub(super) fn classifies(lead: &str) -> bool {
    const SORTING: &[&str] = &["classify", "categorize", "categorise", "triage", "sort"];
    const CHOOSING: &[&str] = &["choose", "pick", "select", "offer"];
    let lower = lead.to_lowercase();
    // `Ask yourself which way it goes:` above the ways.
    let asks = ["ask yourself what ", "ask yourself which ", "determine which "];
    if asks.iter().any(|cue| lower.starts_with(cue)) {
        return true;
    }
    let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.find(|word| !matches!(*word, "then" | "finally")).unwrap_or("");
    let one = |word: &str| matches!(word, "one" | "option" | "options" | "either" | "exactly");
    SORTING.contains(&first)
        || CHOOSING.contains(&first) && words.clone().any(one)
        || gives_one(first, words.clone())
        || presents_chosen(first, words)
        || leaves_choice(&lower)
}

/// `Return one verdict:`, `End with one of these:`: each item is one that may be given.
fn gives_one<'w>(first: &str, rest: impl Iterator<Item = &'w str>) -> bool {
    const GIVING: &[&str] =
        &["return", "give", "answer", "output", "report", "state", "end", "reply", "respond", "assign"];
    let rest: Vec<&str> = rest.collect();
    GIVING.contains(&first)
        && matches!(
            rest[..],
            [.., "one", _] | [.., "one", "of", "these" | "them" | "the"] | [.., "one", "of", _, _]
        )
}

/// `Present the chosen path:`, `Record which way was selected:`: what stands under it are the ways that there are.
fn presents_chosen<'w>(first: &str, mut rest: impl Iterator<Item = &'w str>) -> bool {
    matches!(first, "present" | "record" | "state" | "report" | "note" | "name")
        && rest.any(|word| matches!(word, "chosen" | "selected" | "picked"))
}

/// `HALT and give the user a choice:`, `Ask the owner to choose between:`: each item is an answer of theirs.
fn leaves_choice(lower: &str) -> bool {
    const ASKED: &[&str] = &["user", "users", "them", "human", "owner", "developer", "operator", "person"];
    const GIVING: &[&str] = &["give", "present", "show", "let", "ask", "offer", "provide", "prompt"];
    const NAMED: &[&str] =
        &["choice", "choices", "menu", "options", "alternatives", "preference", "preferences", "mode"];
    let words = plain_in(lower);
    let gives = words.iter().any(|word| GIVING.contains(word));
    let asked = words.iter().rposition(|word| ASKED.contains(word));
    let chooses = asked.is_some_and(|at| {
        let mut rest = words[at + 1..].iter();
        rest.len() <= 5 && rest.any(|word| matches!(*word, "choose" | "pick" | "select"))
    });
    let named = words.last().is_some_and(|last| NAMED.contains(last));
    gives && (chooses || named && (asked.is_some() || words.last() == Some(&"menu")))
}

/// `Options:` above the answers to the question right before: they are part of it.
pub(super) fn answers(book: &Book<'_>, here: &Setting) -> Option<LeadIn> {
    const NAMES: &[&str] = &["options", "choices", "answers", "possible answers"];
    let lead = here.lead.as_ref().filter(|lead| lead.draft.is_none())?;
    let name = lead.text.trim_end_matches([':', ' ']).to_lowercase();
    let asked = book.drafts.last().filter(|_| NAMES.contains(&name.as_str()))?;
    let asks = asked.text.trim_end_matches(['"', '”', '`']).ends_with('?') && asked.level == Level::Must;
    let draft = Some(book.drafts.len() - 1);
    asks.then(|| LeadIn { lead: Lead::Parts(Level::Must), text: asked.text.clone(), draft, ..lead.clone() })
}

/// `1. A list of berths` under `Give the mate:`: what is given, by its number.
pub(super) fn counted_names(list: &Block, lead: Option<&LeadIn>) -> Option<LeadIn> {
    const GIVING: &[&str] = &[
        "provide", "include", "return", "report", "explain", "deliver", "show", "state", "list", "surface",
        "give",
    ];
    let lead = lead.filter(|lead| lead.draft.is_some())?;
    let Lead::Order(level @ (Level::Must | Level::Should)) = lead.lead else { return None };
    let lower = lead.text.to_lowercase();
    let gives = plain_in(&lower).last().is_some_and(|last| GIVING.contains(last));
    let names = |item: &Block| {
        let [first] = &item.children[..] else { return false };
        let counted = matches!(item.kind, BlockKind::Item { number: Some(_), task: None });
        let prose = Prose::new(&first.text);
        let kind = prose.words.first().is_some_and(|word| word.any(&["required", "optional", "recommended"]));
        counted && (kind || mood_of(&prose.words).mood == Mood::Fragment)
    };
    (gives && list.children.iter().all(names)).then(|| LeadIn { lead: Lead::Parts(level), ..lead.clone() })
}

/// `` `log/erase`: Request to erase it `` under `You must offer these hooks:`: what the order takes, by name.
pub(super) fn glossed_names(list: &Block, lead: Option<&LeadIn>) -> Option<LeadIn> {
    let lead = lead.filter(|lead| lead.draft.is_some())?;
    let Lead::Order(level) = lead.lead else { return None };
    let lower = lead.text.to_lowercase();
    let points = plain_in(&lower).iter().any(|word| matches!(*word, "these" | "following"));
    let glossed = |item: &Block| {
        let [first] = &item.children[..] else { return false };
        let prose = Prose::new(&first.text);
        let [name, mark, gloss @ ..] = &prose.words[..] else { return false };
        let named = name.kind == WordKind::Code && (mark.mark(":") || mark.mark("—"));
        named && !gloss.is_empty() && !matches!(mood_of(gloss).mood, Mood::Order(_, Force::Explicit))
    };
    // `` `old` becomes `new` ``: what is done with each is said by the order.
    let mapped = |item: &Block| {
        let [first] = &item.children[..] else { return false };
        let prose = Prose::new(&first.text);
        let [old, turns, .., new] = &prose.words[..] else { return false };
        old.kind == WordKind::Code
            && turns.any(&["becomes", "replaces", "maps"])
            && new.kind == WordKind::Code
    };
    let all = || points && list.children.iter().all(glossed) || list.children.iter().all(mapped);
    (!level.is_prohibition() && all()).then(|| LeadIn { lead: Lead::Parts(level), ..lead.clone() })
}

/// The items under such an order are parts of it.
pub(super) fn choices(lead: Option<&LeadIn>) -> Option<LeadIn> {
    let lead = lead.filter(|lead| lead.draft.is_some() && (offers(&lead.text) || classifies(&lead.text)))?;
    let Lead::Order(level) = lead.lead else { return None };
    (!level.is_prohibition()).then(|| LeadIn { lead: Lead::Parts(level), ..lead.clone() })
}

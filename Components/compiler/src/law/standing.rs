//! Items that name or tell, and are due by the heading right above them: `Rules`, `Verification`, `Roles`, `Ropes vs chains`.

use std::ops::Range;

use super::draft::Book;
use super::led::{argues, comes_before, due};
use super::occasion::is_dated;
use super::setting::Setting;
use super::speech::bracket::is_force;
use super::speech::clause::Clause;
use super::speech::lexicon::SUBJECTS;
use super::speech::mood::{Mood, asks, mood_of};
use super::speech::prose::Prose;
use super::speech::stance::{Stance, sets_rules};
use super::speech::word::{Word, WordKind, ending_bracket};

/// Whether an item without a lead-in, that orders nothing, is due by its heading or its date.
pub(crate) fn is_due(
    book: &Book<'_>,
    here: &Setting,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    found: &[Clause],
) -> bool {
    let [Clause { mood: mood @ (Mood::Fragment | Mood::Statement), .. }, rest @ ..] = found else {
        return false;
    };
    let item = &prose.words[sentence.clone()];
    if here.section == Stance::Describe || asks(item) {
        return false;
    }
    if *mood == Mood::Fragment && (is_dated(prose.text.as_str()) || here.step.is_some() && calls(item)) {
        return true;
    }
    let Some(heading) = here.heading.filter(|_| here.section == Stance::Neutral) else { return false };
    let heading = Named::of(&book.headings[heading].text);
    does_its_part(&heading, item)
        || guides(&heading, item)
        || rest.is_empty() && (verifies(&heading, item) || decides(&heading, item))
}

/// `` `open_log(day)` → the log ``, `` `make seal` ``: a step that is a call or a command, and what comes of it.
fn calls(item: &[Word]) -> bool {
    const LONGEST_LABEL: usize = 6;
    // `Seal: `make seal``: what the step is called stands in front.
    let colon = item.iter().take(LONGEST_LABEL).position(|word| word.mark(":"));
    let [code, rest @ ..] = &item[colon.map_or(0, |colon| colon + 1)..] else { return false };
    let runs = code.kind == WordKind::Code && code.lower.contains([' ', '(']);
    let goes_on = |next: &Word| ["→", ",", ".", "("].iter().any(|mark| next.mark(mark)) || next.is("or");
    // `` `readTide` with the date of the day ``
    let named = code.kind == WordKind::Code
        && is_tool_name(&code.lower)
        && rest.first().is_some_and(|next| next.any(&["with", "for", "on"]))
        && rest.len() > 2;
    named || runs && rest.first().is_none_or(goes_on)
}

/// Whether a word in backticks may be the name of a tool.
fn is_tool_name(code: &str) -> bool {
    code.chars().all(|c| c.is_alphanumeric() || matches!(c, '`' | '_' | '-')) && code.len() > 5
}

/// The words of a heading, in lower case.
struct Named(String);

impl Named {
    fn of(heading: &str) -> Self {
        Self(heading.to_lowercase())
    }

    fn words(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
    }

    fn has(&self, names: &[&str]) -> bool {
        self.words().any(|word| names.contains(&word))
    }

    fn ends(&self, names: &[&str]) -> bool {
        self.words().next_back().is_some_and(|last| names.contains(&last))
    }
}

/// `Unit tests with full coverage` under `Verification`: what shall be so in the end.
fn verifies(heading: &Named, item: &[Word]) -> bool {
    const LONGEST: usize = 24;
    let desired = is_desired(heading);
    heading.words().count() <= 3
        && (heading.ends(&["verification", "criteria", "checks", "compliance", "validation"]) || desired)
        && item.len() <= LONGEST
        && !item[0].among(SUBJECTS)
        && !argues(item)
}

/// `Desired end state`.
fn is_desired(heading: &Named) -> bool {
    heading.has(&["desired"]) && heading.ends(&["state", "states", "outcome", "outcomes"])
}

/// Whether the heading names what shall be so in the end.
pub(super) fn desires(book: &Book<'_>, here: &Setting) -> bool {
    here.heading.is_some_and(|heading| is_desired(&Named::of(&book.headings[heading].text)))
}

/// `Editor — checks the links` under `Roles`: who does what.
fn does_its_part(heading: &Named, item: &[Word]) -> bool {
    const PARTS: &[&str] =
        &["roles", "responsibilities", "duties", "phases", "stages", "timeline", "schedule", "roadmap"];
    let label = item.iter().take(6).position(|word| word.mark(":") || word.mark("—"));
    label.is_some_and(|end| end > 0 && end + 2 < item.len()) && heading.has(PARTS)
}

/// `Night watches: short songs, low voices` under `Singing guidelines`: what shall be, for whom or what the label says.
fn guides(heading: &Named, item: &[Word]) -> bool {
    let label = item.iter().take(6).position(|word| word.mark(":"));
    heading.ends(&["guidelines", "guideline"])
        && label.is_some_and(|end| end > 0 && end + 2 < item.len())
        && !item.iter().any(|word| word.any(&["is", "are", "was", "were", "has", "have", "can", "will"]))
        && !argues(item)
}

/// `Sails when the wind is fair` under `Sails vs engine`: what is chosen, and when.
fn decides(heading: &Named, item: &[Word]) -> bool {
    const CHOOSING: &[&str] =
        &["vs", "versus", "decision", "decisions", "choosing", "selecting", "selection"];
    let when = item.iter().position(|word| word.depth == 0 && word.any(&["when", "if"]));
    heading.has(CHOOSING)
        && when.is_some_and(|when| when > 0 && mood_of(&item[..when]).mood == Mood::Fragment)
}

/// What an item tells right under `Important rules`, `Constraints`: that it shall be so.
pub(crate) fn states_rule(book: &Book<'_>, here: &Setting, item: &[Word]) -> bool {
    let named =
        here.heading.map(|heading| book.headings[heading].text.as_str()).filter(|name| names_rules(name));
    // Under `Papers (MANDATORY)`, `The clerk has them` tells.
    let is = || item.iter().any(|word| word.any(&["is", "are", "remains", "remain", "stays", "stay"]));
    named.is_some_and(|name| !forces(name) || is()) && tells_rule(item)
}

/// `Terms of the berth (MUST)`.
fn forces(name: &str) -> bool {
    let bracket = ending_bracket(name);
    bracket.is_some_and(|(_, force)| is_force(force))
}

/// The same under such a label: `Posting policy:`.
pub(crate) fn states_rule_under(label: &str, item: &[Word]) -> bool {
    label.split_whitespace().count() <= 5 && names_rules(label) && tells_rule(item)
}

/// Whether a name says how things shall be: `Important rules`, `Code style`, `Quality bar`.
pub(super) fn names_rules(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "rules",
        "constraints",
        "requirements",
        "guardrails",
        "invariants",
        "conventions",
        "standards",
        "policy",
        "policies",
        "convention",
        "standard",
        "style",
        "bar",
    ];
    let force = forces(name);
    let name = Named::of(name);
    force || name.ends(NAMES) || sets_rules(&name.words().collect::<Vec<_>>())
}

fn tells_rule(item: &[Word]) -> bool {
    const LONGEST: usize = 30;
    const TELLING: &[&str] = &["because", "was", "were", "can", "may", "might", "could", "would"];
    item.len() <= LONGEST
        && !item[0].among(SUBJECTS)
        && !item[0].any(&["none", "nothing", "neither", "all", "some", "many", "most"])
        && !item.iter().any(|word| word.any(TELLING))
        && !asks(item)
        && !argues(item)
}

/// `The log is empty` under the heading `Before shipping`.
pub(super) fn due_by_heading(book: &Book<'_>, here: &Setting, item: &[Word], found: &[Clause]) -> bool {
    let heading = here.heading.map(|heading| &book.headings[heading]);
    let when = heading.and_then(|heading| heading.condition.as_deref());
    let names =
        || matches!(found, [Clause { mood: Mood::Fragment, .. }]) && !item.iter().any(|word| word.mark(":"));
    when.is_some_and(|when| due(when, item, found) || comes_before(when) && names())
}

/// `Images have alt text` under `Accessibility requirements`: what is so of the things that are made.
pub(super) fn states_requirement(book: &Book<'_>, words: &[Word], found: &[Clause]) -> bool {
    const LONGEST: usize = 12;
    const NAMES: &[&str] = &[
        "requirement",
        "standard",
        "acceptance",
        "definition of done",
        "done when",
        "complete when",
        "checklist",
        "quality bar",
        "prerequisite",
        " check",
    ];
    // `Guests can board without help`: what is wanted.
    const WANTED: &[&str] = &[
        "quality standard",
        "acceptance",
        "definition of done",
        "done when",
        "complete when",
        "quality bar",
        "success criteria",
        "success metrics",
    ];
    let open = book.open.iter().map(|&heading| book.headings[heading].text.to_lowercase());
    let named: Vec<String> = open.filter(|name| NAMES.iter().any(|cue| name.contains(cue))).collect();
    let wants = named.iter().any(|name| WANTED.iter().any(|cue| name.contains(cue)));
    let [Clause { mood: Mood::Statement, .. }] = found else { return false };
    // `All trips are logged, not just the long ones`.
    let set_against = words.windows(2).position(|pair| pair[0].mark(",") && pair[1].is("not"));
    let told = &words[..set_against.unwrap_or(words.len())];
    let tells = words[0].among(SUBJECTS)
        || told.iter().any(|word| {
            word.any(&["because", "so", "will", "was", "were", "not", "best", "well", "works", "performs"])
                || word.is("can") && !wants
        });
    words.len() <= LONGEST && !tells && !argues(words) && !named.is_empty()
}

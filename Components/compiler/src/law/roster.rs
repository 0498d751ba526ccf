//! Lead-ins that name what their items are, and by that that they are due: `Metrics to track:`, `What you deliver:`, `The report
//! contains:`, `The constants:`, `This happens in two steps:`.

use mentci_authority::Level;
use mentci_reader::markdown::RichText;

use super::done_with::{acted_on, acted_on_in_brackets, gathered_by_heading, gathers_here, looks_for};
use super::draft::Book;
use super::parts::labelled;
use super::setting::{LeadIn, Setting};
use super::specified::rules;
use super::speech::condition::is_lettered;
use super::speech::lead::Lead;
use super::speech::lexicon::{MADE, is_nounish, is_verb, lists_of};
use super::speech::mood::{Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::sentence::first_sentence;
use super::speech::stance::Stance;
use super::speech::word::words_of;
use super::steps::named_step;

/// The level of the one rule that the items make, none for any other lead-in.
pub(crate) fn owed(book: &Book<'_>, lead: &LeadIn, texts: &[&RichText], here: &Setting) -> Option<Level> {
    let free =
        lead.draft.is_none() && matches!(lead.lead, Lead::Stance(Stance::Neutral | Stance::Describe, _));
    let words = words_of(&lead.text);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if lead.draft.is_none() && refers(&words) {
        return Some(Level::Should);
    }
    // `Plain/rich text:` right under `Recommended tools` names two kinds, and no file.
    let apart = lead.text.contains('`') || lead.text.contains('/') && !advises(book, here);
    if !free || words.is_empty() || apart {
        return None;
    }
    let gives = delivered(&words) && !tells_of_tool(book, here);
    let level = acted_on(&words).or_else(|| gives.then_some(Level::Must));
    let told = || matches!(here.section, Stance::Neutral | Stance::Order | Stance::Advise);
    let named = || {
        advises(book, here) && are_names(texts)
            || holds(&lead.text, book) && may_be_names(texts)
            || contains(&words, &|| words_of(book.source.slice(lead.span)))
            || rules(book) && has_traits(&words)
            || constant(&words, texts)
            || looks_for(book, here)
            || outlines(&words)
            || here.enumerates.is_some() && !lead.text.contains(['/', '`', '.', '(']) && are_names(texts)
            || here.enumerates.is_some() && is_lettered(&lead.text)
            || names_criteria(&words)
            || bounds_scope(&words)
            || gathering(book, here) && !lead.text.contains(['`', '.']) && may_be_names(texts)
    };
    let level = level.or_else(|| sized(&words, texts).filter(|_| told()));
    let reported = || reports(book, here, &words) && are_names(texts);
    // `Structure:` right under `Output format`
    let formed = || {
        let heading = here.heading.map(|heading| words_of(&book.headings[heading].text)).unwrap_or_default();
        let heading: Vec<&str> = heading.iter().map(String::as_str).collect();
        outlines(&words) && shaped(&heading) && are_names(texts)
    };
    let level = level.or_else(|| (told() && named() || reported() || formed()).then_some(Level::Must))?;
    match here.section {
        Stance::Advise => Some(Level::Should),
        Stance::Neutral | Stance::Order | Stance::Describe => Some(level),
        _ => None,
    }
}

/// Whether a lead-in refers to what stands under it, be that under `Templates and examples`.
pub(crate) fn points_on(lead: &str) -> bool {
    let words = words_of(lead);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    refers(&words)
}

/// `For the details, see:`, `For longer samples, refer to:`.
fn refers(words: &[&str]) -> bool {
    matches!(words, [_, .., "see" | "consult"] | [_, .., "refer", "to"])
}

/// `Sort by severity` right above `Critical: a leak`: a label is a grade, and what stands behind it gets that.
pub(crate) fn grades_here(book: &Book<'_>, here: &Setting) -> bool {
    gathers_here(book, here).is_some_and(|act| GRADING.contains(&act)) && here.lead.is_none()
}

pub(super) const GRADING: &[&str] =
    &["categorize", "categorise", "classify", "prioritize", "prioritise", "triage", "rank", "grade", "sort"];

/// Whether labels here name parts of what an order or a heading says to gather.
fn gathering(book: &Book<'_>, here: &Setting) -> bool {
    here.enumerates.is_some_and(|act| !act.is_empty()) || gathers_here(book, here).is_some()
}

/// `Selection criteria (any of):`, `Entry conditions:`: by what something is found, chosen or let in.
fn names_criteria(words: &[&str]) -> bool {
    const OF: &[&str] =
        &["any", "all", "one", "or", "more", "of", "these", "at", "least", "must", "hold", "following"];
    const GATES: &[&str] = &[
        "entry",
        "exit",
        "pass",
        "passing",
        "blocking",
        "completion",
        "detection",
        "selection",
        "success",
        "start",
    ];
    let end = words.iter().rposition(|word| !OF.contains(word)).map_or(0, |last| last + 1);
    match &words[..end] {
        [before @ .., "criteria" | "acceptance"] => (1..=3).contains(&before.len()),
        [gate, "conditions"] => GATES.contains(gate),
        ["desired" | "expected", "end", "state" | "states"]
        | ["desired", "state" | "states" | "outcome" | "outcomes"] => true,
        _ => false,
    }
}

/// `The rule applies to:`, `This holds for:`: what it is said of.
fn bounds_scope(words: &[&str]) -> bool {
    const RULES: &[&str] =
        &["rule", "rules", "law", "policy", "principle", "this", "it", "these", "ban", "requirement"];
    match words {
        [before @ .., "applies" | "apply" | "holds" | "hold", "to" | "for"] => {
            (1..=4).contains(&before.len()) && before.iter().any(|word| RULES.contains(word))
        }
        _ => false,
    }
}

/// `Structure:`, `Required sections:`: of what is written.
fn outlines(words: &[&str]) -> bool {
    const WHOLES: &[&str] = &["structure", "sections", "outline"];
    matches!(words, [whole] if WHOLES.contains(whole))
        || matches!(words, ["required" | "expected" | "mandatory" | "default" | "standard", whole] if WHOLES.contains(whole) || *whole == "format")
}

/// The same of a heading right above a list: `Context to infer first`, `Report shape`.
pub(crate) fn owed_by_heading(heading: &str, texts: &[&RichText], here: &Setting) -> Option<Level> {
    let words = words_of(heading);
    let words: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .filter(|word| !word.starts_with(|c: char| c.is_ascii_digit()))
        .collect();
    let apt = matches!(here.section, Stance::Neutral | Stance::Order | Stance::Describe) && !words.is_empty();
    if !apt {
        return None;
    }
    if let Some(level) = stepped(heading, texts).or_else(|| graded(heading, texts)) {
        return Some(level);
    }
    let acts = acted_on(&words).or_else(|| acted_on_in_brackets(heading)).or_else(|| traits(&words));
    if let Some(level) = acts.filter(|_| open_with_names(texts)) {
        return Some(level);
    }
    if triggers(&words, texts) {
        return Some(Level::Must);
    }
    if built(&words) && texts.iter().all(|text| labelled(text) && may_be_names(&[*text])) {
        return Some(Level::Must);
    }
    if !are_names(texts) {
        return None;
    }
    let gathers = || gathered_by_heading(heading).map(|_| Level::Must);
    let sorts = || shaped(&words) || grades(&words) && texts.iter().all(|text| labelled(text));
    sorts().then_some(Level::Must).or_else(gathers)
}

/// `1. Sound the hull` above `Planks: …`, `Seams: …`: the parts of a numbered step that orders.
fn stepped(heading: &str, texts: &[&RichText]) -> Option<Level> {
    let numbered = heading.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let step = named_step(heading).filter(|_| numbered)?;
    let first = words_of(step).into_iter().next()?;
    let acts = is_verb(&first) && !is_nounish(&first);
    (acts && texts.len() > 1 && texts.iter().all(|text| labelled(text))).then_some(Level::Must)
}

/// `P0 - Critical`, `SEV-2`, `Tier 3` above `Answer: at once`, `Told to: the owner`: what is due at each grade.
fn graded(heading: &str, texts: &[&RichText]) -> Option<Level> {
    const GRADES: &[&str] = &["p", "s", "sev", "severity", "tier", "priority"];
    let lower = heading.to_lowercase();
    let end = lower.find(|c: char| !c.is_alphabetic()).unwrap_or(lower.len());
    let number = lower[end..].trim_start_matches(['-', ' ']).starts_with(|c: char| c.is_ascii_digit());
    let graded = number && GRADES.contains(&&lower[..end]);
    (graded && texts.len() > 1 && texts.iter().all(|text| labelled(text))).then_some(Level::Must)
}

/// `Behavioral traits`, `A good log includes`, `Inputs needed`: what whoever follows the text is like, or what is made.
fn traits(words: &[&str]) -> Option<Level> {
    match words {
        ["behavioral" | "behavioural", "traits"]
        | ["good" | "strong", _, "include" | "includes" | "have" | "has"]
        | ["a" | "an", "good" | "strong", _, "includes" | "has"]
        | ["input" | "inputs", "needed" | "required"]
        | ["deliverables"]
        | ["default" | "required" | "expected" | "final", "output" | "outputs" | "deliverables"] => {
            Some(Level::Must)
        }
        _ => None,
    }
}

/// Items most of which begin with a name, however they go on: `Ropes that are frayed or that nobody has looked at since spring. You must …`.
fn open_with_names(texts: &[&RichText]) -> bool {
    const LONGEST: usize = 30;
    let names = |text: &&&RichText| {
        let prose = Prose::new(text);
        let first = first_sentence(&prose.words);
        let asks = prose
            .words
            .first()
            .is_some_and(|word| word.any(&["how", "what", "which", "where", "why", "whether"]));
        first.is_some_and(|first| {
            first.len() <= LONGEST
                && (asks || matches!(mood_of(&prose.words[first]).mood, Mood::Fragment | Mood::Question))
        })
    };
    texts.iter().filter(names).count() * 2 > texts.len()
}

/// `Severity levels`, `Commit types`: the words to choose from for what is judged or made.
fn grades(words: &[&str]) -> bool {
    const KINDS: &[&str] =
        &["levels", "types", "prefixes", "labels", "categories", "tags", "grades", "ratings"];
    let [before @ .., last] = words else { return false };
    KINDS.contains(last) && (1..=3).contains(&before.len()) && before.iter().any(|word| is_worded(word))
}

/// Whether words are chosen for this when it is made or judged: a `commit`, the `severity`. There are types of files and logs, too.
pub(crate) fn is_worded(word: &str) -> bool {
    const JUDGED: &[&str] = &[
        "severity",
        "priority",
        "risk",
        "confidence",
        "finding",
        "findings",
        "issue",
        "issues",
        "verdict",
        "impact",
        "rating",
        "pull",
    ];
    const GIVEN: &[&str] = &[
        "access",
        "class",
        "classes",
        "code",
        "constant",
        "constants",
        "credential",
        "credentials",
        "doc",
        "docs",
        "document",
        "documents",
        "enum",
        "enums",
        "file",
        "files",
        "function",
        "functions",
        "interface",
        "interfaces",
        "line",
        "lines",
        "log",
        "logs",
        "method",
        "methods",
        "module",
        "modules",
        "password",
        "passwords",
        "secret",
        "secrets",
        "struct",
        "structs",
        "variable",
        "variables",
    ];
    JUDGED.contains(&word) || lists_of(word).meet(MADE) && !GIVEN.contains(&word)
}

/// `Resplicing triggers` above `Rope length > 10 m`: from which bound on the work is to be done.
fn triggers(words: &[&str], texts: &[&RichText]) -> bool {
    let bounded = |text: &&RichText| {
        let text = text.as_str();
        text.contains(['<', '>', '≥', '≤']) && text.contains(|c: char| c.is_ascii_digit())
    };
    matches!(words, [work, .., "triggers"] if work.len() > 5 && work.ends_with("ing"))
        && texts.iter().all(bounded)
}

/// `Harbour report (Markdown):` under `Output formats`: its items are what stands in it.
fn reports(book: &Book<'_>, here: &Setting, words: &[&str]) -> bool {
    const WRITTEN: &[&str] = &["report", "summary", "brief", "memo", "review", "scorecard"];
    const LONGEST: usize = 4;
    let heading = here.heading.map(|heading| words_of(&book.headings[heading].text)).unwrap_or_default();
    let output = heading.iter().any(|word| matches!(word.as_str(), "output" | "outputs" | "deliverables"));
    output && words.len() <= LONGEST && words.iter().any(|word| WRITTEN.contains(word))
}

/// `Cover letter structure`: the labels under it name the parts of what is written. Folders and files are there already.
fn built(words: &[&str]) -> bool {
    const STANDING: &[&str] = &[
        "project",
        "directory",
        "folder",
        "file",
        "files",
        "repo",
        "repository",
        "code",
        "codebase",
        "package",
        "module",
        "database",
        "data",
        "team",
        "app",
        "workspace",
        "table",
        "source",
        "tree",
        "state",
    ];
    let [named @ .., "structure" | "outline" | "anatomy"] = words else { return false };
    (1..=3).contains(&named.len()) && !named.iter().any(|word| STANDING.contains(word))
}

/// `Report shape`, `Output structure`, `Response format`: of what the reader writes.
fn shaped(words: &[&str]) -> bool {
    const SHAPES: &[&str] = &[
        "shape",
        "structure",
        "format",
        "outline",
        "sections",
        "contents",
        "requirements",
        "quality",
        "criteria",
    ];
    const WRITTEN: &[&str] = &[
        "output",
        "report",
        "response",
        "reply",
        "answer",
        "deliverable",
        "summary",
        "final",
        "pr",
        "commit",
        "message",
        "issue",
    ];
    words.len() <= 3
        && words.last().is_some_and(|last| SHAPES.contains(last))
        && words[..words.len() - 1].iter().any(|word| WRITTEN.contains(word))
}

/// Whether the heading above is about a script or a tool: what is called output there is the tool's.
fn tells_of_tool(book: &Book<'_>, here: &Setting) -> bool {
    const TOOLS: &[&str] =
        &["script", "scripts", "tool", "tools", "command", "commands", "cli", "api", "reference", "assets"];
    let file = |word: &str| {
        word.rsplit_once('.').is_some_and(|(name, end)| !name.is_empty() && (2..=4).contains(&end.len()))
    };
    let heading = here.heading.map(|heading| book.headings[heading].text.to_lowercase());
    heading.is_some_and(|text| text.split_whitespace().any(|word| file(word) || TOOLS.contains(&word)))
}

/// Right under `Recommended tools`.
fn advises(book: &Book<'_>, here: &Setting) -> bool {
    here.section == Stance::Advise
        && here.heading.is_some_and(|heading| book.headings[heading].own == Stance::Advise)
}

/// `For each bug:`.
pub(crate) fn of_each(lead: &LeadIn) -> bool {
    let each = || ["for each ", "for every "].iter().any(|cue| lead.text.to_lowercase().starts_with(cue));
    lead.lead == Lead::Condition && each()
}

/// Items that name, most of them, and none of which is long.
fn are_names(texts: &[&RichText]) -> bool {
    const LONGEST: usize = 12;
    let short = |text: &&RichText| text.as_str().split_whitespace().count() <= LONGEST;
    let name =
        |text: &&&RichText| matches!(mood_of(&Prose::new(text).words).mood, Mood::Fragment | Mood::Question);
    texts.iter().all(short) && texts.iter().filter(name).count() * 2 > texts.len()
}

/// The same where what is gathered is named anyway: a label stands for a name, and half of them do.
fn may_be_names(texts: &[&RichText]) -> bool {
    const LONGEST: usize = 16;
    let name = |text: &&&RichText| {
        labelled(text) || matches!(mood_of(&Prose::new(text).words).mood, Mood::Fragment | Mood::Question)
    };
    let short = |text: &&RichText| text.as_str().split_whitespace().count() <= LONGEST;
    texts.iter().all(short) && texts.iter().filter(name).count() * 2 >= texts.len()
}

/// `Target sizes:`, `Limits:` above items that have numbers.
fn sized(words: &[&str], texts: &[&RichText]) -> Option<Level> {
    let numbers = texts.iter().all(|text| text.as_str().contains(|c: char| c.is_ascii_digit()));
    let has = |names: &[&str]| words.len() <= 4 && words.iter().any(|word| names.contains(word));
    if !numbers || texts.len() < 2 {
        return None;
    }
    if has(&["target", "targets", "goals"]) {
        return Some(Level::Should);
    }
    has(&["limits", "limit", "maximum", "max", "budget", "budgets", "thresholds", "sizes"])
        .then_some(Level::Must)
}

/// `Output`, `Deliverables`, `What you return`, `Report`.
fn delivered(words: &[&str]) -> bool {
    const NAMES: &[&str] = &["output", "outputs", "deliverable", "deliverables", "report", "return"];
    const GIVING: &[&str] =
        &["deliver", "return", "produce", "report", "provide", "submit", "output", "send"];
    match words {
        [name] => NAMES.contains(name),
        ["the" | "your" | "final" | "required" | "expected", name] => {
            NAMES.contains(name) && *name != "output"
        }
        ["what", "you" | "to", giving] | ["you", giving] | ["what", "you", "must" | "should", giving] => {
            GIVING.contains(giving)
        }
        _ => false,
    }
}

/// `Content:` of one of the `Output files`.
pub(crate) fn holds(lead: &str, book: &Book<'_>) -> bool {
    const MADE: &[&str] = &["output files", "files to create", "files to write", "deliverables", "artifacts"];
    let words = words_of(lead);
    let open = |heading: &usize| {
        let text = book.headings[*heading].text.to_lowercase();
        MADE.iter().any(|made| text.contains(made))
    };
    let [name] = &words[..] else { return false };
    ["content", "contents", "sections", "contains"].contains(&name.as_str()) && book.open.iter().any(open)
}

/// `The report contains`, `Each commit message has`: of what is made by rule.
fn contains(words: &[&str], written: &dyn Fn() -> Vec<String>) -> bool {
    const HAVING: &[&str] = &[
        "contains", "contain", "includes", "include", "has", "have", "covers", "cover", "consists", "states",
    ];
    const WRITTEN: &[&str] = &[
        "message",
        "brief",
        "prompt",
        "spec",
        "response",
        "reply",
        "answer",
        "deliverable",
        "artifact",
        "bundle",
        "entry",
    ];
    let words = match words {
        [before @ .., "the", "following"] | [before @ .., "of"] => before,
        _ => words,
    };
    let Some((having, subject)) = words.split_last() else { return false };
    let Some(last) = subject.last().filter(|_| HAVING.contains(having) && subject.len() <= 5) else {
        return false;
    };
    // The line of the lead-in has no article.
    let the = || written().first().is_some_and(|first| matches!(first.as_str(), "the" | "a" | "an"));
    let made = lists_of(last).meet(MADE) || WRITTEN.contains(last);
    made && matches!(subject[0], "each" | "every" | "your" | "all")
        || (is_worded(last) || WRITTEN.contains(last)) && the()
}

/// `Premium badges include`, among standards.
fn has_traits(words: &[&str]) -> bool {
    let tells =
        matches!(words[0], "this" | "it" | "they" | "we" | "you" | "these" | "some" | "examples" | "tools");
    (2..=4).contains(&words.len())
        && !tells
        && words.last().is_some_and(|last| matches!(*last, "include" | "includes" | "have" | "has"))
}

/// `The constants`, `Invariants`, `Must-haves`.
fn constant(words: &[&str], texts: &[&RichText]) -> bool {
    const NAMES: &[&str] =
        &["constants", "invariants", "must-haves", "musts", "essentials", "non-negotiables"];
    let coded = |text: &&RichText| text.as_str().contains(['_', '=', '`']);
    words.len() <= 2 && words.last().is_some_and(|last| NAMES.contains(last)) && !texts.iter().any(coded)
}

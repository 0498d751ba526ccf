//! Columns whose headers say how what stands in them binds: `Allowed | Forbidden`, `Guests can | Guests can't`,
//! `Role | May read | Must not`.

use mentci_authority::{Force, Level, OmissionReason};
use mentci_reader::markdown::Block;

use super::draft::Book;
use super::row::row_draft;
use super::setting::Setting;
use super::speech::column::Column;
use super::speech::mood::{Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::verdict::{Answer, answer, answered, modal_header};

/// `Allowed | Forbidden`, `Must | Must not | Why`: each column lends its force, or argues behind several that do, and the cells are no answers.
pub(super) fn headed_by_force(row: &Block, columns: &[Column], names: &[String]) -> bool {
    let forces = || names.iter().enumerate().map(|(at, name)| force_of_column(columns.get(at), name));
    let told = names.iter().any(|name| {
        modal_header(name).or_else(|| said_of_somebody(name)).or_else(|| class_of(name)).is_some()
    });
    let leading = forces().take_while(Option::is_some).count();
    let argued = columns[leading..].iter().all(|column| matches!(column, Column::Telling | Column::Example));
    let answers =
        |cell: &Block| answer(&Prose::new(&cell.text)).is_some_and(|answer| answer != Answer::Nothing);
    let headed = leading == names.len() || leading > 1 && argued;
    told && headed && !row.children.iter().take(leading).any(answers)
}

/// A row under such headers: each cell is a norm.
pub(super) fn force_row(
    book: &mut Book<'_>,
    row: &Block,
    columns: &[Column],
    names: &[String],
    here: &Setting,
) {
    for (at, cell) in row.children.iter().enumerate() {
        let prose = Prose::new(&cell.text);
        let name = names.get(at).map_or("", String::as_str);
        let all = 0..prose.words.len();
        let Some(level) = force_of_column(columns.get(at), name).filter(|_| answer(&prose).is_none()) else {
            book.omit(prose.span(&all), OmissionReason::Rationale);
            continue;
        };
        let own = match mood_of(&prose.words).mood {
            _ if class_of(name).is_some() => None,
            Mood::Order(own, Force::Explicit) => Some(own),
            Mood::Order(own, Force::Implied) if level == Level::Must && !waits_for_leave(name) => Some(own),
            _ => None,
        };
        let text = match own {
            Some(_) => prose.condensed(all.clone()),
            None => format!("{}: {}", name.trim_end_matches(" do"), prose.condensed(all.clone())),
        };
        let literals = prose.literals(all.clone());
        let draft =
            row_draft(text, (own.unwrap_or(level), Force::Explicit), literals, prose.span(&all), here);
        book.add(draft);
    }
}

/// `Ask first`: what is done there waits for somebody.
pub(super) fn waits_for_leave(header: &str) -> bool {
    let header = header.to_lowercase();
    header.strip_prefix("must ").unwrap_or(&header).starts_with("ask")
}

/// `Area | Allowed | Forbidden`: no answers, but what is allowed and what is forbidden.
pub(super) fn several_forces(cells: &[(Prose<'_>, Column, &str)]) -> bool {
    cells.len() > 2
        && cells[1..].iter().all(|(prose, _, name)| modal_header(name).is_some() && answer(prose).is_none())
}

/// `Role | May read | Must not`: each such column says of the first cell what its header says.
pub(super) fn modal_columns(
    book: &mut Book<'_>,
    row: &Block,
    cells: &[(Prose<'_>, Column, &str)],
    here: &Setting,
) -> bool {
    let levels: Vec<Option<Level>> = cells.iter().map(|(_, _, name)| modal_header(name)).collect();
    // `Step | Must not`, `Role | Responsible for | Must not`
    let lone = levels.iter().flatten().count() == 1;
    let forbids = lone && cells.len() > 1 && levels.iter().flatten().all(|level| level.is_prohibition());
    let several = cells.len() >= 3 && levels[1..].iter().filter(|level| level.is_some()).count() >= 2;
    if levels[0].is_some() || !(forbids || several) {
        return false;
    }
    let mut read = false;
    for ((prose, _, name), level) in cells.iter().zip(levels).skip(1) {
        let charged = (forbids && names_charge(name)).then_some(Level::Must);
        let Some(level) = level.and_then(|level| answered(level, answer(prose))).or(charged) else {
            continue;
        };
        say_of_first(book, &cells[0].0, (prose, name), level, here);
        read = true;
    }
    read || {
        book.omit(row.span, OmissionReason::Description);
        true
    }
}

/// Adds what a cell says under its header of the thing in the first cell: `Mate: May read: the log`.
fn say_of_first(
    book: &mut Book<'_>,
    first: &Prose<'_>,
    (prose, name): (&Prose<'_>, &str),
    level: Level,
    here: &Setting,
) {
    let (whole, all) = (0..first.words.len(), 0..prose.words.len());
    let text = format!("{}: {name}: {}", first.condensed(whole.clone()), prose.condensed(all.clone()));
    let mut literals = first.literals(whole.clone());
    literals.extend(prose.literals(all.clone()));
    let mut draft = row_draft(text, (level, Force::Explicit), literals, prose.span(&all), here);
    draft.spans.push(first.span(&whole));
    draft.original.clone_from(&draft.text);
    book.add(draft);
}

/// `Responsible for`, `Owns`: what somebody is there for.
fn names_charge(header: &str) -> bool {
    const CHARGES: &[&str] = &[
        "responsible",
        "responsibilities",
        "responsibility",
        "owns",
        "does",
        "handles",
        "duties",
        "job",
        "tasks",
    ];
    let lower = header.to_lowercase();
    lower.split(' ').next().is_some_and(|first| CHARGES.contains(&first))
}

/// The level of a column whose header says nothing else: `Allowed`, `Forbidden`, `Do`.
fn force_of_column(column: Option<&Column>, name: &str) -> Option<Level> {
    let words = name.split_whitespace().count();
    let modal = ["Must ", "May ", "Should "].iter().any(|modal| name.starts_with(modal));
    let lone = (words <= 2 || words == 3 && modal) && !name.contains('?');
    let done = match column {
        Some(Column::Do) if name.eq_ignore_ascii_case("do") => Some(Level::Must),
        Some(Column::Dont) => Some(Level::MustNot),
        _ => None,
    };
    modal_header(name).or(done).filter(|_| lone).or_else(|| said_of_somebody(name)).or_else(|| class_of(name))
}

/// `Autonomous | Needs approval`, `In scope | Out of scope`: a class of acts, which its column names.
fn class_of(name: &str) -> Option<Level> {
    match name.to_lowercase().as_str() {
        "autonomous"
        | "do freely"
        | "free"
        | "allowed without asking"
        | "without asking"
        | "no approval needed"
        | "in scope" => Some(Level::May),
        "needs approval" | "requires approval" | "approval required" | "needs review" | "ask first"
        | "your job" | "human does" | "humans do" | "agent does" | "agents do" => Some(Level::Must),
        "out of scope" | "not your job" => Some(Level::MustNot),
        _ => None,
    }
}

/// `Strength | Weakness`, `Claim | Truth`, `Endpoint | Method`: columns that only tell.
pub(super) fn tells_both(names: &[String]) -> bool {
    let lower: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    if let [first, second, ..] = &lower[..]
        && matches!(first.as_str(), "endpoint" | "route" | "event" | "webhook" | "event type")
        && matches!(second.as_str(), "method" | "trigger" | "fired when" | "payload" | "http method")
    {
        return true;
    }
    let [one, other] = &lower[..] else { return false };
    matches!(
        (one.trim_end_matches('s'), other.trim_end_matches('s')),
        ("strength", "weaknes" | "weaknesse")
            | ("advantage" | "benefit", "drawback" | "disadvantage")
            | ("pro", "con")
            | ("claim", "truth" | "fact" | "reality")
            | ("failure", "example")
            | ("cause", "effect")
    )
}

/// `The mate may not`, `Guests can`, `Should not do`: what its column holds completes it.
fn said_of_somebody(name: &str) -> Option<Level> {
    const LONGEST: usize = 5;
    const ASKING: &[&str] = &["when", "what", "who", "where", "how", "why", "which", "if", "whether"];
    let lower = name.to_lowercase().replace('’', "'");
    let words: Vec<&str> = lower.split_whitespace().collect();
    if words.len() > LONGEST || words.first().is_none_or(|first| ASKING.contains(first)) {
        return None;
    }
    let words = words.strip_suffix(&["do"]).unwrap_or(&words);
    match words {
        [.., "may" | "must" | "can", "not" | "never"] | [.., "cannot" | "can't" | "mustn't"] => {
            Some(Level::MustNot)
        }
        [.., "should", "not" | "never"] | [.., "shouldn't"] => Some(Level::ShouldNot),
        [.., "may" | "can"] => Some(Level::May),
        [.., "must"] => Some(Level::Must),
        [.., "should"] => Some(Level::Should),
        _ => None,
    }
}

/// `Use when`, `Never use for`: what its column says of the thing in the first one, and whether it is to be used there.
fn use_of(header: &str) -> Option<Level> {
    let lower = header.to_lowercase().replace('\u{2019}', "'");
    let words: Vec<&str> = lower.split_whitespace().collect();
    let case = words.iter().any(|word| matches!(*word, "when" | "for" | "if"));
    match words[..] {
        ["don't" | "never" | "avoid" | "not", ..] | ["do", "not", ..] | ["when", "not", "to", ..] if case => {
            Some(Level::MustNot)
        }
        ["use", "when" | "for" | "if"] | ["when", "to", "use"] => Some(Level::Must),
        _ => None,
    }
}

/// `Tool | Use for | Never use for`: whether columns say when something is used and when it is not.
pub(super) fn says_when_not(names: &[String]) -> bool {
    names.len() > 1
        && use_of(&names[0]).is_none()
        && names[1..].iter().any(|name| use_of(name).is_some_and(Level::is_prohibition))
}

/// A row under such headers: each such cell is a norm.
pub(super) fn use_row(book: &mut Book<'_>, row: &Block, names: &[String], here: &Setting) {
    let Some(first) = row.children.first().map(|cell| Prose::new(&cell.text)) else { return };
    book.omit(first.span(&(0..first.words.len())), OmissionReason::Heading);
    for (cell, name) in row.children.iter().zip(names).skip(1) {
        let prose = Prose::new(&cell.text);
        match use_of(name).filter(|_| answer(&prose).is_none()) {
            Some(level) => say_of_first(book, &first, (&prose, name), level, here),
            None => book.omit(prose.span(&(0..prose.words.len())), OmissionReason::Rationale),
        }
    }
}

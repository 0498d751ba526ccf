//! Tables: a row is a norm when its cells order, or when what leads in or heads the table does.

use std::fmt::Write as _;
use std::ops::Range;
use std::rc::Rc;

use mentci_authority::{EntryKind, Force, Level, OmissionReason};
use mentci_reader::markdown::Block;
use mentci_source::Span;

use super::annotation::norm_of_lead;
use super::choice::{chooses, choosing_row, chosen_above, decided_row, decides_by_table};
use super::clause::{Clause, clauses};
use super::column::{
    Column, assigns, column, decides, due, is_choice, is_class, is_criterion, is_harm, is_insufficient,
    is_to_do, measures, opposites, places, sets_right,
};
use super::composed::with_conditions;
use super::contrasted::{contrast_row, excuse_row, replaced, replaced_row};
use super::draft::{Book, Draft};
use super::follow;
use super::forced_column::{
    force_row, headed_by_force, modal_columns, says_when_not, several_forces, tells_both, use_row,
};
use super::grant::grants;
use super::guard::plain_in;
use super::lead::Lead;
use super::lexicon::{is_nounish, is_verb};
use super::mood::{Mood, mood_of};
use super::prose::Prose;
use super::sentence::{is_cross, is_verdict, split_sentences};
use super::setting::{LeadIn, Setting};
use super::stance::Stance;
use super::stem::stem_row;
use super::verdict::{
    Answer, answer, answers_all, asks_act, asks_leave, binds, describes_need, forbids_itself, is_able,
    is_denied, only_answers, refuses, verdict,
};
use super::whole_table::{Whole, compares_runs, defines_levels, is_vocabulary, sends_by_kind};
use super::word::{Word, WordKind, ending_bracket};

/// Reads a table in its setting.
pub(crate) fn read(book: &mut Book<'_>, table: &Block, here: &Setting) {
    let Some((header, rows)) = table.children.split_first() else { return };
    let mut here = here.clone();
    // `Case | Ask?`: its rows answer, and are not what was forbidden above.
    let asks = header.children.iter().skip(1).any(|cell| cell.text.as_str().trim().ends_with('?'));
    let deciding = asks && here.lead.as_ref().is_some_and(|lead| decides_by_table(&lead.text));
    here.lead = here.lead.filter(|lead| !(asks && lead.forbids()));
    if let Some(lead) = here.lead.clone().filter(|lead| !matches!(lead.lead, Lead::Order(_))) {
        here.under(&lead);
    }
    let here = &here;
    let mut columns: Vec<Column> = header.children.iter().map(|cell| column(cell.text.as_str())).collect();
    let names: Vec<String> =
        header.children.iter().map(|cell| cell.text.as_str().trim().to_owned()).collect();
    // `Rule | Do | Don't`: the first says what the others are about.
    if let [first @ Column::Do, rest @ ..] = &mut columns[..]
        && rest.contains(&Column::Do)
        && rest.contains(&Column::Dont)
    {
        *first = Column::Plain;
    }
    if let Some(opposed) = opposites(&columns, &names) {
        columns.copy_from_slice(&opposed);
    }
    if columns.contains(&Column::Dont) && !columns.contains(&Column::Do) {
        for (column, cell) in columns.iter_mut().zip(&header.children).skip(1) {
            if *column == Column::Plain && is_choice(cell.text.as_str()) {
                *column = Column::Do;
            }
        }
    }
    if bad(here.section) && sets_right(&columns, &names) {
        columns[0] = Column::Dont;
    }
    if columns[0] == Column::Dont {
        let harms = columns.iter_mut().zip(&names).skip(1).filter(|(_, name)| is_harm(name));
        harms.for_each(|(column, _)| *column = Column::Telling);
    }
    if here.section != Stance::Describe && decides(&names) {
        columns[0] = Column::When;
        columns[1] = Column::Do;
    }
    book.omit(header.span, OmissionReason::Heading);
    if let Some(first) = rows.first() {
        book.omit(Span { start: header.span.end, end: first.span.start }, OmissionReason::Separator);
    }
    let example = here.section == Stance::Example
        || matches!(&here.lead, Some(LeadIn { lead: Lead::Stance(Stance::Example, _), .. }));
    let mut whole = if example { Whole::default() } else { Whole::of(rows, &columns, &names, here) };
    if !example && whole.completes.is_none() && is_vocabulary(book, rows, &names, here) {
        whole = Whole { by_state: true, completes: Some(norm_of_lead(book, here)) };
        // Its header would stand before each meaning.
        columns.fill(Column::Plain);
    }
    whole.by_state |= !example && sends_by_kind(rows, &names, here);
    let choosing = !example && chooses(rows, &names, here);
    let defines = defines_levels(rows, &names) || tells_both(&names) || compares_runs(rows, &names, here);
    for row in rows {
        if defines {
            book.omit(row.span, OmissionReason::Description);
        } else if example {
            book.omit(row.span, OmissionReason::Example);
        } else if deciding {
            decided_row(book, row, &columns, &names, here);
        } else if choosing {
            choosing_row(book, row, &names, here);
        } else if columns.contains(&Column::Excuse) || here.section == Stance::Excuses {
            excuse_row(book, row, &columns, here);
        } else if says_when_not(&names) {
            use_row(book, row, &names, here);
        } else if headed_by_force(row, &columns, &names) {
            force_row(book, row, &columns, &names, here);
        } else if let Some((case, act)) = replaced(&columns, &names) {
            replaced_row(book, row, ((case, act), &names), here);
        } else if columns.contains(&Column::Dont) {
            contrast_row(book, row, (&columns, &names), here);
        } else {
            plain_row(book, row, &columns, (&names, whole), here);
        }
    }
}

/// Whether a cell holds nothing but code: the name of a part.
pub(super) fn is_code(prose: &Prose<'_>) -> bool {
    prose.words.iter().all(|word| matches!(word.kind, WordKind::Code | WordKind::Mark))
}

/// Whether a cell orders, be it behind a dash.
pub(super) fn orders(prose: &Prose<'_>) -> bool {
    let behind_dash = || {
        clauses(&prose.words, 0..prose.words.len())
            .iter()
            .any(|clause| matches!(clause.mood, Mood::Order(..)))
    };
    !prose.words.is_empty() && (matches!(mood_of(&prose.words).mood, Mood::Order(..)) || behind_dash())
}

/// Of `When | Do | Don't`, `Path | Never | Always`: what the first cell names, of which alone the others speak.
pub(super) fn case_of_row(row: &Block, columns: &[Column]) -> Option<(String, Span)> {
    let first = columns.first().filter(|column| matches!(column, Column::When | Column::Plain))?;
    let prose = Prose::new(&row.children.first()?.text);
    let all = 0..prose.words.len();
    let names = prose.words.iter().any(|word| word.lower.chars().any(char::is_alphabetic));
    let orders = *first == Column::Plain && matches!(mood_of(&prose.words).mood, Mood::Order(..));
    let case = prose.condensed(all.clone());
    (names && !orders && !case.is_empty()).then(|| (case.trim_end_matches(':').to_owned(), prose.span(&all)))
}

/// The cells of a row, each with what its column holds and how that is headed.
pub(super) fn cells_of<'r>(
    row: &'r Block,
    columns: &[Column],
    names: &'r [String],
) -> Vec<(Prose<'r>, Column, &'r str)> {
    let column = |at: usize| columns.get(at).copied().unwrap_or(Column::Plain);
    let name = |at: usize| names.get(at).map_or("", String::as_str);
    let cells = row.children.iter().enumerate();
    cells.map(|(at, cell)| (Prose::new(&cell.text), column(at), name(at))).collect()
}

/// A row of any other table: a norm with its header where a column says when, or what to do, or an order stands around it.
fn plain_row(
    book: &mut Book<'_>,
    row: &Block,
    columns: &[Column],
    (names, whole): (&[String], Whole),
    here: &Setting,
) {
    let lent = match &here.lead {
        Some(LeadIn { lead: Lead::Order(level), .. }) => Some(*level),
        Some(LeadIn { lead: Lead::Stance(stance, _), .. }) => stance.level(),
        Some(LeadIn { lead: Lead::Condition, .. }) => Some(Level::Must),
        // `Code | Meaning | Resolution` under `Common errors`: what befalls, and what to do then.
        _ if here.section == Stance::Mistakes && columns.contains(&Column::Do) => None,
        // `Situation | Do` under `What not to do`.
        _ if bad(here.section) && says_what_to_do(row, columns, names) => None,
        _ => here.section.level(),
    };
    let goes_on =
        here.lead.is_none() && here.after_order && (columns.len() <= 2 || chosen_above(book, names, here));
    let assigned = (assigns(names) || places(names)) && here.section != Stance::Describe;
    let routes = names.first().is_some_and(|name| opened_by(name).is_some()) && is_run(names.get(1));
    let acts = routes || acts_by_headers(row, columns, names, here);
    let mut cells = cells_of(row, columns, names);
    // `# | Rule`: the number of a row says nothing.
    if cells.len() > 1 && counts_rows(cells[0].2) && is_number(&cells[0].0) {
        cells.remove(0);
    }
    if is_withdrawn(&cells) {
        return book.omit(row.span, OmissionReason::Description);
    }
    if answered_row(book, row, &cells, here)
        || several_forces(&cells) && modal_columns(book, row, &cells, here)
    {
        return;
    }
    if let Some(lead) = here.lead.clone()
        && let Lead::Stem(level) = lead.lead
    {
        cells.retain(|(_, column, _)| *column != Column::Telling);
        return stem_row(book, row_text(&cells, level), row.span, here, (level, &lead));
    }
    if let Some(level) = verdict(&cells) {
        return whole_row(book, row, &cells, level, here);
    }
    let known = names_part(&cells);
    let orders = cells.iter().skip(1).any(|(prose, column, name)| {
        // `Drops the cargo. Do not run at sea.`
        *column == Column::Telling && binds_outright(prose)
            || !known
                && (!argues(name) || prose.words.iter().any(|word| word.mark(";")))
                && orders_in_cell(prose)
            || known && *column != Column::Telling && orders_in_cell(prose)
    });
    let excepted = cells.iter().any(|(_, _, name)| bounding(name).is_some());
    let orders = orders
        || cells.first().is_some_and(|(prose, ..)| commands(prose) || excepted && orders_in_cell(prose));
    if modal_columns(book, row, &cells, here) {
        return;
    }
    let answers_only = || cells.len() > 1 && cells[1..].iter().all(|(prose, ..)| only_answers(prose));
    let ticked = |prose: &Prose<'_>| matches!(&prose.words[..], [mark] if is_verdict(mark));
    let marks_only = cells.len() > 1 && cells[1..].iter().all(|(prose, ..)| ticked(prose));
    if lent.is_none() && (answers_only() || marks_only) && grants(book, row, &cells, here) {
        return;
    }
    if lent.is_none() && !(excepted && orders) && (answers_only() || describes_need(&cells)) {
        return book.omit(row.span, OmissionReason::Description);
    }
    let Some(level) = lent.or_else(|| {
        (acts || orders || goes_on || assigned || whole.by_state || practises(&cells)).then_some(due(names))
    }) else {
        return book.omit(row.span, OmissionReason::Description);
    };
    // `Don't know where it runs | Ask the owner`: a case, and no prohibition.
    let states = |column: Column| column == Column::When && columns.len() > 1;
    // `403 | Forbidden | Check the key`: what an answer is called.
    let settled = columns.contains(&Column::Do);
    let called =
        |prose: &Prose<'_>, column: Column| column == Column::Telling && (settled || !binds_outright(prose));
    // `No lamps | On the mast | High` under `Finding | Place | Severity`: what is found, and no ban.
    let ruled = names.first().is_some_and(|name| {
        ["rule", "rules", "check", "guideline"].contains(&name.trim().to_lowercase().as_str())
    });
    let graded = !ruled && names.iter().any(|name| name.trim().eq_ignore_ascii_case("severity"));
    let found = |prose: &Prose<'_>| graded && prose.words.first().is_some_and(|first| first.is("no"));
    let prohibits = cells
        .iter()
        .filter(|(prose, column, _)| !states(*column) && !called(prose, *column) && !found(prose))
        .find_map(|(prose, ..)| prohibition(prose));
    let names_none = ruled && cells[0].0.words.first().is_some_and(|first| first.is("no") && first.capital);
    let prohibits = prohibits.or_else(|| names_none.then_some(Level::MustNot)).or_else(|| {
        // What tells of a command forbids it where nothing else in the row orders.
        let told = |(prose, column, _): &&(Prose<'_>, Column, &str)| {
            *column == Column::Telling && binds_outright(prose)
        };
        let ordered =
            cells[1..].iter().any(|(prose, column, _)| *column != Column::Telling && orders_in_cell(prose));
        let told = cells.iter().skip(1).find(told).filter(|_| !ordered && !settled)?;
        let refused = refusals(&told.0);
        (refused.len() == 1).then(|| refused[0].1)
    });
    if let Some(draft) = whole.completes.filter(|_| prohibits.is_none()) {
        let (text, literals) = row_text(&cells, level);
        return book.complete(draft, &text, row.span, literals);
    }
    if parted_row(book, row, &cells, level, here) {
        return;
    }
    // `Clear skies | You may sail`.
    let grants = level == Level::Must
        && cells.len() == 2
        && cells[1].1 != Column::Telling
        && each_clause(&cells[1].0)
            .all(|clause| matches!(clause.mood, Mood::Order(Level::May, Force::Explicit)));
    let level = if grants { Level::May } else { level };
    whole_row(book, row, &cells, prohibits.unwrap_or(level), here);
}

/// `Why`, `Capabilities`: what stands there argues or praises, whatever it reads like; `Harbour closed; try again at noon` does both.
fn argues(header: &str) -> bool {
    const ARGUING: &[&str] = &["meaning", "why", "reason", "reasoning", "capabilities", "capability"];
    ARGUING.contains(&header.trim().to_lowercase().as_str())
}

/// Whether what stands in such a section is called bad.
fn bad(section: Stance) -> bool {
    matches!(section, Stance::Forbid | Stance::Discourage | Stance::Mistakes)
}

/// Whether a row orders by itself whatever the heading above calls its cells: it says what to do in a case, or that something must be done.
fn says_what_to_do(row: &Block, columns: &[Column], names: &[String]) -> bool {
    const DONE: &[&str] = &["do", "do this", "what to do", "do instead", "instead", "must"];
    let done = |name: &String| DONE.contains(&name.trim().to_lowercase().as_str());
    let must = |clause: Clause| matches!(clause.mood, Mood::Order(Level::Must, Force::Explicit));
    let cells = || row.children.iter().zip(columns).filter(|(_, column)| acts_in(**column));
    columns.contains(&Column::When) && names.iter().skip(1).any(done)
        || cells().any(|(cell, _)| each_clause(&Prose::new(&cell.text)).any(must))
}

/// Whether the headers say that something is done, bounded, or has to be so.
fn acts_by_headers(row: &Block, columns: &[Column], names: &[String], here: &Setting) -> bool {
    let in_case = || columns.iter().any(|column| !matches!(column, Column::When | Column::Example));
    let bound = || bounds_each(row, names) || names.iter().skip(1).any(|name| is_criterion(name));
    columns.contains(&Column::Do)
        || names.iter().any(|name| is_insufficient(name))
        || here.section != Stance::Describe && bound()
        || columns.contains(&Column::When) && in_case()
}

/// `May I push? | No`: a question and its answer.
fn answered_row(
    book: &mut Book<'_>,
    row: &Block,
    cells: &[(Prose<'_>, Column, &str)],
    here: &Setting,
) -> bool {
    let [(question, ..), (reply, ..), ..] = cells else { return false };
    let Some(level) = follow::answered(&question.words, &reply.words) else { return false };
    let text = [question, reply].map(|prose| prose.condensed(0..prose.words.len())).join(" ");
    let literals = cells.iter().flat_map(|(prose, ..)| prose.literals(0..prose.words.len())).collect();
    book.add(row_draft(text, (level, Force::Explicit), literals, row.span, here));
    true
}

/// `Row at night | Retired` under `Rule | Status`: what is in force no more.
fn is_withdrawn(cells: &[(Prose<'_>, Column, &str)]) -> bool {
    const WITHDRAWN: &[&str] = &["retired", "withdrawn", "superseded", "obsolete", "repealed", "revoked"];
    cells.iter().skip(1).any(|(prose, _, name)| {
        name.trim().eq_ignore_ascii_case("status")
            && matches!(&prose.words[..], [only] if only.any(WITHDRAWN))
    })
}

/// `Draught | < 3 m` under `Measure | Limit`: a number under such a header.
fn bounds_each(row: &Block, names: &[String]) -> bool {
    let numbered = |at: usize| {
        row.children.get(at).is_some_and(|cell| cell.text.as_str().contains(|c: char| c.is_ascii_digit()))
    };
    names.iter().enumerate().skip(1).any(|(at, name)| measures(name) && numbered(at))
}

/// `Flaky test | Quarantine it. Never delete it.`, `Low | Fix now | Avoid`: what a row forbids stands apart from what it orders.
fn parted_row(
    book: &mut Book<'_>,
    row: &Block,
    cells: &[(Prose<'_>, Column, &str)],
    level: Level,
    here: &Setting,
) -> bool {
    let Some(((first, ..), behind)) = cells.split_first() else { return false };
    let forbidden: Vec<Vec<(Range<usize>, Level)>> = behind
        .iter()
        .map(|(prose, column, name)| match acting(prose, *column) {
            true if is_insufficient(name) => vec![(0..prose.words.len(), Level::MustNot)],
            true => refusals(prose),
            false => Vec::new(),
        })
        .collect();
    let ordered = behind.iter().any(|(prose, column, name)| {
        acting(prose, *column) && (asks_something(prose) || is_insufficient(name))
    });
    if level.is_prohibition() || !ordered || forbidden.iter().all(Vec::is_empty) {
        return false;
    }
    let without = |at: usize, prose: &Prose<'_>| -> Rc<Vec<Word>> {
        let words = prose.words.iter().enumerate();
        let kept = words.filter(|(word, _)| !forbidden[at].iter().any(|(range, _)| range.contains(word)));
        Rc::new(kept.map(|(_, word)| word.clone()).collect())
    };
    let mut kept = vec![(Prose::new(first.text), cells[0].1, cells[0].2)];
    for (at, (prose, column, name)) in behind.iter().enumerate() {
        // A cell that is left empty says nothing, but the row stays as wide as it was, so that the others keep their headers.
        let words = without(at, prose);
        if !words.is_empty() || cells.len() > 2 {
            kept.push((Prose { text: prose.text, words }, *column, *name));
        }
    }
    whole_row(book, row, &kept, level, here);
    let all = 0..first.words.len();
    for ((prose, _, name), refusals) in behind.iter().zip(&forbidden) {
        for (range, level) in refusals {
            let header =
                if cells.len() > 2 && !name.is_empty() { format!("{name}: ") } else { String::new() };
            let text =
                format!("{}: {header}{}", first.condensed(all.clone()), prose.condensed(range.clone()));
            let mut literals = first.literals(all.clone());
            literals.extend(prose.literals(range.clone()));
            let mut draft = row_draft(text, (*level, Force::Explicit), literals, prose.span(range), here);
            draft.spans.push(first.span(&all));
            draft.original.clone_from(&draft.text);
            book.add(draft);
        }
    }
    true
}

/// Whether a cell may say what to do: it is no answer, no sample and no reason.
fn acting(prose: &Prose<'_>, column: Column) -> bool {
    acts_in(column) && answer(prose).is_none()
}

fn acts_in(column: Column) -> bool {
    !matches!(column, Column::Telling | Column::Example)
}

/// The clauses of a cell that forbid, with their levels.
fn refusals(prose: &Prose<'_>) -> Vec<(Range<usize>, Level)> {
    let forbidding = |clause: Clause| match clause.mood {
        Mood::Order(level, _) if level.is_prohibition() => Some((clause.words, level)),
        _ => None,
    };
    each_clause(prose).filter_map(forbidding).collect()
}

/// Whether a clause of a cell orders something, and does not forbid it.
fn asks_something(prose: &Prose<'_>) -> bool {
    each_clause(prose).any(|clause| matches!(clause.mood, Mood::Order(level, _) if !level.is_prohibition()))
}

fn each_clause(prose: &Prose<'_>) -> impl Iterator<Item = Clause> {
    split_sentences(&prose.words).into_iter().flat_map(|sentence| clauses(&prose.words, sentence))
}

/// What is asked of a server.
const METHODS: &[&str] = &["get", "post", "put", "patch", "delete", "head", "options"];

/// `` `--dry-run` | Skip all writes ``, `GET | Get the list`: the row says what a part of a tool is or does.
fn names_part(cells: &[(Prose<'_>, Column, &str)]) -> bool {
    let Some((first, ..)) = cells.first() else { return false };
    // `503 | Harbour closed; try again at noon`
    let code = first.text.as_str().trim();
    if code.len() == 3 && code.starts_with(['4', '5']) && code.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let named = |word: &Word| {
        matches!(word.kind, WordKind::Code | WordKind::Mark)
            || word.shouted && word.any(METHODS)
            || word.any(&["or", "and"])
    };
    first.words.iter().all(named) && first.words.iter().any(|word| word.kind != WordKind::Mark)
}

/// `Ignored; must not be set by hand`: it binds in so many words, and not as what something is meant for (`IDs that must never be used`).
fn binds_outright(prose: &Prose<'_>) -> bool {
    const BINDING: &[&str] = &["must", "never", "don't", "cannot", "not"];
    let binds = |clause: Clause| {
        let words = &prose.words[clause.words];
        let at = words.iter().position(|word| word.any(BINDING));
        let narrowed = |at: usize| words[..at].iter().any(|word| word.any(&["that", "which", "who"]));
        matches!(clause.mood, Mood::Order(_, Force::Explicit)) && at.is_some_and(|at| !narrowed(at))
    };
    // `Intercept GET requests`
    let method = |word: &Word| word.any(METHODS);
    each_clause(prose).any(binds)
        || prose.words.iter().any(|word| word.shouted && is_verb(&word.lower) && !method(word))
}

/// Whether a cell orders; `Root → address` and `Free (two seats)` only name.
fn orders_in_cell(prose: &Prose<'_>) -> bool {
    let words = &prose.words;
    let arrow = words.iter().position(|word| word.mark("→"));
    let leads = |at: usize| matches!(mood_of(&words[at + 1..]).mood, Mood::Order(..));
    let bracketed = words.len() > 1 && is_nounish(&words[0].lower) && words[1].lower == "(";
    orders(prose) && !bracketed && arrow.is_none_or(|at| at + 1 < words.len() && leads(at))
}

/// `Prefer oars over sails | They are quiet` under `Practice | Why`.
fn practises(cells: &[(Prose<'_>, Column, &str)]) -> bool {
    const NAMES: &[&str] = &["practice", "best practice", "idiom", "principle", "tip", "do", "advice"];
    cells.first().is_some_and(|(prose, _, name)| {
        NAMES.contains(&name.trim().to_lowercase().as_str()) && prose.words.len() > 1 && orders_in_cell(prose)
    })
}

/// `Never run rm`, `You must run make` in the first cell.
fn commands(prose: &Prose<'_>) -> bool {
    let binds =
        matches!(mood_of(&prose.words).mood, Mood::Order(level, Force::Explicit) if level != Level::May);
    binds
        && prose.words.len() > 2
        && prose.words.iter().any(|word| word.any(&["never", "must", "don't", "not", "always"]))
}

pub(crate) fn prohibition(prose: &Prose<'_>) -> Option<Level> {
    match mood_of(&prose.words).mood {
        Mood::Order(level, Force::Explicit) if level.is_prohibition() && !is_lone_no(prose) => Some(level),
        _ => None,
    }
}

/// `no`: an answer. `No unwrap in library code` is a rule.
fn is_lone_no(prose: &Prose<'_>) -> bool {
    prose.words[0].is("no") && !(prose.words[0].capital && prose.words.len() > 3)
}

pub(super) fn whole_row(
    book: &mut Book<'_>,
    row: &Block,
    cells: &[(Prose<'_>, Column, &str)],
    level: Level,
    here: &Setting,
) {
    let (mut text, literals) = row_text(cells, level);
    let own = cells
        .iter()
        .any(|(prose, column, name)| forbids_itself(prose) || is_able(name) || tells_ban(prose, *column));
    // `Run the seed | yes | never` under `Action | dev | prod`: not everywhere.
    let says = |cues: &[&str]| {
        cells[1..].iter().any(|(prose, ..)| matches!(&prose.words[..], [only] if only.any(cues)))
    };
    let mixed = cells.len() > 2 && says(&["never"]) && says(&["yes", "ok", "okay", "on", "always"]);
    if level.is_prohibition() && !own && !mixed {
        let act =
            here.heading.and_then(|heading| banned_act(&book.headings[heading].text)).unwrap_or_default();
        // Not to commit a mark does not say that it is not used.
        if !act.is_empty() && cells.iter().any(|(.., name)| says_when_used(name)) {
            let used = (Level::Must, Force::Implied);
            book.add(row_draft(text.clone(), used, literals.clone(), row.span, here));
        }
        text = format!("{}{act} {text}", if level == Level::ShouldNot { "AVOID" } else { "NEVER" });
    }
    let mut draft = row_draft(text, (level, Force::Implied), literals, row.span, here);
    draft.original.clone_from(&draft.text);
    book.add(draft);
}

/// `When to use`, `Use for`.
fn says_when_used(header: &str) -> bool {
    let lower = header.trim().to_lowercase();
    lower == "when to use" || ["use for", "use when", "used for"].contains(&&*lower)
}

/// ` commit` of `Never commit` and of `Short tags (NEVER COMMIT)`: what is not to be done with what the rows name.
fn banned_act(heading: &str) -> Option<String> {
    let lower = heading.to_lowercase();
    let ban = ending_bracket(&lower).map_or(&*lower, |(_, inner)| inner);
    let (["never" | "don't", act] | ["do", "not", act]) = plain_in(ban)[..] else { return None };
    (is_verb(act) && !matches!(act, "do" | "use")).then(|| format!(" {act}"))
}

/// `Empties the hold. Do not run at sea.`: a description whose last words forbid.
fn tells_ban(prose: &Prose<'_>, column: Column) -> bool {
    column == Column::Telling && binds_outright(prose) && !refusals(prose).is_empty()
}

/// `If you need to...`, `When you want to`, `You need to…`: a header that begins the case which each cell under it ends.
fn opened_by(header: &str) -> Option<String> {
    let opens = header.trim_end_matches(['.', '…', ':', ' ']);
    let lower = opens.to_lowercase();
    let begins = |cases: &[&str]| cases.iter().any(|case| lower.starts_with(case)) && lower.ends_with(" to");
    if begins(&["if you ", "when you ", "if the user ", "when the user "]) {
        return Some(opens.to_owned());
    }
    begins(&["you need ", "you want ", "you have ", "the user wants "]).then(|| format!("If {lower}"))
}

/// `Run`, `Run this`: a header above what is run then.
fn is_run(header: Option<&String>) -> bool {
    header.is_some_and(|header| {
        matches!(&*header.trim().to_lowercase(), "run" | "run this" | "use" | "do" | "command")
    })
}

/// The cells of a row in one line, with the headers that it needs, and its literals.
pub(super) fn row_text(cells: &[(Prose<'_>, Column, &str)], level: Level) -> (String, Vec<String>) {
    let wide = cells.len() > 2;
    // `Names of ropes | kebab-case: `main-sheet``: what only names is nothing without its sample.
    let alone = !wide
        && cells.first().is_some_and(|(prose, column, _)| {
            *column == Column::Do && matches!(mood_of(&prose.words).mood, Mood::Fragment)
        });
    let mut text = String::new();
    let mut literals = Vec::new();
    for (at, (prose, column, name)) in cells.iter().enumerate() {
        let all = 0..prose.words.len();
        if matches!(column, Column::Example) && at == 1 && is_class(cells[0].2) && !level.is_prohibition() {
            let _ = write!(text, " ({})", prose.lowered(all.clone()));
            literals.extend(prose.literals(all));
            continue;
        }
        if matches!(column, Column::Example) && at > 0 && !alone
            || prose.words.iter().all(|word| word.kind == WordKind::Mark)
        {
            continue;
        }
        if let [mark] = &prose.words[..]
            && is_verdict(mark)
        {
            if at > 0 && !name.is_empty() && !answers_all(name) {
                let answer = if is_cross(mark) { "no" } else { "yes" };
                text.push_str(if at == 1 { ": " } else { "; " });
                push_header(&mut text, name);
                text.push_str(answer);
            }
            continue;
        }
        let own = cells.iter().any(|(prose, column, _)| forbids_itself(prose) || tells_ban(prose, *column));
        let settles = refuses(prose) || answer(prose) == Some(Answer::Yes);
        if at > 0
            && level.is_prohibition()
            && settles
            && (answers_all(name) || !wide && is_denied(prose))
            && !own
        {
            continue;
        }
        let forbids = text.is_empty() && level.is_prohibition() && !own;
        let cell = if forbids { prose.lowered(all.clone()) } else { prose.condensed(all.clone()) };
        // `If you need to… | Read first`: the cell ends what its header begins.
        let opened = opened_by(name).filter(|_| at == 0 && *column != Column::Do);
        let cell = opened.map_or(cell, |opens| format!("{opens} {}", prose.lowered(all.clone())));
        // `If | Then | Otherwise`
        if at > 0
            && matches!(name.to_lowercase().trim(), "otherwise" | "else" | "if not")
            && answer(prose).is_none()
        {
            let alone = text == cells[0].0.condensed(0..cells[0].0.words.len());
            text =
                if alone { format!("Unless {text}: {cell}") } else { format!("{text}; otherwise: {cell}") };
            literals.extend(prose.literals(all));
            continue;
        }
        if let Some(joint) = bounding(name).filter(|_| at > 0) {
            if answer(prose).is_none() {
                text.push_str(joint);
                text.push_str(&prose.lowered(all.clone()));
                literals.extend(prose.literals(all));
            }
            continue;
        }
        let headed = at > 0
            && (wide
                || *column == Column::When
                || *column == Column::Do && opened_by(cells[0].2).is_some()
                || binds(name)
                || asks_leave(name) && answer(prose).is_some()
                || asks_act(name)
                || measures(name)
                || is_to_do(name)
                || *column == Column::Plain && says_of_what(prose, name))
            && !name.is_empty();
        let opens = text.is_empty();
        text.push_str(if opens {
            ""
        } else if cells[1..at].iter().all(|(prose, ..)| prose.words.is_empty()) {
            ": "
        } else {
            "; "
        });
        // `0 | Row` under `Sails | Decision`: a number says nothing without its header.
        if opens && at == 0 && is_number(prose) && !name.is_empty() && !counts_rows(name) && cells.len() > 1 {
            text.push_str(name);
            text.push(' ');
        }
        if headed {
            push_header(&mut text, name);
        }
        text.push_str(&cell);
        literals.extend(prose.literals(all));
    }
    (text, literals)
}

/// A header in front of what its cell holds: `Limit: `, `Ask? `.
fn push_header(text: &mut String, name: &str) {
    text.push_str(name);
    text.push_str(if name.ends_with('?') { " " } else { ": " });
}

/// `#`, `No.`: a column that counts the rows.
fn counts_rows(header: &str) -> bool {
    ["#", "no.", "no", "nr", "nr.", "№"].contains(&header.trim().to_lowercase().as_str())
}

/// `1`, `2.`
fn is_number(prose: &Prose<'_>) -> bool {
    let mut plain = prose.words.iter().filter(|word| word.kind != WordKind::Mark);
    let digits = |word: &Word| {
        let number = word.lower.trim_end_matches('+').replace(['-', '–'], "");
        !number.is_empty() && number.chars().all(|c| c.is_ascii_digit())
    };
    plain.next().is_some_and(digits) && plain.next().is_none()
}

/// `hotfix/* | main` under `Branch | Base branch`: a value of one word says little without its header.
fn says_of_what(prose: &Prose<'_>, header: &str) -> bool {
    const LONGEST: usize = 3;
    let one = prose.words.iter().filter(|word| word.kind != WordKind::Mark).count() == 1;
    one && (2..=LONGEST).contains(&header.split_whitespace().count()) && !header.ends_with('?')
}

/// `Exception`, `Unless`, `Only if`: how a cell under such a header takes something out of its row.
pub(super) fn bounding(header: &str) -> Option<&'static str> {
    match header.to_lowercase().trim() {
        "exception" | "exceptions" | "except" | "unless" | "exempt" | "except when" | "except for" => {
            Some(". EXCEPT ")
        }
        "only if" | "only when" | "only for" | "only in" => Some(", only if "),
        _ => None,
    }
}

pub(super) fn row_draft(
    text: String,
    (level, force): (Level, Force),
    literals: Vec<String>,
    span: Span,
    here: &Setting,
) -> Draft {
    let mut spans = vec![span];
    spans.extend(here.lead.as_ref().filter(|lead| lead.draft.is_none()).map(|lead| lead.span));
    let (text, condition) = with_conditions(text, here, &mut spans);
    Draft {
        level,
        force,
        kind: EntryKind::Norm,
        terse: None,
        condition,
        exceptions: Vec::new(),
        literals,
        original: text.clone(),
        text,
        step: None,
        spans,
        heading: here.heading,
        completions: 0,
        goes_on_in: None,
        is_of_fence: false,
    }
}

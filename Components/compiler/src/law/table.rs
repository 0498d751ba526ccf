//! Tables: a row is a norm when its cells order, or when what leads in or heads the table does.

use std::ops::Range;
use std::rc::Rc;

use mentci_authority::{Force, Level, OmissionReason};
use mentci_reader::markdown::Block;
use mentci_source::Span;

use super::annotation::norm_of_lead;
use super::choice::{chooses, choosing_row, chosen_above, decided_row, decides_by_table};
use super::contrasted::{contrast_row, excuse_row, replaced, replaced_row};
use super::draft::Book;
use super::follow;
use super::forced_column::{
    force_row, headed_by_force, modal_columns, says_when_not, several_forces, tells_both, use_row,
};
use super::grant::grants;
use super::row::{bounding, counts_rows, is_number, opened_by, row_draft, row_text, whole_row};
use super::setting::{LeadIn, Setting};
use super::speech::cell::{
    acting, acts_in, asks_something, binds_outright, commands, each_clause, names_part, orders_in_cell,
    practises, prohibition, refusals,
};
use super::speech::clause::Clause;
use super::speech::column::{
    Column, assigns, column, decides, due, is_choice, is_criterion, is_harm, is_insufficient, measures,
    opposites, places, sets_right,
};
use super::speech::lead::Lead;
use super::speech::lexicon::{DETERMINERS, is_nounish};
use super::speech::mood::{Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::sentence::is_verdict;
use super::speech::stance::Stance;
use super::speech::verdict::{describes_need, only_answers, verdict};
use super::speech::word::Word;
use super::stem::stem_row;
use super::whole_table::{
    Whole, compares_runs, defines_levels, grants_by_case, is_vocabulary, sends_by_kind,
};

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
    let inside = in_case_of_lead(book, &columns, here);
    let here = inside.as_ref().unwrap_or(here);
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
    let grants = !example && grants_by_case(book, rows, &names, here);
    let defines = defines_levels(rows, &names) || tells_both(&names) || compares_runs(rows, &names, here);
    let before = book.drafts.len();
    for row in rows {
        if defines {
            book.omit(row.span, OmissionReason::Description);
        } else if example {
            book.omit(row.span, OmissionReason::Example);
        } else if grants {
            whole_row(book, row, &cells_of(row, &columns, &names), Level::Must, here);
        } else if deciding {
            decided_row(book, row, &columns, &names, here);
        } else if choosing {
            choosing_row(book, row, &names, here);
        } else if columns.contains(&Column::Excuse) || here.section == Stance::Excuses {
            excuse_row(book, row, (&columns, &names), here);
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
    take_back_lone_name(book, rows, before, here);
}

/// `For archived logs, this always keeps the record:` above cases and what is done in each: they all stand in that case.
fn in_case_of_lead(book: &Book<'_>, columns: &[Column], here: &Setting) -> Option<Setting> {
    let decides = columns.contains(&Column::When) && columns.contains(&Column::Do);
    let lead = here.lead.as_ref().filter(|lead| decides && matches!(lead.lead, Lead::Order(_)))?;
    let case = book.drafts[lead.draft?].condition.clone()?;
    let mut inside = here.clone();
    inside.conditions.push((case, lead.span));
    Some(inside)
}

/// `Debug lamp` in one of many rows that only tell: a noun that may be a verb orders nothing there, either.
fn take_back_lone_name(book: &mut Book<'_>, rows: &[Block], before: usize, here: &Setting) {
    const FEWEST: usize = 4;
    const LONGEST: usize = 3;
    const BINDING: &[&str] = &["must", "only", "never", "not", "no", "always", "first", "before"];
    let Some([draft]) = book.drafts.get(before..) else { return };
    let implied = draft.level == Level::Must && draft.force == Force::Implied && draft.exceptions.is_empty();
    let Some(row) = rows.iter().find(|row| draft.spans.first() == Some(&row.span)) else { return };
    let orders = |cell: &Block| matches!(mood_of(&Prose::new(&cell.text).words).mood, Mood::Order(..));
    let named = |cell: &Block| {
        let prose = Prose::new(&cell.text);
        let first = prose.words.first();
        let binds = prose.words.len() > 1
            && prose.words.iter().any(|word| word.any(BINDING) || word.shouted || word.mark("—"));
        let object = prose.words.get(1).is_some_and(|next| next.among(DETERMINERS));
        let noun = !object && first.is_some_and(|first| is_nounish(&first.lower));
        !binds && (!orders(cell) || noun && prose.words.len() <= LONGEST)
    };
    let free = here.lead.is_none()
        && here.conditions.is_empty()
        && matches!(here.section, Stance::Neutral | Stance::Describe);
    if rows.len() >= FEWEST
        && implied
        && free
        && row.children.iter().all(named)
        && row.children.iter().any(orders)
    {
        book.drafts.truncate(before);
        book.omit(row.span, OmissionReason::Description);
    }
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
    if is_told(&cells, here) || is_withdrawn(&cells) {
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
            || known && *column != Column::Telling && !argues(name) && orders_in_cell(prose)
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
    const ARGUING: &[&str] = &[
        "meaning",
        "why",
        "reason",
        "reasoning",
        "capabilities",
        "capability",
        "what goes wrong",
        "symptom",
        "symptoms",
        "problem",
    ];
    // `write` under `Mode` says what a tool may do.
    const SORTING: &[&str] = &["mode", "access", "permission", "permissions"];
    let name = header.trim().to_lowercase();
    ARGUING.contains(&name.as_str()) || SORTING.contains(&name.as_str())
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

/// A row under `When the crane is up, these commands are available:` that does not bind in so many words.
fn is_told(cells: &[(Prose<'_>, Column, &str)], here: &Setting) -> bool {
    let told = matches!(here.lead, Some(LeadIn { lead: Lead::Told, .. }));
    told && !cells.iter().any(|(prose, ..)| binds_outright(prose))
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

/// `Run`, `Run this`: a header above what is run then.
fn is_run(header: Option<&String>) -> bool {
    header.is_some_and(|header| {
        matches!(&*header.trim().to_lowercase(), "run" | "run this" | "use" | "do" | "command")
    })
}

//! Tables that choose: each row is a case, and a mark under each thing says whether that is used for it. Tables that decide: each row says
//! whether something is done in a case.

use mentci_authority::{Force, Level};
use mentci_reader::markdown::Block;

use super::draft::Book;
use super::row::{row_draft, row_text};
use super::setting::Setting;
use super::speech::column::Column;
use super::speech::prose::Prose;
use super::speech::sentence::{is_cross, is_verdict};
use super::speech::stance::Stance;
use super::speech::verdict::{Answer, answer};
use super::speech::word::WordKind;
use super::table::cells_of;

/// Whether each cell behind the case opens with a mark, and the headers name what one uses: `Task | Use the lift | Use the stairs`, or
/// things for tasks, of which the cells say more than the mark. `Feature | Free | Pro` compares.
pub(crate) fn chooses(rows: &[Block], names: &[String], here: &Setting) -> bool {
    const CASES: &[&str] = &["task", "case", "situation", "scenario", "when", "need", "goal", "operation"];
    if names.len() < 3 || rows.is_empty() || here.section == Stance::Describe {
        return false;
    }
    let marked = |cell: &Block| Prose::new(&cell.text).words.first().is_some_and(is_verdict);
    if !rows.iter().all(|row| row.children.len() > 2 && row.children[1..].iter().all(marked)) {
        return false;
    }
    let first = names[0].to_lowercase();
    let of_tasks = first.split(' ').any(|word| CASES.contains(&word));
    let means = |row: &Block| {
        let mut cells = row.children[1..].iter().map(|cell| Prose::new(&cell.text));
        cells.any(|prose| {
            !is_cross(&prose.words[0]) && prose.words.iter().any(|word| word.kind == WordKind::Code)
        })
    };
    names[1..].iter().all(|name| used(name).is_some()) || of_tasks && rows.iter().all(means)
}

/// `the lift` of `Use the lift`.
fn used(header: &str) -> Option<&str> {
    const USING: &[&str] = &["Use ", "use ", "Prefer ", "Choose "];
    USING.iter().find_map(|verb| header.strip_prefix(verb)).filter(|thing| !thing.is_empty())
}

/// `Two floors: Use stairs` and `Two floors: NEVER use lift` of such a row.
pub(crate) fn choosing_row(book: &mut Book<'_>, row: &Block, names: &[String], here: &Setting) {
    let Some((case, cells)) = row.children.split_first() else { return };
    let case = Prose::new(&case.text);
    let of_case = 0..case.words.len();
    let situation = case.condensed(of_case.clone());
    for (cell, name) in cells.iter().zip(&names[1..]) {
        let prose = Prose::new(&cell.text);
        let Some(mark) = prose.words.first() else { continue };
        let said = 1..prose.words.len();
        let (thing, literals) = (used(name).unwrap_or(name), prose.literals(said.clone()));
        let (level, text) = if is_cross(mark) {
            (Level::MustNot, format!("{situation}: NEVER use {thing}"))
        } else {
            let means = prose.condensed(said.clone());
            let means = if means.is_empty() { thing.to_owned() } else { format!("{thing}: {means}") };
            (Level::Must, format!("{situation}: Use {means}"))
        };
        let mut all = case.literals(of_case.clone());
        all.extend(literals.into_iter().filter(|literal| text.contains(literal.as_str())));
        let span = if said.is_empty() { row.span } else { prose.span(&(0..prose.words.len())) };
        let mut draft = row_draft(text, (level, Force::Implied), all, span, here);
        draft.spans.push(case.span(&of_case));
        book.add(draft);
    }
}

/// `Mid-sail | No | the loss is costly` under `Phase | Dock? | Why`, where the table decides when to dock.
pub(super) fn decided_row(
    book: &mut Book<'_>,
    row: &Block,
    columns: &[Column],
    names: &[String],
    here: &Setting,
) {
    let cells = cells_of(row, columns, names);
    let asked = cells.iter().skip(1).find(|(_, _, name)| name.ends_with('?'));
    let level = match asked.and_then(|(prose, ..)| answer(prose)) {
        Some(Answer::No) => Level::MustNot,
        _ => Level::Must,
    };
    // What is answered stands in it in so many words.
    let (text, literals) = row_text(&cells, Level::Must);
    let mut draft = row_draft(text, (level, Force::Implied), literals, row.span, here);
    draft.original.clone_from(&draft.text);
    book.add(draft);
}

/// `Use this table to decide when to dock:`
pub(super) fn decides_by_table(lead: &str) -> bool {
    let lower = lead.to_lowercase();
    lower.contains("table")
        && ["decide", "determine", "check whether", "choose"].iter().any(|cue| lower.contains(cue))
}

/// `Choose the rope and its length by the weather.` right above `Weather | Rope | Length`. `Option | Best for | Notes` says what there is.
pub(super) fn chosen_above(book: &Book<'_>, names: &[String], here: &Setting) -> bool {
    const CHOOSING: &[&str] =
        &["decide", "choose", "pick", "select", "determine", "infer", "assign", "match"];
    const LISTED: &[&str] = &["option", "flag", "parameter", "argument", "field", "name", "tool", "surface"];
    let listed = names.first().is_none_or(|name| LISTED.contains(&name.to_lowercase().as_str()));
    let last = here.above.clone().next_back().and_then(|last| book.drafts.get(last));
    let chooses = |text: &str| {
        text.split(' ').next().is_some_and(|first| CHOOSING.contains(&first.to_lowercase().as_str()))
    };
    !listed && last.is_some_and(|draft| draft.level == Level::Must && chooses(&draft.text))
}

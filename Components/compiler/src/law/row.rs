//! A row of a table as one norm: its cells in one line, with the headers that it needs.

use std::fmt::Write as _;

use mentci_authority::{Force, Level};
use mentci_reader::markdown::Block;
use mentci_source::Span;

use super::composed::whole_draft;
use super::draft::{Book, Draft};
use super::setting::Setting;
use super::speech::cell::{binds_outright, refusals};
use super::speech::column::{Column, is_class, is_to_do, measures};
use super::speech::guard::plain_in;
use super::speech::lexicon::is_verb;
use super::speech::mood::{Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::sentence::{is_cross, is_verdict};
use super::speech::verdict::{
    Answer, answer, answers_all, asks_act, asks_leave, binds, forbids_itself, is_able, is_denied, refuses,
};
use super::speech::word::{Word, WordKind, ending_bracket};

/// Adds a row as one norm; a row that is forbidden says so in front.
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
        let of_lead = here.lead.as_ref().and_then(|lead| banned_act(lead.text.trim_end_matches([':', ' '])));
        let of_heading = || here.heading.and_then(|heading| banned_act(&book.headings[heading].text));
        let act = of_lead.or_else(of_heading).unwrap_or_default();
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
pub(super) fn opened_by(header: &str) -> Option<String> {
    let opens = header.trim_end_matches(['.', '…', ':', ' ']);
    let lower = opens.to_lowercase();
    let begins = |cases: &[&str]| cases.iter().any(|case| lower.starts_with(case)) && lower.ends_with(" to");
    if begins(&["if you ", "when you ", "if the user ", "when the user "]) {
        return Some(opens.to_owned());
    }
    begins(&["you need ", "you want ", "you have ", "the user wants "]).then(|| format!("If {lower}"))
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
                || matches!(column, Column::Plain | Column::Do) && says_of_what(prose, name))
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
pub(super) fn counts_rows(header: &str) -> bool {
    ["#", "no.", "no", "nr", "nr.", "№"].contains(&header.trim().to_lowercase().as_str())
}

/// `1`, `2.`
pub(super) fn is_number(prose: &Prose<'_>) -> bool {
    let mut plain = prose.words.iter().filter(|word| word.kind != WordKind::Mark);
    let digits = |word: &Word| {
        let number = word.lower.trim_start_matches(['<', '>', '≤', '≥', '=', '~']);
        let number = number.trim_end_matches(['+', '%']).replace(['-', '–'], "");
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

/// A row as a draft: the lead-in that it rests on belongs to it.
pub(super) fn row_draft(
    text: String,
    force: (Level, Force),
    literals: Vec<String>,
    span: Span,
    here: &Setting,
) -> Draft {
    let mut spans = vec![span];
    spans.extend(here.lead.as_ref().filter(|lead| lead.draft.is_none()).map(|lead| lead.span));
    whole_draft(text, force, literals, spans, here)
}

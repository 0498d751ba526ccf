//! Drawings whose lines lead from a case to what is taken in it: `+- heavy cargo ------- the barge`, `* light cargo ........ the boat`.

use mentci_authority::{Level, OmissionReason};
use mentci_source::Span;

use super::draft::{Book, Draft};
use super::fence::{command_draft, one_line, placed};
use super::setting::Setting;
use super::speech::stance::Stance;
use crate::words::opens_negated;

/// Reads such a drawing: one norm for each line with a leader, and for each branch beside them; false where the text is none.
pub(super) fn leaders(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    const FEWEST: usize = 3;
    let source = book.source.clone();
    let text = source.slice(body);
    if here.section == Stance::Describe {
        return false;
    }
    let lines: Vec<(Option<Led<'_>>, Span)> = placed(text, body)
        .filter(|(line, _)| line.contains(char::is_alphanumeric))
        .map(|(line, at)| {
            let start = at + line.len() - line.trim_start().len();
            (Led::of(line), Span::new(start, at + line.trim_end().len()))
        })
        .collect();
    let drawn = lines.iter().filter(|(led, _)| led.as_ref().is_some_and(|led| led.drawn)).count();
    let led = lines.iter().filter(|(led, _)| led.is_some()).count();
    // A line may name what is parted, and that is all.
    if drawn < FEWEST || led + 1 < lines.len() {
        return false;
    }
    for (led, span) in lines.iter().filter_map(|(led, span)| Some((led.as_ref()?, *span))) {
        let level = if opens_negated(led.taken) { Level::MustNot } else { Level::Must };
        let text = format!("{}: {}", led.case, one_line(led.taken));
        let draft = command_draft(text, level, Vec::new(), (span, span), here);
        book.add(Draft { spans: vec![span], completions: 0, ..draft });
    }
    book.omit(body, OmissionReason::Code);
    true
}

/// A line that leads from a case to what is taken in it.
struct Led<'t> {
    case: &'t str,
    taken: &'t str,
    /// Whether it is led there by what is drawn, and not by white space alone.
    drawn: bool,
}

impl<'t> Led<'t> {
    fn of(line: &'t str) -> Option<Self> {
        const MARKS: &[&str] =
            &["+- ", "+-- ", "|- ", "|-- ", "├─ ", "├── ", "└─ ", "└── ", "`-- ", "* ", "- "];
        let said = line.trim().trim_start_matches(['|', '│', ' ']);
        let said = MARKS.iter().find_map(|mark| said.strip_prefix(mark))?.trim();
        let (case, taken, drawn) = parted(said)?;
        (case.contains(char::is_alphabetic) && taken.contains(char::is_alphabetic)).then_some(Self {
            case,
            taken,
            drawn,
        })
    }
}

/// The two sides of a leader: a run of dashes or dots between blanks, or else white space, or one dash.
fn parted(said: &str) -> Option<(&str, &str, bool)> {
    const SHORTEST: usize = 3;
    let leads = |c: char| matches!(c, '-' | '─' | '.' | '·' | '…');
    let run = said.match_indices(' ').map(|(at, _)| at + 1).find_map(|start| {
        let rest = &said[start..];
        let dots = rest.chars().take_while(|&c| leads(c)).count();
        let end = start + rest.chars().take(dots).map(char::len_utf8).sum::<usize>();
        let ends = said[end..].starts_with([' ', '>']);
        (dots >= SHORTEST && ends).then_some((start, end))
    });
    if let Some((start, end)) = run {
        return Some((said[..start].trim_end(), said[end..].trim_start_matches(['>', ' ']), true));
    }
    let (case, taken) = said.split_once("  ").or_else(|| said.rsplit_once(" - "))?;
    Some((case.trim_end(), taken.trim_start(), false))
}

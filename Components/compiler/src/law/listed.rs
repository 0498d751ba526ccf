//! Fences that are no more than lists: `# GOOD practices` above points, `✅ Good` above what shows it, and the names that `Collect:` asks for.

use std::ops::Range;

use mentci_authority::{Force, Level, OmissionReason};
use mentci_reader::markdown::{BlockKind, read_within};
use mentci_source::Span;

use super::annotation::fresh_heading;
use super::done_with;
use super::draft::{Book, Draft};
use super::fence::{command_draft, orders, placed};
use super::item::list;
use super::sample::said;
use super::setting::{LeadIn, Setting};
use super::speech::judgement::bare_verdict;
use super::speech::lead::Lead;
use super::speech::number::Numbered;
use super::speech::stance::Stance;
use super::steps::named_step;
use super::template::has_blank;

/// Reads `# GOOD practices` and `# BAD practices`, each above points; false for anything else.
pub(super) fn graded(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    let source = book.source.clone();
    let Some(lists) = FenceList::all(source.slice(body), body) else { return false };
    let stances: Vec<Option<Stance>> = lists.iter().map(|list| stance(list.head)).collect();
    // Names of files show what is good and bad, and say no more.
    let tells = |list: &FenceList<'_>| list.points().filter(|point| point.contains(' ')).count() * 2;
    let told = lists.iter().all(|list| tells(list) > list.points().count());
    // Steps under `WRONG` are wrong together.
    let counts = lists.iter().any(|list| list.text.lines().any(|line| Numbered::item(line.trim()).is_some()));
    let paired = [Stance::Order, Stance::Forbid].iter().all(|stance| stances.contains(&Some(*stance)));
    if here.lead.is_some() || !told || counts || !paired || stances.iter().any(Option::is_none) {
        return false;
    }
    for (listed, stance) in lists.iter().zip(stances.into_iter().flatten()) {
        // `Best practices` advises.
        let stance =
            if here.section == Stance::Advise && stance == Stance::Order { here.section } else { stance };
        let lead = Lead::Stance(stance, None);
        let lead =
            LeadIn { lead, text: listed.head.to_owned(), span: listed.said_at, draft: None, when: None };
        listed.read(book, lead, here);
    }
    book.omit(body, OmissionReason::Heading);
    true
}

/// Reads `✅ Good` and `❌ Bad`, each above a few lines that show what is; false for anything else.
pub(super) fn contrasted(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    const MOST: usize = 4;
    const LONGEST: usize = 100;
    let source = book.source.clone();
    let mut groups: Vec<(Level, Vec<String>, Vec<String>, Span)> = Vec::new();
    for (line, at) in placed(source.slice(body), body).filter(|(line, _)| !line.trim().is_empty()) {
        let said = line.trim();
        let span = Span::new(at + line.len() - line.trim_start().len(), at + line.trim_end().len());
        match (bare_verdict(said).filter(|_| !said.starts_with(['#', '/'])), groups.last_mut()) {
            (Some(level), _) => groups.push((level, Vec::new(), Vec::new(), span)),
            (None, Some((_, shown, literals, whole))) => {
                let (code, remark) =
                    said.split_once("  #").map_or((said, ""), |(code, why)| (code, why.trim()));
                let why = if remark.is_empty() { String::new() } else { format!(" ({remark})") };
                shown.push(format!("`{}`{why}", code.trim()));
                literals.push(code.trim().to_owned());
                *whole = whole.join(span);
            }
            (None, None) => return false,
        }
    }
    let short = |shown: &Vec<String>| {
        (1..=MOST).contains(&shown.len())
            && shown.iter().all(|line| line.len() <= LONGEST && line.matches('`').count() == 2)
    };
    let paired =
        [Level::Must, Level::MustNot].iter().all(|level| groups.iter().any(|(own, ..)| own == level));
    if !paired || !groups.iter().all(|(_, shown, ..)| short(shown)) {
        return false;
    }
    for (level, shown, literals, span) in groups {
        let mark = if level.is_prohibition() { "NEVER" } else { "GOOD:" };
        let draft =
            command_draft(format!("{mark} {}", shown.join("; ")), level, literals, (span, span), here);
        book.add(Draft { force: Force::Explicit, spans: vec![span], completions: 0, ..draft });
    }
    book.omit(body, OmissionReason::Code);
    true
}

/// Reads the list that `Before a trip, collect:` asks for; false for anything else.
pub(super) fn gathered(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    let gathers = |lead: &&LeadIn| {
        matches!(lead.lead, Lead::Order(level) if !level.is_prohibition())
            && lead.draft.is_some()
            && done_with::act_on_names(&lead.text).is_some()
    };
    let Some(lead) = here.lead.clone().filter(|lead| gathers(&lead)) else { return false };
    let source = book.source.clone();
    // A document of several sections is written as it stands.
    if source.slice(body).lines().filter(|line| line.starts_with('#')).count() > 1 {
        return false;
    }
    let lists = FenceList::all(source.slice(body), body);
    let Some([only]) = lists.as_deref() else { return false };
    // `- Draught: [in feet]` is a form, and its name belongs to it.
    if only.points().any(has_blank) {
        return false;
    }
    only.read(book, lead, here);
    book.omit(body, OmissionReason::Heading);
    true
}

/// Reads `In this order:` above names that are numbered, right under a heading; false for anything else.
pub(super) fn ranked(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    const ORDERS: &[&str] = &["order", "sequence", "priority", "precedence"];
    const MOST: usize = 9;
    let source = book.source.clone();
    let text = source.slice(body);
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let head = lines().next().and_then(|head| head.strip_suffix(':')).unwrap_or_default().to_lowercase();
    let ranks = head.split(|c: char| !c.is_alphanumeric()).any(|word| ORDERS.contains(&word));
    let free = here.lead.is_none() && !matches!(here.section, Stance::Example | Stance::Describe);
    let all = lines().skip(1).all(|line| Numbered::item(line).is_some());
    if !(free && ranks && all && (3..=MOST).contains(&lines().count()))
        || fresh_heading(book, body, here).is_none() && !under_step(book, here)
    {
        return false;
    }
    said(book, body, here);
    true
}

/// Reads `- Log: what was seen` and its like right under `Step 3: Write the letters`: what is made in that step. False for anything else.
pub(super) fn specified(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    const FEWEST: usize = 2;
    const LONGEST: usize = 16;
    let source = book.source.clone();
    let text = source.slice(body);
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let labelled = |line: &str| {
        let said = line.strip_prefix("- ").and_then(|said| said.split_once(": "));
        said.is_some_and(|(name, said)| {
            !name.contains(' ') && said.split(' ').count() <= LONGEST && !orders(said)
        })
    };
    let free = here.lead.is_none() && !matches!(here.section, Stance::Example | Stance::Describe);
    let heading =
        || fresh_heading(book, body, here).and_then(|heading| named_step(&book.headings[heading].text));
    if !(free && lines().count() >= FEWEST && lines().all(labelled) && heading().is_some_and(orders)) {
        return false;
    }
    said(book, body, here);
    true
}

/// Under `Step 3: Settle the order`.
fn under_step(book: &Book<'_>, here: &Setting) -> bool {
    here.heading.is_some_and(|heading| named_step(&book.headings[heading].text).is_some())
}

/// What a name says of the points under it: `GOOD practices`, `BAD`, `Do`, `Don't`.
fn stance(head: &str) -> Option<Stance> {
    const LONGEST: usize = 3;
    let lower = head.to_lowercase().replace('’', "'");
    let mut words =
        lower.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|word| !word.is_empty());
    let (first, rest) = (words.next()?, words.count());
    match first {
        "good" | "do" | "right" | "correct" if rest < LONGEST => Some(Stance::Order),
        "bad" | "don't" | "never" | "wrong" | "incorrect" if rest < LONGEST => Some(Stance::Forbid),
        _ => None,
    }
}

/// A list in a fence, and the name above it.
#[derive(Debug)]
struct FenceList<'t> {
    head: &'t str,
    said_at: Span,
    text: &'t str,
    starts: usize,
}

impl<'t> FenceList<'t> {
    /// All of them, where there is nothing else.
    fn all(text: &'t str, body: Span) -> Option<Vec<Self>> {
        const MOST: usize = 60;
        let base = body.start as usize;
        let mut found: Vec<(&str, Span, Range<usize>)> = Vec::new();
        for (line, at) in placed(text, body).take(MOST + 1) {
            let said = line.trim();
            let end = at + line.len() - base;
            if said.is_empty() {
                continue;
            }
            if is_point(said) {
                match found.last_mut() {
                    Some((.., points)) => points.end = end,
                    None => found.push(("", Span::at(at), at - base..end)),
                }
                continue;
            }
            let name = said.strip_prefix("# ").or_else(|| said.strip_suffix(':'))?;
            let start = at + line.len() - line.trim_start().len();
            found.push((name.trim_end_matches(':'), Span::new(start, start + said.len()), end..end));
        }
        let short = text.lines().count() <= MOST;
        let whole = |(.., points): &(&str, Span, Range<usize>)| !points.is_empty();
        let lists = |(head, said_at, points): (&'t str, Span, Range<usize>)| Self {
            head,
            said_at,
            text: &text[points.clone()],
            starts: base + points.start,
        };
        (short && !found.is_empty() && found.iter().all(whole))
            .then(|| found.into_iter().map(lists).collect())
    }

    fn points(&self) -> impl Iterator<Item = &'t str> {
        let said = |line: &'t str| line.trim().trim_start_matches(['-', '*', '•', ' ']);
        self.text
            .lines()
            .map(said)
            .map(|said| said.split(" #").next().unwrap_or(said))
            .filter(|said| !said.is_empty())
    }

    /// Reads its points as they are read outside a fence.
    fn read(&self, book: &mut Book<'_>, lead: LeadIn, here: &Setting) {
        let blocks = read_within(self.text, |at| self.starts + at);
        let inside = Setting { lead: Some(lead), ..here.clone() };
        for block in blocks.iter().filter(|block| matches!(block.kind, BlockKind::List(_))) {
            list(book, block, &inside);
        }
    }
}

fn is_point(line: &str) -> bool {
    ["- ", "* ", "• "].iter().any(|mark| line.starts_with(mark)) || Numbered::item(line).is_some()
}

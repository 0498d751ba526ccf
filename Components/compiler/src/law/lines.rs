//! Plain fences whose lines order, one by one: `# Short voyages` above `Keep the log in pencil`, `LOOP until dark:` above numbered acts,
//! timetables, and the list below `Rules:` in a sheet.

use std::borrow::Cow;

use mentci_authority::{Level, OmissionReason};
use mentci_reader::markdown::read_within;
use mentci_source::Span;

use super::boxes::{numbered, says_bad};
use super::draft::{Book, Draft};
use super::fence::{command_draft, orders, placed};
use super::setting::Setting;
use super::speech::judgement::says_no;
use super::speech::stance::Stance;
use super::steps::is_named_station;
use super::walk::walk;

/// Reads `# Short voyages` above `Keep the log in pencil`, where all lines but such names order; false for anything else.
pub(super) fn noted(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    const FEWEST: usize = 2;
    let source = book.source.clone();
    let text = source.slice(body);
    if here.section == Stance::Describe || here.lead.is_some() || !text.contains("# ") {
        return false;
    }
    let lines =
        || placed(text, body).map(|(line, at)| (line.trim(), at)).filter(|(line, _)| !line.is_empty());
    let named = lines().filter(|(line, _)| line.starts_with("# ")).count();
    let said = || lines().filter(|(line, _)| !line.starts_with('#'));
    let speaks = |line: &str| {
        line.starts_with(char::is_uppercase)
            && line.split_whitespace().count() > 2
            && !line.ends_with([';', '{', '}', ')'])
            && orders(line)
    };
    if named < FEWEST || said().count() < FEWEST || !said().all(|(line, _)| speaks(line)) {
        return false;
    }
    let mut name = "";
    for (line, at) in placed(text, body) {
        let trimmed = line.trim();
        if let Some(comment) = trimmed.strip_prefix("# ") {
            name = comment.trim();
        } else if !trimmed.is_empty() {
            let start = at + line.len() - line.trim_start().len();
            let span = Span::new(start, start + trimmed.len());
            let said = if name.is_empty() { trimmed.to_owned() } else { format!("{name}: {trimmed}") };
            let draft = command_draft(said, Level::Must, Vec::new(), (span, span), here);
            book.add(Draft { spans: vec![span], completions: 0, ..draft });
        }
    }
    book.omit(body, OmissionReason::Code);
    true
}

/// Reads `LOOP until all is stowed:` above `1. LIFT the crate`, or `Day 1: Lay the keel` line by line: one norm, in its order. False
/// where fewer than half of the lines order.
pub(super) fn counted(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    const FEWEST: usize = 3;
    const MOST: usize = 16;
    let source = book.source.clone();
    let text = source.slice(body);
    if here.section == Stance::Describe || here.lead.is_some() || says_bad(text) {
        return false;
    }
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let (head, steps) = match lines.split_first() {
        Some((first, rest)) if first.ends_with(':') => (Some(*first), rest),
        _ => (None, &lines[..]),
    };
    let acts = |line: &&&str| {
        numbered(line).or_else(|| dated(line)).is_some_and(|said| orders(said) || orders(&unshouted(said)))
    };
    let all = steps.iter().all(|line| numbered(line).is_some())
        || head.is_none() && steps.iter().all(|line| dated(line).is_some());
    let forbids = |line: &&str| line.contains(['→', '❌']) || says_no(line) && orders(line);
    if !(FEWEST..=MOST).contains(&steps.len())
        || steps.iter().any(forbids)
        || !all
        || steps.iter().filter(acts).count() * 2 < steps.len()
    {
        return false;
    }
    let said = steps.join("; ");
    let said = head.map_or(said.clone(), |head| format!("{head} {said}"));
    let draft = command_draft(said, Level::Must, Vec::new(), (body, body), here);
    book.add(Draft { spans: vec![body], completions: 0, ..draft });
    true
}

/// Reads `1. The whole rig`, `2. The stores` under `Phase 3: Before the launch`: what that phase is made of, one norm. False for anything
/// else.
pub(super) fn staged(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    const FEWEST: usize = 3;
    const MOST: usize = 12;
    let source = book.source.clone();
    let text = source.slice(body);
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let items: Vec<&str> = lines().filter_map(numbered).collect();
    let station = here
        .heading
        .map(|heading| &book.headings[heading])
        .filter(|heading| is_named_station(&heading.text) && here.lead.is_none())
        .filter(|_| !matches!(here.section, Stance::Describe | Stance::Example) && !says_bad(text));
    let Some(station) = station else { return false };
    let plain = |item: &&str| !item.contains(['→', '?', '"', '=', '❌', '✅']) && !says_no(item);
    if !(FEWEST..=MOST).contains(&items.len()) || items.len() < lines().count() || !items.iter().all(plain) {
        return false;
    }
    let said = format!("{}: {}", station.text, items.join("; "));
    let draft = command_draft(said, Level::Must, Vec::new(), (body, body), here);
    book.add(Draft { spans: vec![body], completions: 0, ..draft });
    true
}

/// Reads a numbered list that holds more than plain acts, such as points under its steps or what not to do, as it is read outside a fence;
/// so it is with one whose first line binds it: `The mate MUST:`. False for anything else.
pub(super) fn outlined(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    const FEWEST: usize = 2;
    let source = book.source.clone();
    let text = &*numbered_letters(source.slice(body));
    let all = || text.lines().filter(|line| !line.trim().is_empty());
    // `The mate MUST look closely to:` needs no other sign that it binds.
    let binds = |head: &str| {
        head.trim_end().ends_with(':') && head.split_whitespace().any(|word| matches!(word, "MUST" | "must"))
    };
    let headed = all().next().is_some_and(binds);
    let lines = || all().skip(usize::from(headed));
    let top = |line: &&str| !line.starts_with([' ', '\t']);
    let point = |line: &str| {
        ["- ", "* ", "• "].iter().any(|mark| line.trim_start().starts_with(mark))
            || numbered(line.trim()).is_some()
    };
    if here.section == Stance::Describe
        || here.lead.is_some() && !headed
        || says_bad(text)
        || !lines().all(point)
        || !lines().filter(top).all(|line| numbered(line).is_some())
    {
        return false;
    }
    let said =
        |line: &str| numbered(line).unwrap_or(line).trim_start_matches(['-', '*', '•', ' ']).to_owned();
    let acts = |line: &&str| {
        let said = said(line.trim());
        orders(&said) || orders(behind_name(&said))
    };
    let count = lines().filter(top).count();
    let acting = lines().filter(top).filter(acts).count();
    // Points may say what is to be done in their step.
    let few = acting < FEWEST || lines().filter(acts).count() < count && acting * 2 < count;
    if count < FEWEST || few && !headed {
        return false;
    }
    let start = body.start as usize;
    let blocks = read_within(text, |at| start + at);
    book.omit(body, OmissionReason::Separator);
    let inside = Setting { lead: here.lead.clone().filter(|_| !headed), ..here.clone() };
    walk(book, &blocks, &inside);
    true
}

/// Reads a few orders that an order leads in, as they are read outside a fence and in the same case: `Set a mark:` above when, in Markdown. False
/// for a form, or anything else.
pub(super) fn instructed(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    const MOST: usize = 12;
    const FORMAL: &[char] = &['[', ']', '{', '<', '…', '|', '#', '_'];
    let Some((lead, draft)) = here.lead.as_ref().and_then(|lead| Some((lead, lead.draft?))) else {
        return false;
    };
    let source = book.source.clone();
    let text = source.slice(body);
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let formal = |line: &str| line.contains(FORMAL) || line.contains("...") || line.starts_with("**");
    let binds = !book.drafts[draft].level.is_prohibition() && !says_bad(text);
    let opens = lines().next().is_some_and(|line| orders(line.trim_end_matches(':')));
    if !binds || !opens || lines().count() > MOST || lines().any(formal) {
        return false;
    }
    let case = book.drafts[draft].condition.clone().map(|case| (case, lead.span));
    let mut inside = Setting { lead: None, parent: None, ..here.clone() };
    inside.conditions.extend(case);
    let start = body.start as usize;
    let blocks = read_within(text, |at| start + at);
    book.omit(body, OmissionReason::Separator);
    walk(book, &blocks, &inside);
    true
}

/// `1. Sound the hull` of `a. Sound the hull` below a numbered step, byte for byte.
fn numbered_letters(text: &str) -> Cow<'_, str> {
    let letter = |line: &str| {
        let said = line.trim_start();
        let nested = said.len() < line.len();
        let mut chars = said.chars();
        let first = chars.next().filter(|first| nested && first.is_ascii_lowercase())?;
        let marks = chars.next() == Some('.') && chars.next() == Some(' ');
        marks.then(|| (line.len() - said.len(), (b'1' + (first as u8 - b'a') % 9) as char))
    };
    if !text.lines().any(|line| letter(line).is_some()) {
        return Cow::Borrowed(text);
    }
    let lines = text.split_inclusive('\n').map(|line| match letter(line) {
        Some((at, number)) => format!("{}{number}{}", &line[..at], &line[at + 1..]),
        None => line.to_owned(),
    });
    Cow::Owned(lines.collect())
}

/// `Sound the hull` of `CHECK: Sound the hull`.
fn behind_name(said: &str) -> &str {
    let named = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c == ' ');
    said.split_once(": ").filter(|(name, _)| named(name)).map_or(said, |(_, said)| said)
}

/// Reads the list below `Rules:` in a sheet that holds other things, too, as it is read outside a fence. False where there is none:
/// `rules:` above `- if: wind` is what a program reads.
pub(super) fn ruled(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    const NAMES: &[&str] = &["Rules:", "Constraints:", "Requirements:", "RULES:"];
    const SHORTEST: usize = 3;
    let source = book.source.clone();
    let text = source.slice(body);
    let says = |line: &str| {
        let said = line.trim().strip_prefix("- ").unwrap_or("");
        said.starts_with(char::is_uppercase) && said.split_whitespace().count() >= SHORTEST
    };
    let lines: Vec<(&str, usize)> = placed(text, body).collect();
    let lists: Vec<Span> = (0..lines.len())
        .filter(|&at| NAMES.contains(&lines[at].0.trim()))
        .filter_map(|at| {
            let items = lines[at + 1..].iter().take_while(|(line, _)| line.trim_start().starts_with("- "));
            let last = at + items.clone().count();
            let whole = last > at && items.clone().all(|(line, _)| says(line));
            whole.then(|| Span::new(lines[at].1, lines[last].1 + lines[last].0.len()))
        })
        .collect();
    if here.section == Stance::Describe || lists.is_empty() {
        return false;
    }
    book.omit(body, OmissionReason::Code);
    for list in lists {
        let start = list.start as usize;
        let blocks = read_within(source.slice(list), |at| start + at);
        walk(book, &blocks, here);
    }
    true
}

/// `Day 1-2: Lay the keel`, `Quarterly: look at the pumps`: what stands behind the time.
fn dated(line: &str) -> Option<&str> {
    const TIMES: &[&str] = &["day", "week", "month", "hour", "minute", "quarter", "year", "sprint", "t"];
    const CADENCES: &[&str] =
        &["daily", "weekly", "monthly", "quarterly", "yearly", "hourly", "before", "after"];
    let (label, said) = line.split_once(": ")?;
    let lower = label.to_lowercase();
    let mut words = lower.split([' ', '+']);
    let first = words.next()?;
    let number = words.next().is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    (TIMES.contains(&first) && number || CADENCES.contains(&first)).then_some(said.trim())
}

/// `GET the log` as `Get the log`.
fn unshouted(said: &str) -> String {
    let (first, rest) = said.split_once(' ').unwrap_or((said, ""));
    let mut chars = first.chars();
    let first = chars.next().map(|c| c.to_string() + &chars.as_str().to_lowercase()).unwrap_or_default();
    format!("{first} {rest}")
}

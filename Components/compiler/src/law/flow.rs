//! Ways that are drawn downward in a plain fence: one step a line, `↓` between two of them, `├─ case → what to do` where the way parts,
//! or an event with `→` in front of each step that it sets off.

use mentci_authority::{Force, Level, OmissionReason};
use mentci_reader::markdown::RichText;
use mentci_source::Span;

use super::boxes::drawn;
use super::draft::{Book, Draft};
use super::fence::{command_draft, placed};
use super::setting::Setting;
use super::speech::imperative::acts;
use super::speech::lexicon::{FINITE, is_verb};
use super::speech::mood::{Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::stance::Stance;

/// A longer drawing is no way that somebody is to go.
const MOST: usize = 40;

/// A line of the drawing.
struct Line<'t> {
    said: &'t str,
    span: Span,
    kind: Kind,
}

/// How a line reads.
struct Reading {
    mood: Mood,
    literals: Vec<String>,
    /// `Take the depth`: it opens with a verb.
    acts: bool,
    /// `BLOCK the gate`: a verb is shouted.
    shouts: bool,
    /// `Watch sees smoke`: somebody does something.
    tells: bool,
}

impl Reading {
    fn of(line: &Line<'_>) -> Self {
        let rich = RichText::plain(line.said, Span::default());
        let prose = Prose::new(&rich);
        let words = &prose.words;
        Self {
            mood: mood_of(words).mood,
            literals: prose.literals(0..words.len()),
            acts: words.first().is_some_and(|first| is_verb(&first.lower)),
            shouts: words.iter().any(|word| word.shouted && is_verb(&word.lower)),
            tells: words.get(1).is_some_and(|next| acts(next) || next.among(FINITE) || next.is("sees")),
        }
    }

    fn orders(&self) -> bool {
        matches!(self.mood, Mood::Order(..))
    }

    /// `The mate must sign`, `BLOCK the gate`.
    fn binds(&self) -> bool {
        self.shouts || matches!(self.mood, Mood::Order(_, Force::Explicit))
    }

    /// What a step binds to: its own force, where it says one.
    fn level(&self) -> Level {
        match self.mood {
            Mood::Order(level, _) => level,
            _ => Level::Must,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `Take the depth`
    Plain,
    /// `├─ Fog → Sound the horn`
    Branch,
    /// `→ Take the depth`
    Led,
}

/// Reads such a way; false where the text is none.
pub(super) fn flow(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    let source = book.source.clone();
    let text = source.slice(body);
    if !text.contains(['↓', '→']) || here.section == Stance::Example {
        return false;
    }
    let lines = lines(text, body);
    if counted_between(book, text, &lines, here) {
        book.omit(body, OmissionReason::Code);
        return true;
    }
    if lines.len() > MOST || !(parts(text, &lines) && heads_way(book, here) || sets_off(&lines)) {
        return false;
    }
    let read: Vec<(&Line<'_>, Reading)> = lines.iter().map(|line| (line, Reading::of(line))).collect();
    // How a thing works is no law, unless some step binds.
    if here.section == Stance::Describe && !read.iter().any(|(_, reading)| reading.binds()) {
        return false;
    }
    let steps = || read.iter().filter(|(line, _)| line.kind != Kind::Branch).skip(1);
    let orders = steps().filter(|(_, reading)| reading.acts || reading.orders());
    if orders.count() * 4 < steps().count() * 3 {
        return false;
    }
    // An event opens the way; an order is its first step.
    let event = read
        .first()
        .filter(|(_, first)| !first.orders() || first.tells)
        .map(|(first, _)| (first.said, first.span));
    let opened = usize::from(event.is_some());
    let mut last: Option<usize> = None;
    for (line, reading) in &read[opened..] {
        if let (Kind::Branch, Some(step)) = (line.kind, last) {
            book.complete(step, &line.said.replacen(" → ", ": ", 1), line.span, Vec::new());
            continue;
        }
        let case = event.filter(|_| line.kind == Kind::Led);
        let text = case.map_or_else(|| line.said.to_owned(), |(case, _)| format!("{case}: {}", line.said));
        let literals = reading.literals.clone();
        let draft = command_draft(text, reading.level(), literals, (line.span, line.span), here);
        let mut spans = vec![line.span];
        spans.extend(case.map(|(_, span)| span));
        let condition = case.map(|(case, _)| case.to_owned()).or(draft.condition);
        last = Some(book.add(Draft { spans, condition, completions: 0, ..draft }));
    }
    book.omit(body, OmissionReason::Code);
    true
}

/// The lines that say something.
fn lines(text: &str, body: Span) -> Vec<Line<'_>> {
    let arrow = |c: char| matches!(c, '↓' | '→' | '>' | '|' | ' ') || drawn(c);
    let line = |(line, at): (&'_ str, usize)| -> Option<(usize, usize, Kind)> {
        let end = line.trim_end().len();
        let start = line.find(|c: char| !arrow(c) && c != '-')?;
        let before = &line[..start];
        let kind = if before.contains(['├', '└']) {
            Kind::Branch
        } else if before.contains(['→', '>']) {
            Kind::Led
        } else {
            Kind::Plain
        };
        (start < end).then_some((at + start, at + end, kind))
    };
    let base = body.start as usize;
    placed(text, body)
        .filter_map(line)
        .map(|(start, end, kind)| Line {
            said: &text[start - base..end - base],
            span: Span::new(start, end),
            kind,
        })
        .collect()
}

/// `Input: a raw chart`, `↓`, `1. Find the reefs`, `2. Mark the depths`, `↓`, `Output: a marked chart`: what is done in between, by number.
fn counted_between(book: &mut Book<'_>, text: &str, lines: &[Line<'_>], here: &Setting) -> bool {
    const FEWEST: usize = 2;
    let number =
        |line: &Line<'_>| line.said.split_once(". ").is_some_and(|(digits, _)| digits.parse::<u8>().is_ok());
    let (counted, others): (Vec<&Line<'_>>, Vec<&Line<'_>>) = lines.iter().partition(|line| number(line));
    let passes = |line: &&Line<'_>| {
        let name = line.said.split(':').next().unwrap_or_default().to_lowercase();
        matches!(name.as_str(), "input" | "output" | "result" | "start" | "end" | "given")
    };
    let said = |line: &Line<'_>| line.said.split_once(". ").map_or(line.said, |(_, said)| said).to_owned();
    let acts = |line: &&Line<'_>| {
        let said = said(line);
        Reading::of(&Line { said: &said, span: line.span, kind: line.kind }).acts
    };
    let between = text.lines().any(|line| line.contains('↓') && !line.contains(char::is_alphanumeric));
    if !between
        || counted.len() < FEWEST
        || others.is_empty()
        || !others.iter().all(passes)
        || !counted.iter().all(acts)
        || here.section == Stance::Describe
    {
        return false;
    }
    for line in counted {
        let draft = command_draft(said(line), Level::Must, Vec::new(), (line.span, line.span), here);
        book.add(Draft { spans: vec![line.span], completions: 0, ..draft });
    }
    true
}

/// `↓` between steps, and cases at some of them.
fn parts(text: &str, lines: &[Line<'_>]) -> bool {
    const FEWEST: usize = 2;
    let downward = |line: &&str| line.contains('↓') && !line.contains(char::is_alphanumeric);
    let branches = || lines.iter().filter(|line| line.kind == Kind::Branch);
    text.lines().filter(downward).count() >= FEWEST
        && !text.contains(['┌', '▼'])
        && branches().count() >= FEWEST
        && branches().all(|line| line.said.contains(" → "))
        && lines.iter().all(|line| line.kind != Kind::Led)
}

/// One event, and behind it nothing but what it sets off.
fn sets_off(lines: &[Line<'_>]) -> bool {
    const FEWEST: usize = 3;
    let Some((event, steps)) = lines.split_first() else { return false };
    event.kind == Kind::Plain
        && !event.said.contains(['(', '{', '→', '='])
        && event.said.split_whitespace().count() > 1
        && steps.len() >= FEWEST
        && steps.iter().all(|step| step.kind == Kind::Led)
}

/// `Decision tree`, `Release flow`: a heading that names a way to go.
fn heads_way(book: &Book<'_>, here: &Setting) -> bool {
    const WAYS: &[&str] = &[
        "tree",
        "flow",
        "workflow",
        "process",
        "procedure",
        "path",
        "steps",
        "sequence",
        "loop",
        "protocol",
    ];
    here.heading.is_some_and(|heading| {
        let lower = book.headings[heading].text.to_lowercase();
        lower.split(|c: char| !c.is_alphanumeric()).any(|word| WAYS.contains(&word))
            && !lower.contains("data")
    })
}

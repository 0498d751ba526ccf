//! Questions in a plain fence, each with its answers: `1. Is it public? Yes -> document it. No -> go on to step 2`.

use std::ops::Range;

use mentci_authority::{Level, OmissionReason};
use mentci_reader::markdown::RichText;
use mentci_source::Span;

use super::boxes::drawn;
use super::draft::{Book, Draft};
use super::fence::{command_draft, is_shouted, one_line, orders, placed};
use super::follow::answered as answered_by;
use super::parts::ends_in_question;
use super::setting::Setting;
use super::speech::mood::{Mood, mood_of};
use super::speech::number::Numbered;
use super::speech::prose::Prose;
use super::speech::sentence::split_sentences;

/// Longer fences are pointed at.
const MOST: usize = 120;

/// Reads questions and answers; false where no question is answered.
pub(crate) fn inquiry(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    let source = book.source.clone();
    let lines: Vec<Line<'_>> =
        placed(source.slice(body), body).filter_map(|(line, at)| Line::of(line, at)).collect();
    if lines.len() > MOST || !is_inquiry(&lines) {
        return false;
    }
    let branched = branches(&lines);
    let mut asked: Vec<Question> = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        asked.retain(|question| question.depth <= line.depth);
        if settles(&lines, place) && ruled(book, line, here) {
            continue;
        }
        match line.answer() {
            Some(answer) if !asked.is_empty() => answered(book, &mut asked, line, answer, here),
            _ if line.asks() => {
                asked.retain(|question| question.depth < line.depth && question.draft.is_none());
                let mut question = Question::of(line);
                if line.is_answered() {
                    question.norm(book, here);
                }
                asked.push(question);
            }
            _ => other(book, &mut asked, line, branched, here),
        }
    }
    book.omit(body, OmissionReason::Code);
    true
}

/// Whether a question has an answer: beside it, or under it.
fn is_inquiry(lines: &[Line<'_>]) -> bool {
    lines.iter().any(Line::is_answered)
        || (0..lines.len()).any(|place| settles(lines, place) && ruling(&lines[place].rich()).is_some())
        || lines.windows(2).any(|pair| pair[0].asks() && pair[1].answer().is_some())
        || branches(lines)
}

/// Whether an order stands under each of several questions: `Fog?` above `Sound the horn`.
fn branches(lines: &[Line<'_>]) -> bool {
    const FEWEST: usize = 2;
    lines.windows(2).filter(|pair| pair[0].asks() && pair[1].does(&pair[0])).count() >= FEWEST
}

/// `Can I push? → NO (it is guarded)`: whether what we ask is settled on its own line, and no answer stands under it.
fn settles(lines: &[Line<'_>], place: usize) -> bool {
    let line = &lines[place];
    let Some((_, behind)) = line.text.split_once("? ") else { return false };
    let behind = behind.trim_start_matches(['-', '→', '>', '=', ' ']);
    let word = behind.find(|c: char| !c.is_alphabetic()).unwrap_or(behind.len());
    let branches = ["→", "->", "=>", ":", "—", "–", "- "];
    !branches.iter().any(|mark| behind[word..].trim_start().starts_with(mark))
        && !["→", "->", "=>"].iter().any(|mark| behind.contains(mark))
        && lines.get(place + 1).is_none_or(|next| next.answer().is_none())
}

/// The question of a line that is settled, and its answer.
fn ruling(rich: &RichText) -> Option<(Range<usize>, Range<usize>)> {
    let prose = Prose::new(rich);
    let sentences = split_sentences(&prose.words);
    let (question, answer) = (sentences.first()?.clone(), sentences.get(1)?.clone());
    answered_by(&prose.words[question.clone()], &prose.words[answer.clone()])?;
    Some((question, answer))
}

/// Reads such a line; false where its answer is none.
fn ruled(book: &mut Book<'_>, line: &Line<'_>, here: &Setting) -> bool {
    let rich = line.rich();
    let Some((question, answer)) = ruling(&rich) else { return false };
    let prose = Prose::new(&rich);
    // `NO, ask the owner first`: what is forbidden, and what is done in its place.
    let parts = answer
        .clone()
        .find(|&at| [",", ";", "—", "–", "-"].iter().any(|mark| prose.words[at].mark(mark)))
        .filter(|&at| {
            let rest = &prose.words[at + 1..answer.end];
            matches!(mood_of(rest).mood, Mood::Order(level, _) if !level.is_prohibition())
        });
    let Some(parts) = parts else {
        return super::paragraph::answer(book, &prose, &question, Some(&answer), here);
    };
    super::paragraph::answer(book, &prose, &question, Some(&(answer.start..parts)), here);
    let asked = prose.condensed(question.start..parts);
    let rest = prose.condensed(parts + 1..answer.end);
    let literals = prose.literals(question.start..answer.end);
    let draft =
        command_draft(format!("{asked}: {rest}"), Level::Must, literals, (line.span, line.span), here);
    book.add(Draft { spans: vec![line.span], completions: 0, ..draft });
    true
}

/// An answer belongs to the last question; one that asks on leads to another question.
fn answered(book: &mut Book<'_>, asked: &mut Vec<Question>, line: &Line<'_>, answer: &str, here: &Setting) {
    let Some(question) = asked.last_mut() else { return };
    if answer.ends_with('?') {
        let text = format!("{} {}", question.text, line.text);
        asked.push(Question { depth: line.depth + 1, text, span: line.span, draft: None });
        return;
    }
    // What an answer forbids stands apart from what the others order.
    if let Some(level) = refusal(answer) {
        let text = one_line(&format!("{} {}", question.text, line.text));
        let draft = command_draft(text, level, literals(line.text), (line.span, question.span), here);
        book.add(draft);
        return;
    }
    let draft = question.norm(book, here);
    book.complete(draft, &one_line(line.text), line.span, literals(line.text));
}

/// What stands deeper than an answer goes on with it; what forbids outright is a norm of its own.
fn other(book: &mut Book<'_>, asked: &mut [Question], line: &Line<'_>, branched: bool, here: &Setting) {
    let open = asked.last_mut().filter(|question| line.depth > question.depth);
    let draft = match open {
        Some(question)
            if question.draft.is_none() && branched && (line.orders() || is_shouted(line.text)) =>
        {
            Some(question.norm(book, here))
        }
        open => open.and_then(|question| question.draft),
    };
    if let Some(level) = refusal(line.text) {
        let draft =
            command_draft(one_line(line.text), level, literals(line.text), (line.span, line.span), here);
        book.add(Draft { spans: vec![line.span], completions: 0, ..draft });
    } else if let Some(draft) = draft {
        book.complete(draft, &one_line(line.text), line.span, literals(line.text));
    }
}

/// `NEVER push to it`, `Do not guess`.
fn refusal(text: &str) -> Option<Level> {
    let lower = text.to_lowercase().replace('’', "'");
    let has = |starts: &[&str]| starts.iter().any(|start| lower.starts_with(start));
    let waives =
        ["needed", "required", "necessary"].iter().any(|end| lower.trim_end_matches('.').ends_with(end));
    if has(&["never ", "don't ", "do not ", "must not ", "no "]) && !waives {
        return Some(Level::MustNot);
    }
    has(&["avoid "]).then_some(Level::ShouldNot)
}

/// A question that waits for its answers.
struct Question {
    depth: usize,
    text: String,
    span: Span,
    draft: Option<usize>,
}

impl Question {
    fn of(line: &Line<'_>) -> Self {
        let text = match line.number {
            Some(number) => format!("Step {number}: {}", line.text),
            None => line.text.to_owned(),
        };
        Self { depth: line.depth, text, span: line.span, draft: None }
    }

    /// The norm that its answers complete.
    fn norm(&mut self, book: &mut Book<'_>, here: &Setting) -> usize {
        *self.draft.get_or_insert_with(|| {
            let draft = command_draft(
                one_line(&self.text),
                Level::Must,
                literals(&self.text),
                (self.span, self.span),
                here,
            );
            book.add(Draft { spans: vec![self.span], completions: 0, ..draft })
        })
    }
}

/// A line without the drawing around it.
#[derive(Debug)]
struct Line<'t> {
    /// How far it is indented, in characters.
    depth: usize,
    number: Option<&'t str>,
    text: &'t str,
    span: Span,
}

impl<'t> Line<'t> {
    fn of(line: &'t str, start: usize) -> Option<Self> {
        let ornament =
            |c: char| !c.is_alphanumeric() && !matches!(c, '`' | '"' | '(' | '[' | '<' | '$' | '/');
        let drawn_behind = |c: char| drawn(c) || c == '|';
        let marked = |c: char| ornament(c) || c == '<' || c == '>';
        let text = line.trim_start_matches(marked);
        let depth = line.chars().count() - text.chars().count();
        let text = text.trim_end_matches(drawn_behind);
        let from = line.len() - line.trim_start_matches(marked).len();
        let span = Span::new(start + from, start + from + text.len());
        let numbered = Numbered::of(text);
        let number = numbered.map(|numbered| numbered.number);
        let text = numbered.map_or(text, |numbered| numbered.said);
        (!text.is_empty()).then_some(Self { depth, number, text, span })
    }

    /// Its words.
    fn rich(&self) -> RichText {
        RichText::plain(self.text, self.span)
    }

    fn asks(&self) -> bool {
        // `Can it be mended? (patch, splice)`.
        let asked = ends_in_question(self.text);
        // `Fog?`
        let word = self.text.starts_with(char::is_uppercase) && self.text.len() > 3;
        asked && (word || self.text.contains(' ')) || self.is_answered()
    }

    /// `Is it public? Yes -> document it. No -> stop`: whether its answers stand behind it.
    fn is_answered(&self) -> bool {
        self.text
            .split_once("? ")
            .is_some_and(|(_, rest)| answer(rest.trim_start_matches(['-', '→', '>', ' '])).is_some())
    }

    /// Whether it says what is done where the question above it holds.
    fn does(&self, question: &Self) -> bool {
        self.depth > question.depth && !self.asks() && (self.orders() || is_shouted(self.text))
    }

    fn orders(&self) -> bool {
        orders(self.text)
    }

    fn answer(&self) -> Option<&'t str> {
        answer(self.text).filter(|_| self.number.is_none())
    }
}

/// `YES: Use it`, `No → stop`: what is done on the answer.
fn answer(text: &str) -> Option<&str> {
    let word = text.find(|c: char| !c.is_alphabetic())?;
    let answers = ["yes", "no", "y", "n"].contains(&text[..word].to_lowercase().as_str());
    let behind = text[word..].trim_start();
    let mark = [":", "→", "->", "-->", "=>", "—", "–", "- ", "──>", "─>", ","]
        .iter()
        .find_map(|mark| behind.strip_prefix(mark))?;
    Some(mark.trim()).filter(|rest| answers && rest.contains(char::is_alphabetic))
}

/// What stands in backticks.
fn literals(text: &str) -> Vec<String> {
    let mut parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        parts.pop();
    }
    parts.into_iter().skip(1).step_by(2).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

//! Merge: a rule and the lessons that are exceptions of it, on one line: `Use structural_edit EXCEPT it fails on includes: edit the text`.
//!
//! INVARIANT (who may be merged): a lesson joins a rule that resolving names for it, and no other: the one whose line it stands on, or
//! one of those that it concerns equally well. Each part of the line says what its own statement says, word by word, as any line does.

use mentci_authority::{NormId, RuleNo, SourceSpan, StatementId};

use crate::budget::tokens;
use crate::condense::Question;
use crate::verify::{Refusal, RefusalReason as Reason};

/// Where a lesson may stand as an exception.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Joining {
    /// The lesson as an exception: `structural_edit fails on module includes: use text edit`.
    pub text: String,
    /// The rules that it may stand on: their statements and their norms.
    pub rules: Vec<(StatementId, NormId)>,
    /// Whether it stands on the one rule already, and is no line of its own.
    pub stands: bool,
}

impl Joining {
    /// The statements of the rules.
    pub fn ids(&self) -> impl Iterator<Item = &StatementId> {
        self.rules.iter().map(|(id, _)| id)
    }

    /// The norm of this rule, when the lesson may stand on it.
    pub fn norm(&self, rule: &StatementId) -> Option<&NormId> {
        self.rules.iter().find(|(id, _)| id == rule).map(|(_, norm)| norm)
    }

    /// The question about the lesson as an exception.
    pub fn question(&self, rule: &RuleNo, place: Option<SourceSpan>) -> Question {
        Question::of_exception(rule, self.clone(), place)
    }
}

/// Between a rule and its exceptions.
const EXCEPT: &str = " EXCEPT ";

/// Accepts `line` as one that states `rule` and these `lessons`, in this order; the shorter form of each, none where its words stay.
///
/// # Errors
/// - `merged`: these may not stand on one line, or nothing parts them
/// - `exception-changed`: it has more or fewer exceptions than there are lessons
/// - what is wrong with one of its parts, as [`Question::verify`] says
/// - `same` and `not-shorter`: nothing is won by it
pub fn merge(rule: &Question, lessons: &[&Question], line: &str) -> Result<Vec<Option<String>>, Refusal> {
    let joins = joins(rule, lessons)?;
    let exceptions: Vec<Question> = joins.iter().map(|joins| joins.question(&rule.rule, None)).collect();
    let statements: Vec<&Question> = std::iter::once(rule).chain(&exceptions).collect();
    let parts: Vec<&str> = line.split(EXCEPT).collect();
    if parts.len() != statements.len() {
        let words = format!("{} exceptions became {}", lessons.len(), parts.len() - 1);
        return Err(Refusal::with(Reason::Exception, words));
    }
    let parts: Result<Vec<_>, Refusal> =
        statements.iter().zip(parts).map(|(statement, part)| shorter(statement, part)).collect();
    let parts = parts?;
    is_won(rule, lessons, &joins, &parts)?;
    Ok(parts)
}

/// Where each of the lessons may stand: on this rule, and nothing in them could be taken for what parts a line.
fn joins<'a>(rule: &Question, lessons: &[&'a Question]) -> Result<Vec<&'a Joining>, Refusal> {
    let refuse = |lesson: &Question| {
        Refusal::with(Reason::Merged, format!("`{}` is no exception of `{}`", lesson.rule, rule.rule))
    };
    let parts = |text: &str| text.contains(EXCEPT.trim());
    let mut joined = Vec::with_capacity(lessons.len());
    for lesson in lessons {
        let joins = lesson.joins.as_ref().filter(|joins| joins.norm(&rule.id).is_some());
        let joins = joins.filter(|joins| rule.joins.is_none() && !parts(&rule.text) && !parts(&joins.text));
        joined.push(joins.ok_or_else(|| refuse(lesson))?);
    }
    Ok(joined)
}

/// The shorter form of a statement; none where the words stay as they are.
fn shorter(statement: &Question, part: &str) -> Result<Option<String>, Refusal> {
    let ends = |text: &str| text.ends_with('.');
    let part = if ends(part) && !ends(&statement.text) && !part.ends_with("..") {
        &part[..part.len() - 1]
    } else {
        part
    };
    match statement.verify(part) {
        Ok(()) => Ok(Some(part.to_owned())),
        Err(refusal) if matches!(refusal.reason, Reason::Same | Reason::NotShorter) => Ok(None),
        Err(refusal) => Err(refusal),
    }
}

/// Whether the line takes no more than what it stands for, as digests state both.
fn is_won(
    rule: &Question,
    lessons: &[&Question],
    joins: &[&Joining],
    parts: &[Option<String>],
) -> Result<(), Refusal> {
    let before: Vec<&str> =
        std::iter::once(rule.text.as_str()).chain(joins.iter().map(|joins| joins.text.as_str())).collect();
    let after: Vec<&str> =
        parts.iter().zip(&before).map(|(part, before)| part.as_deref().unwrap_or(before)).collect();
    let stand = |stands: &dyn Fn(usize) -> bool, texts: &[&str]| {
        let on_it = texts[1..].iter().enumerate().filter(|(at, _)| stands(*at));
        on_it.fold(texts[0].to_owned(), |line, (_, text)| format!("{line}.{EXCEPT}{text}."))
    };
    let own = lessons.iter().zip(joins).filter(|(_, joins)| !joins.stands);
    // A line of its own bears an id, which goes with it; the mark of a lesson that nobody reviewed comes along.
    let own: usize = own.map(|(lesson, _)| tokens(&format!("\n{} {}", lesson.rule, lesson.text))).sum();
    let apart = tokens(&stand(&|at| joins[at].stands, &before)) + own;
    let (before, after) = (apart, tokens(&stand(&|_| true, &after)));
    if own == 0 && parts.iter().all(Option::is_none) {
        return Err(Refusal::of(Reason::Same));
    }
    if after > before {
        let words = format!("{before} tokens became {after}");
        return Err(Refusal::with(Reason::NotShorter, words));
    }
    Ok(())
}

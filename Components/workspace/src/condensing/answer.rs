//! An answer of a model, read without trust: what it states of each question, or why it is refused.

use mentci_authority::{ModelReply, NormId, StopReason};
use mentci_compiler::{Question, Refusal, RefusalReason as Reason, merge};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::group::Group;

/// What was said of one statement: the line as it came, and whether it may stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Said {
    /// The line, as far as there is one.
    pub(crate) line: Option<String>,
    pub(crate) verdict: Result<(), Refusal>,
    /// Of a lesson: that it comes to stand on a rule.
    pub(crate) joined: Option<Joined>,
}

/// A lesson that comes to stand on the line of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Joined {
    pub(crate) norm: NormId,
    /// The lesson as an exception, and what was said of it.
    pub(crate) exception: Question,
    pub(crate) line: Option<String>,
    pub(crate) verdict: Result<(), Refusal>,
}

/// An answer, as it was asked for. What else a model writes beside it says nothing.
#[derive(Debug, Deserialize)]
struct Answer {
    lines: Vec<Value>,
}

#[derive(Debug, Deserialize)]
struct AnswerLine {
    #[serde(deserialize_with = "numbers")]
    ids: Vec<i64>,
    /// None where it is no text: then what is said of these ids has the wrong form.
    #[serde(default, deserialize_with = "text")]
    text: Option<String>,
}

fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(Value::deserialize(deserializer)?.as_str().map(str::to_owned))
}

/// The ids of the input are strings, as keys of JSON are; some models write them so.
fn numbers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<i64>, D::Error> {
    let number = |id: &Value| id.as_i64().or_else(|| id.as_str()?.parse().ok());
    let ids = Vec::<Value>::deserialize(deserializer)?;
    ids.iter().map(number).collect::<Option<_>>().ok_or_else(|| D::Error::custom("an id is a number"))
}

/// What a reply says.
#[derive(Debug)]
pub(crate) struct AnswerReading {
    /// Of each question of its group, in their order.
    pub(crate) said: Vec<Said>,
    /// Of what was not asked about.
    pub(crate) strays: Vec<Refusal>,
}

/// What a reply says of each question of its group.
///
/// # Errors
/// It is no answer at all: nothing of it counts, and it may be asked for again.
pub(crate) fn read(reply: &ModelReply, group: &Group) -> Result<AnswerReading, Refusal> {
    let answer = parse(reply, group)?;
    let known = |id: &i64| usize::try_from(*id).is_ok_and(|id| (1..=group.questions.len()).contains(&id));
    let (mut lines, mut strays) = (Vec::with_capacity(answer.lines.len()), Vec::new());
    for (at, line) in answer.lines.iter().enumerate() {
        // A line of another form is refused alone: what stands beside it may be good.
        match AnswerLine::deserialize(line) {
            Ok(line) => lines.push(line),
            Err(_) => strays.push(Refusal { reason: Reason::Shape, detail: format!("line {}", at + 1) }),
        }
    }
    let unknown = lines.iter().flat_map(|line| &line.ids).filter(|id| !known(id));
    strays.extend(unknown.map(|id| Refusal { reason: Reason::UnknownId, detail: format!("`{id}`") }));
    let said = (1..).zip(&group.questions).map(|(id, _)| said(id, &lines, group)).collect();
    Ok(AnswerReading { said, strays })
}

fn parse(reply: &ModelReply, group: &Group) -> Result<Answer, Refusal> {
    let refuse = |reason, detail: &str| Err(Refusal { reason, detail: detail.to_owned() });
    let text = unwrapped(&reply.text);
    if text.len() > 4_096 + 4 * group.data().len() {
        return refuse(Reason::Huge, &format!("{} bytes", text.len()));
    }
    if reply.stop == StopReason::Length {
        return refuse(
            Reason::Truncated,
            "it ran into the most tokens that it may have; `model.max_tokens` says how many",
        );
    }
    match serde_json::from_str::<Answer>(text) {
        Ok(answer) => Ok(answer),
        Err(error) if error.is_data() => refuse(Reason::Shape, &plain(&error)),
        Err(error) if error.is_eof() && !text.is_empty() => refuse(Reason::Truncated, &plain(&error)),
        Err(error) => refuse(Reason::NotJson, &plain(&error)),
    }
}

/// The answer without what models put around it, which says nothing: a byte order mark, thoughts in front, one code fence and words beside
/// it. Where there are two fences, none is the answer.
pub(crate) fn unwrapped(text: &str) -> &str {
    let text = text.trim_start_matches('\u{feff}').trim();
    let text = text
        .strip_prefix("<think>")
        .and_then(|rest| rest.split_once("</think>"))
        .map_or(text, |said| said.1.trim());
    if text.starts_with('{') {
        return text;
    }
    let parts: Vec<&str> = text.split("```").collect();
    let inner = match parts.as_slice() {
        [_, inner, _] => inner.strip_prefix("json").unwrap_or(inner).trim(),
        _ => text,
    };
    match (inner.find('{'), inner.rfind('}')) {
        (Some(start), Some(end)) if start < end => &inner[start..=end],
        _ => inner,
    }
}

/// An error without the words of the answer, which may be anything.
fn plain(error: &serde_json::Error) -> String {
    format!("line {}, column {}", error.line(), error.column())
}

/// What is said of the statement with this id.
fn said(id: i64, lines: &[AnswerLine], group: &Group) -> Said {
    let mut lines = lines.iter().filter(|line| line.ids.contains(&id));
    let Some(line) = lines.next() else { return refused(None, Reason::Unstated) };
    let repeated = line.ids.iter().filter(|there| **there == id).count() > 1;
    if lines.next().is_some() || repeated {
        return refused(line.text.as_ref(), Reason::DuplicateId);
    }
    match (&line.text, line.ids.as_slice()) {
        (None, _) => refused(None, Reason::Shape),
        (Some(text), [_]) => match question(id, group) {
            Some(question) => Said { line: Some(text.clone()), verdict: question.verify(text), joined: None },
            // OK because only ids of the group are looked for; an answer is never worth a panic.
            None => refused(Some(text), Reason::UnknownId),
        },
        (Some(text), ids) => together(id, ids, text, group),
    }
}

fn refused(line: Option<&String>, reason: Reason) -> Said {
    let verdict = Err(Refusal { reason, detail: String::new() });
    Said { line: line.cloned(), verdict, joined: None }
}

fn question(id: i64, group: &Group) -> Option<&Question> {
    group.questions.get(usize::try_from(id).ok()?.checked_sub(1)?)
}

/// What a line for several statements says of the one with this `id`: a rule may stand on one line with its exceptions.
fn together(id: i64, ids: &[i64], text: &str, group: &Group) -> Said {
    let text = text.to_owned();
    let Some(all) = ids.iter().map(|id| question(*id, group)).collect::<Option<Vec<&Question>>>() else {
        return refused(Some(&text), Reason::Merged);
    };
    let (lessons, rules): (Vec<_>, Vec<_>) = all.into_iter().partition(|question| question.joins.is_some());
    let [rule] = rules.as_slice() else { return refused(Some(&text), Reason::Merged) };
    let parts = match merge(rule, &lessons, &text) {
        Ok(parts) => parts,
        Err(refusal) => return Said { line: Some(text), verdict: Err(refusal), joined: None },
    };
    let asked = question(id, group);
    let stated = std::iter::once(*rule).chain(lessons).zip(parts);
    let part = stated.into_iter().find(|(question, _)| asked.is_some_and(|asked| asked.id == question.id));
    part.map_or_else(
        || refused(Some(&text), Reason::Merged),
        |(statement, part)| stands(rule, statement, part),
    )
}

/// What is said of a part of a line that was accepted as a whole.
fn stands(rule: &Question, statement: &Question, part: Option<String>) -> Said {
    let same = Err(Refusal { reason: Reason::Same, detail: String::new() });
    let verdict = if part.is_some() { Ok(()) } else { same };
    let joins = statement.joins.as_ref().filter(|joins| !joins.stands);
    match joins.and_then(|joins| Some((joins, joins.norm(&rule.id)?.clone()))) {
        Some((joins, norm)) => Said {
            line: part.clone().or_else(|| Some(joins.text.clone())),
            verdict: Ok(()),
            joined: Some(Joined {
                norm,
                exception: joins.question(&rule.rule, statement.place.clone()),
                line: part,
                verdict,
            }),
        },
        None => Said { line: part, verdict, joined: None },
    }
}

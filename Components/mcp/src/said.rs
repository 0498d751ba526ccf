//! A response in words for the model, and in structure for its client.

use std::fmt::Write;

use mentci_authority::{ArtifactHandle, ArtifactHit, Level, SourceSpan};
use mentci_host::policy::{Line, NotificationRow};
use mentci_host::session::{ArtifactContent, ContextAnswer};
use mentci_host::{Answer, Ask, CodeAnswer, LessonList, LessonView, Response, RuleAnswer, TaughtAnswer};
use mentci_source::{Code, Finding, Severity};
use serde_json::Value;

use crate::skills::skills;

/// The most lessons of one list: a model reads no more.
pub(crate) const MOST_LESSONS: usize = 100;
/// The most findings that are told with an answer.
const MOST_FINDINGS: usize = 5;
/// The most skills that are named to an agent that named none of them.
const MOST_SKILLS: usize = 30;

/// The answer in words, block by block: the part of an artifact stands alone, as it is.
pub(crate) fn texts(response: &Response) -> Vec<String> {
    match &response.answer {
        Answer::ArtifactContent(part) => {
            part.text.iter().cloned().chain([about(part) + &odd(&response.findings)]).collect()
        }
        _ => vec![text(response)],
    }
}

/// The answer in words, then what is odd.
fn text(response: &Response) -> String {
    let mut text = match &response.answer {
        Answer::Digest(digest) if digest.text.trim().is_empty() => "there are no rules yet".to_owned(),
        Answer::Digest(digest) => digest.text.clone(),
        Answer::Taught(taught) => self::taught(taught),
        Answer::Lessons(list) => lessons(list),
        Answer::Lesson(answer) => lesson(&answer.lesson),
        Answer::Rule(rule) => self::rule(rule),
        Answer::Code(code) => self::code(code),
        Answer::Notifications(list) => list.notifications.iter().map(noted).collect(),
        Answer::Lines(lines) => lines.lines.iter().map(verdict).collect(),
        Answer::Context(answer) => context(answer),
        Answer::Artifacts(answer) if answer.artifacts.is_empty() => {
            "this session has no artifacts".to_owned()
        }
        Answer::Artifacts(answer) => answer.artifacts.iter().map(|row| handle(&row.handle)).collect(),
        Answer::ArtifactHits(answer) if answer.hits.is_empty() => "nothing was found".to_owned(),
        Answer::ArtifactHits(answer) => answer.hits.iter().map(hit).collect(),
        _ => String::new(),
    };
    text.push_str(&odd(&response.findings));
    text
}

fn odd(findings: &[Finding]) -> String {
    findings.iter().take(MOST_FINDINGS).flat_map(|finding| ["\n".to_owned(), line(finding)]).collect()
}

/// Why nothing was done, and what to do.
pub(crate) fn refusal(findings: &[Finding]) -> String {
    let lines: Vec<String> = findings.iter().take(MOST_FINDINGS).map(line).collect();
    match lines.as_slice() {
        [] => "there is no answer to this\n  help: tell the user to run `policy-engine check`".to_owned(),
        lines => lines.join("\n"),
    }
}

/// The answer as JSON: no `null`s, lists bounded as in the words.
pub(crate) fn structured(response: &Response) -> Value {
    // OK because answers are plain data with text keys.
    let mut value = serde_json::to_value(response).unwrap_or_default();
    drop_nulls(&mut value);
    if let Value::Object(object) = &mut value
        && response.findings.is_empty()
    {
        object.remove("findings");
    }
    if let (Answer::Lessons(list), Value::Object(object)) = (&response.answer, &mut value) {
        object.insert("total".to_owned(), list.lessons.len().into());
        if let Some(Value::Array(lessons)) = object.get_mut("lessons") {
            lessons.truncate(MOST_LESSONS);
        }
    }
    if let (Answer::Context(_), Value::Object(object)) = (&response.answer, &mut value) {
        // The messages hold them.
        for part in ["system_prompt", "history", "memory_hits", "tool_results"] {
            object.remove(part);
        }
    }
    value
}

/// Names the skills there are beside a skill that is none, for an agent that cannot run the command line.
pub(crate) fn with_skills(ask: &dyn Ask, mut findings: Vec<Finding>) -> Vec<Finding> {
    for finding in &mut findings {
        let near = finding.help.as_ref().is_some_and(|help| help.starts_with("did you mean"));
        if finding.code != Code::UNKNOWN_SKILL || near {
            continue;
        }
        let known = skills(ask);
        let named: Vec<String> = known.iter().take(MOST_SKILLS).map(|skill| format!("`{skill}`")).collect();
        let more = known.len().saturating_sub(MOST_SKILLS);
        finding.help = Some(match (named.is_empty(), more) {
            (true, _) => "this workspace has no skills yet".to_owned(),
            (false, 0) => format!("the skills are {}", named.join(", ")),
            (false, more) => format!("the skills are {} and {more} more", named.join(", ")),
        });
    }
    findings
}

/// A text from a file in one line.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `block: no rm -rf (no-rm at rules.yaml:1:3)`, and the further reasons below it.
fn verdict(line: &Line) -> String {
    let Line::Verdict(verdict) = line else { return String::new() };
    let reasons = verdict.reasons.iter().map(|reason| {
        format!("{}: {} ({} at {})", reason.effect.name(), one_line(&reason.message), reason.rule, reason.at)
    });
    let reasons: Vec<String> = reasons.collect();
    match reasons.as_slice() {
        [] => format!("{}: no rule speaks against it", verdict.decision.name()),
        reasons => reasons.join("\n"),
    }
}

/// `noted 71a6ac7bc996: 86 percent of the budget are used`
fn noted(row: &NotificationRow) -> String {
    format!("noted {}: {}", row.id, one_line(&row.message))
}

fn context(answer: &ContextAnswer) -> String {
    let messages = serde_json::to_string_pretty(&answer.messages).unwrap_or_default();
    let handles: String = answer.context.artifact_refs.iter().map(handle).collect();
    let (tokens, budget) = (answer.context.token_count, answer.context.budget);
    format!("{messages}\n{tokens} of {budget} tokens\n{handles}")
}

/// `<id> 10240 bytes text/plain tool:echo: <summary>`
fn handle(handle: &ArtifactHandle) -> String {
    let ArtifactHandle { artifact_id, summary, size_bytes, mime_type, source, .. } = handle;
    format!("{artifact_id} {size_bytes} bytes {mime_type} {source}: {}\n", one_line(summary))
}

/// `[bytes 0-32767 of 10228889, text/plain; go on with the range 32768-65535]`
fn about(part: &ArtifactContent) -> String {
    let (size, mime) = (part.handle.size_bytes, &part.handle.mime_type);
    let mut about = match part.bytes {
        0 => format!("[no bytes of {size}, {mime}"),
        bytes => format!("[bytes {}-{} of {size}, {mime}", part.from, part.from + bytes - 1),
    };
    about.push_str(match (&part.text, &part.base64) {
        (None, _) => "; they are no text",
        (Some(_), Some(_)) => "; some are not UTF-8 and are read as U+FFFD",
        (Some(_), None) => "",
    });
    if let Some(next) = &part.next {
        // Writing to a string cannot fail.
        let _ = write!(about, "; go on with the range {next}");
    }
    about + "]"
}

fn hit(hit: &ArtifactHit) -> String {
    format!("{}:{}: {}\n", hit.artifact_id, hit.line, one_line(&hit.snippet))
}

fn taught(taught: &TaughtAnswer) -> String {
    format!("{}\nlesson {} ({}) in {}", taught.message, taught.id, taught.status.name(), taught.path)
}

fn lessons(list: &LessonList) -> String {
    if list.lessons.is_empty() {
        return "there are no such lessons\n  help: teach one with `update_skill_heuristics`".to_owned();
    }
    let mut lines: Vec<String> = list.lessons.iter().take(MOST_LESSONS).map(lesson_line).collect();
    let more = list.lessons.len().saturating_sub(MOST_LESSONS);
    if more > 0 {
        lines.push(format!("+{more} more: name a `skill` or a `status`"));
    }
    lines.join("\n")
}

fn lesson_line(lesson: &LessonView) -> String {
    let rule = lesson.rule.as_ref().map_or_else(String::new, |rule| format!(", in {rule}"));
    format!(
        "{} {} ({}{rule}): {} -> {}",
        lesson.id,
        lesson.skill,
        lesson.status.name(),
        one_line(&lesson.condition),
        one_line(&lesson.resolution)
    )
}

fn lesson(lesson: &LessonView) -> String {
    let mut text = lesson_line(lesson);
    let mut add = |name: &str, value: &str| {
        if !value.is_empty() {
            let _ = write!(text, "\n  {name}: {}", one_line(value));
        }
    };
    add("learned", lesson.context.as_deref().unwrap_or_default());
    add("told by", lesson.author.as_deref().unwrap_or_default());
    add("told at", lesson.at.as_deref().unwrap_or_default());
    add("kept in", &lesson.path);
    text
}

fn rule(rule: &RuleAnswer) -> String {
    let level = rule.level.map_or("fact", level);
    let mut text = format!("{} {}\n  level: {level}", rule.rule, rule.line);
    for source in &rule.sources {
        let _ = write!(
            text,
            "
  {}: {}",
            place(&source.span),
            one_line(&source.words)
        );
    }
    for view in &rule.lessons {
        let _ = write!(text, "\n  lesson {}", lesson_line(view));
    }
    text
}

/// `SKILL.md:3` or `SKILL.md:3-5`
fn place(span: &SourceSpan) -> String {
    if span.start_line == span.end_line {
        return format!("{}:{}", span.path, span.start_line);
    }
    format!("{}:{}-{}", span.path, span.start_line, span.end_line)
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Must => "must",
        Level::MustNot => "must not",
        Level::Should => "should",
        Level::ShouldNot => "should not",
        Level::May => "may",
    }
}

fn code(code: &CodeAnswer) -> String {
    format!("{} {} ({}): {}", code.code, code.name, severity(code.severity), code.explanation)
}

/// ``error[E0106]: no skill is named `x` `` and the help under it, with the place where there is one. What help says of the command
/// line is said of the tool that does the same: an agent may have no command line.
fn line(finding: &Finding) -> String {
    finding.to_string().replace("`policy-engine artifact list`", "`list_artifacts`")
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.retain(|_, value| !value.is_null());
            object.values_mut().for_each(drop_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_nulls),
        _ => {}
    }
}

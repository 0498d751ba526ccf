//! One lesson file.

use std::collections::BTreeSet;

use mentci_authority::{
    Lesson, LessonId, LessonStatus, LessonText, Omission, OmissionReason, SkillName, check_lesson_text,
};
use mentci_reader::edn::{self, Document, Node, Value};
use mentci_source::{Code, Finding, Reading, Source, Span, did_you_mean};

use crate::cover::{omit, uncovered};

/// The lessons of one file, with their places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LessonFile {
    /// The text.
    pub source: Source,
    /// Whose lessons.
    pub skill: SkillName,
    /// The sound entries, in order.
    pub lessons: Vec<FileLesson>,
    /// What is no lesson: comments, brackets, entries that are no lessons.
    pub omitted: Vec<Omission>,
    /// Whether the file is EDN that can be edited: one vector at the top.
    pub is_sound: bool,
}

/// A lesson and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileLesson {
    /// The lesson; its `id` is recomputed from its content.
    pub lesson: Lesson,
    /// Why it was retired: `:reason`.
    pub reason: Option<String>,
    /// The bytes of its map.
    pub span: Span,
}

/// Reads `runtime.edn`, `promoted.edn` or `archive.edn` of `skill`. Never fails.
///
/// Findings: those of EDN; `LESSON_SHAPE` for an entry that is not a map with `:condition` and `:resolution` strings,
/// `LESSON_TEXT` for a text that is refused (neither is compiled, both stay in the file), `LESSON_ID` for an `:id`
/// that is not the content's.
///
/// ```
/// use mentci_authority::SkillName;
/// use mentci_compiler::lessons::read_lessons;
/// use mentci_source::Source;
///
/// let skill = SkillName::parse("sema-programmer").unwrap();
/// let source = Source::new("runtime.edn", r#"[{:condition "the build fails" :resolution "read the first error"}]"#);
/// let reading = read_lessons(&source, &skill);
/// assert_eq!(reading.value.lessons[0].lesson.condition, "the build fails");
/// assert!(reading.findings.is_empty());
/// ```
pub fn read_lessons(source: &Source, skill: &SkillName) -> Reading<LessonFile> {
    let Reading { value: document, mut findings } = edn::read(source);
    let is_edn =
        !findings.iter().any(|finding| matches!(finding.code, Code::EDN_SYNTAX | Code::EDN_TOO_DEEP));
    let shape = entries(source, &document);
    let mut lessons = Vec::new();
    let (is_sound, nodes) = match shape {
        Ok(nodes) => (is_edn, nodes),
        Err(finding) => {
            findings.push(finding);
            (false, &[][..])
        }
    };
    for node in nodes {
        match read_entry(source, skill, node, &mut findings) {
            Ok(lesson) => lessons.push(lesson),
            Err(finding) => findings.push(*finding),
        }
    }
    let omitted = omissions(source, &document, nodes, &lessons);
    tell_fewer(&mut findings);
    Reading {
        value: LessonFile { source: source.clone(), skill: skill.clone(), lessons, omitted, is_sound },
        findings,
    }
}

/// What is wrong with a whole file is told once, and not of each of its entries.
fn tell_fewer(findings: &mut Vec<Finding>) {
    const MOST: usize = 100;
    let Some(next) = findings.get(MOST).cloned() else { return };
    // One that is an error must not vanish behind others that are none.
    let code =
        findings[MOST..].iter().max_by_key(|finding| finding.severity).map_or(next.code, |worst| worst.code);
    let message = format!("{} more findings from here on", findings.len() - MOST);
    let rest = Finding { message, help: Some("mend the first ones, and check again".to_owned()), ..next };
    findings.truncate(MOST);
    findings.push(Finding { code, severity: code.severity(), ..rest });
}

/// The entries: the items of the one vector at the top. No form at all is an empty file of lessons.
pub(super) fn entries<'a>(source: &Source, document: &'a Document) -> Result<&'a [Node], Finding> {
    let shape = |message: &str, span| {
        Finding::new(Code::LESSON_SHAPE, message)
            .help("a lesson file is one vector of maps: `[{:condition \"…\" :resolution \"…\"}]`")
            .at(source, span)
    };
    match document.forms.as_slice() {
        [] => Ok(&[]),
        [Node { value: Value::Vector(items), .. }] => Ok(items),
        [only] => Err(shape("the file is not a vector of lessons", only.span)),
        [_, second, ..] => Err(shape("a second form stands behind the lessons", second.span)),
    }
}

/// One entry; findings that leave it sound go to `findings`.
fn read_entry(
    source: &Source,
    skill: &SkillName,
    node: &Node,
    findings: &mut Vec<Finding>,
) -> Result<FileLesson, Box<Finding>> {
    if node.as_map().is_none() {
        let finding = Finding::new(Code::LESSON_SHAPE, "this entry is not a map")
            .help("write `{:condition \"…\" :resolution \"…\"}`");
        return Err(Box::new(finding.at(source, node.span)));
    }
    let condition = text(source, node, ":condition", LessonText::Condition)?;
    let resolution = text(source, node, ":resolution", LessonText::Resolution)?;
    let context = optional_text(source, node, findings);
    let id = LessonId::of(skill.as_str(), condition, resolution);
    findings.extend(check_id(source, node, &id));
    let lesson = Lesson {
        id,
        condition: condition.to_owned(),
        resolution: resolution.to_owned(),
        context,
        at: word(node.get(":at")),
        author: word(node.get(":author")),
        source: word(node.get(":source")),
        sessions: sessions(node.get(":sessions")),
        status: status(source, node, findings),
    };
    Ok(FileLesson { lesson, reason: word(node.get(":reason")), span: node.span })
}

fn text<'a>(source: &Source, node: &'a Node, key: &str, which: LessonText) -> Result<&'a str, Box<Finding>> {
    let value = node.get(key);
    let Some(text) = value.and_then(Node::as_str) else {
        let message = match value {
            Some(_) => format!("`{key}` is not a string"),
            None => format!("this entry has no `{key}`"),
        };
        let at = value.map_or(node.span, |value| value.span);
        return Err(Box::new(Finding::new(Code::LESSON_SHAPE, message).at(source, at)));
    };
    let at = value.map_or(node.span, |value| value.span);
    check_lesson_text(which, text).map_or(Ok(text), |finding| Err(Box::new(finding.at(source, at))))
}

/// `:context` is never compiled, so a bad one is reported and the lesson stands.
fn optional_text(source: &Source, node: &Node, findings: &mut Vec<Finding>) -> Option<String> {
    let value = node.get(":context")?;
    let text = value.as_str().filter(|text| !text.trim().is_empty())?;
    findings
        .extend(check_lesson_text(LessonText::Context, text).map(|finding| finding.at(source, value.span)));
    Some(text.to_owned())
}

fn check_id(source: &Source, node: &Node, id: &LessonId) -> Option<Finding> {
    let value = node.get(":id")?;
    let claimed = word(Some(value)).unwrap_or_default();
    (claimed != id.as_str()).then(|| {
        Finding::new(Code::LESSON_ID, format!("`:id` is `{claimed}`, the content's id is `{id}`"))
            .help("drop the key: ids are made from the content")
            .at(source, value.span)
    })
}

/// A string, a keyword's or a symbol's name, or a tagged one: `#inst "2026-01-01"`.
fn word(node: Option<&Node>) -> Option<String> {
    match &node?.value {
        Value::String(text) | Value::Keyword(text) | Value::Symbol(text) => Some(text.clone()),
        Value::Tagged(_, inner) => word(Some(inner)),
        _ => None,
    }
}

fn sessions(node: Option<&Node>) -> BTreeSet<String> {
    let items = node.and_then(Node::items).unwrap_or_default();
    items.iter().filter_map(|item| word(Some(item))).collect()
}

/// A status that is not known waits: guessing would be trusting.
fn status(source: &Source, node: &Node, findings: &mut Vec<Finding>) -> LessonStatus {
    let Some(value) = node.get(":status") else { return LessonStatus::Active };
    let name = word(Some(value)).unwrap_or_default();
    LessonStatus::parse(&name).unwrap_or_else(|| {
        let known = ["active", "pending", "promoted", "archived", "rejected"];
        let help = did_you_mean(&name, known).map_or_else(
            || "it is `:active`, `:pending`, `:promoted`, `:archived` or `:rejected`".to_owned(),
            |near| format!("did you mean `:{near}`?"),
        );
        let message = format!("unknown status `{value}`; the lesson waits", value = value.value);
        findings.push(Finding::new(Code::LESSON_SHAPE, message).help(help).at(source, value.span));
        LessonStatus::Pending
    })
}

/// All that is no lesson: comments, brackets, and entries that could not be read.
fn omissions(source: &Source, document: &Document, nodes: &[Node], lessons: &[FileLesson]) -> Vec<Omission> {
    let mut covered: Vec<Span> = lessons.iter().map(|lesson| lesson.span).collect();
    let mut omitted = Vec::new();
    let comments =
        document.comments.iter().chain(&document.discarded).map(|&span| (span, OmissionReason::Comment));
    let unread = nodes.iter().map(|node| (node.span, OmissionReason::Description));
    for (span, reason) in unread.chain(comments) {
        if !covered.iter().any(|other| other.overlaps(span)) {
            covered.push(span);
            omitted.push(omit(source, span, reason));
        }
    }
    for span in uncovered(source, &mut covered) {
        let is_bracket = source.slice(span).chars().all(|c| "[](){}#,".contains(c) || c.is_whitespace());
        let reason = if is_bracket { OmissionReason::Separator } else { OmissionReason::Description };
        omitted.push(omit(source, span, reason));
    }
    omitted.sort();
    omitted
}

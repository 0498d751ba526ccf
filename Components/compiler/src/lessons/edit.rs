//! Edits: the new text of a lesson file, in which every other byte stays.

use std::collections::HashMap;

use mentci_authority::{Lesson, LessonId, LessonStatus, LessonText, SkillName, check_lesson_text};
use mentci_reader::edn::{self, Node, quoted};
use mentci_source::{Code, Finding, Source, Span};

use super::file::{entries, read_lessons};

/// What adding did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// A new entry stands at the end.
    Added,
    /// The lesson was there; the session was added to it.
    SessionAdded,
    /// The lesson was there, told in this session before.
    Unchanged,
}

/// The new texts of both files of a move. Publish `to` first: then the lesson is at no instant in neither file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovedLesson {
    /// The file that receives it.
    pub to: String,
    /// The file that it leaves.
    pub from: String,
}

/// Adds `lesson` to a file, or starts one when there is none. Told again in another session, the lesson stands once
/// and its `:sessions` grow.
///
/// ```
/// use std::collections::BTreeSet;
/// use mentci_authority::{Lesson, LessonId, LessonStatus};
/// use mentci_compiler::lessons::{Outcome, add_lesson};
/// use mentci_source::Source;
///
/// let (condition, resolution) = ("the build fails", "read the first error");
/// let mut lesson = Lesson {
///     id: LessonId::of("sema", condition, resolution),
///     condition: condition.into(),
///     resolution: resolution.into(),
///     context: None,
///     at: None,
///     author: None,
///     source: None,
///     sessions: BTreeSet::from(["one".into()]),
///     status: LessonStatus::Active,
/// };
/// let (text, outcome) = add_lesson(None, &lesson).unwrap();
/// assert_eq!(outcome, Outcome::Added);
///
/// lesson.sessions = BTreeSet::from(["two".into()]);
/// let (text, outcome) = add_lesson(Some(&Source::new("runtime.edn", &text)), &lesson).unwrap();
/// assert_eq!(outcome, Outcome::SessionAdded);
/// assert!(text.contains(r#":sessions #{"one" "two"}"#));
/// ```
///
/// # Errors
/// - `EDN_SYNTAX`, `EDN_TOO_DEEP`, `LESSON_SHAPE` with the place: the file is not one vector; it is never overwritten.
/// - `LESSON_TEXT`: a text of the lesson is refused.
pub fn add_lesson(file: Option<&Source>, lesson: &Lesson) -> Result<(String, Outcome), Finding> {
    let (text, outcomes) = add_lessons(file, std::slice::from_ref(lesson))?;
    Ok((text, outcomes.first().copied().unwrap_or(Outcome::Unchanged)))
}

/// Adds lessons as [`add_lesson`] does one after the other, all or none: the file is read once, however many they are. The outcomes stand
/// in the order of the lessons.
///
/// # Errors
/// - as [`add_lesson`].
pub fn add_lessons(file: Option<&Source>, lessons: &[Lesson]) -> Result<(String, Vec<Outcome>), Finding> {
    lessons.iter().try_for_each(check)?;
    let file = file.filter(|file| !file.text().trim().is_empty());
    let document = file.map(sound_document).transpose()?.unwrap_or_default();
    let nodes = file.map(|file| entries(file, &document)).transpose()?.unwrap_or_default();
    let mut told = Told::of(nodes);
    let outcomes = lessons.iter().map(|lesson| told.add(lesson)).collect();
    let added = told.added.iter().map(printed).collect::<Vec<_>>();
    let Some(file) = file else { return Ok((format!("[{}]\n", added.join(BETWEEN_ENTRIES)), outcomes)) };
    let text = match document.forms.first() {
        _ if added.is_empty() => Some(file.text().to_owned()),
        Some(vector) => edn::append_to_vector(file.text(), vector, &added),
        None => Some(format!("{}\n[{}]\n", file.text().trim_end(), added.join(BETWEEN_ENTRIES))),
    };
    text.map(|text| (told.with_sessions_of_known(text), outcomes)).ok_or_else(|| not_editable(file))
}

/// Adds the sessions of those `lessons` that stand in `file` to their entries, as [`add_lessons`] does, and no other lesson. The
/// outcomes stand in the order of the lessons; a lesson that does not stand there has none.
///
/// # Errors
/// - as [`add_lesson`].
pub fn add_sessions(file: &Source, lessons: &[Lesson]) -> Result<(String, Vec<Option<Outcome>>), Finding> {
    lessons.iter().try_for_each(check)?;
    let document = sound_document(file)?;
    let mut told = Told::of(entries(file, &document)?);
    let outcomes = lessons.iter().map(|lesson| told.knows(lesson).then(|| told.add(lesson))).collect();
    Ok((told.with_sessions_of_known(file.text().to_owned()), outcomes))
}

/// What sets the entries of a new file apart.
const BETWEEN_ENTRIES: &str = "\n ";

/// What a file says and what is told beside it. A lesson is known by its words.
struct Told<'n> {
    /// Which entry says these words, in the file or behind it.
    by_words: HashMap<(String, String), usize>,
    /// The entries of the file.
    nodes: &'n [Node],
    /// The sessions told to each of them.
    sessions: Vec<Vec<String>>,
    /// The lessons that stand behind the file's entries.
    added: Vec<Lesson>,
}

impl<'n> Told<'n> {
    fn of(nodes: &'n [Node]) -> Self {
        let mut by_words = HashMap::new();
        for (at, node) in nodes.iter().enumerate() {
            let text = |key: &str| node.get(key).and_then(Node::as_str);
            if let (Some(condition), Some(resolution)) = (text(":condition"), text(":resolution")) {
                by_words.entry(words_of(condition, resolution)).or_insert(at);
            }
        }
        Self { by_words, nodes, sessions: nodes.iter().map(session_names).collect(), added: Vec::new() }
    }

    fn knows(&self, lesson: &Lesson) -> bool {
        self.by_words.contains_key(&words_of(&lesson.condition, &lesson.resolution))
    }

    fn add(&mut self, lesson: &Lesson) -> Outcome {
        let behind = self.nodes.len() + self.added.len();
        let at = *self.by_words.entry(words_of(&lesson.condition, &lesson.resolution)).or_insert(behind);
        let known = if at == behind {
            self.added.push(lesson.clone());
            return Outcome::Added;
        } else if let Some(sessions) = self.sessions.get_mut(at) {
            let known = sessions.len();
            add_new(sessions, lesson.sessions.iter());
            known == sessions.len()
        } else {
            let there = &mut self.added[at - self.nodes.len()].sessions;
            let known = there.len();
            there.extend(lesson.sessions.iter().cloned());
            known == there.len()
        };
        if known { Outcome::Unchanged } else { Outcome::SessionAdded }
    }

    /// The file's text, perhaps with entries behind its own, in which each of its own has the sessions told to it.
    fn with_sessions_of_known(&self, text: String) -> String {
        // From the last entry to the first: what is edited lies behind all that is still to be edited.
        let known = self.nodes.iter().zip(&self.sessions).rev();
        known.fold(text, |text, (node, sessions)| with_sessions(&text, node, sessions).unwrap_or(text))
    }
}

/// The words of a lesson, white space aside.
fn words_of(condition: &str, resolution: &str) -> (String, String) {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    (words(condition), words(resolution))
}

/// Sets the `:status` of the lesson `id`; only those bytes change. A lesson that is in force has no `:reason` any more.
///
/// # Errors
/// - as [`add_lesson`]; `LESSON_UNKNOWN` when the file has no such lesson.
pub fn set_status(
    file: &Source,
    skill: &SkillName,
    id: &LessonId,
    status: LessonStatus,
) -> Result<String, Finding> {
    set_fate(file, skill, id, status, None)
}

fn set_fate(
    file: &Source,
    skill: &SkillName,
    id: &LessonId,
    status: LessonStatus,
    reason: Option<&str>,
) -> Result<String, Finding> {
    sound_document(file)?;
    let span = find(file, skill, id)?;
    let entry = with_fate(file.slice(span), status, reason).ok_or_else(|| not_editable(file))?;
    edn::replace_value(file.text(), span, &entry).ok_or_else(|| not_editable(file))
}

/// Moves the lesson `id` from one file to another (`runtime.edn` to `promoted.edn`, either to `archive.edn`), with its
/// unknown keys and with `status`, and `:reason` when one is given. A lesson that `to` has already (a move that was
/// interrupted, a second copy, an earlier retirement) stands there once, with the sessions of both; what it said of its
/// standing gives way to what the move says.
///
/// # Errors
/// - as [`set_status`], for either file.
pub fn move_lesson(
    from: &Source,
    to: Option<&Source>,
    skill: &SkillName,
    id: &LessonId,
    status: LessonStatus,
    reason: Option<&str>,
) -> Result<MovedLesson, Finding> {
    sound_document(from)?;
    let span = find(from, skill, id)?;
    let to = receive(to, skill, id, from.slice(span), (status, reason))?;
    let from_text = edn::remove_entry(from.text(), span).ok_or_else(|| not_editable(from))?;
    Ok(MovedLesson { to, from: from_text })
}

/// The new text of `to` in which the lesson `id` of `from` stands as well, once and with `status`. `from` keeps it.
///
/// # Errors
/// - as [`set_status`], for either file.
pub fn copy_lesson(
    from: &Source,
    to: Option<&Source>,
    skill: &SkillName,
    id: &LessonId,
    status: LessonStatus,
) -> Result<String, Finding> {
    sound_document(from)?;
    receive(to, skill, id, from.slice(find(from, skill, id)?), (status, None))
}

/// The text of the receiving file with `entry` in it, once, and with its new status and reason.
fn receive(
    to: Option<&Source>,
    skill: &SkillName,
    id: &LessonId,
    entry: &str,
    (status, reason): (LessonStatus, Option<&str>),
) -> Result<String, Finding> {
    let text = receive_as_it_is(to, skill, id, entry)?;
    let path = to.map_or_else(String::new, |to| to.path().to_string());
    set_fate(&Source::new(&path, &text), skill, id, status, reason)
}

/// The text of the receiving file with `entry` in it, once. One that stands there already keeps all but its sessions.
fn receive_as_it_is(
    to: Option<&Source>,
    skill: &SkillName,
    id: &LessonId,
    entry: &str,
) -> Result<String, Finding> {
    let Some(to) = to.filter(|to| !to.text().trim().is_empty()) else { return Ok(format!("[{entry}]\n")) };
    let document = sound_document(to)?;
    let reading = read_lessons(to, skill).value;
    if let Some(there) = reading.lessons.iter().find(|there| there.lesson.id == *id) {
        return Ok(merge_sessions(to, there.span, entry));
    }
    let text = match document.forms.first() {
        Some(vector) => edn::append_to_vector(to.text(), vector, &[entry]),
        None => Some(format!("{}\n[{entry}]\n", to.text().trim_end())),
    };
    text.ok_or_else(|| not_editable(to))
}

/// The receiving text with the sessions that `entry` has and the standing one lacks.
fn merge_sessions(to: &Source, span: Span, entry: &str) -> String {
    let incoming = edn::read(&Source::new("", entry)).value;
    let told = incoming.forms.first().map(session_names).unwrap_or_default();
    let document = edn::read(to).value;
    let standing = document.forms.first().and_then(Node::items).unwrap_or_default();
    let node = standing.iter().find(|node| node.span == span);
    node.and_then(|node| with_sessions(to.text(), node, &told)).unwrap_or_else(|| to.text().to_owned())
}

/// One entry's text with its new status and reason; why it was out of force is no longer said of what is in force.
fn with_fate(entry: &str, status: LessonStatus, reason: Option<&str>) -> Option<String> {
    let set = |text: &str, key: &str, value: &str| {
        let document = edn::read(&Source::new("", text)).value;
        edn::set_key(text, document.forms.first()?, key, value)
    };
    let text = set(entry, ":status", &keyword(status))?;
    match (reason, status) {
        (Some(reason), _) => set(&text, ":reason", &quoted(reason)),
        (None, LessonStatus::Active | LessonStatus::Promoted) => {
            let document = edn::read(&Source::new("", &text)).value;
            edn::remove_key(&text, document.forms.first()?, ":reason")
        }
        (None, _) => Some(text),
    }
}

fn check(lesson: &Lesson) -> Result<(), Finding> {
    let context = lesson.context.as_deref().map(|text| (LessonText::Context, text));
    [(LessonText::Condition, lesson.condition.as_str()), (LessonText::Resolution, lesson.resolution.as_str())]
        .into_iter()
        .chain(context)
        .find_map(|(which, text)| check_lesson_text(which, text))
        .map_or(Ok(()), Err)
}

/// Reads a file that is to be edited: it must be sound EDN with one vector at the top.
fn sound_document(file: &Source) -> Result<edn::Document, Finding> {
    let reading = edn::read(file);
    let broken = |code| matches!(code, Code::EDN_SYNTAX | Code::EDN_TOO_DEEP);
    if let Some(finding) = reading.findings.into_iter().find(|finding| broken(finding.code)) {
        return Err(finding);
    }
    entries(file, &reading.value)?;
    Ok(reading.value)
}

fn find(file: &Source, skill: &SkillName, id: &LessonId) -> Result<Span, Finding> {
    let reading = read_lessons(file, skill).value;
    let found = reading.lessons.iter().find(|there| there.lesson.id == *id);
    found.map(|there| there.span).ok_or_else(|| {
        Finding::new(Code::LESSON_UNKNOWN, format!("no lesson `{id}` stands in this file"))
            .help("`policy-engine lessons list` shows the ids")
            .in_file(file.path())
    })
}

/// Cannot happen with what was read from the same text; refused all the same rather than overwritten.
fn not_editable(file: &Source) -> Finding {
    Finding::new(Code::LESSON_SHAPE, "the lesson cannot be spliced into this file").in_file(file.path())
}

/// The text with `told` added to the entry's `:sessions`; none when nothing is new.
fn with_sessions(text: &str, node: &Node, told: &[String]) -> Option<String> {
    let mut sessions = session_names(node);
    let known = sessions.len();
    add_new(&mut sessions, told.iter());
    (sessions.len() > known).then(|| edn::set_key(text, node, ":sessions", &session_set(&sessions)))?
}

fn add_new<'s>(sessions: &mut Vec<String>, told: impl Iterator<Item = &'s String>) {
    for session in told {
        if !sessions.contains(session) {
            sessions.push(session.clone());
        }
    }
}

fn session_names(node: &Node) -> Vec<String> {
    let items = node.get(":sessions").and_then(Node::items).unwrap_or_default();
    items.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

fn session_set(sessions: &[String]) -> String {
    let items: Vec<String> = sessions.iter().map(|session| quoted(session)).collect();
    format!("#{{{}}}", items.join(" "))
}

fn keyword(status: LessonStatus) -> String {
    format!(":{}", status.name())
}

/// An entry: one key a line, absent keys left out.
fn printed(lesson: &Lesson) -> String {
    let sessions: Vec<String> = lesson.sessions.iter().cloned().collect();
    let text = |key: &str, value: Option<&str>| value.map(|value| format!(":{key} {}", quoted(value)));
    let entries = [
        text("id", Some(lesson.id.as_str())),
        text("condition", Some(&lesson.condition)),
        text("resolution", Some(&lesson.resolution)),
        text("context", lesson.context.as_deref()),
        text("at", lesson.at.as_deref()),
        text("author", lesson.author.as_deref()),
        text("source", lesson.source.as_deref()),
        (!sessions.is_empty()).then(|| format!(":sessions {}", session_set(&sessions))),
        Some(format!(":status {}", keyword(lesson.status))),
    ];
    format!("{{{}}}", entries.into_iter().flatten().collect::<Vec<_>>().join("\n  "))
}

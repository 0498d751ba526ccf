//! What an event says to a model, and how many tokens that takes.

use std::borrow::Cow;

use mentci_authority::{ArtifactHandle, Role};
use mentci_source::Hash;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::{Counts, SessionEvent, SessionEventKind};

/// What kind of message an event becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece {
    /// None: the log knows it, the model does not read it.
    Nothing,
    /// A message of this role, word for word.
    Text(Role),
    /// Data in a user's message, fenced.
    Data,
    /// A call of a tool.
    Call,
    /// The end of a call, fenced.
    Answer,
}

/// What is known of an event's message without its text.
#[derive(Debug, Clone)]
pub(crate) struct Body {
    pub(crate) piece: Piece,
    /// The tokens of [`Body::text`], and of the tool's name for a call.
    pub(crate) tokens: u64,
    /// The tokens of the fence and of the call's id around it.
    pub(crate) frame: u64,
    /// The tokens of the fence around an answer; for a call, around what stands until it has one.
    pub(crate) fence: u64,
    /// The length of the text in bytes.
    pub(crate) bytes: usize,
    /// The hash of the text.
    pub(crate) hash: Hash,
    /// Whether the text stands for an artifact already.
    pub(crate) handle: Option<Box<ArtifactHandle>>,
}

/// What closes a fence. INVARIANT (fences hold): no fenced text holds it.
const CLOSE: &str = "\n</data>";

impl Body {
    pub(crate) fn of(event: &SessionEvent, counts: &Counts) -> Self {
        let handle = handle(event).map(Box::new);
        let raw = raw_text(event, handle.as_deref());
        let hash = Hash::of_bytes(raw.as_bytes());
        let bytes = raw.len();
        let piece = piece(event, handle.as_deref(), &raw);
        let count = || match unsafe_in(event, &raw) {
            false if raw.is_empty() => 0,
            false => counts.of_hashed(hash, &raw),
            true => counts.of(&safe(Cow::Borrowed(&raw))),
        };
        let id = || counts.of(event.text("call_id"));
        let fence = match piece {
            Piece::Nothing | Piece::Text(_) => 0,
            _ => fence_tokens(&fence(event), counts),
        };
        let (tokens, frame) = match piece {
            Piece::Nothing => (0, 0),
            Piece::Text(_) => (count(), 0),
            Piece::Data => (count(), fence),
            Piece::Call => (count() + counts.of(event.text("tool")), id()),
            Piece::Answer => (count(), fence + id()),
        };
        drop(raw);
        Self { piece, tokens, frame, fence, bytes, hash, handle }
    }

    /// What the event says to a model, without its fence.
    pub(crate) fn text<'a>(&self, event: &'a SessionEvent) -> Cow<'a, str> {
        let raw = raw_text(event, self.handle.as_deref());
        if unsafe_in(event, &raw) { Cow::Owned(safe(raw).into_owned()) } else { raw }
    }

    /// What the event says, as it came: the content of the artifact that it may become.
    pub(crate) fn content<'a>(&self, event: &'a SessionEvent) -> Cow<'a, str> {
        raw_text(event, self.handle.as_deref())
    }
}

/// Whether the text of an event stands in a fence and would break it.
fn unsafe_in(event: &SessionEvent, text: &str) -> bool {
    let is_said = match event.kind {
        SessionEventKind::UserInput | SessionEventKind::PhaseResult => role(event) != Role::Tool,
        kind => kind == SessionEventKind::ToolCall,
    };
    !is_said && breaks(text)
}

fn raw_text<'a>(event: &'a SessionEvent, handle: Option<&ArtifactHandle>) -> Cow<'a, str> {
    match event.kind {
        SessionEventKind::UserInput | SessionEventKind::PhaseResult => {
            said(event.data.get("text"), event.data.get("content"))
        }
        SessionEventKind::MemoryHit => value_text(event.data.get("text")),
        SessionEventKind::Compaction => value_text(event.data.get("summary")),
        SessionEventKind::ArtifactStored => {
            handle.map_or(Cow::Borrowed(""), |handle| Cow::Owned(handle_text(handle, &handle.summary)))
        }
        SessionEventKind::GuardDecision => Cow::Borrowed(""),
        SessionEventKind::ToolCall => match event.data.get("args") {
            None | Some(Value::Null) => Cow::Borrowed("{}"),
            // The arguments as they were written, as providers have them.
            Some(Value::String(text)) if is_object(text) => Cow::Borrowed(text),
            Some(args) => Cow::Owned(args.to_string()),
        },
        _ => answer(event, handle),
    }
}

fn is_object(text: &str) -> bool {
    text.trim_start().starts_with('{') && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// What is said, under whichever of its two names; both where they differ.
fn said<'a>(text: Option<&'a Value>, content: Option<&'a Value>) -> Cow<'a, str> {
    match (value_text(text), value_text(content)) {
        (text, content) if content.is_empty() || text == content => text,
        (text, content) if text.is_empty() => content,
        (text, content) => Cow::Owned(format!("{text}\n{content}")),
    }
}

fn piece(event: &SessionEvent, handle: Option<&ArtifactHandle>, text: &str) -> Piece {
    match event.kind {
        SessionEventKind::ToolCall => Piece::Call,
        kind if kind.ends_a_call() => Piece::Answer,
        _ if text.trim().is_empty() => Piece::Nothing,
        SessionEventKind::UserInput | SessionEventKind::PhaseResult => match role(event) {
            Role::Tool => Piece::Data,
            role => Piece::Text(role),
        },
        SessionEventKind::MemoryHit | SessionEventKind::Compaction => Piece::Data,
        // What a call gave stands where the call ended.
        SessionEventKind::ArtifactStored => match handle {
            Some(handle) if !handle.source.starts_with("tool:") => Piece::Data,
            _ => Piece::Nothing,
        },
        _ => Piece::Nothing,
    }
}

fn role(event: &SessionEvent) -> Role {
    let default = if event.kind == SessionEventKind::UserInput { Role::User } else { Role::Assistant };
    Role::parse(event.text("role")).unwrap_or(default)
}

fn handle(event: &SessionEvent) -> Option<ArtifactHandle> {
    let told = match event.kind {
        SessionEventKind::ArtifactStored => event
            .data
            .get("artifact")
            .or_else(|| event.data.get("handle"))
            .cloned()
            .unwrap_or_else(|| Value::Object(event.data.clone())),
        kind if kind.ends_a_call() => event.data.get("artifact")?.clone(),
        _ => return None,
    };
    serde_json::from_value(told).ok()
}

/// Whether it stands for a content that is kept elsewhere.
pub(super) fn is_handle(artifact: &Value) -> bool {
    ArtifactHandle::deserialize(artifact).is_ok()
}

/// How a call ended, in words: what went wrong, what its schema says of it, what came back.
fn answer<'a>(event: &'a SessionEvent, handle: Option<&ArtifactHandle>) -> Cow<'a, str> {
    let part = |name: &str| event.data.get(name).filter(|value| !value.is_null());
    let summary = || event.data.get("summary").and_then(Value::as_str);
    let value = match handle {
        Some(handle) => Some(Cow::Owned(handle_text(handle, summary().unwrap_or(&handle.summary)))),
        None => shown_value(&event.data).map(|(_, value)| value_text(Some(value))),
    };
    let mut said = [part("error"), part("errors")]
        .into_iter()
        .flatten()
        .map(|value| value_text(Some(value)))
        .chain(value)
        .filter(|text| !text.is_empty());
    let Some(first) = said.next() else { return Cow::Borrowed("") };
    said.fold(first, |text, more| Cow::Owned(format!("{text}\n{more}")))
}

/// What came of a call where no handle stands for it, and its key: a summary alone is all that is known of it.
pub(super) fn shown_value(data: &Map<String, Value>) -> Option<(&'static str, &Value)> {
    let part = |name: &'static str| Some((name, data.get(name).filter(|value| says_something(value))?));
    ["value", "artifact", "summary"].into_iter().find_map(part)
}

pub(super) fn says_something(value: &Value) -> bool {
    !value.is_null() && value.as_str() != Some("")
}

/// What stands in a content's place: its id in full, so that it can be fetched.
pub(crate) fn handle_text(handle: &ArtifactHandle, summary: &str) -> String {
    let ArtifactHandle { artifact_id, size_bytes, mime_type, .. } = handle;
    let gap = if summary.is_empty() { "" } else { "\n" };
    format!("[artifact {artifact_id}, {size_bytes} bytes, {mime_type}]{gap}{summary}")
}

/// What opens the fence of an event: where the data is from, and how its call ended if not well.
pub(crate) fn fence(event: &SessionEvent) -> String {
    let from = match event.kind {
        SessionEventKind::MemoryHit => format!("memory:{}", event.text("source")),
        SessionEventKind::ArtifactStored => "artifact".to_owned(),
        SessionEventKind::Compaction => "compaction".to_owned(),
        _ => format!("tool:{}", event.text("tool")),
    };
    fence_of(&from, &ending(event).map_or(String::new(), |status| format!(" status=\"{status}\"")))
}

/// How a call ended, if not well: as its event says by its kind, and where that is a success, by its status.
fn ending(event: &SessionEvent) -> Option<Cow<'_, str>> {
    let told = value_text(event.data.get("status"));
    match event.kind {
        kind if kind.ends_a_call() && told == "invalid" => Some(told),
        SessionEventKind::ToolError => Some("error".into()),
        SessionEventKind::ToolTimeout => Some("timeout".into()),
        SessionEventKind::ToolCancelled => Some("cancelled".into()),
        SessionEventKind::ToolDenied => Some("denied".into()),
        SessionEventKind::ToolSuccess if !WELL.contains(&told.trim().to_ascii_lowercase().as_str()) => {
            Some(plain(&told, MOST_STATUS).into())
        }
        _ => None,
    }
}

/// The statuses of a success that say nothing more.
const WELL: [&str; 6] = ["", "success", "ok", "completed", "done", "true"];
/// The most characters of a status.
const MOST_STATUS: usize = 32;

/// A name that stands in a tag.
fn plain(name: &str, most: usize) -> String {
    let plain = |one: char| {
        if one.is_control() || matches!(one, '"' | '<' | '>') { '_' } else { one }
    };
    name.chars().take(most).map(plain).collect()
}

/// What opens a fence of data from there.
pub(crate) fn fence_of(from: &str, status: &str) -> String {
    format!("<data from=\"{}\"{status}>\n", plain(from, 128))
}

/// Opens, text, closes.
pub(crate) fn fenced(open: &str, text: &str) -> String {
    format!("{open}{text}{CLOSE}")
}

/// The tokens of a fence that is opened so.
pub(crate) fn fence_tokens(open: &str, counts: &Counts) -> u64 {
    counts.of(open) + counts.of(CLOSE)
}

/// The text with what would close its fence made harmless.
pub(crate) fn safe(text: Cow<'_, str>) -> Cow<'_, str> {
    if !breaks(&text) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut done = 0;
    for at in closings(&text) {
        out.push_str(&text[done..at]);
        out.push_str("<\\/");
        done = at + 2;
    }
    out.push_str(&text[done..]);
    Cow::Owned(out)
}

fn breaks(text: &str) -> bool {
    closings(text).next().is_some()
}

fn closings(text: &str) -> impl Iterator<Item = usize> {
    let closes = |at: usize| text.get(at..at + 6).is_some_and(|tag| tag.eq_ignore_ascii_case("</data"));
    text.match_indices("</").map(|(at, _)| at).filter(move |at| closes(*at))
}

/// A text as it stands, any other value as JSON.
fn value_text(value: Option<&Value>) -> Cow<'_, str> {
    match value {
        None | Some(Value::Null) => Cow::Borrowed(""),
        Some(Value::String(text)) => Cow::Borrowed(text),
        Some(value) => Cow::Owned(value.to_string()),
    }
}

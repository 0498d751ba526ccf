//! What the model is sent: the blocks that it sees, inside the budget.

use std::collections::BTreeSet;
use std::sync::Arc;

use mentci_authority::{At, Role};
use mentci_chatmd::{Block, Element};
use mentci_context::{Counts, Session, SessionEventKind};
use serde_json::{Map, Value, json};

use crate::transcript::body_value;

/// What the model is sent of a document: block after block, by number, without what compactions hide.
pub(crate) struct Prompt {
    name: String,
    counts: Arc<Counts>,
    session: Session,
    /// Every block, with its text as the model reads it.
    blocks: Vec<(Block, String)>,
    hidden: BTreeSet<usize>,
    messages: u64,
}

impl Prompt {
    pub(crate) fn new(name: &str, counts: Arc<Counts>) -> Self {
        let session = Session::new(name, counts.clone());
        let (blocks, hidden) = Default::default();
        Self { name: name.to_owned(), counts, session, blocks, hidden, messages: 0 }
    }

    /// Takes in the next block; `text` is its body with what it embeds.
    pub(crate) fn take(&mut self, block: &Block, text: String) {
        let hides = (block.element() == Some(Element::Compaction)).then(|| block.value("hides")).flatten();
        self.blocks.push((block.clone(), text));
        if let Some(hides) = hides {
            self.hidden.extend(numbers(hides));
            self.rebuild();
        } else {
            let (block, text) = &self.blocks[self.blocks.len() - 1];
            self.messages += u64::from(show(&mut self.session, block, text));
        }
    }

    /// What was shown, without what is hidden; a summary stands where the first block that it hides stood.
    fn rebuild(&mut self) {
        self.session = Session::new(&self.name, self.counts.clone());
        self.messages = 0;
        let mut summaries: Vec<(usize, usize)> = Vec::new();
        for (at, (block, _)) in self.blocks.iter().enumerate() {
            if block.element() == Some(Element::Compaction) && !self.hidden.contains(&(at + 1)) {
                let first = numbers(block.value("hides").unwrap_or("")).min().unwrap_or(at + 1);
                summaries.push((first, at));
            }
        }
        for (at, (block, text)) in self.blocks.iter().enumerate() {
            for (_, summary) in summaries.iter().filter(|(first, _)| *first == at + 1) {
                let (block, text) = &self.blocks[*summary];
                self.messages += u64::from(show(&mut self.session, block, text));
            }
            if block.element() != Some(Element::Compaction) && !self.hidden.contains(&(at + 1)) {
                self.messages += u64::from(show(&mut self.session, block, text));
            }
        }
    }

    /// The tokens of what the model sees, without its frame.
    pub(crate) fn tokens(&self) -> u64 {
        self.session.total_tokens()
    }

    /// The messages that the model sees.
    pub(crate) fn messages(&self) -> u64 {
        self.messages
    }

    /// The blocks that the model sees, by number.
    pub(crate) fn shown(&self) -> impl Iterator<Item = (usize, &Block, &str)> {
        let numbered =
            self.blocks.iter().enumerate().map(|(at, (block, text))| (at + 1, block, text.as_str()));
        numbered.filter(|(number, block, _)| !self.hidden.contains(number) && is_shown(block))
    }

    /// The tokens of what the model would see, were these hidden and this said for them.
    pub(crate) fn would_take(&self, hides: &BTreeSet<usize>, summary: &str) -> u64 {
        let said = Block::new(Element::Compaction, [("hides", ranges(hides).as_str())], Some(summary));
        let mut then = Self::new(&self.name, self.counts.clone());
        (then.blocks, then.hidden) = (self.blocks.clone(), self.hidden.clone());
        then.take(&said, summary.to_owned());
        then.tokens()
    }

    /// The tokens of a text.
    pub(crate) fn count(&self, text: &str) -> u64 {
        self.counts.of(text)
    }
}

/// Whether the model sees a block.
pub(crate) fn is_shown(block: &Block) -> bool {
    match block.element() {
        Some(Element::Reasoning | Element::RuleEvent | Element::Note | Element::Summary) => false,
        element => element.is_some_and(Element::is_message),
    }
}

/// Shows a block; whether it is a message.
fn show(session: &mut Session, block: &Block, text: &str) -> bool {
    let Some((kind, data)) = event(block, text) else { return false };
    session.record(kind, data, At::default());
    true
}

fn event(block: &Block, text: &str) -> Option<(SessionEventKind, Map<String, Value>)> {
    if !is_shown(block) {
        return None;
    }
    let id = block.call_id().unwrap_or("");
    let said = |role: Role| (!text.is_empty()).then(|| json!({"role": role.name(), "text": text}));
    let (kind, data) = match (block.element()?, block.role()) {
        (Element::ToolCall, _) => {
            let args = if text.trim().is_empty() { json!({}) } else { body_value(text) };
            (
                SessionEventKind::ToolCall,
                json!({"call_id": id, "tool": block.tool_name().unwrap_or(""), "args": args}),
            )
        }
        (Element::ToolResponse, _) => answer(block, id, text),
        (Element::Compaction, _) => (SessionEventKind::Compaction, json!({"summary": text})),
        (_, Some(role @ Role::Assistant)) => (SessionEventKind::PhaseResult, said(role)?),
        (_, role) => (SessionEventKind::UserInput, said(role.unwrap_or(Role::User))?),
    };
    let Value::Object(data) = data else { return None };
    Some((kind, data))
}

fn answer(block: &Block, id: &str, text: &str) -> (SessionEventKind, Value) {
    let kind = match (block.value("denied"), block.value("status")) {
        (Some("cancelled"), _) => SessionEventKind::ToolCancelled,
        (Some(_), _) => SessionEventKind::ToolDenied,
        (None, Some("timeout")) => SessionEventKind::ToolTimeout,
        (None, Some("error" | "invalid")) => SessionEventKind::ToolError,
        _ => SessionEventKind::ToolSuccess,
    };
    let part = if kind == SessionEventKind::ToolSuccess { "value" } else { "error" };
    let mut data = json!({"call_id": id, "tool": block.tool_name().unwrap_or(""), part: text});
    if let (Some(artifact), Value::Object(data)) = (handle(block, text), &mut data) {
        data.remove(part);
        data.insert("artifact".to_owned(), artifact);
        data.insert("summary".to_owned(), text.into());
    }
    (kind, data)
}

/// The handle of a large output.
fn handle(block: &Block, text: &str) -> Option<Value> {
    let size: u64 = block.value("size")?.parse().ok()?;
    Some(json!({
        "artifact_id": block.value("artifact")?, "summary": text, "size_bytes": size,
        "mime_type": block.value("mime").unwrap_or("text/plain"), "created_at": 0.0,
        "source": format!("tool:{}", block.tool_name().unwrap_or("")),
    }))
}

/// `4-17,19`
pub(crate) fn numbers(hides: &str) -> impl Iterator<Item = usize> + '_ {
    hides.split(',').filter_map(range).flatten()
}

fn range(part: &str) -> Option<std::ops::RangeInclusive<usize>> {
    let (from, to) = part.trim().split_once('-').unwrap_or((part.trim(), part.trim()));
    let (from, to): (usize, usize) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
    // A range that a hand wrote is bounded by what a document can hold.
    (to - from.min(to) <= 1 << 24).then_some(from..=to)
}

/// The numbers as `4-17,19`.
pub(crate) fn ranges(numbers: &BTreeSet<usize>) -> String {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match parts.last_mut() {
            Some((_, to)) if *to + 1 == number => *to = number,
            _ => parts.push((number, number)),
        }
    }
    let part =
        |(from, to): &(usize, usize)| if from == to { from.to_string() } else { format!("{from}-{to}") };
    parts.iter().map(part).collect::<Vec<_>>().join(",")
}

//! A draft as messages: what is sent, and what that takes.

use mentci_authority::{ChatCall, ChatMessage, Role};

use super::draft::{Draft, JOIN, PENDING, View};
use super::shape::Block;
use super::working::{MemoryHit, ShownResult};
use super::{Added, Showing, WorkingContext};
use crate::session::{fence, fence_of, fence_tokens, fenced};

/// One message.
enum Laid<'d> {
    /// Texts of one role, and the calls that the model made with them.
    Said { role: Role, texts: Vec<usize>, calls: &'d [(usize, Option<usize>)] },
    /// Data.
    Data { item: usize },
    /// The answer to a call, if there is one.
    Answer { call: usize, answer: Option<usize> },
    /// A note that something is left out.
    Gap,
}

/// The tokens of a context by what they are for.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tally {
    /// What events say.
    pub(super) said: u64,
    pub(super) added: Added,
}

impl Tally {
    pub(super) fn total(&self) -> u64 {
        self.said + self.added.total()
    }
}

/// What a context takes: the same sum that [`render`] sends.
pub(super) fn tally(draft: &Draft<'_>, view: View) -> Tally {
    let overhead = draft.config.overhead;
    let memory = draft.memory.iter().map(|hit| hit.tokens + overhead.message).sum();
    let mut tally = Tally::default();
    tally.added.memory = memory;
    tally.added.system_prompt = draft.fixed.system_prompt;
    tally.added.tools = draft.fixed.tools;
    tally.added.frames = overhead.reply;
    for laid in lay(draft, view) {
        add(draft, view, &laid, &mut tally);
    }
    tally
}

fn add(draft: &Draft<'_>, view: View, laid: &Laid<'_>, tally: &mut Tally) {
    let frame = |item: usize| draft.entry(item).body.frame;
    tally.added.frames += draft.config.overhead.message;
    match laid {
        Laid::Said { texts, calls, .. } => {
            tally.said += texts.iter().map(|&item| draft.items[item].said).sum::<u64>();
            tally.added.frames += draft.fixed.join * texts.len().saturating_sub(1) as u64;
            tally.added.frames += texts.iter().map(|&item| draft.items[item].late).sum::<u64>();
            for &(call, _) in *calls {
                tally.said += draft.items[call].said;
                tally.added.frames += frame(call) + draft.config.overhead.call;
            }
        }
        Laid::Data { item } | Laid::Answer { answer: Some(item), .. } => {
            let showing = draft.items[*item].in_view(view);
            let shown = draft.cost(*item, showing).saturating_sub(frame(*item));
            tally.added.frames += frame(*item);
            match showing {
                Showing::Whole if draft.entry(*item).body.handle.is_none() => tally.said += shown,
                _ => tally.added.stand_ins += shown,
            }
        }
        Laid::Answer { call, answer: None } => tally.added.notes += pending_cost(draft, *call),
        Laid::Gap => tally.added.notes += gap_cost(draft, view),
    }
}

/// What stands for an open call, without the message's frame.
pub(super) fn pending_cost(draft: &Draft<'_>, call: usize) -> u64 {
    let body = &draft.entry(call).body;
    draft.fixed.pending + body.fence + body.frame
}

fn gap_cost(draft: &Draft<'_>, view: View) -> u64 {
    gap_tokens(draft, left_out(draft, view))
}

/// What the note takes that so much is left out, without the message's frame.
pub(super) fn gap_tokens(draft: &Draft<'_>, count: usize) -> u64 {
    draft.counts().of(&gap_text(count)) + fence_tokens(&fence_of("context", ""), draft.counts())
}

fn gap_text(count: usize) -> String {
    format!("earlier messages that are left out here: {count}")
}

/// How many blocks are left out: an answer that comes late does not change that.
fn left_out(draft: &Draft<'_>, view: View) -> usize {
    draft.shape.blocks.iter().filter(|block| leaves_a_gap(draft, block, view)).count()
}

/// Whether it is said that something is missing: nobody misses what a summary or another answer stands for.
fn leaves_a_gap(draft: &Draft<'_>, block: &Block, view: View) -> bool {
    draft.lost(block.first(), view).is_some()
}

fn lay<'d>(draft: &'d Draft<'_>, view: View) -> Vec<Laid<'d>> {
    let mut laid: Vec<Laid<'d>> = Vec::with_capacity(draft.shape.blocks.len());
    let mut has_gap = false;
    for block in &draft.shape.blocks {
        let showing = draft.items[block.first()].in_view(view);
        if matches!(showing, Showing::Dropped(_)) {
            if leaves_a_gap(draft, block, view) && !has_gap {
                laid.push(Laid::Gap);
                has_gap = true;
            }
            continue;
        }
        lay_block(draft, block, &mut laid);
    }
    laid
}

fn lay_block<'d>(draft: &'d Draft<'_>, block: &'d Block, laid: &mut Vec<Laid<'d>>) {
    match block {
        Block::Data { item } => laid.push(Laid::Data { item: *item }),
        Block::Text { item, role } => match laid.last_mut() {
            Some(Laid::Said { role: last, texts, calls: [] }) if draft.is_merged && last == role => {
                texts.push(*item);
            }
            _ => laid.push(Laid::Said { role: *role, texts: vec![*item], calls: &[] }),
        },
        Block::Step { calls: made } => {
            match laid.last_mut() {
                Some(Laid::Said { role: Role::Assistant, calls, .. })
                    if draft.is_merged && calls.is_empty() =>
                {
                    *calls = made;
                }
                _ => laid.push(Laid::Said { role: Role::Assistant, texts: Vec::new(), calls: made }),
            }
            laid.extend(made.iter().map(|&(call, answer)| Laid::Answer { call, answer }));
        }
    }
}

/// The context as it is sent.
pub(super) fn render(draft: &Draft<'_>, tally: &Tally) -> WorkingContext {
    let laid = lay(draft, View::Now);
    let mut results = Vec::new();
    let history: Vec<ChatMessage> = laid.iter().map(|laid| message(draft, laid, &mut results)).collect();
    WorkingContext {
        system_prompt: draft.config.system_prompt.clone(),
        stable: stable(&laid),
        history,
        memory_hits: memory(draft),
        artifact_refs: artifacts(draft, &laid),
        tool_results: results,
        token_count: tally.total(),
        budget: draft.budget(),
    }
}

/// The messages before the first one that a later event can change: a call that is open, or a last text that can grow.
fn stable(laid: &[Laid<'_>]) -> usize {
    let is_open = |laid: &Laid<'_>| match laid {
        Laid::Said { calls, .. } => calls.iter().any(|(_, answer)| answer.is_none()),
        _ => false,
    };
    let grows = matches!(laid.last(), Some(Laid::Said { .. }));
    laid.iter().position(is_open).unwrap_or(laid.len() - usize::from(grows))
}

fn message(draft: &Draft<'_>, laid: &Laid<'_>, results: &mut Vec<ShownResult>) -> ChatMessage {
    match laid {
        Laid::Said { role, texts, calls } => ChatMessage {
            role: role.name().to_owned(),
            content: (!texts.is_empty()).then(|| said(draft, texts)),
            tool_calls: calls.iter().map(|(call, _)| chat_call(draft, *call)).collect(),
            tool_call_id: None,
        },
        Laid::Data { item } => ChatMessage::said("user", shown(draft, *item)),
        Laid::Answer { call, answer } => {
            let event = &draft.entry(*call).event;
            results.push(result(draft, *call, *answer));
            let open = || fenced(&fence(event), PENDING);
            let content = answer.map_or_else(open, |answer| shown(draft, answer));
            let tool_call_id = Some(event.text("call_id").to_owned());
            ChatMessage { tool_call_id, ..ChatMessage::said("tool", content) }
        }
        Laid::Gap => {
            let text = gap_text(left_out(draft, View::Now));
            ChatMessage::said("user", fenced(&fence_of("context", ""), &text))
        }
    }
}

fn said(draft: &Draft<'_>, texts: &[usize]) -> String {
    let mut out = String::new();
    for (at, &item) in texts.iter().enumerate() {
        let entry = draft.entry(item);
        let text = entry.body.text(&entry.event);
        out.push_str(if at == 0 { "" } else { JOIN });
        let text = if draft.items[item].is_trimmed { text.trim() } else { &text };
        out.push_str(&if draft.items[item].late > 0 { ChatMessage::late(text) } else { text.into() });
    }
    out
}

fn chat_call(draft: &Draft<'_>, call: usize) -> ChatCall {
    let entry = draft.entry(call);
    let arguments = entry.body.text(&entry.event).into_owned();
    let (id, name) = (entry.event.text("call_id").to_owned(), entry.event.text("tool").to_owned());
    ChatCall { id, name, arguments }
}

/// What stands for an event between its fences.
fn shown(draft: &Draft<'_>, item: usize) -> String {
    let entry = draft.entry(item);
    let open = fence(&entry.event);
    match (&draft.items[item].outside, draft.items[item].now) {
        (Some(outside), showing @ (Showing::External | Showing::Cleared)) => {
            fenced(&open, &outside.text(entry, showing == Showing::External))
        }
        _ => fenced(&open, &entry.body.text(&entry.event)),
    }
}

fn result(draft: &Draft<'_>, call: usize, answer: Option<usize>) -> ShownResult {
    let event = &draft.entry(call).event;
    let now = answer.map_or(Showing::Pending, |answer| draft.items[answer].now);
    let stands_in = answer.is_some_and(|answer| draft.entry(answer).body.handle.is_some());
    // What the log moved out is shown as what is moved out here.
    let showing = if stands_in && now == Showing::Whole { Showing::External } else { now };
    ShownResult {
        event_id: answer.map(|answer| draft.entry(answer).event.event_id.clone()),
        call_id: event.text("call_id").to_owned(),
        tool: event.text("tool").to_owned(),
        showing,
        tokens: answer.map_or_else(|| pending_cost(draft, call), |answer| draft.cost(answer, now)),
    }
}

fn memory(draft: &Draft<'_>) -> Vec<MemoryHit> {
    let overhead = draft.config.overhead.message;
    let hits = draft.memory.iter().map(|hit| MemoryHit {
        source: hit.source.clone(),
        content: hit.content.clone(),
        score: hit.score,
        tokens: hit.tokens + overhead,
    });
    hits.collect()
}

/// The artifacts that the messages refer to, each once.
fn artifacts(draft: &Draft<'_>, laid: &[Laid<'_>]) -> Vec<mentci_authority::ArtifactHandle> {
    let mut seen = std::collections::BTreeSet::new();
    let items = laid.iter().filter_map(|laid| match laid {
        Laid::Data { item } | Laid::Answer { answer: Some(item), .. } => Some(*item),
        _ => None,
    });
    let handles = items.filter_map(|item| {
        let entry = draft.entry(item);
        match (&draft.items[item].outside, draft.items[item].now, &entry.body.handle) {
            (Some(outside), Showing::External | Showing::Cleared, _) => Some(outside.handle(entry)),
            (_, Showing::Whole, Some(handle)) => Some((**handle).clone()),
            _ => None,
        }
    });
    handles.filter(|handle| seen.insert(handle.artifact_id)).collect()
}

//! A transcript through rules: its own events, decided again.

use mentci_authority::{Event, Hook, Verdict};
use mentci_source::Source;
use serde::Serialize;

use super::{Happened, Step};
use crate::policy::{Answered, LogLine, OffsetAt, Outside, Rulebook, admit, replay};

/// What comes of one event of a transcript.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Replayed {
    /// The block that tells the event, by its number from 1.
    pub block: usize,
    /// The line on which the block starts.
    pub line: u32,
    /// The event.
    pub event: Hook,
    /// Its tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// What the rules make of it.
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// The events of a transcript as lines of a log. What only tells what a rule did is left out: rules do it again.
pub fn lines(steps: &[Step], session: &str, offset_at: &OffsetAt<'_>) -> Vec<LogLine> {
    let line = |step: &Step| {
        let Happened::Event { event, unanswered, .. } = &step.happened else { return None };
        let at =
            if step.at.offset_seconds == 0 { step.at.with_offset(offset_at(step.at.ms)) } else { step.at };
        let event = Event { session: session.to_owned(), at: Some(at), ..(**event).clone() };
        let answered = if *unanswered { Answered::No } else { Answered::Yes };
        Some(LogLine::Event(Box::new(admit(event)), answered))
    };
    steps.iter().filter(|step| step.is_decided()).filter_map(line).collect()
}

/// Decides the events of a transcript again, from the first one on. `starts` gives the byte at which a block starts.
pub fn replay_steps(
    rulebook: &Rulebook,
    (source, starts): (&Source, &[usize]),
    (steps, lines): (&[Step], &[LogLine]),
    outside: Outside<'_>,
) -> Vec<Replayed> {
    let decided = steps.iter().filter(|step| step.is_decided());
    let verdicts = replay(rulebook, lines, outside);
    let told = decided.zip(verdicts).filter_map(|(step, verdict)| {
        let event = step.event()?;
        let start = starts.get(step.block.wrapping_sub(1)).copied().unwrap_or_default();
        Some(Replayed {
            block: step.block,
            line: source.place(start).line,
            event: event.hook,
            tool: event.tool.as_ref().map(|tool| tool.name.clone()),
            verdict,
        })
    });
    told.collect()
}

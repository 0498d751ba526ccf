//! What became of every event and every token.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::AddAssign;

use mentci_authority::ArtifactId;
use serde::{Deserialize, Serialize};

use crate::SessionEventKind;

/// What became of every event and every token: kept in the context, in an artifact, shortened, or dropped with a reason.
///
/// For every event the parts add up to its tokens; the tokens that were kept and those that the form added add up to the
/// context's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DropLedger {
    /// The budget.
    pub budget: u64,
    /// The tokens of the context.
    pub token_count: u64,
    /// Every event, in order.
    pub events: Vec<LedgerEntry>,
    /// The tokens by kind of event.
    pub totals: BTreeMap<SessionEventKind, Totals>,
    /// The tokens of the context that no event said.
    pub added: Added,
    /// What was remembered, and what was not for want of room.
    pub memory: Vec<MemoryEntry>,
    /// What each processor did, in order.
    pub processors: Vec<ProcessorNote>,
}

/// What became of one event. Its parts add up to `tokens`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerEntry {
    /// Which.
    pub event_id: String,
    /// What it is.
    pub kind: SessionEventKind,
    /// The tokens of what it says.
    pub tokens: u64,
    /// Where they are.
    #[serde(flatten)]
    pub parts: Parts,
    /// Why tokens were dropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<DropReason>,
    /// The artifact that holds all it said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact: Option<ArtifactId>,
}

/// Where tokens are: each stands in one part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Parts {
    /// Those that stand in the context.
    pub kept: u64,
    /// Those that became an artifact, of which a summary stands in the context.
    pub external: u64,
    /// Those that were cleared: a placeholder with their handle stands in the context.
    pub cleared: u64,
    /// Those of which a compaction's summary stands in the context.
    pub summarised: u64,
    /// Those that are not in the context.
    pub dropped: u64,
}

impl Parts {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.named().into_iter().map(|(_, tokens)| tokens).sum()
    }

    fn named(&self) -> [(&'static str, u64); 5] {
        [
            ("kept", self.kept),
            ("external", self.external),
            ("cleared", self.cleared),
            ("summarised", self.summarised),
            ("dropped", self.dropped),
        ]
    }
}

impl AddAssign for Parts {
    fn add_assign(&mut self, other: Self) {
        self.kept += other.kept;
        self.external += other.external;
        self.cleared += other.cleared;
        self.summarised += other.summarised;
        self.dropped += other.dropped;
    }
}

/// Why tokens were dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DropReason {
    /// The end of a call, said again in the same words.
    Duplicate,
    /// White space around what was said.
    Whitespace,
    /// A compaction's summary stands for it.
    Compacted,
    /// An exchange between the first and the last ones.
    MiddleOfHistory,
    /// An exchange that was to be kept, and for which there was no room.
    NoRoom,
    /// A step of the newest exchange for which there was no room.
    OldStep,
    /// A processor of the library's user chose so.
    Chosen,
}

impl DropReason {
    /// `middle_of_history`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Duplicate => "duplicate",
            Self::Whitespace => "whitespace",
            Self::Compacted => "compacted",
            Self::MiddleOfHistory => "middle_of_history",
            Self::NoRoom => "no_room",
            Self::OldStep => "old_step",
            Self::Chosen => "chosen",
        }
    }
}

/// Sums over events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Totals {
    /// How many.
    pub events: u64,
    /// Their tokens.
    pub tokens: u64,
    /// Where they are.
    #[serde(flatten)]
    pub parts: Parts,
}

impl Totals {
    pub(super) fn add(&mut self, entry: &LedgerEntry) {
        self.events += 1;
        self.tokens += entry.tokens;
        self.parts += entry.parts;
    }
}

/// The tokens of the context that no event said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Added {
    /// The configured system prompt.
    pub system_prompt: u64,
    /// The schemas of tools.
    pub tools: u64,
    /// The frames of messages: roles, fences, ids, and the start of the answer.
    pub frames: u64,
    /// Summaries, handles and placeholders that stand for results.
    pub stand_ins: u64,
    /// What was remembered.
    pub memory: u64,
    /// Notes: what is left out, which calls are open.
    pub notes: u64,
}

impl Added {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.system_prompt + self.tools + self.frames + self.stand_ins + self.memory + self.notes
    }
}

/// What became of something that could be remembered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryEntry {
    /// Where it is from.
    pub source: String,
    /// How well it fits.
    pub score: f64,
    /// Its tokens, with its frame.
    pub tokens: u64,
    /// Whether it stands in the context; if not, there was no room.
    pub kept: bool,
}

/// What a processor did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessorNote {
    /// Its name.
    pub name: String,
    /// The tokens before.
    pub before: u64,
    /// The tokens after.
    pub after: u64,
    /// Whether it fits after.
    pub fits: bool,
}

impl DropLedger {
    /// The sums over all events.
    pub fn total(&self) -> Totals {
        let mut sum = Totals::default();
        self.events.iter().for_each(|entry| sum.add(entry));
        sum
    }

    /// The ledger as a table for people: sums by kind, what was added, what each processor did.
    pub fn to_table(&self) -> String {
        let mut out = String::new();
        let parts = Parts::default().named().map(|(name, _)| name);
        row(&mut out, "kind", &[&["events", "tokens"][..], &parts[..]].concat());
        for (kind, totals) in &self.totals {
            row(&mut out, kind.name(), &cells(totals));
        }
        row(&mut out, "total", &cells(&self.total()));
        let Added { system_prompt, tools, frames, stand_ins, memory, notes } = self.added;
        // OK because writing to a string cannot fail.
        let _ = writeln!(
            out,
            "\nadded: system prompt {system_prompt}, tools {tools}, frames {frames}, stand-ins {stand_ins}, \
             memory {memory}, notes {notes}"
        );
        for ProcessorNote { name, before, after, .. } in &self.processors {
            let _ = writeln!(out, "{name}: {before} -> {after}");
        }
        let _ = writeln!(out, "context: {} of {} tokens", self.token_count, self.budget);
        out
    }

    /// Every event as a line of a table for people.
    pub fn to_event_table(&self) -> String {
        let mut out = String::new();
        for entry in &self.events {
            let parts = entry.parts.named().into_iter().filter(|(_, tokens)| *tokens > 0);
            let mut parts: Vec<String> = parts.map(|(part, tokens)| format!("{part} {tokens}")).collect();
            if let Some(reason) = entry.reason {
                parts.push(reason.name().to_owned());
            }
            if let Some(artifact) = &entry.artifact {
                parts.push(format!("artifact {artifact}"));
            }
            // OK because writing to a string cannot fail.
            let _ = writeln!(
                out,
                "{}  {:<15} {:>8}  {}",
                entry.event_id,
                entry.kind.name(),
                entry.tokens,
                parts.join(", ")
            );
        }
        out
    }
}

fn cells(totals: &Totals) -> Vec<String> {
    let parts = totals.parts.named().into_iter().map(|(_, tokens)| tokens);
    [totals.events, totals.tokens].into_iter().chain(parts).map(|number| number.to_string()).collect()
}

fn row(out: &mut String, name: &str, cells: &[impl AsRef<str>]) {
    // OK because writing to a string cannot fail.
    let _ = write!(out, "{name:<15}");
    for cell in cells {
        let _ = write!(out, " {:>10}", cell.as_ref());
    }
    out.push('\n');
}

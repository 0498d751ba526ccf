//! A session's log as a working context inside a hard token budget.
//!
//! - **Session**: `Session` holds typed, ordered [`SessionEvent`]s with the tokens of each; `EvidencePack` proves that
//!   none was changed.
//! - **Compile**: `ContextCompiler` runs named processors over a session and gives a `WorkingContext` that fits, with a
//!   `DropLedger` that accounts for every event and every token; or it fails and says by how much.
//! - **Tool outputs**: a tool's answer is checked against its schema, redacted, summarised by its type, and moved into an
//!   artifact when it is large, before anything is kept of it.
//!
//! Pure: the same log and the same configuration give the same bytes. Time arrives in the events; counts, artifacts and tools
//! are handed in.

mod align;
mod compile;
mod evidence;
mod interrupt;
mod schema;
mod session;
mod summary;

pub use align::{AlignOptions, Aligned, AlignedStatus, PerceptionAligner, RedactedPart};
pub use compile::{
    Added, ArtifactAttacher, ArtifactLimits, CompactionLimits, Compactor, CompileConfig, CompileError,
    Compiled, ContextCompiler, Document, Draft, DropLedger, DropReason, Externalised, HistoryLimits,
    HistorySelector, LedgerEntry, Measure, MemoryEntry, MemoryHit, MemoryLimits, MemoryPreloader, OverPart,
    Overhead, Parts, Processor, ProcessorNote, Showing, ShownResult, Totals, WorkingContext, most_relevant,
};
pub use evidence::{BrokenEvidence, Evidence, EvidencePack, InclusionProof};
pub use interrupt::{
    GateAnswer, Timeouts, Timer, ToolEvent, ToolEventKind, ToolEvents, ToolGate, ToolInterruptHandler,
    mcp_answer,
};
pub use schema::{SchemaError, SchemaRegistry, Validation};
pub use session::{
    CountMemory, Counts, EventLog, NewEvent, SESSION_FORMAT, Session, SessionEvent, SessionEventKind,
    SessionFile, Take, events_of,
};
pub use summary::{ContentKind, Summary, summarize, summarize_bytes};

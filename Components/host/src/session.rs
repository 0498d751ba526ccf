//! The verbs of sessions: their events, the contexts made of them, and the artifacts beside them.

mod answer;
mod request;

pub use mentci_authority::ChatMessage;

pub use answer::{
    AlignedAnswer, ArtifactContent, ArtifactHits, ArtifactRow, ArtifactsAnswer, CollectedAnswer,
    ContextAnswer, ContextExplained, DemoAnswer, SessionEvents, SessionTotals, SessionVerified,
    SessionsAnswer,
};
pub use request::{ArtifactRequest, Content, ContextQuery, ContextRequest, Incoming, SessionRequest, part};

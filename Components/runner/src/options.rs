//! How a run is asked for.

use std::path::PathBuf;
use std::sync::Arc;

use mentci_authority::Model;
use mentci_source::Finding;
use mentci_workspace::Workspace;

use crate::{Audience, Cancel, Connect};

/// Who answers when a rule asks for an approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Approvals {
    /// The audience; where nobody answers, no.
    #[default]
    Ask,
    /// Yes, to every one.
    Grant,
    /// No, to every one.
    Deny,
}

/// How a run is asked for.
#[derive(Debug, Clone, Default)]
pub struct RunOptions {
    /// The document.
    pub file: PathBuf,
    /// Where the transcript is written: a copy of the document, made anew. In the document itself when absent.
    pub out: Option<PathBuf>,
    /// The model; the document's own when absent.
    pub model: Option<String>,
    /// The most tokens of a request; the document's, the configuration's, or 128,000 when absent.
    pub budget: Option<u64>,
    /// Who answers for people.
    pub approvals: Approvals,
    /// The most replies of the model in one exchange; the document's or 50 when absent.
    pub max_turns: Option<u64>,
    /// What the user says first.
    pub ask: Option<String>,
}

/// What a run is handed.
#[derive(Clone)]
pub struct Parts {
    /// The workspace: its rules, its budget, its artifacts.
    pub workspace: Arc<Workspace>,
    /// The model of a name.
    pub models: Models,
    /// Reaches servers of tools.
    pub connect: Arc<dyn Connect>,
    /// Who watches.
    pub audience: Arc<dyn Audience>,
    /// The stop signal.
    pub cancel: Cancel,
}

/// The model of a name, or of the configuration.
pub type Models = Arc<dyn Fn(Option<&str>) -> Result<Arc<dyn Model>, Finding> + Send + Sync>;

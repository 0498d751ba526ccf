//! What is asked about sessions.

use std::fmt;
use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};

use mentci_authority::ArtifactPart;
use serde::{Deserialize, Serialize};

use crate::policy::Input;

/// The verbs of sessions. A session is named by its id, or by a file of its events.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "session", rename_all = "snake_case", deny_unknown_fields)]
pub enum SessionRequest {
    /// Every session of the workspace's log. -> [`SessionsAnswer`](super::SessionsAnswer)
    List,
    /// What happened in one. -> [`SessionEvents`](super::SessionEvents)
    Show {
        /// Its id, or a file.
        of: String,
        /// Only the last so many events.
        #[serde(default)]
        last: Option<usize>,
    },
    /// Whether one is as it was written; otherwise outcome 1. -> [`SessionVerified`](super::SessionVerified)
    Verify {
        /// Its id, or an exported file.
        of: String,
        /// The Merkle root that it must have.
        #[serde(default)]
        root: Option<String>,
    },
    /// One as lines that `session import`, `replay` and `context compile` read. -> [`LinesAnswer`](crate::policy::LinesAnswer)
    Export {
        /// Its id.
        of: String,
        /// Leaves large content in the artifact store: lines hold handles.
        #[serde(default)]
        handles: bool,
        /// Writes the session's own events with what proves that none was changed, instead of what `replay` reads.
        #[serde(default)]
        evidence: bool,
    },
    /// Takes lines into the log. -> [`SessionsAnswer`](super::SessionsAnswer) of what came
    Import {
        /// The lines.
        events: Input,
        /// The session that they become; what they say of themselves when absent.
        #[serde(default)]
        into: Option<String>,
    },
}

/// The verbs of contexts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "context", rename_all = "snake_case", deny_unknown_fields)]
pub enum ContextRequest {
    /// A session as messages that fit. -> [`ContextAnswer`](super::ContextAnswer)
    Compile(ContextQuery),
    /// What became of each event, and why. -> [`ContextExplained`](super::ContextExplained)
    Explain(ContextQuery),
    /// A large tool output, moved out of the context and fetched back. -> [`DemoAnswer`](super::DemoAnswer)
    Demo {
        /// The budget in tokens.
        budget: u64,
    },
    /// A tool's output as a session would keep it: checked, redacted, summarised. -> [`AlignedAnswer`](super::AlignedAnswer)
    Align {
        /// The tool.
        tool: String,
        /// The output: JSON, or text.
        output: Input,
        /// The tools' schemas: the answer to MCP's `tools/list`, or a list of tools with `outputSchema`.
        #[serde(default)]
        schemas: Option<Input>,
    },
}

/// Which session, for whom, in how many tokens.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContextQuery {
    /// The session's id, or a file of its events.
    pub session: String,
    /// Only an id is meant: who asks names no files.
    #[serde(default)]
    pub is_id: bool,
    /// The budget in tokens; the configuration's when absent.
    #[serde(default)]
    pub budget: Option<u64>,
    /// The model that it is for: its tokenizer counts.
    #[serde(default)]
    pub model: Option<String>,
    /// The system prompt, before what the session itself holds.
    #[serde(default)]
    pub system: Option<Input>,
    /// The tools' schemas that are sent along: they count.
    #[serde(default)]
    pub tools: Option<Input>,
}

/// The verbs of artifacts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "artifact", rename_all = "snake_case", deny_unknown_fields)]
pub enum ArtifactRequest {
    /// Stores one. -> [`ArtifactsAnswer`](super::ArtifactsAnswer) of it
    Put {
        /// The content.
        content: Content,
        /// The session that holds it.
        session: String,
        /// Its type; guessed when absent.
        #[serde(default)]
        mime: Option<String>,
        /// Where it came from; `file:NAME` or `stdin` when absent.
        #[serde(default)]
        source: Option<String>,
        /// Stores it as it is, secrets and all.
        #[serde(default)]
        raw: bool,
    },
    /// Gives one back, or a part. -> [`ArtifactContent`](super::ArtifactContent)
    Get {
        /// Its id, or the start of it.
        id: String,
        /// Which part, as [`part`] reads it; all when absent.
        #[serde(default)]
        range: Option<String>,
        /// Only if this session holds it.
        #[serde(default)]
        session: Option<String>,
        /// The most bytes that are given at a time, in whole characters; all of the part when absent.
        #[serde(default)]
        most: Option<u64>,
    },
    /// Lists them. -> [`ArtifactsAnswer`](super::ArtifactsAnswer)
    List {
        /// Only those of this session.
        #[serde(default)]
        session: Option<String>,
    },
    /// Looks for words. -> [`ArtifactHits`](super::ArtifactHits)
    Search {
        /// What to look for.
        query: String,
        /// In this one: its id, or the start of it; in all when absent.
        #[serde(default)]
        id: Option<String>,
        /// Only in those of this session.
        #[serde(default)]
        session: Option<String>,
    },
    /// Keeps one whatever becomes of its sessions, or no longer. -> [`ArtifactsAnswer`](super::ArtifactsAnswer) of it
    Pin {
        /// Its id, or the start of it.
        id: String,
        /// Keeps it.
        pinned: bool,
    },
    /// Deletes what no recent session and no pin holds. A person's verb: never offered to an agent.
    /// -> [`CollectedAnswer`](super::CollectedAnswer)
    Collect {
        /// Sessions that were used within so many days keep what they hold; the configuration's when absent.
        #[serde(default)]
        keep_days: Option<u64>,
        /// Deletes nothing, and says what it would.
        #[serde(default)]
        dry_run: bool,
    },
}

impl ArtifactRequest {
    /// The session that it names.
    pub(crate) fn session(&self) -> Option<&str> {
        match self {
            Self::Put { session, .. } => Some(session),
            Self::Get { session, .. } | Self::List { session } | Self::Search { session, .. } => {
                session.as_deref()
            }
            Self::Pin { .. } | Self::Collect { .. } => None,
        }
    }
}

/// Bytes that a door has, or a file that it names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// A file.
    Path(String),
    /// Bytes, with the name of where they came from.
    Bytes {
        /// `<stdin>`.
        name: String,
        /// They.
        bytes: Vec<u8>,
    },
    /// What comes in, and is read as it is stored: a door's own, that no request on a wire has.
    #[serde(skip)]
    Incoming(Incoming),
}

/// Content that is still to be read, once.
#[derive(Clone)]
pub struct Incoming {
    /// `<stdin>`.
    pub name: String,
    from: Arc<Mutex<dyn Read + Send>>,
}

impl Incoming {
    /// What a reader gives, under the name of where it comes from.
    pub fn new(name: &str, from: impl Read + Send + 'static) -> Self {
        Self { name: name.to_owned(), from: Arc::new(Mutex::new(from)) }
    }
}

impl Read for Incoming {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        self.from.lock().unwrap_or_else(PoisonError::into_inner).read(to)
    }
}

impl fmt::Debug for Incoming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Incoming").field("name", &self.name).finish_non_exhaustive()
    }
}

impl PartialEq for Incoming {
    /// Two are the same where they read the same.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.from, &other.from)
    }
}

impl Eq for Incoming {}

/// The part that a text names: `0-1023` are the first 1,024 bytes, `lines:10-40` are 31 lines; `1000-` and `lines:10-` go on
/// to the end.
///
/// ```
/// use mentci_authority::ArtifactPart;
/// use mentci_host::session::part;
/// assert_eq!(part("0-1023"), Some(ArtifactPart::Bytes(0..1024)));
/// assert_eq!(part("lines:10-40"), Some(ArtifactPart::Lines(10..=40)));
/// assert_eq!(part("40-10"), None);
/// ```
pub fn part(text: &str) -> Option<ArtifactPart> {
    let (range, in_lines) = match text.strip_prefix("lines:") {
        Some(range) => (range, true),
        None => (text.strip_prefix("bytes:").unwrap_or(text), false),
    };
    let (first, last) = range.split_once('-')?;
    let first: u64 = first.trim().parse().ok()?;
    let last: u64 = if last.trim().is_empty() { u64::MAX } else { last.trim().parse().ok()? };
    if last < first || (in_lines && first == 0) {
        return None;
    }
    Some(if in_lines {
        ArtifactPart::Lines(first..=last)
    } else {
        ArtifactPart::Bytes(first..last.saturating_add(1))
    })
}

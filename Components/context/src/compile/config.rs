//! How a session is compiled.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How a session is compiled. The budget has no default: whoever compiles chooses it.
///
/// ```
/// use mentci_context::CompileConfig;
/// let config: CompileConfig = serde_json::from_str(r#"{"budget": 8000, "history": {"last": 4}}"#)?;
/// assert_eq!((config.budget, config.history.first, config.history.last), (8000, 1, 4));
/// assert!(serde_json::from_str::<CompileConfig>("{}").is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompileConfig {
    /// The most tokens of everything that is sent: messages with their frames, and the schemas of tools. 0 is an error.
    pub budget: u64,
    /// What stands first, in the system's role.
    #[serde(default)]
    pub system_prompt: String,
    /// The schemas of tools that are sent beside the messages.
    #[serde(default)]
    pub tools: Vec<Value>,
    /// The processors by name, in order.
    #[serde(default = "default_processors")]
    pub processors: Vec<String>,
    /// When a result becomes an artifact.
    #[serde(default)]
    pub artifacts: ArtifactLimits,
    /// Which results are cleared first.
    #[serde(default)]
    pub compaction: CompactionLimits,
    /// Which exchanges are kept longest.
    #[serde(default)]
    pub history: HistoryLimits,
    /// How much is remembered.
    #[serde(default)]
    pub memory: MemoryLimits,
    /// What the form of a request costs.
    #[serde(default)]
    pub overhead: Overhead,
    /// What can be remembered.
    #[serde(default)]
    pub documents: Vec<Document>,
}

/// A result of at least so many bytes, or so many tokens, becomes an artifact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ArtifactLimits {
    /// 1,024.
    pub min_bytes: usize,
    /// 300.
    pub min_tokens: u64,
}

impl Default for ArtifactLimits {
    fn default() -> Self {
        Self { min_bytes: 1_024, min_tokens: 300 }
    }
}

/// What is cleared under pressure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CompactionLimits {
    /// The newest results that are cleared last: 3.
    pub keep_results: usize,
    /// So many tokens can be added between one break of the cache and the next, at most half of the room; a tenth of the budget when
    /// not given.
    pub clear_at_least: Option<u64>,
}

impl Default for CompactionLimits {
    fn default() -> Self {
        Self { keep_results: 3, clear_at_least: None }
    }
}

/// The exchanges that are kept longest: a user's message and what follows up to the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HistoryLimits {
    /// From the start: 1.
    pub first: usize,
    /// Up to the newest: 6.
    pub last: usize,
}

impl Default for HistoryLimits {
    fn default() -> Self {
        Self { first: 1, last: 6 }
    }
}

/// How much is remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MemoryLimits {
    /// The most documents: 5.
    pub top_k: usize,
}

impl Default for MemoryLimits {
    fn default() -> Self {
        Self { top_k: 5 }
    }
}

/// The tokens that the form of a request costs, beside what is said: those of the chat models of `OpenAI`, and one more for
/// each message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Overhead {
    /// For each message: 4.
    pub message: u64,
    /// For each call of a tool, and each tool's schema: 8.
    pub call: u64,
    /// For the answer to begin: 3.
    pub reply: u64,
}

impl Default for Overhead {
    fn default() -> Self {
        Self { message: 4, call: 8, reply: 3 }
    }
}

/// Something that can be remembered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Where it is from: `runtime.edn:12`.
    pub source: String,
    /// What it says.
    pub text: String,
}

impl CompileConfig {
    /// The defaults inside this budget.
    pub fn new(budget: u64) -> Self {
        Self {
            budget,
            system_prompt: String::new(),
            tools: Vec::new(),
            processors: default_processors(),
            artifacts: ArtifactLimits::default(),
            compaction: CompactionLimits::default(),
            history: HistoryLimits::default(),
            memory: MemoryLimits::default(),
            overhead: Overhead::default(),
            documents: Vec::new(),
        }
    }

    /// The processors that are named when none are chosen, in order.
    pub const PROCESSORS: [&'static str; 4] =
        ["artifact_attacher", "compactor", "history_selector", "memory_preloader"];
}

fn default_processors() -> Vec<String> {
    CompileConfig::PROCESSORS.map(str::to_owned).into()
}

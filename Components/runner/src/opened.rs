//! What a document says of its run, set up.

mod agents;
mod broken;
mod embedder;
mod equipped;
mod markup;
mod pictures;
mod shared;

use mentci_authority::{ModelRequest, ToolSpec};
use mentci_chatmd::Config;
use mentci_context::CompileConfig;
use serde_json::json;

/// The budget of a run that names none.
pub(crate) const BUDGET: u64 = 128_000;
/// The most replies of the model in one exchange, where nobody says.
const MAX_TURNS: u64 = 50;
/// How often the model may make the same calls in a row.
const MAX_REPEATS: u64 = 5;

pub(crate) use agents::{AGENT_TIME, Asker};
pub(crate) use embedder::Embedder;
pub(crate) use equipped::{Opening, open};
pub(crate) use shared::{Held, Shared, may_write};

/// What bounds a run.
#[derive(Debug, Clone)]
pub(crate) struct Limits {
    pub(crate) budget: u64,
    pub(crate) max_turns: u64,
    pub(crate) max_repeats: u64,
    config: Config,
    compile: CompileConfig,
}

impl Limits {
    pub(crate) fn new(
        budget: Option<u64>,
        max_turns: Option<u64>,
        config: Config,
        compile: CompileConfig,
    ) -> Self {
        let own = config.budget.map(u64::from).or(Some(compile.budget).filter(|budget| *budget > 0));
        let budget = budget.or(own).unwrap_or(BUDGET);
        let max_turns = max_turns.or(config.max_turns.map(u64::from)).unwrap_or(MAX_TURNS);
        Self { budget, max_turns, max_repeats: MAX_REPEATS, config, compile }
    }

    /// The same, and no more than whoever asks may.
    fn within(self, asker: Option<&Asker>) -> Self {
        let (budget, max_turns) = asker.map_or((u64::MAX, u64::MAX), |asker| (asker.budget, asker.max_turns));
        Self { budget: self.budget.min(budget), max_turns: self.max_turns.min(max_turns), ..self }
    }

    pub(crate) fn compile_config(&self, tools: &[ToolSpec]) -> CompileConfig {
        let told = |tool: &ToolSpec| json!({"name": tool.name, "description": tool.description, "parameters": tool.input_schema});
        let tools = tools.iter().map(told).collect();
        CompileConfig { budget: self.budget, tools, ..self.compile.clone() }
    }

    /// A request as the document sets it, without what is asked.
    pub(crate) fn request(&self) -> ModelRequest {
        ModelRequest {
            max_tokens: self.config.max_tokens.map(u64::from),
            temperature: self.config.temperature,
            reasoning_effort: self.config.reasoning_effort.map(|effort| effort.name().to_owned()),
            ..ModelRequest::default()
        }
    }
}

//! Another document, run as a tool.

use std::path::PathBuf;
use std::sync::Arc;

use mentci_authority::{ToolAnswer, ToolCall, ToolFailure, ToolProvider, ToolSpec};
use serde_json::{Value, json};

use crate::Waiting;

/// Whoever runs other documents: the last answer of their model.
pub(crate) trait Agents: Send + Sync {
    /// Runs a document that is asked this.
    fn ask(&self, document: PathBuf, text: String) -> Waiting<'_, Result<String, ToolFailure>>;
}

/// A document as a tool.
pub(crate) struct AgentTool {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) document: PathBuf,
    pub(crate) agents: Arc<dyn Agents>,
}

impl ToolProvider for AgentTool {
    fn tools(&self) -> Vec<ToolSpec> {
        let input_schema = json!({
            "type": "object",
            "properties": {"input": {"type": "string", "description": "what the agent is asked"}},
            "required": ["input"],
        });
        let description = Some(self.description.clone());
        vec![ToolSpec { name: self.name.clone(), description, input_schema, output_schema: None }]
    }

    fn call<'a>(&'a self, call: &'a ToolCall) -> ToolAnswer<'a> {
        Box::pin(async move {
            let text = ["input", "text", "question"].into_iter().find_map(|key| call.args.get(key)?.as_str());
            let text = text.ok_or_else(|| ToolFailure::new("`input` is missing"))?.to_owned();
            self.agents.ask(self.document.clone(), text).await.map(Value::String)
        })
    }
}

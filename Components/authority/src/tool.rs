//! Tools as whoever runs them hands them in.

use std::fmt;
use std::pin::Pin;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ToolCall;

/// A tool, as an MCP `tools/list` tells of it.
///
/// ```
/// use mentci_authority::ToolSpec;
/// let told = r#"{"name": "echo", "inputSchema": {"type": "object"}, "outputSchema": {"type": "string"}}"#;
/// let tool: ToolSpec = serde_json::from_str(told)?;
/// assert_eq!((tool.name.as_str(), tool.output_schema.is_some()), ("echo", true));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// What it does, in its own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The JSON Schema of its arguments.
    #[serde(default)]
    pub input_schema: Value,
    /// The JSON Schema of its answers, when it gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
}

/// What a tool says when it fails: its own words, whatever they name. A tool that says `timeout` failed; it was not
/// stopped by us.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolFailure {
    /// What went wrong.
    pub message: String,
}

impl ToolFailure {
    /// A failure in these words.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl fmt::Display for ToolFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ToolFailure {}

/// A tool's answer on its way. Dropping it gives the call up.
pub type ToolAnswer<'a> = Pin<Box<dyn Future<Output = Result<Value, ToolFailure>> + Send + 'a>>;

/// Whoever has tools and runs them.
pub trait ToolProvider: Send + Sync {
    /// The tools that it has.
    fn tools(&self) -> Vec<ToolSpec>;

    /// Runs a tool. A plain text answer is a JSON string; an unknown tool is a failure.
    fn call<'a>(&'a self, call: &'a ToolCall) -> ToolAnswer<'a>;
}

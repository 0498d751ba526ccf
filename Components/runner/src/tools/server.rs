//! Servers of tools, reached by whoever knows their protocol.

use std::sync::Arc;

use mentci_authority::{ToolAnswer, ToolCall, ToolFailure, ToolProvider, ToolSpec};

use super::Pipes;
use crate::Waiting;

/// A server on its way.
pub type Connecting<'a> = Waiting<'a, Result<Arc<dyn ToolProvider>, ToolFailure>>;

/// Starts the program of a server anew: its pipes.
pub type Start = Arc<dyn Fn() -> Result<Pipes, ToolFailure> + Send + Sync>;

/// Whoever speaks the protocol of servers of tools.
pub trait Connect: Send + Sync {
    /// Reaches a server over the pipes of its program, which `start` starts: once, and once more when it died.
    fn over_pipes(&self, start: Start) -> Connecting<'_>;

    /// Reaches a server at an address.
    fn over_http<'a>(&'a self, url: &'a str) -> Connecting<'a>;
}

/// Some of a server's tools.
pub(crate) struct ServerTools {
    pub(crate) provider: Arc<dyn ToolProvider>,
    /// Only these; all, where it is empty.
    pub(crate) include: Vec<String>,
}

impl ToolProvider for ServerTools {
    fn tools(&self) -> Vec<ToolSpec> {
        let mut tools = self.provider.tools();
        tools.retain(|tool| self.include.is_empty() || self.include.contains(&tool.name));
        tools
    }

    fn call<'a>(&'a self, call: &'a ToolCall) -> ToolAnswer<'a> {
        self.provider.call(call)
    }
}

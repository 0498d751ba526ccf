//! Agents that rules run: a call like any other.

use serde_json::json;

use super::{Cause, Machine};
use crate::end::Stop;

/// The tool under which rules run agents.
pub(crate) const AGENT: &str = "agent";

impl Machine {
    /// Runs another document because a rule says so: policy is asked about a call of `agent`.
    pub(crate) async fn agent_by_rule(
        &mut self,
        cause: &Cause,
        rule: &str,
        src: &str,
        text: &str,
    ) -> Result<(), Stop> {
        self.call_by_rule(cause, rule, AGENT, json!({"src": src, "input": text})).await
    }
}

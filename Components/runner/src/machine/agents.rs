//! Agents that rules run: a call like any other, but for what it leads to.

use serde_json::json;

use super::calls::{Call, Runs};
use super::{Cause, Machine};
use crate::end::Stop;

/// How policy and transcripts name an agent that a rule runs. No tool answers to it.
const AGENT: &str = "agent";

impl Machine {
    /// Runs another document because a rule says so: policy is asked about a call of `agent`.
    pub(crate) async fn agent_by_rule(
        &mut self,
        cause: &Cause,
        rule: &str,
        src: &str,
        text: &str,
    ) -> Result<(), Stop> {
        let args = json!({"src": src, "input": text});
        self.call_by_rule(cause, rule, AGENT, args, Runs::Agent).await
    }
}

/// What an open call leads to: a rule's `agent` names a document.
pub(super) fn leads_to(call: &Call) -> Runs {
    let is_agent = call.via.is_some() && call.name == AGENT && call.args.get("src").is_some();
    if is_agent { Runs::Agent } else { Runs::Tool }
}

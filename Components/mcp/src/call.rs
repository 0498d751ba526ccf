//! One tool call: arguments -> request -> response -> result.

use std::sync::Arc;

use mentci_host::{Answer, Ask};
use rmcp::model::{CallToolResult, ContentBlock, JsonObject};

use crate::answering::on_a_thread;
use crate::arguments::Arguments;
use crate::caller::Caller;
use crate::said::{self, with_skills};
use crate::tool::ToolRow;

/// Calls a tool. A refusal and a panic are results too: the agent reads what to do.
pub(crate) async fn call(
    ask: Arc<dyn Ask>,
    row: &'static ToolRow,
    given: Option<JsonObject>,
    caller: Caller,
) -> CallToolResult {
    on_a_thread(move || answer(ask.as_ref(), row, given, &caller)).await.unwrap_or_else(|_| {
        refused(format!(
            "`{}` failed by a defect of the policy engine, and nothing was done\n  help: call it once more; if it fails again, \
             go on without it and tell the user to look at the server's log",
            row.name
        ))
    })
}

fn answer(
    ask: &dyn Ask,
    row: &'static ToolRow,
    given: Option<JsonObject>,
    caller: &Caller,
) -> CallToolResult {
    let mut arguments = match Arguments::read(row, given) {
        Ok(arguments) => arguments,
        Err(sentence) => return refused(sentence),
    };
    let response = ask.ask((row.request)(&mut arguments, caller));
    if matches!(response.answer, Answer::None {}) {
        return refused(said::refusal(&with_skills(ask, response.findings)));
    }
    let mut result = CallToolResult::success(vec![ContentBlock::text(said::text(&response))]);
    result.structured_content = Some(said::structured(&response));
    result
}

fn refused(sentence: String) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(sentence)])
}

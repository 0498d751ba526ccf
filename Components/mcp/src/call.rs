//! One tool call: arguments -> request -> response -> result.

use std::sync::Arc;

use mentci_host::{Answer, Ask, LessonList, LessonRequest, Request, Response, unknown_skill};
use mentci_source::Finding;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject};

use crate::answering::on_a_thread;
use crate::arguments::Arguments;
use crate::caller::Caller;
use crate::said::{self, with_skills};
use crate::skills::skills;
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
    let request = (row.request)(&mut arguments, caller);
    let mut response = ask.ask(request.clone());
    if let Some(finding) = no_such_skill(ask, &request, &response.answer) {
        response = Response::bad([finding]);
    }
    if is_nothing(&response.answer) {
        return refused(said::refusal(&with_skills(ask, response.findings)));
    }
    let blocks = said::texts(&response).into_iter().map(ContentBlock::text);
    let mut result = CallToolResult::success(blocks.collect());
    result.structured_content = row.is_structured().then(|| said::structured(&response));
    result
}

/// Nothing was answered, or nothing is meant by the ids that were named.
fn is_nothing(answer: &Answer) -> bool {
    match answer {
        Answer::None {} => true,
        Answer::Notifications(list) => list.notifications.is_empty(),
        _ => false,
    }
}

/// A list for a skill that is none would be empty, and an agent would take that for an answer.
fn no_such_skill(ask: &dyn Ask, request: &Request, answer: &Answer) -> Option<Finding> {
    let Request::Lessons(LessonRequest::List { skill: Some(name), .. }) = request else { return None };
    let Answer::Lessons(LessonList { lessons }) = answer else { return None };
    if !lessons.is_empty() {
        return None;
    }
    let known = skills(ask);
    let is_known = known.iter().any(|skill| skill.as_str() == name);
    (!is_known).then(|| unknown_skill(name, &known))
}

fn refused(sentence: String) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(sentence)])
}

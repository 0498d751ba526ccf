//! The tools that the gateway adds to the server's own, so that what became an artifact can be read.

use rmcp::model::JsonObject;
use serde_json::{Value, json};

use super::court::Court;
use crate::call::call;
use crate::caller::Caller;
use crate::tool::ToolRow;

/// Reads an artifact.
pub(super) const GET: &str = "mentci_get_artifact";
/// Searches artifacts.
pub(super) const SEARCH: &str = "mentci_search_artifacts";

/// The tool of this name, among those that are added.
pub(super) fn named(name: &str) -> Option<&'static ToolRow> {
    match name {
        GET => ToolRow::find("get_artifact"),
        SEARCH => ToolRow::find("search_artifacts"),
        _ => None,
    }
}

/// Adds them to the last page of a listing.
pub(super) fn add(listing: &mut Value) {
    if listing.get("nextCursor").is_some_and(|cursor| !cursor.is_null()) {
        return;
    }
    let Some(tools) = listing.get_mut("tools").and_then(Value::as_array_mut) else { return };
    for name in [GET, SEARCH] {
        let listed = named(name).and_then(|row| serde_json::to_value(row.listed()).ok());
        let is_taken = tools.iter().any(|tool| tool.get("name") == Some(&json!(name)));
        if let (Some(mut tool), false) = (listed, is_taken) {
            tool["name"] = name.into();
            tools.push(tool);
        }
    }
}

/// The answer to a call of one of them.
pub(super) async fn answer(court: &Court, row: &'static ToolRow, args: Value) -> Value {
    let given: Option<JsonObject> = match args {
        Value::Object(given) => Some(given),
        _ => None,
    };
    let caller = Caller { session: court.session().to_owned(), client: None };
    let result = call(court.ask().clone(), row, given, caller).await;
    serde_json::to_value(result).unwrap_or_default()
}

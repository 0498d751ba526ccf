//! The arguments of a call, as its block has them.

use mentci_chatmd::Block;
use serde_json::{Map, Value};

/// What a call's attributes say beside its arguments.
const OWN: &[&str] = &[
    "id",
    "tool_call_id",
    "name",
    "function_name",
    "status",
    "via_rule",
    "synthetic",
    "event",
    "at",
    "denied",
];

/// The arguments: the object in the body, or the attributes where there is no body. What the model wrote that is no object
/// stands as its text.
pub(super) fn arguments(block: &Block) -> Value {
    let text = block.text().into_string();
    match serde_json::from_str::<Value>(&text) {
        Ok(object @ Value::Object(_)) => object,
        _ if text.trim().is_empty() => Value::Object(attributes(block)),
        _ => Value::String(text),
    }
}

/// `<tool_call name="uppercase" text="Hello"/>`
fn attributes(block: &Block) -> Map<String, Value> {
    let others = block.attributes().iter().filter(|attribute| !OWN.contains(&attribute.name.as_str()));
    others.map(|attribute| (attribute.name.clone(), attribute.text().into())).collect()
}

//! An MCP server's answer to a call as a tool's answer.

use mentci_authority::ToolFailure;
use serde_json::Value;

/// What the `result` of an MCP `tools/call` says: its structured content when it has some, which is what an `outputSchema`
/// is about; else its text, or, when it holds more than text, its list of contents.
///
/// ```
/// use mentci_context::mcp_answer;
/// use serde_json::json;
/// let told = json!({"content": [{"type": "text", "text": "3"}], "structuredContent": {"n": 3}});
/// assert_eq!(mcp_answer(told), Ok(json!({"n": 3})));
/// assert_eq!(mcp_answer(json!({"content": [{"type": "text", "text": "hi"}]})), Ok(json!("hi")));
/// let failed = mcp_answer(json!({"content": [{"type": "text", "text": "no such file"}], "isError": true}));
/// assert_eq!(failed.unwrap_err().message, "no such file");
/// ```
///
/// # Errors
/// - [`ToolFailure`]: the tool says `isError`.
pub fn mcp_answer(mut result: Value) -> Result<Value, ToolFailure> {
    let is_error = result.get("isError").and_then(Value::as_bool).unwrap_or_default();
    let contents = result.get_mut("content").filter(|contents| contents.is_array()).map(Value::take);
    let text = contents.as_ref().and_then(all_text);
    if is_error {
        let message =
            text.unwrap_or_else(|| contents.map_or_else(String::new, |contents| contents.to_string()));
        return Err(ToolFailure::new(message));
    }
    let structured = result.get_mut("structuredContent").map(Value::take).filter(|value| !value.is_null());
    Ok(structured.or(text.map(Value::from)).or(contents).unwrap_or(result))
}

/// The texts of contents that are nothing but text.
fn all_text(contents: &Value) -> Option<String> {
    let text = |content: &Value| match content.get("type").and_then(Value::as_str) {
        Some("text") => content.get("text").and_then(Value::as_str).map(str::to_owned),
        _ => None,
    };
    let texts: Option<Vec<String>> = contents.as_array()?.iter().map(text).collect();
    Some(texts?.join("\n"))
}

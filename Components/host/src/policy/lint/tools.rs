//! The tools that there are, from their schemas.

use mentci_source::{Code, Finding, Source};
use serde_json::{Map, Value};

use super::{Arguments, Tools};

/// Reads tools from their schemas: a list, or an object with `tools`, as MCP's `tools/list` and the model APIs write them:
/// `name`, and the schema of the arguments under `inputSchema`, `input_schema` or `parameters`, also within `function`.
///
/// # Errors
/// A finding: it is no JSON, or no list of tools.
///
/// ```
/// use mentci_host::policy::read_tools;
/// use mentci_source::Source;
///
/// let list = r#"{"tools":[{"name":"exec","inputSchema":{"type":"object","properties":{"command":{}}}}, {"name":"ls"}]}"#;
/// let tools = read_tools(&Source::new("tools.json", list)).unwrap();
/// assert!(tools["exec"].as_ref().unwrap().contains_key("command"));
/// assert_eq!(tools["ls"], None);
/// assert!(read_tools(&Source::new("tools.json", "{}")).is_err());
/// ```
pub fn read_tools(source: &Source) -> Result<Tools, Finding> {
    let wrong = |message: String| {
        let finding = Finding::new(Code::RULE_VALUE, message).in_file(source.path());
        finding.help("write `[{\"name\": …, \"inputSchema\": …}]`, or an object with such a list as `tools`")
    };
    let value: Value =
        serde_json::from_str(source.text()).map_err(|error| wrong(format!("this is no JSON: {error}")))?;
    let list = value.as_array().or_else(|| value.get("tools")?.as_array());
    let list = list.ok_or_else(|| wrong("this is no list of tools".to_owned()))?;
    let named = list.iter().enumerate().map(|(at, tool)| {
        let tool = tool.get("function").unwrap_or(tool);
        let name = tool.get("name").and_then(Value::as_str);
        let name = name.ok_or_else(|| wrong(format!("tool {} has no `name`", at + 1)))?;
        Ok((name.to_owned(), arguments(tool)))
    });
    named.collect()
}

/// The arguments with their schemas, where the schema of all says that there are no others.
fn arguments(tool: &Value) -> Option<Arguments> {
    let schema = ["inputSchema", "input_schema", "parameters"].iter().find_map(|key| tool.get(key))?;
    let open = schema.get("additionalProperties").is_some_and(|more| *more != Value::Bool(false));
    let properties: &Map<String, Value> = schema.get("properties")?.as_object()?;
    (!open).then(|| properties.clone().into_iter().collect())
}

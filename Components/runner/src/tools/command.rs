//! A declared command as a tool: no shell reads it.

use std::path::PathBuf;

use mentci_authority::{ToolAnswer, ToolCall, ToolFailure, ToolProvider, ToolSpec};
use mentci_host::transcript::command_line;
use serde_json::{Value, json};

use super::process::{Ran, run};

/// A command that a document declares. The model's arguments come after its words.
#[derive(Debug, Clone)]
pub(crate) struct CommandTool {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) words: Vec<String>,
    pub(crate) folder: PathBuf,
    pub(crate) schema: Option<Value>,
}

impl ToolProvider for CommandTool {
    fn tools(&self) -> Vec<ToolSpec> {
        let schema = self.schema.clone().unwrap_or_else(|| {
            json!({
                "type": "object",
                "properties": {"arguments": {
                    "type": "array", "items": {"type": "string"},
                    "description": format!("what comes after `{}`, word by word; no shell reads it", self.words.join(" ")),
                }},
            })
        });
        let description = Some(self.description.clone());
        vec![ToolSpec { name: self.name.clone(), description, input_schema: schema, output_schema: None }]
    }

    fn call<'a>(&'a self, call: &'a ToolCall) -> ToolAnswer<'a> {
        Box::pin(async move {
            let words = command_line(&self.words, &call.args).map_err(ToolFailure::new)?;
            answer(&run(&words, &self.folder).await?)
        })
    }
}

fn answer(ran: &Ran) -> Result<Value, ToolFailure> {
    let mut text = String::from_utf8_lossy(&ran.output).into_owned();
    let errors = String::from_utf8_lossy(&ran.errors);
    if !errors.trim().is_empty() {
        let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        text = format!("{text}{gap}{errors}");
    }
    if ran.is_cut {
        text.push_str("\n[the rest of the output is left out]");
    }
    let text = text.trim_end().to_owned();
    match ran.code {
        Some(0) => Ok(Value::String(text)),
        Some(code) => Err(ToolFailure::new(format!("it ended with code {code}\n{text}").trim_end())),
        None => Err(ToolFailure::new(format!("it was ended by a signal\n{text}").trim_end())),
    }
}

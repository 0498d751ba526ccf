//! A request as the model sees it, in plain text: what a script's expectations are held against.

use std::fmt::Write;

use mentci_authority::ModelRequest;

/// All that a request shows a model, as lines of text: no escapes, so that words are found as they were written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown(String);

impl Shown {
    /// What this request shows.
    ///
    /// ```
    /// use mentci_authority::{ChatMessage, ModelRequest};
    /// let request = ModelRequest { messages: vec![ChatMessage::said("user", "say \"hi\"")], ..Default::default() };
    /// assert!(mentci_model::Shown::of(&request).holds("user: say \"hi\""));
    /// ```
    pub fn of(request: &ModelRequest) -> Self {
        // Writing into a string does not fail.
        let mut text = String::new();
        for tool in &request.tools {
            let description = tool.description.as_deref().unwrap_or_default();
            let _ = writeln!(text, "tool {}: {description} {}", tool.name, tool.input_schema);
        }
        if let Some(schema) = &request.answer_schema {
            let mode = if request.json_mode { " in JSON mode" } else { "" };
            let _ = writeln!(text, "answer schema{mode}: {schema}");
        }
        for message in &request.messages {
            let content = message.content.as_deref().unwrap_or_default();
            let _ = writeln!(text, "{}: {content}", message.role);
            for call in &message.tool_calls {
                let _ = writeln!(text, "call {} {}", call.name, call.arguments);
            }
        }
        Self(text)
    }

    /// Whether this stands in it.
    pub fn holds(&self, text: &str) -> bool {
        self.0.contains(text)
    }

    /// Its length.
    pub(crate) fn bytes(&self) -> usize {
        self.0.len()
    }
}

/// How many replies of the model stand before the one that is asked for.
pub(crate) fn turn(request: &ModelRequest) -> usize {
    let counted = || request.messages.iter().filter(|message| message.role == "assistant").count();
    request.turn.map_or_else(counted, |turn| usize::try_from(turn).unwrap_or(usize::MAX))
}

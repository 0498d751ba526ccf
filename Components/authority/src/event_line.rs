//! Events as lines of JSON, with the text of a result as it came.

use serde_json::Value;

use crate::{Event, Hook, HookName, ToolCall, ToolStatus, json_text, told_text};

impl Event {
    /// The event as a line. Where the text of its arguments, or of its result's value, says more than what was read of it, the text
    /// stands there.
    ///
    /// ```
    /// use mentci_authority::Event;
    /// let line = r#"{"event":"post_tool_response","tool":{"name":"t","args":{"n":1.0}},"result":{"value":{"version":1.10}}}"#;
    /// let event = Event::from_line(line)?;
    /// assert_eq!(event.result.as_ref().unwrap().value["version"], 1.1);
    /// assert!(event.to_line()?.contains(r#"{"value":{"version":1.10}}"#));
    /// let call = Event::from_line(r#"{"event":"pre_tool_call","tool":{"name":"t","args":{"price":1.10}}}"#)?;
    /// assert!(call.to_line()?.contains(r#"{"args":{"price":1.10}"#));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ///
    /// # Errors
    /// What cannot be written, of which there is nothing: events are plain data with text keys.
    pub fn to_line(&self) -> serde_json::Result<String> {
        // Breaks stand between values alone: in a string they are written otherwise.
        let line = |text: &str| text.replace(['\n', '\r'], " ");
        let args = self.told_args.as_deref().filter(|_| self.tool.is_some()).map(line);
        let value = self.result.as_ref().and_then(|result| result.told.as_deref()).map(line);
        if args.is_none() && value.is_none() {
            return serde_json::to_string(self);
        }
        let (args, value) = (args.map(|text| (ARGS, text)), value.map(|text| (VALUE, text)));
        let texts: Vec<_> = args.into_iter().chain(value).collect();
        Ok(spliced(&serde_json::to_value(self)?, &[], &texts))
    }

    /// Whether a text of it says more than what was read.
    pub fn has_text(&self) -> bool {
        self.told_args.is_some() || self.result.as_ref().is_some_and(|result| result.told.is_some())
    }

    /// The event of a line, [completed](Self::complete).
    ///
    /// # Errors
    /// The line is no event.
    pub fn from_line(line: &str) -> serde_json::Result<Self> {
        let mut event: Self = serde_json::from_str(line)?;
        event.complete(line);
        Ok(event)
    }

    /// Adds to an event that was read what else its line says: the texts of its arguments and of its result's value where they say
    /// more than what was read of them, which call it answers where only its `context` does, and how a call ended where the
    /// event's name alone does.
    pub fn complete(&mut self, line: &str) {
        const NAMES: [&str; 3] = ["args", "arguments", "input"];
        if let Some(tool) = self.tool.as_ref().filter(|tool| !tool.args.is_string()) {
            let text = NAMES.iter().find_map(|name| json_text(line, &["tool", name]));
            self.told_args = text.and_then(|text| told_text(text, &tool.args));
        }
        if let Some(result) = &mut self.result {
            result.keep_text(line);
        }
        let success = self.answer_of_context();
        self.end_as_named(line);
        let ended = |success| if success { ToolStatus::Success } else { ToolStatus::Error };
        if let Some((tool, success)) = self.tool.as_mut().filter(|tool| tool.status.is_none()).zip(success) {
            tool.status = Some(ended(success));
        }
    }

    /// An answer whose call stands in its context alone answers that one; what that says of how it ended is given.
    fn answer_of_context(&mut self) -> Option<bool> {
        let told =
            self.context.as_ref().filter(|_| self.hook == Hook::PostToolResponse && self.tool.is_none());
        let result = told?.get("result")?;
        let name = result.get("tool_name")?.as_str().filter(|name| !name.is_empty())?;
        let success = result.get("success").and_then(Value::as_bool);
        self.tool = Some(ToolCall { name: name.to_owned(), ..ToolCall::default() });
        success
    }

    /// An answer that says by its name alone how it ended, `on_tool_failure`, ended so.
    fn end_as_named(&mut self, line: &str) {
        let result = self.result.as_ref();
        let told = result.is_some_and(|result| result.status.is_some() || result.error.is_some());
        let told = told || self.tool.as_ref().is_some_and(|tool| tool.status.is_some());
        if self.hook != Hook::PostToolResponse || told {
            return;
        }
        let Ok(Named { event: name }) = serde_json::from_str(line) else { return };
        let status = HookName::parse(&name).and_then(|name| name.statuses.first().copied());
        match (&mut self.tool, status) {
            (Some(tool), status) => tool.status = status,
            (None, Some(_)) => self.result.get_or_insert_default().status = status,
            (None, None) => {}
        }
    }
}

/// The name of an event, as its line has it.
#[derive(serde::Deserialize)]
struct Named {
    #[serde(alias = "hook")]
    event: String,
}

/// Where texts stand in an event.
const ARGS: &[&str] = &["tool", "args"];
const VALUE: &[&str] = &["result", "value"];

/// A value as JSON, with these texts in the places of what stands under their paths; it stands itself under `at`.
fn spliced(value: &Value, at: &[&str], texts: &[(&[&str], String)]) -> String {
    if let Some((_, text)) = texts.iter().find(|(path, _)| *path == at) {
        return text.clone();
    }
    let is_above = texts.iter().any(|(path, _)| path.starts_with(at));
    let Some(map) = value.as_object().filter(|_| is_above) else { return value.to_string() };
    let field = |(key, value): (&String, &Value)| {
        let under = [at, &[key.as_str()]].concat();
        format!("{}:{}", Value::from(key.as_str()), spliced(value, &under, texts))
    };
    let fields: Vec<String> = map.iter().map(field).collect();
    format!("{{{}}}", fields.join(","))
}

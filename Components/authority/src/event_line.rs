//! Events as lines of JSON, with the text of a result as it came.

use serde_json::Value;

use crate::Event;

impl Event {
    /// The event as a line. Where the text of its result's value says more than what was read of it, the text stands there.
    ///
    /// ```
    /// use mentci_authority::Event;
    /// let line = r#"{"event":"post_tool_response","tool":{"name":"t"},"result":{"value":{"version":1.10}}}"#;
    /// let event = Event::from_line(line)?;
    /// assert_eq!(event.result.as_ref().unwrap().value["version"], 1.1);
    /// assert!(event.to_line()?.contains(r#"{"value":{"version":1.10}}"#));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ///
    /// # Errors
    /// What cannot be written, of which there is nothing: events are plain data with text keys.
    pub fn to_line(&self) -> serde_json::Result<String> {
        match self.result.as_ref().and_then(|result| result.told.as_deref()) {
            // Breaks stand between values alone: in a string they are written otherwise.
            Some(told) => {
                let told = told.replace(['\n', '\r'], " ");
                Ok(spliced(&serde_json::to_value(self)?, &["result", "value"], &told))
            }
            None => serde_json::to_string(self),
        }
    }

    /// The event of a line, with the text of its result's value where that says more than what is read of it.
    ///
    /// # Errors
    /// The line is no event.
    pub fn from_line(line: &str) -> serde_json::Result<Self> {
        let mut event: Self = serde_json::from_str(line)?;
        if let Some(result) = &mut event.result {
            result.keep_text(line);
        }
        Ok(event)
    }
}

/// A value as JSON, with this text in the place of what stands under the path.
fn spliced(value: &Value, path: &[&str], text: &str) -> String {
    let (Some((wanted, rest)), Some(map)) = (path.split_first(), value.as_object()) else {
        return text.to_owned();
    };
    let field = |(key, value): (&String, &Value)| {
        let value = if key == wanted { spliced(value, rest, text) } else { value.to_string() };
        format!("{}:{value}", Value::from(key.as_str()))
    };
    let fields: Vec<String> = map.iter().map(field).collect();
    format!("{{{}}}", fields.join(","))
}

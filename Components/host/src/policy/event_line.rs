//! One line of a log: what JSON lets pass and an event must not hold.

use mentci_authority::{Event, Hook, ToolCall, inexact};
use mentci_source::is_hidden;
use serde::de::Error;
use serde_json::Value;

use crate::Unambiguous;

/// Reads an event. Of a key that stands twice a rule would read one value and the tool perhaps the other; a name with
/// characters that do not show looks like another name; a call without its tool is about nothing that a rule could name.
///
/// # Errors
/// What is wrong, with its place in the line where JSON tells it.
pub(super) fn event(text: &str) -> serde_json::Result<Event> {
    serde_json::from_str::<Unambiguous>(text)?;
    if text.trim_start().starts_with('[') {
        return Err(serde_json::Error::custom("an event is a map, and this is a list"));
    }
    let event = Event::from_line(text)?;
    match problem(&event) {
        Some(problem) => Err(serde_json::Error::custom(problem)),
        None => Ok(event),
    }
}

/// How long a session's name may be, in bytes: it stands in every line of the log, and in addresses of the page.
pub const MOST_SESSION: usize = 1_024;

/// What keeps a text from being a session's name, wherever it is given one: characters that do not show, or too many.
///
/// ```
/// use mentci_host::policy::session_problem;
/// assert_eq!(session_problem("größe 1"), None);
/// assert_eq!(session_problem("s1\n").unwrap(), "`session` holds characters that do not show: `s1\\n`");
/// assert_eq!(session_problem(&"s".repeat(1_025)).unwrap(), "`session` is longer than 1024 bytes");
/// ```
pub fn session_problem(name: &str) -> Option<String> {
    let long = name.len() > MOST_SESSION;
    long.then(|| format!("`session` is longer than {MOST_SESSION} bytes")).or_else(|| hidden("session", name))
}

fn hidden(what: &str, name: &str) -> Option<String> {
    let hides = name.chars().any(is_hidden);
    hides.then(|| format!("`{what}` holds characters that do not show: `{}`", name.escape_debug()))
}

/// What an event must not hold, however it was told: names with characters that do not show, a call without its tool.
pub fn problem(event: &Event) -> Option<String> {
    let nameless = event.tool_name().trim().is_empty() && (event.tool.is_some() || event.context.is_none());
    if event.hook == Hook::PreToolCall && nameless {
        return Some("`pre_tool_call` needs `tool` with its `name`".to_owned());
    }
    // Arguments may come as the text of an object.
    let written = event
        .tool
        .as_ref()
        .and_then(|tool| if let Value::String(text) = &tool.args { Some(text) } else { None });
    let twice = written
        .and_then(|text| serde_json::from_str::<Unambiguous>(text).err())
        .filter(serde_json::Error::is_data);
    let context = event.context.as_ref().filter(|context| !context.is_object());
    session_problem(&event.session)
        .or_else(|| hidden("tool.name", event.tool_name()))
        .or_else(|| context.map(|_| "`context` must be a map".to_owned()))
        .or_else(|| twice.map(|error| format!("in `tool.args` {error}")))
        .or_else(|| rounded(event.tool.as_ref().filter(|_| event.hook == Hook::PreToolCall)?))
}

/// A number in the arguments of a call of which digits were lost in reading it.
fn rounded(tool: &ToolCall) -> Option<String> {
    let written = tool.args.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let number = inexact(&tool.args).or_else(|| inexact(written.as_ref()?))?;
    let about = number.as_f64().unwrap_or_default();
    Some(format!(
        "`tool.args` holds a number about {about:e}, of which digits are lost: a tool is told such a number as text"
    ))
}

#[cfg(test)]
mod tests {
    use mentci_authority::ToolStatus;

    use super::*;

    #[test]
    fn an_answer_ended_as_it_is_named() {
        for (text, status) in [
            (r#"{"event":"on_tool_failure","tool":{"name":"t"}}"#, Some(ToolStatus::Error)),
            (r#"{"hook":"on_tool_failure","tool":{"name":"t"},"result":"x"}"#, Some(ToolStatus::Error)),
            (
                r#"{"event":"on_tool_failure","tool":{"name":"t","status":"timeout"}}"#,
                Some(ToolStatus::Timeout),
            ),
            (r#"{"event":"on_tool_failure","tool":{"name":"t"},"result":{"error":"e"}}"#, None),
            (r#"{"event":"on_tool_complete","tool":{"name":"t"}}"#, Some(ToolStatus::Success)),
            (r#"{"event":"post_tool_response","tool":{"name":"t"}}"#, None),
            (
                r#"{"event":"on_tool_complete","context":{"result":{"tool_name":"t","success":true}}}"#,
                Some(ToolStatus::Success),
            ),
            (
                r#"{"event":"post_tool_response","context":{"result":{"tool_name":"t","success":false}}}"#,
                Some(ToolStatus::Error),
            ),
            (
                r#"{"event":"on_tool_failure","context":{"result":{"tool_name":"t"}}}"#,
                Some(ToolStatus::Error),
            ),
        ] {
            assert_eq!(event(text).unwrap().tool.unwrap().status, status, "{text}");
        }
    }

    #[test]
    fn an_answer_that_names_no_call_ended_as_it_is_named() {
        for (text, status) in [
            (r#"{"event":"on_tool_failure","context":{"history":{}}}"#, Some(ToolStatus::Error)),
            (r#"{"event":"on_tool_complete","result":"x"}"#, Some(ToolStatus::Success)),
            (r#"{"event":"on_tool_complete"}"#, Some(ToolStatus::Success)),
            (r#"{"event":"post_tool_response","context":{"result":null}}"#, None),
        ] {
            assert_eq!(event(text).unwrap().result.and_then(|result| result.status), status, "{text}");
        }
    }

    #[test]
    fn what_an_event_must_not_hold() {
        for (text, said) in [
            (r#"["turn_start"]"#, "an event is a map, and this is a list"),
            (
                r#"{"event":"turn_start","at":99999999999999999999}"#,
                "`9223372036854775807` milliseconds since 1970 are",
            ),
            (r#"{"event":"pre_tool_call","tool":["exec"]}"#, "invalid type: sequence, expected a map"),
            (r#"{"event":"turn_start","usage":[1]}"#, "invalid type: sequence, expected a map"),
            (r#"{"event":"turn_start","message":["user"]}"#, "invalid type: sequence, expected a map"),
            (
                r#"{"event":"pre_tool_call","tool":{"name":"exec","args":{"command":"ls","command":"rm"}}}"#,
                "the key `command` stands twice at line 1 column ",
            ),
            (
                r#"{"event":"pre_tool_call","tool":{"name":"exec","args":[{"a":{"b":1,"b":1}}]}}"#,
                "the key `b` stands twice at line 1 column ",
            ),
            (
                r#"{"event":"pre_tool_call","tool":{"name":"exec","args":"{\"command\":\"ls\",\"command\":\"rm\"}"}}"#,
                "in `tool.args` the key `command` stands twice at line 1 column ",
            ),
            (
                r#"{"event":"pre_tool_call","session":"s1\n","tool":{"name":"exec"}}"#,
                "`session` holds characters that do not show: `s1\\n`",
            ),
            (
                r#"{"event":"pre_tool_call","tool":{"name":"ex\u202eec"}}"#,
                "`tool.name` holds characters that do not show: `ex\\u{202e}ec`",
            ),
            (
                r#"{"event":"pre_tool_call","tool":{"name":"pay","args":{"n":[123456789012345678901234567890]}}}"#,
                "`tool.args` holds a number about 1.2345678901234568e29, of which digits are lost",
            ),
            (
                r#"{"event":"pre_tool_call","tool":{"name":"pay","args":"{\"n\":18446744073709551616}"}}"#,
                "`tool.args` holds a number about 1.8446744073709552e19, of which digits are lost",
            ),
            (
                r#"{"event":"pre_tool_call","tool":{"name":"pay","args":{"n":-9223372036854775809}}}"#,
                "`tool.args` holds a number about -9.223372036854776e18, of which digits are lost",
            ),
            (r#"{"event":"turn_start","context":[]}"#, "`context` must be a map"),
            (r#"{"event":"on_tool_call"}"#, "`pre_tool_call` needs `tool` with its `name`"),
            (
                r#"{"event":"pre_tool_call","tool":{"name":" "}}"#,
                "`pre_tool_call` needs `tool` with its `name`",
            ),
        ] {
            let told = event(text).unwrap_err().to_string();
            assert!(told.starts_with(said), "{told}\n{text}");
        }
        let named = |length: usize| format!(r#"{{"event":"turn_start","session":"{}"}}"#, "s".repeat(length));
        assert!(event(&named(MOST_SESSION)).is_ok());
        let told = event(&named(MOST_SESSION + 1)).unwrap_err().to_string();
        assert!(told.starts_with("`session` is longer than 1024 bytes"), "{told}");
        for text in [
            r#"{"event":"pre_tool_call","tool":{"name":"exec","args":{"a":{"x":1},"b":{"x":1}}}}"#,
            r#"{"event":"pre_tool_call","tool":{"name":"exec","args":"echo {not json"}}"#,
            r#"{"event":"pre_tool_call","tool":{"name":"pay","args":{"n":18446744073709551615,"m":-9223372036854775808,"x":1e18}}}"#,
            r#"{"event":"on_tool_call","context":{}}"#,
            r#"{"event":"turn_start","session":"größe 1"}"#,
        ] {
            assert!(event(text).is_ok(), "{text}");
        }
    }
}

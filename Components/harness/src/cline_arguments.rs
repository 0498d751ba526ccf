//! What Cline hands its tools: lists that may be told as their JSON text, and the tools of servers behind one of its own.
//!
//! Its shell takes a list of commands where all others take one text: rules are told `command`, a line each, so that one about
//! `command` is about Cline's too.

use std::borrow::Cow;

use serde_json::{Value, json};

use crate::server_tool::{by_two_lines, named};

/// The arguments that are lists, and that older payloads tell as their JSON text.
const LISTS: [&str; 4] = ["commands", "files", "paths", "queries"];
/// The tool through which older versions call those of servers.
const SERVERS: &str = "use_mcp_tool";

/// A call in our words: its name, and its arguments. `told` is what Cline says of them.
pub(crate) fn in_our_words<'n>(name: &'n str, told: &Value) -> (Cow<'n, str>, Value) {
    let told = whole(told);
    match behind(name, &told) {
        Some((server, tool, args)) => (named(server, tool).into(), whole(args)),
        None => (by_two_lines(name), one_command(lists(told))),
    }
}

/// Arguments as Cline takes them, in the shape in which it told others.
pub(crate) fn in_its_words(name: &str, args: Value, told: &Value) -> Value {
    let read = whole(told);
    let args = match behind(name, &read) {
        Some((_, _, inner)) => {
            let mut outer = read.clone();
            outer["arguments"] = as_text(args, inner);
            outer
        }
        None => listed(args, &read),
    };
    as_text(args, told)
}

/// A value that may be told as its JSON text.
fn whole(told: &Value) -> Value {
    let read = told.as_str().and_then(|text| serde_json::from_str(text).ok());
    read.filter(Value::is_object).unwrap_or_else(|| told.clone())
}

/// A value as its JSON text, where another was told so.
fn as_text(value: Value, told: &Value) -> Value {
    if told.is_string() && !value.is_string() { value.to_string().into() } else { value }
}

/// The server, the tool and the arguments of a call of a server's tool.
fn behind<'t>(name: &str, told: &'t Value) -> Option<(&'t str, &'t str, &'t Value)> {
    let text = |key: &str| told.get(key)?.as_str().filter(|text| !text.is_empty());
    let is_servers = name == SERVERS;
    is_servers.then(|| Some((text("server_name")?, text("tool_name")?, told.get("arguments")?)))?
}

/// Lists that are told as text, as lists.
fn lists(mut args: Value) -> Value {
    for name in LISTS {
        if let Some(value) = args.get_mut(name)
            && let Some(list) = list(value)
        {
            *value = list.into();
        }
    }
    args
}

fn list(value: &Value) -> Option<Vec<Value>> {
    serde_json::from_str(value.as_str()?).ok()
}

/// Arguments with `command`, a line for each of `commands`; as they are where they are not texts alone.
fn one_command(mut args: Value) -> Value {
    let Some(fields) = args.as_object_mut().filter(|fields| !fields.contains_key("command")) else {
        return args;
    };
    let lines: Option<Vec<&str>> = match fields.get("commands") {
        Some(Value::Array(all)) => all.iter().map(Value::as_str).collect(),
        Some(Value::String(line)) => Some(vec![line]),
        _ => None,
    };
    let Some(command) = lines.filter(|lines| !lines.is_empty()).map(|lines| lines.join("\n")) else {
        return args;
    };
    fields.remove("commands");
    fields.insert("command".to_owned(), command.into());
    args
}

/// The same as Cline takes them. Commands that were a line each are so again; where one had several they run as one.
fn listed(mut args: Value, told: &Value) -> Value {
    let Some(fields) = args.as_object_mut() else { return args };
    let commands = told.get("commands").filter(|_| told.get("command").is_none());
    if let Some(commands) = commands
        && let Some(Value::String(command)) = fields.remove("command")
    {
        let read = commands.as_array().cloned().or_else(|| list(commands));
        let lines: Vec<&str> = command.split('\n').collect();
        let again = match read {
            None => command.clone().into(),
            Some(read) if read.len() == lines.len() => json!(lines),
            Some(_) => json!([command]),
        };
        fields.insert("commands".to_owned(), again);
    }
    for name in LISTS {
        if let (Some(value), Some(told)) = (fields.get_mut(name), told.get(name)) {
            *value = as_text(value.take(), told);
        }
    }
    args
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_told_in_our_words_and_handed_back_in_its_own() {
        for (name, told, ours, args) in [
            ("run_commands", json!({"commands": ["a", "b"]}), "run_commands", json!({"command": "a\nb"})),
            (
                "run_commands",
                json!({"commands": "[\"a\", \"b\"]"}),
                "run_commands",
                json!({"command": "a\nb"}),
            ),
            ("run_commands", json!({"commands": "a; b"}), "run_commands", json!({"command": "a; b"})),
            ("run_commands", json!("{\"commands\": [\"a\"]}"), "run_commands", json!({"command": "a"})),
            (
                "run_commands",
                json!({"commands": [{"command": "a"}]}),
                "run_commands",
                json!({"commands": [{"command": "a"}]}),
            ),
            (
                "run_commands",
                json!({"command": "a", "commands": "[\"b\"]"}),
                "run_commands",
                json!({"command": "a", "commands": ["b"]}),
            ),
            (
                "read_files",
                json!({"files": "[{\"path\": \"a\"}]"}),
                "read_files",
                json!({"files": [{"path": "a"}]}),
            ),
            (
                "write_to_file",
                json!({"path": "a", "content": "[1]"}),
                "write_to_file",
                json!({"path": "a", "content": "[1]"}),
            ),
            ("fs__write_note", json!({"text": "a"}), "mcp__fs__write_note", json!({"text": "a"})),
            (
                "use_mcp_tool",
                json!({"server_name": "fs", "tool_name": "write", "arguments": "{\"a\":1}"}),
                "mcp__fs__write",
                json!({"a": 1}),
            ),
            (
                "use_mcp_tool",
                json!({"server_name": "fs", "tool_name": "write", "arguments": {"a": 1}}),
                "mcp__fs__write",
                json!({"a": 1}),
            ),
            ("use_mcp_tool", json!({"server_name": "fs"}), "use_mcp_tool", json!({"server_name": "fs"})),
        ] {
            let (read, read_args) = in_our_words(name, &told);
            assert_eq!((&*read, &read_args), (ours, &args), "{told}");
            let back = in_its_words(name, read_args, &told);
            // The same, but for spaces in what is told as text.
            let bare = |value: &Value| value.to_string().replace(' ', "");
            assert_eq!(bare(&back), bare(&told));
        }
    }
}

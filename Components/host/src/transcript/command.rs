//! The commands that a document declares as tools, and the words that a call of one runs.

use std::collections::BTreeMap;

use mentci_chatmd::{Block, Element, command_words};
use serde_json::Value;

/// The commands that a document declares, by the tool's name.
#[derive(Debug, Clone, Default)]
pub(super) struct Commands {
    words: BTreeMap<String, Vec<String>>,
}

impl Commands {
    /// Takes up what a block declares: `<tool name="log" command="git log"/>`.
    pub(super) fn read(&mut self, block: &Block) {
        if block.element() != Some(Element::Tool) {
            return;
        }
        if let (Some(name), Some(command)) = (block.value("name"), block.value("command"))
            && let Ok(words) = command_words(command)
        {
            self.add(name.trim(), &words);
        }
    }

    /// The first declaration of a name stands.
    pub(super) fn add(&mut self, name: &str, words: &[String]) {
        self.words.entry(name.to_owned()).or_insert_with(|| words.to_vec());
    }

    /// The words that a call runs; none where the tool is no command. Of arguments that the tool refuses, what was declared.
    pub(super) fn of(&self, name: &str, args: &Value) -> Vec<String> {
        let Some(words) = self.words.get(name) else { return Vec::new() };
        command_line(words, args).unwrap_or_else(|_| words.clone())
    }
}

/// The words that a declared command runs: those that were declared, then those that the call adds. No shell reads them.
///
/// # Errors
/// Why the arguments are no list of words.
///
/// ```
/// use mentci_host::transcript::command_line;
/// let words = command_line(&["git".to_owned()], &serde_json::json!({"arguments": ["log", "-1"]}));
/// assert_eq!(words.unwrap(), ["git", "log", "-1"]);
/// ```
pub fn command_line(words: &[String], args: &Value) -> Result<Vec<String>, String> {
    let told = ["arguments", "args", "command", "input"].into_iter().find_map(|key| args.get(key));
    let mut words = words.to_vec();
    match told {
        None | Some(Value::Null) => {}
        Some(Value::Array(items)) => words.extend(items.iter().map(word).collect::<Result<Vec<_>, _>>()?),
        Some(Value::String(text)) if text.trim().is_empty() => {}
        Some(Value::String(text)) => words.extend(command_words(text).map_err(|error| {
            format!("{error}; give `arguments` as a list, one word each: no shell reads them")
        })?),
        Some(_) => return Err("`arguments` is a list of words".to_owned()),
    }
    Ok(words)
}

fn word(value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) if text.contains('\0') => Err("a word holds a zero byte".to_owned()),
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(value) => Ok(value.to_string()),
        _ => Err("`arguments` is a list of words".to_owned()),
    }
}

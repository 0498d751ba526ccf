//! The actions that a script may ask for.

use mentci_authority::{DeliverAt, NotifyPriority};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::script::Asked;

/// An action that a script asked for, checked.
#[derive(Debug, Clone, PartialEq)]
pub enum AskedAction {
    /// Something to tell the agent.
    Notify {
        /// What.
        message: String,
        /// A word for grouping.
        category: String,
        /// How urgent.
        priority: NotifyPriority,
        /// When the agent reads it.
        deliver_at: DeliverAt,
    },
    /// An action under its canonical name, with its fields as outcomes list them.
    Fields(&'static str, Value),
    /// Something to be kept.
    SetState {
        /// Under which name.
        key: String,
        /// What.
        value: Value,
    },
}

/// What is wrong with an action that a script asked for, if something is: a rule that asks the script has a fault then.
pub fn asked_problem(asked: &Asked) -> Option<String> {
    AskedAction::read(asked).err()
}

const NAMES: &str = "`notify_self`, `log`, `set_state` and `emit_event`";

impl AskedAction {
    /// Reads `{"type": "notify_self", "message": …, …}` and its kin.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub(crate) fn read(asked: &Asked) -> Result<Self, String> {
        let fields = Fields(asked);
        match asked.get("type").and_then(Value::as_str).unwrap_or_default() {
            "notify_self" | "notify" => fields.notify(),
            "log" => fields.log(),
            "set_state" | "set" => {
                fields.only(&["key", "value"])?;
                let value = asked.get("value").cloned().unwrap_or_default();
                Ok(Self::SetState { key: fields.needed("key")?, value })
            }
            "emit_event" | "emit" => {
                fields.only(&["event", "payload"])?;
                let payload = asked.get("payload").cloned().unwrap_or_default();
                Ok(Self::Fields("emit", json!({"event": fields.needed("event")?, "payload": payload})))
            }
            "" => Err(format!("an action that a script asks for needs a `type`: {NAMES}")),
            other => {
                let other = other.escape_debug().to_string();
                Err(format!("a script asked for an action `{other}`: it may ask for {NAMES}"))
            }
        }
    }
}

struct Fields<'a>(&'a Asked);

impl Fields<'_> {
    fn notify(&self) -> Result<AskedAction, String> {
        self.only(&["message", "category", "priority", "deliver_at"])?;
        Ok(AskedAction::Notify {
            priority: self.word("priority")?,
            deliver_at: self.word("deliver_at")?,
            category: self.text("category")?.unwrap_or("info").to_owned(),
            message: self.needed("message")?,
        })
    }

    fn log(&self) -> Result<AskedAction, String> {
        self.only(&["level", "message"])?;
        let level = match self.text("level")?.unwrap_or("info") {
            "warning" => "warn",
            level @ ("trace" | "debug" | "info" | "warn" | "error") => level,
            other => return Err(format!("`{}` is no level of a log", other.escape_debug())),
        };
        Ok(AskedAction::Fields("log", json!({"level": level, "message": self.needed("message")?})))
    }

    fn only(&self, known: &[&str]) -> Result<(), String> {
        let unknown = self.0.keys().find(|key| *key != "type" && !known.contains(&key.as_str()));
        let said = |key: &String| {
            let key = key.escape_debug().to_string();
            format!("an action that a script asks for has no `{key}`: it has `{}`", known.join("`, `"))
        };
        unknown.map_or(Ok(()), |key| Err(said(key)))
    }

    fn text(&self, key: &str) -> Result<Option<&str>, String> {
        match self.0.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(format!("the `{key}` of an action that a script asks for is no text")),
        }
    }

    fn needed(&self, key: &str) -> Result<String, String> {
        let text = self.text(key)?.filter(|text| !text.is_empty());
        text.map(str::to_owned).ok_or_else(|| format!("an action that a script asks for needs a `{key}`"))
    }

    fn word<T: DeserializeOwned + Default>(&self, key: &str) -> Result<T, String> {
        let Some(word) = self.text(key)? else { return Ok(T::default()) };
        let read = serde_json::from_value(Value::from(word));
        read.map_err(|_| format!("`{}` is no {key}", word.escape_debug()))
    }
}

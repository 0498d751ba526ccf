//! What a script may read.

use std::sync::Arc;

use serde_json::Value;

/// The facts that are globals as well: `turn` is `context.turn`.
pub const ALIASES: &[&str] = &[
    "event",
    "history",
    "parameters",
    "plugin",
    "project",
    "result",
    "sender",
    "session",
    "state",
    "tool",
    "turn",
    "user",
];

/// What a script may read as `context`: named values, asked for one by one, only when the script reads them.
///
/// A JSON object is facts; a host that builds a fact only when it is read keeps it in a `OnceLock`.
pub trait Facts: Send + Sync {
    /// The names that [`Facts::fact`] answers.
    fn names(&self) -> Vec<&str>;
    /// The fact of a name. Asked again it must answer the same.
    fn fact(&self, name: &str) -> Option<&Value>;
    /// The lists in a fact that is an object whose items other facts hold as well, such as the calls of a session: each
    /// item is converted once, for as long as somebody holds it. They stand beside the object's own fields.
    fn lists(&self, _fact: &str) -> &[List] {
        &[]
    }
}

/// A list by the name of its field, with the items that are shared.
pub type List = (&'static str, Vec<Arc<Value>>);

impl Facts for Value {
    fn names(&self) -> Vec<&str> {
        self.as_object().into_iter().flat_map(serde_json::Map::keys).map(String::as_str).collect()
    }

    fn fact(&self, name: &str) -> Option<&Value> {
        self.get(name)
    }
}

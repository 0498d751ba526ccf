//! Messages as models are sent them.

use std::borrow::Cow;

use serde::{Deserialize, Serialize, Serializer};

/// One message, in the form of chat completions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatMessage {
    /// `system`, `developer`, `user`, `assistant`, `tool`.
    pub role: String,
    /// What it says; none when the model only called tools.
    pub content: Option<String>,
    /// The tools that the model called.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ChatCall>,
    /// The call that it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
}

impl ChatMessage {
    /// Something said in this role.
    pub fn said(role: &str, content: impl Into<String>) -> Self {
        let role = role.to_owned();
        Self { role, content: Some(content.into()), tool_calls: Vec::new(), tool_call_id: None }
    }

    /// What opens a text of the system or the developer in the midst of a conversation: many models take one at the beginning
    /// alone, and read it in a user's message then.
    pub const LATE_OPEN: &str = "<developer>\n";
    /// What closes it.
    pub const LATE_CLOSE: &str = "\n</developer>";

    /// A text of the system or the developer in the midst of a conversation, between its tags. One that stands between them
    /// stays as it is.
    ///
    /// ```
    /// use mentci_authority::ChatMessage;
    /// let late = ChatMessage::late("Be brief.");
    /// assert_eq!(late, "<developer>\nBe brief.\n</developer>");
    /// assert_eq!(ChatMessage::late(&late), late);
    /// ```
    pub fn late(text: &str) -> Cow<'_, str> {
        let inner = text.strip_prefix(Self::LATE_OPEN);
        if inner.is_some_and(|inner| inner.ends_with(Self::LATE_CLOSE)) {
            return Cow::Borrowed(text);
        }
        Cow::Owned(format!("{}{text}{}", Self::LATE_OPEN, Self::LATE_CLOSE))
    }
}

/// A call in a message: `{"id", "type": "function", "function": {"name", "arguments"}}` on the wire.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "WireCall")]
pub struct ChatCall {
    /// What ties the answer to it.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments as JSON text.
    pub arguments: String,
}

#[derive(Serialize, Deserialize)]
struct WireCall {
    id: String,
    r#type: String,
    function: WireFunction,
}

#[derive(Serialize, Deserialize)]
struct WireFunction {
    name: String,
    arguments: String,
}

impl Serialize for ChatCall {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { id, name, arguments } = self.clone();
        WireCall { id, r#type: "function".to_owned(), function: WireFunction { name, arguments } }
            .serialize(serializer)
    }
}

impl From<WireCall> for ChatCall {
    fn from(wire: WireCall) -> Self {
        Self { id: wire.id, name: wire.function.name, arguments: wire.function.arguments }
    }
}

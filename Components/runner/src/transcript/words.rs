//! The blocks that a run writes, and what is asked of blocks.

use mentci_authority::Role;
use mentci_chatmd::{Block, Element};
use serde_json::Value;

/// A block to be written: an element, its attributes, its text.
#[derive(Debug, Clone)]
pub(crate) struct Said {
    element: Element,
    attributes: Vec<(&'static str, String)>,
    text: Option<String>,
}

impl Said {
    pub(crate) fn new(element: Element) -> Self {
        Self { element, attributes: Vec::new(), text: None }
    }

    /// A message that a rule wrote.
    pub(crate) fn inserted(whose: Role, rule: &str) -> Self {
        let element = match whose {
            Role::System => Element::System,
            Role::User => Element::User,
            Role::Assistant => Element::Assistant,
            Role::Developer | Role::Tool => Element::Developer,
        };
        Self::new(element).by_rule(rule)
    }

    /// What a rule did that the model does not see.
    pub(crate) fn rule_event(kind: &str, rule: &str, event: &str) -> Self {
        Self::new(Element::RuleEvent).with("type", kind).with("rule", rule).with("event", event)
    }

    /// A remark for readers.
    pub(crate) fn note(kind: &str, text: &str) -> Self {
        Self::new(Element::Note).with("type", kind).text(text)
    }

    pub(crate) fn by_rule(self, rule: &str) -> Self {
        self.with("synthetic", "true").with("via_rule", rule)
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.attributes.push((name, value.into()));
        self
    }

    pub(crate) fn text(mut self, text: impl Into<String>) -> Self {
        self.text = Some(text.into());
        self
    }

    pub(crate) fn block(&self) -> Block {
        let attributes = self.attributes.iter().map(|(name, value)| (*name, value.as_str()));
        Block::new(self.element, attributes, self.text.as_deref())
    }
}

/// A block's attributes by name.
pub(crate) fn attributes(block: &Block) -> impl Iterator<Item = (&str, &str)> {
    block.attributes().iter().map(|attribute| (attribute.name.as_str(), attribute.text()))
}

/// Whether a person wrote it to the model: what an exchange begins with.
pub(crate) fn is_user(block: &Block) -> bool {
    block.role() == Some(Role::User) && !block.is_synthetic()
}

/// Whether the model wrote it.
pub(crate) fn is_reply(block: &Block) -> bool {
    let by_model = matches!(block.element(), Some(Element::Reasoning | Element::ToolCall))
        || (block.role() == Some(Role::Assistant));
    by_model && !block.is_synthetic()
}

/// The type of a rule event that tells what agents reserved of a quota.
pub(crate) const RESERVED: &str = "reserved";

/// Whether it tells what agents reserved of a quota.
pub(crate) fn is_reserved(block: &Block) -> bool {
    block.element() == Some(Element::RuleEvent) && block.value("type") == Some(RESERVED)
}

/// What a text says as a tool's answer: the value of a JSON object or list, else the text itself.
pub(crate) fn body_value(text: &str) -> Value {
    let value = Some(text).filter(|text| text.trim_start().starts_with(['{', '[']));
    let value = value.and_then(|text| serde_json::from_str(text).ok());
    value.unwrap_or_else(|| Value::String(text.to_owned()))
}

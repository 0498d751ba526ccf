//! The names that are elements; every other `<name>` is text.

use mentci_authority::Role;

/// An element of ChatMD. Names outside this list are text, so that `Vec<u8>` and `<thinking>` stand as they are.
///
/// ```
/// use mentci_chatmd::Element;
/// assert_eq!(Element::find("tool_call"), Some(Element::ToolCall));
/// assert_eq!(Element::find("u8"), None);
/// assert!(Element::User.is_message() && !Element::Rules.is_message());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Element {
    /// The system prompt.
    System,
    /// What the developer says.
    Developer,
    /// What the user says.
    User,
    /// What the model answers.
    Assistant,
    /// A message whose `role` says whose it is.
    Msg,
    /// A call that the model makes.
    ToolCall,
    /// What the call returned.
    ToolResponse,
    /// What the model thought.
    Reasoning,
    /// A summary of reasoning.
    Summary,
    /// What a compaction left.
    Compaction,
    /// What a rule did that the model does not see: a variable that it set, a trace.
    RuleEvent,
    /// A remark for readers of the transcript; the model does not see it.
    Note,
    /// Settings of the model.
    Config,
    /// A tool that the agent may call.
    Tool,
    /// Another document's declarations.
    Import,
    /// Rules for events.
    Rules,
    /// Constraints of tools.
    Policy,
    /// What another agent answers, in place.
    Agent,
    /// A file's text, in place.
    Doc,
    /// A picture, in place.
    Img,
}

/// What may stand in an element's body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// Text alone: whatever looks like an element is text.
    Verbatim,
    /// Text, with these elements in it.
    Prose(&'static [Element]),
    /// Elements of any name, and nothing else.
    Structure,
}

const EMBEDDED: &[Element] = &[Element::Doc, Element::Img, Element::Agent, Element::Import];

impl Element {
    /// Every element.
    pub const ALL: [Self; 20] = [
        Self::System,
        Self::Developer,
        Self::User,
        Self::Assistant,
        Self::Msg,
        Self::ToolCall,
        Self::ToolResponse,
        Self::Reasoning,
        Self::Summary,
        Self::Compaction,
        Self::RuleEvent,
        Self::Note,
        Self::Config,
        Self::Tool,
        Self::Import,
        Self::Rules,
        Self::Policy,
        Self::Agent,
        Self::Doc,
        Self::Img,
    ];

    /// `tool_call`: the name in tags.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Developer => "developer",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Msg => "msg",
            Self::ToolCall => "tool_call",
            Self::ToolResponse => "tool_response",
            Self::Reasoning => "reasoning",
            Self::Summary => "summary",
            Self::Compaction => "compaction",
            Self::RuleEvent => "rule_event",
            Self::Note => "note",
            Self::Config => "config",
            Self::Tool => "tool",
            Self::Import => "import",
            Self::Rules => "rules",
            Self::Policy => "policy",
            Self::Agent => "agent",
            Self::Doc => "doc",
            Self::Img => "img",
        }
    }

    /// The element of this name, in lower case as in tags.
    pub fn find(name: &str) -> Option<Self> {
        // Written out: each `<` of a text is asked.
        Some(match name {
            "system" => Self::System,
            "developer" => Self::Developer,
            "user" => Self::User,
            "assistant" => Self::Assistant,
            "msg" => Self::Msg,
            "tool_call" => Self::ToolCall,
            "tool_response" => Self::ToolResponse,
            "reasoning" => Self::Reasoning,
            "summary" => Self::Summary,
            "compaction" => Self::Compaction,
            "rule_event" => Self::RuleEvent,
            "note" => Self::Note,
            "config" => Self::Config,
            "tool" => Self::Tool,
            "import" => Self::Import,
            "rules" => Self::Rules,
            "policy" => Self::Policy,
            "agent" => Self::Agent,
            "doc" => Self::Doc,
            "img" => Self::Img,
            _ => return None,
        })
    }

    /// Whether it is a part of the conversation: a message, a call, what a run wrote. The first of them ends the head,
    /// except for what the system and the developer say.
    pub fn is_message(self) -> bool {
        matches!(
            self,
            Self::System
                | Self::Developer
                | Self::User
                | Self::Assistant
                | Self::Msg
                | Self::ToolCall
                | Self::ToolResponse
                | Self::Reasoning
                | Self::Summary
                | Self::Compaction
                | Self::RuleEvent
                | Self::Note
        )
    }

    /// Whether it states law: `<rules>`, `<policy>`.
    pub fn is_law(self) -> bool {
        matches!(self, Self::Rules | Self::Policy)
    }

    /// Whose message it is, where its name says so.
    pub(crate) fn role(self) -> Option<Role> {
        match self {
            Self::System => Some(Role::System),
            Self::Developer => Some(Role::Developer),
            Self::User => Some(Role::User),
            Self::Assistant | Self::ToolCall | Self::Reasoning => Some(Role::Assistant),
            Self::ToolResponse => Some(Role::Tool),
            _ => None,
        }
    }

    /// Whether it stands on a level of its own: a line that starts with it ends what was never closed before it.
    pub(crate) fn stands_alone(self) -> bool {
        !matches!(self, Self::Summary | Self::Agent | Self::Doc | Self::Img)
    }

    /// What may stand in its body. What the model or a tool wrote never fetches a file: only people's prose embeds.
    pub(crate) fn content(self) -> Content {
        match self {
            Self::System | Self::Developer | Self::User | Self::Msg | Self::Agent => Content::Prose(EMBEDDED),
            Self::Reasoning => Content::Prose(&[Self::Summary]),
            Self::Rules | Self::Policy => Content::Structure,
            _ => Content::Verbatim,
        }
    }
}

/// The elements of law that hold text; all others hold elements.
const LAW_TEXT: &[&str] = &[
    "insert",
    "call",
    "agent",
    "log",
    "notify",
    "emit",
    "set",
    "deny",
    "warn",
    "allow",
    "approve",
    "description",
    "message",
    "remind",
    "test",
    "parameter",
];

/// The name as it stands in [`LAW_TEXT`], if it does.
pub(crate) fn law_text(name: &str) -> Option<&'static str> {
    LAW_TEXT.iter().find(|known| **known == name).copied()
}

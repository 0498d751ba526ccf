//! The agent harnesses that a digest is injected into.

use mentci_authority::{HeardAt, Hook};
use serde::{Deserialize, Serialize};

/// A harness, and what it shows a model at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Harness {
    /// The pi coding agent: the digest stands in the system prompt of each request.
    Pi,
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// opencode.
    Opencode,
    /// `OpenClaw`.
    Openclaw,
    /// Cline.
    Cline,
    /// Anything else that asks for the text.
    Any,
}

impl Harness {
    /// Every harness, in the order of its name's first mention.
    pub const ALL: [Self; 8] = [
        Self::Pi,
        Self::ClaudeCode,
        Self::Codex,
        Self::Gemini,
        Self::Opencode,
        Self::Openclaw,
        Self::Cline,
        Self::Any,
    ];

    /// `claude-code`: the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pi => "pi",
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Opencode => "opencode",
            Self::Openclaw => "openclaw",
            Self::Cline => "cline",
            Self::Any => "any",
        }
    }

    /// The harness with this name; `claude` is Claude Code.
    pub fn parse(name: &str) -> Option<Self> {
        let name = if name == "claude" { "claude-code" } else { name };
        Self::ALL.into_iter().find(|harness| harness.name() == name)
    }

    /// Whether a hook may put something else in the place of a tool's result.
    pub fn changes_results(self) -> bool {
        !matches!(self, Self::Cline | Self::Any)
    }

    /// Whether the model reads what a hook tells when a call is about to be made.
    pub fn hears_at_gate(self) -> bool {
        !matches!(self, Self::Gemini | Self::Openclaw | Self::Cline)
    }

    /// Where a hook of it can show the model something; none where that is everywhere.
    pub fn heard_at(self) -> Option<HeardAt> {
        use Hook::{PostToolResponse, PreToolCall, QueryStart, SessionStart, TurnStart};
        let (hooks, denied): (&[Hook], &[Hook]) = match self {
            Self::ClaudeCode => (
                &[SessionStart, QueryStart, TurnStart, PreToolCall, PostToolResponse],
                &[SessionStart, PreToolCall, PostToolResponse],
            ),
            Self::Codex => (
                &[SessionStart, QueryStart, TurnStart, PreToolCall, PostToolResponse],
                &[SessionStart, PostToolResponse],
            ),
            Self::Gemini => {
                (&[SessionStart, QueryStart, TurnStart, PostToolResponse], &[SessionStart, PostToolResponse])
            }
            Self::Opencode => (&[QueryStart, TurnStart, PreToolCall, PostToolResponse], &[PostToolResponse]),
            Self::Openclaw => (&[QueryStart, TurnStart, PostToolResponse], &[PostToolResponse]),
            Self::Cline => (&[PostToolResponse], &[PostToolResponse]),
            Self::Pi | Self::Any => return None,
        };
        Some(HeardAt { hooks, denied, is_denied: false, hears_typing: self != Self::Codex })
    }

    /// The most characters that it shows a model of one injection: Claude Code 2.1 cuts at 10,000.
    pub fn max_chars(self) -> Option<usize> {
        (self == Self::ClaudeCode).then_some(10_000)
    }

    /// The most tokens that it shows a model of one injection: Codex 0.169 cuts at 2,500.
    pub fn max_tokens(self) -> Option<usize> {
        (self == Self::Codex).then_some(2_500)
    }
}

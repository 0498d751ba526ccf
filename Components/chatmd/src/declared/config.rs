//! `<config>`: what is set for the model.

use super::said::Said;

const KNOWN: &[&str] = &[
    "model",
    "max_tokens",
    "temperature",
    "top_p",
    "seed",
    "reasoning_effort",
    "budget",
    "max_turns",
    "show_tool_call",
    "show",
    "id",
];

/// The settings of a document; what it does not say is `None`.
///
/// Where a model is reached, and with which key, no document says: that is for whoever runs it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Config {
    /// The model's name.
    pub model: Option<String>,
    /// The most tokens of one reply.
    pub max_tokens: Option<u32>,
    /// From 0 to 2.
    pub temperature: Option<f64>,
    /// Over 0, to 1.
    pub top_p: Option<f64>,
    /// For models that repeat themselves for a seed.
    pub seed: Option<i64>,
    /// How long to think.
    pub reasoning_effort: Option<ReasoningEffort>,
    /// The hard budget of each request, in tokens.
    pub budget: Option<u32>,
    /// The most turns of one exchange.
    pub max_turns: Option<u32>,
    /// Whether calls of tools are shown while they run.
    pub show_tool_call: bool,
}

/// How long a model may think before it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReasoningEffort {
    /// Not at all.
    None,
    /// As little as the model can.
    Minimal,
    /// A little.
    Low,
    /// As most models do unasked.
    Medium,
    /// Long.
    High,
    /// As long as the model can.
    Xhigh,
}

impl ReasoningEffort {
    const ALL: [Self; 6] = [Self::None, Self::Minimal, Self::Low, Self::Medium, Self::High, Self::Xhigh];

    /// `low`: as it is written, and as models are asked.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Minimal => "minimal",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Xhigh => "xhigh",
        }
    }

    /// The effort of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|effort| effort.name() == name)
    }
}

impl Config {
    /// Takes from `other` what this one does not say.
    pub fn fill(&mut self, other: Self) {
        self.model = self.model.take().or(other.model);
        self.max_tokens = self.max_tokens.or(other.max_tokens);
        self.temperature = self.temperature.or(other.temperature);
        self.top_p = self.top_p.or(other.top_p);
        self.seed = self.seed.or(other.seed);
        self.reasoning_effort = self.reasoning_effort.or(other.reasoning_effort);
        self.budget = self.budget.or(other.budget);
        self.max_turns = self.max_turns.or(other.max_turns);
        self.show_tool_call |= other.show_tool_call;
    }
}

pub(crate) fn read(said: &mut Said<'_>) -> Config {
    said.expect(KNOWN);
    let efforts = "`none`, `minimal`, `low`, `medium`, `high` or `xhigh`";
    Config {
        model: said.text("model"),
        max_tokens: said.value("max_tokens", "a number of tokens, from 1", count),
        temperature: said.value("temperature", "a number from 0 to 2", |text| number(text, 0.0, 2.0)),
        top_p: said.value("top_p", "a number over 0, to 1", |text| number(text, f64::MIN_POSITIVE, 1.0)),
        seed: said.value("seed", "a whole number", |text| text.parse().ok()),
        reasoning_effort: said.value("reasoning_effort", efforts, ReasoningEffort::parse),
        budget: said.value("budget", "a number of tokens, from 1", count),
        max_turns: said.value("max_turns", "a number of turns, from 1", count),
        show_tool_call: said.switch("show_tool_call") | said.switch("show"),
    }
}

/// A count from 1; `40_000` reads too.
pub(crate) fn count(text: &str) -> Option<u32> {
    text.replace('_', "").parse().ok().filter(|&count| count > 0)
}

fn number(text: &str, from: f64, to: f64) -> Option<f64> {
    text.parse().ok().filter(|number| (from..=to).contains(number))
}

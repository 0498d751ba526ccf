//! The verbs of language models, and their answers.

use serde::{Deserialize, Serialize};

/// The verbs of language models.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "model", rename_all = "snake_case", deny_unknown_fields)]
pub enum ModelVerb {
    /// Asks for a word. -> [`PingAnswer`]
    Ping {
        /// `provider/name` or `script:PATH` instead of the configured model.
        #[serde(default)]
        name: Option<String>,
    },
    /// Which models the provider serves. -> [`ModelsAnswer`]
    List {
        /// Another provider than the configured one.
        #[serde(default)]
        provider: Option<String>,
    },
}

/// That a model answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PingAnswer {
    /// `provider/name`.
    pub model: String,
    /// Where it answers; none for a script.
    pub address: Option<String>,
    /// What it said.
    pub text: String,
    /// How long it took.
    pub ms: u64,
    /// The tokens that were sent, as the provider counts them.
    pub input: u64,
    /// The tokens that were answered.
    pub output: u64,
}

/// The models of a provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModelsAnswer {
    /// The provider.
    pub provider: String,
    /// Where it answers.
    pub address: String,
    /// The names, in order.
    pub models: Vec<String>,
}

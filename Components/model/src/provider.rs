//! The providers that are known by name.

/// What a provider speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// Chat completions, as most servers speak them.
    ChatCompletions,
    /// Anthropic's messages.
    Messages,
}

/// Whoever serves models.
#[derive(Debug, PartialEq, Eq)]
pub struct Provider {
    /// The name in configuration: `openai`.
    pub name: &'static str,
    /// What it speaks.
    pub wire: Wire,
    /// Its own address; empty where there is none.
    pub base_url: &'static str,
    /// The environment variable that holds its key; empty where it needs none.
    pub key_env: &'static str,
}

/// Every provider that is known by name, in order of the names.
pub const PROVIDERS: &[Provider] = &[
    provider("anthropic", Wire::Messages, "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"),
    provider("anthropic-compatible", Wire::Messages, "", ""),
    provider("compatible", Wire::ChatCompletions, "", ""),
    provider("llamacpp", Wire::ChatCompletions, "http://127.0.0.1:8080/v1", ""),
    provider("ollama", Wire::ChatCompletions, "http://127.0.0.1:11434/v1", ""),
    provider("openai", Wire::ChatCompletions, "https://api.openai.com/v1", "OPENAI_API_KEY"),
    provider("openrouter", Wire::ChatCompletions, "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    provider("vllm", Wire::ChatCompletions, "http://127.0.0.1:8000/v1", ""),
];

const fn provider(name: &'static str, wire: Wire, base_url: &'static str, key_env: &'static str) -> Provider {
    Provider { name, wire, base_url, key_env }
}

impl Provider {
    /// The provider with this name.
    ///
    /// ```
    /// use mentci_model::Provider;
    /// assert_eq!(Provider::find("ollama").unwrap().base_url, "http://127.0.0.1:11434/v1");
    /// assert!(Provider::find("olama").is_none());
    /// ```
    pub fn find(name: &str) -> Option<&'static Self> {
        PROVIDERS.iter().find(|provider| provider.name == name)
    }
}

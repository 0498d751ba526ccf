//! Which model counts how.

use mentci_tokens::{Bytes, Tokenizer, for_model, o200k};

const MODELS: &[(&str, &str)] = &[
    ("gpt-4o-2024-08-06", "o200k"),
    ("openai/gpt-5.1-codex", "o200k"),
    ("GPT-4.1", "o200k"),
    ("o3-mini", "o200k"),
    ("openai/o1", "o200k"),
    ("openai/gpt-oss-120b", "o200k"),
    ("gpt-4-turbo", "cl100k"),
    ("gpt-3.5-turbo", "cl100k"),
    ("us.anthropic.claude-sonnet-4-20250514-v1:0", "claude"),
    ("google/gemini-2.5-pro", "gemini"),
    ("meta-llama/Llama-3.3-70B-Instruct", "llama"),
    ("llama-2-7b", "llama-2"),
    ("Qwen/Qwen3-Coder", "qwen"),
    ("codestral-latest", "mistral"),
    ("olmo-2", "unknown"),
    ("o", "unknown"),
    ("", "unknown"),
    ("///", "unknown"),
];

#[test]
fn names_find_their_family() {
    for (name, family) in MODELS {
        assert_eq!(for_model(name).family(), *family, "{name}");
        assert_eq!(for_model(name).is_exact(), *family == "o200k", "{name}");
    }
}

#[test]
fn no_family_counts_more_than_bytes_or_fewer_than_o200k() {
    let texts =
        ["", "a", "Never edit generated code.", "zwölf Boxkämpfer", "字字字字", "🦀", "{\"a\": [1, 2]}"];
    for (name, _) in MODELS {
        for text in texts {
            let count = for_model(name).count(text);
            assert!(count <= Bytes.count(text) && count >= o200k().count(text), "{name}: {text}");
        }
    }
}

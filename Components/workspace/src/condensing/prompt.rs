//! The prompt of the condenser: shipped in the program, named by its version and its content.

use mentci_source::Hash;

const TEXT: &str = include_str!("../../../../Library/prompts/condense.md");

/// What a model is told before it is shown the law.
pub(crate) fn text() -> &'static str {
    TEXT.split_once('\n').map_or(TEXT, |(_, text)| text).trim_end()
}

/// `1-0123456789ab`: the version that stands in the prompt's first line, and the digits of its hash.
pub(crate) fn name() -> String {
    let version = TEXT
        .strip_prefix("<!-- condense ")
        .and_then(|rest| rest.split_once(' '))
        .map_or("0", |(version, _)| version);
    format!("{version}-{}", Hash::of("mentci prompt 1", [text().as_bytes()]).short(12))
}

#[cfg(test)]
mod tests {
    use mentci_tokens::{Tokenizer, o200k};

    /// Whoever changes the prompt gives it a new version: lines that were refused with the old one are asked about again.
    #[test]
    fn a_prompt_keeps_its_version() {
        insta::assert_snapshot!(super::name(), @"3-3aea1dd1a54d");
    }

    #[test]
    fn it_is_small_beside_a_group_of_rules() {
        assert!(o200k().count(super::text()) < 700, "{}", o200k().count(super::text()));
    }
}

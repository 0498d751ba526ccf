//! The prompt of the condenser: shipped in the program, named by its version and its content.

use mentci_source::Hash;

const TEXT: &str = include_str!("../../../../Library/prompts/condense.md");

/// In front of what is told only where lessons may be merged into rules.
const MERGING: &str = "<!-- merge -->\n";

/// What a model is told before it is shown the law, and of merging where there is something to merge.
pub(crate) fn text(merges: bool) -> String {
    let (text, merging) = whole().split_once(MERGING).unwrap_or((whole(), ""));
    let text = text.trim_end();
    if merges { format!("{text}\n\n{merging}") } else { text.to_owned() }
}

/// Everything behind the first line.
fn whole() -> &'static str {
    TEXT.split_once('\n').map_or(TEXT, |(_, text)| text).trim_end()
}

/// `1-0123456789ab`: the version that stands in the prompt's first line, and the digits of its hash.
pub(crate) fn name() -> String {
    let version = TEXT
        .strip_prefix("<!-- condense ")
        .and_then(|rest| rest.split_once(' '))
        .map_or("0", |(version, _)| version);
    format!("{version}-{}", Hash::of("mentci prompt 1", [whole().as_bytes()]).short(12))
}

#[cfg(test)]
mod tests {
    use mentci_tokens::{Tokenizer, o200k};

    /// Every version that a lock may name, the last one today's. A text that changes is a new version: whoever changes
    /// `Library/prompts/condense.md` raises the number in its first line and adds a row here. A row is never changed: lines that were
    /// refused with an old prompt are asked about again only because its name is another.
    const VERSIONS: &[&str] =
        &["3-3aea1dd1a54d", "4-bb17720fb035", "5-7e926b65ca74", "6-c3085ee4325c", "7-0aaf8680306e"];

    #[test]
    fn a_prompt_that_changes_has_a_version_of_its_own() {
        let number = |name: &str| name.split('-').next().and_then(|number| number.parse::<u32>().ok());
        let help = "raise the number in the first line of `Library/prompts/condense.md` and add its name to `VERSIONS`";
        assert_eq!(VERSIONS.last(), Some(&super::name().as_str()), "{help}");
        for pair in VERSIONS.windows(2) {
            assert_eq!(number(pair[0]).map(|number| number + 1), number(pair[1]), "{help}");
        }
        let texts: std::collections::BTreeSet<_> =
            VERSIONS.iter().filter_map(|name| name.split('-').nth(1)).collect();
        assert_eq!(texts.len(), VERSIONS.len(), "each version has a text of its own");
    }

    #[test]
    fn it_is_small_beside_a_group_of_rules() {
        let tokens = [false, true].map(|merges| o200k().count(&super::text(merges)));
        println!("{tokens:?} tokens");
        assert!(tokens[0] < 540 && tokens[1] < 660, "{tokens:?}");
    }
}

//! Forms of secrets that are no single word of letters and digits: base64, combinations, the words of a wallet.

use super::spoken_word::{SpokenWord, word};

impl SpokenWord<'_> {
    /// `k91/zz40b77`, `k91.zz40b77+b7`: parts of base64, of which one at least is no word. A path that is told by its start, its end or by
    /// words alone is none.
    pub(super) fn is_encoded(&self) -> bool {
        let is_run = self.bare.chars().all(|c| {
            c.is_ascii_alphanumeric() || matches!(c, '/' | '+' | '=' | '.' | '_' | '-' | '!' | '@' | '#')
        });
        let is_mixed = |part: &str| {
            let has_digit = part.bytes().any(|byte| byte.is_ascii_digit());
            let part = word(part);
            part.bare.len() > 3 && has_digit && part.has_letter_and_digit() && !part.is_technical()
        };
        let is_file = self.bare.rsplit_once('.').is_some_and(|(_, end)| {
            (1..=4).contains(&end.len()) && end.bytes().all(|byte| byte.is_ascii_lowercase())
        });
        is_run
            && !is_file
            && !self.stands_for_another()
            && self.bare.split(['/', '.', '+', '=', '_']).any(is_mixed)
    }

    /// `12-34-K05`
    pub(super) fn is_dialled(&self) -> bool {
        self.bare.contains('-') && self.bare.starts_with(|c: char| c.is_ascii_digit())
    }

    /// A word as phrases of a wallet have them: small letters, and nothing that a sentence is built with.
    pub(super) fn is_of_phrase(&self) -> bool {
        let built = [
            "with",
            "from",
            "into",
            "onto",
            "that",
            "this",
            "when",
            "where",
            "must",
            "should",
            "never",
            "always",
            "before",
            "after",
            "unless",
            "only",
            "safe",
            "them",
            "their",
            "your",
            "over",
            "under",
            "than",
            "then",
            "while",
            "file",
            "encrypted",
            "offline",
        ];
        let is_small = self.bare.bytes().all(|byte| byte.is_ascii_lowercase());
        is_small
            && (3..9).contains(&self.bare.len())
            && !built.contains(&self.bare)
            && !["and", "the", "for", "are", "not", "may", "can", "its", "has"].contains(&self.bare)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_told_from_paths() {
        for (text, is_encoded) in [
            ("k91/zz40b77", true),
            ("k91+zz40/b77==", true),
            ("abcdefg1/ABCDEFGH", true),
            ("src/lib/mod", false),
            ("docs/v2api.md", false),
            ("/etc/k91zz40b77", false),
            ("x86_64", false),
            ("1.2.3", false),
        ] {
            assert_eq!(word(text).is_encoded(), is_encoded, "{text}");
        }
    }
}

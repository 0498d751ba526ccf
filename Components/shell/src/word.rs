//! One word of a command, as the shell would hand it over.

use serde::{Serialize, Serializer};

use crate::marks::OUTPUT_TEXT;

/// A path that may be any: what a word that [is changed](Word::is_changed) may name as well.
pub const ANYTHING: &str = "${...}";

/// One word: quotes taken off, escapes resolved, and known variables put in.
///
/// What cannot be known stays as it is written: `$HOME/x`, `~`, `*.rs`. A substitution that cannot be foretold
/// reads `$(...)`. In JSON a word is its text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is told of a word on its own")]
pub struct Word {
    /// The text: `-rf`, `/srv/me/a b`, `$HOME/x`.
    pub text: String,
    /// Whether the text is what the program gets: no variable, substitution, unquoted glob or tilde in it.
    pub is_static: bool,
    /// Whether it holds an unquoted `*`, `?` or `[`, which the shell fills with file names.
    pub is_glob: bool,
    /// Whether it starts with an unquoted `~`.
    pub is_home: bool,
    /// Whether a variable in it was changed in a way that only the run tells, by `read`, a function or a sourced file:
    /// then the text is a guess, or the variable's name.
    pub is_changed: bool,
    /// The programs whose output stands in it, by substitution: `curl` in `"$(curl example.com)"`.
    pub output_of: Vec<String>,
    /// Its text with what its substitutions most likely print, where that is not sure: for looking at what a shell would run
    /// of it.
    pub likely: Option<String>,
}

impl Word {
    /// A word that is exactly `text`.
    pub fn known(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_static: true, ..Self::default() }
    }

    /// Notes what its substitution most likely prints.
    pub(crate) fn fill(&mut self, likely: Option<&str>) {
        let text = likely.filter(|_| self.text.contains(OUTPUT_TEXT));
        self.likely = text.map(|text| self.text.replacen(OUTPUT_TEXT, text.trim_end_matches('\n'), 1));
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl Serialize for Word {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

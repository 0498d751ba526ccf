//! Which names fit: tools and senders.

use std::sync::OnceLock;

use mentci_authority::{NamePattern, ToolMatch};
use regex::Regex;

/// A [`ToolMatch`], ready to be asked. Regular expressions are compiled at the first name that needs them.
#[derive(Debug)]
pub(crate) enum Names {
    Any,
    OneOf(Box<[Pattern]>),
}

#[derive(Debug)]
pub(crate) struct Pattern {
    source: NamePattern,
    regex: OnceLock<Option<Regex>>,
}

impl Names {
    pub(crate) fn new(tools: &ToolMatch) -> Self {
        match tools {
            ToolMatch::Any => Self::Any,
            ToolMatch::OneOf(patterns) => Self::OneOf(patterns.iter().cloned().map(Pattern::new).collect()),
        }
    }

    pub(crate) fn fits(&self, name: &str) -> bool {
        match self {
            Self::Any => true,
            Self::OneOf(patterns) => patterns.iter().any(|pattern| pattern.fits(name)),
        }
    }

    /// The names among patterns.
    pub(crate) fn named(patterns: &[NamePattern]) -> impl Iterator<Item = &str> {
        patterns.iter().filter(|pattern| matches!(pattern, NamePattern::Exact(_))).map(NamePattern::text)
    }

    /// Whether patterns are nothing but names.
    pub(crate) fn is_exact(patterns: &[NamePattern]) -> bool {
        patterns.iter().all(|pattern| matches!(pattern, NamePattern::Exact(_)))
    }
}

impl Pattern {
    pub(crate) fn new(source: NamePattern) -> Self {
        Self { source, regex: OnceLock::new() }
    }

    pub(crate) fn fits(&self, name: &str) -> bool {
        match &self.source {
            NamePattern::Exact(own) => own == name,
            NamePattern::Glob(glob) => glob_fits(glob.as_bytes(), name.as_bytes()),
            NamePattern::Regex(list) if is_list(list) => list.split('|').any(|own| own == name),
            NamePattern::Regex(_) => self.regex().is_some_and(|regex| regex.is_match(name)),
        }
    }

    pub(crate) fn source(&self) -> &NamePattern {
        &self.source
    }

    /// None where it does not compile: whoever read it has said so, and nothing fits it.
    fn regex(&self) -> Option<&Regex> {
        self.regex.get_or_init(|| Regex::new(&format!("^(?:{})$", self.source.text())).ok()).as_ref()
    }
}

/// Whether a regular expression is a list of names and nothing else: `exec|shell`. It is asked without being compiled.
fn is_list(regex: &str) -> bool {
    regex.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-:/|".contains(&byte))
}

/// `*` is any run, `?` any one character; linear but for the last `*`, which is tried again.
fn glob_fits(glob: &[u8], name: &[u8]) -> bool {
    let (mut at, mut seen) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while seen < name.len() {
        match glob.get(at) {
            Some(b'*') => {
                star = Some((at, seen));
                at += 1;
            }
            Some(b'?') => {
                at += 1;
                seen += char_len(name[seen]);
            }
            Some(&byte) if byte == name[seen] => {
                at += 1;
                seen += 1;
            }
            _ => {
                let Some((from, taken)) = star else { return false };
                at = from + 1;
                seen = taken + 1;
                star = Some((from, seen));
            }
        }
    }
    glob[at.min(glob.len())..].iter().all(|&byte| byte == b'*')
}

/// How many bytes the character takes that starts with this one.
fn char_len(first: u8) -> usize {
    match first {
        0..=0xBF => 1,
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_whole_names() {
        for (pattern, name, fits) in [
            ("exec", "exec", true),
            ("exec", "executor", false),
            ("exec|shell", "executor", false),
            ("exec|shell", "shell", true),
            ("exec|shell", "exec|shell", false),
            ("exec|", "", true),
            ("file_.*", "file_read", true),
            ("file_.*", "profile_read", false),
            ("delete_*", "delete_file", true),
            ("delete_*", "undelete_file", false),
            ("*_file", "delete_file", true),
            ("a*b*c", "aXbYc", true),
            ("a*b*c", "aXbYd", false),
            ("?", "é", true),
            ("mcp__*__read", "mcp__fs__read", true),
        ] {
            assert_eq!(Pattern::new(NamePattern::classify(pattern)).fits(name), fits, "{pattern} on {name}");
        }
    }
}

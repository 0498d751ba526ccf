//! Which tools a rule is about.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A pattern over a name: a tool's, a sender's.
///
/// ```
/// use mentci_authority::NamePattern;
/// assert_eq!(NamePattern::classify("exec"), NamePattern::Exact("exec".into()));
/// assert_eq!(NamePattern::classify("delete_*"), NamePattern::Glob("delete_*".into()));
/// assert_eq!(NamePattern::classify("file_.*"), NamePattern::Regex("file_.*".into()));
/// assert_eq!(NamePattern::classify("exec|shell"), NamePattern::Regex("exec|shell".into()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NamePattern {
    /// This name.
    Exact(String),
    /// `*` is any run of characters, `?` any one.
    Glob(String),
    /// A regular expression that the whole name fits, anchored at both ends as a group.
    Regex(String),
}

impl NamePattern {
    /// What a bare string means. `.` directly before `*`, `+` or `?` is a regular expression's sign; otherwise letters,
    /// digits and `_.:-` alone are a name, `*` and `?` without any other sign a glob, and all else a regular expression.
    pub fn classify(text: &str) -> Self {
        let plain = |c: char| c.is_alphanumeric() || "_.:-/ ".contains(c);
        let dotted = text.as_bytes().windows(2).any(|pair| pair[0] == b'.' && b"*+?".contains(&pair[1]));
        if !dotted && text.chars().all(plain) {
            Self::Exact(text.to_owned())
        } else if !dotted && text.chars().all(|c| plain(c) || c == '*' || c == '?') {
            Self::Glob(text.to_owned())
        } else {
            Self::Regex(text.to_owned())
        }
    }

    /// As it was written, without its kind.
    pub fn text(&self) -> &str {
        match self {
            Self::Exact(text) | Self::Glob(text) | Self::Regex(text) => text,
        }
    }

    /// Whether any name fits.
    pub fn is_any(&self) -> bool {
        match self {
            Self::Glob(text) => !text.is_empty() && text.chars().all(|c| c == '*'),
            Self::Regex(text) => matches!(text.as_str(), ".*" | "^.*$" | "(.*)"),
            Self::Exact(_) => false,
        }
    }
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// Which tools a rule is about: any, or those that fit one of the patterns.
///
/// `Any` is what was written as `*`, as `.*` or not at all, so that all three are the same rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolMatch {
    /// Every tool, and events without one.
    #[default]
    Any,
    /// Those whose name fits one of these.
    OneOf(Vec<NamePattern>),
}

impl ToolMatch {
    /// One name.
    pub fn exact(name: impl Into<String>) -> Self {
        Self::OneOf(vec![NamePattern::Exact(name.into())])
    }

    /// Those that fit one of `patterns`; `Any` when one of them fits every name.
    pub fn one_of(patterns: impl IntoIterator<Item = NamePattern>) -> Self {
        let patterns: Vec<NamePattern> = patterns.into_iter().collect();
        if patterns.iter().any(NamePattern::is_any) { Self::Any } else { Self::OneOf(patterns) }
    }
}

/// `*`, or the patterns with `, ` between them.
impl fmt::Display for ToolMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("*"),
            Self::OneOf(patterns) => {
                f.write_str(&patterns.iter().map(NamePattern::text).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

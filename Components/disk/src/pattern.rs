//! Where sources may stand: `.pi/skills/*/SKILL.md`, `Components/**/*.capnp`, `Cargo.toml`.

use std::fmt;

use globset::{GlobBuilder, GlobMatcher};

use crate::target::is_plain;

/// How many alternatives one pattern's braces may make.
const MAX_ALTERNATIVES: usize = 64;

/// A pattern over workspace-relative paths: `*`, `?` and `[a-z]` inside one part, `**` for any number of directories,
/// `{a,b}` for alternatives.
///
/// A pattern whose fixed beginning names a hidden directory (`.pi/skills/…`) names its root: below it neither hidden
/// names nor `.gitignore` are passed over. It can never match outside the workspace.
///
/// ```
/// use mentci_disk::SourcePattern;
/// let skills: SourcePattern = "{.pi,.claude}/skills/*/SKILL.md".parse()?;
/// assert!(skills.matches(".claude/skills/rust/SKILL.md"));
/// assert!(!skills.matches(".pi/skills/rust/notes/SKILL.md"));
/// assert!("../other/SKILL.md".parse::<SourcePattern>().is_err());
/// # Ok::<(), mentci_disk::PatternError>(())
/// ```
#[derive(Debug, Clone)]
pub struct SourcePattern {
    text: String,
    alternatives: Vec<Alternative>,
}

/// Why a text is not a pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{pattern}` is not a source pattern: {reason}")]
pub struct PatternError {
    /// The text.
    pub pattern: String,
    /// What is wrong with it.
    pub reason: String,
}

/// A pattern without braces, part by part.
#[derive(Debug, Clone)]
pub(crate) struct Alternative {
    pub(crate) parts: Vec<Part>,
    /// How many plain names it begins with.
    pub(crate) fixed: usize,
    /// Whether its fixed beginning names a hidden file or directory, or all of it is fixed.
    pub(crate) named: bool,
}

/// One part of a path pattern.
#[derive(Debug, Clone)]
pub(crate) enum Part {
    /// This name.
    Name(String),
    /// Any name.
    Any,
    /// Any name with this ending.
    Ending(String),
    /// Any name that a glob matches.
    Glob(GlobMatcher),
    /// Any number of directories.
    Deep,
}

impl SourcePattern {
    /// The pattern that matches just this path, whatever characters it holds.
    ///
    /// # Errors
    /// When the path is not relative to the workspace or leaves it.
    pub fn literal(path: &str) -> Result<Self, PatternError> {
        if !is_plain(path) {
            let reason = "it is not a path inside the workspace".into();
            return Err(PatternError { pattern: path.to_owned(), reason });
        }
        let names = path.split('/').filter(|name| !name.is_empty() && *name != ".");
        let parts: Vec<Part> = names.map(|name| Part::Name(name.to_owned())).collect();
        let alternative = Alternative { fixed: parts.len(), named: true, parts };
        Ok(Self { text: path.to_owned(), alternatives: vec![alternative] })
    }

    /// Whether the pattern matches this path, as far as names go: a walk also respects hidden names and `.gitignore`.
    /// No path that leads out of the workspace does.
    pub fn matches(&self, path: &str) -> bool {
        let names: Vec<&str> = path.split('/').collect();
        let leads_out = path.starts_with('/') || names.contains(&"..");
        !leads_out && self.alternatives.iter().any(|alternative| matches(&alternative.parts, &names))
    }

    /// Whether a file below this directory could match. The root is `""`.
    pub fn could_match_below(&self, directory: &str) -> bool {
        let names: Vec<&str> = directory.split('/').filter(|name| !name.is_empty()).collect();
        self.alternatives.iter().any(|alternative| reaches(&alternative.parts, &names))
    }

    /// The text that it was parsed from.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn alternatives(&self) -> &[Alternative] {
        &self.alternatives
    }
}

impl std::str::FromStr for SourcePattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let error = |reason: String| PatternError { pattern: text.to_owned(), reason };
        let expanded = expand(text).map_err(error)?;
        let alternatives = expanded.iter().map(|text| Alternative::parse(text)).collect::<Result<_, _>>();
        Ok(Self { text: text.to_owned(), alternatives: alternatives.map_err(error)? })
    }
}

impl PartialEq for SourcePattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for SourcePattern {}

impl fmt::Display for SourcePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Alternative {
    fn parse(text: &str) -> Result<Self, String> {
        let text = text.strip_prefix("./").unwrap_or(text);
        match text {
            "" => return Err("it is empty".into()),
            _ if text.starts_with('/') => return Err("paths are relative to the workspace".into()),
            _ if text.starts_with('!') => return Err("exclude files with `.gitignore` instead".into()),
            _ if text.ends_with('/') => return Err(format!("name the files, as in `{text}**/*.md`")),
            _ => {}
        }
        let mut parts = text.split('/').map(Part::parse).collect::<Result<Vec<_>, _>>()?;
        parts.dedup_by(|a, b| matches!((a, b), (Part::Deep, Part::Deep)));
        let fixed = parts.iter().map_while(Part::name).count();
        let named = fixed == parts.len() || parts[..fixed].iter().any(Part::names_hidden);
        Ok(Self { parts, fixed, named })
    }
}

impl Part {
    fn parse(text: &str) -> Result<Self, String> {
        let is_plain = |text: &str| !text.contains(['*', '?', '[', '\\']);
        match text {
            "" | "." => Err("a part of the path is empty".into()),
            ".." => Err("it leaves the workspace with `..`".into()),
            "**" => Ok(Self::Deep),
            "*" => Ok(Self::Any),
            _ if is_plain(text) => Ok(Self::Name(text.to_owned())),
            _ if text.starts_with('*') && is_plain(&text[1..]) => Ok(Self::Ending(text[1..].to_owned())),
            _ => {
                let glob = GlobBuilder::new(text).literal_separator(true).build();
                glob.map(|glob| Self::Glob(glob.compile_matcher())).map_err(|error| error.kind().to_string())
            }
        }
    }

    pub(crate) fn name(&self) -> Option<&str> {
        if let Self::Name(name) = self { Some(name) } else { None }
    }

    /// Whether it asks for hidden names.
    pub(crate) fn names_hidden(&self) -> bool {
        match self {
            Self::Name(text) => text.starts_with('.'),
            Self::Glob(glob) => glob.glob().glob().starts_with('.'),
            Self::Any | Self::Ending(_) | Self::Deep => false,
        }
    }

    /// Whether one name fits this part.
    pub(crate) fn fits(&self, name: &str) -> bool {
        match self {
            Self::Name(text) => text == name,
            Self::Any => true,
            Self::Ending(ending) => name.ends_with(ending),
            Self::Glob(glob) => glob.is_match(name),
            Self::Deep => false,
        }
    }
}

/// Whether the parts match all names.
fn matches(parts: &[Part], names: &[&str]) -> bool {
    match (parts, names) {
        ([], []) => true,
        // `**` at the end matches files, so at least one name.
        ([Part::Deep, rest @ ..], [_, below @ ..]) => {
            rest.is_empty() || matches(rest, names) || matches(parts, below)
        }
        ([part, rest @ ..], [name, below @ ..]) => part.fits(name) && matches(rest, below),
        _ => false,
    }
}

/// Whether something below the directory that `names` lead to could match.
fn reaches(parts: &[Part], names: &[&str]) -> bool {
    match (parts, names) {
        ([], _) => false,
        (_, []) | ([Part::Deep, ..], _) => true,
        ([part, rest @ ..], [name, below @ ..]) => part.fits(name) && reaches(rest, below),
    }
}

/// All texts that the braces of `text` stand for.
fn expand(text: &str) -> Result<Vec<String>, String> {
    let mut done = Vec::new();
    let mut open = vec![text.to_owned()];
    while let Some(text) = open.pop() {
        let Some((before, inside, after)) = innermost(&text)? else {
            done.push(text);
            continue;
        };
        open.extend(inside.split(',').map(|choice| format!("{before}{choice}{after}")));
        if open.len() + done.len() > MAX_ALTERNATIVES {
            return Err(format!("its braces make more than {MAX_ALTERNATIVES} alternatives"));
        }
    }
    done.sort();
    Ok(done)
}

/// The first pair of braces that holds no other, and what stands around it.
fn innermost(text: &str) -> Result<Option<(&str, &str, &str)>, String> {
    let Some(close) = text.find('}') else {
        return if text.contains('{') { Err("a `{` is never closed".into()) } else { Ok(None) };
    };
    let Some(open) = text[..close].rfind('{') else { return Err("a `}` was never opened".into()) };
    Ok(Some((&text[..open], &text[open + 1..close], &text[close + 1..])))
}

//! Whether one pattern of names fits all that another fits.

use mentci_authority::{NamePattern, ToolMatch};
use mentci_expr::Function;

use super::term::text_holds;

/// Whether every tool that `narrow` fits is fitted by `wide` too; `false` where that cannot be told.
pub(super) fn covers(wide: &ToolMatch, narrow: &ToolMatch) -> bool {
    match (wide, narrow) {
        (ToolMatch::Any, _) => true,
        (ToolMatch::OneOf(_), ToolMatch::Any) => false,
        (ToolMatch::OneOf(wide), ToolMatch::OneOf(narrow)) => {
            narrow.iter().all(|inner| wide.iter().any(|outer| contains(outer, inner)))
        }
    }
}

/// Whether some tool may fit both; `true` where that cannot be told.
pub(super) fn overlap(one: &ToolMatch, other: &ToolMatch) -> bool {
    let (ToolMatch::OneOf(one), ToolMatch::OneOf(other)) = (one, other) else { return true };
    one.iter().any(|a| {
        other.iter().any(|b| match (a, b) {
            (NamePattern::Exact(name), pattern) | (pattern, NamePattern::Exact(name)) => fits(pattern, name),
            _ => true,
        })
    })
}

/// Whether a name fits a match.
pub(super) fn names(tools: &ToolMatch, name: &str) -> bool {
    match tools {
        ToolMatch::Any => true,
        ToolMatch::OneOf(patterns) => patterns.iter().any(|pattern| fits(pattern, name)),
    }
}

/// Whether a name fits a pattern.
pub(super) fn fits(pattern: &NamePattern, name: &str) -> bool {
    match pattern {
        NamePattern::Exact(own) => own == name,
        NamePattern::Glob(glob) => text_holds(Function::Glob, name, glob),
        NamePattern::Regex(regex) => text_holds(Function::Matches, name, &format!("^(?:{regex})$")),
    }
}

fn contains(wide: &NamePattern, narrow: &NamePattern) -> bool {
    match (wide, narrow) {
        _ if wide == narrow => true,
        (_, NamePattern::Exact(name)) => fits(wide, name),
        // Where the narrow one has a star, only a star of the wide one can take it.
        (NamePattern::Glob(glob), NamePattern::Glob(inner)) => !glob.contains('?') && fits(wide, inner),
        _ => false,
    }
}

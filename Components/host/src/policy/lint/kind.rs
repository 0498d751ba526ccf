//! Patterns that are meant as another kind than they are: globs with the signs of other languages, texts that look like
//! regular expressions.

use mentci_authority::{NamePattern, ToolMatch};
use mentci_expr::{Function, Node};
use mentci_source::{Code, Finding};

use super::desk::{Desk, Said};

/// Globs and texts that hold signs which mean nothing there.
pub(super) fn kinds(desk: &Desk<'_>) -> Vec<Said> {
    let mut said = Vec::new();
    for sheet in &desk.rules {
        sheet.each_part(&mut |part| {
            let Node::Call(function, arguments) = part.node() else { return };
            let [_, literal] = arguments.as_slice() else { return };
            let Some(text) = literal.as_text() else { return };
            let finding = match function {
                Function::Glob => of_glob(text),
                Function::Contains | Function::StartsWith | Function::EndsWith => of_text(*function, text),
                _ => None,
            };
            said.extend(finding.map(|finding| (sheet.at, Some(literal.span()), finding)));
        });
        let tools =
            if let ToolMatch::OneOf(patterns) = &sheet.rule.tools { patterns.as_slice() } else { &[] };
        let globs = tools.iter().filter_map(|pattern| match pattern {
            NamePattern::Glob(glob) => of_glob(glob),
            _ => None,
        });
        said.extend(globs.map(|finding| (sheet.at, None, finding)));
    }
    said
}

/// A glob has `*`, `?` and `[…]`; every other sign is itself.
fn of_glob(glob: &str) -> Option<Finding> {
    let braces = glob.find('{').is_some_and(|at| glob[at..].contains(',') && glob[at..].contains('}'));
    let is_open = glob.find('[').is_some_and(|at| !glob[at..].contains(']'));
    let (why, help) = if braces {
        ("braces in a glob are themselves", "write a list of globs, one for each")
    } else if is_regex(glob) {
        ("signs of regular expressions in a glob are themselves", "write it as `regex`")
    } else if is_open {
        ("a bracket that is never closed is itself", "close it as in `[ab]`, or take it out")
    } else {
        return None;
    };
    Some(Finding::new(Code::PATTERN_KIND, format!("`{}`: {why}", glob.escape_debug())).help(help))
}

fn of_text(function: Function, text: &str) -> Option<Finding> {
    let repeats = [".*", ".+", "\\s+", "\\s*", "\\w+", "\\d+", "\\b"].iter().any(|sign| text.contains(sign));
    // `.*` at the end of a text is the name of hidden files, or of all that are called so.
    let inner = text.trim_end_matches(".*");
    let meant = repeats && [".*", ".+", "\\s", "\\w", "\\d", "\\b"].iter().any(|sign| inner.contains(sign));
    meant.then(|| {
        let message =
            format!("`{}` looks for `{}` as it stands, signs included", function.name(), text.escape_debug());
        Finding::new(Code::PATTERN_KIND, message).help("for a regular expression write `regex`")
    })
}

/// Whether a glob has what only a regular expression means something by.
fn is_regex(glob: &str) -> bool {
    let ends = glob.starts_with('^') || glob.ends_with('$');
    ends || [".+", "\\.", "\\d", "\\w", "\\s", ".*?"].iter().any(|sign| glob.contains(sign))
}

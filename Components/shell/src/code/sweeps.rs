//! Other names for calls, and loops over all that a folder holds.

use std::borrow::Cow;

use super::{is_name, owner, strings};
use crate::{Word, wrapper::Inner};

/// How many other names are told of one code.
const MOST_ALIASES: usize = 32;

/// Names that code gives to calls, and what they mean: `from shutil import rmtree as r`, `{execSync: e} = …`,
/// `r = shutil.rmtree`.
pub(super) fn aliases(code: &str, is_known: impl Fn(&str) -> bool) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut before: [&str; 2] = ["", ""];
    let mut gap = "";
    let mut start = 0;
    let ends = code.char_indices().filter(|(_, c)| !is_name(*c)).map(|(at, _)| at);
    for end in ends.chain([code.len()]) {
        let Some(name) = code.get(start..end).filter(|name| !name.is_empty()) else {
            start = next(code, end);
            continue;
        };
        let calls = code[end..].starts_with(['(', '`', '"', '\'']);
        if before[1] == "as" && is_known(before[0]) {
            found.push((name.to_owned(), before[0].to_owned()));
        } else if gap == "=" && !calls && is_known(name) {
            found.push((before[1].to_owned(), name.to_owned()));
        } else if gap == "=" && name == "require" && behind_names(code, end, "child_process") {
            found.push((before[1].to_owned(), "child_process".to_owned()));
        } else if gap == ":" && is_known(before[1]) {
            found.push((name.to_owned(), before[1].to_owned()));
        } else if let Some((known, alias)) = renamed(name).filter(|(known, _)| is_known(known)) {
            found.push((alias.to_owned(), known.to_owned()));
        }
        if found.len() >= MOST_ALIASES {
            break;
        }
        start = next(code, end);
        before = [before[1], name.trim_end_matches(':')];
        let behind = code.get(end..).unwrap_or_default();
        let len = behind.find(is_name).unwrap_or(behind.len()).min(8);
        gap = behind.get(..len).unwrap_or_default().trim();
        if name.ends_with(':') {
            gap = ":";
        }
    }
    found
}

/// What a name means under these other names, of a call or of the module before its dot.
pub(super) fn meant<'n>(aliases: &[(String, String)], name: &'n str) -> Cow<'n, str> {
    let find = |alias: &str| aliases.iter().find(|(own, _)| own == alias).map(|(_, meant)| meant.as_str());
    if let Some(meant) = find(name) {
        return Cow::Owned(meant.to_owned());
    }
    match name.split_once('.').and_then(|(module, call)| Some((find(module)?, call))) {
        Some((module, call)) => Cow::Owned(format!("{module}.{call}")),
        None => Cow::Borrowed(name),
    }
}

/// How far before a call the text of its variable is looked for.
const MOST_BEFORE: usize = 4096;

/// The text that the one variable between a call's brackets was given last: `c = "rm x"; system(c)`.
pub(super) fn assigned(before: &str, behind: &str) -> Option<String> {
    let inside = behind.trim_start().strip_prefix('(').unwrap_or(behind).trim_start();
    let plain = inside.trim_start_matches('$');
    let name = plain.get(..plain.find(|c| !is_name(c)).unwrap_or(plain.len()))?;
    let starts = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if !starts || !plain[name.len()..].trim_start().starts_with([')', ',', ';', '}', '\n']) {
        return None;
    }
    let mut from = before.len().saturating_sub(MOST_BEFORE);
    while !before.is_char_boundary(from) {
        from += 1;
    }
    let near = &before[from..];
    let given = near.match_indices(name).filter_map(|(at, _)| {
        let is_whole = !near[..at].ends_with(is_name);
        let value = near[at + name.len()..].trim_start().strip_prefix([':', '='])?.trim_start_matches('=');
        let opens = value.trim_start().starts_with(['"', '\'', '`']);
        (is_whole && opens).then_some(value)
    });
    let mut budget = MOST_BEFORE;
    strings(given.last()?, &mut budget).into_iter().next()
}

/// What Perl's `<*.x>` finds.
pub(super) fn pattern(behind: &str) -> Option<String> {
    let inside = behind.trim_start().trim_start_matches('(').trim_start().strip_prefix('<')?;
    let (pattern, _) = inside.split_once('>').filter(|(pattern, _)| pattern.len() < 256)?;
    pattern.contains(['*', '?', '/', '~']).then(|| pattern.to_owned())
}

/// Whether the first string behind a place of code is this module, also with its scheme.
fn behind_names(code: &str, at: usize, module: &str) -> bool {
    let behind = code.get(at..).unwrap_or_default().trim_start_matches(['(', ' ', '"', '\'', '`']);
    behind.strip_prefix("node:").unwrap_or(behind).starts_with(module)
}

fn next(code: &str, end: usize) -> usize {
    end + code[end..].chars().next().map_or(0, char::len_utf8)
}

/// `execSync:e`, which is one name to who reads `File::rm` as one.
fn renamed(name: &str) -> Option<(&str, &str)> {
    name.split_once(':')
        .filter(|(known, alias)| !known.is_empty() && !alias.is_empty() && !alias.starts_with(':'))
}

/// The folder or pattern that a call goes through.
pub(super) fn root(language: &str, name: &str, before: &str, behind: &str) -> Option<Word> {
    let last = name.rsplit(['.', ':']).next().unwrap_or_default();
    let is_method = name.starts_with('.');
    let mut budget = 4096;
    let mut first = || strings(behind, &mut budget).into_iter().next();
    let unknown = || Word { text: crate::marks::OUTPUT_TEXT.to_owned(), ..Word::default() };
    match last {
        "walk" | "listdir" | "scandir" | "iglob" | "readdirSync" | "each_child" | "opendir"
            if behind.starts_with('(') =>
        {
            Some(first().map_or_else(unknown, Word::known))
        }
        "for" | "foreach" if language == "perl" => pattern(behind).map(Word::known),
        "find" | "finddepth" if language == "perl" && !is_method && behind.starts_with('(') => {
            Some(first().map_or_else(unknown, Word::known))
        }
        "glob" if !is_method && behind.starts_with(['(', '[']) => {
            Some(first().map_or_else(unknown, Word::known))
        }
        "rglob" | "iterdir" | "glob" if is_method => {
            let folder = owner(before);
            let pattern = first().filter(|pattern| pattern != "*" && pattern != "**/*");
            Some(match pattern {
                Some(pattern) if folder.is_static => {
                    Word::known(crate::pipeline::join(Some(&folder.text), &pattern))
                }
                _ => folder,
            })
        }
        _ => None,
    }
}

/// Whether a command deletes what only the run tells.
pub(super) fn is_unknown_deletion(inner: &Inner) -> bool {
    let Inner::Words(words) = inner else { return false };
    matches!(words.first(), Some(program) if matches!(program.text.as_str(), "rm" | "rmdir"))
        && words.iter().any(|word| !word.is_static)
}

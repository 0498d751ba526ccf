//! What a script of `sed` does: commands that it runs, files that it writes, and what it makes of lines.

use crate::{marks::OUTPUT_TEXT, reader::LONGEST_VALUE};

/// What a script does.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Effects {
    /// Texts for a shell: `1e rm x`, and what `s/…/rm x/e` puts in.
    pub(crate) runs: Vec<String>,
    /// Whether lines of the input run: `e` alone, `s/…/…/e`.
    pub(crate) runs_input: bool,
    /// Files: `w x`, `s/…/…/w x`.
    pub(crate) writes: Vec<String>,
}

/// Reads a script, from left to right; what is no command is passed over.
pub(crate) fn read(script: &str) -> Effects {
    let mut effects = Effects::default();
    let mut rest = script;
    while let Some(command) = next_command(&mut rest) {
        match command {
            's' | 'y' => substitute(command, &mut rest, &mut effects),
            'e' => {
                let text = line(&mut rest).trim();
                effects.runs_input |= text.is_empty();
                effects.runs.extend((!text.is_empty()).then(|| text.to_owned()));
            }
            'w' | 'W' => effects.writes.push(line(&mut rest).trim().to_owned()),
            'a' | 'i' | 'c' | 'r' | 'R' | '#' | ':' => {
                line(&mut rest);
            }
            _ => {}
        }
    }
    effects
}

/// The next letter that is a command: past addresses, blanks, brackets and signs.
fn next_command(rest: &mut &str) -> Option<char> {
    loop {
        let c = rest.chars().next()?;
        *rest = &rest[c.len_utf8()..];
        match c {
            '/' => {
                past(rest, '/');
            }
            '\\' => {
                let delimiter = rest.chars().next()?;
                *rest = &rest[delimiter.len_utf8()..];
                past(rest, delimiter);
            }
            c if c.is_ascii_alphabetic() || matches!(c, ':' | '#') => return Some(c),
            _ => {}
        }
    }
}

/// Past the next delimiter that is not escaped; gives what stood before it.
fn past<'t>(rest: &mut &'t str, delimiter: char) -> &'t str {
    let mut escaped = false;
    let text = *rest;
    for (at, c) in text.char_indices() {
        if c == delimiter && !escaped {
            *rest = &text[at + c.len_utf8()..];
            return &text[..at];
        }
        escaped = c == '\\' && !escaped;
    }
    *rest = "";
    text
}

/// The rest of the line.
fn line<'t>(rest: &mut &'t str) -> &'t str {
    let (line, behind) = rest.split_once('\n').unwrap_or((rest, ""));
    *rest = behind;
    line
}

/// `s/…/…/FLAGS`
fn substitute(command: char, rest: &mut &str, effects: &mut Effects) {
    let Some(delimiter) = rest.chars().next() else { return };
    *rest = &rest[delimiter.len_utf8()..];
    past(rest, delimiter);
    let replacement = past(rest, delimiter);
    if command == 'y' {
        return;
    }
    while let Some(flag) = rest.chars().next() {
        match flag {
            'e' => {
                effects.runs.push(replacement.replace(&format!("\\{delimiter}"), &delimiter.to_string()));
                effects.runs_input = true;
            }
            'w' => {
                *rest = &rest[1..];
                effects.writes.push(line(rest).trim().to_owned());
                return;
            }
            c if c.is_ascii_alphanumeric() => {}
            _ => return,
        }
        *rest = &rest[flag.len_utf8()..];
    }
}

/// What a script makes of a line.
enum Edit {
    /// `s/…/…/`
    Substitute { pattern: String, replacement: String, all: bool },
    /// `y/…/…/`
    Map(Vec<char>, Vec<char>),
    /// `a`, `i` and `c`: a line more.
    Add(String),
}

/// How many lines are edited.
const MOST_LINES: usize = 256;

/// What most likely becomes of a text. Addresses are passed over, and lines that are taken out stay; where a pattern is more
/// than a text, the line stands both as it was and as what it is replaced by.
pub(crate) fn edited(scripts: &[String], text: &str, steps: &mut usize) -> Option<String> {
    let mut lines: Vec<String> = text.lines().take(MOST_LINES).map(str::to_owned).collect();
    for edit in scripts.iter().flat_map(|script| edits(script)) {
        let mut edited = Vec::new();
        let mut bytes = 0;
        for line in lines.iter().flat_map(|line| edit.of(line)).take(MOST_LINES) {
            bytes += line.len() + 1;
            if bytes > LONGEST_VALUE {
                return None;
            }
            edited.push(line);
        }
        *steps += bytes;
        lines = edited;
    }
    Some(lines.iter().flat_map(|line| [line, "\n"]).collect())
}

fn edits(script: &str) -> Vec<Edit> {
    let mut found = Vec::new();
    let mut rest = script;
    while let Some(command) = next_command(&mut rest) {
        match command {
            's' | 'y' => {
                let Some(delimiter) = rest.chars().next() else { break };
                rest = &rest[delimiter.len_utf8()..];
                let bare = |text: &str| text.replace(&format!("\\{delimiter}"), &delimiter.to_string());
                let (pattern, replacement) =
                    (bare(past(&mut rest, delimiter)), bare(past(&mut rest, delimiter)));
                let flags = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric()).len();
                let (given, behind) = rest.split_at(flags);
                rest = behind;
                found.push(if command == 's' {
                    Edit::Substitute { pattern, replacement, all: given.contains('g') }
                } else {
                    Edit::Map(pattern.chars().collect(), replacement.chars().collect())
                });
            }
            'a' | 'i' | 'c' => {
                let text = rest.trim_start_matches([' ', '\\']).trim_start_matches('\n');
                rest = text;
                found.push(Edit::Add(line(&mut rest).to_owned()));
            }
            'w' | 'W' | 'r' | 'R' | 'e' | '#' | ':' => {
                line(&mut rest);
            }
            _ => {}
        }
    }
    found
}

impl Edit {
    /// What the line becomes: several where it depends on what is not known.
    fn of(&self, line: &str) -> Vec<String> {
        match self {
            Self::Substitute { pattern, replacement, all } => substituted(line, pattern, replacement, *all),
            Self::Map(from, to) => {
                let other =
                    |c: char| from.iter().position(|other| *other == c).and_then(|at| to.get(at)).copied();
                vec![line.chars().map(|c| other(c).unwrap_or(c)).collect()]
            }
            Self::Add(text) => vec![line.to_owned(), text.clone()],
        }
    }
}

/// Patterns that are a whole line, or a whole line as a group.
const WHOLE: &[&str] = &[".*", ".+", ".\\+", "\\(.*\\)", "(.*)", "(.+)", "\\(.\\+\\)"];

fn substituted(line: &str, pattern: &str, replacement: &str, all: bool) -> Vec<String> {
    let (starts, body) = pattern.strip_prefix('^').map_or((false, pattern), |body| (true, body));
    let end = body.strip_suffix('$').filter(|body| !body.ends_with('\\'));
    let (ends, body) = end.map_or((false, body), |body| (true, body));
    if WHOLE.contains(&body) {
        return vec![filled(replacement, line, line)];
    }
    let Some(text) = literal(body) else {
        return vec![line.to_owned(), filled(replacement, OUTPUT_TEXT, OUTPUT_TEXT)];
    };
    let put = filled(replacement, &text, OUTPUT_TEXT);
    let replaced = match (starts, ends) {
        (true, true) => (line == text).then(|| put.clone()),
        (true, false) => line.strip_prefix(&*text).map(|rest| format!("{put}{rest}")),
        (false, true) => line.strip_suffix(&*text).map(|rest| format!("{rest}{put}")),
        _ if text.is_empty() || !line.contains(&text) => None,
        _ => Some(if all { line.replace(&text, &put) } else { line.replacen(&text, &put, 1) }),
    };
    match replaced {
        Some(replaced) => vec![replaced],
        None if line.contains(OUTPUT_TEXT) && !put.is_empty() => vec![line.to_owned(), put],
        None => vec![line.to_owned()],
    }
}

/// The text that a pattern stands for, when it is no more than that.
fn literal(pattern: &str) -> Option<String> {
    let mut text = String::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => text.push(
                chars.next().filter(|c| matches!(c, '.' | '*' | '[' | ']' | '$' | '^' | '/' | '-' | '\\'))?,
            ),
            '.' | '*' | '[' | ']' | '(' | ')' | '{' | '}' | '+' | '?' | '|' | '^' | '$' => return None,
            c => text.push(c),
        }
    }
    Some(text)
}

/// A replacement with what was matched, and with its groups.
fn filled(replacement: &str, matched: &str, group: &str) -> String {
    let mut text = String::new();
    let mut chars = replacement.chars();
    while let Some(c) = chars.next() {
        match c {
            '&' => text.push_str(matched),
            '\\' => match chars.next() {
                Some('n') => text.push('\n'),
                Some(c) if c.is_ascii_digit() => text.push_str(group),
                Some(c) => text.push(c),
                None => {}
            },
            c => text.push(c),
        }
    }
    text
}

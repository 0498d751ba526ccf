//! What a script of `sed` does beside editing: commands that it runs, and files that it writes.

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

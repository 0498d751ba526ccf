//! Editors that run commands: `vim -c ':!rm x'`, and the `!` lines that `ed` and `ex` are fed.

use crate::{Word, code, wrapper::Inner};

/// The editors that take commands as arguments or on standard input.
const EDITORS: &[&str] = &["vim", "vi", "nvim", "gvim", "view", "vimdiff", "ex", "ed", "red"];

/// Whether a program is an editor that runs commands.
pub(crate) fn is_editor(name: &str) -> bool {
    EDITORS.contains(&name)
}

/// What the commands of an editor's arguments run: `-c CMD`, `--cmd CMD`, `+CMD`.
pub(crate) fn commands(args: &[Word]) -> Vec<Inner> {
    let mut found = Vec::new();
    for (at, arg) in args.iter().enumerate() {
        let text = arg.text.as_str();
        let value = args.get(at + 1).map(|word| word.text.as_str());
        let command = match text {
            "-c" | "--cmd" | "-S" => value,
            _ => text.strip_prefix('+').or_else(|| text.strip_prefix("-c")),
        };
        found.extend(command.into_iter().flat_map(run_by));
    }
    found
}

/// What the lines that an editor reads on standard input run.
pub(crate) fn fed(text: &str) -> Vec<Inner> {
    text.lines().flat_map(run_by).collect()
}

/// What one command of an editor runs: what stands behind its `!`, when the `!` is a command and not the emphasis of
/// `q!`; and the strings that `system()` is handed.
fn run_by(command: &str) -> Vec<Inner> {
    let command = command.trim_start_matches([':', ' ']);
    let Some((before, behind)) = command.split_once('!') else { return code::commands("vim", command) };
    let ends = before.is_empty() || before.ends_with([' ', '%', '.', '$', ',', ';', '|', ':']);
    let plain = before.chars().all(|c| c.is_alphanumeric() || " %.$,;|:'/".contains(c));
    if ends && plain && !behind.trim().is_empty() {
        return vec![Inner::Text(behind.to_owned())];
    }
    code::commands("vim", command)
}

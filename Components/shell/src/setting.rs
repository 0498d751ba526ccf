//! What the settings of git run: `core.pager`, `alias.x`, `filter.x.clean`.

use crate::{Word, handed::operands, reading::shell, wrapper::Inner};

/// `git -c KEY=VALUE`
pub(crate) fn git_setting(text: &str) -> Vec<Inner> {
    text.split_once('=').map(|(key, value)| git_runs(key, value)).unwrap_or_default()
}

/// `git config KEY VALUE`
pub(crate) fn git_configured(args: &[Word]) -> Vec<Inner> {
    let mut rest = operands(args).skip_while(|word| word.text != "config").skip(1);
    let key = rest.find(|word| word.text.contains('.'));
    let pair = key.zip(rest.next());
    pair.map(|(key, value)| git_runs(&key.text, &value.text)).unwrap_or_default()
}

/// Settings of git whose value is a command.
const GIT_COMMANDS: &[&str] = &[
    "core.pager",
    "core.editor",
    "core.sshcommand",
    "core.askpass",
    "core.fsmonitor",
    "core.gitproxy",
    "core.alternaterefscommand",
    "sequence.editor",
    "diff.external",
    "gpg.program",
    "interactive.difffilter",
    "uploadpack.packobjectshook",
];

/// The ends of settings of git whose value is a command, whatever they are about: `filter.x.clean`.
const GIT_ENDS: &[(&str, &[&str])] = &[
    ("filter.", &[".clean", ".smudge", ".process"]),
    ("merge.", &[".driver"]),
    ("diff.", &[".command", ".textconv"]),
    ("difftool.", &[".cmd"]),
    ("mergetool.", &[".cmd"]),
    ("browser.", &[".cmd"]),
    ("man.", &[".cmd"]),
    ("remote.", &[".uploadpack", ".receivepack"]),
    ("trailer.", &[".command", ".cmd"]),
    ("sendemail.", &["cmd"]),
    ("hook.", &[".command"]),
    ("gpg.", &[".program"]),
    ("pager.", &[""]),
];

/// What a setting of git has run.
pub(crate) fn git_runs(key: &str, value: &str) -> Vec<Inner> {
    let key = key.to_ascii_lowercase();
    if let Some(command) = value.strip_prefix('!') {
        return shell(command);
    }
    if key.starts_with("alias.") {
        return vec![Inner::Text(format!("git {value}"))];
    }
    let ends =
        |(start, ends): &(&str, &[&str])| key.starts_with(start) && ends.iter().any(|end| key.ends_with(end));
    let is_switch = matches!(value, "true" | "false" | "1" | "0" | "");
    let runs = GIT_COMMANDS.contains(&key.as_str()) || GIT_ENDS.iter().any(ends);
    if runs && !is_switch { shell(value) } else { Vec::new() }
}

/// `ext::COMMAND`, which git runs to reach a repository.
pub(crate) fn git_remote(text: &str) -> Vec<Inner> {
    text.strip_prefix("ext::").map(shell).unwrap_or_default()
}

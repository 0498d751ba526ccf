//! How texts are read that programs are handed: what each runs.

use crate::{Word, code, sed, wrapper::Inner};

pub(crate) fn shell(text: &str) -> Vec<Inner> {
    vec![Inner::Text(text.strip_prefix("exec=").unwrap_or(text).to_owned())]
}

/// What a key is bound to: `"\C-x": rm y`.
pub(crate) fn bound(text: &str) -> Vec<Inner> {
    text.split_once(':').map(|(_, text)| shell(text.trim().trim_matches('"'))).unwrap_or_default()
}

/// A text that is a whole line each.
pub(crate) fn each(text: &str) -> Vec<Inner> {
    if text.starts_with('-') { Vec::new() } else { shell(text) }
}

/// What keys that are typed run: `rm x\n`; names of keys such as `Enter` run nothing.
pub(crate) fn keys(text: &str) -> Vec<Inner> {
    let typed =
        text.trim_end_matches("\\n").trim_end_matches("\\r").trim_end_matches("^M").trim_end_matches("\\015");
    let is_key =
        matches!(typed, "Enter" | "KPEnter" | "Space" | "Tab" | "Escape" | "BSpace" | "Up" | "Down" | "")
            || typed.len() == 3 && typed.starts_with("C-");
    if is_key { Vec::new() } else { shell(typed) }
}

/// The signs by which clients and debuggers start a shell.
const SHELL_SIGNS: &[&str] = &[
    "\\!",
    "!",
    "shell ",
    "shell(",
    "system ",
    ".shell ",
    ".system ",
    "platform shell ",
    "process launch --shell -- ",
    "local ",
];

/// Lines that such a sign starts, and calls of code among the others.
pub(crate) fn directives(text: &str) -> Vec<Inner> {
    let mut found = Vec::new();
    for line in text.lines().flat_map(|line| line.split(';')) {
        let line = line.trim_start();
        match SHELL_SIGNS.iter().find_map(|sign| line.strip_prefix(sign)) {
            Some(rest) => found.push(Inner::Text(rest.to_owned())),
            None if line.starts_with("py") || line.starts_with("script") || line.contains("system(") => {
                found.extend(code::commands("gdb", line));
            }
            None => {}
        }
    }
    found
}

/// `less +'!rm x'`
pub(crate) fn pager(text: &str) -> Vec<Inner> {
    text.strip_prefix("+!").map(shell).unwrap_or_default()
}

/// `ProxyCommand=…`
pub(crate) fn ssh_option(text: &str) -> Vec<Inner> {
    let names = ["proxycommand", "localcommand", "knownhostscommand", "remotecommand"];
    let (name, value) = text.split_once(['=', ' ']).unwrap_or((text, ""));
    if names.contains(&name.trim().to_ascii_lowercase().as_str()) { shell(value.trim()) } else { Vec::new() }
}

pub(crate) fn sed_runs(text: &str) -> Vec<Inner> {
    sed::read(text).runs.into_iter().map(Inner::Text).collect()
}

/// `(shell-command "…")`, `(delete-directory "…" t)`
pub(crate) fn lisp(text: &str) -> Vec<Inner> {
    let calls =
        |name: &str| text.split(name).skip(1).filter_map(|call| call.split('"').nth(1)).collect::<Vec<_>>();
    let runs = calls("shell-command").into_iter().map(|text| Inner::Text(text.to_owned()));
    let deletes = ["delete-directory", "delete-file"].into_iter().flat_map(calls);
    let deletes = deletes.map(|path| Inner::Words(["rm", "-rf", path].map(Word::known).to_vec()));
    runs.chain(deletes).collect()
}

/// `commands=["rm x","ls"]`, `{"commands":["rm x"]}`
pub(crate) fn parameters(text: &str) -> Vec<Inner> {
    let Some((_, list)) = text.split_once("commands") else { return Vec::new() };
    let list = list.trim_start_matches(['"', '=', ':', ' ', '[']);
    let quoted: Vec<&str> = list.split('"').collect();
    match quoted.as_slice() {
        [plain] => shell(plain.trim_end_matches(']')),
        parts if list.starts_with('"') => {
            parts.iter().skip(1).step_by(2).flat_map(|text| shell(text)).collect()
        }
        parts => parts
            .iter()
            .step_by(2)
            .filter(|text| text.trim().len() > 1)
            .flat_map(|text| shell(text))
            .collect(),
    }
}

pub(crate) fn lines(text: &str) -> Vec<Inner> {
    text.lines().map(|line| Inner::Text(line.to_owned())).collect()
}

/// The lines of a schedule: five fields or an `@daily`, then the command.
pub(crate) fn schedule(text: &str) -> Vec<Inner> {
    let line = |line: &str| {
        let line = line.trim_start();
        let fields = if line.starts_with('@') { 1 } else { 5 };
        let is_time = line.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '*' | '@'));
        let mut rest = line;
        for _ in 0..fields {
            rest = rest.trim_start().split_once([' ', '\t'])?.1;
        }
        is_time.then(|| Inner::Text(rest.trim_start().to_owned()))
    };
    text.lines().filter_map(line).collect()
}

/// Tcl: `exec`, `spawn` and `system` run words, `send` types them.
pub(crate) fn tcl(text: &str) -> Vec<Inner> {
    let mut found = Vec::new();
    for part in text.split(['\n', ';', '[', ']', '{', '}']) {
        let part = part.trim_start();
        let Some((word, rest)) = part.split_once(' ') else { continue };
        match word {
            "exec" | "spawn" | "system" | "open" => {
                found.push(Inner::Text(
                    rest.trim_start_matches(['-', '"', '|']).trim_end_matches('"').to_owned(),
                ));
            }
            "send" => found.extend(keys(rest.trim_start_matches("-- ").trim_matches('"'))),
            _ => {}
        }
    }
    found
}

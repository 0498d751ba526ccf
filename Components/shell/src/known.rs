//! Names that a pattern may stand for. The shell fills `.p?/rules` with the files that it finds; nobody looks at the
//! disk here, so the names that lie on most machines, and that rules are about, are filled in where they fit.

use crate::marks::{BRACKET, QUESTION, STAR};

/// How many paths one pattern is filled with.
const MOST: usize = 32;
/// Longer parts of a path are left as they are.
const LONGEST: usize = 256;

/// Names that may lie in any folder.
const ANYWHERE: &[&str] = &[
    ".pi",
    ".mentci",
    "mentci.toml",
    ".claude",
    ".codex",
    ".gemini",
    ".opencode",
    ".config",
    ".local",
    ".ssh",
    ".aws",
    ".gnupg",
    ".kube",
    ".git",
    ".env",
    ".netrc",
    ".npmrc",
    ".bashrc",
    ".bash_profile",
    ".profile",
    ".zshrc",
];

/// What a pattern of signs alone, such as `.*`, is filled with at the end of a path: it means all that there is, and is
/// judged as such.
const ROOTS: &[&str] = &[".pi", ".mentci"];

/// Programs that a pattern in a folder of programs may name, what does the most harm first.
const PROGRAMS: &[&str] = &[
    "rm",
    "dd",
    "mv",
    "cp",
    "sh",
    "bash",
    "dash",
    "zsh",
    "chmod",
    "chown",
    "shred",
    "tee",
    "ln",
    "curl",
    "wget",
    "nc",
    "ncat",
    "python3",
    "python",
    "perl",
    "ruby",
    "node",
    "find",
    "xargs",
    "sudo",
    "su",
    "git",
    "cat",
    "truncate",
    "mkfs",
    "mount",
    "umount",
    "kill",
    "crontab",
    "ssh",
    "scp",
    "sed",
    "base64",
    "policy-engine",
];

/// Names in a folder of this name; `/` is the root.
const BELOW: &[(&str, &[&str])] = &[
    (
        "/",
        &["etc", "home", "usr", "bin", "sbin", "lib", "lib64", "boot", "var", "root", "dev", "opt", "Users"],
    ),
    ("usr", &["bin", "sbin", "lib", "local", "share"]),
    ("local", &["bin", "sbin"]),
    ("etc", &["passwd", "shadow", "sudoers", "sudoers.d", "hosts", "ssh", "crontab", "cron.d"]),
    (".pi", &["rules", "plugins", "extensions", "skills"]),
    (".config", &["mentci", "opencode"]),
    (".local", &["state", "share"]),
    ("state", &["mentci"]),
    ("share", &["mentci"]),
    ("mentci", &["rules", "plugins", "workspaces", "consent.json", "config.toml"]),
    (".claude", &["settings.json", "settings.local.json", "hooks"]),
    (".codex", &["hooks.json", "config.toml", "rules"]),
    (".gemini", &["settings.json", "extensions"]),
    (".ssh", &["authorized_keys", "id_rsa", "id_ed25519", "config"]),
    (".aws", &["credentials", "config"]),
    (".kube", &["config"]),
    ("bin", PROGRAMS),
    ("sbin", PROGRAMS),
];

/// What a word is filled with.
pub(crate) enum Filled {
    /// Nothing that is known fits.
    No,
    /// These paths may be among what the shell finds.
    Beside(Vec<String>),
    /// This program is what the shell runs.
    Instead(String),
}

/// The known paths that a marked text may stand for, marked themselves where signs are left.
pub(crate) fn filled(marked: &str) -> Filled {
    if !is_pattern(marked) {
        return Filled::No;
    }
    let parts: Vec<&str> = marked.split('/').collect();
    let mut paths = vec![String::new()];
    for (at, part) in parts.iter().enumerate() {
        let is_last = parts[at + 1..].iter().all(|part| part.is_empty());
        let mut longer = Vec::new();
        for path in &paths {
            let start = if at == 0 { String::new() } else { format!("{path}/") };
            let names = names(parent(at, path), part, is_last);
            longer.extend(names.iter().map(|name| format!("{start}{name}")));
            if names.is_empty() {
                longer.push(format!("{start}{part}"));
            }
        }
        longer.truncate(MOST);
        paths = longer;
    }
    paths.retain(|path| path != marked);
    match paths.iter().find(|path| is_program(path)) {
        Some(program) => Filled::Instead(program.clone()),
        None if paths.is_empty() => Filled::No,
        None => Filled::Beside(paths),
    }
}

fn is_pattern(text: &str) -> bool {
    text.contains([STAR, QUESTION, BRACKET])
}

/// Whether it is a program by its whole path.
fn is_program(path: &str) -> bool {
    let parts = path.rsplit_once('/');
    parts.is_some_and(|(folder, name)| folder.ends_with("bin") && PROGRAMS.contains(&name))
}

/// The name of the folder in which the part at this place lies.
fn parent(at: usize, path: &str) -> &str {
    if at > 0 && path.is_empty() {
        return "/";
    }
    path.rsplit('/').next().unwrap_or(path)
}

/// The names that fit one part of a path.
fn names(parent: &str, part: &str, is_last: bool) -> Vec<&'static str> {
    if !is_pattern(part) || part.len() > LONGEST {
        return Vec::new();
    }
    let pattern: Vec<char> = part.chars().collect();
    let fit = |name: &&&str| fits(&pattern, name);
    if is_last && literals(&pattern) == 0 {
        return ROOTS.iter().filter(fit).copied().collect();
    }
    let below = BELOW.iter().filter(|(folder, _)| *folder == parent).flat_map(|(_, names)| *names);
    let says = |name: &&&str| name.starts_with('.') || is_last && says_enough(part);
    below.chain(ANYWHERE.iter().filter(says)).filter(fit).copied().collect()
}

/// Whether a pattern says more than an extension: `m*.toml` and `mentc?`, but not `*.toml`.
fn says_enough(part: &str) -> bool {
    let (stem, ending) = part.rsplit_once('.').unwrap_or((part, ""));
    let count = |text: &str| literals(&text.chars().collect::<Vec<_>>());
    let (stem, ending) = (count(stem), count(ending));
    stem >= 3 || stem >= 1 && stem + ending >= 5
}

/// How many letters and digits of a pattern stand for themselves.
fn literals(pattern: &[char]) -> usize {
    let (mut count, mut at) = (0, 0);
    while let Some(c) = pattern.get(at) {
        at = match class(pattern, at) {
            Some((_, end)) if *c == BRACKET => end,
            _ => {
                count += usize::from(c.is_alphanumeric());
                at + 1
            }
        };
    }
    count
}

/// What stands in the brackets that open here, and where they end.
fn class(pattern: &[char], at: usize) -> Option<(&[char], usize)> {
    let from = at + 1;
    let first = from + usize::from(matches!(pattern.get(from), Some('!' | '^')));
    // A `]` that comes first stands for itself, and that of `[:alpha:]` ends no class.
    let ends = |end: &usize| pattern[*end] == ']' && pattern[end - 1] != ':';
    let end = (first + 1..pattern.len()).find(ends)?;
    Some((&pattern[from..end], end + 1))
}

/// Whether a pattern stands for this name. A `.` at the start must be written.
fn fits(pattern: &[char], name: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    if name.first() == Some(&'.') && pattern.first() != Some(&'.') {
        return false;
    }
    let (mut at, mut read) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while read < name.len() {
        if pattern.get(at) == Some(&STAR) {
            at += 1;
            star = Some((at, read));
        } else if let Some(next) = one(pattern, at, name[read]) {
            (at, read) = (next, read + 1);
        } else if let Some((after, from)) = star {
            star = Some((after, from + 1));
            (at, read) = (after, from + 1);
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|c| *c == STAR)
}

/// Where the pattern goes on when what stands here takes this sign.
fn one(pattern: &[char], at: usize, sign: char) -> Option<usize> {
    match *pattern.get(at)? {
        QUESTION => Some(at + 1),
        BRACKET => {
            let (class, end) = class(pattern, at)?;
            holds(class, sign).then_some(end)
        }
        c => (c == sign).then_some(at + 1),
    }
}

/// Whether a class such as `a-z` or `!x` holds a sign. A named class such as `[:alpha:]` may hold any.
fn holds(class: &[char], sign: char) -> bool {
    let (negated, class) = match class {
        ['!' | '^', rest @ ..] => (true, rest),
        all => (false, all),
    };
    if class.windows(2).any(|pair| matches!(pair, [_, ':'])) {
        return true;
    }
    let ranges = class.windows(3).any(|range| range[1] == '-' && (range[0]..=range[2]).contains(&sign));
    (ranges || class.contains(&sign)) != negated
}

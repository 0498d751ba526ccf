//! Options, their values, operands and subcommands: the arguments of a command, sorted.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    Word, abbreviation,
    program::{Subcommands, has_single_dash, tool_of},
};

/// The arguments of a command, sorted.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    pub(crate) flags: BTreeSet<String>,
    pub(crate) values: BTreeMap<String, Vec<String>>,
    pub(crate) operands: Vec<Word>,
    pub(crate) subcommand: String,
}

/// Subcommands of docker and podman that remove.
const REMOVALS: &str = "rm|rmi|container rm|image rm|volume rm|network rm|system prune|volume prune|image prune|container prune|network prune|builder prune|compose rm";

/// Names of one option, for a program, or for some of its subcommands.
const SAME: &[(&str, &str, &[&str])] = &[
    ("rm", "", &["r", "R", "recursive"]),
    ("rm", "", &["f", "force"]),
    ("rm", "", &["i", "interactive"]),
    ("rm", "", &["v", "verbose"]),
    ("cp", "", &["r", "R", "recursive"]),
    ("cp", "", &["f", "force"]),
    ("mv", "", &["f", "force"]),
    ("ln", "", &["f", "force"]),
    ("ln", "", &["s", "symbolic"]),
    ("chmod", "", &["R", "recursive"]),
    ("chown", "", &["R", "recursive"]),
    ("chgrp", "", &["R", "recursive"]),
    ("shred", "", &["u", "remove"]),
    ("shred", "", &["z", "zero"]),
    ("scp", "", &["r", "recursive"]),
    ("grep", "", &["r", "R", "recursive"]),
    ("sed", "", &["i", "in-place"]),
    ("tee", "", &["a", "append"]),
    ("truncate", "", &["s", "size"]),
    ("tar", "", &["x", "extract", "get"]),
    ("tar", "", &["c", "create"]),
    ("rsync", "", &["n", "dry-run"]),
    ("rsync", "", &["r", "recursive"]),
    ("base64", "", &["d", "D", "decode"]),
    ("curl", "", &["o", "output"]),
    ("curl", "", &["O", "remote-name"]),
    ("curl", "", &["d", "data"]),
    ("curl", "", &["F", "form"]),
    ("curl", "", &["T", "upload-file"]),
    ("curl", "", &["X", "request"]),
    ("curl", "", &["H", "header"]),
    ("curl", "", &["k", "insecure"]),
    ("curl", "", &["L", "location"]),
    ("curl", "", &["s", "silent"]),
    ("curl", "", &["u", "user"]),
    ("wget", "", &["O", "output-document"]),
    ("wget", "", &["P", "directory-prefix"]),
    ("wget", "", &["q", "quiet"]),
    ("git", "push", &["f", "force"]),
    ("git", "push", &["d", "delete"]),
    ("git", "push", &["n", "dry-run"]),
    ("git", "clean", &["f", "force"]),
    ("git", "clean", &["n", "dry-run"]),
    ("git", "clean", &["i", "interactive"]),
    ("git", "checkout", &["f", "force"]),
    ("git", "switch", &["f", "force", "discard-changes"]),
    ("git", "switch", &["C", "force-create"]),
    ("git", "branch", &["d", "delete"]),
    ("git", "branch", &["f", "force"]),
    ("git", "branch", &["m", "move"]),
    ("git", "commit", &["m", "message"]),
    ("git", "commit", &["n", "no-verify"]),
    ("git", "commit", &["a", "all"]),
    ("git", "restore", &["S", "staged"]),
    ("git", "restore", &["W", "worktree"]),
    ("git", "restore", &["s", "source"]),
    ("git", "add", &["f", "force"]),
    ("git", "add", &["A", "all"]),
    ("git", "add", &["n", "dry-run"]),
    ("git", "rm", &["f", "force"]),
    ("git", "rm", &["n", "dry-run"]),
    ("git", "fetch", &["f", "force"]),
    ("git", "tag", &["d", "delete"]),
    ("git", "tag", &["f", "force"]),
    ("git", "worktree remove", &["f", "force"]),
    ("git", "submodule deinit", &["f", "force"]),
    ("docker", REMOVALS, &["f", "force"]),
    ("docker", REMOVALS, &["a", "all"]),
    ("docker", "rm|container rm|compose down|compose rm", &["v", "volumes"]),
    ("podman", REMOVALS, &["f", "force"]),
    ("podman", REMOVALS, &["a", "all"]),
    ("docker-compose", "down|rm", &["v", "volumes"]),
    ("kubectl", "", &["A", "all-namespaces"]),
    ("kubectl", "", &["f", "filename"]),
    ("kubectl", "", &["n", "namespace"]),
    ("kubectl", "", &["l", "selector"]),
    ("npm", "", &["g", "global"]),
    ("npm", "", &["f", "force"]),
    ("pnpm", "", &["g", "global"]),
    ("pip", "", &["r", "requirement"]),
    ("pip", "", &["y", "yes"]),
    ("apt", "", &["y", "yes", "assume-yes"]),
    ("apt-get", "", &["y", "yes", "assume-yes"]),
    ("yum", "", &["y", "assumeyes"]),
    ("dnf", "", &["y", "assumeyes"]),
    ("pulumi", "", &["y", "yes"]),
    ("gh", "", &["R", "repo"]),
    ("psql", "", &["c", "command"]),
    ("mysql", "", &["e", "execute"]),
    ("node", "", &["e", "eval"]),
    ("crontab", "", &["r", "remove"]),
    ("userdel", "", &["r", "remove"]),
    ("nc", "", &["e", "exec"]),
    ("nc", "", &["l", "listen"]),
    ("kill", "", &["s", "signal"]),
];

/// Capital short options that are two in one.
const DOUBLE: &[(&str, &str, &str, &[&str])] = &[
    ("git", "branch", "D", &["d", "delete", "f", "force"]),
    ("git", "branch", "M", &["m", "move", "f", "force"]),
    ("git", "checkout", "B", &["b", "force-create"]),
    ("rm", "", "dir", &["d"]),
    ("cp", "", "a", &["r", "R", "recursive"]),
    ("cp", "", "archive", &["r", "R", "recursive"]),
    ("rsync", "", "a", &["r", "recursive"]),
    ("rsync", "", "archive", &["r", "recursive"]),
];

/// Short options that take a value only for one subcommand: git reads `-m` differently in each.
const SUB_VALUES: &[(&str, &str, &str)] = &[
    ("git", "commit", "mFtC"),
    ("git", "clean", "e"),
    ("git", "clone", "bcjou"),
    ("git", "checkout", "bB"),
    ("git", "switch", "cC"),
    ("git", "log", "nGSL"),
    ("git", "push", "o"),
    ("git", "restore", "s"),
    ("git", "tag", "mFu"),
    ("git", "merge", "msX"),
    ("git", "rebase", "xsX"),
    ("git", "stash push", "m"),
    ("git", "worktree add", "bB"),
    ("docker", "run", "pveuwhlm"),
    ("docker", "exec", "euw"),
    ("docker", "build", "ftm"),
    ("docker", "logs", "n"),
    ("docker", "compose", "fp"),
    ("cargo", "build", "pFj"),
    ("cargo", "test", "pFj"),
    ("cargo", "run", "pFj"),
];

/// Sorts the arguments of a program.
pub(crate) fn sort(program: &str, args: &[Word]) -> Arguments {
    let mut sorted = Arguments::default();
    let mut parts: Vec<&str> = Vec::new();
    let tool = tool_of(program);
    let has_single_dash = has_single_dash(program);
    let shape = tool.map_or(Subcommands::No, |tool| tool.subcommands);
    let mut rest = args.iter().enumerate().peekable();
    let mut ended = false;
    while let Some((at, arg)) = rest.next() {
        let text = arg.text.as_str();
        if ended || !text.starts_with('-') || text.len() < 2 {
            if more_parts(shape, &parts) && arg.is_static && !text.is_empty() && !ended {
                parts.push(text);
            } else if program == "tar" && at == 0 && !ended {
                bundle(&mut sorted, text, "", &mut || None);
            } else {
                sorted.operands.push(arg.clone());
            }
            continue;
        }
        if text == "--" {
            ended = true;
            continue;
        }
        let mut next = || rest.next().map(|(_, word)| word.text.clone());
        if let Some(long) = text.strip_prefix("--").or(text.strip_prefix('-').filter(|_| has_single_dash)) {
            let (name, value) =
                long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value.to_owned())));
            let name = abbreviation::whole(program, &parts.join(" "), name);
            let takes = tool.is_some_and(|tool| tool.long.contains(&name));
            let value = value.or_else(|| takes.then(&mut next).flatten());
            sorted.add(name, value);
        } else {
            let sub = parts.join(" ");
            let own = SUB_VALUES.iter().find(|(name, subcommand, _)| *name == program && *subcommand == sub);
            let global =
                tool.filter(|_| parts.is_empty() || shape == Subcommands::No || program == "kubectl");
            let values = own.map(|row| row.2).or(global.map(|tool| tool.short)).unwrap_or_default();
            bundle(&mut sorted, &text[1..], values, &mut next);
        }
    }
    sorted.subcommand = parts.join(" ");
    unify(program, &mut sorted);
    sorted
}

impl Arguments {
    fn add(&mut self, name: &str, value: Option<String>) {
        self.flags.insert(name.to_owned());
        if let Some(value) = value {
            self.values.entry(name.to_owned()).or_default().push(value);
        }
    }
}

/// Whether the next operand still names the subcommand.
fn more_parts(shape: Subcommands, parts: &[&str]) -> bool {
    match shape {
        Subcommands::No => false,
        Subcommands::One => parts.is_empty(),
        Subcommands::Pair => parts.len() < 2,
        Subcommands::Two(firsts) => parts.is_empty() || (parts.len() == 1 && firsts.contains(&parts[0])),
    }
}

/// Short options behind one dash, up to one that takes a value. Letters are few: what is longer than any bundle is told
/// once and not taken apart.
fn bundle(sorted: &mut Arguments, letters: &str, values: &str, next: &mut dyn FnMut() -> Option<String>) {
    for (at, letter) in letters.char_indices().take(64) {
        let rest = &letters[at + letter.len_utf8()..];
        if values.contains(letter) {
            let value = if rest.is_empty() { next() } else { Some(rest.trim_start_matches('=').to_owned()) };
            return sorted.add(&letter.to_string(), value);
        }
        if letter == '=' {
            return;
        }
        sorted.add(&letter.to_string(), None);
    }
}

/// Adds the other names of every option that is given.
fn unify(program: &str, sorted: &mut Arguments) {
    let fits = |name: &str, sub: &str, subcommand: &str| {
        name == program && (sub.is_empty() || sub.split('|').any(|sub| sub == subcommand))
    };
    let subcommand = sorted.subcommand.clone();
    for (_, _, given, more) in DOUBLE.iter().filter(|row| fits(row.0, row.1, &subcommand)) {
        if sorted.flags.contains(*given) {
            sorted.flags.extend(more.iter().map(|&name| name.to_owned()));
        }
    }
    for (_, _, names) in SAME.iter().filter(|row| fits(row.0, row.1, &subcommand)) {
        if names.iter().any(|name| sorted.flags.contains(*name)) {
            sorted.flags.extend(names.iter().map(|&name| name.to_owned()));
            let values: Vec<String> =
                names.iter().filter_map(|name| sorted.values.remove(*name)).flatten().collect();
            if !values.is_empty() {
                for name in *names {
                    sorted.values.insert((*name).to_owned(), values.clone());
                }
            }
        }
    }
}

//! Programs that are handed a text which they run: a table of who, where the text stands, and how it is read.
//!
//! A text may stand in the value of an option (`gdb -ex TEXT`), among the operands (`tmux send-keys TEXT`), on standard
//! input or in a file (`make -f -`), or in a variable (`PROMPT_COMMAND=TEXT`).

use crate::{
    Word, editor, makefile,
    reading::{
        bound, directives, each, keys, lines, lisp, pager, parameters, schedule, sed_runs, shell, ssh_option,
        tcl,
    },
    sed,
    setting::{git_configured, git_remote, git_setting},
    wrapper::Inner,
};

/// One way that a program is handed a text.
struct Hand {
    programs: &'static [&'static str],
    place: Place,
    reads: Reads,
}

/// Where the text stands.
#[derive(Clone, Copy)]
enum Place {
    /// The value of an option, by its names without dashes: `-c TEXT`, `-lc TEXT`, `--command=TEXT`.
    Option(&'static [&'static str]),
    /// The operands behind these words; behind none, all of them.
    Behind(&'static [&'static str]),
    /// The operand of this number.
    Operand(usize),
    /// All that stands behind one of these words, as one text.
    Rest(&'static [&'static str]),
    /// What comes in on standard input, or the file that one of these options names. Where the list is empty, the first
    /// operand names it; [`NO_FILE`] never does.
    Input(&'static [&'static str]),
}

/// How a text is read: what it runs.
type Reads = fn(&str) -> Vec<Inner>;

/// An option that no program has.
const NO_FILE: &[&str] = &["\0"];

const fn hand(programs: &'static [&'static str], place: Place, reads: Reads) -> Hand {
    Hand { programs, place, reads }
}

use Place::{Behind, Input, Operand, Option as Value, Rest};

const HANDS: &[Hand] = &[
    // A text for a shell.
    hand(&["su", "runuser", "script", "flock", "sg"], Value(&["c", "command"]), shell),
    hand(&["nix-shell"], Value(&["run", "command"]), shell),
    // Machines far away.
    hand(&["vagrant", "gcloud"], Value(&["c", "command"]), shell),
    hand(&["fly", "flyctl"], Value(&["C", "command"]), shell),
    hand(&["heroku"], Rest(&["run", "run:detached"]), shell),
    hand(&["aws"], Value(&["parameters"]), parameters),
    hand(&["az"], Value(&["scripts"]), shell),
    hand(&["npx", "npm"], Value(&["c", "call"]), shell),
    hand(
        &["tar"],
        Value(&[
            "checkpoint-action",
            "to-command",
            "use-compress-program",
            "I",
            "rsh-command",
            "F",
            "info-script",
        ]),
        shell,
    ),
    hand(&["rsync", "scp"], Value(&["e", "rsh", "rsync-path"]), shell),
    hand(&["zip"], Value(&["TT", "unzip-command"]), shell),
    hand(&["ssh", "scp", "sftp"], Value(&["o"]), ssh_option),
    hand(&["hyperfine"], Value(&["prepare", "cleanup", "setup", "p", "c", "s"]), shell),
    hand(&["rg"], Value(&["pre", "hostname-bin"]), shell),
    hand(&["scp", "sftp"], Value(&["S", "D"]), shell),
    hand(&["cargo"], Value(&["s", "shell"]), shell),
    hand(&["ansible"], Value(&["a", "args"]), shell),
    hand(&["salt", "salt-ssh", "salt-call"], Behind(&["cmd.run", "cmd.shell"]), shell),
    hand(&["man"], Value(&["P", "pager", "H", "html"]), shell),
    hand(&["sort"], Value(&["compress-program"]), shell),
    hand(&["split"], Value(&["filter"]), shell),
    hand(&["mapfile", "readarray", "complete", "compgen"], Value(&["C"]), shell),
    hand(&["bind"], Value(&["x"]), bound),
    hand(&["watchexec", "watchman-make", "cargo-watch"], Value(&["s", "shell-command"]), shell),
    hand(&["nodemon"], Value(&["x", "exec"]), shell),
    hand(&["concurrently", "npm-run-all", "hyperfine"], Behind(&[]), each),
    hand(&["git"], Value(&["upload-pack", "receive-pack", "extcmd", "open-files-in-pager", "O"]), shell),
    hand(&["git"], Value(&["c"]), git_setting),
    hand(&["git"], Behind(&[]), git_remote),
    hand(&["trap"], Operand(0), shell),
    hand(&["tmux", "byobu"], Behind(&["send-keys", "send", "send-prefix"]), keys),
    hand(
        &["tmux", "byobu"],
        Behind(&[
            "new",
            "new-session",
            "new-window",
            "neww",
            "split-window",
            "splitw",
            "run-shell",
            "run",
            "respawn-pane",
            "if-shell",
            "pipe-pane",
        ]),
        shell,
    ),
    hand(&["screen"], Behind(&["stuff"]), keys),
    hand(&["screen"], Behind(&["-X", "exec"]), shell),
    hand(&["xdotool", "wtype", "ydotool"], Behind(&["type"]), keys),
    hand(&["kitty", "wezterm"], Behind(&["send-text"]), keys),
    // Terminals.
    hand(
        &[
            "xterm",
            "konsole",
            "alacritty",
            "urxvt",
            "rxvt",
            "st",
            "x-terminal-emulator",
            "lxterminal",
            "terminator",
            "xfce4-terminal",
            "mate-terminal",
            "gnome-terminal",
            "tilix",
            "foot",
            "wezterm",
            "kitty",
        ],
        Rest(&["-e", "-x", "--", "--command", "--execute"]),
        shell,
    ),
    hand(&["entr"], Value(&["s"]), shell),
    hand(&["parallel"], Input(NO_FILE), lines),
    // Debuggers, clients and pagers with a command that starts a shell.
    hand(
        &["gdb", "lldb", "rr"],
        Value(&["ex", "eval-command", "iex", "init-eval-command", "o", "one-line", "O", "k"]),
        directives,
    ),
    hand(&["gdb", "lldb"], Input(&["x", "command", "s", "source"]), directives),
    hand(&["psql"], Value(&["c", "command"]), directives),
    hand(&["psql"], Input(&["f", "file"]), directives),
    hand(&["mysql"], Value(&["e", "execute"]), directives),
    hand(&["mysql", "ftp", "lftp", "telnet", "gnuplot", "mutt", "bc"], Input(NO_FILE), directives),
    hand(&["lftp"], Value(&["c", "e"]), directives),
    hand(&["gnuplot"], Value(&["e"]), directives),
    hand(&["sqlite3"], Operand(1), directives),
    hand(&["sqlite3"], Value(&["cmd"]), directives),
    hand(&["sqlite3"], Input(&["init"]), directives),
    hand(&["sftp"], Input(&["b"]), directives),
    hand(&["less", "more"], Behind(&[]), pager),
    // Languages of their own.
    hand(&["sed"], Operand(0), sed_runs),
    hand(&["sed"], Input(&["f", "file"]), sed_runs),
    hand(&["make", "gmake"], Input(&["f", "file", "makefile"]), makefile::runs),
    hand(&["make", "gmake"], Value(&["eval"]), makefile::runs),
    hand(&["crontab"], Input(&[]), schedule),
    hand(&["expect", "expectk", "tclsh", "wish"], Value(&["c"]), tcl),
    hand(&["expect", "expectk", "tclsh", "wish"], Input(&[]), tcl),
    hand(&["emacs", "emacsclient"], Value(&["eval", "e", "execute"]), lisp),
    hand(&["ex", "ed", "red", "vi", "vim", "nvim"], Input(NO_FILE), editor::fed),
    hand(&["at", "batch"], Input(&["f"]), shell),
];

/// What the arguments of a program have run.
pub(crate) fn in_arguments(name: &str, args: &[Word]) -> Vec<Inner> {
    let mut found = Vec::new();
    for hand in hands(name) {
        match hand.place {
            Value(options) => found.extend(values(args, options).iter().flat_map(|text| (hand.reads)(text))),
            Behind(words) => found.extend(behind(args, words).iter().flat_map(|text| (hand.reads)(text))),
            Rest(words) => {
                let start = args.iter().position(|arg| words.contains(&arg.text.as_str()));
                let rest = start.and_then(|start| args.get(start + 1..)).unwrap_or_default();
                let rest: Vec<&str> = rest.iter().map(|arg| arg.text.as_str()).collect();
                found.extend((hand.reads)(&rest.join(" ")));
            }
            Operand(_) if name == "sed" => {
                found.extend(sed_scripts(args).iter().flat_map(|text| (hand.reads)(text)));
            }
            Operand(at) => {
                let operand = operands(args).nth(at);
                found.extend(operand.into_iter().flat_map(|word| (hand.reads)(&word.text)));
            }
            Input(_) => {}
        }
    }
    if name == "git" {
        found.extend(git_configured(args));
    }
    found
}

/// The scripts of `sed`: the values of `-e`; without one and without a file of them, the first operand.
pub(crate) fn sed_scripts(args: &[Word]) -> Vec<String> {
    let given = values(args, &["e", "expression"]);
    if !given.is_empty() || has_option(args, &["f", "file"]) {
        return given;
    }
    operands(args).take(1).map(|word| word.text.clone()).collect()
}

/// Where a program's text comes in.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Inlet {
    /// On standard input.
    Stdin,
    /// In this file.
    File(String),
}

/// Where the text that a program runs comes in, if it is one that is handed its text so.
pub(crate) fn inlet(name: &str, args: &[Word]) -> Option<Inlet> {
    let hand = hands(name).find(|hand| matches!(hand.place, Input(_)))?;
    let Input(options) = hand.place else { return None };
    if name == "parallel" && operands(args).next().is_some() {
        return None; // with a command of its own, the lines are data
    }
    let named = match options {
        [] => operands(args).next().map(|word| word.text.clone()),
        options => values(args, options).into_iter().next(),
    };
    Some(match named {
        Some(file) if !is_stdin(&file) => Inlet::File(file),
        None if matches!(name, "make" | "gmake") => Inlet::File("Makefile".to_owned()),
        _ => Inlet::Stdin,
    })
}

/// What a text that comes in has run.
pub(crate) fn in_input(name: &str, args: &[Word], text: &str) -> Vec<Inner> {
    if name == "sed" && !has_option(args, &["f", "file"]) {
        return if runs_lines(args) { shell(text) } else { Vec::new() };
    }
    let inputs = hands(name).filter(|hand| matches!(hand.place, Input(_)));
    inputs.flat_map(|hand| (hand.reads)(text)).collect()
}

/// Whether these arguments of `sed` run the lines that it reads.
pub(crate) fn runs_lines(args: &[Word]) -> bool {
    sed_scripts(args).iter().any(|script| sed::read(script).runs_input)
}

/// Whether a path is another name of standard input.
pub(crate) fn is_stdin(path: &str) -> bool {
    matches!(path, "-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0")
}

fn hands(name: &str) -> impl Iterator<Item = &'static Hand> {
    HANDS.iter().filter(move |hand| hand.programs.contains(&name))
}

pub(crate) fn operands(args: &[Word]) -> impl Iterator<Item = &Word> {
    args.iter().filter(|arg| !arg.text.starts_with('-') || arg.text == "-")
}

fn has_option(args: &[Word], options: &[&str]) -> bool {
    args.iter().any(|arg| named(&arg.text, options).is_some())
}

/// Whether an argument is one of these options, and where its value stands.
fn named(arg: &str, options: &[&str]) -> Option<Given> {
    let option = arg.strip_prefix('-')?;
    let long = option.strip_prefix('-');
    let (name, value) = long
        .unwrap_or(option)
        .split_once('=')
        .map_or((long.unwrap_or(option), Given::Next), |(name, value)| (name, Given::Here(value.to_owned())));
    if options.contains(&name) {
        return Some(value);
    }
    let shorts = || options.iter().filter(|known| known.len() == 1 && long.is_none());
    if option.len() < 16 && shorts().any(|known| option.ends_with(*known)) {
        return Some(Given::Next); // `-lc TEXT`
    }
    shorts().find_map(|known| option.strip_prefix(*known)).map(|grown| Given::Here(grown.to_owned())) // `-cTEXT`
}

/// Where the value of an option stands.
enum Given {
    /// It is the next argument.
    Next,
    /// It is grown on.
    Here(String),
}

/// The values of these options.
pub(crate) fn values(args: &[Word], options: &[&str]) -> Vec<String> {
    let value = |(at, arg): (usize, &Word)| match named(&arg.text, options)? {
        Given::Here(value) => Some(value),
        Given::Next => args.get(at + 1).map(|arg| arg.text.clone()),
    };
    args.iter().enumerate().filter_map(value).collect()
}

/// The operands behind one of these words.
fn behind(args: &[Word], words: &[&str]) -> Vec<String> {
    let start = match words {
        [] => Some(0),
        words => args.iter().position(|arg| words.contains(&arg.text.as_str())).map(|at| at + 1),
    };
    let rest = start.and_then(|start| args.get(start..)).unwrap_or_default();
    rest.iter()
        .map(|arg| arg.text.clone())
        .filter(|text| words.is_empty() || !text.starts_with('-'))
        .collect()
}

//! One command that runs: its program, its arguments and how it is reached.

use std::collections::{BTreeMap, BTreeSet};

use mentci_source::Span;
use serde::Serialize;

use crate::Word;

/// One command that the text runs.
///
/// `sudo git -C /x push -f origin` gives two: `sudo`, and `git` with the subcommand `push`, the flags `f` and
/// `force`, the operands `push` and `origin`, the cwd `/x`, via `sudo`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Command {
    /// The program's canonical name: no directory, no `.exe`, small letters, versions and `g` prefixes of GNU tools
    /// taken off (`/usr/bin/python3.11` is `python`, `grm` is `rm`). Empty when only redirects or assignments stand there.
    pub program: String,
    /// The program as it was written, quotes taken off: `/usr/bin/python3.11`.
    pub path: String,
    /// Whether program and arguments are all known before the command runs.
    pub is_static: bool,
    /// Whether the program itself is known: false for `$X -rf /` when nothing tells what `X` is.
    pub program_is_static: bool,
    /// The arguments, without the program. A wrapper such as `sudo` has only its own: not those of the command that it runs.
    pub args: Vec<Word>,
    /// Options without their dashes and values: `r`, `f`, `force-with-lease`. Short ones of a bundle stand each on its
    /// own; short and long names that mean the same stand both.
    pub flags: BTreeSet<String>,
    /// The values of options that take one, by the option's name: `o` -> `x.sh`.
    pub values: BTreeMap<String, Vec<String>>,
    /// The arguments that are neither options nor values of options, the subcommand's words left out.
    pub operands: Vec<Word>,
    /// The subcommand of tools that have them, words joined by a space: `push`, `stash drop`, `compose down`. Empty for others.
    pub subcommand: String,
    /// The directory that it runs in, when an earlier `cd` or an option such as `-C` tells it.
    pub cwd: Option<String>,
    /// The variables that are set for it, or, without a program, from here on.
    pub env: BTreeMap<String, Word>,
    /// Its redirects, in the order that they are written.
    pub redirects: Vec<Redirect>,
    /// How it is reached, outermost first. Empty for what is written plainly.
    pub via: Vec<Via>,
    /// Its place in a pipeline of two or more.
    pub pipe: Option<Pipe>,
    /// The programs before it in its pipeline, in order.
    pub pipes_from: Vec<String>,
    /// The programs after it in its pipeline, in order.
    pub pipes_into: Vec<String>,
    /// For a program that runs code (`sh`, `python`, `eval`, `source`): the programs whose output it runs, by pipe,
    /// by substitution or through a file that they wrote. `curl` for `curl … | sh`.
    pub code_from: Vec<String>,
    /// For a search (`find`, `fd`): where it starts; `.` when it does not say.
    pub starts: Vec<Word>,
    /// For a search: the ways by which a file comes to be acted on, each with the tests that it surely passed, as
    /// `-name *.pyc`. What stands behind a `-not`, or beside an `-o`, guards nothing.
    pub guards: Vec<Vec<String>>,
    /// The code that it is handed as an argument or on standard input: `python -c CODE`.
    pub code: Option<String>,
    /// Whether it runs in the background.
    pub background: bool,
    /// Where it stands in the text. Commands of a string that another command runs stand where that command stands.
    pub span: Span,
}

impl Command {
    /// Whether any of these options is given.
    pub fn has_flag(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.flags.contains(*name))
    }
}

/// One redirect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Redirect {
    /// What it does with its target.
    pub op: Operation,
    /// The file descriptor when one is written: 2 for `2>`.
    pub fd: Option<u32>,
    /// The file; for [`Operation::Here`] the text itself.
    pub target: Word,
}

/// What a redirect does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// `<`
    Read,
    /// `>`, `>|`, `&>` and `<>`
    Write,
    /// `>>` and `&>>`
    Append,
    /// `<<EOF` and `<<<`
    Here,
    /// `>&1`, `<&-`: another descriptor, no file.
    Duplicate,
}

/// A place in a pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Pipe {
    /// Which pipeline of the script, from 0.
    pub id: u32,
    /// Which stage, from 0.
    pub position: u32,
}

/// How a command is reached.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Via {
    /// `$(…)`, backticks, `<(…)` or `>(…)`.
    Substitution,
    /// The body of a function of this name.
    Function(String),
    /// A program that runs it, by its canonical name: `sudo`, `bash`, `xargs`, `find`, `ssh`.
    Program(String),
}

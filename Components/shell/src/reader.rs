//! What all texts of one command string share while they are read: steps, variables and the commands so far.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use mentci_source::Span;

use crate::{Command, Limits, Pipe, Reason, Script, Via, list::Local, pass::Pass, printed::Printed};

/// The deepest that texts are read inside each other, whatever the limits say: reading a text inside a text calls itself.
const DEEPEST: usize = 64;
/// How many programs are told before and after a command.
pub(crate) const MOST_NEIGHBOURS: usize = 16;
/// How many commands are told of functions that are read where they are called.
const MOST_OF_CALLS: usize = 64;
/// How many words are read: past that a text is data, and a list of them would only fill the memory.
const MOST_WORDS: usize = 250_000;
/// The longest folder that commands are told to run in, in bytes: no system opens a longer one by its name.
pub(crate) const LONGEST_FOLDER: usize = 4096;
/// The longest text that is foretold as a variable's value or a program's output.
pub(crate) const LONGEST_VALUE: usize = 4096;

/// The state of one [`parse`](crate::parse).
pub(crate) struct Reader {
    pub(crate) limits: Limits,
    pub(crate) steps: u64,
    most_steps: u64,
    pub(crate) commands: Vec<Command>,
    /// Variables that were set: their marked values, several where a loop or an array gives several; none when unknown.
    pub(crate) variables: BTreeMap<String, Vec<String>>,
    /// What `IFS` may hold besides.
    pub(crate) more_separators: String,
    /// Variables that stand for others: `declare -n r=c`.
    pub(crate) references: BTreeMap<String, String>,
    /// What comes in on descriptors that `exec` opened.
    pub(crate) descriptors: BTreeMap<u32, String>,
    /// The programs that files are copies of, or links to, and that names were told to stand for.
    pub(crate) copies: BTreeMap<String, String>,
    /// Variables that may hold something else than that, since the text changes them in a way that is not foretold.
    pub(crate) changed: BTreeSet<String>,
    /// What the body of each function sets, and to what it does.
    pub(crate) sets: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// The bodies of functions, and the commands that were told of them.
    pub(crate) functions: BTreeMap<String, (String, Range<usize>)>,
    /// What was set aside by the functions that are being called.
    pub(crate) locals: Vec<Vec<Local>>,
    /// The steps that reading functions again has taken, and how many commands it told.
    pub(crate) calls: (u64, usize),
    /// The programs whose output stands in a variable.
    pub(crate) output_in: BTreeMap<String, Vec<String>>,
    pub(crate) aliases: BTreeMap<String, String>,
    /// What was written to a file by which programs: `curl -o x.sh`, then `sh x.sh`.
    pub(crate) written_by: BTreeMap<String, Vec<String>>,
    /// How many words were read.
    pub(crate) words: usize,
    /// What the commands so far wrote to files, when that can be foretold.
    pub(crate) texts: BTreeMap<String, String>,
    /// What they most likely wrote where that is not sure, for what a shell would run of it; with a `$` before its name,
    /// what most likely stands in a variable.
    pub(crate) likely_in: BTreeMap<String, String>,
    pub(crate) pipelines: u32,
    pub(crate) incomplete: Option<Reason>,
    pub(crate) malformed: bool,
    pub(crate) forks: BTreeSet<String>,
    /// Functions that run what they are handed: `f() { "$@"; }`.
    pub(crate) forwards: BTreeSet<String>,
    /// The variables that `read` fills with lines.
    pub(crate) lines_in: BTreeSet<String>,
    /// Names that hand on what is written to them, as `mkfifo` makes them.
    pub(crate) fifos: BTreeMap<String, Fifo>,
    /// The shells that read what is written to descriptors: `exec 3> >(sh)`.
    pub(crate) sinks: BTreeMap<u32, usize>,
    /// Coprocesses by name, and how many commands were told before each.
    pub(crate) coprocesses: BTreeMap<String, usize>,
}

/// A name that hands on what is written to it.
#[derive(Debug, Default)]
pub(crate) struct Fifo {
    /// The shell that reads it.
    pub(crate) shell: Option<usize>,
    /// How many commands were looked at for one.
    pub(crate) looked_at: usize,
}

/// Where a text stands that is read: what its commands take over from the one that runs them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Context {
    pub(crate) via: Rc<Vec<Via>>,
    pub(crate) cwd: Option<String>,
    /// The span of the command that runs the text; none for the text itself.
    pub(crate) span: Option<Span>,
    pub(crate) pipe: Option<Pipe>,
    /// The programs whose output comes in on standard input.
    pub(crate) upstream: Vec<String>,
    pub(crate) background: bool,
    /// What comes in on standard input, when that can be foretold.
    pub(crate) stdin: Option<Rc<str>>,
    /// What most likely comes in, where that is not sure.
    pub(crate) likely: Option<Rc<str>>,
    /// The programs whose output comes in on standard input by other ways than a pipe: out of files that they wrote.
    pub(crate) sources: Vec<String>,
    /// How many texts it stands in.
    pub(crate) depth: usize,
}

/// What reading a text told about it, besides its commands.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// What it prints.
    pub(crate) output: Printed,
    /// The programs that it runs, the last [`MOST_NEIGHBOURS`].
    pub(crate) programs: Vec<String>,
}

impl Reader {
    pub(crate) fn new(limits: Limits, bytes: usize) -> Self {
        Self {
            limits: Limits { depth: limits.depth.min(DEEPEST), ..limits },
            steps: 0,
            most_steps: limits.steps(bytes),
            commands: Vec::new(),
            variables: BTreeMap::new(),
            more_separators: String::new(),
            references: BTreeMap::new(),
            descriptors: BTreeMap::new(),
            copies: BTreeMap::new(),
            changed: BTreeSet::new(),
            sets: BTreeMap::new(),
            functions: BTreeMap::new(),
            locals: Vec::new(),
            calls: (0, 0),
            output_in: BTreeMap::new(),
            aliases: BTreeMap::new(),
            written_by: BTreeMap::new(),
            words: 0,
            texts: BTreeMap::new(),
            likely_in: BTreeMap::new(),
            pipelines: 0,
            incomplete: None,
            malformed: false,
            forks: BTreeSet::new(),
            forwards: BTreeSet::new(),
            lines_in: BTreeSet::new(),
            fifos: BTreeMap::new(),
            sinks: BTreeMap::new(),
            coprocesses: BTreeMap::new(),
        }
    }

    /// Reads a text that stands in another one, unless that is too deep.
    pub(crate) fn read(&mut self, text: &str, context: Context) -> Told {
        if context.depth > self.limits.depth {
            self.stop(Reason::TooDeep);
            return Told::default();
        }
        let start = self.commands.len();
        self.step(text.len());
        let text = crate::marks::clean(text);
        let output = Pass::new(self, &text, context).run();
        Told { output, programs: self.programs_since(start) }
    }

    /// Whether a text of this length may be read once more: all those take at most a quarter of the steps.
    pub(crate) fn may_read_again(&self, bytes: usize) -> bool {
        let (steps, commands) = self.calls;
        commands < MOST_OF_CALLS
            && steps.saturating_add(bytes as u64) < self.most_steps / 4
            && self.steps < self.most_steps / 2
    }

    /// Counts steps.
    pub(crate) fn step(&mut self, steps: usize) {
        self.steps = self.steps.saturating_add(steps as u64);
        if self.steps > self.most_steps {
            self.stop(Reason::TooManySteps);
        }
    }

    /// Whether nothing more is read.
    pub(crate) fn is_over(&self) -> bool {
        self.steps > self.most_steps
            || self.commands.len() >= self.limits.commands
            || self.words >= MOST_WORDS
    }

    /// Says that not everything was read. The first reason counts.
    pub(crate) fn stop(&mut self, reason: Reason) {
        self.incomplete.get_or_insert(reason);
    }

    /// Tells one command, and where it stands among them.
    pub(crate) fn tell(&mut self, command: Command) -> Option<usize> {
        if self.commands.len() >= self.limits.commands {
            self.stop(Reason::TooManyCommands);
            return None;
        }
        if command.cwd.as_ref().is_some_and(|cwd| cwd.len() > LONGEST_FOLDER) {
            self.stop(Reason::FolderTooLong);
            return None;
        }
        self.commands.push(command);
        Some(self.commands.len() - 1)
    }

    /// The programs of the commands that were told since `start`, the last few.
    pub(crate) fn programs_since(&self, start: usize) -> Vec<String> {
        let from = start.max(self.commands.len().saturating_sub(MOST_NEIGHBOURS));
        let programs = self.commands[from..].iter().map(|command| command.program.clone());
        programs.filter(|program| !program.is_empty()).collect()
    }

    /// The same of these commands.
    pub(crate) fn programs_in(&self, told: Range<usize>) -> Vec<String> {
        let end = told.end.min(self.commands.len());
        let from = told.start.max(end.saturating_sub(MOST_NEIGHBOURS)).min(end);
        let programs = self.commands[from..end].iter().map(|command| command.program.clone());
        programs.filter(|program| !program.is_empty()).collect()
    }

    /// Whether a substitution whose commands stand from `start` on gives what comes in on standard input: `$(cat)`.
    pub(crate) fn hands_on(&self, start: usize) -> bool {
        self.commands.get(start..).unwrap_or_default().iter().any(|command| {
            matches!(command.program.as_str(), "cat" | "tee" | "head" | "tail")
                && command.redirects.is_empty()
                && command.pipe.is_none_or(|pipe| pipe.position == 0)
                && command.operands.iter().all(|word| crate::handed::is_stdin(&word.text))
        })
    }

    /// One way more, unless there are too many: then the text is still read, and [`Reason::TooDeep`] says that ways lack.
    pub(crate) fn further(&mut self, via: &Rc<Vec<Via>>, way: Via) -> Rc<Vec<Via>> {
        if via.len() >= self.limits.depth {
            self.stop(Reason::TooDeep);
            return Rc::clone(via);
        }
        let mut longer = Vec::with_capacity(via.len() + 1);
        longer.extend_from_slice(via);
        longer.push(way);
        Rc::new(longer)
    }

    pub(crate) fn finish(self) -> Script {
        let mut commands = self.commands;
        commands.sort_by_key(|command| command.span.start);
        Script {
            commands,
            incomplete: self.incomplete,
            malformed: self.malformed,
            forks: self.forks,
            steps: self.steps,
        }
    }
}

//! The commands that are being read, one list for each bracket that is open.

use std::rc::Rc;

use crate::{Operation, Via, printed::Printed, reader::Context};

/// One list of commands: the text itself, `$(…)`, `<(…)` or `(…)`; or the words of an array.
pub(crate) struct List {
    pub(crate) kind: Kind,
    pub(crate) context: Context,
    /// The word under construction.
    pub(crate) word: Option<Building>,
    /// What stands open inside the word, innermost last.
    pub(crate) modes: Vec<Mode>,
    pub(crate) raw: Raw,
    pub(crate) pipeline: Vec<Raw>,
    /// Pipelines that wait for their here-documents.
    pub(crate) waiting: Vec<(Vec<Raw>, bool)>,
    pub(crate) heredocs: Vec<Heredoc>,
    pub(crate) blocks: Vec<Block>,
    /// The function whose body comes next.
    pub(crate) function: Option<String>,
    /// Whether the next command depends on the one before (`&&`, `||`).
    pub(crate) conditional: bool,
    /// How many commands were told when it was opened.
    pub(crate) first: usize,
    /// What its commands print so far.
    pub(crate) output: Printed,
    /// What the stages before the one that is being read print.
    pub(crate) foretold: Foretold,
}

/// What the stages of a pipeline print that wait for the rest of it.
#[derive(Debug, Clone)]
pub(crate) enum Foretold {
    NotAsked,
    /// That, when it can be foretold.
    Known(Option<Rc<str>>),
}

/// What a list is, and so what closes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Substitution,
    /// `<(…)`
    Process,
    /// `>(…)`
    Drain,
    Subshell,
    Array,
}

/// A word under construction: marked text (see [`marks`](crate::marks)).
#[derive(Debug, Default)]
pub(crate) struct Building {
    pub(crate) marked: String,
    pub(crate) start: usize,
    pub(crate) quoted: bool,
    pub(crate) output_of: Vec<String>,
    /// What its substitutions most likely print, where that is not sure.
    pub(crate) likely: Option<String>,
}

/// What stands open inside a word.
pub(crate) enum Mode {
    /// `"…"`
    Double,
    /// `${name[index] op …}`: the text so far is kept aside.
    Parameter { name: String, index: Option<String>, op: String, aside: String },
    /// `$((…))` and `((…))`, up to a known end.
    Arithmetic { end: usize, from: usize, is_command: bool },
    /// The body of a here-document, up to a known end; then reading goes on at `next`.
    Heredoc { end: usize, next: usize, expands: bool },
    /// `@(…)` and the rest of a pattern, with its depth.
    Pattern { depth: u32 },
}

/// A command as it is written.
#[derive(Debug, Default)]
pub(crate) struct Raw {
    pub(crate) words: Vec<Building>,
    pub(crate) assignments: Vec<Assignment>,
    pub(crate) redirects: Vec<RawRedirect>,
    pub(crate) expected: Option<RawRedirect>,
    pub(crate) start: Option<usize>,
    pub(crate) end: usize,
    pub(crate) state: State,
    /// For a compound command: which commands it told.
    pub(crate) compound: Option<std::ops::Range<usize>>,
    /// Whether the next stage is reached although this one failed or not: no value is certain.
    pub(crate) conditional: bool,
    /// The shell that reads what it writes into a `>(…)`: its place among the commands.
    pub(crate) drains: Option<usize>,
    /// For a compound command: what it prints.
    pub(crate) printed: Printed,
}

/// `name=value`, `name+=value`, `name[index]=value` or `name=(value …)` as it is written.
#[derive(Debug, Clone, Default)]
pub(crate) struct Assignment {
    pub(crate) name: String,
    /// The element of an array that is set.
    pub(crate) index: Option<String>,
    /// The values, marked: several for an array, none where they are not known.
    pub(crate) values: Vec<String>,
    /// The programs whose output stands in it.
    pub(crate) of: Vec<String>,
    /// What its substitutions most likely print.
    pub(crate) likely: Option<String>,
    /// Whether it adds to what is there.
    pub(crate) adds: bool,
    /// Whether it is an array.
    pub(crate) is_array: bool,
    /// For an array: whether its values are known, also when there are none.
    pub(crate) is_known: bool,
}

impl Assignment {
    /// `name=()`
    pub(crate) fn nothing(name: String) -> Self {
        Self { name, is_array: true, is_known: true, ..Self::default() }
    }
}

/// A redirect as it is written.
#[derive(Debug, Clone)]
pub(crate) struct RawRedirect {
    pub(crate) op: Operation,
    pub(crate) fd: Option<u32>,
    pub(crate) marked: String,
    pub(crate) output_of: Vec<String>,
    pub(crate) likely: Option<String>,
    /// `<<`, which waits for a body: whether tabs go.
    pub(crate) heredoc: Option<bool>,
    /// The here-document's number, while it waits.
    pub(crate) waits: Option<usize>,
}

/// A here-document that waits for its lines.
pub(crate) struct Heredoc {
    pub(crate) delimiter: String,
    pub(crate) expands: bool,
    pub(crate) tabs: bool,
    pub(crate) id: usize,
}

/// What the words of a command mean.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) enum State {
    #[default]
    Plain,
    /// After `for` or `select`.
    ForName,
    /// After its name: the words are its values.
    ForValues(String, Vec<String>),
    /// After `case`.
    CaseWord,
    /// Inside `[[ … ]]`.
    Test,
    /// After `function`.
    Function,
}

/// A compound command that is open: `{`, `if`, `while`, `for`, `case`.
pub(crate) struct Block {
    pub(crate) closes: &'static str,
    /// Whether a `case` pattern comes next.
    pub(crate) pattern: bool,
    /// What was open around it.
    pub(crate) pipeline: Vec<Raw>,
    pub(crate) via: Rc<Vec<Via>>,
    pub(crate) upstream: Vec<String>,
    pub(crate) first: usize,
    pub(crate) start: usize,
    /// The function whose body it is.
    pub(crate) function: Option<String>,
    /// What the variables were that the function makes its own.
    pub(crate) locals: Vec<Local>,
    /// What was printed before it.
    pub(crate) output: Printed,
    /// What came in on standard input around it.
    pub(crate) stdin: Option<Rc<str>>,
}

/// A variable that is set aside: its name, its values, and whether it may have changed.
pub(crate) type Local = (String, Option<Vec<String>>, bool);

impl List {
    pub(crate) fn new(kind: Kind, context: Context, first: usize) -> Self {
        Self {
            kind,
            context,
            word: None,
            modes: Vec::new(),
            raw: Raw::default(),
            pipeline: Vec::new(),
            waiting: Vec::new(),
            heredocs: Vec::new(),
            blocks: Vec::new(),
            function: None,
            conditional: false,
            first,
            output: Printed::nothing(),
            foretold: Foretold::NotAsked,
        }
    }

    /// The body of the function that is read.
    pub(crate) fn function_block(&mut self) -> Option<&mut Block> {
        self.blocks.iter_mut().rev().find(|block| block.function.is_some())
    }

    /// Whether a `case` pattern is read.
    pub(crate) fn in_pattern(&self) -> bool {
        self.blocks.last().is_some_and(|block| block.pattern)
    }
}

impl Raw {
    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
            && self.assignments.is_empty()
            && self.redirects.is_empty()
            && self.expected.is_none()
            && self.compound.is_none()
            && self.state == State::Plain
    }
}

//! Where what is printed goes, beside a pipe: through files, named pipes, descriptors and coprocesses; and what a stage
//! that is not told yet will print.

use std::rc::Rc;

use super::line::{Line, bare_path};
use crate::{
    Command, Operation, Redirect, Via, Word, handed,
    list::Foretold,
    marks, output,
    pass::Pass,
    printed::Printed,
    program,
    reader::{Fifo, LONGEST_VALUE, MOST_NEIGHBOURS, Reader},
};

/// Programs that print what stands in the files which they are told.
const PRINT_FILES: &[&str] = &[
    "cat", "tac", "head", "tail", "sed", "awk", "grep", "egrep", "fgrep", "cut", "sort", "uniq", "tr", "rev",
    "nl", "zcat", "gunzip", "gzip", "bzcat", "xzcat", "bunzip2", "unxz", "zstd", "zstdcat", "base64",
    "base32", "xxd", "openssl", "jq", "yq", "iconv", "strings", "perl", "fold", "expand", "shuf", "pv",
    "bat",
];

impl Pass<'_> {
    /// What the stages before the one that is being read print, as far as that is known before they are told.
    pub(crate) fn foretold(&mut self) -> Option<Rc<str>> {
        let inner = self.lists.len() - 1;
        let list = &self.lists[inner];
        if list.pipeline.is_empty() {
            return None;
        }
        if let Foretold::Known(text) = &list.foretold {
            return text.clone();
        }
        let mut printed = Printed::default();
        let mut steps = 0;
        for raw in list.pipeline.iter().take(MOST_NEIGHBOURS) {
            let bytes: usize = raw.words.iter().map(|word| word.marked.len()).sum();
            steps += bytes;
            if bytes > LONGEST_VALUE {
                printed = Printed::default();
                continue;
            }
            let here = raw.redirects.iter().rev().find(|r| r.op == Operation::Here && r.waits.is_none());
            let here =
                here.map(|r| marks::word(&r.marked, &[]).text).filter(|text| text.len() <= LONGEST_VALUE);
            printed = if raw.compound.is_some() {
                raw.printed.clone()
            } else {
                let words = raw.words.iter().flat_map(|word| marks::words(&word.marked, &word.output_of));
                let words: Vec<_> = words.collect();
                let stdin = here.as_deref().or(printed.sure.as_deref());
                words.split_first().map_or_else(Printed::default, |(head, args)| {
                    let name = program::canonical(&head.text);
                    let sure = output::of(&name, args, stdin).or_else(|| self.reader.shown(&name, args));
                    Printed { sure, likely: None }
                })
            };
        }
        self.reader.step(steps);
        let text = printed.text().filter(|text| text.len() <= LONGEST_VALUE).map(Rc::from);
        self.lists[inner].foretold = Foretold::Known(text.clone());
        text
    }
}

impl Reader {
    /// The programs behind what the commands print that were told since `first`: those that wrote the files which they
    /// print, whose output stands in their words, and those in the functions that they call.
    pub(crate) fn behind(&self, first: usize) -> Vec<String> {
        let mut programs = Vec::new();
        for command in self.commands.get(first..).unwrap_or_default().iter().take(MOST_NEIGHBOURS) {
            programs.extend(self.writers(command));
            let here = command.redirects.iter().filter(|redirect| redirect.op == Operation::Here);
            let words = command.args.iter().chain(here.map(|redirect| &redirect.target));
            programs.extend(words.flat_map(|word| word.output_of.iter().cloned()));
            if let Some((_, told)) = self.functions.get(&command.program) {
                programs.extend(self.programs_in(told.clone()));
            }
        }
        programs.sort();
        programs.dedup();
        programs.truncate(MOST_NEIGHBOURS);
        programs
    }

    /// The programs that wrote what a command reads out of files.
    pub(super) fn writers(&self, command: &Command) -> Vec<String> {
        let prints = PRINT_FILES.contains(&command.program.as_str());
        let files = command.operands.iter().filter(|_| prints);
        let files = files.chain(read_by(command)).map(|word| bare_path(&word.text));
        let writers = files.filter_map(|file| self.written_by.get(file)).flatten();
        writers.take(MOST_NEIGHBOURS).cloned().collect()
    }

    /// The shells that read what a command prints because of where it puts that.
    pub(super) fn listeners(&mut self, words: &[Word], redirects: &[Redirect]) -> Vec<usize> {
        let mut found = Vec::new();
        for redirect in redirects.iter().filter(|redirect| redirect.fd.is_none_or(|fd| fd == 1)) {
            found.extend(match redirect.op {
                Operation::Duplicate => {
                    redirect.target.text.parse().ok().and_then(|fd: u32| self.sinks.get(&fd)).copied()
                }
                Operation::Write | Operation::Append => self.listener(&redirect.target.text),
                Operation::Read | Operation::Here => None,
            });
        }
        if words.first().is_some_and(|word| word.text == "tee") {
            found.extend(words[1..].iter().filter_map(|file| self.listener(&file.text)));
        }
        found
    }

    /// The shell that reads what is written there.
    fn listener(&mut self, target: &str) -> Option<usize> {
        if let Some(name) = target.strip_prefix('$') {
            let name = name.trim_matches(['{', '}']).split('[').next()?;
            return self.shell_since(*self.coprocesses.get(name)?);
        }
        let path = bare_path(target);
        let fifo = self.fifos.get_mut(path)?;
        if fifo.shell.is_none() {
            let from = fifo.looked_at.min(self.commands.len());
            fifo.looked_at = self.commands.len();
            fifo.shell = shell_on(path, &self.commands, from);
        }
        fifo.shell
    }

    /// Tells that a shell reads what these programs print.
    pub(super) fn poured(&mut self, into: usize, printed: &Printed, by: &[String], line: &Line) {
        if let Some(command) =
            self.commands.get_mut(into).filter(|command| program::is_shell(&command.program))
        {
            let known = command.code_from.len();
            command.code_from.extend(by.iter().take(MOST_NEIGHBOURS.saturating_sub(known)).cloned());
        }
        if let Some(text) = printed.text() {
            self.read_within(text, line, Via::Program("sh".to_owned()));
        }
    }

    /// `exec 3> >(sh)`: who reads what is written to a descriptor from here on.
    pub(super) fn connect(&mut self, line: &Line, drains: Option<usize>) {
        let opened =
            |op: Operation| matches!(op, Operation::Write | Operation::Append | Operation::Duplicate);
        for redirect in line.redirects.iter().filter(|redirect| opened(redirect.op)) {
            let fd = redirect.fd.unwrap_or(1);
            match drains.filter(|_| redirect.target.text == marks::OUTPUT_TEXT) {
                Some(shell) => self.sinks.insert(fd, shell),
                None => self.sinks.remove(&fd),
            };
        }
    }

    /// Notes the names that `mkfifo` and `mknod` make.
    pub(super) fn note_fifos(&mut self, command: &Command) {
        let made = match command.program.as_str() {
            "mkfifo" => command.operands.as_slice(),
            "mknod" if command.operands.iter().any(|word| word.text == "p") => &command.operands[..1],
            _ => return,
        };
        let names = made.iter().filter(|word| word.text.len() <= LONGEST_VALUE);
        self.fifos.extend(names.map(|word| (bare_path(&word.text).to_owned(), Fifo::default())));
    }
}

/// The files that a command is fed from.
fn read_by(command: &Command) -> impl Iterator<Item = &Word> {
    let read = command.redirects.iter().filter(|redirect| redirect.op == Operation::Read);
    read.map(|redirect| &redirect.target).filter(|word| !handed::is_stdin(&word.text))
}

/// The shell that a named pipe comes to, among the commands from here on: by itself, or at the end of a pipe.
fn shell_on(path: &str, commands: &[Command], from: usize) -> Option<usize> {
    let reads = |command: &Command| {
        let operands =
            command.operands.iter().filter(|_| !matches!(&*command.program, "mkfifo" | "mknod" | "rm"));
        operands.chain(read_by(command)).any(|word| bare_path(&word.text) == path)
    };
    let at = from + commands[from..].iter().position(reads)?;
    let is_shell = |command: &Command| program::is_shell(&command.program) || command.program == "source";
    if is_shell(&commands[at]) {
        return Some(at);
    }
    let pipe = commands[at].pipe?;
    let is_behind =
        |command: &Command| command.pipe.is_some_and(|other| other.id == pipe.id) && is_shell(command);
    commands[at..].iter().take(MOST_NEIGHBOURS).position(is_behind).map(|behind| at + behind)
}

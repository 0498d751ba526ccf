//! What a command line runs: itself, and what it is handed to run.

use std::{collections::BTreeMap, rc::Rc};

use super::{
    line::{Line, bare_path, join},
    written,
};
use crate::{
    Command, Reason, Via, Word, code, flags, handed, marks, output,
    printed::Printed,
    program,
    reader::{Context, LONGEST_VALUE, MOST_NEIGHBOURS, Reader},
    search::{self, Search},
    variable,
    wrapper::{self, Inner, Unwrapped},
};

/// The steps for each word of a command line that is taken apart.
const STEPS_PER_WORD: usize = 16;

/// Programs that start a shell when they are told no command.
const STARTS_SHELL: &[&str] =
    &["su", "sudo", "doas", "runuser", "chroot", "nsenter", "unshare", "newgrp", "sg", "pkexec", "run0"];

/// Programs of the shell that take an index of an array apart: what it substitutes runs, also out of single quotes.
const TAKE_INDEX: &[&str] = &[
    "test", "[", "[[", "printf", "read", "unset", "let", "declare", "typeset", "local", "export", "mapfile",
];

/// The number of the first descriptor that `<(…)` is told by.
const FIRST_FED: usize = 63;

impl Reader {
    /// Tells a command line and what it runs.
    pub(super) fn run(&mut self, words: &[Word], mut line: Line) -> Option<String> {
        if line.context.via.len() > self.limits.depth {
            self.stop(Reason::TooDeep);
            return None;
        }
        self.step(words.iter().map(|word| word.text.len() + STEPS_PER_WORD).sum());
        if self.is_over() {
            self.stop(Reason::TooManyCommands);
            return None;
        }
        let (head, args) = words.split_first()?;
        let name = name_of(head);
        let name = self.copies.get(bare_path(&head.text)).cloned().unwrap_or(name);
        let Unwrapped { own, inner, env, cwd, has_script } = wrapper::unwrap(&name, args);
        let sorted = flags::sort(&name, &own);
        if let Some(directory) = directory(&name, &sorted) {
            line.context.cwd = Some(join(line.context.cwd.as_deref(), &directory));
        }
        let mut command = line.command(Command {
            is_static: head.is_static && args.iter().all(|arg| arg.is_static),
            program_is_static: head.is_static,
            path: head.text.clone(),
            program: name.clone(),
            env: line.env.clone(),
            flags: sorted.flags,
            values: sorted.values,
            operands: sorted.operands,
            subcommand: sorted.subcommand,
            ..Command::default()
        });
        command.args = own;
        if let Some(Search { starts, guards }) = search::read(&name, args) {
            (command.starts, command.guards) = (starts, guards);
        }
        let printed = output::of(&name, args, line.stdin.as_deref()).or_else(|| self.shown(&name, args));
        if variable_of(head).is_some_and(|name| self.lines_in.contains(name)) {
            command.code_from.push("read".to_owned());
        }
        let is_verb = |word: &Word| name == "deno" && word.text == "run";
        let no_operands = command.operands.iter().all(|word| handed::is_stdin(&word.text) || is_verb(word));
        let has_script = has_script && (command.operands.is_empty() || !no_operands);
        let reads_stdin = !has_script && (no_operands || program::is_shell(&name));
        self.note_code(&mut command, &line, reads_stdin);
        self.note_files(&command, &line.context.sources);
        self.note_fifos(&command);
        self.note_teed(&command, line.stdin.as_deref());
        let code = command.code.clone();
        let arguments: Vec<Word> =
            command.operands.iter().filter(|word| Some(&word.text) != code.as_ref()).cloned().collect();
        let shell_input =
            code.as_deref().and_then(|code| written::input_of(&command, code)) == Some(code::Input::Shell);
        let fed = line.stdin.clone().filter(|_| shell_input);
        let written = self.text_run_by(&command.path, &name, &command.operands);
        let handed = self.text_handed(&name, args, line.stdin.as_deref());
        if is_arguments(head)
            && let Some(Via::Function(function)) =
                line.context.via.iter().rev().find(|via| matches!(via, Via::Function(_)))
        {
            self.forwards.insert(function.clone());
        }
        let at = self.tell(command)?;
        if self.forwards.contains(&name) && !args.is_empty() {
            self.run_within("", args.to_vec(), &line, Via::Function(name.clone()));
        }
        let set = env.iter().cloned().collect();
        self.run_by_variables(&set, &line);
        line.env
            .extend(env.iter().filter(|(name, _)| !name.starts_with(|c: char| c.is_ascii_digit())).cloned());
        if TAKE_INDEX.contains(&name.as_str()) {
            for text in args.iter().filter_map(|word| substituted_in_index(&word.text)) {
                self.read_within(&text, &line, Via::Substitution);
            }
        }
        if name == "xargs" {
            self.feed_xargs(args, &mut line);
        }
        self.read_likely(words, &name, &line);
        if may_be_nothing(head, args) && !self.variables.contains_key(variable_of(head).unwrap_or_default()) {
            self.run_within("", args.to_vec(), &line, Via::Program(name.clone()));
        }
        self.inside(&name, inner, env, cwd, &line, code, &arguments, reads_stdin);
        for found in handed.into_iter().flatten() {
            self.inner("", found, &line, &Via::Program(name.clone()));
        }
        for text in [written, fed].into_iter().flatten() {
            self.read_within(&text, &line, Via::Program(name.clone()));
        }
        if let Some(text) = self.aliases.get(&name).cloned() {
            self.aliases.remove(&name);
            self.read_within(&text, &line, Via::Program("alias".to_owned()));
        }
        printed.filter(|_| at < self.limits.commands)
    }

    /// Tells what a command runs inside.
    #[expect(clippy::too_many_arguments, reason = "the parts of one command line, taken apart")]
    fn inside(
        &mut self,
        name: &str,
        inner: Vec<Inner>,
        env: Vec<(String, Word)>,
        cwd: Option<String>,
        line: &Line,
        code: Option<String>,
        handed: &[Word],
        reads_stdin: bool,
    ) {
        let via = Via::Program(name.to_owned());
        let mut line = line.clone();
        if let Some(cwd) = cwd {
            line.context.cwd = Some(join(line.context.cwd.as_deref(), &cwd));
        }
        let value = |word: Word| if word.is_static { vec![word.text] } else { Vec::new() };
        let mut values: Vec<_> = env.into_iter().map(|(name, word)| (name, value(word))).collect();
        values.extend(all_handed(&values));
        let before = self.set(values);
        let runs_nothing = inner.is_empty();
        for part in inner {
            self.inner(name, part, &line, &via);
        }
        let starts_shell = STARTS_SHELL.contains(&name) && runs_nothing;
        if program::is_shell(name) || starts_shell || matches!(name, "source" | "ssh") {
            let comes_in = line.likely.take().or(line.stdin.take());
            if let Some(text) = comes_in.filter(|_| reads_stdin || starts_shell || name == "ssh") {
                self.read_within(&text, &line, via);
            }
        } else if let Some(code) = code {
            for found in code::commands(name, &code).into_iter().filter_map(|found| handed_on(found, handed))
            {
                self.inner("", found, &line, &via);
            }
        }
        self.restore(before);
    }

    fn inner(&mut self, name: &str, part: Inner, line: &Line, via: &Via) {
        match part {
            Inner::Text(text) => drop(self.read_within(&text, line, via.clone())),
            Inner::Words(words) => self.run_within(name, words, line, via.clone()),
        }
    }

    /// Reads a text that a command runs; gives what it prints.
    pub(super) fn read_within(&mut self, text: &str, line: &Line, via: Via) -> Printed {
        let via = self.further(&line.context.via, via);
        let stdin = line.stdin.as_deref().map(Rc::from);
        let depth = line.context.depth + 1;
        let likely = line.likely.as_deref().map(Rc::from);
        let context = Context { via, span: Some(line.span), depth, stdin, likely, ..line.context.clone() };
        self.read(text, context).output
    }

    /// Tells a command that a wrapper runs. `xargs` adds what it reads.
    fn run_within(&mut self, name: &str, mut words: Vec<Word>, line: &Line, via: Via) {
        if line.context.via.len() >= self.limits.depth {
            return self.stop(Reason::TooDeep);
        }
        if name == "xargs" {
            let replaces = words.iter().any(|word| word.text.contains("{}"));
            match &line.stdin {
                Some(text) if replaces => return self.each_line(&text.clone(), &words, line, &via),
                None if replaces => {
                    for word in &mut words {
                        put_in_unknown(word, &line.context.upstream);
                    }
                }
                Some(text) => {
                    let is_marked = text.contains(marks::SPLIT);
                    let splits =
                        |c: char| if is_marked { c == marks::SPLIT } else { c.is_whitespace() || c == '\0' };
                    let parts = text.split(splits);
                    words.extend(parts.filter(|part| !part.is_empty()).map(Word::known));
                }
                None => words.push(Word {
                    text: marks::OUTPUT_TEXT.to_owned(),
                    output_of: line.context.upstream.clone(),
                    ..Word::default()
                }),
            }
        }
        let mut line = line.clone();
        line.context.via = self.further(&line.context.via, via);
        self.run(&words, line);
    }

    /// `xargs -I{} COMMAND`, with the lines that it reads.
    fn each_line(&mut self, text: &str, words: &[Word], line: &Line, via: &Via) {
        let lines = text.split(['\n', marks::SPLIT]).filter(|read| !read.is_empty());
        for read in lines.take(MOST_NEIGHBOURS) {
            let words = words.iter().map(|word| Word { text: word.text.replace("{}", read), ..word.clone() });
            self.run_within("", words.collect(), line, via.clone());
        }
    }

    /// Tells what the values of variables such as `PROMPT_COMMAND` and `PAGER` run.
    pub(super) fn run_by_variables(&mut self, set: &BTreeMap<String, Word>, line: &Line) {
        for (name, value) in set {
            if let Some(text) = variable::run_by(name, &value.text) {
                self.read_within(&text, line, Via::Program(name.clone()));
            }
        }
    }

    /// Reads what substitutions most likely print where it runs: in the place of a program, and in the words of a shell.
    fn read_likely(&mut self, words: &[Word], name: &str, line: &Line) {
        let runs_words = program::is_shell(name) || name == "eval";
        let run = if runs_words { words } else { &words[..1] };
        for text in run.iter().filter_map(|word| word.likely.as_deref()) {
            self.read_within(text, line, Via::Program(name.to_owned()));
        }
    }

    /// Gives `xargs` what it takes its words from: `-a FILE` or standard input, with a mark behind each part that `-d` or
    /// `-0` tells apart.
    fn feed_xargs(&self, args: &[Word], line: &mut Line) {
        let file = handed::values(args, &["a", "arg-file"]).pop();
        let writers = file.as_ref().and_then(|file| self.written_by.get(bare_path(file)));
        line.context.upstream.extend(writers.into_iter().flatten().cloned());
        let stdin = line.stdin.take();
        let Some(text) = file.map_or(stdin, |file| self.text_at(&file)) else { return };
        let is_null = |arg: &Word| matches!(arg.text.as_str(), "-0" | "--null" | "-r0" | "-0r");
        let null = args.iter().any(is_null).then(|| "\0".to_owned());
        let sign = handed::values(args, &["d", "delimiter"]).pop().or(null);
        let sign = sign.map(|sign| sign.replace("\\n", "\n").replace("\\0", "\0"));
        line.stdin = Some(match sign.filter(|sign| !sign.is_empty()) {
            Some(sign) => {
                let mark = marks::SPLIT.to_string();
                text.split(&sign).filter(|part| !part.is_empty()).flat_map(|part| [part, &mark]).collect()
            }
            None => text,
        });
    }

    /// What `cat` prints of files that the text itself wrote.
    pub(super) fn shown(&self, name: &str, args: &[Word]) -> Option<String> {
        let files = args.iter().filter(|word| !word.text.starts_with('-') || word.text == "-");
        let texts: Option<Vec<String>> = files.map(|word| self.text_at(&word.text)).collect();
        let text = texts.filter(|_| name == "cat")?.concat();
        (!text.is_empty() && text.len() <= LONGEST_VALUE).then_some(text)
    }

    /// A name for a text that a program is fed, as `<(…)` gives one.
    pub(crate) fn fed(&mut self, text: String) -> String {
        let name = format!("/dev/fd/{}", FIRST_FED + self.pipelines as usize + self.texts.len());
        if text.len() <= LONGEST_VALUE {
            self.texts.insert(name.clone(), text);
        }
        name
    }
}

/// `$@`, when `$1` and what follows are told and known.
fn all_handed(values: &[(String, Vec<String>)]) -> Option<(String, Vec<String>)> {
    let numbered =
        values.iter().filter(|(name, _)| name != "0" && name.bytes().all(|byte| byte.is_ascii_digit()));
    let all: Vec<&Vec<String>> = numbered.map(|(_, values)| values).collect();
    let is_known = !all.is_empty() && all.iter().all(|values| values.len() == 1);
    (!all.is_empty()).then(|| {
        ("@".to_owned(), if is_known { all.into_iter().flatten().cloned().collect() } else { Vec::new() })
    })
}

/// A command of code with the program's own arguments in the place of `process.argv[2]`; none when there are none to
/// do anything to.
fn handed_on(found: Inner, arguments: &[Word]) -> Option<Inner> {
    let Inner::Words(words) = found else { return Some(found) };
    let is_arguments = |word: &Word| {
        !word.is_static
            && ["process.argv", "sys.argv", "ARGV", "$argv"].iter().any(|name| word.text.contains(name))
    };
    let before = words.len();
    let mut words: Vec<Word> = words.into_iter().filter(|word| !is_arguments(word)).collect();
    if words.len() < before {
        words.extend(arguments.iter().cloned());
    }
    let is_idle = words.len() < before && arguments.is_empty();
    (!is_idle).then_some(Inner::Words(words))
}

/// What `a[$(COMMAND)]` runs, as a text that is read.
fn substituted_in_index(word: &str) -> Option<String> {
    let index = &word[word.find('[')? + 1..];
    (index.contains("$(") || index.contains('`')).then(|| format!(": \"{}\"", index.trim_end_matches(']')))
}

/// Puts what `xargs` reads in the place of `{}`. A word that starts with it is what those programs print.
fn put_in_unknown(word: &mut Word, upstream: &[String]) {
    if !word.text.contains("{}") {
        return;
    }
    if word.text.starts_with("{}") {
        word.output_of = upstream.to_vec();
    }
    word.text = word.text.replace("{}", marks::OUTPUT_TEXT);
    word.is_static = false;
}

/// The canonical name of the program that a word names. What is not known of it is passed over, if something is left.
fn name_of(head: &Word) -> String {
    if head.is_static || !head.text.contains('$') {
        return program::canonical(&head.text);
    }
    let mut known = String::new();
    let mut rest = head.text.as_str();
    while let Some(at) = rest.find('$') {
        known.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let skip = match rest.as_bytes().first() {
            Some(b'{') => rest.find('}').map_or(rest.len(), |at| at + 1),
            Some(b'(') => rest.find(')').map_or(rest.len(), |at| at + 1),
            _ => crate::expansion::name_len(rest),
        };
        rest = &rest[skip..];
    }
    known.push_str(rest);
    let name = program::canonical(&known);
    if name.is_empty() { head.text.clone() } else { name }
}

/// Whether a word stands for what a function was handed: `"$@"`, `$*`, `$1`.
fn is_arguments(word: &Word) -> bool {
    !word.is_static && matches!(variable_of(word), Some("@" | "*" | "1"))
}

/// The variable that a word is, and nothing else: `l` of `$l` and `${l}`.
fn variable_of(word: &Word) -> Option<&str> {
    let name = word.text.strip_prefix('$').filter(|_| !word.is_static)?;
    match name.strip_prefix('{') {
        Some(inner) => inner.strip_suffix('}').filter(|inner| is_one(inner)),
        None if name.chars().count() == 1 => Some(name),
        None => name.chars().all(|c| c.is_alphanumeric() || c == '_').then_some(name),
    }
}

/// Whether no brace of `${a}/${b}` closes before its end.
fn is_one(inner: &str) -> bool {
    let mut open = 0_usize;
    inner.chars().all(|c| match c {
        '{' => {
            open += 1;
            true
        }
        '}' => open.checked_sub(1).map(|less| open = less).is_some(),
        _ => true,
    })
}

/// Whether a program that is not known may be no word at all, so that its first argument runs: `$SUDO rm x`. Not where it
/// is called as a tool whose first argument is its subcommand: `$GIT rm x`.
fn may_be_nothing(head: &Word, args: &[Word]) -> bool {
    let is_program = |word: &Word| {
        word.is_static && word.text.starts_with(|c: char| c.is_alphanumeric() || "/._".contains(c))
    };
    let is_tool = |name: &str| program::tool_of(&name.to_ascii_lowercase()).is_some();
    variable_of(head).is_some_and(|name| !is_tool(name) && !matches!(name, "@" | "*"))
        && args.first().is_some_and(is_program)
}

/// The directory that an option such as `-C` names.
fn directory(program: &str, sorted: &flags::Arguments) -> Option<String> {
    let option = match program {
        "git" | "make" | "tar" | "ninja" | "pnpm" => "C",
        _ => return None,
    };
    sorted.values.get(option)?.first().cloned()
}

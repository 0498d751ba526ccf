//! Telling a pipeline: words expanded, wrappers taken apart, and each command put among its neighbours.

use std::collections::BTreeMap;
use std::ops::Range;

use mentci_source::Span;

use crate::{
    Command, Operation, Pipe, Reason, Redirect, Via, Word, code, flags,
    handed::{self, Inlet},
    list::{List, Raw, RawRedirect},
    marks, output,
    pass::Pass,
    program,
    reader::{Context, LONGEST_VALUE, MOST_NEIGHBOURS, Reader},
    variable,
    wrapper::{self, Inner, Unwrapped},
};

/// The steps for each word of a command line that is taken apart.
const STEPS_PER_WORD: usize = 16;

/// The number of the first descriptor that `<(…)` is told by.
const FIRST_FED: usize = 63;

/// A command line with what stands around it.
#[derive(Debug, Clone)]
struct Line {
    env: BTreeMap<String, Word>,
    redirects: Vec<Redirect>,
    context: Context,
    /// What comes in on standard input, when that can be foretold.
    stdin: Option<String>,
    /// The programs whose output stands in a here-document.
    stdin_of: Vec<String>,
    span: Span,
    /// Whether a change of directory or of a variable stays for what follows.
    stays: bool,
}

impl Pass<'_> {
    /// Tells a whole pipeline.
    pub(crate) fn tell(&mut self, pipeline: Vec<Raw>, background: bool) {
        let many = pipeline.len() > 1;
        let mut context = self.list().context.clone();
        context.background |= background;
        let mut upstream = context.upstream.clone();
        let mut stdin = None;
        let mut told: Vec<Range<usize>> = Vec::new();
        let id = self.reader.pipelines;
        self.reader.pipelines += u32::from(many);
        for (raw, position) in pipeline.into_iter().zip(0_u32..) {
            let first = self.reader.commands.len();
            context.upstream.clone_from(&upstream);
            if many {
                context.pipe = Some(Pipe { id, position });
            }
            let compound = raw.compound.clone();
            let stays = !many && !background;
            stdin = self.command(&raw, &context, stdin.take(), stays);
            let range = compound.map_or(first, |range| range.start.min(first))..self.reader.commands.len();
            upstream.extend(self.programs_of(&range));
            let surplus = upstream.len().saturating_sub(MOST_NEIGHBOURS);
            upstream.drain(..surplus);
            told.push(range);
        }
        self.reader.look_back(&told, many, background);
        let list = self.list();
        let whole = list
            .output
            .take()
            .zip(stdin)
            .filter(|(so_far, more)| so_far.len() + more.len() <= LONGEST_VALUE * 16);
        list.output = whole.map(|(so_far, more)| so_far + &more);
    }

    fn programs_of(&self, range: &Range<usize>) -> Vec<String> {
        self.reader.programs_since(range.start)
    }

    /// Tells one stage of a pipeline; gives what it prints, when that can be foretold.
    fn command(
        &mut self,
        raw: &Raw,
        context: &Context,
        stdin: Option<String>,
        stays: bool,
    ) -> Option<String> {
        let span = self.span(raw.start.unwrap_or(raw.end), raw.end);
        let redirects: Vec<Redirect> = raw.redirects.iter().map(redirect).collect();
        let here = redirects.iter().rev().find(|redirect| redirect.op == Operation::Here);
        let stdin_of = here.map(|redirect| redirect.target.output_of.clone()).unwrap_or_default();
        let fed = redirects.iter().rev().find(|redirect| redirect.op == Operation::Read);
        let fed = fed.and_then(|redirect| self.reader.texts.get(bare_path(&redirect.target.text)).cloned());
        let stdin = here.map(|redirect| redirect.target.text.clone()).or(fed).or(stdin);
        let mut words: Vec<Word> = Vec::new();
        for word in &raw.words {
            words.extend(marks::words(&word.marked, &word.output_of));
        }
        let bytes = words.iter().map(|word| word.text.len()).sum::<usize>();
        let bytes = bytes + redirects.iter().map(|redirect| redirect.target.text.len()).sum::<usize>();
        self.reader.step(bytes);
        if self.reader.is_over() && self.reader.incomplete == Some(Reason::TooManySteps) {
            return None;
        }
        let env = raw.assignments.iter().map(|(name, values, of)| {
            let text = values.join(&marks::SPLIT.to_string());
            (name.clone(), marks::word(&text, of))
        });
        let env: BTreeMap<String, Word> = env.collect();
        let line = Line { env, redirects, context: context.clone(), stdin, stdin_of, span, stays };
        if words.is_empty() {
            return self.bare(raw, &line);
        }
        self.reader.run_by_variables(&line.env, &line);
        let before = self.reader.set(&raw.assignments);
        let into_file = line
            .redirects
            .iter()
            .any(|r| matches!(r.op, Operation::Write | Operation::Append) && r.fd.is_none_or(|fd| fd == 1));
        let uncertain = raw.conditional;
        self.builtin(&words, &line, uncertain);
        let printed = self.reader.run(&words, line);
        self.reader.reset(before);
        if !into_file {
            return printed;
        }
        if let Some(text) = printed.filter(|text| text.len() <= LONGEST_VALUE) {
            self.reader.note_text(&raw.redirects, &text);
        }
        Some(String::new())
    }

    /// Assignments and redirects without a program.
    fn bare(&mut self, raw: &Raw, line: &Line) -> Option<String> {
        let sure = line.stays && !raw.conditional;
        for (name, values, of) in &raw.assignments {
            self.reader.assign(name, values.clone(), of, sure);
        }
        if raw.compound.is_some() && line.redirects.is_empty() {
            return None;
        }
        if !line.env.is_empty() || !line.redirects.is_empty() {
            let is_static =
                line.env.values().chain(line.redirects.iter().map(|r| &r.target)).all(|word| word.is_static);
            let mut command =
                line.command(Command { is_static, program_is_static: true, ..Command::default() });
            command.env.clone_from(&line.env);
            self.reader.note_files(&command);
            self.reader.tell(command);
            self.reader.run_by_variables(&line.env, line);
        }
        Some(String::new())
    }

    /// `cd`, `export`, `read`: what changes for the commands that follow.
    fn builtin(&mut self, words: &[Word], line: &Line, uncertain: bool) {
        let operands = || words[1..].iter().filter(|word| !word.text.starts_with('-') || word.text == "-");
        match words[0].text.as_str() {
            "cd" | "pushd" | "chdir" if line.stays => {
                let list: &mut List = self.list();
                let to = operands().next().map_or("~", |word| word.text.as_str());
                let to = to.get(..LONGEST_VALUE).unwrap_or(to);
                list.context.cwd =
                    (to != "-" && to.len() <= LONGEST_VALUE).then(|| join(list.context.cwd.as_deref(), to));
            }
            "popd" if line.stays => self.list().context.cwd = None,
            "export" | "declare" | "local" | "typeset" | "readonly" => {
                for word in operands() {
                    if let Some((name, value)) = word.text.split_once('=') {
                        let values = if word.is_static { vec![value.to_owned()] } else { Vec::new() };
                        self.reader.assign(name, values, &word.output_of, line.stays && !uncertain);
                        let set = BTreeMap::from([(name.to_owned(), Word::known(value))]);
                        self.reader.run_by_variables(&set, line);
                    }
                }
            }
            "read" | "mapfile" | "readarray" | "unset" => {
                let names: Vec<&Word> = operands().collect();
                for name in &names {
                    let known = line
                        .stdin
                        .as_ref()
                        .filter(|_| names.len() == 1 && words[0].text == "read" && line.stays);
                    let values =
                        known.and_then(|text| text.lines().next()).map(str::to_owned).into_iter().collect();
                    self.reader.assign(&name.text, values, &line.context.upstream, true);
                    if words[0].text != "unset" {
                        self.reader.lines_in.insert(name.text.clone());
                    }
                }
            }
            // `printf -v NAME FORMAT …` prints into a variable.
            "printf" if words.len() > 3 && words[1].text == "-v" => {
                let printed = output::of("printf", &words[3..], None).into_iter().collect();
                self.reader.assign(&words[2].text, printed, &[], line.stays && !uncertain);
            }
            "alias" => {
                for word in operands() {
                    if let Some((name, text)) = word.text.split_once('=') {
                        self.reader.aliases.insert(name.to_owned(), text.to_owned());
                    }
                }
            }
            _ => {}
        }
    }
}

/// A directory below another, or in its place when it is absolute.
pub(crate) fn join(base: Option<&str>, path: &str) -> String {
    match base {
        Some(base) if !path.starts_with(['/', '~', '$']) && base.len() + path.len() <= LONGEST_VALUE => {
            let path = path.strip_prefix("./").unwrap_or(path);
            if path == "." { base.to_owned() } else { format!("{}/{path}", base.trim_end_matches('/')) }
        }
        _ => path.to_owned(),
    }
}

fn redirect(raw: &RawRedirect) -> Redirect {
    Redirect { op: raw.op, fd: raw.fd, target: marks::word(&raw.marked, &raw.output_of) }
}

impl Line {
    /// A command with what this line gives every one.
    fn command(&self, command: Command) -> Command {
        Command {
            cwd: self.context.cwd.clone(),
            redirects: self.redirects.clone(),
            via: self.context.via.to_vec(),
            pipe: self.context.pipe,
            pipes_from: self.context.upstream.clone(),
            background: self.context.background,
            span: self.span,
            ..command
        }
    }
}

type Values = (String, Option<Vec<String>>);

impl Reader {
    /// Sets a variable. Where it is not sure that this happens and the variable was set before, it is unknown.
    fn assign(&mut self, name: &str, values: Vec<String>, of: &[String], sure: bool) {
        let long = values.iter().map(String::len).sum::<usize>() > LONGEST_VALUE;
        let known = if long || (!sure && self.variables.contains_key(name)) { Vec::new() } else { values };
        self.step(name.len() + known.iter().map(String::len).sum::<usize>());
        self.variables.insert(name.to_owned(), known);
        if of.is_empty() {
            self.output_in.remove(name)
        } else {
            self.output_in.insert(name.to_owned(), of.to_vec())
        };
    }

    /// Sets the variables of one command, and gives what they were.
    fn set(&mut self, assignments: &[(String, Vec<String>, Vec<String>)]) -> Vec<Values> {
        let mut before = Vec::new();
        for (name, values, _) in assignments {
            before.push((name.clone(), self.variables.insert(name.clone(), values.clone())));
        }
        before
    }

    /// Tells what the values of variables such as `PROMPT_COMMAND` and `PAGER` run.
    fn run_by_variables(&mut self, set: &BTreeMap<String, Word>, line: &Line) {
        for (name, value) in set {
            if let Some(text) = variable::run_by(name, &value.text) {
                self.read_within(&text, line, Via::Program(name.clone()));
            }
        }
    }

    /// A name for a text that a program is fed, as `<(…)` gives one.
    pub(crate) fn fed(&mut self, text: String) -> String {
        let name = format!("/dev/fd/{}", FIRST_FED + self.pipelines as usize + self.texts.len());
        if text.len() <= LONGEST_VALUE {
            self.texts.insert(name.clone(), text);
        }
        name
    }

    fn reset(&mut self, before: Vec<Values>) {
        for (name, values) in before.into_iter().rev() {
            match values {
                Some(values) => self.variables.insert(name, values),
                None => self.variables.remove(&name),
            };
        }
    }

    /// Tells a command line and what it runs.
    fn run(&mut self, words: &[Word], mut line: Line) -> Option<String> {
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
        let printed = output::of(&name, args, line.stdin.as_deref());
        if variable_of(head).is_some_and(|name| self.lines_in.contains(name)) {
            command.code_from.push("read".to_owned());
        }
        let no_operands = command.operands.iter().all(|word| handed::is_stdin(&word.text));
        let has_script = has_script && (command.operands.is_empty() || !no_operands);
        let reads_stdin = !has_script && (no_operands || program::is_shell(&name));
        self.note_code(&mut command, &line, reads_stdin);
        self.note_files(&command);
        let code = command.code.clone();
        let arguments: Vec<Word> =
            command.operands.iter().filter(|word| Some(&word.text) != code.as_ref()).cloned().collect();
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
        self.inside(&name, inner, env, cwd, &line, code, &arguments, reads_stdin);
        for found in handed.into_iter().flatten() {
            self.inner("", found, &line, &Via::Program(name.clone()));
        }
        if let Some(text) = written {
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
        let values: Vec<_> = env
            .into_iter()
            .map(|(name, word)| {
                (name, if word.is_static { vec![word.text] } else { Vec::new() }, word.output_of)
            })
            .collect();
        let before = self.set(&values);
        for part in inner {
            self.inner(name, part, &line, &via);
        }
        if program::is_shell(name) || matches!(name, "source" | "ssh") {
            if let Some(text) = line.stdin.take().filter(|_| reads_stdin || name == "ssh") {
                self.read_within(&text, &line, via);
            }
        } else if let Some(code) = code {
            for found in code::commands(name, &code).into_iter().filter_map(|found| handed_on(found, handed))
            {
                self.inner("", found, &line, &via);
            }
        }
        self.reset(before);
    }

    fn inner(&mut self, name: &str, part: Inner, line: &Line, via: &Via) {
        match part {
            Inner::Text(text) => self.read_within(&text, line, via.clone()),
            Inner::Words(words) => self.run_within(name, words, line, via.clone()),
        }
    }

    fn read_within(&mut self, text: &str, line: &Line, via: Via) {
        let via = self.further(&line.context.via, via);
        let context =
            Context { via, span: Some(line.span), depth: line.context.depth + 1, ..line.context.clone() };
        self.read(text, context);
    }

    /// Tells a command that a wrapper runs. `xargs` adds what it reads.
    fn run_within(&mut self, name: &str, mut words: Vec<Word>, line: &Line, via: Via) {
        if line.context.via.len() >= self.limits.depth {
            return self.stop(Reason::TooDeep);
        }
        if name == "xargs" {
            let replaced = words
                .iter_mut()
                .filter(|word| word.text.contains("{}"))
                .map(|word| word.is_static = false)
                .count();
            match &line.stdin {
                _ if replaced > 0 => {}
                Some(text) => words.extend(text.split_whitespace().map(Word::known)),
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

    /// Notes the code that a program is handed, and whose output it runs.
    fn note_code(&mut self, command: &mut Command, line: &Line, reads_stdin: bool) {
        let runs = program::is_interpreter(&command.program)
            || matches!(command.program.as_str(), "eval" | "source" | "psql" | "mysql");
        let options = program::code_options(&command.program);
        let given = options.iter().find_map(|option| code_value(&command.args, option));
        let mut from: Vec<String> = Vec::new();
        if runs {
            from.extend(command.args.iter().flat_map(|arg| arg.output_of.iter().cloned()));
            if reads_stdin && given.is_none() {
                from.extend(line.context.upstream.iter().cloned());
                from.extend(line.stdin_of.iter().cloned());
            }
            let file = command.operands.first().map(|word| word.text.as_str());
            let written = file.and_then(|file| self.written_by.get(bare_path(file)));
            from.extend(written.into_iter().flatten().cloned());
        } else if let Some(written) = self.written_by.get(bare_path(&command.path)) {
            from.extend(written.iter().cloned());
        }
        from.truncate(MOST_NEIGHBOURS);
        command.code_from.append(&mut from);
        let operand =
            program::code_operand(&command.program, &command.operands).map(|word| word.text.clone());
        let stdin =
            line.stdin.clone().filter(|_| runs && reads_stdin && !program::is_shell(&command.program));
        command.code = given.or(operand).or(stdin);
        self.step(command.code.as_ref().map_or(0, String::len));
    }

    /// Remembers a text that is written to a file: running the file runs it.
    fn note_text(&mut self, redirects: &[RawRedirect], text: &str) {
        let written = redirects.iter().rev().find(|r| matches!(r.op, Operation::Write | Operation::Append));
        let Some(target) = written.map(redirect).filter(|r| r.target.is_static) else { return };
        let name = bare_path(&target.target.text).to_owned();
        let so_far = self.texts.entry(name).or_default();
        if target.op == Operation::Write {
            so_far.clear();
        }
        if so_far.len() + text.len() <= LONGEST_VALUE {
            so_far.push_str(text);
        }
    }

    /// What a text runs that comes in on standard input or in a file which the script itself wrote.
    fn text_handed(&self, name: &str, args: &[Word], stdin: Option<&str>) -> Option<Vec<Inner>> {
        let text = match handed::inlet(name, args)? {
            Inlet::Stdin => stdin,
            Inlet::File(file) => self.texts.get(bare_path(&file)).map(String::as_str),
        };
        Some(handed::in_input(name, args, text?))
    }

    /// The text of the file that a command runs, when the script itself wrote it.
    fn text_run_by(&mut self, path: &str, name: &str, operands: &[Word]) -> Option<String> {
        let runs_operand = program::is_shell(name) || name == "source";
        let file = if runs_operand { operands.first()?.text.as_str() } else { path };
        self.texts.remove(bare_path(file))
    }

    /// Remembers which programs wrote a file, so that running it later tells whose output runs.
    fn note_files(&mut self, command: &Command) {
        let mut names: Vec<&str> = Vec::new();
        let written =
            |r: &&Redirect| matches!(r.op, Operation::Write | Operation::Append) && r.target.is_static;
        names.extend(command.redirects.iter().filter(written).map(|r| r.target.text.as_str()));
        if matches!(command.program.as_str(), "curl" | "wget") {
            let option = if command.program == "curl" { "output" } else { "output-document" };
            names.extend(command.values.get(option).into_iter().flatten().map(String::as_str));
            let url =
                command.operands.iter().find(|word| word.text.contains("://") || word.text.contains('.'));
            if !command.values.contains_key(option)
                && (command.program == "wget" || command.has_flag(&["remote-name"]))
            {
                names.extend(url.and_then(|url| url.text.split(['?', '#']).next()?.rsplit('/').next()));
            }
        }
        if command.program == "tee" {
            names.extend(command.operands.iter().map(|word| word.text.as_str()));
        }
        for name in names.into_iter().filter(|name| !name.is_empty() && name.len() <= LONGEST_VALUE) {
            let mut by = command.pipes_from.clone();
            by.push(command.program.clone());
            self.written_by.insert(bare_path(name).to_owned(), by);
        }
    }

    /// Tells the commands of a pipeline what comes after them, and finds functions that fork themselves.
    fn look_back(&mut self, told: &[Range<usize>], many: bool, background: bool) {
        let mut after: Vec<String> = Vec::new();
        for range in told.iter().rev() {
            let end = range.end.min(self.commands.len());
            let from = range.start.max(end.saturating_sub(MOST_NEIGHBOURS)).min(end);
            for command in &mut self.commands[from..end] {
                command.pipes_into.extend(after.iter().cloned());
                command.pipes_into.truncate(MOST_NEIGHBOURS);
                command.background |= background;
                let own = Via::Function(command.program.clone());
                if (many || background) && command.via.contains(&own) {
                    self.forks.insert(command.program.clone());
                }
            }
            let mut before: Vec<String> =
                self.commands[from..end].iter().map(|command| command.program.clone()).collect();
            before.append(&mut after);
            before.truncate(MOST_NEIGHBOURS);
            after = before;
        }
    }
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
    Some(name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name))
}

/// The directory that an option such as `-C` names.
fn directory(program: &str, sorted: &flags::Arguments) -> Option<String> {
    let option = match program {
        "git" | "make" | "tar" | "ninja" | "pnpm" => "C",
        _ => return None,
    };
    sorted.values.get(option)?.first().cloned()
}

/// The value of an option that hands over code: `-c CODE`, `-cCODE`, `-we CODE`, `--eval=CODE`.
fn code_value(args: &[Word], option: &str) -> Option<String> {
    for (at, arg) in args.iter().enumerate() {
        // `-MFile::Path`, `-rsocket`, `-W error`: other options with a value.
        let other = arg.text.get(1..2).is_some_and(|letter| letter != option && "MmIrWXQ".contains(letter));
        if other && !arg.text.starts_with("--") {
            continue;
        }
        let Some(text) = arg.text.strip_prefix('-') else { continue };
        if option.len() > 1 {
            if let Some(rest) = text.strip_prefix('-').and_then(|long| long.strip_prefix(option)) {
                return rest
                    .strip_prefix('=')
                    .map(str::to_owned)
                    .or_else(|| args.get(at + 1).map(|arg| arg.text.clone()));
            }
        } else if !text.starts_with('-')
            && let Some(found) = text.find(option).filter(|found| *found < 8)
        {
            let rest = &text[found + 1..];
            return if rest.is_empty() {
                args.get(at + 1).map(|arg| arg.text.clone())
            } else {
                Some(rest.to_owned())
            };
        }
    }
    None
}

fn bare_path(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}

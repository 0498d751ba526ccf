//! What a script writes and runs later: texts, files, and code that programs are handed.

use super::line::{Line, bare_path, redirects};
use crate::{
    Command, Operation, Redirect, Word,
    code::{self, Input},
    handed::{self, Inlet},
    list::RawRedirect,
    program,
    reader::{LONGEST_VALUE, MOST_NEIGHBOURS, Reader},
    wrapper::Inner,
};

/// Options by which clients of databases are told a file of statements.
const FILES_OF_STATEMENTS: &[&str] = &["f", "file", "i", "input-file", "queries-file", "init"];

/// What such a client takes for the name of a file with more statements.
const READS_FILE: &[&str] = &["\\i", "\\ir", "\\.", ".read", "source"];

impl Reader {
    /// Notes the code that a program is handed, and whose output it runs.
    pub(super) fn note_code(&mut self, command: &mut Command, line: &Line, reads_stdin: bool) {
        let runs = program::is_interpreter(&command.program)
            || matches!(
                command.program.as_str(),
                "eval" | "source" | "psql" | "mysql" | "iex" | "invoke-expression"
            );
        let options = program::code_options(&command.program);
        let given = options.iter().find_map(|option| code_value(&command.args, option));
        let mut from: Vec<String> = Vec::new();
        if runs {
            from.extend(command.args.iter().flat_map(|arg| arg.output_of.iter().cloned()));
            if reads_stdin && given.is_none() {
                from.extend(line.context.upstream.iter().cloned());
                from.extend(line.stdin_of.iter().cloned());
            }
            if reads_stdin && given.is_none() && program::is_interpreter(&command.program) {
                from.extend(line.context.sources.iter().cloned());
                from.extend(self.writers(command));
                let read = command.redirects.iter().filter(|redirect| redirect.op == Operation::Read);
                from.extend(read.flat_map(|redirect| redirect.target.output_of.iter().cloned()));
            }
            let file = command.operands.first().map(|word| word.text.as_str());
            let written = file.and_then(|file| self.written_by.get(bare_path(file)));
            from.extend(written.into_iter().flatten().cloned());
        } else if let Some(written) = self.written_by.get(bare_path(&command.path)) {
            from.extend(written.iter().cloned());
        }
        let operand =
            program::code_operand(&command.program, &command.operands).map(|word| word.text.clone());
        let given = given.or(operand);
        let runs_input = given.as_deref().and_then(|code| input_of(command, code));
        let lines_run = command.program == "sed" && handed::runs_lines(&command.args);
        if runs_input.is_some() || lines_run {
            from.extend(line.context.upstream.iter().cloned());
            from.extend(line.stdin_of.iter().cloned());
        }
        from.truncate(MOST_NEIGHBOURS);
        command.code_from.append(&mut from);
        let stdin =
            line.stdin.clone().filter(|_| runs && reads_stdin && !program::is_shell(&command.program));
        let is_language = program::is_interpreter(&command.program) && !program::is_shell(&command.program);
        let file = command.operands.first().filter(|_| is_language && !command.flags.contains("m"));
        let written = file.and_then(|file| self.texts.get(bare_path(&file.text)).cloned());
        command.code = match (given, &line.stdin) {
            (Some(code), Some(text)) if runs_input == Some(Input::Code) => Some(code + "\n" + text),
            (given, _) if program::reads_statements(&command.program) => {
                self.statements(command, given, line)
            }
            (given, _) => given.or(stdin).or(written),
        };
        self.step(command.code.as_ref().map_or(0, String::len));
    }

    /// All statements that a client of a database is handed: as an argument, on standard input and in files that the
    /// script itself wrote.
    fn statements(&self, command: &Command, given: Option<String>, line: &Line) -> Option<String> {
        let options = FILES_OF_STATEMENTS.iter().filter_map(|option| code_value(&command.args, option));
        let words = command.args.iter().flat_map(|word| word.text.split_whitespace());
        let words: Vec<&str> = words.collect();
        let named =
            words.windows(2).filter(|pair| READS_FILE.contains(&pair[0])).map(|pair| pair[1].to_owned());
        let files = options.chain(named).filter_map(|file| self.texts.get(bare_path(&file)).cloned());
        let texts: Vec<String> = given.into_iter().chain(line.stdin.clone()).chain(files).collect();
        (!texts.is_empty()).then(|| texts.join("\n"))
    }

    /// Remembers a text that is written to a file: running the file runs it.
    pub(super) fn note_text(&mut self, written: &[RawRedirect], text: &str) {
        let last = written.iter().rev().find(|r| matches!(r.op, Operation::Write | Operation::Append));
        let targets = last.map(redirects).unwrap_or_default();
        let [target] = targets.as_slice() else { return };
        if !target.target.is_static {
            return;
        }
        let name = bare_path(&target.target.text).to_owned();
        let so_far = self.texts.entry(name).or_default();
        if target.op == Operation::Write {
            so_far.clear();
        }
        if so_far.len() + text.len() <= LONGEST_VALUE {
            so_far.push_str(text);
        }
    }

    /// Remembers what `tee` and its like write to their files.
    pub(super) fn note_teed(&mut self, command: &Command, text: Option<&str>) {
        let Some(text) = text.filter(|text| text.len() <= LONGEST_VALUE) else { return };
        for file in teed(command) {
            self.texts.insert(bare_path(file).to_owned(), text.to_owned());
        }
    }

    /// Remembers what is most likely written to a file, where a shell would run it.
    pub(super) fn note_likely(&mut self, written: &[RawRedirect], text: &str) {
        let targets = written
            .iter()
            .rev()
            .find(|r| matches!(r.op, Operation::Write | Operation::Append))
            .map(redirects);
        if let Some([target]) = targets.as_deref()
            && target.target.is_static
            && text.len() <= LONGEST_VALUE
        {
            self.likely_in.insert(bare_path(&target.target.text).to_owned(), text.to_owned());
        }
    }

    /// Remembers what `tee` most likely writes to its files.
    pub(super) fn tee_likely(&mut self, words: &[Word], text: Option<&str>) {
        let Some(text) = text.filter(|text| text.len() <= LONGEST_VALUE) else { return };
        for file in words.iter().skip(1).filter(|file| file.is_static && !file.text.starts_with('-')) {
            self.likely_in.insert(bare_path(&file.text).to_owned(), text.to_owned());
        }
    }

    /// What a text runs that comes in on standard input or in a file which the script itself wrote.
    pub(super) fn text_handed(&self, name: &str, args: &[Word], stdin: Option<&str>) -> Option<Vec<Inner>> {
        let text = match handed::inlet(name, args)? {
            Inlet::Stdin => stdin,
            Inlet::File(file) => self.texts.get(bare_path(&file)).map(String::as_str),
        };
        Some(handed::in_input(name, args, text?))
    }

    /// The text of the file that a command runs, when the script itself wrote it.
    pub(super) fn text_run_by(&mut self, path: &str, name: &str, operands: &[Word]) -> Option<String> {
        let runs_operand = program::is_shell(name) || name == "source";
        let file = if runs_operand { operands.first()?.text.as_str() } else { path };
        let likely = self.likely_in.remove(bare_path(file));
        self.texts.remove(bare_path(file)).or(likely)
    }

    /// Remembers which programs wrote a file, so that running it later tells whose output runs.
    pub(super) fn note_files(&mut self, command: &Command, sources: &[String]) {
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
        self.note_copy(command);
        names.extend(teed(command));
        for name in names.into_iter().filter(|name| !name.is_empty() && name.len() <= LONGEST_VALUE) {
            let mut by = command.pipes_from.clone();
            by.push(command.program.clone());
            by.extend(sources.iter().cloned().chain(self.writers(command)));
            by.retain(|program| !program.is_empty());
            by.truncate(MOST_NEIGHBOURS);
            self.written_by.insert(bare_path(name).to_owned(), by);
        }
    }
}

impl Reader {
    /// Remembers which program a file is a copy of, or a link to: `cp /bin/rm x`, then `./x`.
    fn note_copy(&mut self, command: &Command) {
        if !matches!(command.program.as_str(), "cp" | "ln" | "mv" | "install" | "link") {
            return;
        }
        let [from, to] = command.operands.as_slice() else { return };
        let (old, new) = (bare_path(&from.text), bare_path(&to.text).to_owned());
        if to.is_static && new.len() <= LONGEST_VALUE {
            let (text, writers) = (self.texts.get(old).cloned(), self.written_by.get(old).cloned());
            self.texts.extend(text.map(|text| (new.clone(), text)));
            self.written_by.extend(writers.map(|writers| (new, writers)));
        }
        let copied = self.copies.get(bare_path(&from.text)).cloned();
        let is_program = ["/bin/", "/sbin/", "/libexec/"].iter().any(|folder| from.text.contains(folder));
        let program = copied.or_else(|| is_program.then(|| program::canonical(&from.text)));
        if let Some(program) = program.filter(|_| to.is_static && to.text.len() <= LONGEST_VALUE) {
            let within = to.text.ends_with('/').then(|| from.text.rsplit('/').next().unwrap_or_default());
            self.copies.insert(format!("{}{}", bare_path(&to.text), within.unwrap_or_default()), program);
        }
    }
}

/// The files that a program writes what comes in to.
fn teed(command: &Command) -> impl Iterator<Item = &str> {
    let of_dd = |word: &'_ Word| command.program == "dd" && word.text.starts_with("of=");
    let tees = matches!(command.program.as_str(), "tee" | "sponge");
    let files = command.operands.iter().filter(move |word| word.is_static && (tees || of_dd(word)));
    files.map(|word| word.text.strip_prefix("of=").filter(|_| command.program == "dd").unwrap_or(&word.text))
}

/// What a program does with its standard input whose code this is.
pub(super) fn input_of(command: &Command, code: &str) -> Option<Input> {
    let is_awk = command.program == "awk" && command.operands.len() < 2;
    let loops = matches!(command.program.as_str(), "perl" | "ruby") && command.has_flag(&["n", "p"]);
    let given_files = command.operands.iter().any(|word| word.text != "-" && word.text != code);
    if command.program == "awk" && !is_awk {
        return None;
    }
    code::input(&command.program, code, loops && !given_files)
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

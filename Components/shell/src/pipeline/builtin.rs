//! What the shell does itself: assignments, `cd`, `export`, `read`.

use std::collections::BTreeMap;

use super::line::{Line, bare_path, join};
use crate::{
    ANYTHING, Command, Operation, Redirect, Word,
    list::{List, Local, Raw},
    marks, output,
    pass::Pass,
    printed::Printed,
    reader::{Context, LONGEST_VALUE, MOST_NEIGHBOURS, Reader},
};

/// Files that set variables of their own and no others: what is sourced by well-known tools.
const SETS_ITS_OWN: &[&str] =
    &["bin/activate", ".cargo/env", "/nvm.sh", "/conda.sh", "/emsdk_env.sh", "bash_completion"];

/// Whether a program of the shell sets variables by its words.
pub(super) fn is_declaring(name: &str) -> bool {
    matches!(name, "export" | "declare" | "local" | "typeset" | "readonly")
}

/// The words that `set` hands on as `$1`, `$2` …; nothing where it only switches options.
fn handed_by_set(words: &[Word]) -> Option<Vec<Option<String>>> {
    let mut at = 0;
    let mut is_told = false;
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        if matches!(text, "--" | "-") {
            (is_told, at) = (true, at + 1);
            break;
        } else if text.starts_with(['-', '+']) {
            at += 1 + usize::from(text.ends_with('o'));
        } else {
            break;
        }
    }
    let rest = words.get(at..).unwrap_or_default();
    let known = |word: &Word| word.is_static.then(|| word.text.clone());
    (is_told || !rest.is_empty()).then(|| rest.iter().map(known).collect())
}

/// The variables that `read` and `mapfile` set, and whether it is an array that takes all words.
fn read_names(words: &[Word]) -> (Vec<&str>, bool) {
    let mut names = Vec::new();
    let mut array = words[0].text != "read";
    let valued: &[char] =
        if array { &['d', 'n', 'O', 's', 'u', 'c', 'C'] } else { &['d', 'n', 'N', 'p', 't', 'u', 'i'] };
    let mut rest = words[1..].iter();
    while let Some(word) = rest.next() {
        match word.text.strip_prefix('-') {
            None => names.push(word.text.as_str()),
            Some(letters) if letters.ends_with('a') && !array => array = true,
            Some(letters) if letters.ends_with(valued) => drop(rest.next()),
            Some(_) => {}
        }
    }
    (names, array)
}

impl Pass<'_> {
    /// Assignments and redirects without a program.
    pub(super) fn bare(&mut self, raw: &Raw, line: &Line) -> Printed {
        let sure = line.stays && !raw.conditional;
        for set in &raw.assignments {
            self.reader.note_set(line, &set.name, &set.values);
            self.reader.take(set, sure);
        }
        if raw.compound.is_some() && line.redirects.is_empty() {
            return raw.printed.clone();
        }
        if !line.env.is_empty() || !line.redirects.is_empty() {
            let is_static =
                line.env.values().chain(line.redirects.iter().map(|r| &r.target)).all(|word| word.is_static);
            let mut command =
                line.command(Command { is_static, program_is_static: true, ..Command::default() });
            command.env.clone_from(&line.env);
            let sources = match &raw.compound {
                Some(told) => self.reader.programs_in(told.clone()),
                None => Vec::new(),
            };
            self.reader.note_files(&command, &sources);
            self.reader.tell(command);
            self.reader.run_by_variables(&line.env, line);
        }
        if raw.compound.is_some() {
            return raw.printed.clone();
        }
        // `$(< x)`
        let shown = line.stdin.clone().filter(|_| line.redirects.iter().all(|r| r.op == Operation::Read));
        Printed { sure: Some(shown.unwrap_or_default()), likely: None }
    }

    /// `cd`, `export`, `read`: what changes for the commands that follow.
    pub(super) fn builtin(&mut self, words: &[Word], line: &Line, uncertain: bool) {
        let operands = || words[1..].iter().filter(|word| !word.text.starts_with('-') || word.text == "-");
        match words[0].text.as_str() {
            "cd" | "pushd" | "chdir" if line.stays => {
                let list: &mut List = self.list();
                let to = operands().next();
                let is_changed = to.is_some_and(|word| word.is_changed);
                let to = to.map_or("~", |word| word.text.as_str());
                let to = if is_changed { ANYTHING } else { to };
                let to = to.get(..LONGEST_VALUE).unwrap_or(to);
                list.context.cwd =
                    (to != "-" && to.len() <= LONGEST_VALUE).then(|| join(list.context.cwd.as_deref(), to));
            }
            "popd" if line.stays => self.list().context.cwd = None,
            name if is_declaring(name) => {
                let refers = words.iter().any(|word| word.text.starts_with('-') && word.text.contains('n'));
                for word in operands() {
                    if matches!(words[0].text.as_str(), "declare" | "local" | "typeset") {
                        self.make_local(&word.text);
                    }
                    if let Some((name, value)) = word.text.split_once('=') {
                        if refers && words[0].text != "export" {
                            self.reader.references.insert(name.to_owned(), value.to_owned());
                            continue;
                        }
                        let values = if word.is_static { vec![value.to_owned()] } else { Vec::new() };
                        self.reader.assign(name, values, &word.output_of, line.stays && !uncertain);
                        let set = BTreeMap::from([(name.to_owned(), Word::known(value))]);
                        self.reader.run_by_variables(&set, line);
                    }
                }
            }
            "unset" if !words.iter().any(|word| word.text == "-f") => {
                for name in operands() {
                    if name.text == "IFS" && line.stays {
                        self.reader.variables.remove("IFS");
                        continue;
                    }
                    let values = vec![String::new()];
                    self.reader.note_set(line, &name.text, &values);
                    self.reader.assign(&name.text, values, &[], line.stays && !uncertain);
                }
            }
            "source" | "." if line.stays => {
                let file = operands().next().map_or("", |word| word.text.as_str());
                self.reader.sourced(file);
            }
            "read" | "mapfile" | "readarray" => self.read(words, line),
            "set" if line.stays => {
                if let Some(handed) = handed_by_set(&words[1..]) {
                    self.hand_within();
                    self.reader.hand(&handed, !uncertain);
                }
            }
            "shift" if line.stays => {
                let by = operands().next().map_or(Some(1), |word| word.text.parse::<usize>().ok());
                let known = self.reader.variables.get("@").filter(|values| !values.is_empty());
                if let Some((by, values)) = by.zip(known) {
                    let left: Vec<_> = values.iter().skip(by).cloned().map(Some).collect();
                    self.hand_within();
                    self.reader.hand(&left, !uncertain);
                }
            }
            // `hash -p PATH NAME`: from here on the name is that program.
            "hash" if words.len() > 3 && words[1].text == "-p" => {
                let program = crate::program::canonical(&words[2].text);
                self.reader.copies.insert(words[3].text.clone(), program);
            }
            "exec" if words.len() == 1 && line.stays => self.reader.open(line),
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

    /// `read a b`, `read -a a`, `mapfile a`: what is known of standard input goes into variables.
    fn read(&mut self, words: &[Word], line: &Line) {
        let (names, array) = read_names(words);
        let in_loop = self.list().blocks.iter().any(|block| block.closes == "done");
        let text = line.stdin.as_ref().filter(|_| line.stays);
        let values = text.map(|text| {
            if in_loop && words[0].text == "read" && !array {
                self.reader.parts_of_all(text, names.len())
            } else {
                self.reader.parts(text, &words[0].text, names.len(), array)
            }
        });
        for (at, name) in names.iter().enumerate() {
            let values = values.as_ref().and_then(|values| values.get(at)).cloned().unwrap_or_default();
            self.reader.note_set(line, name, &values);
            self.reader.assign(name, values, &line.context.upstream, true);
            self.reader.lines_in.insert((*name).to_owned());
        }
    }

    /// What a function is handed is its own, also where it sets it anew.
    fn hand_within(&mut self) {
        if self.lists.last_mut().is_some_and(|list| list.function_block().is_some()) {
            (1..10).map(|at| at.to_string()).chain(["@".to_owned()]).for_each(|name| self.make_local(&name));
        }
    }

    /// Sets a variable aside until the function that makes it its own is read.
    fn make_local(&mut self, word: &str) {
        let name = word.split('=').next().unwrap_or(word);
        let reader = &mut *self.reader;
        let frame = match self.lists.last_mut().and_then(|list| list.function_block()) {
            Some(block) => &mut block.locals,
            None => match reader.locals.last_mut() {
                Some(frame) => frame,
                None => return,
            },
        };
        frame.push((name.to_owned(), reader.variables.remove(name), reader.changed.remove(name)));
    }
}

impl Reader {
    /// What `read` and `mapfile` take out of a text, for each of their names.
    fn parts(&self, text: &str, program: &str, names: usize, array: bool) -> Vec<Vec<String>> {
        if program != "read" {
            return vec![text.lines().map(str::to_owned).collect()];
        }
        let line = text.lines().next().unwrap_or_default();
        let mut rest = self.split(line);
        if array {
            return vec![
                rest.split(marks::SPLIT).filter(|part| !part.is_empty()).map(str::to_owned).collect(),
            ];
        }
        let mut parts = Vec::new();
        while parts.len() + 1 < names {
            let trimmed = rest.trim_start_matches(marks::SPLIT);
            let (part, behind) = trimmed.split_once(marks::SPLIT).unwrap_or((trimmed, ""));
            parts.push(vec![part.to_owned()]);
            rest = behind.to_owned();
        }
        parts.push(vec![if names == 1 { line.to_owned() } else { rest.replace(marks::SPLIT, " ") }]);
        parts
    }

    /// The same of a `read` that takes line after line.
    fn parts_of_all(&self, text: &str, names: usize) -> Vec<Vec<String>> {
        let mut all = vec![Vec::new(); names];
        for line in text.lines().take(MOST_NEIGHBOURS) {
            let parts = self.parts(line, "read", names, false);
            all.iter_mut().zip(parts).for_each(|(values, part)| values.extend(part));
        }
        // Of more lines, nothing is known.
        if text.lines().count() > MOST_NEIGHBOURS { vec![Vec::new(); names] } else { all }
    }

    /// `exec 3<<< TEXT`: what comes in on a descriptor from here on.
    fn open(&mut self, line: &Line) {
        for redirect in &line.redirects {
            let text = match redirect.op {
                Operation::Here => Some(redirect.target.text.clone()),
                Operation::Read => self.text_at(&redirect.target.text),
                _ => continue,
            };
            let fd = redirect.fd.unwrap_or(0);
            match text.filter(|text| text.len() <= LONGEST_VALUE) {
                Some(text) => self.descriptors.insert(fd, text),
                None => self.descriptors.remove(&fd),
            };
        }
    }

    /// What stands in a file, when the text itself wrote it or opened it.
    pub(super) fn text_at(&self, path: &str) -> Option<String> {
        let fd = path.strip_prefix("/dev/fd/").and_then(|fd| fd.parse().ok());
        let opened = fd.and_then(|fd: u32| self.descriptors.get(&fd));
        self.texts.get(bare_path(path)).or(opened).cloned()
    }

    /// What comes in on standard input by `<&3`, or because `exec` put it there.
    pub(super) fn text_on(&self, redirects: &[Redirect], context: &Context) -> Option<String> {
        let from = redirects.iter().rev().find(|redirect| redirect.fd.unwrap_or(0) == 0);
        match from {
            Some(redirect) if redirect.op == Operation::Duplicate => {
                self.descriptors.get(&redirect.target.text.trim_end_matches('-').parse().ok()?).cloned()
            }
            Some(redirect) if redirect.op == Operation::Read => None,
            _ if context.stdin.is_some() => context.stdin.as_deref().map(str::to_owned),
            _ if context.upstream.is_empty() => self.descriptors.get(&0).cloned(),
            _ => None,
        }
    }

    /// Notes that a file may have set any variable; what was written to it before is read where it runs.
    fn sourced(&mut self, file: &str) {
        let sets_its_own = SETS_ITS_OWN.iter().any(|known| file.ends_with(known));
        if !sets_its_own && !self.texts.contains_key(bare_path(file)) {
            self.changed.extend(self.variables.keys().cloned());
        }
    }

    /// Puts back what a function made its own.
    pub(crate) fn restore(&mut self, locals: Vec<Local>) {
        for (name, values, is_changed) in locals.into_iter().rev() {
            match values {
                Some(values) => self.variables.insert(name.clone(), values),
                None => self.variables.remove(&name),
            };
            if is_changed {
                self.changed.insert(name)
            } else {
                self.changed.remove(&name)
            };
        }
    }

    /// Sets the variables of one command, and gives what they were.
    pub(super) fn set(&mut self, values: Vec<(String, Vec<String>)>) -> Vec<Local> {
        let mut before = Vec::new();
        for (name, values) in values {
            let is_changed =
                if values.is_empty() { self.changed.contains(&name) } else { self.changed.remove(&name) };
            before.push((name.clone(), self.variables.insert(name, values), is_changed));
        }
        before
    }
}

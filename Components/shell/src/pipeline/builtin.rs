//! What the shell does itself: assignments, `cd`, `export`, `read`.

use std::collections::BTreeMap;

use super::line::{Line, bare_path, join};
use crate::{
    ANYTHING, Command, Word,
    list::{List, Local, Raw},
    output,
    pass::Pass,
    reader::{LONGEST_VALUE, Reader},
};

/// Files that set variables of their own and no others: what is sourced by well-known tools.
const SETS_ITS_OWN: &[&str] =
    &["bin/activate", ".cargo/env", "/nvm.sh", "/conda.sh", "/emsdk_env.sh", "bash_completion"];

type Values = (String, Option<Vec<String>>);

impl Pass<'_> {
    /// Assignments and redirects without a program.
    pub(super) fn bare(&mut self, raw: &Raw, line: &Line) -> Option<String> {
        let sure = line.stays && !raw.conditional;
        for (name, values, of) in &raw.assignments {
            self.reader.note_set(line, name, values);
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
            "export" | "declare" | "local" | "typeset" | "readonly" => {
                for word in operands() {
                    if matches!(words[0].text.as_str(), "declare" | "local" | "typeset") {
                        self.make_local(&word.text);
                    }
                    if let Some((name, value)) = word.text.split_once('=') {
                        let values = if word.is_static { vec![value.to_owned()] } else { Vec::new() };
                        self.reader.assign(name, values, &word.output_of, line.stays && !uncertain);
                        let set = BTreeMap::from([(name.to_owned(), Word::known(value))]);
                        self.reader.run_by_variables(&set, line);
                    }
                }
            }
            "unset" if !words.iter().any(|word| word.text == "-f") => {
                for name in operands() {
                    let values = vec![String::new()];
                    self.reader.note_set(line, &name.text, &values);
                    self.reader.assign(&name.text, values, &[], line.stays && !uncertain);
                }
            }
            "source" | "." if line.stays => {
                let file = operands().next().map_or("", |word| word.text.as_str());
                self.reader.sourced(file);
            }
            "read" | "mapfile" | "readarray" => {
                let names: Vec<&Word> = operands().collect();
                for name in &names {
                    let known = line
                        .stdin
                        .as_ref()
                        .filter(|_| names.len() == 1 && words[0].text == "read" && line.stays);
                    let values: Vec<String> =
                        known.and_then(|text| text.lines().next()).map(str::to_owned).into_iter().collect();
                    self.reader.note_set(line, &name.text, &values);
                    self.reader.assign(&name.text, values, &line.context.upstream, true);
                    self.reader.lines_in.insert(name.text.clone());
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

    /// Sets a variable. Where it is not sure that this happens and the variable was set before, it is unknown.
    fn assign(&mut self, name: &str, values: Vec<String>, of: &[String], sure: bool) {
        let long = values.iter().map(String::len).sum::<usize>() > LONGEST_VALUE;
        let is_same = self.variables.get(name) == Some(&values);
        let unsure = !sure && !is_same && self.variables.contains_key(name);
        let known = if long || unsure { Vec::new() } else { values };
        if known.is_empty() {
            self.changed.insert(name.to_owned());
        } else if sure || !is_same {
            self.changed.remove(name);
        }
        self.step(name.len() + known.iter().map(String::len).sum::<usize>());
        self.variables.insert(name.to_owned(), known);
        if of.is_empty() {
            self.output_in.remove(name)
        } else {
            self.output_in.insert(name.to_owned(), of.to_vec())
        };
    }

    /// Sets the variables of one command, and gives what they were.
    pub(super) fn set(&mut self, assignments: &[(String, Vec<String>, Vec<String>)]) -> Vec<Values> {
        let mut before = Vec::new();
        for (name, values, _) in assignments {
            before.push((name.clone(), self.variables.insert(name.clone(), values.clone())));
        }
        before
    }

    pub(super) fn reset(&mut self, before: Vec<Values>) {
        for (name, values) in before.into_iter().rev() {
            match values {
                Some(values) => self.variables.insert(name, values),
                None => self.variables.remove(&name),
            };
        }
    }
}

//! What the shell does itself: assignments, `cd`, `export`, `read`.

use std::collections::BTreeMap;

use super::line::{Line, join};
use crate::{
    Command, Word,
    list::{List, Raw},
    output,
    pass::Pass,
    reader::{LONGEST_VALUE, Reader},
};

type Values = (String, Option<Vec<String>>);

impl Pass<'_> {
    /// Assignments and redirects without a program.
    pub(super) fn bare(&mut self, raw: &Raw, line: &Line) -> Option<String> {
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
    pub(super) fn builtin(&mut self, words: &[Word], line: &Line, uncertain: bool) {
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

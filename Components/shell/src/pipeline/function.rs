//! Functions: a body is read where it stands, and once more where it is called, with what it is handed and what the
//! variables are by then.

use std::ops::Range;

use super::line::Line;
use crate::{
    Command, Via, Word,
    printed::Printed,
    reader::{LONGEST_VALUE, Reader},
};

/// With how many commands of a function's body those of a call are compared.
const MOST_COMPARED: usize = 256;

impl Reader {
    /// Remembers the body of a function.
    pub(crate) fn note_function(&mut self, name: String, body: &str, told: Range<usize>) {
        if body.len() <= LONGEST_VALUE && !body.trim().is_empty() {
            self.functions.insert(name, (body.to_owned(), told));
        }
    }

    /// Notes that a function sets a variable: calling it does.
    pub(super) fn note_set(&mut self, line: &Line, name: &str, values: &[String]) {
        let functions = line.context.via.iter().filter_map(|via| match via {
            Via::Function(function) => Some(function),
            _ => None,
        });
        for function in functions {
            let set = self.sets.entry(function.clone()).or_default();
            set.insert(name.to_owned(), values.to_vec());
        }
    }

    /// Reads the body of a function that is called, and gives what it may print. Where that is too much, or goes round, what it sets may have changed.
    pub(super) fn call(&mut self, words: &[Word], line: &Line) -> Printed {
        let Some((head, args)) = words.split_first() else { return Printed::default() };
        let via = Via::Function(head.text.clone());
        let body =
            self.functions.get(&head.text).filter(|(body, _)| self.may_read_again(body.len())).cloned();
        let Some((body, told)) = body.filter(|_| !line.context.via.contains(&via)) else {
            self.called(&head.text);
            return Printed::default();
        };

        let (first, steps) = (self.commands.len(), self.steps);
        let printed = self.read_body(&body, args, line, via);
        self.forget_same(&told, first);
        let (all, commands) = self.calls;
        let more = self.commands.len() - first;
        self.calls = (all.saturating_add(self.steps - steps), commands + more);
        printed.perhaps()
    }

    fn read_body(&mut self, body: &str, args: &[Word], line: &Line, via: Via) -> Printed {
        let values = |word: &Word| if word.is_static { vec![word.text.clone()] } else { Vec::new() };
        let mut handed: Vec<_> = (1..10).zip(args).map(|(at, word)| (at.to_string(), values(word))).collect();
        if !args.is_empty() {
            let all = args.iter().all(|word| word.is_static);
            let all = if all { args.iter().map(|word| word.text.clone()).collect() } else { Vec::new() };
            handed.push(("@".to_owned(), all));
        }
        let before = self.set(handed);
        self.locals.push(Vec::new());
        let printed = self.read_within(body, line, via);
        let locals = self.locals.pop().unwrap_or_default();
        self.restore(locals);
        self.restore(before);
        printed
    }

    /// Takes away the commands from `first` on that the body told already where it stands.
    fn forget_same(&mut self, told: &Range<usize>, first: usize) {
        let (before, again) = self.commands.split_at(first);
        let told = before.get(told.clone()).unwrap_or_default();
        let told = &told[..told.len().min(MOST_COMPARED)];
        let is_new: Vec<bool> =
            again.iter().map(|command| !told.iter().any(|other| is_same(command, other))).collect();
        self.step(told.len() * again.len());
        if is_new.contains(&true) {
            let mut at = 0;
            self.commands.retain(|command| {
                at += 1;
                at <= first || is_new[at - 1 - first] || command.pipe.is_some()
            });
        } else {
            self.commands.truncate(first);
        }
    }

    /// Notes what the call of a function changes.
    fn called(&mut self, function: &str) {
        let Some(set) = self.sets.get(function) else { return };
        for (name, values) in set {
            if self.variables.get(name).is_some_and(|known| known != values) {
                self.changed.insert(name.clone());
            }
        }
    }
}

/// Whether two commands do the same, wherever they stand.
fn is_same(one: &Command, other: &Command) -> bool {
    (&one.program, &one.args, &one.cwd, &one.env) == (&other.program, &other.args, &other.cwd, &other.env)
        && (&one.redirects, &one.code, &one.code_from) == (&other.redirects, &other.code, &other.code_from)
}

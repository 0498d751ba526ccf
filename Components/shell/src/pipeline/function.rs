//! Functions: a body is read where it stands, and once more where it is called, with what it is handed and what the
//! variables are by then.

use super::line::Line;
use crate::{
    Via, Word,
    reader::{LONGEST_VALUE, Reader},
};

impl Reader {
    /// Remembers the body of a function.
    pub(crate) fn note_function(&mut self, name: String, body: &str) {
        if body.len() <= LONGEST_VALUE && !body.trim().is_empty() {
            self.functions.insert(name, body.to_owned());
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

    /// Reads the body of a function that is called. Where that is too much, or goes round, what it sets may have changed.
    pub(super) fn call(&mut self, words: &[Word], line: &Line) {
        let Some((head, args)) = words.split_first() else { return };
        let via = Via::Function(head.text.clone());
        let body = self.functions.get(&head.text).filter(|body| self.may_read_again(body.len())).cloned();
        match body.filter(|_| !line.context.via.contains(&via)) {
            Some(body) => self.read_body(&body, args, line, via),
            None => self.called(&head.text),
        }
    }

    fn read_body(&mut self, body: &str, args: &[Word], line: &Line, via: Via) {
        let values = |word: &Word| if word.is_static { vec![word.text.clone()] } else { Vec::new() };
        let mut handed: Vec<_> =
            (1..10).zip(args).map(|(at, word)| (at.to_string(), values(word), Vec::new())).collect();
        if !args.is_empty() && args.iter().all(|word| word.is_static) {
            handed.push(("@".to_owned(), args.iter().map(|word| word.text.clone()).collect(), Vec::new()));
        }
        let before = self.set(&handed);
        let steps = self.steps;
        self.locals.push(Vec::new());
        self.read_within(body, line, via);
        let locals = self.locals.pop().unwrap_or_default();
        self.restore(locals);
        self.calls = self.calls.saturating_add(self.steps - steps);
        self.reset(before);
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

//! Telling a pipeline: words expanded, wrappers taken apart, and each command put among its neighbours.

mod builtin;
mod function;
mod line;
mod run;
mod written;

use std::{collections::BTreeMap, ops::Range};

pub(crate) use self::line::join;
use self::{
    builtin::is_declaring,
    line::{Line, redirects},
};
use crate::{
    Operation, Pipe, Reason, Redirect, Via, Word,
    list::Raw,
    marks,
    pass::Pass,
    reader::{Context, LONGEST_VALUE, MOST_NEIGHBOURS, Reader},
};

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
            if position > 0 {
                context.stdin = None;
            }
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
        let redirects: Vec<Redirect> = raw.redirects.iter().flat_map(redirects).collect();
        let here = redirects.iter().rev().find(|redirect| redirect.op == Operation::Here);
        let stdin_of = here.map(|redirect| redirect.target.output_of.clone()).unwrap_or_default();
        let fed = redirects.iter().rev().find(|redirect| redirect.op == Operation::Read);
        let fed = fed.and_then(|redirect| self.reader.text_at(&redirect.target.text));
        let stdin = here.map(|redirect| redirect.target.text.clone()).or(fed).or(stdin);
        let stdin = stdin.or_else(|| self.reader.text_on(&redirects, context));
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
        let env = raw.assignments.iter().map(|set| {
            let text = set.values.join(&marks::SPLIT.to_string());
            (set.name.clone(), marks::word(&text, &set.of))
        });
        let env: BTreeMap<String, Word> = env.collect();
        let line = Line { env, redirects, context: context.clone(), stdin, stdin_of, span, stays };
        if words.is_empty() {
            return self.bare(raw, &line);
        }
        self.reader.run_by_variables(&line.env, &line);
        let uncertain = raw.conditional;
        let before = if is_declaring(&words[0].text) {
            raw.assignments.iter().for_each(|set| self.reader.take(set, line.stays && !uncertain));
            Vec::new()
        } else {
            let set = raw.assignments.iter().map(|set| (set.name.clone(), self.reader.resolved(set)));
            let set: Vec<_> = set.collect();
            self.reader.set(set)
        };
        let into_file = line
            .redirects
            .iter()
            .any(|r| matches!(r.op, Operation::Write | Operation::Append) && r.fd.is_none_or(|fd| fd == 1));
        self.builtin(&words, &line, uncertain);
        let called = self.reader.functions.contains_key(&words[0].text).then(|| line.clone());
        let drained = raw.drains.then(|| line.clone());
        let printed = self.reader.run(&words, line);
        if let Some(line) = drained
            && let Some(text) = printed.clone().or_else(|| line.stdin.clone())
        {
            // What goes into `>(sh)`.
            self.reader.read_within(&text, &line, Via::Program("sh".to_owned()));
        }
        if let Some(line) = called {
            self.reader.call(&words, &line);
        }
        self.reader.restore(before);
        if !into_file {
            return printed;
        }
        if let Some(text) = printed.filter(|text| text.len() <= LONGEST_VALUE) {
            self.reader.note_text(&raw.redirects, &text);
        }
        Some(String::new())
    }
}

impl Reader {
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

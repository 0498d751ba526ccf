//! Telling a pipeline: words expanded, wrappers taken apart, and each command put among its neighbours.

mod builtin;
mod flow;
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
    Operation, Pipe, Reason, Redirect, Via, Word, filter,
    list::{Kind, Raw, RawRedirect},
    marks, output,
    pass::Pass,
    printed::Printed,
    reader::{Context, LONGEST_VALUE, MOST_NEIGHBOURS, Reader},
};

impl Pass<'_> {
    /// Tells a whole pipeline.
    pub(crate) fn tell(&mut self, pipeline: Vec<Raw>, background: bool) {
        let many = pipeline.len() > 1;
        let mut context = self.list().context.clone();
        context.background |= background;
        let mut upstream = context.upstream.clone();
        let mut sources = context.sources.clone();
        let mut printed = Printed::default();
        let mut told: Vec<Range<usize>> = Vec::new();
        let id = self.reader.pipelines;
        self.reader.pipelines += u32::from(many);
        for (raw, position) in pipeline.into_iter().zip(0_u32..) {
            let first = self.reader.commands.len();
            context.upstream.clone_from(&upstream);
            context.sources.clone_from(&sources);
            if position > 0 {
                (context.stdin, context.likely) = (None, None);
            }
            if many {
                context.pipe = Some(Pipe { id, position });
            }
            let compound = raw.compound.clone();
            let stays = !many && !background;
            printed = self.command(&raw, &context, printed, stays);
            let range = compound.map_or(first, |range| range.start.min(first))..self.reader.commands.len();
            upstream.extend(self.programs_of(&range));
            sources.extend(self.reader.behind(range.start));
            let surplus = sources.len().saturating_sub(MOST_NEIGHBOURS);
            sources.drain(..surplus);
            let surplus = upstream.len().saturating_sub(MOST_NEIGHBOURS);
            upstream.drain(..surplus);
            told.push(range);
        }
        self.reader.look_back(&told, many, background);
        if let Some(shell) = self.reader.sinks.get(&1).copied()
            && matches!(self.list().kind, Kind::Text | Kind::Subshell)
        {
            let at = self.at;
            let line = Line::bare(context, self.span(at, at));
            self.reader.poured(shell, &printed, &upstream, &line);
        }
        self.list().output.then(&printed);
    }

    fn programs_of(&self, range: &Range<usize>) -> Vec<String> {
        self.reader.programs_since(range.start)
    }

    /// Tells one stage of a pipeline; gives what it prints.
    fn command(&mut self, raw: &Raw, context: &Context, piped: Printed, stays: bool) -> Printed {
        let span = self.span(raw.start.unwrap_or(raw.end), raw.end);
        let redirects: Vec<Redirect> = raw.redirects.iter().flat_map(redirects).collect();
        let here = redirects.iter().rev().find(|redirect| redirect.op == Operation::Here);
        let stdin_of = here.map(|redirect| redirect.target.output_of.clone()).unwrap_or_default();
        let fed = redirects.iter().rev().find(|redirect| redirect.op == Operation::Read);
        let read = fed.and_then(|redirect| self.reader.text_at(&redirect.target.text));
        let stdin = here.map(|redirect| redirect.target.text.clone()).or(read).or(piped.sure);
        let stdin = stdin.or_else(|| self.reader.text_on(&redirects, context));
        let likely = here.and_then(|redirect| redirect.target.likely.clone());
        let around = context.likely.as_deref().filter(|_| stdin.is_none()).map(str::to_owned);
        let likely = likely.or(piped.likely.or(around).filter(|_| here.is_none() && fed.is_none()));
        let mut words: Vec<Word> = Vec::new();
        for word in &raw.words {
            let known = words.len();
            words.extend(marks::words(&word.marked, &word.output_of));
            words[known..].iter_mut().for_each(|found| found.fill(word.likely.as_deref()));
        }
        let bytes = words.iter().map(|word| word.text.len()).sum::<usize>();
        let bytes = bytes + redirects.iter().map(|redirect| redirect.target.text.len()).sum::<usize>();
        self.reader.step(bytes);
        if self.reader.is_over() && self.reader.incomplete == Some(Reason::TooManySteps) {
            return Printed::default();
        }
        let env = raw.assignments.iter().map(|set| {
            let text = set.values.join(&marks::SPLIT.to_string());
            (set.name.clone(), marks::word(&text, &set.of))
        });
        let env: BTreeMap<String, Word> = env.collect();
        let line = Line { env, redirects, context: context.clone(), stdin, likely, stdin_of, span, stays };
        let listeners = self.reader.listeners(&words, &line.redirects);
        let pours = (!listeners.is_empty()).then(|| line.clone());
        let first = self.reader.commands.len();
        let printed = if words.is_empty() { self.bare(raw, &line) } else { self.spoken(raw, &words, line) };
        if let Some(line) = pours {
            let mut by = context.upstream.clone();
            by.extend(self.reader.programs_since(first));
            for shell in listeners {
                self.reader.poured(shell, &printed, &by, &line);
            }
        }
        let into_file = raw.redirects.iter().any(writes_output);
        if !into_file {
            return printed;
        }
        if let Some(text) = printed.sure.filter(|text| text.len() <= LONGEST_VALUE) {
            self.reader.note_text(&raw.redirects, &text);
        } else if let Some(text) = printed.likely {
            self.reader.note_likely(&raw.redirects, &text);
        }
        Printed::nothing()
    }

    /// Tells a command that has words; gives what it prints, wherever that goes.
    fn spoken(&mut self, raw: &Raw, words: &[Word], line: Line) -> Printed {
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
        self.builtin(words, &line, uncertain);
        if words.len() == 1 && words[0].text == "exec" && line.stays {
            self.reader.connect(&line, raw.drains);
        }
        let called = self.reader.functions.contains_key(&words[0].text).then(|| line.clone());
        let drained = raw.drains.map(|_| line.clone());
        let name = crate::program::canonical(&words[0].text);
        let (stdin, likely) = (line.stdin.clone(), line.likely.clone());
        let sure = self.reader.run(words, line);
        let guess = || likely.as_deref().and_then(|text| output::of(&name, &words[1..], Some(text)));
        let comes_in = stdin.or_else(|| likely.clone());
        let mut steps = 0;
        let filtered = || filter::likely(&name, &words[1..], comes_in.as_deref(), &mut steps);
        let likely = if sure.is_none() { guess().or_else(filtered) } else { None };
        if name == "tee" {
            self.reader.tee_likely(words, likely.as_deref());
        }
        self.reader.step(steps);
        let mut printed = Printed { sure, likely };
        if let Some(line) = drained
            && let Some(text) = printed.text().map(str::to_owned).or(comes_in)
        {
            // What goes into `>(sh)`.
            self.reader.read_within(&text, &line, Via::Program("sh".to_owned()));
        }
        if let Some(line) = called {
            printed = self.reader.call(words, &line);
        }
        self.reader.restore(before);
        printed
    }
}

/// Whether a redirect puts what is printed into a file.
fn writes_output(redirect: &RawRedirect) -> bool {
    matches!(redirect.op, Operation::Write | Operation::Append) && redirect.fd.is_none_or(|fd| fd == 1)
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

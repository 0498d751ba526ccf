//! The grammar around words: where commands start and end, and the words of the shell itself.

use std::rc::Rc;

use crate::{
    Via,
    list::{Assignment, Block, Building, Foretold, Kind, List, Mode, Raw, State},
    marks,
    pass::Pass,
    printed::Printed,
    reader::{LONGEST_VALUE, MOST_NEIGHBOURS},
};

impl Pass<'_> {
    /// Ends the word under construction, if there is one, and says what it is.
    pub(crate) fn end_word(&mut self) {
        let Some(word) = self.list().word.take() else { return };
        self.reader.words += 1;
        let end = self.at;
        let list = self.list();
        if list.kind == Kind::Array || list.in_pattern() {
            return self.end_listed(word);
        }
        if let Some(redirect) = list.raw.expected.take() {
            list.raw.end = end;
            return self.end_redirect(redirect, word);
        }
        if list.raw.compound.is_some() {
            self.end_pipeline(false);
        }
        let list = self.list();
        if list.raw.state == State::Plain && list.raw.words.is_empty() && self.keyword(&word) {
            return;
        }
        if self.in_state(&word) || self.assignment(&word) {
            return;
        }
        let raw = &mut self.list().raw;
        raw.start.get_or_insert(word.start);
        raw.end = end;
        raw.words.push(word);
    }

    /// A word of an array, or of a `case` pattern.
    fn end_listed(&mut self, word: Building) {
        let list = self.list();
        if list.kind == Kind::Array {
            list.raw.words.push(word);
        } else if word.marked == "esac" && !word.quoted {
            self.close_block("esac");
        }
    }

    /// A word of the shell itself, where a command would start.
    fn keyword(&mut self, word: &Building) -> bool {
        let list = self.list();
        if word.quoted || !list.raw.assignments.is_empty() || !list.raw.redirects.is_empty() {
            return false;
        }
        match word.marked.as_str() {
            "then" | "else" | "elif" | "do" | "!" => {}
            "coproc" => return self.coprocess(),
            "time" => return self.timed(),
            "if" => self.open_block("fi", word.start),
            "while" | "until" => self.open_block("done", word.start),
            "for" | "select" => {
                self.open_block("done", word.start);
                self.list().raw.state = State::ForName;
            }
            "case" => {
                self.open_block("esac", word.start);
                self.list().raw.state = State::CaseWord;
            }
            "function" => list.raw.state = State::Function,
            "\u{FDD8}\u{FDD8}" => {
                list.raw.state = State::Test;
                return false;
            }
            "fi" => self.close_block("fi"),
            "done" => self.close_block("done"),
            "esac" => self.close_block("esac"),
            "\u{FDD3}" => self.open_block("}", word.start),
            "\u{FDD5}" => self.close_block("}"),
            _ => return false,
        }
        true
    }

    /// `coproc { … }`, `coproc NAME { … }`: the compound that follows is what runs. Before a plain command it is a wrapper.
    fn coprocess(&mut self) -> bool {
        let rest = self.rest();
        let told = self.reader.commands.len();
        let after = rest.trim_start_matches([' ', '\t']);
        let name = after.len() - after.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_').len();
        let behind = after[name..].trim_start_matches([' ', '\t']);
        let compound = ["if", "while", "until", "for", "case", "select"].contains(&&after[..name]);
        let is_named = name > 0 && behind.starts_with(['{', '(']);
        self.reader.coprocesses.insert(if is_named { &after[..name] } else { "COPROC" }.to_owned(), told);
        if is_named {
            // The blank before the bracket is read next.
            self.at += rest.len() - behind.len() - 1;
        }
        is_named || compound || after.starts_with(['{', '('])
    }

    /// `time { … }`, `time -p ( … )`: the compound that follows is what runs. Before a plain command it is a wrapper.
    fn timed(&mut self) -> bool {
        let rest = self.rest();
        let after = rest.trim_start_matches([' ', '\t']);
        let after = after.strip_prefix("-p").unwrap_or(after).trim_start_matches([' ', '\t']);
        let words = after.split(|c: char| c.is_ascii_whitespace() || c == ';').next().unwrap_or_default();
        let is_compound = ["if", "while", "until", "for", "case", "select", "{", "!", "[[", "time"]
            .contains(&words)
            || after.starts_with('(');
        if is_compound {
            // The blank before the compound is read next.
            let blank = usize::from(after.len() < rest.len());
            self.at += rest.len() - after.len() - blank;
        }
        is_compound
    }

    /// A word after `for`, `case` or `function`.
    fn in_state(&mut self, word: &Building) -> bool {
        let raw = &mut self.list().raw;
        match &mut raw.state {
            State::Plain => return false,
            State::Test => {
                if word.marked == "]]" {
                    raw.state = State::Plain;
                }
                return false;
            }
            State::ForName => raw.state = State::ForValues(word.marked.clone(), Vec::new()),
            State::ForValues(_, values) => match word.marked.as_str() {
                "in" if values.is_empty() => {}
                "do" => self.end_for(),
                _ => values.push(word.marked.clone()),
            },
            State::CaseWord => {
                if word.marked == "in" && !word.quoted {
                    raw.state = State::Plain;
                    if let Some(block) = self.list().blocks.last_mut() {
                        block.pattern = true;
                    }
                }
            }
            State::Function => {
                raw.state = State::Plain;
                self.list().function = Some(marks::word(&word.marked, &[]).text);
            }
        }
        true
    }

    /// Sets the variable of a loop to all its values; a glob stands for the files that it finds.
    fn end_for(&mut self) {
        let raw = &mut self.list().raw;
        if let State::ForValues(name, values) = std::mem::take(&mut raw.state) {
            let values: Vec<String> =
                values.iter().flat_map(|value| marks::words(value, &[])).map(|word| word.text).collect();
            let short = values.iter().map(String::len).sum::<usize>() <= LONGEST_VALUE;
            let sure = values.iter().all(|value| !value.contains('$'));
            let known = if short && sure { values } else { Vec::new() };
            if known.is_empty() {
                self.reader.changed.insert(name.clone());
            } else {
                self.reader.changed.remove(&name);
            }
            self.reader.variables.insert(name, known);
        }
    }

    /// `name=value` before a command.
    fn assignment(&mut self, word: &Building) -> bool {
        let raw = &mut self.list().raw;
        if !raw.words.is_empty() || raw.state != State::Plain {
            return false;
        }
        let Some(assignment) = assignment_of(&word.marked, &word.output_of) else { return false };
        let assignment = Assignment { likely: word.likely.clone(), ..assignment };
        raw.start.get_or_insert(word.start);
        raw.assignments.push(assignment);
        true
    }

    /// `;`, `&`, `|` and their doubles.
    pub(crate) fn operator(&mut self) {
        let (first, second) = (self.byte(0), self.byte(1));
        if self.list().kind == Kind::Array || (self.list().raw.state == State::Test && first != b';') {
            self.end_word();
            self.at += 1;
            return;
        }
        if first == b'&' && second == b'>' {
            return self.redirect();
        }
        self.end_word();
        let double = first == second;
        self.at += 1 + usize::from(double);
        match (first, double) {
            (b'|', false) => {
                self.at += usize::from(second == b'&');
                if !self.list().in_pattern() {
                    self.end_stage();
                }
            }
            (b';', _) if double || second == b'&' => {
                let more = usize::from(self.byte(0) == b'&');
                self.at += more;
                self.end_pipeline(false);
                if let Some(block) = self.list().blocks.last_mut().filter(|block| block.closes == "esac") {
                    block.pattern = true;
                }
            }
            (b'&', false) => self.end_pipeline(true),
            (_, double) => {
                self.end_pipeline(false);
                self.list().conditional = double;
            }
        }
    }

    pub(crate) fn newline(&mut self) {
        self.end_word();
        self.at += 1;
        let list = self.list();
        if list.kind == Kind::Array || list.raw.state == State::Test || list.raw.state == State::CaseWord {
            return;
        }
        if list.raw.is_empty() && !list.pipeline.is_empty() && list.heredocs.is_empty() {
            return; // a pipeline goes on after `|`
        }
        if !list.raw.is_empty() || list.pipeline.is_empty() {
            self.end_pipeline(false);
        }
        self.read_heredocs();
    }

    /// `(` outside of quotes.
    pub(crate) fn open_paren(&mut self) {
        if self.list().in_pattern() || self.list().raw.state == State::Test || self.list().kind == Kind::Array
        {
            self.end_word();
            self.at += 1;
            return;
        }
        if let Some(word) = &self.list().word {
            let marked = word.marked.as_str();
            if split_assignment(marked).is_some_and(|(_, value)| value.is_empty()) && marked.ends_with('=') {
                self.at += 1;
                return self.open(Kind::Array);
            }
            let pattern = marked.ends_with([marks::STAR, marks::QUESTION, '+', '@', '!']);
            if !self.is_function() && pattern {
                self.push('(');
                self.at += 1;
                self.list().modes.push(Mode::Pattern { depth: 1 });
                return;
            }
        }
        if self.is_function() {
            return self.function();
        }
        self.end_word();
        if self.arithmetic() {
            return;
        }
        if !self.list().raw.is_empty() {
            self.end_pipeline(false);
        }
        let (start, function) = (self.at, self.list().function.take());
        self.at += 1;
        self.open(Kind::Subshell);
        self.list().raw.start = None;
        if let Some(name) = function {
            let via = Rc::clone(&self.list().context.via);
            self.list().context.via = self.reader.further(&via, Via::Function(name));
        }
        let last = self.lists.len() - 1;
        if let Some(around) = last.checked_sub(1).and_then(|at| self.lists.get_mut(at)) {
            around.raw.start.get_or_insert(start);
        }
    }

    /// Whether `name()` stands here.
    fn is_function(&mut self) -> bool {
        let empty = self.rest()[1..].trim_start_matches([' ', '\t']).starts_with(')');
        let list = self.list();
        let one = match (&list.word, list.raw.words.len()) {
            (Some(_), 0) => true,
            (None, 1) => list.raw.assignments.is_empty(),
            (None, 0) => list.function.is_some(),
            _ => false,
        };
        empty && one
    }

    /// `name()`: the next compound command is its body.
    fn function(&mut self) {
        let word = self.list().word.take();
        let raw = self.take_raw();
        let name = word.or(raw.words.into_iter().next()).map(|word| marks::word(&word.marked, &[]).text);
        let list = self.list();
        list.function = name.or(list.function.take());
        let rest = self.rest();
        let past = rest.find(')').map_or(rest.len(), |at| at + 1);
        self.at += past;
        let blank = self.rest().len() - self.rest().trim_start_matches([' ', '\t', '\n', '\r']).len();
        if self.rest()[blank..].starts_with('{') {
            self.at += blank;
            self.open_block("}", self.at);
            self.at += 1;
        }
    }

    /// `((…))` where a command starts, or after `for`.
    fn arithmetic(&mut self) -> bool {
        let raw = &self.list().raw;
        let fits = raw.is_empty() || raw.state == State::ForName;
        if !fits || self.byte(1) != b'(' {
            return false;
        }
        let Some(end) = self.arithmetic_end(self.at + 1) else { return false };
        self.list().raw.state = State::Plain;
        self.building();
        self.at += 2;
        self.list().modes.push(Mode::Arithmetic { end, from: 0, is_command: true });
        true
    }

    /// `)` outside of quotes.
    pub(crate) fn close_paren(&mut self) {
        self.end_word();
        let state = &self.list().raw.state;
        if *state == State::Test {
            self.at += 1;
            return;
        }
        if self.list().in_pattern() {
            self.at += 1;
            if let Some(block) = self.list().blocks.last_mut() {
                block.pattern = false;
            }
            return;
        }
        if self.lists.len() > 1 {
            self.at += 1;
            return self.close_list();
        }
        self.reader.malformed = true;
        self.end_pipeline(false);
        self.at += 1;
    }

    /// Opens `{`, `if`, `while`, `for` or `case`.
    fn open_block(&mut self, closes: &'static str, start: usize) {
        let first = self.reader.commands.len();
        let function = self.list().function.take();
        let (programs, foretold) = (self.staged(), self.foretold());
        let list = self.list();
        let (via, upstream) = (Rc::clone(&list.context.via), list.context.upstream.clone());
        let pipeline = std::mem::take(&mut list.pipeline);
        list.raw = Raw::default();
        let stdin = list.context.stdin.clone();
        if !pipeline.is_empty() {
            list.context.upstream.extend(programs);
            list.context.upstream.truncate(MOST_NEIGHBOURS);
            list.context.stdin = foretold;
        }
        list.foretold = Foretold::NotAsked;
        let output = std::mem::replace(&mut list.output, Printed::nothing());
        list.blocks.push(Block {
            closes,
            pattern: false,
            pipeline,
            via: Rc::clone(&via),
            upstream,
            first,
            start,
            function: function.clone(),
            locals: Vec::new(),
            output,
            stdin,
        });
        if let Some(name) = function {
            self.list().context.via = self.reader.further(&via, Via::Function(name));
        }
    }

    /// Closes the innermost block, if it is the one that this word closes.
    fn close_block(&mut self, word: &'static str) {
        if self.list().blocks.last().is_none_or(|block| block.closes != word) {
            self.reader.malformed = true;
            return;
        }
        self.end_pipeline(false);
        let told = self.reader.commands.len();
        let end = self.at;
        let list = self.list();
        // OK because there is a last block: it was looked at above.
        let Some(block) = list.blocks.pop() else { return };
        list.context.via = block.via;
        list.context.upstream = block.upstream;
        list.context.stdin = block.stdin;
        list.pipeline = block.pipeline;
        list.foretold = Foretold::NotAsked;
        let printed = std::mem::replace(&mut list.output, block.output);
        let printed = match block.function {
            Some(_) => Printed::nothing(),
            None if block.closes == "}" => printed,
            None => printed.perhaps(),
        };
        list.raw = Raw {
            compound: Some(block.first.min(told)..told),
            start: Some(block.start),
            end,
            printed,
            ..Raw::default()
        };
        self.reader.restore(block.locals);
        if let Some(name) = block.function {
            let body = self.text.get(block.start + 1..end).unwrap_or_default();
            let body = body.strip_suffix('}').unwrap_or(body);
            self.reader.note_function(name, body, block.first.min(told)..told);
        }
    }

    /// Ends a stage of a pipeline.
    fn end_stage(&mut self) {
        if self.list().raw.is_empty() {
            return;
        }
        let raw = self.take_raw();
        self.list().pipeline.push(raw);
        self.list().foretold = Foretold::NotAsked;
    }

    /// Ends a pipeline, and the command in it.
    pub(crate) fn end_pipeline(&mut self, background: bool) {
        self.end_word();
        if matches!(self.list().raw.state, State::ForValues(..)) {
            self.end_for();
        }
        let list = self.list();
        if let Some(lost) = list.raw.expected.take() {
            list.raw.redirects.push(lost);
        }
        list.raw.state = State::Plain;
        list.raw.conditional = list.conditional || !list.blocks.is_empty();
        list.conditional = false;
        self.end_stage();
        let list = self.list();
        if list.pipeline.is_empty() {
            return;
        }
        let pipeline = std::mem::take(&mut list.pipeline);
        list.foretold = Foretold::NotAsked;
        list.waiting.push((pipeline, background));
        if list.heredocs.is_empty() {
            self.flush();
        }
    }

    /// Tells the pipelines that are whole.
    pub(crate) fn flush(&mut self) {
        for (pipeline, background) in std::mem::take(&mut self.list().waiting) {
            self.tell(pipeline, background);
        }
    }

    /// `name=(…)` is read: its words are the values.
    pub(crate) fn close_array(&mut self, array: &mut List) {
        let word = self.list().word.take().unwrap_or_default();
        let name = word.marked.trim_end_matches(['+', '=']).to_owned();
        let keyed: Vec<_> = array.raw.words.iter().filter_map(|word| keyed(&name, word)).collect();
        let raw = &mut self.list().raw;
        raw.start.get_or_insert(word.start);
        if !keyed.is_empty() && keyed.len() == array.raw.words.len() {
            raw.assignments.push(Assignment::nothing(name));
            return raw.assignments.extend(keyed);
        }
        let words = array.raw.words.iter().flat_map(|word| marks::words(&word.marked, &word.output_of));
        let values: Vec<crate::Word> = words.collect();
        let is_home = |word: &crate::Word| word.is_home && !word.is_glob && !word.text.contains('$');
        let sure = values.iter().all(|word| word.is_static || is_home(word));
        let short = values.iter().map(|word| word.text.len()).sum::<usize>() <= LONGEST_VALUE;
        let is_known = sure && short;
        raw.assignments.push(Assignment {
            values: if is_known { values.into_iter().map(of_array).collect() } else { Vec::new() },
            adds: word.marked.ends_with("+="),
            ..Assignment { is_known, ..Assignment::nothing(name) }
        });
    }
}

/// A value of an array, marked.
fn of_array(word: crate::Word) -> String {
    match word.text.strip_prefix('~') {
        Some(rest) if word.is_home => format!("{}{rest}", marks::TILDE),
        _ => word.text,
    }
}

/// `[key]=value` in an array: its element.
fn keyed(name: &str, word: &Building) -> Option<Assignment> {
    let (key, value) = word.marked.strip_prefix(marks::BRACKET)?.split_once("]=")?;
    Some(Assignment {
        index: Some(marks::word(key, &[]).text),
        values: vec![value.to_owned()],
        of: word.output_of.clone(),
        ..Assignment::nothing(name.to_owned())
    })
}

/// What a marked word assigns, if it does.
fn assignment_of(marked: &str, of: &[String]) -> Option<Assignment> {
    let (name, value) = split_assignment(marked)?;
    let behind = &marked[name.len()..];
    let index = crate::expansion::index_len(behind);
    let index = index.map(|end| marks::word(&behind[..end], &[]).text[1..].to_owned());
    let adds = marked[..marked.len() - value.len()].ends_with("+=");
    Some(Assignment {
        name: name.to_owned(),
        index,
        values: vec![value.to_owned()],
        of: of.to_vec(),
        adds,
        ..Assignment::default()
    })
}

/// `name=value` and `name+=value`, marked.
pub(crate) fn split_assignment(marked: &str) -> Option<(&str, &str)> {
    let len = crate::expansion::name_len(marked);
    let name = &marked[..len];
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut rest = &marked[len..];
    if let Some(end) = crate::expansion::index_len(rest) {
        rest = &rest[end + 1..];
    }
    let value = rest.strip_prefix("+=").or(rest.strip_prefix('='))?;
    Some((name, value))
}

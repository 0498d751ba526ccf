//! The pass over one text: from left to right, each byte once, with a stack of lists instead of recursion.

use mentci_source::Span;

use crate::{
    Reason, Via,
    list::{Building, Kind, List, Mode, Raw},
    marks,
    printed::Printed,
    reader::{Context, Reader},
};

/// How many brackets may stand open in one text.
const MOST_LISTS: usize = 4096;

/// How many quotes and `${` may stand open inside one word.
const MOST_MODES: usize = 256;

/// A text being read. The last list is the one that grows.
pub(crate) struct Pass<'a> {
    pub(crate) reader: &'a mut Reader,
    pub(crate) text: &'a str,
    pub(crate) at: usize,
    pub(crate) lists: Vec<List>,
    /// How far the pass may still look ahead to find out what `((` is.
    pub(crate) ahead: usize,
    /// How many here-documents there were.
    pub(crate) heredocs: usize,
    over: bool,
}

impl<'a> Pass<'a> {
    pub(crate) fn new(reader: &'a mut Reader, text: &'a str, context: Context) -> Self {
        let first = reader.commands.len();
        let lists = vec![List::new(Kind::Text, context, first)];
        Self { reader, text, at: 0, lists, ahead: 2 * text.len() + 1024, heredocs: 0, over: false }
    }

    /// Reads all of it; gives what it prints, when that can be foretold.
    pub(crate) fn run(mut self) -> Printed {
        while self.at < self.text.len() && !self.over && !self.reader.is_over() {
            let before = self.at;
            self.next();
            self.reader.step(self.at.saturating_sub(before).max(1));
        }
        if self.reader.is_over() && self.at < self.text.len() {
            self.reader.stop(Reason::TooManyCommands);
        }
        self.close_all();
        std::mem::take(&mut self.list().output)
    }

    /// The list that grows. There is always one: the first is never taken away.
    pub(crate) fn list(&mut self) -> &mut List {
        let last = self.lists.len() - 1;
        &mut self.lists[last]
    }

    pub(crate) fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    pub(crate) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Reads one token of whatever is open.
    fn next(&mut self) {
        match self.list().modes.last_mut() {
            None => self.plain(),
            Some(Mode::Double) => self.double(),
            Some(Mode::Parameter { .. }) => self.parameter(),
            Some(Mode::Pattern { .. }) => self.pattern(),
            Some(&mut Mode::Arithmetic { end, .. }) => self.region(end, true),
            Some(&mut Mode::Heredoc { end, expands, .. }) => self.region(end, expands),
        }
    }

    fn plain(&mut self) {
        match self.byte(0) {
            b' ' | b'\t' | b'\r' => self.space(),
            b'\n' => self.newline(),
            b';' | b'&' | b'|' => self.operator(),
            b'<' | b'>' => self.angle(),
            b'(' => self.open_paren(),
            b')' => self.close_paren(),
            b'#' if self.list().word.is_none() => self.comment(),
            _ => self.in_word(),
        }
    }

    /// What may stand in a word outside of double quotes.
    fn in_word(&mut self) {
        match self.byte(0) {
            b'\'' => self.single(),
            b'"' => self.open_double(),
            b'\\' => self.escape(),
            b'$' => self.dollar(false),
            b'`' => self.backtick(false),
            byte @ (b'{' | b'}' | b',' | b'*' | b'?' | b'[' | b'~') => self.sign(byte),
            _ => self.run_of(b" \t\r\n;&|<>()'\"\\$`{},*?[~"),
        }
    }

    fn space(&mut self) {
        self.end_word();
        self.at += 1;
    }

    fn comment(&mut self) {
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
    }

    /// An unquoted sign of braces and patterns.
    fn sign(&mut self, byte: u8) {
        let starts =
            self.list().word.as_ref().is_none_or(|word| word.marked.is_empty() || word.marked.ends_with('='));
        let mark = match byte {
            b'{' => marks::OPEN,
            b'}' => marks::CLOSE,
            b',' => marks::COMMA,
            b'*' => marks::STAR,
            b'?' => marks::QUESTION,
            b'[' => marks::BRACKET,
            _ if starts => marks::TILDE,
            _ => '~',
        };
        self.push(mark);
        self.at += 1;
    }

    /// A run of bytes that mean themselves.
    pub(crate) fn run_of(&mut self, stops: &[u8]) {
        let bytes = &self.text.as_bytes()[self.at..];
        let len = bytes.iter().skip(1).position(|byte| stops.contains(byte)).map_or(bytes.len(), |at| at + 1);
        self.push_until(self.at + len);
    }

    /// Takes over the text up to `end`.
    pub(crate) fn push_until(&mut self, end: usize) {
        let text = self.text.get(self.at..end).unwrap_or_default();
        self.building().marked.push_str(text);
        self.at = end;
    }

    pub(crate) fn push(&mut self, c: char) {
        self.building().marked.push(c);
    }

    /// The word under construction; one starts when there is none.
    pub(crate) fn building(&mut self) -> &mut Building {
        let start = self.at;
        self.list().word.get_or_insert_with(|| Building { start, ..Building::default() })
    }

    /// `'…'`
    fn single(&mut self) {
        self.at += 1;
        let found = self.rest().find('\'');
        self.reader.malformed |= found.is_none();
        let end = self.at + found.unwrap_or(self.rest().len());
        self.quoted();
        self.push_until(end);
        self.at = (end + 1).min(self.text.len());
    }

    /// Notes that the word is quoted, and so is there even when it is empty.
    pub(crate) fn quoted(&mut self) {
        let word = self.building();
        word.quoted = true;
        if word.marked.is_empty() {
            word.marked.push(marks::NOTHING);
        }
    }

    pub(crate) fn open_double(&mut self) {
        self.bound_modes();
        self.quoted();
        self.at += 1;
        self.list().modes.push(Mode::Double);
    }

    /// Stops where more stands open inside a word than anybody writes.
    pub(crate) fn bound_modes(&mut self) {
        if self.list().modes.len() >= MOST_MODES {
            self.reader.stop(Reason::TooDeep);
            self.over = true;
        }
    }

    fn double(&mut self) {
        match self.byte(0) {
            b'"' => {
                self.list().modes.pop();
                self.at += 1;
            }
            b'\\' => self.escape_within(b"\"\\$`\n"),
            b'$' => self.dollar(true),
            b'`' => self.backtick(true),
            _ => self.run_of(b"\"\\$`"),
        }
    }

    /// `\x` outside of quotes: the character itself; a line goes on after `\` at its end.
    pub(crate) fn escape(&mut self) {
        let rest = &self.rest()[1..];
        if rest.starts_with('\n') || rest.starts_with("\r\n") {
            self.at += 2 + usize::from(rest.starts_with('\r'));
            return;
        }
        self.quoted();
        self.at += 1;
        let len = rest.chars().next().map_or(0, char::len_utf8);
        self.push_until(self.at + len);
    }

    /// `\x` inside quotes: only some characters are escaped.
    pub(crate) fn escape_within(&mut self, escaped: &[u8]) {
        let next = self.byte(1);
        if next == b'\n' && escaped.contains(&b'\n') {
            self.at += 2;
        } else if self.at + 1 < self.text.len() && escaped.contains(&next) {
            self.at += 1;
            self.push_until(self.at + 1);
        } else {
            self.push_until(self.at + 1);
        }
    }

    /// A part with a known end, in which only expansions count.
    fn region(&mut self, end: usize, expands: bool) {
        if self.at >= end {
            return self.close_region();
        }
        match self.byte(0) {
            b'$' if expands => self.dollar(true),
            b'`' if expands => self.backtick(true),
            b'\\' if expands => self.escape_within(b"\\$`\n"),
            _ => {
                let stops: &[u8] = if expands { b"\\$`" } else { b"" };
                let bytes = &self.text.as_bytes()[self.at..end];
                let len = bytes
                    .iter()
                    .skip(1)
                    .position(|byte| stops.contains(byte))
                    .map_or(bytes.len(), |at| at + 1);
                self.push_until(self.at + len);
            }
        }
    }

    /// `@(…)`: a pattern that is part of the word.
    fn pattern(&mut self) {
        match self.byte(0) {
            paren @ (b'(' | b')') => {
                if let Some(Mode::Pattern { depth }) = self.list().modes.last_mut() {
                    *depth = if paren == b'(' { *depth + 1 } else { *depth - 1 };
                    if *depth == 0 {
                        self.list().modes.pop();
                    }
                }
                self.push_until(self.at + 1);
            }
            b' ' | b'\t' | b'\n' | b'\r' | b';' | b'&' | b'|' | b'<' | b'>' | b'#' => {
                self.push_until(self.at + 1);
            }
            _ => self.in_word(),
        }
    }

    /// Opens a list inside this one.
    pub(crate) fn open(&mut self, kind: Kind) {
        if self.lists.len() >= MOST_LISTS {
            self.reader.stop(Reason::TooDeep);
            self.over = true;
            return;
        }
        let mut context = self.list().context.clone();
        if kind != Kind::Subshell && kind != Kind::Array {
            context.via = self.reader.further(&context.via, Via::Substitution);
            context.pipe = None;
            context.background = false;
            let is_fed = matches!(kind, Kind::Process | Kind::Drain);
            context.upstream = if is_fed { self.before() } else { Vec::new() };
        } else if !self.list().pipeline.is_empty() {
            context.upstream = self.before();
        }
        if kind == Kind::Drain {
            context.stdin = None;
        } else if !self.list().pipeline.is_empty() {
            context.stdin = self.foretold();
        }
        let first = self.reader.commands.len();
        self.lists.push(List::new(kind, context, first));
    }

    /// Closes what is still open at the end of the text.
    fn close_all(&mut self) {
        while self.lists.len() > 1 {
            self.reader.malformed = true;
            self.list().modes.clear();
            self.close_list();
        }
        let open = self.list().modes.iter().any(|mode| !matches!(mode, Mode::Heredoc { .. }));
        self.reader.malformed |= open;
        while let Some(mode) = self.list().modes.pop() {
            self.give_up(mode);
        }
        self.end_pipeline(false);
        self.read_heredocs();
        while matches!(self.list().modes.last(), Some(Mode::Heredoc { .. })) {
            self.close_region();
        }
        self.flush();
        self.reader.malformed |= !self.list().blocks.is_empty();
    }

    /// What a mode that is never closed leaves behind.
    fn give_up(&mut self, mode: Mode) {
        match mode {
            Mode::Parameter { aside, .. } => {
                let word = self.building();
                let inner = std::mem::replace(&mut word.marked, aside);
                word.marked.push(marks::UNSURE);
                word.marked.push_str(&inner);
            }
            heredoc @ Mode::Heredoc { .. } => {
                self.list().modes.push(heredoc);
                self.close_region();
            }
            _ => {}
        }
    }

    /// Ends the list that grows, and hands what it tells to the list around it.
    pub(crate) fn close_list(&mut self) {
        if self.list().kind != Kind::Array {
            self.end_pipeline(false);
        }
        self.read_heredocs();
        while matches!(self.list().modes.last(), Some(Mode::Heredoc { .. })) {
            self.close_region();
        }
        self.flush();
        if self.lists.len() < 2 {
            return;
        }
        // OK because there are at least two.
        let Some(mut list) = self.lists.pop() else { return };
        match list.kind {
            Kind::Text => {}
            Kind::Array => self.close_array(&mut list),
            Kind::Subshell => {
                let told = list.first..self.reader.commands.len();
                let is_body = list.context.via.len() > self.list().context.via.len();
                let at = self.at;
                let raw = &mut self.list().raw;
                raw.compound = Some(told);
                raw.printed = if is_body { Printed::nothing() } else { list.output };
                raw.end = at;
            }
            Kind::Substitution | Kind::Process | Kind::Drain => {
                let mut programs = self.reader.programs_since(list.first);
                programs.extend(self.reader.behind(list.first));
                if self.reader.hands_on(list.first) {
                    programs.extend(self.upstream());
                }
                if list.kind == Kind::Drain {
                    self.list().raw.drains = self.reader.shell_since(list.first);
                }
                let mut output = list.output;
                if let Some(text) = output.text().filter(|_| list.kind == Kind::Process) {
                    output.sure = Some(self.reader.fed(text.to_owned()));
                }
                self.output(output, &programs);
            }
        }
    }

    /// What a substitution leaves in the word: its output when it can be foretold.
    pub(crate) fn output(&mut self, output: Printed, programs: &[String]) {
        let splits = self.list().modes.is_empty();
        if let Some(output) = output.sure.filter(|output| !output.is_empty()) {
            let text = output.trim_end_matches('\n');
            self.reader.step(text.len());
            return self.value(text, splits);
        }
        let word = self.building();
        word.marked.push(marks::OUTPUT);
        word.likely = output.likely.or(word.likely.take());
        for program in programs {
            if word.output_of.len() < crate::reader::MOST_NEIGHBOURS && !word.output_of.contains(program) {
                word.output_of.push(program.clone());
            }
        }
    }

    /// Puts a value into the word; the shell splits it where it is not quoted.
    pub(crate) fn value(&mut self, text: &str, splits: bool) {
        let separated = if splits { self.reader.split(text) } else { String::new() };
        let word = self.building();
        if splits {
            word.marked.push_str(&separated);
        } else {
            word.marked.push_str(text);
        }
    }

    /// The programs that stand before the command that is being read, and its own.
    fn before(&mut self) -> Vec<String> {
        let mut programs = self.upstream();
        let own = self.list().raw.words.first();
        programs.extend(own.map(|word| crate::program::canonical(&marks::word(&word.marked, &[]).text)));
        programs.truncate(crate::reader::MOST_NEIGHBOURS);
        programs
    }

    /// The programs that stand before the command that is being read.
    fn upstream(&mut self) -> Vec<String> {
        let mut programs = self.list().context.upstream.clone();
        programs.extend(self.staged());
        programs.truncate(crate::reader::MOST_NEIGHBOURS);
        programs
    }

    /// The programs of the stages that wait for the rest of their pipeline.
    pub(crate) fn staged(&mut self) -> Vec<String> {
        let last = self.lists.len() - 1;
        let mut programs = Vec::new();
        for raw in self.lists[last].pipeline.iter().take(crate::reader::MOST_NEIGHBOURS) {
            match (&raw.compound, raw.words.first()) {
                (Some(told), _) => programs.extend(self.reader.programs_in(told.clone())),
                (None, Some(word)) => {
                    programs.push(crate::program::canonical(&marks::word(&word.marked, &[]).text));
                }
                (None, None) => {}
            }
        }
        programs
    }

    /// Starts a new command.
    pub(crate) fn take_raw(&mut self) -> Raw {
        std::mem::take(&mut self.list().raw)
    }

    /// The place of `start..end` in the whole text.
    pub(crate) fn span(&mut self, start: usize, end: usize) -> Span {
        self.list().context.span.unwrap_or_else(|| Span::new(start, end))
    }
}

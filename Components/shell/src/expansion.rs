//! `$name`, `${…}`, `$(…)`, `$((…))`, `` `…` `` and `$'…'`.

use std::rc::Rc;

use crate::{
    Via,
    list::{Kind, Mode},
    marks,
    pass::Pass,
    reader::{Context, MOST_NEIGHBOURS},
};

impl Pass<'_> {
    /// Something that starts with `$`; `quoted` inside double quotes.
    pub(crate) fn dollar(&mut self, quoted: bool) {
        let rest = &self.rest()[1..];
        match rest.bytes().next() {
            Some(b'(') if rest.starts_with(marks::OUTPUT_TEXT.trim_start_matches('$')) => {
                self.at += marks::OUTPUT_TEXT.len();
                self.push(marks::OUTPUT);
            }
            Some(b'(') => self.parenthesis(),
            Some(b'{') => self.braced(),
            Some(b'\'') if !quoted => self.ansi(),
            Some(b'"') if !quoted => {
                self.at += 1;
                self.open_double();
            }
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => {
                let len = name_len(rest);
                self.at += 1 + len;
                self.variable(&rest[..len], "", quoted);
            }
            Some(byte) if byte.is_ascii_digit() || b"@*#?$!-".contains(&byte) => {
                self.at += 2;
                self.variable(&rest[..1], "", quoted);
            }
            _ => {
                self.building();
                self.push_until(self.at + 1);
            }
        }
    }

    /// `$(…)` or `$((…))`.
    fn parenthesis(&mut self) {
        self.building();
        if self.byte(2) == b'('
            && let Some(end) = self.arithmetic_end(self.at + 2)
        {
            self.at += 3;
            self.push(marks::OUTPUT);
            let from = self.building().marked.len();
            self.list().modes.push(Mode::Arithmetic { end, from, is_command: false });
            return;
        }
        self.at += 2;
        self.open(Kind::Substitution);
    }

    /// Where the `))` stands that closes the arithmetic whose second `(` is at `at`; none when it is no arithmetic.
    /// Looking ahead is bounded for the whole text, so that this stays linear; past the bound, commands are read.
    pub(crate) fn arithmetic_end(&mut self, at: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut depth = 0_u32;
        for (offset, byte) in bytes.get(at..)?.iter().enumerate() {
            if self.ahead == 0 {
                return None;
            }
            self.ahead -= 1;
            match byte {
                b'(' => depth += 1,
                b')' if depth == 1 => {
                    return (bytes.get(at + offset + 1) == Some(&b')')).then_some(at + offset);
                }
                b')' => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// Leaves a part with a known end.
    pub(crate) fn close_region(&mut self) {
        match self.list().modes.pop() {
            Some(Mode::Arithmetic { end, from, is_command }) => {
                self.at = self.at.max(end + 2).min(self.text.len());
                self.building().marked.truncate(from);
                if is_command {
                    let (told, end) = (self.reader.commands.len(), self.at);
                    self.list().word = None;
                    self.list().raw.compound = Some(told..told);
                    self.list().raw.end = end;
                }
            }
            Some(Mode::Heredoc { next, .. }) => {
                self.at = self.at.max(next).min(self.text.len());
                self.close_heredoc();
            }
            _ => {}
        }
    }

    /// `${…}`
    fn braced(&mut self) {
        self.bound_modes();
        self.building();
        let rest = &self.rest()[2..];
        let sign = usize::from(rest.starts_with(['!', '#']) && !rest[1..].starts_with('}'));
        let mut len = sign + name_len(&rest[sign..]);
        if len == sign {
            len +=
                rest[sign..].chars().next().filter(|c| c.is_ascii() && *c != '}').map_or(0, char::len_utf8);
        }
        let name = rest[sign..len].to_owned();
        let mut after = &rest[len..];
        let index = index_len(after).map(|end| after[1..end].to_owned());
        if let Some(index) = &index {
            after = &after[index.len() + 2..];
        }
        self.at += 2 + (rest.len() - after.len());
        let index = index.map(|index| self.index(index));
        let quoted = matches!(self.list().modes.last(), Some(Mode::Double | Mode::Heredoc { .. }));
        if after.starts_with('}') {
            self.at += 1;
            let op = if sign > 0 { &rest[..1] } else { "" };
            let element = index.as_deref().filter(|_| op.is_empty());
            if let Some(index) = element
                && self.element(&name, index, quoted)
            {
                return;
            }
            if op == "!"
                && let Some(name) = self.reader.only_value(&name)
            {
                return self.variable(&name, "", quoted);
            }
            return self.variable(&name, op, quoted);
        }
        let op_len = after.bytes().take(2).take_while(|byte| b":-=+?#%/^,@".contains(byte)).count();
        let op = after[..op_len].to_owned();
        self.at += op_len;
        let aside = std::mem::take(&mut self.building().marked);
        self.list().modes.push(Mode::Parameter { name, index, op, aside });
    }

    /// What an index is, with what it substitutes run: `${x[$(rm y)]}`.
    fn index(&mut self, text: String) -> String {
        if text.contains("$(") || text.contains('`') {
            let at = self.at;
            let span = self.span(at, at);
            let (cwd, depth) = (self.list().context.cwd.clone(), self.list().context.depth + 1);
            let via = Rc::clone(&self.list().context.via);
            let via = self.reader.further(&via, Via::Substitution);
            let context = Context { via, cwd, depth, span: Some(span), ..Context::default() };
            self.reader.read(&format!(": \"{text}\""), context);
            return text;
        }
        let name = text.trim_start_matches('$').trim_matches(['{', '}', '"']);
        self.reader.only_value(name).unwrap_or_else(|| text.trim_matches('"').to_owned())
    }

    /// `${name[@]}`, of which each value is a word, and `${name[3]}`. False when the values are not known.
    fn element(&mut self, name: &str, index: &str, quoted: bool) -> bool {
        let each = index == "@" || (index == "*" && !quoted);
        let Some(values) = self.reader.elements(name, index).filter(|values| !values.is_empty()) else {
            return false;
        };
        let values = if each || quoted { values } else { self.reader.split_all(&values) };
        let between = if each { marks::SPLIT.to_string() } else { self.reader.between() };
        let joined = values.join(&between);
        self.reader.step(joined.len());
        self.building().marked.push_str(&joined);
        true
    }

    /// Inside `${name op …`.
    pub(crate) fn parameter(&mut self) {
        match self.byte(0) {
            b'}' => {
                self.at += 1;
                self.close_parameter();
            }
            b'\'' if !self.is_quoted_outside() => {
                let end = self.rest()[1..].find('\'').map_or(self.text.len(), |at| self.at + 1 + at);
                self.at += 1;
                self.push_until(end);
                self.at = (end + 1).min(self.text.len());
            }
            b'"' => self.open_double(),
            b'\\' => self.escape(),
            b'$' => self.dollar(true),
            b'`' => self.backtick(true),
            _ => self.run_of(b"}'\"\\$`"),
        }
    }

    fn is_quoted_outside(&mut self) -> bool {
        self.list().modes.iter().any(|mode| matches!(mode, Mode::Double | Mode::Heredoc { .. }))
    }

    fn close_parameter(&mut self) {
        let Some(Mode::Parameter { name, index, op, aside }) = self.list().modes.pop() else { return };
        let quoted = self.is_quoted_outside();
        let inner = std::mem::replace(&mut self.building().marked, aside);
        let known = self
            .reader
            .variables
            .get(&name)
            .filter(|values| values.len() == 1)
            .map(|values| values[0].clone());
        let is_empty = known.as_ref().is_some_and(String::is_empty);
        let known = known.filter(|_| !(is_empty && op.contains(['-', '='])));
        match (op.as_str(), known) {
            (_, None) if name == "IFS" => self.value(" ", !quoted),
            (":-" | "-" | ":=" | "=" | ":?" | "?", Some(_)) => self.variable(&name, "", quoted),
            (":-" | "-" | ":=" | "=", None) => {
                self.push(marks::UNSURE);
                self.insert(&inner, !quoted);
            }
            (":+" | "+", known) => {
                if known.is_none() {
                    self.push(marks::UNSURE);
                }
                self.insert(&inner, !quoted);
            }
            (":", _) if self.reader.is_list(&name, index.as_deref()) => self.part(&name, &inner),
            _ if self.transformed(&name, index.as_deref(), &op, &inner, quoted) => {}
            (":", Some(_)) => self.push(marks::OUTPUT),
            _ => {
                let shown = format!("{{{name}{op}...}}");
                self.push(marks::DOLLAR);
                self.building().marked.push_str(&shown);
            }
        }
    }

    /// `${name[@]:offset:length}` and `${@:offset}`: some of the values.
    fn part(&mut self, name: &str, inner: &str) {
        let mut values = self.reader.elements(name, "@").unwrap_or_default();
        if name == "@" {
            // Counted from 1: before the first stands the name of the shell.
            values.insert(0, self.reader.only_value("0").unwrap_or_default());
        }
        match crate::parameter::range(values.len(), &marks::word(inner, &[]).text) {
            Some((from, to)) => {
                let joined = values[from..to].join(&marks::SPLIT.to_string());
                self.reader.step(joined.len());
                self.building().marked.push_str(&joined);
            }
            None => self.push(marks::OUTPUT),
        }
    }

    /// `${name,,}`, `${name#x}`, `${name/x/y}`: what becomes of values that are known. False where that is not known.
    fn transformed(&mut self, name: &str, index: Option<&str>, op: &str, inner: &str, quoted: bool) -> bool {
        let values = match index {
            Some(index) => self.reader.elements(name, index),
            None => self.reader.variables.get(name).cloned(),
        };
        let Some(values) = values.filter(|values| !values.is_empty()) else { return false };
        let is_open = |text: &str| text.contains([marks::DOLLAR, marks::OUTPUT]);
        if is_open(inner) || values.iter().any(|value| is_open(value)) {
            return false;
        }
        let Some(values) = crate::parameter::applied(&values, op, &marks::word(inner, &[]).text) else {
            return false;
        };
        if self.reader.changed.contains(name) {
            self.push(marks::CHANGED);
        }
        let joined = join(&values, !quoted, &self.reader.separators(), &self.reader.between());
        self.reader.step(joined.len());
        self.building().marked.push_str(&joined);
        true
    }

    /// Puts marked text into the word; spaces split it when it is not quoted.
    fn insert(&mut self, marked: &str, splits: bool) {
        self.reader.step(marked.len());
        self.value(marked, splits);
    }

    /// `$name`: its value when it is known, else the name.
    fn variable(&mut self, name: &str, op: &str, quoted: bool) {
        let splits = !quoted && self.list().modes.is_empty();
        self.building();
        let meant = self.reader.meant(name);
        let name = meant.as_str();
        if name == "IFS" && op.is_empty() && !self.reader.variables.contains_key(name) {
            return self.value(" ", splits);
        }
        let word = self.lists.last_mut().and_then(|list| list.word.as_mut());
        let Some(word) = word else { return };
        // `$@` in the middle of a word, and `$9` after `$IFS`, are there to hide it: they are empty.
        let hides = !quoted && !word.marked.is_empty() && matches!(name, "@" | "*");
        if hides || (word.marked.ends_with(marks::SPLIT) && name.starts_with(|c: char| c.is_ascii_digit())) {
            return word.marked.push(marks::UNSURE);
        }
        // Where it is split by what nobody knows, its words are a guess.
        let split_by_unknown = splits && self.reader.is_unknown("IFS");
        if op.is_empty() && (self.reader.changed.contains(name) || split_by_unknown) {
            word.marked.push(marks::CHANGED);
        }
        if let Some(programs) = self.reader.output_in.get(name) {
            word.output_of.extend_from_slice(programs);
            word.output_of.truncate(MOST_NEIGHBOURS);
        }
        let list = if name == "*" { "@" } else { name };
        if let Some(values) =
            self.reader.variables.get(list).filter(|values| !values.is_empty() && op.is_empty())
        {
            let joined = if name == "@" || (name == "*" && splits) {
                let values = if splits { self.reader.split_all(values) } else { values.clone() };
                values.join(&marks::SPLIT.to_string())
            } else if name == "*" {
                values.join(&self.reader.between())
            } else {
                join(values, splits, &self.reader.separators(), &self.reader.between())
            };
            self.reader.step(joined.len());
            let likely =
                joined.contains(marks::OUTPUT).then(|| self.reader.likely_in.get(&format!("${name}")));
            let likely = likely.flatten().cloned();
            let word = self.building();
            word.likely = likely.or(word.likely.take());
            word.marked.push_str(&joined);
            if word.marked.is_empty() && quoted {
                word.marked.push(marks::NOTHING);
            }
            return;
        }
        let braces =
            !op.is_empty() || self.rest().starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let shown = if braces { format!("{{{op}{name}}}") } else { name.to_owned() };
        self.push(marks::DOLLAR);
        self.building().marked.push_str(&shown);
    }

    /// `` `…` ``
    pub(crate) fn backtick(&mut self, quoted: bool) {
        self.building();
        let start = self.at;
        let rest = &self.rest()[1..];
        let mut inner = String::new();
        let mut chars = rest.char_indices();
        let mut end = rest.len();
        while let Some((at, c)) = chars.next() {
            match c {
                '`' => {
                    end = at;
                    break;
                }
                '\\' => match chars.next() {
                    Some((_, next)) if "`\\$".contains(next) || (quoted && next == '"') => inner.push(next),
                    Some((_, next)) => inner.extend(['\\', next]),
                    None => inner.push('\\'),
                },
                c => inner.push(c),
            }
        }
        self.reader.malformed |= end == rest.len();
        self.at = (start + end + 2).min(self.text.len());
        let span = self.span(start, self.at);
        let around = &self.list().context;
        let (via, cwd, depth) = (around.via.clone(), around.cwd.clone(), around.depth + 1);
        let via = self.reader.further(&via, Via::Substitution);
        let context = Context { via, cwd, depth, span: Some(span), ..Context::default() };
        let told = self.reader.read(&inner, context);
        self.output(told.output, &told.programs);
    }

    /// `$'…'`, whose escapes are those of C.
    fn ansi(&mut self) {
        self.quoted();
        self.at += 2;
        let rest = self.rest();
        let mut chars = rest.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            match c {
                '\'' => {
                    self.at += at + 1;
                    return;
                }
                '\\' => {
                    let Some((_, escape)) = chars.next() else { break };
                    let (radix, most) = match escape {
                        'x' => (16, 2),
                        'u' => (16, 4),
                        'U' => (16, 8),
                        '0'..='7' => (8, 2),
                        _ => (0, 0),
                    };
                    let mut number = if radix == 8 { escape.to_digit(8) } else { None };
                    for _ in 0..most {
                        let Some(digit) = chars.peek().and_then(|(_, c)| c.to_digit(radix)) else { break };
                        number = Some(number.unwrap_or(0).wrapping_mul(radix).wrapping_add(digit));
                        chars.next();
                    }
                    self.push(number.and_then(char::from_u32).unwrap_or_else(|| control(escape)));
                }
                c => self.push(c),
            }
        }
        self.reader.malformed = true;
        self.at = self.text.len();
    }
}

/// Where the `]` of an index at the start stands.
pub(crate) fn index_len(text: &str) -> Option<usize> {
    text.bytes().take(128).position(|byte| byte == b']').filter(|_| text.starts_with(['[', marks::BRACKET]))
}

/// How long the name at the start is.
pub(crate) fn name_len(text: &str) -> usize {
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return text.bytes().take_while(u8::is_ascii_digit).count();
    }
    text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count()
}

fn control(escape: char) -> char {
    match escape {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'a' => '\u{7}',
        'b' => '\u{8}',
        'e' | 'E' => '\u{1b}',
        'f' => '\u{c}',
        'v' => '\u{b}',
        c => c,
    }
}

/// Several values as the words that they are, or one value as the shell splits it. Values without spaces are one word
/// each with what stands around them: `$d/x`.
fn join(values: &[String], splits: bool, separators: &str, between: &str) -> String {
    let separates = |c: char| c == ' ' || c == '\t' || c == '\n' || separators.contains(marks::plain(c));
    let spaces =
        |value: &String| value.contains(separates) || value.contains(marks::SPLIT) || value.is_empty();
    if values.len() > 1 && !values.iter().any(spaces) {
        return format!("{}{}{}", marks::ONE, values.join(&marks::OR.to_string()), marks::END);
    }
    let split = marks::SPLIT.to_string();
    let joined = values.join(if splits { &split } else { between });
    if splits { joined.replace(separates, &split) } else { joined }
}

//! From text to forms: one pass, an explicit stack, never deeper than [`MAX_DEPTH`].

use mentci_source::{Code, Finding, Reading, Source, Span};

use super::frame::{Frame, Opener};
use super::token::{Fault, atom, escape, is_blank, is_delimiter, shortened, symbol, symbolic};
use super::{Map, Node, Set, Value};

/// How deep collections, tags and discards may nest.
pub const MAX_DEPTH: usize = 128;

/// After so many findings the rest of the text is not EDN either, and reading stops.
const MAX_FINDINGS: usize = 64;

/// One file's forms, and what stands between them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Document {
    /// The top-level forms, in order.
    pub forms: Vec<Node>,
    /// The comments, each from `;` to the end of its line, in order.
    pub comments: Vec<Span>,
    /// What `#_` discards, each from `#_` to the end of the discarded form, in order; one may lie in another.
    pub discarded: Vec<Span>,
}

/// Reads every top-level form of `source`, in time linear in its length.
///
/// Never fails. What cannot be read is a finding and is left out; a map that this would tear is left out whole, so
/// that no entry is ever half read. A bracket that is never closed ends with the text.
///
/// Findings: `E0501` where it does not parse, `E0502` at the first bracket that is nested too deep (reading ends
/// there), `E0510` where a map has a key or a set an item twice.
///
/// ```
/// use mentci_reader::edn;
/// use mentci_source::Source;
///
/// let reading = edn::read(&Source::new("a.edn", "[{:id \"x\"} ; one\n {:id }]"));
/// assert_eq!(reading.value.forms[0].to_string(), "[{:id \"x\"}]");
/// assert_eq!(reading.value.comments.len(), 1);
/// assert_eq!(reading.findings[0].message, "the key `:id` has no value");
/// ```
pub fn read(source: &Source) -> Reading<Document> {
    let mut reader = Reader {
        source,
        text: source.text(),
        at: 0,
        stack: Vec::new(),
        document: Document::default(),
        findings: Vec::new(),
    };
    while reader.findings.len() < MAX_FINDINGS && reader.step() {}
    if reader.at < reader.text.len() {
        reader.stack.clear();
    }
    reader.finish()
}

struct Reader<'a> {
    source: &'a Source,
    text: &'a str,
    at: usize,
    stack: Vec<Frame>,
    document: Document,
    findings: Vec<Finding>,
}

impl Reader<'_> {
    /// Reads one token; false at the end of the text.
    fn step(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let Some(c) = rest.chars().next() else { return false };
        match c {
            _ if is_blank(c) => self.at += c.len_utf8(),
            ';' => self.comment(),
            '(' => self.open(Opener::List, 1),
            '[' => self.open(Opener::Vector, 1),
            '{' => self.open(Opener::Map, 1),
            ')' | ']' | '}' => self.close(c),
            '"' => self.string(),
            '#' => self.dispatch(),
            _ => self.atom(),
        }
        true
    }

    fn comment(&mut self) {
        let rest = &self.text[self.at..];
        let line = rest.find('\n').map_or(rest, |end| &rest[..end]);
        let end = self.at + line.trim_end_matches('\r').len();
        self.document.comments.push(Span::new(self.at, end));
        self.at += line.len();
    }

    fn open(&mut self, opener: Opener, length: usize) {
        let start = self.at;
        self.at += length;
        if self.stack.len() < MAX_DEPTH {
            self.stack.push(Frame { opener, start, items: Vec::new(), torn: false });
            return;
        }
        let finding =
            Finding::new(Code::EDN_TOO_DEEP, format!("this is nested deeper than {MAX_DEPTH} levels"))
                .help("flatten it; nothing after this place was read")
                .at(self.source, Span::new(start, self.at));
        self.findings.push(finding);
        self.stack.clear();
        self.at = self.text.len();
    }

    fn dispatch(&mut self) {
        let rest = &self.text[self.at + 1..];
        match rest.chars().next() {
            Some('{') => self.open(Opener::Set, 2),
            Some('_') => self.open(Opener::Discard, 2),
            Some('#') => {
                let end = self.token_end(self.at + 2);
                let value = symbolic(&self.text[self.at + 2..end]);
                self.place_token(value, end);
            }
            Some(c) if !is_delimiter(c) => self.tag(),
            _ => {
                let help = "only `#{…}`, `#_form` and `#tag form` start with `#`";
                self.place_token(Err(Fault { message: "this `#` is not EDN".to_owned(), help }), self.at + 1);
            }
        }
    }

    fn tag(&mut self) {
        let end = self.token_end(self.at + 1);
        match symbol(&self.text[self.at + 1..end]) {
            Ok(name) => self.open(Opener::Tag(name), end - self.at),
            Err(fault) => self.place_token(Err(fault), end),
        }
    }

    fn atom(&mut self) {
        let end = self.token_end(self.at);
        let value = atom(&self.text[self.at..end]);
        self.place_token(value, end);
    }

    /// Where the token that starts at `start` ends. A backslash takes the next character, whatever it is.
    fn token_end(&self, start: usize) -> usize {
        let rest = &self.text[start..];
        let mut skip = 0;
        if let Some(after) = rest.strip_prefix('\\') {
            skip = 1 + after.chars().next().map_or(0, char::len_utf8);
        }
        rest[skip..].find(is_delimiter).map_or(self.text.len(), |end| start + skip + end)
    }

    fn string(&mut self) {
        let start = self.at;
        let mut text = String::new();
        let mut torn = false;
        self.at += 1;
        loop {
            let rest = &self.text[self.at..];
            let Some(plain) = rest.find(['"', '\\']) else { return self.unclosed_string(start) };
            text.push_str(&rest[..plain]);
            self.at += plain + 1;
            if rest[plain..].starts_with('"') {
                break;
            }
            if let Some((c, length)) = escape(&rest[plain + 1..]) {
                text.push(c);
                self.at += length;
            } else {
                torn = true;
                self.bad_escape();
            }
        }
        let node = Node { value: Value::String(text), span: Span::new(start, self.at) };
        self.place((!torn).then_some(node), self.at);
    }

    /// Reports the escape whose backslash stands before `at`, and steps over one character.
    fn bad_escape(&mut self) {
        let next = self.text[self.at..].chars().next();
        let end = self.at + next.map_or(0, char::len_utf8);
        let words = self.text[self.at - 1..end].to_owned();
        self.fault(
            format!("`{words}` is not an escape"),
            "write a backslash as `\\\\`; the escapes are `\\\"`, `\\\\`, `\\n`, `\\r`, `\\t` and `\\u` with four digits",
            Span::new(self.at - 1, end),
        );
        self.at = end;
    }

    fn unclosed_string(&mut self, start: usize) {
        self.at = self.text.len();
        self.fault(
            "this string is never closed",
            "put a `\"` behind its last word",
            Span::new(start, start + 1),
        );
        self.place(None, self.at);
    }

    /// Takes the token up to `end`: its value, or its fault as a finding.
    fn place_token(&mut self, value: Result<Value, Fault>, end: usize) {
        let span = Span::new(self.at, end);
        self.at = end;
        let node = match value {
            Ok(value) => Some(Node { value, span }),
            Err(fault) => {
                self.fault(fault.message, fault.help, span);
                None
            }
        };
        self.place(node, end);
    }

    /// Hands a complete form, or the hole where one should be, to what it stands in.
    fn place(&mut self, mut node: Option<Node>, end: usize) {
        while let Some(frame) = self.stack.pop_if(|frame| frame.opener.closer().is_none()) {
            match frame.opener {
                Opener::Tag(tag) => {
                    let span = Span::new(frame.start, end);
                    node = node.map(|inner| Node { value: Value::Tagged(tag, Box::new(inner)), span });
                }
                _ => return self.document.discarded.push(Span::new(frame.start, end)),
            }
        }
        match (self.stack.last_mut(), node) {
            (Some(frame), Some(node)) => frame.items.push(node),
            (Some(frame), None) => frame.torn = true,
            (None, Some(node)) => self.document.forms.push(node),
            (None, None) => {}
        }
    }

    fn close(&mut self, bracket: char) {
        let (start, end) = (self.at, self.at + 1);
        self.drop_dangling(start);
        self.at = end;
        let Some(top) = self.stack.last() else {
            let words = format!("`{bracket}` closes nothing");
            return self.fault(words, "take it out, or open its bracket before it", Span::new(start, end));
        };
        if top.opener.closer() != Some(bracket) && !self.close_unclosed(bracket, start) {
            return self.close_wrongly(bracket, start);
        }
        if let Some(frame) = self.stack.pop() {
            let node = self.complete(frame, end, true);
            self.place(node, end);
        }
    }

    /// Ends what is unclosed inside the opener that `bracket` closes; false when there is no such opener.
    fn close_unclosed(&mut self, bracket: char, at: usize) -> bool {
        let opener = self.stack.iter().rposition(|frame| frame.opener.closer() == Some(bracket));
        let Some(opener) = opener else { return false };
        while self.stack.len() > opener + 1 {
            self.end_unclosed(at);
        }
        true
    }

    /// A bracket of the wrong kind ends the innermost collection.
    fn close_wrongly(&mut self, bracket: char, at: usize) {
        let Some(frame) = self.stack.pop() else { return };
        let (open, close) = (frame.opener.text(), frame.opener.closer().unwrap_or(bracket));
        let place = self.source.place(frame.start);
        let finding = Finding::new(Code::EDN_SYNTAX, format!("`{bracket}` does not close `{open}`"))
            .help(format!("the `{open}` opened at {}:{}; close it with `{close}`", place.line, place.column))
            .at(self.source, Span::new(at, at + 1));
        self.findings.push(finding);
        let node = self.complete(frame, at + 1, false);
        self.place(node, at + 1);
    }

    /// Takes tags and discards that no form follows off the stack.
    fn drop_dangling(&mut self, at: usize) {
        while let Some(frame) = self.stack.pop_if(|frame| frame.opener.closer().is_none()) {
            let words = frame.opener.text();
            let span = Span::new(frame.start, frame.start + 1);
            self.fault(format!("no form follows `{words}`"), "write one, or take it out", span);
            if matches!(frame.opener, Opener::Tag(_)) {
                self.place(None, at);
            }
        }
    }

    /// Ends the innermost frame, which is never closed, at `end`.
    fn end_unclosed(&mut self, end: usize) {
        self.drop_dangling(end);
        let Some(frame) = self.stack.pop() else { return };
        let (open, close) = (frame.opener.text(), frame.opener.closer().unwrap_or_default());
        let (opened, ended) = (self.source.place(frame.start), self.source.place(end));
        let finding = Finding::new(Code::EDN_SYNTAX, format!("`{open}` is never closed"))
            .help(format!(
                "it opened at {}:{}; put a `{close}` before {}:{}",
                opened.line, opened.column, ended.line, ended.column
            ))
            .at(self.source, Span::new(frame.start, frame.start + open.len()));
        self.findings.push(finding);
        let node = self.complete(frame, end, false);
        self.place(node, end);
    }

    /// The collection of a frame; none for a map that is torn or never closed.
    fn complete(&mut self, frame: Frame, end: usize, closed: bool) -> Option<Node> {
        let span = Span::new(frame.start, end);
        let value = match frame.opener {
            Opener::List => Value::List(frame.items),
            Opener::Vector => Value::Vector(frame.items),
            Opener::Set => Value::Set(self.set(frame.items)),
            _ if frame.torn || !closed => return None,
            _ => Value::Map(self.map(frame.items)?),
        };
        Some(Node { value, span })
    }

    fn set(&mut self, items: Vec<Node>) -> Set {
        let set = Set::new(items);
        let twice = set.duplicates();
        self.report_duplicates("item", &twice);
        set
    }

    /// The map of keys and values in turn; none when the last key has no value.
    fn map(&mut self, items: Vec<Node>) -> Option<Map> {
        let mut entries = Vec::with_capacity(items.len() / 2);
        let mut items = items.into_iter();
        while let Some(key) = items.next() {
            let Some(value) = items.next() else {
                let words = format!("the key `{}` has no value", shortened(self.source.slice(key.span)));
                self.fault(words, "a map holds keys and values in turn", key.span);
                return None;
            };
            entries.push((key, value));
        }
        let map = Map::new(entries);
        let twice = map.duplicates();
        self.report_duplicates("key", &twice);
        Some(map)
    }

    fn report_duplicates(&mut self, what: &str, twice: &[(&Node, &Node)]) {
        for (first, further) in twice.iter().take(MAX_FINDINGS) {
            let words = shortened(self.source.slice(further.span));
            let place = self.source.place(first.span.start as usize);
            let finding =
                Finding::new(Code::EDN_DUPLICATE, format!("the {what} `{words}` stands here again"))
                    .help(format!("it stands first at {}:{}; take one out", place.line, place.column))
                    .at(self.source, further.span);
            self.findings.push(finding);
        }
    }

    fn fault(&mut self, message: impl Into<String>, help: &str, span: Span) {
        self.findings.push(Finding::new(Code::EDN_SYNTAX, message).help(help).at(self.source, span));
    }

    fn finish(mut self) -> Reading<Document> {
        self.drop_dangling(self.at);
        while !self.stack.is_empty() {
            self.end_unclosed(self.at);
        }
        self.document.discarded.sort_unstable();
        self.findings.sort_by_key(|finding| finding.span);
        Reading { value: self.document, findings: self.findings }
    }
}

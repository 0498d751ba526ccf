//! `<`, `>` and here-documents.

use crate::{
    Operation, Reason,
    list::{Building, Heredoc, Kind, Mode, RawRedirect, State},
    marks,
    pass::Pass,
};

/// The signs, longest first.
const SIGNS: &[(&str, Operation)] = &[
    ("<<<", Operation::Here),
    ("<<-", Operation::Here),
    ("<<", Operation::Here),
    ("<&", Operation::Duplicate),
    ("<>", Operation::Write),
    ("<", Operation::Read),
    (">>", Operation::Append),
    (">|", Operation::Write),
    (">&", Operation::Duplicate),
    (">", Operation::Write),
    ("&>>", Operation::Append),
    ("&>", Operation::Write),
];

/// How many here-documents may wait for their lines.
const MOST_HEREDOCS: usize = 64;

impl Pass<'_> {
    /// `<…` or `>…` outside of quotes.
    pub(crate) fn angle(&mut self) {
        if self.list().raw.state == State::Test || self.list().kind == Kind::Array {
            self.end_word();
            self.at += 1;
        } else if self.byte(1) == b'(' {
            let kind = if self.byte(0) == b'<' { Kind::Process } else { Kind::Drain };
            self.building();
            self.at += 2;
            self.open(kind);
        } else {
            self.redirect();
        }
    }

    /// The sign of a redirect; its target is the next word.
    pub(crate) fn redirect(&mut self) {
        let rest = self.rest();
        let Some((sign, op)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) else { return };
        let fd = self.descriptor();
        self.end_word();
        let at = self.at;
        let raw = &mut self.list().raw;
        raw.start.get_or_insert(at);
        let heredoc = matches!(*sign, "<<" | "<<-").then_some(*sign == "<<-");
        let expected = RawRedirect {
            op: *op,
            fd,
            marked: String::new(),
            output_of: Vec::new(),
            likely: None,
            heredoc,
            waits: None,
        };
        if let Some(lost) = raw.expected.replace(expected) {
            raw.redirects.push(lost);
        }
        self.at += sign.len();
    }

    /// The number written right before a redirect, which is no word.
    fn descriptor(&mut self) -> Option<u32> {
        let word = self.list().word.as_ref().filter(|word| !word.quoted)?;
        let fd = word.marked.parse().ok()?;
        self.list().word = None;
        Some(fd)
    }

    /// Gives the redirect that waits for a word its target.
    pub(crate) fn end_redirect(&mut self, mut redirect: RawRedirect, word: Building) {
        let Building { marked, quoted, output_of, likely, .. } = word;
        let target = marks::word(&marked, &[]);
        if redirect.op == Operation::Duplicate
            && !(target.text == "-" || target.text.trim_end_matches('-').parse::<u32>().is_ok())
        {
            redirect.op = Operation::Write;
        }
        if let Some(tabs) = redirect.heredoc {
            self.heredocs += 1;
            redirect.waits = Some(self.heredocs);
            let heredoc = Heredoc { delimiter: target.text, expands: !quoted, tabs, id: self.heredocs };
            if self.list().heredocs.len() < MOST_HEREDOCS {
                self.list().heredocs.push(heredoc);
            } else {
                self.reader.stop(Reason::TooManyCommands);
            }
        } else {
            redirect.marked = marked;
            redirect.output_of = output_of;
            redirect.likely = likely;
        }
        self.list().raw.redirects.push(redirect);
    }

    /// Starts reading the first here-document that waits, if one does: `at` stands at the start of its lines.
    pub(crate) fn read_heredocs(&mut self) {
        let Some(heredoc) = self.list().heredocs.first() else { return };
        let (delimiter, tabs, expands) = (heredoc.delimiter.clone(), heredoc.tabs, heredoc.expands);
        let rest = self.rest();
        let mut end = 0;
        let mut next = None;
        for line in rest.split_inclusive('\n') {
            let bare = line.trim_end_matches(['\n', '\r']);
            let bare = if tabs { bare.trim_start_matches('\t') } else { bare };
            if bare == delimiter {
                next = Some(end + line.len());
                break;
            }
            end += line.len();
        }
        self.reader.step(end);
        self.reader.malformed |= next.is_none();
        let (end, next) = (self.at + end, self.at + next.unwrap_or(rest.len()));
        self.building();
        self.list().modes.push(Mode::Heredoc { end, next, expands });
    }

    /// Hands the body that was read to the redirect that waits for it, and goes on with the next one.
    pub(crate) fn close_heredoc(&mut self) {
        let word = self.list().word.take().unwrap_or_default();
        let list = self.list();
        if list.heredocs.is_empty() {
            return;
        }
        let heredoc = list.heredocs.remove(0);
        let waiting = list.waiting.iter_mut().flat_map(|(raws, _)| raws.iter_mut());
        let blocks = list.blocks.iter_mut().flat_map(|block| block.pipeline.iter_mut());
        let raws = waiting.chain(blocks).chain(list.pipeline.iter_mut()).chain([&mut list.raw]);
        let mut redirects = raws.flat_map(|raw| raw.redirects.iter_mut());
        if let Some(redirect) = redirects.find(|redirect| redirect.waits == Some(heredoc.id)) {
            redirect.marked = word.marked;
            redirect.output_of = word.output_of;
            redirect.likely = word.likely;
            redirect.waits = None;
        }
        drop(redirects);
        if self.list().heredocs.is_empty() { self.flush() } else { self.read_heredocs() }
    }
}

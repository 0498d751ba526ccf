//! The parser's hands: looking at tokens, taking them, saying what was expected, going on after a fault.

use mentci_source::{Code, Finding, Source, Span};

use super::lexer::{Token, TokenKind, Tokens, lex};
use super::{Docs, Literal, Schema, Subject};

/// How deep braces, brackets and parentheses may nest.
pub const MAX_DEPTH: usize = 64;

/// After so many findings the rest of the text is not a schema either, and reading stops.
pub(super) const MAX_FINDINGS: usize = 64;

/// The words that start a declaration.
const KEYWORDS: [&str; 6] = ["struct", "enum", "interface", "using", "const", "annotation"];

/// What a step gives: a part, or the finding that says why it is not there.
pub(super) type Step<T> = Result<T, Finding>;

/// The tokens and where we are among them.
pub(super) struct Parser<'a> {
    pub(super) source: &'a Source,
    pub(super) tokens: Vec<Token>,
    pub(super) comments: Vec<Span>,
    /// What each token and each comment belongs to; none while unknown. A type is known by its first byte until the
    /// whole file is read.
    pub(super) token_subjects: Vec<Option<Subject>>,
    pub(super) comment_subjects: Vec<Option<Subject>>,
    pub(super) at: usize,
    pub(super) depth: usize,
    pub(super) schema: Schema,
    pub(super) findings: Vec<Finding>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(source: &'a Source) -> Self {
        let Tokens { tokens, comments } = lex(source.text());
        Self {
            source,
            token_subjects: vec![None; tokens.len()],
            comment_subjects: vec![None; comments.len()],
            tokens,
            comments,
            at: 0,
            depth: 0,
            schema: Schema::default(),
            findings: Vec::new(),
        }
    }

    /// The text of the token `ahead` of the next one; empty at the end.
    pub(super) fn ahead(&self, ahead: usize) -> &'a str {
        self.tokens.get(self.at + ahead).map_or("", |token| self.source.slice(token.span))
    }

    /// The text of the next token; empty at the end.
    pub(super) fn next(&self) -> &'a str {
        self.ahead(0)
    }

    /// The kind of the token `ahead` of the next one.
    pub(super) fn kind(&self, ahead: usize) -> Option<TokenKind> {
        self.tokens.get(self.at + ahead).map(|token| token.kind)
    }

    /// The bytes of the next token; the end of the text behind the last one.
    pub(super) fn here(&self) -> Span {
        let end = Span::at(self.source.text().trim_end().len());
        self.tokens.get(self.at).map_or(end, |token| token.span)
    }

    /// From the first byte of token `start` to the last one taken.
    pub(super) fn since(&self, start: usize) -> Span {
        let first = self.tokens.get(start).map_or_else(|| self.here(), |token| token.span);
        let last = self.at.checked_sub(1).and_then(|last| self.tokens.get(last));
        last.map_or(first, |token| first.join(token.span))
    }

    /// Takes the next token if it reads `text`.
    pub(super) fn take(&mut self, text: &str) -> bool {
        let found = self.next() == text;
        self.at += usize::from(found);
        found
    }

    /// Takes `text`, or says that it was expected.
    pub(super) fn expect(&mut self, text: &str) -> Step<()> {
        if self.take(text) { Ok(()) } else { Err(self.expected(&format!("`{text}`"))) }
    }

    /// Takes a word; `what` says which, for the message.
    pub(super) fn word(&mut self, what: &str) -> Step<(String, Span)> {
        if self.kind(0) != Some(TokenKind::Word) {
            return Err(self.expected(what));
        }
        let (word, span) = (self.next().to_owned(), self.here());
        self.at += 1;
        Ok((word, span))
    }

    /// The number of `@5` or `@0x1f`, if the next token is `@`.
    pub(super) fn ordinal(&mut self) -> Step<Option<u64>> {
        if !self.take("@") {
            return Ok(None);
        }
        let digits = self.next();
        let number = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(hexadecimal) => u64::from_str_radix(hexadecimal, 16),
            None => digits.parse(),
        };
        let number = number.map_err(|_| self.expected("a number behind `@`"))?;
        self.at += 1;
        Ok(Some(number))
    }

    /// Takes `;`. When the line ends without one, that is said and reading goes on as if it stood there.
    pub(super) fn semicolon(&mut self) -> Step<()> {
        if self.take(";") {
            return Ok(());
        }
        let last = self.since(self.at.saturating_sub(1));
        if !self.starts_line() && !matches!(self.next(), "" | "}") {
            return Err(self.expected("`;`"));
        }
        let finding = Finding::new(Code::CAPNP_SYNTAX, "this line ends without `;`")
            .help("put a `;` behind its last word")
            .at(self.source, last);
        self.findings.push(finding);
        Ok(())
    }

    /// A value, kept as text.
    pub(super) fn literal(&mut self) -> Step<Literal> {
        let start = self.at;
        if !self.take("-") {
            self.take("+");
        }
        match self.kind(0) {
            Some(TokenKind::String) => {
                while self.kind(0) == Some(TokenKind::String) {
                    self.at += 1;
                }
            }
            Some(TokenKind::Number) => self.at += 1,
            Some(TokenKind::Word) => drop(self.type_name()?),
            _ if matches!(self.next(), "(" | "[") => self.skip_brackets()?,
            _ if self.next() == "." => drop(self.type_name()?),
            _ => return Err(self.expected("a value")),
        }
        Ok(self.literal_since(start))
    }

    /// Takes everything up to the bracket that closes the next one.
    pub(super) fn skip_brackets(&mut self) -> Step<()> {
        let opener = self.at;
        let mut open = Vec::new();
        loop {
            match self.next() {
                "(" => open.push(")"),
                "[" => open.push("]"),
                close @ (")" | "]") if open.pop() != Some(close) => return Err(self.expected("a value")),
                "" | ";" | "{" | "}" => {
                    let place = self.source.place(self.tokens[opener].span.start as usize);
                    let help = format!("it opened at {}:{}", place.line, place.column);
                    return Err(self.expected("a closing bracket").help(help));
                }
                _ => {}
            }
            self.at += 1;
            if open.is_empty() {
                return Ok(());
            }
        }
    }

    /// The tokens from `start` on as a value: one blank where blanks or comments stand between them.
    pub(super) fn literal_since(&self, start: usize) -> Literal {
        let mut text = String::new();
        for index in start..self.at {
            let span = self.tokens[index].span;
            if index > start && self.tokens[index - 1].span.end != span.start {
                text.push(' ');
            }
            text.push_str(self.source.slice(span));
        }
        Literal { text, span: self.since(start) }
    }

    /// The doc comment behind the token that was taken last: the comment that starts on its line or the next, and
    /// those on the lines right after.
    pub(super) fn docs(&mut self, owner: Option<usize>) -> Docs {
        let mut docs = Docs::default();
        let mut end = self.since(self.at.saturating_sub(1)).end as usize;
        let limit = self.here().start as usize;
        let first = self.comments.partition_point(|comment| (comment.start as usize) < end);
        for index in first..self.comments.len() {
            let span = self.comments[index];
            let gap = self.source.slice(Span::new(end, span.start as usize));
            let follows = gap.matches('\n').count() <= 1;
            if !follows || (self.at < self.tokens.len() && span.start as usize > limit) {
                break;
            }
            let line = self.source.slice(span).trim_start_matches('#');
            docs.text.push_str(line.strip_prefix(' ').unwrap_or(line));
            docs.text.push('\n');
            docs.spans.push(span);
            self.comment_subjects[index] = owner.map(Subject::Docs);
            end = span.end as usize;
        }
        docs
    }

    /// Says what was expected where the next token stands.
    pub(super) fn expected(&self, what: &str) -> Finding {
        let (message, help) = match (self.kind(0), self.next()) {
            (None, _) => (format!("expected {what}, but the text ends"), ""),
            (Some(TokenKind::UnclosedString), _) => {
                ("this string is not closed on its line".to_owned(), "put a `\"` behind its last word")
            }
            (_, found) => (format!("expected {what}, found `{}`", shortened(found)), ""),
        };
        let finding = Finding::new(Code::CAPNP_SYNTAX, message).at(self.source, self.here());
        if help.is_empty() { finding } else { finding.help(help) }
    }

    /// Keeps a fault and goes to the next declaration or member: behind the next `;` or block, before the bracket
    /// that closes this block, or before a line that starts with a declaration's word.
    pub(super) fn recover(&mut self, start: usize, fault: Finding) {
        self.findings.push(fault);
        self.at = self.at.max(start);
        loop {
            match self.next() {
                "" | "}" => break,
                ";" => {
                    self.at += 1;
                    break;
                }
                "{" => {
                    self.skip_block();
                    break;
                }
                word if self.at > start && KEYWORDS.contains(&word) && self.starts_line() => break,
                _ => self.at += 1,
            }
        }
        self.own(start, &Subject::Unread);
        if self.findings.len() >= MAX_FINDINGS {
            self.at = self.tokens.len();
        }
    }

    /// Takes a block with everything in it, whatever it is.
    fn skip_block(&mut self) {
        let mut depth = 0_usize;
        while self.at < self.tokens.len() {
            match self.next() {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    fn starts_line(&self) -> bool {
        let before = self.since(self.at.saturating_sub(1));
        let gap = Span::new(before.end as usize, self.here().start as usize);
        self.source.slice(gap).contains('\n')
    }

    /// Enters a bracket; too many are a fault.
    pub(super) fn enter(&mut self) -> Step<()> {
        if self.depth >= MAX_DEPTH {
            let words = format!("this is nested deeper than {MAX_DEPTH} levels");
            return Err(Finding::new(Code::CAPNP_SYNTAX, words).at(self.source, self.here()));
        }
        self.depth += 1;
        Ok(())
    }

    /// Leaves the innermost bracket.
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Gives the tokens from `start` on that belong to nothing yet to `subject`.
    pub(super) fn own(&mut self, start: usize, subject: &Subject) {
        for slot in &mut self.token_subjects[start..self.at] {
            slot.get_or_insert_with(|| subject.clone());
        }
    }
}

/// The user's words, at most 40 characters of them.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

//! Words, numbers, strings and marks, with their places; comments beside them.

use mentci_source::Span;

/// What kind of token it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// `struct`, `Foo`.
    Word,
    /// `0x1f`, `1.5e-3`.
    Number,
    /// `"text"`, `0x"ab cd"`, or a back-quoted line.
    String,
    /// A string that its line does not close.
    UnclosedString,
    /// One punctuation character, or `->`.
    Mark,
    /// A character that a schema does not use.
    Other,
}

/// A token: its kind and its bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

/// A schema's tokens, and its comments from `#` to the end of their lines.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    pub(super) tokens: Vec<Token>,
    pub(super) comments: Vec<Span>,
}

/// Splits a text into tokens; every byte that is not blank lies in exactly one token or comment.
pub(super) fn lex(text: &str) -> Tokens {
    let mut found = Tokens::default();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if c.is_whitespace() {
            at += c.len_utf8();
        } else if c == '#' {
            let length = line_length(rest);
            found.comments.push(Span::new(at, at + length));
            at += length;
        } else {
            let (kind, length) = token(rest, c);
            found.tokens.push(Token { kind, span: Span::new(at, at + length) });
            at += length;
        }
    }
    found
}

/// The kind and length of the token that `rest` starts with; `c` is its first character.
fn token(rest: &str, c: char) -> (TokenKind, usize) {
    match c {
        '"' => string(rest),
        '`' => (TokenKind::String, line_length(rest)),
        '0'..='9' => number(rest),
        'a'..='z' | 'A'..='Z' | '_' => (TokenKind::Word, run(rest)),
        '-' if rest.starts_with("->") => (TokenKind::Mark, 2),
        _ if "{}()[];,:=@$.*-+".contains(c) => (TokenKind::Mark, 1),
        _ => (TokenKind::Other, c.len_utf8()),
    }
}

/// A quoted string on one line; a backslash takes the next character.
fn string(rest: &str) -> (TokenKind, usize) {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '"' if !escaped => return (TokenKind::String, at + 1),
            '\n' => return (TokenKind::UnclosedString, rest[..at].trim_end().len()),
            _ => escaped = c == '\\' && !escaped,
        }
    }
    (TokenKind::UnclosedString, rest.trim_end().len())
}

/// A number: letters, digits and points, with a sign behind an exponent's `e`; or `0x"…"`.
fn number(rest: &str) -> (TokenKind, usize) {
    if rest.starts_with("0x\"") {
        let (kind, length) = string(&rest[2..]);
        return (kind, length + 2);
    }
    let mut length = run(rest);
    if rest[length..].starts_with('.') {
        length += 1 + run(&rest[length + 1..]);
    }
    let decimal = !rest.starts_with("0x") && !rest.starts_with("0X");
    if decimal && rest[..length].ends_with(['e', 'E']) && rest[length..].starts_with(['-', '+']) {
        length += 1 + run(&rest[length + 1..]);
    }
    (TokenKind::Number, length)
}

/// How many bytes of letters, digits and `_` it starts with.
fn run(rest: &str) -> usize {
    rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count()
}

/// How long the first line is, without its line break and the blanks before it.
fn line_length(rest: &str) -> usize {
    rest.find('\n').map_or(rest, |end| &rest[..end]).trim_end().len()
}

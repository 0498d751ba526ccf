//! Words and signs.

use mentci_source::{Code, Span};

use crate::Problem;

/// What a token is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// A name or a keyword.
    Word,
    /// A whole number without its sign.
    Int(u64),
    Float(f64),
    Text(String),
    /// An operator or a bracket.
    Sign(&'static str),
    /// A foreign sign that was reported, read as the word that is written here.
    Instead(&'static str),
    /// Something that is none, and was reported.
    Bad,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

/// The signs, longer ones first.
pub(crate) const SIGNS: &[&str] =
    &["==", "!=", "<=", ">=", "<", ">", "(", ")", "[", "]", "{", "}", ",", ":", ".", "+", "-", "*", "/", "%"];

/// What others write, and what is written here.
const FOREIGN: &[(&str, &str)] = &[
    ("===", "=="),
    ("!==", "!="),
    ("&&", "and"),
    ("||", "or"),
    ("**", "*"),
    ("//", "/"),
    ("=", "=="),
    ("!", "not"),
    ("&", "and"),
    ("|", "or"),
];

const NUMBER: &str = "a name starts with a letter, and a text stands in quotes";

/// What to do about a number beyond 64 bits.
pub(crate) const LARGE: &str = "a number has 64 bits: write a smaller one, or a text in quotes";

/// Words that cannot name a variable.
pub(crate) const KEYWORDS: &[&str] =
    &["and", "or", "not", "in", "is", "if", "else", "for", "true", "false", "null", "True", "False", "None"];

/// Whether a name can stand in text as it is.
pub(crate) fn is_name(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(starts_word) && chars.all(continues_word) && !KEYWORDS.contains(&word)
}

/// Whether a word can follow a dot.
pub(crate) fn is_field(word: &str) -> bool {
    is_name(word) || KEYWORDS.contains(&word)
}

fn starts_word(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn continues_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Takes a text apart, in one pass.
pub(crate) fn tokens(text: &str, problems: &mut Vec<Problem>) -> Vec<Token> {
    let mut lexer = Lexer { text, at: 0, problems };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next() {
        tokens.push(token);
    }
    tokens
}

struct Lexer<'t, 'p> {
    text: &'t str,
    at: usize,
    problems: &'p mut Vec<Problem>,
}

impl<'t> Lexer<'t, '_> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn next(&mut self) -> Option<Token> {
        let rest = self.rest().trim_start();
        self.at = self.text.len() - rest.len();
        let first = rest.chars().next()?;
        let start = self.at;
        let kind = match first {
            '"' | '\'' => self.text(first),
            'r' if rest[1..].starts_with(['"', '\'']) => self.raw(),
            '0'..='9' => self.number(),
            _ if starts_word(first) => self.word(),
            _ => self.sign(first),
        };
        Some(Token { kind, span: Span::new(start, self.at) })
    }

    fn word(&mut self) -> Kind {
        let rest = self.rest();
        self.at += rest.find(|c| !continues_word(c)).unwrap_or(rest.len());
        Kind::Word
    }

    fn number(&mut self) -> Kind {
        let (rest, start) = (self.rest(), self.at);
        let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let mut len = digits(rest);
        let mut whole = true;
        if let Some(fraction) = rest[len..].strip_prefix('.').map(digits).filter(|&count| count > 0) {
            (len, whole) = (len + 1 + fraction, false);
        }
        if let Some(after) = rest[len..].strip_prefix(['e', 'E']) {
            let sign = usize::from(after.starts_with(['+', '-']));
            let exponent = digits(&after[sign..]);
            if exponent > 0 {
                (len, whole) = (len + 1 + sign + exponent, false);
            }
        }
        let tail = rest[len..].find(|c| !continues_word(c)).unwrap_or(rest.len() - len);
        self.at += len + tail;
        if tail > 0 {
            return self.bad(
                start,
                format!("`{}` is not a number", &rest[..len + tail]),
                Some(NUMBER.to_owned()),
            );
        }
        let number = &rest[..len];
        match (whole, number.parse::<u64>(), number.parse::<f64>()) {
            (true, Ok(value), _) if value <= i64::MIN.unsigned_abs() => Kind::Int(value),
            (false, _, Ok(value)) if value.is_finite() => Kind::Float(value),
            _ => self.bad(start, format!("the number `{number}` is too large"), Some(LARGE.to_owned())),
        }
    }

    fn raw(&mut self) -> Kind {
        let (rest, start) = (self.rest(), self.at);
        let quote = rest[1..].chars().next().unwrap_or('"');
        if let Some(len) = rest[2..].find(quote) {
            self.at += len + 3;
            Kind::Text(rest[2..2 + len].to_owned())
        } else {
            self.at = self.text.len();
            self.unclosed(start, quote)
        }
    }

    fn text(&mut self, quote: char) -> Kind {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let Some(len) = rest.find([quote, '\\']) else {
                self.at = self.text.len();
                return self.unclosed(start, quote);
            };
            text.push_str(&rest[..len]);
            self.at += len + 1;
            if rest[len..].starts_with(quote) {
                return Kind::Text(text);
            }
            self.escape(&mut text);
        }
    }

    /// Reads what follows a backslash.
    fn escape(&mut self, text: &mut String) {
        let start = self.at - 1;
        let Some(sign) = self.rest().chars().next() else { return };
        self.at += sign.len_utf8();
        match sign {
            '"' | '\'' | '\\' | '/' => text.push(sign),
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'b' => text.push('\u{8}'),
            'f' => text.push('\u{c}'),
            'u' => match self.unicode() {
                Some(c) => text.push(c),
                None => drop(self.bad(
                    start,
                    "`\\u` needs four hexadecimal digits of a character",
                    Some("write them as in `\\u00e9`".to_owned()),
                )),
            },
            _ => {
                let help = format!("write `\\\\{sign}` for a backslash, or a raw string: `r\"\\{sign}\"`");
                self.bad(start, format!("`\\{sign}` is not an escape"), Some(help));
            }
        }
    }

    /// The character of `XXXX`, or of `XXXX\uXXXX` where it is a pair.
    fn unicode(&mut self) -> Option<char> {
        let first = self.hex()?;
        if !(0xD800..0xDC00).contains(&first) {
            return char::from_u32(first);
        }
        self.at += self.rest().strip_prefix("\\u").map(|_| 2)?;
        let second = self.hex().filter(|second| (0xDC00..0xE000).contains(second))?;
        char::from_u32(0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.rest().get(..4).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }

    fn sign(&mut self, first: char) -> Kind {
        let (rest, start) = (self.rest(), self.at);
        let known = SIGNS.iter().find(|sign| rest.starts_with(**sign));
        let foreign = FOREIGN.iter().find(|(sign, _)| rest.starts_with(sign));
        match (known, foreign) {
            (_, Some((sign, ours))) if known.is_none_or(|known| known.len() < sign.len()) => {
                self.at += sign.len();
                self.bad(start, format!("`{sign}` is not an operator"), Some(format!("write `{ours}`")));
                if SIGNS.contains(ours) { Kind::Sign(ours) } else { Kind::Instead(ours) }
            }
            (Some(sign), _) => {
                self.at += sign.len();
                Kind::Sign(sign)
            }
            _ => {
                self.at += first.len_utf8();
                self.bad(start, format!("unexpected `{}`", first.escape_debug()), None)
            }
        }
    }

    fn unclosed(&mut self, start: usize, quote: char) -> Kind {
        self.problems.push(
            Problem::new(Code::GUARD_SYNTAX, Span::new(start, start + 1), "the string is not closed")
                .help(format!("close it with `{quote}`")),
        );
        Kind::Bad
    }

    fn bad(&mut self, start: usize, message: impl Into<String>, help: Option<String>) -> Kind {
        let problem = Problem::new(Code::GUARD_SYNTAX, Span::new(start, self.at), message);
        let help = help.or(problem.help);
        self.problems.push(Problem { help, ..problem });
        Kind::Bad
    }
}

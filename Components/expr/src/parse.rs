//! Parsing: text to an expression. A Pratt parser over tokens; each problem leaves a hole and the parser goes on.

mod attached;
mod operator;
mod primary;
mod told;

use mentci_source::{Code, Span};

use self::operator::power;
use crate::expr::Node;
use crate::token::{Kind, Token, tokens};
use crate::{Expr, Problem, Schema, check};

/// The longest text that is read as an expression, in bytes.
pub const MAX_SOURCE: usize = 64 << 10;

/// The most problems that one text is told.
const MAX_PROBLEMS: usize = 20;

/// What parsing gives: the expression where nothing is wrong, and what is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    /// The expression; none where a problem is an error.
    pub expr: Option<Expr>,
    /// What is wrong, in order of the text.
    pub problems: Vec<Problem>,
    /// What could be read, with holes.
    recovered: Option<Expr>,
}

/// Parses an expression. Linear in the text; after a problem it goes on, to tell several at once.
///
/// ```
/// use mentci_expr::parse;
/// assert!(parse("turn_index % 5 == 0").expr.is_some());
/// let parsed = parse("a > > 1 or (b");
/// assert_eq!(parsed.problems[0].message, "unexpected `>`, a value is missing before it");
/// assert_eq!(parsed.problems[1].message, "the `(` is not closed");
/// ```
pub fn parse(text: &str) -> Parsed {
    let mut problems = Vec::new();
    if text.len() > MAX_SOURCE {
        let message = format!("the expression is longer than {MAX_SOURCE} bytes");
        problems.push(Problem::new(Code::GUARD_SIZE, Span::new(0, text.len()), message));
        return Parsed { expr: None, problems, recovered: None };
    }
    let tokens = tokens(text, &mut problems);
    if tokens.is_empty() {
        let problem = Problem::new(Code::GUARD_SYNTAX, Span::new(0, text.len()), "the expression is empty");
        problems.push(problem.help("write `true` for what always holds"));
        return Parsed { expr: None, problems, recovered: None };
    }
    let mut parser = Parser { text, tokens, at: 0, depth: 0, problems };
    let expr = parser.whole();
    let mut problems = parser.problems;
    problems.sort_by_key(|problem| problem.span);
    problems.truncate(MAX_PROBLEMS);
    let sound = problems.is_empty().then(|| expr.clone());
    Parsed { expr: sound, problems, recovered: Some(expr) }
}

/// Parses and checks: [`parse`], then [`check`](check()) on what could be read. Warnings leave the expression in place.
pub fn read(text: &str, schema: &Schema) -> Parsed {
    let mut parsed = parse(text);
    if let Some(expr) = &parsed.recovered {
        let sound = parsed.problems.is_empty();
        // Where a part could not be read, types say nothing; names and patterns still do.
        let tells = |problem: &Problem| {
            let by_itself = matches!(problem.code, Code::GUARD_NAME | Code::GUARD_CALL | Code::GUARD_PATTERN);
            sound || (by_itself && !problem.span.is_empty())
        };
        parsed.problems.extend(check(expr, schema).into_iter().filter(tells));
        parsed.problems.sort_by_key(|problem| problem.span);
        parsed.problems.truncate(MAX_PROBLEMS);
    }
    if parsed.problems.iter().any(Problem::is_error) {
        parsed.expr = None;
    }
    parsed
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    problems: Vec<Problem>,
}

impl<'t> Parser<'t> {
    /// The whole text; what is left over is told, and read for further problems.
    fn whole(&mut self) -> Expr {
        let expr = self.expression();
        while let Some(token) = self.tokens.get(self.at) {
            let span = token.span;
            let told = self.problems.len();
            let help = "write `and` or `or` between two conditions, and put texts in quotes";
            self.unexpected(span, "the expression has ended before it", help);
            if matches!(token_kind(&self.tokens, self.at), Some(Kind::Sign(_))) {
                self.at += 1;
            }
            if self.at < self.tokens.len() {
                let before = self.at;
                self.expression();
                self.at = self.at.max(before + 1);
            }
            if self.problems.len() > told + MAX_PROBLEMS {
                break;
            }
        }
        expr
    }

    /// `a if c else b`, and what binds tighter.
    fn expression(&mut self) -> Expr {
        if let Some(hole) = self.enter() {
            return hole;
        }
        let then = self.binary(power::OR);
        let expr = if self.eat_word("if") {
            let condition = self.binary(power::OR);
            if !self.eat_word("else") {
                self.missing("`else`", "write `a if condition else b`");
            }
            let otherwise = self.expression();
            let span = then.span().join(otherwise.span());
            let [then, condition, otherwise] = [then, condition, otherwise].map(Box::new);
            self.make(Node::If { condition, then, otherwise }, span)
        } else {
            then
        };
        self.depth -= 1;
        expr
    }

    fn slice(&self, span: Span) -> &'t str {
        self.text.get(span.range()).unwrap_or_default()
    }

    fn word_at(&self, at: usize) -> Option<&'t str> {
        let token = self.tokens.get(at)?;
        match token.kind {
            Kind::Word => Some(self.slice(token.span)),
            Kind::Instead(word) => Some(word),
            _ => None,
        }
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.word_at(self.at) == Some(word);
        self.at += usize::from(found);
        found
    }

    fn eat_sign(&mut self, sign: &str) -> bool {
        let found = matches!(token_kind(&self.tokens, self.at), Some(Kind::Sign(own)) if *own == sign);
        self.at += usize::from(found);
        found
    }
}

fn token_kind(tokens: &[Token], at: usize) -> Option<&Kind> {
    tokens.get(at).map(|token| &token.kind)
}

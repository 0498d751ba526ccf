//! What is wrong is told once, a hole is left, and the parser goes on.

use mentci_source::{Code, Span};

use super::{MAX_PROBLEMS, Parser, token_kind};
use crate::expr::{Broken, MAX_DEPTH, Node};
use crate::token::Kind;
use crate::{Expr, Problem};

impl Parser<'_> {
    /// Takes the closing bracket and gives its place; passes over what stands before it.
    pub(super) fn close(&mut self, sign: &'static str, open: Span) -> Span {
        if !self.eat_sign(sign) {
            let problem = match self.tokens.get(self.at) {
                Some(token) if !matches!(token.kind, Kind::Sign(")" | "]" | "}")) => {
                    let help = format!("a `,` or `{sign}` is missing before it");
                    Problem::new(
                        Code::GUARD_SYNTAX,
                        token.span,
                        format!("unexpected `{}`", self.slice(token.span)),
                    )
                    .help(help)
                }
                _ => Problem::new(
                    Code::GUARD_SYNTAX,
                    open,
                    format!("the `{}` is not closed", self.slice(open)),
                )
                .help(format!("add `{sign}`")),
            };
            self.tell(problem);
            self.recover(sign);
        }
        self.tokens.get(self.at.saturating_sub(1)).map_or(open, |token| token.span)
    }

    /// Goes on after the bracket that was looked for, where it still comes.
    fn recover(&mut self, sign: &'static str) {
        let mut nested = 0usize;
        let mut at = self.at;
        while let Some(kind) = token_kind(&self.tokens, at) {
            match kind {
                Kind::Sign("(" | "[" | "{") => nested += 1,
                Kind::Sign(close) if nested == 0 && *close == sign => {
                    self.at = at + 1;
                    return;
                }
                Kind::Sign(")" | "]" | "}") if nested == 0 => break,
                Kind::Sign(")" | "]" | "}") => nested -= 1,
                _ => {}
            }
            at += 1;
        }
        self.at = at;
    }

    /// Goes one level down; where that is too deep, tells so once and passes over the rest.
    pub(super) fn enter(&mut self) -> Option<Expr> {
        self.depth += 1;
        if self.depth <= MAX_DEPTH {
            return None;
        }
        self.depth -= 1;
        Some(self.too_deep())
    }

    fn too_deep(&mut self) -> Expr {
        let span = self.tokens.get(self.at).map_or(Span::at(self.text.len()), |token| token.span);
        if self.problems.iter().all(|problem| problem.code != Code::GUARD_SIZE) {
            let message = format!("the expression nests deeper than {MAX_DEPTH} levels");
            self.tell(Problem::new(Code::GUARD_SIZE, span, message).help("take it apart into several rules"));
        }
        self.at = self.tokens.len();
        hole(span)
    }

    /// A node; where it would nest too deep, that is told.
    pub(super) fn make(&mut self, node: Node, span: Span) -> Expr {
        let expr = Expr::new(node, span);
        if *expr.node() == Node::Broken(Broken::TooDeep) { self.too_deep() } else { expr }
    }

    pub(super) fn nothing(&mut self) -> Expr {
        let end = Span::at(self.text.trim_end().len());
        let message = "the expression ends where a value is missing";
        let help = "add the value, as in `turn_index > 5`, or take the last operator off";
        self.tell(Problem::new(Code::GUARD_SYNTAX, end, message).help(help));
        hole(end)
    }

    pub(super) fn missing(&mut self, what: &str, help: &str) {
        let end = Span::at(self.text.trim_end().len());
        let span = self.tokens.get(self.at).map_or(end, |token| token.span);
        self.tell(Problem::new(Code::GUARD_SYNTAX, span, format!("{what} is missing here")).help(help));
    }

    pub(super) fn no_value_before(&mut self, span: Span) {
        let help = "write the value, as in `turn_index > 5`, or take this off";
        self.unexpected(span, "a value is missing before it", help);
    }

    pub(super) fn unexpected(&mut self, span: Span, why: &str, help: &str) {
        let message = format!("unexpected `{}`, {why}", self.slice(span));
        self.tell(Problem::new(Code::GUARD_SYNTAX, span, message).help(help));
    }

    /// Tells a problem, once a place; once the nesting is too deep, what follows from that is not told.
    pub(super) fn tell(&mut self, problem: Problem) {
        let known = |own: &Problem| {
            own.code == Code::GUARD_SIZE || own.span.overlaps(problem.span) || own.span == problem.span
        };
        if self.problems.len() < 4 * MAX_PROBLEMS && !self.problems.iter().any(known) {
            self.problems.push(problem);
        }
    }
}

/// What stands where nothing could be read.
pub(super) fn hole(span: Span) -> Expr {
    Expr::new(Node::Broken(Broken::Unread), span)
}

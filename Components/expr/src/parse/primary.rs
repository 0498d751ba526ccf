//! Values as they are written: names, numbers, texts, lists, maps.

use mentci_source::{Code, Span};

use super::told::hole;
use super::{Parser, token_kind};
use crate::expr::{Broken, Node, Quantifier};
use crate::token::{KEYWORDS, Kind, LARGE};
use crate::{Expr, Problem};

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Expr {
        while let Some(token) = self.tokens.get(self.at) {
            let span = token.span;
            let node = match &token.kind {
                Kind::Word | Kind::Instead(_) => match self.word_at(self.at).unwrap_or_default() {
                    "true" | "True" => Node::Bool(true),
                    "false" | "False" => Node::Bool(false),
                    "null" | "None" => Node::Null,
                    "or" | "and" | "in" | "is" => {
                        self.no_value_before(span);
                        self.at += 1;
                        continue;
                    }
                    word if KEYWORDS.contains(&word) => {
                        self.no_value_before(span);
                        return hole(span);
                    }
                    word => Node::Name(word.to_owned()),
                },
                Kind::Int(number) => self.whole_number(*number, span),
                Kind::Float(number) => Node::Float(*number),
                Kind::Text(text) => Node::Text(text.clone()),
                Kind::Bad => Node::Broken(Broken::Unread),
                Kind::Sign("(") => return self.parenthesis(span),
                Kind::Sign("[") => return self.list(span),
                Kind::Sign("{") => return self.map(span),
                Kind::Sign(")" | "]" | "}" | "," | ":") => {
                    self.no_value_before(span);
                    return hole(span);
                }
                Kind::Sign(_) => {
                    self.no_value_before(span);
                    self.at += 1;
                    continue;
                }
            };
            self.at += 1;
            return Expr::new(node, span);
        }
        self.nothing()
    }

    fn whole_number(&mut self, number: u64, span: Span) -> Node {
        i64::try_from(number).map_or_else(
            |_| {
                let message = format!("the number `{number}` is too large");
                self.tell(Problem::new(Code::GUARD_SYNTAX, span, message).help(LARGE));
                Node::Broken(Broken::Unread)
            },
            Node::Int,
        )
    }

    fn parenthesis(&mut self, open: Span) -> Expr {
        self.at += 1;
        let expr = self.expression();
        let end = self.close(")", open);
        expr.at(open.join(end))
    }

    fn list(&mut self, open: Span) -> Expr {
        self.at += 1;
        let (items, comprehension) = self.arguments();
        let span = open.join(self.close("]", open));
        match comprehension {
            Some(parts) => self.make(parts.node(Quantifier::Each), span),
            None => self.make(Node::List(items), span),
        }
    }

    fn map(&mut self, open: Span) -> Expr {
        self.at += 1;
        let mut entries = Vec::new();
        while !self.at_end_of_list() {
            let key = self.key();
            if !self.eat_sign(":") {
                self.missing("`:`", "write `{\"key\": value}`");
            }
            entries.push((key, self.expression()));
            if !self.eat_sign(",") {
                break;
            }
        }
        let span = open.join(self.close("}", open));
        self.make(Node::Map(entries), span)
    }

    fn key(&mut self) -> String {
        if let Some(Kind::Text(key)) = token_kind(&self.tokens, self.at) {
            let key = key.clone();
            self.at += 1;
            return key;
        }
        self.missing("a string", "the keys of a map are strings: `{\"key\": value}`");
        if matches!(token_kind(&self.tokens, self.at), Some(Kind::Word | Kind::Int(_) | Kind::Bad)) {
            self.at += 1;
        }
        String::new()
    }

    pub(super) fn at_end_of_list(&self) -> bool {
        matches!(token_kind(&self.tokens, self.at), None | Some(Kind::Sign(")" | "]" | "}")))
    }
}

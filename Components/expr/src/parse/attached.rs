//! What is attached to a value: fields, keys, and calls with what stands between their parentheses.

use mentci_source::{Code, Span, did_you_mean};

use super::operator::power;
use super::told::hole;
use super::{Parser, token_kind};
use crate::expr::{Node, Quantifier};
use crate::token::{KEYWORDS, Kind};
use crate::{Expr, FUNCTIONS, Function, Problem};

impl Parser<'_> {
    pub(super) fn postfix(&mut self) -> Expr {
        let mut expr = self.primary();
        loop {
            let Some(token) = self.tokens.get(self.at) else { return expr };
            let span = token.span;
            expr = match token.kind {
                Kind::Sign(".") => self.field(expr),
                Kind::Sign("[") => self.index(expr),
                Kind::Sign("(") => self.call(&expr, span),
                _ => return expr,
            };
        }
    }

    fn field(&mut self, inner: Expr) -> Expr {
        self.at += 1;
        let Some(word) = self.word_at(self.at) else {
            let after = self.tokens[self.at - 1].span;
            self.tell(
                Problem::new(Code::GUARD_SYNTAX, after, "a field's name is missing after `.`")
                    .help("for items of lists and other keys, write `a[0]`, `a[\"key\"]`"),
            );
            if matches!(
                token_kind(&self.tokens, self.at),
                Some(Kind::Int(_) | Kind::Float(_) | Kind::Text(_))
            ) {
                self.at += 1;
            }
            return hole(after);
        };
        let span = inner.span().join(self.tokens[self.at].span);
        self.at += 1;
        self.make(Node::Field(Box::new(inner), word.to_owned()), span)
    }

    fn index(&mut self, inner: Expr) -> Expr {
        let open = self.tokens[self.at].span;
        self.at += 1;
        let key = self.expression();
        let end = self.close("]", open);
        let span = inner.span().join(end);
        self.make(Node::Index(Box::new(inner), Box::new(key)), span)
    }

    fn call(&mut self, callee: &Expr, open: Span) -> Expr {
        self.at += 1;
        let path = callee.as_path().map(|path| path.join("."));
        let function = path.as_deref().and_then(Function::find);
        if function.is_none() {
            self.no_function(callee, path.as_deref());
        }
        let (arguments, comprehension) = self.arguments();
        let end = self.close(")", open);
        let span = callee.span().join(end);
        let Some(function) = function else { return hole(span) };
        let node = match (comprehension, function) {
            (Some(parts), Function::Any) => parts.node(Quantifier::Any),
            (Some(parts), Function::All) => parts.node(Quantifier::All),
            (Some(parts), _) => {
                let list = self.make(parts.node(Quantifier::Each), open.join(end));
                Node::Call(function, vec![list])
            }
            (None, _) => Node::Call(function, arguments),
        };
        self.make(node, span)
    }

    fn no_function(&mut self, callee: &Expr, path: Option<&str>) {
        if matches!(callee.node(), Node::Broken(_)) {
            return;
        }
        let problem = match path {
            Some(path) => {
                Problem::new(Code::GUARD_CALL, callee.span(), format!("there is no function `{path}`"))
                    .meant(did_you_mean(path, FUNCTIONS.iter().map(|function| function.name())))
            }
            None => Problem::new(Code::GUARD_CALL, callee.span(), "only functions can be called")
                .help("values have no methods; functions take them as arguments: `lower(a)`"),
        };
        self.tell(problem);
    }

    /// What stands between the parentheses of a call.
    pub(super) fn arguments(&mut self) -> (Vec<Expr>, Option<Comprehension>) {
        let mut arguments = Vec::new();
        while !self.at_end_of_list() {
            let argument = self.expression();
            if arguments.is_empty() && self.word_at(self.at) == Some("for") {
                return (Vec::new(), Some(self.comprehension(argument)));
            }
            arguments.push(argument);
            if !self.eat_sign(",") {
                break;
            }
        }
        (arguments, None)
    }

    /// What stands inside a comprehension, where an `if` is its filter: one level down.
    fn nested(&mut self) -> Expr {
        if let Some(hole) = self.enter() {
            return hole;
        }
        let expr = self.binary(power::OR);
        self.depth -= 1;
        expr
    }

    /// `for x in xs if c`, after its body.
    fn comprehension(&mut self, body: Expr) -> Comprehension {
        self.at += 1;
        let variable = match self.word_at(self.at) {
            Some(word) if !KEYWORDS.contains(&word) => {
                self.at += 1;
                word.to_owned()
            }
            _ => {
                self.missing("a name", "write `any(body for name in list)`");
                "_".to_owned()
            }
        };
        if !self.eat_word("in") {
            self.missing("`in`", "write `any(body for name in list)`");
        }
        let list = self.nested();
        let mut filters = Vec::new();
        while self.eat_word("if") {
            filters.push(self.nested());
        }
        let span = filters.iter().fold(list.span(), |span, filter| span.join(filter.span()));
        let filter = (!filters.is_empty()).then(|| self.make(Node::And(filters), span));
        Comprehension { body, variable, list, filter }
    }
}

pub(super) struct Comprehension {
    body: Expr,
    variable: String,
    list: Expr,
    filter: Option<Expr>,
}

impl Comprehension {
    pub(super) fn node(self, quantifier: Quantifier) -> Node {
        Node::For {
            quantifier,
            body: Box::new(self.body),
            variable: self.variable,
            list: Box::new(self.list),
            filter: self.filter.map(Box::new),
        }
    }
}

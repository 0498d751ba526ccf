//! Operators: what binds how tightly.

use mentci_source::{Code, Span};

use super::{Parser, token_kind};
use crate::expr::{ArithmeticOp, Comparison, Node, UnaryOp};
use crate::token::Kind;
use crate::{Expr, Problem};

impl Parser<'_> {
    /// Operators that bind at least as tightly as `least`.
    pub(super) fn binary(&mut self, least: u8) -> Expr {
        let mut left = self.prefix(least);
        loop {
            left = match self.operator() {
                Some(Operator::Or) if least <= power::OR => self.chain("or", power::AND, left, Node::Or),
                Some(Operator::And) if least <= power::AND => self.chain("and", power::NOT, left, Node::And),
                Some(Operator::Compare(..)) if least <= power::COMPARISON => self.comparison(left),
                Some(Operator::Arithmetic(operator, power)) if least <= power => {
                    self.arithmetic(left, operator, power)
                }
                _ => return left,
            };
        }
    }

    fn chain(&mut self, word: &str, tighter: u8, first: Expr, node: fn(Vec<Expr>) -> Node) -> Expr {
        let mut operands = vec![first];
        while self.eat_word(word) {
            operands.push(self.binary(tighter));
        }
        let span = operands[0].span().join(operands[operands.len() - 1].span());
        self.make(node(operands), span)
    }

    /// Operators that bind equally tightly, one after another: one chain, however long.
    fn arithmetic(&mut self, first: Expr, operator: ArithmeticOp, power: u8) -> Expr {
        let mut rest = Vec::new();
        let mut span = first.span();
        let mut next = Some(operator);
        while let Some(operator) = next {
            self.at += 1;
            let right = self.binary(power + 1);
            span = span.join(right.span());
            rest.push((operator, right));
            next = match self.operator() {
                Some(Operator::Arithmetic(operator, own)) if own == power => Some(operator),
                _ => None,
            };
        }
        self.make(Node::Arithmetic(Box::new(first), rest), span)
    }

    fn comparison(&mut self, first: Expr) -> Expr {
        let mut rest = Vec::new();
        let mut span = first.span();
        while let Some(Operator::Compare(comparison, words)) = self.operator() {
            self.at += words;
            let right = self.binary(power::SUM);
            span = span.join(right.span());
            rest.push((comparison, right));
        }
        self.make(Node::Compare(Box::new(first), rest), span)
    }

    /// The operator at hand, not taken.
    fn operator(&self) -> Option<Operator> {
        let token = self.tokens.get(self.at)?;
        Some(match &token.kind {
            Kind::Sign(sign) => sign_operator(sign)?,
            Kind::Word | Kind::Instead(_) => match self.word_at(self.at)? {
                "or" => Operator::Or,
                "and" => Operator::And,
                "in" => Operator::Compare(Comparison::In, 1),
                "not" if self.word_at(self.at + 1) == Some("in") => Operator::Compare(Comparison::NotIn, 2),
                "is" if self.word_at(self.at + 1) == Some("not") => Operator::Compare(Comparison::IsNot, 2),
                "is" => Operator::Compare(Comparison::Is, 1),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// `not a`, `-a`, or a value with what is attached to it.
    fn prefix(&mut self, least: u8) -> Expr {
        let Some(span) = self.tokens.get(self.at).map(|token| token.span) else {
            return self.nothing();
        };
        if self.word_at(self.at) == Some("not") {
            if least > power::NOT {
                self.tell(
                    Problem::new(Code::GUARD_SYNTAX, span, "`not` cannot stand here")
                        .help("put parentheses around it: `a == (not b)`"),
                );
            }
            return self.unary(span, UnaryOp::Not, power::NOT);
        }
        if token_kind(&self.tokens, self.at) == Some(&Kind::Sign("-")) {
            return self.unary(span, UnaryOp::Minus, power::MINUS);
        }
        self.postfix()
    }

    fn unary(&mut self, span: Span, operator: UnaryOp, power: u8) -> Expr {
        if let Some(hole) = self.enter() {
            return hole;
        }
        self.at += 1;
        let expr = match (operator, token_kind(&self.tokens, self.at)) {
            (UnaryOp::Minus, Some(&Kind::Int(number))) if !self.is_attached(self.at + 1) => {
                let span = span.join(self.tokens[self.at].span);
                self.at += 1;
                Expr::new(Node::Int(0i64.wrapping_sub_unsigned(number)), span)
            }
            _ => {
                let operand = self.binary(power);
                let span = span.join(operand.span());
                self.make(Node::Unary(operator, Box::new(operand)), span)
            }
        };
        self.depth -= 1;
        expr
    }

    /// Whether the token at `at` is attached to the value before it.
    fn is_attached(&self, at: usize) -> bool {
        matches!(token_kind(&self.tokens, at), Some(Kind::Sign("." | "[" | "(")))
    }
}

/// How tightly operators bind; a greater one binds tighter.
pub(super) mod power {
    pub(crate) const OR: u8 = 1;
    pub(crate) const AND: u8 = 2;
    pub(crate) const NOT: u8 = 3;
    pub(crate) const COMPARISON: u8 = 4;
    pub(crate) const SUM: u8 = 5;
    pub(crate) const PRODUCT: u8 = 6;
    pub(crate) const MINUS: u8 = 7;
}

enum Operator {
    Or,
    And,
    /// With how many tokens it takes.
    Compare(Comparison, usize),
    Arithmetic(ArithmeticOp, u8),
}

fn sign_operator(sign: &str) -> Option<Operator> {
    Some(match sign {
        "==" => Operator::Compare(Comparison::Equal, 1),
        "!=" => Operator::Compare(Comparison::NotEqual, 1),
        "<" => Operator::Compare(Comparison::Less, 1),
        "<=" => Operator::Compare(Comparison::LessOrEqual, 1),
        ">" => Operator::Compare(Comparison::Greater, 1),
        ">=" => Operator::Compare(Comparison::GreaterOrEqual, 1),
        "+" => Operator::Arithmetic(ArithmeticOp::Add, power::SUM),
        "-" => Operator::Arithmetic(ArithmeticOp::Subtract, power::SUM),
        "*" => Operator::Arithmetic(ArithmeticOp::Multiply, power::PRODUCT),
        "/" => Operator::Arithmetic(ArithmeticOp::Divide, power::PRODUCT),
        "%" => Operator::Arithmetic(ArithmeticOp::Remainder, power::PRODUCT),
        _ => return None,
    })
}

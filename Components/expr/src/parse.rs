//! Parsing: text to an expression. A Pratt parser over tokens; each problem leaves a hole and the parser goes on.

use mentci_source::{Code, Span, did_you_mean};

use crate::expr::{ArithmeticOp, Broken, Comparison, MAX_DEPTH, Node, Quantifier, UnaryOp};
use crate::token::{KEYWORDS, Kind, Token, tokens};
use crate::{Expr, FUNCTIONS, Function, Problem, Schema, check};

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

/// How tightly operators bind; a greater one binds tighter.
mod power {
    pub(super) const OR: u8 = 1;
    pub(super) const AND: u8 = 2;
    pub(super) const NOT: u8 = 3;
    pub(super) const COMPARISON: u8 = 4;
    pub(super) const SUM: u8 = 5;
    pub(super) const PRODUCT: u8 = 6;
    pub(super) const MINUS: u8 = 7;
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
            self.unexpected(span, "the expression has ended before it");
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

    /// Operators that bind at least as tightly as `least`.
    fn binary(&mut self, least: u8) -> Expr {
        let mut left = self.prefix(least);
        loop {
            left = match self.operator() {
                Some(Operator::Or) if least <= power::OR => self.chain("or", power::AND, left, Node::Or),
                Some(Operator::And) if least <= power::AND => self.chain("and", power::NOT, left, Node::And),
                Some(Operator::Compare(..)) if least <= power::COMPARISON => self.comparison(left),
                Some(Operator::Arithmetic(operator, power)) if least <= power => {
                    self.at += 1;
                    let right = self.binary(power + 1);
                    let span = left.span().join(right.span());
                    self.make(Node::Arithmetic(operator, Box::new(left), Box::new(right)), span)
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

    fn postfix(&mut self) -> Expr {
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
    fn arguments(&mut self) -> (Vec<Expr>, Option<Comprehension>) {
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

    fn primary(&mut self) -> Expr {
        while let Some(token) = self.tokens.get(self.at) {
            let span = token.span;
            let node = match &token.kind {
                Kind::Word | Kind::Instead(_) => match self.word_at(self.at).unwrap_or_default() {
                    "true" | "True" => Node::Bool(true),
                    "false" | "False" => Node::Bool(false),
                    "null" | "None" => Node::Null,
                    "or" | "and" | "in" | "is" => {
                        self.unexpected(span, "a value is missing before it");
                        self.at += 1;
                        continue;
                    }
                    word if KEYWORDS.contains(&word) => {
                        self.unexpected(span, "a value is missing before it");
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
                    self.unexpected(span, "a value is missing before it");
                    return hole(span);
                }
                Kind::Sign(_) => {
                    self.unexpected(span, "a value is missing before it");
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
                self.tell(Problem::new(
                    Code::GUARD_SYNTAX,
                    span,
                    format!("the number `{number}` is too large"),
                ));
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

    fn at_end_of_list(&self) -> bool {
        matches!(token_kind(&self.tokens, self.at), None | Some(Kind::Sign(")" | "]" | "}")))
    }

    /// Takes the closing bracket and gives its place; passes over what stands before it.
    fn close(&mut self, sign: &'static str, open: Span) -> Span {
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
    fn enter(&mut self) -> Option<Expr> {
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
    fn make(&mut self, node: Node, span: Span) -> Expr {
        let expr = Expr::new(node, span);
        if *expr.node() == Node::Broken(Broken::TooDeep) { self.too_deep() } else { expr }
    }

    fn nothing(&mut self) -> Expr {
        let end = Span::at(self.text.trim_end().len());
        self.tell(Problem::new(Code::GUARD_SYNTAX, end, "the expression ends where a value is missing"));
        hole(end)
    }

    fn missing(&mut self, what: &str, help: &str) {
        let end = Span::at(self.text.trim_end().len());
        let span = self.tokens.get(self.at).map_or(end, |token| token.span);
        self.tell(Problem::new(Code::GUARD_SYNTAX, span, format!("{what} is missing here")).help(help));
    }

    fn unexpected(&mut self, span: Span, why: &str) {
        let message = format!("unexpected `{}`, {why}", self.slice(span));
        self.tell(Problem::new(Code::GUARD_SYNTAX, span, message));
    }

    /// Tells a problem, once a place; once the nesting is too deep, what follows from that is not told.
    fn tell(&mut self, problem: Problem) {
        let known = |own: &Problem| {
            own.code == Code::GUARD_SIZE || own.span.overlaps(problem.span) || own.span == problem.span
        };
        if self.problems.len() < 4 * MAX_PROBLEMS && !self.problems.iter().any(known) {
            self.problems.push(problem);
        }
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

struct Comprehension {
    body: Expr,
    variable: String,
    list: Expr,
    filter: Option<Expr>,
}

impl Comprehension {
    fn node(self, quantifier: Quantifier) -> Node {
        Node::For {
            quantifier,
            body: Box::new(self.body),
            variable: self.variable,
            list: Box::new(self.list),
            filter: self.filter.map(Box::new),
        }
    }
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

/// What stands where nothing could be read.
fn hole(span: Span) -> Expr {
    Expr::new(Node::Broken(Broken::Unread), span)
}

fn token_kind(tokens: &[Token], at: usize) -> Option<&Kind> {
    tokens.get(at).map(|token| &token.kind)
}

//! The abstract syntax: what an expression means, with where it stands.

use mentci_source::Span;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::token::is_name;
use crate::{Function, Type, parse};

/// How deep an expression may nest. What would be deeper is [`Broken::TooDeep`].
pub const MAX_DEPTH: usize = 96;

/// An expression: a [`Node`] and the bytes that it was read from.
///
/// Equality is sameness of meaning: spans stand outside it. It is always in normal form, so that one meaning has one
/// tree: `and` within `and` is flat, a minus before a number is part of the number, `a["b"]` is `a.b`.
///
/// INVARIANT (bounded depth): it never nests deeper than [`MAX_DEPTH`]; [`Expr::new`] keeps it, so that walking,
/// cloning and dropping need no guard.
///
/// ```
/// use mentci_expr::{Expr, Function, parse};
/// let read = parse("contains(arg('path'), '/etc')").expr.unwrap();
/// let built = Expr::call(Function::Contains, [Expr::call(Function::Arg, [Expr::from("path")]), Expr::from("/etc")]);
/// assert_eq!(read, built);
/// assert_eq!(built.to_string(), r#"contains(arg("path"), "/etc")"#);
/// ```
#[derive(Debug, Clone)]
pub struct Expr {
    node: Node,
    span: Span,
    depth: u8,
}

/// What an expression is.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// `null`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A finite number with a fraction or an exponent.
    Float(f64),
    /// A string.
    Text(String),
    /// `[a, b]`.
    List(Vec<Expr>),
    /// `{"k": v}`, in order of the keys; the last of equal keys counts.
    Map(Vec<(String, Expr)>),
    /// A variable, or the variable of a comprehension.
    Name(String),
    /// `a.b`.
    Field(Box<Expr>, String),
    /// `a["k"]`, `a[0]`.
    Index(Box<Expr>, Box<Expr>),
    /// `f(a, b)`.
    Call(Function, Vec<Expr>),
    /// `not a`, `-a`.
    Unary(UnaryOp, Box<Expr>),
    /// `a + b - c` and its like, counted from the left: the first operand, then each operator with its right side. All
    /// operators bind equally tightly, and the first operand is no such chain of theirs.
    Arithmetic(Box<Expr>, Vec<(ArithmeticOp, Expr)>),
    /// `a < b <= c`: the first operand, then each comparison with its right side. Never without one.
    Compare(Box<Expr>, Vec<(Comparison, Expr)>),
    /// `a and b and c`: never fewer than two, none of them an `And`.
    And(Vec<Expr>),
    /// `a or b or c`: never fewer than two, none of them an `Or`.
    Or(Vec<Expr>),
    /// `then if condition else otherwise`.
    If {
        /// What decides.
        condition: Box<Expr>,
        /// The value where it holds.
        then: Box<Expr>,
        /// The value where it does not.
        otherwise: Box<Expr>,
    },
    /// `any(body for variable in list if filter)`.
    For {
        /// What becomes of the bodies.
        quantifier: Quantifier,
        /// Evaluated for each item that passes the filter.
        body: Box<Expr>,
        /// The item's name within body and filter.
        variable: String,
        /// What is walked: a list, or the keys of a map.
        list: Box<Expr>,
        /// Which items take part.
        filter: Option<Box<Expr>>,
    },
    /// No expression: it does not pass [`check`](crate::check), and it faults.
    Broken(Broken),
}

/// Why a node is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Broken {
    /// It would nest deeper than [`MAX_DEPTH`].
    TooDeep,
    /// A number that is infinite or not one.
    NotFinite,
    /// Its text could not be read; the parser has said so.
    Unread,
}

/// Operators before one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `not`.
    Not,
    /// `-`.
    Minus,
}

/// Arithmetic between two operands; `+` also joins strings and lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArithmeticOp {
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`: always a float.
    Divide,
    /// `%`: takes the sign of the right side, as in Python.
    Remainder,
}

impl ArithmeticOp {
    /// Whether it binds as `+` does, and not as `*`.
    pub fn adds(self) -> bool {
        matches!(self, Self::Add | Self::Subtract)
    }
}

/// Comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `==`.
    Equal,
    /// `!=`.
    NotEqual,
    /// `<`.
    Less,
    /// `<=`.
    LessOrEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterOrEqual,
    /// `in`.
    In,
    /// `not in`.
    NotIn,
    /// `is`.
    Is,
    /// `is not`.
    IsNot,
}

/// What a comprehension makes of its bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// `any(…)`: whether one holds.
    Any,
    /// `all(…)`: whether each holds.
    All,
    /// `[…]`: the list of them.
    Each,
}

impl Expr {
    /// An expression of a node, in normal form.
    pub fn new(node: Node, span: Span) -> Self {
        Self::raw(normal(node), span)
    }

    /// An expression of a node that is in normal form.
    fn raw(node: Node, span: Span) -> Self {
        let below = children(&node).iter().map(|child| child.depth as usize).max().unwrap_or(0);
        if below >= MAX_DEPTH {
            return Self { node: Node::Broken(Broken::TooDeep), span, depth: 1 };
        }
        // OK because MAX_DEPTH is below 255.
        let depth = u8::try_from(below + 1).unwrap_or(u8::MAX);
        Self { node, span, depth }
    }

    /// What it is.
    pub fn node(&self) -> &Node {
        &self.node
    }

    /// Takes it apart.
    pub fn into_node(self) -> Node {
        self.node
    }

    /// The bytes that it was read from; empty where it was built.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Whether its value can only be true or false; it may fault.
    ///
    /// ```
    /// let is_boolean = |text| mentci_expr::parse(text).expr.unwrap().is_boolean();
    /// assert!(is_boolean("turn_index > 3") && is_boolean("not fact('k')") && is_boolean("any(x for x in history.tools)"));
    /// assert!(!is_boolean("fact('k')") && !is_boolean("turn_index > 3 and fact('k')"));
    /// ```
    pub fn is_boolean(&self) -> bool {
        match &self.node {
            Node::Bool(_) | Node::Compare(..) | Node::Unary(UnaryOp::Not, _) => true,
            Node::Call(function, _) => function.returns() == Type::Bool,
            Node::And(operands) | Node::Or(operands) => operands.iter().all(Self::is_boolean),
            Node::If { then, otherwise, .. } => then.is_boolean() && otherwise.is_boolean(),
            Node::For { quantifier, .. } => *quantifier != Quantifier::Each,
            _ => false,
        }
    }

    /// The same expression at another place; what stands inside keeps its own.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.span = span;
        self
    }

    /// The expressions directly inside, in source order.
    pub fn children(&self) -> Vec<&Expr> {
        children(&self.node)
    }

    /// `f(a, b)`.
    pub fn call(function: Function, arguments: impl IntoIterator<Item = Expr>) -> Self {
        Self::new(Node::Call(function, arguments.into_iter().collect()), Span::default())
    }

    /// A variable by its path: `event.tool.name`.
    pub fn name(path: &str) -> Self {
        let mut parts = path.split('.');
        let root = Self::new(Node::Name(parts.next().unwrap_or_default().to_owned()), Span::default());
        parts.fold(root, |inner, part| {
            Self::new(Node::Field(Box::new(inner), part.to_owned()), Span::default())
        })
    }

    /// `a < b`.
    pub fn compare(left: Expr, comparison: Comparison, right: Expr) -> Self {
        Self::new(Node::Compare(Box::new(left), vec![(comparison, right)]), Span::default())
    }

    /// `a and b and c`; `true` of none.
    pub fn and(operands: impl IntoIterator<Item = Expr>) -> Self {
        Self::new(Node::And(operands.into_iter().collect()), Span::default())
    }

    /// `a or b or c`; `false` of none.
    pub fn or(operands: impl IntoIterator<Item = Expr>) -> Self {
        Self::new(Node::Or(operands.into_iter().collect()), Span::default())
    }

    /// `not a`.
    pub fn negate(operand: Expr) -> Self {
        Self::new(Node::Unary(UnaryOp::Not, Box::new(operand)), Span::default())
    }

    /// The literal of a JSON value.
    pub fn json(value: &serde_json::Value) -> Self {
        use serde_json::Value as Json;
        let node = match value {
            Json::Null => Node::Null,
            Json::Bool(value) => Node::Bool(*value),
            Json::Number(number) => match number.as_i64() {
                Some(whole) => Node::Int(whole),
                None => Node::Float(number.as_f64().unwrap_or(f64::NAN)),
            },
            Json::String(text) => Node::Text(text.clone()),
            Json::Array(items) => Node::List(items.iter().map(Self::json).collect()),
            Json::Object(map) => {
                Node::Map(map.iter().map(|(key, value)| (key.clone(), Self::json(value))).collect())
            }
        };
        Self::new(node, Span::default())
    }

    /// The string, where it is a literal one.
    pub fn as_text(&self) -> Option<&str> {
        if let Node::Text(text) = &self.node { Some(text) } else { None }
    }

    /// The dotted path, where it is a plain variable: `event.tool.name`.
    pub fn as_path(&self) -> Option<Vec<&str>> {
        match &self.node {
            Node::Name(name) => Some(vec![name]),
            Node::Field(inner, field) => {
                let mut path = inner.as_path()?;
                path.push(field);
                Some(path)
            }
            _ => None,
        }
    }
}

impl From<&str> for Expr {
    fn from(text: &str) -> Self {
        Self::new(Node::Text(text.to_owned()), Span::default())
    }
}

impl From<i64> for Expr {
    fn from(number: i64) -> Self {
        Self::new(Node::Int(number), Span::default())
    }
}

impl From<bool> for Expr {
    fn from(value: bool) -> Self {
        Self::new(Node::Bool(value), Span::default())
    }
}

/// Where two nodes mean the same, one of them is chosen.
fn normal(node: Node) -> Node {
    match node {
        Node::Float(number) if !number.is_finite() => Node::Broken(Broken::NotFinite),
        Node::Name(name) if !is_name(&name) => Node::Broken(Broken::Unread),
        Node::For { variable, .. } if !is_name(&variable) => Node::Broken(Broken::Unread),
        Node::Index(inner, key) => match key.node {
            Node::Text(key) => Node::Field(inner, key),
            _ => Node::Index(inner, key),
        },
        Node::Compare(first, rest) if rest.is_empty() => first.node,
        Node::Arithmetic(first, rest) => counted(*first, rest),
        Node::Unary(UnaryOp::Minus, inner) => match inner.node {
            Node::Int(number) if number != i64::MIN => Node::Int(-number),
            Node::Float(number) => Node::Float(-number),
            _ => Node::Unary(UnaryOp::Minus, inner),
        },
        Node::And(operands) => flat(operands, true),
        Node::Or(operands) => flat(operands, false),
        Node::Map(entries) => Node::Map(last_of_equal(entries)),
        other => other,
    }
}

/// A chain whose first operand is a chain of operators that bind as tightly is one chain. Operators of two kinds are two
/// chains, the later around the earlier.
fn counted(first: Expr, rest: Vec<(ArithmeticOp, Expr)>) -> Node {
    let mut rest = rest.into_iter().peekable();
    let mut node = first;
    while let Some((operator, _)) = rest.peek() {
        let adds = operator.adds();
        let (inner, mut chain) = match node.node {
            Node::Arithmetic(inner, chain) if chain.iter().all(|(own, _)| own.adds() == adds) => {
                (inner, chain)
            }
            _ => (Box::new(node), Vec::new()),
        };
        chain.extend(std::iter::from_fn(|| rest.next_if(|(own, _)| own.adds() == adds)));
        let chain = Node::Arithmetic(inner, chain);
        if rest.peek().is_none() {
            return chain;
        }
        node = Expr::raw(chain, Span::default());
    }
    node.node
}

fn flat(operands: Vec<Expr>, and: bool) -> Node {
    let mut all = Vec::with_capacity(operands.len());
    for operand in operands {
        match operand.node {
            Node::And(inner) if and => all.extend(inner),
            Node::Or(inner) if !and => all.extend(inner),
            _ => all.push(operand),
        }
    }
    match all.len() {
        0 => Node::Bool(and),
        1 => all.swap_remove(0).node,
        _ if and => Node::And(all),
        _ => Node::Or(all),
    }
}

/// In order of the keys: a map's order has no meaning.
fn last_of_equal(entries: Vec<(String, Expr)>) -> Vec<(String, Expr)> {
    entries.into_iter().collect::<std::collections::BTreeMap<_, _>>().into_iter().collect()
}

fn children(node: &Node) -> Vec<&Expr> {
    match node {
        Node::List(items) | Node::Call(_, items) | Node::And(items) | Node::Or(items) => {
            items.iter().collect()
        }
        Node::Map(entries) => entries.iter().map(|(_, value)| value).collect(),
        Node::Field(inner, _) | Node::Unary(_, inner) => vec![inner],
        Node::Index(left, right) => vec![left, right],
        Node::Arithmetic(first, rest) => {
            std::iter::once(&**first).chain(rest.iter().map(|(_, e)| e)).collect()
        }
        Node::Compare(first, rest) => std::iter::once(&**first).chain(rest.iter().map(|(_, e)| e)).collect(),
        Node::If { condition, then, otherwise } => vec![then, condition, otherwise],
        Node::For { body, list, filter, .. } => {
            [Some(body), Some(list), filter.as_ref()].into_iter().flatten().map(|e| &**e).collect()
        }
        Node::Null
        | Node::Bool(_)
        | Node::Int(_)
        | Node::Float(_)
        | Node::Text(_)
        | Node::Name(_)
        | Node::Broken(_) => Vec::new(),
    }
}

/// Spans stand outside equality. Floats are never NaN, so that equality is total.
impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node
    }
}

impl Eq for Expr {}

/// As its canonical text.
impl Serialize for Expr {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Expr {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let parsed = parse(&text);
        parsed.expr.ok_or_else(|| {
            de::Error::custom(
                parsed.problems.first().map_or("no expression", |problem| problem.message.as_str()),
            )
        })
    }
}

//! What EDN can say.

use std::cmp::Ordering;

use mentci_source::Span;

use super::{Map, Set};

/// A value and the bytes it was read from. Equality is sameness of meaning: the span stands outside it.
#[derive(Debug, Clone)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Its bytes, from its first to its last character (a tagged value from `#`). Empty for a value that was made.
    pub span: Span,
}

impl Node {
    /// The value under a keyword of a map, as in `node.get(":status")`; none when this is not a map or lacks the key.
    ///
    /// ```
    /// use mentci_reader::edn;
    /// use mentci_source::Source;
    /// let document = edn::read(&Source::new("a.edn", "{:status :active}")).value;
    /// assert_eq!(document.forms[0].get(":status").and_then(edn::Node::as_keyword), Some("active"));
    /// assert!(document.forms[0].get(":id").is_none());
    /// ```
    pub fn get(&self, keyword: &str) -> Option<&Self> {
        match &self.value {
            Value::Map(map) => map.get(keyword),
            _ => None,
        }
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The name of a keyword, without its colon.
    pub fn as_keyword(&self) -> Option<&str> {
        match &self.value {
            Value::Keyword(name) => Some(name),
            _ => None,
        }
    }

    /// The map.
    pub fn as_map(&self) -> Option<&Map> {
        match &self.value {
            Value::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The items of a vector, list or set, in the order they stand.
    pub fn items(&self) -> Option<&[Self]> {
        match &self.value {
            Value::Vector(items) | Value::List(items) => Some(items),
            Value::Set(set) => Some(set.items()),
            _ => None,
        }
    }
}

/// A made node, without a place.
impl From<Value> for Node {
    fn from(value: Value) -> Self {
        Self { value, span: Span::default() }
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Eq for Node {}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Node {
    fn cmp(&self, other: &Self) -> Ordering {
        self.value.cmp(&other.value)
    }
}

/// An EDN value. Equal values mean the same: maps and sets regardless of order, a list and a vector of equal items,
/// numbers only of one type and precision (`1`, `1N`, `1.0` and `1.0M` differ), as the EDN specification says.
#[derive(Debug, Clone)]
pub enum Value {
    /// `nil`.
    Nil,
    /// `true` or `false`.
    Bool(bool),
    /// `"text"`, unescaped.
    String(String),
    /// `\c`, `\newline`, `\u00e9`.
    Char(char),
    /// `name` or `namespace/name`.
    Symbol(String),
    /// `:name` or `:namespace/name`, kept without the colon.
    Keyword(String),
    /// An integer of 64 bits.
    Integer(i64),
    /// An integer that is written with `N` or needs more than 64 bits: decimal digits with a `-` if negative.
    BigInteger(String),
    /// A floating point number; `##Inf`, `##-Inf` and `##NaN` too.
    Float(f64),
    /// A number of exact precision, written with `M`; kept as written, without the `M`.
    Decimal(String),
    /// `(a b)`.
    List(Vec<Node>),
    /// `[a b]`.
    Vector(Vec<Node>),
    /// `{:a 1}`.
    Map(Map),
    /// `#{a b}`.
    Set(Set),
    /// `#tag value`: the tag without `#`.
    Tagged(String, Box<Node>),
}

impl Value {
    /// A keyword from its name, with or without the colon.
    pub fn keyword(name: &str) -> Self {
        Self::Keyword(name.strip_prefix(':').unwrap_or(name).to_owned())
    }

    /// A string.
    pub fn string(text: &str) -> Self {
        Self::String(text.to_owned())
    }

    /// Where a kind of value stands among the others; lists and vectors share a place because they can be equal.
    fn rank(&self) -> u8 {
        match self {
            Self::Nil => 0,
            Self::Bool(_) => 1,
            Self::Integer(_) => 2,
            Self::BigInteger(_) => 3,
            Self::Float(_) => 4,
            Self::Decimal(_) => 5,
            Self::Char(_) => 6,
            Self::String(_) => 7,
            Self::Symbol(_) => 8,
            Self::Keyword(_) => 9,
            Self::List(_) | Self::Vector(_) => 10,
            Self::Map(_) => 11,
            Self::Set(_) => 12,
            Self::Tagged(..) => 13,
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Value {}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A total order, for finding duplicates; it says nothing about magnitude across kinds.
impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => a.cmp(b),
            (Self::Integer(a), Self::Integer(b)) => a.cmp(b),
            (Self::Float(a), Self::Float(b)) => a.total_cmp(b),
            (Self::Char(a), Self::Char(b)) => a.cmp(b),
            (Self::BigInteger(a), Self::BigInteger(b))
            | (Self::Decimal(a), Self::Decimal(b))
            | (Self::String(a), Self::String(b))
            | (Self::Symbol(a), Self::Symbol(b))
            | (Self::Keyword(a), Self::Keyword(b)) => a.cmp(b),
            (Self::List(a) | Self::Vector(a), Self::List(b) | Self::Vector(b)) => a.cmp(b),
            (Self::Map(a), Self::Map(b)) => a.cmp(b),
            (Self::Set(a), Self::Set(b)) => a.cmp(b),
            (Self::Tagged(tag, a), Self::Tagged(other, b)) => tag.cmp(other).then_with(|| a.cmp(b)),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

//! `name="value"` in a tag.

use mentci_source::Span;

use crate::Decoded;

/// An attribute of a tag.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// Its name, as written.
    pub name: String,
    /// Its value without quotes and entities; `None` for a bare name, which is a switch.
    pub value: Option<Decoded>,
    /// How the value was quoted.
    pub quote: Quote,
    /// The whole of it.
    pub span: Span,
    /// Its name.
    pub name_span: Span,
    /// Its value, without quotes; where its name ends, for a bare name.
    pub value_span: Span,
}

impl Attribute {
    /// The value; `"true"` for a bare name.
    pub fn text(&self) -> &str {
        self.value.as_ref().map_or("true", Decoded::as_str)
    }
}

/// Places and quotes stand outside equality.
impl PartialEq for Attribute {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.value == other.value
    }
}

impl Eq for Attribute {}

/// How a value is quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quote {
    /// `"value"`.
    Double,
    /// `'value'`.
    Single,
    /// `value`, or no value.
    None,
}

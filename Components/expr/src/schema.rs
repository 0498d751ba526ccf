//! Which names there are, where an expression stands.

use std::collections::BTreeMap;

use crate::Type;

/// The names beside the built-in ones, and what the expression must give.
///
/// ```
/// use mentci_expr::{Schema, Type, read};
/// let schema = Schema::guard().variable("budget", Type::Int).parameter("threshold", Type::Number);
/// assert!(read("budget > 5 and context.turn.token_usage > parameters.threshold", &schema).expr.is_some());
/// assert!(read("bugdet > 5", &schema).expr.is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schema {
    pub(crate) result: Type,
    pub(crate) variables: BTreeMap<String, Type>,
    pub(crate) parameters: BTreeMap<String, Type>,
    /// None: any setting.
    pub(crate) settings: Option<BTreeMap<String, Type>>,
}

impl Schema {
    /// For guards: the expression must give true or false.
    pub fn guard() -> Self {
        Self::of(Type::Bool)
    }

    /// For values: `<set value="…">`, `<call>` bodies ([`Type::Map`]), or [`Type::Any`].
    pub fn of(result: Type) -> Self {
        Self {
            result,
            variables: BTreeMap::new(),
            parameters: BTreeMap::new(),
            settings: Some(BTreeMap::new()),
        }
    }

    /// Declares a session variable, as `<set var="…">` does. One with the name of a built-in variable is never read.
    #[must_use]
    pub fn variable(mut self, name: &str, kind: Type) -> Self {
        self.variables.insert(name.to_owned(), kind);
        self
    }

    /// Declares `parameters.NAME`.
    #[must_use]
    pub fn parameter(mut self, name: &str, kind: Type) -> Self {
        self.parameters.insert(name.to_owned(), kind);
        self
    }

    /// Declares `plugin.settings.NAME`.
    #[must_use]
    pub fn setting(mut self, name: &str, kind: Type) -> Self {
        self.settings.get_or_insert_default().insert(name.to_owned(), kind);
        self
    }

    /// Takes any `plugin.settings.NAME`; one that is not there is null.
    #[must_use]
    pub fn any_setting(mut self) -> Self {
        self.settings = None;
        self
    }
}

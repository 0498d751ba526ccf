//! Who asks.

use super::login::Login;
use crate::Scope;

/// Who asks, as a route finds it among the request's extensions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// What they may; none for those who may nothing but what everybody may.
    pub scope: Option<Scope>,
    /// The name of the token, `page` for a login by the link and `page as NAME` by a token, `local` for a program of this machine without a token.
    pub name: String,
    /// Whether it is a browser's login: such a caller is asked where the request comes from.
    pub is_page: bool,
}

impl Caller {
    pub(crate) fn token(scope: Scope, name: String) -> Self {
        Self { scope: Some(scope), name, is_page: false }
    }

    pub(crate) fn page(login: &Login) -> Self {
        let name = login.token.as_ref().map_or_else(|| "page".to_owned(), |token| format!("page as {token}"));
        Self { scope: Some(login.scope), name, is_page: true }
    }

    /// Whoever brings nothing.
    pub(crate) fn nobody(scope: Option<Scope>) -> Self {
        Self { scope, name: "local".to_owned(), is_page: false }
    }

    /// Whether they may what this scope may.
    pub fn may(&self, scope: Scope) -> bool {
        self.scope.is_some_and(|own| own >= scope)
    }
}

//! Logins of browsers: a link that is good once, and the cookie that it is exchanged for.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mentci_source::Hash;
use tokio::time::Instant;

use super::secret::{hash, same, secret};
use crate::Scope;

/// The cookie's name.
pub(crate) const COOKIE: &str = "mentci_login";
/// How long a link is good.
const LINK_LASTS: Duration = Duration::from_mins(15);
/// How long a login lasts after it was last used.
const LOGIN_LASTS: Duration = Duration::from_hours(12);
/// How many logins there may be.
const MOST: usize = 64;

/// The links that were given out, and the browsers that came by them. All of it ends with the process.
#[derive(Debug, Default)]
pub(crate) struct Logins(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    link: Option<(Hash, Instant)>,
    cookies: HashMap<Hash, (Login, Instant)>,
}

/// Who logged in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Login {
    pub(crate) scope: Scope,
    /// The name of the token by which they did; none of those who came by the link.
    pub(crate) token: Option<String>,
    /// What is kept of that token's secret: the login ends with it.
    pub(crate) secret: Option<Hash>,
}

impl Login {
    /// By the link.
    fn by_link() -> Self {
        Self { scope: Scope::Admin, token: None, secret: None }
    }
}

impl Logins {
    /// A link's secret, good once and for a quarter of an hour; the one before it is good no more.
    ///
    /// # Errors
    /// When the operating system has no randomness.
    pub(crate) fn link(&self) -> Result<String, getrandom::Error> {
        let link = secret("")?;
        self.lock().link = Some((hash(&link), Instant::now() + LINK_LASTS));
        Ok(link)
    }

    /// The cookie for a link's secret; none when it is not the one, too old, or was used.
    pub(crate) fn redeem(&self, link: &str) -> Option<String> {
        let mut known = self.lock();
        let (wanted, until) = known.link?;
        if !same(&wanted, &hash(link)) || Instant::now() > until {
            return None;
        }
        known.link = None;
        drop(known);
        self.begin(Login::by_link())
    }

    /// A cookie for a login.
    pub(crate) fn begin(&self, login: Login) -> Option<String> {
        let cookie = secret("").ok()?;
        let (mut known, now) = (self.lock(), Instant::now());
        known.cookies.retain(|_, (_, until)| *until > now);
        if known.cookies.len() >= MOST {
            let oldest = known.cookies.iter().min_by_key(|(_, (_, until))| *until).map(|(hash, _)| *hash);
            oldest.map(|oldest| known.cookies.remove(&oldest));
        }
        known.cookies.insert(hash(&cookie), (login, now + LOGIN_LASTS));
        Some(cookie)
    }

    /// Who bears a cookie. Looked up by hash: how long that takes says nothing of the cookie.
    pub(crate) fn login(&self, cookie: &str) -> Option<Login> {
        let (mut known, now) = (self.lock(), Instant::now());
        let (login, until) = known.cookies.get_mut(&hash(cookie))?;
        if *until <= now {
            return None;
        }
        *until = now + LOGIN_LASTS;
        Some(login.clone())
    }

    /// The same, without its being used.
    pub(crate) fn known(&self, cookie: &str) -> Option<Login> {
        let known = self.lock();
        let (login, until) = known.cookies.get(&hash(cookie))?;
        (*until > Instant::now()).then(|| login.clone())
    }

    /// Ends a login.
    pub(crate) fn end(&self, cookie: &str) {
        self.lock().cookies.remove(&hash(cookie));
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::Logins;
    use crate::Scope;

    #[test]
    fn a_link_is_good_once() {
        let logins = Logins::default();
        let link = logins.link().unwrap();
        assert_eq!(logins.redeem("another"), None);
        let cookie = logins.redeem(&link).unwrap();
        assert_eq!(logins.redeem(&link), None);
        assert_eq!(logins.login(&cookie).map(|login| login.scope), Some(Scope::Admin));
        logins.end(&cookie);
        assert_eq!(logins.login(&cookie), None);
    }
}

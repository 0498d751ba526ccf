//! Where a provider answers.

use std::fmt;

/// The address under which a provider's paths stand: `https://api.openai.com/v1`. It can hold no user, password, query or
/// fragment, so that nothing secret is in it and it may be shown.
///
/// ```
/// use mentci_model::Address;
/// let address = Address::read("http://localhost:8080/v1/").unwrap();
/// assert_eq!(address.path("models"), "http://localhost:8080/v1/models");
/// assert!(address.is_loopback());
/// assert!(Address::read("https://me:secret@example.com/v1").is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(reqwest::Url);

impl Address {
    /// Reads one; none where it is no such address.
    pub fn read(text: &str) -> Option<Self> {
        let url = reqwest::Url::parse(text.trim()).ok()?;
        let is_web = matches!(url.scheme(), "http" | "https") && url.host_str().is_some();
        let is_bare = url.username().is_empty() && url.password().is_none();
        let is_plain = url.query().is_none() && url.fragment().is_none();
        (is_web && is_bare && is_plain).then_some(Self(url))
    }

    /// A path under it.
    pub fn path(&self, path: &str) -> String {
        format!("{}/{path}", self.0.as_str().trim_end_matches('/'))
    }

    /// Whether it is this machine: nothing that is sent there leaves it.
    pub fn is_loopback(&self) -> bool {
        let host = self.0.host_str().unwrap_or_default().trim_matches(['[', ']']);
        host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str().trim_end_matches('/'))
    }
}

//! A visit to a page, and what comes of it.

use mentci_authority::At;

/// The fields of a query or of a form, in their order.
///
/// ```
/// use mentci_web::Fields;
/// let fields = Fields::from([("rule", "core/a"), ("enabled", "true")]);
/// assert_eq!(fields.get("rule"), Some("core/a"));
/// assert_eq!(fields.text("reason"), "");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fields(Vec<(String, String)>);

impl Fields {
    /// The field of a name; the first where it stands twice.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// The same without the space around it; empty where there is no such field.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or("").trim()
    }

    /// The same where it says something.
    #[must_use]
    pub fn said(&self, name: &str) -> Option<&str> {
        Some(self.text(name)).filter(|text| !text.is_empty())
    }
}

impl From<Vec<(String, String)>> for Fields {
    fn from(fields: Vec<(String, String)>) -> Self {
        Self(fields)
    }
}

impl<const N: usize> From<[(&str, &str); N]> for Fields {
    fn from(fields: [(&str, &str); N]) -> Self {
        Self(fields.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }
}

/// Who looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Viewer {
    /// Whether they may answer, switch and set. Without it, the page is for reading.
    pub may_act: bool,
}

/// A visit. It never holds a page's HTML, and it knows who looks only as far as the page must.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Visit {
    /// `/rules`.
    pub path: String,
    /// What stands behind the `?`.
    pub query: Fields,
    /// What is sent, where something is done. Whoever listens has checked that the form was on a page of ours.
    pub form: Option<Fields>,
    /// Who looks.
    pub viewer: Viewer,
    /// Now.
    pub now: At,
    /// Where the live stream is: the page is fetched again when something happened.
    pub stream: Option<String>,
}

/// What comes of a visit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// A page.
    Page {
        /// The HTTP status.
        status: u16,
        /// The whole document.
        html: String,
    },
    /// It was done; look there (303).
    See {
        /// The page's path with its query.
        to: String,
    },
}

//! The page on which a person says who they are: it shows nothing of the house.

use mentci_page::Html;

use crate::frame;

/// The login, with why the last one did not do.
///
/// ```
/// let page = mentci_web::login("No token is known by this secret.");
/// assert!(page.contains("role=\"alert\"") && page.contains("type=\"password\""));
/// ```
#[must_use]
pub fn login(why: &str) -> String {
    let mut html = Html::default();
    html.own("<!doctype html>\n");
    html.element("html", &[("lang", "en")], |html| {
        html.element("head", &[], |html| frame::head("Log in", html));
        html.element("body", &[("class", "login")], |html| {
            html.element("main", &[("id", "main")], |html| form(why, html));
        });
    });
    html.own("\n");
    html.into_string()
}

fn form(why: &str, html: &mut Html) {
    html.own("<h1>Mentci</h1><p class=\"lead\">Open the link that <code>policy-engine serve</code> printed, or log in with a token.</p>");
    if !why.is_empty() {
        html.leaf("p", &[("class", "notice error"), ("role", "alert")], why);
    }
    html.own("<form method=\"post\" action=\"/login\" class=\"with-reason\"><label>An operator's token <input type=\"password\" name=\"token\" autocomplete=\"current-password\" required></label><button type=\"submit\" class=\"main\">Log in</button></form>");
    html.own("<p class=\"soft\"><code>policy-engine token new NAME --scope operator</code> makes one.</p>");
}

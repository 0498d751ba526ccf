//! Where a request comes from: a page of another site must not reach what listens on this machine, neither by its own name
//! nor by a name that it points here.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use mentci_source::{Code, Finding};

use crate::problem::problem;

/// The names under which the daemon may be reached, beside `localhost` and addresses: a page cannot point an address
/// elsewhere.
#[derive(Debug, Clone)]
pub(crate) struct Names {
    names: Arc<[String]>,
    /// How the daemon's own page is reached: `https` where it answers over TLS.
    scheme: &'static str,
}

impl Names {
    pub(crate) fn new(names: &[String], is_secure: bool) -> Self {
        let names = names.iter().map(|name| name.to_ascii_lowercase()).collect();
        Self { names, scheme: if is_secure { "https" } else { "http" } }
    }

    /// Whether `host:port` is one of them.
    fn knows(&self, authority: &str) -> bool {
        let host = host_of(authority).to_ascii_lowercase();
        let address = host.trim_start_matches('[').trim_end_matches(']');
        host == "localhost" || address.parse::<IpAddr>().is_ok() || self.names.contains(&host)
    }

    /// Whether an origin is the page that this very daemon serves under `host`: scheme, name and port.
    fn is_own(&self, origin: &str, host: &str) -> bool {
        let rest = origin.split_once("://").filter(|(scheme, _)| scheme.eq_ignore_ascii_case(self.scheme));
        rest.is_some_and(|(_, rest)| rest.eq_ignore_ascii_case(host))
    }
}

/// Lets requests through that are addressed to this machine and come from no other page.
pub(crate) async fn own_requests(State(names): State<Names>, request: Request, next: Next) -> Response {
    match strange(&names, &request) {
        None => next.run(request).await,
        Some(finding) => problem(StatusCode::FORBIDDEN, finding),
    }
}

fn strange(names: &Names, request: &Request) -> Option<Finding> {
    let headers = request.headers();
    if headers.get_all(HOST).iter().count() > 1 {
        return Some(refused("a request has one `Host`", "send one"));
    }
    let host = authority(request).unwrap_or_default();
    if !names.knows(host) {
        let message = format!("`{}` is none of this daemon's names", host.escape_debug());
        return Some(refused(message, "reach it by its address, or start it with `--name` and the name"));
    }
    let told = headers.get_all(ORIGIN).iter();
    let foreign =
        told.map(|origin| origin.to_str().unwrap_or("null")).find(|origin| !names.is_own(origin, host));
    if let Some(origin) = foreign {
        let message = format!("a page of `{}` asks", origin.escape_debug());
        return Some(refused(message, "only the daemon's own page may"));
    }
    let from_elsewhere =
        text(headers, "sec-fetch-site").is_some_and(|site| matches!(site, "cross-site" | "same-site"));
    let follows_link = request.method() == Method::GET && text(headers, "sec-fetch-mode") == Some("navigate");
    (from_elsewhere && !follows_link)
        .then(|| refused("a page of another site asks", "only the daemon's own page may"))
}

/// Whether a request that a browser sends with its cookies was made by our own page: such a request says where it comes from.
pub(crate) fn is_from_own_page(headers: &HeaderMap) -> bool {
    // That it is our own origin was looked at before.
    headers.contains_key(ORIGIN) || text(headers, "sec-fetch-site") == Some("same-origin")
}

/// `host:port`, out of the head: HTTP/1.1 says it in `Host`, or in the whole address.
fn authority(request: &Request) -> Option<&str> {
    let named = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    let whole = request.uri().authority().map(axum::http::uri::Authority::as_str);
    match (whole, named) {
        (Some(whole), Some(named)) if whole != named => None,
        (whole, named) => whole.or(named),
    }
}

fn host_of(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn refused(message: impl Into<String>, help: &str) -> Finding {
    Finding::new(Code::DAEMON_REFUSED, message).help(help)
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::extract::Request;

    use super::{Names, strange};

    #[test]
    fn only_own_names_and_own_pages_pass() {
        let names = Names::new(&["mentci.example".to_owned()], false);
        for (headers, passes) in [
            (&[("host", "127.0.0.1:8100")][..], true),
            (&[("host", "localhost:8100")], true),
            (&[("host", "[::1]:8100")], true),
            (&[("host", "Mentci.Example")], true),
            (&[("host", "evil.example:8100")], false),
            (&[("host", "127.0.0.1.evil.example")], false),
            (&[("host", "")], false),
            (&[], false),
            (&[("host", "localhost"), ("host", "localhost")], false),
            (&[("host", "localhost:1"), ("origin", "http://localhost:1")], true),
            (&[("host", "localhost:1"), ("origin", "http://localhost:2")], false),
            (&[("host", "localhost:1"), ("origin", "https://localhost:1")], false),
            (&[("host", "localhost:1"), ("origin", "HTTP://LOCALHOST:1")], true),
            (&[("host", "localhost:1"), ("origin", "ftp://localhost:1")], false),
            (&[("host", "localhost:1"), ("origin", "localhost:1")], false),
            (&[("host", "localhost:1"), ("origin", "null")], false),
            (&[("host", "localhost:1"), ("origin", "http://evil.example")], false),
            (&[("host", "localhost:1"), ("sec-fetch-site", "cross-site")], false),
            (
                &[("host", "localhost:1"), ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")],
                true,
            ),
        ] {
            let told = |request: axum::http::request::Builder, (name, value): &(&str, &str)| {
                request.header(*name, *value)
            };
            let request: Request = headers.iter().fold(Request::builder(), told).body(Body::empty()).unwrap();
            assert_eq!(strange(&names, &request).is_none(), passes, "{headers:?}");
        }
    }

    #[test]
    fn over_tls_only_pages_that_came_over_tls_are_own() {
        let names = Names::new(&[], true);
        assert!(names.is_own("https://localhost:1", "localhost:1"));
        assert!(!names.is_own("http://localhost:1", "localhost:1"));
    }
}

//! How a browser logs in: by the link that the daemon prints, or with an operator's token.

use std::net::SocketAddr;

use axum::Router;
use axum::extract::{ConnectInfo, Extension, Form, Path, Request, State};
use axum::http::header::{LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;

use super::identify::cookie;
use super::login::{COOKIE, Login};
use super::secret::hash;
use crate::{App, Caller, Scope};

/// What everybody may read of the page: its style and its scripts.
const ASSETS: &str = "/assets/";

/// What is said of a link that is good no more.
const USED: &str = "This link was used already, or is too old. Start the daemon again for a new one, or log in with a token.";

/// The routes by which a browser logs in and out.
pub(crate) fn login_routes() -> Router<App> {
    Router::new()
        .route("/login", get(|| async { form(StatusCode::OK, "") }).post(by_token))
        .route("/login/{link}", get(by_link))
        .route("/logout", post(out))
}

/// Lets operators through, and sends others to the login.
pub(crate) async fn behind_login(request: Request, next: Next) -> Response {
    let caller = request.extensions().get::<Caller>();
    if caller.is_some_and(|caller| caller.may(Scope::Operator)) || request.uri().path().starts_with(ASSETS) {
        return next.run(request).await;
    }
    if request.method() == Method::GET {
        return (StatusCode::SEE_OTHER, [(LOCATION, "/login")]).into_response();
    }
    form(StatusCode::UNAUTHORIZED, "The login has ended.")
}

async fn by_link(
    State(app): State<App>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    method: Method,
    headers: HeaderMap,
    Path(link): Path<String>,
) -> Response {
    // Whoever only looks, as a chat that previews links and a browser that fetches what may be opened, uses nothing up.
    if method == Method::HEAD {
        return StatusCode::OK.into_response();
    }
    if is_ahead(&headers) {
        return form(StatusCode::SERVICE_UNAVAILABLE, "This link logs in whoever opens it.");
    }
    let guard = app.guard();
    // What is right is right however many wrong ones came from the same address, as with tokens.
    if let Some(cookie) = guard.logins.redeem(&link) {
        return logged_in(&app, &cookie);
    }
    if guard.guesses.take(peer.ip()) {
        form(StatusCode::FORBIDDEN, USED)
    } else {
        form(StatusCode::TOO_MANY_REQUESTS, "Too many wrong links: wait a minute.")
    }
}

/// Whether a browser fetches what nobody opened yet.
fn is_ahead(headers: &HeaderMap) -> bool {
    let told =
        ["sec-purpose", "purpose", "x-moz"].into_iter().filter_map(|name| headers.get(name)?.to_str().ok());
    told.flat_map(|value| value.split([';', ','])).any(|purpose| {
        ["prefetch", "prerender", "preview"].iter().any(|ahead| purpose.trim().eq_ignore_ascii_case(ahead))
    })
}

#[derive(Debug, Deserialize)]
struct Told {
    token: String,
}

async fn by_token(
    State(app): State<App>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    told: Result<Form<Told>, axum::extract::rejection::FormRejection>,
) -> Response {
    let guard = app.guard();
    let told = told.map(|Form(told)| told.token.trim().to_owned()).unwrap_or_default();
    let Some((scope, name)) = guard.bearer(&told).and_then(|caller| Some((caller.scope?, caller.name)))
    else {
        return if guard.guesses.take(peer.ip()) {
            form(StatusCode::UNAUTHORIZED, "No token is known by this secret.")
        } else {
            form(StatusCode::TOO_MANY_REQUESTS, "Too many wrong tokens: wait a minute.")
        };
    };
    if scope < Scope::Operator {
        return form(StatusCode::FORBIDDEN, "This is an agent's token: the page takes an operator's.");
    }
    match guard.logins.begin(Login { scope, token: Some(name), secret: Some(hash(&told)) }) {
        Some(cookie) => logged_in(&app, &cookie),
        None => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

async fn out(State(app): State<App>, Extension(_): Extension<Caller>, headers: HeaderMap) -> Response {
    if let Some(cookie) = cookie(&headers) {
        app.guard().logins.end(cookie);
    }
    let gone = format!("{COOKIE}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0");
    to_page("/login", &gone)
}

fn logged_in(app: &App, cookie: &str) -> Response {
    let secure = if app.guard().is_secure { "; Secure" } else { "" };
    to_page("/", &format!("{COOKIE}={cookie}; Path=/; HttpOnly; SameSite=Strict; Max-Age=43200{secure}"))
}

fn to_page(place: &'static str, cookie: &str) -> Response {
    let mut response = (StatusCode::SEE_OTHER, [(LOCATION, place)]).into_response();
    // OK because a cookie's name and value are hexadecimal and plain words.
    if let Ok(cookie) = HeaderValue::from_str(cookie) {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    response
}

fn form(status: StatusCode, why: &str) -> Response {
    (status, Html(mentci_web::login(why))).into_response()
}

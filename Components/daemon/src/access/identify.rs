//! A request's caller.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use mentci_source::{Code, Finding, Hash};

use super::login::{self, Login, Logins};
use super::origin::is_from_own_page;
use super::secret::{hash, same};
use super::throttle::Throttle;
use crate::problem::problem;
use crate::shield::OPEN;
use crate::{Caller, Options, Scope, TokenFile};

/// What callers are known by.
#[derive(Debug)]
pub(crate) struct Guard {
    pub(crate) tokens: Option<TokenFile>,
    /// Tokens that the environment gives, for as long as the process runs.
    pub(crate) given: Vec<(Hash, Scope)>,
    pub(crate) logins: Logins,
    /// How often an address may be wrong about its token.
    pub(crate) guesses: Throttle,
    /// How often an address may ask at all.
    pub(crate) questions: Throttle,
    /// Whether programs of this machine may decide as long as there is no token.
    pub(crate) is_open: bool,
    /// Whether browsers come by TLS.
    pub(crate) is_secure: bool,
}

/// How many wrong tokens an address may send in a minute.
const GUESSES: u32 = 20;
/// How many requests an address may send in a second.
const QUESTIONS: u32 = 100_000;

impl Guard {
    /// As the daemon is to run.
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            tokens: options.tokens.clone(),
            given: options.given.iter().map(|(secret, scope)| (hash(secret), *scope)).collect(),
            logins: Logins::default(),
            guesses: Throttle::new(GUESSES, Duration::from_mins(1)),
            questions: Throttle::new(QUESTIONS, Duration::from_secs(1)),
            is_open: options.addr.ip().to_canonical().is_loopback(),
            is_secure: options.tls.is_some(),
        }
    }

    /// Whether somebody could be known by a token.
    pub(crate) fn has_tokens(&self) -> bool {
        // A file that does not read may hold some.
        let kept =
            self.tokens.as_ref().is_some_and(|file| file.tokens().map_or(true, |tokens| !tokens.is_empty()));
        kept || !self.given.is_empty()
    }

    /// What the bearer of this secret may.
    pub(crate) fn bearer(&self, secret: &str) -> Option<Caller> {
        let asked = hash(secret);
        let given = self.given.iter().fold(None, |found, (known, scope)| {
            if same(known, &asked) { Some(Caller::token(*scope, "environment".to_owned())) } else { found }
        });
        let kept = self.tokens.as_ref().and_then(|file| file.find(secret));
        given.or_else(|| kept.map(|token| Caller::token(token.scope, token.name)))
    }

    /// Whose login a cookie is; none when the token by which it began was taken back.
    fn login(&self, cookie: &str) -> Option<Login> {
        let login = self.logins.login(cookie)?;
        let is_good = login.secret.is_none_or(|secret| self.knows(&secret));
        is_good.then_some(login)
    }

    /// Whether who sent these headers still may what a scope may. It is looked at, and lengthens no login.
    pub(crate) fn still_may(&self, headers: &HeaderMap, scope: Scope) -> bool {
        if let Some(told) = headers.get(AUTHORIZATION) {
            let secret = told.to_str().ok().and_then(bearer_of);
            return secret.and_then(|secret| self.bearer(secret)).is_some_and(|caller| caller.may(scope));
        }
        let login = cookie(headers).and_then(|cookie| self.logins.known(cookie));
        login.is_some_and(|login| {
            login.scope >= scope && login.secret.is_none_or(|secret| self.knows(&secret))
        })
    }

    /// Whether a token with this hash is good still.
    fn knows(&self, secret: &Hash) -> bool {
        let kept = self.tokens.as_ref().and_then(|file| file.tokens().ok());
        let kept = kept.is_some_and(|tokens| tokens.iter().any(|token| token.is(secret)));
        kept || self.given.iter().any(|(known, _)| same(known, secret))
    }

    fn caller(&self, request: &Request, from: IpAddr) -> Result<Caller, (StatusCode, Finding)> {
        let headers = request.headers();
        if let Some(told) = headers.get(AUTHORIZATION) {
            let secret = told.to_str().ok().and_then(bearer_of);
            // A right token is right however many wrong ones came from the same address: nobody is locked out by others.
            return secret.and_then(|secret| self.bearer(secret)).ok_or_else(|| {
                if self.guesses.take(from) {
                    (StatusCode::UNAUTHORIZED, refused("no token is known by this secret"))
                } else {
                    (StatusCode::TOO_MANY_REQUESTS, refused("too many wrong tokens from this address"))
                }
            });
        }
        if let Some(login) = cookie(headers).and_then(|cookie| self.login(cookie)) {
            let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
            if changes && !is_from_own_page(headers) {
                return Err((
                    StatusCode::FORBIDDEN,
                    refused("a browser's login changes things from the daemon's own page only"),
                ));
            }
            return Ok(Caller::page(&login));
        }
        let is_open = self.is_open && from.to_canonical().is_loopback() && !self.has_tokens();
        Ok(Caller::nobody(is_open.then_some(Scope::Agent)))
    }
}

/// Names the caller, for the routes behind.
pub(crate) async fn identify(State(guard): State<Arc<Guard>>, mut request: Request, next: Next) -> Response {
    let from = address(&request);
    if !guard.questions.take(from) {
        let finding = Finding::new(Code::DAEMON_BUSY, "too many requests from this address");
        return problem(StatusCode::TOO_MANY_REQUESTS, finding.help("wait a second"));
    }
    match guard.caller(&request, from) {
        Ok(caller) => {
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        Err(_) if OPEN.contains(&request.uri().path()) => {
            request.extensions_mut().insert(Caller::nobody(None));
            next.run(request).await
        }
        Err((status, finding)) => problem(status, finding),
    }
}

/// Lets those through who may.
pub(crate) async fn require(State(scope): State<Scope>, request: Request, next: Next) -> Response {
    let caller = request.extensions().get::<Caller>();
    if caller.is_some_and(|caller| caller.may(scope)) {
        return next.run(request).await;
    }
    match caller.and_then(|caller| Some((&caller.name, caller.scope?))) {
        Some((name, own)) => {
            let message = format!("`{name}` is an {own}, and this takes an {scope}");
            let help = format!("`policy-engine token new NAME --scope {scope}` makes a token that may");
            problem(StatusCode::FORBIDDEN, Finding::new(Code::DAEMON_REFUSED, message).help(help))
        }
        None => problem(StatusCode::UNAUTHORIZED, refused("this takes a token")),
    }
}

/// The value of the login's cookie.
pub(crate) fn cookie(headers: &HeaderMap) -> Option<&str> {
    let pairs = headers.get_all(COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
    let mut named =
        pairs.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    named.find(|(name, _)| *name == login::COOKIE).map(|(_, value)| value)
}

/// Where a request comes from.
pub(crate) fn address(request: &Request) -> IpAddr {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    // OK because each connection sets it; nowhere is nobody's.
    peer.map_or(IpAddr::V4(std::net::Ipv4Addr::UNSPECIFIED), |peer| peer.0.ip())
}

fn bearer_of(told: &str) -> Option<&str> {
    let (scheme, secret) = told.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(secret.trim())
}

fn refused(message: &str) -> Finding {
    Finding::new(Code::DAEMON_REFUSED, message)
        .help("send `Authorization: Bearer` with a token of `policy-engine token new`")
}

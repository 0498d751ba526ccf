//! The house keeper: one process that keeps the law current, decides for those who ask over HTTP or the socket of hooks, and
//! shows a person what their agents are told and allowed.
//!
//! - Listening: connections with limits, TLS where others can reach them (`listen`, `tls`).
//! - Access: who asks, and what they may ([`Caller`], [`Scope`]).
//! - Asking: a route makes a [`Request`](mentci_host::Request) of what came, and [`App::ask`] answers it on a bounded pool of
//!   threads, so that no question holds up the loop.
//! - Deciding: events that arrive at the same time are decided together, on one thread (`lane`).
//! - Telling: what happens is told to everybody who listens ([`Bulletin`]).
//!
//! Knows nothing of rules: every answer is the workspace's.

mod access;
mod api;
mod app;
mod asked;
mod decision;
mod lane;
mod listen;
mod live;
mod metrics;
mod options;
mod patient;
mod problem;
mod repeat;
mod request_line;
mod routes;
mod serve;
mod serve_error;
mod shield;
mod socket;
mod tls;
mod unread;
mod web;

pub use access::{Caller, Scope, Token, TokenFile};
pub use app::App;
pub use live::{Bulletin, News};
pub use options::Options;
pub use serve::{Started, serve};
pub use serve_error::ServeError;
pub use tls::TlsFiles;

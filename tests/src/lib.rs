//! The suites: what their stories share.
//!
//! [`engine()`] is the binary under test, [`Scratch`] a workspace of one's own, [`Story`] a play for the real
//! pi coding agent against a scripted model, [`Served`] a server, [`Browser`] walks through its page, [`clients`] where real clients are found,
//! [`House`] the daemon, [`ModelServer`] a model behind HTTP, [`checkout`] this checkout itself.

#![expect(clippy::disallowed_methods, reason = "tests write workspaces and start processes")]

mod browser;
pub mod checkout;
pub mod clients;
mod engine;
pub mod harnesses;
mod house;
mod model_server;
mod pi;
mod scratch;
mod served;

pub use browser::Browser;
pub use engine::engine;
pub use house::{House, Reply, read_reply};
pub use model_server::ModelServer;
pub use pi::{Pi, Request, Story, Told};
pub use scratch::Scratch;
pub use served::Served;

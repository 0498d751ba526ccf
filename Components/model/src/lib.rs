//! Language models behind one trait, [`Model`](mentci_authority::Model).
//!
//! - [`HttpModel`]: a request becomes a body of one of two wires -> tries, with [`Backoff`] between them -> [`StreamReader`] ->
//!   [`ModelReply`](mentci_authority::ModelReply)
//! - [`Script`] -> [`ScriptedModel`]: answers that were written beforehand, for examples and tests; [`ScriptServer`] serves
//!   them over HTTP, and misbehaves on purpose
//! - [`Purse`]: caps of tokens and money, out of which every try is paid
//!
//! The only crate that opens an outgoing connection. Knows no file, no configuration and no policy; keys, pauses and the seed of
//! its jitter are handed in.

mod address;
mod arranged;
mod attempt;
mod backoff;
mod chat_reply;
mod chat_request;
mod draft;
mod fault;
mod http;
mod key;
mod messages_reply;
mod messages_request;
mod mishap;
mod parallel;
mod pictures;
mod provider;
mod refusal;
mod runtime;
mod script;
mod script_server;
mod scripted;
mod served;
mod served_reply;
mod served_request;
mod shown;
mod spending;
mod sse;
mod step;
mod stream;
mod together;
mod tool_names;

pub use address::Address;
pub use backoff::{Backoff, Pause, Paused, TimerPause};
pub use fault::{Fault, Took};
pub use http::{HttpModel, HttpOptions, Timeouts, request_body};
pub use key::ApiKey;
pub use mishap::{Breakage, Mishap};
pub use parallel::Parallel;
pub use provider::{PROVIDERS, Provider, Wire};
pub use runtime::{block_on, wait_in_thread};
pub use script::{SCRIPT_FORMAT, Script};
pub use script_server::ScriptServer;
pub use scripted::ScriptedModel;
pub use shown::Shown;
pub use spending::{Caps, Purse, Spending};
pub use step::{OneOrMore, ScriptedCall, Step};
pub use stream::StreamReader;
pub use together::{Together, ask_together};

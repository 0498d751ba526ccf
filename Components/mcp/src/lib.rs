//! The door for agents that speak the Model Context Protocol: they read the Absolute Rules, teach lessons and hear when
//! the rules change.
//!
//! It is handed an [`Ask`](mentci_host::Ask) and knows nothing of files. What a tool call goes through:
//!
//! - its arguments are read and checked (`arguments`), and become a [`Request`](mentci_host::Request) (`tool`),
//! - it is answered on a thread of its own, where a panic is caught (`answering`, `call`),
//! - its [`Response`](mentci_host::Response) becomes text for the model and structured content for the client (`said`).
//!
//! Changes travel the other way: what is published is heard once (`changes`) and told to each session that asked
//! (`follower`).
//!
//! The other way round, the tools of servers are reached as a client reaches them ([`ServerClient`]).
//! Between an agent and other servers stands the `gateway`, which forwards lines and asks about the calls among them.
//!
//! The only crate, beside the daemon, that listens; it listens on loopback alone.

mod answering;
mod arguments;
mod call;
mod caller;
mod changes;
mod client;
mod completion;
mod follower;
mod gateway;
mod http;
mod lines;
mod message;
mod output;
mod params;
mod prompt;
mod resource;
mod runtime;
mod said;
mod serve_error;
mod server;
mod skills;
mod stdio;
mod stop;
mod tool;

pub use client::{ServerClient, ServerPipes, StartServer};
pub use gateway::{GatewayOptions, Program, Upstream, new_session, serve_gateway, start_program};
pub use http::{bind, routes, serve_http, serve_listener};
pub use rmcp::transport::stdio_pipes;
pub use runtime::block_on;
pub use serve_error::ServeError;
pub use stdio::{serve_pipe, serve_stdio};
pub use stop::{Stop, Stopped, stop};

//! The gateway: it stands between an agent and another MCP server, and every call of a tool passes the policy.
//!
//! It forwards lines as they are: what it does not know is not lost. Only `tools/call` is touched:
//!
//! - a line is read as far as it is needed (`envelope`), and whoever still waits for an answer is remembered (`desk`),
//! - a call is decided before it reaches the server, and its answer before it reaches the agent (`court`),
//! - the answer is checked, redacted, and its large texts are moved into artifacts (`aligned`),
//! - refusals and warnings are sentences for the agent (`words`, `results`),
//! - two pumps carry the lines, one each way (`proxy`), to a server at the other end of a pipe or of an address
//!   (`upstream`, `process`, `http`).

mod aligned;
mod answered;
mod asked;
mod court;
mod desk;
mod end;
mod envelope;
mod extra;
mod http;
mod names;
mod opaque;
mod options;
mod process;
mod proxy;
mod results;
mod sse;
mod upstream;
mod words;

pub use options::{GatewayOptions, new_session};
pub use process::{Program, start_program};
pub use proxy::serve_gateway;
pub use upstream::Upstream;

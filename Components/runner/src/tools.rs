//! The tools of a run.

mod agent;
mod builtin;
mod command;
mod files;
mod kept;
mod patch;
mod process;
mod server;
mod toolbox;

pub use process::Pipes;
pub use server::{Connect, Connecting, Start};

pub(crate) use agent::{AgentTool, Agents};
pub(crate) use builtin::{Builtin, builtin};
pub(crate) use command::CommandTool;
pub(crate) use files::FileTool;
pub(crate) use kept::KeptTool;
pub(crate) use process::start_server;
pub(crate) use server::ServerTools;
pub(crate) use toolbox::{Gathered, TokioTimer, Toolbox};

//! Every call of a tool, with exactly one end.

mod event;
mod gate;
mod handler;
mod mcp;
mod open;
mod permits;
mod race;
mod timer;

pub use event::{ToolEvent, ToolEventKind, ToolEvents};
pub use gate::{GateAnswer, ToolGate};
pub use handler::{Timeouts, ToolInterruptHandler};
pub use mcp::mcp_answer;
pub use timer::Timer;

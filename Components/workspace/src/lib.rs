//! Where the pure meets the real: layered configuration, trust and disk wired to a host.
//!
//! A [`Workspace`] answers every [`Request`](mentci_host::Request). Behind it: [`config`] in layers, the user's
//! [`Consent`], and an engine that reads only what moved and publishes only what changed.

mod book;
mod by;
mod carried;
mod chatmd;
mod clock;
mod compile;
mod condensing;
pub mod config;
mod consent;
mod counts;
mod doctor;
mod engine;
mod evaluating;
mod followed;
mod held;
mod history;
mod hook;
mod init;
mod inject;
mod install;
mod inventory;
mod large;
mod layout;
mod log;
mod memory;
mod model_verbs;
mod models;
mod parallel;
mod policy;
mod run;
mod servers;
mod session;
mod settings;
mod socket;
mod source_set;
mod teach;
mod told;
mod twice;
mod watching;
mod workspace;

pub use by::By;
pub use clock::{Clock, StoppedClock, SystemClock, uptime_ms};
pub use consent::{Consent, ConsentFile};
pub use hook::late;
pub use mentci_ledger::{Change, Deed};
pub use policy::{Beside, Law, Ruled, ScriptShelf, Spending, TemplateShelf, Told};
pub use settings::Surroundings;
pub use socket::{FRAME_BYTES, SocketAnswer, SocketError, ask_hook, ask_socket};
pub use watching::{WatchCycle, WatchStop};
pub use workspace::Workspace;

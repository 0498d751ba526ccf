//! Language models behind one trait, [`Model`](mentci_authority::Model).
//!
//! - [`Script`] -> [`ScriptedModel`]: answers that were written beforehand, for examples and tests
//!
//! Knows no file, no configuration and no policy.

mod address;
mod key;
mod mishap;
mod provider;
mod script;
mod scripted;
mod shown;
mod step;

pub use address::Address;
pub use key::ApiKey;
pub use mishap::{Breakage, Mishap};
pub use provider::{PROVIDERS, Provider, Wire};
pub use script::{SCRIPT_FORMAT, Script};
pub use scripted::ScriptedModel;
pub use shown::Shown;
pub use step::{OneOrMore, ScriptedCall, Step};

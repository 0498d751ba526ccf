//! Templates and Luau scripts over an event's facts, sandboxed.
//!
//! Reading: a text to a [`Template`] or a [`Script`], which says at load what is wrong with it. Rendering: a template and
//! facts to text, in bounded work. Running: a script and [`Facts`] to what it [`Ran`] to, within [`Limits`]. What a template
//! or a script gave is data: nothing here renders or runs twice.
//!
//! Knows nothing about rules, files or time: the clock of [`Scripts`] is handed in. `Library/specs/scripts.md` tells script
//! authors what is there.

mod error;
mod facts;
mod limits;
#[cfg(feature = "luau")]
mod luau;
#[cfg(not(feature = "luau"))]
#[path = "unbuilt.rs"]
mod luau;
mod ran;
mod script;
mod scripts;
mod template;

/// Whether this build runs Luau: otherwise every script is refused, by name.
pub const RUNS_LUAU: bool = cfg!(feature = "luau");

pub use error::{Fault, ScriptError};
pub use facts::{ALIASES, Facts, List};
pub use limits::Limits;
pub use ran::{LogLevel, Ran, ScriptAction, ScriptOutcome};
pub use script::{MAX_SCRIPT_BYTES, Script};
pub use scripts::Scripts;
pub use template::{MAX_TEMPLATE_BYTES, Template, TemplateError, TemplateFacts, render};

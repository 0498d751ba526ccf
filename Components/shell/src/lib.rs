//! A command string to the commands that it really runs, and a patch to the files that it touches.
//!
//! [`parse`] reads the text once, from left to right, with an explicit stack: a [`Script`] holds every
//! [`Command`], also those inside substitutions, `sudo`, `bash -c`, `find -exec` and their like, each with its
//! [`Via`]. [`files_of_patch`] and [`Script::files`] give [`FileChange`]s. [`quote`] is the way back for one word.
//!
//! Reading always succeeds, also on broken text. It is linear and bounded in steps that are counted, never
//! timed; what a bound of [`Limits`] cut off is told by [`Script::incomplete`].
//!
//! Knows nothing about policy: what a command runs, never whether it may. Runs nothing, touches no files.

mod abbreviation;
mod code;
mod command;
mod editor;
mod expansion;
mod file_change;
mod files;
mod filter;
mod flags;
mod handed;
mod keyword;
mod known;
mod limits;
mod list;
mod makefile;
mod marks;
mod output;
mod parameter;
mod pass;
mod patch;
mod pipeline;
mod printed;
mod program;
mod quote;
mod reader;
mod reading;
mod redirect;
mod script;
mod search;
mod sed;
mod setting;
mod typed;
mod values;
mod variable;
mod word;
mod wrapper;

pub use command::{Command, Operation, Pipe, Redirect, Via};
pub use file_change::{FileChange, FileOp};
pub use limits::{Limits, Reason};
pub use patch::files_of_patch;
pub use quote::quote;
pub use script::{Script, parse};
pub use word::{ANYTHING, Word};

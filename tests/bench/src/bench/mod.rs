//! The benches: each gives the rows of one part of the table.

use crate::options::Options;
use crate::table::Row;

mod append;
mod chatmd;
mod check;
mod checkout;
mod compile;
mod condense;
mod context;
mod gateway;
mod hook;
mod http;
mod http_load;
mod one_shot;
mod pack;
mod policy;
mod policy_peers;
mod policy_rules;
mod reading;
mod rehash;
mod run;
mod save;
mod scripts;
mod scripts_path;
mod scripts_peers;

pub(crate) use append::{bare_append, bare_loop, locked_loop};
pub(crate) use gateway::server;
pub(crate) use http::bare_server;
pub(crate) use save::echo;

/// What a bench gives.
pub(crate) type Rows = Result<Vec<Row>, String>;

/// A bench: its name on the command line, and how it is run.
pub(crate) type Bench = (&'static str, fn(&Options) -> Rows);

/// All benches, in the order of the table.
pub(crate) const ALL: &[Bench] = &[
    ("check", check::bench),
    ("rehash", rehash::bench),
    ("compile", compile::bench),
    ("save", save::bench),
    ("checkout", checkout::bench),
    ("append", append::bench),
    ("one-shot", one_shot::bench),
    ("reading", reading::bench),
    ("policy", policy::bench),
    ("pack", pack::bench),
    ("scripts", scripts::bench),
    ("context", context::bench),
    ("chatmd", chatmd::bench),
    ("run", run::bench),
    ("hook", hook::bench),
    ("gateway", gateway::bench),
    ("http", http::bench),
    ("condense", condense::bench),
];

/// How a failed step on a file reads.
#[expect(clippy::needless_pass_by_value, reason = "it stands where `map_err` wants it")]
pub(crate) fn told(error: std::io::Error) -> String {
    error.to_string()
}

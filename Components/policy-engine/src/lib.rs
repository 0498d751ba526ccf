//! The command line: argv -> [`Arguments`](arguments::Arguments) -> [`Request`](mentci_host::Request) -> one match -> exit code.
//!
//! Exit codes: 0 done, 1 findings or a denial, 2 bad input or it cannot run.

mod answers;
mod approval_arguments;
mod arguments;
mod chatmd_answers;
mod chatmd_arguments;
mod chatmd_request;
mod compile_arguments;
mod condense_answers;
mod daemon;
mod daemon_arguments;
mod eval_answers;
mod gateway;
mod gateway_arguments;
mod harness_arguments;
mod harnesses;
mod hook;
mod lesson_arguments;
mod logs;
mod model_answers;
mod model_arguments;
mod model_server;
mod output;
mod pages;
mod paint;
mod picture;
mod plugin_answers;
mod plugin_arguments;
mod policy_answers;
mod policy_request;
mod progress;
mod request;
mod rules_arguments;
mod run;
mod run_arguments;
mod run_document;
mod serve;
mod servers;
mod session_answers;
mod session_arguments;
mod session_request;
mod snippet;
mod standard_input;
mod surroundings;
mod terminal;
mod tokens;
mod watch;

pub use run::main;

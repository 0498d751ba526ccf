//! The policy decision point: rules to a program, program and event to a decision.
//!
//! - Compiling: [`RuleSet`](mentci_authority::RuleSet)s to a [`Program`], indexed by hook, tool and literal.
//! - Deciding: a program, an [`Event`](mentci_authority::Event) and what the ledger remembers to a [`Decision`] without
//!   words ([`decide`]).
//! - Acting: what the rules that fired do, with the values that their expressions give ([`act()`]).
//! - Settling: what the ledger has to remember of it ([`settle()`]).
//! - Telling: what the agent is told at this event, and what waits ([`notify()`]).
//! - Explaining: a decision in words, each reason with its place ([`explain`]).
//!
//! Knows no syntax, no file and no clock: a decision cannot parse and cannot wait.

mod act;
mod asked;
mod cells;
mod clock;
mod columns;
mod decide;
mod decision;
mod explain;
mod guard;
mod index;
mod names;
mod necessary;
mod needs;
mod notify;
mod pack;
#[rustfmt::skip]
#[allow(clippy::all, clippy::pedantic, missing_docs, unreachable_pub, reason = "generated from schema/pack.capnp")]
mod pack_capnp;
mod program;
mod redaction;
mod script;
mod settle;
mod tools;
mod trial;
mod truth;
mod tuned;
mod world;

pub use act::{Acts, Filling, Templates, Verbatim, act};
pub use asked::{AskedAction, asked_problem};
pub use decide::{decide, decide_with};
pub use decision::{
    Applied, Basis, DecidedFault, Decision, Obligations, RuleIndex, Scripted, Suppressed, Surplus,
};
pub use explain::explain;
pub use needs::unknown_fact;
pub use notify::{NotifyOptions, Told, Word, notify, notify_beside};
pub use pack::{Pack, PackError};
pub use program::{Options, Program};
pub use script::{Asked, FactParts, NoScripts, ScriptAnswer, ScriptFacts, Scripts};
pub use settle::{reserved, settle, spent};
pub use trial::{GuardTrace, Trial, alone, facts_of, try_rule};

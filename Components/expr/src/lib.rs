//! The guard language: one expression decides whether a rule holds. A superset of JSON values.
//!
//! - Parsing: text to an [`Expr`] with spans, never failing without saying why ([`parse`]).
//! - Checking: names, arguments, patterns and types against a [`Schema`], with a did-you-mean ([`check`]).
//! - Compiling: an [`Expr`] to a flat [`Compiled`] program whose names are resolved; no pattern is compiled yet.
//! - Evaluating: a program over [`Facts`] to a [`Value`] or a [`Fault`], in bounded steps ([`evaluate`], [`holds`]).
//! - Tracing: what each part of an expression gave, for explanations ([`trace()`]).
//!
//! Knows nothing about rules, events or where facts come from. The grammar stands in `Library/grammar.md`.

mod expr;
mod print;
mod problem;

mod parse;
mod token;

mod function;
mod schema;
mod variable;

mod check;

mod letters;
mod path;
mod pattern;
mod schedule;
mod text;

mod facts;
mod fault;
mod json_facts;
mod value;

mod call;
mod evaluate;
mod operate;
mod program;
mod trace;

pub use check::{check, check_condition};
pub use evaluate::{evaluate, holds};
pub use expr::{ArithmeticOp, Broken, Comparison, Expr, MAX_DEPTH, Node, Quantifier, UnaryOp};
pub use facts::{Facts, LocalTime, Named};
pub use fault::{Budget, Fault, FaultKind};
pub use function::{FUNCTIONS, Function, Parameter};
pub use json_facts::JsonFacts;
pub use letters::regex_letters;
pub use parse::{MAX_SOURCE, Parsed, parse, read};
pub use path::ArgPath;
pub use pattern::{GLOB_HELP, glob_problem, regex_help, regex_problem};
pub use problem::Problem;
pub use program::Compiled;
pub use schedule::{Days, TimeRange};
pub use schema::Schema;
pub use text::normalize;
pub use trace::{Outcome, Trace, trace};
pub use value::{Type, Value};
pub use variable::{VARIABLES, Variable};

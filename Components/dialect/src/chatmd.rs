//! ChatMD: `<rules>` and `<policy>`.
//!
//! Each `<on>` is a tree of the fields that the other dialects have ([`elements`] says which attribute is which), so that
//! one lowering gives it its meaning; expressions and conditions keep their own places ([`expression`], [`condition`]).
//! The language stands in `Library/specs/chatmd-rules.md`.

mod action;
mod condition;
mod effect;
mod elements;
mod expression;
mod head;
mod names;
mod on;
mod policy;
mod prose;

mod print;

pub(crate) use head::part;
pub(crate) use print::print;

//! From trees to rules: what each field means.

pub(crate) mod action;
pub(crate) mod chain;
pub(crate) mod check;
mod foreign;
pub(crate) mod gather;
pub(crate) mod name_test;
pub(crate) mod normal;
pub(crate) mod phrase;
pub(crate) mod rebuild;
pub(crate) mod redaction;
pub(crate) mod rule;
pub(crate) mod set;
pub(crate) mod sexpr;
pub(crate) mod unit_test;
pub(crate) mod value_test;
pub(crate) mod when;

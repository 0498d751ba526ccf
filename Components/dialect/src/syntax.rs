//! The three syntaxes, each read into one [`Tree`](crate::tree::Tree).

pub(crate) mod edn;
pub(crate) mod toml;
pub(crate) mod yaml;

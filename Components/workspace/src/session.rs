//! The verbs of sessions, contexts and artifacts, carried out.

mod artifacts;
mod context;
mod export;
mod import;
mod kept;
mod log;
mod part;
mod remembered;
mod run;

pub(crate) use artifacts::refused;
pub(crate) use kept::Keeper;
pub(crate) use run::is_document;

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

use mentci_host::policy::session_problem;
use mentci_source::{Code, Finding};

/// What no line of a log may be named, nothing is asked about by name either: a stop would be kept that no session has, an
/// artifact that nobody can bring in again.
///
/// # Errors
/// What is wrong with the name.
pub(crate) fn nameable(session: &str) -> Result<(), Finding> {
    session_problem(session).map_or(Ok(()), |problem| {
        let finding = Finding::new(Code::EVENT_LINE, problem);
        Err(finding.help("name the session with letters, digits and signs that show"))
    })
}

//! What of a transcript does not read as it was meant: nothing is appended behind it.

use mentci_chatmd::Document;
use mentci_source::{Finding, Severity};

use crate::transcript::is_reply;

/// What is malformed in what a run wrote, or in what somebody wrote behind it. In the part before the first reply what is odd is
/// text, with a warning.
pub(crate) fn broken(document: &Document, findings: &[Finding]) -> Vec<Finding> {
    let Some(first) = document.blocks().find(|block| is_reply(block) || block.is_synthetic()) else {
        return Vec::new();
    };
    let is_behind = |finding: &&Finding| finding.span.is_some_and(|span| span.start >= first.span().start);
    let is_malformed = |finding: &&Finding| !Document::is_well_formed(std::slice::from_ref(*finding));
    let found = findings.iter().filter(is_behind).filter(is_malformed);
    found.map(|finding| finding.clone().severity(Severity::Error)).collect()
}

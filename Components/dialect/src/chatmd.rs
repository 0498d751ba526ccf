//! ChatMD: `<rules>` and `<policy>`.

use mentci_authority::RuleSet;
use mentci_source::{Finding, Source};

use crate::{OriginHint, Unsayable};

/// Reads the blocks of a document; a finding of severity error voids the set.
pub(crate) fn read(source: &Source, origin: &OriginHint, findings: &mut Vec<Finding>) -> RuleSet {
    let _ = (source, findings);
    RuleSet::new(origin.pack.as_ref())
}

/// The canonical blocks of a set.
pub(crate) fn print(set: &RuleSet) -> Result<String, Vec<Unsayable>> {
    let _ = set;
    Ok(String::new())
}

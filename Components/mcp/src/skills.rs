//! The names of the skills.

use std::collections::BTreeSet;

use mentci_authority::SkillName;
use mentci_host::{Answer, Ask, Request};

/// Every skill that has law of its own, in order.
pub(crate) fn skills(ask: &dyn Ask) -> Vec<SkillName> {
    let Answer::Sources(answer) = ask.ask(Request::Sources).answer else { return Vec::new() };
    let law = answer.sources.into_iter().filter(|row| row.kind == "law");
    let names: BTreeSet<SkillName> = law.filter_map(|row| row.skill).collect();
    names.into_iter().collect()
}

//! Schedules: two that must both be missed, and zones that no one knows.

use mentci_source::{Code, Finding};

use super::desk::{Desk, Said};
use crate::policy::zone::unknown_zones;

/// Two negated schedules in one condition.
pub(super) fn schedules(desk: &Desk<'_>) -> Vec<Said> {
    let mut said = Vec::new();
    for sheet in &desk.rules {
        let negated: Vec<_> = sheet.terms.iter().filter(|term| term.is_negated_schedule()).collect();
        if let [first, second, ..] = negated.as_slice() {
            let message = format!("`{first}` and `{second}` must both hold");
            let help =
                "for either of them put them under `any:`; `Library/guide/policy.md` tells of schedules";
            said.push((sheet.at, second.span, Finding::new(Code::SCHEDULE_BOTH, message).help(help)));
        }
    }
    said
}

/// Zones of rules and of single schedules: refused where rules are loaded, told here for sets that were read on their own.
pub(super) fn zones(desk: &Desk<'_>) -> Vec<Said> {
    let mut known = |zone: &str| desk.known.zones.offset_seconds(zone, 0).is_some();
    let unknown = desk.rules.iter().flat_map(|sheet| {
        let findings = unknown_zones(sheet.rule, &mut known);
        findings.into_iter().map(|finding| (sheet.at, None, finding)).collect::<Vec<_>>()
    });
    unknown.collect()
}

//! What a `redact` takes out.

use mentci_authority::{RedactedPlace, Redaction};
use mentci_detect::{Custom, Detector, Kind};
use serde_json::Value;

/// The detector of a rule's own choice; none where it does not read, which whoever reads the rule refuses: everything is
/// looked for then.
pub(crate) fn detector(redaction: &Redaction) -> Option<Detector> {
    if *redaction == Redaction::default() {
        return None;
    }
    let named: Result<Vec<Vec<Kind>>, _> = redaction.kinds.iter().map(|name| Kind::named(name)).collect();
    let customs = redaction
        .patterns
        .iter()
        .map(|pattern| Custom { name: pattern.name.clone(), regex: pattern.regex.clone() });
    Detector::new(named.ok()?.into_iter().flatten(), customs).ok()
}

/// `value` without what `detectors` find, one after the other, and the places where something stood.
pub(crate) fn redacted<'d>(
    value: &Value,
    detectors: impl Iterator<Item = &'d Detector>,
) -> (Value, Vec<RedactedPlace>) {
    let mut places = Vec::new();
    let mut value = value.clone();
    for detector in detectors {
        let redaction = detector.redact_value(value);
        value = redaction.value;
        let place = |(path, kind): (String, Kind)| RedactedPlace { path, kind: kind.name().to_owned() };
        places.extend(redaction.hits.into_iter().map(place));
    }
    places.sort();
    places.dedup();
    (value, places)
}

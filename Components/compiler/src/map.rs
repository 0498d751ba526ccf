//! The coverage map as data and as JSON.

use mentci_authority::{
    CoverageMap, Digest, DigestLine, EntryKind, MAP_FORMAT, MapEntry, MapOmission, MapSource, Tier,
};
use serde::Serialize;

/// The map of a digest.
pub(crate) fn map_of(skill: Option<&str>, sources: Vec<MapSource>, digest: &Digest) -> CoverageMap {
    CoverageMap {
        format: MAP_FORMAT,
        skill: skill.map(str::to_owned),
        sources,
        entries: digest.lines.iter().map(entry).collect(),
        omitted: digest
            .omitted
            .iter()
            .map(|omission| MapOmission { span: omission.span.clone(), reason: omission.reason })
            .collect(),
    }
}

fn entry(line: &DigestLine) -> MapEntry {
    MapEntry {
        rule: line.rule.clone(),
        level: line.level,
        tier: match line.kind {
            EntryKind::Case => Tier::Adaptive,
            EntryKind::Pointer => Tier::Absolute,
            _ => Tier::Core,
        },
        kind: line.kind,
        text: line.text.clone(),
        spans: line.provenance.spans.clone(),
        lessons: line.provenance.lessons.clone(),
    }
}

/// JSON with one source, entry or omission a line, so that a change in one is one line of a diff.
pub(crate) fn write_map(map: &CoverageMap) -> String {
    let mut out = format!("{{\"format\":{},\"skill\":{},\"sources\":[", map.format, json(&map.skill));
    write_items(&mut out, &map.sources);
    out.push_str("],\"entries\":[");
    write_items(&mut out, &map.entries);
    out.push_str("],\"omitted\":[");
    write_items(&mut out, &map.omitted);
    out.push_str("]}\n");
    out
}

fn write_items<T: Serialize>(out: &mut String, items: &[T]) {
    for (index, item) in items.iter().enumerate() {
        out.push_str(if index == 0 { "\n" } else { ",\n" });
        out.push_str(&json(item));
    }
    out.push('\n');
}

fn json<T: Serialize>(value: &T) -> String {
    // OK because these types hold only strings, numbers and lists, which always serialise.
    serde_json::to_string(value).expect("plain data")
}

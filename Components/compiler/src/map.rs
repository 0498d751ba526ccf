//! The coverage map as data and as JSON.

use std::borrow::Cow;
use std::fmt::Write as _;

use mentci_authority::{
    CoverageMap, Digest, DigestLine, EntryKind, Level, MAP_FORMAT, MapEntry, MapOmission, MapSource,
    Omission, Tier,
};
use serde::Serialize;

use crate::both_ways::other_level;
use crate::remainder::Remainder;

/// The map of a digest.
pub(crate) fn map_of(skill: Option<&str>, sources: Vec<MapSource>, digest: &Digest) -> CoverageMap {
    CoverageMap {
        format: MAP_FORMAT,
        skill: skill.map(str::to_owned),
        sources,
        entries: digest.lines.iter().flat_map(entries).collect(),
        omitted: digest.omitted.iter().map(map_omission).collect(),
    }
}

/// One entry for a line, and a second one where it demands one thing and forbids another: `Use pnpm, never npm`, `Use pnpm, NOT npm`.
fn entries(line: &DigestLine) -> impl Iterator<Item = MapEntry> {
    let other = line.level.and_then(|level| other_level(level, &line.text));
    [line.level].into_iter().chain(other.map(Some)).map(|level| entry(line, level))
}

fn entry(line: &DigestLine, level: Option<Level>) -> MapEntry {
    MapEntry {
        rule: line.rule.clone(),
        level,
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
    let omitted = map.omitted.iter().map(|omitted| Cow::Owned(json(omitted)));
    write(
        String::new(),
        map.skill.as_deref(),
        map.sources.iter().map(|source| Cow::Owned(json(source))),
        &map.entries,
        omitted,
    )
}

/// The workspace's map of `digest`. What stands in `remainders`, one for each source in the order of their paths, is written already.
pub(crate) fn write_whole_map(digest: &Digest, remainders: &[&Remainder]) -> String {
    let entries: Vec<MapEntry> = digest.lines.iter().flat_map(entries).collect();
    let sources = remainders.iter().map(|remainder| Cow::Borrowed(&*remainder.source));
    let mut left = remainders.iter().filter_map(|it| Some((it.omission.as_ref()?, &*it.omitted))).peekable();
    let omitted = digest.omitted.iter().map(|omission| {
        while left.next_if(|(whole, _)| *whole < omission).is_some() {}
        match left.next_if(|(whole, _)| *whole == omission) {
            Some((_, written)) => Cow::Borrowed(written),
            None => Cow::Owned(json(&map_omission(omission))),
        }
    });
    let room: usize = remainders.iter().map(|it| it.source.len() + it.omitted.len() + 4).sum();
    write(String::with_capacity(room + digest.text.len() * 8), None, sources, &entries, omitted)
}

/// `out` is empty, with as much room as it may take.
fn write<'a>(
    mut out: String,
    skill: Option<&str>,
    sources: impl Iterator<Item = Cow<'a, str>>,
    entries: &[MapEntry],
    omitted: impl Iterator<Item = Cow<'a, str>>,
) -> String {
    // OK because writing into a string never fails.
    let _ = write!(out, "{{\"format\":{MAP_FORMAT},\"skill\":{},\"sources\":[", json(&skill));
    write_items(&mut out, sources);
    out.push_str("],\"entries\":[");
    write_items(&mut out, entries.iter().map(|entry| Cow::Owned(json(entry))));
    out.push_str("],\"omitted\":[");
    write_items(&mut out, omitted);
    out.push_str("]}\n");
    out
}

fn write_items<'a>(out: &mut String, items: impl Iterator<Item = Cow<'a, str>>) {
    for (index, item) in items.enumerate() {
        out.push_str(if index == 0 { "\n" } else { ",\n" });
        out.push_str(&item);
    }
    out.push('\n');
}

pub(crate) fn map_omission(omission: &Omission) -> MapOmission {
    MapOmission { span: omission.span.clone(), reason: omission.reason }
}

/// JSON on one line.
pub(crate) fn json<T: Serialize>(value: &T) -> String {
    // OK because these types hold only strings, numbers and lists, which always serialise.
    serde_json::to_string(value).expect("plain data")
}

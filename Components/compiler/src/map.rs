//! The coverage map as data and as JSON.

use std::borrow::Cow;

use mentci_authority::{
    CoverageMap, Digest, DigestLine, EntryKind, Level, MAP_FORMAT, MapEntry, MapOmission, MapSource,
    Omission, Tier,
};
use serde::Serialize;

use crate::law::{opens_condition, says_no};
use crate::remainder::Remainder;
use crate::words::opens_negated;

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
    let other = match line.level {
        Some(Level::MustNot) => demanded(&line.text),
        Some(Level::Must) => denied(&line.text),
        _ => None,
    };
    [line.level].into_iter().chain(other.map(Some)).map(|level| entry(line, level))
}

/// What a line demands that forbids behind `, never` or `, not`.
fn demanded(text: &str) -> Option<Level> {
    const SOFT: &[&str] = &["prefer", "consider", "try", "favor", "favour"];
    // `The mate must not sail, not even by day` demands nothing.
    let against = || {
        [", not ", ", NOT ", " but NOT "].iter().find_map(|cue| {
            text.split_once(cue).filter(|(head, rest)| !says_no(head) && !rest.starts_with("even "))
        })
    };
    let (head, _) = text.split_once(", never ").or_else(against)?;
    let rest = head.rsplit_once(": ").map_or(head, |(_, rest)| rest);
    // `In tests, never delete x` demands nothing, `In tests, use x, never y` does.
    let conditional = opens_condition(rest) || rest.starts_with("Due to ");
    let rest = if conditional { rest.split_once(", ")?.1 } else { rest };
    let opening = rest.split(' ').next().unwrap_or_default().to_lowercase();
    let level = if SOFT.contains(&opening.as_str()) { Level::Should } else { Level::Must };
    // `When an id is given, which others see, never …` only goes on with its condition.
    let relative = conditional && matches!(opening.as_str(), "which" | "who");
    (!relative && !opens_negated(rest)).then_some(level)
}

/// What a line forbids that demands in front of a loud `NOT` or of a sentence of its own: `Ask in private — NOT in the channel`,
/// `Splice both ends. Never leave one loose`.
fn denied(text: &str) -> Option<Level> {
    const CUES: &[&str] =
        &[" — NOT ", ", NOT ", " - NOT ", ". Never ", ". NEVER ", ". Don't ", ". Do not ", ". Not "];
    // A mark in front of the sentence changes nothing.
    let text = text.replace(". 🔴 ", ". ");
    CUES.iter().any(|cue| text.contains(cue)).then_some(Level::MustNot)
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
    write(None, sources, &entries, omitted)
}

fn write<'a>(
    skill: Option<&str>,
    sources: impl Iterator<Item = Cow<'a, str>>,
    entries: &[MapEntry],
    omitted: impl Iterator<Item = Cow<'a, str>>,
) -> String {
    let mut out = format!("{{\"format\":{MAP_FORMAT},\"skill\":{},\"sources\":[", json(&skill));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loud_not_forbids_beside_what_is_demanded() {
        assert_eq!(denied("Ask in private — NOT in the channel"), Some(Level::MustNot));
        assert_eq!(denied("Use pnpm, NOT npm"), Some(Level::MustNot));
        assert_eq!(denied("Use pnpm, not npm"), None);
        assert_eq!(denied("Splice both ends. Never leave one loose"), Some(Level::MustNot));
        assert_eq!(denied("Splice both ends"), None);
    }

    #[test]
    fn a_condition_in_front_of_never_demands_nothing() {
        for (text, level) in [
            ("Use pnpm, never npm", Some(Level::Must)),
            ("Prefer pnpm, never npm", Some(Level::Should)),
            ("In tests, use pnpm, never npm", Some(Level::Must)),
            ("On CI: use pnpm, never npm", Some(Level::Must)),
            ("Only use pnpm, never npm", Some(Level::Must)),
            ("Random for security: `a()`, not `b()`", Some(Level::Must)),
            ("Skipped notes stay in the log but NOT on the page", Some(Level::Must)),
            ("The mate must not sail, not even by day", None),
            ("Sailing is forbidden, not even by day", None),
            ("In tests, never delete x.rs", None),
            ("When offline, never use y.rs", None),
            ("For hotfixes, never skip, never defer", None),
            ("Never use npm, never yarn", None),
            ("Due to this, never use npm", None),
            ("When a name is given, which others see, never reuse it", None),
        ] {
            assert_eq!(demanded(text), level, "{text}");
        }
    }
}

//! Norms that several skills state, and norms of several skills that contradict each other.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

use mentci_authority::{EntryKind, Level};
use mentci_source::{Code, Finding};

use crate::body::Group;
use crate::budget::LineId;
use crate::case::at_first;
use crate::gather::conflict;
use crate::line::Line;
use crate::workspace_digest::Scope;

/// Which lines are stated by another one.
#[derive(Debug, Default)]
pub(crate) struct Twins {
    /// For a line that is stated, those that say the same.
    others: BTreeMap<LineId, Vec<LineId>>,
    merged: BTreeSet<LineId>,
}

impl Twins {
    /// Finds them. Steps of procedures, lines with lessons, lessons and facts stand for themselves.
    pub(crate) fn find(scopes: &[Scope<'_>], findings: &mut Vec<Finding>) -> Self {
        let mut first: HashMap<u64, Vec<LineId>, BuildHasherDefault<AsItIs>> =
            HashMap::with_capacity_and_hasher(
                scopes.iter().map(|scope| scope.lines.len()).sum(),
                BuildHasherDefault::default(),
            );
        let mut twins = Self::default();
        let mut conflicts = Vec::new();
        for (scope, there) in scopes.iter().enumerate() {
            for (index, line) in there.lines.iter().enumerate() {
                if stands_alone(line, &there.groups[index]) {
                    continue;
                }
                let id = LineId { scope, line: index };
                let known = first.entry(line.subject).or_default();
                let at = |other: &LineId| &scopes[other.scope].lines[other.line];
                match known.iter().position(|other| other.scope != scope && at(other).level == line.level) {
                    Some(twin) if line.exceptions.is_empty() => twins.merge(&mut known[twin], id, scopes),
                    _ => {
                        let against =
                            |other: &&LineId| other.scope != scope && opposes(at(other).level, line.level);
                        conflicts.extend(known.iter().find(against).map(|other| (*other, id)));
                        known.push(id);
                    }
                }
            }
        }
        twins.report(scopes, &conflicts, findings);
        twins
    }

    /// The lines that say what `id` says.
    pub(crate) fn of(&self, id: LineId) -> &[LineId] {
        self.others.get(&id).map_or(&[], Vec::as_slice)
    }

    /// Whether another line states this one.
    pub(crate) fn is_merged(&self, id: LineId) -> bool {
        !self.merged.is_empty() && self.merged.contains(&id)
    }

    /// All merged lines.
    pub(crate) fn merged(&self) -> impl Iterator<Item = LineId> {
        self.merged.iter().copied()
    }

    /// Merges `id` into the stated line, or the other way round when `id` is more binding and that one has no lessons.
    fn merge(&mut self, stated: &mut LineId, id: LineId, scopes: &[Scope<'_>]) {
        let line = |id: LineId| &scopes[id.scope].lines[id.line];
        let swap = line(id).class < line(*stated).class && line(*stated).exceptions.is_empty();
        let (keep, drop) = if swap { (id, *stated) } else { (*stated, id) };
        let mut others = if swap { self.others.remove(stated).unwrap_or_default() } else { Vec::new() };
        others.push(drop);
        self.merged.insert(drop);
        self.merged.remove(&keep);
        self.others.entry(keep).or_default().extend(others);
        *stated = keep;
    }

    fn report(&self, scopes: &[Scope<'_>], conflicts: &[(LineId, LineId)], findings: &mut Vec<Finding>) {
        let line = |id: LineId| &scopes[id.scope].lines[id.line];
        for (id, others) in &self.others {
            let mut names: Vec<&str> = others.iter().chain([id]).map(|id| scopes[id.scope].name).collect();
            names.sort_unstable();
            names.dedup();
            let message = format!("`{}` stands in {}", line(*id).text, listed(&names));
            let finding = Finding::new(Code::DUPLICATE_NORM, message)
                .help(format!("it is stated once, as `{}`; keep it in one place", line(*id).rule));
            let at = others.first().map_or(&[][..], |other| &line(*other).provenance.spans);
            findings.push(at_first(finding, at));
        }
        for (one, other) in conflicts {
            let (one, other) = (line(*one), line(*other));
            findings.push(conflict((&one.text, &other.text), &one.provenance.spans, &other.provenance.spans));
        }
    }
}

fn stands_alone(line: &Line, group: &Group) -> bool {
    matches!(group, Group::Procedure(..)) || !matches!(line.kind, EntryKind::Norm | EntryKind::Procedure)
}

fn opposes(a: Option<Level>, b: Option<Level>) -> bool {
    a.zip(b).is_some_and(|(a, b)| a.is_prohibition() != b.is_prohibition())
}

/// ``​`a`, `b` and 3 more``.
fn listed(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(3).map(|name| format!("`{name}`")).collect();
    match names.len() {
        0..=3 => shown.join(", "),
        more => format!("{} and {} more", shown.join(", "), more - 3),
    }
}

/// Subjects are hashes already.
#[derive(Debug, Default, Clone, Copy)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}
